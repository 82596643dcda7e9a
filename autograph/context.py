"""What the passes may know besides the tree: names in use, modules, the class around."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from autograph.build import Node, names_tuple
from autograph.reasons import Reason


@dataclass
class Context:
    """`modules` maps names to the modules that they surely are, or come from, and `renamed` those that have another
    name there to that; `defined` are the names of the module that are no built-ins, whatever they look like; `taken`
    holds every identifier in use."""

    class_name: str | None = None
    modules: Mapping[str, str] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)
    defined: Collection[str] = ()
    taken: set[str] = field(default_factory=set)
    shadowed: set[str] = field(default_factory=set)  # names that a function of the tree binds, whatever they look like
    listed: set[str] = field(default_factory=set)  # names that may be lists or tuples, as far as the text tells
    recursive: bool = True
    thorough: bool = False  # whether a ``try`` becomes a function, too, and nothing is taken for granted
    annotations: bool = True  # whether annotations are evaluated
    operators: str = "ag__"  # what the operators are called
    traced: str = "ag__traced"  # in a guarded function: its converted form
    value: str = "ag__value"  # in loaded code: the value that decides
    iterations: tuple[str, ...] = ("ag__iterations",) * 3  # in loaded code: the iterations of loops in one another
    has_operators: bool = False  # whether the converted code calls any
    helpers: set[str] = field(default_factory=set)
    generated: Node = field(default_factory=lambda: names_tuple(()))  # every name that is not the user's, in the end
    kinds: set[type] = field(default_factory=set)  # what nodes the tree held at first; unknown if it is empty
    notes: dict[tuple[int, int], Reason | None] = field(default_factory=dict)  # by place: why it stays, or None
    returns: dict[str, bool] = field(default_factory=dict)  # what returns were turned into: is it the value, or a flag?
    _made: set[str] = field(default_factory=set)

    def begin(self, names: Collection[str]) -> None:
        """Take the names of a tree into account, and choose those that every converted function has."""
        self.taken |= set(names)
        self.operators, self.traced = self.fresh(self.operators), self.fresh(self.traced)
        self.value = self.fresh(self.value)
        self.iterations = tuple(self.fresh(stem) for stem in self.iterations)

    def finish(self) -> None:
        """Enter all names made into the node that stands for them."""
        self.generated.elts = names_tuple(tuple(sorted(self._made | self.helpers))).elts

    def fresh(self, stem: str) -> str:
        """A name that the user does not use, nor any other generated variable."""
        name, number = stem, 0
        while name in self.taken:
            number += 1
            name = f"{stem}_{number}"
        self.taken.add(name)
        self._made.add(name)
        return name

    def holds(self, *kinds: type) -> bool:
        """Whether the user's code may hold a node of one of these types."""
        return not self.kinds or not self.kinds.isdisjoint(kinds)

    def note(self, node: Node, reason: Reason | None) -> None:
        """Put on record why a statement stays as it is, or that it does not."""
        self.notes[node.lineno, node.col_offset] = reason

    def mangled(self, name: str) -> str:
        """The name as the class around the function mangles it."""
        return mangled(name, self.class_name)

    def helper(self, stem: str) -> str:
        """A name for a generated function; it serves again and again, since each is called where it is defined."""
        name = stem if stem not in self.taken else self.fresh(stem)
        self.helpers.add(name)
        return name


def mangled(name: str, class_name: str | None) -> str:
    """The name as a class around it mangles it.

    >>> mangled("__count", "_Box"), mangled("__init__", "Box")
    ('_Box__count', '__init__')
    """
    if class_name is None or not name.startswith("__") or name.endswith("__") or not class_name.lstrip("_"):
        return name
    return f"_{class_name.lstrip('_')}{name}"
