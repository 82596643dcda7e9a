"""Layers that prepare data: their results are TensorFlow's, wherever they are called."""

import json
import re

import numpy as np
import pytest

import runtime as tf
from runtime.graph.errors import InvalidArgumentError
from tests.runtime.keras import preparation_figures
from tests.runtime.keras.preparation_figures import ALL_WORDS, LONG, NUMBERS, PROGRAMS, TEXTS, WORDS

k = tf.keras
L = k.layers
FIGURES = preparation_figures.read()


def close(found, wanted, at):
    if isinstance(wanted, list):
        assert len(found) == len(wanted), at
        for number, (mine, theirs) in enumerate(zip(found, wanted)):
            close(mine, theirs, (*at, number))
    elif isinstance(wanted, dict):
        assert (found["shape"], found["dtype"]) == (wanted["shape"], wanted["dtype"]), at
        if wanted["dtype"].startswith("float"):
            size = np.abs([1.0, *wanted["values"]]).max()  # some are sums of much that cancels
            np.testing.assert_allclose(found["values"], wanted["values"], rtol=2e-6, atol=5e-7 * size, err_msg=str(at))
        else:
            assert found["values"] == wanted["values"], at
    else:
        assert found == wanted, at


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_tensorflow(name):
    k.backend.clear_session()
    close(preparation_figures.plain(PROGRAMS[name](tf, L)), FIGURES[name], (name,))


LAYERS = {
    "strings": (lambda: L.StringLookup(vocabulary=WORDS, num_oov_indices=3), np.array([["red", "x"], ["blue", "y"]])),
    "strings in vectors": (
        lambda: L.StringLookup(vocabulary=WORDS, output_mode="count"), np.array([["red", "x"], ["blue", "blue"]]),
    ),
    "strings weighed": (
        lambda: L.StringLookup(vocabulary=WORDS, output_mode="tf_idf", idf_weights=[1, 2, 3]),
        np.array([["red", "x"], ["blue", "blue"]]),
    ),
    "strings back": (lambda: L.StringLookup(vocabulary=WORDS, invert=True), np.array([[0, 1], [3, 5]])),
    "integers": (lambda: L.IntegerLookup(vocabulary=NUMBERS, mask_token=0), np.array([[12, 0], [5, 1138]])),
    "integers in vectors": (
        lambda: L.IntegerLookup(vocabulary=NUMBERS, output_mode="multi_hot"), np.array([[12, 0], [5, 1138]]),
    ),
    "texts": (lambda: L.TextVectorization(vocabulary=ALL_WORDS, output_sequence_length=4), np.array(TEXTS[:2])),
    "texts of any length": (lambda: L.TextVectorization(vocabulary=ALL_WORDS), np.array(TEXTS[:2])),
    "texts in vectors": (
        lambda: L.TextVectorization(vocabulary=ALL_WORDS, output_mode="multi_hot"), np.array([[t] for t in TEXTS[:2]]),
    ),
    "bins": (lambda: L.Hashing(7, salt=3), np.array([["red", "x"], ["blue", "y"]])),
    "bins of numbers": (lambda: L.Hashing(7, mask_value=3), np.array([[3, 4], [1, 10**9]])),
    "bins in vectors": (lambda: L.Hashing(4, output_mode="count"), np.array([["red", "x"], ["blue", "y"]])),
}  # fmt: skip


def same(found, wanted):
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("name", LAYERS)
def test_in_functions_and_datasets(name):
    make, given = LAYERS[name]
    layer, inputs = make(), tf.constant(given)
    wanted = layer(inputs)
    same(make()(given), wanted)
    same(make()(given.tolist()), wanted)
    traced = tf.function(layer)
    same(traced(inputs), wanted)
    assert traced.get_concrete_function(inputs).structured_outputs.shape.is_compatible_with(wanted.shape)
    unknown = tf.function(layer, input_signature=[tf.TensorSpec([None, *given.shape[1:]], inputs.dtype)])
    same(unknown(inputs), wanted)
    (mapped,) = tf.data.Dataset.from_tensors(given).map(layer)
    same(mapped, wanted)
    if name != "texts of any length":
        single = tf.data.Dataset.from_tensor_slices(given).map(lambda x: layer(x)).batch(2)
        (rows,) = single
        assert rows.shape[0] == 2


