import numpy as np
import pytest

import runtime
from autograph import operators as ag__
from tests.programs import outcome, staging

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
