"""What convolution and pooling of images share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runtime.executors.native.arithmetic import element_of
from runtime.executors.native.code import Code, is_literal
from runtime.executors.native.values import Array, Scalar, Unsupported
from runtime.graph import Node


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
            text = element_of(code, node.op.name, [Scalar(text, dtype)], dtype, node.attributes).text
        return text


def sizes(node: Node, *arrays: Array) -> list[list[int]]:
    """The dimensions, all of which must be known (of images: all but their number)."""
    found = []
    for array in arrays:
        if not all(map(is_literal, array.dims[1:])):
            raise Unsupported("the height, width or channels of images are not known", node)
        found.append([int(d) if is_literal(d) else -1 for d in array.dims])
    return found


def windows(size: int, window: int, stride: int, dilation: int = 1) -> int:
    """How many windows fit into so many pixels."""
    return (size - (window - 1) * dilation - 1) // stride + 1
