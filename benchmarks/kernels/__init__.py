"""Programs of NumPy and loops as people write them, which `@runtime.function` takes unchanged."""

from benchmarks.kernels import (
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
from benchmarks.kernels.kernel import KERNELS as KERNELS, Kernel as Kernel

__all__ = [
    "KERNELS",
    "Kernel",
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
