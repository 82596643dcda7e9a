"""What to write instead of functions of NumPy that have no staged meaning."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

# Something that has one, and from which the function can be made.
INSTEAD: Mapping[Callable[..., object], str] = {
    function: what
    for what, functions in {
        "np.concatenate": (np.append, np.insert, np.delete, np.block, np.resize, np.pad),
        "np.stack": (np.column_stack,),
        "np.where": (np.select, np.choose, np.piecewise, np.heaviside),
        "an index x[condition]": (np.extract, np.compress),
        "np.searchsorted": (np.digitize, np.interp, np.histogram),
        "np.sort": (np.median, np.percentile, np.quantile, np.partition),
        "np.argsort": (np.argpartition, np.lexsort),
        "an index x[1:] - x[:-1]": (np.diff, np.ediff1d, np.gradient),
        "np.sum": (np.trapezoid, np.nansum),
        "np.mean": (np.cov, np.corrcoef, np.nanmean),
        "np.maximum": (np.fmax, np.nanmax),
        "np.minimum": (np.fmin, np.nanmin),
        "np.linalg.solve": (np.linalg.lstsq, np.linalg.pinv, np.linalg.tensorsolve),
        "np.linalg.det": (np.linalg.slogdet,),
        "runtime.map_fn": (np.apply_along_axis, np.apply_over_axes),
        "runtime.nn.conv2d": (np.convolve, np.correlate),
        "runtime.split": (np.split, np.array_split, np.hsplit, np.vsplit, np.dsplit),
        "runtime.unique": (np.unique, np.unique_values, np.union1d),
    }.items()
    for function in functions
}
