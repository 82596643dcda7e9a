"""Calls of operations on text, of those that draw numbers, and of those that do something."""

from __future__ import annotations

import numpy as np

import runtime as tf
from runtime.graph.owner import Owner
from runtime.ops.effects import Held
from tests.fuzz.rows.table import rule


@rule("stateless_random")
def _(m):
    dtype = m.random.choice((tf.float32, tf.float64, tf.float16))
    how = m.random.choice(("normal", "truncated", "uniform"))
    shape, given = m.given_shape(m.shape())
    first, second = (m.new(np.array(value, dtype.as_numpy_dtype)) for value in (0, m.random.choice((1, 2.5))))
    seed = m.tensor("i", dtype=m.random.choice(("int32", "int64")), shape=(2,))
    return [seed, first, second, *given], {"shape": shape, "dtype": dtype, "how": how}


@rule("custom_gradient")
def _(m):
    first = m.tensor("biufc")
    return [first, m.tensor("biufc"), m.tensor("f")], {"count": m.random.choice((1, 2, 3)), "gradient": None}


@rule("string_join")
def _(m):
    x = m.tensor("O")
    return [x, *(m.like(x, shape=m.broadcastable(m.of(x).shape)) for _ in range(m.random.choice((0, 1, 2))))], {
        "separator": m.random.choice((b"", b"-"))
    }


@rule("as_string")
def _(m):
    return [m.tensor("biuf")], {}


@rule("string_length")
def _(m):
    return [m.tensor("O")], {"unit": m.random.choice(("BYTE", "UTF8_CHAR"))}


@rule("string_lower", "string_upper", "string_strip")
def _(m):
    return [m.tensor("O")], {}


@rule("string_to_number")
def _(m):
    dims = m.shape(m.random.choice((0, 1)))
    values = np.empty(dims, object)
    for at in np.ndindex(dims):
        values[at] = m.random.choice((b"1", b"-2", b"7"))
    return [m.new(values)], {"dtype": m.random.choice((tf.float32, tf.float64, tf.int32, tf.int64))}


@rule("string_part")
def _(m):
    x = m.tensor("O")
    return [x, m.new(np.array(0, np.int32)), m.new(np.array(m.random.choice((0, 1, 2)), np.int32))], {
        "unit": m.random.choice(("BYTE", "UTF8_CHAR"))
    }


def _one_text(m):
    value = np.empty((), object)
    value[()] = m.random.choice((b"a b", b"", "ä,b".encode()))
    return m.new(value)


def _counted(m):
    return {"counted": m.random.choice((True, False))}


@rule("string_split")
def _(m):
    return [_one_text(m)], {"sep": m.random.choice((None, b",")), "most": m.random.choice((-1, 1)), **_counted(m)}


@rule("string_letters")
def _(m):
    return [_one_text(m)], {"unit": m.random.choice(("BYTE", "UTF8_CHAR")), **_counted(m)}


@rule("unicode_decode", "unicode_starts")
def _(m):
    return [_one_text(m)], _counted(m)


@rule("string_reduce_join")
def _(m):
    x = m.tensor("O")
    rank = len(m.of(x).shape)
    axis = m.random.choice([None, *((a,) for a in range(-rank, rank))])
    return [x], {"axis": axis, "keepdims": m.random.choice((True, False)), "separator": m.random.choice((b"", b"-"))}


@rule("string_replace", "string_matches", "unicode_transcode")
def _(m):
    return [m.tensor("O")], {}


@rule("string_fixed")
def _(m):
    return [m.tensor("iuf")], {"template": m.random.choice(("%f", "%.2e", "%8g"))}


@rule("string_format")
def _(m):
    return [m.tensor("biufcO"), m.tensor("biufcO")], {}


@rule("random_normal", "truncated_normal")
def _(m):
    shape, given = m.given_shape(m.shape())
    dtype = m.random.choice(("float32", "float64"))
    parts = [m.new(np.array(v, dtype)) for v in (0.5, 2.0)]
    return [*parts, *given], {"shape": shape, "dtype": tf.as_dtype(dtype), "stream": None}


