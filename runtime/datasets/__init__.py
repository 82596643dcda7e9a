"""Datasets: sequences of elements that are made one by one, outside of graphs and in them."""
