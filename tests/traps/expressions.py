"""and, or, not, comparisons, walrus, f-strings, slices, stars."""


def values_of_and_and_or():
    found = []
    for a in (0, 1, "", "x", None, []):
        for b in (0, "y"):
            found.append((a and b, a or b, not a, a and b or 5, (a or b) and 7))
    return found


def short_circuits():
    log = []

    def note(name, value):
        log.append(name)
        return value

    note("a", 0) and note("b", 1)
    note("c", 1) or note("d", 1)
    note("e", 1) and note("f", 0) and note("g", 1)
    not (note("h", 0) or note("i", ""))
    return log


def chained_comparisons():
    log, found_nothing = [], None

    def note(x):
        log.append(x)
        return x

    found = [
        note(1) < note(2) < note(3), note(1) < note(0) < note(9), 1 < 2 > 1 == 1 != 5, 1 in [1, 2] == True,
        log is not None is not found_nothing, "a" < "b" <= "b", not 1 < 2 < 3,
    ]  # fmt: skip
    return found, log


def comparisons_of_any_value():
    class Rich:
        def __lt__(self, other):
            return ["truthy", "list"]

        def __gt__(self, other):
            return []

    r = Rich()
    return r < 1, r > 1, r < 1 < 2, r > 1 < 2, 1 < r, 5 if r < 1 else 6, 5 if r > 1 else 6


def membership_and_identity():
    x, items = [1], [1, 2]
    if 1 in items and 3 not in items:
        found = ["in"]
    if x is x and x != [1]:
        found.append("is")
    return found


def not_contains_of_an_object():
    class Odd:
        def __contains__(self, x):
            return x % 2

    return 1 in Odd(), 2 in Odd(), 3 not in Odd()


def walrus_everywhere(n=3):
    if (x := n) > 1 and (y := x * 2) > 5:
        z = [w := y, w + 1]
    f"{(v := 5)}"
    while (u := x - 1) > 0:
        x = u
    t = (s := 1) if n > 5 else (s := 2)
    return x, y, z, w, v, u, t, s, (r := 9) + r


def walrus_in_a_lambda():
    return (lambda a: (b := a) + b if a > 1 else 0)(3)


def formatted_strings(n=3.14159):
    width, name, nested = 8, "x", {"k": [1]}
    return [
        f"{n:.2f}", f"{n:>{width}.1f}|", f"{name!r:>5}", f"{n=}", f"{nested['k'][0]}", f"{'a' if n > 3 else 'b'}",
        "{}", f"{n!s}" f"{n!a}", f"{(lambda q: q + 1)(2)}", f"{n:{'.1f' if n > 1 else '.2f'}}",
        "%s %5.1f" % (name, n), "{} {a}".format(1, a=2), f"{[i for i in range(3) if i]}", f"{n if n and name else 0}",
    ]  # fmt: skip


def stars_everywhere():
    a, b = [1, 2], {"x": 1}
    first, *middle, last = range(5)
    *init, end = "abc"
    (p, *q), r = ([1], 2)
    return [*a, *"xy"], {**b, "y": 2}, {*a, 3}, (*a, 0), first, middle, last, init, end, p, q, r


def slices_and_subscripts():
    x = list(range(10))
    if x:
        x[2:4] = [20, 30, 40]
        x[::3] = [0] * len(x[::3])
        del x[1], x[-2:]
        x[0], x[1] = x[1], x[0]
    m = {(1, 2): 3, 1: 4}
    m[1, 2] += 10
    return x, m, x[1:-1:2], x[-1], "abc"[::-1], x[slice(1, 3)]


def arithmetic_and_operators():
    x = 7
    x //= 2
    x **= 2
    x %= 5
    x <<= 3
    x |= 1
    x ^= 3
    x &= ~1
    x -= -1
    x /= 2
    y = -x + +x * 2 if ~3 < 0 else 1
    return x, y, 7 // -2, -7 % 3, divmod(-7, 2), 2**-1, 1 << 3 >> 1, 5 & 3 | 4 ^ 1, not -1


def matrix_multiplication():
    class M:
        def __matmul__(self, other):
            return "m", other

        def __imatmul__(self, other):
            return "im", other

    a = M()
    b = a @ 2
    if b:
        a @= 3
    return a, b


def lazy_if_expressions_in_calls():
    log = []

    def f(*a, **k):
        return a, k

    return f(
        1 if log else 2, *([3] if not log else []), k=log.append("k") or 4, **({"z": 1} if log == ["k"] else {})
    ), log


def literals():
    return [
        1_000, 0xFF, 0b11, 0o17, 1e400, -0.0, 1j, "a" "b", b"\x00", r"\n", "\N{BULLET}", """multi
line""", ..., None, True, float("nan") != float("nan"), 10**40, "\ud800" == "\ud800",
    ]  # fmt: skip


def strings_with_every_quote():
    return ['"', "'", "'\"", '''"""''', "\\", "\t\n", "{", f"{'{'}", f"{'a' + 'b'}", "\x7f", "\u2028"]


def deep_expressions(n=3):
    x = ((((n + 1) * 2) - 3) / 4 if n else 0) + (n and (n or (n and not n)))
    return x, [[[[n]]]][0][0][0][0], (n), -(-(-n)), not not not n
