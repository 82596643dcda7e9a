import pytest

from autograph.passes import frames, jumps, outlining
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
