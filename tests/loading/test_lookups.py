"""Loaded code asks an operator for elements, whatever is printed."""

import linecache

import numpy as np
import pytest

import autograph
import runtime


def plain(table, i):
    return table[i]


def test_elements_are_looked_up_though_a_subscript_is_printed():
    assert "return table[i]" in autograph.to_code(plain)
    table = np.array([1.0, 2.0, 3.0])
    f = runtime.function(lambda i: plain(table, i), numpy=True)
    assert f(np.array(2)) == 3.0


@pytest.mark.parametrize("text", ["t[i]", "t[i, 0]", "t[i:]", "t[0, i:, None]", "t[-i]", "t[i][0]", "t[*i]", "t[:i:2]"])
def test_subscripts_are_as_ever(text):
    namespace = {}
    source = f"def f(t, i):\n    return {text}\n"
    filename = f"<lookups {text}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    exec(compile(source, filename, "exec"), namespace)

    class Told:
        def __getitem__(self, index):
            return [index]

    index = (1, 2) if "*" in text else 3
    f = namespace["f"]
    assert autograph.traced_form(f)(Told(), index) == f(Told(), index)


def test_errors_are_as_ever():
    def f(t, i):
        return t[i]

    converted = autograph.traced_form(f)
    with pytest.raises(KeyError, match="'a'") as found:
        converted({}, "a")
    assert [entry.name for entry in found.traceback][-1] == "f"
    with pytest.raises(TypeError, match="not subscriptable"):
        converted(3, 0)


@pytest.mark.parametrize(
    "text",
    [
        "a, *b = items; return a, b", "*a, b = items; return a, b", "a, *b, c = items; return a, b, c",
        "a, b, c = items; return a, b, c", "[a, *b] = items; return a, b", "return [*items, 0, *items], (*items,)",
        "a = b, *c = items; return a, b, c", "(a, b), *c = [items[:2], *items]; return a, b, c",
        "return 'a' in items, 'a' not in items",
    ],
)  # fmt: skip
@pytest.mark.parametrize("items", ["abc", (1, 2, 3), [1, 2], {}, range(3)], ids=repr)
def test_what_is_taken_apart_is_as_ever(text, items):
    def outcome(function):
        try:
            return function(items)
        except (KeyError, TypeError, ValueError) as error:
            return type(error), str(error)

    namespace = {}
    source = f"def f(items):\n    {text}\n"
    filename = f"<taken apart {text}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    exec(compile(source, filename, "exec"), namespace)
    assert outcome(autograph.traced_form(namespace["f"])) == outcome(namespace["f"])
