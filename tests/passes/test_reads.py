import pytest

from autograph.passes import reads
from tests.rewriting import rewritten

FIRST = "if c: x = 1\n"


@pytest.mark.parametrize(
    "before, after",
    [
        ("try: y = x\nexcept NameError: y = 2", "try:\n    y = ag__.read(x)\nexcept NameError:\n    y = 2"),
        ("try: y = x\nexcept errors.Any: y = 2", "try:\n    y = ag__.read(x)\nexcept errors.Any:\n    y = 2"),
        ("try: y = x\nfinally: return y", "try:\n    y = ag__.read(x)\nfinally:\n    return y"),
        ("with c: y = [x, x + 1, x.a, x is c]", "with c:\n    y = [ag__.read(x), x + 1, x.a, ag__.read(x) is c]"),
        ("with c: y = [x for _ in x if x]", "with c:\n    y = [ag__.read(x) for _ in x if x]"),
        ("with c: y = [_ for _ in (x, 1)]", "with c:\n    y = [_ for _ in (ag__.read(x), 1)]"),
        ("with c: y = (x for _ in f(x))", "with c:\n    y = (x for _ in f(ag__.read(x)))"),
        ("with c: y = [x for x in (x, 1)]", "with c:\n    y = [x for x in (ag__.read(x), 1)]"),
        ("with c: y = lambda x=x: x", "with c:\n    y = lambda x=ag__.read(x): x"),
        ("with c:\n    if c: f(x)\n    x = 1\n    f(x)",)
        + ("with c:\n    if c:\n        f(ag__.read(x))\n    x = 1\n    f(x)",),
        ("y = x", "y = x"),  # no clause would catch it
        ("try: y = 1\nexcept: y = x", "try:\n    y = 1\nexcept:\n    y = x"),
        ("try: y = x\nexcept (KeyError, OSError): pass", "try:\n    y = x\nexcept (KeyError, OSError):\n    pass"),
        ("x = 2\nwith c: y = x", "x = 2\nwith c:\n    y = x"),  # it is surely bound
        ("if c: x = 2\nelse: return\nwith c: y = x", "if c:\n    x = 2\nelse:\n    return\nwith c:\n    y = x"),
        ("x = 2\ndel x\nwith c: y = x", "x = 2\ndel x\nwith c:\n    y = ag__.read(x)"),
        ("with c: y = z", "with c:\n    y = z"),  # no branch of this function binds it
    ],
)  # fmt: skip
def test_a_variable_that_may_be_unbound_is_read_by_a_call_where_that_would_be_caught(before, after):
    assert rewritten(FIRST + before, reads) == f"if c:\n    x = 1\n{after}"


def test_functions_inside_read_variables_of_those_around():
    inner = "def g():\n    with c: return [x, y]\n"
    assert "return [ag__.read(x), y]" in rewritten(FIRST + inner, reads)
    assert "return [x, y]" in rewritten(FIRST + inner.replace("g()", "g(x)"), reads)
