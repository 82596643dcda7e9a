"""The program's own generators of random numbers: NumPy's, and Python's `random`.

A graph calls their methods when it runs, in the order of the program, so that it draws the numbers that the program
would draw without it. What is not known here draws while the function is traced; a function that does so is traced for
each call, and so is one that was refused with draws in its graph.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import numpy as np

from autograph.dispatch import before_staging
from autograph.errors import refused
from autograph.operators.calls import defined, set_functions, set_methods
from autograph.operators.fixed import facts_of
from autograph.operators.outside import set_drawing
from runtime.graph import shapes
from runtime.graph.dtypes import DType, DTypeLike, NumPyDType, as_dtype, int64
from runtime.graph.owner import Owner
from runtime.graph.shapes import Dims
from runtime.ops.draws import Drawn, OwnSource, Source, draw_
from runtime.ops.effects import Held
from runtime.staging.library_functions import staged_among
from runtime.staging.numpy_protocol.meanings import operand as as_array
from runtime.tensors.conversion import operand
from runtime.tensors.from_numpy import rank_of
from runtime.tensors.growing import has_grown
from runtime.tensors.numbers import Scalar, number, pythons
from runtime.tensors.operations import apply
from runtime.tensors.tensor import SymbolicTensor, Tensor
from runtime.tensors.trace import Trace, Way, current, traces_around, ways
from runtime.tensors.views import Array, as_it_is, fresh, owned


class Unknown(Exception):
    """The graph cannot draw so; Python does, while tracing."""


@dataclass(frozen=True)
class Call:
    """A call of a method of a generator: its arguments by name, the first of which were given by position."""

    source: Source
    of: Sequence[Tensor]  # where the graph has it, if each run makes another one
    kind: type  # of the generator
    method: str
    bound: Mapping[str, Any]
    positional: int

    def size(self, otherwise: Dims) -> Dims:
        """The shape that its size asks for; another one where it has none."""
        size = self.bound.get("size")
        if size is None:
            return otherwise
        if type(size) in (tuple, list) and not has_grown(size):
            return tuple(map(_dim, size))
        if isinstance(size, SymbolicTensor) and rank_of(size) == 1:
            return (None,) * ((size.type.shape or [None])[0] or _unknown())
        return (_dim(size),)

    def shape(self, *options: str) -> tuple[Dims, bool]:
        """The shape of what it draws, from the size and the parameters of its distribution, which are broadcast; and
        whether that is a single number."""
        parameters = [value for name, value in self.bound.items() if name not in (*options, "size")]
        shape = self.size(shapes.broadcast(*map(_shape, parameters)))
        return shape, shape == () and self.bound.get("size") is None

    def draws(self, shape: Dims, dtype: DTypeLike, owner: Owner) -> object:
        """Record it, for what it draws: an array, or a number of NumPy's or of Python's."""
        made = self.record(as_dtype(dtype), shape, owner is Owner.PYTHON)
        return number(made) if owner is Owner.PYTHON else fresh(made) if owner is Owner.ARRAY else owned(made, owner)

    def record(self, dtype: DType, shape: Dims, weak: bool = False, gives: bool = True) -> Tensor:
        """Record it for a result of some type, if it `gives` one."""
        values: list[Tensor] = []
        arguments = {name: _held(value, values) for name, value in self.bound.items()}
        return apply(
            draw_, *values, *self.of, source=self.source, method=self.method, arguments=arguments,
            positional=self.positional, dtype=dtype, shape=shape, weak=weak, gives=gives,
        )  # fmt: skip


def _unknown() -> NoReturn:
    raise Unknown


def _dim(size: object) -> int | None:
    if isinstance(size, SymbolicTensor):
        return None if rank_of(size) == 0 else _unknown()
    return int(size) if isinstance(size, int | np.integer) and size >= 0 else _unknown()


def _held(value: object, values: list[Tensor]) -> object:
    """An argument as an attribute of the operation, with the places of what the graph has."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, type | np.dtype):
        return np.dtype(value).name
    if type(value) is tuple:
        return tuple(_held(part, values) for part in value)
    _shape(value)
    values.append(operand(pythons(value)) if isinstance(value, Scalar) else as_array(value))
    return Held(len(values) - 1)


