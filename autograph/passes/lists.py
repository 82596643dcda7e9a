"""Lists that may grow in a staged statement are made by a call, and indices that may be staged are looked up by one."""

from __future__ import annotations

from collections.abc import Iterator

import gast

from autograph.analysis.symbols import FUNCTIONS, bound, parameters
from autograph.build import Node, at, call, is_operator_call, name
from autograph.context import Context
from autograph.eligibility import can_stage, is_builtin, keeps_call, library_function
from autograph.passes.rewriting import Assignments, parts
from autograph.rules import STAGED_BUILTINS
from autograph.walk import every_node

_CHANGES = frozenset("append extend insert pop remove clear sort reverse add discard update setdefault popitem".split())
_MADE = frozenset(
    "arange array asarray bartlett blackman eye fft.fftfreq fft.rfftfreq full geomspace hamming hanning identity "
    "indices kaiser linspace logspace ones tri tril_indices triu_indices zeros".split()
)
_DISPLAYS = (gast.List, gast.ListComp)
_HASHED = (gast.Dict, gast.Set, gast.DictComp, gast.SetComp)
_INDEXERS = ("r_", "c_")


class Lists(Assignments):
    def __init__(self, context: Context, changed: set[str], hashed: set[str], tables: set[str], own: set[str]) -> None:
        super().__init__(context)
        self.changed, self.hashed, self.tables, self.own = changed, hashed, tables, own

    def made(self, target: Node, value: Node) -> Node:
        """``out = []`` becomes ``out = ag__.list_([])`` if something may change the list in place."""
        if not isinstance(target, gast.Tuple | gast.List) and any(isinstance(v, _HASHED) for v in _choices(value)):
            return _hashed(value) if _is_one(target, self.hashed) else value
        if not _is_one(target, self.changed):
            return _made(value) if _is_table(value) else value
        if _lists(value) and is_made(value, self.tables, self.own, self.context):
            return at(call("list_", value), value)
        return self._copied(value) or _made(value)

    def rewrite_Return(self, node: Node) -> Node:
        """``return []``: what calls the function may change the list."""
        node.value = self._given(node.value)
        return node

    rewrite_Yield = rewrite_Return

    def _lambda(self, node: Node) -> Node:
        node = super()._lambda(node)
        node.body = self._given(node.body)
        return node

    def _around(self, node: Node) -> None:
        """``def f(n, memo={})``: each call without that argument has the one dictionary, which the body may change."""
        super()._around(node)
        if not self.depth:
            return
        inner, positional = node.args, [*node.args.posonlyargs, *node.args.args]
        pairs = zip(positional[len(positional) - len(inner.defaults) :], inner.defaults, strict=True)
        inner.defaults = [self.made(parameter, default) for parameter, default in pairs]
        named = zip(inner.kwonlyargs, inner.kw_defaults, strict=True)
        inner.kw_defaults = [default and self.made(parameter, default) for parameter, default in named]

    def _given(self, node: Node) -> Node:
        """What a function gives, or is given, with its new lists, dictionaries and sets made by calls."""
        if not self.context.thorough:
            return node
        if isinstance(node, gast.Tuple):
            node.elts = [self._given(value) for value in node.elts]
            return node
        if isinstance(node, gast.GeneratorExp):
            node.elt = self._given(node.elt)
            return node
        return self._copied(node) or _hashed(_made(node))

    def _copied(self, value: Node) -> Node | None:
        """``ag__.copied(START[:])`` for a copy of what no function here binds, which may well be a list of Python's."""
        copy = value.args[0] if is_operator_call(value) and value.func.attr == "array" else value
        if not self.context.thorough or not _is_copy(copy, self.context) or not self.own.isdisjoint(names_read(copy)):
            return None
        return at(call("copied", value), value)

    def rewrite_Dict(self, node: Node) -> Node:
        node.values = [self._given(_made(value)) for value in node.values]
        return self._with_keys(node, node.keys)

    def rewrite_DictComp(self, node: Node) -> Node:
        node.value = self._given(_made(node.value))
        return node

    def rewrite_Set(self, node: Node) -> Node:
        return self._with_keys(node, node.elts)

    def _with_keys(self, node: Node, keys: list[Node | None]) -> Node:
        """``{x: 1}`` becomes ``ag__.dict_([(x, 1)])`` where a key may be staged."""
        asked = self.context.thorough and any(key is not None and _may_be_staged(key) for key in keys)
        return _hashed(node) if asked else node

    def rewrite_Call(self, node: Node) -> Node:
        if library_function(node.func, self.context, "numpy") is not None:
            return node
        if self.context.thorough or not (
            keeps_call(node, self.context) or getattr(node.func, "id", "") in STAGED_BUILTINS
        ):
            node.args = [self._given(_made(value)) for value in node.args]
            for keyword in node.keywords:
                keyword.value = self._given(keyword.value)
        return node

    def rewrite_Subscript(self, node: Node) -> Node:
        """``TABLE[i]`` becomes ``ag__.get_item(TABLE, i)`` where the table may well be a list, tuple or dictionary of
        Python's, which a staged index cannot be looked up in."""
        if not isinstance(node.ctx, gast.Load) or not self._may_be_table(node.value) or not self._may_be_staged(node):
            return node
        index = node.slice if self._keeps_slices() else _without_slices(node.slice)
        return call("get_item", node.value, index)

    def _keeps_slices(self) -> bool:
        """Whether a slice cannot be written as a call, for something else has that name."""
        return "slice" in self.context.shadowed or "slice" in self.context.defined

    def _may_be_staged(self, node: Node) -> bool:
        if not any(isinstance(part, gast.Slice) for part in getattr(node.slice, "elts", None) or [node.slice]):
            return _may_be_staged(node.slice)
        joins = library_function(node.value, self.context, "numpy") in _INDEXERS  # whose slices say how long it is
        return not self._keeps_slices() and (joins or isinstance(node.value, gast.Name)) and _may_be_staged(node.slice)

    def _may_be_table(self, node: Node) -> bool:
        if isinstance(node, gast.Name):
            return node.id in self.tables or node.id not in self.own
        if isinstance(node, gast.Subscript) or is_operator_call(node):
            return self._may_be_table(node.value if isinstance(node, gast.Subscript) else node.args[0])
        if isinstance(node, gast.Call):
            return is_made(node, self.tables, self.own, self.context)
        return isinstance(node, gast.List | gast.Tuple | gast.Dict | gast.Attribute)


