import pytest

import autograph
from autograph.passes import frames, jumps, outlining
from tests.programs import load
from tests.rewriting import rewritten, tidy


@pytest.mark.parametrize(
    "before, after",
    [
        ("return locals()", "return ag__.visible(locals(), ())"),
        ("return vars()", "return ag__.visible(locals(), ())"),
        ("return dir()", "return ag__.listed(locals(), ())"),
        ("return eval('x')", "return eval('x', globals(), ag__.visible(locals(), ()))"),
        ("exec(text)", "exec(text, globals(), ag__.visible(locals(), ()))"),
    ],
)
def test_readers_of_the_frame(before, after):
    assert rewritten(before, frames) == after


@pytest.mark.parametrize(
    "kept",
    [
        "return vars(x)",
        "return dir(x)",
        "return eval('x', {})",
        "return eval('x', *more)",
        "return eval(*more)",
        "return eval('x', **more)",
        "return locals(*more)",
        "return dir(**more)",
        "locals = dict\nreturn locals()",
    ],
)
def test_what_needs_no_frame_stays(kept):
    assert rewritten(kept, frames) == kept


def test_a_statement_with_a_reader_stays_and_all_variables_are_public():
    before = """
        def f(x):
            if x > 0:
                y = 1
            if x > 1:
                print(locals())
        """
    after = """
        def f(x):
            y: ag__.Undefined
            def if_body():
                nonlocal y
                y = 1
            ag__.if_stmt(x > 0, if_body, None, ('y',))
            if x > 1:
                print(ag__.visible(locals(), ('if_body',)))
        """
    assert rewritten(before, frames, jumps, outlining) == tidy(after).strip()


@pytest.mark.parametrize(
    "name, call, kept",
    [
        ("sys", "sys._getframe()", True),
        ("stack", "stack()", True),
        ("dir", "dir(*more)", True),
        ("dir", "dir(**more)", True),
        ("dir", "dir(more)", False),
        ("sys", "sys.exit()", False),
    ],
)
def test_a_statement_that_may_ask_for_frames_stays(name, call, kept):
    modules = {"sys": "sys", "stack": "inspect"}
    before = f"def f(x):\n    if x:\n        {call}"
    assert (rewritten(before, frames, outlining, modules=modules) == before) == kept
    hidden = f"def f(x, {name}):\n    if x:\n        {call}"
    assert rewritten(hidden, frames, outlining, modules=modules) != hidden


@pytest.mark.parametrize("reader", ["locals", "vars", "dir", "eval", "exec"])
def test_functions_of_the_module_that_are_called_like_readers(reader):
    f = load(f"def {reader}(x='a'):\n    return [x]\ndef f(x):\n    return {reader}() if x else {reader}('x')\n")
    for form in (autograph.to_graph(f), autograph.convert(f)):
        assert (form(True), form(False)) == (["a"], ["x"])
