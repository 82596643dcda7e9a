"""TensorFlow's names for conversions that it has to be asked for, all of which are always on here."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence


class Feature(enum.Enum):
    """A conversion that TensorFlow's AutoGraph does on request; here all of them are always done.

    >>> [feature.name for feature in tf.autograph.experimental.Feature.all_but(["ALL", "LISTS"])][:2]
    ['AUTO_CONTROL_DEPS', 'ASSERT_STATEMENTS']
    """

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"

    @classmethod
    def all(cls) -> tuple[Feature, ...]:
        """All of them."""
        return tuple(cls)

    @classmethod
    def all_but(cls, exclude: Sequence[Feature | str]) -> tuple[Feature, ...]:
        """All of them without some."""
        return tuple(feature for feature in cls if feature not in exclude and feature.name not in exclude)


_ATTRIBUTES = frozenset(  # that TensorFlow lets a program say of a function
    "_OutputsOnOpDevice _disable_acd _implements _noinline _tf_data_function api_implements api_preferred_device "
    "disable_summaries_at_runtime experimental_ints_on_device function_runs_at_most_once go_backwards "
    "runtime_constant_optimization time_major".split()
)


def check_features(given: object, attributes: Iterable[str] | None = None) -> None:
    """Raise TypeError for what are no Features, and ValueError for attributes that TensorFlow does not know."""
    for attribute in attributes or ():
        if attribute not in _ATTRIBUTES:
            raise ValueError(
                f"{attribute} is not supported by tf.function as an attribute: see experimental_attributes"
            )
    for feature in given if isinstance(given, list | tuple | set | frozenset) else [given]:
        if feature is not None and not isinstance(feature, Feature):
            raise TypeError(
                f"experimental_autograph_options takes members of autograph.experimental.Feature, not {feature!r}"
            )
