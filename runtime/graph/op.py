"""What an operation is, and how one is declared."""

from __future__ import annotations

import functools
import inspect
import itertools
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from runtime.graph import shapes
from runtime.graph.dimensions import Symbol
from runtime.graph.dtypes import DType, as_dtype
from runtime.graph.graph import Node, TensorType, Type
from runtime.graph.public import Public

F = TypeVar("F", bound=Callable[..., Any])
Span = tuple[float, float]  # the least and the largest that a number can be
Rule = Callable[..., Any]  # (*input types, **attributes) -> type or tuple of types


@dataclass(frozen=True, eq=False)
class Op:
    """One row of the table: every fact about an operation.

    name, text: the text is the NumPy expression that computes it: ``{0}`` is the first input, ``{*}`` all of them,
      ``{name}`` an attribute. It is what a printed graph shows, what the NumPy executor runs and what eager execution
      calls.
    rule: gives the result's type from the inputs' types.
    numpy: the NumPy functions that mean this operation.
    tensorflow: its name there, or what tells it of a node.
    effect: ``write``, ``read`` or nothing.
    literals: the inputs for which, if they are constants, a Python number may stand beside another operand of their
      dtype.
    render: writes it in a printed graph where the text alone would not be what one would write.
    keeps_weak: Python's numbers are operands as they are, in 64 bits, and the numbers that it makes of them are
      Python's, too.
    takes_shape: the attribute `shape` has None for dimensions that follow as the last inputs, whole numbers of any
      width.
    takes_weak: Python's integers are operands as they are, in 64 bits.
    total: tells of a node whether computing it can raise nothing, whatever its inputs hold: only then is it ever
      computed where the program does not ask for it.
    raises: an example of each exception that NumPy raises where a node is not total, and a program may well catch.
    may_raise: tells of one of these whether a node with some attributes may raise it.
    shares: tells of a node whether its result may lie in memory that is not its own (of an input, a Variable, a
      constant), or it keeps what it is given.
    keeps: what it is given is still there when the run has ended, in a Variable or in the user's hands.
    compares: its elements are truths about how two numbers compare.
    cost: how many times as long as an addition it takes, element by element.
    light: it costs no more to do it again than to keep what it gave, where what it takes is at hand.
    heavy: tells of a node how much speaks for native code: 1 is enough, and what several come to is added.
    fold: of what goes along axes, the row on two elements that it repeats.
    by_position: it gives places of elements rather than elements.
    calls_back: it runs Python code of the user's, which may have any effect.
    draws: its effect is that it draws random numbers, which are as good as any others.
    tells: all that it does is to show the user something.
    span: of what can make numbers larger: between which the result lies, given that of the inputs. Raises
      ArithmeticError where Python may raise one for its own numbers, or gives another kind of number.
    grows: of whole numbers of Python's it may make one that 64 bits do not hold; a node with the attribute `exact`
      raises OverflowError then. (One that makes floats of whole numbers has that, too, if floats may not hold them.)
    in_place: the text that does it to the first input itself, for a list or an array that nobody else has.
    public: how users call it; nothing for what only functions of this library make.
    """

    name: str
    text: str
    rule: Rule
    numpy: tuple[object, ...] = ()
    tensorflow: str | Callable[[Node], str] = ""
    effect: str = ""
    literals: tuple[int, ...] = ()
    render: Callable[[Sequence[str], Mapping[str, object]], str] | None = None
    keeps_weak: bool = False
    takes_shape: bool = False
    takes_weak: bool = False
    total: Callable[[Node], bool] = lambda node: False
    raises: tuple[Exception, ...] = ()
    may_raise: Callable[[Exception, Mapping[str, object]], bool] = lambda error, attributes: True
    shares: Callable[[Node], bool] = lambda node: False
    keeps: bool = False
    compares: bool = False
    cost: int = 1
    light: bool = False
    heavy: Callable[[Node], float] = lambda node: 0.0
    fold: Op | None = None
    by_position: bool = False
    calls_back: bool = False
    draws: bool = False
    tells: bool = False
    span: Callable[..., Span] | None = None
    grows: bool = False
    in_place: str = ""
    public: Public | None = None

    def tensorflow_name(self, node: Node) -> str:
        """The name of TensorFlow's operation that a node would be."""
        return self.tensorflow if isinstance(self.tensorflow, str) else self.tensorflow(node)

    @property
    def stem(self) -> str:
        """The name without what keeps it apart from words of Python's."""
        return self.name.strip("_")

    @property
    def neutral(self) -> int | None:
        """What changes no number that it is combined with, as 0 in sums; None where nothing is so."""
        return getattr(self.numpy[0], "identity", None) if self.numpy else None

    @functools.cached_property
    def arity(self) -> int:
        """How many inputs the text names."""
        return max([int(n) + 1 for n in re.findall(r"{(\d+)}", self.text)], default=0)

    @functools.cached_property
    def attributes(self) -> Sequence[inspect.Parameter]:
        """The attributes that the rule takes, with what they are by default."""
        parameters = inspect.signature(self.rule).parameters.values()
        return [p for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY]

    @functools.cached_property
    def kernel(self) -> Callable[..., object]:
        """The operation on NumPy arrays: ``kernel(*inputs, **attributes)``."""
        attributes = list(dict.fromkeys(re.findall(r"{([a-z_]+)}", self.text)))
        inputs = [f"x{i}" for i in range(self.arity)]
        variadic = "{*}" in self.text
        parameters = ["*xs"] if variadic else inputs
        body = self.expression(parameters, {a: a for a in attributes}, str)
        star = ["*"] if attributes and not variadic else []
        source = f"lambda {', '.join([*parameters, *star, *attributes, '**_'])}: {body}"
        kernel: Callable[..., object] = eval(source, dict(NAMESPACE))
        return kernel

    def expression(
        self, inputs: Sequence[str], attributes: Mapping[str, object], show: Callable[[object], str] | None = None
    ) -> str:
        """The text with inputs and attributes filled in."""
        if self.render is not None and show is None:
            return self.render(inputs, attributes)
        shown = show or show_attribute

        def fill(match: re.Match[str]) -> str:
            key = match[1]
            if key == "*":
                return ", ".join(inputs)
            return inputs[int(key)] if key.isdigit() else shown(attributes[key])

        text = self.text if inputs else self.text.replace(", {*}", "").replace("{*}, ", "")
        return re.sub(r"{(\*|\d+|[a-z_]+)}", fill, text)


