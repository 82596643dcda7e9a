"""if, elif, else, conditional expressions."""


def truth_of_everything():
    return [bool_of(v) for v in (0, 1, -1, 0.0, "", "a", None, [], [0], (), {}, {1: 2}, set(), b"", 1j, ..., type)]


def bool_of(value):
    if value:
        return "true"
    return "false"


def first_assigned_in_a_branch():
    found = []
    for flag in (True, False):
        if flag:
            y = "set"
        else:
            found.append("else")
        found.append(y)
    return found


def unbound_after_a_branch(flag=False):
    if flag:
        y = 1
    return y


def unbound_in_a_branch_that_reads_before_it_binds(n=3):
    if n > 1:
        print(y)
        y = 1
    return y


def unbound_that_a_closure_reads(n=3):
    def inner():
        return y

    if n > 5:
        y = 1
    return inner()


def except_sees_the_right_type(n=3):
    try:
        if n > 1:
            return missing
        if n > 5:
            missing = 1
    except UnboundLocalError as error:
        return "unbound", str(error)
    except NameError as error:
        return "name", str(error)


def deleted_in_a_branch(n=3):
    y = 1
    if n > 1:
        del y
    return y


def deleted_twice(n=3):
    y = 1
    if n > 1:
        del y
    if n > 2:
        del y
    return "no error"


def test_is_asked_once():
    log = []

    class Test:
        def __bool__(self):
            log.append("asked")
            return True

    if Test():
        log.append("yes")
    elif Test():
        log.append("no")
    return log


class Asked:
    """What is true if its number is odd, and notes that it was asked."""

    def __init__(self, number, log):
        self.number, self.log = number, log

    def __bool__(self):
        self.log.append(self.number)
        return self.number % 2 == 1


def each_operand_of_a_test_is_asked_once():
    found = []
    for bits in range(8):
        log = []
        a, b, c = (Asked(10 * i + (bits >> i & 1), log) for i in range(3))
        if a and b:
            log.append("and")
        if a or b and c:
            log.append("or")
        if not (a and b) or c:
            log.append("not")
        if not (not a or b):
            log.append("two nots")
        if (a or b) and (b or c):
            log.append("mixed")
        if a.number > 20 or a:
            log.append("comparison first")
        if a if b or c else c:
            log.append("conditional")
        elif b and c or a:
            log.append("elif")
        elif c or b:
            log.append("elif")
        try:
            assert a or b
        except AssertionError:
            log.append("assert")
        turns = 0
        while a and turns < 3 or b and turns < 2:
            turns += 1
            if c or b:
                continue
            if a and c:
                break
        x = 1 if a and b else 2
        match a.number:
            case 0 if a or b:
                log.append("guard")
            case _ if b and c:
                log.append("other guard")
        if a and (k := b):
            log.append("walrus")
        if (a and b and (k := c)) or (k := a) or b:
            log.append(k.number)
        x += 1 if a and (k := b) else 2
        x += 1 if (a and (k := b)) or c else 2
        x += 1 if not (b or (k := c)) else 2
        assert a or (k := b) or (k := 1)
        while b and (k := a) and turns < 9:
            turns += 1
        found.append((x, turns, log))
    return found


def each_operand_of_a_condition_of_a_comprehension_is_asked_once():
    found = []
    for bits in range(8):
        log = []
        a, b, c = (Asked(10 * i + (bits >> i & 1), log) for i in range(3))
        found.append([k.number for k in (a, b, c) if k and a])
        found.append([k.number for k in (a, b, c) if k if a])
        found.append({k.number for k in (a, b, c) if k or a})
        found.append({k.number: 1 for k in (a, b, c) if not k or b})
        found.append(sum(k.number for k in (a, b, c) if (k or a) and b))
        found.append([f() for f in [lambda: k.number for k in (a, b, c) if k and a]])
        found.append([i for i in range(2) if (a if b and c else c)])
        found.append(log)
    return found


def truth_that_fails():
    class Test:
        def __bool__(self):
            raise ValueError("no truth")

    try:
        if Test():
            return 1
    except ValueError as error:
        return str(error)


def truth_of_the_wrong_type():
    class Test:
        def __bool__(self):
            return 2

    if Test():
        return 1


def length_as_truth():
    class Sized:
        def __init__(self, n):
            self.n = n

        def __len__(self):
            return self.n

    return ["yes" if Sized(n) else "no" for n in (0, 1)], [bool_of(Sized(n)) for n in (0, 1)]


def order_of_elif():
    log = []

    def ask(name, answer):
        log.append(name)
        return answer

    if ask("a", 0):
        log.append("A")
    elif ask("b", []):
        log.append("B")
    elif ask("c", "yes"):
        log.append("C")
    elif ask("d", 1):
        log.append("D")
    else:
        log.append("E")
    return log


def walrus_in_elif(n=5):
    if (a := n) > 10:
        return "big", a
    elif (b := a - 1) > 3:
        return "middle", a, b
    return a, b


def walrus_in_elif_that_a_later_test_reads():
    found = []
    for n in range(-2, 12):
        x, y, w = n, 7, 1
        if x > 9:
            r = "large"
        elif (y := x // 2) > 3:
            r = "first"
        elif x == 1:
            r = "second"
        elif (w := y):
            r = "third"
        elif y == w:
            r = "fourth"
        found.append((r, x, y, w))
        if (y := x // 3) > 2:
            r = "first"
        elif (w := y):
            r = "second"
        found.append((r, x, y, w))
    return found


def changes_before_an_error_stay(n=3):
    state = {"x": 0}
    try:
        if n > 1:
            state["x"] = 1
            state["y"] = n
            n = 10
            raise KeyError("after the changes")
    except KeyError:
        pass
    return state, n


def nothing_lives_too_long():
    import gc
    import weakref

    class Thing(list):
        pass

    thing = Thing([1])
    ref = weakref.ref(thing)
    if thing:
        x = 1
    del thing
    gc.collect()
    return ref() is None, x


def a_value_that_equals_anything():
    class Any:
        def __eq__(self, other):
            return True

        def __bool__(self):
            return False

    if Any():
        return "true"
    return "false"


def nested_definitions_in_branches(n=3):
    if n > 1:

        def f():
            return n

        class C:
            x = n

            def m(self):
                return __class__.__name__

        g = lambda: n + 1
    else:
        f = g = C = None
    return f(), g(), C.x, C().m(), f.__qualname__, C.__qualname__, g.__qualname__


def imports_in_branches(n=3):
    if n > 1:
        import os.path as p
        from math import pi
        from math import tau as t
    return p.__name__ in ("posixpath", "ntpath"), round(pi, 3), round(t, 3)


def annotated_in_branches(n=3):
    x: int = 0
    if n > 1:
        x: int = 1
        y: str
        z: float = 2.0
    return x, z


def many_targets(n=3):
    if n > 1:
        (a, [b, *c]), d = (1, [2, 3, 4]), 5
        e = f = n
        c[0], n = n, c[0]
    return a, b, c, d, e, f, n


def conditional_expressions(n=3):
    log = []
    x = log.append("a") or 1 if n > 1 else log.append("b")
    y = (log.append("c"), 2)[1] if n > 5 else (log.append("d"), 3)[1]
    return x, y, log, (1 if n else 2) if n > 2 else 3
