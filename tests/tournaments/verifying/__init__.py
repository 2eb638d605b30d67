"""Whatever was touched is found."""
