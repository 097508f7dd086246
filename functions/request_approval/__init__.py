"""Asks for a decision on a plan, and tells how it ended."""
