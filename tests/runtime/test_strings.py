"""Functions of text do what Python's own do, eagerly and in graphs, also where the graph alone knows shapes."""

import dataclasses
import re
from typing import NamedTuple

import numpy as np
import pytest

import runtime as tf
from tests.programs import EXECUTORS, lacks_native_form

TEXTS = ["abc", "", "Äpfel a", " x\ty ", "a,b,,c", "\N{SMILE} 1"]


def texts(*values):
    made = np.empty(len(values), object)
    made[:] = [v.encode() if isinstance(v, str) else v for v in values]
    return made


WAYS = {"eager": lambda f: f, "graph": tf.function, "numpy": lambda f: tf.function(f, jit_compile=False)} | {
    "unknown": lambda f: (
        lambda *a: tf.function(f).get_concrete_function(
            *(tf.TensorSpec(None, tf.convert_to_tensor(x).dtype) for x in a)
        )(*a)
    )
}
CASES = [
    *((f"split {sep!r} {most}", lambda x, s=sep, m=most: tf.strings.split(x, s, m), [t],
       texts(*t.encode().split(sep.encode() if sep else None, most)))
      for t in TEXTS for sep, most in ((None, -1), (",", -1), (",", 1), ("a", -1), ("", -1))),
    *(("bytes", tf.strings.bytes_split, [t], texts(*(bytes([b]) for b in t.encode()))) for t in TEXTS),
    *(("letters", lambda x: tf.strings.unicode_split(x, "UTF-8"), [t], texts(*t)) for t in TEXTS),
    *(("numbers", lambda x: tf.strings.unicode_decode(x, "UTF-8"), [t], np.array([ord(c) for c in t], "i4"))
      for t in TEXTS),
    ("sub", lambda x, p, n: tf.strings.substr(x, p, n), [["abcd", "efgh"], 1, 2], texts("bc", "fg")),
    ("sub", lambda x, p, n: tf.strings.substr(x, p, n), ["abcd", [-1, 0, 4], [9, 2, 1]], texts("d", "ab", "")),
    ("sub", lambda x: tf.strings.substr(x, -2, 1, unit="UTF8_CHAR"), ["aäö"], texts("ä")[0]),
    ("join", lambda x: tf.strings.reduce_join(x), [[["a", "b"], ["c", "d"]]], texts("abcd")[0]),
    ("join", lambda x: tf.strings.reduce_join(x, 0, separator="-"), [[["a", "b"], ["c", "d"]]], texts("a-c", "b-d")),
    ("join", lambda x: tf.strings.reduce_join(x, [1, 0]), [[["a", "b"], ["c", "d"]]], texts("abcd")[0]),
    ("join", lambda x: tf.strings.reduce_join(x, [-2, -1]), [[["a", "b"], ["c", "d"]]], texts("acbd")[0]),
    ("join", lambda x: tf.strings.reduce_join(x, 1, True), [[["a", "b"], ["c", "d"]]], texts("ab", "cd")[:, None]),
    ("replace", lambda x: tf.strings.regex_replace(x, "[aä]", "<\\0\\0>"), [["aä", "b"]], texts("<aa><ää>", "b")),
    ("replace", lambda x: tf.strings.regex_replace(x, "(.)(.)", r"\2\1!"), ["abcd"], texts("ba!dc!")[0]),
    ("replace", lambda x: tf.strings.regex_replace(x, "(.)", r"\10"), ["ab"], texts("a0b0")[0]),
    ("replace", lambda x: tf.strings.regex_replace(x, "(?i)A", ""), ["aAb"], texts("b")[0]),
    ("replace", lambda x: tf.strings.regex_replace(x, r"\w", "."), ["aä1"], texts(".ä.")[0]),
    ("match", lambda x: tf.strings.regex_full_match(x, "a+"), [["aa", "ab", "ba", ""]],
     np.array([True, False, False, False])),
    ("format", lambda x, y: tf.strings.format("{} and {}!", (x, y)), [[1, 2], "s"], texts('[1 2] and "s"!')[0]),
    ("format", lambda x: tf.strings.format("v: {}", x), [[[1.5, 2.0], [3.0, 4.0]]],
     texts("v: [[1.5 2]\n [3 4]]")[0]),
    ("encode", lambda x: tf.strings.unicode_encode(x, "UTF-8"), [[[104, 228], [0x1F600, 33]]],
     texts("hä", "\U0001f600!")),
    ("encode", lambda x: tf.strings.unicode_encode(x, "UTF-16-BE"), [[0xD800, 65]], b"\xff\xfd\x00A"),
    ("transcode", lambda x: tf.strings.unicode_transcode(x, "UTF-16-BE", "UTF-8"), [[b"\x00a\x00\xe4"]], texts("aä")),
    ("as_string", tf.strings.as_string, [[True, False]], texts("true", "false")),
    ("as_string", tf.strings.as_string, [[1 + 2j]], texts("(1.000000,2.000000)")),
    ("as_string", lambda x: tf.strings.as_string(x, precision=2), [[1 + 2j]], texts("(1.00,2.00)")),
    ("as_string", lambda x: tf.strings.as_string(x, scientific=True), [[1 + 2j]], texts("(1.000000e+00,2.000000e+00)")),
    ("as_string", lambda x: tf.strings.as_string(x, shortest=True), [[1.5 + 2j]], texts("(1.5,2)")),
    ("as_string", lambda x: tf.strings.as_string(x, precision=0), [[1.6]], texts("2")),
    ("as_string", lambda x: tf.strings.as_string(x, width=5, fill="-"), [[7]], texts("7    ")),
    ("as_string", lambda x: tf.strings.as_string(x, fill="+"), [[7, -7]], texts("+7", "-7")),
    ("as_string", tf.strings.as_string, [[float("nan"), float("-inf"), 1e10]],
     texts("nan", "-inf", "10000000000.000000")),
    ("as_string", tf.strings.as_string, [["a"]], texts("a")),
    ("to_number", lambda x: tf.strings.to_number(x, tf.int64), [["12", " -3 "]], np.array([12, -3])),
]  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name, function, arguments, wanted", CASES, ids=[f"{i} {c[0]}" for i, c in enumerate(CASES)])
def test_values(name, function, arguments, wanted, way):
    given = [tf.constant(a) for a in arguments]
    found = WAYS[way](function)(*given).numpy()
    wanted = np.asarray(wanted, object) if isinstance(wanted, bytes) else np.asarray(wanted)
    assert np.asarray(found, wanted.dtype).tolist() == wanted.tolist() and np.shape(found) == wanted.shape
    assert np.asarray(found).dtype == wanted.dtype or isinstance(found, bytes)


