"""What a graph is, and nothing about how it is made or run."""
