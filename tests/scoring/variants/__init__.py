"""Each rule set: worked examples, and every deal it knows."""
