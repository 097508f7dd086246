"""The scanner: one invocation scans one stack."""
