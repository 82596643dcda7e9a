"""TensorFlow 1: graphs that a program fills, placeholders, and sessions that run parts of a graph.

``import runtime.compat.v1 as tf`` has these names and all of `runtime`. Operations run at once unless
`disable_eager_execution` (or `disable_v2_behavior`) says otherwise, or they stand inside of ``graph.as_default()``.

What a session is asked for is run, with all that it depends on, and nothing else: an assignment or a print that
nothing asks for does not happen. Of what happens, the order is that of the program.

>>> import runtime.compat.v1 as tf1
>>> with tf1.Graph().as_default():
...     x = tf1.placeholder(tf1.float32, [None], name="x")
...     total = tf1.Variable(0.0, name="total")
...     added = total.assign_add(tf1.reduce_sum(x))
...     with tf1.Session() as session:
...         session.run(tf1.global_variables_initializer())
...         print(session.run(added, {x: [1.0, 2.0]}), session.run(added, {x: [3.0]}))
3.0 6.0
"""

from __future__ import annotations

from contextlib import suppress as _suppress
from operator import attrgetter as _attrgetter
from sys import modules as _modules
from types import SimpleNamespace as _SimpleNamespace

from runtime.compat import (  # noqa: F401 - version 1's data is a part of it
    data,
    decays as _decays,
    losses as _losses,
    metrics as _metrics,
    networks as _networks,
    training as _training,
)
from runtime.compat.arguments import (
    name_scope,
    reduce_all,
    reduce_any,
    reduce_logsumexp,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
)
from runtime.compat.control import cond, group, no_op, placeholder, placeholder_with_default, while_loop
from runtime.compat.graphs import (
    disable_eager_execution,
    enable_eager_execution,
    get_default_graph,
    outermost as _outermost,
    reset_default_graph,
)
from runtime.compat.initializers import (
    Constant as constant_initializer,
    GlorotNormal as glorot_normal_initializer,
    GlorotUniform as glorot_uniform_initializer,
    Ones as ones_initializer,
    RandomNormal as random_normal_initializer,
    RandomUniform as random_uniform_initializer,
    TruncatedNormal as truncated_normal_initializer,
    Zeros as zeros_initializer,
)
from runtime.compat.logger import v1 as logging
from runtime.compat.older import (
    Print,
    SparseTensorValue,
    arg_max,
    arg_min,
    argmax,
    argmin,
    colocate_with,
    count_nonzero,
    div,
    expand_dims,
    make_template,
    norm,
    scatter_add,
    scatter_div,
    scatter_max,
    scatter_min,
    scatter_mul,
    scatter_sub,
    scatter_update,
    sparse_placeholder,
    sparse_to_dense,
    squeeze,
    to_double,
    to_float,
    to_int32,
    to_int64,
    tuple,
)
from runtime.compat.saver import Saver as _Saver
from runtime.compat.session import (
    ConfigProto,
    IndexedSlicesValue,
    InteractiveSession,
    Session,
    get_default_session,
)
from runtime.compat.variables import (
    AUTO_REUSE,
    VariableScope,
    VariableV1 as Variable,
    add_to_collection,
    assign,
    assign_add,
    assign_sub,
    get_collection,
    get_variable,
    get_variable_scope,
    global_variables,
    global_variables_initializer,
    local_variables,
    local_variables_initializer,
    tables_initializer,
    trainable_variables,
    variable_scope,
    variables_initializer,
)
from runtime.gradients.tape import gradients
from runtime.graph.graph import Graph
from runtime.ops.random import set_seed as set_random_seed
from runtime.tensors.scopes import name_scope as _name_scope_v2
from runtime.tensors.sparse_tensor import SparseTensor as _SparseTensor
from runtime.tensors.tensor import Tensor as _Tensor
from runtime.tensors.trace import executing_eagerly
from runtime.tensors.types import DTypeLike as _DTypeLike, TensorLike as _TensorLike

