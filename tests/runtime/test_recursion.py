"""Functions that call themselves do the same as plain Python: wherever they stand, however the calls come about."""

import copy
import textwrap

import numpy as np
import pytest

import runtime as tf
from autograph import StagingError
from tests.programs import EXECUTORS, load

# Each program on its own: the function of the last line's name is called with the arguments of the cases.
PROGRAMS = """
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

def factorial(n):
    if n <= 1: return 1
    return n * factorial(n - 1)

def ackermann(m, n):
    if m == 0: return n + 1
    if n == 0: return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))

def odd(n):
    if n == 0: return False
    return even(n - 1)
def even(n):
    if n == 0: return True
    return odd(n - 1)

def gcd(a, b):
    return a if b == 0 else gcd(b, a % b)

def hanoi(n, a, b, c):
    if n == 0: return 0
    return hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a)

def between(a, x, low, high):
    if low >= high: return -1
    mid = (low + high) // 2
    if a[mid] == x: return mid
    if a[mid] < x: return between(a, x, mid + 1, high)
    return between(a, x, low, mid)
def search(a, x):
    return between(a, x, 0, len(a))

def part(a, x, low, high):
    if low > high:
        return -1
    mid = (low + high) // 2
    if a[mid] == x:
        return mid
    elif a[mid] > x:
        return part(a, x, low, mid - 1)
    else:
        return part(a, x, mid + 1, high)
def searched(a, x):
    return part(a, x, 0, len(a) - 1)

def rest(a, i):
    if i == len(a): return 0.0
    return a[i] + rest(a, i + 1)
def total(a):
    return rest(a, 0)

def search_in_a_closure(a, x):
    def between(low, high):
        if low >= high: return low
        mid = (low + high) // 2
        return between(mid + 1, high) if a[mid] < x else between(low, mid)
    return between(0, len(a))

def sums_in_a_closure(a, x):
    twice = a * 2
    def rest(i):
        if i >= len(a): return 0
        if x > 3: return rest(i + 1) + twice[i]
        k = 0
        while k < 2:
            if x > k: k += a[i] * 0
            k += 1
        return k + rest(i + 1) + x + twice[i]
    return rest(len(a) - len(a))

def largest_from(a, i):
    if i == len(a) - 1: return a[i]
    rest = largest_from(a, i + 1)
    return a[i] if a[i] > rest else rest
def largest(a):
    return largest_from(a, 0)

def two_in_one_return(n):
    return two_in_one_return(n - 1) if n % 2 == 0 else two_in_one_return(n - 3) if n > 3 else n

def in_a_loop(n):
    if n <= 0: return 1
    t = 0
    for i in range(3):
        t += in_a_loop(n - 1 - i)
    return t

def in_a_staged_loop(n):
    if n <= 0: return 1
    t = 0
    i = 1
    while i <= n:
        t += in_a_staged_loop(n - i)
        i += 1
    return t

def in_logic(n):
    return n == 0 or (n > 0 and in_logic(n - 2))

def in_a_comprehension(n):
    if n <= 0: return 1
    return sum([in_a_comprehension(n - k) for k in (1, 2)])

def collatz(n):
    if n == 1: return 0
    if n % 2 == 0: return 1 + collatz(n // 2)
    return 1 + collatz(3 * n + 1)

def power(x, n):
    if n == 0: return 1.0
    if n % 2 == 1: return x * power(x, n - 1)
    h = power(x, n // 2)
    return h * h

def mccarthy(n):
    if n > 100: return n - 10
    return mccarthy(mccarthy(n + 11))

def tak(x, y, z):
    if y >= x: return z
    return tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y))

def male(n): return 0 if n == 0 else n - female(male(n - 1))
def female(n): return 1 if n == 0 else n - male(female(n - 1))

def closure(n, k):
    def go(i):
        if i == 0: return k
        return go(i - 1) + k
    return go(n)

def by_lambda(n):
    f = lambda i: 0 if i <= 0 else i + f(i - 1)
    return f(n)

def accumulated(n, acc=1):
    if n <= 1: return acc
    return accumulated(n - 1, acc * n)

def a_pair(n):
    if n == 0: return 0, 1
    a, b = a_pair(n - 1)
    return b, a + b

def step(n, table):
    if n <= 0: return 0
    return n + table["f"](n - 1, table)
def through_a_container(n):
    return step(n, {"f": step})

class Counter:
    k = 2
    def go(self, n):
        if n <= 0: return 0
        return self.k + self.go(n - 1)
def a_method(n):
    return Counter().go(n)

def on_arrays(x, n):
    if n == 0: return x
    return on_arrays(x * 2.0 + 1.0, n - 1)

def nested(n):
    if n > 0:
        if n > 5:
            if n > 7: return nested(n - 3) + 1
            return nested(n - 2)
        return nested(n - 1) + nested(n - 2)
    return 1

def partitions(n, m):
    if n == 0: return 1
    if n < 0 or m == 0: return 0
    return partitions(n - m, m) + partitions(n, m - 1)

def in_three_places(n):
    if n <= 1: return 1
    x = in_three_places(n - 1)
    y = in_three_places(n - 2) if n > 2 else 0
    return x + y + (in_three_places(n - 3) if n > 3 else 1)

def within_a_loop(n):
    while n > 10:
        n = within_a_loop(n - 10) if n > 50 else n - 10
    return n

def sum_of(n): return 0 if n <= 0 else 1000000000 + sum_of(n - 1)

def lucas_of(n, a, b):
    if n == 0: return a
    return lucas_of(n - 1, b, a + b)
def lucas(n):
    return lucas_of(n, 2, 1)

def depth(n, far=0):
    if n <= 0 or far > 5: return far
    return depth(n - 2, far + 1)

def depth_in_a_branch(n):
    y = 0
    if n > 2:
        y = min(depth(n), depth(n - 1, 3))
    return y
def depth(n, far=0):
    if n <= 0 or far > 5: return far
    return depth(n - 2, far + 1)
"""

