"""What to write instead of functions of NumPy, and of Python's library, that have no staged meaning."""

from __future__ import annotations

import bisect
import math
from collections.abc import Mapping

import numpy as np

from runtime.tensors.frames import instead_of

# Something that has one, and from which the functions can be made.
_NEAR: Mapping[str, tuple[object, ...]] = {
    "np.histogram": (np.histogram2d, np.histogramdd),
    "np.linalg.eigh": (np.linalg.eig, np.linalg.eigvals),
    "np.linalg.solve": (np.linalg.tensorsolve,),
    "np.linalg.inv": (np.linalg.tensorinv,),
    "np.polyval": (np.poly, np.polydiv, np.roots),
    "np.where": (np.real_if_close,),
    "np.exp": (np.i0,),
    "np.cos": (np.bartlett, np.blackman, np.hamming, np.hanning, np.kaiser),
}
INSTEAD: Mapping[object, str] = {function: what for what, functions in _NEAR.items() for function in functions}

# Functions of `math` that NumPy has by the same name, for numbers of the graph too.
_BY_NAME = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh degrees exp exp2 expm1 fabs floor fmod hypot "
    "isclose isfinite isinf isnan log log10 log1p log2 modf pow radians sin sinh sqrt tan tanh trunc"
)
# By the function, or by how many arguments it is given.
instead_of.update(
    {getattr(math, name): f"np.{name}" for name in _BY_NAME.split()}
    | {
        (math.log, 2): "np.log(x) / np.log(base)",
        (math.hypot, 3): "np.sqrt(x * x + y * y + z * z)",
        math.prod: "np.prod(np.array(...))",
        math.fsum: "np.sum(np.array(...))",
        math.dist: "np.linalg.norm(np.array(p) - np.array(q))",
        math.erf: "runtime.math.erf",
        math.erfc: "1 - runtime.math.erf(x)",
        math.remainder: "x - y * np.rint(x / y)",
        bisect.bisect: "np.searchsorted(..., side='right')",
        bisect.bisect_right: "np.searchsorted(..., side='right')",
        bisect.bisect_left: "np.searchsorted(...)",
    }
)