def _lists(value: Node) -> bool:
    """Whether a value is a list that a call makes: ``list()``, ``list(a)``, ``a.tolist()``."""
    if not isinstance(value, gast.Call):
        return False
    is_method = isinstance(value.func, gast.Attribute) and value.func.attr == "tolist" and not value.args
    return is_method or (is_builtin(value.func, "list") and len(value.args) < 2)


def _is_copy(value: Node, context: Context) -> bool:
    """Whether a list that it gives is new: ``a[1:]``, ``a.copy()``, ``copy.deepcopy(a)``, ``sorted(a)``, ``a * n``."""
    if isinstance(value, gast.Subscript):
        return isinstance(value.slice, gast.Slice)
    if isinstance(value, gast.BinOp):
        parts = {gast.Add: [value.left, value.right], gast.Mult: [value.left]}.get(type(value.op), [])
        return bool(parts) and all(isinstance(part, gast.Name) or _is_copy(part, context) for part in parts)
    if not isinstance(value, gast.Call) or len(value.args) > 1:
        return False
    is_method = isinstance(value.func, gast.Attribute) and value.func.attr == "copy" and not value.args
    return is_method or is_builtin(value.func, "sorted") or library_function(value.func, context, "copy") is not None


def _choices(value: Node) -> list[Node]:
    """What a value may be, as far as it is written there."""
    parts = [value.body, value.orelse] if isinstance(value, gast.IfExp) else getattr(value, "values", [])
    return [c for p in parts for c in _choices(p)] if isinstance(value, gast.IfExp | gast.BoolOp) else [value]


def _is_one(target: Node, names: set[str]) -> bool:
    """Whether one of the variables is assigned, or an attribute or item, which may have any name later."""
    if isinstance(target, gast.Tuple | gast.List):
        return any(_is_one(part, names) for part in target.elts)
    if isinstance(target, gast.Starred):
        return _is_one(target.value, names)
    return isinstance(target, gast.Attribute | gast.Subscript) or target.id in names


def _is_table(node: Node) -> bool:
    """Whether a value is a list of lists, whose inner lists may be changed by whatever name they have by then."""
    if isinstance(node, gast.Tuple):
        return any(map(_is_table, node.elts))
    inner = [node.elt] if isinstance(node, gast.ListComp) else node.elts[:1] if isinstance(node, gast.List) else []
    return any(map(_is_list, inner))


def _is_list(node: Node) -> bool:
    """Whether it is a list that is made there, or a tuple with one."""
    return any(map(_is_list, node.elts)) if isinstance(node, gast.Tuple) else isinstance(_times(node), _DISPLAYS)


def _times(node: Node) -> Node:
    """What is repeated in ``[0] * n``."""
    return node.left if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Mult) else node


def assignments(node: Node) -> Iterator[tuple[Node, Node]]:
    """What an assignment assigns to what, part by part."""
    waiting = [(target, node.value) for target in getattr(node, "targets", None) or [node.target]]
    while waiting:
        target, value = waiting.pop()
        if pairs := parts(target, value):
            waiting += pairs
        else:
            yield target, value


