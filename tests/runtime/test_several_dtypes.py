"""What only the graph knows the dtype of, a number or an array, is what it is in NumPy, whatever is done with it."""

import contextlib
import inspect
import io
import math

import numpy as np
import pytest

import runtime
from tests.programs import EXECUTORS, load
from tests.runtime import searches

# How a variable `c` comes to be one of several numbers, and the array beside it.
MADE = {
    "int64 or float": ("c = x[0] if k > 0 else 0.5", [3, 1, 2], np.int64),
    "float32 or a float that it does not hold": ("c = x[0] if k > 0 else 0.1", [3, 1, 2], np.float32),
    "float32 or float64": ("c = x[0] if k > 0 else np.float64(2.5)", [3, 1, 2], np.float32),
    "assigned in a branch": ("c = -np.inf\nif k > 0:\n    c = x[0]", [3, 1, 2], np.int64),
    "int32 or int64": ("c = x[0] if k > 0 else np.int64(7)", [3, 1, 2], np.int32),
    "assigned in a loop": ("c = -np.inf\nfor v in x:\n    if v > k and v > c:\n        c = v", [3, 1, 2], np.int64),
    "a truth value": ("c = x[0] > 1 if k > 0 else x[1]", [3, 1, 2], np.int64),
}
USES = r"""
r = c
r = c + 1
r = 1 - c
r = c * c
r = c / 3
r = c // 2
r = c % 2
r = c ** 2
r = -c if k != 1 else c
r = abs(c)
r = c > 1
r = c == 3
r = bool(c)
r = round(c, 1)
r = str(c)
r = f"{c}"
r = f"{c:.2f}"
r = "%.3f" % c
r = "{}".format(c)
r = math.sqrt(abs(c))
r = math.exp(-abs(c))
r = np.sqrt(abs(c) + 1)
r = np.array([c, 1])
r = np.array(c)
r = np.full(3, c)
r = np.where(x > c, x, c)
r = np.clip(x, 0, c)
r = np.maximum(x, c)
r = np.minimum(c, 2)
r = sum([c, 2, 1])
r = [c, c]
r = {"a": c}
r = x + c
r = c * x
out = np.zeros(3); out[0] = c; r = out
out = np.zeros(3, int); out[0] = c if c > 0 else 0; r = out
out = np.zeros(3, np.float32); out[:] = c; r = out
x[1] = max(c, 0); r = x
r = x * 0; r += c
r = x * 0.5; r -= c
r = "big" if c > 2 else "small"
items = []; items.append(c); items.append(2); r = items[0]
r = c.dtype.name if hasattr(c, "dtype") else "python"
r = np.isnan(c)
r = math.isinf(c)
r = np.dot(x, c)
r = np.sum(x * c)
r = np.append(x, c)
r = np.isclose(c, 3)
r = not c
r = x.sum() / c if c != 0 else 0
d = c - 1; r = d * 2
c += 1; r = c
c *= 0.5; r = c
r = np.float64(c)
r = np.float32(c)
r = divmod(c, 2)
r = pow(c, 2)
r = np.linspace(0, c, 3)
r = np.power(c, 2)
r = np.hypot(c, 1)
r = x.clip(0, c)
r = (x == c).sum()
r = np.searchsorted(x, c)
r = np.round(c, 1)
r = c is None
r = c in (1, 2, 3)
r = [v for v in x if v > c]
r = np.outer(x, c)
r = np.sign(c)
s = 0\nfor v in x:\n    s += v * c\nr = s
n = 0\nwhile n < min(c, 5):\n    n += 1\nr = n
if c > 2:\n    r = c * 2\nelse:\n    r = c
for v in x:\n    if v > c: c = v\nr = c
raise ValueError(c)
raise ValueError(f"bad {c}")
if k != 9: raise KeyError("a", c)\nr = 0
r = np.add(c, 1)
r = np.multiply(x, c, out=np.zeros(3))
r = c.real
r = np.stack([c, c])
r = np.concatenate([x, [c]])
r = np.hstack([x, c])
r = np.mean([c, 1.0])
r = sum(v * c for v in x)
r = any(v > c for v in x)
r = np.max([c, 3, 2])
def g(a, b=2): return a * b\nr = g(c)
r = (lambda a: a + 1)(c)
r = x[x > c]
r = np.interp(c, [0, 1], [0, 1])
r = np.polyval([1, 2], c)
r = c * 1j
""".strip().splitlines()


