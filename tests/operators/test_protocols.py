"""Special methods of the user's classes that give something staged, where Python wants a bool, an int or a str."""

import numpy as np
import pytest

import runtime as tf
from tests.programs import EXECUTORS, load

CLASSES = """
class Truth:
    def __init__(self, v): self.v = v
    def __bool__(self): return bool(self.v > 1)
    def __repr__(self): return f"Truth({self.v})"

class Sized:
    def __init__(self, v): self.v = v
    def __len__(self): return int(self.v)
    def __str__(self): return f"<{self.v}>"
    def __int__(self): return int(self.v * 2)
    def __float__(self): return float(self.v * 2)
    def __contains__(self, item): return self.v == item

class Both(Truth):
    def __str__(self): return f"both {self.v}"
    def __format__(self, spec): return "formatted"

class Counting:
    def __init__(self, v): self.v, self.asked = v, 0
    def __bool__(self):
        self.asked += 1
        return bool(self.v > 1)
"""
PROGRAMS = {
    "branch": "if Truth(n): return 1\nreturn 2",
    "chain of branches": "if n > 5: return 1\nelif Truth(n): return 2\nelif Sized(n): return 3\nreturn 4",
    "expression": "return 1 if Truth(n) else 2 if Sized(n) else 3",
    "not": "return not Truth(n), not Sized(n), not not Truth(n)",
    "and": "return (Truth(n) and n > 0 and 5) == 5",
    "or": "return (Sized(n) or 7) == 7, bool(Truth(n) or Sized(n))",
    "loop": "s, k = Sized(n), 0\nwhile s:\n    s.v = s.v - 1\n    k += 1\nreturn k, s.v",
    "loop with an exit": "s, k = Sized(n), 0\nwhile s:\n    s.v = s.v - 1\n    if k == 1: break\n    k += 1\nreturn k",
    "assertion": "assert Truth(n + 2)\nreturn 1",
    "comprehension": "return len([x for x in (1, 2) if Truth(n)])",
    "any and all": "return any([Truth(n), Truth(0)]), all([Truth(n), Sized(n)])",
    "bool": "return bool(Truth(n)), bool(Sized(n))",
    "len": "return len(Sized(n)) + 1",
    "int and float": "return int(Sized(n)) + 1, float(Sized(n)) / 2",
    "in": "return 2 in Sized(n), n in Sized(2), 5 not in Sized(n)",
    "asked once": "c = Counting(n)\nif c: r = 1\nelse: r = 2\nreturn c.asked, r, (c and 5) == 5, c.asked",
    "str": "return str(Truth(n)), str(Sized(n)), str(Both(n))",
    "repr": "return repr(Truth(n)), repr([Truth(n), 1]), repr({'a': (Both(n),)})",
    "f-string": "return f'{Truth(n)} {Sized(n)!s} {Truth(n)!r}'",
    "format": "return '{} {:}'.format(Truth(n), n), '{0!r}'.format(Truth(n)), '{a}'.format(a=Sized(n))",
    "attribute in a format": "return '{0.v}'.format(Sized(n))",
    "parts in a format": "return '{.v} {}'.format(Sized(n), n), '{a.v} {}'.format(n, a=Sized(n)), "
    "'{0[a][1]:>{w.v}} {{x}}'.format({'a': [1, n]}, w=Sized(n + 3))",
    "percent": "return '%s %r' % (Both(n), Both(n)), '%s' % Sized(n)",
    "container": "return str([Truth(n)]), f'{(Both(n), n)}'",
    "in a branch": "if n > 1: return str(Truth(n)), len(Sized(n))\nreturn 'none', 0",
    "one of two": "b = Truth(n) if n > 2 else Sized(n)\nreturn 1 if b else 2, str(b)",
}


def plain(value):
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    value = value.numpy() if hasattr(value, "numpy") else value
    return value.decode() if isinstance(value, bytes) else value


def classes():
    names = {}
    exec(compile(CLASSES, "<classes>", "exec"), names)
    return {name: kind for name, kind in names.items() if isinstance(kind, type)}


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("body", PROGRAMS.values(), ids=PROGRAMS)
def test_what_special_methods_give_may_be_staged(body, jit_compile):
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    f = load(f"{CLASSES}\ndef f(n):\n{lines}")
    graph = tf.function(f, jit_compile=jit_compile)
    for n in (0, 1, 2, 3):
        assert plain(graph(np.int64(n))) == f(np.int64(n)), n


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("__bool__(self): return 5", "__bool__ should return bool, returned int"),
        ("__len__(self): return -1", r"__len__\(\) should return >= 0"),
        ("__len__(self): return 'x'", "'str' object cannot be interpreted as an integer"),
    ],
)
def test_what_python_does_not_take_is_refused_as_python_does(body, message):
    f = load(f"class A:\n    def {body}\ndef f(n):\n    if A(): return n\n    return n + 1\n")
    for call in (f, tf.function(f)):
        with pytest.raises((TypeError, ValueError), match=message):
            call(np.int64(1))
