"""Modules whose functions ask, when they are called, whether something is traced, and are converted only then.

Each function that stands in no other begins with a question that costs nanoseconds; the rest of it is as it is written.
So a module is loaded about as fast as ever, and the code can be kept in a file.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator
from typing import Any

from autograph import operators
from autograph.context import mangled
from autograph.eligibility import whole_function
from autograph.loading import load
from autograph.loading.nodes import placed
from autograph.loading.written import LOADED, loaded_operators
from autograph.walk import every_node

TRACED = "<autograph traced form>"  # a constant that stands for the module `load`, until code is loaded
Function = ast.FunctionDef | ast.AsyncFunctionDef


def guard_functions(tree: ast.Module) -> None:
    """Have the functions of a module, and the methods of its classes, hand their calls to their converted form while
    something is traced."""
    for function, outside, class_name in _outermost(tree.body, (), None):
        if whole_function(function) is None and _may_change(function):
            _guard(function, outside, class_name)


def _outermost(
    body: list[ast.stmt], outside: tuple[str, ...], class_name: str | None
) -> Iterator[tuple[Function, tuple[str, ...], str | None]]:
    """The functions that stand in no other, each with the names of type parameters around it, and its class."""
    for statement in body:
        inner = (*outside, *(p.name for p in getattr(statement, "type_params", ())))
        if isinstance(statement, Function):
            yield statement, inner, class_name
            continue
        name = statement.name if isinstance(statement, ast.ClassDef) else class_name
        for field in ("body", "orelse", "finalbody"):
            part = getattr(statement, field, ())
            if isinstance(part, list):
                yield from _outermost(part, inner, name)
        for clause in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            yield from _outermost(clause.body, inner, name)


_CHANGED = (
    ast.Call, ast.If, ast.While, ast.For, ast.AsyncFor, ast.With, ast.AsyncWith, ast.Try, ast.Match, ast.Assert,
    ast.BoolOp, ast.Compare, ast.IfExp, ast.comprehension, ast.JoinedStr, ast.List, ast.Lambda, ast.Not, ast.NamedExpr,
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.AugAssign, ast.Delete, ast.Subscript,
)  # fmt: skip


def _may_change(function: Function) -> bool:
    """Whether conversion may make anything else of a function: of one that gives an attribute it does not."""
    return any(isinstance(node, _CHANGED) for statement in function.body for node in every_node(statement))


def _guard(function: Function, outside: tuple[str, ...], class_name: str | None) -> None:
    nodes = [node for statement in function.body for node in every_node(statement)]
    if isinstance(function, ast.AsyncFunctionDef) and _yields(function):
        return
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    free = [name for name in dict.fromkeys(outside) if name in names]
    free += ["__class__"] if names & {"super", "__class__"} else []
    a = function.args
    given: list[ast.expr] = [_loaded(p.arg) for p in (*a.posonlyargs, *a.args)]
    given += [ast.Starred(_loaded(a.vararg.arg), ast.Load())] if a.vararg is not None else []
    keywords = [ast.keyword(mangled(p.arg, class_name), _loaded(p.arg)) for p in a.kwonlyargs]
    keywords += [ast.keyword(None, _loaded(a.kwarg.arg))] if a.kwarg is not None else []
    cells = [ast.Lambda(_no_parameters(), ast.Tuple([*map(_loaded, free)], ast.Load()))] if free else []
    form = ast.Attribute(ast.Constant(TRACED), "traced_form", ast.Load())
    call: Any = ast.Call(ast.Call(form, [*cells], []), given, keywords)
    if isinstance(function, ast.AsyncFunctionDef):
        call = ast.Await(call)
    elif _yields(function):
        call = ast.YieldFrom(call)
    active = ast.Attribute(ast.Attribute(loaded_operators(), "dispatch", ast.Load()), "active", ast.Load())
    documented = ast.get_docstring(function, clean=False) is not None
    first = function.body[min(documented, len(function.body) - 1)]
    function.body.insert(int(documented), placed(ast.If(active, [ast.Return(call)], []), first))


def _loaded(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _no_parameters() -> ast.arguments:
    return ast.arguments(posonlyargs=[], args=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[])


def _yields(function: Function) -> bool:
    """Whether a function is a generator."""
    waiting: list[ast.AST] = [*function.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)
    return False


def with_guards(code: types.CodeType) -> types.CodeType:
    """Compiled code, perhaps read from a file, with what its guards use among its constants."""
    values = {LOADED: operators, TRACED: load}
    changed = False
    constants: list[Any] = []
    guarded = TRACED in code.co_consts
    for constant in code.co_consts:
        made: Any = constant
        if type(constant) is types.CodeType and not guarded:
            made = with_guards(constant)
        elif type(constant) is str and guarded:
            made = values.get(constant, constant)
        changed = changed or made is not constant
        constants.append(made)
    if guarded:
        constants += [load.traced_form, operators]
    return code.replace(co_consts=tuple(constants)) if changed else code
