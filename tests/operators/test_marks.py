"""Code of others that asks staged values for their text gives text with the values in it."""

import collections
import csv
import dataclasses
import io
import json
import pprint
import reprlib
import string
import types

import numpy as np
import pytest

import runtime
from autograph import StagingError
from autograph.operators import marks
from tests.programs import load


@dataclasses.dataclass
class Pair:
    left: object
    right: object = 2


class Named:
    def __init__(self, v):
        self.v = v

    def __repr__(self):
        return f"Named {self.v}"


def braces(v):
    """What a library could make: marks beside what a template would take for a field."""
    return f"{{}} {v} {{0}} {v!r} {v:>4}"


SCOPE = {"Pair": Pair, "Named": Named, "types": types, "collections": collections}
EXPRESSIONS = [
    "str(Pair(n))", "repr(Pair(n, [n]))", "f'{Pair(n)!r:>30}|'", "'%-30r|' % Pair(n)",
    "str(types.SimpleNamespace(a=n))", "str(collections.deque([n, Named(n)]))", "'{0} {0!r}'.format(Pair(n))",
    "str([collections.deque([Pair(Named(n))])])", "str({1: n}.items())", "str(ValueError(n, 'a'))",
    "f'{n} {collections.Counter(a=n)}'",
]  # fmt: skip


@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.parametrize("options", [{}, {"input_signature": [runtime.TensorSpec((), runtime.int64)]}], ids=str)
def test_text_of_others_shows_what_the_graph_knows(expression, options):
    f = load(f"def f(n):\n    return {expression}\n", **SCOPE)
    staged = runtime.function(f, **options)
    for n in (np.int64(1), np.int64(5)):
        assert staged(n).numpy().decode() == f(n)


CHANGES = [
    "s = {1}; t = f'{n} {s}'; s.add(2)", "s = collections.deque([1]); t = f'{n} {s}'; s.append(2)",
    "s = types.SimpleNamespace(a=1); t = f'{n} {[s]}'; s.a = 2", "s = Pair(n); t = str(s); s.left = 7",
    "s = bytearray(b'a'); t = '%s %s' % (n, s); s += b'b'", "s = np.zeros(2); t = f'{n} {s}'; s[0] = 1",
]  # fmt: skip


@pytest.mark.parametrize("statements", CHANGES)
def test_a_text_does_not_change_with_what_it_was_made_of(statements):
    f = load(f"def f(n):\n    {statements}\n    return t\n", **SCOPE, np=np)
    assert runtime.function(f)(np.int64(3)).numpy().decode() == f(np.int64(3))


def test_marks_stand_for_values_in_text_that_looks_like_a_template():
    text, found = marks.asked(braces, (_Asked(),), {}, False)
    assert [how for _, how in found] == [":", "!r", ":>4"] and text.count("\0") == 6
    assert marks.filled(text, found) == text  # nothing is staged there
    assert marks.mark(1, "") is None


class _Asked:
    def __str__(self):
        return marks.mark(self, "!s")

    def __repr__(self):
        return marks.mark(self, "!r")

    def __format__(self, spec):
        return marks.mark(self, f":{spec}")


@pytest.mark.parametrize("options", [{}, {"numpy": True}], ids=str)
def test_text_that_describes_a_value_of_the_graph_is_refused(options):
    f = runtime.function(lambda n: string.Template("$n").substitute(n=n), **options)
    with pytest.raises(StagingError, match="has no text there. Make the text with str, format or an f-string"):
        f.get_concrete_function(np.int64(3))


def grown(x):
    out = []
    for v in x:
        if v > 1:
            out.append(int(v))
    return out


def written_as_csv(x):
    file = io.StringIO()
    csv.writer(file).writerow([x[0], 2])
    return file.getvalue()


@pytest.mark.parametrize(
    "makes",
    [
        lambda x: reprlib.repr(x[0]),
        lambda x: reprlib.repr([int(x[0]), 2]),
        lambda x: pprint.pformat(grown(x)),
        lambda x: pprint.pformat({"a": [grown(x)]}),
        lambda x: reprlib.repr(grown(x)),
        lambda x: json.dumps([x[0]], default=str),
        lambda x: json.dumps([x[0]], default=repr).encode(),
    ],
)
def test_what_is_left_of_a_description_is_refused_too(makes):
    with pytest.raises(StagingError, match="as code that is not converted made it"):
        runtime.function(makes)(np.arange(4))


def test_a_row_of_a_file_is_not_written_of_a_description():
    with pytest.raises(StagingError, match=r"writerow\(\) is given a value that only the graph knows"):
        runtime.function(written_as_csv)(np.arange(4))


@pytest.mark.parametrize(
    "text", ["<list of items>", "<list of (a)>", "<tf.Tensor>", "Tensor(x)", "a <list of names...>"]
)
def test_text_of_the_users_own_is_no_description(text):
    assert runtime.function(lambda x: (x, text))(1)[1].numpy().decode() == text


class Money:
    def __init__(self, v):
        self.v = v

    def __format__(self, spec):
        return "EUR " + format(self.v, spec) if self.v > 0 else "none"


@pytest.mark.parametrize(
    "expression",
    ["f'{m:.2f}'", "format(m, '.1f')", "'{:>5}|{a}'.format(m, a=m)", "'{1:.1f} {0}'.format(x, m)", "f'{m}'"],
)
def test_an_object_formats_itself_as_the_graph_finds(expression):
    f = load(f"def f(x):\n    m = Money(x)\n    return {expression}\n", Money=Money)
    for x in (np.float64(2.5), np.float64(-1.0)):
        assert runtime.function(f)(x).numpy().decode() == f(x)
