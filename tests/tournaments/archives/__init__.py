"""An event in one file, and back."""
