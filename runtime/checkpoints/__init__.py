"""What is kept in files: arrays and plain values, and the state of objects that hold some."""
