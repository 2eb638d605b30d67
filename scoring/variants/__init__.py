"""One module per rule set; `scoring.registry` lists them."""
