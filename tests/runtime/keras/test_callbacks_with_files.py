"""Callbacks that write files: what TensorBoard shows, models that are kept, training that goes on where it was cut off.

The summaries are those that TensorFlow's Keras writes for the same training.
"""

import os

import numpy as np
import pytest

import runtime as tf

k = tf.keras
L = k.layers
X = np.arange(24).reshape(8, 3) / 10


def model(cls=k.Sequential):
    made = cls([
        k.Input((3,)), L.Dense(4, name="a", kernel_initializer="ones"),
        L.Dense(1, name="b", kernel_initializer="ones"),
    ], name="both")  # fmt: skip
    made.compile(k.optimizers.SGD(0.001, momentum=0.5), "mse")
    return made


def fitted(callback, epochs=2, made=None, validation=True):
    made = made or model()
    more = {"validation_data": (X, X[:, :1])} if validation else {}
    made.fit(X, X[:, :1], epochs=epochs, batch_size=2, shuffle=False, verbose=0, callbacks=[callback], **more)
    return made


def written(folder):
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader
    from tensorboard.compat.proto import event_pb2
    from tensorboard.util import tensor_util

    found = []
    for path in sorted(folder.glob("*tfevents*")):
        for data in RawEventFileLoader(str(path)).Load():
            event = event_pb2.Event.FromString(data)
            for value in event.summary.value:
                plugin = value.metadata.plugin_data.plugin_name
                array = tensor_util.make_ndarray(value.tensor) if plugin != "graph_run_metadata_graph" else None
                found.append((value.tag, event.step, plugin, array))
    return found


def test_numbers_of_epochs(tmp_path):
    pytest.importorskip("tensorboard")
    made = fitted(k.callbacks.TensorBoard(tmp_path, write_graph=False))
    train, validation = written(tmp_path / "train"), written(tmp_path / "validation")
    history = made.history.history
    assert [(tag, step) for tag, step, _, _ in train] == [
        ("epoch_loss", 0), ("epoch_learning_rate", 0), ("epoch_loss", 1), ("epoch_learning_rate", 1)
    ]  # fmt: skip
    assert [float(array) for tag, _, _, array in train if tag == "epoch_loss"] == history["loss"]
    assert [(tag, step) for tag, step, _, _ in validation] == [
        ("evaluation_loss_vs_iterations", 4), ("epoch_loss", 0), ("evaluation_loss_vs_iterations", 8), ("epoch_loss", 1)
    ]  # fmt: skip
    assert [float(array) for tag, _, _, array in validation if tag == "epoch_loss"] == history["val_loss"]


def test_numbers_of_batches_weights_and_the_graph(tmp_path):
    class Own(k.Sequential):
        def train_step(self, data):
            tf.summary.scalar("mine", 2.0)
            return super().train_step(data)

    pytest.importorskip("tensorboard")
    board = k.callbacks.TensorBoard(
        tmp_path, update_freq=2, histogram_freq=1, write_images=True, write_steps_per_second=True
    )
    fitted(board, made=model(Own), validation=False)
    found = written(tmp_path / "train")
    assert [(tag, step) for tag, step, plugin, _ in found if plugin == "scalars"] == [
        *((tag, step) for step in (2, 4) for tag in ("mine", "batch_steps_per_second", "batch_loss")),
        *((tag, 0) for tag in ("epoch_loss", "epoch_learning_rate", "epoch_steps_per_second")),
        *((tag, step) for step in (6, 8) for tag in ("mine", "batch_steps_per_second", "batch_loss")),
        *((tag, 1) for tag in ("epoch_loss", "epoch_learning_rate", "epoch_steps_per_second")),
    ]
    assert [(tag, step) for tag, step, plugin, _ in found if plugin in ("histograms", "images") and not step] == [
        (f"{name}/{what}", 0)
        for name in ("both/a/kernel", "both/a/bias", "both/b/kernel", "both/b/bias")
        for what in ("histogram", "image")
        if (name, what) != ("both/b/bias", "image")  # one number
    ]
    assert [(tag, step) for tag, step, plugin, _ in found if plugin == "graph_run_metadata_graph"] == [("batch_1", 1)]


def test_a_few_batches_are_looked_at(tmp_path):
    pytest.importorskip("tensorboard")
    fitted(k.callbacks.TensorBoard(tmp_path, profile_batch=(2, 3), write_graph=False), epochs=1)
    assert (tmp_path / "train" / "batch_3.pstats").exists()
    assert ("batch_3", 3) in [(tag, step) for tag, step, _, _ in written(tmp_path / "train")]


