"""Operations on string tensors."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from runtime.graph.dtypes import as_dtype, int32, string
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.op import Op
from runtime.ops import hashing, strings as ops, texts
from runtime.ops.patterns import compiled
from runtime.tensors.composites import Formed, formed_in, with_forms
from runtime.tensors.conversion import cast, get_static_value, operand
from runtime.tensors.making import fill
from runtime.tensors.mathematics import logical_and, maximum
from runtime.tensors.operations import apply
from runtime.tensors.public import face as _face
from runtime.tensors.ragged_tensor import RaggedTensor
from runtime.tensors.shaping import concat, expand_dims, rank, require, shape
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import AxisLike, DTypeLike, TensorLike

__all__ = [
    "as_string", "bytes_split", "format", "join", "length", "lower", "ngrams", "reduce_join", "regex_full_match",
    "regex_replace", "split", "strip", "substr", "to_hash_bucket_fast", "to_hash_bucket_strong", "to_number",
    "unicode_decode", "unicode_decode_with_offsets", "unicode_encode", "unicode_split", "unicode_split_with_offsets",
    "unicode_transcode", "upper",
]  # fmt: skip


def join(inputs: Sequence[TensorLike], separator: str = "", name: str | None = None) -> Tensor:
    """Texts put together, element by element.

    Args:
      inputs: tensors of strings whose shapes broadcast.
      separator: what stands between them.
    Returns: a tensor of strings of the shape to which they broadcast.
    Raises:
      ValueError: if the shapes do not go together.

    >>> print(tf.strings.join([["a", "b"], "c"], separator="-"))
    tf.Tensor([b'a-c' b'b-c'], shape=(2,), dtype=string)
    """
    if not len(inputs):
        return operand("")
    if (rows := formed_in(inputs)) is not None:
        return rows._form("strings_join")(join, inputs, separator)  # type: ignore[no-any-return]
    return apply(ops.join, *(_texts(x, "join") for x in inputs), separator=_said("separator", separator).encode())


def _texts(given: TensorLike, function: str) -> Tensor:
    """A tensor of strings; raises TypeError for any other."""
    x = operand(given)
    if x.type.dtype != string:
        raise TypeError(
            f"strings.{function} takes text, not {x.dtype.name}: runtime.strings.as_string makes text of numbers"
        )
    return x


def _said(what: str, given: str | TensorLike) -> str:
    """A text that is known while a function is traced: one of Python's, its bytes, or a tensor of one."""
    known = given if isinstance(given, str | bytes) else get_static_value(given)
    if known is None:
        raise TypeError(f"{what} is {given!r}, which only the graph knows: it is a text of Python's")
    if not isinstance(known, str | bytes):
        raise TypeError(f"{what} is a text, not {given!r}")
    return known if isinstance(known, str) else known.decode()


@with_forms
def as_string(
    input: TensorLike,
    precision: int = -1,
    scientific: bool = False,
    shortest: bool = False,
    width: int = -1,
    fill: str = "",
    name: str | None = None,
) -> Tensor:
    """Numbers and booleans as text.

    Args:
      input: a tensor of any shape.
      precision: how many digits come behind the point, for floats alone; 6 by default.
      scientific: whether floats have an exponent: ``1.5e+00``.
      shortest: whether floats have an exponent only if that is shorter, and no zeros at the end; `precision` is then
        that of all digits.
      width: how long a text is at least.
      fill: what fills it up: ``""`` for spaces on the left, ``"0"``, or ``"-"`` for spaces on the right; ``"+"`` and
        ``" "`` stand before positive numbers.
    Returns: a tensor of strings of the shape of `input`.
    Raises:
      ValueError: for other elements than floats with what is for floats alone; for both forms at once, and another
        `fill`.

    >>> print(tf.strings.as_string([1, 20]))
    tf.Tensor([b'1' b'20'], shape=(2,), dtype=string)
    >>> print(tf.strings.as_string(2 / 3, precision=2), tf.strings.as_string([1.5, 2e9], shortest=True).numpy())
    tf.Tensor(b'0.67', shape=(), dtype=string) [b'1.5' b'2e+09']
    >>> print(tf.strings.as_string(7, width=3, fill="0"))
    tf.Tensor(b'007', shape=(), dtype=string)
    """
    x, digits = operand(input), int(precision)
    if scientific and shortest:
        raise ValueError("as_string with scientific and shortest: it is one or the other")
    if len(fill) > 1 or fill not in " +-0":
        raise ValueError(f"as_string with fill={fill!r}: it is '', ' ', '+', '-' or '0'")
    if not (x.dtype.is_floating or x.dtype.is_complex) and (digits >= 0 or scientific or shortest):
        given = f"precision={digits}" if digits >= 0 else "scientific=True" if scientific else "shortest=True"
        raise ValueError(f"as_string of {x.dtype.name} with {given}: only floats have digits behind the point")
    if x.dtype == "string":
        return x
    kind = "d" if x.dtype.is_integer else "s" if x.dtype.is_bool else "e" if scientific else "g" if shortest else "f"
    size = f"{width if width >= 0 else ''}{f'.{digits}' if digits >= 0 else ''}"
    return apply(ops.fixed, x, template=f"%{fill}{size}{kind}")


