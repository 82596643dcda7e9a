"""What to write instead of functions of NumPy that have no staged meaning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

# Something that has one, and from which the functions can be made.
_NEAR: Mapping[str, tuple[Any, ...]] = {
    "np.histogram": (np.histogram2d, np.histogramdd),
    "np.linalg.eigh": (np.linalg.eig, np.linalg.eigvals),
    "np.linalg.solve": (np.linalg.tensorsolve,),
    "np.linalg.inv": (np.linalg.tensorinv,),
    "np.linalg.lstsq": (np.polyfit,),
    "np.convolve": (np.polymul,),
    "np.polyval": (np.poly, np.polyadd, np.polysub, np.polyder, np.polyint, np.polydiv, np.roots),
    "runtime.map_fn": (np.apply_along_axis, np.apply_over_axes),
    "np.where": (np.real_if_close,),
    "np.mod": (np.gcd, np.lcm),
    "np.log2": (np.frexp,),
    "np.exp2": (np.ldexp,),
    "np.right_shift": (np.unpackbits, np.packbits),
    "np.exp": (np.i0,),
    "np.cos": (np.bartlett, np.blackman, np.hamming, np.hanning, np.kaiser),
}
INSTEAD: Mapping[object, str] = {function: what for what, functions in _NEAR.items() for function in functions}
