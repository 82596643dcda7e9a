"""Models in files: what they were made with, their weights, what they are compiled with and how far training is."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.checkpoints import archives
from runtime.graph.callers import warn
from runtime.graph.dtypes import NumPyArray
from runtime.keras import losses, metrics, optimizers
from runtime.keras.custom_objects import by_its_own_name, custom, custom_object_scope
from runtime.keras.layers.symbolic import KerasTensor
from runtime.keras.models.trainer import Trainer
from runtime.keras.serialization import deserialized, serialized
from runtime.keras.shapes import shape_of
from runtime.keras.weights import set_values
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Structure
from runtime.tensors.variables import Variable

Path = str | os.PathLike[str]

_FORMAT, _VERSION = "runtime.keras model", 1
_STATE = "runtime.keras state of training"


def save(model: Trainer, path: Path, overwrite: bool) -> None:
    """Write a model to a file, with all that it takes to go on training it."""
    path = os.fspath(path)
    if not path.endswith(".keras"):
        raise ValueError(
            f"save() to {path!r}: the name of the file ends in '.keras'. Weights alone are written by save_weights()"
        )
    if not model.built:
        raise ValueError(
            f"save() of '{model.name}', which is not built: it has no weights yet. Call it with inputs first, or its "
            "build(input_shape)"
        )
    if not overwrite and os.path.exists(path):
        raise FileExistsError(f"save() with overwrite=False: there is a file {path!r}")
    optimizer = model.optimizer if model.compiled else None
    about = {
        "format": _FORMAT,
        "version": _VERSION,
        "model": serialized(model),
        "called_with": _shown(model._layer_state.first),
        "compiled_with": compiled_with(model),
        "optimizer_is_built": optimizer is not None and optimizer.built,
    }
    arrays = named(model.weights, "weights/")
    arrays |= named(optimizer.variables if optimizer is not None else [], "optimizer/")
    archives.write(path, _plain(about, model), arrays)


def named(variables: Sequence[Variable], before: str = "") -> dict[str, NumPyArray]:
    """The values of Variables, by names that are in their order."""
    return {f"{before}{number:05}/{v.hint}": np.asarray(v.numpy()) for number, v in enumerate(variables)}


def _plain(value: object, model: Trainer) -> Structure:
    """What JSON can hold, or say what it cannot."""
    if isinstance(value, Mapping):
        return {str(name): _plain(inner, model) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner, model) for inner in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(
        f"save() of '{model.name}': {value!r} is among what it was made or compiled with, and is no plain value. Have "
        "a method get_config() describe it, or give it by a name that custom_objects has"
    )


def _shown(given: object) -> Structure:
    """What a model was first called with: the shapes and dtypes of tensors, and plain values."""
    if isinstance(given, KerasTensor | Tensor | Variable):
        return {"shape": list(shape_of(given)), "dtype": given.dtype.name}
    if isinstance(given, Mapping):
        return {name: _shown(inner) for name, inner in given.items()}
    return [_shown(inner) for inner in given] if isinstance(given, list | tuple) else given


def _stand_ins(shown: object) -> Structure:
    """What stands for the tensors that a model was first called with."""
    if isinstance(shown, Mapping):
        if shown.keys() == {"shape", "dtype"}:
            return KerasTensor(tuple(shown["shape"]), shown["dtype"])
        return {name: _stand_ins(inner) for name, inner in shown.items()}
    return [*map(_stand_ins, shown)] if isinstance(shown, list) else shown


def compiled_with(model: Trainer) -> dict[str, object] | None:
    """What `compile` was given, as plain values; None for a model that is not compiled."""
    given = model._compiled
    if given is None:
        return None
    told = {name: serialized(value) for name, value in given.items()}
    return {**told, "optimizer": None if model.optimizer is None else optimizers.serialize(model.optimizer)}


def compile_again(model: Trainer, given: Mapping[str, Any]) -> bool:
    """Compile a model as another one was; whether it was done."""
    if type(model).compile is not Trainer.compile:
        warn(
            f"load_model: '{model.name}' is not compiled, since {type(model).__name__} has a compile() of its own. "
            "Call it before training goes on"
        )
        return False
    made: dict[str, Any] = dict(given)
    made["optimizer"] = None if given["optimizer"] is None else optimizers.deserialize(given["optimizer"])
    for name, get in (("loss", losses.get), ("metrics", metrics.get), ("weighted_metrics", metrics.get)):
        made[name] = _revived(given[name], get)
    model.compile(**made)
    return True


def _revived(given: object, get: Callable[..., object]) -> object:
    if isinstance(given, Mapping):
        return get(given) if "class_name" in given else {name: _revived(inner, get) for name, inner in given.items()}
    if isinstance(given, list | tuple):
        return [_revived(inner, get) for inner in given]
    if isinstance(given, str):
        found = custom(given, given) or by_its_own_name(given)
        return given if found is None else found() if isinstance(found, type) else found
    return given


class _NoFile(FileNotFoundError, ValueError):
    """There is no such file, which is a ValueError to Keras."""


def load(path: Path, custom_objects: Mapping[str, object] | None, compile: bool) -> Trainer:
    """The model that `save` has written."""
    try:
        about, arrays = archives.read(path, "a model")
    except FileNotFoundError as error:
        raise _NoFile(
            f"File not found: filepath={os.fspath(path)}. There is no such file to load a model from"
        ) from error
    if about.get("format") != _FORMAT:
        has_weights = " It has arrays alone: make the model, and call its load_weights()." if arrays else ""
        raise ValueError(f"{os.fspath(path)!r} is not a model, as save() writes it.{has_weights}")
    if about.get("version") != _VERSION:
        raise ValueError(
            f"{os.fspath(path)!r} was written by a later version of the library, in version {about.get('version')!r} "
            f"of the format; this one reads version {_VERSION}"
        )
    with custom_object_scope(custom_objects):
        try:
            model = deserialized(about["model"])
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{os.fspath(path)!r} does not describe a model: {error!r}") from error
        if not isinstance(model, Trainer):
            raise ValueError(f"{os.fspath(path)!r} does not describe a model: it makes {model!r}")
        if not model.built and about["called_with"] is not None:
            args, kwargs = _stand_ins(about["called_with"])
            model.compute_output_spec(*args, **kwargs)
            model.built = True
        set_values(model.name, model.weights, ordered(arrays, "weights/"), model.built)
        given = about["compiled_with"]
        if compile and given is not None and compile_again(model, given) and model.optimizer is not None:
            if about["optimizer_is_built"]:
                model.optimizer.build(model.trainable_variables)
            state = ordered(arrays, "optimizer/")
            if len(state) == len(model.optimizer.variables):
                set_values(model.optimizer.name, model.optimizer.variables, state)
            else:
                warn(
                    f"load_model: the optimizer of '{model.name}' begins anew, since what was kept is for "
                    f"{len(state)} Variables and it has {len(model.optimizer.variables)}"
                )
    return model


def ordered(arrays: Mapping[str, NumPyArray], before: str = "") -> list[NumPyArray]:
    """The arrays whose names begin so, in the order of the numbers in their names.

    >>> [int(a) for a in ordered({"arr_10": np.array(2), "arr_9": np.array(1)})]
    [1, 2]
    """
    names = [name for name in arrays if name.startswith(before)]
    by_number = {name: [int(p) if p.isdigit() else p for p in re.split(r"(\d+)", name)] for name in names}
    return [arrays[name] for name in sorted(names, key=by_number.__getitem__)]


def save_weights(model: Trainer, path: Path, overwrite: bool) -> None:
    """Write the weights of a model alone."""
    if not model.built:
        raise ValueError(f"save_weights() of '{model.name}', which is not built: call it with inputs first")
    if not overwrite and os.path.exists(path):
        raise FileExistsError(f"save_weights() with overwrite=False: there is a file {os.fspath(path)!r}")
    archives.write(path, {}, named(model.weights))


def load_weights(model: Trainer, path: Path, skip_mismatch: bool) -> None:
    """Set the weights of a model to those of a file: of weights alone, of a model, or of NumPy's arrays."""
    if not model.built:
        raise ValueError(
            f"load_weights() of '{model.name}', which is not built: call it with inputs first, or build(input_shape)"
        )
    about, arrays = archives.read(path, "a file of weights")
    weights, values = model.weights, ordered(arrays, "weights/" if about.get("format") == _FORMAT else "")
    if skip_mismatch:
        pairs = [(w, a) for w, a in zip(weights, values) if tuple(w.shape.as_list()) == a.shape]
        loaded = {id(w) for w, _ in pairs}
        left = ", ".join(f"'{w.hint}'" for w in weights if id(w) not in loaded)
        if left or len(values) > len(weights):
            warn(
                f"load_weights() with skip_mismatch=True: {left or 'none'} stay as they are; the file has "
                f"{len(values) - len(pairs)} arrays that do not fit"
            )
        weights, values = [w for w, _ in pairs], [a for _, a in pairs]
    set_values(model.name, weights, values)


def save_state(model: Trainer, path: Path, about: Mapping[str, object]) -> None:
    """Write the weights of a model, what its optimizer has kept, and plain values."""
    optimizer = model.optimizer
    arrays = named(model.weights, "weights/")
    arrays |= named(optimizer.variables if optimizer is not None else [], "optimizer/")
    archives.write(path, {"format": _STATE, **about}, arrays)


def restore_state(model: Trainer, path: Path) -> Mapping[str, object]:
    """Go on from what `save_state` has written; gives the plain values."""
    about, arrays = archives.read(path, "the state of training")
    if about.get("format") != _STATE:
        raise ValueError(f"{os.fspath(path)!r} is not the state of training, as BackupAndRestore writes it")
    kept = ordered(arrays, "optimizer/")
    optimizer = model.optimizer
    if optimizer is not None and len(kept) > len(optimizer.variables):
        optimizer.build(model.trainable_variables)
    set_values(model.name, model.weights, ordered(arrays, "weights/"))
    if optimizer is not None:
        set_values(optimizer.name, optimizer.variables, kept)
    return about
