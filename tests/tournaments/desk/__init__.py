"""What the desk watches and types."""
