"""Programs whose local variables are called what the compiler calls its own."""

import ast
import builtins
import re

import gast

from autograph import pipeline
from autograph.context import Context

DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef


def made_names(function):
    """The names that the compiler makes when it converts a function."""
    context = Context()
    pipeline.convert(gast.ast_to_gast(function), context)
    return [constant.value for constant in context.generated.elts]


def renamed_module(text):
    """The module with the local variables of each function renamed to what the compiler makes in that function, and
    then in others."""
    tree = ast.parse(text)
    functions = [node for node in tree.body if isinstance(node, DEFINITIONS)]
    own = [made_names(function) for function in functions]
    every = sorted({name for names in own for name in names})
    taken = {name for node in tree.body for name in module_names(node)} | set(vars(builtins))
    for number, (function, names) in enumerate(zip(functions, own)):
        locals_ = sorted(local_names(function) - taken)
        others = every[number % len(every) :] + every[: number % len(every)]
        new = [name for name in dict.fromkeys([*names, *others]) if name not in taken]
        Renamed(dict(zip(locals_[number % 2 :], new))).visit(function)
    return ast.unparse(ast.fix_missing_locations(tree))


def module_names(node):
    """The names that a statement of a module binds or mentions as global."""
    for part in ast.walk(node) if not isinstance(node, DEFINITIONS) else [node]:
        yield getattr(part, "name", None) or getattr(part, "asname", None) or getattr(part, "id", "")
    for part in ast.walk(node):
        yield from part.names if isinstance(part, ast.Global) else ()


def local_names(function):
    """The variables of a function and those in it which nothing but their spelling would tell from others."""
    found, kept = set(), set()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, DEFINITIONS) and node is not function:
            found.add(node.name)
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            found.add(node.name)
        elif isinstance(node, ast.ClassDef):  # its variables are attributes
            kept |= {getattr(n, "id", getattr(n, "name", "")) for s in node.body for n in ast.walk(s)}
        elif isinstance(node, ast.alias):
            kept.add(node.asname or node.name)
        elif isinstance(node, ast.keyword) and node.arg:
            kept.add(node.arg)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            kept.add(node.rest)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            kept |= set(re.findall(r"\w+", node.value))
    return {name for name in found - kept if not name.startswith("__")}


class Renamed(ast.NodeTransformer):
    def __init__(self, names):
        self.names = names

    def generic_visit(self, node):
        super().generic_visit(node)
        for field in ("id", "arg", "name"):
            value = getattr(node, field, None)
            if isinstance(value, str) and not isinstance(node, ast.keyword | ast.ClassDef | ast.alias):
                setattr(node, field, self.names.get(value, value))
        if isinstance(node, ast.Nonlocal):
            node.names = [self.names.get(name, name) for name in node.names]
        return node
