"""The table of operations: one row each, a file per family."""
