import contextlib

import pytest

import autograph
import runtime as tf
from autograph.passes import outlining
from tests.programs import load
from tests.rewriting import rewritten, tidy


@pytest.mark.parametrize(
    "before, after",
    [
        (  # state is what is needed afterwards
            """
            def f(x):
                if x > 0:
                    t = x * x
                    x = t + 1
                return x
            """,
            """
            def f(x):
                def if_body():
                    nonlocal x
                    t = x * x
                    x = t + 1
                ag__.if_stmt(x > 0, if_body, None, ('x',))
                return x
            """,
        ),
        (  # first assigned in a branch: declared, not bound
            """
            def f(x):
                if x > 0:
                    y = 1
                else:
                    y = 2
                return y
            """,
            """
            def f(x):
                y: ag__.Undefined
                def if_body():
                    nonlocal y
                    y = 1
                def else_body():
                    nonlocal y
                    y = 2
                ag__.if_stmt(x > 0, if_body, else_body, ('y',))
                return y
            """,
        ),
        (  # both branches return
            """
            def f(x):
                if x > 0:
                    return x
                else:
                    return 0
            """,
            """
            def f(x):
                def if_body():
                    return x
                def else_body():
                    return 0
                return ag__.if_stmt(x > 0, if_body, else_body)
            """,
        ),
        (
            """
            def f(x):
                while x > 0:
                    x = x - 1
                return x
            """,
            """
            def f(x):
                def loop_test():
                    return x > 0
                def loop_body():
                    nonlocal x
                    x = x - 1
                ag__.while_stmt(loop_test, loop_body, ('x',))
                return x
            """,
        ),
        (  # the target is a parameter of the body, unless it is needed after the loop
            """
            def f(xs):
                s = 0
                for x in xs:
                    s = s + x
                return s
            """,
            """
            def f(xs):
                s = 0
                def loop_body(x):
                    nonlocal s
                    s = s + x
                ag__.for_stmt(xs, loop_body, ('s',))
                return s
            """,
        ),
        (
            """
            def f(xs):
                for x in xs:
                    pass
                return x
            """,
            """
            def f(xs):
                x: ag__.Undefined
                def loop_body(item):
                    nonlocal x
                    x = item
                ag__.for_stmt(xs, loop_body, ('x',))
                return x
            """,
        ),
        (  # attributes and items of objects are found when they change
            """
            def f(self, d):
                if self.n > 0:
                    self.n = 0
                    d['k'] = 1
            """,
            """
            def f(self, d):
                def if_body():
                    self.n = 0
                    d['k'] = 1
                ag__.if_stmt(self.n > 0, if_body)
            """,
        ),
        (  # a name that a closure uses is always state
            """
            def f(x):
                g = lambda: y
                if x > 0:
                    y = 1
                return g
            """,
            """
            def f(x):
                y: ag__.Undefined
                g = lambda: y
                def if_body():
                    nonlocal y
                    y = 1
                ag__.if_stmt(x > 0, if_body, None, ('y',))
                return g
            """,
        ),
        (
            """
            def f(x):
                global n
                if x > 0:
                    n = x
            """,
            """
            def f(x):
                global n
                def if_body():
                    global n
                    n = x
                ag__.if_stmt(x > 0, if_body, None, ('n',))
            """,
        ),
        (  # the annotation of a variable goes, that of anything else stays
            """
            def f(c, x):
                if c:
                    x.a: int = 3
                    x[0]: int = 4
                    y: int = 5
                return y
            """,
            """
            def f(c, x):
                y: ag__.Undefined
                def if_body():
                    nonlocal y
                    x.a: int = 3
                    x[0]: int = 4
                    y = 5
                ag__.if_stmt(c, if_body, None, ('y',))
                return y
            """,
        ),
        (  # what is assigned before an exception that a clause undoes
            """
            def f(a, c):
                while a is not None:
                    try:
                        a = a.b
                    except E:
                        if c:
                            x = 1
                            g()
                        x = 2
                    else:
                        if c:
                            x = 3
                            g()
                        x = 4
                    finally:
                        break
                return x
            """,
            """
            def f(a, c):
                while a is not None:
                    try:
                        a = a.b
                    except E:
                        def if_body():
                            nonlocal x
                            x = 1
                            g()
                        ag__.if_stmt(c, if_body, None, ('x',))
                        x = 2
                    else:
                        def if_body():
                            nonlocal x
                            x = 3
                            g()
                        ag__.if_stmt(c, if_body, None, ('x',))
                        x = 4
                    finally:
                        break
                return x
            """,
        ),
    ],
)
def test_bodies_become_functions(before, after):
    assert rewritten(before, outlining) == tidy(after)


@pytest.mark.parametrize(
    "kept",
    [
        "def f(x):\n    if x is None:\n        x = 0\n    return x",
        "def f(x):\n    while x > 0:\n        yield x\n        x -= 1",
        "def f(x):\n    for i in range(3):\n        x += i\n    return x",
        "async def f(x):\n    if x > 0:\n        x = await g()\n    return x",
        "async def f(x):\n    if x > 0:\n        x = [await y for y in x]\n    return x",
        "async def f(x):\n    while x > 0:\n        x = [y async for y in x]\n    return x",
        "@do_not_convert\ndef f(x):\n    if x > 0:\n        x = 1\n    return x",
    ],
)
def test_statements_that_cannot_be_staged_stay(kept):
    assert rewritten(kept, outlining) == kept


