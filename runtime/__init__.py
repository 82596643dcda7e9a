"""A small tensor library on NumPy: eager tensors, graphs traced from plain Python, control flow included.

Names are TensorFlow 2's, values are NumPy's: ``import runtime as tf`` runs programs of the `tf.function` kind.

The examples of its documentation begin with that import, and with ``import numpy as np``. Where a tensor is taken, so
is what `convert_to_tensor` makes one of: numbers, arrays, Variables, nested lists. In shapes, ``...`` stands for any
number of dimensions, from none on. Arguments called `name` are accepted for TensorFlow's sake.

>>> @tf.function
... def relu_sum(x):
...     total = 0.0
...     for item in x:
...         if item > 0:
...             total += item
...     return total
>>> relu_sum(tf.constant([1.0, -2.0, 3.0]))
<tf.Tensor: shape=(), dtype=float32, numpy=4.0>
"""

from functools import partial as _partial
from importlib.util import find_spec as _find_spec
from typing import TYPE_CHECKING as _TYPE_CHECKING

if _find_spec("numpy") is None:
    raise ModuleNotFoundError(
        "runtime needs NumPy (pip install 'autograph-python[runtime]'); the compiler, autograph, does without",
        name="numpy",
    )

from autograph import __version__ as __version__
from autograph.dispatch import before_staging as _before_staging
from autograph.late import called as _called, found as _found, places as _places
from runtime import bitwise, config, dtypes, errors, gradients as _, nest
from runtime.graph.dtypes import (
    DType,
    as_dtype,
    bool_ as bool,
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
from runtime.graph.graph import Graph
from runtime.graph.operations import Operation
from runtime.graph.shapes import TensorShape
from runtime.tensors import arithmetic as _arithmetic, failures as _failures  # fill in what tensors do
from runtime.tensors.arrays import TensorArray
from runtime.tensors.clipping import clip_by_global_norm, clip_by_norm, clip_by_value, global_norm
from runtime.tensors.conversion import (
    bitcast,
    cast,
    constant,
    convert_to_tensor,
    get_static_value,
    is_symbolic_tensor,
    is_tensor,
)
from runtime.tensors.counting import (
    dynamic_partition,
    dynamic_stitch,
    histogram_fixed_width,
    histogram_fixed_width_bins,
    reverse_sequence,
    unique_with_counts,
    unravel_index,
)
from runtime.tensors.effects import control_dependencies, numpy_function, print_ as print, py_function, timestamp
from runtime.tensors.indexed_slices import IndexedSlices
from runtime.tensors.making import eye, fill, linspace, one_hot, ones, ones_like, range, zeros, zeros_like
from runtime.tensors.mathematics import (
    abs,
    acos,
    acosh,
    add,
    add_n,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    complex,
    cos,
    cosh,
    divide,
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
    maximum,
    minimum,
    multiply,
    negative,
    not_equal,
    pow,
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
    truediv,
    where,
)
from runtime.tensors.module import Module
from runtime.tensors.parts import (
    argsort,
    boolean_mask,
    gather,
    gather_nd,
    pad,
    repeat,
    roll,
    searchsorted,
    slice_ as slice,
    sort,
    strided_slice,
    tensor_scatter_nd_add,
    tensor_scatter_nd_max,
    tensor_scatter_nd_min,
    tensor_scatter_nd_sub,
    tensor_scatter_nd_update,
    unique,
    with_item,
)
from runtime.tensors.products import einsum, matmul, norm, tensordot
from runtime.tensors.public import face as _face
from runtime.tensors.reductions import (
    argmax,
    argmin,
    cumsum,
    reduce_all,
    reduce_any,
    reduce_logsumexp,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
)
from runtime.tensors.scopes import device, get_current_name_scope, init_scope, inside_function, name_scope
from runtime.tensors.segments import scatter_nd, sequence_mask
from runtime.tensors.shaping import (
    broadcast_dynamic_shape,
    broadcast_static_shape,
    broadcast_to,
    concat,
    ensure_shape,
    expand_dims,
    identity,
    identity_n,
    rank,
    reshape,
    reverse,
    shape,
    shape_n,
    size,
    split,
    squeeze,
    stack,
    tile,
    transpose,
    unstack,
)
from runtime.tensors.spec import TensorSpec
from runtime.tensors.special import meshgrid, saturate_cast, scalar_mul, truncatediv, truncatemod
from runtime.tensors.tensor import Meaning as _Meaning, Tensor
from runtime.tensors.trace import executing_eagerly
from runtime.tensors.variables import Variable, VariableAggregation, VariableSynchronization

__all__ = [
    "Assert", "ConcreteFunction", "DType", "Exploration", "Function", "GradientTape", "Graph", "IndexedSlices",
    "Module", "Operation", "RaggedTensor", "RaggedTensorSpec", "SparseTensor", "SparseTensorSpec",
    "Tensor", "TensorArray", "TensorShape", "TensorSpec",
    "UnconnectedGradients", "Variable", "VariableAggregation", "VariableSynchronization", "abs", "acos", "acosh", "add",
    "add_n", "argmax", "argmin", "argsort",
    "array_api", "as_dtype", "as_string", "asin", "asinh", "assert_equal", "assert_greater", "assert_less",
    "assert_rank", "atan", "atan2", "atanh", "autodiff", "autograph", "batch_to_space", "bitcast", "bitwise", "bool",
    "boolean_mask", "broadcast_dynamic_shape", "broadcast_static_shape", "broadcast_to", "case", "cast",
    "clip_by_global_norm", "clip_by_norm", "clip_by_value", "compat", "complex", "complex64", "complex128", "concat",
    "cond", "config", "constant", "constant_initializer", "control_dependencies", "convert_to_tensor", "cos", "cosh",
    "cumsum", "custom_gradient", "data", "debugging", "device", "divide", "double", "dtypes", "dynamic_partition",
    "dynamic_stitch", "eig", "eigvals", "einsum", "ensure_shape", "equal", "errors", "executing_eagerly", "exp",
    "expand_dims", "experimental", "explore", "eye", "fill", "float16", "float32", "float64", "floor", "foldl", "foldr",
    "function", "gather", "gather_nd", "get_current_name_scope", "get_logger", "get_static_value", "global_norm",
    "grad", "grad_pass_through", "gradients", "greater", "greater_equal", "group", "half", "hessians",
    "histogram_fixed_width", "histogram_fixed_width_bins", "identity", "identity_n", "image", "init_scope",
    "initializers", "inside_function", "int8", "int16", "int32", "int64", "io", "is_symbolic_tensor", "is_tensor",
    "jvp", "keras", "less", "less_equal", "linalg", "linspace", "logical_and", "logical_not", "logical_or", "lookup",
    "losses", "map_fn", "math", "matmul", "matrix_square_root", "maximum", "meshgrid", "metrics", "minimum", "multiply",
    "name_scope", "negative", "nest", "newaxis", "nn", "no_op", "norm", "not_equal", "numpy_function", "one_hot",
    "ones", "ones_initializer", "ones_like", "optimizers", "pad", "pow", "print", "py_function", "queue", "ragged",
    "random", "random_normal_initializer", "random_uniform_initializer", "range", "rank", "realdiv", "recompute_grad",
    "reduce_all", "reduce_any", "reduce_logsumexp", "reduce_max", "reduce_mean", "reduce_min", "reduce_prod",
    "reduce_sum", "repeat", "reshape", "reverse", "reverse_sequence", "roll", "round", "saturate_cast", "saved_model",
    "scalar_mul", "scan", "scatter_nd", "searchsorted", "sequence_mask", "shape", "shape_n", "sigmoid", "sign",
    "signal", "sin", "sinh", "size", "slice", "sort", "space_to_batch", "sparse", "split", "sqrt", "square", "squeeze",
    "stack", "stop_gradient", "strided_slice", "string", "strings", "subtract", "summary", "switch_case", "tan", "tanh",
    "tensor_scatter_nd_add", "tensor_scatter_nd_max", "tensor_scatter_nd_min", "tensor_scatter_nd_sub",
    "tensor_scatter_nd_update", "tensordot", "test", "tile", "timestamp", "train", "transpose", "truediv",
    "truncatediv", "truncatemod", "type_spec_from_value",
    "types", "uint8", "uint16", "uint32", "uint64", "unique", "unique_with_counts",
    "unravel_index", "unstack", "value_and_grad", "vectorized_map", "version", "where", "while_loop", "with_item",
    "zeros", "zeros_initializer", "zeros_like",
]  # fmt: skip

# What is imported when it is first asked for: it costs every program time that not every program needs it.
_MODULES = (
    "array_api autodiff autograph compat data debugging experimental image io keras linalg lookup math nn queue ragged",
    "random saved_model signal sparse strings summary test train types version",
)
_PLACES = {
    **{name: f"runtime.{name}" for names in _MODULES for name in names.split()},
    **_places("runtime.compat.control", "group no_op"),
    **_places("runtime.compat.logger", "get_logger"),
    **_places("runtime.control", "case cond foldl foldr map_fn scan switch_case vectorized_map while_loop"),
    **_places("runtime.debugging", "Assert assert_equal assert_greater assert_less assert_rank"),
    **_places("runtime.explorer.exploration", "Exploration explore"),
    **_places("runtime.functions.concrete", "ConcreteFunction"),
    **_places("runtime.functions.differentiation", "grad jvp value_and_grad"),
    **_places("runtime.functions.function", "Function function"),
    **_places("runtime.gradients.custom", "custom_gradient grad_pass_through recompute_grad stop_gradient"),
    **_places("runtime.gradients.hessians", "hessians"),
    **_places("runtime.gradients.tape", "GradientTape UnconnectedGradients gradients"),
    **_places("runtime.strings", "as_string"),
    **_places("runtime.tensors.blocks", "batch_to_space space_to_batch"),
    **_places("runtime.tensors.matrix_functions", "eig eigvals"),
    **_places("runtime.tensors.composite_specs", "RaggedTensorSpec SparseTensorSpec type_spec_from_value"),
    **_places("runtime.tensors.ragged_tensor", "RaggedTensor"),
    **_places("runtime.tensors.sparse_tensor", "SparseTensor"),
    "constant_initializer": "runtime.keras.initializers:Constant",
    "ones_initializer": "runtime.keras.initializers:Ones",
    "random_normal_initializer": "runtime.keras.initializers:RandomNormal",
    "random_uniform_initializer": "runtime.keras.initializers:RandomUniform",
    "matrix_square_root": "runtime.tensors.matrix_functions:sqrtm",
    "zeros_initializer": "runtime.keras.initializers:Zeros",
    **{name: f"runtime.keras.{name}" for name in ("initializers", "losses", "metrics", "optimizers")},
}

if _TYPE_CHECKING:
    from runtime import (
        array_api,
        autodiff,
        autograph,
        compat,
        data,
        debugging,
        experimental,
        image,
        io,
        keras,
        linalg,
        lookup,
        math,
        nn,
        queue,
        ragged,
        random,
        saved_model,
        signal,
        sparse,
        strings,
        summary,
        test,
        train,
        types,
        version,
    )
    from runtime.compat.control import group, no_op
    from runtime.compat.logger import get_logger
    from runtime.control import case, cond, foldl, foldr, map_fn, scan, switch_case, vectorized_map, while_loop
    from runtime.debugging import Assert, assert_equal, assert_greater, assert_less, assert_rank
    from runtime.explorer.exploration import Exploration, explore
    from runtime.functions.concrete import ConcreteFunction
    from runtime.functions.differentiation import grad, jvp, value_and_grad
    from runtime.functions.function import Function, function
    from runtime.gradients.custom import custom_gradient, grad_pass_through, recompute_grad, stop_gradient
    from runtime.gradients.hessians import hessians
    from runtime.gradients.tape import GradientTape, UnconnectedGradients, gradients
    from runtime.keras import initializers, losses, metrics, optimizers
    from runtime.keras.initializers import (
        Constant as constant_initializer,
        Ones as ones_initializer,
        RandomNormal as random_normal_initializer,
        RandomUniform as random_uniform_initializer,
        Zeros as zeros_initializer,
    )
    from runtime.strings import as_string
    from runtime.tensors.blocks import batch_to_space, space_to_batch
    from runtime.tensors.composite_specs import RaggedTensorSpec, SparseTensorSpec, type_spec_from_value
    from runtime.tensors.matrix_functions import eig, eigvals, sqrtm as matrix_square_root
    from runtime.tensors.ragged_tensor import RaggedTensor
    from runtime.tensors.sparse_tensor import SparseTensor

del globals()["gradients"]  # the folder: the function is late, and the folder is imported only once
__getattr__, __dir__ = _face("", globals(), _PLACES)  # these, and rows that others add

newaxis = None
double, half, realdiv = float64, float16, truediv


def _namespace(api_version: str | None) -> object:
    namespace = _found("runtime.array_api")
    namespace._check_version(api_version)
    return namespace


# What graphs and tensors do with those.
Graph.write = _called("runtime.executors.numpy.text:to_text")
Graph.define = _called("runtime.graph.definition:definition_of")
Graph.draw = _called("runtime.explorer.dot:to_dot")
Graph.picture = _called("runtime.explorer.dot:to_svg")
Graph.begin = _called("runtime.compat.graphs:begin")
_Meaning.evaluate = _called("runtime.compat.graphs:evaluated")
_Meaning.namespace = _namespace
_Meaning.method = _called("runtime.staging.numpy_protocol:method_of")
_Meaning.ufunc = _called("runtime.staging.numpy_protocol:call_ufunc")
_Meaning.function = _called("runtime.staging.numpy_protocol:call_function")
_Meaning.error = _called("runtime.tensors.numpys_errors:numpys")
# What plain Python means while something is traced.
_PLAIN = (
    "backend clocks floating_errors library_functions math_functions outside random_numbers remembered showing "
    "whole_numbers"
)
for _name in _PLAIN.split():
    _before_staging(_partial(_found, f"runtime.staging.{_name}"))
