"""Pooling of images."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from runtime.executors.native import scalars
from runtime.executors.native.arithmetic import element_of
from runtime.executors.native.code import Code, is_literal, memory
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


@handles(nn.pool2d, of_reals=True)
def pool2d(lowering: Lowering, node: Node) -> list[Lowered]:
    x = lowering.packed(lowering.array(node.inputs[0]))
    _, height, width, channels = x.dims
    window, strides, how = (node.attributes[k] for k in ("window", "strides", "how"))
    if how == "avg" and not x.dtype.is_floating:
        raise Unsupported("a mean of integers in windows", node)
    padding = node.attributes["padding"]
    (above, left), out = positions(lowering, padding, (height, width), list(map(str, window)), strides)
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
    size = [int(d) for d in x.dims[1:3]]
    return not any(map(any, padding_of(node.attributes["padding"], (size[0], size[1]), *_shape(node))))


def _shape(node: Node) -> tuple[Any, Any]:
    return node.attributes["window"], node.attributes["strides"]


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
