"""Checkpoints: what is saved comes back, to what is there and to what comes later, as TensorFlow has it."""

import json
import os
import re
import subprocess
import sys
import zipfile

import numpy as np
import pytest

import runtime as tf
from runtime.tensors import tracking

k = tf.keras
Checkpoint, Manager = tf.train.Checkpoint, tf.train.CheckpointManager


@pytest.fixture(autouse=True)
def nothing_waits():
    yield
    tracking.waiting.clear()


class Net(tf.Module):
    def __init__(self, size=2):
        super().__init__()
        self.w = tf.Variable(tf.ones([size]), name="kernel")
        self.parts = [tf.Variable(1.0), {"a": tf.Variable(2.0)}]
        self.pair = (tf.Variable(5.0), "text")
        self.note, self.count = "text", 3


def saved(tmp_path):
    net, step = Net(), tf.Variable(0)
    checkpoint = Checkpoint(model=net, step=step)
    checkpoint.save(tmp_path / "ck")
    step.assign(7)
    net.w.assign([3.0, 4.0])
    return checkpoint, checkpoint.save(str(tmp_path / "ck"))


def test_names_and_numbers_are_those_of_tensorflow(tmp_path):
    checkpoint, path = saved(tmp_path)
    assert path == str(tmp_path / "ck-2") == tf.train.latest_checkpoint(tmp_path)
    assert int(checkpoint.save_counter) == 2
    assert sorted(os.listdir(tmp_path)) == ["checkpoint", "ck-1.npz", "ck-2.npz"]
    value = ".ATTRIBUTES/VARIABLE_VALUE"
    assert tf.train.list_variables(path) == tf.train.list_variables(tmp_path) == [
        (f"model/pair/0/{value}", []), (f"model/parts/0/{value}", []), (f"model/parts/1/a/{value}", []),
        (f"model/w/{value}", [2]), (f"save_counter/{value}", []), (f"step/{value}", []),
    ]  # fmt: skip
    assert tf.train.load_variable(path, f"model/w/{value}").tolist() == [3.0, 4.0]
    assert tf.train.load_variable(tmp_path, "step") == 7


def test_everything_comes_back(tmp_path):
    _, path = saved(tmp_path)
    net, step = Net(), tf.Variable(1)
    checkpoint = Checkpoint(model=net, step=step)
    checkpoint.restore(path).assert_consumed().assert_existing_objects_matched().assert_nontrivial_match()
    assert (net.w.numpy().tolist(), step.numpy(), checkpoint.save_counter.numpy()) == ([3.0, 4.0], 7, 2)
    checkpoint.restore(str(tmp_path / "ck-1")).assert_consumed()
    assert (net.w.numpy().tolist(), step.numpy(), checkpoint.save_counter.numpy()) == ([1.0, 1.0], 0, 1)


def test_what_the_program_does_not_have(tmp_path):
    _, path = saved(tmp_path)
    step = tf.Variable(0)
    status = Checkpoint(step=step).restore(path).assert_existing_objects_matched()
    with pytest.raises(AssertionError, match="Unresolved object in checkpoint .*'model/w', 'model/parts/0'"):
        status.assert_consumed()
    assert step.numpy() == 7


def test_what_the_file_does_not_have(tmp_path):
    _, path = saved(tmp_path)
    checkpoint = Checkpoint(model=Net(), step=tf.Variable(0), other=tf.Variable(3.0))
    status = checkpoint.restore(path).assert_nontrivial_match()
    for check in (status.assert_existing_objects_matched, status.assert_consumed):
        with pytest.raises(AssertionError, match="Found 1 Python objects .* numpy=3.0"):
            check()
    with pytest.raises(AssertionError, match="Nothing except the root object matched"):
        Checkpoint(other=tf.Variable(3.0)).read(path).assert_nontrivial_match()