@pytest.mark.parametrize("name", LAYERS)
def test_in_models(name, tmp_path):
    make, given = LAYERS[name]
    inputs = tf.constant(given)
    wanted = make()(inputs)
    x = k.Input(given.shape[1:], dtype=inputs.dtype)
    models = [k.Model(x, make()(x)), k.Sequential([k.Input(given.shape[1:], dtype=inputs.dtype), make()])]
    for number, model in enumerate(models):
        assert tf.TensorShape(model.outputs[0].shape).is_compatible_with(wanted.shape)
        assert model.outputs[0].dtype == wanted.dtype
        same(model(inputs), wanted)
        same(model.predict(given, verbose=0), wanted)
        model.save(tmp_path / f"{number}.keras")
        same(k.models.load_model(tmp_path / f"{number}.keras")(inputs), wanted)


@pytest.mark.parametrize("name", LAYERS)
def test_configurations(name):
    make, given = LAYERS[name]
    layer = make()
    config = json.loads(json.dumps(layer.get_config()))
    again = type(layer).from_config(config)
    assert json.loads(json.dumps(again.get_config())) == config
    same(again(given), layer(given))


def test_shapes():
    assert L.StringLookup(vocabulary=WORDS).compute_output_shape((None, 3)) == (None, 3)
    assert L.StringLookup(vocabulary=WORDS, output_mode="count").compute_output_shape((None, 3)) == (None, 4)
    assert L.StringLookup(vocabulary=WORDS, output_mode="one_hot").compute_output_shape((None, 3)) == (None, 3, 4)
    assert L.StringLookup(vocabulary=WORDS, invert=True).compute_output_shape((None, 3)) == (None, 3)
    assert L.TextVectorization(output_sequence_length=5).compute_output_shape((None,)) == (None, 5)
    assert L.TextVectorization().compute_output_shape((None, 1)) == (None, None)


def test_a_model_is_trained_on_texts(tmp_path):
    texts = np.array(["good film", "bad film", "very good", "so bad"] * 4)
    labels = np.array([1, 0, 1, 0] * 4)
    prepare = L.TextVectorization(output_sequence_length=3)
    prepare.adapt(tf.data.Dataset.from_tensor_slices(texts).batch(5))
    k.utils.set_random_seed(1)
    model = k.Sequential([
        k.Input([], dtype="string"), prepare, L.Embedding(prepare.vocabulary_size(), 4, mask_zero=True),
        L.GlobalAveragePooling1D(), L.Dense(1, activation="sigmoid"),
    ])  # fmt: skip
    model.compile(k.optimizers.Adam(0.1), "binary_crossentropy", metrics=["accuracy"])
    history = model.fit(texts, labels, epochs=20, verbose=0).history
    assert history["accuracy"][-1] == 1
    model.save(tmp_path / "model.keras")
    again = k.models.load_model(tmp_path / "model.keras")
    same(again.predict(texts, verbose=0), model.predict(texts, verbose=0))
    assert again.layers[0].get_vocabulary() == prepare.get_vocabulary()
    again.layers[0].adapt(["another one"])  # it found its words before, and may find others
    assert again.layers[0].get_vocabulary() == ["", "[UNK]", "one", "another"]