@with_forms
def length(input: TensorLike, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """The length of texts.

    Args:
      input: a tensor of strings, of any shape.
      unit: ``"BYTE"``, or ``"UTF8_CHAR"`` for letters.
    Returns: an int32 tensor of the shape of `input`.
    Raises:
      ValueError: for another unit.

    >>> print(tf.strings.length(["a", "abc"]))
    tf.Tensor([1 3], shape=(2,), dtype=int32)
    """
    return apply(ops.length, _texts(input, "length"), unit=_unit(unit))


@with_forms
def lower(input: TensorLike, encoding: str = "", name: str | None = None) -> Tensor:
    """Texts in lower case.

    Args:
      input: a tensor of strings, of any shape.
      encoding: ``""``, by which only the letters of ASCII change, or ``"utf-8"`` for all.
    Returns: a tensor of strings of the shape of `input`.
    Raises:
      ValueError: for another encoding.

    >>> print(tf.strings.lower(["Ab", "C"]))
    tf.Tensor([b'ab' b'c'], shape=(2,), dtype=string)
    """
    return apply(
        ops.changed_text if _is_utf8(encoding) else ops.lower, _texts(input, "lower"), **_changed("lower", encoding)
    )


@with_forms
def upper(input: TensorLike, encoding: str = "", name: str | None = None) -> Tensor:
    """Texts in upper case.

    Args:
      input: a tensor of strings, of any shape.
      encoding: ``""``, by which only the letters of ASCII change, or ``"utf-8"`` for all.
    Returns: a tensor of strings of the shape of `input`.
    Raises:
      ValueError: for another encoding.

    >>> print(tf.strings.upper(["Ab", "C"]))
    tf.Tensor([b'AB' b'C'], shape=(2,), dtype=string)
    """
    return apply(
        ops.changed_text if _is_utf8(encoding) else ops.upper, _texts(input, "upper"), **_changed("upper", encoding)
    )


def _is_utf8(encoding: str) -> bool:
    if encoding not in ("", "utf-8"):
        raise ValueError(f"encoding={encoding!r}: it is '' (for ASCII) or 'utf-8'")
    return encoding == "utf-8"


def _changed(change: str, encoding: str) -> dict[str, str]:
    return {"how": change} if encoding else {}


@with_forms
def strip(input: TensorLike, name: str | None = None) -> Tensor:
    """Texts without white space at both ends.

    Args:
      input: a tensor of strings, of any shape.
    Returns: a tensor of strings of the shape of `input`.

    >>> print(tf.strings.strip([" a b "]))
    tf.Tensor([b'a b'], shape=(1,), dtype=string)
    """
    return apply(ops.strip, _texts(input, "strip"))


@with_forms
def to_number(input: TensorLike, out_type: DTypeLike = "float32", name: str | None = None) -> Tensor:
    """Texts read as numbers.

    Args:
      input: a tensor of strings, of any shape.
      out_type: the dtype of the result, float32 by default.
    Returns: a tensor of the shape of `input`.
    Raises:
      ValueError: for a text that is no such number, when it is run.

    >>> print(tf.strings.to_number(["1.5", "-2"]))
    tf.Tensor([ 1.5 -2. ], shape=(2,), dtype=float32)
    """
    return apply(ops.to_number, _texts(input, "to_number"), dtype=as_dtype(out_type))


def ngrams(
    data: TensorLike,
    ngram_width: int | Sequence[int],
    separator: str = " ",
    pad_values: str | tuple[str, str] | None = None,
    padding_width: int | None = None,
    preserve_short_sequences: bool = False,
    name: str | None = None,
) -> Tensor:
    """Texts that follow one another, put together: all those of a row that are so many.

    Args:
      data: a tensor of strings, of shape [..., n].
      ngram_width: how many are put together; for several numbers one after the other.
      separator: what stands between them.
      pad_values: texts before and behind each row, or one for both; none by default.
      padding_width: how many of them there are at most; by default, and at most, one less than are put together.
      preserve_short_sequences: whether a row of fewer texts, but not of none, becomes one.
    Returns: a tensor of strings, of shape [..., how many there are].
    Raises:
      ValueError: if `data` has no axis, a width is less than 1, or `padding_width` is given alone or negative.

    >>> print(tf.strings.ngrams(["a", "b", "c"], 2).numpy())
    [b'a b' b'b c']
    >>> print(tf.strings.ngrams(["a", "b"], [1, 2], separator="", pad_values=("<", ">")).numpy())
    [b'a' b'b' b'<a' b'ab' b'b>']
    """
    if isinstance(data, RaggedTensor):
        return data._form("ngrams")(
            ngrams, data, ngram_width, separator, pad_values, padding_width, preserve_short_sequences
        )  # type: ignore[no-any-return]
    x, widths = _texts(data, "ngrams"), [ngram_width] if isinstance(ngram_width, int) else [*ngram_width]
    if x.shape.rank == 0 or not widths or min(widths) < 1:
        raise ValueError(f"ngrams of {x} with ngram_width={ngram_width!r}: a row of texts, and widths of at least 1")
    if padding_width is not None and (padding_width < 0 or pad_values is None):
        raise ValueError(f"padding_width={padding_width!r} with pad_values={pad_values!r}: how many of which texts")
    *outer, size = [shape(x)[axis] for axis in range(-len(x.type.shape or ()), 0)]
    pads = (pad_values, pad_values) if pad_values is None or isinstance(pad_values, str) else pad_values
    made, left = [], size > 0
    for width in widths:
        count = 0 if pad_values is None else min(width - 1, width if padding_width is None else padding_width)
        sides = [fill([*outer, count], text) for text in pads if text is not None]
        whole = concat([*sides[:1], x, *sides[1:]], axis=-1)
        found = maximum(shape(whole)[-1] - width + 1, 0)
        made.append(join([whole[..., at : at + found] for at in range(width)], separator))
        left = logical_and(left, found == 0)
    if preserve_short_sequences:
        made.append(reduce_join(whole, -1, True, separator)[..., : cast(left, int32)])
    return concat(made, axis=-1)


@with_forms
def to_hash_bucket_fast(input: TensorLike, num_buckets: int, name: str | None = None) -> Tensor:
    """Texts as numbers of buckets, by FarmHash's 64-bit fingerprint: the same everywhere.

    Args:
      input: a tensor of strings, of any shape.
      num_buckets: how many buckets there are.
    Returns: a tensor of its shape, of int64, from 0 up to one less than `num_buckets`.
    Raises:
      ValueError: unless there is a bucket.

    >>> print(tf.strings.to_hash_bucket_fast(["Hello", "TensorFlow", "2.x"], 3).numpy())
    [0 2 2]
    """
    return _bucket(input, num_buckets, None, "to_hash_bucket_fast")


@with_forms
def to_hash_bucket_strong(input: TensorLike, num_buckets: int, key: Sequence[int], name: str | None = None) -> Tensor:
    """Texts as numbers of buckets, by SipHash with a key: who does not know it cannot fill one bucket on purpose.

    Args:
      input: a tensor of strings, of any shape.
      num_buckets: how many buckets there are.
      key: two whole numbers.
    Returns: a tensor of its shape, of int64, from 0 up to one less than `num_buckets`.
    Raises:
      ValueError: unless there is a bucket, and two numbers are the key.

    >>> print(tf.strings.to_hash_bucket_strong(["Hello", "TF"], 3, [1, 2]).numpy())
    [2 0]
    """
    if len(key) != 2:
        raise ValueError(f"to_hash_bucket_strong with key={key!r}: it is two whole numbers")
    return _bucket(input, num_buckets, (int(key[0]), int(key[1])), "to_hash_bucket_strong")


def _bucket(given: TensorLike, count: int, key: tuple[int, int] | None, function: str) -> Tensor:
    if count < 1:
        raise ValueError(f"{function} with num_buckets={count!r}: there is one bucket, or more")
    return apply(hashing.buckets, _texts(given, function), buckets=int(count), key=key)


@with_forms
def substr(input: TensorLike, pos: TensorLike, len: TensorLike, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """Parts of texts.

    Args:
      input: a tensor of strings.
      pos: where the part begins; from the end, if it is negative.
      len: how long it is at most.
      unit: what both count: ``"BYTE"``, or ``"UTF8_CHAR"`` for letters.
    Returns: a tensor of strings, of the shape to which all three broadcast.
    Raises:
      ValueError: for another unit, and shapes that do not go together.
      InvalidArgumentError: where a text has no such place, when it is run.

    >>> print(tf.strings.substr(["abcdef", "ghi"], 1, 3))
    tf.Tensor([b'bcd' b'hi'], shape=(2,), dtype=string)
    """
    start, count = operand(pos), operand(len)
    for given in (start, count):
        if not given.dtype.is_integer:
            raise TypeError(f"substr counts in whole numbers, not in {given.dtype.name}")
    return apply(texts.part, _texts(input, "substr"), start, count, unit=_unit(unit))


def _unit(unit: str) -> str:
    if unit not in ("BYTE", "UTF8_CHAR"):
        raise ValueError(f"unit={unit!r}: it is 'BYTE' or 'UTF8_CHAR'")
    return unit


def _parts_of(op: Op, function: str, given: TensorLike, **how: object) -> Tensor | RaggedTensor:
    """The parts of one text in a tensor; those of several in rows."""
    if isinstance(given, RaggedTensor):
        return given.with_values(_parts_of(op, function, given.values, **how))
    x = _texts(given, function)
    if (x.shape.rank or 0) > 1:
        return _parts_of(op, function, RaggedTensor.from_tensor(x, ragged_rank=x.shape.rank - 1), **how)  # type: ignore[operator]
    if x.shape.rank == 1:
        lengths = apply(op, x, **how, counted=True)
        return RaggedTensor.from_row_lengths(apply(op, x, **how, counted=False), lengths, validate=False)
    if x.shape.rank is None:
        require(
            rank(x) == 0, f"{function} of a tensor of unknown rank takes one text; tf.ensure_shape(x, [None]) has many"
        )
    return apply(op, x, **how, counted=False)


def split(
    input: TensorLike, sep: str | None = None, maxsplit: int = -1, name: str | None = None
) -> Tensor | RaggedTensor:
    """The parts of one text, or of each of several, as `str.split` finds them.

    Args:
      input: a string of shape (), or strings of shape [n].
      sep: what stands between the parts; any white space by default.
      maxsplit: how many times it is split at most, -1 for as often as that goes.
    Returns: a tensor of strings of rank 1; of several texts a RaggedTensor of shape [n, None].
    Raises:
      ValueError: for texts of a higher rank.

    >>> print(tf.strings.split("a  b c"))
    tf.Tensor([b'a' b'b' b'c'], shape=(3,), dtype=string)
    >>> print(tf.strings.split("a,,b", sep=",", maxsplit=1))
    tf.Tensor([b'a' b',b'], shape=(2,), dtype=string)
    >>> tf.strings.split(["a  b c", "d"])
    <tf.RaggedTensor [[b'a', b'b', b'c'], [b'd']]>
    """
    return _parts_of(
        texts.split,
        "split",
        input,
        sep=_said("sep", sep).encode() or None if sep is not None else None,
        most=int(maxsplit),
    )


def bytes_split(input: TensorLike, name: str | None = None) -> Tensor | RaggedTensor:
    """The bytes of one text, or of each of several, each as a text.

    Args:
      input: a string of shape (), or strings of shape [n].
    Returns: a tensor of strings of rank 1; of several texts a RaggedTensor of shape [n, None].
    Raises:
      ValueError: for texts of a higher rank.

    >>> print(tf.strings.bytes_split("abc"))
    tf.Tensor([b'a' b'b' b'c'], shape=(3,), dtype=string)
    """
    return _parts_of(texts.letters, "bytes_split", input, unit="BYTE")


def reduce_join(
    inputs: TensorLike,
    axis: AxisLike = None,
    keepdims: bool = False,
    separator: str = "",
    name: str | None = None,
) -> Tensor:
    """Texts put together along axes.

    Args:
      inputs: a tensor of strings.
      axis: the axis, or several: texts along the first one come one after the other; all by default, from the last on.
      keepdims: whether these axes stay, with the size 1.
      separator: what stands between the texts.
    Returns: a tensor of strings, of the shape without these axes.
    Raises:
      ValueError: if there is no such axis.

    >>> print(tf.strings.reduce_join([["a", "b"], ["c", "d"]], axis=1, separator="-"))
    tf.Tensor([b'a-b' b'c-d'], shape=(2,), dtype=string)
    """
    if isinstance(inputs, Formed):
        return inputs._form("reduce_join")(inputs, axis, keepdims, separator)  # type: ignore[no-any-return]
    axes = None if axis is None else tuple(int(a) for a in np.atleast_1d(np.asarray(axis)))
    return apply(
        texts.reduce_join,
        _texts(inputs, "reduce_join"),
        axis=axes,
        keepdims=bool(keepdims),
        separator=_said("separator", separator).encode(),
    )


@with_forms
def regex_replace(
    input: TensorLike, pattern: str, rewrite: str, replace_global: bool = True, name: str | None = None
) -> Tensor:
    """Texts with what matches a regular expression replaced.

    Args:
      input: a tensor of strings, of any shape.
      pattern: the expression, as TensorFlow reads it (``[[:digit:]]``, ``\\z``; ``$`` is the end of the text; letters,
        digits and white space are those of ASCII), but for ``\\p``, and with what Python's `re` has besides.
      rewrite: what comes in its place; a backslash and a number stand for a group, ``\\0`` for all of it.
      replace_global: whether all matches are replaced, or only the first.
    Returns: a tensor of strings of the shape of `input`.
    Raises:
      InvalidArgumentError: for what is no expression, and groups that it does not have.

    >>> print(tf.strings.regex_replace(["a1b22", "c"], "[0-9]+", r"<\\0>"))
    tf.Tensor([b'a<1>b<22>' b'c'], shape=(2,), dtype=string)
    """
    pattern, rewrite = _said("pattern", pattern), _said("rewrite", rewrite)
    put = re.sub(r"\\(.)", lambda escape: rf"\g<{escape[1]}>" if escape[1].isdecimal() else escape[0], rewrite)
    try:
        re.sub("()" * _compiled(pattern).groups, put, "")
    except (re.error, IndexError) as error:
        raise InvalidArgumentError(f"regex_replace with rewrite={rewrite!r}: {error}") from None
    return apply(
        texts.replace, _texts(input, "regex_replace"), pattern=pattern, rewrite=put, everywhere=bool(replace_global)
    )


@with_forms
def regex_full_match(input: TensorLike, pattern: str, name: str | None = None) -> Tensor:
    """Whether texts match a regular expression from beginning to end.

    Args:
      input: a tensor of strings, of any shape.
      pattern: the expression, as `regex_replace` has it.
    Returns: a tensor of booleans of the shape of `input`.
    Raises:
      InvalidArgumentError: for what is no expression.

    >>> print(tf.strings.regex_full_match(["a1", "b"], "[a-z][0-9]"))
    tf.Tensor([ True False], shape=(2,), dtype=bool)
    """
    pattern = _said("pattern", pattern)
    _compiled(pattern)
    return apply(texts.matches, _texts(input, "regex_full_match"), pattern=pattern)


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return compiled(pattern)
    except re.error as error:
        raise InvalidArgumentError(f"{pattern!r} is no regular expression: {error}") from None


def format(
    template: str,
    inputs: TensorLike | Sequence[TensorLike],
    placeholder: str = "{}",
    summarize: int = 3,
    name: str | None = None,
) -> Tensor:
    """A text with tensors in it, as `runtime.print` writes them; texts are in quotes.

    Args:
      template: the text.
      inputs: a tensor of any shape, or a list or tuple of several, one for each place.
      placeholder: what stands in the template for a tensor.
      summarize: how many elements to show at each end of an axis, with an ellipsis between; -1 for all.
    Returns: a string of shape ().
    Raises:
      ValueError: if there are not as many places as tensors.

    >>> print(tf.strings.format("x = {}, y = {}", (tf.constant([1, 2]), tf.constant(0.5))))
    tf.Tensor(b'x = [1 2], y = 0.5', shape=(), dtype=string)
    """
    given = list(inputs) if isinstance(inputs, list | tuple) else [inputs]
    parts = template.split(placeholder)
    if len(parts) != len(given) + 1:
        raise ValueError(
            f"format of {template!r}: it has {len(parts) - 1} places {placeholder!r}, for {len(given)} tensors"
        )
    return apply(texts.fill_in, *map(operand, given), template=tuple(parts), summarize=int(summarize))


# Characters and their numbers.


def _how(function: str, encoding: str, errors: str, replacement: int) -> dict[str, object]:
    if encoding.upper() not in ("UTF-8", "UTF-16-BE", "UTF-32-BE", "US-ASCII", "ASCII", "LATIN-1", "ISO-8859-1"):
        raise ValueError(f"{function} with the encoding {encoding!r}: it is 'UTF-8', 'UTF-16-BE' or 'UTF-32-BE'")
    if errors not in ("replace", "ignore", "strict"):
        raise ValueError(f"{function} with errors={errors!r}: it is 'replace', 'ignore' or 'strict'")
    if not 0 <= replacement < 0x110000:
        raise ValueError(f"{function} with replacement_char={replacement}: that is the number of no character")
    return {"encoding": encoding, "errors": errors, "replacement": int(replacement)}


def unicode_decode(
    input: TensorLike,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Tensor | RaggedTensor:
    """The numbers of the characters of one text, or of each of several.

    Args:
      input: a string of shape (), or strings of shape [n].
      input_encoding: how it is encoded: ``"UTF-8"``, ``"UTF-16-BE"`` or ``"UTF-32-BE"``.
      errors: what becomes of bytes that are none: ``"replace"``, ``"ignore"``, or ``"strict"``, which raises.
      replacement_char: the number that stands in their place.
      replace_control_characters: whether it also stands in the place of characters before the space.
    Returns: an int32 tensor of rank 1; of several texts a RaggedTensor of shape [n, None].
    Raises:
      ValueError: for texts of a higher rank, and for other words.
      InvalidArgumentError: for bytes that are none, where they are not to be, when it is run.

    >>> print(tf.strings.unicode_decode("Aß", "UTF-8"))
    tf.Tensor([ 65 223], shape=(2,), dtype=int32)
    """
    how = _how("unicode_decode", input_encoding, errors, replacement_char)
    return _parts_of(texts.decode, "unicode_decode", input, **how, controls=bool(replace_control_characters))


def unicode_decode_with_offsets(
    input: TensorLike,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> tuple[Tensor | RaggedTensor, Tensor | RaggedTensor]:
    """The numbers of the characters of one text, and at which byte each begins.

    Args:
      input, input_encoding, errors, replacement_char, replace_control_characters: as for `unicode_decode`.
    Returns: an int32 tensor of rank 1, and an int64 tensor of its shape; of several texts two RaggedTensors.
    Raises:
      ValueError, InvalidArgumentError: as for `unicode_decode`.

    >>> print(*tf.strings.unicode_decode_with_offsets("ßA", "UTF-8"))
    tf.Tensor([223  65], shape=(2,), dtype=int32) tf.Tensor([0 2], shape=(2,), dtype=int64)
    """
    numbers = unicode_decode(input, input_encoding, errors, replacement_char, replace_control_characters)
    return numbers, _starts("unicode_decode_with_offsets", input, input_encoding, errors, replacement_char)


def _starts(function: str, given: TensorLike, encoding: str, errors: str, replacement: int) -> Tensor | RaggedTensor:
    return _parts_of(texts.starts, function, given, **_how(function, encoding, errors, replacement))


def unicode_encode(
    input: TensorLike,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    name: str | None = None,
) -> Tensor:
    """Texts from the numbers of their characters.

    Args:
      input: an int32 tensor; each text is along the last axis.
      output_encoding: how they are encoded: ``"UTF-8"``, ``"UTF-16-BE"`` or ``"UTF-32-BE"``.
      errors: what becomes of numbers that are no character's: ``"replace"``, ``"ignore"``, or ``"strict"``, to raise.
      replacement_char: the number of the character in their place.
    Returns: a tensor of strings, of the shape without the last axis.
    Raises:
      ValueError: for a tensor of shape (), and for other words.
      InvalidArgumentError: for numbers that are no character's, where they are not to be, when it is run.

    >>> print(tf.strings.unicode_encode([65, 223], "UTF-8").numpy().decode())
    Aß
    """
    if isinstance(input, RaggedTensor):
        one = input.mapped(lambda n: unicode_encode(n[..., None], output_encoding, errors, replacement_char))
        return reduce_join(one, -1)
    numbers = operand(input)
    if not numbers.dtype.is_integer:
        raise TypeError(f"unicode_encode takes the numbers of characters, not {numbers.dtype.name}")
    return apply(texts.encode, numbers, **_how("unicode_encode", output_encoding, errors, replacement_char))


def unicode_split(
    input: TensorLike,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    name: str | None = None,
) -> Tensor | RaggedTensor:
    """The characters of one text, or of each of several, each as a text.

    Args:
      input: a string of shape (), or strings of shape [n].
      input_encoding: how it is encoded: ``"UTF-8"``, ``"UTF-16-BE"`` or ``"UTF-32-BE"``.
      errors: what becomes of bytes that are none: ``"replace"``, ``"ignore"``, or ``"strict"``, which raises.
      replacement_char: the number of the character in their place.
    Returns: a tensor of strings of rank 1; of several texts a RaggedTensor of shape [n, None].
    Raises:
      ValueError: for texts of a higher rank, and for other words.
      InvalidArgumentError: for bytes that are none, where they are not to be, when it is run.

    >>> print([c.decode() for c in tf.strings.unicode_split("Aß", "UTF-8").numpy()])
    ['A', 'ß']
    """
    how = _how("unicode_split", input_encoding, errors, replacement_char)
    numbers = _parts_of(texts.decode, "unicode_split", input, **how, controls=False)
    if isinstance(numbers, RaggedTensor):
        return numbers.with_values(apply(texts.encode, expand_dims(numbers.values, -1), **how))
    return apply(texts.encode, expand_dims(numbers, -1), **how)


def unicode_split_with_offsets(
    input: TensorLike,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    name: str | None = None,
) -> tuple[Tensor | RaggedTensor, Tensor | RaggedTensor]:
    """The characters of one text, each as a text, and at which byte each begins.

    Args:
      input, input_encoding, errors, replacement_char: as for `unicode_split`.
    Returns: a tensor of strings of rank 1, and an int64 tensor of its shape; of several texts two RaggedTensors.
    Raises:
      ValueError, InvalidArgumentError: as for `unicode_split`.

    >>> characters, starts = tf.strings.unicode_split_with_offsets("ßA", "UTF-8")
    >>> print([c.decode() for c in characters.numpy()], starts.numpy())
    ['ß', 'A'] [0 2]
    """
    characters = unicode_split(input, input_encoding, errors, replacement_char)
    return characters, _starts("unicode_split_with_offsets", input, input_encoding, errors, replacement_char)


@with_forms
def unicode_transcode(
    input: TensorLike,
    input_encoding: str,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Tensor:
    """Texts in another encoding.

    Args:
      input: a tensor of strings, of any shape.
      input_encoding, output_encoding: how they are encoded, and are to be: ``"UTF-8"``, ``"UTF-16-BE"`` or
        ``"UTF-32-BE"``.
      errors: what becomes of bytes that are none: ``"replace"``, ``"ignore"``, or ``"strict"``, which raises.
      replacement_char: the number of the character in their place.
      replace_control_characters: whether it also stands in the place of characters before the space.
    Returns: a tensor of strings of the shape of `input`.
    Raises:
      ValueError: for other words.
      InvalidArgumentError: for bytes that are none, where they are not to be, when it is run.

    >>> print(tf.strings.unicode_transcode("Aß", "UTF-8", "UTF-16-BE"))
    tf.Tensor(b'\\x00A\\x00\\xdf', shape=(), dtype=string)
    """
    how = _how("unicode_transcode", input_encoding, errors, replacement_char)
    _how("unicode_transcode", output_encoding, errors, replacement_char)
    controls = bool(replace_control_characters)
    return apply(texts.transcode, _texts(input, "unicode_transcode"), **how, wanted=output_encoding, controls=controls)


__getattr__, __dir__ = _face("strings", globals())
