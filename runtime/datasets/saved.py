"""Datasets in folders: the tensors of their elements as records of one file, and in another what the elements are."""

from __future__ import annotations

import gzip
import json
import os
import time
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any

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


def written(
    elements: Iterable[Element],
    spec: Spec,
    path: str,
    compression: str | None,
    shard_of: Callable[[Element], Any] | None = None,
) -> Iterator[Element]:
    """The elements, each written into a folder; what they are is there once all have been.

    Each part has a file of its own, in the order of their numbers.
    """
    described = _described(spec)
    os.makedirs(path, exist_ok=True)
    for known in os.listdir(path):
        if known == _ABOUT or known.startswith(_ELEMENTS):
            os.remove(os.path.join(path, known))
    parts: dict[int, TFRecordWriter] = {}
    count = 0
    try:
        for element in elements:
            number = 0 if shard_of is None else int(shard_of(element))
            if number not in parts:
                beside = os.path.join(path, f"{_ELEMENTS}.{number}.part")
                parts[number] = TFRecordWriter(beside, "GZIP" if compression == "GZIP" else None)
            for array in arrays_of(element):
                parts[number].write(to_bytes(array, as_dtype(array.dtype)))
            count += 1
            yield element
    finally:
        for writer in parts.values():
            writer.close()
    if not parts:
        TFRecordWriter(_file(path, 0), "GZIP" if compression == "GZIP" else None).close()
    for at, number in enumerate(sorted(parts)):
        os.replace(os.path.join(path, f"{_ELEMENTS}.{number}.part"), _file(path, at))
    with open(os.path.join(path, _ABOUT), "w", encoding="utf-8") as file:
        json.dump({"spec": described, "count": count, "parts": max(1, len(parts))}, file)


def _file(path: str, part: int) -> str:
    return os.path.join(path, f"{_ELEMENTS}.{part}" if part else _ELEMENTS)


def is_there(path: str) -> bool:
    """Whether a folder holds a dataset."""
    return os.path.exists(os.path.join(path, _ABOUT))


def about(path: str, wait: bool = False) -> tuple[Spec, int, int]:
    """What the elements in a folder are, how many, and in how many parts."""
    while wait and not is_there(path):
        time.sleep(0.1)
    try:
        with open(os.path.join(path, _ABOUT), encoding="utf-8") as file:
            data = json.load(file)
        return _spec_of(data["spec"]), int(data["count"]), int(data.get("parts", 1))
    except FileNotFoundError as error:
        raise NotFoundError(f"{path}: no dataset was saved in this folder") from error
    except (ValueError, KeyError, TypeError) as error:
        raise DataLossError(f"{path}: what the dataset is made of cannot be read: {error!r}") from error


def read(path: str, spec: Spec, compression: str | None, part: int) -> Iterator[Element]:
    """The elements of one part in a folder, one after another."""
    wanted = [one for one in nest.flatten(spec) if one is not None]
    opened: Callable[[str, str], IO[bytes]] = gzip.open if compression == "GZIP" else open  # type: ignore[assignment]
    try:
        with opened(_file(path, part), "rb") as file:
            arrays = (from_bytes(record) for record in records_of(file))
            while row := [next(arrays, None) for _ in wanted]:
                if row[0] is None:
                    return
                for one, found in zip(wanted, row, strict=True):
                    if found is None or found[1] != one.dtype or not one.shape.is_compatible_with(found[0].shape):
                        raise ValueError(f"a tensor is not {one}")
                yield element_of(spec, [array for array, _ in row])  # type: ignore[misc]
    except (gzip.BadGzipFile, EOFError, FileNotFoundError, ValueError) as error:
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
