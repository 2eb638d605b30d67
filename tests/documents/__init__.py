"""What the documents tell: that it is there, and that it is so."""
