"""The messages SequenceExample, FeatureLists and FeatureList: examples of which some features have many steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from runtime.ops import examples, protos
from runtime.tensors.examples import Feature, Features, _Map, _Message, _nested


class FeatureList(_Message):
    """Features one after the other, one for each step.

    Args:
      feature: them.

    >>> step = tf.train.Feature(int64_list=tf.train.Int64List(value=[3]))
    >>> len(tf.train.FeatureList(feature=[step, step]).feature)
    2
    """

    def __init__(self, feature: Iterable[Feature] = ()) -> None:
        self.feature = [*feature]

    def _plain(self) -> list[examples.Feature]:
        return [one.plain() for one in self.feature]

    def SerializeToString(self) -> bytes:
        return examples.steps_to_bytes(self._plain())

    def _read(self, serialized: bytes) -> None:
        self.feature = [Feature.of(step) for step in examples.steps_of(serialized)]

    def _lines(self) -> list[str]:
        return [line for one in self.feature for line in _nested("feature", one._lines())]


class FeatureLists(_Message):
    """Lists of features by names.

    Args:
      feature_list: a dictionary of them.

    >>> lists = tf.train.FeatureLists()
    >>> lists.feature_list["steps"].feature.append(tf.train.Feature())
    >>> [*lists.feature_list]
    ['steps']
    """

    def __init__(self, feature_list: Mapping[str, FeatureList] | None = None) -> None:
        self.feature_list: dict[str, FeatureList] = _Map(FeatureList, feature_list or {})

    def _plain(self) -> dict[str, list[examples.Feature]]:
        return {key: steps._plain() for key, steps in self.feature_list.items()}

    def _take(self, lists: Mapping[str, Iterable[examples.Feature]]) -> None:
        self.feature_list = _Map(
            FeatureList, {key: FeatureList(map(Feature.of, steps)) for key, steps in lists.items()}
        )

    def SerializeToString(self) -> bytes:
        made = examples.sequences_to_bytes({}, self._plain())
        return b"".join(part for number, part in protos.fields(made) if number == 2 and isinstance(part, bytes))

    def _read(self, serialized: bytes) -> None:
        self._take(examples.lists_of(serialized))

    def _lines(self) -> list[str]:
        entries = [
            [f'key: "{key}"', *_nested("value", steps._lines())] for key, steps in sorted(self.feature_list.items())
        ]
        return [line for entry in entries for line in _nested("feature_list", entry)]


class SequenceExample(_Message):
    """An example of which some features have one value each, and others one for each step.

    Args:
      context: the former, by names.
      feature_lists: the latter, by names.

    >>> steps = [tf.train.Feature(int64_list=tf.train.Int64List(value=[v])) for v in (3, 5)]
    >>> lists = tf.train.FeatureLists(feature_list={"x": tf.train.FeatureList(feature=steps)})
    >>> record = tf.train.SequenceExample(feature_lists=lists).SerializeToString()
    >>> wanted = {"x": tf.io.FixedLenSequenceFeature([], tf.int64)}
    >>> print(tf.io.parse_single_sequence_example(record, sequence_features=wanted)[1]["x"])
    tf.Tensor([3 5], shape=(2,), dtype=int64)
    """

    def __init__(self, context: Features | None = None, feature_lists: FeatureLists | None = None) -> None:
        self.context = Features() if context is None else context
        self.feature_lists = FeatureLists() if feature_lists is None else feature_lists

    def SerializeToString(self) -> bytes:
        return examples.sequences_to_bytes(self.context.plain(), self.feature_lists._plain())

    def _read(self, serialized: bytes) -> None:
        self.context, self.feature_lists = Features(), FeatureLists()
        self.context.take(examples.from_bytes(serialized))
        self.feature_lists._take(examples.sequences_of(serialized))

    def _lines(self) -> list[str]:
        return _nested("context", self.context._lines()) + _nested("feature_lists", self.feature_lists._lines())
