"""What every address has in common."""
