"""From facts to ranks, and what is announced."""