@pytest.mark.parametrize(
    "make, says",
    [
        (lambda: k.callbacks.TensorBoard(embeddings_freq=1), "embeddings_freq=1"),
        (lambda: k.callbacks.TensorBoard(update_freq="step"), "update_freq='step'"),
        (lambda: k.callbacks.TensorBoard(histogram_freq=-1), "histogram_freq=-1"),
        (lambda: k.callbacks.TensorBoard(profile_batch=(3, 2)), r"profile_batch=\(3, 2\)"),
        (lambda: k.callbacks.TensorBoard(profile_batch="a"), "profile_batch='a'"),
        (lambda: k.callbacks.BackupAndRestore(""), "an empty backup_dir"),
        (lambda: k.callbacks.BackupAndRestore("x", save_freq=0), "save_freq=0"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_refused(make, says):
    with pytest.raises(ValueError, match=says):
        make()


def test_the_best_model_is_kept(tmp_path):
    keeper = k.callbacks.ModelCheckpoint(tmp_path / "{epoch}.keras", monitor="loss", save_best_only=True)
    made = fitted(keeper, epochs=3)
    assert sorted(os.listdir(tmp_path)) == ["1.keras", "2.keras", "3.keras"]
    again = k.models.load_model(tmp_path / "3.keras")
    for a, b in zip(again.get_weights(), made.get_weights(), strict=True):
        np.testing.assert_array_equal(a, b)
    assert int(again.optimizer.iterations) == 12
    fitted(k.callbacks.ModelCheckpoint(tmp_path / "w.weights.h5", save_weights_only=True), epochs=1)
    again.load_weights(tmp_path / "w.weights.h5")


class CutOff(k.callbacks.Callback):
    def __init__(self, at):
        super().__init__()
        self.at, self.seen = at, []

    def on_epoch_begin(self, epoch, logs=None):
        self.seen.append(epoch)

    def on_train_batch_end(self, batch, logs=None):
        if (self.seen[-1], batch) == self.at:
            raise KeyboardInterrupt


def steps(made, folder, at, epochs=4, **options):
    cut = CutOff(at)
    callbacks = [k.callbacks.BackupAndRestore(folder, **options), cut]
    try:
        made.fit(X, X[:, :1], epochs=epochs, batch_size=2, shuffle=False, verbose=0, callbacks=callbacks)
    except KeyboardInterrupt:
        pass
    return cut.seen


@pytest.mark.parametrize("double", [False, True])
def test_training_goes_on_where_it_was_cut_off(double, tmp_path):
    folder = tmp_path / "backup"
    assert steps(model(), folder, (2, 1), double_checkpoint=double) == [0, 1, 2]
    made = model()
    assert steps(made, folder, None, double_checkpoint=double) == [2, 3]
    whole = model()
    whole.fit(X, X[:, :1], epochs=4, batch_size=2, shuffle=False, verbose=0)
    for a, b in zip(made.get_weights(), whole.get_weights(), strict=True):
        np.testing.assert_array_equal(a, b)
    assert int(made.optimizer.iterations) == 16 and not folder.exists()


def test_a_damaged_backup(tmp_path):
    steps(model(), tmp_path / "backup", (2, 1), double_checkpoint=True)
    assert sorted(os.listdir(tmp_path / "backup")) == ["latest.state.npz", "latest.state.npz.bkp"]
    (tmp_path / "backup" / "latest.state.npz").write_bytes(b"")
    assert steps(model(), tmp_path / "backup", None, delete_checkpoint=False, double_checkpoint=True) == [1, 2, 3]
    (tmp_path / "backup" / "latest.state.npz.bkp").unlink()
    (tmp_path / "backup" / "latest.state.npz").write_bytes(b"")
    with pytest.raises(ValueError, match="is not the state of training, or is damaged"):
        steps(model(), tmp_path / "backup", None)
    unbuilt = k.Sequential([L.Dense(1)])
    unbuilt.compile("sgd", "mse")
    with pytest.raises(ValueError, match="which is not built"):
        steps(unbuilt, tmp_path / "backup", None)


def test_backups_between_epochs(tmp_path):
    made = model()
    steps(made, tmp_path / "backup", (1, 2), save_freq=2)
    again = model()
    assert steps(again, tmp_path / "backup", None, save_freq=2) == [1, 2, 3]
    assert int(again.optimizer.iterations) == 6 + 12  # six before it was cut off, and the epoch from its beginning
