"""Files of records, and the examples in them: bytes are those of TensorFlow's own."""

import gzip
import random
import zlib

import numpy as np
import pytest

import runtime as tf
from runtime.ops.records import crc32c

ways = pytest.mark.parametrize("way", [lambda f: f, tf.function], ids=["at once", "graph"])


def of_bytes(*values):
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))


def of_floats(*values):
    return tf.train.Feature(float_list=tf.train.FloatList(value=values))


def of_ints(*values):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


def example(**features):
    return tf.train.Example(features=tf.train.Features(feature=features))


def serialized(**features):
    return example(**features).SerializeToString()


def by_the_definition(data):
    total = 0xFFFFFFFF
    for byte in data:
        total ^= byte
        for _ in range(8):
            total = total >> 1 ^ (0x82F63B78 if total & 1 else 0)
    return total ^ 0xFFFFFFFF


@pytest.mark.parametrize("size", [0, 1, 4, 255, 256, 257, 511, 1000, 4096])
def test_checksums(size):
    data = random.Random(size).randbytes(size)
    assert crc32c(data) == by_the_definition(data)


def test_a_file_is_what_tensorflow_writes(tmp_path):
    path = str(tmp_path / "three")
    with tf.io.TFRecordWriter(path) as writer:
        for record in (b"one", b"", bytes(range(256)) * 5):
            writer.write(record)
    data = (tmp_path / "three").read_bytes()
    assert data[:35].hex() == "0300000000000000b099490e6f6e6501405508000000000000000029039807d8ea82a2"
    assert (data[35:47] + data[-4:]).hex() == "00050000000000006e6ea9594432b3fb"
    assert len(data) == 19 + 16 + 16 + 1280


@pytest.mark.parametrize(
    "message, wanted",
    [
        (example(a=of_ints(1, 300)), b"\n\x0e\n\x0c\n\x01a\x12\x07\x1a\x05\n\x03\x01\xac\x02"),
        (of_floats(1.5, 2), b"\x12\n\n\x08\x00\x00\xc0?\x00\x00\x00@"),
        (of_bytes(b"x"), b"\n\x03\n\x01x"),
        (of_ints(), b"\x1a\x00"),
        (of_ints(-1), b"\x1a\x0c\n\n" + b"\xff" * 9 + b"\x01"),
        (tf.train.Feature(), b""),
        (tf.train.Example(), b"\n\x00"),
    ],
)
def test_messages_are_what_tensorflow_writes(message, wanted):
    assert message.SerializeToString() == wanted
    again = type(message).FromString(wanted)
    assert again == message and again.SerializeToString() == wanted


def test_a_message_is_filled_and_read():
    made = tf.train.Example()
    made.features.feature["n"].int64_list.value.extend([4, -(2**63)])
    made.features.feature["x"].float_list.value.append(0.1)
    again = tf.train.Example()
    assert again.ParseFromString(made.SerializeToString()) == len(made.SerializeToString())
    found = again.features.feature
    assert sorted(found) == ["n", "x"] and "m" not in found
    assert [found[k].WhichOneof("kind") for k in ("n", "x", "m")] == ["int64_list", "float_list", None]
    assert found["n"].int64_list.value == [4, -(2**63)] and found["x"].float_list.value == [float(np.float32(0.1))]
    assert found["n"].bytes_list.value == [] and made != tf.train.Example() and made != 1


def test_the_text_of_a_message():
    text = str(example(s=of_bytes(b'go\xc3"at\n'), b=of_floats(0.1, 1, 1e20, 1 / 3)))
    value = "    value {\n      %s {\n%s      }\n    }\n"
    floats = "".join(f"        value: {v}\n" for v in ("0.1", "1", "1e+20", "0.333333343"))
    entries = [("b", "float_list", floats), ("s", "bytes_list", '        value: "go\\303\\"at\\n"\n')]
    inner = "".join(f'  feature {{\n    key: "{k}"\n{value % (kind, lines)}  }}\n' for k, kind, lines in entries)
    assert text == f"features {{\n{inner}}}\n"


