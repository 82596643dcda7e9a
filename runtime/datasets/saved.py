"""Datasets in folders: the tensors of their elements as records of one file, and in another what the elements are."""

from __future__ import annotations

import gzip
import json
import os
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator
from typing import IO

from runtime.datasets.elements import Element, Spec, arrays_of, element_of
from runtime.graph.dtypes import as_dtype
from runtime.graph.errors import DataLossError, NotFoundError
from runtime.ops.protos import from_bytes, to_bytes
from runtime.ops.records import records_of
from runtime.tensors import nest
from runtime.tensors.record_files import TFRecordWriter
from runtime.tensors.spec import TensorSpec

_ABOUT, _ELEMENTS = "dataset.json", "elements"
PACKED = (None, "NONE", "GZIP")


def write(elements: Iterable[Element], spec: Spec, path: str, compression: str | None) -> None:
    """Write elements into a folder, and what they are once they are there."""
    described = _described(spec)
    os.makedirs(path, exist_ok=True)
    beside, count = os.path.join(path, f"{_ELEMENTS}.part"), 0
    with TFRecordWriter(beside, "GZIP" if compression == "GZIP" else None) as writer:
        for element in elements:
            for array in arrays_of(element):
                writer.write(to_bytes(array, as_dtype(array.dtype)))
            count += 1
    os.replace(beside, os.path.join(path, _ELEMENTS))
    with open(os.path.join(path, _ABOUT), "w", encoding="utf-8") as file:
        json.dump({"spec": described, "count": count}, file)


def about(path: str) -> tuple[Spec, int]:
    """What the elements in a folder are, and how many."""
    try:
        with open(os.path.join(path, _ABOUT), encoding="utf-8") as file:
            data = json.load(file)
        return _spec_of(data["spec"]), int(data["count"])
    except FileNotFoundError as error:
        raise NotFoundError(f"{path}: no dataset was saved in this folder") from error
    except (ValueError, KeyError, TypeError) as error:
        raise DataLossError(f"{path}: what the dataset is made of cannot be read: {error!r}") from error


def read(path: str, spec: Spec, compression: str | None) -> Iterator[Element]:
    """The elements in a folder, one after another."""
    wanted = [part for part in nest.flatten(spec) if part is not None]
    opened: Callable[[str, str], IO[bytes]] = gzip.open if compression == "GZIP" else open  # type: ignore[assignment]
    try:
        with opened(os.path.join(path, _ELEMENTS), "rb") as file:
            arrays = (from_bytes(record) for record in records_of(file))
            while row := [next(arrays, None) for _ in wanted]:
                if row[0] is None:
                    return
                for part, found in zip(wanted, row, strict=True):
                    if found is None or found[1] != part.dtype or not part.shape.is_compatible_with(found[0].shape):
                        raise ValueError(f"a tensor is not {part}")
                yield element_of(spec, [array for array, _ in row])  # type: ignore[misc]
    except (gzip.BadGzipFile, EOFError, ValueError) as error:
        raise DataLossError(f"{path}: the elements cannot be read: {error}") from error


def _described(spec: Spec) -> object:
    """A structure of TensorSpecs as JSON has it."""
    if spec is None:
        return None
    if isinstance(spec, TensorSpec):
        return {"dtype": spec.dtype.name, "shape": None if spec.shape.rank is None else spec.shape.as_list()}
    if type(spec) is dict and all(isinstance(key, str) for key in spec):
        return {"dict": [[key, _described(part)] for key, part in spec.items()]}
    if type(spec) is tuple:
        return {"tuple": [_described(part) for part in spec]}
    if isinstance(spec, tuple) and hasattr(spec, "_fields"):
        return {"named": [type(spec).__name__, *spec._fields], "parts": [_described(part) for part in spec]}
    raise TypeError(f"{spec!r} cannot be saved: an element is of tensors, in tuples and in dictionaries by texts")


def _spec_of(data: object) -> Spec:
    if data is None:
        return None
    if not isinstance(data, dict):
        raise ValueError(f"{data!r} stands where a part of an element is expected")
    if "dict" in data:
        return {str(key): _spec_of(part) for key, part in data["dict"]}
    if "tuple" in data:
        return tuple(_spec_of(part) for part in data["tuple"])
    if "named" in data:
        name, *fields = data["named"]
        return namedtuple(name, fields)(*map(_spec_of, data["parts"]))  # type: ignore[misc]
    return TensorSpec(data["shape"], data["dtype"])
