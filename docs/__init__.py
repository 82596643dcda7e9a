"""The documentation: its sources, and what writes the rest of them from the code. See ``make docs``."""