def root(node: Node) -> str:
    """The variable that an item, or an attribute of one, is reached from."""
    while isinstance(node, gast.Subscript | gast.Attribute):
        node = node.value
    return getattr(node, "id", "")


def _made(node: Node) -> Node:
    """The value with its list displays made by calls, and dictionaries that something is put into."""
    if isinstance(node, gast.Dict) and not node.keys:
        return _hashed(node)
    if isinstance(node, gast.List):
        node.elts = [_made(value) for value in node.elts]
        if any(isinstance(value, gast.Starred) for value in node.elts):
            return at(_joined(node.elts), node)
    if isinstance(node, _DISPLAYS):
        return at(call("list_", node), node)
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Add | gast.Mult):
        node.left, node.right = _made(node.left), _made(node.right)
    if isinstance(node, gast.Tuple):
        node.elts = [_made(value) for value in node.elts]
    if isinstance(node, gast.IfExp):
        node.body, node.orelse = _made(node.body), _made(node.orelse)
    if isinstance(node, gast.BoolOp):
        node.values = [_made(value) for value in node.values]
    return node


def _hashed(node: Node) -> Node:
    """A dictionary or set that a call makes; of keys that may be staged there are pairs, which are not hashed yet."""
    if isinstance(node, gast.IfExp):
        node.body, node.orelse = _hashed(node.body), _hashed(node.orelse)
    elif isinstance(node, gast.BoolOp):
        node.values = [_hashed(value) for value in node.values]
    if not isinstance(node, _HASHED):
        return node
    if isinstance(node, gast.DictComp | gast.SetComp):
        return at(call("dict_" if isinstance(node, gast.DictComp) else "set_", node), node)
    if isinstance(node, gast.Set):
        whole = all(isinstance(element, gast.Constant) for element in node.elts)
        return at(call("set_", node if whole else gast.List(elts=node.elts, ctx=gast.Load())), node)
    if None in node.keys or (node.keys and all(map(_is_text, node.keys))):
        return node
    if all(isinstance(key, gast.Constant) for key in node.keys):
        return at(call("dict_", node), node)
    pairs = [gast.Tuple(elts=[*pair], ctx=gast.Load()) for pair in zip(node.keys, node.values)]
    return at(call("dict_", gast.List(elts=pairs, ctx=gast.Load())), node)


def _is_text(node: Node) -> bool:
    return isinstance(node, gast.JoinedStr) or (isinstance(node, gast.Constant) and isinstance(node.value, str))


def _joined(elements: list[Node]) -> Node:
    """``[a, *b]`` as ``ag__.list_([a]) + ag__.list_(b)``."""
    parts: list[Node] = [gast.List(elts=[], ctx=gast.Load())]
    for element in elements:
        if isinstance(element, gast.Starred):
            parts += [element.value, gast.List(elts=[], ctx=gast.Load())]
        else:
            parts[-1].elts.append(element)
    kept = [part for i, part in enumerate(parts) if i == 0 or i % 2 or part.elts]
    total = call("list_", kept[0])
    for part in kept[1:]:
        total = gast.BinOp(left=total, op=gast.Add(), right=call("list_", part))
    return total


def _may_be_staged(index: Node) -> bool:
    if isinstance(index, gast.Tuple):
        return any(map(_may_be_staged, index.elts))
    if isinstance(index, gast.UnaryOp):
        return not isinstance(index.op, gast.Not) and _may_be_staged(index.operand)
    if isinstance(index, gast.Slice):
        return any(_may_be_staged(bound) for bound in (index.lower, index.upper, index.step) if bound is not None)
    if isinstance(index, gast.JoinedStr):
        return False
    return can_stage(index)


def _without_slices(index: Node) -> Node:
    """An index with ``slice(1, n)`` in the place of ``1:n``."""
    if isinstance(index, gast.Tuple):
        return at(gast.Tuple(elts=[_without_slices(part) for part in index.elts], ctx=gast.Load()), index)
    if not isinstance(index, gast.Slice):
        return index
    bounds = [gast.Constant(value=None, kind=None) if b is None else b for b in (index.lower, index.upper)]
    bounds += [index.step] if index.step is not None else []
    return at(gast.Call(func=name("slice"), args=bounds, keywords=[]), index)


