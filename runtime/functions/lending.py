"""Containers that a call is given and that only the graph knows how to change: an object of the program's holds them.

An argument is taken apart, and what of it is Python's is known while tracing. Where the graph has to look into a
dictionary among the arguments, or makes a list longer that it asks how long it is, another function is traced, which
finds these in an object: there they are what the program keeps, and as any other container that it keeps.
"""

from __future__ import annotations

import functools
import linecache
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from runtime.functions.standing import Path, at_path
from runtime.tensors import nest

Bound: TypeAlias = dict[str, object]
Container: TypeAlias = tuple[str, Path]  # the parameter, and how to reach it from there
Takes: TypeAlias = Callable[[Bound], tuple[list[object], dict[str, object]]]  # gives arguments to their parameters

# Not of this module: it stands for code of the program's.
_TEXT = """\
class Lent:
    pass


def lending(function, lent, args, kwargs):
    return function({given})
"""


class Lending:
    """What calls a function with some of its arguments held by an object.

    Args:
      stage: makes a Function of a function, which has a name.
      unbound: gives the positional and the keyword arguments, from those by parameter.
    """

    def __init__(self, stage: Callable[[Callable[..., object]], Callable[..., Any]], unbound: Takes) -> None:
        self._stage, self._unbound = stage, unbound
        self.paths: dict[Container, str] = {}  # and how the object calls what is there
        self._idle: list[_Lender] = []  # each thread has one of its own

    def __bool__(self) -> bool:
        return bool(self.paths)

    def add(self, found: Iterable[Container], bound: Bound) -> bool:
        """Lend the arguments that lead to containers from now on, too; tells whether one was not lent before."""
        added = {place: called for one in found if (called := _named(place := _lent_for(one, bound), bound))}
        before, self.paths = self.paths, {**self.paths, **added}
        return len(self.paths) > len(before)

    def more(self, found: Container | None, bound: Bound) -> Iterator[None]:
        """Lend the argument that is known to be asked for, then all; what was lent before, if none of this does."""
        before = self.paths
        for places in ([] if found is None else [found], containers(bound)):
            if self.add(places, bound):
                yield
        self.paths = before

    def called(self, function: Callable[..., object], own: Sequence[object], bound: Bound) -> object:
        """What a function returns for what it is bound to, and for these arguments."""
        lent: dict[str, object] = {f"self_{number}": one for number, one in enumerate(own)}
        given = dict(bound)
        for (name, path), called in self.paths.items():
            if name in given:
                given[name] = _taken_out(given[name], path, called, lent)
        args, kwargs = self._unbound(given)
        args = [*map(_Lent, [*lent][: len(own)]), *args]
        shown = [_expression(one, f"args[{number}]") for number, one in enumerate(args)]
        shown += [f"{name}={_expression(one, f'kwargs[{name!r}]')}" for name, one in kwargs.items()]
        text = _TEXT.format(given=", ".join(shown))
        lender = next((one for one in self._idle if one.text == text), None)
        try:
            self._idle.remove(lender)  # type: ignore[arg-type]
        except ValueError:  # there is none, or another thread has it by now
            lender = _Lender(text, self._stage)
        assert lender is not None
        try:
            vars(lender.lent).update(lent)
            return lender.function(
                function, lender.lent, tuple(map(_without, args)), {k: _without(v) for k, v in kwargs.items()}
            )
        finally:
            vars(lender.lent).update(dict.fromkeys(lent))
            self._idle.append(lender)


def containers(bound: Bound) -> Iterator[Container]:
    """The lists, dictionaries and the like among arguments."""
    waiting: list[tuple[str, Path, object]] = [(name, (), value) for name, value in bound.items()]
    for name, path, value in waiting:
        if isinstance(value, tuple):
            waiting += [(name, (*path, (True, number)), part) for number, part in enumerate(value)]
        elif isinstance(value, list | dict | set | deque):
            yield name, path


def _lent_for(container: Container, bound: Bound) -> Container:
    """What is lent for a container to be: what holds it, but for tuples."""
    name, path = container
    within, part = list[tuple[bool, Any]](), bound[name]
    for step in path:
        if not isinstance(part, tuple):
            break
        within.append(step)
        part = at_path(part, [step])
    return name, tuple(within)


def _named(place: Container, bound: Bound) -> str:
    """What an object calls what is lent; nothing if that is a tuple."""
    name, path = place
    is_tuple = isinstance(at_path(bound[name], path), tuple)
    return "" if is_tuple else "_".join([name.lstrip("*"), *(str(key) for _, key in path)])


class _Lender:
    """An object that holds what is lent, and what calls a function with that."""

    def __init__(self, text: str, stage: Callable[[Callable[..., object]], Callable[..., Any]]) -> None:
        self.text = text
        made = _made(text)
        self.lent = made["Lent"]()
        self.function = stage(made["lending"])


@functools.lru_cache(maxsize=64)
def _made(text: str) -> dict[str, Any]:
    filename = f"<arguments {len(linecache.cache)}>"
    linecache.cache[filename] = len(text), None, text.splitlines(keepends=True), filename
    made: dict[str, Any] = {"__name__": "lent_arguments"}
    exec(compile(text, filename, "exec"), made)
    return made


class _Lent:
    """Stands for an argument that an object holds, by its name there."""

    def __init__(self, name: str) -> None:
        self.name = name


def _taken_out(value: object, path: Path, name: str, lent: dict[str, object]) -> object:
    """An argument without the part that is lent."""
    if not path:
        lent[name] = value
        return _Lent(name)
    (_, at), *rest = path
    if not isinstance(value, tuple) or at >= len(value):
        return value
    return nest.of_kind(value, [*value[:at], _taken_out(value[at], rest, name, lent), *value[at + 1 :]])


def _expression(value: object, found: str) -> str:
    """The text that gives an argument, where this gives what was not lent of it."""
    if isinstance(value, _Lent):
        return f"lent.{value.name}"
    if not isinstance(value, tuple) or not _is_lent(value):
        return found
    parts = [_expression(part, f"{found}[{number}]") for number, part in enumerate(value)]
    if type(value) is not tuple:  # with names
        return f"{found}._make([{', '.join(parts)}])"
    return f"({''.join(f'{part}, ' for part in parts)})"


def _is_lent(value: object) -> bool:
    return isinstance(value, _Lent) or (isinstance(value, tuple) and any(map(_is_lent, value)))


def _without(value: object) -> object:
    """An argument with nothing for what is lent."""
    if isinstance(value, _Lent):
        return None
    return nest.of_kind(value, [*map(_without, value)]) if _is_lent(value) else value  # type: ignore[call-overload]
