"""Programs at random, run in every form and compared: `python -m tests.fuzz --help`."""
