"""``if``, conditional expressions and ``match``."""

# ruff: noqa: SIM102, SIM108, SIM103, RET503, RET505, RET507, RET508, F841, PLR1714, E731
import runtime as tf
from tests.staged import on


@on(2, -2)
def if_else(x):
    if x > 0:
        y = x * 2
    else:
        y = x - 1
    return y


@on(95, 70, 3)
def elif_chain(x):
    if x > 90:
        g = "A"
    elif x > 60:
        g = "B"
    else:
        g = "C"
    return g


@on((3, 4), (3, -4), (-3, 4))
def nested(x, y):
    a, b = 0, 0
    if x > 0:
        a = x
        if y > 0:
            b = y
        else:
            a = a * 10
    return a, b


@on(20, 7, 1)
def early_returns(x):
    if x > 10:
        return 1
    if x > 5:
        return 2
    return 3


@on(3, 0)
def integer_condition(x):
    if x:
        return 1
    return 0


@on(0.0, 0.5)
def float_condition(x):
    return 1 if x else 2


@on(1, -1)
def one_branch_only(x):
    if x > 0:
        z = x
    return z


@on(1, -1)
def else_branch_only(x):
    if x > 0:
        pass
    else:
        z = x
    return z


@on(1, -1)
def used_only_if_assigned(x):
    if x > 0:
        z = x * 2
    if x > 0:
        return z + 1
    return 0


@on(1, -1)
def local_to_a_branch(x):
    if x > 0:
        tmp = x * 2
        out = tmp + 1
    else:
        out = x
    return out


@on(1, -1)
def none_first(x):
    y = None
    if x > 0:
        y = x
    return y


@on(1, -1)
def none_tested(x):
    y = None
    if x > 0:
        y = x
    if y is None:
        return -100
    return y + 1


@on(1, -1)
def none_tested_otherwise(x):
    y = None
    if x > 0:
        y = x
    if y is not None:
        y = y * 10
    else:
        y = 7
    return y


@on(1, -1)
def returns_in_one_branch(x):
    if x > 0:
        return x


@on(1, -1)
def returns_none_in_a_branch(x):
    if x > 0:
        return x
    else:
        return None


@on(1, -1)
def int_and_float(x):
    if x > 0:
        y = 1
    else:
        y = 2.5
    return y


@on(1.5, -1.5)
def zero_and_float_tensor(x):
    y = 0
    if x > 0:
        y = x
    return y


@on(1, -1)
def shapes_differ(x):
    if x > 0:
        y = tf.constant([1])
    else:
        y = tf.constant([1, 2])
    return y


@on(1, -1)
def ranks_differ(x):
    if x > 0:
        y = tf.constant(1)
    else:
        y = tf.constant([1, 2])
    return y


@on(1, -1)
def dictionaries(x):
    if x > 0:
        y = {"a": x, "b": (x, 1)}
    else:
        y = {"a": -x, "b": (0, 2)}
    return y


@on(1, -1)
def lists_of_different_length(x):
    if x > 0:
        y = [x]
    else:
        y = [x, x + 1]
    return y


@on(3, -3)
def functions_chosen(x):
    def double(v):
        return v * 2

    if x > 0:
        f = double
    else:
        f = lambda v: v - 1
    return f(x)


@on(3, -3)
def functions_defined_in_branches(x):
    if x > 0:

        def f(v):
            return v + x

    else:

        def f(v):
            return v * x

    return f(10)


class Circle:
    def __init__(self, r):
        self.r = r

    def area(self, k):
        return self.r * self.r * k


class Square(Circle):
    def area(self, k):
        if self.r > 2:
            return self.r * k
        return self.r


@on(3, -3, 1)
def objects_chosen(x):
    if x > 0:
        o = Square(x)
    else:
        o = Circle(x)
    return o.area(2), o.r


@on(3, -3)
def objects_of_one_class(x):
    if x > 0:
        o = Circle(x)
    else:
        o = Circle(-x)
    return o.area(2)


@on(3, -3)
def attribute_assigned(x):
    o = Circle(1)
    if x > 0:
        o.r = x
    return o.r


@on(3, -3)
def new_attribute_in_one_branch(x):
    o = Circle(1)
    if x > 0:
        o.extra = x
    else:
        o.extra = 5
    return o.extra


@on(3, -3)
def items_assigned(x):
    d = {"k": x, ("k", 1): 0}
    a = [1, 2, 3]
    if x > 0:
        d["k"] = x * 2
        d["k", 1] = 4
        a[1] = x
    else:
        a[0] += x
    return d["k"], d["k", 1], a


@on(3, -3)
def deleted_in_a_branch(x):
    y = 1
    if x > 0:
        del y
    else:
        y = 2
    return x if x > 0 else y


@on(3, -3)
def deleted_then_read(x):
    y = 1
    if x > 0:
        del y
    return y


@on(3, -3)
def raises(x):
    if x > 0:
        raise ValueError("positive", 3)
    return x


@on(3, -3)
def raises_with_the_value(x):
    if x < 0:
        raise KeyError(f"negative: {x}")
    return x


class OwnError(Exception):
    def __init__(self, what, value):
        super().__init__(f"{what}!")
        self.value = value


@on(3, -3)
def raises_own_exception(x):
    if x < 0:
        raise OwnError("bad", 4)
    y = x + 1
    return y


