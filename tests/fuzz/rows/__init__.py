"""How operations of the table are called: a file for each family."""

from tests.fuzz.rows import effects, lists, matrices, numbers, parts, shapes  # noqa: F401 - they enter their rules
from tests.fuzz.rows.table import calls, show

__all__ = ["calls", "show"]