__all__ = [
    "AUTO_REUSE", "ConfigProto", "GPUOptions", "Graph", "GraphKeys", "IndexedSlicesValue", "InteractiveSession",
    "Print", "Session", "SparseTensorValue", "Variable", "VariableScope", "add_to_collection", "all_variables",
    "arg_max", "arg_min", "argmax", "argmin", "assign", "assign_add", "assign_sub", "colocate_with", "cond",
    "constant_initializer", "count_nonzero", "disable_eager_execution", "disable_resource_variables",
    "disable_v2_behavior", "div", "enable_eager_execution", "enable_resource_variables", "enable_v2_behavior",
    "executing_eagerly", "executing_eagerly_outside_functions", "expand_dims", "get_collection", "get_default_graph",
    "get_default_session", "get_variable", "get_variable_scope", "global_variables", "global_variables_initializer",
    "glorot_normal_initializer", "glorot_uniform_initializer", "gradients", "group", "initialize_all_variables",
    "local_variables", "local_variables_initializer", "logging", "losses", "make_template", "metrics",
    "model_variables",
    "moving_average_variables", "multinomial", "name_scope", "nn", "no_op", "norm", "ones_initializer", "op_scope",
    "placeholder", "placeholder_with_default", "random_normal_initializer", "random_uniform_initializer",
    "reduce_all", "reduce_any", "reduce_logsumexp", "reduce_max", "reduce_mean", "reduce_min", "reduce_prod",
    "reduce_sum", "reset_default_graph", "scatter_add", "scatter_div", "scatter_max", "scatter_min", "scatter_mul",
    "scatter_sub", "scatter_update", "set_random_seed", "sparse_placeholder", "sparse_to_dense", "squeeze",
    "string_split", "tables_initializer", "to_double", "to_float", "to_int32", "to_int64", "train",
    "trainable_variables", "truncated_normal_initializer", "tuple", "variable_scope", "variables_initializer",
    "while_loop", "zeros_initializer",
]  # fmt: skip

disable_v2_behavior = disable_eager_execution
enable_v2_behavior = enable_eager_execution
initialize_all_variables = global_variables_initializer
all_variables = global_variables


def enable_resource_variables() -> None:
    """Nothing: Variables are TensorFlow 2's.

    >>> tf.compat.v1.enable_resource_variables()
    """


def disable_resource_variables() -> None:
    """Nothing: Variables are TensorFlow 2's, of which what follows an assignment in the program reads it.

    >>> tf.compat.v1.disable_resource_variables()
    """


class GraphKeys:
    """The names of the collections of a graph.

    >>> tf.compat.v1.GraphKeys.TRAINABLE_VARIABLES
    'trainable_variables'
    """

    GLOBAL_VARIABLES = "variables"
    LOCAL_VARIABLES = "local_variables"
    TRAINABLE_VARIABLES = "trainable_variables"
    LOSSES = "losses"
    REGULARIZATION_LOSSES = "regularization_losses"
    SUMMARIES = "summaries"
    UPDATE_OPS = "update_ops"
    TRAIN_OP = "train_op"
    GLOBAL_STEP = "global_step"


def executing_eagerly_outside_functions() -> bool:
    """Whether operations run at once where no function is traced.

    >>> tf.compat.v1.executing_eagerly_outside_functions()
    True
    """
    return _outermost() is None


class _Namespace(_SimpleNamespace):
    """What version 1 has of its own in a module, and what that of `runtime` has."""

    def __init__(self, name: str, members: object) -> None:
        super().__init__(**{key: value for key, value in vars(members).items() if not key.startswith("_")})
        self._named = name

    def __getattr__(self, name: str) -> object:
        return getattr(getattr(_modules["runtime"], self._named), name)


def _own_of(module: object) -> _SimpleNamespace:
    """The functions and classes that a module defines."""
    own = {name: value for name, value in vars(module).items() if not name.startswith("_")}
    name = getattr(module, "__name__", "")
    return _SimpleNamespace(**{n: v for n, v in own.items() if getattr(v, "__module__", None) == name})


train = _Namespace(
    "train",
    _SimpleNamespace(
        AdadeltaOptimizer=_training.AdadeltaOptimizer,
        AdagradOptimizer=_training.AdagradOptimizer,
        AdamOptimizer=_training.AdamOptimizer,
        GradientDescentOptimizer=_training.GradientDescentOptimizer,
        MomentumOptimizer=_training.MomentumOptimizer,
        Optimizer=_training.Optimizer,
        RMSPropOptimizer=_training.RMSPropOptimizer,
        Saver=_Saver,
        cosine_decay=_decays.cosine_decay,
        exponential_decay=_decays.exponential_decay,
        get_global_step=_training.get_global_step,
        get_or_create_global_step=_training.get_or_create_global_step,
        inverse_time_decay=_decays.inverse_time_decay,
        natural_exp_decay=_decays.natural_exp_decay,
        piecewise_constant=_decays.piecewise_constant,
        polynomial_decay=_decays.polynomial_decay,
    ),
)
nn = _Namespace("nn", _own_of(_networks))
losses = _own_of(_losses)
metrics = _own_of(_metrics)