@pytest.mark.parametrize(
    "make, error, told",
    [
        (lambda: of_bytes("text"), TypeError, "expected bytes, str found"),
        (lambda: of_ints(1.5), TypeError, "cannot be interpreted as an integer"),
        (lambda: of_ints(True), TypeError, "Expected an int, got a boolean"),
        (lambda: of_ints(2**63), ValueError, "Value out of range"),
        (lambda: of_floats("1"), TypeError, "must be real number, not str"),
        (lambda: tf.train.Example.FromString(b"\xff"), ValueError, "Error parsing message with type 'Example'"),
        (lambda: tf.train.Example.FromString(b"\x0a\x05ab"), ValueError, "cut short"),
        (lambda: of_ints(1).WhichOneof("type"), ValueError, "not of 'type'"),
    ],
)
def test_what_is_no_message(make, error, told):
    with pytest.raises(error, match=told):
        make()


@pytest.mark.parametrize("packed", [None, "", "GZIP", "ZLIB"])
@pytest.mark.parametrize("options", [lambda p: p, lambda p: tf.io.TFRecordOptions(compression_type=p)])
def test_files_are_packed(tmp_path, packed, options):
    records = [b"one", b"", random.Random(1).randbytes(5000), "grün".encode()]
    path = tmp_path / "file"
    writer = tf.io.TFRecordWriter(str(path), options(packed))
    for record in records[:-1]:
        writer.write(record)
    writer.flush()
    writer.write("grün")
    writer.close()
    unpack = {"GZIP": gzip.decompress, "ZLIB": zlib.decompress}.get(packed, bytes)
    assert len(unpack(path.read_bytes())) == sum(map(len, records)) + 16 * len(records)
    for more in ({}, {"buffer_size": 7}, {"num_parallel_reads": 2}):
        data = tf.data.TFRecordDataset([str(path)], packed, **more)
        assert list(data.as_numpy_iterator()) == records
    assert data.element_spec == tf.TensorSpec((), tf.string)


@pytest.mark.parametrize("change", ["cut", "cut head", "length", "record"])
def test_files_that_hold_something_else(tmp_path, change):
    path = tmp_path / "file"
    with tf.io.TFRecordWriter(str(path)) as writer:
        writer.write(b"first")
        writer.write(b"second")
    data = bytearray(path.read_bytes())
    if change in ("length", "record"):
        data[21 if change == "length" else 35] ^= 1
    else:
        del data[-3 if change == "cut" else 25 :]
    path.write_bytes(data)
    found = iter(tf.data.TFRecordDataset(str(path)))
    assert next(found).numpy() == b"first"
    with pytest.raises(tf.errors.DataLossError, match="record at 21"):
        next(found)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(tf.errors.NotFoundError, match="No such file"):
        next(iter(tf.data.TFRecordDataset(str(tmp_path / "none"))))
    with pytest.raises(tf.errors.NotFoundError, match="No such file"):
        tf.io.TFRecordWriter(str(tmp_path / "none" / "file"))
    with pytest.raises(ValueError, match="options='LZ4'"):
        tf.io.TFRecordWriter(str(tmp_path / "file"), "LZ4")
    with pytest.raises(ValueError, match="TFRecordDataset with compression_type='LZ4'"):
        tf.data.TFRecordDataset(str(tmp_path / "file"), "LZ4")


RECORDS = [
    serialized(n=of_ints(*range(count)), x=of_floats(*range(2 * count)), s=of_bytes(b"a\0", b"b"), i=of_ints(count))
    for count in (1, 3, 0)
]
FIXED, ROWS = tf.io.FixedLenFeature, tf.io.FixedLenSequenceFeature
WANTED = {
    "s": FIXED([2], tf.string),
    "i": FIXED([], tf.int64),
    "default": FIXED([2], tf.int64, [7, 8]),
    "text": FIXED([], tf.string, "none"),
    "n": ROWS([], tf.int64, allow_missing=True, default_value=-1),
    "x": ROWS([2], tf.float32, True),
    "nothing": ROWS([], tf.string, True),
}