I = np.int32
A, F = np.array([1, 3, 5, 7, 9, 11, 15], I), np.array([1.5, -2.0, 3.25, 0.5])
CASES = [
    ("fib", I(10)), ("factorial", I(6)), ("ackermann", I(2), I(3)), ("even", I(7)), ("even", I(10)),
    ("gcd", I(48), I(18)), ("hanoi", I(5), 0, 1, 2), ("hanoi", I(4), I(0), I(1), I(2)), ("search", A, I(7)),
    ("search", A, I(4)), ("searched", A, I(15)), ("searched", A, I(2)), ("total", F),
    ("search_in_a_closure", A, I(8)), ("sums_in_a_closure", A, I(2)), ("sums_in_a_closure", A, I(5)),
    ("largest", F),
    ("two_in_one_return", I(14)), ("in_a_loop", I(5)), ("in_a_staged_loop", I(5)), ("in_logic", I(6)),
    ("in_logic", I(7)), ("in_a_comprehension", I(6)), ("collatz", I(27)), ("power", np.float64(1.5), I(9)),
    ("mccarthy", I(70)), ("tak", I(6), I(4), I(2)), ("female", I(9)), ("closure", I(5), I(3)),
    ("closure", I(5), 3), ("by_lambda", I(5)), ("accumulated", I(6)), ("a_pair", I(9)),
    ("through_a_container", I(4)), ("a_method", I(4)), ("on_arrays", F, I(4)), ("nested", I(12)),
    ("partitions", I(9), I(4)), ("in_three_places", I(8)), ("within_a_loop", I(97)), ("sum_of", I(5)),
    ("lucas", I(60)), ("depth", I(7)), ("depth", I(70)), ("depth_in_a_branch", I(9)), ("depth_in_a_branch", I(2)),
]  # fmt: skip


def program(name):
    """The part of the text that defines a function, with what stands before it in its paragraph."""
    for text in PROGRAMS.split("\n\n"):
        if f"def {name}(" in text:
            return text.strip("\n") + "\n"
    raise AssertionError(name)


def plainly(text, name):
    return load(text, name)


def further_down(text, name):
    return load("\n" * 17 + "x = 1\n" * 3 + text, name)


def within(text, name):
    around = f"def outer():\n{textwrap.indent(text, '    ')}    return {name}\nmade = outer()\n"
    return load(around, "made")


def decorated(text, name):
    """Each function of the program by itself."""
    return load("\n".join(f"@tf.function\n{t}" if t.startswith("def") else t for t in text.splitlines()), name, tf=tf)


def numbers(value):
    return tf.nest.map_structure(lambda v: np.asarray(v).tolist(), value)


@pytest.mark.sampled(8)
@pytest.mark.numpy_may_take_over  # integers grow beyond 64 bits
@pytest.mark.parametrize("how", [plainly, further_down, within, decorated])
@pytest.mark.parametrize("name, arguments", [(name, arguments) for name, *arguments in CASES])
def test_recursion_does_what_python_does(name, arguments, how):
    text = program(name)
    wanted = numbers(load(text, name)(*copy.deepcopy(arguments)))
    arrays = all(isinstance(a, np.ndarray | np.generic) for a in arguments) and any(map(np.ndim, arguments))
    open_ = [tf.TensorSpec([None] * np.ndim(a), a.dtype) for a in arguments] if arrays else None
    for jit_compile in (*EXECUTORS, None) if how is plainly else (None,):
        for signature in (None, open_) if arrays else (None,):
            function = how(text, name)
            function = getattr(function, "python_function", function) if signature else function
            if not isinstance(function, tf.Function):
                function = tf.function(function, jit_compile=jit_compile, input_signature=signature)
            assert numbers(function(*copy.deepcopy(arguments))) == wanted


