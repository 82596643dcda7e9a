"""Texts as words, and words as numbers."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from runtime.graph.dtypes import NumPyArray

__all__ = ["Tokenizer", "hashing_trick", "one_hot", "text_to_word_sequence", "tokenizer_from_json"]

Text: TypeAlias = str | Sequence[str]
Analyzer: TypeAlias = Callable[[str], list[str]]

_FILTERS = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n'
_MODES = ("binary", "count", "freq", "tfidf")


def text_to_word_sequence(input_text: str, filters: str = _FILTERS, lower: bool = True, split: str = " ") -> list[str]:
    """The words of a text.

    Args:
      input_text: the text.
      filters: characters that are left out.
      lower: whether letters become small.
      split: what stands between words.

    >>> tf.keras.preprocessing.text.text_to_word_sequence("Hello, World!")
    ['hello', 'world']
    """
    text = input_text.lower() if lower else input_text
    text = text.translate({ord(character): split for character in filters})
    return [word for word in text.split(split) if word]


def hashing_trick(
    text: str,
    n: int,
    hash_function: Callable[[str], int] | str | None = None,
    filters: str = _FILTERS,
    lower: bool = True,
    split: str = " ",
    analyzer: Analyzer | None = None,
) -> list[int]:
    """The words of a text as numbers that their hashes give: several words may have one.

    Args:
      text: the text.
      n: the numbers are from 1 up to one less than this.
      hash_function: a function of a word; ``"md5"``, which is the same everywhere; Python's `hash` by default.
      filters, lower, split: as for `text_to_word_sequence`.
      analyzer: a function that gives the words instead.

    >>> tf.keras.preprocessing.text.hashing_trick("hello world hello", 10, "md5")
    [8, 9, 8]
    """
    of = hash if hash_function is None else _md5 if isinstance(hash_function, str) else hash_function
    words = text_to_word_sequence(text, filters, lower, split) if analyzer is None else analyzer(text)
    return [of(word) % (n - 1) + 1 for word in words]


def _md5(word: str) -> int:
    return int(hashlib.md5(word.encode(), usedforsecurity=False).hexdigest(), 16)


def one_hot(
    input_text: str,
    n: int,
    filters: str = _FILTERS,
    lower: bool = True,
    split: str = " ",
    analyzer: Analyzer | None = None,
) -> list[int]:
    """The words of a text as numbers from 1 up to one less than `n`, by Python's `hash`: others in each run.

    Args:
      input_text: the text.
      n: how many numbers there are, and 0.
      filters, lower, split, analyzer: as for `hashing_trick`.

    >>> first, second = tf.keras.preprocessing.text.one_hot("red red", 9)
    >>> first == second, 1 <= first < 9
    (True, True)
    """
    return hashing_trick(input_text, n, hash, filters, lower, split, analyzer)


class Tokenizer:
    """Makes numbers of the words of texts: the more frequent a word is, the smaller is its number, from 1 on.

    Args:
      num_words: only numbers that are less than this are used.
      filters: characters that are left out.
      lower: whether letters become small.
      split: what stands between words.
      char_level: whether each character is a word.
      oov_token: a word for all words that are not known; they are left out without.
      analyzer: a function that gives the words of a text instead.
      document_count: how many texts were seen before.

    >>> tokenizer = tf.keras.preprocessing.text.Tokenizer(oov_token="?")
    >>> tokenizer.fit_on_texts(["The cat sat on the mat."])
    >>> tokenizer.texts_to_sequences(["The dog sat"]), tokenizer.word_index["cat"]
    ([[2, 1, 4]], 3)
    """

    def __init__(
        self,
        num_words: int | None = None,
        filters: str = _FILTERS,
        lower: bool = True,
        split: str = " ",
        char_level: bool = False,
        oov_token: str | None = None,
        analyzer: Analyzer | None = None,
        *,
        document_count: int = 0,
    ) -> None:
        self.num_words, self.filters, self.lower, self.split = num_words, filters, lower, split
        self.char_level, self.oov_token, self.analyzer = char_level, oov_token, analyzer
        self.document_count = document_count
        self.word_counts: OrderedDict[str, int] = OrderedDict()
        self.word_docs: defaultdict[str, int] = defaultdict(int)
        self.index_docs: defaultdict[int, int] = defaultdict(int)
        self.word_index: dict[str, int] = {}
        self.index_word: dict[int, str] = {}

    def _words(self, text: Text) -> Sequence[str]:
        if self.char_level or not isinstance(text, str):
            return [word.lower() for word in text] if self.lower else [*text]
        if self.analyzer is not None:
            return self.analyzer(text)
        return text_to_word_sequence(text, self.filters, self.lower, self.split)

    def fit_on_texts(self, texts: Iterable[Text]) -> None:
        """Count the words of texts, and number them.

        Args:
          texts: texts, or lists of words.

        >>> tokenizer = tf.keras.preprocessing.text.Tokenizer()
        >>> tokenizer.fit_on_texts(["a b", "b c"])
        >>> tokenizer.word_index
        {'b': 1, 'a': 2, 'c': 3}
        """
        for text in texts:
            self.document_count += 1
            words = self._words(text)
            for word in words:
                self.word_counts[word] = self.word_counts.get(word, 0) + 1
            for word in dict.fromkeys(words):
                self.word_docs[word] += 1
        ordered = sorted(self.word_counts, key=lambda word: -self.word_counts[word])
        first = [] if self.oov_token is None else [self.oov_token]
        self.word_index = {word: number for number, word in enumerate([*first, *ordered], 1)}
        self.index_word = {number: word for word, number in self.word_index.items()}
        for word, count in self.word_docs.items():
            self.index_docs[self.word_index[word]] = count

    def fit_on_sequences(self, sequences: Iterable[Iterable[int]]) -> None:
        """Count in how many sequences each number is.

        Args:
          sequences: lists of numbers of words.

        >>> tokenizer = tf.keras.preprocessing.text.Tokenizer(num_words=4)
        >>> tokenizer.fit_on_sequences([[1, 2], [2]])
        >>> dict(tokenizer.index_docs)
        {1: 1, 2: 2}
        """
        for sequence in sequences:
            self.document_count += 1
            for number in dict.fromkeys(sequence):
                self.index_docs[number] += 1

    def texts_to_sequences(self, texts: Iterable[Text]) -> list[list[int]]:
        """The words of texts as numbers; words that are not known, or are too rare, are left out or the `oov_token`.

        Args:
          texts: texts, or lists of words.
        Returns: a list of numbers for each.

        >>> tokenizer = tf.keras.preprocessing.text.Tokenizer()
        >>> tokenizer.fit_on_texts(["a b", "b c"])
        >>> tokenizer.texts_to_sequences(["c b d"])
        [[3, 1]]
        """
        return [*self.texts_to_sequences_generator(texts)]

    def texts_to_sequences_generator(self, texts: Iterable[Text]) -> Iterator[list[int]]:
        """What `texts_to_sequences` gives, one list after the other.

        >>> tokenizer = tf.keras.preprocessing.text.Tokenizer()
        >>> tokenizer.fit_on_texts(["a b", "b c"])
        >>> next(tokenizer.texts_to_sequences_generator(["c b d"]))
        [3, 1]
        """
        other = None if self.oov_token is None else self.word_index.get(self.oov_token)
        for text in texts:
            numbers = (self.word_index.get(word) for word in self._words(text))
            used = (n if n is not None and not (self.num_words and n >= self.num_words) else other for n in numbers)
            yield [number for number in used if number is not None]

    def sequences_to_texts(self, sequences: Iterable[Iterable[int]]) -> list[str]:
        """Numbers as texts of their words.

        Args:
          sequences: lists of numbers of words.

        >>> tokenizer = tf.keras.preprocessing.text.Tokenizer()
        >>> tokenizer.fit_on_texts(["a b", "b c"])
        >>> tokenizer.sequences_to_texts([[3, 1]])
        ['c b']
        """
        return [*self.sequences_to_texts_generator(sequences)]

    def sequences_to_texts_generator(self, sequences: Iterable[Iterable[int]]) -> Iterator[str]:
        """What `sequences_to_texts` gives, one text after the other.

        >>> tokenizer = tf.keras.preprocessing.text.Tokenizer()
        >>> tokenizer.fit_on_texts(["a b", "b c"])
        >>> next(tokenizer.sequences_to_texts_generator([[3, 1]]))
        'c b'
        """
        for sequence in sequences:
            known = ((number, self.index_word.get(number)) for number in sequence)
            words = (self.oov_token if w is None or (self.num_words and n >= self.num_words) else w for n, w in known)
            yield " ".join(word for word in words if word is not None)

    def texts_to_matrix(self, texts: Iterable[Text], mode: str = "binary") -> NumPyArray:
        """A row of an array for each text, with a column for each number of a word.

        Args:
          texts: texts, or lists of words.
          mode: what stands there: whether the text has the word (``"binary"``), how often (``"count"``), what part of
            it that is (``"freq"``), or how much it tells of the text (``"tfidf"``).
        Returns: an array of shape [how many texts, how many numbers], of float64.
        Raises:
          ValueError: for another mode, or if it is not known how many words there are.

        >>> tokenizer = tf.keras.preprocessing.text.Tokenizer()
        >>> tokenizer.fit_on_texts(["a b", "b c"])
        >>> tokenizer.texts_to_matrix(["c b b"], mode="count")
        array([[0., 2., 0., 1.]])
        """
        return self.sequences_to_matrix(self.texts_to_sequences(texts), mode)

    def sequences_to_matrix(self, sequences: Sequence[Sequence[int]], mode: str = "binary") -> NumPyArray:
        """What `texts_to_matrix` gives, of numbers.

        Args:
          sequences: lists of numbers of words.
          mode: ``"binary"``, ``"count"``, ``"freq"`` or ``"tfidf"``.
        Returns: an array of shape [how many sequences, how many numbers], of float64.
        Raises:
          ValueError: for another mode, or if it is not known how many words there are.

        >>> tf.keras.preprocessing.text.Tokenizer(num_words=4).sequences_to_matrix([[3, 1]])
        array([[0., 1., 0., 1.]])
        """
        if not self.num_words and not self.word_index:
            raise ValueError("how many words there are is not known: say num_words=, or fit_on_texts() first")
        if mode not in _MODES:
            raise ValueError(f"mode={mode!r}: it is one of {_MODES}")
        if mode == "tfidf" and not self.document_count:
            raise ValueError("mode='tfidf' asks in how many texts words are: fit_on_texts() first")
        size = self.num_words or len(self.word_index) + 1
        made = np.zeros((len(sequences), size))
        for row, sequence in zip(made, sequences):
            for number, count in Counter(n for n in sequence if n < size).items():
                row[number] = self._entry(mode, number, count, len(sequence))
        return made

    def _entry(self, mode: str, number: int, count: int, length: int) -> float:
        if mode == "tfidf":
            rareness = np.log(1 + self.document_count / (1 + self.index_docs.get(number, 0)))
            return float((1 + np.log(count)) * rareness)
        return {"binary": 1.0, "count": float(count), "freq": count / length}[mode]

    def get_config(self) -> dict[str, object]:
        """What it was made with and has counted, the dictionaries as JSON.

        >>> tf.keras.preprocessing.text.Tokenizer(num_words=4).get_config()["num_words"]
        4
        """
        counted = {name: json.dumps(getattr(self, name)) for name in _COUNTED}
        plain = ("num_words", "filters", "lower", "split", "char_level", "oov_token", "document_count")
        return {**{name: getattr(self, name) for name in plain}, **counted}

    def to_json(self, **kwargs: object) -> str:
        """What `tokenizer_from_json` makes it of again, but for an `analyzer`.

        Args:
          **kwargs: options of ``json.dumps``.

        >>> tf.keras.preprocessing.text.Tokenizer().to_json()[:27]
        '{"class_name": "Tokenizer",'
        """
        described = {"class_name": type(self).__name__, "config": self.get_config()}
        return json.dumps(described, **kwargs)  # type: ignore[arg-type]


_COUNTED = ("word_counts", "word_docs", "index_docs", "index_word", "word_index")


def tokenizer_from_json(json_string: str) -> Tokenizer:
    """The tokenizer of which `Tokenizer.to_json` made a text.

    Args:
      json_string: the text.

    >>> tokenizer = tf.keras.preprocessing.text.Tokenizer()
    >>> tokenizer.fit_on_texts(["a b", "b c"])
    >>> tf.keras.preprocessing.text.tokenizer_from_json(tokenizer.to_json()).word_index
    {'b': 1, 'a': 2, 'c': 3}
    """
    config = dict(json.loads(json_string)["config"])
    counted: dict[str, Mapping[str, int]] = {name: json.loads(config.pop(name)) for name in _COUNTED}
    made = Tokenizer(**config)
    made.word_counts.update(counted["word_counts"])
    made.word_docs.update(counted["word_docs"])
    made.index_docs.update({int(number): count for number, count in counted["index_docs"].items()})
    made.word_index.update(counted["word_index"])
    made.index_word.update({number: word for word, number in made.word_index.items()})
    return made
