"""Writes: their audit entries, locks, transactions and guards."""
