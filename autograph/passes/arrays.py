"""Arrays that NumPy makes, and that are written later, are made by a call, so that a graph can write them."""

from __future__ import annotations

import gast

from autograph.build import Node, at, call
from autograph.context import Context
from autograph.eligibility import keeps_call, library_function
from autograph.passes.lists import assignments, made_of_nothing, names_read, root, sources
from autograph.passes.rewriting import Assignments
from autograph.walk import every_node

# Functions of NumPy's that make an array which is nobody else's.
_MAKES = frozenset(
    "arange array block choose concatenate copy diag diagflat empty empty_like eye full full_like geomspace hstack "
    "identity indices linspace logspace ndarray ones ones_like outer random.normal random.permutation random.rand "
    "random.randint random.randn random.random random.uniform repeat stack tile tri vstack zeros zeros_like".split()
)
# Functions that make one of what they are given, which is nobody else's, either.
_COMPUTES = frozenset(
    "argsort asarray cumprod cumsum diff fft.fftfreq fromiter linalg.inv linalg.solve meshgrid mgrid roll sort unique "
    "where".split()
)
_COPYING_METHODS = frozenset("argsort astype copy cumprod cumsum flatten repeat".split())
_FILLS = frozenset("empty empty_like eye full full_like identity ones ones_like zeros zeros_like".split())
_WRITES = frozenset(
    "copyto fill_diagonal place put put_along_axis putmask random.shuffle".split()
)  # the first argument
_WRITING_METHODS = frozenset("fill itemset partition put resize sort".split())
_COPIES = frozenset("astype copy flatten reshape transpose".split())  # of an array that is nobody else's


class Arrays(Assignments):
    makes_functions = False

    def __init__(self, context: Context, written: set[str], made: set[str], own: set[str]) -> None:
        super().__init__(context)
        self.written, self.known, self.own = written, made, own

    def made(self, target: Node, value: Node) -> Node:
        """``z = np.zeros(n)`` becomes ``z = ag__.array(np.zeros(n))`` if something may write to the array; to one that
        an object or a container holds, anybody may."""
        held = isinstance(target, gast.Attribute | gast.Subscript)
        return self._by_call(value) if held or getattr(target, "id", None) in self.written else value

    def _by_call(self, value: Node) -> Node:
        """The value with new arrays, those in displays of it, and those that it may be, made by calls."""
        if isinstance(value, gast.List | gast.Tuple):
            value.elts = [self._by_call(part) for part in value.elts]
        elif isinstance(value, gast.IfExp):
            value.body, value.orelse = self._by_call(value.body), self._by_call(value.orelse)
        elif isinstance(value, gast.BoolOp | gast.Dict):
            value.values = [self._by_call(part) for part in value.values]
        elif isinstance(value, gast.ListComp):
            value.elt = self._by_call(value.elt)
        elif isinstance(value, gast.DictComp):
            value.value = self._by_call(value.value)
        elif self._is_new(value):
            return at(call("array", value), value)
        return value

    def rewrite_Return(self, node: Node) -> Node:
        """Whoever calls the function may write to what it returns; what it computes is mostly a result."""
        if node.value is not None and self._is_made(node.value):
            node.value = self._by_call(node.value)
        return node

    def _is_made(self, value: Node) -> bool:
        if isinstance(value, gast.List | gast.Tuple):
            return any(map(self._is_made, value.elts))
        return isinstance(value, gast.Call) and library_function(value.func, self.context, "numpy") in _FILLS

    def rewrite_Call(self, node: Node) -> Node:
        """``np.divide(a, b, out=np.zeros(3))`` writes to an array that has no name."""
        for keyword in node.keywords:
            if keyword.arg == "out" and self._is_new(keyword.value):
                keyword.value = at(call("array", keyword.value), keyword.value)
        if library_function(node.func, self.context, "numpy") is None:
            if not keeps_call(node, self.context) or getattr(node.func, "id", "") in ("dict", "list", "tuple"):
                node.args = [self._by_call(value) for value in node.args]
                for keyword in node.keywords:
                    keyword.value = self._by_call(keyword.value)
        return node

    def _is_new(self, value: Node) -> bool:
        if isinstance(value, gast.BinOp):
            return self._is_new(value.left) or self._is_new(value.right)
        if isinstance(value, gast.UnaryOp):
            return self._is_new(value.operand)
        if not isinstance(value, gast.Call):
            return False
        function = library_function(value.func, self.context, "numpy")
        if function in _MAKES or (function in _COMPUTES and self._is_of_nothing(value)):
            return function != "asarray" or isinstance(value.args[0], gast.List | gast.Tuple)
        if not isinstance(value.func, gast.Attribute):
            return False
        if value.func.attr in _COPYING_METHODS and self._is_of_nothing(value.func.value):
            return True
        return value.func.attr in _COPIES and self._is_new(value.func.value)

    def _is_of_nothing(self, value: Node) -> bool:
        """Whether nothing that the graph knows is part of a value."""
        return all(name in self.known or name not in self.own for name in names_read(value))


