"""NumPy's functions by their own signatures: each parameter has its meaning on tensors, or is refused by name."""

import inspect
import itertools
import re
import warnings

import numpy as np
import pytest

import runtime as tf
from runtime.graph.op import NUMPY
from runtime.staging.numpy_protocol import FUNCTIONS, METHODS
from runtime.staging.numpy_protocol.meanings import Meaning
from tests.exactly import difference
from tests.programs import EXECUTORS, lacks_native_form, load
from tests.runtime import numpy_calls
from tests.runtime.numpy_calls import CALLS, SAME


def test_what_equals_the_default_is_the_default():
    """Though it is another object."""
    mode = "".join(["rai", "se"])
    assert mode is not inspect.signature(np.take).parameters["mode"].default
    found = tf.function(lambda x: np.take(x, [0, 2], mode=mode))(np.arange(3.0))
    np.testing.assert_array_equal(found, [0.0, 2.0])


def made(x, flag=True, count=1, mode="raise", tolerance=0.5, out=None, subok=True):
    """As a function of NumPy's: it tells what it was given, arrays."""
    assert isinstance(x, np.ndarray)
    return "arrays"


GIVEN = [
    ({}, True), ({"flag": True}, True), ({"flag": False}, False), ({"flag": 1}, False), ({"count": 1}, True),
    ({"count": 2}, False), ({"count": True}, False), ({"count": 1.0}, False), ({"mode": "".join(["rai", "se"])}, True),
    ({"mode": "wrap"}, False), ({"tolerance": float("0.25") * 2}, False), ({"out": None}, True), ({"out": ()}, False),
    ({"subok": 7}, True), ({"flag": np._NoValue}, True), ({"tolerance": np._NoValue, "count": 1}, True),
    ({"flag": np.ones(2)}, False), ({"count": np.int64(1)}, False),
]  # fmt: skip


@pytest.mark.parametrize("given, means", GIVEN, ids=str)
def test_a_parameter_that_is_not_heeded_has_its_default_or_is_left_to_numpy(given, means):
    meaning = Meaning(made, lambda x: "tensors")
    assert meaning(tf.constant([1.0]), **given) == ("tensors" if means else "arrays")
    names = list(inspect.signature(made).parameters)
    defaults = [p.default for p in inspect.signature(made).parameters.values()]
    for name, value in given.items():  # by their places
        at = names.index(name)
        args = [*defaults[1:at], value]
        assert meaning(tf.constant([1.0]), *args) == ("tensors" if means or len(given) > 1 else "arrays")
    if not means:
        with pytest.raises(TypeError, match=f"made with {next(iter(given))}= has no staged meaning"):
            tf.function(lambda x: meaning(x, **given))(tf.constant([1.0]))


@pytest.mark.parametrize(
    "heeded", [lambda x, count=1: count, lambda x, *, count=1: count, lambda x, flag=0, count=1: count]
)
def test_arguments_reach_the_parameters_of_their_names(heeded):
    meaning = Meaning(made, heeded)
    assert [meaning(0, True, 5), meaning(0, count=5), meaning(0, True, count=5), meaning(0)] == [5, 5, 5, 1]
    with pytest.raises(TypeError, match=r"takes at most 7 arguments \(8 given\)"):
        meaning(*range(8))
    with pytest.raises(TypeError, match="unexpected keyword argument 'width'"):
        meaning(0, width=3)


DTYPES = ["bool", "int8", "uint8", "int64", "float32", "float64", "complex64"]
CASTINGS = [{}, *({"casting": how} for how in ("no", "equiv", "safe", "same_kind", "unsafe"))]
CAST = [np.add, np.multiply, np.true_divide, np.equal, np.sqrt, np.negative, np.logical_and, np.maximum, np.left_shift]


@pytest.mark.parametrize("wanted", [None, *DTYPES])
@pytest.mark.parametrize("ufunc", CAST, ids=lambda f: f.__name__)
def test_dtypes_and_castings_are_those_of_numpy_or_refused_as_there(ufunc, wanted):
    for kinds in itertools.product(DTYPES, repeat=ufunc.nin):
        args = [np.array([3, 1]).astype(kind) for kind in kinds]
        for casting in CASTINGS:
            given = casting | ({} if wanted is None else {"dtype": wanted})
            try:
                result = plainly(ufunc, args, given)
            except TypeError:
                with pytest.raises((TypeError, tf.errors.InvalidArgumentError)):
                    plainly(ufunc, map(tf.constant, args), given)
            else:
                assert_same(plainly(ufunc, map(tf.constant, args), given), result)


