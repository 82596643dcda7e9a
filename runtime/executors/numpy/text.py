"""A graph as straight-line Python on NumPy with real `if` and `while`: what is shown of it, and what is run."""

from __future__ import annotations

import functools
import itertools
import keyword
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from runtime.executors.numpy.ownership import Ownership, ownership
from runtime.executors.numpy.precedence import ATOM, COMPARISON, UNARY, level, needed, numbered
from runtime.executors.numpy.reuse import function_of, last_uses, readers, reusable
from runtime.executors.numpy.scalars import CONVERSIONS, LOGIC, is_choice, is_item, plain_numbers, rounds, takes_plain
from runtime.executors.numpy.sharing import shared_and_kept
from runtime.graph.depth import room_for
from runtime.graph.dtypes import DType, NumPyArray
from runtime.graph.graph import Callee, Graph, Node, Place, TensorType, Value
from runtime.graph.op import NAMESPACE, is_total
from runtime.ops import draws, elementwise as ew, indexing, lists, shape as shape_ops, structure
from runtime.ops.indexing import INPUT, show_index
from runtime.ops.intervals import is_whole
from runtime.ops.printing import Named
from runtime.ops.trip_count import has_loop

_WIDTH = 100  # columns
_LARGEST_LITERAL = 8  # elements; a larger constant gets a name
_LARGEST_EXPRESSION = 30  # operations in one line; Python's parser gives up on some hundreds in one another
_DEEPEST = 40  # levels of indentation, of which Python takes 100
_MOST_LOOPS = 15  # in one another, of which it takes 20; what is deeper becomes a function of its own


# How a part of an array becomes what a write says.
_SIGNS = {"set": "=", "add": "+=", "sub": "-=", "mul": "*="}

# What Python has for its own numbers.
_OWN = {**LOGIC, ew.absolute: "abs({0})", lists.size: "len({0})"}


