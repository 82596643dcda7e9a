"""Logic, membership, indexing, assignment of items, text, and built-in functions."""

# ruff: noqa: UP031, UP032, SIM102, RET503, RET505, B007, E731, SIM118, FURB192
import numpy as np

import runtime as tf
from tests.programs import load
from tests.staged import on


@on((1, -1), (-1, -1), (1, 1))
def logic(x, y):
    return x > 0 and y > 0, x > 0 or y > 0, not (x > 0)


@on((1, 5), (0, 5))
def logic_by_value(x, y):
    return x and y, x or y, x and 5, x or 7, not x


@on(5, 50, -5)
def chained(x):
    return 0 < x < 10, 0 < x <= 5 < 6, x == x == 5


@on([9], [1])
def lazy(x):
    if len(x) > 0 and x[0] > 5:
        return "big"
    return "no"


@on(2, 5, plain=True)
def membership(x):
    return x in [1, 2], x not in (3, x), x in {1: 2}, x in {2, 3}, x in range(4)


@on(([1, 2], 2), ([1, 2], 5))
def membership_in_a_tensor(v, x):
    return x in v, 1 in v, x not in v


@on(2, 5)
def membership_decides(x):
    if x in (1, 2, 3):
        return "small"
    return "large"


TABLE = [10, 20, 30]
NAMES = {0: 1.5, 1: 2.5}


@on(0, 1, 2)
def lists_indexed(i):
    local = [1, 2, 3]
    return TABLE[i], (5, 6, 7)[i], local[i], [i, i * 2, 0][i], TABLE[-1]


@on(-1, 3)
def list_index_out_of_range(i):
    return TABLE[i]


@on(0, 1, 2, plain=True)
def dictionaries_indexed(i):
    local = {0: 5, 1: 6, 2: 7}
    return local[i]


@on(0, 5, plain=True)
def dictionary_without_the_key(i):
    return NAMES[i]


@on([1, 2, 3])
def slices(v):
    return v[0], v[-1], v[1:], v[::-1], v[..., None]


@on(([1, 2, 3, 4], 1))
def slices_by_tensors(v, i):
    return v[i], v[i:], v[: i + 1], v[i : i + 2]


@on(np.array([1, 2, 3]), plain=True)
def items_assigned(v):
    y = v
    y[0] = 5
    y[1:] += 10
    v[-1] = v[0] * 2
    return v, y


@on((np.array([1, 2, 3, 4]), np.zeros(4, int), 4), (np.array([1, 2, 3, 4]), np.zeros(4, int), 0), plain=True)
def items_assigned_in_a_loop(x, z, n):
    for i in range(n):
        z[i] = x[i] + z[i - 1]
        if i % 2 == 0:
            z[i] = -z[i]
    return z


def put(a, i):
    a[i] = i * 100


@on((np.array([1, 2, 3, 4]), 3), plain=True)
def items_assigned_by_a_helper(x, n):
    while n > 0:
        put(x, n)
        n -= 1
    return x


@on((np.zeros([2, 3]), 2.0), (np.zeros([2, 3]), 0.0), plain=True)
def parts_assigned(m, x):
    m[1:, ::2] += x
    m[0] = [1.0, 2.0, 3.0]
    if x > 0:
        m[1, 1] = 7.0
    return m


@on([4, 5, 6])
def unpacking(v):
    a, b, d = v
    return a + b * d


@on(4)
def star_targets(x):
    a, *b = [x, x + 1, x + 2]
    *c, d = (x, 2)
    return a, b, c, d


@on(4)
def multiple_targets(x):
    a = b = x + 1
    (c, d), e = (a, b), x
    return a, b, c, d, e


@on(4)
def augmented(x):
    y = x
    y += 2
    y *= 3
    y -= 1
    y //= 2
    y **= 2
    y %= 7
    return y, x


@on(4, -4)
def walrus(x):
    y = (z := x + 1) * 2
    return y, z, [w := z, w + 1]


@on(4, -7)
def fstrings(x):
    return f"{x} and {x * 2:>5d}!", f"{{}}{x:{3}}"


@on(4, -7)
def formats(x):
    return "v=%d" % x, "{} {a}".format(x, a=x), "%d-%d" % (x, 3), "{:03d}".format(x), format(x, ">4")