_runtime = _modules["runtime"]  # which this is a part of, and has the names of


def _there(module: str, names: str) -> dict[str, str]:
    """Names that a module of `runtime` has."""
    return {name: f"{module}.{name}" for name in names.split()}


_OLDER_NAMES = {
    "batch_to_space_nd": "batch_to_space",
    "diag": "linalg.tensor_diag",
    "diag_part": "linalg.tensor_diag_part",
    "floor_div": "math.floordiv",
    "matrix_band_part": "linalg.band_part",
    "matrix_determinant": "linalg.det",
    "matrix_diag": "linalg.diag",
    "matrix_diag_part": "linalg.diag_part",
    "matrix_inverse": "linalg.inv",
    "matrix_set_diag": "linalg.set_diag",
    "matrix_solve": "linalg.solve",
    "matrix_solve_ls": "linalg.lstsq",
    "matrix_triangular_solve": "linalg.triangular_solve",
    "py_func": "numpy_function",
    "random_normal": "random.normal",
    "random_shuffle": "random.shuffle",
    "random_uniform": "random.uniform",
    "self_adjoint_eig": "linalg.eigh",
    "self_adjoint_eigvals": "linalg.eigvalsh",
    "space_to_batch_nd": "space_to_batch",
    "sparse_reorder": "sparse.reorder",
    "sparse_tensor_to_dense": "sparse.to_dense",
    "string_join": "strings.join",
    "string_length": "strings.length",
    "string_strip": "strings.strip",
    "string_to_hash_bucket_fast": "strings.to_hash_bucket_fast",
    "string_to_hash_bucket_strong": "strings.to_hash_bucket_strong",
    "string_to_number": "strings.to_number",
    "tensor_scatter_add": "tensor_scatter_nd_add",
    "tensor_scatter_sub": "tensor_scatter_nd_sub",
    "tensor_scatter_update": "tensor_scatter_nd_update",
    "verify_tensor_all_finite": "debugging.assert_all_finite",
    **_there(
        "debugging",
        "Assert assert_equal assert_greater_equal assert_less assert_negative assert_positive "
        "assert_rank assert_rank_at_least assert_scalar assert_type check_numerics enable_check_numerics "
        "is_numeric_tensor",
    ),
    **_there("image", "random_crop"),
    **_there(
        "io",
        "FixedLenFeature FixedLenSequenceFeature decode_base64 decode_csv decode_raw encode_base64 gfile "
        "matching_files parse_example parse_sequence_example parse_single_example parse_single_sequence_example "
        "parse_tensor read_file serialize_tensor "
        "write_file",
    ),
    **_there("linalg", "cholesky cross global_norm matrix_transpose qr svd trace"),
    **_there(
        "math",
        "accumulate_n angle bincount ceil confusion_matrix conj cumprod digamma erf erfc expm1 floordiv "
        "floormod imag invert_permutation is_finite is_inf is_nan is_non_decreasing "
        "is_strictly_increasing lgamma log log1p log_sigmoid logical_xor polyval real reciprocal rint "
        "rsqrt segment_max segment_mean segment_min segment_prod segment_sum squared_difference "
        "unsorted_segment_max unsorted_segment_mean unsorted_segment_min unsorted_segment_prod "
        "unsorted_segment_sum zero_fraction",
    ),
    **_there("nn", "depth_to_space log_softmax space_to_depth"),
    **_there("queue", "FIFOQueue PaddingFIFOQueue PriorityQueue QueueBase RandomShuffleQueue"),
    **_there("random", "truncated_normal"),
    **_there("signal", "fft fft2d ifft"),
    **_there("strings", "reduce_join regex_replace substr"),
}

