"""Objects whose attributes are in slots: what the graph decides about them and returns is what others have."""

import dataclasses

import numpy as np
import pytest

import runtime
from tests.programs import load


class Dual:
    __slots__ = ("d", "v")

    def __init__(self, v, d=0.0):
        self.v, self.d = v, d

    def __add__(self, other):
        return Dual(self.v + other.v, self.d + other.d)

    def __rmul__(self, number):
        return Dual(number * self.v, number * self.d)

    def __gt__(self, number):
        return self.v > number


class Named(Dual):
    __slots__ = ("name",)

    def __init__(self, v):
        super().__init__(v, 1)


class Open(Named):
    """One that has a dictionary besides."""


@dataclasses.dataclass(frozen=True, slots=True)
class Frozen:
    a: object
    b: object = None


def shown(value):
    if isinstance(value, list | tuple):
        return [type(value).__name__, *map(shown, value)]
    if isinstance(value, Dual | Frozen):
        held = {name: getattr(value, name) for c in type(value).__mro__ for name in getattr(c, "__slots__", ())
                if hasattr(value, name)}  # fmt: skip
        held |= getattr(value, "__dict__", {})
        return [type(value).__name__, {name: shown(part) for name, part in sorted(held.items())}]
    return type(value).__name__, np.asarray(value).dtype, np.asarray(value).tolist()


PROGRAMS = """
out = np.empty_like(xs)
for i, x in enumerate(xs):
    a = Dual(x, 1.0)
    out[i] = (a if a > 0 else -2 * a).d
return out
---
a = Dual(xs[0], xs[1])
if a > 0: r = a
else: r = Dual(xs[0] * -2, xs[1] * 3)
return r.d, r
---
a, b = Dual(xs[0]), Dual(xs[1], 5.0)
c = a if xs[2] > 0 else b
c.v += 1
return a, b, c.v
---
a = Dual(xs[0])
while a.v < 20: a = a + Dual(abs(a.v) + 1, 2.0)
return a
---
a = Named(xs[0])
if a > 0: a.name = xs[1]
else: a.name = xs[2] + a.d
return a, [a, a.name]
---
a = Open(xs)
a.new = xs[0] > 0
b = Frozen(a, (xs[1], Frozen(xs.sum())))
return b, vars(a), b.a is a
---
best = None
for x in xs:
    if best is None or x > best.v: best = Dual(x)
return best
"""


@pytest.mark.parametrize("body", PROGRAMS.strip().split("\n---\n"))
def test_objects_with_slots(body):
    lines = "\n    ".join(body.splitlines())
    names = {"np": np, "Dual": Dual, "Named": Named, "Open": Open, "Frozen": Frozen}
    f = load(f"def f(xs):\n    {lines}\n", **names)
    graph = runtime.function(f, numpy=True)
    for xs in (np.array([1.0, -2.0, 3.0]), np.array([-1.0, 2.0, -3.0]), np.array([4.0, 5.0, 6.0])):
        assert shown(graph(xs)) == shown(f(xs))
    assert graph.experimental_get_tracing_count() < 3  # and not once for each array


def test_each_call_makes_such_an_object_anew():
    f = runtime.function(lambda x: [Dual(x)] * 2, numpy=True)
    first, second = f(np.ones(2)), f(np.zeros(2))
    assert first[0] is first[1] is not second[0]
    assert (first[0].v.tolist(), second[0].v.tolist()) == ([1.0, 1.0], [0.0, 0.0])