@ways
def test_examples_are_parsed_one_by_one(way):
    parse = way(lambda text: tf.io.parse_single_example(text, WANTED))
    for record, count in zip(RECORDS, (1, 3, 0)):
        found = parse(tf.constant(record))
        assert [*found] == sorted(WANTED)
        assert found["s"].numpy().tolist() == [b"a\0", b"b"] and found["i"].numpy() == count
        assert found["default"].numpy().tolist() == [7, 8] and found["text"].numpy() == b"none"
        assert found["n"].numpy().tolist() == list(range(count)) and found["n"].dtype == tf.int64
        assert found["x"].shape == (count, 2) and found["nothing"].shape == (0,)


@ways
def test_batches_of_examples_are_parsed(way):
    found = way(lambda texts: tf.io.parse_example(texts, WANTED))(tf.constant(RECORDS))
    assert found["n"].numpy().tolist() == [[0, -1, -1], [0, 1, 2], [-1, -1, -1]]
    assert found["x"].numpy().tolist() == [
        [[0, 1], [0, 0], [0, 0]], [[0, 1], [2, 3], [4, 5]], [[0, 0], [0, 0], [0, 0]],
    ]  # fmt: skip
    assert found["s"].numpy().tolist() == [[b"a\0", b"b"]] * 3 and found["i"].numpy().tolist() == [1, 3, 0]
    assert found["default"].numpy().tolist() == [[7, 8]] * 3 and found["nothing"].shape == (3, 0)
    assert found["text"].numpy().tolist() == [b"none"] * 3


def test_shapes_are_known_in_a_pipeline(tmp_path):
    path = str(tmp_path / "file")
    with tf.io.TFRecordWriter(path) as writer:
        for record in RECORDS:
            writer.write(record)
    data = tf.data.TFRecordDataset(path)
    one = data.map(lambda text: tf.io.parse_single_example(text, WANTED)).element_spec
    several = data.batch(2).map(lambda texts: tf.io.parse_example(texts, WANTED))
    assert one["s"] == tf.TensorSpec((2,), tf.string) and one["x"] == tf.TensorSpec((None, 2), tf.float32)
    assert several.element_spec["s"] == tf.TensorSpec((None, 2), tf.string)
    assert [batch["i"].tolist() for batch in several.as_numpy_iterator()] == [[1, 3], [0]]


def test_lists_in_several_fields_are_one():
    inner = b"\x08\x05\x08\x06\x0a\x02\x07\x08"  # two numbers by themselves, and two in one field
    feature = b"\x1a" + bytes([len(inner)]) + inner
    entry = b"\x0a\x01a\x12" + bytes([len(feature)]) + feature
    features = b"\x0a" + bytes([len(entry)]) + entry
    record = b"\x0a" + bytes([len(features)]) + features
    assert tf.train.Example.FromString(record).features.feature["a"].int64_list.value == [5, 6, 7, 8]
    assert tf.io.parse_single_example(record, {"a": FIXED([4], tf.int64)})["a"].numpy().tolist() == [5, 6, 7, 8]


