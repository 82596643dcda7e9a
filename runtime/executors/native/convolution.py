"""Convolution of images."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from runtime.executors.native import memory
from runtime.executors.native.code import Code, is_literal, memory as memory_type, register
from runtime.executors.native.convolution_loops import Sizes, add_up, add_up_filters
from runtime.executors.native.images import Plan, Way, positions
from runtime.executors.native.lowering import Lowering, handles
from runtime.executors.native.parallel import THREADS, divided
from runtime.executors.native.tiles import SPEED, Tiles, Windows
from runtime.executors.native.values import Array, Lowered, Unsupported
from runtime.executors.native.vectorised_loops import nest
from runtime.executors.native.winograd import Winograd
from runtime.graph.graph import Node
from runtime.ops import nn
from runtime.ops.nn import Pair

_ROWS = 48 * 1024  # elements of the rows of an image that a block reads, which stay in the second cache
_CHANNELS, _PIXELS = 32, 12  # from which Winograd's way is the faster


@handles(nn.convolution, of_reals=True)
def convolution(lowering: Lowering, node: Node) -> list[Lowered]:
    x, w = _given(lowering, node)
    (batch, *size, channels), (*window, depth, units) = x.dims, w.dims
    before, places = _fitted(lowering, node, size, window)
    lowering.require(lowering.code.compare("eq", channels, lowering.code.mul(depth, str(node.attributes["groups"]))))
    known = _planar(node, [x.dims[1:], w.dims])
    if known is None:
        made = lowering.result(node.outputs[0], [batch, *places, units])
        if _is_body(node, [x.dims[1:], w.dims]):
            _convolve_bodies(lowering, x, w, made, _numbers(before), node.attributes["strides"], node)
            return [made]
        add_up(lowering.code, _sizes(lowering, node, batch, size, window, places, before, depth, units), x, w, made)
        return [made]
    strides, dilations = _pairs(node)
    (height, width, _), (rows, columns, _, _) = known
    out = _two(places, 1)
    plan = Plan(
        height, width, int(channels), rows, columns, int(units), out[0], out[1], strides, dilations, _two(before, 0)
    )
    return _planned(lowering, node, x, w, plan, [batch, *places, units])


@handles(nn.convolution_images, of_reals=True)
def convolution_images(lowering: Lowering, node: Node) -> list[Lowered]:
    """Where windows move on by one, results are images for the filters turned round; so they are if spread out."""
    results, w = _given(lowering, node)
    (batch, *places, units), (*window, depth, _) = results.dims, w.dims
    size = _given_sizes(lowering, node)
    before, wanted = _fitted(lowering, node, size, window)
    for a, b in zip((*places, units), (*wanted, w.dims[-1])):
        lowering.require(lowering.code.compare("eq", a, b))
    units = w.dims[-1]  # which may be known where those of the results are not
    results = replace(results, dims=(batch, *places, units))
    groups = node.attributes["groups"]
    channels = lowering.code.mul(depth, str(groups))
    known = _planar(node, [places, w.dims, size])
    fronts = [] if known is None else [
        (k - 1) * r - p for k, r, p in zip(known[1][:2], _pairs(node)[1], _two(before, 0))
    ]  # fmt: skip
    if known is None or min(fronts) < 0:
        made = lowering.result(node.outputs[0], [batch, *size, channels])
        if _is_body(node, [places, w.dims, size]) and set(node.attributes["strides"]) == {1}:
            deltas = zip(_numbers(window), node.attributes["dilations"], _numbers(before))
            deep = [(k - 1) * r - p for k, r, p in deltas]
            if min(deep) >= 0:
                turned = _exchanged(lowering, w, 1, turned=True)
                _convolve_bodies(lowering, results, turned, made, deep, (1, 1, 1), node)
                return [made]
        sizes = _sizes(lowering, node, batch, size, window, places, before, depth, units)
        add_up(lowering.code, sizes, results, _exchanged(lowering, w, groups), made, back=True)
        return [made]
    (strides, dilations), (_, (rows, columns, *_), (height, width)) = _pairs(node), known
    spread = _spread(lowering, results, _two(places, 1), strides)
    tall, broad = ((n - 1) * s + 1 for n, s in zip(_two(places, 1), strides))
    plan = Plan(
        tall, broad, int(units), rows, columns, int(depth), height, width, (1, 1), dilations, (fronts[0], fronts[1])
    )
    return _planned(lowering, node, spread, _exchanged(lowering, w, 1, turned=True), plan, [batch, *size, channels])


@handles(nn.convolution_filters, of_reals=True)
def convolution_filters(lowering: Lowering, node: Node) -> list[Lowered]:
    x, results = _given(lowering, node)
    (batch, *size, channels), (_, *places, units) = x.dims, results.dims
    window, code = _given_sizes(lowering, node), lowering.code
    before, wanted = _fitted(lowering, node, size, window)
    for a, b in zip((batch, *places), (results.dims[0], *wanted)):
        lowering.require(code.compare("eq", a, b))
    depth = code.divide(channels, str(node.attributes["groups"]))
    made = lowering.result(node.outputs[0], [*window, depth, units])
    known = _planar(node, [x.dims[1:], results.dims[1:], window])
    if known is None or 0 in (*known[0], *known[1], *known[2]):
        sizes = _sizes(lowering, node, batch, size, window, places, before, depth, units)
        add_up_filters(code, sizes, x, results, made)
        return [made]
    (height, width, deep), (out_height, out_width, wide), (rows, columns) = known
    plan = Plan(height, width, deep, rows, columns, wide, out_height, out_width, *_pairs(node), _two(before, 0))
    FilterSums(lowering, plan, x, results, made).write()
    return [made]


def _given(lowering: Lowering, node: Node) -> tuple[Array, Array]:
    x, w = (lowering.packed(lowering.array(v)) for v in node.inputs[:2])
    if not x.dtype.is_floating:
        raise Unsupported(f"a convolution of {x.dtype.name}", node)
    return x, w


def _given_sizes(lowering: Lowering, node: Node) -> list[str]:
    rest = iter(node.inputs[2:])
    return [lowering.index(next(rest)) if d is None else lowering.bounded(d) for d in node.attributes["shape"]]


def _fitted(
    lowering: Lowering, node: Node, size: Sequence[str], window: Sequence[str]
) -> tuple[Sequence[str], Sequence[str]]:
    """The padding before images, and the sizes of the results."""
    a = node.attributes
    return positions(lowering, a["padding"], size, window, a["strides"], a["dilations"])


def _sizes(
    lowering: Lowering, node: Node, batch: str, size: Sequence[str], window: Sequence[str], places: Sequence[str],
    before: Sequence[str], depth: str, units: str,
) -> Sizes:  # fmt: skip
    a, groups = node.attributes, str(node.attributes["groups"])
    outs = lowering.code.divide(units, groups)
    return Sizes(batch, size, window, places, before, a["strides"], a["dilations"], groups, depth, outs)


def _planar(node: Node, dims: Sequence[Sequence[str]]) -> list[list[int]] | None:
    """The dimensions as those of planes, a row being one, too; None if some are not known, or there are groups."""
    if len(node.attributes["strides"]) > 2 or node.attributes["groups"] != 1:
        return None
    if not all(is_literal(d) for some in dims for d in some):
        return None
    return [[*(1 for _ in range(2 - len(node.attributes["strides"]))), *map(int, some)] for some in dims]


def _is_body(node: Node, dims: Sequence[Sequence[str]]) -> bool:
    """Whether there are three sizes, all known and none 0, and windows whose pixels of a row lie side by side."""
    a = node.attributes
    is_known = all(is_literal(d) and int(d) > 0 for some in dims for d in some)
    return len(a["strides"]) == 3 and a["groups"] == 1 and a["dilations"][2] == 1 and is_known


def _numbers(texts: Sequence[str]) -> list[int]:
    return [int(t) for t in texts]


def _convolve_bodies(
    lowering: Lowering, x: Array, w: Array, made: Array, before: Sequence[int], strides: Sequence[int], node: Node
) -> None:
    """Rows of results of bodies, in tiles; a window is as many rows of pixels as it has layers and rows."""
    code, kind, dilations = lowering.code, register(x.dtype), node.attributes["dilations"]
    (*size, channels), (*window, _, units), out = _numbers(x.dims[1:]), _numbers(w.dims), _numbers(made.dims[1:-1])
    reach = [(n - 1) * s + (k - 1) * r + 1 for n, s, k, r in zip(out, strides, window, dilations)]
    if any(before) or any(a > b for a, b in zip(reach, size)):
        counts = [min(d, n - p) for d, n, p in zip(size, reach, before)]
        wide = lowering.allocate([x.dims[0], *map(str, reach), x.dims[-1]], x.dtype, zero=True)
        if min(counts) > 0:
            dims = (x.dims[0], *map(str, counts), x.dims[-1])
            inner = lowering.element(wide, ["0", *map(str, before), "0"])
            lowering.copy_into(replace(wide, pointer=inner, dims=dims), replace(x, dims=dims))
        x, size = wide, reach
    row = size[2] * channels
    plane = size[1] * row
    windows = Windows(
        out[2], units, window[2] * channels, strides[2] * channels, rows=window[0], columns=window[1],
        down=dilations[0] * plane, right=dilations[1] * row,
    )  # fmt: skip
    tiles = Tiles(windows, x.dtype)
    weights = tiles.packed(lowering, w)

    def body(inner: Code, values: Sequence[str], start: str, end: str, _: str) -> None:
        source, filters, target = values
        with inner.loop(end, start) as index:
            image, layer = inner.divide(index, str(out[0])), inner.rest(index, str(out[0]))
            first = inner.add(inner.mul(image, str(size[0] * plane)), inner.mul(layer, str(strides[0] * plane)))
            there = inner.at(kind, target, inner.mul(index, str(out[1] * out[2] * units)))
            tiles.multiply(inner, inner.at(kind, source, first), strides[1] * row, filters, there, str(out[1]))

    cost = out[1] * out[2] * tiles.depth * units // SPEED
    captured = [("ptr", a.pointer) for a in (x, weights, made)]
    divided(code, code.mul(made.dims[0], str(out[0])), cost, captured, body)


def _pairs(node: Node) -> tuple[Pair, Pair]:
    strides, dilations = node.attributes["strides"], node.attributes["dilations"]
    return _two(strides, 1), _two(dilations, 1)


def _two(numbers: Sequence[str | int], first: int) -> Pair:
    """Those of a plane."""
    *above, last = map(int, numbers)
    return (above[0] if above else first), last


def _planned(lowering: Lowering, node: Node, x: Array, w: Array, plan: Plan, dims: Sequence[str]) -> list[Lowered]:
    after = lowering.absorb(node.outputs[0])
    made = lowering.result([node, *after][-1].outputs[0], dims)
    if 0 in (plan.out_height, plan.out_width, plan.units):
        return [made]
    small = plan.rows == plan.columns == 3 and plan.strides == plan.dilations == (1, 1)
    large = min(plan.channels, plan.units) >= _CHANNELS and min(plan.out_height, plan.out_width) >= _PIXELS
    way: Way = (Winograd if small and large and x.dtype.name == "float32" else Direct)(lowering, plan, w)
    way.after = after
    _over_blocks(lowering.code, way, x, made)
    return [made]


def _exchanged(lowering: Lowering, w: Array, groups: int, turned: bool = False) -> Array:
    """Filters with units for channels and channels for units, turned round if wanted."""
    code = lowering.code
    *window, depth, units = w.dims
    outs = code.divide(units, str(groups))
    made = lowering.allocate([*window, outs, code.mul(depth, str(groups))], w.dtype)
    kind = memory_type(w.dtype)
    with nest(code, [*window, outs, str(groups), depth]) as indices:
        *taps, unit, group, channel = indices
        there = [code.sub(code.sub(k, "1"), i) for k, i in zip(window, taps)] if turned else taps
        source = lowering.element(w, [*taps, channel, code.add(code.mul(group, outs), unit)])
        target = lowering.element(made, [*there, unit, code.add(code.mul(group, depth), channel)])
        code.store(kind, code.load(kind, source), target)
    return made


def _spread(lowering: Lowering, x: Array, places: Pair, strides: Pair) -> Array:
    """Images with zeros between their pixels."""
    if strides == (1, 1) or 0 in places:
        return x
    batch, units, code, kind = x.dims[0], x.dims[-1], lowering.code, memory_type(x.dtype)
    tall, broad = ((n - 1) * s + 1 for n, s in zip(places, strides))
    made = lowering.allocate([batch, str(tall), str(broad), units], x.dtype, zero=True)
    with nest(code, [batch, str(places[0]), str(places[1]), units]) as (image, row, column, unit):
        line = code.add(code.mul(image, str(places[0])), row)
        source = code.at(
            kind, x.pointer, code.offset((line, column, unit), (code.mul(str(places[1]), units), units, "1"))
        )
        at = [image, code.mul(row, str(strides[0])), code.mul(column, str(strides[1])), unit]
        code.store(kind, code.load(kind, source), lowering.element(made, at))
    return made


class FilterSums:
    """Filters as sums of products, in tiles: of what lay under a row of a window, and the units of the results there.

    The pixels under a row of the window are as many channels of one pixel, one after the other, so that nothing is
    copied; only images that are padded are, with zeros around. Who does a part of the filters goes through all images
    for it, so that sums come out the same whoever does it.
    """

    def __init__(self, lowering: Lowering, plan: Plan, x: Array, results: Array, made: Array) -> None:
        self.lowering, self.plan, self.results, self.made = lowering, plan, results, made
        self.dtype = made.dtype
        (down, right), (slow, fast) = plan.dilations, plan.strides
        self.columns = plan.columns if right == 1 or plan.columns == 1 else 1  # that lie side by side
        self.separate = plan.rows * (plan.columns // self.columns)
        self.count = self.columns * plan.channels
        deep = (plan.out_height - 1) * slow + (plan.rows - 1) * down + 1  # what the windows reach over
        wide = (plan.out_width - 1) * fast + (plan.columns - 1) * right + 1
        lanes = Tiles(Windows(self.count, plan.units, 1, 1), self.dtype)
        exact = self.count % lanes.pixels == 0
        if any(plan.before) or deep > plan.height or wide > plan.width or not exact:
            self.height, self.width = deep, wide
            self.images = self._padded(x, lanes.pixels)
        else:
            self.height, self.width, self.images = plan.height, plan.width, x
        row = self.width * plan.channels
        windows = Windows(
            self.count, plan.units, plan.out_width, 1, along=fast * plan.channels, rows=plan.out_height, down=slow * row
        )
        self.tiles = Tiles(windows, self.dtype)
        self.sums = made
        if not exact:
            whole = self.tiles.across * self.tiles.pixels
            self.sums = lowering.allocate([str(self.separate), str(whole), str(plan.units)], self.dtype)

    def _padded(self, x: Array, more: int) -> Array:
        """The images with zeros around, as far as windows reach; and some numbers more behind the last one."""
        lowering, plan, kind = self.lowering, self.plan, register(self.dtype)
        code, batch = lowering.code, x.dims[0]
        row = self.width * plan.channels
        made = lowering.allocate([code.add(code.mul(batch, str(self.height * row)), str(more))], self.dtype)
        (above, left), size = plan.before, self.dtype.size
        inside = max(0, min(plan.width, self.width - left)) * plan.channels
        right = row - left * plan.channels - inside
        captured = [("ptr", x.pointer), ("ptr", made.pointer)]
        height = self.height

        def body(inner: Code, values: Sequence[str], start: str, end: str, _: str) -> None:
            source, target = values
            with inner.loop(end, start) as line:
                image, y = inner.divide(line, str(height)), inner.sub(inner.rest(line, str(height)), str(above))
                to = inner.at(kind, target, inner.mul(line, str(row)))
                within, outside, done = inner.label("within"), inner.label("outside"), inner.label("copied")
                inner.fork(inner.let(f"icmp ult i64 {y}, {plan.height}"), within, outside)
                inner.enter(within)
                pixel = inner.mul(inner.add(inner.mul(image, str(plan.height)), y), str(plan.width * plan.channels))
                memory.clear(inner, to, str(left * plan.channels * size))
                part = inner.at(kind, to, str(left * plan.channels))
                memory.copy(inner, part, inner.at(kind, source, pixel), str(inside * size))
                memory.clear(inner, inner.at(kind, part, str(inside)), str(right * size))
                inner.jump(done)
                inner.enter(outside)
                memory.clear(inner, to, str(row * size))
                inner.jump(done)
                inner.enter(done)

        memory.clear(code, code.at(kind, made.pointer, code.mul(batch, str(height * row))), str(more * size))
        divided(code, code.mul(batch, str(height)), row // 8, captured, body)
        return made

    def write(self) -> None:
        lowering, plan, tiles, kind = self.lowering, self.plan, self.tiles, register(self.dtype)
        code, batch = lowering.code, self.results.dims[0]
        given = self._packed()
        memory.clear(code, self.sums.pointer, lowering.size_in_bytes(self.sums))
        image_size = self.height * self.width * plan.channels
        panel = tiles.depth * tiles.together
        whole = tiles.across * tiles.pixels  # which is the count where tiles are full

        def body(inner: Code, values: Sequence[str], start: str, end: str, _: str) -> None:
            images, panels, sums, batch = values
            with inner.loop(batch) as image:
                source = inner.at(kind, images, inner.mul(image, str(image_size)))
                here = inner.at(kind, panels, inner.mul(image, str(tiles.parts * panel)))
                with inner.loop(end, start) as index, inner.loop(str(tiles.parts)) as part:
                    tap, tile = inner.divide(index, str(tiles.across)), inner.rest(index, str(tiles.across))
                    (r, c), (down, right) = self._tap(inner, tap), plan.dilations
                    y, x = inner.mul(r, str(down)), inner.mul(c, str(right))
                    pixel = inner.mul(inner.add(inner.mul(y, str(self.width)), x), str(plan.channels))
                    weights = inner.at(kind, here, inner.mul(part, str(panel)))
                    target = inner.at(kind, sums, inner.mul(tap, str(whole * plan.units)))
                    tiles.tile(inner, inner.at(kind, source, pixel), weights, target, part, tile, more=True)

        captured = [("ptr", p) for p in (self.images.pointer, given, self.sums.pointer)]
        images = int(batch) if is_literal(batch) else 1
        cost = images * tiles.pixels * tiles.depth * tiles.parts * tiles.together // SPEED
        divided(code, str(self.separate * tiles.across), cost, [*captured, ("i64", batch)], body)
        if self.sums is not self.made:
            with code.loop(str(self.separate)) as tap:
                size = self.count * plan.units
                source = code.at(kind, self.sums.pointer, code.mul(tap, str(whole * plan.units)))
                target = code.at(kind, self.made.pointer, code.mul(tap, str(size)))
                memory.copy(code, target, source, str(size * self.dtype.size))

    def _packed(self) -> str:
        """The results of all images as tiles take filters."""
        tiles, plan, kind, code = self.tiles, self.plan, register(self.dtype), self.lowering.code
        if tiles.together == plan.units:
            return self.results.pointer
        batch, panel = self.results.dims[0], tiles.depth * tiles.together
        made = self.lowering.allocate([batch, str(tiles.parts * panel)], self.dtype).pointer

        def body(inner: Code, values: Sequence[str], start: str, end: str, _: str) -> None:
            source, target = values
            with inner.loop(end, start) as image, inner.loop(str(tiles.parts)) as part:
                results = inner.at(kind, source, inner.mul(image, str(tiles.depth * plan.units)))
                there = inner.add(inner.mul(image, str(tiles.parts * panel)), inner.mul(part, str(panel)))
                tiles.pack(inner, results, (plan.units, 1), part, inner.at(kind, target, there))

        divided(code, batch, tiles.parts * panel // 8, [("ptr", self.results.pointer), ("ptr", made)], body)
        return made

    def _tap(self, code: Code, number: str) -> tuple[str, str]:
        """The row of the window, and the column where these are apart."""
        apart = str(self.plan.columns // self.columns)
        return code.divide(number, apart), code.rest(number, apart)


def _over_blocks(code: Code, way: Way, x: Array, out: Array) -> None:
    """All blocks of all images, divided among threads."""
    count = code.mul(x.dims[0], str(way.blocks))
    kind = register(x.dtype)

    def body(inner: Code, values: Sequence[str], start: str, end: str, part: str) -> None:
        source, target, weights, further, apart, *scratch = values
        own = [inner.at(kind, s, inner.mul(part, str(size))) for s, (_, size) in zip(scratch, way.memory)]
        with inner.loop(end, start) as index:
            image, block = inner.divide(index, str(way.blocks)), inner.rest(index, str(way.blocks))
            here = inner.at(kind, source, inner.mul(image, further))
            there = inner.at(kind, target, inner.mul(image, apart))
            way.convolve(inner, here, there, weights, own, block)

    captured = [("ptr", a.pointer) for a in (x, out, way.weights)] + [("i64", a.strides[0]) for a in (x, out)]
    captured += [("ptr", memory.pointer) for memory, _ in way.memory]
    divided(code, count, way.cost, captured, body)


class Direct(Way):
    """Add up the products, in tiles; rows of the image are copied to where zeros surround them, if they are padded."""

    def __init__(self, lowering: Lowering, plan: Plan, w: Array) -> None:
        self.plan, self.dtype = plan, w.dtype
        known = (plan.out_height, plan.out_width), plan.strides, (plan.rows, plan.columns), plan.dilations
        deep, wide = ((n - 1) * s + (k - 1) * r + 1 for n, s, k, r in zip(*known))  # what the windows reach over
        is_padded = any(plan.before) or deep > plan.height or wide > plan.width
        self.row = wide if is_padded else plan.width
        (down, right), stride = plan.dilations, plan.strides[1]
        windows = Windows(
            plan.out_width, plan.units, plan.channels, stride * plan.channels, rows=plan.rows, columns=plan.columns,
            down=down * self.row * plan.channels, right=right * plan.channels,
        )  # fmt: skip
        self.tiles = Tiles(windows, w.dtype)
        self.weights = self.tiles.packed(lowering, w)
        self.step = self.row * plan.channels * plan.strides[0]  # from the windows of a row to those of the next
        self.lines = max(1, min(plan.out_height, _ROWS // max(1, self.step)))
        self.blocks = -(-plan.out_height // self.lines)
        self.cost = self.lines * plan.out_width * self.tiles.depth * plan.units // SPEED
        self.held = deep - (plan.out_height - self.lines) * plan.strides[0]  # rows of the image that a block reads
        size = self.held * self.row * plan.channels
        self.memory = [(lowering.allocate([str(size * THREADS)], w.dtype), size)] if is_padded else []

    def convolve(self, code: Code, source: str, target: str, weights: str, scratch: Sequence[str], block: str) -> None:
        plan, kind = self.plan, register(self.dtype)
        first = code.mul(block, str(self.lines))
        lines = code.least(str(self.lines), code.sub(str(plan.out_height), first))
        image = code.at(kind, source, code.mul(first, str(self.step)))
        if scratch:
            (image,) = scratch
            self._copy_rows(code, source, image, code.sub(code.mul(first, str(plan.strides[0])), str(plan.before[0])))
        result = code.at(kind, target, code.mul(first, str(plan.out_width * plan.units)))
        self.tiles.multiply(code, image, self.step, weights, result, lines, self.finished)

    def _copy_rows(self, code: Code, source: str, target: str, top: str) -> None:
        """Rows of the image from `top` on, with zeros around."""
        plan, kind = self.plan, register(self.dtype)
        left, size = plan.before[1] * plan.channels, self.dtype.size
        inside = min(plan.width, self.row - plan.before[1]) * plan.channels
        right = self.row * plan.channels - left - inside
        with code.loop(str(self.held)) as row:
            y = code.add(top, row)
            to = code.at(kind, target, code.mul(row, str(self.row * plan.channels)))
            within, outside, done = code.label("within"), code.label("outside"), code.label("copied")
            code.fork(code.let(f"icmp ult i64 {y}, {plan.height}"), within, outside)
            code.enter(within)
            start = code.at(kind, source, code.mul(y, str(plan.width * plan.channels)))
            memory.clear(code, to, str(left * size))
            memory.copy(code, code.at(kind, to, str(left)), start, str(inside * size))
            memory.clear(code, code.at(kind, to, str(left + inside)), str(right * size))
            code.jump(done)
            code.enter(outside)
            memory.clear(code, to, str(self.row * plan.channels * size))
            code.jump(done)
            code.enter(done)
