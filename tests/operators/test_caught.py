"""No clause of the program's catches that a library does not know what stands for a value of the graph."""

import contextlib
import decimal
import fractions
import json
import queue
import statistics
import sys

import numpy as np
import pytest

import autograph
import runtime
from autograph import StagingError
from runtime.tensors.numbers import Scalar
from tests.operators.test_attempts import plain
from tests.programs import load, staging


def of_python(n):
    try:
        return json.dumps(int(n))
    except TypeError:
        return "?"


def of_c(n):
    try:
        return float(decimal.Decimal(int(n)))
    except Exception:
        return -1.0


def of_cython(n):
    try:
        drawn = np.random.SeedSequence(n).generate_state(1)[0]
    except (TypeError, ValueError):
        drawn = -1
    return drawn


def of_a_method(n):
    try:
        return int(n).to_bytes(4, "big")[3]
    except AttributeError:
        return -1


def which_asks_the_number(n):
    try:
        return fractions.Fraction(int(n), 3).limit_denominator(5).denominator
    except Exception:
        return -1


def of_many(n):
    try:
        mean = statistics.mean([n, n + 1, 3])
    except Exception:
        mean = -1
    return mean


def suppressed(n):
    text = "?"
    with contextlib.suppress(TypeError):
        text = json.dumps([int(n)])
    return text


def left_by_a_return(n):
    text = "?"
    try:
        text = json.dumps({"n": int(n)})
    finally:
        return text


def in_a_loop(n):
    failed = 0
    for i in range(n):
        try:
            json.dumps(int(i))
        except TypeError:
            failed += 1
    return failed


def in_a_helper(n):
    def text(m):
        return json.dumps(m)

    try:
        return text(int(n))
    except Exception as error:
        return type(error).__name__


REFUSED = [
    of_python, of_c, of_cython, of_a_method, which_asks_the_number, of_many, suppressed, left_by_a_return, in_a_loop,
    in_a_helper,
]  # fmt: skip


@pytest.mark.parametrize("program", REFUSED)
def test_what_a_library_makes_of_a_staged_value_is_not_caught(program):
    with pytest.raises((StagingError, runtime.errors.OperatorNotAllowedInGraphError)):
        runtime.function(program, numpy=True).get_concrete_function(np.int64(4))


def around_a_loop(x):
    total = 0
    try:
        for v in x:
            total += len(json.dumps(int(v)))
    except TypeError:
        return -1
    return total


def around_a_branch_in_a_loop(x):
    total = i = 0
    try:
        while i < x[0]:
            if i != 1:
                total += float(decimal.Decimal(int(x[1])))
            i += 1
    except Exception:
        total = -1
    return total


@pytest.mark.parametrize("program", [around_a_loop, around_a_branch_in_a_loop])
@pytest.mark.parametrize("size", [2, 90])
def test_nor_is_what_ends_a_loop_of_the_graph(program, size):
    with pytest.raises(StagingError, match="was raised by what was given a value that only|the clause at line"):
        runtime.function(program, numpy=True)(np.full(size, 3))


FAULTS = {
    "an assertion": "assert self is None",
    "a name": "return a_name_that_is_not_there",
    "a variable": "for one in (): pass\n    return one",
    "an attribute": "return None.type",
}


def around_all(x):
    total = 0
    try:
        for v in x:
            if v > 0:
                total += v.conjugate()
    except Exception:
        total = -1
    return total


def in_an_iteration(x):
    total = 0
    for v in x:
        try:
            total += v.conjugate()
        except Exception:
            total -= 1
    return total


@pytest.mark.parametrize("program", [around_all, in_an_iteration])
@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_no_clause_of_the_program_catches_a_fault_of_this_library(monkeypatch, program, fault):
    names = {"__name__": "runtime.tensors.faulty"}
    exec(f"def faulty(self):\n    {fault}", names)
    monkeypatch.setattr(Scalar, "conjugate", names["faulty"], raising=False)
    for size in (2, 90):
        with pytest.raises(StagingError, match="was raised by a fault of this library"):
            runtime.function(program, numpy=True)(np.full(size, 3))


def test_it_is_said_which_call_failed():
    with pytest.raises(
        StagingError, match=r"(?s)test_caught.py:\d+: return json.dumps\(int\(n\)\).*not JSON serializable"
    ):
        runtime.function(of_python, numpy=True).get_concrete_function(np.int64(4))


def breaks_its_own_loop(n):
    try:
        return json.dumps(int(n))
    finally:
        for i in range(3):
            if i:
                break


def defines_what_returns(n):
    try:
        return json.dumps(int(n))
    finally:

        def text():
            return "?"


@pytest.mark.parametrize("program", [breaks_its_own_loop, defines_what_returns])
def test_a_clause_that_ends_no_exception_is_not_said_to(program):
    with pytest.raises(TypeError, match="not JSON serializable"):
        runtime.function(program, numpy=True).get_concrete_function(np.int64(4))


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y


def of_a_class(n):
    try:
        made = Point(n)
    except TypeError:
        made = Point(n, 1)
    return made.x + made.y


def with_nothing_staged(n):
    try:
        text = json.dumps({1, 2})
    except TypeError:
        text = "a set"
    return text, n + 1


def of_a_queue(n):
    waiting = queue.Queue()
    try:
        waiting.get_nowait()
    except queue.Empty:
        return n + 1
    return n