OPS: dict[str, Op] = {}
NUMPY: dict[object, Op] = {}
NAMESPACE: dict[str, object] = {"np": np}  # what the texts may name


def are_heavy(nodes: Iterable[Node]) -> bool:
    """Whether nodes together are worth native code."""
    return sum(node.op.heavy(node) for node in nodes) >= 1


# What `total` may be, and `shares`. The dimensions of shapes that are known were checked when the node was made.


def always(node: Node) -> bool:
    return True


def where_shapes_are_known(node: Node) -> bool:
    return all(shapes.is_known(v.type.shape) for v in node.inputs)


def where_rank_is_known(node: Node) -> bool:
    return all(v.type.shape is not None for v in node.inputs)


def where_operands_fit(node: Node) -> bool:
    """Operands surely go together element by element."""
    return shapes.surely_broadcast(*(v.type.shape for v in node.inputs))


def is_total(node: Node) -> bool:
    """Computing it can raise nothing; a number of Python's that has to be exact may need more than 64 bits."""
    return "exact" not in node.attributes and node.op.total(node)


def op(
    name: str,
    rule: Rule,
    text: str,
    *,
    numpy: object = (),
    tf: str | Callable[[Node], str] = "",
    **columns: Any,
) -> Op:
    """Add a row to the table; the other columns are those of `Op`."""
    functions = numpy if isinstance(numpy, tuple) else (numpy,)
    if columns.get("total") is where_operands_fit:
        columns.setdefault("raises", (DO_NOT_FIT,))
    row = Op(name, text, rule, functions, tf or _camel(name), **columns)
    assert name not in OPS, f"two rows for {name}"
    OPS[name] = row
    NUMPY.update(dict.fromkeys(functions, row))
    return row


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def kernel(function: F) -> F:
    """Let the texts of rows name this function."""
    assert function.__name__ not in NAMESPACE, f"two kernels {function.__name__}"
    NAMESPACE[function.__name__] = function
    return function


# What `span` may be.