def test_a_vocabulary_in_a_file(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("red\ngrün\nblue\n", encoding="utf-8")
    for where in (str(path), path):
        layer = L.StringLookup(vocabulary=where)
        assert layer.get_vocabulary() == ["[UNK]", "red", "grün", "blue"]
        same(layer(["grün", "x"]), np.array([2, 0]))
    config = layer.get_config()
    assert config["vocabulary"] == ["red", "grün", "blue"]  # the file is not asked for again
    (tmp_path / "numbers.txt").write_text("7\n9\n")
    same(L.IntegerLookup(vocabulary=str(tmp_path / "numbers.txt"))([9, 1]), np.array([2, 0]))
    path.write_text("red\nred\n")
    with pytest.raises(ValueError, match="more than once"):
        L.StringLookup(vocabulary=str(path))
    with pytest.raises(FileNotFoundError):
        L.StringLookup(vocabulary="no such file")
    with pytest.raises(ValueError, match="has no weights"):
        L.StringLookup(vocabulary=str(path), output_mode="tf_idf", idf_weights=[1.0])


def test_adapt_takes_whatever_has_batches():
    layer = L.IntegerLookup()
    layer.adapt(batch for batch in ([1, 2], [2, 3], [9, 9]))
    assert layer.get_vocabulary() == [-1, 9, 2, 3, 1]
    layer.adapt((batch for batch in ([1, 2], [2, 3], [9, 9])), steps=2)
    assert layer.get_vocabulary() == [-1, 2, 3, 1]
    layer.adapt(tf.constant([5]))
    assert layer.get_vocabulary() == [-1, 5]
    layer.adapt(tf.data.Dataset.from_tensor_slices([4, 4]).repeat().batch(2), steps=3)
    assert layer.get_vocabulary() == [-1, 4]
    layer.adapt(np.zeros([0], np.int64))
    assert layer.get_vocabulary() == [-1, 4]
    text = L.TextVectorization(output_sequence_length=1)  # words that it cuts off are words, too
    text.adapt(["a b", "b c"])
    assert text.get_vocabulary() == ["", "[UNK]", "b", "c", "a"]
    text = L.TextVectorization()
    text.adapt((batch for batch in (["a b"], ["b c"])), steps=1)
    assert text.get_vocabulary() == ["", "[UNK]", "b", "a"]


def test_texts_of_any_bytes():
    layer = L.StringLookup(vocabulary=[b"\xff\x00", b"a"], encoding="latin-1")
    same(layer(np.array([b"\xff\x00", b"\xff", "x"], object)), np.array([1, 0, 0]))
    assert layer.get_vocabulary() == ["[UNK]", "\xff\x00", "a"]
    again = L.StringLookup.from_config(json.loads(json.dumps(layer.get_config())))
    same(again(np.array([b"\xff\x00", b"a"], object)), np.array([1, 2]))


@k.saving.register_keras_serializable("tests")
def shouted(texts):
    return tf.strings.upper(texts)


@k.saving.register_keras_serializable("tests")
def by_bars(text):
    return tf.strings.split(text, "|")


def test_functions_of_ones_own(tmp_path):
    layer = L.TextVectorization(standardize=shouted, split=by_bars, vocabulary=["A B", "C"])
    wanted = np.array([[2, 3], [1, 0]])
    same(layer(["a b|c", "d"]), wanted)
    same(tf.function(layer)(tf.constant(["a b|c", "d"])), wanted)
    model = k.Sequential([k.Input([], dtype="string"), layer])
    model.save(tmp_path / "model.keras")
    same(k.models.load_model(tmp_path / "model.keras")(tf.constant(["a b|c", "d"])), wanted)
    config = layer.get_config()
    assert (config["standardize"], config["split"]) == ("tests>shouted", "tests>by_bars")
    with pytest.raises(ValueError, match=re.escape("function 'tests>other' for split, which is not known")):
        L.TextVectorization.from_config({**config, "split": "tests>other"})


def weigh(**options):
    return L.StringLookup(output_mode="tf_idf", **options)


WRONG = [
    (lambda: L.StringLookup(max_tokens=1), "StringLookup with max_tokens=1: it is greater than 1"),
    (lambda: L.StringLookup(pad_to_max_tokens=True), "give max_tokens, too"),
    (lambda: L.IntegerLookup(num_oov_indices=-1), "IntegerLookup with num_oov_indices=-1"),
    (lambda: L.StringLookup(output_mode="some"), "StringLookup with output_mode='some': it is 'int', 'one_hot'"),
    (lambda: L.StringLookup(invert=True, output_mode="count"), "the mode is 'int' then"),
    (lambda: L.StringLookup(invert=True, oov_token=None), "give an oov_token"),
    (lambda: L.StringLookup(sparse=True, output_mode="count"), "no sparse tensors here"),
    (lambda: L.StringLookup(dtype="float32"), "is of int64"),
    (lambda: L.StringLookup(color=3), "Unrecognized keyword argument passed to StringLookup: 'color'"),
    (lambda: L.IntegerLookup(salt=3), "it is for oov_method='farmhash'"),
    (lambda: L.IntegerLookup(oov_method="some"), "it is 'floormod' or 'farmhash'"),
    (lambda: L.IntegerLookup(vocabulary_dtype="int32"), "it is 'int64'"),
    (lambda: L.StringLookup(salt=[1, 2, 3]), "it is a whole number, or two of them"),
    (lambda: L.StringLookup(vocabulary=[]), "the vocabulary is empty"),
    (lambda: L.StringLookup(vocabulary=np.array([["a"]])), "a vocabulary of shape (1, 1), not [n]"),
    (
        lambda: L.StringLookup(vocabulary=["a", "b", "a"], name="words"),
        "layer 'words': these tokens are in the vocabulary more than once: ['a']",
    ),
    (lambda: L.StringLookup(vocabulary=["a", ""], mask_token=""), "the mask_token '' is among the tokens"),
    (lambda: L.StringLookup(vocabulary=["a", "[UNK]"], invert=True), "the oov_token '[UNK]' is among the tokens"),
    (lambda: L.StringLookup(vocabulary=["a", "b"], max_tokens=2), "the vocabulary has 3 tokens"),
    (lambda: L.StringLookup(vocabulary=["a"], idf_weights=[1.0]), "for 'tf_idf', and for it alone"),
    (lambda: weigh(vocabulary=["a"]), "for 'tf_idf', and for it alone"),
    (lambda: weigh(idf_weights=[1.0]), "no vocabulary"),
    (lambda: weigh(vocabulary=["a"], idf_weights=[1.0, 2.0]), "idf_weights of shape (2,) for 1 tokens"),
    (lambda: L.StringLookup(vocabulary=["a"]).adapt(["b"]), "it has nothing to find by adapt()"),
    (lambda: L.StringLookup(name="words")(["a"]), "layer 'words' has no vocabulary: call adapt(data)"),
    (lambda: L.StringLookup(output_mode="count")(["a"]), "has no vocabulary"),
    (lambda: L.TextVectorization(ragged=True), "no ragged tensors here"),
    (lambda: L.TextVectorization(standardize="upper"), "TextVectorization with standardize='upper'"),
    (lambda: L.TextVectorization(split=","), "TextVectorization with split=','"),
    (lambda: L.TextVectorization(ngrams=0), "TextVectorization with ngrams=0"),
    (lambda: L.TextVectorization(ngrams=(1, "a")), "TextVectorization with ngrams"),
    (lambda: L.TextVectorization(output_mode="count", output_sequence_length=3), "numbers have a length"),
    (lambda: L.TextVectorization(output_sequence_length=-1), "0 or more"),
    (lambda: L.TextVectorization(vocabulary=["a"])([["a", "b"]]), "not of (1, 2). With split=None it takes words"),
    (lambda: L.StringLookup(vocabulary=["a"])([["a", "b"], ["c"]]), "its rows differ in length"),
    (lambda: L.Hashing(0), "Hashing with num_bins=0"),
    (lambda: L.Hashing(3, output_mode="tf_idf"), "Hashing with output_mode='tf_idf'"),
    (lambda: L.Hashing(3, dtype="float32"), "of int32 or int64"),
    (lambda: L.Hashing(3, sparse=True), "no sparse tensors here"),
    (lambda: L.Hashing(3, salt="x"), "Hashing with salt='x'"),
]


@pytest.mark.parametrize("make, says", WRONG)
def test_what_is_refused(make, says):
    with pytest.raises(ValueError) as error:
        make()
    assert says in str(error.value)


def test_other_kinds_of_inputs():
    with pytest.raises(TypeError, match="layer 'words' takes tensors of string, not of int"):
        L.StringLookup(vocabulary=["a"], name="words")([1, 2])
    with pytest.raises(TypeError, match="takes tensors of int64, not of string"):
        L.IntegerLookup(vocabulary=[1])(["a"])
    same(L.IntegerLookup(vocabulary=[1])(np.array([1.0, 2.5])), np.array([1, 0]))
    for make in (
        lambda: L.StringLookup(vocabulary=["a", 1], name="words"),
        lambda: L.StringLookup(mask_token=1, name="words"),
        lambda: L.IntegerLookup(vocabulary=[1], oov_token=1.5, name="words"),
    ):
        with pytest.raises(TypeError, match="layer 'words': 1.* is no token of (string|int64)"):
            make()


def test_nothing():
    none = tf.constant([], tf.string)
    assert L.StringLookup(vocabulary=["a"])(none).shape == (0,)
    assert L.TextVectorization(vocabulary=["a"])(none).shape == (0, 0)
    assert L.TextVectorization(vocabulary=["a"], output_sequence_length=3)(none).shape == (0, 3)
    assert L.TextVectorization(vocabulary=["a"], output_mode="count")(none).shape == (0, 2)
    assert L.Hashing(3, output_mode="multi_hot")(tf.constant(np.zeros([0, 2], "U1"))).shape == (0, 3)
    assert tf.constant(np.zeros([0, 2], object), tf.string).shape == (0, 2)


def test_no_others():
    layer = L.StringLookup(vocabulary=WORDS, num_oov_indices=0, name="colours")
    for run in (layer, tf.function(layer)):
        with pytest.raises(InvalidArgumentError, match=r"layer 'colours' with num_oov_indices=0: \['mauve'\]"):
            run(tf.constant(["red", "mauve"]))


def test_the_size_of_a_vocabulary_stays():
    layer = L.StringLookup(output_mode="count", name="words")
    layer.set_vocabulary(["a", "b", "c"])
    layer.set_vocabulary(["a", "b"])
    layer(["a"])
    layer.set_vocabulary(["c", "d"])
    same(layer(["d"]), np.array([0, 0, 1]))
    with pytest.raises(RuntimeError, match="layer 'words' was called with a vocabulary of 3 tokens"):
        layer.set_vocabulary(["a"])
    padded = L.StringLookup(output_mode="count", max_tokens=4, pad_to_max_tokens=True)
    padded.adapt(["a"])
    same(padded(["a"]), np.array([0, 1, 0, 0]))
    padded.adapt(["a", "b"])
    same(padded(["a"]), np.array([0, 0, 1, 0]))


def test_a_function_looks_the_words_up_that_there_are():
    layer = L.StringLookup(vocabulary=["a"])
    run = tf.function(layer)
    same(run(tf.constant(["a", "b"])), np.array([1, 0]))
    layer.set_vocabulary(["b", "a"])
    same(run(tf.constant(["a", "b"])), np.array([2, 1]))


def test_buckets():
    texts = tf.constant(LONG)
    fast, strong = FIGURES["bins"][7], FIGURES["bins"][19]  # of 1000 bins, and of 97 with a salt
    assert fast["shape"] == strong["shape"] == [len(LONG)]
    for run in (lambda f: f, tf.function):
        same(run(lambda x: tf.strings.to_hash_bucket_fast(x, 1000))(texts), np.array(fast["values"]))
        same(run(lambda x: tf.strings.to_hash_bucket_strong(x, 97, key=[133, 137]))(texts), np.array(strong["values"]))
    with pytest.raises(ValueError, match="to_hash_bucket_fast with num_buckets=0"):
        tf.strings.to_hash_bucket_fast("a", 0)
    with pytest.raises(ValueError, match="it is two whole numbers"):
        tf.strings.to_hash_bucket_strong("a", 3, key=[1])
    with pytest.raises(TypeError, match="takes text, not int32"):
        tf.strings.to_hash_bucket_fast(3, 3)
