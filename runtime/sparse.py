"""Tensors of which most elements are zero, by the others."""

from runtime.tensors.public import face as _face
from runtime.tensors.sparse_functions import (
    add as add,
    concat as concat,
    expand_dims as expand_dims,
    eye as eye,
    map_values as map_values,
    maximum as maximum,
    minimum as minimum,
    reduce_max as reduce_max,
    reduce_sum as reduce_sum,
    reshape as reshape,
    retain as retain,
    slice as slice,
    softmax as softmax,
    sparse_dense_matmul as sparse_dense_matmul,
    transpose as transpose,
)
from runtime.tensors.sparse_parts import (
    fill_empty_rows as fill_empty_rows,
    reset_shape as reset_shape,
    segment_mean as segment_mean,
    segment_sqrt_n as segment_sqrt_n,
    segment_sum as segment_sum,
    split as split,
    to_indicator as to_indicator,
)
from runtime.tensors.sparse_tensor import (
    SparseTensor as SparseTensor,
    from_dense as from_dense,
    reorder as reorder,
    to_dense as to_dense,
)

__getattr__, __dir__ = _face("sparse", globals())
