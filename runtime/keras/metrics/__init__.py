"""Metrics: numbers that follow what happens, batch after batch, and the functions whose means they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from runtime.keras.identifiers import Catalogue, Objects
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
    categorical_hinge,
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
)
from runtime.keras.metrics.accuracy import (
    Accuracy,
    BinaryAccuracy,
    CategoricalAccuracy,
    SparseCategoricalAccuracy,
    SparseTopKCategoricalAccuracy,
    TopKCategoricalAccuracy,
    binary_accuracy,
    categorical_accuracy,
    sparse_categorical_accuracy,
    sparse_top_k_categorical_accuracy,
    top_k_categorical_accuracy,
)
from runtime.keras.metrics.confusion import (
    AUC,
    FalseNegatives,
    FalsePositives,
    Precision,
    PrecisionAtRecall,
    Recall,
    RecallAtPrecision,
    SensitivityAtSpecificity,
    SpecificityAtSensitivity,
    TrueNegatives,
    TruePositives,
)
from runtime.keras.metrics.errors import (
    BinaryCrossentropy,
    CategoricalCrossentropy,
    CategoricalHinge,
    ConcordanceCorrelation,
    CosineSimilarity,
    Hinge,
    KLDivergence,
    LogCoshError,
    MeanAbsoluteError,
    MeanAbsolutePercentageError,
    MeanSquaredError,
    MeanSquaredLogarithmicError,
    PearsonCorrelation,
    Poisson,
    R2Score,
    RootMeanSquaredError,
    SparseCategoricalCrossentropy,
    SquaredHinge,
    concordance_correlation,
    pearson_correlation,
)
from runtime.keras.metrics.metric import (
    Mean,
    MeanMetricWrapper,
    Metric,
    Sum,
)
from runtime.keras.metrics.overlap import (
    BinaryIoU,
    F1Score,
    FBetaScore,
    IoU,
    MeanIoU,
    OneHotIoU,
    OneHotMeanIoU,
)
from runtime.tensors.types import TensorLike

__all__ = [
    "AUC", "KLD", "MAE", "MAPE", "MSE", "MSLE", "Accuracy", "BinaryAccuracy", "BinaryCrossentropy", "BinaryIoU",
    "CategoricalAccuracy", "CategoricalCrossentropy", "CategoricalHinge", "ConcordanceCorrelation", "CosineSimilarity",
    "F1Score", "FBetaScore", "FalseNegatives", "FalsePositives", "Hinge", "IoU", "KLDivergence", "LogCoshError", "Mean",
    "MeanAbsoluteError", "MeanAbsolutePercentageError", "MeanIoU", "MeanMetricWrapper", "MeanSquaredError",
    "MeanSquaredLogarithmicError", "Metric", "OneHotIoU", "OneHotMeanIoU", "PearsonCorrelation", "Poisson", "Precision",
    "PrecisionAtRecall", "R2Score", "Recall", "RecallAtPrecision", "RootMeanSquaredError", "SensitivityAtSpecificity",
    "SparseCategoricalAccuracy", "SparseCategoricalCrossentropy", "SparseTopKCategoricalAccuracy",
    "SpecificityAtSensitivity", "SquaredHinge", "Sum", "TopKCategoricalAccuracy", "TrueNegatives", "TruePositives",
    "binary_accuracy", "binary_crossentropy", "binary_focal_crossentropy", "categorical_accuracy",
    "categorical_crossentropy", "categorical_focal_crossentropy", "categorical_hinge", "concordance_correlation",
    "deserialize", "get", "hinge", "huber", "kl_divergence", "kld", "kullback_leibler_divergence", "log_cosh",
    "logcosh", "mae", "mape", "mean_absolute_error", "mean_absolute_percentage_error", "mean_squared_error",
    "mean_squared_logarithmic_error", "mse", "msle", "pearson_correlation", "poisson", "serialize",
    "sparse_categorical_accuracy", "sparse_categorical_crossentropy", "sparse_top_k_categorical_accuracy",
    "squared_hinge", "top_k_categorical_accuracy",
]  # fmt: skip

_PARTS = ("Metric", "MeanMetricWrapper", "get", "serialize", "deserialize")
_CATALOGUE = Catalogue.in_words(
    "metric",
    "keras.metrics",
    {name: globals()[name] for name in __all__ if name not in _PARTS} | {"bce": BinaryCrossentropy,
     "BCE": BinaryCrossentropy, "cosine_similarity": CosineSimilarity},
)  # fmt: skip


def get(
    identifier: str | Mapping[str, object] | type[Metric] | Metric | Callable[..., TensorLike] | None,
) -> Metric | Callable[..., TensorLike] | None:
    """A metric by its name, or by its configuration.

    Args:
      identifier: the name of a function, as ``"mse"``, or of a class, as ``"MeanSquaredError"``, what `serialize`
        gives, a class, a metric, a function of what was wanted and what was predicted, or None.
    Returns: the function or the metric; None for None.
    Raises:
      ValueError: if there is no such metric.

    >>> tf.keras.metrics.get("BinaryAccuracy").threshold
    0.5
    >>> tf.keras.metrics.get("BinaryAcuracy")
    Traceback (most recent call last):
        ...
    ValueError: Unknown metric: 'BinaryAcuracy'. Did you mean 'binary_accuracy'?
    """
    return _metric(_CATALOGUE.get(identifier), identifier)


def serialize(metric: Metric | Callable[..., TensorLike]) -> object:
    """The configuration of a metric as a dictionary, or the name of a function.

    Args:
      metric: the metric, or the function.
    Returns: a dictionary with ``class_name``, ``config``, ``module`` and ``registered_name``, or a string.

    >>> tf.keras.metrics.serialize(tf.keras.metrics.Mean(name="loss"))["config"]
    {'name': 'loss', 'dtype': 'float32'}
    """
    return _CATALOGUE.serialize(metric)


def deserialize(config: object, custom_objects: Objects = None) -> Metric | Callable[..., TensorLike] | None:
    """The metric that `serialize` has described, of no batches yet.

    Args:
      config: its configuration, or its name.
      custom_objects: classes and functions of one's own by their names.
    Returns: the metric, or the function.
    Raises:
      ValueError: if there is no such metric.

    >>> config = tf.keras.metrics.serialize(tf.keras.metrics.Mean(name="loss"))
    >>> tf.keras.metrics.deserialize(config).name
    'loss'
    """
    return _metric(_CATALOGUE.deserialize(config, custom_objects), config)


def _metric(found: object, given: object) -> Metric | Callable[..., TensorLike] | None:
    if found is None or isinstance(found, Metric):
        return found
    if not callable(found):
        raise ValueError(f"Could not interpret metric {given!r}: it is a Metric, or a function of y_true and y_pred")
    return found