STAY = {
    "a loop over items": "for y in [1, 2]:\n    print(y)",
    "one in another": "for y in [1, 2]:\n    for z in [3]:\n        print(y, z)",
    "one that waits": "while print():\n    await g()",
    "a branch": "if x is None:\n    print(x)",
    "a clause": "try:\n    print(x)\nexcept OSError:\n    pass",
}
MOVE = {
    "a branch": "if x > 0:\n    x = g(x)",
    "branches that return": "if x > 0:\n    return g(x)\nelse:\n    x = 2",
    "a loop": "while x > 0:\n    x = g(x)",
    "a branch with a function": "if x > 0:\n    t = g(x)\n    x = g(lambda: t)",
}


def in_function(*statements):
    """The lines of a function of these statements."""
    lines = "\n".join([*statements, "return x"]).splitlines()
    whole = rewritten("async def f(x):\n" + "\n".join(f"    {line}" for line in lines), outlining)
    return [line.removeprefix("    ") for line in whole.splitlines()[1:-1]]


@pytest.mark.parametrize("moves", MOVE.values(), ids=MOVE)
@pytest.mark.parametrize("stays", STAY.values(), ids=STAY)
def test_what_stays_has_no_say_about_what_stands_beside_it(stays, moves):
    alone = in_function(moves)
    assert alone != moves.splitlines()
    assert in_function(stays, moves) == [*stays.splitlines(), *alone]
    assert in_function(moves, stays) == [*alone, *stays.splitlines()]


@pytest.mark.parametrize("branch", [text for text in MOVE.values() if text.startswith("if")])
def test_neither_has_a_loop_about_a_branch(branch):
    loop = MOVE["a loop"]
    assert in_function(branch, loop) == in_function(branch) + in_function(loop)
    assert in_function(loop, branch) == in_function(loop) + in_function(branch)


@pytest.mark.parametrize(
    "loop",
    [
        "for a[0] in range(n):\n    t += a[0]\n    a = [t]",
        "for a[0] in range(n):\n    if t > 2: return t\n    t += 1\n    a = []",
        "for b.v in range(n):\n    t += b.v\n    b = Box(t)",
        "for i, a[i] in [(0, n), (0, 2)]:\n    t += a[i]\n    a = [t, 1]",
        "for a[t % 1] in range(n):\n    t += 1\n    a = [t]",
    ],
)
def test_what_the_target_of_a_loop_reads_the_body_may_assign(loop):
    box = "class Box:\n    def __init__(self, v): self.v = v\n"
    lines = f"{box}a, b, t = [0], Box(1), n\n{loop}\nreturn t".splitlines()
    text = "def f(n):\n" + "".join(f"    {line}\n" for line in lines)
    f = load(text)

    def outcome(form, n):
        try:
            return form(n)
        except IndexError as error:
            return str(error)

    for form in (autograph.to_graph(f), load(autograph.to_code(f))):
        assert [outcome(form, n) for n in range(4)] == [outcome(f, n) for n in range(4)]


# Statements that hold others, each around a branch and a loop of the graph: `@` stands for these.
HOLDERS = [
    "try:\n    @\nexcept ValueError:\n    pass",
    "try:\n    @\nfinally:\n    t += 1",
    "try:\n    t += 1\nexcept ValueError:\n    pass\nelse:\n    @",
    "try:\n    t += 1\nfinally:\n    @",
    "try:\n    @\nexcept* ValueError:\n    t += 2",
    "try:\n    t += 1\nexcept* ValueError:\n    pass\nelse:\n    @",
    "try:\n    t += 1\nexcept* ValueError:\n    pass\nfinally:\n    @",
    "with nothing():\n    @",
    "match 3:\n    case int():\n        @\n    case _:\n        t = 0",
    "match n:\n    case 3:\n        t += 1\n    case _:\n        @",
    "for k in (1, 2):\n    @\nelse:\n    t += 1",
    "for k in ():\n    pass\nelse:\n    @",
    "while t < 1:\n    t += 3\n    @",
]


@pytest.mark.parametrize("holder", HOLDERS)
def test_what_stands_in_another_statement_is_staged(holder):
    inside = "if n > 1: t += 2\nfor i in range(n): t = t * 2 + i\nwhile t > 20: t -= 7"
    lines = []
    for line in holder.splitlines():
        if line.strip() == "@":
            lines += [line.replace("@", part) for part in inside.splitlines()]
        else:
            lines.append(line)
    text = "def f(n):\n    t = 0\n" + "".join(f"    {line}\n" for line in lines) + "    return t\n"
    f = load(text, nothing=contextlib.nullcontext)
    graph = tf.function(f)
    for n in range(5):
        assert graph(tf.constant(n)).numpy() == f(n)
