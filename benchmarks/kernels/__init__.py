"""Programs of NumPy and loops as people write them, which `@runtime.function` takes unchanged."""

from benchmarks.kernels import (
    draws,
    images,
    keys,
    matrices,
    physics,
    rows,
    searches,
    signals,
    solvers,
    statistics,
    stencils,
    tables,
)
from benchmarks.kernels.kernel import DRAWING as DRAWING, KERNELS as KERNELS, Kernel as Kernel

__all__ = [
    "DRAWING",
    "KERNELS",
    "Kernel",
    "draws",
    "images",
    "keys",
    "matrices",
    "physics",
    "rows",
    "searches",
    "signals",
    "solvers",
    "statistics",
    "stencils",
    "tables",
]