@pytest.mark.parametrize("way", ["eager", "graph", "unknown"])
@pytest.mark.parametrize(
    "function, argument, words",
    [
        (lambda x: tf.strings.substr(x, 4, 1), "abc", "substr: pos=4 is outside of b'abc', which has the length 3"),
        (lambda x: tf.strings.to_number(x), ["1", "two"], "to_number: 'two' is no number of float32"),
        (lambda x: tf.strings.to_number(x, tf.int8), ["300"], "to_number: '300' is no number of int8"),
        (lambda x: tf.strings.unicode_decode(x, "UTF-8", "strict"), b"\xff", "is no text in UTF-8"),
        (lambda x: tf.strings.unicode_encode(x, "UTF-8", "strict"), [-1], "that are no character's"),
        (lambda x: tf.strings.unicode_encode(x, "UTF-8", "strict"), [0xD800], "half of a pair of UTF-16"),
        (lambda x: tf.strings.unicode_encode(x, "UTF-8"), 3, "it was given one"),
        (lambda x: tf.strings.reduce_join(x, 2), ["a"], "axis 2 of a tensor of rank 1|out of bounds|axes"),
    ],
)
def test_what_is_refused_when_it_is_met(function, argument, words, way):
    with pytest.raises((ValueError, IndexError), match=words):
        WAYS[way](function)(tf.constant(argument))


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: tf.strings.regex_replace("a", "(", ""), "'\\(' is no regular expression"),
        (lambda: tf.strings.regex_replace("a", "a", r"\1"), "invalid group reference 1"),
        (lambda: tf.strings.regex_full_match("a", "*"), "is no regular expression"),
        (lambda: tf.strings.regex_full_match("a", "[[:letter:]]"), r"no set of letters \[:letter:\]"),
        (lambda: tf.print("a", output_stream="stdout"), "output_stream='stdout': it is sys.stdout"),
        (lambda: tf.strings.substr("a", 0, 1, unit="WORD"), "unit='WORD'"),
        (lambda: tf.strings.format("{} {}", 1), "it has 2 places '{}', for 1 tensors"),
        (lambda: tf.strings.as_string(1, precision=2), "as_string of int32 with precision=2"),
        (lambda: tf.strings.as_string(1, shortest=True), "as_string of int32 with shortest=True"),
        (lambda: tf.strings.as_string(1.0, shortest=True, scientific=True), "one or the other"),
        (lambda: tf.strings.as_string(1.0, fill="x"), "fill='x'"),
        (lambda: tf.strings.as_string(1.0, fill="+-"), r"fill='\+-'"),
        (lambda: tf.strings.as_string(1, precision=0), "as_string of int32 with precision=0: only floats"),
        (lambda: tf.strings.as_string(1, scientific=True), "as_string of int32 with scientific=True"),
        (lambda: tf.strings.as_string(True, precision=1), "as_string of bool with precision=1"),
        (lambda: tf.strings.unicode_decode("a", "EBCDIC"), "the encoding 'EBCDIC'"),
        (lambda: tf.strings.unicode_decode("a", "UTF-8", "maybe"), "errors='maybe'"),
        (lambda: tf.strings.unicode_decode("a", "UTF-8", replacement_char=-1), "number of no character"),
        (lambda: tf.strings.reduce_join(tf.constant([["a"]]), [0, 0]), "named twice|repeated"),
    ],
)
def test_what_is_refused_at_once(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda x: tf.strings.lower(x), lambda x: tf.strings.split(x), lambda x: tf.strings.join([x, "a"]),
        lambda x: tf.strings.regex_replace(x, "a", "b"), lambda x: tf.strings.reduce_join(x),
        lambda x: tf.strings.length(x), lambda x: tf.strings.to_number(x), lambda x: tf.strings.substr(x, 0, 1),
        lambda x: tf.strings.unicode_decode(x, "UTF-8"), lambda x: tf.strings.strip(x),
    ],
)  # fmt: skip
def test_what_is_no_text_is_refused(call):
    for function in (call, tf.function(call)):
        with pytest.raises(TypeError, match=r"strings\.\w+ takes text, not int32: runtime.strings.as_string makes"):
            function(tf.constant(3))


