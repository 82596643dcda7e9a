"""Text that only the graph knows has the methods, characters and parts that Python's text has."""

import numpy as np
import pytest

import runtime
from tests.programs import EXECUTORS, load

EXPRESSIONS = """
s[0]
s[-1]
s[k]
s[::-1]
s[1:]
s[:k]
s[k:k + 2]
s[9]
s[x[0]:]
len(s)
len(s[1:])
"5" in str(x[k])
str(k) in s
str(k) not in "a1b2"
s in ("1221", "x")
s.count("1")
s.replace("1", "22")
s.replace(str(k), "-")
s.startswith("12")
s.startswith(("5", s[0]))
s.endswith("1")
s.find("2"), s.rfind("2"), s.find("9")
s.index("2")
s.index("9")
s.zfill(6), s.rjust(6, "*"), s.ljust(6) + "|", s.center(9, ".")
s.split("2"), s.split("2", 1), s.rsplit("2", maxsplit=1)
s.partition("2"), s.rpartition("7")
s.strip("1"), s.lstrip("1"), s.rstrip("1"), s.removeprefix("12"), s.removesuffix("1")
s.isdigit(), s.isalpha(), s.isspace(), s.upper().isupper()
(s + "aB").upper(), (s + "aB").lower(), (s + "aB").swapcase(), (s + "aB").title()
s * 2 + "z", s * 0, s * k
"%s and %d" % (s, k)
f"{'ab':*^{k + 4}}", f"{1.5:.{k}f}"
(s + "%%") % ()
int(s[::-1]), float(s), int(s) + 1
int(s, 16), int(s, base=9), int("12", k + 5), float(s + ".5")
int(s + "z", 36)
int(s + "z")
float(s + "z")
"abc"[k + 5]
(1, 2, 3)[k + 5]
[1, 2, 3][k + 5]
range(3)[k + 5]
b"abc"[k + 5]
ord(s[0]) - ord("0")
chr(ord(s[0]) + 17)
[int(c) for c in s]
sum(int(c) for c in s)
[c for c in s][::-1]
list(s), sorted(s), sorted(s, reverse=True)
"".join(reversed(s)), "".join(sorted(s))
set(s), {c: s.count(c) for c in "12"}
[i for i, c in enumerate(s) if c == "2"]
list(zip(s, "abcd"))
list(map(int, s))
max(s), min(s)
max(str(v) for v in x)
" ".join(str(v).rjust(6) for v in x)
[str(v).startswith("1") for v in x]
all(c in "1257" for c in s), any(c > "6" for c in s)
s == s[::-1], s < "5", s != str(k)
"1" in s, "9" in s, "1" not in s
"5" in [str(v) for v in x]
"abcdef"[k:], "abcdef"[:k + 1], "abcdef"[k:k + 2], "abcdef"[::k + 1], "abcdef"[-1 - k:]
"a1221b".find(s), "a1221b".replace(s, "-"), "7-7".count(s), "a1221".endswith(("b", s))
"a,b".split(s[0]), "a7b".partition(s), "12".startswith(str(k)), "abc".removeprefix(s)
"abc".center(k + 6, "*"), "abc".ljust(k + 5), "abc".rjust(width := k + 4), "1".zfill(k + 2)
"aXbXc".split("X", k), "aXbX".replace("X", "-", k)
"ab".index(s)
str.find("a1221b", s)
s.nothing()
s + 1
s["1"]
s.count(1)
""".strip().splitlines()


def reverse_equals(x, k):
    found = 0
    for v in x:
        s = str(v)
        if s == s[::-1]:
            found += 1
    return found


def from_both_ends(x, k):
    s = str(x[k])
    i, j = 0, len(s) - 1
    while i < j:
        if s[i] != s[j]:
            return False
        i, j = i + 1, j - 1
    return True


def hexadecimal(x, k):
    n, written = x[k], ""
    while n > 0:
        written = "0123456789ABCDEF"[n % 16] + written
        n //= 16
    return written


