import pytest

from autograph.passes import asserts
from tests.rewriting import rewritten


@pytest.mark.parametrize(
    "before, after",
    [
        ("assert x > 0", "ag__.assert_stmt(x > 0)"),
        ("assert x > 0, f'{x} is negative'", "ag__.assert_stmt(x > 0, lambda: f'{x} is negative')"),
        ("assert x is not None, 'x'", "assert x is not None, 'x'"),
        ("assert isinstance(x, int)", "assert isinstance(x, int)"),
    ],
)
def test_assert(before, after):
    assert rewritten(before, asserts) == after