@dataclass
class Program:
    """The text of a graph, the function to call in it, what it names, and the user's lines behind each of its own."""

    lines: list[str]
    entry: str
    names: dict[str, Any]
    places: dict[int, tuple[Place, ...]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


@functools.cache
def _reserved() -> frozenset[str]:
    """The names that the text of a graph has uses for, those of all kernels among them, which are there by now."""
    own = ("abs", "bool", "complex", "float", "int", "len", "list", "range")
    return frozenset((*NAMESPACE, *keyword.kwlist, *own))


class _Printer:
    def __init__(self, in_place: bool = False) -> None:
        self.in_place = in_place
        self.reused: dict[Node, Value] = {}  # whose memory an operation takes
        self.copied: set[tuple[Node, int]] = set()  # inputs of operations
        self.found = Ownership()  # what may be changed where it lies
        self.lines: list[str] = []  # of the function that is being printed
        self.places: dict[int, tuple[Place, ...]] = {}
        self.loops = 0  # around the line that is being printed
        self.printed: list[tuple[list[str], dict[int, tuple[Place, ...]]]] = []  # functions
        self.names: set[str] = set()  # of functions and constants
        self.constants: dict[str, object] = {}
        self.named: dict[int, str] = {}  # attributes among these, by identity
        self.functions: dict[int, tuple[Callee, str]] = {}
        self.folded: set[Value] = set()  # values that are written out where they are used
        self.origins: dict[Value, Place] = {}  # of those and of numbers
        self.plain: set[Value] = set()  # numbers that are Python's own
        self.chosen: set[Node] = set()  # choices of a number that are made by Python
        self.makers: dict[Value, Node] = {}
        self.taken = set(_reserved())  # in the function that is being printed
        self.numbered: dict[str, int] = {}  # how many names it has of each stem

    # Names.

    def fresh(self, stem: str) -> str:
        stem = "".join(c if c.isalnum() else "_" for c in stem).strip("_") or "x"
        stem = stem if not stem[0].isdigit() else f"x{stem}"
        for number in itertools.count(self.numbered.get(stem, 0)):  # those below are taken
            name = f"{stem}_{number}" if number else stem
            if name not in self.taken and name not in self.names:
                self.taken.add(name)
                self.numbered[stem] = number + 1
                return name
        raise AssertionError

    def everywhere(self, stem: str) -> str:
        """A name that all functions know."""
        name = self.fresh(stem)
        self.names.add(name)
        return name

    # Lines.

    def write(self, depth: int, text: str, *places: Place | None) -> None:
        """Add a line; the first of the user's lines behind it is the one that errors name."""
        self.lines.append("    " * depth + text)
        if found := tuple(dict.fromkeys(place for place in places if place is not None)):
            self.places[len(self.lines)] = found

    def function(self, graph: Graph, name: str) -> None:
        """Print a graph as a function; the graphs that it calls come before it."""
        for node in graph.walk():
            callee = node.attributes.get("graph") if node.op is structure.call else None
            if isinstance(callee, Callee) and id(callee) not in self.functions:
                assert callee.graph is not None
                self.functions[id(callee)] = (callee, self.everywhere(callee.name))
                self.function(callee.graph, self.functions[id(callee)][1])
        if self.in_place:
            self.found.add(ownership(graph))
        with self._defining(name, graph.inputs) as env:
            self.plain |= plain_numbers(graph)
            self.chosen |= {node for node in graph.walk() if is_choice(node)} if has_loop(graph) else set()
            for value in graph.inputs:
                if value in self.plain:
                    self.write(1, f"{env[value]} = {_python(value, env[value])}")
            self.block(graph.nodes, env, 1, graph.outputs)
            self._return([self._numpy(v, env) for v in graph.outputs], graph.outputs)

    @contextmanager
    def _defining(self, name: str, inputs: Sequence[Value]) -> Iterator[dict[Value, str]]:
        """The lines of a function, which is printed before those that are not finished yet."""
        around = self.lines, self.places, self.taken, self.numbered, self.loops
        self.lines, self.places, self.taken, self.numbered, self.loops = [], {}, set(_reserved()), {}, 0
        env = {value: self.fresh(value.hint) for value in inputs}
        self.write(0, f"def {name}({', '.join(env.values())}):")
        yield env
        self.printed.append((self.lines, self.places))
        self.lines, self.places, self.taken, self.numbered, self.loops = around

    def _return(self, results: Sequence[str], values: Sequence[Value]) -> None:
        text = f"return ({', '.join(results)}{',' if len(results) == 1 else ''})" if results else "return ()"
        self.write(1, text, *map(self.origins.get, values))

    def _apart(self, node: Node, env: dict[Value, str], depth: int) -> None:
        """A branch or loop that is too deep for Python, as a function of its own and a call of that."""
        name = self.everywhere(f"{node.op.name}_inside")
        inputs = list(dict.fromkeys(node.inputs))
        with self._defining(name, inputs) as inner:
            self.block([node], inner, 1, node.outputs)
            self._return([inner[v] for v in node.outputs], node.outputs)
        given = [self._plain(v, env) if v in self.plain else env[v] for v in inputs]
        names = [self.fresh(v.hint) for v in node.outputs]
        target = f"{', '.join(names)}{',' if len(names) == 1 else ''} = " if names else ""
        self.write(depth, f"{target}{name}({', '.join(given)})", node.place)
        env.update(zip(node.outputs, names))

    def block(self, nodes: Sequence[Node], env: dict[Value, str], depth: int, outputs: Sequence[Value]) -> None:
        """Print nodes in order; `outputs` are what the block is for."""
        self.folded |= _foldable(nodes, outputs)
        self.makers.update((value, node) for node in nodes for value in node.outputs)
        ends: Mapping[int, Sequence[Value]] = {}  # by the number of an operation, what nobody needs after it
        if self.in_place:
            self.folded -= self.found.must_stand(nodes, self.folded)
            known = readers(nodes, self.folded)
            self.reused.update(reusable(nodes, outputs, self.folded, known, self.found.writes))
            if depth:
                ends = last_uses(nodes, outputs, self.folded, known, self.found.writes, self.reused)
            self.copied |= shared_and_kept(nodes)
        for number, node in enumerate(nodes):
            if node.regions and (depth >= _DEEPEST or (self.loops >= _MOST_LOOPS and node.op is structure.while_)):
                self._apart(node, env, depth)
            elif node.op is structure.if_:
                self.branch(node, env, depth)
            elif node.op is structure.while_:
                self.loop(node, env, depth)
            elif node.op is shape_ops.constant:
                self.constant(node, env, depth)
                self._come_from(node)
            elif len(node.outputs) == 1 and node.outputs[0] in self.folded:
                env[node.outputs[0]] = self.expression(node, env)
                self._come_from(node)
            else:
                self.operation(node, env, depth)
            if number in ends:
                self._forget(ends[number], node, env, depth)

    def _forget(self, values: Sequence[Value], node: Node, env: dict[Value, str], depth: int) -> None:
        """Let go of arrays after the statement of an operation."""
        own = (env[value] for value in values if value not in self.plain)
        names = ", ".join(dict.fromkeys(name for name in own if name not in self.names))
        if names and node.regions:
            self.write(depth, f"del {names}")
        elif names:
            self.lines[-1] += f"; del {names}"

    def _come_from(self, node: Node) -> None:
        if node.place is not None:
            self.origins[node.outputs[0]] = node.place

    def constant(self, node: Node, env: dict[Value, str], depth: int) -> None:
        """Numbers stand where they are used; small arrays are made, and larger ones get a name."""
        value = node.attributes["value"]
        if np.size(value) <= _LARGEST_LITERAL and np.ndim(value) <= 1:
            text = node.op.expression([], node.attributes)
            if depth and np.ndim(value):
                env[node.outputs[0]] = self.fresh(node.outputs[0].hint)
                self.write(depth, f"{env[node.outputs[0]]} = {text}")
                return
            number = np.ndim(value) == 0 and np.asarray(value).dtype != object and not _beyond_int64(value)
            env[node.outputs[0]] = _Text(text, ATOM, literal=text[text.index("(") + 1 : -1] if number else "")
            return
        name = self.everywhere("c")
        self.constants[name] = value
        env[node.outputs[0]] = name

    def operation(self, node: Node, env: dict[Value, str], depth: int) -> None:
        if node in self.found.writes:
            self.write(depth, self._written(node, env), node.place)
            env[node.outputs[0]] = env[node.inputs[0]]
            return
        text = self.expression(node, env)
        if not node.outputs:
            self.write(depth, text, node.place)
            return
        names = [self.fresh(v.hint) for v in node.outputs]
        self.write(depth, f"{', '.join(names)} = {text}", node.place)
        env.update(zip(node.outputs, names))

    def _written(self, node: Node, env: dict[Value, str]) -> str:
        """The statement that does to its first input what an operation says."""
        attributes = {k: self._attribute(v) for k, v in node.attributes.items()}
        inputs = [self._given(node, i, env) for i in range(len(node.inputs))]
        if node in self.found.overlaps:
            inputs[1] = f"np.array({inputs[1]})"
        sign = _SIGNS.get(node.attributes["how"]) if node.op is indexing.setitem else None
        if sign is None or (sign != "=" and not _is_augmented(node)):
            return replace(node.op, text=node.op.in_place, render=None).expression(inputs, attributes)
        value = node.inputs[1]
        if value.type.dtype == node.inputs[0].type.dtype and (value in self.plain or _literal(inputs[1])):
            inputs[1] = self._plain(value, env) if value in self.plain else _number(_literal(inputs[1]))
        return f"{inputs[0]}[{show_index(node.attributes['index'], inputs[2:])}] {sign} {inputs[1]}"

    def expression(self, node: Node, env: dict[Value, str]) -> str:
        first = "[0]" if len(node.outputs) == 1 else ""  # of graphs, whose results come in a tuple
        if node.op is structure.call:
            name = self.functions[id(node.attributes["graph"])][1]
            return f"{name}({', '.join(self._numpy(v, env) for v in node.inputs)}){first}"
        attributes = {k: self._attribute(v) for k, v in node.attributes.items()}
        form = self._form(node, attributes)
        inputs = [self._operand(node, i, form, env) for i in range(len(node.inputs))]
        inputs = [f"np.array({x})" if (node, i) in self.copied else x for i, x in enumerate(inputs)]
        if node.op is ew.cast and node.inputs[0].type.dtype == node.outputs[0].type.dtype:
            # What came from Python numbers alone is held in this dtype already.
            return self._handed(node.inputs[0], node.outputs[0], env)
        if node.op in CONVERSIONS and node.outputs[0] in self.plain:
            whole = is_whole(node.outputs[0])
            return self._plain(node.inputs[0], env) if whole else _Text(f"float({inputs[0]})", ATOM)
        if "exact" in node.attributes:
            own, result = self._own_form(node), node.outputs[0]
            text = own.format(*inputs) if own else node.op.expression(inputs, attributes)
            text = _Text(f"exact({text})", ATOM) if node.op.grows else _Text(text, level(form))
            return text if result in self.plain else _wrapped(result, text)
        if own := self._own_form(node):
            return _Text(own.format(*inputs), level(form))
        if node.op is draws.draw_ and node.attributes["weak"] and node.outputs[0] not in self.plain:
            return _wrapped(node.outputs[0], node.op.expression(inputs, attributes))
        if (function := function_of(node)) is not None and node in self.reused:
            return f"np.{function.__name__}({', '.join(inputs)}, out={env[self.reused[node]]})"
        if node.op is structure.native:
            return f"{node.op.expression(inputs, attributes)}{first}"
        return _Text(node.op.expression(inputs, attributes), level(form))

    def _own_form(self, node: Node) -> str:
        """What Python has for an operation on numbers that are its own; nothing if it is as for NumPy's."""
        result = node.outputs[0] if len(node.outputs) == 1 else None
        if node in self.chosen:
            surely_numbers = result in self.plain or all(map(self._is_number, node.inputs[1:]))
            return "{1} if {0} else {2}" if surely_numbers else "({1} if {0} else {2})[()]"
        if result not in self.plain and "exact" not in node.attributes:
            return ""
        if is_item(node):
            at = iter(range(1, len(node.inputs)))
            parts = ["{" + str(next(at)) + "}" if part is INPUT else str(part) for part in node.attributes["index"]]
            return "{0}.item(" + ", ".join(parts) + ")"
        return _OWN.get(node.op, "")

    def _is_number(self, value: Value) -> bool:
        """Whether it surely is held as a number, and not as an array without dimensions."""
        node = self.makers.get(value)
        return value in self.plain or (
            node is not None and (is_item(node) or bool(node.op.literals) or node in self.chosen)
        )

    def _form(self, node: Node, attributes: dict[str, object]) -> str:
        """The expression that an operation is, with names for its inputs."""
        names = [f"input{i}" for i in range(len(node.inputs))]
        if own := self._own_form(node):
            return own.format(*names)
        if node.op.render is not None:
            return node.op.expression(names, attributes)
        return numbered(node.op.text, len(names))

    def _given(self, node: Node, index: int, env: dict[Value, str]) -> str:
        """An input of an operation, as Python's number where that is as good as NumPy's."""
        value = node.inputs[index]
        if "exact" in node.attributes or (node.op is draws.draw_ and value.type.shape == ()):
            return self._plain(value, env)
        if value not in self.plain:
            maker = self.makers.get(value) if rounds(node) else None
            may_be_pythons = maker is not None and not self.plain.isdisjoint(maker.inputs)
            return _wrapped(value, env[value]) if may_be_pythons else env[value]
        decides = node in self.chosen and index == 0
        plain = decides or (takes_plain(node, index) and not self._wraps(node))
        return self._plain(value, env) if plain else self._numpy(value, env)

    def _wraps(self, node: Node) -> bool:
        """Whether Python's numbers would become another one of Python's, where NumPy's is wanted."""
        if len(node.outputs) != 1 or node.outputs[0] in self.plain or node.op in (ew.fit, ew.narrow):
            return False
        return node in self.chosen or (is_whole(node.outputs[0]) and self.plain.issuperset(node.inputs))

    def _operand(self, node: Node, index: int, form: str, env: dict[Value, str]) -> str:
        """A constant beside another operand of the same dtype is written as a Python number."""
        value = node.inputs[index]
        text = self._given(node, index, env)
        if index in node.op.literals and (literal := _literal(text)):
            others = [v for v in node.inputs if v.type.dtype == value.type.dtype and not _literal(env[v])]
            if others:  # else the result would have another dtype: a Python number is of none
                text = _number(literal)
        binds = getattr(text, "level", ATOM)
        return text if binds == ATOM or binds >= needed(form, index) else f"({text})"

    def _plain(self, value: Value, env: dict[Value, str]) -> str:
        """A value where a Python number is wanted."""
        text = env[value]
        if _literal(text) and (value in self.plain or is_whole(value)):
            return _number(_literal(text))
        return text if value in self.plain else _Text(_python(value, text), ATOM)

    def _numpy(self, value: Value, env: dict[Value, str]) -> str:
        """A value where NumPy's own is wanted."""
        text = env[value]
        if value not in self.plain or _literal(text):
            return text
        return _Text(f"np.{value.type.dtype.name}({text})", ATOM)

    def _handed(self, value: Value, target: Value, env: dict[Value, str]) -> str:
        """A value as the variable that it becomes holds it."""
        return self._plain(value, env) if target in self.plain else self._numpy(value, env)

    def _attribute(self, value: object) -> object:
        """Attributes that have no literal (functions, streams, arrays) get a name."""
        if _has_literal(value):
            return value
        name = self.named.get(id(value))
        if name is None:
            name = self.named[id(value)] = self.everywhere(getattr(value, "__name__", type(value).__name__).strip("<>"))
            self.constants[name] = value
        return _Named(name)

    # Control flow.

    def branch(self, node: Node, env: dict[Value, str], depth: int) -> None:
        then, orelse = node.regions
        names = [self.fresh(v.hint) for v in node.outputs]
        self.write(depth, f"if {env[node.inputs[0]]}:", node.place)
        before = len(self.lines)
        self._region(then, node, names, env, depth + 1)
        if len(self.lines) == before:
            self.write(depth + 1, "pass")
        self.write(depth, "else:", node.place)
        before = len(self.lines)
        self._region(orelse, node, names, env, depth + 1)
        if len(self.lines) == before:
            self.lines.pop()
        else:
            self._elif(before, depth)
        env.update(zip(node.outputs, names))

    def _elif(self, start: int, depth: int) -> None:
        """An ``else`` whose block is one ``if`` statement becomes an ``elif``."""
        margin = "    " * (depth + 1)
        block = self.lines[start:]
        statements = [line for line in block if line.startswith(margin) and line[len(margin)] != " "]
        first, *others = statements
        if not first.startswith(f"{margin}if ") or any(
            not line.startswith((f"{margin}else:", f"{margin}elif ")) for line in others
        ):
            return
        block[0] = block[0].replace("if ", "elif ", 1)
        self.lines[start - 1 :] = [line[4:] for line in block]
        self.places = {n - (n > start): places for n, places in self.places.items() if n != start}

    def _region(self, region: Graph, node: Node, names: Sequence[str], env: dict[Value, str], depth: int) -> None:
        inner = dict(zip(region.inputs, (env[v] for v in node.inputs[1:])))
        self.block(region.nodes, inner, depth, region.outputs)
        values = [self._handed(v, t, inner) for v, t in zip(region.outputs, node.outputs)]
        self._assign(names, values, region.outputs, node, depth)

    def _assign(
        self, names: Sequence[str], values: Sequence[str], sources: Sequence[Value], node: Node, depth: int
    ) -> None:
        """Give the variables of a branch or loop their values, from its own line or those that compute them."""
        origins = [self.origins.get(source, node.place) for n, v, source in zip(names, values, sources) if n != v]
        pairs = [(n, v) for n, v in zip(names, values) if n != v]
        line = f"{', '.join(n for n, _ in pairs)} = {', '.join(v for _, v in pairs)}"
        if not pairs:
            return
        if 4 * depth + len(line) <= _WIDTH or len(pairs) == 1:
            self.write(depth, line, *origins)
        elif not any(_mentions(v, n) for i, (n, _) in enumerate(pairs) for _, v in pairs[i + 1 :]):
            for (n, v), origin in zip(pairs, origins):
                self.write(depth, f"{n} = {v}", origin)
        else:
            self.write(depth, f"{', '.join(n for n, _ in pairs)} = (")
            for (_, v), origin in zip(pairs, origins):
                self.write(depth + 1, f"{v},", origin)
            self.write(depth, ")")

    def loop(self, node: Node, env: dict[Value, str], depth: int) -> None:
        test, body = node.regions
        count = len(node.outputs)
        names = [self.fresh(v.hint) for v in node.outputs]
        given = [self._handed(v, t, env) for v, t in zip(node.inputs, node.outputs)]
        for i in sorted(self.found.copied.get(node, ())):
            given[i] = f"np.array({given[i]})" if isinstance(node.inputs[i].type, TensorType) else f"[*{given[i]}]"
        self._assign(names, given, node.inputs, node, depth)
        outer = [self._captured(v, mine, env, depth) for v, mine in zip(node.inputs[count:], test.inputs[count:])]
        inner = dict(zip(test.inputs, [*names, *outer]))
        self.loops += 1
        condition = self._inline(test, inner)
        if condition is not None:
            self.write(depth, f"while {condition}:", node.place)
        else:
            self.write(depth, "while True:", node.place)
            self.block(test.nodes, inner, depth + 1, test.outputs)
            decision = inner[test.outputs[0]]
            loose = isinstance(decision, _Text) and decision.level < COMPARISON
            self.write(depth + 1, f"if not {f'({decision})' if loose else decision}:", node.place)
            self.write(depth + 2, "break")
        inner = dict(zip(body.inputs, [*names, *outer]))
        before = len(self.lines)
        self.block(body.nodes, inner, depth + 1, body.outputs)
        values = [self._handed(v, t, inner) for v, t in zip(body.outputs, node.outputs)]
        self._assign(names, values, body.outputs, node, depth + 1)
        if len(self.lines) == before:
            self.write(depth + 1, "pass")
        self.loops -= 1
        env.update(zip(node.outputs, names))

    def _captured(self, value: Value, inner: Value, env: dict[Value, str], depth: int) -> str:
        """What a loop reads of what is around it."""
        if inner not in self.plain or value in self.plain:
            return env[value]
        name = self.fresh(value.hint)
        self.write(depth, f"{name} = {_python(value, env[value])}")
        return name

    def _inline(self, test: Graph, env: dict[Value, str]) -> str | None:
        """The condition of a loop as one expression, if each of its steps may be written where it is used."""
        free = _foldable(test.nodes, test.outputs, same_line=False)
        constants = {node.outputs[0] for node in test.nodes if node.op is shape_ops.constant}
        if any(v not in free and v not in constants for node in test.nodes for v in node.outputs or [test.inputs]):
            return None
        self.folded |= free
        inner = dict(env)
        self.block(test.nodes, inner, 0, ())
        return inner[test.outputs[0]]


def _beyond_int64(value: np.generic | NumPyArray) -> bool:
    """Whether some of NumPy's functions would refuse the number as Python's."""
    return np.asarray(value).dtype == np.uint64 and int(value) >= 2**63


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<!\.)\b{name}\b", text) is not None


