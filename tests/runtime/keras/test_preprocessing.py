"""Texts and sequences as `keras.preprocessing` of Keras 3.15 makes them."""

import json
import random

import numpy as np
import pytest

import runtime as tf

sequence, text = tf.keras.preprocessing.sequence, tf.keras.preprocessing.text

TEXTS = ["The cat sat on the mat.", "The dog ate the Cat!", "it's a dog-eat-dog world, a b\tc"]
ASKED = ["the cat zebra", "", "dog world"]
WORDS = ["the", "dog", "cat", "a", "sat", "on", "mat", "ate", "it's", "eat", "world", "b", "c"]


@pytest.mark.parametrize(
    "options, words, numbers, texts",
    [
        ({}, WORDS, [[1, 3], [], [2, 11]], ["the cat", "", "dog world", ""]),
        ({"num_words": 4}, WORDS, [[1, 3], [], [2]], ["the cat", "", "dog", ""]),
        ({"num_words": 4, "oov_token": "?"}, ["?", *WORDS], [[2, 1, 1], [], [3, 1]], ["the ? ?", "", "dog ?", "?"]),
        ({"num_words": 3, "oov_token": "?"}, ["?", *WORDS], [[2, 1, 1], [], [1, 1]], ["the ? ?", "", "? ?", "?"]),
        (
            {"lower": False, "filters": "."},
            ["The", "the", "a", "cat", "sat", "on", "mat", "dog", "ate", "Cat!", "it's", "dog-eat-dog", "world,",
             "b\tc"],
            [[2, 4], [], [8]], ["the cat", "", "dog", ""],
        ),
        (
            {"split": "-"},
            ["the cat sat on the mat", "the dog ate the cat", "it's a dog", "eat", "dog world", " a b", "c"],
            [[], [], [5]], ["", "", "dog world", ""],
        ),
        (
            {"char_level": True}, [*" taeohdcgs-nm.!i'wrl,b\t"],
            [[2, 6, 4, 1, 8, 3, 2, 1, 4, 22, 19, 3], [], [7, 5, 9, 1, 18, 5, 19, 20, 7]],
            ["t h e   c a t   e b r a", "", "d o g   w o r l d", ""],
        ),
        ({"analyzer": lambda text: text.split(" ")[:1]}, ["The", "it's"], [[], [], []], ["", "", "", ""]),
    ],
)  # fmt: skip
def test_words_become_numbers_and_words_again(options, words, numbers, texts):
    tokenizer = text.Tokenizer(**options)
    tokenizer.fit_on_texts(TEXTS)
    assert [*tokenizer.word_index] == words and [*tokenizer.word_index.values()] == [*range(1, len(words) + 1)]
    assert tokenizer.index_word == dict(enumerate(words, 1)) and tokenizer.document_count == 3
    assert tokenizer.texts_to_sequences(ASKED) == numbers
    assert tokenizer.sequences_to_texts([*numbers, [99]]) == texts
    if "analyzer" not in options:
        again = text.tokenizer_from_json(tokenizer.to_json())
        assert again.texts_to_sequences(ASKED) == numbers and again.sequences_to_texts([*numbers, [99]]) == texts
        assert again.get_config() == tokenizer.get_config() and json.loads(again.to_json())["class_name"] == "Tokenizer"
        for mode in ("count", "tfidf"):
            made, wanted = again.texts_to_matrix(ASKED, mode), tokenizer.texts_to_matrix(ASKED, mode)
            np.testing.assert_array_equal(made, wanted)


@pytest.mark.parametrize(
    "mode, row",
    [("binary", [0, 1, 1, 0]), ("count", [0, 2, 1, 0]), ("freq", [0, 0.6667, 0.3333, 0]),
     ("tfidf", [0, 2.3472, 0.6931, 0])],
)  # fmt: skip
def test_a_text_as_a_row_of_an_array(mode, row):
    tokenizer = text.Tokenizer(num_words=4, oov_token="?")
    tokenizer.fit_on_texts(TEXTS)
    made = tokenizer.texts_to_matrix(ASKED, mode)
    assert made.dtype == np.float64 and made.shape == (3, 4) and not made[1].any()
    np.testing.assert_allclose(made[0], row, atol=1e-4)


def test_lists_of_words_and_sequences_are_counted():
    tokenizer = text.Tokenizer()
    tokenizer.fit_on_texts([["A", "b"], ["b", "c"]])
    tokenizer.fit_on_texts(["C c"])
    assert tokenizer.word_index == {"c": 1, "b": 2, "a": 3} and dict(tokenizer.word_counts) == {"a": 1, "b": 2, "c": 3}
    assert tokenizer.texts_to_sequences([["a", "B"]]) == [[3, 2]]
    assert dict(tokenizer.word_docs) == {"a": 1, "b": 2, "c": 2}
    numbers = text.Tokenizer(num_words=5)
    numbers.fit_on_sequences([[1, 2, 2], [3]])
    made = numbers.sequences_to_matrix([[1, 2, 2], [4, 7]], mode="tfidf")
    np.testing.assert_allclose(made, [[0, 0.69314718, 1.17360019, 0, 0], [0, 0, 0, 0, 1.09861229]])


@pytest.mark.parametrize(
    "make, why",
    [
        (lambda: text.Tokenizer().sequences_to_matrix([[1]]), "say num_words="),
        (lambda: text.Tokenizer(num_words=3).sequences_to_matrix([[1]], mode="tfidf"), "fit_on_texts"),
        (lambda: text.Tokenizer(num_words=3).sequences_to_matrix([[1]], mode="some"), "mode='some'"),
    ],
)
def test_what_is_not_known_is_told(make, why):
    with pytest.raises(ValueError, match=why):
        make()


def test_words_of_a_text():
    assert text.text_to_word_sequence("Hello, World! a") == ["hello", "world", "a"]
    assert text.text_to_word_sequence("a-b C", filters="", lower=False, split="-") == ["a", "b C"]
    assert text.hashing_trick("hello world hello", 10, "md5") == [8, 9, 8]
    assert text.hashing_trick("a bc", 10, len) == [2, 3]
    assert text.one_hot("a b", 5) == [hash(word) % 4 + 1 for word in "ab"]


def test_pairs_of_words():
    pairs = sequence.skipgrams([1, 2, 0, 3, 4], 6, window_size=1, negative_samples=0, shuffle=False)
    assert pairs == ([[1, 2], [2, 1], [3, 4], [4, 3]], [1, 1, 1, 1])
    random.seed(3)
    assert sequence.skipgrams([1, 2, 3], 6, window_size=1, seed=5) == (
        [[2, 4], [3, 2], [2, 1], [1, 2], [2, 5], [2, 3], [1, 5], [3, 3]], [0, 1, 1, 1, 0, 1, 0, 0],
    )  # fmt: skip
    near, labels = sequence.skipgrams([1, 2, 3], 6, window_size=2, categorical=True, shuffle=False)
    assert labels == [[0, 1]] * 6 + [[1, 0]] * 6 and near[:6] == [[1, 2], [1, 3], [2, 1], [2, 3], [3, 1], [3, 2]]
    kept, _ = sequence.skipgrams([1, 2, 3], 6, sampling_table=[0, 1.0, 0.0, 1.0], negative_samples=0)
    assert sorted(kept) == [[1, 2], [1, 3], [3, 1], [3, 2]]
    assert sequence.skipgrams([], 6) == ([], [])
    table = [0.00315225, 0.00315225, 0.00547597, 0.00741556, 0.00912817, 0.01068435]
    np.testing.assert_allclose(sequence.make_sampling_table(6), table, atol=1e-8)
