"""Modules whose functions ask, when they are called, whether something is traced, and are converted only then.

Each function that stands in no other begins with a question that costs nanoseconds; the rest of it is as it is written.
So a module is loaded about as fast as ever, and the code can be kept in a file: it is compiled for good, and finds what
there is in a process by a name (`imported.NAME`).
"""

from __future__ import annotations

import ast
import types
from collections.abc import Collection, Iterator

from autograph.context import mangled
from autograph.eligibility import whole_function
from autograph.loading.asked import SEEN
from autograph.loading.imported import ACTIVE, NAME
from autograph.loading.inplace import either
from autograph.loading.load import completed
from autograph.loading.marks import GUARDED, IN_PLACE, LOOKING
from autograph.loading.nodes import changed, placed, remade
from autograph.loading.written import LOADED
from autograph.walk import every_node

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


# Who reads these walks through frames, and who reads those asks how many frames away its caller is.
_WALKING = frozenset(("_getframe", "_getframemodulename", "currentframe", "f_back"))
_LOOKING = frozenset(
    "extract_stack findCaller format_stack getouterframes print_stack stack stacklevel walk_stack warn".split()
)


def looking_at_callers(tree: ast.Module) -> set[int]:
    """The functions of a module, by identity, that may look at who calls them, and those that call such by name: for
    them a guard would be one frame too many. Where one walks through frames, they are all the functions of the module,
    as it may count those of the others."""
    words = {}
    for function, _, class_name in _outermost(tree.body, (), None):
        made = class_name if function.name in ("__init__", "__new__") else None
        words[id(function)] = (made or function.name, _words(function))
    if any(used & _WALKING for _, used in words.values()):
        return set(words)
    found: set[int] = set()
    names: frozenset[str] | set[str] = _LOOKING
    while more := {key for key, (_, used) in words.items() if used & names} - found:
        found |= more
        names = {words[key][0] for key in more}
    return found


def _words(function: Function) -> set[str]:
    """The names, attributes and keywords in a function, but for variables of functions that these give a value
    themselves: a list that is called `stack` looks at nobody."""
    found: set[str] = set()
    for node in every_node(function):
        if isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.keyword) and node.arg:
            found.add(node.arg)
    return found | _names_from_outside(function)


def _names_from_outside(function: Function | ast.Lambda) -> set[str]:
    """The names that a function reads and does not bind by its parameters and assignments, nor do those in it."""
    parameters = {node.arg for node in every_node(function.args) if isinstance(node, ast.arg)}
    read: set[str] = set()
    bound: set[str] = set()
    declared: set[str] = set()
    body = function.body if isinstance(function.body, list) else [function.body]
    waiting: list[ast.AST] = [*body, *function.args.defaults, *filter(None, function.args.kw_defaults)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            declared.update(node.names)
        elif isinstance(node, Function | ast.Lambda):
            read |= _names_from_outside(node)
            waiting += getattr(node, "decorator_list", ())
        else:
            waiting += ast.iter_child_nodes(node)
    return read - parameters - (bound - declared)


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
    yields, waits = _yields(function), isinstance(function, ast.AsyncFunctionDef)
    if yields and waits:
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
    call: ast.expr = ast.Call(ast.Call(_found("traced_form"), [*cells], []), given, keywords)
    if waits:
        call = ast.Await(call)
    elif yields:
        call = ast.YieldFrom(call)
    documented = ast.get_docstring(function, clean=False) is not None
    rest = [s for s in function.body[documented:] if not isinstance(s, ast.Global | ast.Nonlocal)]
    clause = ast.ExceptHandler(None, None, [ast.Expr(ast.Call(_found("hide"), [], [])), ast.Raise()])
    active = ast.Try([ast.Return(call)], [clause], [], [])
    function.body.insert(int(documented), _if_active([active], (rest or [function])[0]))


def either_by_name(original: Function, loaded: Function, key: str) -> Function:
    """As `either` has it, but what is loaded finds by a name what there is in a process; `key` is that of the text."""
    made = either(original, _by_name(loaded, key))
    *before, choice = made.body
    assert isinstance(choice, ast.If)
    active = [*choice.body, placed(ast.Return(), choice.body[-1])]
    return changed(made, body=[*before, _if_active(active, choice), *choice.orelse])


def _if_active(block: list[ast.stmt], place: ast.stmt) -> ast.stmt:
    """What is done first in a function while something is traced, after which nothing else is.

    A loop can be left from everywhere: there is one question to ask, and no other if there is nothing to be asked.
    """
    idle = ast.If(ast.UnaryOp(ast.Not(), ast.Name(ACTIVE, ast.Load())), [ast.Break()], [])
    asked = ast.Try([idle], [ast.ExceptHandler(None, None, [ast.Break()])], [], [])
    return placed(ast.While(ast.Constant(True), [asked, *block], []), _at_once(place))


def _at_once(statement: ast.stmt) -> ast.stmt:
    """The place where a statement begins: no line that did not run seems to have."""
    place = ast.Pass(lineno=statement.lineno, col_offset=statement.col_offset)
    place.end_lineno, place.end_col_offset = place.lineno, place.col_offset
    return place


def _found(*attributes: str) -> ast.expr:
    """What code that is kept in a file has of the module `imported`."""
    found: ast.expr = ast.Name(NAME, ast.Load())
    for attribute in attributes:
        found = ast.Attribute(found, attribute, ast.Load())
    return found


def _by_name(loaded: Function, key: str) -> Function:
    """Loaded code that has no constants which stand for what there is in a process."""
    known: dict[int, tuple[ast.AST, ast.AST]] = {}

    def named(node: ast.AST) -> ast.AST:
        if isinstance(node, ast.Constant) and type(node.value) is str:
            if node.value in (LOADED, SEEN):
                return placed(_found("operators") if node.value == LOADED else _found("seen", key), node)
            return node
        if id(node) not in known:  # nodes may be shared
            known[id(node)] = (node, remade(node, named))
        return known[id(node)][1]

    made = named(loaded)
    assert isinstance(made, Function)
    return made


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


Named = tuple[str, int]  # a function of a module, by its name and its first line


def in_place_codes(
    code: types.CodeType, helpers: Collection[str], key: str
) -> Iterator[tuple[tuple[str, int], types.CodeType]]:
    """The functions in the code of a module that `either_by_name` has made, by the dotted name and the first line.

    Args:
      code: as it was compiled.
      helpers: functions made by the compiler.
      key: stands for the text of the module.
    """
    if ACTIVE in code.co_names:
        yield (code.co_qualname, code.co_firstlineno), completed(code, helpers, {}, (key, IN_PLACE))
        return
    for inner in code.co_consts:
        if type(inner) is types.CodeType:
            yield from in_place_codes(inner, helpers, key)


def marked(code: types.CodeType, looking: Collection[Named], key: str) -> types.CodeType:
    """The code of a module in which each function has a mark that has a guard, or is one that is `looking` at who calls
    it; `key` stands for the text of the module."""
    if (code.co_name, code.co_firstlineno) in looking:
        return code.replace(co_consts=(*code.co_consts, key, LOOKING))
    if ACTIVE in code.co_names:
        return code.replace(co_consts=(*code.co_consts, key, GUARDED))
    inner = [marked(c, looking, key) if type(c) is types.CodeType else c for c in code.co_consts]
    return code.replace(co_consts=tuple(inner))
