"""Layer: a computation with weights, which are made when it is first called."""

from __future__ import annotations

import functools
import inspect
import operator
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from autograph.operators.calls import call
from runtime.graph.dtypes import NumPyArray, as_dtype
from runtime.graph.scopes import in_scope
from runtime.keras import constraints, initializers, regularizers, settings
from runtime.keras.identifiers import Config, in_words, nearest
from runtime.keras.layers.input_spec import InputSpec
from runtime.keras.layers.kinds import ConstraintLike, InitializerLike, RegularizerLike
from runtime.keras.layers.symbolic import KerasTensor, Node, as_symbols, aside, dtype_of, holds_symbols
from runtime.keras.metrics import Metric
from runtime.keras.optimizers import Optimizer
from runtime.keras.serialization import deserialized, register, serialized
from runtime.keras.shapes import Shape, ShapeGiven, as_shape, is_shape, shape_of
from runtime.keras.weights import Weight, set_values
from runtime.tensors import masks, nest, tracking
from runtime.tensors.conversion import cast, convert_to_tensor
from runtime.tensors.making import zeros_like
from runtime.tensors.mathematics import maximum, where
from runtime.tensors.module import Module, leaves
from runtime.tensors.scopes import name_scope
from runtime.tensors.shaping import shape as dynamic_shape
from runtime.tensors.tensor import Tensor
from runtime.tensors.trace import outside_of_functions, recording
from runtime.tensors.types import DTypeLike, Structure, TensorLike
from runtime.tensors.variables import Variable

L = TypeVar("L", bound="Layer")
K = TypeVar("K")

_ACCEPTED = ("input_shape", "input_dim", "batch_input_shape", "batch_shape", "batch_size")


class _Call:
    """A call of a layer that is going on."""

    def __init__(self, layer: Layer, training: bool | Tensor | None) -> None:
        self.layer, self.training = layer, training


class _Calls(threading.local):
    def __init__(self) -> None:
        self.open: list[_Call] = []


_calls = _Calls()


class _State:
    """What a layer keeps for itself: a first call within a loop of a graph changes it, and is no matter of the loop."""

    def __init__(self) -> None:
        self.built = self.building = self.placed = False
        self.scope: str | None = None
        self.called: list[Shape] | None = None  # the shapes of the first outputs
        self.first: Structure = None  # what it was called with then, without the numbers
        self.nodes: list[Node] = []
        self.added: list[Weight] = []
        self.losses: list[Tensor] = []
        self.losses_in: list[Layer] = []  # the layers that have added losses while this one was called


def _of_state(name: str) -> property:
    def read(self: Layer) -> object:
        return getattr(self._layer_state, name)

    def write(self: Layer, value: object) -> None:
        setattr(self._layer_state, name, value)

    return property(read, write)


