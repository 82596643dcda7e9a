"""global, nonlocal, closures, cells, del, comprehensions."""

COUNT = 0


def global_in_a_branch(n=3):
    global COUNT
    COUNT = 0
    if n > 1:
        COUNT += n
    for i in range(2):
        COUNT += 1
    return COUNT


def global_declared_inside_a_branch(n=3):
    if n > 1:
        global FRESH
        FRESH = n
    return FRESH


def global_deleted(n=3):
    global GONE
    GONE = 1
    if n > 1:
        del GONE
    try:
        return GONE
    except NameError as error:
        return type(error).__name__, str(error)


def nonlocal_counter():
    n = 0

    def count(step):
        nonlocal n
        if step > 0:
            n += step
        while n > 10:
            n -= 10
        return n

    return [count(7) for _ in range(4)], n


def nonlocal_three_deep():
    x = 0

    def outer():
        nonlocal x
        x += 1

        def inner():
            nonlocal x
            if x > 0:
                x += 10

        inner()
        return x

    return outer(), x


def shared_cells(n=3):
    def get():
        return x

    def put(value):
        nonlocal x
        x = value

    x = 1
    if n > 1:
        x = 2
    first = get()
    put(5)
    if x > 4:
        x += 1
    return first, get(), x


def parameter_captured(n=3):
    def get():
        return n

    if n > 1:
        n = 10
    return get()


def class_body_scopes(n=3):
    x = "function"

    class C:
        x = "class"
        y = [x for _ in range(1)]
        if n > 1:
            z = x
        else:
            z = None
        for i in range(2):
            w = i

        def m(self):
            return x

    return C.x, C.y, C.z, C.i, C.w, C().m()


def class_that_reads_before_it_binds():
    x = "function"

    def inner():
        class C:
            y = x
            if y:
                x = "class"

        return C.y, C.x

    return inner()


def comprehension_scopes(n=3):
    x = "outer"
    squares = [x * x for x in range(n)]
    pairs = {(a, b): a + b for a in range(2) for b in range(2) if a <= b}
    later = [lambda: i for i in range(3)]
    return x, squares, pairs, [f() for f in later], {c for c in "aab" if c > "a"}


def walrus_in_a_comprehension(n=3):
    if n > 1:
        found = [last := i for i in range(n)]
    any((witness := i) > 1 for i in range(n))
    return found, last, witness


def generator_expressions_are_lazy():
    log = []

    def note(x):
        log.append(x)
        return x

    g = (note(i) for i in range(3) if note(-i) <= 0)
    before = list(log)
    first = next(g)
    return before, first, log


def first_iterable_is_made_at_once(n=3):
    try:
        g = (x for x in n)
    except TypeError:
        return "at once"
    return "later"


def del_of_a_captured_variable(n=3):
    def get():
        return x

    x = 1
    if n > 1:
        del x
    try:
        get()
    except NameError as error:
        return type(error).__name__, str(error)


def builtins_shadowed(n=3):
    len = lambda x: "my len"
    range = lambda x: [1, 2]
    found = []
    for i in range(n):
        found.append(i)
    if len(found) == "my len":
        found.append("shadowed")
    return found


def argument_called_like_a_builtin(print=3, locals=4):
    if print > 1:
        print = print + locals
    return print


def import_star_names(n=3):
    import math

    if n > 1:
        from math import sqrt as root

        math = math.floor
    return root(4), math(2.5)


def unicode_names(größe=3):
    if größe > 1:
        ñ = größe
        变量 = ñ + 1
    return ñ, 变量, ﬁ_ligature(größe)


def ﬁ_ligature(x):
    if x:
        ﬁ = x
    return fi


def lambdas_of_every_kind(n=3):
    f = lambda: (yield)
    g = lambda *a, k=1, **kw: (a, k, kw) if n > 1 else None
    h = lambda x, /, y=2, *, z: x + y + z if x else 0
    return type(f()).__name__, g(1, 2, k=3, q=4), h(1, z=5), h(0, z=1), (lambda: n)()


def names_in_nested_functions(n=3):
    def outer(a):
        def inner(b):
            if b > a:
                return a + b + n
            return inner(b + 1)

        return inner(a)

    return outer(2)


def conditional_function(n=3):
    if n > 1:

        def helper(x):
            if x > 1:
                return helper(x - 1) + 1
            return 0

    else:

        def helper(x):
            return -1

    return helper(4)
