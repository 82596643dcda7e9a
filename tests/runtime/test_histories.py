"""Lists that a program only appends to, as its history: staged statements may do so, too, and each call appends what a
program without a graph appends."""

import itertools

import numpy as np
import pytest

import autograph
import runtime
from tests.programs import EXECUTORS, load

BEFORE = """
class Model:
    def __init__(self):
        self.log, self.logs, self.n, self.last, self.w = [], {"a": [], "b": []}, 0, 0.0, np.ones(2)

    @decorated
    def step(self, x):
"""

# What a method does with x, a number of NumPy's. Nothing but statements reads a history.
BODIES = {
    "in a branch": "if x > 0: self.log.append(x)",
    "in both": "if x > 0: self.log.append(x)\nelse: self.log.append(-x)",
    "Python's": "if x > 0: self.log.append(float(x))\nelif x < -1: self.log.append(-float(x))",
    "tuples": "if x > 0: self.log.append(('buy', float(x)))\nelif x < 0: self.log.append(('sell', float(x)))",
    "tuples in tuples": "if x > 0: self.log.append((self.n, (x, 'up')))\nself.n += 1",
    "texts": "if x > 0: self.log.append('up')\nelse: self.log.append('down')",
    "before and after": "self.log.append(x)\nif x > 0: self.log.append(x * 2)\nself.log.append(x * 3)",
    "in a loop": "for i in range(3):\n    if x > i: self.log.append(i)",
    "in a long loop": "for i in range(200):\n    if x * i > 100: self.log.append(i)",
    "in a while loop": "while x > 0:\n    self.log.append(float(x))\n    x = x - 1",
    "with a break": "for i in range(9):\n    if i > x: break\n    self.log.append(i * 2)",
    "with a return": "if x > 2: return 1\nself.log.append(x)\nreturn 0",
    "extended": "if x > 0: self.log.extend([x, 2 * x])",
    "of a dictionary": "if x > 0: self.logs['a'].append(x)\nelse: self.logs['b'].append(x)",
    "a global one": "if x > 0: LOG.append(x)",
    "one by two names": "if x > 0: self.log.append(x)\nif x > 1: self.same.append(x * 10)",
    "by a method": "add = self.log.append\nif x > 0: add(x)",
    "by another method": "self.note(x)",
    "by a helper": "self.told(x)",
    "with numbers of the program": "self.n += 1\nif x > 0: self.log.append((self.n, x))\nreturn self.n",
    "with arrays of the program": "self.w += x\nif x > 0: self.log.append(self.w.sum())\nreturn self.w",
    "the last": "if x > self.last: self.log.append(float(x - self.last))\nself.last = float(x)",
    "raised while tracing": "if x > 0: self.log.append(x)\nraise ValueError('always')",
    "raised by the graph": "if x < 0: raise ValueError('negative')\nif x > 1: self.log.append(x)",
    "caught": "try:\n    if x < 0: raise ValueError('negative')\n    self.log.append(x)\nexcept ValueError:\n"
    "    self.log.append(0 * x)",
    "not at all": "if x > 100: self.log.append(x)",
}  # fmt: skip
AFTER = """
    def note(self, x):
        if x > 0:
            self.log.append(x + 0.5)

    @decorated
    def told(self, x):
        if x > 0:
            self.log.append(x + 0.25)
"""
NUMBERS = [1.0, -2.0, 3.5, 0.0, 2.0]


def used(body, decorated):
    """What calls give, and what the model and its histories are after each; they stay the lists that they were."""
    lines = "".join(f"        {line}\n" for line in body.split("\n"))
    log = []
    cls = load(f"{BEFORE}{lines}{AFTER}", name="Model", np=np, decorated=decorated, LOG=log)
    model, seen = cls(), []
    first = model.log
    if "same" in body:
        model.same = first
    for number in NUMBERS:
        try:
            result = model.step(np.float64(number))
        except autograph.StagingError:
            raise
        except ValueError as error:
            result = str(error)
        seen.append(repr((result, vars(model), log, model.log is first, {*map(type, model.log)})))
    return seen


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("body", BODIES)
def test_histories_are_appended_to_as_without_a_graph(body, jit_compile):
    def decorated(method):
        return runtime.function(method, numpy=True, jit_compile=jit_compile)

    assert used(BODIES[body], decorated) == used(BODIES[body], lambda method: method)


