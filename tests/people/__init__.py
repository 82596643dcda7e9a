"""Functions from many fields, as people write them: their printed form is read by eye, and executed."""