class Layer(Module):
    """A computation with weights, and the base of all layers: a class of one's own has `build` and `call`.

    ``build(input_shape)`` makes the weights by `add_weight` when the layer is first called, ``call(inputs)`` computes.
    If `call` has a parameter `training`, it is told whether the call is one of training; if it has one called `mask`,
    it is given that of the inputs. Layers in attributes, and in lists and dictionaries there, belong to the layer.

    Args:
      activity_regularizer: what makes a loss of the outputs, which is divided by the number of examples: a
        regularizer, or its name.
      trainable: whether training is to change the weights.
      dtype: the dtype of the weights and of what is computed, that of `backend.floatx` by default.
      autocast: whether floats that the layer is called with are cast to that dtype.
      name: the name; by default it is made of that of the class.
      kwargs: ``input_shape``, without the batch, or ``input_dim`` for the first layer of a `Sequential`.
    Raises:
      ValueError: for any other option.

    >>> class Scale(tf.keras.layers.Layer):
    ...     def build(self, input_shape):
    ...         self.factor = self.add_weight(shape=[input_shape[-1]], initializer="ones", name="factor")
    ...     def call(self, inputs):
    ...         return inputs * self.factor
    >>> layer = Scale()
    >>> print(layer(tf.constant([[1.0, 2.0]])))
    tf.Tensor([[1. 2.]], shape=(1, 2), dtype=float32)
    >>> [v.path for v in layer.trainable_variables]
    ['scale/factor']
    """

    # Attributes that hold what does not belong to the layer, or is found by other ways.
    _apart: frozenset[str] = frozenset({"_layer_state", "_given"})
    _given: dict[str, object]
    _layer_state: _State
    supports_masking: bool
    input_spec: Structure  # of InputSpecs
    activity_regularizer: Callable[[Tensor], Tensor] | None

    if TYPE_CHECKING:
        _scope: str
    else:
        _scope = _of_state("scope")

    def __new__(cls, *args: object, **kwargs: object) -> Layer:
        layer = object.__new__(cls)
        attributes = layer.__dict__
        attributes["_layer_state"] = _State()
        attributes["_given"] = _bound(cls, layer, args, kwargs)
        attributes.update(
            _trainable=True, _dtype=settings.floatx(), autocast=True, input_spec=None, activity_regularizer=None,
            supports_masking=getattr(cls, "supports_masking", cls.compute_mask is not Layer.compute_mask),
        )  # fmt: skip
        return layer

    def __init__(
        self,
        *,
        activity_regularizer: RegularizerLike = None,
        trainable: bool = True,
        dtype: DTypeLike | None = None,
        autocast: bool = True,
        name: str | None = None,
        **kwargs: Structure,
    ) -> None:
        for option in kwargs:
            if option not in _ACCEPTED:
                known = {*_ACCEPTED, *_parameters(_class(self)), "name", "dtype", "trainable"}
                near = nearest(option, sorted(known))
                raise ValueError(f"Unrecognized keyword argument passed to {type(self).__name__}: {option!r}.{near}")
        if name is not None and (not isinstance(name, str) or not name or "/" in name):
            raise ValueError(f"name={name!r}: the name of a layer is a text without '/'")
        self._named(name or settings.unique_name(in_words(type(self).__name__)))
        self.activity_regularizer = regularizers.get(activity_regularizer)
        self._dtype = as_dtype(settings.floatx() if dtype is None else dtype).name
        self.autocast = autocast
        self._trainable = bool(trainable)
        self._batch_shape = _expected(**{k: v for k, v in kwargs.items() if k != "batch_size"})

    def _named(self, name: str) -> None:
        self._name, self._scope = name, in_scope(f"{name}/")

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        if "build" in vars(cls):
            cls.build = _building(cls.build)  # type: ignore[method-assign]
        if cls.__module__.startswith("runtime.keras."):
            register(cls)

    def __getattr__(self, name: str) -> Any:
        if name in ("_name", "_scope"):  # asked for before __init__ was called
            raise RuntimeError(
                f"{type(self).__name__} is used before its __init__() has called super().__init__(). Begin it with "
                "that call."
            )
        if name in ("input", "output", "input_shape", "output_shape"):  # their properties have found nothing
            raise AttributeError(
                f"layer '{self.name}' has no {name}: it has not been called with a keras.Input, nor been built as a "
                "model of inputs and outputs"
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{_hint(self, name)}")

    # What it is.

    @property
    def built(self) -> bool:
        """Whether the weights are there.

        >>> layer = tf.keras.layers.Dense(2)
        >>> before, outputs = layer.built, layer(tf.ones([1, 3]))
        >>> before, layer.built
        (False, True)
        """
        return self._layer_state.built

    @built.setter
    def built(self, value: bool) -> None:
        self._layer_state.built = bool(value)

    @property
    def dtype(self) -> str:
        """The dtype of the weights, by its name.

        >>> tf.keras.layers.Dense(2).dtype
        'float32'
        """
        return str(self._dtype)

    @property
    def compute_dtype(self) -> str:
        """The dtype of what is computed, by its name.

        >>> tf.keras.layers.Dense(2, dtype="float64").compute_dtype
        'float64'
        """
        return str(self._dtype)

    variable_dtype = dtype

    @property
    def trainable(self) -> bool:
        """Whether training is to change the weights; setting it sets it for the layers inside, too.

        >>> model = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(3)])
        >>> model.trainable = False
        >>> model.trainable_variables
        []
        """
        return bool(self._trainable)

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = bool(value)
        for variable in [*self._layer_state.added, *self._own(Variable)]:
            if not isinstance(variable, Weight) or variable.may_train:
                variable.trainable = bool(value)
        for layer in self._own(Layer):
            layer.trainable = bool(value)

    @property
    def variables(self) -> list[Variable]:  # type: ignore[override]
        """All weights: those of the layer itself, trainable ones first, then those of the layers inside.

        >>> model = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(3)])
        >>> [v.shape for v in model.variables]
        [TensorShape([2, 3]), TensorShape([3])]
        """
        return self.weights

    @property
    def weights(self) -> list[Variable]:
        """All weights, as `variables`.

        >>> len(tf.keras.layers.Dense(3).weights)  # before it is built
        0
        """
        return _once(self._all_weights())

    def _all_weights(self) -> Iterator[Variable]:
        own = [*self._layer_state.added, *self._own(Variable)]
        yield from (v for v in own if not isinstance(v, Weight) or v.may_train)
        yield from (v for v in own if isinstance(v, Weight) and not v.may_train)
        for module in self._own(Module):
            if isinstance(module, Layer):
                yield from module._all_weights()
            elif not isinstance(module, Metric | Optimizer):
                yield from module.variables

    @property
    def trainable_variables(self) -> list[Variable]:  # type: ignore[override]
        """The weights that training is to change.

        >>> layer = tf.keras.layers.BatchNormalization()
        >>> layer.build((None, 3))
        >>> [v.path for v in layer.trainable_variables]
        ['batch_normalization/gamma', 'batch_normalization/beta']
        """
        return [v for v in self.weights if v.trainable] if self.trainable else []

    @property
    def non_trainable_variables(self) -> list[Variable]:  # type: ignore[override]
        """The weights that training leaves alone.

        >>> layer = tf.keras.layers.BatchNormalization()
        >>> layer.build((None, 3))
        >>> [v.shape for v in layer.non_trainable_variables]
        [TensorShape([3]), TensorShape([3])]
        """
        return [v for v in self.weights if not v.trainable] if self.trainable else self.weights

    trainable_weights = trainable_variables
    non_trainable_weights = non_trainable_variables

    def _own(self, kind: type[K]) -> list[K]:
        """What the attributes hold of a kind, in the order in which they were set."""
        found: list[K] = []
        seen: set[int] = set()
        for name, value in vars(self).items():
            if name not in self._apart:
                found += [leaf for leaf in leaves(value, seen, kind) if isinstance(leaf, kind)]
        return found

    def _held_for_checkpoints(self) -> Iterator[tuple[str, object]]:
        """What is saved with the layer, by names; a weight that no attribute has is known by its number."""
        attributes = {name: value for name, value in vars(self).items() if name not in self._apart}
        yield from attributes.items()
        known = {id(value) for value in attributes.values()}
        for number, weight in enumerate(self._layer_state.added):
            if id(weight) not in known:
                yield f"added-{number}", weight

    def _layers_inside(self) -> list[Layer]:
        """The layers in it, those in them, and so on."""
        inner = _once(self._own(Layer))
        return _once([x for layer in inner for x in (layer, *layer._layers_inside())])

    @property
    def metrics(self) -> list[Metric]:
        """The metrics that the layer and those inside hold.

        >>> tf.keras.layers.Dense(3).metrics
        []
        """
        return _once([m for layer in (self, *self._layers_inside()) for m in layer._own(Metric)])

    def count_params(self) -> int:
        """How many numbers the weights hold.

        Raises:
          ValueError: if the layer is not built.

        >>> layer = tf.keras.layers.Dense(3)
        >>> layer.build((None, 2))
        >>> layer.count_params()
        9
        """
        if not self.built:
            raise ValueError(
                f"count_params() of layer '{self.name}', which is not built: how many weights it has depends on the "
                "shape of its inputs. Call it with some, or call build(input_shape)."
            )
        return sum(v.array.size for v in self.weights)

    def get_weights(self) -> list[NumPyArray]:
        """The values of all weights, as arrays of their shapes.

        >>> layer = tf.keras.layers.Dense(1, kernel_initializer="ones")
        >>> layer.build((None, 2))
        >>> [w.tolist() for w in layer.get_weights()]
        [[[1.0], [1.0]], [0.0]]
        """
        return [np.array(v.numpy()) for v in self.weights]

    def set_weights(self, weights: Sequence[TensorLike]) -> None:
        """Set the values of all weights.

        Args:
          weights: arrays of the shapes of those that `get_weights` gives.
        Raises:
          ValueError: if there are more or fewer, or the shapes are others.

        >>> layer = tf.keras.layers.Dense(1)
        >>> layer.build((None, 2))
        >>> layer.set_weights([np.ones([2, 1]), np.zeros(1)])
        >>> print(layer(tf.constant([[1.0, 2.0]])))
        tf.Tensor([[3.]], shape=(1, 1), dtype=float32)
        """
        set_values(self.name, self.weights, weights, self.built)

    # Making weights.

    def add_weight(
        self,
        shape: int | Sequence[int] | None = None,
        initializer: InitializerLike = None,
        dtype: DTypeLike | None = None,
        trainable: bool = True,
        autocast: bool = True,
        regularizer: RegularizerLike = None,
        constraint: ConstraintLike = None,
        aggregation: str = "none",
        overwrite_with_gradient: bool = False,
        name: str | None = None,
    ) -> Variable:
        """Make a weight, a Variable that belongs to the layer.

        Args:
          shape: its shape, () by default.
          initializer: what makes its first value, or its name: ``"glorot_uniform"`` for floats and zeros for others
            by default.
          dtype: its dtype, that of the layer by default.
          trainable: whether training is to change it.
          regularizer: what makes a loss of it.
          constraint: what an optimizer makes of its value after each step.
          name: its name.
          autocast, aggregation, overwrite_with_gradient: accepted, for Keras's sake.
        Returns: the Variable.
        Raises:
          ValueError: if a dimension is not known.

        >>> layer = tf.keras.layers.Layer()
        >>> layer.add_weight(shape=[2], initializer="zeros", name="bias").shape
        TensorShape([2])
        """
        dims = as_shape(() if shape is None else shape)
        if not all(isinstance(d, int) for d in dims):
            raise ValueError(
                f"the weight {name or 'without a name'!r} of layer '{self.name}' is to have shape {dims}, a dimension "
                "of which is not known. Give the inputs a known size there, or call build(input_shape) with it."
            )
        kind = as_dtype(self.dtype if dtype is None else dtype)
        start = initializers.get(initializer or ("glorot_uniform" if kind.is_floating else "zeros"))
        with name_scope(self._scope):
            made = Weight(lambda: call(start, dims, dtype=kind), kind, name, trainable, self.trainable)
        made.regularizer, made.constraint = regularizers.get(regularizer), constraints.get(constraint)
        self._layer_state.added.append(made)
        if tracking.waiting:
            tracking.has_more(self)
        return made

    def build(self, input_shape: Structure) -> None:
        """Make the weights; a class of one's own replaces it.

        Args:
          input_shape: the shape of the inputs, as a tuple with None for what is not known, or a structure of such.

        >>> layer = tf.keras.layers.Dense(3)
        >>> layer.build((None, 2))
        >>> layer.built
        True
        """
        self.built = True

    # Calling.

    def call(self, *args: Structure, **kwargs: Structure) -> Structure:
        """Compute the outputs; a class of one's own replaces it.

        Raises:
          NotImplementedError: unless the class has a method `call` of its own.

        >>> tf.keras.layers.Layer().call(1)
        Traceback (most recent call last):
            ...
        NotImplementedError: Layer has no method `call`: write def call(self, inputs) in the class
        """
        raise NotImplementedError(
            f"{type(self).__name__} has no method `call`: write def call(self, inputs) in the class"
        )

    def __call__(self, *args: Structure, **kwargs: Structure) -> Any:
        if holds_symbols(args, kwargs):
            return self._called_with_symbols(args, kwargs)
        given = [self._as_tensors(a) for a in args]
        named = {name: self._as_tensors(value) for name, value in kwargs.items()}
        return self._computed(given, named)

    def _computed(self, args: Sequence[Structure], kwargs: dict[str, Structure]) -> Structure:
        names = _called_by(_class(self))
        first = args[0] if args else next((kwargs[name] for name in names if name in kwargs), None)
        outermost = not _calls.open
        training = self._training(args, kwargs, names)
        self._check(args, kwargs)
        if not self.built:
            self._built_for(args, kwargs)
        self._tell_masks(args, kwargs, names)
        previous = kwargs.get("mask")
        if previous is None:  # now, for a layer may take masks away
            previous = masks.masks_of(first)
        if outermost:
            self._forget_losses()
        _calls.open.append(_Call(self, training))
        try:
            with self._naming():
                outputs = call(self.call, *args, **kwargs)
        finally:
            _calls.open.pop()
        if self._layer_state.called is None:
            self._layer_state.called = [shape_of(t) for t in nest.flatten(outputs) if hasattr(t, "shape")]
            self._layer_state.first = nest.map_structure(
                lambda t: KerasTensor(shape_of(t), t.dtype) if isinstance(t, Tensor) else t, [list(args), dict(kwargs)]
            )
        if self.activity_regularizer is not None:
            for output in nest.flatten(outputs):
                self.add_loss(self._by_example(self.activity_regularizer(output), output))
        self._pass_mask_on(first, previous, outputs)
        return outputs

    def _tell_masks(self, args: Sequence[Structure], kwargs: dict[str, Structure], names: Sequence[str]) -> None:
        """Give `call` the masks of its tensors: of one as `mask`, of several as `NAME_mask` each."""
        given = {**dict(zip(names, args)), **kwargs}
        tensors = [name for name, value in given.items() if _holds_tensors(value)]
        for name in tensors:
            mask = "mask" if len(tensors) == 1 else f"{name}_mask"
            if mask in names and given.get(mask) is None and len(args) <= names.index(mask):
                found = masks.masks_of(given[name])
                if found is not None:
                    kwargs[mask] = found

    def _by_example(self, loss: Tensor, output: Tensor) -> object:
        """A loss of the outputs by how many examples there are, so that it is as strong for batches of any size."""
        if not output.shape.rank:
            return loss
        count = cast(dynamic_shape(output)[0], loss.dtype)
        return where(count > 0, loss / maximum(count, 1), zeros_like(loss))

    def _naming(self) -> AbstractContextManager[object]:
        """The block of names for what is made by the first call: within that of the layer that calls."""
        if self._layer_state.called is not None:
            return nullcontext()
        if not self._layer_state.placed:
            self._scope, self._layer_state.placed = in_scope(f"{self.name}/"), True
        return name_scope(self._scope)

    def _training(
        self, args: Sequence[Structure], kwargs: dict[str, Structure], names: Sequence[str]
    ) -> bool | Tensor | None:
        """Whether the call is one of training: as it was told, or as the call around it was."""
        told = kwargs.get("training")
        at = names.index("training") if "training" in names else None
        if at is not None and at < len(args):
            told = args[at]
        if told is None and _calls.open:
            told = _calls.open[-1].training
        if told is None:
            told = _default_training(_class(self))
        if at is None:
            if "**" not in names:
                kwargs.pop("training", None)
        elif at >= len(args):
            kwargs["training"] = told
        return told

    def _check(self, args: Sequence[Structure], kwargs: Mapping[str, Structure]) -> None:
        specs = self.input_spec
        if specs is None:
            return
        first: Structure = args[0] if args else next(iter(kwargs.values()), None)
        if isinstance(specs, InputSpec):
            specs, found = [specs], [first]
        else:
            specs, found = nest.flatten(specs), nest.flatten(first)
            if len(specs) != len(found):
                raise ValueError(
                    f"Layer '{self.name}' expects {len(specs)} input(s), but it received {len(found)} input tensors"
                )
        value: Structure
        for number, (spec, value) in enumerate(zip(specs, found)):
            if spec is None or not hasattr(value, "shape"):
                continue
            wrong = spec.wrong_with(shape_of(value), dtype_of(value).name)
            if wrong is not None:
                raise ValueError(f"Input {number} of layer '{self.name}' is incompatible with the layer: {wrong}")

    def _built_for(self, args: Sequence[object], kwargs: Mapping[str, object]) -> None:
        """Have the weights made that inputs like these call for."""
        names = _called_by(_class(self))
        given = {**dict(zip(names, args)), **kwargs}
        shapes = {
            f"{name}_shape": nest.map_structure(shape_of, value)
            for name, value in given.items()
            if value is not None and all(hasattr(t, "shape") for t in nest.flatten(value)) and nest.flatten(value)
        }
        wanted = [n for n in inspect.signature(self.build).parameters if n != "self"]
        if len(wanted) > 1 or (wanted and wanted[0] in shapes):
            self.build(**{name: shapes[name] for name in wanted if name in shapes})
        else:
            first = next(iter(shapes.values()), None)
            self.build(first)
        self.built = True

    def _as_tensors(self, value: Structure) -> Structure:
        """Arrays and Variables as tensors; floats of the dtype of the layer."""
        if isinstance(value, Tensor | np.ndarray | np.generic | Variable):
            return self._as_tensor(value)
        if isinstance(value, list | tuple) and _is_numbers(value):
            return self._as_tensor(np.asarray(value))
        if nest.is_nested(value):
            return nest.map_structure(
                lambda t: self._as_tensor(t) if isinstance(t, Tensor | np.ndarray | np.generic | Variable) else t, value
            )
        return value

    def _as_tensor(self, value: TensorLike) -> Tensor:
        tensor = value if isinstance(value, Tensor) else convert_to_tensor(value)
        if not self.autocast or not tensor.dtype.is_floating or tensor.dtype == self.compute_dtype:
            return tensor
        made = cast(tensor, self.compute_dtype)
        masks.set_mask(made, masks.mask_of(tensor))
        return made

    def _float(self, value: Tensor) -> Tensor:
        """A tensor of the dtype in which the layer computes, whatever it was."""
        return value if value.dtype == self.compute_dtype else cast(value, self.compute_dtype)

    # Masks.

    def compute_mask(self, inputs: Structure, previous_mask: Structure) -> Structure:
        """The mask of the outputs: that of the inputs, where the layer hands masks on.

        A class of one's own may replace it; its outputs then bear what it gives, unless `supports_masking` is False.

        Args:
          inputs: the inputs.
          previous_mask: their mask, of shape [batch, time], or None.

        >>> print(tf.keras.layers.Embedding(3, 2, mask_zero=True).compute_mask(tf.constant([[1, 0]]), None))
        tf.Tensor([[ True False]], shape=(1, 2), dtype=bool)
        """
        return previous_mask

    def _pass_mask_on(self, first: Structure, previous: Structure, outputs: Structure) -> None:
        if not self.supports_masking:
            return
        mask = self.compute_mask(first, previous)
        for tensor, one in zip(nest.flatten(outputs), nest.flatten(mask)):
            if masks.mask_of(tensor) is None and tensor is not first:
                masks.set_mask(tensor, one)

    # Losses.

    def add_loss(self, loss: Structure) -> None:
        """Add to the losses, from within `call`: training minimizes them with the rest.

        Args:
          loss: a scalar tensor, or several.

        >>> class Small(tf.keras.layers.Layer):
        ...     def call(self, inputs):
        ...         self.add_loss(tf.reduce_mean(inputs ** 2))
        ...         return inputs
        >>> layer = Small()
        >>> y = layer(tf.constant([1.0, 3.0]))
        >>> print(layer.losses[0])
        tf.Tensor(5.0, shape=(), dtype=float32)
        """
        for one in nest.flatten(loss):
            self._layer_state.losses.append(one)
        for open_call in _calls.open:
            open_call.layer._layer_state.losses_in.append(self)
        if not _calls.open:
            self._layer_state.losses_in.append(self)

    def _forget_losses(self) -> None:
        for layer in self._layer_state.losses_in:
            layer._layer_state.losses.clear()
        self._layer_state.losses_in.clear()

    @property
    def losses(self) -> list[Tensor]:
        """The losses of the last call, of the layer and of those inside, and what regularizers make of the weights.

        >>> layer = tf.keras.layers.Dense(1, kernel_initializer="ones", kernel_regularizer="l2")
        >>> y = layer(tf.ones([1, 2]))
        >>> [round(float(loss), 3) for loss in layer.losses]
        [0.02]
        """
        added = [loss for layer in _once([self, *self._layers_inside()]) for loss in layer._layer_state.losses]
        weights = [v for v in self.trainable_variables if isinstance(v, Weight) and v.regularizer is not None]
        return added + [v.regularizer(v.read_value()) for v in weights if v.regularizer is not None]

    # Symbols.

    def _called_with_symbols(self, args: Sequence[object], kwargs: Mapping[str, object]) -> object:
        outputs = self.compute_output_spec(*args, **kwargs)
        if any(t.node is not None for t in nest.flatten(outputs)):
            outputs = as_symbols(outputs)
        self._layer_state.nodes.append(Node(self, args, kwargs, outputs, len(self._layer_state.nodes)))
        return outputs

    def compute_output_spec(self, *args: Structure, **kwargs: Structure) -> Structure:
        """What the layer would make of inputs of such shapes and dtypes; the layer is built.

        Args:
          args, kwargs: what it is called with, a `KerasTensor` for each tensor.
        Returns: a `KerasTensor` for each output.

        >>> tf.keras.layers.Dense(2).compute_output_spec(tf.keras.Input([3])).shape
        (None, 2)
        """
        self._check(args, kwargs)
        around = [(layer, [*layer._layer_state.losses]) for layer in (self, *self._layers_inside())]
        losses_in = [*self._layer_state.losses_in]
        made = aside(lambda a, k: self(*a, **k), list(args), dict(kwargs))
        self._forget_losses()
        for layer, losses in around:  # those of the last call stay
            layer._layer_state.losses[:] = losses
        self._layer_state.losses_in[:] = losses_in
        return made

    def compute_output_shape(self, input_shape: Structure) -> Structure:
        """The shape of the outputs for inputs of a shape; the layer is built.

        Args:
          input_shape: a shape with the batch first, or a structure of shapes.
        Returns: a tuple, with None for what is not known, or a structure of such.

        >>> tf.keras.layers.Conv2D(8, 3).compute_output_shape((None, 10, 10, 1))
        (None, 8, 8, 8)
        """
        made = self.compute_output_spec(_symbols(input_shape, self.compute_dtype))
        return nest.map_structure(lambda t: t.shape, made)

    @property
    def input(self) -> Structure:
        """What stands for the inputs of the layer in the model in which it was first called.

        Raises:
          AttributeError: if it has not been called with such.

        >>> x = tf.keras.Input([3])
        >>> layer = tf.keras.layers.Dense(2)
        >>> y = layer(x)
        >>> layer.input is x, layer.output is y
        (True, True)
        """
        inputs = self._first_node("input").inputs
        return inputs[0] if len(inputs) == 1 else inputs

    @property
    def output(self) -> Structure:
        """What stands for the outputs of the layer in the model in which it was first called.

        Raises:
          AttributeError: if it has not been called with such.

        >>> tf.keras.layers.Dense(2).output
        Traceback (most recent call last):
            ...
        AttributeError: layer 'dense' has no output: it has not been called with a keras.Input, nor been built as a \
model of inputs and outputs
        """
        return self._first_node("output").outputs

    def _first_node(self, what: str) -> Node:
        if not self._layer_state.nodes:
            raise AttributeError(what)
        return self._layer_state.nodes[0]  # type: ignore[no-any-return]

    # Configurations.

    def get_config(self) -> Config:
        """What the layer was made with, as a dictionary of plain values; weights are not in it.

        For a model of inputs and outputs these are its layers, and how they are connected. A class of one's own adds
        what its ``__init__`` takes; where it does not replace this, that is found in attributes of the same names, or
        is what was given.

        >>> config = tf.keras.layers.Dense(2, activation="relu").get_config()
        >>> config["units"], config["activation"]
        (2, 'relu')
        """
        whole = self._whole_config()
        if whole is not None:
            return whole
        mro = type(self).__mro__[: type(self).__mro__.index(Layer)]
        overriding = [number for number, cls in enumerate(mro) if "get_config" in vars(cls)]
        config: Config = {"name": self.name, "trainable": self.trainable, "dtype": self.dtype}
        rest = mro[overriding[-1] + 1 :] if overriding else mro
        for parameter in (*(_parameters(rest[0]) if rest else ()), *self._handed_on(rest, bool(overriding))):
            if parameter not in config:
                config[parameter] = serialized(self._argument(parameter))
        if not _takes_options(rest[0] if rest else Layer):
            known = _parameters(rest[0])
            config = {name: value for name, value in config.items() if name in known}
        return config

    def _handed_on(self, classes: Sequence[type[Layer]], chosen: bool) -> list[str]:
        """The options that __init__ was given, and hands on to that of a base class; only those that a class names, if
        the user has `chosen` what else there is."""
        found = [name for name in self._given if name not in _ACCEPTED]
        if chosen:
            found = [name for name in found if any(name in _parameters(cls) for cls in (*classes, Layer))]
        return found

    def _whole_config(self) -> Config | None:
        """That of a model of inputs and outputs, which is not made of what its class takes."""
        return None

    def _argument(self, name: str) -> object:
        """What a parameter of __init__ was: an attribute has it, or it is kept from the call."""
        if name in vars(self) or hasattr(type(self), name):
            return getattr(self, name)
        if name in self._given:
            return self._given[name]
        raise NotImplementedError(
            f"get_config() of layer '{self.name}': what {type(self).__name__}() got for {name!r} is not known. Keep it "
            f"in self.{name}, or write a get_config() that gives it."
        )

    @classmethod
    def from_config(cls: type[L], config: Mapping[str, Structure]) -> L:
        """A layer as `get_config` describes it, with new weights.

        Args:
          config: the configuration.

        >>> layer = tf.keras.layers.Dense(2, activation="relu")
        >>> tf.keras.layers.Dense.from_config(layer.get_config()).units
        2
        """
        made: L = call(cls, **{name: deserialized(value) for name, value in config.items()})
        return made

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}, built={self.built}>"


