"""What `fit`, `evaluate` and `predict` do with each of their options and with each kind of data, and whom they tell."""

import numpy as np


def run(tf, see):
    k = tf.keras
    L = k.layers
    x = np.sin(np.arange(28, dtype=np.float32)).reshape(7, 4)
    y = np.cos(np.arange(7, dtype=np.float32))[:, None]
    z = np.sin(np.arange(14, dtype=np.float32) * 2).reshape(7, 2)
    w = np.array([1.0, 0.0, 2.0, 0.5, 1.0, 3.0, 1.0], np.float32)

    def dense(units=1, **options):
        return L.Dense(units, kernel_initializer="ones", **options)

    def made(compiled=None, **options):
        model = k.Sequential([k.Input((4,)), dense()])
        model.compile(**({"optimizer": k.optimizers.SGD(0.05), "loss": "mse"} | (compiled or {})), **options)
        return model

    class Told(k.callbacks.Callback):
        """It notes what it is told of, and may end training."""

        def __init__(self, until=None):
            super().__init__()
            self.seen, self.until, self.batches = [], until, 0

        def __getattribute__(self, name):
            found = super().__getattribute__(name)
            if name.startswith("on_") and name not in ("on_batch_begin", "on_batch_end"):

                def noted(*args, **kwargs):
                    numbers = [a for a in args if isinstance(a, int)]
                    logs = next((a for a in [*args, *kwargs.values()] if isinstance(a, dict)), {})
                    self.seen.append([name, *numbers, *sorted(logs)])
                    if name == "on_train_batch_end":
                        self.batches += 1
                        self.model.stop_training = self.batches == self.until
                    return found(*args, **kwargs)

                return noted
            return found

    # Each option of `fit`: what is told, and what it gives.
    options = {
        "nothing": {},
        "batches": {"batch_size": 3, "epochs": 2},
        "batches of all": {"batch_size": 7},
        "a batch too large": {"batch_size": 100},
        "a part": {"batch_size": 2, "validation_split": 0.3},
        "half": {"batch_size": 2, "validation_split": 0.5, "epochs": 2},
        "seldom": {"validation_split": 0.3, "epochs": 4, "validation_freq": 2},
        "sometimes": {"validation_split": 0.3, "epochs": 4, "validation_freq": [1, 4]},
        "others": {"validation_data": (x[:3], y[:3]), "validation_batch_size": 2},
        "others by weight": {"validation_data": (x[:3], y[:3], w[1:4]), "batch_size": 2},
        "others and a part": {"validation_data": (x[:3], y[:3]), "validation_split": 0.3},
        "steps of others": {"validation_data": (x, y), "batch_size": 2, "validation_steps": 2},
        "later": {"epochs": 4, "initial_epoch": 2},
        "too late": {"epochs": 2, "initial_epoch": 2},
        "no epochs": {"epochs": 0},
        "steps": {"batch_size": 2, "steps_per_epoch": 2, "epochs": 3},
        "weights": {"sample_weight": w, "batch_size": 3},
        "classes": {"class_weight": {0: 2.0, 1: 0.5}},
        "a list of callbacks": {"callbacks": []},
    }
    for name, given in options.items():

        def fit(given=given):
            model, told = made(), Told()
            history = model.fit(x, y, shuffle=False, verbose=0, **{"callbacks": [told]} | given)
            kept = {key: [float(v) for v in values] for key, values in history.history.items()}
            return dict(sorted(kept.items())), history.epoch, model.get_weights(), told.seen, history.params

        see(f"fit {name}", fit)

    for until in (1, 2, 3):

        def ended(until=until):
            model, told = made(), Told(until)
            model.fit(x, y, batch_size=4, epochs=3, shuffle=False, verbose=0, callbacks=[told])
            return told.seen, model.stop_training

        see(f"ended after {until}", ended)

    # Each option of `compile`.
    compiled = {
        "metrics": {"metrics": ["mae", "mse"]},
        "a class": {"metrics": [k.metrics.MeanAbsoluteError(name="far")]},
        "weighted": {"weighted_metrics": ["mae"]},
        "both": {"metrics": ["mae"], "weighted_metrics": ["mae"]},
        "twice": {"metrics": ["mae", "mae"]},
        "a function": {"loss": lambda a, b: tf.reduce_mean(tf.abs(a - b), axis=-1)},
        "an object": {"loss": k.losses.Huber(0.5)},
        "at once": {"run_eagerly": True},
        "several steps": {"steps_per_execution": 2},
        "not compiled": {"jit_compile": False},
        "a weight": {"loss_weights": [0.5]},
        "a list": {"loss": ["mae"]},
        "no steps at all": {"steps_per_execution": 0},
        "no such loss": {"loss": "nearness"},
        "no such metric": {"metrics": ["nearness"]},
        "no such optimizer": {"optimizer": "nearest"},
    }
    for name, given in compiled.items():

        def with_compiled(given=given):
            model, told = made(given), Told()
            history = model.fit(
                x, y, sample_weight=w, batch_size=2, epochs=2, shuffle=False, verbose=0, callbacks=[told]
            ).history
            return {key: [float(v) for v in history[key]] for key in sorted(history)}, told.seen, model.get_weights()

        see(f"compiled with {name}", with_compiled)

    # Evaluation and prediction.
    tested = {
        "nothing": {},
        "batches": {"batch_size": 2},
        "steps": {"batch_size": 2, "steps": 2},
        "weights": {"sample_weight": w, "batch_size": 3},
        "names": {"return_dict": True},
    }
    for name, given in tested.items():
        for metrics in ([], ["mae"]):

            def evaluated(given=given, metrics=metrics):
                model, told = made({"metrics": metrics}), Told()
                return model.evaluate(x, y, verbose=0, callbacks=[told], **given), told.seen

            see(f"evaluate by {name}, {len(metrics)} metrics", evaluated)
    for name, given in {"nothing": {}, "batches": {"batch_size": 3}, "steps": {"batch_size": 3, "steps": 2}}.items():

        def predicted(given=given):
            model, told = made(), Told()
            return model.predict(x, verbose=0, callbacks=[told], **given), [row[:2] for row in told.seen]

        see(f"predict by {name}", predicted)

    # Kinds of data.
    D = tf.data.Dataset
    data = {
        "tensors": lambda: ((tf.constant(x), tf.constant(y)), {}),
        "doubles": lambda: ((x.astype(np.float64), y.astype(np.float64)), {}),
        "flat targets": lambda: ((x, y[:, 0]), {}),
        "a dataset": lambda: ((D.from_tensor_slices((x, y)).batch(3),), {}),
        "a dataset with weights": lambda: ((D.from_tensor_slices((x, y, w)).batch(3),), {}),
        "a dataset and steps": lambda: ((D.from_tensor_slices((x, y)).batch(2),), {"steps_per_epoch": 2}),
        "an endless dataset": lambda: ((D.from_tensor_slices((x, y)).batch(2).repeat(),), {"steps_per_epoch": 3}),
        "a dataset and targets": lambda: ((D.from_tensor_slices((x, y)).batch(2), y), {}),
        "a dataset and a part": lambda: ((D.from_tensor_slices((x, y)).batch(2),), {"validation_split": 0.5}),
        "a dataset with flat targets and weights": lambda: ((D.from_tensor_slices((x, y[:, 0], w)).batch(3),), {}),
        "flat targets and weights": lambda: ((x, y[:, 0]), {"sample_weight": w, "batch_size": 3}),
        "a dataset that is weighed": lambda: (
            (D.from_tensor_slices((x, np.arange(7) % 2)).batch(3),),
            {"class_weight": {0: 1.0, 1: 3.0}},
        ),
        "a filtered dataset": lambda: ((D.from_tensor_slices((x, y)).filter(lambda a, b: b[0] > 0).batch(2),), {}),
        "a generator": lambda: ((((x[i : i + 2], y[i : i + 2]) for i in range(0, 6, 2)),), {"steps_per_epoch": 1}),
        "datasets of both": lambda: (
            (D.from_tensor_slices((x, y)).batch(2),),
            {"validation_data": D.from_tensor_slices((x, y)).batch(4)},
        ),
        "too few targets": lambda: ((x, y[:5]), {}),
        "too few weights": lambda: ((x, y), {"sample_weight": w[:3]}),
        "no targets": lambda: ((x,), {}),
        "no data": lambda: ((None, y), {}),
        "other sizes": lambda: ((x[:, :3], y), {}),
        "one more axis": lambda: ((x[None], y[None]), {}),
    }
    for name, give in data.items():

        def on(give=give):
            given, more = give()
            model = made()
            history = model.fit(*given, epochs=2, shuffle=False, verbose=0, **more).history
            return {key: [float(v) for v in history[key]] for key in sorted(history)}, model.get_weights()

        see(f"trained on {name}", on)

    # Several outputs.
    def outputs(names=("u", "v")):
        inner = k.Input((4,))
        return k.Model(inner, [dense(name=names[0])(inner), dense(2, name=names[1])(inner)])

    several = {
        "one loss": {"loss": "mse"},
        "a list": {"loss": ["mse", "mae"]},
        "names": {"loss": {"u": "mse", "v": "mae"}},
        "weights": {"loss": ["mse", "mae"], "loss_weights": [2.0, 0.5]},
        "weights by name": {"loss": {"u": "mse", "v": "mae"}, "loss_weights": {"u": 2.0, "v": 0.25}},
        "metrics of each": {"loss": "mse", "metrics": [["mae"], ["mse"]]},
        "metrics by name": {"loss": "mse", "metrics": {"v": ["mae"]}},
        "metrics by name alone": {"loss": "mse", "metrics": {"u": "mae", "v": ["mse", "mae"]}},
        "weighted metrics": {"loss": "mse", "weighted_metrics": [["mae"], ["mse"]]},
        "too many": {"loss": ["mse", "mae", "mse"]},
    }
    for name, given in several.items():

        def of_several(given=given):
            model = outputs()
            model.compile(optimizer=k.optimizers.SGD(0.05), **given)
            history = model.fit(x, [y, z], batch_size=3, epochs=2, shuffle=False, verbose=0).history
            found = {key: [float(v) for v in history[key]] for key in sorted(history)}
            tests = model.evaluate(x, [y, z], verbose=0, return_dict=True)
            return found, {key: float(tests[key]) for key in sorted(tests)}, model.predict(x[:2], verbose=0)

        see(f"several outputs, {name}", of_several)

    # One batch at a time.
    batch = {"nothing": {}, "weights": {"sample_weight": w}, "names": {"return_dict": True}}
    for name, given in batch.items():

        def one(given=given):
            model = made({"metrics": ["mae"]})
            return [model.train_on_batch(x, y, **given) for _ in range(2)], model.test_on_batch(x, y, **given)

        see(f"one batch by {name}", one)
    see("one batch by class", lambda: made().train_on_batch(x, y > 0, class_weight={0: 2.0, 1: 0.5}))
    see("one batch predicted", lambda: made().predict_on_batch(x[:2]))

    # Which accuracy is meant.
    numbers = {
        "a column": (dense(activation="sigmoid"), (y > 0).astype(np.float32), "binary_crossentropy"),
        "flat": (dense(activation="sigmoid"), (y[:, 0] > 0).astype(np.float32), "binary_crossentropy"),
        "numbers": (dense(3, activation="softmax"), np.arange(7) % 3, "sparse_categorical_crossentropy"),
        "numbers in a column": (dense(3), (np.arange(7) % 3)[:, None], "sparse_categorical_crossentropy"),
        "one-hot": (dense(3, activation="softmax"), np.eye(3)[np.arange(7) % 3], "categorical_crossentropy"),
        "two columns": (dense(2, activation="sigmoid"), (z > 0).astype(np.float32), "binary_crossentropy"),
    }
    for name, (last, targets, loss) in numbers.items():
        for metric in ("accuracy", "acc"):

            def exact(last=last, targets=targets, loss=loss, metric=metric):
                model = k.Sequential([k.Input((4,)), type(last).from_config(last.get_config())])
                model.compile(loss=loss, metrics=[metric])
                found = model.evaluate(x, targets, verbose=0, return_dict=True)
                return {key: float(found[key]) for key in sorted(found)}

            see(f"{metric} of {name}", exact)