def _shape(value: object) -> Dims:
    """The shape of numbers that a method is given."""
    if isinstance(value, Tensor):
        return value.type.shape if value.type.dtype.dtype.kind in _NUMBERS else _unknown()
    if type(value) in (list, tuple) and staged_among([value], {}):
        return as_array(value).type.shape
    try:
        array = np.asarray(value)
    except ValueError:
        raise Unknown from None
    return array.shape if array.dtype.kind in _NUMBERS else _unknown()


def _dtype(value: object) -> NumPyDType:
    found: NumPyDType = value.type.dtype.dtype if isinstance(value, Tensor) else as_array(value).type.dtype.dtype
    return found


_NUMBERS = "biuf"


# What the methods draw.


def _floats(call: Call) -> object:
    """Floats, of a distribution whose parameters are broadcast; single ones are Python's."""
    dtype = np.dtype(call.bound.get("dtype") or np.float64)
    if call.bound.get("out") is not None or dtype.kind != "f":
        raise Unknown
    shape, single = call.shape("dtype", "out", "method")
    if single and dtype != np.float64:
        raise Unknown
    return call.draws(shape, dtype, Owner.PYTHON if single else Owner.ARRAY)


def _counts(call: Call) -> object:
    """Whole numbers, likewise."""
    shape, single = call.shape()
    return call.draws(shape, np.int64, Owner.PYTHON if single else Owner.ARRAY)


def _integers(call: Call) -> object:
    """Whole numbers between two; what a single one is depends on the dtype that is asked for."""
    kind, dtype = _single_integer(call.kind, call.method, call.bound.get("dtype"))
    shape, single = call.shape("dtype", "endpoint")
    owner = Owner.NUMPY if issubclass(kind, np.generic) else Owner.PYTHON
    if single and kind is bool:
        raise Unknown
    return call.draws(shape, dtype, owner if single else Owner.ARRAY)


@functools.cache
def _single_integer(kind: type, method: str, dtype: object) -> tuple[type, NumPyDType]:
    draw = getattr(_like(kind), method)
    options = {} if dtype is None else {"dtype": dtype}
    return type(draw(0, 1, **options)), draw(0, 1, 1, **options).dtype


def _like(kind: type) -> Any:
    return kind(np.random.PCG64(0)) if kind is np.random.Generator else kind(0)


def _in_dims(call: Call) -> object:
    """``rand(3, 2)``: floats of a shape."""
    shape = tuple(map(_dim, call.bound.values()))
    return call.draws(shape, np.float64, Owner.ARRAY if shape else Owner.PYTHON)


def _choice(call: Call) -> object:
    """Elements of an array, or numbers below one."""
    a = call.bound["a"]
    shape, dtype = _shape(a), _dtype(a)
    if shape is None or len(shape) > 1 or (shape == () and dtype.kind not in "iu") or call.bound.get("axis"):
        raise Unknown
    single = Owner.NUMPY if shape else Owner.PYTHON
    owner = single if call.bound.get("size") is None else Owner.ARRAY
    return call.draws(call.size(()), dtype if shape else np.int64, owner)


def _permutation(call: Call) -> object:
    """An array in another order, or the numbers below one."""
    x = call.bound["x"]
    return call.draws((_dim(x),), np.int64, Owner.ARRAY) if _shape(x) == () else _permuted(call)


def _permuted(call: Call) -> object:
    x = call.bound["x"]
    if call.bound.get("out") is not None or _shape(x) == ():
        raise Unknown
    return call.draws(_shape(x), _dtype(x), Owner.ARRAY)


def _shuffle(call: Call) -> None:
    """Put an array in another order, in its place."""
    x = call.bound["x"]
    if type(x) is np.ndarray and x.dtype.kind in _NUMBERS:
        ways.takes(Way.STATE)
        x = as_it_is(x)
    if not isinstance(x, Array) or rank_of(x) == 0:
        raise Unknown
    shuffled = replace(call, method="shuffled", bound={**call.bound, "x": x})
    x[...] = shuffled.draws(x.type.shape, _dtype(x), Owner.ARRAY)