def _bound(cls: type, layer: Layer, args: Sequence[object], kwargs: Mapping[str, object]) -> dict[str, object]:
    """What __init__ is called with, by the names of its parameters, and what it takes beyond them, by those of a base
    class; nothing where it does not fit."""
    signature = inspect.signature(cls.__init__)  # type: ignore[misc]
    try:
        given = signature.bind(layer, *args, **kwargs)
    except TypeError:
        return {}
    given.apply_defaults()
    found: dict[str, object] = {}
    for name, value in list(given.arguments.items())[1:]:
        kind = signature.parameters[name].kind
        if kind == inspect.Parameter.VAR_KEYWORD:
            found.update(value)
        elif kind == inspect.Parameter.VAR_POSITIONAL:
            found.update(zip(_parameters_of_base(cls), value))
        else:
            found[name] = value
    return found


@functools.cache
def _parameters_of_base(cls: type[Layer]) -> tuple[str, ...]:
    """The parameters of the __init__ that that of the class hands positional arguments on to, as far as one can see."""
    own = next(number for number, one in enumerate(cls.__mro__) if "__init__" in vars(one))
    return _parameters(cls.__mro__[own + 1]) if cls.__mro__[own + 1] is not Module else ()


def _class(layer: Layer) -> object:  # for the caches: mypy finds no hash in type[Layer]
    return type(layer)


