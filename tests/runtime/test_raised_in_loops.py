"""What an exception tells that ends a loop of the graph is what the iteration knew that raised it."""

import sys

import numpy as np
import pytest

import runtime
from tests.programs import EXECUTORS, load


class Bad(Exception):
    def __init__(self, where, value):
        super().__init__(f"bad {value} at {where}")
        self.where, self.value = where, value


def own_class(x, k):
    try:
        for i, v in enumerate(x):
            if v > k:
                raise Bad(i, v)
    except Bad as e:
        return str(e), e.where, e.value
    return "none"


def from_a_while(x, k):
    i = 0
    try:
        while i < len(x):
            if x[i] > k:
                raise ValueError(f"{x[i]} at {i}")
            i += 1
    except ValueError as e:
        return str(e), i
    return "none", i


def from_inner_loop(x, k):
    n = 0
    try:
        for v in x:
            for w in x:
                n += 1
                if v * w > k * 3:
                    raise ValueError(f"{v}*{w}")
    except ValueError as e:
        return str(e), n
    return n


def in_each_turn(x, k):
    out = []
    for r in range(3):
        try:
            for v in x:
                if v > k + r:
                    raise ValueError("big", v, r)
            out.append(-1)
        except ValueError as e:
            out.append(int(e.args[1]) * 10 + e.args[2])
    return out


def with_and_without(x, k):
    try:
        for v in x:
            if v > k:
                raise ValueError("bigger", v)
            if v == 2:
                raise ValueError("two")
    except ValueError as e:
        return len(e.args)
    return 0


def behind_arithmetic(x, k):
    total = 0
    try:
        for v in x:
            total += 1 / (v - k) if v != k else int("x")
    except ValueError as e:
        return str(e), total
    return total


def from_a_function(x, k):
    def check(v):
        if v > k:
            raise Bad("check", v * 2)
        return v

    s = 0
    for v in x:
        try:
            s += check(v)
        except Bad as e:
            s -= e.value
    return s


def uncaught(x, k):
    for v in x:
        if v > k:
            raise Bad("out", v)
    return 0


class Worse(Exception):
    pass


def from_another(x, k):
    for i, v in enumerate(x):
        try:
            if v > k:
                raise Bad(i, v)
        except Bad as e:
            raise Worse("outer", v + 1) from e
    return 0


def while_handling_another(x, k):
    for i, v in enumerate(x):
        try:
            if v > k:
                raise Bad(i, v)
        except Bad as e:
            raise Worse("outer", e.value, i)
    return 0


def from_none(x, k):
    for i, v in enumerate(x):
        try:
            if v > k:
                raise Bad(i, v)
        except Bad:
            raise Worse("outer", i) from None
    return 0


def from_a_new_one(x, k):
    for i, v in enumerate(x):
        if v > k:
            raise Worse(i) from KeyError(v)
    return 0


def after_the_loop(x, k):
    try:
        for i, v in enumerate(x):
            if v > k:
                raise Bad(i, v)
    except Bad as e:
        raise Worse("outer") from e
    return 0


def where_it_is_caught(f):
    def caught(x, k):
        try:
            return f(x, k)
        except Worse as e:
            c, d = e.__cause__, e.__context__
            return e.args, c and (type(c), c.args), d and (type(d), d.args), c is d, e.__suppress_context__

    caught.__name__ = f"{f.__name__}_caught"
    return caught


CHAINS = [from_another, while_handling_another, from_none, from_a_new_one, after_the_loop]


def in_a_tuple(x, k):
    try:
        for i, v in enumerate(x):
            if v > k:
                raise Worse((i, v), [i, (v,)], {"at": i, "v": [v]})
    except Worse as e:
        (i, v), rest, held = e.args
        return i, v, rest, held
    return 0


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y


def in_an_object(x, k):
    try:
        for i, v in enumerate(x):
            if v > k:
                raise Worse(Point(i, v))
    except Worse as e:
        return e.args[0].x, e.args[0].y
    return -1, np.int64(0)


def several_that_tell(x, k):
    try:
        for i, v in enumerate(x):
            if v > k:
                raise Worse("big", v)
            if v == k:
                raise ValueError("same", v * 2, i)
            if v < 0:
                raise Worse("small", v, i)
    except Worse as e:
        return e.args[0], e.args[1], len(e.args)
    except ValueError as e:
        return e.args[0], e.args[1], e.args[2] + 10
    return "none", np.int64(0), 0


def of_python(x, k):
    try:
        for i, v in enumerate(x):
            if v > k:
                raise OSError(i, f"large {v}")
            if v < 0:
                raise SyntaxError(f"small {v}")
    except OSError as e:
        return e.errno, e.strerror, str(e)
    except SyntaxError as e:
        return 0, e.msg, str(e)
    return 0, "", ""


def of_alike_arguments(x, k):
    try:
        for i, v in enumerate(x):
            if v > k:
                found = Worse("same")
                found.kind = "big"
                raise found
            if v == k:
                found = Worse("same")
                found.kind = "equal"
                raise found
    except Worse as e:
        return e.kind
    return "none"


def of_a_library(x, k):
    found = []
    for y in (x / 1.0, x * np.inf, (x - k) / (x - k)):
        try:
            for v in y:
                int(v)
        except ValueError as e:
            found.append(str(e))
        except OverflowError:
            found.append("large")
    return found


def kept(x, k):
    first = last = None
    for i, v in enumerate(x):
        try:
            if v > k:
                raise Bad(i, v)
        except Bad as e:
            last = e
            if first is None:
                first = e
    if first is None or last is None:
        return "none"
    return f"{first} {last}", first.where, first.value, last.args[0], last.where


