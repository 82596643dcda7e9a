"""Wherever a construct stands, it is written out: in what is printed and in what is loaded."""

import ast
import textwrap

import gast
import pytest

from autograph import operators, pipeline, printer
from autograph.constructs import KINDS, Construct, Operation
from autograph.context import Context
from autograph.loading.inplace import put_in_place
from autograph.loading.written import Writer, translated, written
from autograph.walk import every_node

C = "(g(1) and not h(2) or (3 if k() < l() < m() else 4))"
PLACES = f"""
x = {C}
x: {C} = {C}
x[{C}] += {C}
del x[{C}]
return {C}
raise {C} from {C}
assert {C}, {C}
y = lambda x={C}, *a, k={C}: {C}
y = f"{{{C}!r:{{{C}}}}}"
y = f"{{g({C}):>3}}"
y = [{C} for x in {C} if {C} for y in {C}]
y = {{{C}: {C} for x in {C}}}
y = sum({C} for x in {C} if {C})
y = {{{C}, *{C}}}, {{{C}: {C}, **{C}}}, g(*{C}, k={C}, **{C})
y = x[{C}:{C}:{C}], (z := {C})
@g({C})|def f(x: {C} = {C}, *, k: {C} = {C}) -> {C}: return {C}
@g({C})|class K(g({C}), metaclass={C}):|    n = {C}|    def f(self, x={C}): return {C}
class K:|    n: {C} = {C}|    @g({C})|    def f(self):|        if {C}: return 1|    [{C} for x in {C}]
class K:|    if {C}:|        n = {C}|    else:|        for i in {C}: n = {C}
with g({C}) as x, {C}:|    x = {C}
try:|    x = {C}|except {C} as e:|    x = {C}|else:|    x = {C}|finally:|    x = {C}
match {C}:|    case 1 if {C}:|        x = {C}|    case [a, *b]:|        x = {C}
if {C}:|    x = {C}|elif {C}:|    x = {C}|else:|    x = {C}
if {C} and (z := {C}):|    x = z
while {C}:|    if {C}: break|    x = {C}|else:|    x = {C}
for x in {C}:|    if {C}: continue|    if {C}: return {C}|    x = {C}
for x in {C}:|    yield {C}|    if {C}: x = yield from {C}
print(x, {C})
for x[{C}], y.z in {C}:|    x = {C}
global z|for z in {C}:|    def f():|        nonlocal y|        y = {C}|    y = {C}
"""


def nest(statement, depth):
    lines = []
    for number in range(depth):
        lines.append(
            "    " * number + (f"if {C}:" if number % 2 else f"while {C}:" if number % 4 else f"for i in {C}:")
        )
    return "\n".join([*lines, textwrap.indent(statement, "    " * depth)])


STATEMENTS = [line.replace("|", "\n") for line in PLACES.strip().splitlines()]
STATEMENTS += [nest(f"x = {C}", depth) for depth in (3, 14)]


def converted(statement):
    tree = gast.parse("def f(x, y):\n" + textwrap.indent(statement, "    ")).body[0]
    context = Context()
    return pipeline.convert(tree, context), context


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda s: s.replace(C, "C")[:60])
def test_nothing_is_left(statement):
    tree, context = converted(statement)
    made = translated(tree)
    assert any(isinstance(node, Operation | Construct) for node in every_node(made))
    loaded, _ = put_in_place(made, context)
    compile(ast.Module([loaded], []), "<loaded>", "exec")
    printed = written(tree, context.operators)
    for result in (loaded, printed):
        assert not any(isinstance(node, Operation | Construct) for node in every_node(result))
    compile(printer.to_text([printed]), "<printed>", "exec")


def test_every_kind_calls_an_operator_that_there_is():
    met, called = set(), set()
    for statement in STATEMENTS:
        for node in every_node(translated(converted(statement)[0])):
            if isinstance(node, KINDS):
                operator, _, _ = node.arguments()
                met.add(type(node))
                called.add(operator)
    assert met == set(KINDS)
    assert called <= set(operators.__all__) and {"if_chain", "if_exp", "not_", "chain"} <= called


def test_what_is_shared_is_written_once():
    tree = translated(converted(f"x = {C}")[0])
    value = tree.body[0].value
    both = Writer().whole(ast.Tuple(elts=[value, value], ctx=ast.Load()))
    assert both.elts[0] is both.elts[1] and not isinstance(both.elts[0], Operation)
    assert isinstance(tree.body[0].value, Operation)  # which is still what it was
