"""What models are trained on, batch by batch: arrays, datasets, and iterators."""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from typing import TypeAlias

import numpy as np

from runtime.control.items import Source
from runtime.graph.callers import warn
from runtime.graph.dtypes import NumPyArray
from runtime.keras import settings
from runtime.keras.pydataset import PyDataset
from runtime.ops.random import generator
from runtime.tensors import nest
from runtime.tensors.conversion import convert_to_tensor
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Structure, TensorLike
from runtime.tensors.variables import Variable

Weigh: TypeAlias = "Callable[[object, object], Tensor | NumPyArray]"  # weights of examples, of targets and weights

_KEPT = 2  # batches of an iterator


class Batches:
    """Batches: ``x``, ``(x, y)`` or ``(x, y, sample_weight)``, gone through anew for each epoch."""

    def __init__(
        self,
        make: Callable[[], Iterable[object]],
        count: int | None,
        endless: bool = False,
        once: bool = False,
        source: PyDataset | None = None,
    ) -> None:
        self.make, self.count, self.endless, self.once, self.source = make, count, endless, once, source

    def __iter__(self) -> Iterator[Structure]:
        return iter(self.make())

    def begin(self) -> None:
        """Tell the data that an epoch begins."""
        if self.source is not None:
            self.source.on_epoch_begin()

    def end(self) -> None:
        """Tell the data that an epoch has ended; Keras does so before the first one, too."""
        if self.source is not None:
            self.source.on_epoch_end()


def unpacked(data: object) -> tuple[Structure, Structure, Structure]:
    """Inputs, targets and weights of what a batch is; None for what is not there.

    >>> unpacked((1, 2)), unpacked(1)
    ((1, 2, None), (1, None, None))
    """
    if isinstance(data, list) and len(data) <= 3:
        data = tuple(data)
    if not isinstance(data, tuple):
        return data, None, None
    if not 1 <= len(data) <= 3:
        raise ValueError(f"a batch of {len(data)} parts: it is x, (x, y) or (x, y, sample_weight)")
    x, y, weight = (*data, None, None)[:3]
    return x, y, weight


def packed(x: object, y: object = None, weight: object = None) -> Structure:
    """Inputs, targets and weights as a batch; inputs alone are the batch, unless that could be taken for the others.

    >>> packed(1), packed([1, 2]), packed(1, 2), packed(1, None, 3)
    (1, ([1, 2],), (1, 2), (1, None, 3))
    """
    if weight is not None:
        return x, y, weight
    if y is None:
        return (x,) if isinstance(x, list | tuple) else x
    return x, y


def of_anything(
    x: object,
    y: object,
    weight: object,
    batch_size: int | None,
    shuffle: bool,
    class_weight: Mapping[int, float] | None,
    what: str,
    steps: int | None = None,
) -> Batches:
    """The batches of what `fit`, `evaluate` and `predict` take: arrays without a size of batches make as many as there
    are to be steps."""
    weigh = None if class_weight is None else _weighing(class_weight)
    if isinstance(x, Source) or not _is_data(x):
        if y is not None or weight is not None:
            raise ValueError(
                f"{what} of a dataset or an iterator: it gives the targets and weights, y and sample_weight are None"
            )
        if batch_size is not None:
            warn(
                f"{what} of a dataset or an iterator with batch_size={batch_size}: it gives batches already, and the "
                "number is ignored, as in Keras."
            )
        return _of_iterable(x, weigh, what, shuffle)
    return of_arrays(x, y, weight, batch_size, shuffle, weigh, steps)


def _is_data(x: object) -> bool:
    """Whether it holds arrays, rather than giving batches one by one."""
    if isinstance(x, np.ndarray | Tensor | Variable | list | tuple | Mapping):
        return True
    return hasattr(x, "__array__")


class _Anew:
    """The batches of a `PyDataset`, epoch by epoch, each time in another order if they are shuffled."""

    def __init__(self, source: PyDataset, shuffle: bool) -> None:
        self.source, self.shuffle = source, shuffle

    def __iter__(self) -> Iterator[object]:
        count = self.source.num_batches
        if count is None or not self.shuffle:
            return iter(PyDataset.__iter__(self.source))
        return (self.source[index] for index in generator().permutation(count).tolist())


class _Resumed:
    """The batches of an iterator, which gives each once: whoever begins anew gets the first ones, which Keras looks at
    and keeps, and then those that nobody has had."""

    def __init__(self, source: Iterator[object]) -> None:
        self.first, self.rest, self.begun = list(itertools.islice(source, _KEPT)), source, False
        if not self.first:
            raise ValueError("a generator must yield at least one batch, and this one yields none")

    def __iter__(self) -> Iterator[object]:
        again, self.begun = self.begun, True
        yield from self.first
        more = False
        for batch in self.rest:
            more = True
            yield batch
        if again and not more:
            told = f"gone through again, it had its first {len(self.first)} alone. Give a Dataset, or have it go on"
            warn(f"a generator gives its batches once: {told}.")


def _of_iterable(source: object, weigh: Weigh | None, what: str, shuffle: bool) -> Batches:
    if not hasattr(source, "__iter__"):
        raise ValueError(f"{what} of {source!r}: it takes arrays, a tf.data.Dataset or an iterator over batches")
    told = source if isinstance(source, PyDataset) else None
    count: int | None = None
    if told is not None:
        count, source = told.num_batches, _Anew(told, shuffle)
    elif isinstance(source, Sized):
        with contextlib.suppress(TypeError):  # of a dataset that does not know
            count = len(source)
    once = iter(source) is source
    given = _Resumed(iter(source)) if once else source

    def make() -> Iterator[Structure]:
        for data in given:
            x, y, weight = (nest.map_structure(_tensor, part) if part is not None else None for part in unpacked(data))
            yield packed(x, y, weight if weigh is None else weigh(y, weight))

    endless = (told is not None and count is None) or (
        isinstance(source, Source) and int(getattr(source, "_count", 0)) == -1
    )
    return Batches(make, count, endless, once, told)