@functools.cache
def _parameters(cls: type[Layer]) -> tuple[str, ...]:
    """The parameters of __init__ that have names."""
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    parameters = inspect.signature(cls.__init__).parameters.values()  # type: ignore[misc]
    return tuple(p.name for p in parameters if p.kind not in kinds and p.name != "self")


@functools.cache
def _takes_options(cls: type[Layer]) -> bool:
    parameters = inspect.signature(cls.__init__).parameters.values()  # type: ignore[misc]
    return any(p.kind == inspect.Parameter.VAR_KEYWORD for p in parameters)


@functools.cache
def _called_by(cls: type[Layer]) -> tuple[str, ...]:
    """The parameters of `call`, and ``**`` if it takes any."""
    parameters = list(inspect.signature(cls.call).parameters.values())[1:]
    return tuple("**" if p.kind == inspect.Parameter.VAR_KEYWORD else p.name for p in parameters)


def _holds_tensors(value: Structure) -> bool:
    leaves = nest.flatten(value)
    return any(isinstance(t, Tensor) for t in leaves) and all(t is None or isinstance(t, Tensor) for t in leaves)


@functools.cache
def _default_training(cls: type[Layer]) -> bool | None:
    """What `call` takes it to be where nobody says whether the call is one of training."""
    parameter = inspect.signature(cls.call).parameters.get("training")
    return parameter.default if parameter is not None and isinstance(parameter.default, bool) else None


