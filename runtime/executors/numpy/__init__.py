"""A graph as Python on NumPy."""