def raised_later(x, k):
    last = None
    for i, v in enumerate(x):
        try:
            if v > k:
                raise Bad(i, v)
        except Bad as e:
            last = e
    if last is not None:
        raise last
    return 0


def one_of_several(x, k):
    e = ValueError("a", x[0]) if x[1] > k else KeyError("b", x[1])
    try:
        if x[-1] >= k:
            raise e
    except KeyError as e:
        return "key", e.args[1]
    return "none", x[0]


def kept_of_python(x, k):
    last = None
    for i, v in enumerate(x):
        try:
            if v > k:
                raise ValueError("big", v, i)
        except ValueError as e:
            last = e
    return "none" if last is None else (last.args[0], last.args[1], last.args[2])


class Node:
    def __init__(self, value):
        self.value, self.parent = value, self
        self.children = [self, (self, value)]


class Lost(Exception):
    def __init__(self, node, again):
        super().__init__("lost", node.value)
        self.node, self.again = node, again


def in_a_circle(x, k):
    try:
        for v in x:
            if v > k:
                node = Node(v)
                raise Lost(node, [node])
    except Lost as e:
        found = e.node.children[1][0]
        return found.value, found is e.node.parent, e.again[0] is found, e.args
    return "none"


def told_twice(x, k):
    try:
        for v in x:
            if v > k:
                row = [v, -v]
                raise ValueError(row, v, row)
    except ValueError as e:
        return e.args, e.args[0] is e.args[2]
    return "none"


PROGRAMS = [
    in_a_circle, told_twice,
    kept, raised_later, one_of_several, kept_of_python, own_class, from_a_while, from_inner_loop, in_each_turn,
    with_and_without, behind_arithmetic, from_a_function, uncaught, *CHAINS, *map(where_it_is_caught, CHAINS),
    in_a_tuple, in_an_object, of_python, several_that_tell, of_alike_arguments, of_a_library,
]  # fmt: skip


def told(error):
    """What an exception tells, and those that it came from."""
    if error is None:
        return None
    held = {k: v for k, v in vars(error).items() if k != "__notes__"}
    before = told(error.__cause__), told(error.__context__), error.__suppress_context__
    return type(error), repr(error.args), repr(held), before


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("start", [[1, 3, 2, 4], [1, 2, 1], [1, 1]], ids=str)
def test_what_it_tells(f, start, jit_compile):
    def outcome(function):
        try:
            return repr(function(np.array(start), np.int64(2)))
        except Exception as error:
            return told(error)

    with np.errstate(all="ignore"):
        assert outcome(runtime.function(f, numpy=True, jit_compile=jit_compile)) == outcome(f)


@pytest.mark.parametrize("f", [uncaught, while_handling_another], ids=lambda f: f.__name__)
def test_what_the_caller_handles_comes_before_all_that_the_graph_raises(f):
    graph = runtime.function(f, numpy=True)

    def outcome(function, *others):
        for other in others:
            try:
                try:
                    raise KeyError(other)
                except KeyError:
                    function(np.array([1, 3]), np.int64(2))
            except Exception as error:
                yield told(error)

    assert [*outcome(graph, "first", "second")] == [*outcome(f, "first", "second")]


WHERE_IT_DOES_NOT_MATTER = {
    "the number of arguments grows": ("raise ValueError(k, n)", "except ValueError: pass"),
    "one clause for all": (
        "if k == 7: raise ValueError(n)\nif k == 8: raise KeyError(k, n)", "except Exception: n += 100"
    ),
    "a tuple of classes": (
        "if k == 7: raise ValueError(n)\nif k == 8: raise KeyError(k, n)", "except (KeyError, ValueError): n = -n"
    ),
    "two clauses": (
        "if k == 7: raise ValueError(n)\nif k == 8: raise KeyError(k, n)",
        "except KeyError: n = -1\nexcept ValueError: n = -2",
    ),
    "one of two asks": (
        "if k == 7: raise ValueError(n)\nif k == 8: raise KeyError(k, n)",
        "except KeyError as error: n = len(error.args)\nexcept ValueError: n = -2",
    ),
    "it is asked without a name": (
        "if k == 7: raise ValueError(n)\nif k == 8: raise KeyError(k, n)",
        "except Exception: n = len(sys.exc_info()[1].args)",
    ),
    "it is raised again": (
        "if k == 7: raise ValueError(n)\nif k == 8: raise KeyError(k, n)",
        "except Exception: raise",
    ),
    "another is raised": (
        "if k == 7: raise ValueError(n)\nif k == 8: raise KeyError(k, n)",
        "except Exception: raise RuntimeError(n)",
    ),
    "something between asks": (
        "if k == 7: raise ValueError(n)\nif k == 8: raise KeyError(k, n)",
        "finally: n += 1",
    ),
}  # fmt: skip


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("raises, clause", WHERE_IT_DOES_NOT_MATTER.values(), ids=WHERE_IT_DOES_NOT_MATTER)
def test_a_clause_that_asks_nothing_of_what_it_catches_is_one_way(raises, clause, jit_compile):
    body = "\n".join(f"                {line}" for line in raises.splitlines())
    clauses = "\n".join(f"        {line}" for line in clause.splitlines())
    text = f"""
def f(ks):
    n = 0
    try:
        try:
            for k in ks:
                n += int(k)
{body}
{clauses}
    except (KeyError, ValueError, RuntimeError) as error:
        return repr(error), repr(error.__context__), n
    return n
"""
    plain = load(text, sys=sys)
    graph = runtime.function(plain, numpy=True, jit_compile=jit_compile)
    for ks in ([1, 2], [1, 7, 2], [8], [1, 2, 8, 7], []):
        assert repr(graph(np.array(ks, int))) == repr(plain(np.array(ks, int)))
