"""Which modules are left alone: their functions are called as they are, never converted."""

from __future__ import annotations

import sys
import sysconfig

# Libraries whose functions either have a staged meaning of their own or hold nothing to stage.
_LIBRARIES = frozenset(
    "autograph runtime gast astunparse numpy scipy sklearn pandas matplotlib PIL jax jaxlib torch tensorflow keras "
    "numba onnx onnxruntime pytest _pytest hypothesis IPython ipykernel pygments coverage pluggy".split()
)

# Built-in functions that some backend gives a staged meaning; all other built-ins are called as they are.
STAGED_BUILTINS = frozenset(
    "len range enumerate zip reversed map filter sorted min max sum any all abs round divmod pow int float bool".split()
)

_INSTALLED = tuple(
    {path for key in ("stdlib", "platstdlib", "purelib", "platlib") if (path := sysconfig.get_paths().get(key))}
)


def is_left_alone(module: str | None) -> bool:
    """Whether functions of the module with this dotted name are called as they are."""
    if not module:
        return False
    root = module.partition(".")[0]
    return root in _LIBRARIES or (root in sys.stdlib_module_names and root != "__main__")


def is_installed(filename: str) -> bool:
    """Whether the file belongs to the standard library or to an installed package."""
    return filename.startswith(_INSTALLED) or filename.startswith("<frozen ")
