"""Random numbers of NumPy's own generators, drawn by NumPy's own functions: the bits come from the program's generator.

A run that fails leaves the generators as they were, as all begins anew on NumPy.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack

import numpy as np

from runtime.executors.native import scalars
from runtime.executors.native.code import Code, memory as memory_type
from runtime.executors.native.lowering import Lowering, handles
from runtime.executors.native.values import Lowered, Scalar, Unsupported
from runtime.graph.dtypes import float64, int64
from runtime.graph.graph import Graph, Node, Value
from runtime.ops import draws
from runtime.ops.draws import OwnSource, Source
from runtime.ops.effects import Held

# By what each method of `Generator` draws one number: a function of NumPy's, with the parameters, and what they are by
# default; "+" says that one must be greater than zero, "0" that it must not have a sign.
_FLOATS: dict[str, tuple[str, Mapping[str, tuple[float | None, str]]]] = {
    "random": ("random_standard_uniform", {}),
    "random_sample": ("random_standard_uniform", {}),
    "rand": ("random_standard_uniform", {}),
    "standard_normal": ("random_standard_normal", {}),
    "standard_exponential": ("random_standard_exponential", {}),
    "standard_cauchy": ("random_standard_cauchy", {}),
    "normal": ("random_normal", {"loc": (0.0, ""), "scale": (1.0, "0")}),
    "exponential": ("random_exponential", {"scale": (1.0, "0")}),
    "gamma": ("random_gamma", {"shape": (None, "0"), "scale": (1.0, "0")}),
    "standard_gamma": ("random_standard_gamma", {"shape": (None, "0")}),
    "beta": ("random_beta", {"a": (None, "+"), "b": (None, "+")}),
    "chisquare": ("random_chisquare", {"df": (None, "+")}),
    "laplace": ("random_laplace", {"loc": (0.0, ""), "scale": (1.0, "0")}),
    "logistic": ("random_logistic", {"loc": (0.0, ""), "scale": (1.0, "0")}),
    "gumbel": ("random_gumbel", {"loc": (0.0, ""), "scale": (1.0, "0")}),
    "lognormal": ("random_lognormal", {"mean": (0.0, ""), "sigma": (1.0, "0")}),
    "rayleigh": ("random_rayleigh", {"scale": (1.0, "0")}),
    "standard_t": ("random_standard_t", {"df": (None, "+")}),
    "weibull": ("random_weibull", {"a": (None, "0")}),
    "pareto": ("random_pareto", {"a": (None, "+")}),
    "power": ("random_power", {"a": (None, "+")}),
}
_NEWER = frozenset((*_FLOATS, "choice", "integers", "uniform"))
_OLDER = ("random", "random_sample", "rand", "uniform")  # which `RandomState` draws likewise


@functools.cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(np.random._generator.__file__)  # type: ignore[attr-defined]


def _function(code: Code, name: str) -> str:
    """One of NumPy's functions, for the linker."""
    try:
        code.module.link(name, _library(), name)
    except (AttributeError, OSError):
        raise Unsupported(f"NumPy's {name} is not to be found") from None
    return name


def sources(graphs: Iterable[Graph]) -> list[Source]:
    """The generators from which graphs draw."""
    found = [node.attributes["source"] for graph in graphs for node in graph.walk() if node.op is draws.draw_]
    return list(dict.fromkeys(found))


def transaction(native: Callable[..., int], drawn: Sequence[Source]) -> Callable[..., int]:
    """The native code, which draws from generators that nobody else draws from meanwhile; if it fails, they are as
    they were."""

    def run(*given: object) -> int:
        with ExitStack() as stack:
            found = (draws.bits_of(source.generator()) for source in drawn)
            bits = {id(one): one for one in found if one is not None}.values()  # whose locks may be taken only once
            for one in bits:
                stack.enter_context(one.lock)
            before = [one.state for one in bits]
            status = native(*given)
            if status:
                for one, state in zip(bits, before):
                    one.state = state
        return status

    return run


