"""Pushes back what was approved: the only function that writes to watched resources."""
