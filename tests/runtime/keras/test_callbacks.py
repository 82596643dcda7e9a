"""Callbacks do what they say. They are told of epochs by hand, and see of a model what they need."""

import json
from pathlib import Path

import numpy as np
import pytest

import runtime as tf
from runtime.keras import callbacks, metrics, optimizers


class Model:
    """As much of a model as callbacks see."""

    def __init__(self):
        self.optimizer = optimizers.SGD(0.5)
        self.weights, self.saved = [np.zeros(1)], []
        self.stop_training = False
        self.metrics = [metrics.BinaryAccuracy(), metrics.MeanSquaredError(name="error")]

    def get_weights(self):
        return [w.copy() for w in self.weights]

    def set_weights(self, weights):
        self.weights = weights

    def save(self, path, overwrite):
        self.saved.append(path)

    def save_weights(self, path, overwrite):
        self.saved.append(f"weights of {path}")


def told(callback, epochs, batches=1, model=None):
    """A model after epochs whose numbers are given, as `fit` tells of them; ends when training is to be stopped."""
    model = model or Model()
    all_of_them = callbacks.CallbackList([callback], add_history=True, model=model, epochs=len(epochs), verbose=0)
    all_of_them.on_train_begin()
    for epoch, logs in enumerate(epochs):
        logs = dict(logs)
        all_of_them.on_epoch_begin(epoch)
        for batch in range(batches):
            all_of_them.on_train_batch_begin(batch)
            all_of_them.on_train_batch_end(batch, logs)
        model.weights = [np.full(1, float(epoch))]
        all_of_them.on_epoch_end(epoch, logs)
        if model.stop_training:
            break
    all_of_them.on_train_end(logs)
    return model


def losses(*values, name="val_loss"):
    return [{name: value} for value in values]


@pytest.mark.parametrize(
    "options, epochs, count",
    [
        ({}, losses(3, 2, 1), 3), ({}, losses(3, 2, 2, 1), 3), ({"patience": 2}, losses(3, 2, 2, 1, 1, 1), 6),
        ({"patience": 2}, losses(3, 4, 5, 1), 3), ({"min_delta": 0.5}, losses(3, 2, 1.75, 1), 3),
        ({"baseline": 1.0, "patience": 2}, losses(3, 2.5, 2.6, 0.5), 3),
        ({"mode": "max"}, losses(1, 2, 1), 3),
        ({"monitor": "binary_accuracy"}, losses(1, 2, 2, name="binary_accuracy"), 3),
        ({"monitor": "val_error"}, losses(3, 2, 4, name="val_error"), 3),
        ({"start_from_epoch": 2}, losses(1, 2, 3, 2, 3), 5),
    ],
)  # fmt: skip
def test_training_ends_early(options, epochs, count):
    model = told(callbacks.EarlyStopping(**options), epochs)
    assert len(model.history.epoch) == count


def test_the_best_weights_come_back(capsys):
    model = told(callbacks.EarlyStopping(patience=1, restore_best_weights=True, verbose=1), losses(3, 1, 2, 2))
    assert model.weights[0] == 1
    assert capsys.readouterr().out.splitlines() == [
        "Epoch 3: early stopping", "Restoring model weights from the end of the best epoch: 2."
    ]  # fmt: skip
    assert told(callbacks.EarlyStopping(patience=9, restore_best_weights=True), losses(1, 2, 3)).weights[0] == 0


def test_what_stops_early_begins_anew_each_time():
    stops = callbacks.EarlyStopping(patience=1, restore_best_weights=True)
    for epochs in (losses(3, 1, 2, 2), losses(9, 8, 7, 8, 6)):
        model = told(stops, epochs)
        best = [float(each["val_loss"]) for each in epochs]
        assert stops.best == min(best[: len(model.history.epoch)])
    assert len(model.history.epoch) == 4 and stops.best_epoch == 2 and stops.stopped_epoch == 3


def test_a_number_that_is_not_there_is_warned_of():
    with pytest.warns(UserWarning, match="EarlyStopping watches 'val_loss', .*: 'loss'"):
        told(callbacks.EarlyStopping(), losses(1, name="loss"))
    with pytest.warns(UserWarning, match="EarlyStopping watches 'val_loss', .*: none"):
        told(callbacks.EarlyStopping(), [{}])


def test_the_learning_rate_is_lowered_on_a_plateau(capsys):
    reduce = callbacks.ReduceLROnPlateau(factor=0.5, patience=2, cooldown=1, min_lr=0.1, verbose=1)
    model = told(reduce, losses(3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2))
    wanted = [0.5] * 4 + [0.25] * 2 + [0.125] * 2 + [0.1] * 4
    assert model.history.history["learning_rate"] == pytest.approx(wanted)
    assert "Epoch 4: ReduceLROnPlateau reducing learning rate to 0.25." in capsys.readouterr().out


