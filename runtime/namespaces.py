"""TensorFlow's sub-namespaces that only regroup what is defined elsewhere."""

from __future__ import annotations

from types import SimpleNamespace

import autograph as _autograph
from runtime import control, conversion, dtypes, mathematics, shaping


def _public(module: object, names: str) -> dict[str, object]:
    return {name: getattr(module, name) for name in names.split()}


math = SimpleNamespace(
    **_public(
        mathematics,
        "add subtract multiply divide truediv floordiv mod floormod pow maximum minimum atan2 equal not_equal less "
        "less_equal greater greater_equal logical_and logical_or logical_xor logical_not negative abs sign square sqrt "
        "rsqrt reciprocal exp expm1 log log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sigmoid "
        "softplus floor ceil rint round real imag conj angle is_nan is_inf is_finite squared_difference divide_no_nan "
        "add_n reduce_sum reduce_prod reduce_max reduce_min reduce_any reduce_all reduce_std reduce_variance "
        "reduce_logsumexp reduce_mean count_nonzero argmax argmin cumsum cumprod",
    ),
    top_k=shaping.top_k,
)
linalg = SimpleNamespace(
    **_public(mathematics, "matmul tensordot einsum norm trace inv det cholesky solve"),
    diag=shaping.linalg_diag,
    eye=shaping.eye,
    matrix_transpose=mathematics.matrix_transpose,
)
bitwise = SimpleNamespace(
    **_public(mathematics, "bitwise_and bitwise_or bitwise_xor left_shift right_shift"),
)
dtypes_namespace = SimpleNamespace(
    **{d.name: d for d in dtypes.ALL}, DType=dtypes.DType, as_dtype=dtypes.as_dtype, cast=conversion.cast
)
autograph = SimpleNamespace(
    to_code=_autograph.to_code,
    to_graph=_autograph.to_graph,
    trace=print,
    experimental=SimpleNamespace(do_not_convert=_autograph.do_not_convert, set_loop_options=control.set_loop_options),
)