def test_what_comes_later_is_restored_then(tmp_path):
    _, path = saved(tmp_path)
    root = Checkpoint()
    status = root.restore(path)
    root.step = tf.Variable(0)
    assert root.step.numpy() == 7
    root.model = late = tf.Module()
    late.w = tf.Variable([0.0, 0.0])
    assert late.w.numpy().tolist() == [3.0, 4.0]
    with pytest.raises(AssertionError, match="'model/parts/0'"):
        status.assert_consumed()
    late.parts = [tf.Variable(0.0)]
    late.parts.append({"a": tf.Variable(0.0)})  # which nobody is told of
    late.pair = (tf.Variable(0.0),)
    status.assert_consumed()
    assert late.parts[1]["a"].numpy() == 2.0 and not tracking.waiting


def trained():
    net = k.Sequential([k.layers.Dense(3), k.layers.BatchNormalization()])
    net.compile(k.optimizers.Adam(0.1), "mse")
    return net


def test_layers_and_optimizers_get_theirs_when_they_are_built(tmp_path):
    net = trained()
    net.fit(np.ones([4, 2]), np.ones([4, 3]), verbose=0)
    path = Checkpoint(model=net).save(tmp_path / "ck")
    other = trained()
    status = Checkpoint(model=other).restore(path)
    with pytest.raises(AssertionError):
        status.assert_consumed()
    other.build((None, 2))
    for a, b in zip(other.get_weights(), net.get_weights(), strict=True):
        np.testing.assert_array_equal(a, b)
    for one in (net, other):  # slots are made in a graph
        one.fit(np.ones([4, 2]), np.ones([4, 3]), verbose=0)
    status.assert_consumed()
    assert int(other.optimizer.iterations) == 2
    for a, b in zip(
        [*other.weights, *other.optimizer.variables], [*net.weights, *net.optimizer.variables], strict=True
    ):
        np.testing.assert_array_equal(a.numpy(), b.numpy())


def test_variables_made_while_a_function_is_traced(tmp_path):
    path = Checkpoint(layer=k.layers.Dense(2, kernel_initializer="ones")).write(tmp_path / "none")  # of nothing yet
    assert tf.train.list_variables(path) == []
    layer = k.layers.Dense(2)
    layer(tf.ones([1, 3]))
    path = Checkpoint(layer=layer).write(tmp_path / "layer")
    late = k.layers.Dense(2)
    Checkpoint(layer=late).read(path)
    graph = tf.function(lambda x: late(x))
    np.testing.assert_array_equal(graph(tf.ones([1, 3])).numpy(), layer(tf.ones([1, 3])).numpy())


def test_functions_see_what_was_restored(tmp_path):
    v = tf.Variable(1.0)
    checkpoint = Checkpoint(v=v)
    path = checkpoint.save(tmp_path / "ck")
    double = tf.function(lambda: v * 2)
    v.assign(5.0)
    assert double().numpy() == 10.0
    checkpoint.restore(path)
    assert double().numpy() == 2.0


def test_generators_of_random_numbers_go_on(tmp_path):
    class Drawing(tf.Module):
        def __init__(self, kind):
            super().__init__()
            self.random = np.random.Generator(kind(3))

    for kind in (np.random.PCG64, np.random.MT19937, np.random.Philox):
        drawing = Drawing(kind)
        drawing.random.normal(size=5)
        path = Checkpoint(drawing=drawing).write(tmp_path / "state")
        wanted = drawing.random.normal(size=5)
        other = Drawing(kind)
        Checkpoint(drawing=other).read(path).assert_consumed()
        np.testing.assert_array_equal(other.random.normal(size=5), wanted)
    with pytest.raises(ValueError, match="with PCG64, and that of the checkpoint has Philox"):
        Checkpoint(drawing=Drawing(np.random.PCG64)).read(path)


def test_one_object_under_two_names(tmp_path):
    shared = tf.Variable(4.0)
    path = Checkpoint(a=shared, b=[shared]).write(tmp_path / "state")
    assert [name.split("/")[0] for name, _ in tf.train.list_variables(path)] == ["a"]
    one = tf.Variable(0.0)
    Checkpoint(a=one, b=[one]).read(path).assert_consumed()
    assert one.numpy() == 4.0
    x, y = tf.Variable(0.0), tf.Variable(0.0)
    with pytest.warns(UserWarning, match="is one object, and the program has two"):
        Checkpoint(a=x, b=[y]).read(path)
    assert (x.numpy(), y.numpy()) == (4.0, 0.0)