def test_what_never_ends_is_told():
    f = load("def f(n):\n    return f(n - 1) + 1\n")
    with pytest.raises(StagingError, match="calls itself in all cases, so that it never ends"):
        tf.function(f)(I(3))


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize(
    "clause",
    ["except: pass", "except BaseException as e: r = -1", "finally: return r", "finally:\n        if n > 9: r = 8"],
)
def test_no_clause_of_the_users_keeps_from_being_known_that_a_function_calls_itself(clause, jit_compile):
    """A clause that takes any exception, around the call of a function that is not known yet to call itself."""
    f = load(
        "def depth(k, far=0):\n    if k <= 0 or far > 40:\n        return far\n    return depth(k - 2, far + 1)\n"
        f"def f(n):\n    r = 77\n    try:\n        r = depth(n)\n    {clause}\n    return r\n"
    )
    graph = tf.function(f, jit_compile=jit_compile)
    for n in (0, 5, 100):
        assert int(graph(I(n))) == f(n)


def test_nothing_internal_reaches_the_user():
    from runtime.tensors.trace import Signal

    class Odd(Signal):
        """Something that nobody expected."""

    def f(n):
        raise Odd

    with pytest.raises(Exception, match="f cannot become a graph as it stands: Something that nobody expected"):
        tf.function(f)(I(1))


OF_LISTS = """
def quick(xs):
    if len(xs) <= 1: return xs
    p, rest = xs[0], xs[1:]
    return quick([x for x in rest if x < p]) + [p] + quick([x for x in rest if x >= p])

def total(xs):
    if len(xs) == 0: return 0
    return xs[0] + total(xs[1:])

def palindrome(xs):
    if len(xs) < 2: return True
    return xs[0] == xs[-1] and palindrome(xs[1:-1])

def pairs(xs, ys):
    if len(xs) == 0 or len(ys) == 0: return 0
    return xs[0] * ys[-1] + pairs(xs[1:], ys[:-1])

def f(a, n):
    xs = []
    for i in range(n): xs.append(a[i])
    return quick(xs), total(xs), palindrome(xs), pairs(xs, xs), len(xs)

def changed(a, n):
    xs = []
    for i in range(n): xs.append(a[i])
    ordered = quick(xs)
    ordered.append(a[0])
    return ordered, xs
"""


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("signature", [None, [tf.TensorSpec([None], tf.int64), tf.TensorSpec([], tf.int64)]])
def test_lists_whose_length_the_graph_decides_are_handed_on(signature, jit_compile):
    f = load(OF_LISTS.rpartition("\ndef changed")[0])
    graph = tf.function(f, jit_compile=jit_compile, input_signature=signature)
    for values in ([5, 2, 9, 2, 5], [1, 1, 1, 1, 1], [3, 1, 2, 1, 3]):
        for n in (0, 1, 3, 5):
            arguments = np.array(values), np.int64(n)
            assert plain(graph(*arguments)) == plain(f(*arguments))


def plain(value):
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return np.asarray(value).item()


def test_a_list_that_may_be_the_one_handed_on_is_not_changed():
    changed = load(OF_LISTS.replace("def f(", "def other(").replace("def changed(", "def f("))
    with pytest.raises(StagingError, match="perhaps the same list as one that a function was given and returns"):
        tf.function(changed)(np.array([3, 1, 2]), np.int64(2))


def test_a_tree_that_a_recursion_makes_is_refused_before_it_has_grown():
    class Tree:
        def __init__(self, value):
            self.value, self.left, self.right = value, None, None

    def tree(n):
        if n == 0:
            return None
        root = Tree(n)
        if n > 1:
            root.left = tree(n - 1)
            root.right = tree(n - 2)
        return root

    with pytest.raises(StagingError, match="the result of tree never settles: .* more parts"):
        tf.function(lambda n: tree(n).value)(np.int64(3))


def best(cells, player, low, high):
    if cells.sum() > 2:
        return cells[0] * player
    if player == 1:
        for i in range(4):
            if cells[i] == 0:
                cells[i] = 1
                low = max(low, best(cells, -1, low, high) + i)
                cells[i] = 0
                if low >= high:
                    break
        return low
    for i in range(4):
        if cells[i] == 0:
            cells[i] = 1
            high = min(high, best(cells, 1, low, high) - i)
            cells[i] = 0
            if low >= high:
                break
    return high


def called_in(graph, found):
    for callee in graph.callees:
        if callee not in found:
            found.add(callee)
            called_in(callee.graph, found)
    return found