def shown(value):
    """What a result is: of numbers the dtype that an array of them has, as a graph may have NumPy's for Python's."""
    if isinstance(value, list | tuple):
        return type(value), [*map(shown, value)]
    if isinstance(value, dict):
        return [*value], [*map(shown, value.values())]
    return None if value is None else (np.asarray(value).dtype, repr(np.asarray(value).tolist()))


def outcome(f, k, start, dtype):
    x, printed = np.array(start, dtype), io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), np.errstate(all="ignore"):
            return shown(f(x, np.int64(k))), repr(x)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        return type(error).__name__, str(error).split("\n")[0]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("made", MADE)
def test_uses(made):
    first, start, dtype = MADE[made]
    for number, use in enumerate(USES):
        lines = "\n".join(["def f(x, k):", *f"{first}\n{use}\nreturn r".replace("\\n", "\n").splitlines()])
        f = load(lines.replace("\n", "\n    "), np=np, math=math)
        graph = runtime.function(f, numpy=True, jit_compile=EXECUTORS[number % len(EXECUTORS)])
        for k in (1, -1, 5):
            assert outcome(graph, k, start, dtype) == outcome(f, k, start, dtype), f"{use}, k = {k}"


def changing(x, k):
    if k > 0:
        x = x / 2
    y = x * 3
    if k > 2:
        y = y.astype(np.float32)
    return x, y, y.sum(), y[0] + 1


def halved(x, k):
    while k > 0:
        x, k = x / 2, k - 1
    return x


def searched(x, k):
    best, where = np.inf, -1
    for i in range(len(x)):
        if x[i] > k and x[i] < best:
            best, where = x[i], i
    return best, where


def searched_by_rows(x, k):
    best = None
    for row in x.reshape(1, -1):
        worst = -1e30
        for v in row:
            if v > worst:
                worst = v
        if best is None or worst < best:
            best = worst
    return best


def array_or_number(x, k):
    if k > 2:
        return x
    r = x if k > 0 else np.float32(2.5)
    r = r * 2 if k < 2 else x.sum()
    return r


def array_or_pythons(x, k):
    r = 0.1
    if k > 0:
        r = x
    return r, np.sum(r) + x, abs(r)


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize(
    "f", [changing, halved, searched, searched_by_rows, array_or_number, array_or_pythons], ids=lambda f: f.__name__
)
@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint8, np.float32, np.float64])
def test_programs(f, dtype, jit_compile):
    graph = runtime.function(f, numpy=True, jit_compile=jit_compile)
    for k in (0, 1, 3, 9):
        assert outcome(graph, k, [3, 1, 2, 200], dtype) == outcome(f, k, [3, 1, 2, 200], dtype), f"k = {k}"


