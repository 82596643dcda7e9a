"""The operations without a native form, and why; every other operation of the table has one, at shapes of any kind."""

from __future__ import annotations

from runtime.graph.graph import Node
from runtime.graph.op import Op
from runtime.ops import (
    boxes,
    draws,
    effects,
    failing,
    hashing,
    indexing,
    linalg,
    lists,
    matrix_functions,
    random,
    shape,
    streams,
    strings,
    structure,
    texts,
)

_REASONS: dict[str, tuple[Op, ...]] = {
    "LAPACK computes it": (
        linalg.cholesky, linalg.det, linalg.eig, linalg.eigh, linalg.eigvals, linalg.eigvalsh,
        linalg.inverse, linalg.lstsq, linalg.lu, linalg.qr, linalg.singular_values, linalg.slogdet,
        linalg.solve, linalg.svd, matrix_functions.expm, matrix_functions.logm, matrix_functions.sqrtm,
    ),
    "NumPy's transforms compute it": (linalg.fourier,),
    "NumPy orders its sums": (linalg.einsum,),
    "NumPy finds out what fails": (failing.attempted,),
    "its size is that of what it finds": (boxes.best, indexing.unique),
    "its elements come out of order": (lists.scatter,),
    "NumPy's generators draw its numbers": (
        random.categorical, random.normal, random.shuffle, random.stateless, random.truncated_normal,
        random.uniform,
    ),
    "it reads the bytes of numbers as others": (shape.bitcast,),
    "it is about text": (
        failing.told, hashing.buckets, strings.answer, strings.as_string, strings.changed_text, strings.fixed,
        strings.join, strings.length, strings.lower, strings.strip, strings.text, strings.to_number,
        strings.upper, texts.decode, texts.encode, texts.fill_in, texts.letters, texts.matches, texts.part,
        texts.reduce_join, texts.replace, texts.split, texts.starts, texts.transcode,
    ),
    "it calls Python": (
        effects.logged_, effects.warned_, effects.print_, effects.py_function, streams.advance, streams.element_of,
        streams.iterator, streams.made,
    ),
    "it is native code": (structure.native,),
}  # fmt: skip
# What NumPy's own libraries compute, at the speed of machine code: it runs between the parts that are native.
HANDED_BACK = frozenset(
    op
    for why in (
        "LAPACK computes it", "NumPy's transforms compute it", "NumPy orders its sums", "NumPy finds out what fails"
    )
    for op in _REASONS[why]
)  # fmt: skip
ABOUT_TEXT = frozenset(_REASONS["it is about text"])  # also where numbers are all that goes in and comes out
ABSENT = {op: why for why, ops in _REASONS.items() for op in ops}


def is_handed_back(node: Node) -> bool:
    """Whether NumPy's libraries compute an operation between regions of native code."""
    if node.op is linalg.norm:
        order, axis, dims = node.attributes["order"], node.attributes["axis"], node.inputs[0].type.shape
        return order is not None and not isinstance(axis, int) and (dims is None or len(dims) != 1)
    return node.op in HANDED_BACK or node.op is draws.draw_  # whose method may be none of those that are known
