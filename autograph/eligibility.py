"""What is left as Python, each with its reason."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable

import gast

from autograph.analysis.blocks import blocks
from autograph.analysis.symbols import (
    COMPREHENSIONS,
    FUNCTIONS,
    SCOPES,
    bound,
    bound_inside,
    comprehension_parts,
    declared,
    nodes,
    outer_parts,
    variables,
)
from autograph.build import Node, is_operator_call
from autograph.context import Context
from autograph.reasons import Reason
from autograph.rules import (
    ACTING,
    ASKING,
    ERROR_STATES,
    LED_BY_FIRST,
    SEEN_THROUGH,
    STAGED_BUILTINS,
    STAGED_FUNCTIONS,
    STAGED_LOOKUPS,
    STAGED_TEXTS,
    is_left_alone,
)
from autograph.translating import to_ast
from autograph.walk import children, every_node

_PLAIN_BUILTINS = frozenset(vars(builtins)) - STAGED_BUILTINS
_PYTHON_ANSWERS = frozenset("isinstance issubclass callable id type repr ascii chr ord hash dir vars".split())
_JOINS = ("concatenate", "concat")
_KNOWN = _PYTHON_ANSWERS | {"range", "super"}
_DISPLAYS = (gast.List, gast.Tuple, gast.Set, gast.Dict, gast.Lambda)
WAITS = (gast.Yield, gast.YieldFrom, gast.Await, gast.AsyncFor, gast.AsyncWith)

# What becomes functions, and may have to be left by flags.
STATEMENTS = (gast.If, gast.While, gast.For, gast.AsyncFor)


def whole_function(function: Node) -> Reason | None:
    """Why a function, of the standard library's tree or of gast's, is left as it is altogether, or None."""
    for decorator in getattr(function, "decorator_list", ()):
        target = getattr(decorator, "func", decorator)
        if getattr(target, "attr", getattr(target, "id", "")) == "do_not_convert":
            return Reason.MARKED
    return None


def functions(tree: Node) -> list[Node]:
    """The functions to convert, outer ones before those in them; none in one that is left as it is altogether."""
    found, waiting = [], [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, gast.FunctionDef | gast.AsyncFunctionDef):
            if whole_function(node) is not None:
                continue
            found.append(node)
        if isinstance(node, (gast.stmt, gast.excepthandler, gast.match_case)):
            for part in ("body", "orelse", "handlers", "cases", "finalbody"):
                waiting += getattr(node, part, ())
    return found


def can_stage(expression: Node) -> bool:
    """Whether the value of the expression may be a staged one.

    >>> [can_stage(gast.parse(e).body[0].value) for e in ("x > 0", "x is None", "not isinstance(x, int)", "True")]
    [True, False, False, False]
    """
    if isinstance(expression, COMPREHENSIONS):
        return any(can_stage(g.iter) or any(map(can_stage, g.ifs)) for g in expression.generators)
    if isinstance(expression, gast.JoinedStr):
        return any(isinstance(part, gast.FormattedValue) for part in expression.values)
    if isinstance(expression, (gast.Constant, *_DISPLAYS)):
        return False
    if isinstance(expression, gast.Compare):
        return not all(isinstance(op, gast.Is | gast.IsNot) for op in expression.ops)
    if isinstance(expression, gast.UnaryOp) and isinstance(expression.op, gast.Not):
        return can_stage(expression.operand)
    if isinstance(expression, gast.BoolOp):
        return any(can_stage(value) for value in expression.values)
    if isinstance(expression, gast.Call):
        return not _is_plain_question(expression)
    return not (isinstance(expression, gast.Name) and expression.id in ("__debug__", "TYPE_CHECKING"))


def _is_plain_question(node: Node) -> bool:
    if is_builtin(node.func, "range"):
        return bool(node.args) and all(_is_literal_number(a) for a in node.args) and not _is_long(node)
    return is_builtin(node.func, *_PYTHON_ANSWERS)


def asks_for_class(node: Node) -> bool:
    """Whether a call of `type` asks for the class of what may be staged, which the graph may decide."""
    if not isinstance(node, gast.Call) or not is_builtin(node.func, "type"):
        return False
    arguments = [getattr(argument, "id", "") for argument in node.args]
    return len(arguments) == 1 and arguments[0] not in ("self", "cls") and not node.keywords


def is_builtin(function: Node, *names: str) -> bool:
    """Whether the name of one of these built-in functions stands for that, and is no variable (see `mark_shadowed`)."""
    return isinstance(function, gast.Name) and function.id in names and not getattr(function, "is_variable", False)


def mark_shadowed(tree: Node, context: Context) -> None:
    """Mark the variables that are called like built-in functions, each where it is one: a method may have a variable of
    the name by which another one means the function."""
    context.shadowed = bound_inside(tree)
    names: set[str] = set(_KNOWN) & context.taken & (context.shadowed | set(context.defined))
    outside = names & set(context.defined)
    waiting: list[tuple[Node, set[str], set[str]]] = [(tree, outside, outside)] if names else []
    while waiting:
        node, here, around = waiting.pop()  # the variables where the node stands, and those that functions there see
        if type(node) is gast.Name and node.id in here:
            node.is_variable = True
        if not isinstance(node, SCOPES):
            waiting += [(child, here, around) for child in children(node)]
            continue
        waiting += [(part, here, around) for part in outer_parts(node)]
        inside: list[Node] = [node.body] if isinstance(node, gast.Lambda) else getattr(node, "body", [])
        if isinstance(node, gast.ClassDef):
            here = around | (names & bound(node.body).keys())
        elif isinstance(node, FUNCTIONS):
            public = set() if isinstance(node, gast.Lambda) else names & declared(node.body, gast.Global).keys()
            here = around = ((around - public) | (names & variables(node))) | (public & outside)
        else:
            inside = [part for part in comprehension_parts(node) if part is not node.generators[0].iter]
            here = around = around | (names & {n for g in node.generators for n in bound(g.target)})
        waiting += [(part, here, around) for part in inside]


def mark_listed(tree: Node, context: Context) -> None:
    """Find the variables that may hold a list or tuple of Python's."""
    if "numpy" not in {name.partition(".")[0] for name in context.modules.values()}:
        return  # it is NumPy's functions that do not look into them
    given = []
    for node in every_node(tree):
        if type(node) in _BINDS:
            for target in getattr(node, "targets", None) or [node.target]:
                given += _given(target, node.value)
    while found := {name.id for name, value in given if _is_listed(value, context)} - context.listed:
        context.listed |= found  # and what is given these


