"""Graphs and what holds them as data, without code: JSON and arrays, and back, with everything checked."""
