"""Archives: one file of arrays and plain values, without code, which is there as a whole or not at all."""

from __future__ import annotations

import base64
import binascii
import json
import math
import os
import secrets
import zipfile
import zlib
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO, TypeAlias

import numpy as np

from runtime.graph.dtypes import NumPyArray

Path: TypeAlias = "str | os.PathLike[str]"

_ABOUT = "about.json"
_TEXTS = "strings.json"  # arrays of texts, which NumPy would write as code
_FIRST = (1980, 1, 1, 0, 0, 0)  # the same arrays make the same bytes, whenever they are written


def write(path: Path, about: Mapping[str, object], arrays: Mapping[str, NumPyArray]) -> None:
    """Write an archive in the place of what was there; a file that could not be written whole leaves no trace.

    Args:
      path: the file.
      about: values that JSON has.
      arrays: arrays of any shape and dtype, by names; NumPy's `load` finds them in the file.
    """
    texts = {name: array for name, array in arrays.items() if array.dtype == object}

    def fill(file: BinaryIO) -> None:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
            if about:
                archive.writestr(zipfile.ZipInfo(_ABOUT, _FIRST), json.dumps(about, indent=1))
            if texts:
                listed = json.dumps({name: _listed(array) for name, array in texts.items()})
                archive.writestr(zipfile.ZipInfo(_TEXTS, _FIRST), listed)
            for name, array in arrays.items():
                if name not in texts:
                    with archive.open(zipfile.ZipInfo(f"{name}.npy", _FIRST), "w", force_zip64=True) as member:
                        np.lib.format.write_array(member, np.asanyarray(array), allow_pickle=False)

    replace(path, fill)


def replace(path: Path, fill: Callable[[BinaryIO], object]) -> None:
    """Have a file written, which takes its place when it is whole.

    Args:
      path: the file.
      fill: writes to the open file that it is given.
    """
    path = os.fspath(path)
    folder = os.path.dirname(path)
    if folder and not os.path.isdir(folder):
        raise FileNotFoundError(f"{path!r} cannot be written: there is no folder {folder!r}")
    beside = f"{path}.{secrets.token_hex(4)}.part"
    try:
        with open(beside, "xb") as file:
            fill(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        if os.path.exists(beside):
            os.remove(beside)
        raise


def read(path: Path, what: str) -> tuple[dict[str, Any], dict[str, NumPyArray]]:
    """What `write` has written.

    Args:
      path: the file.
      what: what it is to be, for messages: ``"a model"``.
    Returns: the values, and the arrays. A file of arrays alone, as NumPy's `savez` writes it, has no values.
    Raises:
      FileNotFoundError: if there is no such file.
      ValueError: if it is none of these, or damaged.
    """
    path = os.fspath(path)
    if os.path.isdir(path):
        raise ValueError(f"{path!r} is a folder, and {what} is one file")
    with open(path, "rb") as file:
        begin = file.read(8)
    if begin == b"\x89HDF\r\n\x1a\n":
        raise ValueError(
            f"{path!r} is a file of HDF5, as Keras writes it; {what} of this library is an archive of NumPy's arrays. "
            "Read it by the package h5py, and hand its arrays to set_weights()."
        )
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            if "model.weights.h5" in names:
                raise ValueError(
                    f"{path!r} was written by Keras: its weights are in a file of HDF5. In Keras, write those of "
                    "model.get_weights() by numpy.savez, and read them with load_weights() here."
                )
            about = json.loads(archive.read(_ABOUT)) if _ABOUT in names else {}
            texts = json.loads(archive.read(_TEXTS)) if _TEXTS in names else {}
            arrays = {name: _array(listed) for name, listed in texts.items()}
            for name in names:
                if name.endswith(".npy"):
                    arrays[name[:-4]] = _stored(archive, name)
    except (zipfile.BadZipFile, zlib.error, EOFError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path!r} is not {what}, or is damaged: {error}") from error
    except (KeyError, TypeError, AttributeError, binascii.Error, NotImplementedError) as error:
        raise ValueError(f"{path!r} is not {what}, or is damaged: {error!r}") from error
    except ValueError as error:
        if str(error).startswith(repr(path)):
            raise
        raise ValueError(f"{path!r} cannot be read as {what}: {error}") from error
    if not isinstance(about, dict):
        raise ValueError(f"{path!r} is not {what}: it begins with {about!r}, where a dictionary stands")
    return about, arrays


def _stored(archive: zipfile.ZipFile, name: str) -> NumPyArray:
    """An array of an archive, of which its beginning does not say that it is larger than it is."""
    with archive.open(name) as member:
        version = np.lib.format.read_magic(member)
        readers = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
        if version not in readers:
            raise ValueError(f"{name!r} is an array of version {version}")
        shape, _, dtype = readers[version](member)
        held = archive.getinfo(name).file_size - member.tell()
    if dtype.hasobject:
        raise ValueError("Object arrays cannot be loaded: they hold code")
    if math.prod(shape) * dtype.itemsize != held:
        raise ValueError(f"{name!r} says that it is {dtype}{shape}, and has {held} bytes")
    with archive.open(name) as member:
        return np.lib.format.read_array(member, allow_pickle=False)


def _listed(array: NumPyArray) -> dict[str, object]:
    values = [base64.b64encode(bytes(one)).decode("ascii") for one in array.ravel().tolist()]
    return {"shape": list(array.shape), "values": values}


def _array(listed: Mapping[str, Any]) -> NumPyArray:
    made = np.empty(len(listed["values"]), object)
    made[:] = [base64.b64decode(one, validate=True) for one in listed["values"]]
    return made.reshape(listed["shape"])
