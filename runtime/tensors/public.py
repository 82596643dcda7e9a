"""The functions that users call, made of the rows that name them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from types import MappingProxyType
from typing import Any, Protocol

from autograph.late import face as module_face, found
from runtime.graph.op import OPS, Op
from runtime.graph.public import ANGLE, ANGLES, FLOAT
from runtime.tensors.composites import Composite, Formed
from runtime.tensors.conversion import is_number, matched, operand, promote
from runtime.tensors.operations import apply
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike

_TEXT = """{summary}

Args:
  {args}
Returns: a tensor of the shape {shape}, {result}.
Raises:
{raises}
>>> print(tf.{example}{value})
{shown}
"""

_NO_SHAPE = "  ValueError: if the shapes do not go together.\n"
_NO_DTYPE = "  InvalidArgumentError, or TypeError while tracing: if there is no such function of elements of {}.\n"


class Unary(Protocol):
    """A function of one tensor, element by element."""

    __name__: str
    __qualname__: str

    def __call__(self, x: TensorLike, name: str | None = None) -> Tensor: ...


class Binary(Protocol):
    """A function of two tensors, element by element."""

    __name__: str
    __qualname__: str

    def __call__(self, x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor: ...


def _describe(function: Unary | Binary, op: Op, **words: str) -> None:
    function.__name__ = function.__qualname__ = op.name
    if op.public is not None:
        _, summary, result, example, shown = op.public
        value = ".numpy().round(3)" if result in (FLOAT, ANGLE, ANGLES) else ".numpy()"
        function.__doc__ = _TEXT.format(
            summary=summary, result=result, example=example, shown=shown, value=value, **words
        )


@functools.cache
def unary(op: Op) -> Unary:
    """The function of a row that takes one tensor, element by element."""

    def function(x: TensorLike, name: str | None = None) -> Tensor:
        return x.mapped(function) if isinstance(x, Composite) else apply(op, operand(x))

    args, raises = "x: a tensor of any shape, or what becomes one.", _NO_DTYPE.format("this dtype")
    _describe(function, op, args=args, shape="of `x`", raises=raises)
    return function


@functools.cache
def binary(op: Op) -> Binary:
    """The function of a row that takes two tensors, element by element."""

    def function(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
        if isinstance(x, Formed):
            return x._combined(function, y)  # type: ignore[no-any-return]
        if isinstance(y, Formed):
            return y._combined(function, x, True)  # type: ignore[no-any-return]
        if isinstance(x, list | tuple):
            a, b = matched([x, y])
        else:
            a, b = promote([operand(x) if is_number(x) == is_number(y) else x, y])
        return apply(op, a, b)

    args = "x, y: tensors whose shapes go together by NumPy's broadcasting, or what becomes such."
    raises = _NO_SHAPE + _NO_DTYPE.format("these dtypes")
    _describe(function, op, args=args, shape="to which those of `x` and `y` broadcast", raises=raises)
    return function


@functools.cache
def _with_attributes(op: Op) -> Callable[..., object]:
    """The function of a row whose rule has attributes, which it takes by keyword."""

    def function(*inputs: TensorLike, name: str | None = None, **attributes: object) -> object:
        given = signature.bind(*inputs, **attributes)
        given.apply_defaults()
        return apply(op, *map(operand, given.args), **given.kwargs)

    inputs = [inspect.Parameter(f"x{i}" if op.arity > 1 else "x", inspect.Parameter.POSITIONAL_OR_KEYWORD)
              for i in range(op.arity)]  # fmt: skip
    signature = inspect.Signature([*inputs, *op.attributes])
    function.__name__ = function.__qualname__ = op.name
    function.__signature__ = signature  # type: ignore[attr-defined]
    if op.public is not None:
        function.__doc__ = f"{op.public.summary}\n\n>>> print(tf.{op.public.example})\n{op.public.shown}\n"
    return function


def function_of(op: Op) -> Callable[..., object]:
    """What users call for a row."""
    if not op.attributes and op.arity in (1, 2):
        return unary(op) if op.arity == 1 else binary(op)
    return _with_attributes(op)


_ROWS = "loop over the rows, or compute with x.values, x.row_splits and x.value_rowids(); x.to_tensor() pads the rows"
_MOST = "compute with x.values and x.indices, or with the tensor that tf.sparse.to_dense(x) makes"
# What people ask for by TensorFlow's names, and what there is instead.
INSTEAD = {
    **{f"ragged.{name}": _ROWS for name in "cross cross_hashed".split()},
    **{f"sparse.{name}": _MOST for name in "bincount cross cross_hashed mask sampled_addmm".split()},
    **dict.fromkeys(("distribute", "tpu"), "there is one processor, and no other device"),
    "bfloat16": "NumPy has no such dtype; tf.float16 and tf.float32 are there",
    "quantization": "there are no quantized dtypes; tf.saturate_cast rounds to small integers",
    "raw_ops": "operations are called by the functions that TensorFlow's users call: tf.add, tf.nn.conv2d",
    "xla": "tf.function(jit_compile=True) compiles to machine code",
    "lite": "there is no such exporter",
    "jit": "tf.function traces a function, and tf.function(jit_compile=True) compiles it to machine code",
    "njit": "tf.function(jit_compile=True) compiles a function to machine code",
    "prange": "write range(): what is long goes to all cores, or to the lanes of vectors, by itself",
    "vmap": "tf.vectorized_map applies a function to each part of a tensor",
    "pmap": "there is one processor; tf.vectorized_map applies a function to each part of a tensor",
    **dict.fromkeys(("jacfwd", "jacrev", "jacobian", "hessian"), "tf.GradientTape has the method jacobian"),
    "vjp": "tf.GradientTape has the method gradient, which takes output_gradients",
    "lax": "write if, while and for; tf.cond, tf.while_loop and tf.scan are there, too",
    "tensor": "tf.constant makes a tensor of numbers, lists and arrays",
    "keras.layers.RandomGrayscale": "tf.image has rgb_to_grayscale, for Dataset.map",
    **{
        f"keras.layers.ConvLSTM{n}D": "keras.layers.RNN takes a cell of your own, which may convolve" for n in (1, 2, 3)
    },
    "keras.layers.Wrapper": "derive from keras.layers.Layer, and keep the layer in an attribute",
    **dict.fromkeys(
        ("io.SparseFeature",),
        "tf.io.VarLenFeature gives the values and the indices, each as a SparseTensor",
    ),
    "random.gamma": "draw with NumPy inside of tf.numpy_function: np.random.default_rng().gamma(...)",
    "random.poisson": "draw with NumPy inside of tf.numpy_function: np.random.default_rng().poisson(...)",
    **{
        f"math.{name}": "SciPy has it: tf.numpy_function(scipy.special.…, [x], x.dtype), which has no gradient"
        for name in "igamma igammac betainc lbeta polygamma zeta".split()
    },
}


def face(
    namespace: str, members: MutableMapping[str, object], late: Mapping[str, str] = MappingProxyType({})
) -> tuple[Callable[[str], Any], Callable[[], Iterable[str]]]:
    """``__getattr__`` and ``__dir__`` of a module in which a row that is added later has its function, too.

    Args:
      namespace: what stands before the dot in the names of its rows.
      members: what it has.
      late: the places, by name, of what is imported when it is first asked for.
    """

    def rows() -> dict[str, Op]:
        names = [(name, op) for op in OPS.values() if op.public is not None for name in op.public.names.split()]
        spaces = [(*name.rpartition("."), op) for name, op in names]
        return {name: op for space, _, name, op in spaces if space == namespace}

    imported, listed = module_face(members, late)

    def getattribute(name: str) -> Any:
        if name in late:
            return imported(name)
        op = None if name.startswith("__") else rows().get(name)
        if op is None:
            instead = INSTEAD.get(f"{namespace}.{name}".strip(".")) or _elsewhere(members, late, name)
            why = f": {instead}" if instead else ""
            raise AttributeError(f"module {members['__name__']!r} has no attribute {name!r}{why}")
        return function_of(op)

    return getattribute, lambda: sorted({*listed(), *rows()})


_SEARCHED = (
    "bitwise",
    "image",
    "linalg",
    "math",
    "nn",
    "random",
    "signal",
    "strings",
)  # where people forget to name the module


def _elsewhere(members: Mapping[str, object], late: Mapping[str, str], name: str) -> str:
    """In which of the modules of a module there is what it lacks itself."""
    if name.startswith("_"):
        return ""
    modules = {n: members[n] if n in members else found(late[n]) for n in _SEARCHED if n in members or n in late}
    places = [f"{members['__name__']}.{n}.{name}" for n, m in modules.items() if callable(getattr(m, name, None))]
    return f"did you mean {' or '.join(places)}?" if places else ""
