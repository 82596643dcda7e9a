import numpy as np
import pytest

import runtime
from autograph import operators as ag__
from tests.programs import load, outcome, staging

TEXTS = [("{:.2f} m", (3.14159,)), ("{!r} {}", ("a", "b")), ("{:{}}|", (5, 4)), ("{{}}", ())]
PERCENT = [("%d m", 3), ("%s and %r", ("a", "b")), ("%(k)s", {"k": 1}), ("%%", ()), ("%5.1f|", 2.25)]


@pytest.mark.parametrize("staged", [False, True])
def test_text_is_pythons(staged):
    def check():
        for template, values in TEXTS:
            assert ag__.text(template, *values) == template.format(*values)
        for template, values in PERCENT:
            assert ag__.percent(template, values) == template % values

    if not staged:
        check()
        return
    with staging():
        check()


@pytest.mark.parametrize("template, values", [("%d", "a"), ("%d %d", 1), ("%d", (1, 2))])
def test_errors_are_pythons(template, values):
    assert outcome(ag__.percent, template, values) == outcome(lambda: template % values)


def told(x, y):
    return f"{x} of {y:.2f}", "%d and %s" % (x, y), "{}!".format(x), f"{x=}"


@pytest.mark.parametrize("x, y", [(3, 2.5), (-1, 0.125)])
def test_the_graph_makes_text_of_staged_values(x, y):
    values = np.int64(x), np.float64(y)
    assert tuple(text.numpy().decode() for text in runtime.function(told)(*values)) == told(*values)


CONTAINERS = [
    "(a[0], 2)", "[(a[0], 2), {1: [n]}]", "{'k': (n, [a[1]])}", "[a, n]", "[[], [n]]", "[n > 0, None]", "[str(n)]",
    "{1, 2}", "()", "(n,)", "[[[[n]]]]",
]  # fmt: skip
SPELLINGS = [
    "str(t)", "repr(t)", "ascii(t)", "format(t)", "f'{t}'", "f'{t!r}'", "'%s' % (t,)", "'%r' % (t,)", "'{}'.format(t)",
    "'{0!r} {x}'.format(t, x=t)", "'{x}'.format_map({'x': t})", "'%(k)s' % {'k': t}", "', '.join(map(str, [t, t]))",
    "''.join([repr(t)])", "str(t) + '!'", "[str(t)][0]",
]  # fmt: skip


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("container", CONTAINERS)
def test_the_graph_makes_text_of_containers_of_staged_values(container, spelling):
    f = load(f"def f(a, n):\n    t = {container}\n    return {spelling}\n")
    given = np.array([1.5, -2.0]), np.int64(3)
    made = runtime.function(f)(*given)
    assert (made.numpy().decode() if isinstance(made, runtime.Tensor) else made) == f(*given)