_BINDS = frozenset((gast.Assign, gast.AnnAssign, gast.NamedExpr))


def _given(target: Node, value: Node) -> list[tuple[Node, Node]]:
    """The variables that an assignment binds, and what they are given, as far as that is written there."""
    if isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple) and len(target.elts) == len(value.elts):
        return [pair for inner in zip(target.elts, value.elts) for pair in _given(*inner)]
    return [(target, value)] if isinstance(target, gast.Name) else []


def _is_listed(node: Node, context: Context) -> bool:
    """Whether an expression may give a list or tuple of what is not constant."""
    if isinstance(node, gast.List | gast.Tuple):
        return not node.elts or not _is_constant(node)  # what is empty may be there to grow
    if isinstance(node, gast.IfExp):
        return _is_listed(node.body, context) or _is_listed(node.orelse, context)
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Add | gast.Mult):
        return _is_listed(node.left, context) or _is_listed(node.right, context)
    if isinstance(node, gast.Name):
        return node.id in context.listed
    if not isinstance(node, gast.Call):
        return isinstance(node, gast.ListComp)
    name = library_function(node.func, context, "numpy")
    if name is None:
        return is_builtin(node.func, "list", "tuple", "sorted") or getattr(node.func, "attr", "") == "nonzero"
    return name in _TUPLES or (name == "where" and len(node.args) == 1)


def _lists_lists(node: Node, context: Context) -> bool:
    """Whether what is listed may be lists, which NumPy does not look into; it asks arrays."""
    if not isinstance(node, gast.List | gast.Tuple):
        return True
    return any(_is_listed(part, context) for part in node.elts)


_TUPLES = frozenset("nonzero unravel_index meshgrid tril_indices triu_indices diag_indices".split())


def _is_literal_number(node: Node) -> bool:
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        node = node.operand
    return isinstance(node, gast.Constant)


_LONG = 32  # iterations of a loop that would make a graph long if it was unrolled


def _is_long(node: Node) -> bool:
    """Whether a range of literal bounds is so long that a loop over it may become one of the graph."""
    try:
        return len(range(*map(ast.literal_eval, map(to_ast, node.args)))) >= _LONG
    except (TypeError, ValueError, OverflowError):  # which Python raises when it runs
        return False