def test_the_learning_rate_follows_a_schedule(capsys):
    model = told(callbacks.LearningRateScheduler(lambda epoch, rate: rate / 2, verbose=1), losses(3, 2, 1))
    assert model.history.history["learning_rate"] == [0.25, 0.125, 0.0625]
    assert "Epoch 2: LearningRateScheduler setting learning rate to 0.125." in capsys.readouterr().out
    model = told(callbacks.LearningRateScheduler(lambda epoch: 1 / (1 + epoch)), losses(3, 2))
    assert model.history.history["learning_rate"] == [1.0, 0.5]
    with pytest.raises(ValueError, match="the schedule of LearningRateScheduler gave 'fast' for epoch 0"):
        told(callbacks.LearningRateScheduler(lambda epoch: "fast"), losses(1))


def test_an_error_in_a_schedule_is_its_own():
    """It is not called again with fewer arguments."""
    with pytest.raises(TypeError, match="unsupported operand"):
        told(callbacks.LearningRateScheduler(lambda epoch, rate: "a" - rate), losses(1))


@pytest.mark.parametrize(
    "options, saved",
    [
        ({}, ["m1", "m2", "m3", "m4"]), ({"save_best_only": True}, ["m1", "m3", "m4"]),
        ({"save_best_only": True, "initial_value_threshold": 1.5}, ["m3", "m4"]),
        ({"save_best_only": True, "mode": "max"}, ["m1", "m2"]),
        ({"save_weights_only": True, "save_best_only": True}, ["weights of m1", "weights of m3", "weights of m4"]),
        ({"save_freq": 3}, ["m2", "m3"]),
    ],
)  # fmt: skip
def test_models_are_saved(options, saved, tmp_path):
    model = told(callbacks.ModelCheckpoint("m{epoch}", **options), losses(2, 3, 1, 0.5), batches=2)
    assert model.saved == saved


def test_names_of_files_may_tell_of_numbers(tmp_path, capsys):
    path = str(tmp_path / "deep" / "{epoch:02d}-{val_loss:.1f}.keras")
    model = told(callbacks.ModelCheckpoint(path, verbose=1, save_best_only=True), losses(2, 3))
    assert model.saved == [str(tmp_path / "deep" / "01-2.0.keras")] and (tmp_path / "deep").is_dir()
    assert "Epoch 1: val_loss improved from None to 2.00000, saving" in (out := capsys.readouterr().out)
    assert "Epoch 2: val_loss did not improve from 2.00000" in out
    model = told(callbacks.ModelCheckpoint("m{epoch}-{batch}", save_freq=2), losses(2, 3), batches=3)
    assert model.saved == ["m1-2", "m2-1", "m2-3"]
    with pytest.raises(KeyError, match="'accuracy' is not among 'epoch', 'val_loss'"):
        told(callbacks.ModelCheckpoint("{accuracy}"), losses(2))
    with pytest.raises(IsADirectoryError, match="it is a folder"):
        told(callbacks.ModelCheckpoint(str(tmp_path)), losses(2))


