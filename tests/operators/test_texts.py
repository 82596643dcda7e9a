import numpy as np
import pytest

import runtime
from autograph import operators as ag__
from autograph.operators.texts import leaves, made
from tests.programs import at_rest, load, outcome, staging

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
        with at_rest():
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


PERSON = """
class Person:
    def __init__(self, n):
        self.n = n
    def __str__(self):
        return f"<{self.n}>"
    def __repr__(self):
        return f"Person({self.n})"
class Text(str):
    pass
class Loud(str):
    def format(self, *values):
        return "loud"
def f(n):
    p = Person(n)
    return """
OF_OBJECTS = [
    "'{}'.format(p)", "'{} {!r}'.format(p, p)", "'{x} {x!r}'.format(x=p)", "'{}'.format([p])", "'{x}'.format(x=[p])",
    "'{}'.format((p, [p]))", "'{!r:>12}|'.format(p)", "f'{p} {p!r} {[p]} {(p,)}'", "'%s' % p", "'%r' % p",
    "'%s %r' % (p, p)", "'%s' % [p]", "str([p])", "repr((p, 1))", "str({'k': p})", "format([n], '')", "format(n, '>5')",
    "'{p} {p!r}'.format_map({'p': p})", "'{p}'.format_map({'p': [p]})", "'{p.n}'.format(p=p)",
    "','.join([str(p), 'b'])",
    "','.join(str(x) for x in [p, n])", "str.format('{}', n)", "str.format('{x}', x=n)", "str.format('{}', p)",
    "str.format_map('{x}', {'x': n})", "str.join(',', [str(n)])", "str.format('{}', 'x')", "str.upper('x')",
    "list(map(str.format, ['{}', '{} {}'], [n, 2], [n, n]))[1]", "Text('{}').format(n)", "Text('{}').format(p)",
    "Text('{x}').format_map({'x': n})", "Text(',').join([str(n)])", "super(Text, Text('{}')).format(n)",
    "Loud('{}').format(n)", "Loud('{x}').format_map({'x': n})",
]  # fmt: skip


@pytest.mark.parametrize("spelling", OF_OBJECTS)
def test_the_graph_makes_text_of_objects_that_hold_staged_values(spelling):
    f = load(PERSON + spelling)
    made = runtime.function(f)(np.int64(3))
    assert (made.numpy().decode() if isinstance(made, runtime.Tensor) else made) == f(np.int64(3))


@pytest.mark.parametrize(
    "function, arguments",
    [
        (str.join, (",", ["a"], ["b"])),
        (str.join, (",", [1])),
        (str.join, (",",)),
        (str.format, ("{}",)),
        (str.format_map, ("{x}", {})),
        (str.format_map, ("{x}", {"x": 1}, {})),
    ],
)
def test_wrong_calls_of_what_makes_text_are_pythons(function, arguments):
    wanted = outcome(function, *arguments)
    with staging():
        assert outcome(made, function, *arguments) == wanted


def test_join_asks_an_iterator_once():
    taken = []

    def parts():
        for part in "abc":
            taken.append(part)
            yield part

    with staging():
        assert made(str.join, "-", parts()) == "a-b-c"
    assert taken == ["a", "b", "c"]


def test_the_parts_of_a_list_in_itself_are_looked_at_once():
    items = [1, (2, {"k": 3}), slice(4, 5, 6)]
    items.append(items)
    assert [part for part in leaves([items]) if type(part) is int] == [1, 2, 4, 5, 6, 3]
    with staging():
        assert made(str.format, "{}", items) == str(items)


def test_an_error_of_the_users_shows_no_frame_of_ours():
    class Bad:
        def __str__(self):
            raise KeyError("mine")

    with staging(), pytest.raises(KeyError, match="mine") as caught:
        made(str.format, "{}", Bad())
    assert "autograph" not in [frame.path.parent.parent.name for frame in caught.traceback[1:]]
