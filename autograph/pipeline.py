"""The order of work: a function's tree goes through PASSES, one after the other."""

from __future__ import annotations

from collections.abc import Callable

import gast

from autograph.analysis.symbols import all_names, nodes
from autograph.build import OPERATORS, Node, at, branch, name, on_top, operator
from autograph.constructs import Construct, Operation
from autograph.context import Context
from autograph.eligibility import mark_listed, mark_shadowed
from autograph.passes import (
    arrays,
    asserts,
    calls,
    comparisons,
    comprehensions,
    frames,
    hygiene,
    jumps,
    lists,
    logic,
    matches,
    outlining,
    reads,
    supers,
    texts,
    truths,
    walrus,
)
from autograph.walk import every_node

PASSES = (
    frames,
    truths,
    reads,
    matches,
    walrus,
    comparisons,
    arrays,
    lists,
    asserts,
    jumps,
    outlining,
    comprehensions,
    calls,
    logic,
    texts,
    supers,
    hygiene,
)
# frames first: what reads its frame keeps the statement around it where it is;
# truths and reads while all is where the user wrote it;
# matches and walrus before all that knows of branches;
# arrays before lists, while arguments are what the user wrote;
# comparisons before all that asks whether a condition may be staged;
# jumps before outlining: once they are gone, statements nest and liveness is a recursion over the tree;
# supers and hygiene last, when all functions are made;
# outlining before comprehensions, calls and logic: the lambdas that these emit would look like captures to the liveness


def convert(tree: Node, context: Context, watch: Callable[[str, Node], None] | None = None) -> Node:
    """Rewrite a function, lambda or class; `watch` is called with the name of each pass and the tree it made."""
    context.begin(all_names(tree, context.kinds))
    mark_shadowed(tree, context)
    mark_listed(tree, context)
    for rewrite in PASSES:
        tree = rewrite.run(tree, context)
        if watch is not None:
            watch(rewrite.__name__.rpartition(".")[2], tree)
    context.finish()
    context.has_operators = _calls_operators(tree)
    return tree


def guard(tree: Node, context: Context) -> Node:
    """The function as it is written, but for a first statement that hands the call to the converted function
    while something is traced."""
    context.begin(all_names(tree, context.kinds))
    mark_shadowed(tree, context)
    tree = frames.run(tree, context)
    context.has_operators = _calls_operators(tree)
    a = tree.args
    given = [*map(_same_name, (*a.posonlyargs, *a.args))]
    given += [gast.Starred(value=_same_name(a.vararg), ctx=gast.Load())] if a.vararg is not None else []
    named = [gast.keyword(arg=context.mangled(p.id), value=_same_name(p)) for p in a.kwonlyargs]
    named += [gast.keyword(arg=None, value=_same_name(a.kwarg))] if a.kwarg is not None else []
    result = gast.Call(func=name(context.traced), args=given, keywords=named)
    active = gast.Attribute(value=operator("dispatch"), attr="active", ctx=gast.Load())
    if isinstance(tree, gast.Lambda):
        tree.body = at(gast.IfExp(test=active, body=result, orelse=tree.body), tree.body)
    else:
        if isinstance(tree, gast.AsyncFunctionDef):
            result = gast.Await(value=result)
        elif any(isinstance(node, gast.Yield | gast.YieldFrom) for node in nodes(tree.body)):
            result = gast.YieldFrom(value=result)
        tree.body = on_top(tree.body, [branch(active, [gast.Return(value=result)])])
    context.finish()
    return tree


def _same_name(parameter: Node) -> Node:
    return name(parameter.id)


def _calls_operators(tree: Node) -> bool:
    """Whether the tree calls any operator."""
    return any(
        node.id == OPERATORS if type(node) is gast.Name else isinstance(node, Operation | Construct)
        for node in every_node(tree)
    )