def test_counts_and_characters_are_whole_numbers():
    with pytest.raises(TypeError, match="substr counts in whole numbers, not in float32"):
        tf.strings.substr("abc", 1.5, 1)
    with pytest.raises(TypeError, match="takes the numbers of characters, not string"):
        tf.strings.unicode_encode("a", "UTF-8")


def test_bytes_that_are_no_text_stay_as_they_are():
    odd = b"a\xff\xc3("
    assert tf.strings.regex_replace(odd, "a", "b").numpy() == b"b\xff\xc3("
    assert b"".join(tf.strings.bytes_split(odd).numpy()) == odd
    assert tf.strings.substr(odd, 1, 2).numpy() == b"\xff\xc3"


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_a_program_on_text(jit_compile):
    def count(text):
        words = tf.strings.split(text)
        longest, total = "", 0
        for word in words:
            if tf.strings.regex_full_match(word, "[a-z]+"):
                total += tf.strings.length(word)
                longest = word if tf.strings.length(word) > tf.strings.length(longest) else longest
        return longest, total

    text = "a quick brown fox, 42 times"
    longest, total = tf.function(count, jit_compile=jit_compile or None)(tf.constant(text))
    known = [w for w in text.split() if re.fullmatch("[a-z]+", w)]
    assert (longest.numpy().decode(), int(total)) == (max(known, key=len), sum(map(len, known)))


@pytest.mark.parametrize(
    "make, error, words",
    [
        (lambda: tf.constant([1, "a"]), ValueError, "has an int among its texts"),
        (lambda: tf.constant([["a"], [None]]), ValueError, "has a NoneType among its texts"),
        (lambda: tf.constant(3, tf.string), TypeError, "3 is an int, which is no text"),
        (lambda: tf.Variable(["a", 2.5]), ValueError, "has a float among its texts"),
        (lambda: tf.function(lambda: tf.constant([1, "a"]))(), ValueError, "has an int among its texts"),
    ],
)
def test_text_does_not_mix(make, error, words):
    with pytest.raises(error, match=words):
        make()


@pytest.mark.parametrize("run", [lambda f: f, tf.function])
def test_a_text_gets_dimensions_by_indices_that_take_nothing(run):
    made = run(lambda text: (text[None], text[tf.newaxis, ..., None], text[...]))(tf.constant("ab"))
    assert [np.asarray(part.numpy()).tolist() for part in made] == [[b"ab"], [[b"ab"]], b"ab"]


