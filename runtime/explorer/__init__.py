"""A page that shows all stages of one function side by side."""