def _rows(dtype: type, parameter: str, outer: str = "") -> Callable[[Call], object]:
    """Rows as long as some parameter is."""

    def draws(call: Call) -> object:
        inner = _shape(call.bound[parameter])
        if inner is None or len(inner) != 1:
            raise Unknown
        around = call.size(_shape(call.bound[outer]) if outer else ())
        return call.draws(None if around is None else (*around, *inner), dtype, Owner.ARRAY)

    return draws


def _seed(call: Call) -> None:
    call.record(int64, (), gives=False)


Meaning = tuple[str, Callable[[Call], object]]  # the names of a method's parameters, and what it draws


def _meanings(names: Mapping[str, str], draws: Callable[[Call], object], size: str = " size") -> dict[str, Meaning]:
    return {name: (parameters + size, draws) for name, parameters in names.items()}


_FLOATS = _meanings({
    "beta": "a b", "chisquare": "df", "exponential": "scale", "f": "dfnum dfden", "gamma": "shape scale",
    "gumbel": "loc scale", "laplace": "loc scale", "logistic": "loc scale", "lognormal": "mean sigma",
    "noncentral_chisquare": "df nonc", "noncentral_f": "dfnum dfden nonc", "normal": "loc scale", "pareto": "a",
    "power": "a", "random": "", "random_sample": "", "rayleigh": "scale", "standard_cauchy": "",
    "standard_exponential": "", "standard_gamma": "shape", "standard_normal": "", "standard_t": "df",
    "triangular": "left mode right", "uniform": "low high", "vonmises": "mu kappa", "wald": "mean scale",
    "weibull": "a",
}, _floats)  # fmt: skip
_COUNTS = _meanings({
    "binomial": "n p", "geometric": "p", "hypergeometric": "ngood nbad nsample", "logseries": "p",
    "negative_binomial": "n p", "poisson": "lam", "zipf": "a",
}, _counts)  # fmt: skip
_OLDER: dict[str, Meaning] = _FLOATS | _COUNTS | {
    "choice": ("a size replace p", _choice),
    "dirichlet": ("alpha size", _rows(np.float64, "alpha")),
    "multinomial": ("n pvals size", _rows(np.int64, "pvals")),
    "multivariate_normal": ("mean cov size check_valid tol", _rows(np.float64, "mean")),
    "permutation": ("x", _permutation),
    "rand": ("*", _in_dims), "randn": ("*", _in_dims),
    "randint": ("low high size dtype", _integers),
    "seed": ("seed", _seed),
    "shuffle": ("x", _shuffle),
}  # fmt: skip
_NEWER: dict[str, Meaning] = _FLOATS | _COUNTS | {
    "choice": ("a size replace p axis shuffle", _choice),
    "dirichlet": ("alpha size", _rows(np.float64, "alpha")),
    "integers": ("low high size dtype endpoint", _integers),
    "multinomial": ("n pvals size", _rows(np.int64, "pvals", "n")),
    "multivariate_normal": ("mean cov size check_valid tol method", _rows(np.float64, "mean")),
    "permutation": ("x axis", _permutation),
    "permuted": ("x axis out", _permuted),
    "random": ("size dtype out", _floats),
    "shuffle": ("x axis", _shuffle),
    "standard_exponential": ("size dtype method out", _floats),
    "standard_gamma": ("shape size dtype out", _floats),
    "standard_normal": ("size dtype out", _floats),
}  # fmt: skip


# The functions of `numpy.random` by which graphs draw.
OF_PROCESS = frozenset((*_OLDER, "default_rng", "ranf", "sample"))


# Python's `random`.


def _float(call: Call) -> object:
    return call.draws((), np.float64, Owner.PYTHON)


def _integer(call: Call) -> object:
    return call.draws((), np.int64, Owner.PYTHON)