def test_dictionaries_are_printed_in_order(capfd):
    @tf.function
    def f(x):
        tf.print({"k": x, "j": [x, {"b": 1, "a": x}]}, {2: x, 1: x}, {"s": x, 3: x})

    f(tf.constant(1))
    tf.print({"k": 1, "j": 2})
    assert capfd.readouterr().err.splitlines() == [
        "{'j': [1, {'a': 1, 'b': 1}], 'k': 1} {1: 1, 2: 1} {'s': 1, 3: 1}", "{'j': 2, 'k': 1}"
    ]  # fmt: skip


class Pair(NamedTuple):
    x: object
    y: object


@dataclasses.dataclass
class Pair2:
    x: object
    y: object


@pytest.mark.parametrize("staged", [False, True])
def test_named_parts_are_printed_with_their_names(capfd, staged):
    def f(x, y):
        tf.print(Pair(x, {"a": (y,)}), [Pair2(y, "t")], Pair((), 1.5))
        tf.print(np.array([1, 2]), [np.array([1.5])], {"a": np.zeros(0)}, tf.zeros([0]), [])

    f = tf.function(f) if staged else f
    f(tf.constant([1, 2]), tf.constant("t"))
    assert capfd.readouterr().err.splitlines() == [
        """Pair(x=[1 2], y={'a': ("t",)}) [Pair2(x="t", y='t')] Pair(x=(), y=1.5)""",
        "[1 2] [[1.5]] {'a': []} [] []",
    ]
    if staged:
        assert "show(Named('Pair', {'x': x, 'y': {'a': (y,)}}), [" in str(
            f.get_concrete_function(tf.constant([1, 2]), tf.constant("t")).graph
        )


@pytest.mark.parametrize("shape", [(), (2,), (1, 2)])
@pytest.mark.parametrize("run", ["eager", "graph", "numpy", "session"])
def test_variables_of_text_are_assigned_what_is_computed(run, shape):
    """Text of no dimensions comes from operations as it is, rather than in an array."""
    first, more = np.full(shape, b"a", object), np.full(shape, b"b", object)

    def step(v, x):
        return v.assign(v + x)

    if run == "session":
        with tf.Graph().as_default(), tf.compat.v1.Session() as session:
            v = tf.compat.v1.Variable(first)
            session.run(v.initializer)
            assigned = step(v, more)
            found = [session.run(assigned), session.run(assigned), session.run(v)]
    else:
        v = tf.Variable(first)
        made = WAYS[run](lambda x: step(v, x))
        found = [np.array(made(tf.constant(more)).numpy(), object) for _ in range(2)]
        found.append(v.numpy())
    for number, one in enumerate(found):
        np.testing.assert_array_equal(np.array(one, object), np.full(shape, b"abb" if number else b"ab", object))


# The numbers that TensorFlow's types.proto gives dtypes.
PROTOS = {
    "float32": 1, "float64": 2, "int32": 3, "uint8": 4, "int16": 5, "int8": 6, "complex64": 8, "int64": 9, "bool": 10,
    "uint16": 17, "complex128": 18, "float16": 19, "uint32": 22, "uint64": 23,
}  # fmt: skip


@pytest.mark.parametrize("dtype", PROTOS)
def test_a_tensor_as_bytes_says_its_dtype_by_the_number_that_others_know(dtype):
    x = tf.constant(np.array([0, 1]).astype(dtype))
    made = tf.io.serialize_tensor(x).numpy()
    assert made[:2] == bytes([8, PROTOS[dtype]])  # the first field, a number
    np.testing.assert_array_equal(tf.io.parse_tensor(made, dtype), x)


@pytest.mark.parametrize("shape", [(), (0,), (1,), (2, 3), (0, 2)])
def test_each_text_in_its_place(shape):
    count = int(np.prod(shape))
    texts = np.array([f"a{i}é".encode() for i in range(count)], object).reshape(shape)
    for given in (texts, texts.T):
        x = tf.reshape(tf.constant(given.ravel().tolist(), tf.string), given.shape)
        for found, one in [
            (tf.strings.upper(x), lambda e: e.upper()), (tf.strings.length(x), len),
            (tf.strings.join([x, "-", x]), lambda e: e + b"-" + e),
            (tf.strings.regex_replace(x, "[0-9]", "n"), lambda e: b"a" + b"n" * (len(e) - 3) + e[-2:]),
            (tf.strings.regex_full_match(x, "a[0-2].*"), lambda e: e[1:2] < b"3"),
        ]:  # fmt: skip
            assert tuple(found.shape) == given.shape
            wanted = [one(e) for e in given.ravel().tolist()]
            assert np.asarray(found).ravel().tolist() == wanted


