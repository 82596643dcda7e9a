"""Masks: which steps of the sequences in a tensor count. They travel beside the tensors, from layer to layer."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from runtime.tensors import nest

if TYPE_CHECKING:  # which have their masks as attributes
    from runtime.tensors.tensor import Tensor
    from runtime.tensors.types import Structure

_masks: dict[int, tuple[weakref.ref[object], Tensor]] = {}


def mask_of(tensor: object) -> Tensor | None:
    """The mask of a tensor, of booleans and of shape [batch, time]; None if all steps count."""
    found = _masks.get(id(tensor))
    return None if found is None or found[0]() is not tensor else found[1]


def masks_of(tensors: Structure) -> Structure:
    """The masks of tensors, or None if there is none."""
    if not _masks:
        return None
    masks = [mask_of(t) for t in nest.flatten(tensors)]
    return nest.rebuild(tensors, iter(masks)) if any(m is not None for m in masks) else None


def take_masks(*tensors: Tensor) -> None:
    """Have tensors bear no masks any more."""
    for tensor in tensors:
        _masks.pop(id(tensor), None)


def set_mask(tensor: Tensor, mask: Tensor | None) -> None:
    """Have a tensor bear a mask for as long as it lives."""
    if mask is None:
        return
    key = id(tensor)
    _masks[key] = (weakref.ref(tensor, lambda _: _masks.pop(key, None)), mask)