def _building(build: Callable[..., None]) -> Callable[..., None]:
    """A method that makes weights: they are named after the layer, and it is built afterwards."""

    @functools.wraps(build)
    def built(self: Layer, *args: object, **kwargs: object) -> None:
        if self._layer_state.building:  # that of a base class, called by this one
            call(build, self, *args, **kwargs)
            return
        self._layer_state.building = True
        try:
            # What is called with symbols is only looked at, and what is assigned to weights must hold all the same.
            with self._naming(), recording(None) if outside_of_functions() else nullcontext():
                call(build, self, *args, **kwargs)
        finally:
            self._layer_state.building = False
        self.built = True

    return built


def _expected(
    input_shape: ShapeGiven = None,
    input_dim: int | None = None,
    batch_input_shape: ShapeGiven = None,
    batch_shape: ShapeGiven = None,
) -> tuple[int | None, ...] | None:
    """The shape of the inputs, with the batch, that a first layer was told."""
    whole = batch_input_shape if batch_shape is None else batch_shape
    if whole is not None:
        return as_shape(whole)
    if input_dim is not None:
        return (None, int(input_dim))
    return None if input_shape is None else (None, *as_shape(input_shape))


def _symbols(shapes: Structure, dtype: str) -> Structure:
    """What stands for tensors of shapes."""
    if is_shape(shapes):
        return KerasTensor(as_shape(shapes), dtype)
    if isinstance(shapes, Mapping):
        return {name: _symbols(shape, dtype) for name, shape in shapes.items()}
    return type(shapes)(_symbols(shape, dtype) for shape in shapes)