@pytest.mark.parametrize(
    "texts, options, wanted",
    [
        ("a b c d", {"ngram_width": 2}, ["a b", "b c", "c d"]),
        ("a b c", {"ngram_width": [1, 2]}, ["a", "b", "c", "a b", "b c"]),
        ("a b c", {"ngram_width": [2, 1]}, ["a b", "b c", "a", "b", "c"]),
        ("a b", {"ngram_width": 3}, []),
        ("a b c", {"ngram_width": 2, "pad_values": ("<", ">")}, ["< a", "a b", "b c", "c >"]),
        ("a b c", {"ngram_width": 3, "pad_values": "_", "padding_width": 1}, ["_ a b", "a b c", "b c _"]),
        ("a b c", {"ngram_width": 2, "separator": "|"}, ["a|b", "b|c"]),
        ("a b", {"ngram_width": 5, "preserve_short_sequences": True}, ["a b"]),
        ("a b", {"ngram_width": [2, 5], "preserve_short_sequences": True}, ["a b"]),
        ("", {"ngram_width": 5, "preserve_short_sequences": True}, []),
    ],
)
def test_texts_that_follow_one_another(texts, options, wanted):
    f = tf.function(lambda text: tf.strings.ngrams(tf.strings.split(text), **options))
    for made in (tf.strings.ngrams(tf.constant(texts.split(), tf.string), **options), f(texts), f(tf.constant(texts))):
        assert [text.decode() for text in made.numpy()] == wanted
    rows = tf.strings.ngrams(tf.constant([texts.split()] * 2, tf.string), **options)
    assert rows.shape == (2, len(wanted)) and [text.decode() for text in rows.numpy()[1]] == wanted


@pytest.mark.parametrize(
    "texts, options",
    [
        ("a", {"ngram_width": 1}), (["a"], {"ngram_width": 0}), (["a"], {"ngram_width": []}),
        (["a"], {"ngram_width": 2, "padding_width": 1}),
        (["a"], {"ngram_width": 2, "pad_values": "", "padding_width": -1}),
    ],
)  # fmt: skip
def test_ngrams_of_nothing_are_refused(texts, options):
    with pytest.raises(ValueError):
        tf.strings.ngrams(texts, **options)


def test_a_pattern_that_only_the_graph_knows_is_refused():
    with pytest.raises(TypeError, match="pattern is .*, which only the graph knows"):
        tf.function(lambda p: tf.strings.regex_replace("a", p, ""))(tf.constant("a"))


OF_CONSTANTS = {
    "upper": lambda x: tf.strings.upper(tf.constant(["ab", "é"])),
    "join": lambda x: tf.strings.join([tf.constant("a"), tf.strings.upper("b")]),
    "as_string": lambda x: tf.strings.as_string(tf.constant([1, 2])),
    "split": lambda x: tf.strings.split(tf.constant("a b")),
    "concat": lambda x: tf.concat([tf.constant(["a"]), tf.constant(["b"])], 0),
    "where": lambda x: tf.where(x > 0, tf.strings.upper("a"), tf.constant("b")),
    "gather": lambda x: tf.gather(tf.constant(["a", "b"]), [1, 0]),
    "reshape": lambda x: tf.reshape(tf.constant(["a", "b"]), [2, 1]),
    "a loop": lambda x: tf.while_loop(
        lambda i, s: i < 3, lambda i, s: (i + 1, s + tf.strings.upper("a")), (tf.constant(0), tf.constant(""))
    )[1],
}


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("name", OF_CONSTANTS)
def test_texts_that_are_made_of_constants(name, jit_compile):
    f, x = OF_CONSTANTS[name], tf.constant(1)
    try:
        found = tf.function(f, jit_compile=jit_compile)(x)
    except tf.errors.InvalidArgumentError as error:
        assert jit_compile and lacks_native_form(error)
    else:
        assert (found.numpy() == f(x).numpy()).all() if found.shape.rank else found.numpy() == f(x).numpy()
