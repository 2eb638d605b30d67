"""What every write rests on: its trace, its turn, rows that stay."""