def _cannot_fail(node: Node) -> bool:
    return (node.op.literals or node.op in (ew.cast, ew.narrow, ew.widen)) and is_total(node)


def _foldable(nodes: Sequence[Node], outputs: Sequence[Value], same_line: bool = True) -> set[Value]:
    """Results that are used once, by the same line of the user's source or as a result of the block."""
    uses: dict[Value, list[Node | None]] = {}
    for node in nodes:
        for value in node.inputs:
            uses.setdefault(value, []).append(node)
    for value in outputs:
        uses.setdefault(value, []).append(None)
    found: set[Value] = set()
    sizes: dict[Value, int] = {}  # operations in the expressions that they are
    harmless: set[Value] = set()  # cannot fail, so that nobody will ask which line they are from
    acts = (node.effect == "write" for node in nodes)
    before = dict(zip(nodes, itertools.accumulate(acts, initial=0)))  # how many have acted before a node
    for node in nodes:
        if _cannot_fail(node) and all(v in harmless for v in node.inputs if v in found):
            harmless.update(node.outputs)
        if node.op.effect or node.regions or len(node.outputs) != 1 or node.op in (structure.call, shape_ops.constant):
            continue
        users = uses.get(node.outputs[0], [])
        if len(users) != 1:
            continue
        user = users[0]
        looped = user is not None and user.op is structure.while_
        branched = user is not None and user.op is structure.if_ and node.outputs[0] is not user.inputs[0]
        if user is not None and is_choice(user) and node.outputs[0] is not user.inputs[0]:
            continue  # computed whether it is chosen or not
        if user is None:
            folds = node.outputs[0] in harmless or not same_line
        else:
            folds = not looped and not branched and (user.place == node.place or not same_line)
            too_late = before[user] > before[node] and node.outputs[0] not in harmless  # to fail
            folds = folds and not too_late
        size = 1 + sum(sizes.get(v, 0) for v in node.inputs)
        if folds and size <= _LARGEST_EXPRESSION:
            found.add(node.outputs[0])
            sizes[node.outputs[0]] = size
    return found


