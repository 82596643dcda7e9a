"""What loaded code asks in place before it calls an operator, which need not be for what was met there before."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from autograph.loading.nodes import changed, placed
from autograph.loading.written import LOADED, loaded_operators
from autograph.rules import STAGED_LOOKUPS, STAGED_TEXTS

# As `LOADED`, for the `operators.seen.Seen` of the code.
SEEN = "<autograph seen>"


class Asked:
    """Writes expressions that ask for the type of a value, or what is called, and call an operator for another one."""

    def __init__(self, value: str, inner: set[str]) -> None:
        self.value = value  # the variable of the value that decides
        self.inner = inner  # names that are variables of the converted function or of one in it
        self.callees: dict[str, None] = {}  # what there has to be in the `Seen` of the code

    def _callee(self, function: ast.expr) -> ast.expr:
        """What is called: while something is traced, the converted form. For a function from around, that is found by
        one comparison once it has been met."""
        if not isinstance(function, ast.Name):
            return placed(self._call("converted", function), function)
        if function.id in self.inner:
            place = self._place_of("callee")
            same = ast.Compare(left=function, ops=[ast.Is()], comparators=[self._seen(place)])
            met = self._met("callee", place, function)
            return placed(ast.IfExp(test=same, body=function, orelse=met), function)
        known = f"{function.id} met"
        self.callees[known] = None
        same = ast.Compare(left=function, ops=[ast.Is()], comparators=[self._seen(known)])
        met = self._met("meet", known, function)
        found = ast.IfExp(test=same, body=self._seen(f"{function.id} converted"), orelse=met)
        return placed(ast.IfExp(test=self._active(), body=found, orelse=function), function)

    def _seen(self, attribute: str) -> ast.Attribute:
        return ast.Attribute(value=ast.Constant(value=SEEN), attr=attribute, ctx=ast.Load())

    def _ask(self, question: str, *arguments: ast.expr) -> ast.Call:
        return ast.Call(func=self._seen(question), args=list(arguments), keywords=[])

    def _met(self, question: str, place: str, value: ast.expr) -> ast.Call:
        """The value, of which the answer to a question is kept for the place."""
        return self._ask(question, ast.Constant(value=place), value)

    def _place_of(self, question: str) -> str:
        """A place of the code, for the answers to one question."""
        place = f"{question} {len(self.callees)}"
        self.callees[place] = None
        return place

    def _is_known(self, value: ast.expr, place: str, sign: ast.cmpop | None = None) -> ast.Compare:
        """Whether a value is of the type that was met there last."""
        return ast.Compare(left=self._call("type_", value), ops=[sign or ast.Is()], comparators=[self._seen(place)])

    def _decided(self, value: ast.expr, *arm: ast.expr) -> ast.expr:
        """The truth of a value as a bool; a staged value as it is."""
        place = self._place_of("truth")
        return ast.IfExp(
            test=self._is_known(value, place),
            body=ast.UnaryOp(op=ast.Not(), operand=ast.UnaryOp(op=ast.Not(), operand=value)),
            orelse=self._ask("decided", ast.Constant(value=place), value, *arm),
        )

    def _is_asked(self) -> ast.expr:
        """Whether the operator has to be asked about the value that decides."""
        place = self._place_of("truth")
        asked = self._call("is_asked", self._met("true", place, self._value()))
        return ast.BoolOp(op=ast.And(), values=[self._is_known(self._value(), place, ast.IsNot()), asked])

    def _answered(self, node: ast.AST, tested: bool = False) -> ast.AST:
        """The call of an operator that asks about types, with what it asks in place; any other node as it is.

        With `tested` the truth of the whole takes the place of the value that decides.
        """
        operator = _operator(node)
        if operator is None or operator not in _ANSWERS:
            return node
        left, right = node.args  # type: ignore[attr-defined]
        made = _ANSWERS[operator](self, operator, left, right, tested)
        return node if made is None else placed(made, node)

    def _is_none(self, operator: str, value: ast.expr, other: ast.expr, tested: bool) -> ast.expr | None:
        """``value is None``. What is no variable would live too long if its truth did not take its place."""
        if isinstance(value, ast.Name) and isinstance(other, ast.Name):
            return self._is_same(operator, value, other)
        if not isinstance(other, ast.Constant) or other.value is not None:
            return None
        first = value
        if not isinstance(value, ast.Name):
            if not tested:
                return None
            first, value = self._set(value), self._value()
        place = self._place_of("ordinary")
        asked = self._call(operator, self._met("ordinary", place, value), other)
        if operator == "is_":
            none = ast.Compare(left=first, ops=[ast.Is()], comparators=[other])
            another = ast.BoolOp(op=ast.And(), values=[self._is_known(value, place, ast.IsNot()), asked])
            return ast.BoolOp(op=ast.Or(), values=[none, another])
        some = ast.Compare(left=first, ops=[ast.IsNot()], comparators=[other])
        known = ast.BoolOp(op=ast.Or(), values=[self._is_known(value, place), asked])
        return ast.BoolOp(op=ast.And(), values=[some, known])

    def _is_same(self, operator: str, value: ast.Name, other: ast.Name) -> ast.expr:
        """``value is other`` of two variables."""
        places = self._place_of("ordinary"), self._place_of("ordinary")
        sign = ast.Is() if operator == "is_" else ast.IsNot()
        return ast.IfExp(
            test=ast.BoolOp(op=ast.And(), values=[*map(self._is_known, (value, other), places)]),
            body=ast.Compare(left=value, ops=[sign], comparators=[other]),
            orelse=self._ask(operator, _texts(places), value, other),
        )

    def _is_in(self, operator: str, value: ast.expr, items: ast.expr, tested: bool) -> ast.expr | None:
        """``value in items``, of what can be read twice."""
        first = items
        if not isinstance(value, ast.Name | ast.Constant):
            return None
        if not isinstance(items, ast.Name):
            if not _is_found(items) or (isinstance(value, ast.Name) and value.id not in self.inner):
                return None
            first, items = self._set(items), self._value() if tested else self._released()
        places = [self._place_of("items")]
        test: ast.expr = self._is_known(first, places[0])
        if isinstance(value, ast.Name):
            places.append(self._place_of("ordinary"))
            test = ast.BoolOp(op=ast.And(), values=[test, self._is_known(value, places[1])])
        asked = self._ask(operator, _texts(places if len(places) > 1 else [*places, ""]), value, items)
        sign = ast.In() if operator == "in_" else ast.NotIn()
        return ast.IfExp(test=test, body=ast.Compare(left=value, ops=[sign], comparators=[items]), orelse=asked)

    def _item(self, operator: str, table: ast.expr, index: ast.expr, tested: bool) -> ast.expr | None:
        """``table[index]``."""
        if not isinstance(index, ast.Name) or not _is_path(table):
            return None
        place = self._place_of("ordinary")
        return ast.IfExp(
            test=self._is_known(index, place),
            body=ast.Subscript(value=table, slice=index, ctx=ast.Load()),
            orelse=self._ask(operator, ast.Constant(value=place), table, index),
        )

    def _method(self, function: ast.Attribute, arguments: list[ast.expr], keywords: list[ast.keyword]) -> ast.expr:
        """The call of a method. One of Python's own types is called at once; one of a user's that is known to be
        callable as it is, or a function, needs no operator either."""
        owner, own, texts = function.value, function, function.attr in STAGED_TEXTS or function.attr.startswith("__")
        simple = all(_is_path(a) or isinstance(a, ast.Constant) for a in (*arguments, *(k.value for k in keywords)))
        held = not texts and not isinstance(owner, ast.Name)
        if held:
            own = changed(function, value=self._released())
        places = "" if texts else self._place_of("type"), self._place_of("method")
        known: list[ast.expr] = [
            ast.Compare(
                left=self._call("type_", self._value()), ops=[ast.Is()], comparators=[self._attribute("Method")]
            ),
            ast.Compare(
                left=ast.Attribute(self._value(), "__func__", ast.Load()),
                ops=[ast.Is()],
                comparators=[self._seen(places[1])],
            ),
        ]
        same = ast.Compare(left=self._set(own), ops=[ast.Is()], comparators=[self._seen(places[1])])
        test = ast.BoolOp(op=ast.Or(), values=[same, ast.BoolOp(op=ast.And(), values=known)])
        met = self._ask("method", _texts(places), self._released())
        callee: ast.expr = placed(ast.IfExp(test=test, body=self._released(), orelse=met), function)
        if texts:
            return ast.Call(func=callee, args=arguments, keywords=keywords)
        asked: ast.expr = self._is_known(self._set(owner) if held else owner, places[0])
        if function.attr in STAGED_LOOKUPS and (arguments or keywords):
            idle = ast.UnaryOp(op=ast.Not(), operand=self._active())
            asked = ast.BoolOp(op=ast.And(), values=[asked, idle])
        if simple:
            at_once = ast.Call(func=own, args=arguments, keywords=keywords)
            return ast.IfExp(test=asked, body=at_once, orelse=ast.Call(func=callee, args=arguments, keywords=keywords))
        callee = placed(ast.IfExp(test=asked, body=own, orelse=callee), function)
        return ast.Call(func=callee, args=arguments, keywords=keywords)

    def _builtin(self, function: ast.Name, value: ast.expr) -> ast.expr:
        """The call of what is a built-in function with a staged meaning, if nobody has put another in its place, with
        one argument: of most types it is called at once."""
        first = value
        if not isinstance(value, ast.Name):
            first, value = self._set(value), self._released()
        places = self._place_of("type"), self._place_of("builtin")
        same = ast.Compare(left=function, ops=[ast.Is()], comparators=[self._seen(places[1])])
        test = ast.BoolOp(op=ast.And(), values=[self._is_known(first, places[0]), same])
        asked = value if isinstance(value, ast.Name) else self._value()
        met = self._ask("builtin", _texts(places), function, asked)
        callee = ast.IfExp(test=self._active(), body=met, orelse=function)
        return ast.IfExp(
            test=test,
            body=ast.Call(func=function, args=[value], keywords=[]),
            orelse=ast.Call(func=placed(callee, function), args=[value], keywords=[]),
        )

    def _active(self) -> ast.expr:
        return ast.Attribute(value=self._attribute("dispatch"), attr="active", ctx=ast.Load())

    def _call(self, operator: str, *arguments: ast.expr, keywords: Sequence[ast.keyword] = ()) -> ast.Call:
        return ast.Call(func=self._attribute(operator), args=list(arguments), keywords=list(keywords))

    def _attribute(self, name: str) -> ast.Attribute:
        return ast.Attribute(value=loaded_operators(), attr=name, ctx=ast.Load())

    def _value(self) -> ast.Name:
        return ast.Name(id=self.value, ctx=ast.Load())

    def _set(self, value: ast.expr) -> ast.expr:
        return ast.NamedExpr(target=ast.Name(id=self.value, ctx=ast.Store()), value=value)

    def _is_bool(self, value: ast.expr) -> list[ast.Compare]:
        """``value is True``, ``value is False``: much faster than to ask for its type."""
        pairs = ((value, True), (self._value(), False))
        return [ast.Compare(left=v, ops=[ast.Is()], comparators=[ast.Constant(value=b)]) for v, b in pairs]

    def _released(self) -> ast.expr:
        """``(value, value := None)[0]``, for what must not live longer than the statement that needs it."""
        pair = ast.Tuple(elts=[self._value(), self._set(ast.Constant(value=None))], ctx=ast.Load())
        return ast.Subscript(value=pair, slice=ast.Constant(value=0), ctx=ast.Load())


_ANSWERS: dict[str, Callable[[Asked, str, ast.expr, ast.expr, bool], ast.expr | None]] = {
    "is_": Asked._is_none,
    "is_not": Asked._is_none,
    "in_": Asked._is_in,
    "not_in": Asked._is_in,
    "get_item": Asked._item,
}


def _texts(texts: Sequence[str]) -> ast.Tuple:
    return ast.Tuple(elts=[ast.Constant(value=text) for text in texts], ctx=ast.Load())


def _operator(node: ast.AST) -> str | None:
    """The name of the operator that is called."""
    function = node.func if isinstance(node, ast.Call) else None
    if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Constant):
        return None
    return function.attr if function.value.value == LOADED else None


def _is_path(node: ast.expr) -> bool:
    """Whether it is a variable, or an attribute of one."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _is_found(node: ast.expr) -> bool:
    """As `_is_path`, but for items that it may take by a variable or a constant."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.IfExp):
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Name | ast.Constant):
            return False
        node = node.body if isinstance(node, ast.IfExp) else node.value  # `_answered` makes such
    return isinstance(node, ast.Name)
