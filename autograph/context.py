"""What the passes may know besides the tree: names in use, modules, the class around."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from autograph.build import TRACED


@dataclass
class Context:
    """`modules` maps names to the modules that they surely are; `taken` holds every identifier in use; `operators` and
    `traced` are what the operators and the converted form of a guarded function are called."""

    class_name: str | None = None
    modules: Mapping[str, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    recursive: bool = True
    operators: str = "ag__"
    traced: str = TRACED
    helpers: set[str] = field(default_factory=set)

    def fresh(self, stem: str) -> str:
        """A name that the user does not use, nor any other generated variable."""
        name, number = stem, 0
        while name in self.taken:
            number += 1
            name = f"{stem}_{number}"
        self.taken.add(name)
        return name

    def mangled(self, name: str) -> str:
        """The name as the class around the function mangles it."""
        if self.class_name is None or not name.startswith("__") or name.endswith("__"):
            return name
        return f"_{self.class_name.lstrip('_')}{name}"

    def helper(self, stem: str) -> str:
        """A name for a generated function; it serves again and again, since each is called where it is defined."""
        name = stem if stem not in self.taken else self.fresh(stem)
        self.helpers.add(name)
        return name
