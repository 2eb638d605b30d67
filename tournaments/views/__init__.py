"""The pages: each view fetches, delegates and responds."""
