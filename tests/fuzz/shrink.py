"""Smaller programs that fail alike: statements, branches, expressions and numbers are taken away one by one."""

from __future__ import annotations

import ast
import copy
import time

_KEEP = {"ARGUMENTS", "OPEN", "VARIABLES"}


def candidates(text):
    """Smaller programs than this one, the much smaller ones first."""
    tree = ast.parse(text)
    spots = list(_blocks(tree))
    seen = {ast.unparse(tree)}

    def made(edit):
        copied = copy.deepcopy(tree)
        try:
            edit(list(_blocks(copied)), copied)
        except (IndexError, AttributeError):
            return
        ast.fix_missing_locations(copied)
        try:
            found = ast.unparse(copied)
            compile(found, "<shrunk>", "exec")
        except (SyntaxError, ValueError, RecursionError):
            return
        if found not in seen:
            seen.add(found)
            yield found + "\n"

    for number, block in enumerate(spots):
        size = len(block)
        while size >= 1:  # runs of statements, long ones first
            for start in range(0, len(block) - size + 1, size):
                yield from made(lambda blocks, _: _without(blocks[number], start, size))
            size //= 2
    for number, block in enumerate(spots):
        for at, statement in enumerate(block):
            for inner in _inner(statement):
                yield from made(lambda blocks, _: _replaced(blocks[number], at, inner))
    yield from _fewer_arguments(tree, made)
    yield from _smaller_expressions(tree, made)


def _table(statement):
    return getattr(statement.targets[0], "id", None)


def _fewer_arguments(tree, made):
    """Without one of the parameters of `f`, and what stands for it in the tables beside it."""
    (function,) = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "f"] or [None]
    tables = [n.value for n in tree.body if isinstance(n, ast.Assign) and _table(n) in ("ARGUMENTS", "OPEN")]
    if function is None or len(tables) < 2:
        return
    for number in range(len(function.args.args)):

        def edit(_, copied, number=number):
            for node in copied.body:
                if isinstance(node, ast.FunctionDef) and node.name == "f":
                    del node.args.args[number]
                elif isinstance(node, ast.Assign) and _table(node) == "ARGUMENTS":
                    for row in node.value.elts:
                        del row.elts[number]
                elif isinstance(node, ast.Assign) and _table(node) == "OPEN":
                    del node.value.elts[number]

        yield from made(edit)


def _blocks(tree):
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.AST):
                yield block


def _without(block, start, size):
    kept = [s for s in block[start : start + size] if _needed(s)]
    if isinstance(block[-1], ast.Return) and start + size == len(block) and not kept:
        kept = block[-1:]  # what a program does has to be seen
    block[start : start + size] = kept
    if not block and kept == []:
        block.append(ast.Pass())


def _needed(statement):
    names = [t.id for t in getattr(statement, "targets", []) if isinstance(t, ast.Name)]
    is_f = isinstance(statement, ast.FunctionDef) and statement.name == "f"
    return bool(_KEEP & set(names)) or is_f


def _inner(statement):
    """Blocks that may stand in a statement's place."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
        return
    for name in ("body", "orelse", "finalbody"):
        block = getattr(statement, name, None)
        if isinstance(block, list) and block:
            yield name
    for number, case in enumerate(getattr(statement, "cases", [])):
        if case.body:
            yield ("cases", number)
    for number, handler in enumerate(getattr(statement, "handlers", [])):
        if handler.body:
            yield ("handlers", number)


def _replaced(block, at, inner):
    statement = block[at]
    part = getattr(statement, inner) if isinstance(inner, str) else getattr(statement, inner[0])[inner[1]].body
    block[at : at + 1] = part


def _smaller_expressions(tree, made):
    nodes = list(ast.walk(tree))
    fixed = {
        id(n) for s in tree.body if isinstance(s, ast.Assign) and _needed(s) for e in s.value.elts for n in _fixed(e)
    }
    for number, node in enumerate(nodes):
        if id(node) in fixed or not isinstance(node, ast.expr | ast.keyword | ast.arguments):
            continue
        for edit in _edits(node):
            yield from made(lambda _, copied: _edit(copied, number, edit))


def _fixed(element):
    """What has to stay of an element of a table: all but the numbers in arrays."""
    if isinstance(element, ast.List | ast.Tuple):
        return [n for part in element.elts for n in _fixed(part)]
    numbers = set()
    if isinstance(element, ast.Call):
        for argument in element.args[:1]:
            numbers = {id(n) for n in ast.walk(argument) if isinstance(n, ast.Constant)}
    return [n for n in ast.walk(element) if id(n) not in numbers]


def _edits(node):
    """What may become of an expression: the name of a part that takes its place, or a smaller one of its kind."""
    if isinstance(node, ast.BinOp):
        yield from ("left", "right")
    if isinstance(node, ast.IfExp):
        yield from ("body", "orelse")
    if isinstance(node, ast.UnaryOp):
        yield "operand"
    if isinstance(node, ast.BoolOp):
        yield from (("values", i) for i in range(len(node.values)))
    if isinstance(node, ast.Compare) and len(node.ops) > 1:
        yield "shorter"
    if isinstance(node, ast.Call):
        yield from (
            ("args", i) for i in range(len(node.args)) if not isinstance(node.args[i], ast.Starred | ast.Constant)
        )
    if (
        isinstance(node, ast.Tuple | ast.List | ast.Set)
        and len(node.elts) > 0
        and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
    ):
        least = 1 if isinstance(node, ast.Tuple) else 0
        yield from (("less", i) for i in range(len(node.elts)) if len(node.elts) > least)
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        if node.value not in (0, 1):
            yield from (("number", 0), ("number", 1))
    if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp):
        for i, part in enumerate(node.generators):
            if part.ifs:
                yield ("ifs", i)


def _edit(tree, number, edit):
    nodes = list(ast.walk(tree))
    node = nodes[number]
    if edit == "shorter":
        del node.ops[1:], node.comparators[1:]
        return
    if isinstance(edit, tuple) and edit[0] == "less":
        del node.elts[edit[1]]
        return
    if isinstance(edit, tuple) and edit[0] == "ifs":
        node.generators[edit[1]].ifs = []
        return
    if isinstance(edit, tuple) and edit[0] == "number":
        new = ast.Constant(edit[1])
    elif isinstance(edit, tuple):
        new = getattr(node, edit[0])[edit[1]]
    else:
        new = getattr(node, edit)
    for parent in nodes:
        for name, value in ast.iter_fields(parent):
            if value is node:
                setattr(parent, name, new)
                return
            if isinstance(value, list) and any(v is node for v in value):
                value[:] = [new if v is node else v for v in value]
                return


def shrink(text, fails, seconds=60.0):
    """The smallest program found that `fails` within that time: repeated until nothing more can go."""
    deadline = time.monotonic() + seconds
    try:
        again = True
        while again:
            again = False
            for smaller in candidates(text):
                if time.monotonic() > deadline:
                    return text
                if len(smaller) < len(text) + 3 and fails(smaller):
                    text, again = smaller, True
                    break
    except RecursionError:
        pass
    return text
