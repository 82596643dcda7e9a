"""Random numbers of the program's own generators: a graph draws those that the program would draw, in its order."""

import copy
import random
import threading

import numpy as np
import pytest

import runtime
from runtime.staging import random_numbers
from tests.programs import EXECUTORS, load


def made():
    """Generators of each kind, in a state that is not their first."""
    return {"rng": np.random.default_rng(5), "older": np.random.RandomState(7), "r": random.Random(3)}


def states(rng, older, r):
    return repr((rng.bit_generator.state, older.get_state(), r.getstate()))


def both(text, *calls, jit_compile=None):
    """What a program gives plain and as a function, with what its generators are like after each call."""
    found = []
    for is_plain in (True, False):
        generators = made()
        f = load(text, np=np, random=random, copy=copy, **generators)
        if not is_plain:
            f = runtime.function(f, numpy=True, jit_compile=jit_compile)
        results = []
        np.random.seed(11)
        random.seed(12)
        for args in calls:
            try:
                result = f(*copy.deepcopy(args))
            except Exception as error:
                result = type(error), str(error).split("\n")[0]
            results.append((told(result), states(**generators), repr(np.random.get_state()), random.getstate()))
        found.append(results)
    return found


def told(value):
    if isinstance(value, list | tuple):
        return [type(value), *map(told, value)]
    if isinstance(value, dict):
        return {key: told(one) for key, one in value.items()}
    return type(value), getattr(value, "dtype", None), getattr(value, "shape", None), repr(value)


PROGRAMS = {
    "a quarter of a circle": """
inside = 0
for _ in range(n):
    x, y = rng.random(), rng.random()
    if x * x + y * y < 1:
        inside += 1
return 4 * inside / n
""",
    "a walk": """
at = np.zeros(n + 1)
for i in range(n):
    at[i + 1] = at[i] + rng.choice([-1, 1])
return at
""",
    "a walk with Python's": """
at = 0
for i in range(n):
    if r.random() < 0.5:
        at += 1
    else:
        at -= r.randint(1, 3)
return at
""",
    "steps that are refused or taken": """
x, seen = 0.0, []
for i in range(n):
    y = x + rng.normal(0, 1)
    if np.log(rng.random()) < (x * x - y * y) / 2:
        x = y
    seen.append(x)
return np.array(seen)
""",
    "orders": """
a = np.arange(n)
rng.shuffle(a)
b = np.arange(2 * n).reshape(n, 2)
older.shuffle(b)
return a, b, rng.permutation(n), older.permutation(a), rng.permuted(b, axis=1)
""",
    "sizes": """
return rng.normal(size=n), rng.normal(size=(n, 2)), older.rand(n, 3), rng.random(n), rng.integers(0, n, size=(2, n))
""",
    "means of samples": """
x, m = np.arange(10.0), np.empty(n)
for i in range(n):
    m[i] = x[rng.integers(0, 10, 10)].mean()
return m
""",
    "made from a seed": """
rng = np.random.default_rng(n)
again = np.random.RandomState(3)
t = 0.0
for i in range(n):
    t += rng.standard_normal() + again.rand()
return t, random.Random(4).random()
""",
    "made in a loop": """
t = 0.0
for i in range(n):
    own = np.random.default_rng(i)
    t += own.random() + own.random()
return t
""",
    "of the process": """
np.random.seed(3)
t = 0.0
for i in range(n):
    t += np.random.rand() + random.uniform(0, 1)
np.random.shuffle(np.arange(3))
return t, np.random.randint(5), np.random.normal(), np.random.random_sample(2)
""",
    "counts": """
c = [0] * 6
for i in range(n):
    c[r.randint(1, 6) - 1] += 1
return c
""",
    "words": """
w = ["a", "b", "c"]
return [r.choice(w) for i in range(n)], r.choice((1, 2, 3)), r.choice(range(5))
""",
    "a list in another order": """
known, x = [1, 2, 3, 4], list(range(n))
r.shuffle(known)
r.shuffle(x)
return known, x
""",
    "until": """
k = 0
while rng.random() > 0.2:
    k += 1
return k, rng.random() if k > n else -rng.normal()
""",
    "cooling": """
x, t = np.array([1.0, 2.0]), 1.0
for i in range(n):
    y = x + rng.normal(size=2) * t
    d = (y**2).sum() - (x**2).sum()
    if d < 0 or rng.random() < np.exp(-d / t):
        x = y
    t *= 0.99
return x
""",
    "what only Python draws": """
a = rng.random()
some = r.sample(range(20), 3)
b = [r.random() for _ in range(3)]
return a, some, b, r.getrandbits(8), rng.random(), rng.bytes(3)
""",
    "a state that is read": """
a = rng.random()
state = rng.bit_generator.state["state"]["state"] % 1000
b = rng.random()
return a, state, b
""",
    "a state that a function inside reads": """
def state():
    return [rng.bit_generator.state["state"]["state"] % 1000 for _ in range(2)]

a = rng.random()
return a, state(), rng.random()
""",
    "a state that is set": """
state = rng.bit_generator.state
a = rng.random()
rng.bit_generator.state = state
return a, rng.random(), n
""",
    "of bits": """
rng = np.random.Generator(np.random.PCG64(n))
t = 0.0
for i in range(n):
    t += rng.random()
return t, np.random.Generator(np.random.MT19937(3)).normal(size=2)
""",
    "a copy": """
a = rng.random()
other = copy.deepcopy(rng)
return a, other.random(), rng.random(), other.normal()
""",
    "handed on": """
def twice(draw):
    return draw() + draw()

def of(generator, *shape):
    return generator.normal(size=shape)

return twice(rng.random), of(rng, n, 2), [*map(rng.integers, [3, 4])]
""",
    "a scale below zero": """
a = rng.random()
if n > 3:
    a += rng.normal(0, -1.0 * n)
return a
""",
    "raised after it has drawn": """
a = rng.random()
if a < 2:
    raise ValueError("too small")
return a
""",
    "raised whatever is drawn": """
a = rng.random()
raise ValueError("no")
""",
    "caught": """
try:
    a = rng.random()
    if a > 0.4:
        raise KeyError(3)
    a += 10
except KeyError:
    a = rng.normal()
return a
""",
}  # fmt: skip


