"""Small programs that show what the project does; each runs, and each is a test."""
