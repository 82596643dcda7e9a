"""Which of the user's lines each line of the printed code came from."""

from __future__ import annotations

import ast
import types

from autograph.api import context_of
from autograph.depth import room
from autograph.listing import converted_definition
from autograph.source import find, function_of


@room()
def origins(entity: object, text: str) -> dict[int, int]:
    """By line of `text`, which `to_code` printed for a function, the user's line that it came from.

    Lines that came from none, as the imports, are left out. A class is refused: ask for its methods.
    """
    function = function_of(entity)
    if not isinstance(function, types.FunctionType):
        raise TypeError(f"origins({entity!r}): it is a class; ask for its methods one by one.")
    module, place = find(function)
    made = converted_definition(place, context_of(module, place, function))
    found: dict[int, int] = {}
    for printed in reversed([n for n in ast.walk(ast.parse(text)) if _is_alike(n, made)]):
        if _pair(made, printed, found):
            break
        found.clear()
    return found


def _is_alike(printed: ast.AST, made: ast.stmt) -> bool:
    """Whether a statement may be the text of another; a lambda is printed as a statement, or is returned."""
    if isinstance(made, ast.Expr):
        return isinstance(printed, ast.Expr | ast.Return) and isinstance(printed.value, ast.Lambda)
    return type(printed) is type(made) and getattr(printed, "name", "") == getattr(made, "name", "")


def _pair(made: ast.AST, printed: ast.AST, found: dict[int, int]) -> bool:
    """Note the lines of a statement and of what stands in it, as far as both have the same form; whether all has."""
    if isinstance(made, ast.stmt) and isinstance(printed, ast.stmt):
        found.update(dict.fromkeys(range(printed.lineno, (printed.end_lineno or 0) + 1), made.lineno))
    same = True
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        mine, others = getattr(made, name, []), getattr(printed, name, [])
        if not isinstance(mine, list) or not isinstance(others, list):
            continue  # of a lambda
        same = same and [*map(type, mine)] == [*map(type, others)]
        for part, other in zip(mine, others):
            same = (type(part) is type(other) and _pair(part, other, found)) and same
    return same