@pytest.mark.parametrize("jit_compile", [None, *EXECUTORS])
@pytest.mark.parametrize("body", PROGRAMS.values(), ids=PROGRAMS)
def test_programs(body, jit_compile):
    lines = "".join(f"    {line}\n" for line in body.strip().split("\n"))
    calls = [(np.int64(n),) for n in (5, 5, 2, 7)] + [(3,), (3,), (600,)]
    plain, graph = both(f"def f(n):\n{lines}", *calls, jit_compile=jit_compile)
    for args, wanted, found in zip(calls, plain, graph):
        assert found[0] == wanted[0], args
        assert found[1:] == wanted[1:], f"the generators after {args}"


# Arguments of the methods for which the names of their parameters say little.
GIVEN = {
    "a": "2.0", "a b": "2.0, 3.0", "a b size": "2, 5", "alpha": "2.0", "alpha beta": "2.0, 3.0",
    "alpha size": "[1.0, 2.0]", "n p": "9, 0.3", "p": "0.3", "df": "3.0", "dfnum dfden": "3.0, 4.0",
    "df nonc": "3.0, 1.0", "dfnum dfden nonc": "3.0, 4.0, 1.0", "shape": "2.0", "shape scale": "2.0, 0.5",
    "ngood nbad nsample": "5, 6, 3", "left mode right": "0.0, 0.5, 1.0", "mu kappa": "0.5, 2.0",
    "mean scale": "1.0, 2.0",
    "n pvals": "7, [0.2, 0.8]", "mean cov": "[0.0, 1.0], [[1.0, 0.5], [0.5, 2.0]]", "start stop step": "2, 9, 3",
    "seq": "[4, 5, 6]", "lambd": "2.0", "low high mode": "0.0, 1.0, 0.3", "seed": "4",
}  # fmt: skip
OPTIONS = ("size", "dtype", "out", "method", "endpoint", "replace", "p", "axis", "shuffle", "check_valid", "tol")


