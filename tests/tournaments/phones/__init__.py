"""A table's phones, as the server knows them; `tests/phones` drives them in a browser."""
