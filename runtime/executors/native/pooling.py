"""Pooling of images."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

import numpy as np

from runtime.executors.native import memory as memory_of, scalars
from runtime.executors.native.arithmetic import element_of
from runtime.executors.native.code import Code, is_literal, memory, register
from runtime.executors.native.images import positions
from runtime.executors.native.lowering import Lowering, handles
from runtime.executors.native.parallel import divided
from runtime.executors.native.values import Array, Lowered, Scalar, Unsupported
from runtime.executors.native.vectorised_loops import each
from runtime.graph.dtypes import DType, int64
from runtime.graph.graph import Node
from runtime.ops import elementwise as ew, nn
from runtime.ops.nn import padding_of

_LINE = 1_000  # what a row of results is taken to have where sizes are not known
_FEW = 16  # pixels of a window that are looked at without a loop


@handles(nn.pool, of_reals=True)
def pool(lowering: Lowering, node: Node) -> list[Lowered]:
    x = lowering.packed(lowering.array(node.inputs[0]))
    window, strides, how = (node.attributes[k] for k in ("window", "strides", "how"))
    if how == "avg" and not x.dtype.is_floating:
        raise Unsupported("a mean of integers in windows", node)
    if len(window) != 2 or set(node.attributes["dilations"]) != {1}:
        return [_mean(lowering, node, x) if how == "avg" else _chosen(lowering, node, x, x)]
    _, height, width, channels = x.dims
    padding = node.attributes["padding"]
    (above, left), out = positions(lowering, padding, (height, width), list(map(str, window)), strides, (1, 1))
    made = lowering.result(node.outputs[0], [x.dims[0], *out, channels])
    is_padded = padding != "VALID" and not (is_literal(out[0]) and is_literal(out[1]) and _fits(x, node, out))
    numbers = (height, width, channels, above, left, *out)
    kind, code = memory(x.dtype), lowering.code

    def body(code: Code, values: Sequence[str], start: str, end: str, _: str) -> None:
        source, target, height, width, channels, above, left, lines, across = values
        pool = _Pool(how, x.dtype, height, width, channels, window, is_padded, not isinstance(padding, str))
        image_size = code.product([height, width, channels])
        with code.loop(end, start) as line:
            image, row = code.divide(line, lines), code.rest(line, lines)
            top = code.sub(code.mul(row, str(strides[0])), above)
            here = code.at(kind, source, code.mul(image, image_size))
            there = code.at(kind, target, code.mul(line, code.mul(across, channels)))
            with code.loop(across) as column:
                first = code.sub(code.mul(column, str(strides[1])), left)
                pool.write(code, here, top, first, code.opaque(code.at(kind, there, code.mul(column, channels))))

    captured = [("ptr", x.pointer), ("ptr", made.pointer), *(("i64", n) for n in numbers)]
    row = code.mul(out[1], channels)
    cost = (int(row) if is_literal(row) else _LINE) * window[0] * window[1]
    divided(code, code.mul(x.dims[0], out[0]), cost, captured, body)
    return [made]


def _fits(x: Array, node: Node, out: Sequence[str]) -> bool:
    """Whether the windows lie inside images of known size."""
    size = [int(d) for d in x.dims[1:3] if is_literal(d)]
    a = node.attributes
    return len(size) == 2 and not any(
        map(any, padding_of(a["padding"], size, a["window"], a["strides"], a["dilations"]))
    )


@handles(nn.pool_choice, of_reals=True)
def pool_choice(lowering: Lowering, node: Node) -> list[Lowered]:
    x, values = (lowering.packed(lowering.array(v)) for v in node.inputs)
    for a, b in zip(x.dims, values.dims):
        lowering.require(lowering.code.compare("eq", a, b))
    return [_chosen(lowering, node, x, values)]


@handles(nn.unpool, of_reals=True)
def unpool(lowering: Lowering, node: Node) -> list[Lowered]:
    x, results = (lowering.packed(lowering.array(v)) for v in node.inputs)
    if not results.dtype.is_floating:
        raise Unsupported(f"what pooling does to {results.dtype.name}", node)
    code, kind = lowering.code, memory(results.dtype)
    places = _Places.of(lowering, node, x)
    for a, b in zip((*x.dims[:1], *places.out, places.channels), results.dims):
        lowering.require(code.compare("eq", a, b))
    made = lowering.result(node.outputs[0], x.dims)
    largest, few = node.attributes["how"] == "max", math.prod(places.window) <= _FEW

    def body(inner: Code, values: Sequence[str], start: str, end: str, _: str) -> None:
        source, given, target, *numbers = values
        now = places.captured(numbers)
        whole = inner.product([*now.size, now.channels])
        with inner.loop(end, start) as image, ExitStack() as loops:
            here, there = (
                inner.at(k, p, inner.mul(image, whole)) for k, p in ((memory(x.dtype), source), (kind, target))
            )
            memory_of.clear(inner, there, inner.mul(whole, str(results.dtype.size)))
            at = [loops.enter_context(inner.loop(d)) for d in now.out]
            row = inner.at(kind, given, inner.mul(now.number(inner, at, now.out, image), now.channels))
            if largest and few and now.inside:
                _to_largest(inner, now, here, row, there, at, (x.dtype, results.dtype))
            elif largest:
                with inner.loop(now.channels) as channel:
                    pixel, some = now.largest(inner, here, at, channel, x.dtype)
                    g = _or_nothing(inner, some, scalars.load(inner, inner.at(kind, row, channel), results.dtype))
                    place = inner.at(kind, there, pixel)
                    total = element_of(inner, ew.add, [scalars.load(inner, place, results.dtype), g], results.dtype)
                    scalars.store(inner, total, place)
            else:
                share = inner.slot(register(results.dtype))
                count = scalars.cast(inner, Scalar(now.count(inner, at), int64), results.dtype)
                one = scalars.literal(1, results.dtype)
                scalars.store(inner, element_of(inner, ew.divide, [one, count], results.dtype), share)
                with now.each_pixel(inner, at) as pixel:
                    part = inner.at(kind, there, inner.mul(pixel, now.channels))
                    factor = scalars.load(inner, share, results.dtype)
                    with each(inner, now.channels) as c:
                        g = scalars.load(inner, inner.at(kind, row, c), results.dtype)
                        g = element_of(inner, ew.multiply, [g, factor], results.dtype)
                        old = scalars.load(inner, inner.at(kind, part, c), results.dtype)
                        total = element_of(inner, ew.add, [old, g], results.dtype)
                        scalars.store(inner, total, inner.at(kind, part, c))

    captured = [*(("ptr", a.pointer) for a in (x, results, made)), *(("i64", n) for n in places.numbers())]
    factors = [*places.out, places.channels]
    cost = math.prod(map(int, factors)) if all(map(is_literal, factors)) else _LINE * _LINE
    divided(code, x.dims[0], max(cost, 1) * math.prod(places.window), captured, body)
    return [made]


def _add(code: Code, dtype: DType, place: str, source: str) -> None:
    old, more = (scalars.load(code, p, dtype) for p in (place, source))
    scalars.store(code, element_of(code, ew.add, [old, more], dtype), place)


def _or_nothing(code: Code, some: str, number: Scalar) -> Scalar:
    """The number, or 0 for a window that lies outside of its image altogether."""
    nothing = scalars.literal(0, number.dtype)
    return Scalar(code.choose(some, number.text, nothing.text, register(number.dtype)), number.dtype)


def _to_largest(
    code: Code, places: _Places, here: str, row: str, there: str, at: Sequence[str], dtypes: tuple[DType, DType]
) -> None:
    """Of a window that lies inside of the image, and is small: all channels at a time."""
    kind, other = (memory(d) for d in dtypes)
    pixels = [
        places.number(code, [code.sub(code.add(code.mul(p, str(s)), str(k * r)), b) for p, s, k, r, b in zip(
            at, places.strides, tap, places.dilations, places.before)], places.size)
        for tap in np.ndindex(*places.window)
    ]  # fmt: skip
    sources = [code.at(kind, here, code.mul(pixel, places.channels)) for pixel in pixels]
    targets = [code.at(other, there, code.mul(pixel, places.channels)) for pixel in pixels]
    with each(code, places.channels) as c:
        values = [scalars.load(code, code.at(kind, p, c), dtypes[0]) for p in sources]
        g = scalars.load(code, code.at(other, row, c), dtypes[1])
        best, first = values[0], Scalar("0", int64)
        for number, value in enumerate(values[1:], 1):
            more = _beats(code, value, best)
            best = Scalar(code.choose(more, value.text, best.text, register(dtypes[0])), dtypes[0])
            first = Scalar(code.choose(more, str(number), first.text, "i64"), int64)
        nothing = scalars.literal(0, dtypes[1])
        for number, target in enumerate(targets):
            mine = code.let(f"icmp eq i64 {first.text}, {number}")
            part = Scalar(code.choose(mine, g.text, nothing.text, register(dtypes[1])), dtypes[1])
            place = code.at(other, target, c)
            old = scalars.load(code, place, dtypes[1])
            scalars.store(code, element_of(code, ew.add, [old, part], dtypes[1]), place)


def _beats(code: Code, x: Scalar, best: Scalar) -> str:
    """Whether a number is larger than the largest so far; NaN is larger than all, and the first one stays."""
    kind = register(x.dtype)
    if not x.dtype.is_floating:
        sign = "s" if scalars.is_signed(x.dtype) else "u"
        return code.let(f"icmp {sign}gt {kind} {x.text}, {best.text}")
    larger = code.let(f"fcmp ugt {kind} {x.text}, {best.text}")
    return code.both(larger, code.let(f"fcmp ord {kind} {best.text}, {best.text}"))


def _chosen(lowering: Lowering, node: Node, x: Array, values: Array) -> Array:
    """What stands where the largest elements of windows do."""
    places, code = _Places.of(lowering, node, x), lowering.code
    made = lowering.result(node.outputs[0], [x.dims[0], *places.out, places.channels])
    kind = memory(values.dtype)

    def body(inner: Code, given: Sequence[str], start: str, end: str, _: str) -> None:
        source, other, target, *numbers = given
        now = places.captured(numbers)
        whole = inner.product([*now.size, now.channels])
        with inner.loop(end, start) as line, ExitStack() as loops:
            image, first = inner.divide(line, now.out[0]), inner.rest(line, now.out[0])
            at = [first, *(loops.enter_context(inner.loop(d)) for d in now.out[1:])]
            shift = inner.mul(image, whole)
            here, there = inner.at(memory(x.dtype), source, shift), inner.at(kind, other, shift)
            row = inner.at(kind, target, inner.mul(now.number(inner, at[1:], now.out[1:], line), now.channels))
            with inner.loop(now.channels) as channel:
                pixel, some = now.largest(inner, here, at, channel, x.dtype)
                value = _or_nothing(inner, some, scalars.load(inner, inner.at(kind, there, pixel), values.dtype))
                scalars.store(inner, value, inner.at(kind, row, channel))

    captured = [*(("ptr", a.pointer) for a in (x, values, made)), *(("i64", n) for n in places.numbers())]
    divided(code, code.mul(x.dims[0], places.out[0]), _LINE * math.prod(places.window), captured, body)
    return made


def _mean(lowering: Lowering, node: Node, x: Array) -> Array:
    places, code, kind = _Places.of(lowering, node, x), lowering.code, memory(x.dtype)
    made = lowering.result(node.outputs[0], [x.dims[0], *places.out, places.channels])

    def body(inner: Code, given: Sequence[str], start: str, end: str, _: str) -> None:
        source, target, *numbers = given
        now = places.captured(numbers)
        whole = inner.product([*now.size, now.channels])
        with inner.loop(end, start) as line, ExitStack() as loops:
            image, first = inner.divide(line, now.out[0]), inner.rest(line, now.out[0])
            at = [first, *(loops.enter_context(inner.loop(d)) for d in now.out[1:])]
            here = inner.at(kind, source, inner.mul(image, whole))
            row = inner.at(kind, target, inner.mul(now.number(inner, at[1:], now.out[1:], line), now.channels))
            with each(inner, now.channels) as c:
                scalars.store(inner, scalars.literal(0, x.dtype), inner.at(kind, row, c))
            with now.each_pixel(inner, at) as pixel:
                part = inner.at(kind, here, inner.mul(pixel, now.channels))
                with each(inner, now.channels) as c:
                    _add(inner, x.dtype, inner.at(kind, row, c), inner.at(kind, part, c))
            count = scalars.cast(inner, Scalar(now.count(inner, at), int64), x.dtype)
            with each(inner, now.channels) as c:
                place = inner.at(kind, row, c)
                total = scalars.load(inner, place, x.dtype)
                scalars.store(inner, element_of(inner, ew.divide, [total, count], x.dtype), place)

    captured = [*(("ptr", a.pointer) for a in (x, made)), *(("i64", n) for n in places.numbers())]
    divided(code, code.mul(x.dims[0], places.out[0]), _LINE * math.prod(places.window), captured, body)
    return made


@dataclass(frozen=True)
class _Places:
    """The windows of images with any number of sizes; whether all surely lie `inside`."""

    size: Sequence[str]
    channels: str
    out: Sequence[str]
    before: Sequence[str]
    window: Sequence[int]
    strides: Sequence[int]
    dilations: Sequence[int]
    inside: bool

    @classmethod
    def of(cls, lowering: Lowering, node: Node, x: Array) -> _Places:
        a = node.attributes
        window, strides, dilations = a["window"], a["strides"], a["dilations"]
        _, *size, channels = x.dims
        before, out = positions(lowering, a["padding"], size, list(map(str, window)), strides, dilations)
        inside = a["padding"] == "VALID" or (
            all(map(is_literal, size))
            and not any(map(any, padding_of(a["padding"], [int(d) for d in size], window, strides, dilations)))
        )
        return cls(size, channels, out, before, window, strides, dilations, inside)

    def numbers(self) -> list[str]:
        return [*self.size, self.channels, *self.out, *self.before]

    def captured(self, values: Sequence[str]) -> _Places:
        """The same where these are the numbers."""
        n = len(self.window)
        parts = {"size": values[:n], "channels": values[n], "out": values[n + 1 : 2 * n + 1]}
        return replace(self, **parts, before=values[2 * n + 1 :])  # type: ignore[arg-type]

    @staticmethod
    def number(code: Code, indices: Sequence[str], dims: Sequence[str], start: str = "0") -> str:
        """The number of an element, in C order."""
        for i, d in zip(indices, dims):
            start = code.add(code.mul(start, d), i)
        return start

    def _taps(self, code: Code, at: Sequence[str]) -> list[tuple[str, str, str]]:
        """Along each axis: where the window begins, and which of its elements, from and to, are inside of the image."""
        found = []
        for p, s, r, k, before, size in zip(at, self.strides, self.dilations, self.window, self.before, self.size):
            first = code.sub(code.mul(p, str(s)), before)
            low = code.divide(code.add(code.most(code.sub("0", first), "0"), str(r - 1)), str(r))
            high = code.divide(code.add(code.most(code.sub(size, first), "0"), str(r - 1)), str(r))
            high = code.least(high, str(k))
            found.append((first, code.least(low, high), high))
        return found

    def count(self, code: Code, at: Sequence[str]) -> str:
        """How many elements of the window at a place are inside of the image."""
        return code.product([code.sub(high, low) for _, low, high in self._taps(code, at)])

    @contextmanager
    def each_pixel(self, code: Code, at: Sequence[str]) -> Iterator[str]:
        """Those elements, by the numbers of their pixels."""
        with ExitStack() as loops:
            indices = []
            for (first, low, high), r in zip(self._taps(code, at), self.dilations):
                tap = loops.enter_context(code.loop(high, low))
                indices.append(code.add(first, code.mul(tap, str(r))))
            yield self.number(code, indices, self.size)

    def largest(self, code: Code, image: str, at: Sequence[str], channel: str, dtype: DType) -> tuple[str, str]:
        """The number of the first of the largest elements of a channel, in the window at a place, and whether there is
        any; it is 0 if not."""
        kind, type_ = memory(dtype), register(dtype)
        best, place, some = code.slot(type_), code.slot("i64"), code.slot("i64")
        code.store("i64", "0", place)
        code.store("i64", "0", some)
        code.store(type_, scalars.lowest(dtype).text, best)
        with self.each_pixel(code, at) as pixel:
            number = code.add(code.mul(pixel, self.channels), channel)
            value = scalars.load(code, code.at(kind, image, number), dtype)
            so_far = Scalar(code.load(type_, best), dtype)
            none = code.let(f"icmp eq i64 {code.load('i64', some)}, 0")
            more = code.either(none, _beats(code, value, so_far))
            code.store(type_, code.choose(more, value.text, so_far.text, type_), best)
            code.store("i64", code.choose(more, number, code.load("i64", place)), place)
            code.store("i64", "1", some)
        return code.load("i64", place), code.let(f"icmp ne i64 {code.load('i64', some)}, 0")


@dataclass(frozen=True)
class _Pool:
    """The largest or the mean of the pixels of a window, for each channel."""

    how: str
    dtype: DType
    height: str
    width: str
    channels: str
    window: Sequence[int]
    is_padded: bool
    is_far: bool  # whether windows may lie outside altogether

    def write(self, code: Code, image: str, top: str, left: str, target: str) -> None:
        """The result for the window that begins there; pixels outside the image do not count."""
        rows, columns = (top, self.window[0], self.height), (left, self.window[1], self.width)
        empty = "0" in (self.height, self.width) or not (is_literal(self.height) and is_literal(self.width))
        if self.window[0] * self.window[1] > _FEW or (self.is_padded and (self.how == "avg" or empty or self.is_far)):
            self._by_loops(code, image, rows, columns, target)
            return
        if self.is_padded:
            pixels = self._nearest(code, image, rows, columns)
        else:
            first, kind = code.opaque(self._pixel(code, image, top, left)), memory(self.dtype)
            apart = [
                code.add(code.mul(str(y), self.width), str(x))
                for y in range(self.window[0])
                for x in range(self.window[1])
            ]
            pixels = [code.at(kind, first, code.mul(distance, self.channels)) for distance in apart]
        with each(code, self.channels, again=True) as c:
            values = [scalars.load(code, code.at(memory(self.dtype), pixel, c), self.dtype) for pixel in pixels]
            result, *rest = values
            for value in rest:
                result = self._with(code, result, value)
            if self.how == "avg":
                result = self._divided(code, result, str(len(values)))
            scalars.store(code, result, code.at(memory(self.dtype), target, c))

    def _nearest(self, code: Code, image: str, rows: tuple[str, int, str], columns: tuple[str, int, str]) -> list[str]:
        """The pixels of a window, and for each outside the image one at its edge: the largest stays the same."""
        ys, xs = (
            [code.least(code.most(code.add(first, str(i)), "0"), code.sub(size, "1")) for i in range(count)]
            for first, count, size in (rows, columns)
        )
        return [self._pixel(code, image, y, x) for y in ys for x in xs]

    def _by_loops(
        self, code: Code, image: str, rows: tuple[str, int, str], columns: tuple[str, int, str], target: str
    ) -> None:
        kind = memory(self.dtype)
        (low_y, high_y), (low_x, high_x) = (
            (code.most(first, "0"), code.least(code.add(first, str(count)), size))
            for first, count, size in (rows, columns)
        )
        start = scalars.literal(0, self.dtype) if self.how == "avg" else scalars.lowest(self.dtype)
        with each(code, self.channels, again=True) as c:
            scalars.store(code, start, code.at(kind, target, c))
        with code.loop(high_y, low_y) as y, code.loop(high_x, low_x) as x:
            pixel = self._pixel(code, image, y, x)
            with each(code, self.channels) as c:
                place = code.at(kind, target, c)
                so_far = scalars.load(code, place, self.dtype)
                value = scalars.load(code, code.at(kind, pixel, c), self.dtype)
                scalars.store(code, self._with(code, so_far, value), place)
        if self.how == "avg":
            count = code.mul(code.sub(high_y, low_y), code.sub(high_x, low_x))
            with each(code, self.channels) as c:
                place = code.at(kind, target, c)
                total = scalars.load(code, place, self.dtype)
                scalars.store(code, self._divided(code, total, count), place)

    def _pixel(self, code: Code, image: str, y: str, x: str) -> str:
        place = code.add(code.mul(y, self.width), x)
        return code.at(memory(self.dtype), image, code.mul(place, self.channels))

    def _with(self, code: Code, a: Scalar, b: Scalar) -> Scalar:
        return element_of(code, ew.add if self.how == "avg" else ew.maximum, [a, b], self.dtype)

    def _divided(self, code: Code, total: Scalar, count: str) -> Scalar:
        number = scalars.cast(code, Scalar(count, int64), self.dtype)
        return element_of(code, ew.divide, [total, number], self.dtype)
