"""The characters of text that only the graph knows, and the lists that are made of such text."""

from __future__ import annotations

from runtime.control.lists import TensorList
from runtime.control.rows import Column, Rows
from runtime.graph.owner import Owner
from runtime.ops import lists, texts
from runtime.tensors.operations import apply, apply_to_list
from runtime.tensors.tensor import Tensor


def characters(text: Tensor) -> TensorList:
    """The characters of a text, as a list of Python's has them."""
    return list_of_texts(apply(texts.letters, text, unit="UTF8_CHAR", counted=False))


def list_of_texts(parts: Tensor) -> TensorList:
    """A list of Python's texts."""
    return TensorList.holding(Rows(Column(0, Owner.PYTHON), [apply_to_list(lists.from_tensor, parts, weak=False)]))
