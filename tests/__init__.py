"""The tests: `make test` runs all of them."""