def in_corners(function: Callable[..., float]) -> Callable[..., Span]:
    """Of a function that grows or falls with each operand: its extremes are those of the operands' extremes."""

    def span(*spans: Span) -> Span:
        found = [function(*corner) for corner in itertools.product(*spans)]
        return min(found), max(found)

    return span


# Rules that many rows share.


_PASS = 2**20  # elements that NumPy computes, in arrays of their own, in a millisecond or two
_COSTLY = 3  # additions, beside which it no longer matters where the numbers come from
_LIGHT = 2  # additions that take as long as to write a number, and to read it again


def _passes(node: Node) -> float:
    """What machine code saves, which goes through arrays once for all operations on their elements. Functions that
    take long take as long there."""
    kind = node.outputs[0].type
    if node.op.cost > _COSTLY or not shapes.is_known(kind.shape) or kind.dtype.dtype.kind not in "biuf":
        return 0.0
    return shapes.product(kind.shape) / _PASS


DO_NOT_FIT = ValueError("operands could not be broadcast together")


def elementwise(name: str, text: str, dims: Callable[..., object] | None = None, **columns: Any) -> Op:
    """A row for an operation on each element: broadcast shapes, and the dtype that NumPy gives.

    `dims` is the operation on dimensions, if it has a meaning there.
    """
    row: Op

    def rule(*types: TensorType, **_: object) -> TensorType:
        dtype = _numpy_result(row, tuple(t.dtype for t in types))
        shape = shapes.broadcast(*(t.shape for t in types))
        sizes = _computed(row, dims, types, dtype) if dims is not None and shape == () else None
        return TensorType(dtype, shape, all(t.weak for t in types), sizes)

    columns.setdefault("light", columns.get("cost", 1) <= _LIGHT)
    columns.setdefault("heavy", _passes)
    columns.setdefault("total", where_operands_fit)  # no function of NumPy's on elements raises, but for `power`
    columns.setdefault("literals", (0, 1))
    row = op(name, rule, text, keeps_weak=True, **columns)
    return row


def _computed(row: Op, dims: Callable[..., object], types: Sequence[TensorType], dtype: DType) -> Any:
    """The whole number that an operation gives for whole numbers, as a dimension; None if there is none.

    Numbers of 64 bits wrap where no array is as long; what others come to is only known to be the same each time.
    """
    given = [t.sizes[0] for t in types if t.sizes is not None]
    if len(given) < len(types) or not dtype.is_integer or None in given:
        return None
    try:
        found = dims(*given)
    except (TypeError, ZeroDivisionError):  # what has no meaning for symbols
        return None
    if dtype.size == 8 or (isinstance(found, int) and dtype.min <= found <= dtype.max):
        return (found,)
    return (Symbol.of(f"{row.name} {dtype.name}", *given),)


@functools.cache
def _numpy_result(row: Op, dtypes: tuple[DType, ...]) -> DType:
    samples = [np.ones(1, d.dtype) for d in dtypes]
    try:
        with np.errstate(all="ignore"):
            return as_dtype(np.asarray(row.kernel(*samples)).dtype)
    except TypeError as error:
        names = " and ".join(d.name for d in dtypes)
        raise TypeError(f"{row.name} is not defined for {names}") from error


def same_type(x: TensorType, *_: Type, **__: object) -> TensorType:
    """The type of the first input."""
    return TensorType(x.dtype, x.shape)


def show_attribute(value: object) -> str:
    """An attribute as NumPy code."""
    if isinstance(value, list):
        return f"[{', '.join(map(show_attribute, value))}]"
    if isinstance(value, float) and not math.isfinite(value):
        return "np.nan" if math.isnan(value) else "np.inf" if value > 0 else "-np.inf"
    if isinstance(value, complex):  # as a sum it would lose the sign of a zero
        parts = (value.real, value.imag)
        plain = all(math.isfinite(p) and (p or math.copysign(1, p) > 0) for p in parts) and (parts[0] or parts[1] > 0)
        return repr(value) if plain else f"complex({', '.join(map(show_attribute, parts))})"
    if isinstance(value, tuple):
        return f"({', '.join(map(show_attribute, value))}{',' if len(value) == 1 else ''})"
    return f"np.{value.dtype.type.__name__}" if isinstance(value, DType) else repr(value)
