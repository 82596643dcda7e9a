"""Datasets: sequences of elements, made one by one as they are asked for."""

from types import SimpleNamespace as _SimpleNamespace

from runtime.datasets import older as _older
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
from runtime.datasets.optionals import Optional as _Optional
from runtime.datasets.options import Options as Options
from runtime.datasets.records import TFRecordDataset as TFRecordDataset

__all__ = [
    "AUTOTUNE", "INFINITE_CARDINALITY", "UNKNOWN_CARDINALITY", "Dataset", "DatasetSpec", "Iterator", "IteratorSpec",
    "Options", "TFRecordDataset", "TextLineDataset", "experimental",
]  # fmt: skip

experimental = _SimpleNamespace(  # with older names
    **{name: getattr(_older, name) for name in (
        "Counter RandomDataset Reducer bucket_by_sequence_length choose_from_datasets copy_to_device "
        "dense_to_ragged_batch dense_to_sparse_batch enumerate_dataset get_structure group_by_reducer group_by_window "
        "ignore_errors map_and_batch parallel_interleave prefetch_to_device rejection_resample scan "
        "shuffle_and_repeat snapshot take_while unbatch unique"
    ).split()},
    AUTOTUNE=AUTOTUNE,
    INFINITE_CARDINALITY=INFINITE_CARDINALITY,
    Optional=_Optional,
    UNKNOWN_CARDINALITY=UNKNOWN_CARDINALITY,
    assert_cardinality=_assert_cardinality,
    cardinality=Dataset.cardinality,
    get_single_element=Dataset.get_single_element,
    load=Dataset.load,
    sample_from_datasets=Dataset.sample_from_datasets,
    save=Dataset.save,
)  # fmt: skip