class _Text(str):
    """An expression, how tightly its outermost operator binds, and the Python number that it is, if it is one."""

    level: int
    literal: str

    def __new__(cls, text: str, level: int, literal: str = "") -> _Text:
        made = super().__new__(cls, text)
        made.level, made.literal = level, literal
        return made


def _is_augmented(node: Node) -> bool:
    """Whether ``x[i] += y`` is what writes a part: that computes in the dtype of `x`, and once for each place."""
    array, value, *given = node.inputs
    return array.type.dtype == value.type.dtype and all(v.type.shape == () for v in given)


def _literal(text: str) -> str:
    """The Python number that an expression is; nothing if it is none."""
    return text.literal if isinstance(text, _Text) else ""


def _number(literal: str) -> _Text:
    return _Text(literal, UNARY if literal.startswith("-") else ATOM)


def _wrapped(value: Value, text: str) -> _Text:
    """A number of Python's as NumPy's, of the dtype that the value has."""
    return _Text(f"np.{value.type.dtype.dtype.type.__name__}({text})", ATOM)


def _python(value: Value, text: str) -> str:
    return f"{'bool' if value.type.dtype.is_bool else 'int' if value.type.dtype.is_integer else 'float'}({text})"


class _Named:
    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name

    __eq__ = object.__eq__
    __hash__ = object.__hash__


