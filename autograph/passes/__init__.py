"""Rewrites of the tree, one idea each; `autograph.pipeline` says in which order they run."""
