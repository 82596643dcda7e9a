"""The gradients of the rows of `runtime.ops`, in files of the same names."""
