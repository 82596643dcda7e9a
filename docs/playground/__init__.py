"""A page of the site on which people type Python and see what becomes of it, inside their browser."""