WITHOUT_EFFECT = {"subok", "device", "optimize", "kind", "stable", "overwrite_input"}  # as the README says


def cases(table):
    for function, calls in table.items():
        for number, (args, kwargs) in enumerate(calls):
            name = function if isinstance(function, str) else function.__name__
            yield pytest.param(function, args, kwargs, id=f"{name}-{number}-{'-'.join(kwargs)}")


def with_tensors(function, args, kwargs, run):
    """The call with tensors for arrays, by `run`, which is given a function and the arrays."""
    arrays = []

    def taken(value):
        if isinstance(value, np.ndarray):
            arrays.append(value)
            return len(arrays) - 1, arrays
        if isinstance(value, list) and value and isinstance(value[0], np.ndarray):
            return [taken(v) for v in value]
        return value

    places = [taken(a) for a in args]
    named = {k: taken(v) for k, v in kwargs.items()}

    def given(value, tensors):
        if isinstance(value, tuple) and len(value) == 2 and value[1] is arrays:
            return tensors[value[0]]
        return [given(v, tensors) for v in value] if isinstance(value, list) else value

    def call(*tensors):
        return function(*(given(p, tensors) for p in places), **{k: given(v, tensors) for k, v in named.items()})

    return run(call, arrays)


def eagerly(call, arrays):
    return call(*map(tf.constant, arrays))


def staged(jit_compile, unknown=False):
    def run(call, arrays):
        specs = [tf.TensorSpec([None] * a.ndim if unknown else a.shape, a.dtype) for a in arrays]
        made = tf.function(call, input_signature=specs, jit_compile=jit_compile)
        try:
            return made(*arrays)
        except ValueError as error:
            if jit_compile and lacks_native_form(error, unknown):
                pytest.skip(str(error).splitlines()[0])
            raise

    return run


RUNS = {"eager": eagerly, "graph": staged(False)} | ({"native": staged(True)} if True in EXECUTORS else {})


def assert_same(mine, wanted):
    if isinstance(wanted, tuple | list):
        assert len(mine) == len(wanted)
        for one, other in zip(mine, wanted):
            assert_same(one, other)
        return
    if isinstance(wanted, np.dtype | type):
        assert mine == wanted
        return
    found = np.asarray(mine)
    assert found.dtype == np.asarray(wanted).dtype or type(wanted) is int
    assert found.shape == np.shape(wanted)
    exact = found.dtype.kind not in "fc"
    np.testing.assert_allclose(found, wanted, rtol=0 if exact else 1e-6, atol=0 if exact else 1e-9)


def plainly(function, args, kwargs):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return function(*args, **kwargs)


def differs(one, other):
    try:
        assert_same(one, other)
    except (AssertionError, TypeError, ValueError):
        return True
    return False


@pytest.mark.sampled(8, each="function")
@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
@pytest.mark.parametrize("function, args, kwargs", [*cases(CALLS)])
def test_each_parameter_means_what_it_means_to_numpy(function, args, kwargs, run):
    assert_same(with_tensors(function, args, kwargs, run), plainly(function, args, kwargs))


def as_numpys(jit_compile, unknown=False):
    """Functions that give NumPy's values."""

    def run(call, arrays):
        specs = [tf.TensorSpec([None] * a.ndim if unknown else a.shape, a.dtype) for a in arrays]
        made = tf.function(call, input_signature=specs, jit_compile=jit_compile, numpy=True)
        try:
            return made(*arrays)
        except (TypeError, ValueError) as error:
            if unknown or (jit_compile and lacks_native_form(error, unknown)):
                pytest.skip(str(error).splitlines()[0])
            raise

    return run


GIVING = {"graph": as_numpys(False), "unknown": as_numpys(False, unknown=True)}
GIVING |= {"native": as_numpys(True)} if True in EXECUTORS else {}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("run", GIVING.values(), ids=GIVING)
@pytest.mark.parametrize("function, args, kwargs", [*cases(CALLS)])
def test_results_may_be_numpys(function, args, kwargs, run):
    assert not difference(with_tensors(function, args, kwargs, run), plainly(function, args, kwargs))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
