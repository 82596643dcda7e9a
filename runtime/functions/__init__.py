"""Python functions as graphs: one for each signature."""
