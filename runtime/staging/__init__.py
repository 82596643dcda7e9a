"""How plain Python reaches all this: the operators of converted code, built-in functions, and NumPy."""