@pytest.mark.parametrize("name, args, kwargs", [*cases(numpy_calls.METHODS)])
def test_each_method_does_what_it_does_to_arrays(name, args, kwargs, run):
    def function(x, *rest, **named):
        return getattr(x, name)(*rest, **named)

    assert_same(with_tensors(function, args, kwargs, run), plainly(function, args, kwargs))


def test_no_function_or_method_is_left_out():
    assert set(CALLS) == set(FUNCTIONS)
    assert set(numpy_calls.METHODS) == set(METHODS)


PARAMETERS = [
    pytest.param(f, p, id=f"{f.__name__}-{p}")
    for f in FUNCTIONS
    for p, parameter in inspect.signature(f).parameters.items()
    if parameter.default is not inspect.Parameter.empty
]


@pytest.mark.parametrize("function, parameter", PARAMETERS)
def test_each_parameter_is_heeded_or_refused(function, parameter):
    if parameter in WITHOUT_EFFECT:
        return
    bound = [inspect.signature(function).bind(*a, **k).arguments for a, k in CALLS[function]]
    if parameter in FUNCTIONS[function].heeded:
        given = [b for b in bound if parameter in b]
        assert given, f"no call with {parameter}"
        if function in SAME.get(parameter, ()):
            return
        for arguments in given:
            rest = {k: v for k, v in arguments.items() if k != parameter}
            try:
                without = plainly(*_call(function, rest))
            except (TypeError, ValueError, IndexError):
                return
            if differs(plainly(*_call(function, arguments)), without):
                return
        raise AssertionError(f"{parameter} changes nothing in any call")
    args, kwargs = CALLS[function][0]
    name, option = re.escape(function.__name__), re.escape(parameter)
    with pytest.raises(TypeError, match=rf"{name} with {option}=|{option}= of np\.\S*{name}"):
        with_tensors(function, args, {**kwargs, parameter: object()}, staged(False))


def _call(function, arguments):
    signature = inspect.signature(function)
    bound = inspect.BoundArguments(signature, dict(arguments))
    return function, bound.args, bound.kwargs


UFUNCS = [f for f in NUMPY if isinstance(f, np.ufunc) and f.signature is None]


@pytest.mark.parametrize("ufunc", UFUNCS, ids=lambda f: f.__name__)
def test_universal_functions_heed_or_refuse_each_parameter(ufunc):
    for x in (np.array([0.5, 0.25], np.float32), np.array([3, 1], np.int16), np.array([True, False])):
        args = [x] * ufunc.nin
        try:
            with np.errstate(all="ignore"):
                ufunc(*args)
        except TypeError:
            continue
        for kwargs in (
            {},
            {"dtype": np.float64},
            {"dtype": np.int8, "casting": "unsafe"},
            {"order": "F"},
            {"subok": False},
        ):
            try:
                wanted = plainly(ufunc, args, kwargs)
            except TypeError:
                for run in (eagerly, staged(False)):
                    with pytest.raises(TypeError):
                        with_tensors(ufunc, args, kwargs, run)
                continue
            for run in (eagerly, staged(False)):
                try:
                    found = with_tensors(ufunc, args, kwargs, run)
                except TypeError as refusal:
                    assert f"{ufunc.__name__} with dtype=" in str(refusal)
                    continue
                assert_same(found, wanted)
        for parameter, value in (("where", x > 0), ("signature", "dd->d")):
            words = rf"{ufunc.__name__} with {parameter}=|{parameter}= of np\.{ufunc.__name__}"
            with pytest.raises(TypeError, match=words):
                with_tensors(ufunc, args, {parameter: value}, staged(False))


REDUCED = [np.add, np.multiply, np.maximum, np.minimum, np.logical_or, np.logical_and]


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
@pytest.mark.parametrize("ufunc", REDUCED, ids=lambda f: f.__name__)
def test_methods_of_universal_functions(ufunc, run):
    F, B = numpy_calls.F, numpy_calls.B
    x = B if "logical" in ufunc.__name__ else F
    calls = [(ufunc.reduce, [x], {}), (ufunc.reduce, [x], {"axis": None}), (ufunc.reduce, [x, 1], {"keepdims": True}),
             (ufunc.outer, [x, x[0]], {})]  # fmt: skip
    if x is F:
        calls += [(ufunc.reduce, [F], {"where": B, "initial": 2.0}), (ufunc.reduce, [F], {"initial": 100.0})]
    if ufunc in (np.add, np.multiply):
        calls += [(ufunc.accumulate, [F], {}), (ufunc.accumulate, [F, 1], {"dtype": np.float32})]
        calls += [(ufunc.reduce, [F], {"dtype": np.float32})]
    for function, args, kwargs in calls:
        assert_same(with_tensors(function, args, kwargs, run), plainly(function, args, kwargs))