@on(1.25, -2.0)
def format_floats(x):
    return f"{x:.2f}", "%.1f" % x, f"{x:e}"


@on(4, -7)
def text_of_a_choice(x):
    s = "pos" if x > 0 else "neg"
    return f"{s} {x}", s + "!", s == "pos"


@on(3, 0)
def text_grows(n):
    msg = ""
    for i in tf.range(n):
        msg = msg + f"{i},"
    return msg


@on((7, 2), (-7, 2))
def numbers(a, b):
    return divmod(a, b), pow(a, 2), abs(a), a // b, a % b, -a, +a, ~a, a << b, a ^ b, pow(a, b, 5)


@on(2.5, -1.5, 0.4)
def conversions(x):
    return int(x), float(x), bool(x), round(x), round(x * 10), abs(x), int(x) + 1


@on(3)
def conversion_to_float(x):
    return float(x) / 2, x / 2, bool(x - 3)


@on([3, -1, 2])
def shapes(v):
    return len(v), v.shape[0] is None or v.shape[0] == 3, isinstance(v, tf.Tensor)


@on((2, 3))
def tuples_compared(a, b):
    t = (a, b)
    return t[0] < t[1], len(t), t[::-1]


@on(3, -3)
def lambdas(x):
    f = lambda q: q if q > 0 else q * 100
    return f(x), (lambda a, b=2: a * b)(x)


@on(3, -3)
def none_is_not_a_number(x):
    y = None
    if x > 0:
        y = x
    return y + 1


@on(3, -3)
def truth_of_an_optional(x):
    y = None
    if x > 0:
        y = x
    if y:
        return 1
    return 2


@on(3, -3)
def or_with_none(x):
    y = None
    if x > 0:
        y = x
    return y or 5


@on([1.0, 2.0])
def vector_arithmetic(v):
    w = v * 2 + 1
    return w @ v, -w, w > 3, (w > 3) & (v > 1), 10 / w


@on(3, 0)
def short_circuit_of_three(x):
    return x > 0 and x < 10 and x != 5, x < 0 or x > 2 or x == 1


@on(3, -3)
def comparison_of_none(x):
    y = x if x > 0 else None
    return y is None, y is not None, y is not None


@on((5, 2), (5, 0))
def guarded_division(a, b):
    return a // b if b != 0 else -1


@on(3)
def dictionary_methods(x):
    d = {"a": x, "b": x * 2}
    total = 0
    for key, value in d.items():
        total += value * len(key)
    d.update(c=total)
    return d, d.get("a"), d.get("zz"), "a" in d, sorted(d.keys()), list(d.values())


@on((1, 1), (1, -1), (-1, -1), (1, 2))
def optional_values_compared(a, b):
    x = a if a > 0 else None
    y = b if b > 0 else None
    return x == y, x != y, x == 1, y is None and x is None


@on(3, -3)
def text_by_methods(n):
    return n.__str__(), n.__format__("")


@on((1, 3), (1, 1), (3, 1), (0, 0))
def any_and_all_of_python_lists(n, m):
    items = [n, m, 2]
    found = any(i > 2 for i in items)
    if all(i > 0 for i in items):
        found = not found
    return found, sum(i * 2 for i in items), max(-i for i in items)


@on((0, 4), (2, 4), (2, 0))
def a_generator_is_as_lazy(n, m):
    items = [n, m]
    return n > 0 and any(8 // i > 2 for i in items)


@on([1.0, 2.0, 3.0], [0.5])
def nested_comprehension_over_a_tensor(xs):
    return sum([x + y for x in xs if x > 1 for y in xs if y < 3])


@on(3, 0, -200, 19, 200)
def many_operands(x):
    return LONG_AND(x), LONG_OR(x), LONG_VALUE(x)


LONG_AND = load("def f(x): return " + " and ".join(f"x > {i}" for i in range(-150, 0)))
LONG_OR = load("def f(x): return " + " or ".join(f"x > {i}" for i in range(150, 0, -1)))
LONG_VALUE = load("def f(x): return " + " and ".join(f"(x - {i})" for i in range(20)))
