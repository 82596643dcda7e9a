"""Pooling of images."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.dtypes import int64
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
    kind = memory(x.dtype)

    def body(code: Code, values: Sequence[str], start: str, end: str, _: str) -> None:
        source, target = values
        with code.loop(end, start) as line, code.loop(str(out[1])) as column:
            image, row = code.divide(line, str(out[0])), code.rest(line, str(out[0]))
            top = code.sub(code.mul(row, str(strides[0])), str(pads[0][0]))
            left = code.sub(code.mul(column, str(strides[1])), str(pads[1][0]))
            low_y, high_y = code.most(top, "0"), code.least(code.add(top, str(window[0])), str(height))
            low_x, high_x = code.most(left, "0"), code.least(code.add(left, str(window[1])), str(width))
            place = code.mul(code.add(code.mul(line, str(out[1])), column), str(channels))
            goal = code.at(kind, target, place)
            first = scalars.literal(0, x.dtype) if how == "avg" else scalars.lowest(x.dtype)
            with each(code, str(channels)) as c:
                scalars.store(code, first, code.at(kind, goal, c))
            with code.loop(high_y, low_y) as y, code.loop(high_x, low_x) as xx:
                pixel = code.add(code.mul(code.add(code.mul(image, str(height)), y), str(width)), xx)
                origin = code.at(kind, source, code.mul(pixel, str(channels)))
                with each(code, str(channels)) as c:
                    there = code.at(kind, goal, c)
                    a, b = scalars.load(code, there, x.dtype), scalars.load(code, code.at(kind, origin, c), x.dtype)
                    name = "add" if how == "avg" else "maximum"
                    scalars.store(code, element_of(code, name, [a, b], x.dtype, {}), there)
            if how == "avg":
                count = code.mul(code.sub(high_y, low_y), code.sub(high_x, low_x))
                number = scalars.cast(code, Scalar(count, int64), x.dtype)
                with each(code, str(channels)) as c:
                    there = code.at(kind, goal, c)
                    total = scalars.load(code, there, x.dtype)
                    scalars.store(code, element_of(code, "divide", [total, number], x.dtype, {}), there)

    divided(
        lowering.code,
        lines,
        out[1] * channels * window[0] * window[1],
        [("ptr", x.pointer), ("ptr", made.pointer)],
        body,
    )
    return [made]