def test_calls_in_branches_of_one_another_have_one_graph_for_each_kind_of_arguments():
    graph = tf.function(lambda cells: best(cells, 1, -9, 9), numpy=True)
    for cells in ([0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 0], [1, 1, 1, 0]):
        assert graph(np.array(cells)) == best(np.array(cells), 1, -9, 9)
    assert len(called_in(graph.get_concrete_function(np.zeros(4, int)).graph, set())) <= 5  # low, high: Python's or not


def plain_lists(value):
    return [np.asarray(part).tolist() for part in value]


def fits(grid, row, column, number):
    for i in range(4):
        if grid[row, i] == number or grid[i, column] == number:
            return False
    for i in range(row // 2 * 2, row // 2 * 2 + 2):
        for j in range(column // 2 * 2, column // 2 * 2 + 2):
            if grid[i, j] == number:
                return False
    return True


def fill(grid):
    for row in range(4):
        for column in range(4):
            if grid[row, column] == 0:
                for number in range(1, 5):
                    if fits(grid, row, column, number):
                        grid[row, column] = number
                        if fill(grid):
                            return True
                        grid[row, column] = 0
                return False
    return True


def test_the_parts_of_a_function_do_not_call_themselves():
    def filled(grid):
        return fill(grid), grid

    graph, given = tf.function(filled, numpy=True), np.diag([1, 2, 3, 0])
    assert plain_lists(graph(given.copy())) == plain_lists(filled(given.copy()))
    assert graph.experimental_get_tracing_count() == 2  # and again once it is known to call itself


MERGE_SORT = """
def f(a):
    n = len(a)
    if n <= 1:
        return a
    left, right = f(a[:n // 2]), f(a[n // 2:])
    out = np.empty(n)
    i = j = 0
    for k in range(n):
        if j >= len(right) or (i < len(left) and left[i] <= right[j]):
            out[k] = left[i]
            i += 1
        else:
            out[k] = right[j]
            j += 1
    return out
"""


def test_a_call_that_python_makes_again_is_a_call_in_the_graph():
    """Where Python decides how often a function calls itself: it is traced once for each length."""
    sort = load(MERGE_SORT, np=np)
    staged = tf.function(load(MERGE_SORT, np=np), numpy=True)
    given = np.random.default_rng(3).normal(size=64)
    for _ in range(2):
        assert staged(given).tolist() == sort(given).tolist()
    graphs, left = [], [staged.get_concrete_function(given).graph]
    while left:
        one = left.pop()
        if not any(one is known for known in graphs):
            graphs.append(one)
            left += [callee.graph for callee in one.callees]
    assert 2 <= len(graphs) <= 10  # 64, 32, 16 … items


def of_a_default(n, memory={}):  # noqa: B006 (as people write it)
    if n not in memory:
        memory[n] = n if n < 2 else of_a_default(n - 1) + of_a_default(n - 2)
    return memory[n]


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_the_default_of_a_parameter_is_one_dictionary_for_all_calls(jit_compile):
    def program(x):
        def known(n, memory={}, asked=[]):  # noqa: B006
            asked.append(n)
            if n in memory:
                return memory[n]
            memory[n] = n if n < 2 else known(n - 1) + known(n - 2, memory)
            return memory[n]

        return known(int(x[0])), known(int(x[1])), known.__defaults__

    graph = tf.function(program, numpy=True, jit_compile=jit_compile)
    for given in (np.array([6, 3]), np.array([2, 9])):
        assert repr(graph(given)) == repr(program(given))


def test_what_a_function_of_a_module_keeps_as_a_default_is_refused_by_name():
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="`memory` is the default of a parameter"):
        tf.function(lambda x: of_a_default(int(x[0])), numpy=True)(np.array([4]))


ASKING = (
    "(lambda a, b: a + b)(*[x] * k)", "int('12', k + 1)", "chr(k + 64)", "'7'.zfill(k)", "np.ones(3).sum(axis=k - 2)",
    "np.sort(np.ones((2, 3)) * x, axis=k - 1)", "np.ones(3, dtype=(int, float, complex)[k])", "np.eye(k) * x",
    "(abs, min, max)[k](x, 3)", "f'{x:{k}d}'", "(1, 2, 3)[:k]", "{2: 'b', 3: 'c'}[k]", "type(k) is int",
)  # fmt: skip


@pytest.mark.parametrize("jit_compile", [False, None])
@pytest.mark.parametrize("asking", ASKING)
def test_a_number_that_is_the_same_in_each_call_is_known(asking, jit_compile):
    text = f"def g(x, k):\n    if x > 10: return {asking}\n    return g(x * 2, k)\ndef f(n):\n    return g(n, 2)\n"
    f, n = load(text, np=np), np.int64(1)
    assert repr(tf.function(f, numpy=True, jit_compile=jit_compile)(n)) == repr(f(n))
