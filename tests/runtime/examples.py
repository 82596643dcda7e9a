"""For every operation that is not element-wise: inputs and attributes that it takes."""

import numpy as np

from runtime import dtypes
from runtime.ops.effects import Held
from runtime.ops.indexing import INPUT
from runtime.ops.nn import convolved, pooled

F = np.array([[1.5, -2.0, 3.0], [0.5, 4.0, -1.0]], np.float32)
V = np.array([3.0, 1.0, 2.0])
I = np.array([2, 0, 1], np.int32)
B = np.array([True, False, True])
S = np.array([b"a", b"bc"], object)
TEXT = np.array("a bä".encode(), object)
ENCODING = {"encoding": "UTF-8", "errors": "replace", "replacement": 65533}
SQUARE = np.array([[4.0, 1.0], [1.0, 3.0]])
ALL = {"axis": None, "keepdims": False}
ROWS = {"axis": (0,), "keepdims": True}
f4, f8, i4, i8 = dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64

EXAMPLES = {
    "cast": [([F], {"dtype": i4}), ([V], {"dtype": f8}), ([I], {"dtype": f8})],
    "where": [([B, V, V * 2], {})],
    "round": [([V / 3], {"decimals": 1}), ([I], {"decimals": 0})],
    "clip": [([V, np.float64(1.5), np.float64(2.5)], {})],
    "is_close": [([V, V + 1e-9], {"rtol": 1e-5, "atol": 1e-8})],
    "sum": [([F], {**ALL, "dtype": f4}), ([I], {"axis": 0, "keepdims": True, "dtype": i4})],
    "prod": [([F], {**ROWS, "dtype": f4})],
    "mean": [([F], {"axis": -1, "keepdims": False, "dtype": f4})],
    "max": [([F], ALL), ([F], ROWS)],
    "min": [([F], ROWS)],
    "any": [([B], ALL)],
    "all": [([B], ALL)],
    "std": [([F], ROWS)],
    "var": [([V], ALL)],
    "logsumexp": [([F], ROWS), ([V], ALL)],
    "argmax": [([F], {"axis": 0, "dtype": i8})],
    "argmin": [([F], {"axis": 1, "dtype": i4})],
    "cumsum": [([F], {"axis": 1, "exclusive": True, "reverse": True, "dtype": f4})],
    "cumprod": [([V], {"axis": 0, "exclusive": False, "reverse": False, "dtype": f8})],
    "constant": [([], {"value": F, "dtype": f4})],
    "fill": [([np.float32(2)], {"shape": (2, 3)}), ([np.float32(2), np.int32(4)], {"shape": (2, None)})],
    "reshape": [([F], {"shape": (3, 2)}), ([F], {"shape": (-1,)}), ([F, np.int32(6)], {"shape": (None, 1)})],
    "broadcast_to": [([V], {"shape": (2, 3)})],
    "transpose": [([F], {"axes": None}), ([F], {"axes": (1, 0)})],
    "expand_dims": [([F], {"axis": -1})],
    "squeeze": [([F[:1]], {"axis": (0,)}), ([F[:1]], {"axis": None})],
    "concat": [([F, F], {"axis": 0}), ([F, F, F], {"axis": -1})],
    "stack": [([V, V], {"axis": 1})],
    "tile": [([F], {"multiples": (2, 1)})],
    "repeat": [([F], {"repeats": 2, "axis": 1}), ([F], {"repeats": 2, "axis": None})],
    "pad": [([F], {"paddings": ((1, 0), (0, 2)), "value": 0})],
    "reverse": [([F], {"axis": (0,)})],
    "roll": [([V], {"shift": 1, "axis": 0})],
    "ensure_shape": [([F], {"shape": (None, 3)})],
    "identity": [([F], {})],
    "stop_gradient": [([F], {})],
    "custom_gradient": [([F, V], {"count": 1, "gradient": None}), ([F, V, I], {"count": 2, "gradient": None})],
    "sum_to": [([F], {"shape": s}) for s in ((2, 3), (1, 3), (2, 1), (3,), (1,), ())]
    + [([F, np.int32(1)], {"shape": (None, 3)}), ([F, np.int64(3)], {"shape": (None,)}), ([F[:1]], {"shape": (2, 3)})],
    "sum_like": [([F, F[:1]], {}), ([F, F[0, 0]], {}), ([F, F[0]], {})],
    "shape": [([F], {"dtype": i4})],
    "size": [([F], {"dtype": i4})],
    "rank": [([F], {"dtype": i4})],
    "length": [([F], {"axis": 1, "dtype": i4})],
    "range": [([np.int32(1), np.int32(7), np.int32(2)], {"count": 3, "dtype": i4})],
    "linspace": [([np.float64(0), np.float64(1)], {"num": 5, "axis": 0}), ([V, np.float64(1)], {"num": 3, "axis": -1})],
    "eye": [([], {"rows": 2, "columns": 3, "dtype": f4})],
    "one_hot": [([I], {"depth": 4, "dtype": f4})],
    "triu": [([SQUARE], {"k": 0})],
    "tril": [([SQUARE], {"k": 1})],
    "diag": [([V], {}), ([SQUARE], {})],
    "nonzero": [([B], {})],
    "getitem": [
        ([F], {"index": (0,)}),
        ([F], {"index": (slice(None), slice(None, None, 2))}),
        ([F], {"index": (Ellipsis, None, -1)}),
        ([F, np.int32(1)], {"index": (INPUT,)}),
        ([V, np.int32(1), np.int32(3)], {"index": (slice(INPUT, INPUT),)}),
        ([V, I], {"index": (INPUT,)}),
        ([V, B], {"index": (INPUT,)}),
    ],
    "setitem": [
        ([F, np.float32(9)], {"index": (0, slice(1, None)), "how": "set"}),
        ([V, np.float64(1), I], {"index": (INPUT,), "how": "add"}),
    ],
    "gather": [([F, I[:2] // 2], {"axis": 0}), ([F, I], {"axis": 1})],
    "gather_nd": [([F, np.array([[0, 1], [1, 2]], np.int32)], {})],
    "scatter": [([V, np.array([[0], [2]], np.int32), np.array([9.0, 8.0])], {"how": "set"})],
    "boolean_mask": [([V, B], {"axis": 0})],
    "sort": [([F], {"axis": -1})],
    "argsort": [([V], {"axis": 0})],
    "python_order": [([V], {"reverse": False}), ([V, V], {"reverse": True})],
    "searchsorted": [([np.sort(V), V], {"side": "left"})],
    "top_k": [([F], {"k": 2})],
    "unique": [([np.array([3, 1, 3], np.int32)], {"dtype": i4})],
    "matmul": [([F, F.T], {}), ([F, F[0]], {})],
    "einsum": [
        ([F, F], {"equation": "ij,kj->ik", "in_any_order": True}),
        ([SQUARE], {"equation": "ij->ji", "in_any_order": False}),
        ([SQUARE], {"equation": "ii", "in_any_order": True}),
    ],
    "tensordot": [([F, F], {"axes": ((1,), (1,))}), ([SQUARE, SQUARE], {"axes": 1})],
    "outer": [([V, V], {})],
    "best_boxes": [
        (
            [
                np.array([[0, 0, 1, 1], [0, 0, 1, 0.9], [2, 2, 3, 3]], np.float32),
                np.float32([0.5, 0.9, 0.1]),
                np.int32(2),
                np.float32(overlap),
                np.float32(-1.0),
                np.float32(sigma),
            ],
            {},
        )
        for overlap, sigma in ((0.5, 0.0), (1.0, 0.5))
    ],
    "inverse": [([SQUARE], {})],
    "cholesky": [([SQUARE], {})],
    "attempted": [
        ([matrix], {"name": name, "named": (), "kinds": ("LinAlgError",)})
        for name, matrix in (("inverse", SQUARE), ("inverse", np.zeros_like(SQUARE)), ("cholesky", -SQUARE))
    ],
    "told": [
        ([matrix], {"name": name, "named": ()})
        for name, matrix in (("inverse", np.zeros_like(SQUARE)), ("cholesky", -SQUARE), ("inverse", SQUARE))
    ],
    "solve": [([SQUARE, SQUARE[0]], {})],
    "det": [([SQUARE], {})],
    "norm": [
        ([F], {"order": None, "axis": None, "keepdims": False, "dtype": f4}),
        ([V], {"order": 1, "axis": None, "keepdims": False, "dtype": f8}),
    ],
    "trace": [([SQUARE], {})],
    "slogdet": [([SQUARE], {}), ([SQUARE * 1j], {})],
    "qr": [([F], {"mode": "reduced"}), ([F], {"mode": "complete"})],
    "eig": [([SQUARE], {}), ([SQUARE * 1j], {})],
    "eigvals": [([SQUARE], {}), ([SQUARE * 1j], {})],
    "lu": [([SQUARE], {"dtype": i4}), ([SQUARE * 1j], {"dtype": i8})],
    **{name: [([SQUARE], {}), ([SQUARE * 1j], {})] for name in ("expm", "sqrtm")},
    "logm": [([SQUARE * (1 + 0j)], {}), ([SQUARE * 1j], {})],
    "eigh": [([SQUARE], {"lower": True}), ([SQUARE * (1 + 0j)], {"lower": False})],
    "eigvalsh": [([SQUARE], {"lower": False})],
    "svd": [([F], {"full_matrices": True}), ([F.T], {"full_matrices": False})],
    "singular_values": [([F], {})],
    "lstsq": [([F.T, F[0]], {"rcond": None}), ([F, F[:, :1]], {"rcond": 0.5})],
    "fourier": [
        ([V], {"function": "fft", "count": None, "axis": -1, "norm": None}),
        ([F], {"function": "rfft", "count": 5, "axis": 0, "norm": "ortho"}),
        ([F * 1j], {"function": "irfft", "count": None, "axis": 1, "norm": "forward"}),
    ],
    "string_join": [([S, S], {"separator": b"-"})],
    "as_string": [([F], {}), ([I], {})],
    "string_buckets": [([S], {"buckets": 7, "key": None}), ([S], {"buckets": 7, "key": (1, 2)})],
    "text_method": [
        ([S[0]], {"function": str.upper, "arguments": [Held(0, "Python")], "keywords": {}, "kind": "text"}),
        ([np.int64(8)], {"function": int, "arguments": ["17", Held(0, "Python")], "keywords": {}, "kind": "int"}),
        ([], {"function": float, "arguments": ["1.5"], "keywords": {}, "kind": "float"}),
    ],
    "ldexp": [([F, I], {}), ([V, np.int64(-3)], {})],
    "string_length": [([S], {"unit": "BYTE"})],
    "string_lower": [([S], {})],
    "string_upper": [([S], {})],
    "string_strip": [([S], {})],
    "string_change": [([S], {"how": "upper"})],
    "string_fixed": [([F], {"template": "%.2f"}), ([I], {"template": "%03d"}), ([B], {"template": "%s"})],
    "string_part": [([S, np.int32(0), np.int32(1)], {"unit": "BYTE"})],
    "string_split": [
        ([TEXT], {"sep": None, "most": -1, "counted": False}),
        ([TEXT], {"sep": b"a", "most": 1, "counted": False}),
    ],
    "string_letters": [
        ([TEXT], {"unit": "BYTE", "counted": False}),
        ([TEXT], {"unit": "UTF8_CHAR", "counted": False}),
    ],
    "string_reduce_join": [
        ([S], {"axis": None, "keepdims": False, "separator": b"-"}),
        ([S], {"axis": (-1,), "keepdims": True, "separator": b""}),
    ],
    "string_replace": [([S], {"pattern": "[ab]", "rewrite": r"<\g<0>>", "everywhere": True})],
    "string_matches": [([S], {"pattern": "[ab]"})],
    "string_format": [([F, I], {"template": ("x = ", ", y = ", ""), "summarize": 3})],
    "unicode_decode": [([TEXT], {**ENCODING, "controls": False, "counted": False})],
    "unicode_starts": [([TEXT], {**ENCODING, "counted": False})],
    "unicode_encode": [([I[None] + 65], ENCODING)],
    "unicode_transcode": [([S], {**ENCODING, "wanted": "UTF-16-BE", "controls": True})],
    "len": [([F], {})],
    "text": [([I[0]], {"function": str.format, "arguments": ["{} m", Held(0)], "keywords": {}})],
    "string_to_number": [([np.array([b"1.5", b"2"], object)], {"dtype": f4})],
}

# Their results are drawn, or they are nothing without a graph around them.
IMAGES = np.arange(2 * 5 * 6 * 3, dtype=np.float64).reshape(2, 5, 6, 3) % 7
FILTERS = np.arange(3 * 2 * 3 * 4, dtype=np.float64).reshape(3, 2, 3, 4) % 5 - 2
LINES = IMAGES[0, :, :, :2]
LINE_FILTERS = np.arange(3 * 2 * 5, dtype=np.float64).reshape(3, 2, 5) % 4 - 1
BODIES = np.arange(2 * 3 * 4 * 3 * 2, dtype=np.float64).reshape(2, 3, 4, 3, 2) % 5
BODY_FILTERS = np.arange(2 * 3 * 2 * 2 * 3, dtype=np.float64).reshape(2, 3, 2, 2, 3) % 3 - 1
GROUPS = np.arange(2 * 2 * 1 * 6, dtype=np.float64).reshape(2, 2, 1, 6) % 4 - 1  # two units for each channel


def _convolution(strides, padding, dilations=None, groups=1):
    ones = (1,) * len(strides)
    return {"strides": strides, "padding": padding, "dilations": dilations or ones, "groups": groups}


CONVOLUTIONS = [
    (IMAGES, FILTERS, _convolution((1, 1), "SAME")),
    (IMAGES, FILTERS, _convolution((2, 1), "VALID", (1, 2))),
    (IMAGES, FILTERS[:1, :1], _convolution((1, 1), ((0, 0), (0, 0)))),
    (IMAGES, FILTERS, _convolution((1, 2), ((1, 0), (0, 2)))),
    (IMAGES, GROUPS, _convolution((2, 2), "SAME", groups=3)),
    (IMAGES, FILTERS[:2, :, :1, :3], _convolution((1, 1), "VALID", groups=3)),
    (LINES, LINE_FILTERS, _convolution((2,), "SAME")),
    (LINES, LINE_FILTERS, _convolution((1,), ((2, 1),), (2,))),
    (BODIES, BODY_FILTERS, _convolution((1, 2, 1), "SAME")),
]


def _results(x, filters, how):
    made = convolved(x, filters, **how)
    return np.arange(made.size, dtype=np.float64).reshape(made.shape) % 6 - 2


def _pool(window, strides, padding, dilations=None):
    ones = (1,) * len(window)
    return {"window": window, "strides": strides, "padding": padding, "dilations": dilations or ones}


POOLS = [
    (IMAGES, _pool((2, 2), (2, 2), "VALID")),
    (IMAGES, _pool((3, 2), (1, 2), "SAME")),
    (IMAGES, _pool((3, 3), (2, 2), "SAME")),
    (IMAGES, _pool(IMAGES.shape[1:3], (1, 1), "VALID")),
    (IMAGES, _pool((2, 2), (1, 1), ((1, 0), (0, 1)), (2, 1))),
    (LINES, _pool((3,), (2,), "SAME")),
    (BODIES, _pool((2, 2, 1), (1, 2, 2), "SAME")),
]
EXAMPLES |= {
    "convolution": [([x, filters], how) for x, filters, how in CONVOLUTIONS],
    "convolution_images": [
        ([_results(x, filters, how), filters], {"shape": x.shape[1:-1], **how}) for x, filters, how in CONVOLUTIONS
    ]
    + [
        (
            [np.ones((1, 2, 3, 4)), FILTERS, np.int32(4), np.int64(4)],
            {"shape": (None, None), **_convolution((1, 1), "VALID")},
        )
    ],
    "convolution_filters": [
        ([x, _results(x, filters, how)], {"shape": filters.shape[:-2], **how}) for x, filters, how in CONVOLUTIONS
    ]
    + [([IMAGES, np.ones((2, 4, 6, 2)), np.int64(2)], {"shape": (None, 1), **_convolution((1, 1), "VALID")})],
    "pool": [([x], {"how": how, **windows}) for x, windows in POOLS for how in ("max", "avg")]
    + [([IMAGES.astype(np.int32)], {"how": "max", **_pool((2, 2), (1, 1), "SAME")})],
    "unpool": [
        ([x, pooled(x, "max", **windows)], {"how": how, **windows}) for x, windows in POOLS for how in ("max", "avg")
    ],
    "pool_choice": [([x, x[..., ::-1] * 2.0], windows) for x, windows in POOLS]
    + [([IMAGES, IMAGES.astype(np.int64)], _pool((2, 2), (1, 1), "SAME"))],
}

# Each form that an attribute may have.
CUBE = np.arange(24, dtype=np.float32).reshape(2, 3, 4) % 7 - 3
WHOLE = np.arange(6, dtype=np.int64).reshape(2, 3) * 7 % 5
TRUTHS = np.array([[True, False, True], [False, False, True]])
AXES = [None, 0, -1, (0,), (-1, 0), (0, 1, 2), ()]
FORMS = {
    "reverse": [{"axis": a} for a in (None, 0, -1, (0, -1), ())],
    "roll": [
        {"shift": s, "axis": a}
        for s, a in [(2, None), (-5, None), (1, -1), ((1, -2), (0, -1)), ((1, 1), (2, 2)), (2, (0, 1)), (10**6 + 1, 1)]
    ],
    "sort": [{"axis": a} for a in (0, 1, -1, -3)],
    "argsort": [{"axis": a} for a in (0, 1, -1, -3)],
    "transpose": [{"axes": a} for a in (None, (2, 0, 1), (-1, 0, 1), (0, 1, 2))],
    "expand_dims": [{"axis": a} for a in (0, 1, 3, -1, -4)],
    "concat": [{"axis": a} for a in (0, 1, -1, -3)],
    "stack": [{"axis": a} for a in (0, 3, -1, -4)],
    "tile": [{"multiples": m} for m in ((1, 2, 3), (0, 1, 1), (2, 1, 1, 2), (2,))],
    "repeat": [{"repeats": r, "axis": a} for r, a in [(3, None), (0, 1), (2, -1), (1, 0), (2, -3)]],
    "pad": [{"paddings": ((0, 0), (1, 0), (0, 2)), "value": v} for v in (0, 1.5, -2)],
    "length": [{"axis": a, "dtype": i8} for a in (0, 2, -1, -3)],
    "reshape": [{"shape": s} for s in ((24,), (-1,), (4, -1, 2), (-1, 1, 6), (2, 3, 4))],
    "triu": [{"k": k} for k in (-5, -1, 0, 1, 9)],
    "tril": [{"k": k} for k in (-5, -1, 0, 1, 9)],
    "top_k": [{"k": k} for k in (0, 1, 4)],
    "round": [{"decimals": d} for d in (0, 1, 3, -1)],
    "gather": [{"axis": a} for a in (0, 1, -1, -3)],
    "cumsum": [{"axis": a, "exclusive": e, "reverse": r, "dtype": f4} for a in (0, -1) for e in (0, 1) for r in (0, 1)],
    "cumprod": [{"axis": a, "exclusive": e, "reverse": True, "dtype": f4} for a in (1, -3) for e in (False, True)],
    "argmax": [{"axis": a, "dtype": i4} for a in (None, 0, -1, -2)],
    "argmin": [{"axis": a, "dtype": i8} for a in (None, 2, -3)],
    "norm": [
        {"order": o, "axis": a, "keepdims": k, "dtype": f4}
        for o, a, k in [(None, (0, -1), True), (1, -1, False), (2, 0, True), (np.inf, 1, False), (-np.inf, -2, True),
                        (0, 1, False), (3, -1, False)]
    ],
    **{
        name: [{"axis": a, "keepdims": k, "dtype": f4} for a in AXES for k in (False, True)] for name in ("sum", "mean")
    },
    "prod": [{"axis": a, "keepdims": False, "dtype": f8} for a in AXES],
    **{name: [{"axis": a, "keepdims": k} for a in AXES for k in (False, True)] for name in ("max", "any")},
    **{name: [{"axis": a, "keepdims": True} for a in AXES] for name in ("min", "all", "logsumexp")},
    **{name: [{"axis": a, "keepdims": False} for a in AXES[:-1]] for name in ("std", "var")},
    "tensordot": [{"axes": a} for a in (0, ((0, -1), (0, 2)), ((1,), (1,)), (-1, -1), 3)],
}  # fmt: skip
SECOND = {"concat": CUBE, "stack": CUBE * 2, "tensordot": CUBE, "gather": np.array([[1, 0], [0, 1]], np.int32)}
for name, forms in FORMS.items():
    given = [CUBE, SECOND[name]] if name in SECOND else [CUBE]
    EXAMPLES[name] = [*EXAMPLES[name], *((given, form) for form in forms)]
EXAMPLES["argmax"] += [([TRUTHS], {"axis": 1, "dtype": i8}), ([WHOLE], {"axis": None, "dtype": i8})]
EXAMPLES["sum"] += [
    ([TRUTHS], {"axis": a, "keepdims": False, "dtype": t}) for a in (None, 0) for t in (i8, i4, f4, dtypes.bool)
]
EXAMPLES["prod"] += [
    ([TRUTHS], {"axis": a, "keepdims": False, "dtype": t}) for a in (None, 1) for t in (i8, dtypes.bool)
]
EXAMPLES["cumsum"] += [
    ([TRUTHS], {"axis": 1, "exclusive": False, "reverse": False, "dtype": t}) for t in (i8, dtypes.bool)
]
EXAMPLES["mean"] += [([WHOLE], {"axis": 0, "keepdims": True, "dtype": f8})]
EXAMPLES["round"] += [([WHOLE * 37], {"decimals": d}) for d in (-1, -2, 2)]
EXAMPLES["squeeze"] += [([CUBE[:1, :, :1]], {"axis": a}) for a in (None, (0,), (-1,), (0, 2), (-3, -1))]
EXAMPLES["linspace"] += [
    ([np.float32(3), np.float32(b)], {"num": n, "axis": 0}) for b in (3, -1.5) for n in (0, 1, 2, 7)
] + [([V, V[::-1].copy()], {"num": 4, "axis": a}) for a in (0, 1, -1, -2)]
EXAMPLES["searchsorted"] += [([np.array([1, 2, 2, 5]), WHOLE], {"side": s}) for s in ("left", "right")]
EXAMPLES["one_hot"] += [([WHOLE - 1], {"depth": d, "dtype": t}) for d, t in ((0, f4), (3, dtypes.bool))]
EXAMPLES["range"] += [([np.int64(5), np.int64(-4), np.int64(-3)], {"count": c, "dtype": i8}) for c in (3, None)]
EXAMPLES["eye"] += [([], {"rows": r, "columns": c, "dtype": f8}) for r, c in ((0, 2), (3, 1))]
EXAMPLES["boolean_mask"] += [
    ([WHOLE, TRUTHS], {"axis": 0}), ([CUBE, TRUTHS], {"axis": 0}), ([CUBE, B], {"axis": 1}),
    ([CUBE, ~B & B], {"axis": 1}),
]  # fmt: skip
EXAMPLES["bitcast"] = [([V.astype(t)], {"dtype": d}) for t in ("f4", "f8") for d in (i4, dtypes.uint8)] + [
    ([np.zeros((2, 4), np.uint8)], {"dtype": f4})
]
EXAMPLES["stateless_random"] = [
    ([np.array([1, 2]), np.float32(0), np.float32(3)], {"shape": (2, 3), "dtype": t, "how": how})
    for t, how in ((f4, "normal"), (f8, "truncated"), (f4, "uniform"))
]
EXAMPLES["nonzero"] += [([TRUTHS], {}), ([WHOLE], {})]
EXAMPLES["trace"] += [([CUBE], {})]
EXAMPLES["gather_nd"] += [([CUBE, np.array([[1], [0]])], {}), ([CUBE, np.array([1, 2, 3], np.int32)], {})]
EXAMPLES["scatter"] += [
    ([CUBE, np.array([[1, 2], [0, 1], [1, 2]]), np.arange(1.7, 13).reshape(3, 4).astype("f4")], {"how": how})
    for how in ("set", "add", "sub", "mul", "div", "min", "max")
]
EXAMPLES["getitem"] += [
    ([CUBE, *given], {"index": index})
    for index, *given in [
        ((), ), ((None, Ellipsis, None),), ((-1, Ellipsis, 2),), ((slice(None, None, -1), 1, slice(-3, None)),),
        ((slice(5, None),),), ((slice(INPUT, None, -2),), np.int32(-1)), ((Ellipsis, INPUT), np.int64(-4)),
        ((slice(None), INPUT), B), ((Ellipsis, INPUT, slice(None)), B), ((INPUT, INPUT), I // 2, I),
        ((slice(None), INPUT, 0), I - 1), ((slice(None), slice(INPUT, INPUT)), np.int8(-9), np.int8(9)),
    ]
]  # fmt: skip
EXAMPLES["setitem"] += [
    ([CUBE, *given], {"index": index, "how": how})
    for how in ("set", "add")
    for index, *given in [
        ((Ellipsis, -1), np.float32(2)), ((slice(None, None, -2), slice(1, None)), np.ones(4, np.float32)),
        ((INPUT, slice(None)), np.ones((3, 4), np.float32), np.int32(-1)), ((INPUT, INPUT), np.float32(3), I // 2, I),
        ((), np.float32(1)), ((slice(3, 1),), np.float32(1)),
    ]
]  # fmt: skip

ELSEWHERE = {"fit", "narrow", "widen", "python_int", "python_round",
    "random_normal", "truncated_normal", "random_uniform", "random_shuffle", "categorical",
    "read_variable", "assign", "assign_add", "assign_sub", "logged", "print", "assert", "raise", "py_function",
    "draw", "warned",
    "list_new", "list_write", "list_read", "list_stack", "list_concat", "list_size", "list_from_tensor",
    "list_split", "list_scatter", "list_gather", "list_ordered", "list_pack", "list_cast", "list_fit", "list_narrow",
    "list_full_like",
    "list_add", "list_extend", "list_item", "list_set_item", "list_insert", "list_popped", "list_remove", "list_slice",
    "list_add_at", "list_add_all_at", "list_read_like", "list_erase", "list_cell", "list_set_cell",
    "list_append_cell", "rows_of", "rows_even", "rows_item", "rows_cell", "rows_put", "rows_put_cell", "rows_append",
    "rows_extend", "rows_tight", "rows_filled", "rows_is_written", "rows_split", "rows_first_length",
    "require", "checked", "if", "while", "call", "native", "shown", "made", "iterator", "advance", "element_of",
}  # fmt: skip