def test_objects_that_hold_each_other(tmp_path):
    a, b = tf.Module("a"), tf.Module("b")
    a.other, b.other, a.v, a.all = b, a, tf.Variable(1.0), [a]
    path = Checkpoint(a=a).write(tmp_path / "state")
    a.v.assign(2.0)
    Checkpoint(a=a).read(path).assert_consumed()
    assert a.v.numpy() == 1.0


@pytest.mark.parametrize("value", [True, 3, 2.5, 1 + 2j, ["a", b"\xff\x00", ""], np.zeros([0, 3]), np.float16(1.5)])
def test_values_of_all_dtypes(value, tmp_path):
    v = tf.Variable(value if not isinstance(value, list) else [b"a", b"\xff\x00", b""])
    before = v.numpy()
    path = Checkpoint(v=v).write(tmp_path / "state")
    v.assign(tf.zeros_like(v) if v.dtype != tf.string else [b"", b"", b""])
    Checkpoint(v=v).read(path).assert_consumed()
    assert v.numpy().dtype == before.dtype and v.numpy().tolist() == before.tolist()


def test_a_variable_of_any_size(tmp_path):
    v = tf.Variable([1.0, 2.0, 3.0], shape=[None])
    path = Checkpoint(v=v).write(tmp_path / "state")
    v.assign([0.0])
    Checkpoint(v=v).read(path).assert_consumed()
    assert v.numpy().tolist() == [1.0, 2.0, 3.0]


def test_a_root(tmp_path):
    path = Checkpoint(Net()).write(tmp_path / "state")
    assert "w/.ATTRIBUTES/VARIABLE_VALUE" in dict(tf.train.list_variables(path))
    net = Net()
    net.w.assign([9.0, 9.0])
    Checkpoint(net).read(path).assert_consumed()
    assert net.w.numpy().tolist() == [1.0, 1.0]


def test_nothing_is_restored_of_nothing():
    status = Checkpoint(step=tf.Variable(0)).restore(None)
    for check in (status.assert_consumed, status.assert_existing_objects_matched, status.assert_nontrivial_match):
        with pytest.raises(AssertionError, match=re.escape("No checkpoint specified (save_path=None)")):
            check()
    status.expect_partial()


def test_what_does_not_fit_changes_nothing(tmp_path):
    _, path = saved(tmp_path)
    net, step = Net(3), tf.Variable(1)
    with pytest.raises(ValueError, match=re.escape("'model/w' of the checkpoint")) as error:
        Checkpoint(step=step, model=net).restore(path)
    assert "has shape (2,), and the Variable 'kernel:0' that it is for (3,)" in str(error.value)
    assert step.numpy() == 1
    with pytest.raises(tf.errors.InvalidArgumentError, match="has dtype int32, and the Variable"):
        Checkpoint(step=tf.Variable(0.0)).restore(path)


