"""Losses: how far what was predicted is from what was wanted, as functions and as objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from runtime.keras.identifiers import Catalogue, Objects
from runtime.keras.losses.classes import (
    CTC,
    BinaryCrossentropy,
    BinaryFocalCrossentropy,
    CategoricalCrossentropy,
    CategoricalFocalCrossentropy,
    CategoricalGeneralizedCrossEntropy,
    CategoricalHinge,
    Circle,
    CosineSimilarity,
    Dice,
    Hinge,
    Huber,
    KLDivergence,
    LogCosh,
    Loss,
    LossFunctionWrapper,
    MeanAbsoluteError,
    MeanAbsolutePercentageError,
    MeanSquaredError,
    MeanSquaredLogarithmicError,
    Poisson,
    SparseCategoricalCrossentropy,
    SquaredHinge,
    Tversky,
)
from runtime.keras.losses.functions import (
    KLD,
    MAE,
    MAPE,
    MSE,
    MSLE,
    binary_crossentropy,
    binary_focal_crossentropy,
    categorical_crossentropy,
    categorical_focal_crossentropy,
    categorical_generalized_cross_entropy,
    categorical_hinge,
    circle,
    cosine_similarity,
    ctc,
    dice,
    hinge,
    huber,
    kl_divergence,
    kld,
    kullback_leibler_divergence,
    log_cosh,
    logcosh,
    mae,
    mape,
    mean_absolute_error,
    mean_absolute_percentage_error,
    mean_squared_error,
    mean_squared_logarithmic_error,
    mse,
    msle,
    poisson,
    sparse_categorical_crossentropy,
    squared_hinge,
    tversky,
)
from runtime.keras.losses.reduction import REDUCTIONS
from runtime.tensors.types import TensorLike

__all__ = [
    "CTC", "KLD", "MAE", "MAPE", "MSE", "MSLE", "BinaryCrossentropy", "BinaryFocalCrossentropy",
    "CategoricalCrossentropy", "CategoricalFocalCrossentropy", "CategoricalGeneralizedCrossEntropy", "CategoricalHinge",
    "Circle", "CosineSimilarity", "Dice", "Hinge", "Huber", "KLDivergence", "LogCosh", "Loss", "LossFunctionWrapper",
    "MeanAbsoluteError", "MeanAbsolutePercentageError", "MeanSquaredError", "MeanSquaredLogarithmicError", "Poisson",
    "Reduction", "SparseCategoricalCrossentropy", "SquaredHinge", "Tversky", "binary_crossentropy",
    "binary_focal_crossentropy", "categorical_crossentropy", "categorical_focal_crossentropy",
    "categorical_generalized_cross_entropy", "categorical_hinge", "circle", "cosine_similarity", "ctc", "deserialize",
    "dice", "get", "hinge", "huber", "kl_divergence", "kld", "kullback_leibler_divergence", "log_cosh", "logcosh",
    "mae", "mape", "mean_absolute_error", "mean_absolute_percentage_error", "mean_squared_error",
    "mean_squared_logarithmic_error", "mse", "msle", "poisson", "serialize", "sparse_categorical_crossentropy",
    "squared_hinge", "tversky",
]  # fmt: skip


class Reduction:
    """The names of reductions, as constants.

    >>> tf.keras.losses.Reduction.SUM
    'sum'
    """

    NONE, SUM, SUM_OVER_BATCH_SIZE, MEAN = "none", "sum", "sum_over_batch_size", "mean"
    MEAN_WITH_SAMPLE_WEIGHT, AUTO = "mean_with_sample_weight", "sum_over_batch_size"

    @classmethod
    def all(cls) -> tuple[str | None, ...]:
        """All of them.

        >>> "mean" in tf.keras.losses.Reduction.all()
        True
        """
        return REDUCTIONS

    @classmethod
    def validate(cls, key: str | None) -> None:
        """Refuse what is none of them.

        Args:
          key: the name.
        Raises:
          ValueError: for another name.

        >>> tf.keras.losses.Reduction.validate("sum")
        """
        if key not in REDUCTIONS:
            raise ValueError(f"Invalid Reduction Key: {key!r}. Expected keys are {REDUCTIONS}")


_PARTS = ("Loss", "LossFunctionWrapper", "Reduction", "get", "serialize", "deserialize")
_CATALOGUE = Catalogue(
    "loss",
    "keras.losses",
    {name: globals()[name] for name in __all__ if name not in _PARTS} | {"bce": binary_crossentropy,
     "bfce": binary_focal_crossentropy, "cce": categorical_crossentropy, "cfce": categorical_focal_crossentropy},
)  # fmt: skip


def get(
    identifier: str | Mapping[str, object] | type[Loss] | Callable[..., TensorLike] | None,
) -> Callable[..., TensorLike] | None:
    """A loss by its name, or by its configuration.

    Args:
      identifier: the name of a function, as ``"mse"``, or of a class, as ``"MeanSquaredError"``, what `serialize`
        gives, a class, a loss, a function of what was wanted and what was predicted, or None.
    Returns: the function or the loss; None for None.
    Raises:
      ValueError: if there is no such loss.

    >>> tf.keras.losses.get("mse") is tf.keras.losses.mean_squared_error
    True
    >>> tf.keras.losses.get("Hubert")
    Traceback (most recent call last):
        ...
    ValueError: Unknown loss: 'Hubert'. Did you mean 'huber'?
    """
    return _loss(_CATALOGUE.get(identifier), identifier)


def serialize(loss: Callable[..., TensorLike]) -> object:
    """The configuration of a loss as a dictionary, or the name of a function.

    Args:
      loss: the loss, or the function.
    Returns: a dictionary with ``class_name``, ``config``, ``module`` and ``registered_name``, or a string.

    >>> tf.keras.losses.serialize(tf.keras.losses.mse)
    'mean_squared_error'
    """
    return _CATALOGUE.serialize(loss)


def deserialize(name: object, custom_objects: Objects = None) -> Callable[..., TensorLike] | None:
    """The loss that `serialize` has described.

    Args:
      name: its name, or its configuration.
      custom_objects: classes and functions of one's own by their names.
    Returns: the loss, or the function.
    Raises:
      ValueError: if there is no such loss.

    >>> config = tf.keras.losses.serialize(tf.keras.losses.Huber(2.0))
    >>> tf.keras.losses.deserialize(config).delta
    2.0
    """
    return _loss(_CATALOGUE.deserialize(name, custom_objects), name)


def _loss(found: object, given: object) -> Callable[..., TensorLike] | None:
    if found is not None and not callable(found):
        raise ValueError(f"Could not interpret loss {given!r}: it is a function of y_true and y_pred")
    return found
