"""Ways to run a graph; NumPy is the definition of what a graph means."""