REFUSED = [
    (lambda: Checkpoint(3), ValueError, "expecting root to be an object with a state, got 3"),
    (lambda: Checkpoint(a=3), ValueError, "expecting a to be an object with a state, got 3"),
    (lambda: Checkpoint(save=tf.Variable(1)), ValueError, "a name of its own"),
    (lambda: Checkpoint(a={1: tf.Variable(1)}).write("x"), ValueError, "has the key 1"),
    (lambda: Checkpoint(a=tf.Variable(1)).restore("no/such-1"), tf.errors.NotFoundError, "no checkpoint 'no/such-1'"),
    (lambda: Checkpoint(a=tf.Variable(1)).write("x", options=1), ValueError, "options=1"),
    (lambda: tf.function(Checkpoint(a=tf.Variable(1)).save)("x"), RuntimeError, "while a function is traced"),
    (lambda: Manager(3, "x", 1), ValueError, "it is for a train.Checkpoint"),
    (lambda: Manager(Checkpoint(), "x", 0), ValueError, "Expected a positive integer or `None`"),
    (lambda: Manager(Checkpoint(), "x", "3"), ValueError, "for `max_to_keep`, got '3'"),
    (lambda: Manager(Checkpoint(), "x", 1, checkpoint_interval=2), ValueError, "`step_counter` should be passed"),
    (lambda: Manager(Checkpoint(), "x", 1, checkpoint_name="a/b"), ValueError, "checkpoint_name='a/b'"),
    (lambda: tf.train.list_variables("."), tf.errors.NotFoundError, "in the folder '.'"),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_what_is_refused(number, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    act, error, says = REFUSED[number]
    with pytest.raises(error, match=re.escape(says)):
        act()
    assert os.listdir(tmp_path) == []


def test_files_that_are_none(tmp_path):
    checkpoint = Checkpoint(v=tf.Variable(1.0))
    path = checkpoint.write(tmp_path / "state")
    data = (tmp_path / "state.npz").read_bytes()
    about = json.loads(zipfile.ZipFile(path + ".npz").read("about.json"))
    with pytest.raises(tf.errors.NotFoundError, match="no value 'w' in the checkpoint .*; it has v/"):
        tf.train.load_variable(path, "w")
    for spoilt, says in ((b"", "is not a checkpoint, or is damaged"), (data[:300], "is damaged")):
        (tmp_path / "bad.npz").write_bytes(spoilt)
        with pytest.raises(ValueError, match=says):
            checkpoint.read(tmp_path / "bad")
    np.savez(tmp_path / "bad.npz", v=1.0)
    with pytest.raises(ValueError, match=re.escape("is not a checkpoint, as train.Checkpoint writes it")):
        checkpoint.read(tmp_path / "bad")
    with zipfile.ZipFile(tmp_path / "bad.npz", "w") as archive:
        archive.writestr("about.json", json.dumps(about))
    with pytest.raises(ValueError, match="it has no array 'v/.ATTRIBUTES/VARIABLE_VALUE'"):
        checkpoint.read(tmp_path / "bad")
    (tmp_path / "checkpoint").write_text('model_checkpoint_path: "ckpt-3"')
    with pytest.raises(ValueError, match="It was written by TensorFlow"):
        tf.train.latest_checkpoint(tmp_path)


def test_the_last_few_are_kept(tmp_path):
    step = tf.Variable(0)
    checkpoint = Checkpoint(step=step)
    manager = Manager(checkpoint, tmp_path / "some", max_to_keep=2)
    assert (manager.latest_checkpoint, manager.checkpoints, manager.restore_or_initialize()) == (None, [], None)
    for number in range(4):
        step.assign(number)
        assert manager.save() == str(tmp_path / "some" / f"ckpt-{number + 1}")
    paths = [str(tmp_path / "some" / f"ckpt-{number}") for number in (3, 4)]
    assert manager.checkpoints == paths and manager.latest_checkpoint == paths[-1]
    assert sorted(os.listdir(tmp_path / "some")) == ["checkpoint", "ckpt-3.npz", "ckpt-4.npz"]
    again = Manager(checkpoint, tmp_path / "some", max_to_keep=3)
    step.assign(99)
    assert again.restore_or_initialize() == paths[-1] and step.numpy() == 3 and again.checkpoints == paths
    assert again.save(checkpoint_number=50).endswith("ckpt-50") and int(checkpoint.save_counter) == 5
    assert again.save().endswith("ckpt-6")
    assert [path.split("-")[-1] for path in again.checkpoints] == ["4", "50", "6"]
    assert tf.train.latest_checkpoint(tmp_path / "some") == again.latest_checkpoint


def test_steps_between_and_what_there_is_to_begin_with(tmp_path):
    step, begun = tf.Variable(0), []
    manager = Manager(
        Checkpoint(step=step), tmp_path, None, step_counter=step, checkpoint_interval=2, init_fn=lambda: begun.append(1)
    )
    assert manager.restore_or_initialize() is None and begun == [1]
    made = []
    for number in range(5):
        step.assign(number)
        made.append(manager.save() is not None)
    assert made == [True, False, True, False, True] and manager.checkpoint_interval == 2
    assert manager.save() is None and manager.save(check_interval=False).endswith("ckpt-4")


def test_some_are_kept_for_good(tmp_path, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr("time.time", lambda: now[0])
    manager = Manager(Checkpoint(step=tf.Variable(0)), tmp_path, 1, keep_checkpoint_every_n_hours=1)
    for _ in range(6):
        now[0] += 1800
        manager.save()
    left = {name for name in os.listdir(tmp_path) if name != "checkpoint"}
    assert left == {"ckpt-2.npz", "ckpt-4.npz", "ckpt-6.npz"} and len(manager.checkpoints) == 1


def test_what_is_left_at_the_end_is_told(tmp_path):
    code = """
import runtime as tf
path = tf.train.Checkpoint(a=tf.Variable(1), b=tf.Variable(2)).write({!r})
status = tf.train.Checkpoint(a=tf.Variable(0)).read(path)
{}
"""
    said = []
    for end in ("", "status.expect_partial()"):
        program = [sys.executable, "-c", code.format(str(tmp_path / "state"), end)]
        said.append(subprocess.run(program, capture_output=True, text=True, check=True).stderr)
    assert "has values that nothing of the program was given: 'b'. Call expect_partial()" in said[0] and said[1] == ""


@pytest.mark.parametrize("value, other", [("x", "longer"), (["a", "b"], ["c", ""]), ([], [])])
def test_texts_are_restored(tmp_path, value, other):
    v = tf.Variable(value, dtype=tf.string)
    before = v.numpy()
    path = tf.train.Checkpoint(v=v).save(tmp_path / "c")
    v.assign(tf.constant(other, tf.string))
    tf.train.Checkpoint(v=v).restore(path).assert_consumed()
    np.testing.assert_array_equal(v.numpy(), before)


@pytest.mark.parametrize("given", [0, 2, 5])
def test_iterators_over_datasets_go_on_where_they_were(tmp_path, given):
    numbers = tf.data.Dataset.range(5).shuffle(5, seed=1, reshuffle_each_iteration=False).map(lambda x: x * 2)
    order = [int(x) for x in numbers]
    iterator = iter(numbers)
    taken = [int(next(iterator)) for _ in range(given)]
    path = tf.train.Checkpoint(data={"it": iterator}, step=tf.Variable(given)).save(tmp_path / "c")
    left = [int(x) for x in iterator]
    assert taken + left == order
    again = iter(numbers)
    status = tf.train.Checkpoint(data={"it": again}, step=tf.Variable(0)).restore(path)
    status.assert_consumed()
    first = tf.function(lambda it: next(it))
    assert ([int(first(again))] if left else []) + [int(x) for x in again] == left


def test_an_iterator_is_not_restored_from_something_else(tmp_path):
    path = tf.train.Checkpoint(it=np.random.default_rng(0)).save(tmp_path / "c")
    with pytest.raises(ValueError, match="'it' is an iterator over a dataset, and that of the checkpoint is none"):
        tf.train.Checkpoint(it=iter(tf.data.Dataset.range(3))).restore(path)


def test_a_reader_tells_what_a_checkpoint_holds(tmp_path):
    model = tf.Module()
    model.w, model.n = tf.Variable([[1.0, 2.0]]), tf.Variable(3, dtype=tf.int64)
    path = tf.train.Checkpoint(model=model).save(tmp_path / "state")
    for given in (path, tmp_path):
        reader = tf.train.load_checkpoint(given)
        shapes, dtypes = reader.get_variable_to_shape_map(), reader.get_variable_to_dtype_map()
        assert [*shapes.items()] and sorted(shapes.items()) == tf.train.list_variables(given)
        assert shapes.keys() == dtypes.keys()
        w, n = (f"model/{name}/.ATTRIBUTES/VARIABLE_VALUE" for name in ("w", "n"))
        assert shapes[w] == [1, 2] and dtypes[w] == tf.float32 and dtypes[n] == tf.int64
        assert reader.has_tensor(w) and not reader.has_tensor("model/w")
        assert reader.get_tensor(w).tolist() == reader.get_tensor("model/w").tolist() == [[1.0, 2.0]]
        with pytest.raises(tf.errors.NotFoundError, match="no value 'v'"):
            reader.get_tensor("v")
