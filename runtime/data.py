"""Datasets: sequences of elements, made one by one as they are asked for."""

from types import SimpleNamespace as _SimpleNamespace

from runtime.datasets.dataset import (
    AUTOTUNE as AUTOTUNE,
    INFINITE_CARDINALITY as INFINITE_CARDINALITY,
    UNKNOWN_CARDINALITY as UNKNOWN_CARDINALITY,
    Dataset as Dataset,
    assert_cardinality as _assert_cardinality,
)
from runtime.datasets.elements import DatasetSpec as DatasetSpec, IteratorSpec as IteratorSpec
from runtime.datasets.iterators import Iterator as Iterator
from runtime.datasets.lines import TextLineDataset as TextLineDataset
from runtime.datasets.options import Options as Options
from runtime.datasets.records import TFRecordDataset as TFRecordDataset

__all__ = [
    "AUTOTUNE", "INFINITE_CARDINALITY", "UNKNOWN_CARDINALITY", "Dataset", "DatasetSpec", "Iterator", "IteratorSpec",
    "Options", "TFRecordDataset", "TextLineDataset", "experimental",
]  # fmt: skip

experimental = _SimpleNamespace(  # with older names
    AUTOTUNE=AUTOTUNE,
    INFINITE_CARDINALITY=INFINITE_CARDINALITY,
    UNKNOWN_CARDINALITY=UNKNOWN_CARDINALITY,
    assert_cardinality=_assert_cardinality,
    cardinality=Dataset.cardinality,
)
