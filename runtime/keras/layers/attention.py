"""Attention: sums of values, weighted by how well their keys fit queries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Unpack

from runtime.keras import constraints, initializers, regularizers
from runtime.keras.layers.core import masked_softmax
from runtime.keras.layers.dense import EinsumDense, last_of, positive
from runtime.keras.layers.kinds import ConstraintLike, InitializerLike, RegularizerLike
from runtime.keras.layers.layer import Layer
from runtime.keras.layers.options import LayerOptions, Options
from runtime.keras.layers.regularization import Dropout
from runtime.keras.shapes import as_shape, show
from runtime.tensors import mathematics as m
from runtime.tensors.activations import softmax
from runtime.tensors.making import range as range_of
from runtime.tensors.masks import take_masks
from runtime.tensors.products import matmul
from runtime.tensors.reductions import reduce_sum
from runtime.tensors.shaping import expand_dims, reshape, shape, transpose
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Size, Structure, TensorLike


class MultiHeadAttention(Layer):
    """Attention by several heads: queries, keys and values are projected, attended to, and put together again.

    Args:
      num_heads: how many heads there are.
      key_dim: the size of the queries and keys of a head.
      value_dim: the size of its values, `key_dim` by default.
      dropout: how likely a weight becomes 0 in training.
      use_bias: whether the projections add biases.
      output_shape: the last axis of the outputs, or several that take its place; that of the queries by default.
      attention_axes: the axis along which it attends, or several; by default all but the first and the last. The
        batch is axis 0, and elements along axes that are not among them are attended to apart.
      flash_attention: accepted; there is one way.
      kernel_initializer, bias_initializer: what makes the first values.
      kernel_regularizer, bias_regularizer, activity_regularizer: what makes losses of the weights and the outputs.
      kernel_constraint, bias_constraint: what is made of the weights after each step of an optimizer.
      seed: what decides, with that of `random.set_seed`, which weights become 0.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: if sizes are not positive, or the inputs are not sequences.

    >>> layer = tf.keras.layers.MultiHeadAttention(num_heads=2, key_dim=4)
    >>> y, scores = layer(tf.ones([2, 5, 6]), tf.ones([2, 3, 7]), return_attention_scores=True)
    >>> y.shape, scores.shape
    (TensorShape([2, 5, 6]), TensorShape([2, 2, 5, 3]))
    """

    def __init__(
        self,
        num_heads: int,
        key_dim: int,
        value_dim: int | None = None,
        dropout: float = 0.0,
        use_bias: bool = True,
        output_shape: int | Sequence[int] | None = None,
        attention_axes: int | Sequence[int] | None = None,
        flash_attention: bool | None = None,
        kernel_initializer: InitializerLike = "glorot_uniform",
        bias_initializer: InitializerLike = "zeros",
        kernel_regularizer: RegularizerLike = None,
        bias_regularizer: RegularizerLike = None,
        activity_regularizer: RegularizerLike = None,
        kernel_constraint: ConstraintLike = None,
        bias_constraint: ConstraintLike = None,
        seed: int | None = None,
        **kwargs: Unpack[LayerOptions],
    ) -> None:
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self.num_heads = positive(num_heads, "num_heads", "MultiHeadAttention")
        self.key_dim = positive(key_dim, "key_dim", "MultiHeadAttention")
        self.value_dim = self.key_dim if value_dim is None else positive(value_dim, "value_dim", "MultiHeadAttention")
        given = (attention_axes,) if isinstance(attention_axes, int) else attention_axes
        if given is not None and (not given or len(set(given)) < len(given) or any(a < 1 for a in given)):
            raise ValueError(
                f"attention_axes={attention_axes!r}: they are axes after that of the batch, as (1, 2), each once"
            )
        self.dropout, self.use_bias, self.seed = dropout, use_bias, seed
        self.attention_axes, self.flash_attention = attention_axes, flash_attention
        self._wanted = (output_shape,) if isinstance(output_shape, int) else output_shape and tuple(output_shape)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.bias_constraint = constraints.get(bias_constraint)
        self.supports_masking = True

    def _argument(self, name: str) -> object:
        return self._wanted if name == "output_shape" else super()._argument(name)

    def build(  # type: ignore[override]
        self, query_shape: Structure, value_shape: Structure, key_shape: Structure = None
    ) -> None:
        """Make the projections.

        Args:
          query_shape, value_shape, key_shape: the shapes of the inputs, [batch, time, features].
        """
        query, value = as_shape(query_shape), as_shape(value_shape)
        key = value if key_shape is None else as_shape(key_shape)
        rank = len(query)
        for dims in (query, value, key):
            if len(dims) < 3 or len(dims) != rank:
                raise ValueError(
                    f"layer '{self.name}' has inputs of shape [batch, time, features], or all of one higher rank, not "
                    f"{show(dims)}"
                )
        given = (self.attention_axes,) if isinstance(self.attention_axes, int) else self.attention_axes
        self._axes = list(range(1, rank - 1)) if given is None else list(given)
        if max(self._axes) > rank - 2:
            raise ValueError(
                f"layer '{self.name}' with attention_axes={self.attention_axes!r} has inputs of rank {rank}: these "
                f"axes are from 1 to {rank - 2}"
            )
        out = (query[-1],) if self._wanted is None else self._wanted
        free, sizes = "abcdefghijklm"[: rank - 1], [None] * (rank - 2)
        heads = f"{free}x,xyz->{free}yz"
        self.query_dense = self._projection(heads, (*sizes, self.num_heads, self.key_dim), "query", query)
        self.key_dense = self._projection(heads, (*sizes, self.num_heads, self.key_dim), "key", key)
        self.value_dense = self._projection(heads, (*sizes, self.num_heads, self.value_dim), "value", value)
        mixed = (*query[:-1], self.num_heads, self.value_dim)
        last = "nopqrstuvw"[: len(out)]
        self.output_dense = self._projection(
            f"{free}yz,yz{last}->{free}{last}", (*sizes, *out), "attention_output", mixed
        )
        self.dropout_layer = Dropout(self.dropout, seed=self.seed)

    def _projection(
        self, equation: str, output_shape: Sequence[int | None], name: str, input_shape: Sequence[int | None]
    ) -> EinsumDense:
        summed = 2 if name == "attention_output" else 1
        axes = equation.rpartition("->")[2][len(input_shape) - summed :]
        made = EinsumDense(
            equation, output_shape, bias_axes=axes if self.use_bias else None,
            kernel_initializer=self._copy(self.kernel_initializer),
            bias_initializer=self.bias_initializer, kernel_regularizer=self.kernel_regularizer,
            bias_regularizer=self.bias_regularizer, kernel_constraint=self.kernel_constraint,
            bias_constraint=self.bias_constraint, name=name, dtype=self.dtype,
        )  # fmt: skip
        made.build(input_shape)
        return made

    @staticmethod
    def _copy(initializer: Callable[..., TensorLike] | None) -> Callable[..., TensorLike] | None:
        """An initializer of its own, as one with a seed gives the same numbers each time."""
        given: Any = initializer
        if hasattr(given, "get_config"):
            return type(given).from_config(given.get_config())
        return initializer

    def call(
        self,
        query: Tensor,
        value: Tensor,
        key: Tensor | None = None,
        query_mask: Tensor | None = None,
        value_mask: Tensor | None = None,
        key_mask: Tensor | None = None,
        attention_mask: Tensor | None = None,
        return_attention_scores: bool = False,
        training: bool | None = None,
        use_causal_mask: bool = False,
    ) -> Structure:
        """What is attended to.

        Args:
          query: a tensor of shape [batch, T, features], or of a higher rank, with more axes to attend along.
          value: a tensor of shape [batch, S, features], of the same rank.
          key: a tensor of shape [batch, S, features], `value` by default.
          query_mask, value_mask, key_mask: which of them count, of booleans: [batch, T] or [batch, S].
          attention_mask: which attend to which, of booleans and of shape [batch, T, S]; T and S are several axes where
            it attends along several.
          return_attention_scores: whether the weights are given, too, of shape [batch, heads, T, S]; axes that are not
            attended along stand before the heads.
          training: whether it is training.
          use_causal_mask: whether a query attends to nothing later than itself.
        Returns: a tensor of shape [batch, T, features], or a pair of it and the weights. A query that attends to
          nothing has weights of 0 where there is `dropout`, the weights are asked for, or there are several axes, and
          else the mean of all values, as in Keras.
        """
        keys = value if key is None else key
        q = self.query_dense(query) * (1.0 / self.key_dim**0.5)
        k, v = self.key_dense(keys), self.value_dense(value)
        if self._axes != [1] and any(one is not None for one in (query_mask, value_mask, key_mask)):
            raise ValueError(
                f"layer '{self.name}' attends along axes {self._axes}: give attention_mask, rather than masks of the "
                "inputs, or have them carry none"
            )
        take_masks(query, value, *([] if key is None else [key]))  # what attends to them has seen to these
        mask = self._mask(query, value, query_mask, value_mask, key_mask, attention_mask, use_causal_mask)
        # Keras has two ways to compute this, which differ in what a query gives that attends to nothing.
        fused = not (self.dropout > 0 or return_attention_scores or len(q.shape) != 4)
        made, weights = self._attended(q, k, v, mask, all_alike=fused)
        made = self.output_dense(made)
        return (made, weights) if return_attention_scores else made

    def _attended(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, all_alike: bool) -> tuple[Tensor, Tensor]:
        """What heads attend to, and the weights: [batch, *apart, heads, *along the axes of the queries, *of the keys].

        The axes that are attended along become one, which a product of matrices goes over.
        """
        rank, axes = len(q.shape), self._axes
        apart = [axis for axis in range(rank - 2) if axis not in axes]
        order = [*apart, rank - 2, *axes, rank - 1]

        q, k, v = (transpose(x, order) for x in (q, k, v))
        sizes = [_sizes(x) for x in (q, k, v)] if len(axes) > 1 else []
        if sizes:
            at = len(apart) + 1
            q, k, v = (reshape(x, [*s[:at], -1, s[-1]]) for x, s in zip((q, k, v), sizes))
            (*along, _), (*of, _) = sizes[0], sizes[1][at:]
        scores = matmul(q, k, transpose_b=True)
        flat = _sizes(scores) if sizes else []
        if sizes:
            scores = reshape(scores, [*along, *of])
        while mask is not None and len(mask.shape) < len(scores.shape):
            mask = expand_dims(mask, -2 * len(axes) - 1)
        weights = masked_softmax(scores, mask, [*range(-len(axes), 0)] if sizes else -1, all_alike)
        made = matmul(self.dropout_layer(reshape(weights, flat) if sizes else weights), v)
        if sizes:
            made = reshape(made, [*along, sizes[2][-1]])
        return transpose(made, [order.index(axis) for axis in range(rank)]), weights

    def _mask(
        self, query: Tensor, value: Tensor, query_mask: Tensor | None, value_mask: Tensor | None,
        key_mask: Tensor | None, mask: Tensor | None, causal: bool,
    ) -> Tensor | None:  # fmt: skip
        parts = [mask] if mask is not None else []
        if query_mask is not None:
            parts.append(query_mask[:, :, None])
        parts += [one[:, None] for one in (value_mask, key_mask) if one is not None]
        if causal:
            parts.append((range_of(shape(query)[1])[:, None] >= range_of(shape(value)[1]))[None])
        found = None
        for part in parts:
            found = part if found is None else m.logical_and(found, part)
        return found

    def compute_mask(self, inputs: Structure, previous_mask: Structure = None) -> Structure:
        """The mask of the queries.

        Args:
          inputs: the queries.
          previous_mask: their mask, of shape [batch, time].
        Returns: the mask, or None.
        """
        return previous_mask if not isinstance(previous_mask, list | tuple) else previous_mask[0]


def _sizes(x: Tensor) -> list[Size]:
    """The sizes of a tensor: numbers where they are known, scalars of the graph where not."""
    return [shape(x)[axis] if size is None else size for axis, size in enumerate(x.shape.as_list())]


class Attention(Layer):
    """Attention by dot products: ``softmax(query @ key^T) @ value``, of a list of queries, values and, if wanted, keys.

    Args:
      use_scale: whether the products are multiplied by a number that is learned.
      score_mode: ``"dot"``, or ``"concat"`` for ``sum(tanh(query + key))``.
      dropout: how likely a weight becomes 0 in training.
      seed: what decides, with that of `random.set_seed`, which weights become 0.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: for another mode.

    >>> tf.keras.layers.Attention()([tf.ones([2, 5, 6]), tf.ones([2, 3, 6])]).shape
    TensorShape([2, 5, 6])
    """

    def __init__(
        self,
        use_scale: bool = False,
        score_mode: str = "dot",
        dropout: float = 0.0,
        seed: int | None = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(**kwargs)
        if score_mode not in ("dot", "concat"):
            raise ValueError(f"score_mode={score_mode!r}: it is 'dot' or 'concat'")
        self.use_scale, self.score_mode, self.dropout, self.seed = use_scale, score_mode, dropout, seed
        self.supports_masking = True

    def build(self, input_shape: Structure) -> None:
        """Make what is learned.

        Args:
          input_shape: a list of shapes, [batch, time, features].
        """
        self.scale = self.add_weight((), "ones", name="scale") if self.use_scale else None
        self.concat_score_weight = None
        if self.score_mode == "concat":
            self.concat_score_weight = self.add_weight((), "ones", name="concat_score_weight")
        self.dropout_layer = Dropout(self.dropout, seed=self.seed)

    def call(
        self,
        inputs: Sequence[Tensor],
        mask: Structure = None,
        training: bool | None = None,
        return_attention_scores: bool = False,
        use_causal_mask: bool = False,
    ) -> Structure:
        """What is attended to.

        Args:
          inputs: a list of queries [batch, T, features], values [batch, S, features] and, if wanted, keys.
          mask: a list of masks of queries and values, of booleans and of shape [batch, time].
          training: whether it is training.
          return_attention_scores: whether the weights are given, too, of shape [batch, T, S].
          use_causal_mask: whether a query attends to nothing later than itself.
        Returns: a tensor of shape [batch, T, features], or a pair of it and the weights.
        """
        query, value = inputs[0], inputs[1]
        key = inputs[2] if len(inputs) > 2 else value
        scores = self._scores(query, key)
        masks = list(mask) if isinstance(mask, list | tuple) else [mask, None]
        if len(masks) > 1 and masks[1] is not None:
            scores = m.where(masks[1][:, None], scores, -1e9)
        if use_causal_mask:
            causal = range_of(shape(scores)[1])[:, None] >= range_of(shape(scores)[2])
            scores = m.where(causal, scores, -1e9)
        weights = self.dropout_layer(softmax(scores, -1))
        made = matmul(weights, value)
        if masks[0] is not None:
            made = m.where(masks[0][:, :, None], made, 0.0)
        return (made, weights) if return_attention_scores else made

    def _scores(self, query: Tensor, key: Tensor) -> Tensor:
        """How well keys fit queries, of shape [batch, T, S]."""
        if self.score_mode == "dot":
            scores = matmul(query, key, transpose_b=True)
            return scores if self.scale is None else scores * self.scale
        both = query[:, :, None] + key[:, None]
        both = both if self.scale is None else both * self.scale
        assert self.concat_score_weight is not None  # build made it for this mode
        return reduce_sum(m.tanh(both), -1) * self.concat_score_weight

    def compute_mask(self, inputs: Structure, previous_mask: Structure = None) -> Structure:
        """The mask of the queries.

        Args:
          inputs: the inputs.
          previous_mask: their masks, of shape [batch, time].
        Returns: the mask, or None.
        """
        return previous_mask[0] if isinstance(previous_mask, list | tuple) else None


class AdditiveAttention(Attention):
    """Attention by sums: keys fit queries by ``sum(scale * tanh(query + key))``.

    Args:
      use_scale: whether the features are multiplied by numbers that are learned.
      dropout: how likely a weight becomes 0 in training.
      seed: what decides, with that of `random.set_seed`, which weights become 0.
      kwargs: the options of `Layer`.

    >>> tf.keras.layers.AdditiveAttention()([tf.ones([2, 5, 6]), tf.ones([2, 3, 6])]).shape
    TensorShape([2, 5, 6])
    """

    def __init__(
        self, use_scale: bool = True, dropout: float = 0.0, seed: int | None = None, **kwargs: Unpack[Options]
    ) -> None:
        super().__init__(use_scale, dropout=dropout, seed=seed, **kwargs)

    def build(self, input_shape: Structure) -> None:
        """Make what is learned.

        Args:
          input_shape: a list of shapes, [batch, time, features]; the number of features must be known.
        """
        size = last_of(as_shape(input_shape[0]), self)
        self.scale = self.add_weight((size,), "glorot_uniform", name="scale") if self.use_scale else None
        self.dropout_layer = Dropout(self.dropout, seed=self.seed)

    def _scores(self, query: Tensor, key: Tensor) -> Tensor:
        fit = m.tanh(query[:, :, None] + key[:, None])
        return reduce_sum(fit if self.scale is None else fit * self.scale, -1)
