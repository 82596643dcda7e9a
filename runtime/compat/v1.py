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

from contextlib import suppress as _suppress
from operator import attrgetter as _attrgetter
from sys import modules as _modules
from types import SimpleNamespace as _SimpleNamespace

from runtime.compat import training as _training
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
from runtime.tensors.trace import executing_eagerly

__all__ = [
    "AUTO_REUSE", "ConfigProto", "Graph", "GraphKeys", "IndexedSlicesValue", "InteractiveSession", "Session",
    "Variable", "VariableScope", "add_to_collection", "assign", "assign_add", "assign_sub", "cond",
    "constant_initializer", "disable_eager_execution", "disable_v2_behavior", "enable_eager_execution",
    "enable_v2_behavior", "executing_eagerly", "executing_eagerly_outside_functions", "get_collection",
    "get_default_graph", "get_default_session", "get_variable", "get_variable_scope", "global_variables",
    "global_variables_initializer", "glorot_normal_initializer", "glorot_uniform_initializer", "gradients", "group",
    "initialize_all_variables", "local_variables", "local_variables_initializer", "logging", "name_scope",
    "no_op", "ones_initializer", "placeholder", "placeholder_with_default", "random_normal_initializer",
    "random_uniform_initializer", "reduce_all", "reduce_any", "reduce_logsumexp", "reduce_max", "reduce_mean",
    "reduce_min", "reduce_prod", "reduce_sum", "reset_default_graph", "set_random_seed", "tables_initializer",
    "train",
    "trainable_variables", "truncated_normal_initializer", "variable_scope", "variables_initializer", "while_loop",
    "zeros_initializer",
]  # fmt: skip

disable_v2_behavior = disable_eager_execution
enable_v2_behavior = enable_eager_execution
initialize_all_variables = global_variables_initializer


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


class _Train(_SimpleNamespace):
    """What is under ``train``: the optimizers, and what `runtime.train` has."""

    def __getattr__(self, name: str) -> object:
        return getattr(_modules["runtime"].train, name)


train = _Train(
    AdamOptimizer=_training.AdamOptimizer,
    GradientDescentOptimizer=_training.GradientDescentOptimizer,
    MomentumOptimizer=_training.MomentumOptimizer,
    Optimizer=_training.Optimizer,
    get_global_step=_training.get_global_step,
    get_or_create_global_step=_training.get_or_create_global_step,
)

_runtime = _modules["runtime"]  # which this is a part of, and has the names of


_OLDER_NAMES = {
    "py_func": "numpy_function",
    "random_normal": "random.normal",
    "random_shuffle": "random.shuffle",
    "random_uniform": "random.uniform",
    "truncated_normal": "random.truncated_normal",
}


def __getattr__(name: str) -> object:
    """What `runtime` has, too."""
    if name in _OLDER_NAMES:
        return _attrgetter(_OLDER_NAMES[name])(_runtime)
    if not name.startswith("_") or name == "__version__":
        with _suppress(AttributeError):
            return getattr(_runtime, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_OLDER_NAMES, *_runtime.__all__, "__version__"})
