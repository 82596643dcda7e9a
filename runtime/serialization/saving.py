"""Saving an object with its functions and loading it: one archive in a folder."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from runtime.checkpoints import archives
from runtime.checkpoints.objects import is_object
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.function import Function
from runtime.graph.dtypes import NumPyArray
from runtime.serialization.objects import Loaded, ObjectReader, ObjectWriter, parts_of
from runtime.serialization.signatures import DEFAULT, SERVING, Signatures, concrete_of, default_of, names_of, results_of
from runtime.serialization.values import Malformed, NotSavable
from runtime.tensors.trace import recording

_FILE = "saved_model.npz"
_FORMAT, _VERSION = "runtime saved model", 1
Savable: TypeAlias = "Function[..., object] | ConcreteFunction"


class SaveOptions:
    """How `save` is to save.

    Args:
      experimental_custom_gradients: must be True: what `custom_gradient` says is saved in any case.
    Raises:
      NotImplementedError: for False.

    >>> import tempfile
    >>> options = tf.saved_model.SaveOptions(experimental_custom_gradients=True)
    >>> tf.saved_model.save(tf.Module(), tempfile.mkdtemp(), options=options)
    """

    def __init__(self, experimental_custom_gradients: bool = True) -> None:
        if not experimental_custom_gradients:
            raise NotImplementedError("SaveOptions(experimental_custom_gradients=False): gradients are always saved")


def save(
    obj: object,
    export_dir: str | os.PathLike[str],
    signatures: Savable | Mapping[str, Savable] | None = None,
    options: SaveOptions | None = None,
) -> None:
    """Save an object with what it holds: Variables, functions as the graphs that they have by now, and other Modules.

    What is saved are the attributes: Variables, `function`s (those of the class, too), ConcreteFunctions, tensors,
    Modules, plain values of Python's, and lists, tuples and dictionaries of such. Others, and methods that are not
    `function`s, are left out. A function is saved with the graphs that calls of it, and `get_concrete_function`, have
    made; one with an `input_signature` is traced for it. Variables that functions use are saved wherever they are. No
    code is saved: an exception of a class of the program's becomes one of the nearest class that Python has.

    Args:
      obj: a Module, or anything that `train.Checkpoint` takes.
      export_dir: a folder, which is made if it is not there. The file in it, an archive of NumPy's arrays and of JSON,
        is there as a whole or not at all; that of an earlier call is replaced.
      signatures: a function with an `input_signature`, or a ConcreteFunction, or a dictionary of such by names: graphs
        that take tensors by name and give a dictionary. One alone gets the name ``"serving_default"``, and so has the
        only function with an `input_signature` where none is given, or the call of a Keras model that is built.
      options: `SaveOptions`, or None.
    Raises:
      NotImplementedError: for other options.
      ValueError: for other objects, for functions whose graphs call Python (`py_function`, datasets, tables), and for
        signatures whose arguments or results are not tensors.

    >>> import tempfile
    >>> m = tf.Module()
    >>> m.scale = tf.Variable(3.0)
    >>> m.times = tf.function(lambda x: m.scale * x)
    >>> folder = tempfile.mkdtemp()
    >>> tf.saved_model.save(m, folder, signatures=m.times.get_concrete_function(tf.TensorSpec([None], name="x")))
    >>> tf.saved_model.load(folder).signatures["serving_default"](x=[1.0, 2.0])
    {'output_0': <tf.Tensor: shape=(2,), dtype=float32, numpy=array([3., 6.], dtype=float32)>}
    """
    if not isinstance(options, SaveOptions | None):
        raise NotImplementedError(f"save with options={options!r}: SaveOptions and None are there")
    if not is_object(obj):
        raise ValueError(
            f"Expected an object of type `Trackable`, such as `tf.Module`, to save; got {obj!r}, which is of type "
            f"{type(obj).__name__}. Make it an attribute of a tf.Module()."
        )
    with recording(None):
        named = _named(obj, signatures)
        try:
            data, arrays = _written(obj, named)
        except NotSavable as error:
            if signatures is not None or not named:
                raise _not_written(export_dir, error) from None
            try:  # nobody has asked for the signature
                data, arrays = _written(obj, {})
            except NotSavable as other:
                raise _not_written(export_dir, other) from None
    about = {"format": _FORMAT, "version": _VERSION, **data}
    os.makedirs(export_dir, exist_ok=True)
    archives.write(os.path.join(export_dir, _FILE), about, arrays)


def _not_written(export_dir: object, error: Exception) -> ValueError:
    return ValueError(f"{export_dir!r} was not written: {error}")


def _written(obj: object, signatures: Mapping[str, object]) -> tuple[dict[str, object], dict[str, NumPyArray]]:
    """An object with its signatures as plain values, and as arrays."""
    writer = ObjectWriter()
    writer.add(obj, type(obj).__name__)
    graphs = {name: concrete_of(f) for name, f in signatures.items()}
    writer.finish()
    found = {
        name: writer.functions.signature(graph, names_of(graph), results_of(name, graph))
        for name, graph in graphs.items()
    }
    return writer.data(found), writer.arrays


def _named(obj: object, signatures: object) -> Mapping[str, object]:
    """The signatures by name."""
    if signatures is None:
        of_model = getattr(obj, "_default_save_signature", None)
        if of_model is not None:
            try:
                return {DEFAULT: concrete_of(of_model)}
            except Exception:  # of whatever kind: nobody has asked for what cannot be traced for any batch
                return {}
        known = [part for _, part in parts_of(obj) if isinstance(part, Function | ConcreteFunction)]
        default = default_of(known) if not isinstance(obj, Loaded) else None
        given = vars(obj).get("signatures", {}) if isinstance(obj, Loaded) else {}
        return given or ({} if default is None else {DEFAULT: default})
    if not isinstance(signatures, Mapping):
        return {DEFAULT: signatures}
    if not all(isinstance(name, str) for name in signatures):
        raise ValueError(f"signatures are found by texts, not by {[*signatures]!r}")
    return signatures


def load(export_dir: str | os.PathLike[str], tags: str | Sequence[str] | None = None, options: None = None) -> Any:
    """What `save` has saved: an object with the same attributes, and the `signatures`, a dictionary.

    Functions have the graphs that they were saved with. They can be called, also within other functions, and
    differentiated, and share the Variables of the object. Nothing is run but operations of this library; all that the
    file holds is checked before.

    Args:
      export_dir: the folder.
      tags: None, or ``"serve"``, or a list of that: there are no others.
      options: must be None.
    Raises:
      FileNotFoundError: if there is no such folder, or no saved model in it.
      ValueError: if it is damaged, or was not written by `save`.

    >>> tf.saved_model.load("nowhere")
    Traceback (most recent call last):
        ...
    FileNotFoundError: SavedModel file does not exist at: nowhere/saved_model.npz
    """
    if options is not None:
        raise NotImplementedError(f"load with options={options!r}: only None is there")
    wanted = [tags] if isinstance(tags, str) else list(tags or [])
    if not {*wanted} <= {SERVING}:
        raise ValueError(
            f"Got an incompatible argument to `tags`: {tags!r}. What is saved has the tag {SERVING!r}: pass "
            "that, or None."
        )
    path = os.path.join(export_dir, _FILE)
    if not os.path.exists(path):
        if os.path.exists(os.path.join(export_dir, "saved_model.pb")):
            raise ValueError(
                f"{os.fspath(export_dir)!r} was written by TensorFlow, as protocol buffers. What "
                "tf.saved_model.load reads is written by tf.saved_model.save of this library."
            )
        raise FileNotFoundError(f"SavedModel file does not exist at: {path}")
    about, arrays = archives.read(path, "a saved model")
    try:
        if about.get("format") != _FORMAT or about.get("version") != _VERSION:
            raise Malformed(f"it is {about.get('format')!r}, version {about.get('version')!r}")
        with recording(None):
            reader = ObjectReader(about, arrays)
            root = reader.root()
            if isinstance(root, Loaded):
                vars(root)["signatures"] = Signatures(reader.signatures())
    except RecursionError:
        raise ValueError(f"{path!r} is not a saved model, or is damaged: it is too deep") from None
    except Exception as error:  # of whatever kind: what is read here, only `save` has written, or nobody
        raise ValueError(f"{path!r} is not a saved model, or is damaged: {error}") from error
    return root


def contains_saved_model(export_dir: str | os.PathLike[str]) -> bool:
    """Whether there is a saved model of this library's in a folder.

    >>> tf.saved_model.contains_saved_model("nowhere")
    False
    """
    return os.path.isfile(os.path.join(export_dir, _FILE))
