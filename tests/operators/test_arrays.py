import numpy as np
import pytest

import runtime
from autograph import operators as ag__
from tests.programs import EXECUTORS, at_rest, load


@pytest.mark.parametrize("value", [np.zeros(3), [1, 2], None])
def test_while_nothing_is_traced_an_array_is_itself(value):
    with at_rest():
        assert ag__.array(value) is value


PROGRAMS = {
    "an item": "z = np.zeros(4)\nz[1] = x[0]\nreturn z",
    "an item, of integers": "z = np.zeros(4, int)\nz[1] = x[0] * 3\nreturn z",
    "in a branch": "z = np.zeros(2)\nif x[0] > 0: z[0] = 1.0\nreturn z",
    "in a branch that is not taken": "z = np.zeros(2)\nif x[0] > 9: z[0] = 1.0\nreturn z",
    "in a loop": "z = np.zeros(4)\nfor i in range(n): z[i] = x[i] + z[2]\nreturn z",
    "counted": "z = np.zeros(4)\nfor i in range(n): z[2] += 1.0\nreturn z",
    "made in a loop": "t = 0.0\nfor i in range(n):\n    z = np.ones(3)\n    z[1] += x[i]\n    t += z.sum()\nreturn t",
    "augmented": "z = np.ones((2, 4))\nz += x\nz *= 2\nreturn z",
    "out=": "z = np.empty(4)\nnp.multiply(x, 2, out=z)\nreturn z",
    "added at": "z = np.zeros(3)\nnp.add.at(z, np.array([0, 2, 0, 1]), x)\nreturn z",
    "filled": "z = np.empty(4)\nz.fill(x[1])\nreturn z",
    "copied to": "z = np.full(4, 7.0)\nnp.copyto(z, x, where=x > 2)\nreturn z",
    "through a view": "z = np.arange(6.0).reshape(2, 3)\nrow = z[1]\nrow[0] = x[3]\nreturn z",
    "through rows": "z = np.zeros((3, 2))\nfor row in z: row[1] = x[2]\nreturn z",
    "in a generator": "z = np.zeros(4)\ndef g():\n    for i in range(4):\n        z[i] = i\n        yield i\n"
    "for v in g():\n    if v > n - 2: break\nreturn z",
    "in a helper": "z = np.zeros(4)\nhelp(z, x)\nreturn z",
    "swapped": "a, b = np.zeros(4), np.ones(4)\nfor _ in range(n):\n    b[0] = x[0]\n    a, b = b, a\nreturn a, b",
    "of a size that the graph knows": "z = np.zeros(n + 1)\nz[n] = x[0]\nreturn z",
    "of a matrix": "z = np.full((n, n), x[0])\nz[0] = -1\nreturn z",
    "of its diagonal": "z = np.eye(n)\nz[0, 1] += x[1]\nreturn z",
    "of steps": "z = np.arange(n)\nz[1] += 2\nreturn z, np.arange(1, n), np.arange(0.0, n, 0.5), np.arange(n, 0, -1)",
    "evenly": "return np.linspace(x[0], x[3], n), np.linspace(0, 1, n, endpoint=False)",
    "of values": "return np.array([x[0], 2, n]), np.array([[n, 1], [2, 3]]), np.asarray([x[0], x[1]], np.float32)",
    "of a comprehension": "return np.array([v * 2 for v in x]), np.array([x[i] for i in range(n)])",
    "of a list that grew": "out = []\nfor i in range(n): out.append(x[i] * 2)\nreturn np.array(out), np.stack(out)",
    "of rows": "out = []\nfor i in range(n): out.append(x * i)\nreturn np.vstack(out), np.concatenate(out)",
    "of a mesh": "a, b = np.meshgrid(x, np.arange(n))\nreturn a, b, np.indices((n, 2)), np.tri(n), np.identity(n)",
    "of indices": "return np.triu_indices(n), np.tril_indices(n, -1), np.diag_indices(n), np.fft.fftfreq(n, 0.5)",
    "of a table": "t = np.zeros(8, dtype=np.int64)\nfor i in range(8): t[i] = i * i\nreturn t[n] + x",
}  # fmt: skip
X = np.array([1.5, -2.0, 4.0, 0.25])


@pytest.mark.sampled(6, each="program")
@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_arrays_made_inside_are_what_they_are_to_numpy(program, jit_compile):
    body = program.replace("\n", "\n    ")
    f = load(f"def help(z, x):\n    z[1:] = x[1:]\ndef f(x, n):\n    {body}\n", "f", np=np)
    wanted = f(X.copy(), np.int64(3))
    found = runtime.function(f, jit_compile=jit_compile)(X.copy(), np.int64(3))
    pairs = zip(wanted, found) if isinstance(wanted, tuple) else [(wanted, found)]
    for a, b in pairs:
        for one, other in zip(a, b) if isinstance(a, tuple) else [(a, b)]:
            assert np.asarray(one).dtype == np.asarray(other).dtype
            np.testing.assert_allclose(other, one, rtol=1e-12)


@pytest.mark.parametrize(
    "call, error",
    [
        ("np.zeros(-n)", ValueError), ("np.zeros(x)", TypeError), ("np.zeros(n * 0.5)", TypeError),
        ("np.full((n, 2), np.ones(3))", ValueError), ("np.zeros(n, order='Q')", ValueError), ("np.eye(x)", TypeError),
        ("np.arange(x)", (TypeError, ValueError)), ("np.zeros(n, foo=1)", TypeError), ("np.array([x, x[:2]])",
        ValueError),
    ],
)  # fmt: skip
def test_what_numpy_does_not_make_a_graph_does_not(call, error):
    f = load(f"def f(x, n):\n    return {call}\n", np=np)
    for run in (f, runtime.function(f, jit_compile=False)):
        with pytest.raises(error if isinstance(error, tuple) else (error, runtime.errors.InvalidArgumentError)):
            run(X, np.int64(3))


@pytest.mark.parametrize("call", ["np.random.normal(size=n)", "np.random.rand(n)", "np.random.randint(0, n, 3)"])
def test_numbers_are_not_drawn_while_tracing(call):
    f = load(f"def f(x, n):\n    return x + {call}\n", np=np)
    with pytest.raises(TypeError, match=r'np\.random\.\w+ draws .* Tensor\("n:0".*runtime\.random'):
        runtime.function(f)(X, np.int64(4))
    assert f(X, 4).shape == (4,) if "randint" not in call else True


def test_what_is_refused_for_another_reason_is_told_as_it_was():
    f = load("def f(x):\n    z = np.zeros(3)\n    z[0] = 2.0\n    return hash(x[0]), z\n", np=np)
    with pytest.raises(TypeError, match="key of a dictionary or an element of a set"):
        runtime.function(f)(X)