@pytest.mark.parametrize(
    "append, before, wanted",
    [
        (False, "old\n", "epoch,loss,val_loss\n0,0.5,\"[1, 2]\"\n1,0.25,NA\n"),
        (True, "old\n", "old\n0,0.5,\"[1, 2]\"\n1,0.25,NA\n"),
        (True, "", "epoch,loss,val_loss\n0,0.5,\"[1, 2]\"\n1,0.25,NA\n"),
    ],
)  # fmt: skip
def test_numbers_are_written_to_a_file(append, before, wanted, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text(before)
    told(callbacks.CSVLogger(path, append=append), [{"val_loss": [1, 2], "loss": 0.5}, {"loss": 0.25}])
    assert path.read_text() == wanted


def test_numbers_without_those_of_validation_leave_room_for_them(tmp_path):
    told(callbacks.CSVLogger(tmp_path / "log.csv", separator=";"), [{"loss": 0.5}, {"loss": 1.0, "val_loss": 2.0}])
    assert (tmp_path / "log.csv").read_text() == "epoch;loss;val_loss\n0;0.5;NA\n1;1.0;2.0\n"


def test_training_ends_where_the_loss_is_no_number(capsys):
    model = told(callbacks.TerminateOnNaN(), [{"loss": 1.0}, {"loss": float("inf")}, {"loss": 1.0}])
    assert model.history.epoch == [0, 1]
    assert capsys.readouterr().out == "Batch 0: Invalid loss, terminating training\n"
    with pytest.raises(RuntimeError, match="NaN or Inf loss encountered at batch 0"):
        told(callbacks.TerminateOnNaN(raise_error=True), [{"loss": float("nan")}])


def test_functions_are_callbacks():
    seen = []
    names = [name for name in vars(callbacks.Callback) if name.startswith("on_")]
    given = {name: (lambda *args, name=name: seen.append(name)) for name in names}
    all_of_them = callbacks.CallbackList(callbacks.LambdaCallback(**given))
    for name in names:
        getattr(all_of_them, name)(0, {}) if "batch" in name or "epoch" in name else getattr(all_of_them, name)({})
    assert seen == names
    with pytest.raises(TypeError, match="unexpected keyword argument 'on_epoch'"):
        callbacks.LambdaCallback(on_epoch=print)


def test_older_names_of_batches_are_told_too():
    class Older(callbacks.Callback):
        def __init__(self):
            self.seen = []  # as many do, without the base

        def on_batch_begin(self, batch, logs=None):
            self.seen.append(("begin", batch))

        def on_batch_end(self, batch, logs=None):
            self.seen.append(("end", batch, self.model is not None))

    older = Older()
    told(older, losses(1))
    assert older.seen == [("begin", 0), ("end", 0, True)]


def test_lists_of_callbacks():
    inner = callbacks.CallbackList([callbacks.History()])
    outer = callbacks.CallbackList([[callbacks.TerminateOnNaN()], inner], add_history=True, add_progbar=True)
    kinds = [type(one).__name__ for one in outer]
    assert kinds == ["TerminateOnNaN", "CallbackList", "History", "ProgbarLogger"]
    assert [type(one).__name__ for one in callbacks.CallbackList([callbacks.History()], add_history=True)] == [
        "History"
    ]
    with pytest.raises(TypeError, match="callbacks: 3 is none"):
        callbacks.CallbackList([3])


def test_progress_is_printed(capsys):
    told_of = callbacks.CallbackList([callbacks.ProgbarLogger()], epochs=2, steps=None, verbose=1)
    told_of.on_train_begin()
    for epoch in range(2):
        told_of.on_epoch_begin(epoch)
        told_of.on_train_batch_end(0, {"loss": 0.5})
        told_of.on_test_begin()
        told_of.on_test_end({"loss": 9.0})
        told_of.on_epoch_end(epoch, {"loss": 0.5, "small": 1e-5})
    told_of.on_train_end()
    told_of.on_test_begin()
    told_of.on_test_batch_end(1, {"loss": 0.25})
    told_of.on_test_end({"loss": 0.25})
    assert capsys.readouterr().out.splitlines() == [
        "Epoch 1/2", "1/? - 0s - loss: 0.5000 - small: 1.0000e-05", "Epoch 2/2",
        "1/? - 0s - loss: 0.5000 - small: 1.0000e-05", "2/? - 0s - loss: 0.2500",
    ]  # fmt: skip


EVENTS = {
    "an epoch of training": [
        ("on_train_begin",), ("on_epoch_begin", 0), ("on_train_batch_end", 0, {"loss": 0.5}),
        ("on_train_batch_end", 1, {"loss": 0.25}), ("on_epoch_end", 0, {"loss": 0.25}), ("on_train_end",),
    ],
    "an epoch that is validated": [
        ("on_train_begin",), ("on_epoch_begin", 1), ("on_train_batch_end", 2, {"loss": 0.5}), ("on_test_begin",),
        ("on_test_batch_end", 7, {"loss": 9.0}), ("on_test_end", {"loss": 9.0}),
        ("on_epoch_end", 1, {"loss": 0.5, "val_loss": 9.0}), ("on_train_end",),
    ],
    "evaluation": [("on_test_begin",), ("on_test_batch_end", 2, {"loss": 0.5}), ("on_test_end", {"loss": 0.5})],
    "prediction": [("on_predict_begin",), ("on_predict_batch_end", 3, {"outputs": [1]}), ("on_predict_end",)],
    "nothing": [("on_test_begin",), ("on_test_end", {})],
}  # fmt: skip
PRINTED = {  # what an epoch ends with, a line at a time; a terminal shows the batches before it, too
    "an epoch of training": ["1/4 - 1s - loss: 0.5000", "2/4 - 2s - loss: 0.2500", "2/4 - 3s - loss: 0.2500"],
    "an epoch that is validated": ["3/4 - 1s - loss: 0.5000", "3/4 - 2s - loss: 0.5000 - val_loss: 9.0000"],
    "evaluation": ["3/4 - 1s - loss: 0.5000", "3/4 - 2s - loss: 0.5000"],
    "prediction": ["4/4 - 1s", "4/4 - 2s"],
    "nothing": ["0/4 - 1s"],
}


@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize("verbose, epochs", [(0, 2), (1, 1), (1, 2), (2, 2), ("auto", 2)])
@pytest.mark.parametrize("kind", EVENTS)
def test_progress_of_each_kind_begins_anew_and_shows_batches_on_a_terminal_alone(
    kind, verbose, epochs, terminal, capsys, monkeypatch
):
    """Something else has gone on before, for 100 s; each line that is made takes 1 s."""
    clock = [0.0]
    monkeypatch.setattr("time.perf_counter", lambda: clock[0])
    bar = callbacks.ProgbarLogger()
    bar.set_params({"verbose": verbose, "epochs": epochs, "steps": 4})
    bar.on_train_batch_end(4, {"loss": 7.0})
    clock[0] = 100.0
    capsys.readouterr()
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal, raising=False)
    line = bar._line

    def slow(logs):
        clock[0] += 1
        return line(logs)

    bar._line = slow
    for name, *args in EVENTS[kind]:
        getattr(bar, name)(*args)
    level = 1 if verbose == "auto" else verbose
    shows = level == 1 and terminal
    lines = PRINTED[kind] if shows else [PRINTED[kind][-1].replace(f"{len(PRINTED[kind])}s", "1s")]
    epoch = next((args[0] for name, *args in EVENTS[kind] if name == "on_epoch_begin"), None)
    wanted = f"Epoch {epoch + 1}/{epochs}\n" if epoch is not None and epochs > 1 else ""
    wanted += "".join(f"\r{text}" for text in lines) if shows else lines[0]
    assert capsys.readouterr().out == (wanted + "\n" if level else "")


