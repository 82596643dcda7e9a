"""What convolution and pooling of images share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runtime.executors.native.arithmetic import element_of
from runtime.executors.native.code import Code
from runtime.executors.native.lowering import Lowering
from runtime.executors.native.values import Array, Scalar
from runtime.graph.graph import Node


@dataclass(frozen=True)
class Plan:
    """The sizes of a convolution."""

    height: int
    width: int
    channels: int
    rows: int
    columns: int
    units: int
    out_height: int
    out_width: int
    strides: tuple[int, int]
    dilations: tuple[int, int]
    before: tuple[int, int]  # pixels of padding above and to the left


class Way:
    """A way to convolve a block of rows of an image; it works in memory of its own for each thread."""

    blocks: int  # of an image
    cost: int  # of a block
    weights: Array
    memory: list[tuple[Array, int]]  # with the elements that a thread uses
    after: Sequence[Node] = ()  # operations on the results

    def convolve(self, code: Code, source: str, target: str, weights: str, scratch: Sequence[str], block: str) -> None:
        raise NotImplementedError

    def finished(self, code: Code, text: str) -> str:
        """A result, or a vector of them, with what is done to it afterwards."""
        dtype = self.weights.dtype
        for node in self.after:
            text = element_of(code, node.op, [Scalar(text, dtype)], dtype, node.attributes).text
        return text


def positions(
    lowering: Lowering,
    padding: str,
    size: Sequence[str],
    window: Sequence[str],
    strides: Sequence[int],
    dilations: Sequence[int],
) -> tuple[list[str], list[str]]:
    """The padding before images of any size, and the sizes of results."""
    code = lowering.code
    befores, counts = [], []
    for axis, (d, k, s, r) in enumerate(zip(size, window, strides, dilations)):
        reach = code.add(code.mul(code.sub(k, "1"), lowering.bounded(r)), "1")
        before, after = ("0", "0") if isinstance(padding, str) else map(lowering.bounded, padding[axis])
        if padding == "SAME":
            steps = code.sub(code.divide(code.add(d, str(s - 1)), str(s)), "1")
            total = code.most(code.sub(code.add(code.mul(steps, str(s)), reach), d), "0")
            before = code.divide(total, "2")
            after = code.sub(total, before)
        room = code.sub(code.add(d, code.add(before, after)), reach)
        lowering.require(code.compare("sge", room, "0"))
        befores.append(before)
        counts.append(code.add(code.divide(room, str(s)), "1"))
    return befores, counts
