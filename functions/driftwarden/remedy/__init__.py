"""Resolving drift: AWS's values into the state (accept), or the recorded values into AWS (revert)."""