def test_averages_are_swapped_for_evaluation():
    w, model = tf.Variable(0.0), Model()
    model.optimizer = optimizers.SGD(1.0, use_ema=True, ema_momentum=0.5)
    for _ in range(2):
        model.optimizer.apply_gradients([(tf.constant(1.0), w)])
    swap = callbacks.CallbackList([callbacks.SwapEMAWeights(swap_on_epoch=True)], model=model)
    seen = [w.numpy()]
    for tell in (swap.on_test_begin, swap.on_test_end, lambda: swap.on_epoch_end(0), lambda: swap.on_epoch_begin(1)):
        tell()
        seen.append(w.numpy())
    assert seen == [-2.0, -1.5, -2.0, -1.5, -2.0]
    with pytest.raises(ValueError, match="SwapEMAWeights with <SGD name=sgd.*>, which keeps no averages"):
        told(callbacks.SwapEMAWeights(swap_on_epoch=True), losses(1))


REFUSED = [
    (lambda: callbacks.EarlyStopping(mode="best"), "EarlyStopping with mode='best': it is 'auto', 'min' or 'max'"),
    (lambda: told(callbacks.EarlyStopping("score"), losses(1, 2, name="score")), "monitor='score': it is not known"),
    (lambda: callbacks.ReduceLROnPlateau(factor=1.0), "factor=1.0: it is less than 1"),
    (lambda: callbacks.ModelCheckpoint("m", save_freq="batch"), "save_freq='batch': it is 'epoch', or a number"),
    (lambda: callbacks.ModelCheckpoint("m", save_freq=0), "save_freq=0"),
]


@pytest.mark.parametrize("call, message", REFUSED, ids=[m for _, m in REFUSED])
def test_what_is_refused_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


FIGURES = json.loads((Path(__file__).parent / "callback_figures.json").read_text())  # of Keras 3, told the same numbers


@pytest.mark.parametrize("number", range(len(FIGURES)))
def test_training_ends_and_slows_down_where_it_does_in_keras(number):
    kind, options, values, (count, weights, rates) = FIGURES[number]
    model, seen = Model(), []
    callback = getattr(callbacks, kind)(monitor="val_x", **options)
    rate = callbacks.LambdaCallback(on_epoch_end=lambda *_: seen.append(round(float(model.optimizer.learning_rate), 6)))
    every = callbacks.CallbackList([callback, rate], model=model, epochs=len(values), verbose=0)
    every.on_train_begin()
    for epoch, value in enumerate(values):
        every.on_epoch_begin(epoch)
        model.weights = [np.full(1, float(epoch))]
        every.on_epoch_end(epoch, {"val_x": value})
        if model.stop_training:
            break
    every.on_train_end({})
    assert (len(seen), float(model.weights[0][0])) == (count, weights)
    assert not rates or seen == rates


@pytest.mark.parametrize("name", sorted(name for name in vars(callbacks) if not name.startswith("_")))
def test_a_callback_knows_no_model_before_it_is_given_one(name):
    kind = getattr(callbacks, name)
    needed = {
        "ModelCheckpoint": ("best",),
        "LearningRateScheduler": (lambda epoch: 0.1,),
        "BackupAndRestore": ("back",),
        "CSVLogger": ("log",),
    }
    if not isinstance(kind, type) or not issubclass(kind, callbacks.Callback):
        pytest.skip("it is no callback")
    made = kind(*needed.get(name, ()))
    assert made.model is None and made.params is None