def given(name, parameters):
    if name in ("rand", "randn"):
        return ["", "2", "2, 3"]
    if name in ("choice", "permutation", "permuted", "shuffle", "seed"):
        return {
            "choice": ["4", "[1.5, 2.5]", "np.arange(5), 3", "5, 2, False"], "permutation": ["4", "np.arange(5)"],
            "permuted": ["np.arange(6).reshape(2, 3), axis=1"], "shuffle": ["np.arange(4)"], "seed": ["4"],
        }[name]  # fmt: skip
    own = [one for one in parameters.split() if one not in OPTIONS or (one == "p" and name in P_IS_ONE)]
    first = GIVEN.get(" ".join(own), ", ".join("0.5" if i == 0 else "1.5" for i in range(len(own))))
    first = {"integers": "1, 7", "randint": "1, 7", "dirichlet": "[1.0, 2.0]"}.get(name, first)
    found = [first]
    if "size" in parameters:
        found += [f"{first}, size={size}".lstrip(", ") for size in ("3", "(2, k)", "()")]
    if "dtype" in parameters and name not in ("integers", "randint"):
        found += [f"{first}, size=2, dtype=np.float32".lstrip(", ")]
    if name in ("integers", "randint"):
        found += ["5", "1, 7, dtype=np.int32", "1, 7, 4, np.uint8", "np.array([2, 3])", "x.astype(int), 9"]
    if own and name not in ("multinomial", "multivariate_normal", "dirichlet", "integers", "randint"):
        found += [first.replace("0.5", "x"), first.replace("2.0", "x + 1")]
    return found


P_IS_ONE = ("binomial", "geometric", "logseries", "negative_binomial")
METHODS = [
    (kind, name, args)
    for kind, meanings in (
        ("rng", random_numbers._NEWER), ("older", random_numbers._OLDER), ("r", random_numbers._PYTHONS)
    )
    for name, (parameters, _) in meanings.items()
    if not (kind == "r" and name in ("choice", "shuffle"))
    for args in (given(name, parameters) if kind != "r" else [GIVEN.get(parameters, "0.5, 1.5" if parameters else "")])
]  # fmt: skip


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("kind", ["rng", "older", "r"])
def test_methods(kind, jit_compile):
    """Each method gives what it gives without a graph, in statements that the graph decides and repeats, too."""
    for _, name, args in [one for one in METHODS if one[0] == kind]:
        args = args.replace("0.5, 1.5", "1, 5") if (kind, name) in (("r", "randint"),) else args
        call = f"{kind}.{name}({args})"
        for text in (
            f"def f(x, k):\n    return {call}\n",
            f"def f(x, k):\n    y = None\n    if x[0] > 0:\n        y = {call}\n    return {call}, y is None\n",
            f"def f(x, k):\n    y = []\n    for i in range(k):\n        y.append(np.max({call}) + i)\n    return y\n",
        ):
            calls = [(np.array([0.5, 0.25]), np.int64(3))] * 2
            if "append" in text and name in ("shuffle", "seed"):
                continue
            plain, graph = both(text, *calls, jit_compile=jit_compile)
            assert graph == plain, text


@pytest.mark.skipif(True not in EXECUTORS, reason="there is no native code")
def test_a_run_that_fails_leaves_the_generators_as_they_were():
    """What is drawn natively is drawn again on NumPy, which raises the exception."""
    text = """
def f(n):
    t = 0.0
    for i in range(n):
        t += rng.normal(0.0, 3.0 - i)
    return t
"""
    plain, graph = both(text, (np.int64(3),), (np.int64(5),), (np.int64(2),), jit_compile=True)
    assert plain == graph
    assert "ValueError" in repr(plain[1][0])