def _tensor(value: TensorLike) -> Tensor:
    return value if isinstance(value, Tensor) else convert_to_tensor(_array(value))


def _array(value: object) -> NumPyArray:
    """An array whose floats are of the dtype of the layers."""
    array = np.asarray(value.numpy() if isinstance(value, Tensor | Variable) else value)
    return array.astype(settings.floatx()) if array.dtype == np.float64 else array


def arrays_of(data: object) -> Structure:
    """Arrays in place of what becomes such; lists of numbers are arrays."""
    if data is None:
        return None
    if isinstance(data, list | tuple) and not any(hasattr(part, "shape") for part in nest.flatten(data)):
        return _array(np.asarray(data))
    if nest.is_nested(data):
        return nest.map_structure(_array, data)
    return _array(data)


def count_of(data: object, what: str = "x") -> int:
    """How many examples there are, which all arrays agree on."""
    sizes = {len(a) if a.ndim else 0 for a in nest.flatten(data)}
    if len(sizes) != 1:
        shapes = ", ".join(str(a.shape) for a in nest.flatten(data))
        raise ValueError(f"Data cardinality is ambiguous: the arrays have shapes {shapes}, whose first sizes differ")
    return sizes.pop()


def of_arrays(
    x: object, y: object, weight: object, batch_size: int | None, shuffle: bool, weigh: Weigh | None = None,
    steps: int | None = None,
) -> Batches:  # fmt: skip
    """Batches of arrays, in another order each time if they are shuffled; without a size as many as `steps`."""
    size = 32 if batch_size is None else batch_size
    if isinstance(size, bool) or not hasattr(size, "__index__") or size < 1:
        raise ValueError(f"batch_size={size!r}: it is a whole number of at least 1")
    x, y, weight = arrays_of(x), arrays_of(y), arrays_of(weight)
    if weigh is not None:
        weight = weigh(y, weight)
    data = (x, y, weight)
    total = count_of([part for part in data if part is not None])
    if total == 0:
        raise ValueError("there are no examples: the arrays are empty")
    if batch_size is None and steps is not None and steps > 0:
        size = math.ceil(total / steps)

    def make() -> Iterator[Structure]:
        order = generator().permutation(total) if shuffle else None
        for start in range(0, total, size):
            at = slice(start, start + size) if order is None else order[start : start + size]
            yield packed(*(_part(part, at) for part in data))

    return Batches(make, math.ceil(total / size))


def _part(data: Structure, at: slice | NumPyArray) -> Structure:
    return None if data is None else nest.map_structure(lambda a: convert_to_tensor(a[at]), data)


def divided(x: object, y: object, weight: object, part: float) -> tuple[tuple[Structure, ...], tuple[Structure, ...]]:
    """The first examples, for training, and the last ones, for validation."""
    if not 0 < part < 1:
        raise ValueError(f"validation_split={part!r}: it is a number between 0 and 1")
    if isinstance(x, Source) or not _is_data(x):
        raise ValueError("validation_split is for arrays: give a dataset's validation data as validation_data")
    data = [arrays_of(x), arrays_of(y), arrays_of(weight)]
    total = count_of([d for d in data if d is not None])
    cut = math.floor(total * (1 - part))
    if cut in (0, total):
        raise ValueError(
            f"validation_split={part!r} of {total} examples leaves {cut} for training: there must be some of both"
        )
    first = [None if d is None else nest.map_structure(lambda a: a[:cut], d) for d in data]
    last = [None if d is None else nest.map_structure(lambda a: a[cut:], d) for d in data]
    return tuple(first), tuple(last)


def _weighing(class_weight: Mapping[int, float]) -> Weigh:
    """Weights of examples by their classes."""
    if any(not hasattr(c, "__index__") for c in class_weight):
        raise ValueError(f"class_weight={dict(class_weight)!r}: it has a weight for each number of a class")

    def weigh(y: object, weight: object) -> Tensor | NumPyArray:
        if y is None or nest.is_nested(y):
            raise ValueError("class_weight is for models with one output, whose targets are classes")
        classes = np.asarray(y.numpy() if isinstance(y, Tensor) else y)
        if classes.ndim > 1:
            classes = classes.argmax(-1) if classes.shape[-1] > 1 else classes[..., 0]
        numbers = np.rint(classes)
        weights = np.ones(len(numbers), settings.floatx())
        for number, factor in class_weight.items():
            weights[numbers == int(number)] = factor
        whole = (
            weights
            if weight is None
            else weights * np.asarray(weight.numpy() if isinstance(weight, Tensor) else weight)
        )
        return convert_to_tensor(whole) if isinstance(y, Tensor) else whole

    return weigh


def steps_in(batches: Batches, asked: int | None, what: str) -> int | None:
    """How many batches an epoch has, as far as it is known."""
    if asked is None and batches.endless and batches.count is None:
        return None
    if asked is not None and asked < 1:
        raise ValueError(f"{what}={asked!r}: it is a whole number of at least 1")
    return asked if asked is not None else batches.count


def joined(parts: Sequence[Structure]) -> Structure:
    """What batches gave, as arrays of all examples."""
    return nest.map_structure(lambda *arrays: np.concatenate(arrays), *parts)
