"""The approval gate: what was approved is what happens, and everything is on record."""