def letters(x, k):
    counts = {}
    for v in x:
        for c in str(v):
            counts[c] = counts.get(c, 0) + 1
    return counts


def runs(x, k):
    text, out, i = str(x[k]), "", 0
    while i < len(text):
        j = i
        while j < len(text) and text[j] == text[i]:
            j += 1
        out += text[i] + str(j - i)
        i = j
    return out


def caught(x, k):
    found = []
    for v in (7, 1, 9):
        try:
            found.append(str(x[k]).index(str(v)))
        except ValueError:
            found.append(-1)
    try:
        return found, str(x[k])[x[0]]
    except IndexError:
        return found, "none"


def caught_told(x, k):
    def told(f):
        try:
            return f()
        except (ValueError, IndexError) as e:
            return e.args

    s = str(x[k])
    return [
        told(lambda: int(s + "z")),
        told(lambda: int(s, 2)),
        told(lambda: s[k + 9]),
        told(lambda: "abc"[k + 9]),
        told(lambda: (1, 2)[k + 9]),
        told(lambda: x[k + 9]),
        told(lambda: s.index("9")),
        told(lambda: float("z" + s)),
    ]


def cipher(x, k):
    text = "".join(chr(97 + v % 26) for v in x)
    return "".join(chr((ord(c) - 97 + k) % 26 + 97) for c in text)


def chosen(x, k):
    s = str(x[k]) if k > 0 else "abc"
    if len(s) > 2:
        s = s[1:].upper()
    return s, s.find("C"), s.replace("B", "b") if k > 5 else s[0]


def outcome(f, k):
    try:
        found = f(np.array([7, 1221, 512]), np.int64(k))
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        return type(error), str(error).split("\n")[0].replace("Scalar", "str")
    return type(found), found, repr(found)


@pytest.mark.filterwarnings("ignore:.*has been traced:UserWarning")
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expressions(expression):
    f = load(f"def f(x, k):\n    s = str(x[k])\n    return {expression}\n", np=np)
    for jit_compile in EXECUTORS:
        graph = runtime.function(f, numpy=True, jit_compile=jit_compile)
        for k in (1, 0, 2):
            found, wanted = outcome(graph, k), outcome(f, k)
            if isinstance(wanted[1], set):
                assert found[1] == wanted[1]
            else:
                assert found == wanted if wanted[0] not in (AttributeError, TypeError) else found[0] is wanted[0]


def digits_of(x, k):
    digits = "0123456789abcdef"
    total = 0
    for c in str(x[k]):
        if c in digits and "1" in c:
            total += digits.index(c) * 100
        else:
            total += digits.find(c)
    return total


def taken_apart(x, k):
    hours, minutes = f"{x[k]}:{k}".split(":")
    first, *rest = str(x[k])
    *most, last = [v for v in x if v > 7] + [k]
    found = [c for c in str(x[k]) if c > "1"]
    return int(hours) * 60 + int(minutes), first, rest, most, last, [*found, "x", *str(k)], [*rest]


def not_enough(x, k):
    a, b = str(x[k])[: k + 2]
    return a + b


def too_many(x, k):
    try:
        a, b, *c = str(x[k]).split("2")
    except ValueError as e:
        return str(e)
    return a, b, c


def from_a_template(x, k):
    return "".join(c.upper() for c in f"a{x[k]}b{k}"), [c for c in f"{k}-{x[k]}"][0], "1" in f"{x[k]}"


def caught_types(x, k):
    try:
        return ord(str(x[k]) + "z")
    except TypeError as e:
        return e.args


PROGRAMS = (
    taken_apart, not_enough, too_many, from_a_template, digits_of, caught_types, reverse_equals, from_both_ends,
    hexadecimal, letters, runs, caught, caught_told, cipher, chosen,
)  # fmt: skip


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(f, jit_compile):
    graph = runtime.function(f, numpy=True, jit_compile=jit_compile)
    for k in (1, 0, 2):
        assert outcome(graph, k) == outcome(f, k)
    assert graph.experimental_get_tracing_count() == 1