@on(1, 0, -1)
def raises_in_all_branches(x):
    if x > 0:
        raise KeyError("a")
    elif x < 0:
        raise IndexError("b")
    else:
        raise TypeError("c")


@on(12, 7, 3)
def raises_in_nested_branches(x):
    if x > 5:
        if x > 10:
            raise ValueError("large")
        y = 1
    else:
        y = 2
    return y


@on(3, -3)
def asserts(x):
    assert x > 0, "must be positive"
    return x


@on(3, -3)
def asserts_with_the_value(x):
    assert x > 0, f"{x} is not positive"
    return x * 2


@on(3, -3)
def fails_only_in_the_branch_not_taken(x):
    d = {"a": 1}
    if x > 100:
        y = d["missing"]
    else:
        y = d["a"]
    return y + x


@on(5, 0)
def division_guarded(x):
    if x != 0:
        y = 10 // x
    else:
        y = -1
    return y


@on(3, -3)
def conditional_expression(x):
    return x if x > 0 else -x


@on(3, -3)
def conditional_none(x):
    y = x if x > 0 else None
    return y


@on(3, -3)
def conditional_none_tested(x):
    y = x if x > 0 else None
    return 0 if y is None else y + 1


@on((1, 2), (-1, 2), (-1, -2))
def conditional_nested(x, y):
    return "a" if x > 0 else ("b" if y > 0 else "c")


@on(3, -3)
def return_in_with(x):
    from contextlib import nullcontext

    with nullcontext(4) as four:
        if x > 0:
            return x + four
    return -1


@on(3, -3)
def return_in_try(x):
    try:
        if x > 0:
            return x
    finally:
        x = x + 1
    return x


@on(3, -3)
def return_in_try_twice(x):
    try:
        if x > 0:
            return 1
        y = 2
    except KeyError:
        return 3
    return y


@on(3, -3)
def both_return_after_with(x):
    from contextlib import nullcontext

    with nullcontext():
        if x > 0:
            return 1
        else:
            return 2


@on((3, 1), (-3, 1), (3, -1))
def python_and_tensor_conditions(x, y):
    n = 4
    if n > 3 and x > 0:
        if n > 5 or y > 0:
            return 1
        return 2
    return 3


@on(3, -3)
def unchanged_python_values(x):
    mode = "train"
    n = 3
    if x > 0:
        mode = "train"
        n = 3
    return x * n if mode == "train" else 0


@on(0, 1, 2, 11, 5)
def match_literals(x):
    match x:
        case 0:
            return 10
        case 1 | 2:
            y = 20
        case n if n > 10:
            y = n * 2
        case _:
            y = -1
    return y


@on((0, 5), (5, 0), (5, 2), (2, 5))
def match_sequences(x, y):
    match (x, y):
        case (0, b):
            r = b
        case (a, 0):
            r = a
        case (a, b) if a > b:
            r = a - b
        case _:
            r = 100
    return r


@on(2, 0)
def match_mappings(x):
    match {"kind": "point", "x": x}:
        case {"kind": "line"}:
            return 1
        case {"kind": "point", "x": 0}:
            return 2
        case {"kind": "point", "x": v}:
            return v * 10


@on(2, 0, 7)
def match_classes(x):
    match Circle(x):
        case Circle(r=0):
            return "none"
        case Circle(r=r) if r > 5:
            return "large"
        case Circle():
            return "small"


@on(2, 0)
def match_falls_through(x):
    y = 1
    match x:
        case 0:
            y = 5
    return y


@on(3, -3)
def match_none(x):
    y = None
    if x > 0:
        y = x
    match y:
        case None:
            return -1
        case v:
            return v


@on(5, 20)
def match_in_a_loop(n):
    t = 0
    for i in tf.range(n):
        match i % 3:
            case 0:
                continue
            case 1:
                t += 1
            case _:
                if i > 6:
                    break
                t += 10
    return t


@on(1, 2, 3)
def match_a_python_value(x):
    kinds = ["a", "b"]
    match kinds:
        case ["a", rest]:
            return x if rest == "b" else -x
        case _:
            return 0


@on(1, 7)
def match_star(x):
    match [1, 2, x]:
        case [1, *rest] if rest[1] > 5:
            return len(rest)
        case [_, _, last]:
            return last


@on((1, 1), (1, -1), (-1, 1))
def variables_from_both_levels(x, y):
    if x > 0:
        a = 1
        if y > 0:
            b = 2
        else:
            b = 3
    else:
        a, b = 4, 5
    return a * 10 + b


@on(4, -4)
def walrus(x):
    if (y := x * 2) > 0:
        return y
    return y - 1


@on(4, -4)
def annotated(x):
    y: int = 0
    if x > 0:
        y: int = x
    return y


@on(3, -3)
def tuple_assigned(x):
    a, b = 1, 2
    if x > 0:
        a, b = b, x
    return a, b


@on(3, -3)
def nothing_returned(x):
    if x > 0:
        x = x + 1


@on(3, -3)
def global_read_only(x):
    if x > LIMIT:
        return 1
    return 2


LIMIT = 2


@on(1, -1)
def string_in_a_branch(x):
    s = "a"
    if x > 0:
        s = s + "b"
    return s


@on(([200, 3],), ([200, 0],), ([1, 3],))
def bound_to_a_number_behind_and(x):
    if x[0] > 100 and (z := x[1]):
        return z
    return -1