def _uses(tree: Node, context: Context) -> tuple[set[str], set[str], set[str], set[str]]:
    """The variables that may be lists changed in place, dictionaries and sets that stand beside such as are changed,
    those that are tables, and all that functions here bind."""
    changed: set[str] = set()
    tables: set[str] = set()
    aliases: list[tuple[str, str]] = []
    displays: list[str] = []  # variables, as often as they are given a dictionary or set
    written: set[str] = set()
    for node in every_node(tree):
        kind = type(node)
        if kind is gast.Attribute and node.attr in _CHANGES:  # called here, or later
            changed.update([root(node.value), *sources(node.value)])
        elif (
            kind is gast.Call
            and library_function(node.func, context, "numpy") is None
            and not keeps_call(node, context)
        ):
            changed.update(getattr(a, "id", "") for a in node.args)
        elif kind is gast.AugAssign:
            changed.add(getattr(node.target, "id", ""))
            written.add(root(node.target))
        elif kind is gast.Subscript and not isinstance(node.ctx, gast.Load):
            changed.add(root(node.value))
            written.add(root(node.value))
        if kind is gast.Assign or kind is gast.NamedExpr:
            for target, value in assignments(node):
                aliases += [(root(target), source) for source in sources(value)]
                displays += [root(target) for choice in _choices(value) if isinstance(choice, _HASHED)]
                if isinstance(value, gast.List | gast.Tuple | gast.Dict | gast.ListComp | gast.DictComp):
                    tables.add(getattr(target, "id", ""))
    while more := {source for target, source in aliases if target in changed} - changed:
        changed |= more
    hashed = changed | {name for name in displays if displays.count(name) > 1}
    while more := {name for pair in aliases if not hashed.isdisjoint(pair) for name in pair} - hashed:
        hashed |= more
    made, own = made_of_nothing(tree, context)
    return changed - {""}, hashed - {""}, tables | (made - written), own


def made_of_nothing(tree: Node, context: Context) -> tuple[set[str], set[str]]:
    """The variables that are given arrays which are made of nothing that the graph knows, and all that functions here
    bind."""
    own: set[str] = set()
    arrays: list[tuple[str, Node]] = []  # variables, and what they are given
    for node in every_node(tree):
        if isinstance(node, gast.Assign | gast.NamedExpr):
            for target, value in assignments(node):
                if isinstance(value, gast.Call | gast.BinOp | gast.Subscript):
                    arrays += [(name.id, value) for name in every_node(target) if isinstance(name, gast.Name)]
        own |= _bound_by(node)
    made: set[str] = set()
    while more := {target for target, value in arrays if is_made(value, made, own, context)} - made:
        made |= more
    return made, own


def _bound_by(node: Node) -> set[str]:
    """The variables that a function, or a comprehension, binds."""
    if isinstance(node, gast.comprehension):
        return set(bound(node.target))
    if not isinstance(node, FUNCTIONS):
        return set()
    inner = set() if isinstance(node, gast.Lambda) else set(bound(node.body))
    return inner | {p.id for p in parameters(node)}


def is_made(value: Node, made: set[str], own: set[str], context: Context) -> bool:
    """Whether a value is an array that is made of nothing that the graph knows, or is computed from such."""
    if isinstance(value, gast.Name):
        return value.id in made
    if isinstance(value, gast.BinOp):
        return is_made(value.left, made, own, context) or is_made(value.right, made, own, context)
    if isinstance(value, gast.Subscript):
        return is_made(value.value, made, own, context)
    if not isinstance(value, gast.Call):
        return False
    if is_operator_call(value):
        return is_made(value.args[0], made, own, context) if value.args else False
    name = library_function(value.func, context, "numpy")
    if name in _MADE or all(known in made or known not in own for known in names_read(value)):
        return True
    if name is None:
        return isinstance(value.func, gast.Attribute) and is_made(value.func.value, made, own, context)
    return any(is_made(argument, made, own, context) for argument in value.args)


def names_read(value: Node) -> Iterator[str]:
    """The variables that a value is computed from, but for what is asked of how large they are."""
    if isinstance(value, gast.Name):
        yield value.id
    elif not (isinstance(value, gast.Attribute) and value.attr in _SIZES) and not _is_len(value):
        for part in gast.iter_child_nodes(value):
            yield from names_read(part)


def _is_len(value: Node) -> bool:
    return isinstance(value, gast.Call) and is_builtin(value.func, "len")


_SIZES = frozenset(("dtype", "ndim", "shape", "size"))


def sources(node: Node) -> list[str]:
    """The variables whose value an expression may be, hold, or be a copy of."""
    if isinstance(node, gast.Name):
        return [node.id]
    parts: list[Node] = []
    if isinstance(node, gast.IfExp):
        parts = [node.body, node.orelse]
    elif isinstance(node, gast.BoolOp | gast.Dict):
        parts = node.values
    elif isinstance(node, gast.List | gast.Tuple):
        parts = node.elts
    elif isinstance(node, gast.BinOp):
        parts = [node.left, node.right]
    elif isinstance(node, gast.Subscript | gast.Attribute | gast.Starred):
        parts = [node.value]
    elif isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
        parts = [node.func.value]
    return [source for part in parts for source in sources(part)]


def run(tree: Node, context: Context) -> Node:
    if not context.holds(*_DISPLAYS, *_HASHED, gast.BinOp, gast.Subscript, gast.Call):
        return tree
    return Lists(context, *_uses(tree, context)).visit(tree)
