import pytest

from autograph.passes import texts
from tests.rewriting import rewritten


@pytest.mark.parametrize(
    "before, after",
    [
        ("y = f'{x:.2f} m'", "y = ag__.text('{:.2f} m', x)"),
        ("y = f'{x!r:>{n}} {{}}'", "y = ag__.text('{!r:>{}} {{}}', x, n)"),
        ("y = 'a %d' % x", "y = ag__.percent('a %d', x)"),
        ("y = f'{1}'", "y = f'{1}'"),
        ("y = f'text'", "y = f'text'"),
        ("y = x % 2", "y = x % 2"),
    ],
)
def test_texts(before, after):
    assert rewritten(before, texts) == after