def waits(code: Node | Iterable[Node]) -> bool:
    """Whether the code itself holds a ``yield`` or an ``await``, or reads its own frame, so that it cannot move into
    another function."""
    return any(_waits_itself(node) or reads_frame(node) for node in nodes(code))


def _waits_itself(node: Node) -> bool:
    if isinstance(node, COMPREHENSIONS):  # an await inside belongs to the function around
        return any(isinstance(n, gast.Await) or getattr(n, "is_async", False) for n in every_node(node))
    return isinstance(node, WAITS)


def reads_frame(node: Node) -> bool:
    """Whether a node reads the variables of its own frame, or a comprehension holds one that does."""
    if isinstance(node, COMPREHENSIONS):
        return any(getattr(n, "reads_frame", False) for n in every_node(node))
    return getattr(node, "reads_frame", False)


def keeps_branch(node: Node) -> Reason | None:
    """Why an ``if`` stays an ``if``, or None."""
    if not can_stage(node.test):
        return Reason.PYTHON_CONDITION
    return keeps_block([*node.body, *node.orelse])


def keeps_loop(node: Node) -> Reason | None:
    """Why a loop stays a loop, or None."""
    if isinstance(node, gast.AsyncFor):
        return Reason.ASYNCHRONOUS
    is_for = isinstance(node, gast.For)
    if reason := keeps_block(node.body if is_for else [node.test, *node.body]):
        return reason
    if not can_stage(node.iter if is_for else node.test) and not _staged_exit(node.body):
        return Reason.PYTHON_ITERABLE
    return None


def keeps_block(block: list[Node]) -> Reason | None:
    """Why a block cannot move into a function."""
    for node in nodes(block):
        if type(node) not in _KEEPERS:
            continue
        if _waits_itself(node):
            return Reason.WAITS
        if reads_frame(node):
            return Reason.READS_FRAME
        if isinstance(node, gast.ImportFrom) and any(alias.name == "*" for alias in node.names):
            return Reason.IMPORTS_ALL
    return None


_KEEPERS = frozenset((*WAITS, *COMPREHENSIONS, gast.Call, gast.ImportFrom))


def _staged_exit(block: list[Node], under: bool = False) -> bool:
    """Whether a ``break``, ``continue`` or ``return`` of this loop stands under a condition that may be staged."""
    for node in block:
        if isinstance(node, gast.Break | gast.Continue | gast.Return):
            if under:
                return True
        elif isinstance(node, gast.If):
            inner = under or can_stage(node.test)
            if _staged_exit(node.body, inner) or _staged_exit(node.orelse, inner):
                return True
        elif isinstance(node, gast.While | gast.For):
            if any(isinstance(n, gast.Return) for n in nodes(node.body)):
                return True
            if node.orelse and _staged_exit(node.orelse, under or keeps_loop(node) is None):
                return True  # whether the inner loop has come to its end may be for the graph to say
        elif isinstance(node, gast.Try | gast.With | gast.Match):
            if any(_staged_exit(block, under) for block in blocks(node)):
                return True
    return False


def library_function(func: Node, context: Context, library: str) -> str | None:
    """The dotted name of a function of a library, ``random.normal`` of ``np.random.normal``; None for any other."""
    names: list[str] = []
    while isinstance(func, gast.Attribute):
        names.insert(0, func.attr)
        func = func.value
    if not isinstance(func, gast.Name) or func.id in context.shadowed:
        return None
    top, *inner = (context.modules.get(func.id) or "").split(".")
    if top != library:
        return None
    inner = [name for name in inner if not name.startswith("_")]
    called = context.renamed.get(func.id, func.id)
    return ".".join([*inner, *names] if names else [*(n for n in inner if n == "random"), called])


def acts(node: Node, context: Context) -> bool:
    """Whether a call does or asks something outside: it shows the user something, looks at a clock, or asks the
    system."""
    if any(is_builtin(node.func, name) for name in ("print", *ASKING["builtins"])):
        return not _is_variable(node.func, context)
    return any(
        library_function(node.func, context, library) in found for library, found in (*ACTING.items(), *ASKING.items())
    )