@handles(draws.draw_)
def draw(lowering: Lowering, node: Node) -> list[Lowered]:
    kind, method = node.attributes["source"].kind, node.attributes["method"]
    is_older = kind is np.random.RandomState
    known = (*_OLDER, "randint") if is_older else _NEWER if kind is np.random.Generator else ()
    if method not in known:
        raise Unsupported(f"Python draws {kind.__name__}.{method}", node)
    draws_one = _of_one(lowering, node, is_older)
    if not node.outputs[0].type.shape and node.attributes["arguments"].get("size") is None:
        return [draws_one()]
    code = lowering.code
    made = lowering.result(node.outputs[0], _dims(lowering, node))
    if not made.packed:
        raise Unsupported("what is drawn lies apart", node)
    with code.loop(code.product(list(made.dims))) as number:
        scalars.store(code, draws_one(), code.at(memory_type(made.dtype), made.pointer, number))
    return [made]


def _of_one(lowering: Lowering, node: Node, is_older: bool) -> Callable[[], Scalar]:
    """What draws one number, once the parameters are known to be such that it can."""
    code, method = lowering.code, node.attributes["method"]
    bits = _bits(lowering, node)
    if method in ("integers", "randint"):
        return _integer(lowering, node, bits, is_older)
    if method == "choice":
        return _choice(lowering, node, bits)
    if node.attributes["arguments"].get("method") not in (None, "zig"):
        raise Unsupported("NumPy draws exponential numbers so", node)
    if node.outputs[0].type.dtype != float64:
        raise Unsupported("numbers of this dtype are drawn by NumPy", node)
    if method == "uniform":
        low, high = _number(lowering, node, "low", 0.0), _number(lowering, node, "high", 1.0)
        given = [low, code.let(f"fsub double {high}, {low}")]
        lowering.require(code.let(f"fcmp oge double {given[1]}, 0.0"))
        lowering.require(code.let(f"fcmp olt double {given[1]}, {scalars.float_text(float('inf'))}"))
        name = "random_uniform"
    else:
        name, parameters = _FLOATS[method]
        given = []
        for parameter, (default, how) in parameters.items():
            given.append(_number(lowering, node, parameter, default))
            _require(lowering, given[-1], how)
    name = _function(code, name)
    return lambda: Scalar(code.call(name, "double", [("ptr", bits), *(("double", one) for one in given)]), float64)


def _require(lowering: Lowering, number: str, how: str) -> None:
    code = lowering.code
    if how == "+":
        lowering.require(code.let(f"fcmp ogt double {number}, 0.0"))
    elif how:
        lowering.require(code.compare("sge", code.let(f"bitcast double {number} to i64"), "0"))


def _integer(lowering: Lowering, node: Node, bits: str, is_older: bool) -> Callable[[], Scalar]:
    code, arguments = lowering.code, node.attributes["arguments"]
    if node.outputs[0].type.dtype != int64 or arguments.get("dtype") not in (None, "int64"):
        raise Unsupported("whole numbers of this dtype are drawn by NumPy", node)
    low, high = _whole(lowering, node, "low"), _whole(lowering, node, "high")
    if high is None:
        low, high = "0", low
    assert low is not None and high is not None
    last = high if arguments.get("endpoint") is True else code.sub(high, "1")
    if arguments.get("endpoint", False) not in (True, False):
        raise Unsupported("whether the end is among the numbers is to be known", node)
    lowering.require(code.compare("sge", last, low))
    return _between(code, bits, low, last, is_older)


def _between(code: Code, bits: str, low: str, last: str, masked: bool = False) -> Callable[[], Scalar]:
    """What draws a whole number from `low` to `last`."""
    span, place = code.let(f"sub i64 {last}, {low}"), code.slot("i64")
    name = _function(code, "random_bounded_uint64_fill")
    how = "true" if masked else "false"

    def drawn() -> Scalar:
        given = [("ptr", bits), ("i64", low), ("i64", span), ("i64", "1"), ("i1 zeroext", how), ("ptr", place)]
        code.call(name, "void", given)
        return Scalar(code.load("i64", place), int64)

    return drawn


