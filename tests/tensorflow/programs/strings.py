"""Texts: what is made of them, and what is printed."""

import numpy as np


def run(tf, see):
    words = tf.constant(["Hello", "wörld", ""])
    texts = tf.strings
    see("join", lambda: texts.join([words, "!"], separator="-"))
    see("join_lists", lambda: texts.join(["a", "b", "c"], separator=" "))
    see("length", lambda: [texts.length(words), texts.length(words, unit="UTF8_CHAR")])
    see("case", lambda: [texts.upper("abc"), texts.lower("ABC"), texts.upper("ä", encoding="utf-8")])
    see("strip", lambda: texts.strip([" a ", "\tb\n"]))
    see("substr", lambda: [texts.substr("hello", 1, 3), texts.substr(words[:2], -2, 2), texts.substr("abc", 3, 1)])
    see("substr_beyond", lambda: texts.substr("abc", 7, 1))
    see("split", lambda: texts.split("a b  c").numpy().tolist())
    see("split_by", lambda: texts.split("a,b,,c", ",").numpy().tolist())
    see("replace", lambda: texts.regex_replace(["a1b22", "x"], r"\d+", "#"))
    see("replace_groups", lambda: texts.regex_replace("john smith", r"(\w+) (\w+)", r"\2 \1"))
    see("replace_first", lambda: texts.regex_replace("aaa", "a", "b", replace_global=False))
    odd = "aé1_ \t-Zz9.\n"
    for pattern in (
        "[[:alpha:]]", "[[:^alpha:]]", "[^[:space:][:digit:]]", "[[:punct:]a]", r"[\W_]", r"[\d-z]", "[[a]", r"[]\]$]",
        "[:alpha:]", r"\w", r"\W", r"\s", r"\bZ", "$", "(?m)$", r"(?m:^\w)|(?:$)", r"\.$", r"\z", "(?i)É",
        r"\Qa.\E|9", r"\x{e9}", "a{,2}", "(?s).", r"(\w)(\W)",
    ):  # fmt: skip
        see(f"replace {pattern}", lambda: texts.regex_replace([odd, "a{,2}"], pattern, r"<\0>"))
        see(f"match {pattern}", lambda: texts.regex_full_match(["a", "a\n", "é", "", "Z", odd], pattern))
    see("pattern in a tensor", lambda: texts.regex_replace("abc", tf.constant("b"), tf.constant("<b>")))
    see("pattern in bytes", lambda: [texts.regex_replace("abc", b"b", b"x"), texts.regex_full_match("a", b"a")])
    see("separators", lambda: [texts.join(["a", "b"], b"-"), texts.reduce_join(["a", "b"], separator=b"/")])
    see("join nothing", lambda: texts.join([]))
    see("full_match", lambda: texts.regex_full_match(["abc", "abcd"], "[a-c]+"))
    see("to_number", lambda: [texts.to_number("1.5"), texts.to_number(["7", "-8"], tf.int32)])
    see("to_number_bad", lambda: texts.to_number("seven"))
    for number in ("1_0", "0x10", "0X1.8p3", "1e5", " 3 ", "+5", ".5", "1.", "", "-", "inf", "1,5"):
        see(f"to_number {number!r}", lambda: texts.to_number(number))
        see(f"to_number whole {number!r}", lambda: texts.to_number(number, tf.int64))
    see("as_string", lambda: [tf.strings.as_string(v) for v in (3, 2.5, True, [1, 2])])
    see("as_string_width", lambda: [texts.as_string(3.14159, precision=2), texts.as_string(7, width=3, fill="0")])
    see("reduce_join", lambda: texts.reduce_join([["a", "b"], ["c", "d"]], axis=1, separator="/"))
    see("reduce_join_all", lambda: texts.reduce_join([["a", "b"], ["c", "d"]]))
    cube = np.array(list("abcdefgh")).reshape(2, 2, 2)
    for axis in ([0, 1], [1, 0], [0, 1, 2], [2, 1, 0], [-1, 0], [1], 0):
        see(f"reduce_join {axis}", lambda: texts.reduce_join(cube, axis, keepdims=axis == [1, 0], separator="."))
    see("format", lambda: texts.format("x = {}, y = {}", (tf.constant([1, 2]), 3.5)))
    see("format_other", lambda: texts.format("<@>", tf.range(10), placeholder="@", summarize=2))
    see("bytes", lambda: texts.bytes_split("abc").numpy().tolist())
    see("unicode", lambda: [texts.unicode_decode("aé", "UTF-8"), texts.unicode_encode([97, 233], "UTF-8")])
    broken = b"a\xff\xc3(\xe2\x82b\xf0\x9f\x98\x80c"
    for errors in ("replace", "ignore", "strict"):
        see(f"offsets, {errors}", lambda: [
            list(found) for found in (texts.unicode_decode_with_offsets(broken, "UTF-8", errors),
                                      texts.unicode_split_with_offsets(broken, "UTF-8", errors))])  # fmt: skip
    see("offsets", lambda: list(texts.unicode_decode_with_offsets("aé😀b", "UTF-8")))
    see("offsets in UTF-16", lambda: list(texts.unicode_decode_with_offsets("aé😀b".encode("utf-16-be"), "UTF-16-BE")))
    see("offsets of nothing", lambda: list(texts.unicode_split_with_offsets("", "UTF-8")))
    see("compare", lambda: [words == "Hello", words[0] < "J" if False else tf.equal(words[0], "Hello")])
    see("add", lambda: [words + "?", "<" + words[0]])
    see("python_text", lambda: [str(tf.constant("a")), repr(tf.constant("a")), f"{tf.constant('a')}"])
    see("numpy", lambda: [words.numpy()[1].decode(), tf.constant(np.array(["a", "bc"]))])
    see("print", lambda: tf.print("a", words[0], ["b", words[1]], {"k": tf.constant(1.5)}, (1, 2.0), sep="|"))
    see("print_floats", lambda: tf.print(0.1, tf.constant([1e-8, 1e10, 1 / 3, 100.0]), float("nan")))
    halves = tf.constant([0.1, 65504.0, 1.5, 1 / 3, 1e-7, float("nan"), 2049.0], tf.float16)
    see("print_halves", lambda: tf.print(halves, halves[0], summarize=-1))
    see("print_logged", lambda: tf.print("a", 1, output_stream=tf.compat.v1.logging.error))
    see("print_nowhere", lambda: tf.print("a", output_stream="nowhere"))
    see("print_long", lambda: tf.print(tf.range(20), tf.reshape(tf.range(100), [10, 10])))
    see("print_all", lambda: tf.print(tf.range(20), summarize=-1))
    see("print_bool", lambda: tf.print(True, tf.constant([True, False]), None, end="<\n"))
    see("print_types", lambda: tf.print(tf.constant(1, tf.uint8), tf.constant(1 + 2j), tf.constant([], tf.int32)))
    see("print_variable", lambda: tf.print(tf.Variable([1, 2]), [tf.Variable(3.0)]))

    @tf.function
    def greeting(name, times):
        out = tf.constant("")
        for i in tf.range(times):
            if i > 0:
                out += ", "
            out = texts.join([out, name])
        return out + "!"

    see("loop", lambda: [greeting(tf.constant("ho"), tf.constant(3)), greeting("x", 0)])

    @tf.function
    def shown(x):
        print("traced", x)
        tf.print("run", x, f"{x.shape}")
        return texts.format("{}", x)

    see("traced_text", lambda: [shown(tf.constant(["a"])), shown(tf.constant(["b"]))])

    @tf.function
    def longest(words):
        best = tf.constant("")
        for word in words:
            if texts.length(word) > texts.length(best):
                best = word
        return best

    see("longest", lambda: [longest(tf.constant(["a", "ccc", "bb"])), longest(tf.constant([], tf.string))])