def _written(tree: Node, context: Context) -> set[str]:
    """The variables whose arrays something may write to, by whatever name."""
    written: set[str] = set()
    outlive: set[str] = set()
    aliases: list[tuple[str, str]] = []
    for node in every_node(tree):
        if isinstance(node, gast.AugAssign):
            written.add(root(node.target))
        elif isinstance(node, gast.Subscript | gast.Attribute) and not isinstance(node.ctx, gast.Load):
            written.add(root(node.value))
        elif isinstance(node, gast.Call):
            written |= _written_by(node, context)
        elif isinstance(node, gast.Global):
            outlive.update(node.names)
        elif isinstance(node, gast.For):
            aliases += [(name, source) for name in _names(node.target) for source in _looped(node.iter)]
        elif isinstance(node, gast.Return) and node.value is not None:
            written.update(sources(node.value))
        if isinstance(node, gast.Assign | gast.NamedExpr):
            for target, value in assignments(node):
                aliases += [(name, source) for name in _names(target) for source in sources(value)]
    while more := {source for target, source in aliases if target in written} - written:
        written |= more
    return written - outlive - {""}


def _written_by(node: Node, context: Context) -> set[str]:
    """The variables that a call may write to."""
    found = {name for k in node.keywords if k.arg == "out" for name in sources(k.value)}
    name = library_function(node.func, context, "numpy")
    if name in _WRITES or (name is not None and name.endswith(".at")):
        found.update(sources(node.args[0]) if node.args else ())
    elif name is not None and len(node.args) > 1:
        found.update(sources(node.args[-1]))  # np.add(a, b, c)
    elif isinstance(node.func, gast.Attribute) and node.func.attr in _WRITING_METHODS:
        found.add(root(node.func.value))
    if name is None and not keeps_call(node, context):
        found.update(source for a in [*node.args, *(k.value for k in node.keywords)] for source in sources(a))
    return found


def _names(target: Node) -> list[str]:
    if isinstance(target, gast.Tuple | gast.List):
        return [name for part in target.elts for name in _names(part)]
    return [root(target.value if isinstance(target, gast.Starred) else target)]


def _looped(items: Node) -> list[str]:
    """The variables whose items a loop may go through: those of ``zip(a, b)``, too."""
    if isinstance(items, gast.Call):
        return [source for a in items.args for source in sources(a)]
    return sources(items)


def run(tree: Node, context: Context) -> Node:
    if not context.holds(gast.Call):
        return tree
    if "numpy" not in {name.partition(".")[0] for name in context.modules.values()} and not any(
        type(node) is gast.Attribute and node.attr in _COPYING_METHODS for node in every_node(tree)
    ):
        return tree
    return Arrays(context, _written(tree, context), *made_of_nothing(tree, context)).visit(tree)