@rule("random_uniform")
def _(m):
    shape, given = m.given_shape(m.shape())
    dtype = m.random.choice(("float32", "float64", "int32", "int64"))
    parts = [m.new(np.array(v, dtype)) for v in (1, 7)]
    return [*parts, *given], {"shape": shape, "dtype": tf.as_dtype(dtype), "stream": None}


@rule("random_shuffle")
def _(m):
    return [m.tensor("biuf", least_rank=1)], {"stream": None}


@rule("categorical")
def _(m):
    return [m.tensor("f", dtype="float64", shape=(2, m.random.choice((1, 3))), tame=True)], {
        "count": m.random.choice((0, 1, 4)),
        "dtype": m.random.choice((tf.int32, tf.int64)),
        "stream": None,
    }


@rule("read_variable")
def _(m):
    return [m.variable()], {}


@rule("assign", "assign_add", "assign_sub")
def _(m):
    v = m.variable()
    held = m.values[v].array
    return [v, m.tensor(held.dtype.kind, dtype=str(held.dtype), shape=held.shape)], {}


@rule("print")
def _(m):
    options = {"sep": " ", "end": "\n", "stream": m.named("OUT"), "summarize": m.random.choice((3, 1, -1))}
    return [m.tensor("biufcO")], {"template": ["v", 0], **options}


@rule("logged")
def _(m):
    told = {"logger": m.named("LOGGER"), "level": m.random.choice((10, 40)), "message": "%s and %s", "extra": None}
    arguments = [Held(0, m.random.choice([*Owner])), m.random.choice(("text", 2))]
    return [m.tensor("biufcO")], {"arguments": arguments, "place": ("program.py", 1, "f"), "caught": None, **told}


@rule("warned")
def _(m):
    told = {"message": None, "category": m.named("UserWarning"), "place": ("program.py", 1, m.named("{}")), "above": 0}
    return [m.tensor("O")], told


@rule("assert")
def _(m):
    return [m.tensor("b"), m.tensor("iuf")], {"message": m.random.choice((None, "no")), "python": m.flag()}


@rule("require")
def _(m):
    return [m.constant(np.array(m.random.choice((0, 0, 1)), "int64"))], {"wanted": 0, "otherwise": m.named("OTHERWISE")}


@rule("checked")
def _(m):
    return [m.tensor("biufcO")], {}


@rule("raise")
def _(m):
    m.last = True
    return [], {"exception": m.named("EXCEPTION"), "arguments": (), "attributes": None}


@rule("py_function")
def _(m):
    x = m.tensor("iuf")
    return [x], {"function": m.named("double"), "dtypes": [tf.as_dtype(m.of(x).dtype)]}


@rule("draw")
def _(m):
    method, low, high = m.random.choice((("integers", 3, 4), ("uniform", 2.0, 2.0)))  # which are known
    arguments = {"low": low, "high": high, "size": m.random.choice(((2,), (2, 3)))}
    dtype = tf.int64 if method == "integers" else tf.float64
    return [], {
        "source": m.named("SOURCE"), "method": method, "arguments": arguments, "positional": 2, "dtype": dtype,
        "shape": arguments["size"], "weak": False, "gives": True,
    }  # fmt: skip


@rule("text_method")
def _(m):
    text = m.new(np.array(m.random.choice((b"", b"a1b2", b"\xc3\xa9 x")), object))
    function, kind, others = m.random.choice(
        (("upper", "text", ""), ("count", "int", ", '1'"), ("isdigit", "bool", ""), ("split", "texts", ""))
    )
    return [text], {
        "function": m.named(f"str.{function}"),
        "arguments": m.named(f"[Held(0, 'Python'){others}]"),
        "keywords": {},
        "kind": kind,
    }


@rule("text")
def _(m):
    return [m.tensor("iuO", shape=())], {
        "function": m.named("str.format"),
        "arguments": m.named("['{} m', Held(0)]"),
        "keywords": {},
    }
