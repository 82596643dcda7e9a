"""Mutation testing: single small changes of the two packages, each of which some test should notice."""