def _has_literal(value: object) -> bool:
    if isinstance(value, list | tuple):
        return all(_has_literal(v) for v in value)
    if isinstance(value, dict):
        return all(_has_literal(v) for v in value.values())
    if isinstance(value, slice | Named):
        return True
    plain = (int, float, complex, str, bytes, bool, type(None), type(Ellipsis), DType, Callee)
    return isinstance(value, plain) or type(value).__name__ in ("_Input", "_Named", "Held")


def program(graph: Graph, in_place: bool = False) -> Program:
    """The graph as text, ready to be compiled; `in_place` has operations write to large arrays that nobody needs."""
    printer = _Printer(in_place)
    name = printer.everywhere(graph.name)
    with room_for(graph):
        printer.function(graph, name)
    lines: list[str] = []
    places: dict[int, tuple[Place, ...]] = {}
    for more, where in printer.printed:
        lines += ["", ""] if lines else []
        places |= {number + len(lines): behind for number, behind in where.items()}
        lines += more
    return Program(lines, name, printer.constants, places)


def to_text(graph: Graph) -> str:
    """The graph as readable Python; constants too large to write out are described above it."""
    return listing(graph)[0]


def listing(graph: Graph) -> tuple[str, dict[int, tuple[Place, ...]]]:
    """The graph as readable Python, and the user's lines behind its lines."""
    made = program(graph)
    body = made.text
    used = sorted(n for n in NAMESPACE if n != "np" and _mentions(body, n))
    head = ["import numpy as np"]
    head += [f"from {NAMESPACE[n].__module__} import {n}" for n in used]
    for name, value in made.names.items():
        array = isinstance(value, np.ndarray)
        what = f"{value.dtype}{value.shape}" if array else f"{type(value).__name__} of the function that was traced"
        head.append(f"# {name}: {what}")
    before = len(head) + 2
    return "\n".join([*head, "", "", body]), {before + n: places for n, places in made.places.items()}
