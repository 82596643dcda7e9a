"""Differentiation: operations that have run, and graphs, are gone through backwards."""
