"""What code may do outside of a graph, or find there: print, open a file, draw a random number, ask an iterator.

A loop is traced once for all its iterations only where none of that is in reach, as it would then be done once. What
the code names is followed: the user's own functions and classes, and what their variables hold. Known to do nothing
are Python's containers and numbers, the functions of libraries that only compute, and whatever a backend stages; all
else may do anything.
"""

from __future__ import annotations

import builtins
import dis
import functools
import sys
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from autograph import dispatch
from autograph.identity import ByIdentity
from autograph.reading import (
    attributes_of,
    content_of,
    found_in,
    is_a,
    members_of,
    module_of_class,
    order_of,
    slot_in,
    slots_of,
)
from autograph.rules import ACTING, is_left_alone, why_function_stays

_MOST = 20_000  # values that are looked at; with more of them nothing is known
_COMPUTE = frozenset(  # libraries that do nothing else, but for what is named below
    "autograph runtime numpy math cmath operator itertools functools collections typing types dataclasses enum abc "
    "copy numbers fractions string bisect heapq statistics _operator _collections _collections_abc _functools _heapq "
    "_bisect".split()
)
_ACT = frozenset(  # of NumPy's names
    "random save savez savez_compressed savetxt load loadtxt genfromtxt fromfile tofile dump memmap seterr seterrcall "
    "setbufsize set_printoptions printoptions show_config info test".split()
)
_BUILTINS = frozenset(
    id(getattr(builtins, name))
    for name in "abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict divmod enumerate "
    "filter float format frozenset hash hex int isinstance issubclass iter len list map max memoryview min next object "
    "oct ord pow property range repr reversed round set slice sorted staticmethod str sum super tuple type zip".split()
)
_ATOMS = frozenset(map(id, (
    int, float, bool, complex, str, bytes, bytearray, type(None), type(...), type(NotImplemented), range, slice, object,
)))  # fmt: skip
_CONTAINERS = (list, tuple, set, frozenset, dict)
_SHOWING = frozenset("__repr__ __str__ __format__ __del__ __init_subclass__ __class_getitem__".split())
_MAKING = frozenset("__init__ __new__ __post_init__".split())


_draws: Callable[[], bool] = lambda: False


def set_drawing(draws: Callable[[], bool]) -> None:
    """Tell how to know whether what is traced has random numbers drawn when it runs."""
    global _draws
    _draws = draws


_shows: Callable[[], bool] = lambda: False


def set_showing(shows: Callable[[], bool]) -> None:
    """Tell how to know whether what is traced shows its user what it prints when it runs."""
    global _shows
    _shows = shows


def found_outside(functions: Iterable[Callable[..., object] | None]) -> str | None:
    """What of the outside the code of these functions may reach, to be told; None if all that it does is known."""
    return _Reach(functions).reason