def _below(call: Call) -> Callable[[object], object]:
    """What draws a whole number below another one."""

    def below(count: object) -> object:
        return replace(call, method="below", bound={"count": count}, positional=1).draws((), np.int64, Owner.PYTHON)

    return below


def _element(call: Call) -> object:
    sequence = call.bound["seq"]
    if not isinstance(sequence, list | tuple | range):
        raise Unknown
    return defined(_drawn_of)(sequence, _below(call))


def _drawn_of(sequence: Sequence[object], below: Callable[[int], int]) -> object:
    return sequence[below(len(sequence))]


def _list(call: Call) -> object:
    if not isinstance(call.bound["x"], list):
        raise Unknown
    return defined(_in_another_order)(call.bound["x"], _below(call))


def _in_another_order(x: list[object], below: Callable[[int], int]) -> None:
    for i in reversed(range(1, len(x))):
        j = below(i + 1)
        x[i], x[j] = x[j], x[i]


_PYTHONS: dict[str, Meaning] = _meanings({
    "betavariate": "alpha beta", "expovariate": "lambd", "gammavariate": "alpha beta", "gauss": "mu sigma",
    "lognormvariate": "mu sigma", "normalvariate": "mu sigma", "paretovariate": "alpha", "random": "",
    "triangular": "low high mode", "uniform": "a b", "vonmisesvariate": "mu kappa", "weibullvariate": "alpha beta",
}, _float, size="") | {
    "choice": ("seq", _element),
    "randint": ("a b", _integer),
    "randrange": ("start stop step", _integer),
    "seed": ("a", _seed),
    "shuffle": ("x", _list),
}  # fmt: skip


# Whose generators they are.


def _of_generator(meanings: Mapping[str, Meaning], name: str) -> Callable[[Any], Callable[..., object]]:
    """What a generator's methods are called as while something is traced."""

    def met(method: Any) -> Callable[..., object]:
        meaning = meanings.get(method.__name__)
        return method if meaning is None else functools.partial(_drawn, method, *meaning, name)

    return met


def _drawn(
    method: Any, names: str, draws: Callable[[Call], object], name: str, *args: object, **kwargs: object
) -> object:
    generator, trace = method.__self__, current()
    try:
        known = None if trace is None else _known(trace, generator, name)
        if known is not None and known.source is not None:
            of = [known.address] if isinstance(known.address, Tensor) else []
            bound = _bound(names, args, kwargs)
            return draws(Call(known.source, of, type(generator), method.__name__, bound, len(args)))
    except Unknown:
        pass
    if trace is not None and trace.root.numpys and not _is_programs(trace, generator):
        _acts(trace)  # it has been made while tracing, of what nobody knows
    if trace is not None and type(generator) is not random.Random and (staged := staged_among(args, kwargs)):
        where = "np.random." if id(generator) in _of_process() else f"{name}."
        raise refused(TypeError(_NEEDS.format(where + method.__name__, staged[0])))
    return method(*args, **kwargs)


_NEEDS = (
    "{} draws its numbers while the function is traced, and {} gets its value only when the graph runs. Draw before "
    "the call and pass the numbers, or use runtime.random; with numpy=True graphs draw what NumPy does."
)


def _bound(names: str, args: Sequence[object], kwargs: Mapping[str, object]) -> dict[str, object]:
    """The arguments by the names of the parameters."""
    if names == "*":
        return {str(i): value for i, value in enumerate(args)} if not kwargs else _unknown()
    known = names.split()
    bound = dict(zip(known, args))
    if len(args) > len(known) or not kwargs.keys() <= {*known[len(args) :]}:
        raise Unknown  # which is an error of Python's
    return {**bound, **kwargs}


def _known(trace: Trace, generator: object, name: str) -> Drawn | None:
    """What is known of a generator that a graph may draw from; None where Python draws, while tracing."""
    root = trace.root
    if not root.numpys or ways.takes(Way.DRAWN):
        return None
    known = root.sources.get(id(generator))
    if known is None and _is_programs(trace, generator):
        known = Drawn(generator, Source(generator, name), facts_of(name, generator))
    known = root.sources[id(generator)] = known or Drawn(generator, None)
    return known