def _hint(layer: Layer, name: str) -> str:
    if name.startswith("__"):
        return ""
    if not layer.built and type(layer).build is not Layer.build:
        known = layer.__dict__.get("_name")
        return f". The layer '{known}' is not built yet: call it with inputs, or its build(input_shape)"
    return ""


def _is_numbers(value: object) -> bool:
    if isinstance(value, list | tuple):
        return len(value) > 0 and all(map(_is_numbers, value))
    return isinstance(value, bool | int | float | np.generic)


def _once(things: Iterable[K]) -> list[K]:
    """Each thing once, in order."""
    return list({id(thing): thing for thing in things}.values())


def _operate(name: str, arguments: Sequence[object], index: object = None) -> Structure:
    return Operator(name, index, name=settings.unique_name(name))(*arguments)


class Operator(Layer):
    """An operator between what stands for tensors, or brackets after it."""

    def __init__(self, operation: str, index: object = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.operation, self.index = operation, _read_index(index) if isinstance(index, Mapping) else index

    def call(self, *operands: Any) -> object:
        """What the operator gives."""
        if self.operation == "get_item":
            return operands[0][self.index]
        return getattr(operator, f"__{self.operation}__")(*operands)

    def get_config(self) -> Config:
        """The name of the operator, and what stands in the brackets."""
        index = {"parts": [*map(self._shown, self.index)]} if isinstance(self.index, tuple) else self._shown(self.index)
        if not isinstance(self.index, tuple):
            index = {"part": index}
        return {**super().get_config(), "operation": self.operation, "index": index}

    def _shown(self, part: object) -> object:
        if isinstance(part, slice):
            return {"slice": [self._shown(part.start), self._shown(part.stop), self._shown(part.step)]}
        if part is None or part is Ellipsis:
            return "..." if part is Ellipsis else None
        try:
            return operator.index(part)  # type: ignore[arg-type]
        except TypeError:
            raise NotImplementedError(
                f"get_config() of '{self.name}', which takes parts of a tensor by {part!r}: take them in the call() of "
                "a layer of your own"
            ) from None


def _read_index(shown: Mapping[str, Any]) -> object:
    def part(one: object) -> object:
        return slice(*one["slice"]) if isinstance(one, Mapping) else Ellipsis if one == "..." else one

    return tuple(map(part, shown["parts"])) if "parts" in shown else part(shown["part"])


KerasTensor.operate = staticmethod(_operate)