class _Reach:
    def __init__(self, functions: Iterable[Callable[..., object] | None]) -> None:
        self.reason: str | None = None
        self._seen: dict[object, object] = {}  # holds on to what it has seen, so that ids stay theirs
        self._names: set[str] = set()  # of attributes that the code asks for
        self._holders: list[Mapping[str, object]] = []  # of which only what is asked for matters
        self._numpy, self._draws, self._shows = False, _draws(), _shows()
        self._asked: list[tuple[str, Iterable[str], frozenset[str]]] = []  # modules of which some names alone may act
        self._waiting: list[object] = [function for function in functions if function is not None]
        self._follow()

    def _follow(self) -> None:
        known = -1
        while self.reason is None and (self._waiting or known < len(self._names)):
            if not self._waiting:
                known = len(self._names)
                self._waiting = [held[name] for held in self._holders for name in sorted(self._names & held.keys())]
                continue
            if len(self._seen) > _MOST:
                self.reason = "it may reach too many objects"
            value = self._waiting.pop()
            if id(type(value)) not in _ATOMS and id(value) not in self._seen:
                self._seen[id(value)] = value
                self._look(value)
        acts = _ACT - {"random"} if self._draws else _ACT
        if self.reason is None and self._numpy and (acting := self._names & acts):
            self.reason = f"it may call NumPy's {min(acting)}"
        for module, names, harmless in self._asked if self.reason is None else ():
            if others := (self._names & {*names}) - harmless:
                self.reason = f"it may use {min(others)} of the module {module}"

    def _look(self, value: Any) -> None:
        kind = type(value)
        if kind is types.FunctionType:
            self._function(value)
        elif kind is types.MethodType:
            self._waiting += [value.__self__, value.__func__]
        elif kind is types.BuiltinFunctionType:
            self._builtin(value)
        elif kind is types.CellType:
            self._waiting += content_of(value)
        elif issubclass(kind, types.ModuleType):
            self._module(value)
        elif issubclass(kind, type):
            self._class(value)
        elif kind is functools.partial:
            self._waiting += [value.func, value.args, value.keywords]
        elif is_a(value, (property, staticmethod, classmethod)):
            parts = (value.fget, value.fset, value.fdel) if is_a(value, property) else (value.__func__,)
            self._waiting += [part for part in parts if part is not None]
        elif kind is types.MemberDescriptorType:
            pass  # what is in the slot is looked at
        elif dispatch.holder_of(value) is not None or dispatch.backend_of(value) is not None:
            pass
        elif found_in(kind, "__next__") is not None:
            self.reason = f"it may ask {_described(kind)} for its next item"
        else:
            self._object(value)

    def _function(self, function: types.FunctionType) -> None:
        if why_function_stays(function) is not None:
            self._library(function.__module__, function.__name__)
            return
        facts = _facts(function.__code__)
        if facts.imports:
            self.reason = "it imports a module"
        self._names |= facts.attributes
        for name in sorted(facts.globals):  # so that the same thing is told each time
            found = function.__globals__.get(name, getattr(builtins, name, None))
            self._waiting.append(found)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            if name == "__class__":  # of ``super()``, which makes no object
                for cls in content_of(cell):
                    self._class(cls, made=False)
            else:
                self._waiting.append(cell)
        self._waiting += [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]

    def _builtin(self, function: Any) -> None:
        owner = function.__self__
        if owner is not None and type(owner) is not types.ModuleType:
            self._waiting.append(owner)
        elif id(function) not in _BUILTINS and not (self._shows and _is_acting(function)):
            self._library(function.__module__, function.__name__)

    def _library(self, module: str | None, name: str) -> None:
        if not self._computes(module):
            home = f" of {module}" if module not in (None, "builtins") else ""
            self.reason = f"it may call {name}(){home}"

    def _module(self, module: types.ModuleType) -> None:
        variables = attributes_of(module) or {}
        name = variables.get("__name__")
        if not is_left_alone(name):
            self._holders.append(variables)
        elif self._shows and name in ("sys", "time"):
            self._asked.append((name, variables.keys(), _STREAMS if name == "sys" else ACTING["time"]))
        elif not self._computes(name):
            self.reason = f"it may use the module {name}"
        self._numpy |= name == "numpy"

    def _class(self, cls: type, made: bool = True) -> None:
        """A class that is named, or (not `made`) that of an object."""
        home = module_of_class(cls)
        if id(cls) in _BUILTINS or (home == "builtins" and issubclass(cls, BaseException)):
            return
        if is_left_alone(home):
            self._library(home, cls.__name__)
            return
        for base in order_of(cls):
            home = module_of_class(base)
            if home == "builtins":
                continue  # its objects are containers, errors and the like
            if is_left_alone(home):
                self._library(home, base.__name__)
                if self.reason is not None:
                    return
            else:
                members = members_of(base)
                self._holders.append(members)
                special = [name for name in members if name[:2] == "__" == name[-2:] and name not in _SHOWING]
                self._waiting += [
                    members[n] for n in special if (made or n not in _MAKING) and type(members[n]) in _CALLED
                ]

    def _computes(self, module: str | None) -> bool:
        """Whether the functions and objects of a library do nothing but compute, or draw in the graph."""
        if self._draws and module in _DRAWING:
            return True
        if self._shows and module == "logging":
            self._asked.append((module, _SETS_UP, frozenset()))
            return True
        if module is None or module.startswith(("numpy.random", "numpy.testing")):
            return False
        return module.partition(".")[0] in _COMPUTE

    def _object(self, value: Any) -> None:
        kind = type(value)
        home = module_of_class(kind)
        if self._shows and (value is sys.stdout or value is sys.stderr):
            return
        if issubclass(kind, _CONTAINERS):
            self._waiting += [*dict.keys(value), *dict.values(value)] if issubclass(kind, dict) else [*_elements(value)]
        if home is None or not is_left_alone(home):
            self._class(kind, made=False)
            slots = {slot: slot_in(value, slot) for slot in slots_of(kind)}
            self._holders.append({**(attributes_of(value) or {}), **slots})
        elif self._draws and getattr(value, "__module__", None) in _DRAWING:
            pass  # a function that NumPy has in C
        elif not issubclass(kind, _CONTAINERS) and not (self._computes(home) and home != "functools"):
            self.reason = f"it may use {_described(kind)}"


def _is_acting(function: Any) -> bool:
    """Whether it does something outside that a graph does when it runs."""
    return function is print or function.__name__ in ACTING.get(function.__module__, ())


_SETS_UP = frozenset(  # of what `logging` has
    "addFilter addHandler addLevelName basicConfig captureWarnings disable propagate removeFilter removeHandler "
    "setLevel setLoggerClass setLogRecordFactory shutdown".split()
)
_STREAMS = frozenset("stdout stderr maxsize float_info byteorder version_info".split())  # asked for, they do nothing
_DRAWING = ("random", "numpy.random", "numpy.random._generator", "numpy.random.mtrand")


def _described(kind: type) -> str:
    home = module_of_class(kind)
    name = kind.__name__ if home in (None, "builtins") else f"{home}.{kind.__name__}"
    return f"an object of the type {name}"


def _elements(container: Any) -> Iterable[object]:
    return next(base for base in _CONTAINERS if is_a(container, base)).__iter__(container)


_CALLED = (types.FunctionType, property, staticmethod, classmethod)


class _Facts:
    """What code, and the code in it, reads and imports."""

    def __init__(self, code: types.CodeType) -> None:
        inner = [_facts(constant) for constant in code.co_consts if isinstance(constant, types.CodeType)]
        names: dict[str, set[str]] = {"globals": set(), "imports": set(), "attributes": set()}
        for instruction in dis.get_instructions(code):
            if instruction.opname in _READS and isinstance(instruction.argval, str):
                if not instruction.argval.isidentifier():
                    continue  # what no program spells is this library's own
                names[_READS[instruction.opname]].add(instruction.argval)
            elif instruction.opcode in dis.hasname and isinstance(instruction.argval, str):
                names["attributes"].add(instruction.argval)
        self.globals: frozenset[str] = frozenset(names["globals"]).union(*(f.globals for f in inner))
        self.imports: frozenset[str] = frozenset(names["imports"]).union(*(f.imports for f in inner))
        self.attributes: frozenset[str] = frozenset(names["attributes"]).union(*(f.attributes for f in inner))


_READS = {"LOAD_GLOBAL": "globals", "LOAD_NAME": "globals", "IMPORT_NAME": "imports"}
_known: ByIdentity[_Facts] = ByIdentity()


def _facts(code: types.CodeType) -> _Facts:
    return _known.get(code) or _known.set(code, _Facts(code))
