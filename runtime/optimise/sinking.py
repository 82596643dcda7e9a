"""Arrays that are perhaps the one that was written are written once, where the loop or branch ends that writes it.

A node that writes one is `tied`: if its test holds, it writes all that was written into what may be the array.
So it need not be done in a loop or branch as long as nobody reads the array there: after it will do, if that has run.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence

from runtime.graph.graph import Graph, Node, Value, replaced
from runtime.ops import elementwise as ew, indexing, shape as shape_ops, structure
from runtime.optimise.dead_code import without_idle_inputs
from runtime.optimise.motion import moved_out
from runtime.optimise.rewriting import cannot_fail, frozen, in_regions, spliced


def sinking(graph: Graph) -> Graph:
    """Move the writes of what may be the array that was written out of loops and branches, and drop all but the last
    of them."""
    nodes: list[Node] = []
    for node in graph.nodes:
        node = in_regions(node, sinking)
        before: list[Node] = []
        if node.op is structure.while_ and any(map(_is_tied, node.regions[1].nodes)):
            before, node = moved_out(node)  # what comes out of inner loops asks whether these have run
        moved: list[Node] = []
        while more := _sinking_out(node):
            if node.op is structure.while_:
                first, has_run = spliced(node.regions[0], node.inputs)
                before += first
                more = {i: _if(has_run[0], chain) for i, chain in more.items()}
            node, moved = _without(node, more), [*itertools.chain(*more.values()), *moved]
        nodes += [*before, node, *moved]
    return _only_the_last(replaced(graph, nodes=tuple(nodes)))


def _sinking_out(node: Node) -> dict[int, list[Node]]:
    """The results of a loop or branch that can be made after it, and the nodes that make them."""
    if node.op is structure.while_:
        return _out_of_loop(node)
    return _out_of_branches(node) if node.op is structure.if_ and not _is_tied(node) else {}


def _if(test: Value, chain: Sequence[Node]) -> list[Node]:
    """Writes under conditions that are done only if a test holds, too."""
    made: list[Node] = []
    for node in chain:
        both = Value(node.inputs[0].type, node.inputs[0].hint)
        made.append(Node(ew.logical_and, (test, node.inputs[0]), (both,), {}, (), node.place))
        made.append(replaced(node, inputs=(both, *node.inputs[1:])))
    return made


def _unless(test: Value, chain: Sequence[Node]) -> list[Node]:
    """Writes under conditions that are done only if a test does not hold."""
    denied = Value(test.type, test.hint)
    return [Node(ew.logical_not, (test,), (denied,), {}, (), chain[0].place), *_if(denied, chain)]


def _is_overwritten_whole(node: Node) -> bool:
    """Whether what the array was decides nothing of what is written to it."""
    then, whole = node.regions[0], _old_inside(node)
    users = [inner for inner in then.nodes if whole in inner.inputs]
    writes = [inner for inner in users if inner.op is indexing.setitem and whole not in inner.inputs[1:]]
    return whole not in then.outputs and all(inner in writes or inner.op in _OF_SIZES for inner in users)


_OF_SIZES = (shape_ops.shape, shape_ops.length)


def _without(node: Node, moved: Mapping[int, object]) -> Node:
    """A loop or branch that does not have these results."""
    count = len(node.outputs)
    kept = [i for i in range(count) if i not in moved]
    inputs, regions = node.inputs, list(node.regions)
    if node.op is structure.while_:
        order = [*kept, *range(count, len(inputs))]
        inputs = tuple(inputs[i] for i in order)
        regions = [replaced(region, inputs=tuple(region.inputs[i] for i in order)) for region in regions]
    for number, region in enumerate(regions):
        if node.op is structure.if_ or number == 1:
            tied, users = _tied(region), _users(region)
            gone = {n.outputs[0] for i in moved for n in _chain(region, region.outputs[i], tied, users)}
            nodes = tuple(n for n in region.nodes if gone.isdisjoint(n.outputs))
            regions[number] = replaced(region, nodes=nodes, outputs=tuple(region.outputs[i] for i in kept))
    outputs = tuple(node.outputs[i] for i in kept)
    return without_idle_inputs(replaced(node, inputs=inputs, outputs=outputs, regions=tuple(regions)))


def _is_tied(node: Node) -> bool:
    return node.op is structure.if_ and bool(node.attributes.get("tied")) and not node.regions[1].nodes


def _old(node: Node) -> Value:
    """The array that is perhaps written, as it was."""
    orelse = node.regions[1]
    return node.inputs[1 + orelse.inputs.index(orelse.outputs[0])]


def _old_inside(node: Node) -> Value:
    """The same as the region that writes knows it."""
    return node.regions[0].inputs[node.inputs.index(_old(node)) - 1]


def _only_the_last(region: Graph) -> Graph:
    """Without the writes under a condition that later ones leave nothing of."""
    users = _users(region)
    nodes = _tied(region)
    for value in [*nodes]:
        node = nodes.get(value)
        above, below = node, node and nodes.get(_old(node))
        while node is not None and above is not None and below is not None:
            if users[below.outputs[0]] != 1 or below.outputs[0] in region.outputs:
                break
            if below.inputs[0] is node.inputs[0] and _is_overwritten(below, node):
                names = {below.outputs[0]: _old(below)}
                above = replaced(above, inputs=tuple(names.get(v, v) for v in above.inputs))
                nodes[above.outputs[0]] = above
                node = nodes[value]
                del nodes[below.outputs[0]]
            else:
                above = below
            below = nodes.get(_old(above))
    kept = (nodes.get(node.outputs[0]) if _is_tied(node) else node for node in region.nodes)
    return replaced(region, nodes=tuple(node for node in kept if node is not None))


def _is_overwritten(before: Node, node: Node) -> bool:
    """Whether a write leaves nothing of one before: both are of all of the array, or of the same part."""
    first, second, whole = before.regions[0], node.regions[0], _old_inside(node)
    if whole in second.outputs:
        return False
    if not any(whole in inner.inputs for inner in second.nodes):
        return True
    names = dict(zip(first.inputs, before.inputs[1:]))
    others = dict(zip(second.inputs, node.inputs[1:]))
    names = {v: _old(node) if outside is _old(before) else outside for v, outside in names.items()}
    differing = set()
    for one, other in zip(first.nodes, second.nodes, strict=len(first.nodes) == len(second.nodes)):
        if one.op is not other.op or frozen(sorted(one.attributes.items())) != frozen(sorted(other.attributes.items())):
            return False
        for a, b in zip(one.inputs, other.inputs, strict=True):
            if names.get(a, a) is not others.get(b, b):
                differing.add((a, b))
        names.update(zip(one.outputs, other.outputs))
    return len(first.nodes) == len(second.nodes) and len(differing) <= 1


def _users(region: Graph) -> Counter[Value]:
    """How many nodes take each value."""
    return Counter(value for node in region.nodes for value in {*node.inputs})


def _chain(region: Graph, value: Value, nodes: Mapping[Value, Node], users: Counter[Value]) -> list[Node]:
    """The writes under conditions that made a result of what an array was, the first one first, if nothing else needs
    any of them."""
    found: list[Node] = []
    while (node := nodes.get(value)) is not None:
        if users[value] != len(found[:1]) or region.outputs.count(value) != (not found):
            return []
        found.insert(0, node)
        value = _old(node)
    return found


def _tied(region: Graph) -> dict[Value, Node]:
    return {node.outputs[0]: node for node in region.nodes if _is_tied(node)}


def _outside(chain: Sequence[Node], names: dict[Value, Value], output: Value) -> list[Node] | None:
    """Such writes as they are outside of a region, if all is known there that they take."""
    made: list[Node] = []
    for node in chain:
        inputs = [names.get(v) for v in node.inputs]
        if any(v is None or v.type != inner.type for v, inner in zip(inputs, node.inputs)):
            return None
        result = output if node is chain[-1] else Value(node.outputs[0].type, output.hint)
        if result.type != node.outputs[0].type:
            return None
        names = {**names, node.outputs[0]: result}
        made.append(replaced(node, inputs=tuple(v for v in inputs if v is not None), outputs=(result,)))
    return made


def _out_of_loop(loop: Node) -> dict[int, list[Node]]:
    test, body = loop.regions
    tied = _tied(body)
    if tied.keys().isdisjoint(body.outputs) or not all(map(cannot_fail, test.nodes)):
        return {}
    count = len(loop.outputs)
    users, asked = _users(body), {*_users(test), *test.outputs}
    invariant = dict(zip(body.inputs[count:], loop.inputs[count:]))
    moved: dict[int, list[Node]] = {}
    for state, value in enumerate(body.outputs):
        chain, before = _chain(body, value, tied, users), body.inputs[state]
        if not chain or _old(chain[0]) is not before or any(node.inputs[0] not in invariant for node in chain):
            continue
        if not all(map(_is_overwritten_whole, chain)):
            continue
        if users[before] != 1 or before in body.outputs or test.inputs[state] in asked:
            continue
        names = {**dict(zip(body.outputs, loop.outputs)), **invariant, before: loop.inputs[state]}
        outside = _outside(chain, names, loop.outputs[state])
        if outside is not None:
            moved[state] = outside
    return moved


def _out_of_branches(branch: Node) -> dict[int, list[Node]]:
    tied = [_tied(region) for region in branch.regions]
    if all(made.keys().isdisjoint(region.outputs) for made, region in zip(tied, branch.regions)):
        return {}
    users = [*map(_users, branch.regions)]
    moved: dict[int, list[Node]] = {}
    for number in range(len(branch.outputs)):
        first, second = (_in_branch(branch, number, *side) for side in zip(branch.regions, tied, users))
        if first is None or second is None or first[0] is not second[0]:
            continue
        test, chain, other = branch.inputs[0], first[1], second[1]
        if chain and other:
            if _are_same(chain, other):
                moved[number] = chain
        elif chain or other:
            moved[number] = _if(test, chain) if chain else _unless(test, other)
    return moved


def _are_same(chain: Sequence[Node], other: Sequence[Node]) -> bool:
    """Whether two branches write alike, each what it has written itself."""
    names = dict(zip((v for node in other for v in node.outputs), (v for node in chain for v in node.outputs)))
    return len(chain) == len(other) and all(
        a.inputs == tuple(names.get(v, v) for v in b.inputs) for a, b in zip(chain, other)
    )


def _in_branch(
    branch: Node, number: int, region: Graph, tied: Mapping[Value, Node], users: Counter[Value]
) -> tuple[Value, list[Node]] | None:
    """The array that there was of which one branch makes a result, and what writes to it, as they are outside."""
    value, names = region.outputs[number], dict(zip(region.inputs, branch.inputs[1:]))
    if value in names:
        return names[value], []
    chain = _chain(region, value, tied, users)
    if not chain or any(node.inputs[0] not in names for node in chain) or _old(chain[0]) not in names:
        return None
    names = {**dict(zip(region.outputs, branch.outputs)), **names}
    moved = _outside(chain, names, branch.outputs[number])
    return None if moved is None else (_old(moved[0]), moved)