def of_the_programs_own(n):
    try:
        raise ValueError(n)
    except ValueError as error:
        return error.args[0] + 1


def by_what_it_is_called_with(n):
    try:
        return sorted([n, 3], key=lambda x: [][0])
    except IndexError:
        return [n]


def of_what_it_is(n):
    try:
        count = len(n)
    except TypeError:
        count = 0
    try:
        iter(n)
    except TypeError:
        count += 10
    return count + n


def of_an_attribute(n):
    try:
        return n.no_such_thing
    except AttributeError:
        return n * 2


def of_arithmetic(n):
    try:
        return "a" + n
    except TypeError:
        return n


def of_parts(n):
    return n.numerator, int(n).denominator, int(n).numerator


CAUGHT = [
    of_a_class, with_nothing_staged, of_a_queue, of_the_programs_own, by_what_it_is_called_with, of_what_it_is,
    of_an_attribute, of_arithmetic, of_parts,
]  # fmt: skip


@pytest.mark.parametrize("program", CAUGHT)
def test_what_would_be_raised_without_a_graph_is_caught(program):
    graph = runtime.function(program, numpy=True)
    for n in (np.int64(4), np.int64(0)):
        assert plain(graph(n)) == plain(program(n))


def asks_a_number(n):
    names = "numerator", "to_bytes", "bit_length", "__len__", "__iter__", "__index__", "shape", "numpy", "tolist"
    return [hasattr(n, name) for name in names], [hasattr(int(n), name) for name in names]


def asks_an_array(n):
    a = np.zeros(3) + n
    names = "numerator", "__len__", "__iter__", "__index__", "shape", "numpy", "tolist", "tobytes"
    return [hasattr(a, name) for name in names]


def takes_the_default(n):
    return getattr(n, "__len__", 7), getattr(n, "shape", 8), getattr(int(n), "shape", 9)


@pytest.mark.parametrize("program", [asks_a_number, asks_an_array, takes_the_default])
def test_what_stands_for_a_value_has_the_attributes_that_this_has(program):
    assert plain(runtime.function(program, numpy=True)(np.int64(4))) == plain(program(np.int64(4)))


def test_no_default_stands_for_an_attribute_that_is_not_known_in_a_graph():
    with pytest.raises(runtime.errors.NoStagedMethodError, match="int has 'to_bytes'"):
        runtime.function(lambda n: getattr(int(n), "to_bytes", None), numpy=True).get_concrete_function(np.int64(4))


def fails_often(n, digits):
    failed = 0
    for digit in digits:
        try:
            failed += int(digit)
        except ValueError:
            failed += 10
    return failed + n


def test_what_the_text_says_of_a_call_is_read_once(monkeypatch):
    """A loop may catch an exception at each item, and in the staged program each is looked at."""
    caught = sys.modules["autograph.operators.caught"]  # there is a function of that name, too
    read, expression = [], caught._expression
    monkeypatch.setattr(caught, "_expression", lambda frame, where: read.append(where) or expression(frame, where))
    digits = ["1", "x"] * 50
    assert runtime.function(fails_often)(runtime.constant(3), digits).numpy() == fails_often(3, digits)
    assert len(read) == 1


@contextlib.contextmanager
def entered(done, suppresses=()):
    """What notes how it was left."""
    try:
        yield
    except BaseException as error:
        done.append(type(error).__name__)
        if not isinstance(error, suppresses):
            raise
    else:
        done.append("")


def nested_withs(depth, at_once, inside):
    """A function with `depth` statements in one another of `at_once` items each."""
    heads = [f"with {', '.join(['entered(done)'] * at_once)}:" for _ in range(depth)]
    lines = [*heads, f"with entered(done, TypeError): {inside}"]
    body = "\n".join("    " * (number + 1) + line for number, line in enumerate(lines))
    return load(f"import json\ndef f(n, done):\n    y = -1\n{body}\n    return y\n", entered=entered)


@pytest.mark.parametrize("depth, at_once", [(9, 1), (10, 1), (17, 1), (1, 17), (4, 4)])
def test_statements_nest_as_deep_as_python_lets_them(depth, at_once):
    """A clause for each that asks would be more than Python has room for."""
    for inside in ("y = n + 1", "y = (n + 1 if n else n + 2)", "y = json.dumps({1})"):
        f, wanted, met = nested_withs(depth, at_once, inside), [], []
        assert plain(runtime.function(f, numpy=True)(np.int64(4), met)) == plain(f(np.int64(4), wanted))
        assert met == wanted
    f, met = nested_withs(depth, at_once, "raise ValueError(y)"), []
    with pytest.raises(ValueError, match="-1"), staging():
        autograph.to_graph(f)(4, met)
    assert met == ["ValueError"] * (depth * at_once + 1)
    f, met = nested_withs(depth, at_once, "y = json.dumps(int(n))"), []
    with pytest.raises(StagingError, match="json.dumps"):
        runtime.function(f, numpy=True).get_concrete_function(np.int64(4), met)


def test_what_is_entered_so_deep_is_entered_as_it_is():
    source = "".join("    " * (i + 1) + "with 3:\n" for i in range(18))
    f = load(f"def f(n):\n{source}{'    ' * 19}n += 1\n    return n\n")
    with pytest.raises(TypeError, match="context manager"):
        autograph.to_graph(f)(3)
