"""Files of lines, and tensors as bytes."""

import gzip
import random
import zlib

import numpy as np
import pytest

import runtime as tf
from runtime.ops import protos
from tests.programs import EXECUTORS

A, B = b"a\nb\r\n\nc", b"d\n"
PACKED = {None: bytes, "": bytes, "GZIP": gzip.compress, "ZLIB": zlib.compress}


@pytest.fixture
def files(tmp_path):
    def written(packed):
        for name, text in (("a", A), ("b", B)):
            (tmp_path / name).write_bytes(PACKED[packed](text))
        return [str(tmp_path / name) for name in "ab"]

    return written


WAYS = {
    "one": lambda names, how: [*tf.data.TextLineDataset(names[0], how)],
    "tensor": lambda names, how: [*tf.data.TextLineDataset(tf.constant(names), how)],
    "dataset": lambda names, how: [*tf.data.TextLineDataset(tf.data.Dataset.from_tensor_slices(names), how)],
    "in turn": lambda names, how: [*tf.data.TextLineDataset(names, how, num_parallel_reads=2)],
    "few bytes": lambda names, how: [*tf.data.TextLineDataset(names, how, buffer_size=2)],
    "interleave": lambda names, how: [
        *tf.data.Dataset.from_tensor_slices(names).interleave(lambda f: tf.data.TextLineDataset(f, how), 2)
    ],
    "flat_map": lambda names, how: [
        *tf.data.Dataset.from_tensor_slices(names).flat_map(lambda f: tf.data.TextLineDataset(f, how).skip(1))
    ],
}
ONE, ALL, TURNS = [b"a", b"b", b"", b"c"], [b"a", b"b", b"", b"c", b"d"], [b"a", b"d", b"b", b"", b"c"]
WANTED = {"one": ONE, "tensor": ALL, "dataset": ALL, "in turn": TURNS, "few bytes": ALL, "interleave": TURNS}


@pytest.mark.parametrize("packed", PACKED)
@pytest.mark.parametrize("way", WAYS)
def test_lines_of_files(way, packed, files):
    found = [line.numpy() for line in WAYS[way](files(packed), packed)]
    assert found == WANTED.get(way, [b"b", b"", b"c"])


@pytest.mark.parametrize("run", EXECUTORS)
def test_a_graph_reads_the_files_that_it_is_given(run, files):
    def letters(name):
        count = 0
        for line in tf.data.TextLineDataset(name):
            count += tf.strings.length(line)
        return count

    a, b = files(None)
    graph = tf.function(letters, input_signature=[tf.TensorSpec([], tf.string)], jit_compile=run or None)
    assert int(graph(a)) == 3 and int(graph(b)) == 1
    with pytest.raises(tf.errors.NotFoundError, match="nowhere; No such file"):
        graph(a + "nowhere")


def test_what_is_no_file_of_lines_is_refused(files):
    a, _ = files(None)
    for arguments, error, words in (
        ((3,), TypeError, "names of files, strings"),
        ((a, "BZ2"), ValueError, "compression_type='BZ2'"),
        ((a, None, -1), ValueError, "buffer_size=-1"),
        ((a, None, None, 0), ValueError, "num_parallel_reads=0"),
        ((a, "GZIP"), tf.errors.DataLossError, "GZIP"),
        ((a, "ZLIB"), tf.errors.DataLossError, "ZLIB"),
    ):
        with pytest.raises(error, match=words):
            [*tf.data.TextLineDataset(*arguments)]


# What TensorFlow 2.21 makes of them.
SERIALIZED = {
    b'\x08\x03\x12\x04\x12\x02\x08\x02"\x08\x01\x00\x00\x00\x02\x00\x00\x00': np.int32([1, 2]),
}
ARRAYS = (
    np.int32(1), np.float32([]), np.int32([[1, 2]]), np.float64([1.5, np.nan]), np.bool_(True), np.zeros((0, 3)),
    np.zeros((2, 0), np.int8), np.complex64([1j]), np.complex128(2), np.float16([3]), np.uint64([2**63]),
    np.int64([-1] * 300), np.uint8([[[7]]]), np.uint16(9), np.int16([-3]), np.uint32(5), np.array(b"a", object),
    np.array([b"a", b"", b"\0x\0"], object), np.zeros(0, object), np.array([["\u00e4".encode() * 200]], object),
)  # fmt: skip


@pytest.mark.parametrize("run", [None, False])
@pytest.mark.parametrize("array", [*ARRAYS, *SERIALIZED.values()], ids=lambda a: f"{a.dtype}{a.shape}")
def test_a_tensor_is_what_its_bytes_say(array, run):
    def there_and_back(x):
        return tf.io.parse_tensor(tf.io.serialize_tensor(x), x.dtype)

    given = tf.constant(array, tf.string if array.dtype == object else None)
    found = (there_and_back if run is None else tf.function(there_and_back, jit_compile=run))(given)
    assert found.dtype == given.dtype and found.shape == given.shape
    np.testing.assert_array_equal(found.numpy(), given.numpy())


@pytest.mark.parametrize("message", SERIALIZED)
def test_the_bytes_are_tensorflow_s(message):
    assert tf.io.serialize_tensor(SERIALIZED[message]).numpy() == message


# Its file types.proto.
NUMBERS = {
    tf.float32: 1, tf.float64: 2, tf.int32: 3, tf.uint8: 4, tf.int16: 5, tf.int8: 6, tf.string: 7, tf.complex64: 8,
    tf.int64: 9, tf.bool: 10, tf.uint16: 17, tf.complex128: 18, tf.float16: 19, tf.uint32: 22, tf.uint64: 23,
}  # fmt: skip


def test_the_numbers_of_the_dtypes_are_tensorflow_s():
    known = [value for value in vars(tf).values() if isinstance(value, tf.DType)]
    for dtype in {*known, *NUMBERS}:
        message = tf.io.serialize_tensor(tf.zeros([0], dtype)).numpy()
        assert message == bytes([8, NUMBERS[dtype]]) + b"\x12\x02\x12\x00", dtype


def test_bytes_of_no_tensor_are_refused():
    draw = random.Random(0)
    for array in (np.int32([[1, 2]]), np.array([b"a", b"bc"], object)):
        whole = protos.to_bytes(array, tf.constant(array).dtype)
        for _ in range(2000):
            text = bytearray(whole)
            for _ in range(draw.randint(0, 3)):
                text[draw.randrange(len(text))] = draw.randrange(256)
            try:
                protos.from_bytes(bytes(text[: draw.randint(0, len(text))]))
            except ValueError as error:
                assert str(error)
    for text, dtype, words in ((b"xyz", tf.int32, "of no tensor"), (b"", tf.int32, "of which dtype"),
                               (tf.io.serialize_tensor(1), tf.float32, "of int32, not float32")):  # fmt: skip
        for form in (tf.io.parse_tensor, tf.function(tf.io.parse_tensor)):
            with pytest.raises(tf.errors.InvalidArgumentError, match=words):
                form(tf.constant(text), dtype)
