"""Values: tensors, NumPy's arrays while they are traced, Variables, and what computes with them."""
