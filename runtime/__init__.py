"""A small tensor library on NumPy: eager tensors, graphs traced from plain Python, control flow included.

Names are TensorFlow 2's, values are NumPy's: ``import runtime as tf`` runs programs of the `tf.function` kind.
"""

from runtime import arithmetic as _arithmetic  # fills in what tensors do
from runtime import backend, config, data, debugging, errors, nest, nn, random, strings
from runtime import dtypes as _dtypes
from runtime import numpy_protocol as _numpy_protocol  # and what NumPy does with them
from runtime.arrays import TensorArray
from runtime.concrete import ConcreteFunction
from runtime.control import case, cond, map_fn, scan, switch_case, while_loop
from runtime.conversion import cast, constant, convert_to_tensor, is_tensor
from runtime.dtypes import (
    DType,
    as_dtype,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    string,
    uint8,
    uint16,
    uint32,
    uint64,
)
from runtime.dtypes import (
    bool_ as bool,
)
from runtime.effects import control_dependencies, name_scope, numpy_function, py_function
from runtime.effects import print_ as print
from runtime.function import Function, function
from runtime.graph import Graph, Operation
from runtime.mathematics import (
    abs,
    acos,
    acosh,
    add,
    add_n,
    argmax,
    argmin,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    clip_by_value,
    cos,
    cosh,
    cumsum,
    divide,
    einsum,
    equal,
    exp,
    floor,
    greater,
    greater_equal,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    matmul,
    maximum,
    minimum,
    multiply,
    negative,
    norm,
    not_equal,
    pow,
    reduce_all,
    reduce_any,
    reduce_logsumexp,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
    round,
    sigmoid,
    sign,
    sin,
    sinh,
    sqrt,
    square,
    subtract,
    tan,
    tanh,
    tensordot,
    truediv,
    where,
)
from runtime.namespaces import autograph, bitwise, linalg, math
from runtime.namespaces import dtypes_namespace as dtypes
from runtime.shapes import TensorShape
from runtime.shaping import (
    argsort,
    boolean_mask,
    broadcast_to,
    concat,
    ensure_shape,
    expand_dims,
    eye,
    fill,
    gather,
    gather_nd,
    identity,
    linspace,
    one_hot,
    ones,
    ones_like,
    pad,
    range,
    rank,
    repeat,
    reshape,
    reverse,
    roll,
    searchsorted,
    shape,
    size,
    sort,
    split,
    squeeze,
    stack,
    tensor_scatter_nd_add,
    tensor_scatter_nd_update,
    tile,
    transpose,
    unique,
    unstack,
    with_item,
    zeros,
    zeros_like,
)
from runtime.shaping import (
    slice_ as slice,
)
from runtime.spec import TensorSpec
from runtime.tensor import Tensor
from runtime.trace import executing_eagerly
from runtime.variables import Variable

Assert = debugging.Assert
newaxis = None
__version__ = "0.1.0"
