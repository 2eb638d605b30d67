"""Request data into facts."""
