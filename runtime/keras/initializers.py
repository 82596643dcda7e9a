"""Initializers: what the first values of weights are.

One that draws numbers draws the same ones for the same shape whenever it is called: those that its seed decides. One
that is made without a seed takes a new one, which `runtime.random.set_seed` decides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

import numpy as np

from runtime import random
from runtime.graph.dtypes import DTypeLike, as_dtype, int32
from runtime.graph.shapes import TensorShape
from runtime.keras.identifiers import Catalogue, Config, Objects
from runtime.tensors.conversion import cast, constant, convert_to_tensor
from runtime.tensors.making import eye
from runtime.tensors.scopes import init_scope
from runtime.tensors.shaping import broadcast_to
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike

__all__ = [
    "Constant", "GlorotNormal", "GlorotUniform", "HeNormal", "HeUniform", "Identity", "IdentityInitializer",
    "Initializer", "LecunNormal", "LecunUniform", "Ones", "Orthogonal", "OrthogonalInitializer", "RandomNormal",
    "RandomUniform", "TruncatedNormal", "VarianceScaling", "Zeros", "constant_", "deserialize", "get", "glorot_normal",
    "glorot_uniform", "he_normal", "he_uniform", "identity", "lecun_normal", "lecun_uniform", "ones", "orthogonal",
    "random_normal", "random_uniform", "serialize", "truncated_normal", "variance_scaling", "zeros",
]  # fmt: skip