def _is_programs(trace: Trace, generator: object) -> bool:
    """Whether a generator was there before the function was traced."""
    return id(generator) in _of_process() or any(around.was_there(generator) for around in traces_around(trace))


@functools.cache
def _of_process() -> frozenset[int]:
    """The generators that the functions of modules draw from."""
    return frozenset(id(function.__self__) for function in (np.random.rand, random.random))  # type: ignore[attr-defined]


def _acts(trace: Trace) -> None:
    """Have the function traced for each call."""
    function = trace.of_function()
    function.acts = function.acts or "random numbers"


def _making(make: Any, name: str) -> Callable[..., object]:
    """What makes a generator, which each run of the graph makes anew."""

    def called(*seeds: object, **named: object) -> object:
        trace = current()
        given = [*seeds, *named.values()]
        if trace is None or not trace.root.numpys or len(given) > 1:
            return make(*seeds, **named)
        of_bits = trace.root.bits.get(id(given[0])) if given else None
        if of_bits is not None:
            _, kind, given = of_bits
            return _made_anew(trace, lambda *its: make(kind(*its)), given, name)
        return _made_anew(trace, make, given, name) if _are_seeds(given) else make(*seeds, **named)

    return called


def _made_anew(trace: Trace, make: Callable[..., object], seeds: Sequence[object], name: str) -> object:
    if ways.takes(Way.DRAWN):
        return make(*seeds)
    generator = make(*(0 for _ in seeds))
    source = OwnSource(make, name, type(generator))
    begin = Call(source, [], type(generator), "begin", dict(zip(map(str, range(len(seeds))), seeds)), len(seeds))
    trace.root.sources[id(generator)] = Drawn(generator, source, address=begin.record(int64, ()))
    return generator


def _are_seeds(values: Sequence[object]) -> bool:
    """Whether these are seeds that a graph can be given."""
    return all(seed is None or isinstance(seed, int | np.integer | SymbolicTensor) for seed in values)


def _making_bits(kind: Any) -> Callable[..., object]:
    """What a generator of NumPy's takes its bits from, which is made of a seed."""

    def called(*seeds: object, **named: object) -> object:
        trace = current()
        if trace is None or not trace.root.numpys or named or len(seeds) > 1:
            return kind(*seeds, **named)
        if not _are_seeds(seeds) or Way.DRAWN in ways.taken:
            return kind(*seeds)
        bits = kind(*(0 for _ in seeds))
        trace.root.bits[id(bits)] = bits, kind, list(seeds)
        return bits

    return called


def _draws_in_graph() -> bool:
    trace = current()
    return trace is not None and trace.root.numpys and Way.DRAWN not in ways.taken


def _prepare() -> None:
    """Once something is staged, as NumPy loads its part that draws when that is asked for."""
    set_methods([
        (np.random.Generator, _of_generator(_NEWER, "rng")),
        (np.random.RandomState, _of_generator(_OLDER, "random_state")),
        (random.Random, _of_generator(_PYTHONS, "random")),
    ])  # fmt: skip
    of_process: Any = np.random.rand.__self__  # type: ignore[attr-defined]
    set_functions((function, _of_generator(_OLDER, "random_state")(method)) for function, method in (
        (np.random.seed, of_process.seed), (np.random.ranf, of_process.random_sample),
        (np.random.sample, of_process.random_sample),
    ))  # fmt: skip
    set_functions([
        (np.random.default_rng, _making(np.random.default_rng, "rng")),
        (np.random.Generator, _making(np.random.Generator, "rng")),
        (np.random.RandomState, _making(np.random.RandomState, "random_state")),
        (random.Random, _making(random.Random, "random")),
        *((kind, _making_bits(kind)) for kind in map(np.random.__dict__.get, _BITS) if kind is not None),
    ])  # fmt: skip


_BITS = ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64")
set_drawing(_draws_in_graph)
before_staging(_prepare)
