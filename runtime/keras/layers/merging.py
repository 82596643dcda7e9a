"""Layers of several inputs: sums, products, means, and joining."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Unpack

from runtime.graph.dtypes import bool_
from runtime.graph.shapes import axis_of
from runtime.keras.layers.layer import Layer
from runtime.keras.layers.options import Options
from runtime.keras.shapes import as_shape, is_shape, show, sizes_of
from runtime.tensors import mathematics as m
from runtime.tensors.conversion import cast
from runtime.tensors.making import ones_like
from runtime.tensors.normalisation import l2_normalize
from runtime.tensors.products import matmul
from runtime.tensors.reductions import reduce_any
from runtime.tensors.shaping import concat, expand_dims, reshape, transpose
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Structure


class _Merge(Layer):
    """What layers of several inputs of like shapes share."""

    least = 2

    def __init__(self, **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        self.supports_masking = True

    def build(self, input_shape: Structure) -> None:
        """Check that there are several inputs, whose shapes go together.

        Args:
          input_shape: a list of shapes.
        """
        if is_shape(input_shape) or len(input_shape) < self.least:
            raise ValueError(
                f"layer '{self.name}' ({type(self).__name__}) merges a list of at least {self.least} inputs; it was "
                f"called with {'one tensor' if is_shape(input_shape) else f'a list of {len(input_shape)}'}"
            )
        shapes = [as_shape(s) for s in input_shape]
        for axis in range(-min(map(len, shapes)), 0):
            sizes = {s[axis] for s in shapes} - {None, 1}
            if len(sizes) > 1:
                raise ValueError(
                    f"layer '{self.name}' ({type(self).__name__}) cannot merge inputs of shapes "
                    f"{', '.join(map(show, shapes))}: they differ along axis {axis}"
                )

    def call(self, inputs: Sequence[Tensor]) -> Tensor:
        """The inputs, merged.

        Args:
          inputs: a list of tensors whose shapes go together by NumPy's broadcasting.
        Returns: a tensor of the shape to which they broadcast.
        """
        return functools.reduce(self._merged, inputs)

    def _merged(self, a: Tensor, b: Tensor) -> Tensor:
        raise NotImplementedError

    def compute_mask(self, inputs: Structure, previous_mask: Structure = None) -> Structure:
        """What any mask of the inputs counts, if all of them have one.

        Args:
          inputs: the inputs.
          previous_mask: their masks, of shape [batch, time].
        Returns: a mask, or None.
        """
        given = list(previous_mask or ())
        return functools.reduce(m.logical_or, given) if given and all(mask is not None for mask in given) else None


class Add(_Merge):
    """The sum of the inputs, element by element.

    Args:
      kwargs: the options of `Layer`.
    Raises:
      ValueError: if there is one input only, or the shapes do not go together.

    >>> print(tf.keras.layers.Add()([tf.constant([1.0]), tf.constant([2.0]), tf.constant([3.0])]))
    tf.Tensor([6.], shape=(1,), dtype=float32)
    """

    def _merged(self, a: Tensor, b: Tensor) -> Tensor:
        return a + b  # type: ignore[no-any-return]


class Subtract(_Merge):
    """The first input without the second.

    Args:
      kwargs: the options of `Layer`.
    Raises:
      ValueError: if there are not two inputs, or the shapes do not go together.

    >>> print(tf.keras.layers.Subtract()([tf.constant([1.0]), tf.constant([3.0])]))
    tf.Tensor([-2.], shape=(1,), dtype=float32)
    """

    def call(self, inputs: Sequence[Tensor]) -> Tensor:
        """The first input without the second.

        Args:
          inputs: two tensors whose shapes go together by NumPy's broadcasting.
        Returns: a tensor of the shape to which they broadcast.
        """
        if len(inputs) != 2:
            raise ValueError(f"layer '{self.name}' (Subtract) has two inputs; it was called with {len(inputs)}")
        return inputs[0] - inputs[1]  # type: ignore[no-any-return]


class Multiply(_Merge):
    """The product of the inputs, element by element.

    Args:
      kwargs: the options of `Layer`.
    Raises:
      ValueError: if there is one input only, or the shapes do not go together.

    >>> print(tf.keras.layers.Multiply()([tf.constant([2.0]), tf.constant([3.0])]))
    tf.Tensor([6.], shape=(1,), dtype=float32)
    """

    def _merged(self, a: Tensor, b: Tensor) -> Tensor:
        return a * b  # type: ignore[no-any-return]


class Average(_Merge):
    """The mean of the inputs, element by element.

    Args:
      kwargs: the options of `Layer`.
    Raises:
      ValueError: if there is one input only, or the shapes do not go together.

    >>> print(tf.keras.layers.Average()([tf.constant([2.0]), tf.constant([4.0])]))
    tf.Tensor([3.], shape=(1,), dtype=float32)
    """

    def call(self, inputs: Sequence[Tensor]) -> Tensor:
        """The mean of the inputs.

        Args:
          inputs: a list of tensors whose shapes go together by NumPy's broadcasting.
        Returns: a tensor of the shape to which they broadcast.
        """
        return functools.reduce(lambda a, b: a + b, inputs) / len(inputs)  # type: ignore[no-any-return]


class Maximum(_Merge):
    """The largest of the inputs, element by element.

    Args:
      kwargs: the options of `Layer`.
    Raises:
      ValueError: if there is one input only, or the shapes do not go together.

    >>> print(tf.keras.layers.Maximum()([tf.constant([2.0, 0.0]), tf.constant([1.0, 1.0])]))
    tf.Tensor([2. 1.], shape=(2,), dtype=float32)
    """

    def _merged(self, a: Tensor, b: Tensor) -> Tensor:
        return m.maximum(a, b)


class Minimum(_Merge):
    """The smallest of the inputs, element by element.

    Args:
      kwargs: the options of `Layer`.
    Raises:
      ValueError: if there is one input only, or the shapes do not go together.

    >>> print(tf.keras.layers.Minimum()([tf.constant([2.0, 0.0]), tf.constant([1.0, 1.0])]))
    tf.Tensor([1. 0.], shape=(2,), dtype=float32)
    """

    def _merged(self, a: Tensor, b: Tensor) -> Tensor:
        return m.minimum(a, b)


class Concatenate(_Merge):
    """The inputs, joined along an axis.

    Args:
      axis: the axis, the last by default.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: if the inputs differ along other axes.

    >>> tf.keras.layers.Concatenate()([tf.ones([2, 3]), tf.ones([2, 4])]).shape
    TensorShape([2, 7])
    """

    least = 1

    def __init__(self, axis: int = -1, **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        self.axis = axis

    def build(self, input_shape: Structure) -> None:
        """Check that there is a list of inputs that differ along the axis only.

        Args:
          input_shape: a list of shapes.
        """
        if is_shape(input_shape) or not input_shape:
            raise ValueError(f"layer '{self.name}' (Concatenate) joins a list of inputs; it was called with one tensor")
        shapes = [as_shape(s) for s in input_shape]
        rank = len(shapes[0])
        axis = axis_of(self.axis, rank)
        others = [[d for i, d in enumerate(s) if i != axis] for s in shapes]
        if any(len(s) != rank for s in shapes) or any(
            a != b for rest in others for a, b in zip(rest, others[0]) if None not in (a, b)
        ):
            raise ValueError(
                f"layer '{self.name}' (Concatenate) joins along axis {self.axis}; its inputs have shapes "
                f"{', '.join(map(show, shapes))}, which differ along others"
            )

    def call(self, inputs: Sequence[Tensor]) -> Tensor:
        """The inputs, joined.

        Args:
          inputs: a list of tensors, alike but for the size of the axis.
        Returns: a tensor of the same rank.
        """
        return concat(list(inputs), self.axis)

    def compute_mask(self, inputs: Structure, previous_mask: Structure = None) -> Structure:
        """The masks of the inputs, joined as these are: an element counts if any of its features does.

        Args:
          inputs: the inputs.
          previous_mask: their masks, of shape [batch, time].
        Returns: a mask, or None.
        """
        given = list(previous_mask or ())
        if all(mask is None for mask in given):
            return None
        counts = [_of_elements(x, mask) for x, mask in zip(inputs, given, strict=True)]
        return reduce_any(concat(counts, self.axis), -1)


def _of_elements(x: Tensor, mask: Tensor | None) -> Tensor:
    """Which elements of a tensor count: all of them without a mask."""
    all_of_them = cast(ones_like(x), bool_)
    if mask is None:
        return all_of_them
    return m.logical_and(mask if mask.shape.rank == x.shape.rank else expand_dims(mask, -1), all_of_them)


class Dot(_Merge):
    """Products of two inputs along axes of theirs, example by example.

    Args:
      axes: the axis, or one for each input; counted with the batch.
      normalize: whether the vectors are made as long as 1 before: cosines.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: if there are not two inputs, or the sizes differ.

    >>> x = tf.constant([[1.0, 2.0]])
    >>> print(tf.keras.layers.Dot(axes=1)([x, x]))
    tf.Tensor([[5.]], shape=(1, 1), dtype=float32)
    """

    def __init__(self, axes: int | Sequence[int], normalize: bool = False, **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        self.axes, self.normalize = axes, normalize

    def build(self, input_shape: Structure) -> None:
        """Check that there are two inputs, whose axes have one size.

        Args:
          input_shape: two shapes.
        """
        if is_shape(input_shape) or len(input_shape) != 2:
            raise ValueError(f"layer '{self.name}' (Dot) has a list of two inputs")
        a, b = (as_shape(s) for s in input_shape)
        first, second = self._pair(len(a), len(b))
        if None not in (a[first], b[second]) and a[first] != b[second]:
            raise ValueError(
                f"layer '{self.name}' (Dot) of shapes {show(a)} and {show(b)} along axes {first} and {second}: "
                f"{a[first]} meets {b[second]}"
            )

    def _pair(self, first: int, second: int) -> tuple[int, int]:
        a, b = self.axes if isinstance(self.axes, Sequence) else (self.axes, self.axes)
        return axis_of(a, first), axis_of(b, second)

    def call(self, inputs: Sequence[Tensor]) -> Tensor:
        """The products.

        Args:
          inputs: two tensors with the batch first.
        Returns: a tensor of the other axes of the first, then those of the second.
        """
        x, y = inputs
        a, b = self._pair(len(x.shape.as_list()), len(y.shape.as_list()))
        if self.normalize:
            x, y = l2_normalize(x, a), l2_normalize(y, b)
        left, right = _at_end(x, a), _at_end(y, b)
        made = matmul(_flat(left), _flat(right), transpose_b=True)
        kept = [*sizes_of(left)[1:-1], *sizes_of(right)[1:-1]]
        return reshape(made, [sizes_of(left)[0], *(kept or [1])])

    def compute_mask(self, inputs: Structure, previous_mask: Structure = None) -> Structure:
        """There is none.

        Args:
          inputs: the inputs.
          previous_mask: their masks, of shape [batch, time].
        Returns: None.
        """
        return None


def _at_end(x: Tensor, axis: int) -> Tensor:
    """A tensor with an axis moved to the end."""
    rank = len(x.shape.as_list())
    return transpose(x, [*(i for i in range(rank) if i != axis), axis])


def _flat(x: Tensor) -> Tensor:
    """The axes between the first and the last as one."""
    sizes = sizes_of(x)
    return reshape(x, [sizes[0], -1, sizes[-1]])


def _function(cls: type[_Merge]) -> Callable[..., Structure]:
    def merged(inputs: Structure, **kwargs: Structure) -> Structure:
        return cls(**kwargs)(inputs)

    merged.__name__ = merged.__qualname__ = cls.__name__.lower()
    merged.__doc__ = (
        f"`{cls.__name__}` as a function: the layer, made and called.\n\n"
        "Args:\n  inputs: a list of tensors, of shapes that go together.\n  kwargs: the options of the layer.\n\n"
        f">>> x = tf.ones([2, 3])\n>>> tf.keras.layers.{cls.__name__.lower()}([x, x]).shape\n"
        "TensorShape([2, 3])\n"
    )
    return merged


add, subtract, multiply, average = map(_function, (Add, Subtract, Multiply, Average))
maximum, minimum = map(_function, (Maximum, Minimum))


def concatenate(inputs: Structure, axis: int = -1, **kwargs: Unpack[Options]) -> Structure:
    """`Concatenate` as a function: the layer, made and called.

    Args:
      inputs: a list of tensors, of shapes that go together.
      axis: the axis along which they stand one after the other.
      kwargs: the options of the layer.

    >>> x = tf.ones([2, 3])
    >>> tf.keras.layers.concatenate([x, x]).shape
    TensorShape([2, 6])
    """
    return Concatenate(axis=axis, **kwargs)(inputs)


def dot(inputs: Structure, axes: int | Sequence[int], normalize: bool = False, **kwargs: Unpack[Options]) -> Structure:
    """`Dot` as a function: the layer, made and called.

    Args:
      inputs: a list of two tensors.
      axes: the axis, or one for each input; counted with the batch.
      normalize: whether the vectors are made as long as 1 before: cosines.
      kwargs: the options of the layer.

    >>> x = tf.ones([2, 3])
    >>> tf.keras.layers.dot([x, x], axes=1).shape
    TensorShape([2, 1])
    """
    return Dot(axes, normalize=normalize, **kwargs)(inputs)
