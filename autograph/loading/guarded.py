"""Modules whose functions ask, when they are called, whether something is traced, and are converted only then.

Each function that stands in no other begins with a question that costs nanoseconds; the rest of it is as it is written.
So a module is loaded about as fast as ever, and the code can be kept in a file.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Collection, Iterator

from autograph import operators
from autograph.context import mangled
from autograph.eligibility import whole_function
from autograph.loading.load import Guard, finished
from autograph.loading.nodes import placed
from autograph.loading.written import LOADED, loaded_operators
from autograph.operators.seen import Seen
from autograph.walk import every_node

TRACED = "<autograph traced form>"  # a constant that stands for a `Guard`, until code is loaded
Function = ast.FunctionDef | ast.AsyncFunctionDef


def guard_functions(tree: ast.Module, but: Collection[int] = ()) -> None:
    """Have the functions of a module, and the methods of its classes, hand their calls to their converted form while
    something is traced; `but` are those, by identity, that do not."""
    for function, outside, class_name in _outermost(tree.body, (), None):
        if id(function) not in but and whole_function(function) is None and _may_change(function):
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
    form: ast.expr = ast.Call(_of_guard("traced_form"), [*cells], [])
    if not free:  # then it is the same for all functions of a module that have this code
        variables = ast.Call(ast.Attribute(loaded_operators(), "globals_", ast.Load()), [], [])
        known = ast.Compare(_of_guard("variables"), [ast.Is()], [variables])
        form = ast.IfExp(known, _of_guard("form"), form)
    call: ast.expr = ast.Call(form, given, keywords)
    if waits:
        call = ast.Await(call)
    elif yields:
        call = ast.YieldFrom(call)
    active = ast.Attribute(ast.Attribute(loaded_operators(), "dispatch", ast.Load()), "active", ast.Load())
    documented = ast.get_docstring(function, clean=False) is not None
    rest = [s for s in function.body[documented:] if not isinstance(s, ast.Global | ast.Nonlocal)]
    place = ast.Pass(lineno=(rest or [function])[0].lineno, col_offset=(rest or [function])[0].col_offset)
    place.end_lineno, place.end_col_offset = place.lineno, place.col_offset  # no line that did not run seems to have
    hidden = ast.Expr(ast.Call(_of_guard("hide"), [], []))
    clause = ast.ExceptHandler(None, None, [hidden, ast.Raise()])
    body = ast.Try([ast.Return(call)], [clause], [], [])
    function.body.insert(int(documented), placed(ast.If(active, [body], []), place))


def _of_guard(attribute: str) -> ast.Attribute:
    return ast.Attribute(ast.Constant(TRACED), attribute, ast.Load())


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


def with_guards(
    code: types.CodeType, helpers: Collection[str], callees: Collection[str], text: bytes, filename: str
) -> types.CodeType:
    """A module's code, perhaps read from a file, with what it needs of this process among its constants.

    Args:
      code: as it was compiled, perhaps under another name of the file.
      helpers: functions made by the compiler.
      callees: functions that converted code calls by name.
      text: the source, compressed: what functions are converted from, whatever becomes of the file.
      filename: where the source is.
    """
    seen = Seen(callees)
    if code.co_filename != filename:
        code = _moved(code, filename)

    known = frozenset(helpers)

    def loaded(code: types.CodeType) -> types.CodeType:
        constants = code.co_consts
        if TRACED in constants:
            guard = Guard(text)
            values = {LOADED: operators, TRACED: guard}
            # Most constants are texts, numbers or None, and most texts are none of these.
            own = [values.get(c, c) if type(c) is str else c for c in constants]
            return code.replace(co_consts=(*own, guard, operators))
        if LOADED in constants:
            return finished(code, known, seen)
        changed = None
        for number, inner in enumerate(constants):
            if type(inner) is types.CodeType and (made := loaded(inner)) is not inner:
                changed = changed or [*constants]
                changed[number] = made
        return code if changed is None else code.replace(co_consts=tuple(changed))

    return loaded(code)


def _moved(code: types.CodeType, filename: str) -> types.CodeType:
    inner = [_moved(c, filename) if type(c) is types.CodeType else c for c in code.co_consts]
    return code.replace(co_filename=filename, co_consts=tuple(inner))
