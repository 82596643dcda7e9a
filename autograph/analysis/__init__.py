"""Facts about a tree: asked for when needed, never stored on its nodes."""