@pytest.mark.parametrize(
    "wanted, error, told",
    [
        ({}, ValueError, "features cannot be empty"),
        ({"z": FIXED([], tf.int64)}, tf.errors.InvalidArgumentError, "z .data type: int64. is required"),
        ({"i": FIXED([], tf.float32)}, tf.errors.InvalidArgumentError, "Data type: int64 but expected type: float"),
        ({"s": FIXED([3], tf.string)}, tf.errors.InvalidArgumentError, "Number of string values != expected"),
        ({"x": ROWS([4], tf.float32, True)}, tf.errors.InvalidArgumentError, "Number of float values != expected"),
        ({"i": FIXED([], tf.int32)}, tf.errors.InvalidArgumentError, "one of float32, int64 and string"),
        ({"i": FIXED([], tf.int64, [1, 2])}, tf.errors.InvalidArgumentError, "default_value has 2 values, of 1"),
        ({"i": FIXED([None], tf.int64)}, ValueError, "sizes are known"),
        ({"i": ROWS([], tf.int64)}, ValueError, "requires allow_missing to be True"),
        ({"i": tf.int64}, TypeError, "FixedLenSequenceFeature"),
    ],
)
def test_what_cannot_be_parsed(wanted, error, told):
    with pytest.raises(error, match=told):
        tf.io.parse_single_example(RECORDS[0], wanted)


def test_what_is_no_example():
    wanted = {"i": FIXED([], tf.int64)}
    with pytest.raises(tf.errors.InvalidArgumentError, match="Could not parse example input 1"):
        tf.io.parse_example([RECORDS[0], b"\xff"], wanted)
    with pytest.raises(ValueError, match="must be a scalar"):
        tf.io.parse_single_example(RECORDS, wanted)
    with pytest.raises(ValueError, match="of shape"):
        tf.io.parse_example([RECORDS], wanted)


@pytest.mark.parametrize("name", ["io.SparseFeature"])
def test_what_there_is_instead(name):
    module, _, own = name.partition(".")
    with pytest.raises(AttributeError, match="VarLenFeature|FixedLenSequenceFeature"):
        getattr(getattr(tf, module), own)


def test_examples_have_any_number_of_values():
    def record(count):
        features = {
            "i": tf.train.Feature(int64_list=tf.train.Int64List(value=range(count))),
            "s": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"x"] * count)),
        }
        return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()

    wanted = {
        "i": tf.io.VarLenFeature(tf.int64), "r": tf.io.RaggedFeature(tf.string, value_key="s"),
        "none": tf.io.VarLenFeature(tf.float32), "s": FIXED([1], tf.string, default_value="d"),
    }  # fmt: skip
    records = [record(1), record(3), record(0)]
    for function in (tf.io.parse_example, tf.function(tf.io.parse_example)):
        found = function(tf.constant(records), {key: wanted[key] for key in ("i", "r", "none")})
        assert [*found] == ["i", "none", "r"]
        assert tf.sparse.to_dense(found["i"], -1).numpy().tolist() == [[0, -1, -1], [0, 1, 2], [-1] * 3]
        assert found["none"].dense_shape.numpy().tolist() == [3, 0]
        assert found["r"].to_list() == [[b"x"], [b"x"] * 3, []] and found["r"].row_splits.dtype == tf.int32
    one = tf.io.parse_single_example(records[1], {"i": wanted["i"], "r": wanted["r"]})
    assert one["i"].indices.numpy().tolist() == [[0], [1], [2]] and one["r"].numpy().tolist() == [b"x"] * 3
    data = tf.data.Dataset.from_tensor_slices(records)
    whole = data.batch(2).map(lambda texts: tf.io.parse_example(texts, {"r": wanted["r"], "i": wanted["i"]}))
    assert [batch["r"].nrows().numpy() for batch in whole] == [2, 1]
    data = data.map(lambda text: tf.io.parse_single_example(text, {"i": wanted["i"]})).batch(2)
    assert [batch["i"].dense_shape.numpy().tolist() for batch in data] == [[2, 3], [1, 0]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Data types don't match"):
        tf.io.parse_example(records, {"s": tf.io.VarLenFeature(tf.int64)})
    with pytest.raises(NotImplementedError, match="partitions"):
        tf.io.parse_example(records, {"s": tf.io.RaggedFeature(tf.string, partitions=(1,))})
