"""Takes the decision on a plan."""