def test_a_generator_without_a_seed_draws_other_numbers_each_time():
    for make in (np.random.default_rng, np.random.RandomState, lambda: np.random.Generator(np.random.PCG64())):

        @runtime.function(numpy=True)
        def f():
            rng = make()
            return rng.normal(size=3)

        assert len({tuple(f()) for _ in range(4)}) == 4


def test_a_generator_that_is_made_and_kept_is_the_programs():
    class M:
        def __init__(self):
            self.rng = None

        def begin(self, seed):
            self.rng = np.random.default_rng(seed)
            return self.rng.random()

        def draw(self):
            return self.rng.random()

    def made(seed):
        rng = np.random.default_rng(seed)
        first = rng.random()
        return rng, first

    plain, staged = M(), M()
    begin = runtime.function(staged.begin, numpy=True)
    draw = runtime.function(staged.draw, numpy=True)
    for seed in (3, 4, 3):
        assert begin(seed) == plain.begin(seed)
        assert [draw() for _ in range(3)] == [plain.draw() for _ in range(3)]
    (one, first), (other, second) = made(3), runtime.function(made, numpy=True)(3)
    assert first == second and one.random() == other.random()


def test_another_generator_of_that_name_is_drawn_from():
    namespace = {"rng": np.random.default_rng(1)}
    f = runtime.function(load("def f(x):\n    return x + rng.random()\n", namespace=namespace, **namespace), numpy=True)
    first = f(np.float64(0))
    f.python_function.__globals__["rng"] = np.random.default_rng(1)
    assert f(np.float64(0)) == first


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_functions_share_a_generator(jit_compile):
    """Two functions, and two generators that take their bits from one, draw in turn."""
    found = []
    for wrap in (lambda f: f, lambda f: runtime.function(f, numpy=True, jit_compile=jit_compile)):
        rng = np.random.default_rng(1)
        older = np.random.RandomState(np.random.MT19937(2))
        newer = np.random.Generator(older._bit_generator)

        def inner(n):
            t = 0.0
            for _ in range(n):
                t += rng.random()
            return t

        inner = wrap(inner)

        def outer(n):
            s = rng.normal()
            for _ in range(n):
                s += inner(n) * rng.random() + newer.random() - older.rand()
            return s

        both = wrap(outer)
        found.append([both(np.int64(n)) for n in (5, 20, 5)] + [inner(np.int64(3)), rng.random(), older.rand()])
    assert found[0] == found[1]


def test_threads_have_generators_of_their_own():
    @runtime.function(numpy=True)
    def f(seed, n):
        rng = np.random.default_rng(seed)
        t = 0.0
        for _ in range(n):
            t += rng.random()
        return t

    f(np.int64(0), np.int64(10))
    found = {}

    def run(seed):
        found[seed] = [f(np.int64(seed), np.int64(2000)) for _ in range(5)]

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed in range(4):
        wanted = f.python_function(np.int64(seed), np.int64(2000))
        assert found[seed] == [wanted] * 5


def test_a_graph_that_draws_reads_as_the_program_and_is_not_traced_again():
    rng = np.random.default_rng(0)

    @runtime.function(numpy=True)
    def f(x, n):
        y = x + rng.normal(0.0, 2.0, size=(n, 2))
        return y * rng.random()

    for _ in range(3):
        f(np.ones(2), 4)
    assert f.experimental_get_tracing_count() == 1
    text = str(f.get_concrete_function(np.ones(2), 4).graph)
    assert "rng.normal(0.0, 2.0, size=(4, 2))" in text and "rng.random()" in text


def test_graphs_of_tensors_refuse_numbers_that_numpy_would_draw_once():
    @runtime.function
    def f(n):
        return np.random.normal(size=n)

    with pytest.raises(TypeError, match="draws its numbers while the function is traced"):
        f(runtime.constant(3))
