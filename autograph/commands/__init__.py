"""The command line: what it shows, checks and converts."""
