"""Tensors of which most elements are zero, by the others."""

from runtime.tensors.public import face as _face
from runtime.tensors.sparse_tensor import (
    SparseTensor as SparseTensor,
    from_dense as from_dense,
    reorder as reorder,
    to_dense as to_dense,
)

__getattr__, __dir__ = _face("sparse", globals())