_INSTEAD = {
    "layers": "tf.keras.layers has layers, and tf.compat.v1.get_variable makes Variables of a graph",
    "estimator": "tf.keras.Model has the methods fit, evaluate and predict",
    "flags": "argparse reads the arguments of a program",
    "app": "call the function main itself",
    **dict.fromkeys(
        ("is_variable_initialized", "report_uninitialized_variables"),
        "a session raises FailedPreconditionError for a Variable that has no value yet",
    ),
    **dict.fromkeys(("RunOptions", "RunMetadata"), "a session measures nothing; run without options"),
    **dict.fromkeys(("import_graph_def", "GraphDef"), "tf.saved_model.save keeps functions in files of its own"),
    "placeholder_v2": "tf.compat.v1.placeholder",
    **dict.fromkeys(("WholeFileReader", "TFRecordReader", "TextLineReader"), "tf.data.Dataset reads files"),
}
"""What people ask for by TensorFlow's names, and what there is instead."""


class GPUOptions(ConfigProto):
    """Options of a `ConfigProto` about graphics processors: accepted, there are none.

    >>> tf.compat.v1.ConfigProto(gpu_options=tf.compat.v1.GPUOptions(allow_growth=True)).gpu_options.allow_growth
    True
    """


def multinomial(
    logits: _TensorLike,
    num_samples: int,
    seed: int | None = None,
    name: str | None = None,
    output_dtype: _DTypeLike | None = None,
) -> _Tensor:
    """`tf.random.categorical`.

    Args:
      logits: the logarithms of how likely classes are, of shape [rows, classes].
      num_samples: how many are drawn of each row.
      seed: what decides the draws.
      output_dtype: the dtype of the result, int64 by default.
    Returns: numbers of classes, of shape [rows, num_samples].

    >>> tf.compat.v1.multinomial([[0.0, 0.0]], 3).shape
    TensorShape([1, 3])
    """
    found: _Tensor = _runtime.random.categorical(logits, num_samples, output_dtype or "int64", seed)
    return found


def string_split(
    source: _TensorLike,
    sep: str | None = None,
    skip_empty: bool = True,
    delimiter: str = " ",
    name: str | None = None,
) -> _SparseTensor:
    """The parts of texts, as the elements of a SparseTensor.

    Args:
      source: texts of shape [n].
      sep, delimiter: what stands between the parts, a blank by default.
      skip_empty: whether empty parts are left out.
    Returns: a SparseTensor of shape [n, parts of the longest].
    Raises:
      ValueError: for more characters that stand between parts than one.

    >>> tf.compat.v1.string_split(["a b", "c"]).values.numpy().tolist()
    [b'a', b'b', b'c']
    """
    between = delimiter if sep is None else sep
    if len(between) != 1:
        raise ValueError(f"string_split by {between!r}: it is one character; tf.strings.split takes any text")
    rows = _runtime.strings.split(source, between)
    if skip_empty:
        rows = _runtime.ragged.boolean_mask(rows, rows != "")
    found: _SparseTensor = rows.to_sparse()
    return found


def op_scope(values: object, name: str | None, default_name: str | None = None) -> _name_scope_v2:
    """`name_scope`, with the values first.

    Args:
      values: accepted.
      name, default_name: the name, and the one where that is None.

    >>> with tf.compat.v1.op_scope([], "loss") as scope:
    ...     scope
    'loss/'
    """
    return name_scope(name, default_name)


def model_variables(scope: str | None = None) -> list[object]:
    """The Variables in the collection ``model_variables``.

    Args:
      scope: what their names begin with.

    >>> tf.compat.v1.model_variables()
    []
    """
    return get_collection("model_variables", scope)


def moving_average_variables(scope: str | None = None) -> list[object]:
    """The Variables in the collection ``moving_average_variables``.

    Args:
      scope: what their names begin with.

    >>> tf.compat.v1.moving_average_variables()
    []
    """
    return get_collection("moving_average_variables", scope)


def __getattr__(name: str) -> object:
    """What `runtime` has, too."""
    if name in _OLDER_NAMES:
        return _attrgetter(_OLDER_NAMES[name])(_runtime)
    if not name.startswith("_") or name == "__version__":
        with _suppress(AttributeError):
            return getattr(_runtime, name)
    why = f": {_INSTEAD[name]}" if name in _INSTEAD else ""
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{why}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_OLDER_NAMES, *_runtime.__all__, "__version__"})
