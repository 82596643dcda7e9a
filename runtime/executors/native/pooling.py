"""Pooling of images."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runtime.dtypes import DType, int64
from runtime.executors.native import scalars
from runtime.executors.native.arithmetic import element_of
from runtime.executors.native.code import Code, memory
from runtime.executors.native.images import sizes, windows
from runtime.executors.native.independent import each
from runtime.executors.native.lowering import Lowering, handles
from runtime.executors.native.parallel import divided
from runtime.executors.native.values import Lowered, Scalar, Unsupported
from runtime.graph import Node
from runtime.ops.nn import padding_of

_FEW = 16  # pixels of a window that are looked at without a loop


@handles("pool2d")
def pool2d(lowering: Lowering, node: Node) -> list[Lowered]:
    x = lowering.packed(lowering.array(node.inputs[0]))
    ((_, height, width, channels),) = sizes(node, x)
    window, strides, how = (node.attributes[k] for k in ("window", "strides", "how"))
    if how == "avg" and not x.dtype.is_floating:
        raise Unsupported("a mean of integers in windows", node)
    pads = padding_of(node.attributes["padding"], (height, width), window, strides)
    out = [windows(d + sum(p), k, s, 1) for d, p, k, s in zip((height, width), pads, window, strides)]
    made = lowering.result(node.outputs[0], [x.dims[0], str(out[0]), str(out[1]), str(channels)])
    lines = lowering.code.mul(x.dims[0], str(out[0]))
    pool = _Pool(how, x.dtype, height, width, channels, window, any(map(any, pads)))
    kind = memory(x.dtype)

    def body(code: Code, values: Sequence[str], start: str, end: str, _: str) -> None:
        source, target = values
        with code.loop(end, start) as line:
            image, row = code.divide(line, str(out[0])), code.rest(line, str(out[0]))
            top = code.sub(code.mul(row, str(strides[0])), str(pads[0][0]))
            here = code.at(kind, source, code.mul(image, str(height * width * channels)))
            there = code.at(kind, target, code.mul(line, str(out[1] * channels)))
            with code.loop(str(out[1])) as column:
                left = code.sub(code.mul(column, str(strides[1])), str(pads[1][0]))
                pool.write(code, here, top, left, code.opaque(code.at(kind, there, code.mul(column, str(channels)))))

    captured = [("ptr", x.pointer), ("ptr", made.pointer)]
    divided(lowering.code, lines, out[1] * channels * window[0] * window[1], captured, body)
    return [made]


@dataclass(frozen=True)
class _Pool:
    """The largest or the mean of the pixels of a window, for each channel."""

    how: str
    dtype: DType
    height: int
    width: int
    channels: int
    window: Sequence[int]
    is_padded: bool

    def write(self, code: Code, image: str, top: str, left: str, target: str) -> None:
        """The result for the window that begins there; pixels outside the image do not count."""
        rows, columns = (top, self.window[0], self.height), (left, self.window[1], self.width)
        if self.window[0] * self.window[1] > _FEW or (self.is_padded and self.how == "avg"):
            self._by_loops(code, image, rows, columns, target)
            return
        if self.is_padded:
            pixels = self._nearest(code, image, rows, columns)
        else:
            first, kind = code.opaque(self._pixel(code, image, top, left)), memory(self.dtype)
            apart = [y * self.width + x for y in range(self.window[0]) for x in range(self.window[1])]
            pixels = [code.at(kind, first, str(distance * self.channels)) for distance in apart]
        with each(code, str(self.channels), again=True) as c:
            values = [scalars.load(code, code.at(memory(self.dtype), pixel, c), self.dtype) for pixel in pixels]
            result, *rest = values
            for value in rest:
                result = self._with(code, result, value)
            if self.how == "avg":
                result = self._divided(code, result, str(len(values)))
            scalars.store(code, result, code.at(memory(self.dtype), target, c))

    def _nearest(self, code: Code, image: str, rows: tuple[str, int, int], columns: tuple[str, int, int]) -> list[str]:
        """The pixels of a window, and for each outside the image one at its edge: the largest stays the same."""
        ys, xs = (
            [code.least(code.most(code.add(first, str(i)), "0"), str(size - 1)) for i in range(count)]
            for first, count, size in (rows, columns)
        )
        return [self._pixel(code, image, y, x) for y in ys for x in xs]

    def _by_loops(
        self, code: Code, image: str, rows: tuple[str, int, int], columns: tuple[str, int, int], target: str
    ) -> None:
        kind = memory(self.dtype)
        (low_y, high_y), (low_x, high_x) = (
            (code.most(first, "0"), code.least(code.add(first, str(count)), str(size)))
            for first, count, size in (rows, columns)
        )
        start = scalars.literal(0, self.dtype) if self.how == "avg" else scalars.lowest(self.dtype)
        with each(code, str(self.channels), again=True) as c:
            scalars.store(code, start, code.at(kind, target, c))
        with code.loop(high_y, low_y) as y, code.loop(high_x, low_x) as x:
            pixel = self._pixel(code, image, y, x)
            with each(code, str(self.channels)) as c:
                place = code.at(kind, target, c)
                so_far = scalars.load(code, place, self.dtype)
                value = scalars.load(code, code.at(kind, pixel, c), self.dtype)
                scalars.store(code, self._with(code, so_far, value), place)
        if self.how == "avg":
            count = code.mul(code.sub(high_y, low_y), code.sub(high_x, low_x))
            with each(code, str(self.channels)) as c:
                place = code.at(kind, target, c)
                total = scalars.load(code, place, self.dtype)
                scalars.store(code, self._divided(code, total, count), place)

    def _pixel(self, code: Code, image: str, y: str, x: str) -> str:
        place = code.add(code.mul(y, str(self.width)), x)
        return code.at(memory(self.dtype), image, code.mul(place, str(self.channels)))

    def _with(self, code: Code, a: Scalar, b: Scalar) -> Scalar:
        return element_of(code, "add" if self.how == "avg" else "maximum", [a, b], self.dtype, {})

    def _divided(self, code: Code, total: Scalar, count: str) -> Scalar:
        number = scalars.cast(code, Scalar(count, int64), self.dtype)
        return element_of(code, "divide", [total, number], self.dtype, {})