def _has_staged_meaning(node: Node, context: Context) -> bool:
    """Whether a call is of a library's function to which a backend gives a meaning, for values that may be staged."""
    if library_function(node.func, context, "numpy") in LED_BY_FIRST:
        first, others = node.args[:1], [*node.args[1:], *(k.value for k in node.keywords)]
        if any(can_stage(other) or _is_listed(other, context) for other in others):
            return True
        return any(_is_listed(argument, context) for argument in first)
    known = any(library_function(node.func, context, name) in found for name, found in STAGED_FUNCTIONS.items())
    if not known and node.args and _is_listed(node.args[0], context):
        name = library_function(node.func, context, "numpy")  # NumPy itself looks at what is listed for few functions
        return name is not None and (name not in SEEN_THROUGH or _lists_lists(node.args[0], context))
    if _last_name(node.func, context) in _JOINS:  # what is listed there is seen by NumPy
        return known and bool(node.args) and _lists_lists(node.args[0], context)
    if known and any(library_function(node.func, context, name) is not None for name in _WHATEVER_IT_IS_GIVEN):
        return True
    name = library_function(node.func, context, "numpy") or ""
    whatever = name.startswith("random.") or name in ERROR_STATES
    return known and (whatever or any(not _is_constant(a) for a in [*node.args, *(k.value for k in node.keywords)]))


def _last_name(func: Node, context: Context) -> str:
    """What a function is called where it comes from."""
    written: str = getattr(func, "attr", getattr(func, "id", ""))
    return context.renamed.get(written, written) if isinstance(func, gast.Name) else written


# What is made there may be changed in a staged statement, and numbers are drawn when the graph runs.
_WHATEVER_IT_IS_GIVEN = ("collections", "itertools", "queue", "random")


def _is_constant(node: Node) -> bool:
    if isinstance(node, gast.List | gast.Tuple):
        return all(map(_is_constant, node.elts))
    return _is_literal_number(node) or (
        isinstance(node, gast.Attribute) and node.attr.startswith(("float", "int", "bool"))
    )


def _is_variable(node: Node, context: Context) -> bool:
    """Whether the name of a built-in function stands for something else, as far as is known."""
    if node.id in _KNOWN:
        return not is_builtin(node, node.id)
    return node.id in context.shadowed or node.id in context.defined


def keeps_call(node: Node, context: Context) -> str | None:
    """Why a call stays a plain call, or None if it may reach a function that needs conversion."""
    modules, locals_ = context.modules, context.shadowed
    if is_operator_call(node):
        return "the compiler emitted it"
    if isinstance(node.func, FUNCTIONS):
        return "its function is converted on the spot"
    if isinstance(node.func, gast.Name):
        if node.func.id in _PLAIN_BUILTINS and not _is_variable(node.func, context):
            return None if _asks_for_methods(node, context) else "it is a built-in without a staged meaning"
        if is_builtin(node.func, "type") and not asks_for_class(node):
            return "it makes a class, or asks for that of self"
        if node.func.id == "range" and not can_stage(node):
            return "its arguments are Python values"
        if node.func.id not in locals_ and is_left_alone(modules.get(node.func.id)):
            if _has_staged_meaning(node, context):
                return None
            return f"it comes from {modules[node.func.id]}"
        return None
    root = node.func
    while isinstance(root, gast.Attribute):
        root = root.value
    if isinstance(root, gast.Constant | gast.JoinedStr) and not _takes_staged(node):
        return "it is a method of a Python value"
    if isinstance(root, gast.Name) and root.id not in locals_ and is_left_alone(modules.get(root.id)):
        if _has_staged_meaning(node, context):
            return None
        return f"{modules[root.id]} is left alone"
    return None


def _asks_for_methods(node: Node, context: Context) -> bool:
    """Whether a call is ``isinstance(x, Sized)`` or the like, which is told by the methods of a class: what stands for
    a number has more of them."""
    if not is_builtin(node.func, "isinstance") or len(node.args) != 2:
        return False
    named = {n.id for n in every_node(node.args[1]) if isinstance(n, gast.Name)} - context.shadowed
    return any((context.modules.get(name) or "").partition(".")[0] in _OF_METHODS for name in named)


_OF_METHODS = ("collections", "typing", "typing_extensions")


def _takes_staged(node: Node) -> bool:
    """Whether it is a method of text that makes something of what may be staged."""
    method = getattr(node.func, "attr", "")
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    given = [part for one in given for part in (one.elts if isinstance(one, gast.Tuple) else [one])]
    return method in STAGED_TEXTS or (method in STAGED_LOOKUPS and any(map(can_stage, given)))
