"""What an operation raises only when the graph runs, and the program catches: the graph goes as Python goes."""

import contextlib
import math

import numpy as np
import pytest

import runtime


def whole(x):
    try:
        y = int(x[0])
    except ValueError:
        y = -7
    return y


def whole_or_infinite(x):
    try:
        y = int(x[0])
    except (ValueError, OverflowError):
        y = -7
    return y


def largest(x):
    try:
        return x[x > 2].max()
    except ValueError:
        return -1.0


def place_of_largest(x):
    try:
        return np.argmax(x[x > 2])
    except ValueError:
        return -1


def first(x):
    y = x[x > 2]
    try:
        return y[0]
    except IndexError:
        return -1.0


def second(x):
    y = x[x > 2]
    try:
        return y[1]
    except IndexError:
        return -1.0


def rounded(x):
    try:
        return round(float(x[0]))
    except (ValueError, OverflowError):
        return -3


def floored(x):
    try:
        return math.floor(x[0])
    except (ValueError, OverflowError):
        return -3


def ceiling(x):
    with contextlib.suppress(Exception):
        return math.ceil(x[0])
    return -3


def largest_of_a_list(x):
    try:
        return max([v for v in x if v > 2])
    except ValueError:
        return -1.0


def least_of_items(x):
    try:
        return min(v for v in x if v > 2)
    except Exception:
        return -1.0


def sums(x):
    y = x[x > 0]
    try:
        return y + np.array([1.0, 2.0, 3.0])
    except ValueError:
        return x


def product(x):
    y = x[x > 0]
    try:
        return y @ np.array([1.0, 2.0, 3.0])
    except ValueError:
        return -1.0


def set_in_whole_numbers(x):
    a = np.zeros(3, int)
    try:
        a[1] = x[0]
    except (ValueError, OverflowError):
        a[2] = 9
    return a


def set_in_bytes(x):
    a = np.zeros(2, np.int8)
    try:
        a[0] = int(x[0]) if x[0] < 1e9 else 5
    except (OverflowError, ValueError):
        a[1] = 1
    return a


def mean(x):
    y = x[x > 2]
    try:
        return y.sum() / len(y)
    except ZeroDivisionError:
        return -1.0


def stacked(x):
    y = x[x > 0]
    try:
        return np.vstack([y, np.array([1.0, 2.0, 3.0])])
    except ValueError:
        return x


def taken(i):
    x = np.array([1.0, 2.0, 3.0])
    try:
        return x.take(i[0])
    except IndexError:
        return -1.0


def by_an_array(i):
    x = np.array([1.0, 2.0, 3.0])
    try:
        return x[i]
    except IndexError:
        return x * 0


def reshaped(i):
    x = np.arange(6.0)
    try:
        return x.reshape(i[0] + 1, 2)
    except ValueError:
        return x


def powers(i):
    try:
        return np.array([2, 3, 4]) ** i
    except ValueError:
        return i


def power(i):
    try:
        return i[0] ** i[1]
    except ValueError:
        return i[0]


def byte(i):
    a = np.zeros(2, np.int8)
    try:
        a[0] = int(i[0])
    except OverflowError:
        a[1] = 1
    return a


def byte_of_numpys(i):
    try:
        return np.int8(int(i[0]))
    except OverflowError:
        return np.int8(0)


def set_outside(i):
    a = np.zeros(3)
    try:
        a[i[0]] = 1.0
    except IndexError:
        a[0] = 9.0
    return a


def made(i):
    try:
        return np.zeros(int(i[0]))
    except ValueError:
        return np.ones(1)


def character(i):
    try:
        return "abc"[i[0]]
    except IndexError:
        return "z"


def in_a_loop(i):
    n = 0
    for v in i:
        try:
            n += int(1.0 * v if v != 1 else float("nan"))
        except ValueError:
            n += 100
    return n


def shifted(i):
    try:
        return 1 << int(i[0]) if i[0] < 60 else 3
    except ValueError:
        return -1


def step(i):
    try:
        return len(range(0, 10, int(i[0])))
    except ValueError:
        return -1


NUMBERS = [[1.0, 2.0, 3.0], [np.nan, 1.0, 2.0], [np.inf, -5.0, 9.0], [-1.0, -2.0, -3.0], [0.0, 0.0, 7.0]]
INDICES = [[0, 1, 2], [5, -1, 7], [-9, 0, 3], [300, 2, 1]]
OF_NUMBERS = [  # fmt: skip
    whole,
    whole_or_infinite,
    largest,
    place_of_largest,
    first,
    second,
    rounded,
    floored,
    ceiling,
    largest_of_a_list,
    least_of_items,
    sums,
    product,
    set_in_whole_numbers,
    set_in_bytes,
    mean,
    stacked,
]
OF_INDICES = [  # fmt: skip
    taken,
    by_an_array,
    reshaped,
    powers,
    power,
    byte,
    byte_of_numpys,
    set_outside,
    made,
    character,
    in_a_loop,
    shifted,
    step,
]


def observed(f, given):
    try:
        found = f(np.array(given))
    except Exception as error:
        return type(error).__name__
    return repr(np.asarray(found).tolist())  # a number that is one or another is NumPy's


@pytest.mark.numpy_may_take_over  # which takes any size below 0 for one that it is to find
@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("jit_compile", [None, False, True])
@pytest.mark.parametrize("f, values", [(f, NUMBERS) for f in OF_NUMBERS] + [(f, INDICES) for f in OF_INDICES])
def test_what_an_operation_raises_is_caught(f, values, jit_compile):
    g = runtime.function(f, numpy=True, jit_compile=jit_compile)
    for given in values:
        assert observed(g, given) == observed(f, given)


def many(x):
    """More operations may fail than are followed: what the last of them raises is out of the clause's reach."""
    try:
        a = int(x[0]) + int(x[1]) + int(x[2]) + int(x[3])
        return a + int(x[4]) + int(x[5]) + int(x[6])
    except (OverflowError, ValueError):
        return -1


COUNT = runtime.Variable(np.int64(0))


def behind_an_assignment(x):
    COUNT.assign_add(1)
    try:
        return int(x[0])
    except ValueError:
        return -1


def behind_a_print(x):
    print("x", x[0])
    try:
        return int(x[0])
    except ValueError:
        return -1


def test_a_clause_behind_a_print_catches_what_fails(capsys):
    g = runtime.function(behind_a_print, numpy=True)
    assert (g(np.arange(3.0)), g(np.full(3, np.nan))) == (0, -1)
    assert capsys.readouterr().out == "x 0.0\nx nan\n"


@pytest.mark.parametrize("f", [many, behind_an_assignment])
def test_what_cannot_be_followed_is_no_reason_to_refuse(f, capsys):
    g = runtime.function(f, numpy=True)
    x = np.arange(8.0)
    assert g(x) == f(x)
    x[[0, 6]] = np.nan
    if f is many:
        assert g(x) == f(x)
        x[0] = 1.0
    with pytest.raises(ValueError, match="cannot convert float NaN to integer"):
        g(x)


def test_what_does_not_fail_is_asked_nothing():
    def f(x):
        try:
            return x + 1, x.max(), x.reshape(2, 2), x @ x, x[1]
        except (IndexError, ValueError):
            return None

    graph = runtime.function(f, numpy=True).get_concrete_function(np.arange(4.0)).traced
    assert "attempted" not in {node.op.name for node in graph.nodes}