def _choice(lowering: Lowering, node: Node, bits: str) -> Callable[[], Scalar]:
    """What draws an element of an array, or a number below one; each may be drawn again."""
    code, arguments, kind = lowering.code, node.attributes["arguments"], node.outputs[0].type.dtype
    usual = {"replace": True, "p": None, "axis": 0}
    if any(arguments.get(name, default) != default for name, default in usual.items()):
        raise Unsupported("NumPy chooses so", node)
    a = arguments["a"]
    if isinstance(a, list | tuple):
        elements = np.asarray(a, kind.dtype)
        pointer, count = code.module.constant(elements.tobytes()), str(len(elements))
    elif isinstance(a, Held) and node.inputs[a.number].type.shape != ():
        array = lowering.packed(lowering.array(node.inputs[a.number]))
        (count,), pointer = array.dims, array.pointer
    else:
        count, pointer = _whole(lowering, node, "a") or "0", ""
    lowering.require(code.compare("sgt", count, "0"))
    drawn = _between(code, bits, "0", code.sub(count, "1"))
    if not pointer:
        return drawn
    return lambda: scalars.load(code, code.at(memory_type(kind), pointer, drawn().text), kind)


def _bits(lowering: Lowering, node: Node) -> str:
    """Where the generator's functions in C are."""
    source: Source = node.attributes["source"]
    if isinstance(source, OwnSource):
        return lowering.code.let(f"inttoptr i64 {lowering.index(node.inputs[-1])} to ptr")
    module, address = lowering.code.module, draws.address_of(source.generator())
    known = [key for key, its in module.symbols.items() if its == address]
    name = known[0] if known else f"bits.{sum(key.startswith('bits.') for key in module.symbols)}"
    if not known:
        module.symbols[name] = address
        module.data.append(f"@{name} = external global i8")
    return f"@{name}"


def _given(lowering: Lowering, node: Node, parameter: str) -> Scalar | int | float | None:
    """An argument: one number of Python's, or of the graph's; None where there is none."""
    given = node.attributes["arguments"].get(parameter)
    if not isinstance(given, Held):
        return given
    value: Value = node.inputs[given.number]
    if value.type.shape != ():
        raise Unsupported("each number has parameters of its own", node)
    return lowering.scalar(value)


def _number(lowering: Lowering, node: Node, parameter: str, default: float | None) -> str:
    given = _given(lowering, node, parameter)
    given = default if given is None else given
    if isinstance(given, Scalar):
        return scalars.cast(lowering.code, given, float64).text
    if not isinstance(given, int | float):
        raise Unsupported("each number has parameters of its own", node)
    return scalars.literal(float(given), float64).text


def _whole(lowering: Lowering, node: Node, parameter: str) -> str | None:
    given = _given(lowering, node, parameter)
    if isinstance(given, Scalar):
        if not given.dtype.is_integer:
            raise Unsupported("NumPy makes a whole number of a float", node)
        return scalars.cast(lowering.code, given, int64).text
    if given is not None and (type(given) not in (bool, int) or not int64.min <= given <= int64.max):
        raise Unsupported("NumPy makes a whole number of it", node)
    return None if given is None else str(int(given))


def _dims(lowering: Lowering, node: Node) -> list[str]:
    arguments = node.attributes["arguments"]
    size = tuple(arguments.values()) if node.attributes["method"] == "rand" else arguments["size"]
    return list(_sizes(lowering, node, size if isinstance(size, tuple | list) else (size,)))


def _sizes(lowering: Lowering, node: Node, size: Sequence[object]) -> Iterator[str]:
    for part in size:
        if isinstance(part, Held):
            value = node.inputs[part.number]
            if value.type.shape != ():
                raise Unsupported("its size is an array", node)
            yield lowering.index(value)
        else:
            yield str(part)