@pytest.mark.parametrize(
    "call",
    [
        "a.squeeze(kind='stable')", "a.max(kind='stable')", "a.nonzero(0, 1)", "a.std(0.5)", "np.argmax(a, 0.5)",
        "np.roll(a, 1, 0.5)", "a.all(0.5)", "a.var(kind='stable')", "np.cumsum(a, axes=0)", "np.argmax(a, 0, None, 1)",
    ],
)  # fmt: skip
def test_arguments_that_numpy_does_not_take_are_refused(call):
    f = load(f"def f(a):\n    return {call}\n", np=np)
    for run in (f, tf.function(f)):
        with pytest.raises(TypeError):
            run(np.array([1.0, 2.0, 3.0]))


def outcome_of(run, function, args, kwargs=None):
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            found = np.asarray(run(function, args, kwargs or {}))
        return found.dtype, found.shape, found.tobytes()
    except (TypeError, ValueError, OverflowError) as error:
        return next(c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins")


AS_NUMPYS = as_numpys(False)


@pytest.mark.parametrize("q", [0, 1, 0.5, np.float32(0.3), [0.1, 0.9], np.linspace(0, 1, 21), [[0.2, 0.6]]], ids=str)
@pytest.mark.parametrize("method", ["linear", "midpoint", "weibull", "nearest", "hazen"])
def test_quantiles_are_numpys_to_the_last_bit(method, q):
    x = np.random.default_rng(5).normal(size=(13, 3)) * 1e3
    for axis in (None, 0, (0, 1)):
        wanted = outcome_of(plainly, np.quantile, (x, q), {"method": method, "axis": axis})
        found = outcome_of(
            lambda f, a, k: with_tensors(f, a, k, AS_NUMPYS), np.quantile, (x, q), {"method": method, "axis": axis}
        )
        assert found == wanted


@pytest.mark.parametrize("value", [2, -1, 2.75, -2.75, 300, 2**40, True, np.float32(1.5), np.array([1, 2, 3]), 1e300])
@pytest.mark.parametrize("dtype", [None, np.uint8, np.int64, np.float32, bool, complex])
@pytest.mark.parametrize(
    "like", [np.arange(6).reshape(2, 3), np.ones((2, 3), np.float32), np.zeros(3, np.uint8)], ids=str
)
def test_arrays_are_filled_with_what_numpy_makes_of_a_value(like, dtype, value):
    for function, args in (
        (np.full_like, (like, value, dtype)),
        (lambda x, v, d: np.full(x.shape, v, d), (like, value, dtype)),
    ):
        wanted = outcome_of(plainly, function, args)
        assert outcome_of(lambda f, a, k: with_tensors(f, a, k, AS_NUMPYS), function, args) == wanted


@pytest.mark.parametrize(
    "one, other", [((2, 3), (2, 3)), ((2, 3), (2, 1)), ((3,), (1,)), ((0,), (1,)), ((2, 2), (2, 3))]
)
def test_arrays_whose_sizes_only_the_graph_knows_are_told_apart(one, other):
    x, y = np.ones(one), np.ones(other)
    for equal_nan in (False, True):
        for unknown in (False, True):
            found = with_tensors(np.array_equal, (x, y), {"equal_nan": equal_nan}, as_numpys(False, unknown))
            assert bool(found) == np.array_equal(x, y)


def test_cross_products_along_any_axes():
    x, y = np.arange(81.0).reshape(3, 3, 3, 3) % 7, np.arange(81.0).reshape(3, 3, 3, 3) % 5
    for axes in itertools.product((-1, 0, 1, 3), (-1, 0, 2), (-1, 0, 1, -2)):
        how = dict(zip(("axisa", "axisb", "axisc"), axes))
        np.testing.assert_array_equal(np.cross(tf.constant(x), tf.constant(y), **how), np.cross(x, y, **how))
    for axis in range(-4, 4):
        np.testing.assert_array_equal(np.cross(tf.constant(x), y, axis=axis), np.cross(x, y, axis=axis))
    found = np.cross(tf.constant(x), y, 0, 0, 0, 2)  # one axis is for all
    np.testing.assert_array_equal(found, np.cross(x, y, axis=2))
    for one, other in ((x, y[0, 0, 0]), (x[0, 0, 0], y), (x[:, :1], y[:1])):
        np.testing.assert_array_equal(np.cross(tf.constant(one), tf.constant(other)), np.cross(one, other))
        np.testing.assert_array_equal(np.cross(one.astype(int), tf.constant(other)), np.cross(one.astype(int), other))


INTERPOLATED = {
    "steps": ([0.0, 1.0, 1.0, 2.0, 4.0], [1.0, 3.0, -2.0, 5.0, 0.5]),
    "one": ([2.0], [7.0]),
    "two": ([-1.0, 3.0], [4.0, -4.0]),
    "the same at the end": ([0.0, 2.0, 2.0], [1.0, 5.0, 9.0]),
    "infinite": ([0.0, 1.0, 2.0, 3.0], [1.0, np.inf, np.inf, -np.inf]),
    "infinite places": ([-np.inf, 0.0, 1.0, np.inf], [1.0, 2.0, 2.0, 6.0]),
    "no number": ([0.0, 1.0, 2.0], [np.nan, 1.0, 2.0]),
    "complex": ([0.0, 1.0, 3.0], [1j, 2.0, 3.0 - 1j]),
}
OUTSIDE = [
    {},
    {"left": -9.0},
    {"right": 9.0},
    {"left": 0.0, "right": 0.0},
    {"period": 3.0},
    {"period": -2.5},
    {"period": 1},
]


@pytest.mark.parametrize("how", OUTSIDE, ids=str)
@pytest.mark.parametrize("xp, fp", INTERPOLATED.values(), ids=INTERPOLATED)
def test_interpolation_is_numpys_everywhere(xp, fp, how):
    """At, between, and beyond the places, those of one number and of two that are the same among them."""
    if "period" in how and (not np.isfinite(xp).all() or not np.isfinite(fp).all()):
        return
    given = [np.nan, np.inf, -np.inf, *(k / 4 for k in range(-12, 24))]
    with np.errstate(all="ignore"):
        wanted = np.interp(given, xp, fp, **how)
        for known in (True, False):
            specs = [tf.TensorSpec([None if not known else len(v)], np.asarray(v).dtype) for v in (given, xp, fp)]
            graph = tf.function(lambda x, xp, fp: np.interp(x, xp, fp, **how), input_signature=specs, jit_compile=False)
            np.testing.assert_array_equal(graph(given, xp, fp), wanted)
            for one in (0, 3, -1):
                alone = np.interp(tf.constant(given[one]), tf.constant(xp), tf.constant(fp), **how)
                np.testing.assert_array_equal(alone, wanted[one])


def test_the_gradient_of_an_interpolation_is_a_number_everywhere():
    given, xp, fp = (
        np.array([-1.0, 0.0, 0.25, 1.0, 3.0, 4.0, np.inf]),
        np.array([0.0, 1.0, 3.0]),
        np.array([1.0, 5.0, 2.0]),
    )
    weights = np.arange(1.0, 8.0)

    def f(fp):
        with tf.GradientTape() as tape:
            tape.watch(fp)
            made = np.interp(given, xp, fp)
            total = np.sum(made * weights)
        return tape.gradient(total, fp)

    wanted = [np.interp(given, xp, row) @ weights for row in np.eye(3)]  # it is linear in the values
    for found in (f(tf.constant(fp)), tf.function(f)(fp)):
        np.testing.assert_allclose(found, wanted)


@pytest.mark.parametrize(
    "xp, fp, message",
    [
        ([1.0, 2.0], [1.0], "not of the same length"),
        ([1.0], [1.0, 2.0], "not of the same length"),
        ([], [], "is empty|out of bounds"),
        ([[1.0]], [1.0], "1-D"),
        ([1.0], [[1.0]], "1-D"),
    ],
)
def test_places_and_values_of_an_interpolation_go_together(xp, fp, message):
    for known in (True, False):
        specs = [tf.TensorSpec(np.shape(v) if known else [None] * np.ndim(v), np.float64) for v in (xp, fp)]
        with pytest.raises(ValueError, match=message):
            tf.function(lambda xp, fp: np.interp([1.0], xp, fp), input_signature=specs)(np.array(xp), np.array(fp))


@pytest.mark.parametrize("call, message", [
    (lambda x: np.interp(x, x, x, period=0), "period must be a non-zero value"),
    (lambda x: np.cross(x, x[0]), "zero dimension"), (lambda x: np.cross(x[0], x), "zero dimension"),
])  # fmt: skip
def test_what_numpy_says_is_said(call, message):
    x = np.array([1.0, 2.0, 3.0])
    for given in (x, tf.constant(x)):
        with pytest.raises(ValueError, match=message):
            call(given)


@pytest.mark.parametrize("sizes", [(3, 3), (2, 2), (1, 3), (4, 3), (0, 3)], ids=str)
def test_cross_products_are_of_vectors_of_two_or_three(sizes):
    x, y = (np.arange(2.0 * n).reshape(2, n) for n in sizes)
    try:
        wanted = plainly(np.cross, (x, y), {})
    except ValueError:
        with pytest.raises(ValueError, match="dimension must be"):
            with_tensors(np.cross, (x, y), {}, staged(False))
        return
    if sizes == (3, 3):
        np.testing.assert_array_equal(with_tensors(np.cross, (x, y), {}, staged(False)), wanted)
    with pytest.raises(TypeError, match="not known to have three"):
        specs = [tf.TensorSpec([None, None], tf.float64)] * 2
        tf.function(np.cross, input_signature=specs).get_concrete_function()


ALONG = [
    np.sum, np.prod, np.max, np.min, np.any, np.all, np.mean, np.var, np.std, np.argmax, np.argmin, np.cumsum, np.sort,
    np.argsort, np.flip, np.median, np.ptp, np.count_nonzero, np.nansum, np.nanmax, np.diff, np.expand_dims, np.squeeze,
]  # fmt: skip


@pytest.mark.parametrize("rank", [0, 1, 2, 3])
@pytest.mark.parametrize("function", ALONG, ids=lambda f: f.__name__)
def test_axes_that_numpy_takes_are_those_that_are_taken(function, rank):
    x = np.arange(1.0, 1 + 3**rank).reshape([3] * rank)
    for axis in [None, *range(-rank - 2, rank + 3), (0,), (0, -1), (0, 0), (0, rank), ()]:
        wanted = outcome_of(plainly, function, (x,), {"axis": axis})
        found = outcome_of(lambda f, a, k: with_tensors(f, a, k, staged(False)), function, (x,), {"axis": axis})
        if isinstance(wanted, str) or isinstance(found, str):
            spared = function is np.mean and rank == 0 and axis in (0, -1)  # as for sums
            assert spared or (isinstance(found, str) and (found == wanted or isinstance(axis, tuple))), axis
        else:
            assert found[1] == wanted[1], axis


@pytest.mark.parametrize("function", [f for f in FUNCTIONS if f in CALLS], ids=lambda f: f.__name__)
def test_no_value_is_no_value(function):
    """NumPy's own word for what is left out may be written."""
    parameters = inspect.signature(function).parameters
    absent = {p: q.default for p, q in parameters.items() if q.default is np._NoValue}
    if not absent:
        return
    args, kwargs = CALLS[function][0]
    given = {p: v for p, v in absent.items() if p in FUNCTIONS[function].heeded and p not in kwargs}
    given = {p: v for p, v in given.items() if [*parameters].index(p) >= len(args)}
    assert_same(with_tensors(function, args, kwargs | given, staged(False)), plainly(function, args, kwargs))


@pytest.mark.parametrize("kth", [-4, -3, 0, 2, 3, [0, 2], [0, 3], [-3, -1]], ids=str)
def test_places_of_a_partition_are_within_its_bounds(kth):
    x = np.array([3.0, 1.0, 2.0])
    wanted = outcome_of(plainly, np.partition, (x, kth))
    for unknown in (False, True):
        for given in (kth, np.array(kth)):
            run = as_numpys(False, unknown)
            found = outcome_of(lambda f, a, k, run=run: with_tensors(f, a, k, run), np.partition, (x, given))
            assert (found == "ValueError") == (wanted == "ValueError"), (unknown, given)