@pytest.mark.parametrize("first, second", [*itertools.permutations([*BODIES][:13], 2)])
@pytest.mark.sampled(8)
def test_histories_of_several_statements(first, second):
    """Where one history gets elements of several kinds, each number has a graph."""
    body = f"{BODIES[first]}\n{BODIES[second]}"
    assert used(body, lambda method: runtime.function(method, numpy=True)) == used(body, lambda method: method)


def test_such_a_method_is_traced_once():
    class Model:
        def __init__(self):
            self.log = []

        def step(self, x):
            if x > 0:
                self.log.append(x)

    model, step = Model(), runtime.function(Model.step, numpy=True)
    for number in NUMBERS:
        step(model, np.float64(number))
    assert model.log == [x for x in NUMBERS if x > 0]
    assert step.experimental_get_tracing_count() == 1


@pytest.mark.parametrize("value", ["self.w", "[x]", "(x, self.w)", "a", "{'x': self.w}", "self.w[:1]"])
def test_histories_hold_no_copies_of_arrays_and_lists(value):
    """What is written later would not be seen in them."""
    body = f"if x > 0: self.log.append({value.replace('a', 'x')})\nself.w += 1"
    assert used(body, lambda method: runtime.function(method, numpy=True)) == used(body, lambda method: method)

    class Model:
        def __init__(self):
            self.log, self.w = [], np.ones(2)

    step = load(f"def step(self, a):\n    x = a[0]\n    if x > 0: self.log.append({value})\n", name="step", np=np)
    with pytest.raises(autograph.StagingError, match=r"puts an? .* into '(self)?\.?log'"):
        runtime.function(step, numpy=True)(Model(), np.ones(1))


@pytest.mark.parametrize("value", ["self.w * x", "x * np.ones(1)", "(x, self.w.copy())", "a + 1", "{'x': -self.w}"])
def test_histories_hold_arrays_that_have_no_other_name(value):
    step = f"def step(self, a):\n    x = a[0]\n    if x > 0: self.log.append({value})\n    self.w += 1\n"

    def log(decorated):
        class Model:
            def __init__(self):
                self.log, self.w = [], np.ones(2)

        model, function = Model(), decorated(load(step, name="step", np=np))
        for number in NUMBERS:
            function(model, np.array([number]))
        return repr(model.log)

    assert log(lambda step: runtime.function(step, numpy=True)) == log(lambda step: step)


@pytest.mark.parametrize(
    "rest",
    [
        "return made", "self.last = made", "self.other.append(made)", "self.log.append(made)", "return [made]",
        "return self.log[-1]", "self.last = self.log[-1]", "self.other = self.log[:]", "self.last = made[1:]",
    ],
)  # fmt: skip
@pytest.mark.parametrize("made", ["a * 2", "{'x': a.sum()}"])
def test_what_histories_hold_has_no_other_name(made, rest):
    """It would be another object, in which nobody sees what is written to the one in the list."""
    if "[1:]" in rest and "{" in made:
        pytest.skip("no slice of a dictionary")

    class Model:
        def __init__(self):
            self.log, self.other, self.last = [], [], None

    lines = f"def step(self, a):\n    made = {made}\n    if a[0] > 0:\n        self.log.append(made)\n    {rest}\n"
    lines = lines.replace("    self.other.append", "        self.other.append")
    with pytest.raises(autograph.StagingError, match="has another name, too|would be a copy|cannot|in a list"):
        runtime.function(load(lines, name="step", np=np), numpy=True)(Model(), np.ones(2))


@pytest.mark.parametrize("made", ["xs * 2", "{'n': 1}", "np.zeros(2)"])
def test_histories_hold_nothing_twice(made):
    """The elements would be other objects than one another."""

    class Model:
        def __init__(self):
            self.log = []

    lines = f"def f(self, xs):\n    one = {made}\n    for x in xs:\n        if x > 0: self.log.append(one)\n"
    with pytest.raises(autograph.StagingError, match="is in two lists"):
        runtime.function(load(lines, np=np), numpy=True)(Model(), np.ones(2))


def test_lists_in_lists_that_the_graph_makes_are_pythons():
    def f(x):
        found = []
        if x > 0:
            found.append([x, [x * 2]])
        return found

    (made,) = runtime.function(f, numpy=True)(np.float64(1.0))
    assert type(made) is list and type(made[1]) is list and made == [1.0, [2.0]]