# An array `u` that only the graph knows: `y`, which has other names, or a new one of floats.
WRITES = r"""
y *= u
y[:] = u
y[0] += u[1]
y[y > 2] = u[y > 2]
y += u[::-1]
u *= u
u -= y
u[0] = y[1]
u += 1; u[1:] *= 2
u = u[::-1]; u += 1
u.fill(3)
u.sort()
for i in range(k): y += u
for i in range(len(u)): u[i] += i
np.add(y, 1, out=u)
np.multiply(u, u, out=u)
np.multiply(u, u[0], out=u)
np.add(u, y, out=y)
v = np.add(y, y[0], out=u); v[1] = 7
np.cumsum(y, out=u)
y.cumsum(out=u)
np.copyto(u, y)
np.add.at(u, [0, 1], 2)
if k > 0: y -= u\nelse: u = None
""".strip().splitlines()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("dtype", [np.int32, np.float32, np.float64])
def test_writes(dtype, jit_compile):
    """What is written is written in the array that it is, by all of its names, or refused as NumPy refuses it."""
    for write in WRITES:
        lines = [
            "def f(y, k):",
            "z, u = y[:2], y if k > 5 else np.add(y, np.float64(0.5))",
            *write.split(r"\n"),
            "return y, z, u",
        ]
        f = load("\n    ".join(lines), np=np)
        graph = runtime.function(f, numpy=True, jit_compile=jit_compile)
        for k in (1, 6, 0):
            assert outcome(graph, k, [2, 4, 1], dtype) == outcome(f, k, [2, 4, 1], dtype), f"{write}, k = {k}"


def same(found, wanted):
    """Whether a graph gives what Python does; a number of Python's that NumPy's dtype holds may be one of that."""
    if isinstance(wanted, list | tuple):
        return type(found) is type(wanted) and len(found) == len(wanted) and all(map(same, found, wanted))
    if isinstance(wanted, dict):
        return [*found] == [*wanted] and all(map(same, found.values(), wanted.values()))
    if type(wanted) in (int, float):
        return float(found) == wanted or (found != found and wanted != wanted)
    return shown(found) == shown(wanted)


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
@pytest.mark.parametrize("f", [f for f in vars(searches).values() if inspect.isfunction(f)], ids=lambda f: f.__name__)
def test_searches(f):
    for number, dtype in enumerate((np.int64, np.float32, np.int32)):
        graph = runtime.function(f, numpy=True, jit_compile=EXECUTORS[number % len(EXECUTORS)])
        for start in ([3, 1, 4, 1, 5, 9, 2, 6], [1, 1, 1, 1, 1, 1, 1, 1]):
            x = np.array(start, dtype)
            assert same(graph(x.copy()), f(x.copy())), np.dtype(dtype)


def test_a_loop_keeps_one_dtype_where_that_has_the_number():
    """A search that begins with a number which float32 has costs no more than it did."""

    @runtime.function(numpy=True)
    def f(x):
        best = -np.inf
        for row in x:
            for v in row:
                if v > best:
                    best = v
        return best

    x = np.ones((30, 30), np.float32)
    assert f(x).dtype == np.float32
    graph = f.get_concrete_function(x).graph  # one number, and what tells whether it is that of the beginning
    assert [output.type.dtype.name for output in graph.outputs] == ["float32", "int32"]


@pytest.mark.parametrize("made", ["max({})", "min({}, key=lambda v: -v)", "sum([{}])", "sorted([{}])", "[{}]"])
def test_many_at_once(made):
    """A function of many such numbers costs a little for each, and not twice as much for each more."""
    sizes = []
    for count in (4, 8):
        lines = [f"c{i} = x[0]\n    if k > {i}: c{i} = {i} + 0.5" for i in range(count)]
        given = ", ".join(f"c{i}" for i in range(count))
        f = load("\n    ".join(["def f(x, k):", *lines, f"return {made.format(given)}"]), np=np)
        graph = runtime.function(f, numpy=True)
        x = np.array([3, 1])
        for k in (0, 2, 9):
            assert same(graph(x, np.int64(k)), f(x, np.int64(k))), k
        sizes.append(len(str(graph.get_concrete_function(x, np.int64(0)).graph)))
    assert sizes[1] < 4 * sizes[0]


def test_tensors_of_two_dtypes_are_refused():
    """By default a graph is of tensors, as TensorFlow has them."""

    @runtime.function
    def f(x):
        return runtime.cond(x[0] > 0, lambda: x[0], lambda: runtime.cast(x[0], runtime.int32))

    with pytest.raises(TypeError, match="int32"):
        f(runtime.constant([1.0]))
