"""Data types of tensors."""

from runtime.graph.dtypes import (
    DType as DType,
    as_dtype as as_dtype,
    bool_ as bool_,
    complex64 as complex64,
    complex128 as complex128,
    float16 as float16,
    float32 as float32,
    float64 as float64,
    int8 as int8,
    int16 as int16,
    int32 as int32,
    int64 as int64,
    string as string,
    uint8 as uint8,
    uint16 as uint16,
    uint32 as uint32,
    uint64 as uint64,
)
from runtime.tensors.conversion import cast as cast

bool = bool_
