"""What training gives for models of several outputs, of averages, and of metrics and callbacks in any form."""

import warnings

import numpy as np

OPTIMIZERS = (
    "SGD(0.1, use_ema=True, ema_momentum=0.5)",
    "SGD(0.1, use_ema=True, ema_momentum=0.5, ema_overwrite_frequency=2)",
    "Adam(0.1, use_ema=True, ema_momentum=0.9, amsgrad=True, global_clipnorm=0.5)",
    "SGD(0.1, gradient_accumulation_steps=2, momentum=0.9, nesterov=True)",
    "RMSprop(0.1, rho=0.8, momentum=0.5, centered=True, weight_decay=0.1)",
    "Adafactor(0.1, beta_2_decay=-0.6, relative_step=False)",
    "Lion(0.1, clipvalue=0.01)",
    "Ftrl(0.1, learning_rate_power=-0.3, l1_regularization_strength=0.01, l2_regularization_strength=0.02, beta=0.1)",
)


def waves(shape, phase=0.0):
    return (np.sin(np.arange(int(np.prod(shape))) * 0.7 + phase) * 0.8).reshape(shape).astype(np.float32)


def run(tf, see):
    k = tf.keras
    L = k.layers
    x, y, w = waves((10, 4)), waves((10, 1), 1), np.abs(waves((10,), 2)) + 0.1
    classes = (np.arange(10) * 7 % 3).astype(np.int32)

    def numbered(model):
        for number, weight in enumerate(model.weights):
            weight.assign(waves(weight.shape, number))
        return model

    def chain(units=1, activation=None):
        inputs = k.Input((4,))
        return numbered(k.Sequential([inputs, L.Dense(3, activation="tanh"), L.Dense(units, activation=activation)]))

    def halves():
        a, b = k.Input((4,), name="a"), k.Input((4,), name="b")
        shared = L.Dense(3, activation="tanh")
        both = L.Add()([shared(a), shared(b)])
        outputs = {"kind": L.Dense(2, activation="softmax", name="kind")(both), "size": L.Dense(1, name="size")(both)}
        return numbered(k.Model({"a": a, "b": b}, outputs))

    def listed():
        inputs = k.Input((4,))
        hidden = L.Dense(3, activation="tanh")(inputs)
        return numbered(k.Model(inputs, [L.Dense(2, name="p")(hidden), L.Dense(1, name="q")(hidden)]))

    def trained(model, compiled, x=x, y=y, **options):
        model.compile(**{"optimizer": k.optimizers.SGD(0.1), **compiled})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of weights that no loss depends on
            history = model.fit(x, y, verbose=0, shuffle=False, **{"batch_size": 4, "epochs": 2} | options).history
        kept = {name: [float(v) for v in values] for name, values in sorted(history.items())}
        values = model.evaluate(x, y, verbose=0)
        by_name = {name: float(v) for name, v in sorted(model.evaluate(x, y, verbose=0, return_dict=True).items())}
        values = [float(v) for v in values] if isinstance(values, list) else float(values)
        return kept, values, by_name, model.metrics_names, [m.name for m in model.metrics], model.get_weights()

    for name in OPTIMIZERS:
        see(
            name,
            lambda name=name: trained(chain(), {"optimizer": eval(f"k.optimizers.{name}", {"k": k}), "loss": "mse"}),
        )

    def offset(a, b):
        return tf.reduce_mean(a - b, -1)

    mae = k.metrics.MeanAbsoluteError
    for name, metrics in {
        "none": None, "an empty list": [], "lists in a list": [["mae", "mse"]],
        "objects": [mae(name="z"), "mae", offset],
        "upper case": ["mse", "MAE", mae(name="A")],
    }.items():  # fmt: skip
        see(f"metrics: {name}", lambda metrics=metrics: trained(chain(), {"loss": "mse", "metrics": metrics}))
    both = (classes > 0).astype(np.float32)
    for name, metrics in {"of two classes": ["accuracy", "AUC", "Precision"], "names": ["AUC", "acc"]}.items():
        see(f"metrics: {name}", lambda metrics=metrics: trained(
            chain(1, "sigmoid"), {"loss": "binary_crossentropy", "metrics": metrics}, y=both[:, None]))  # fmt: skip

    pairs, targets = {"a": x, "b": x[::-1]}, {"kind": classes % 2, "size": y}
    for name, compiled in {
        "two losses": {"loss": {"kind": "sparse_categorical_crossentropy", "size": "mse"},
                       "loss_weights": {"kind": 1.0, "size": 0.3}},
        "one loss": {"loss": {"size": "mse"}},
        "one loss with metrics": {"loss": {"size": "mse"}, "metrics": {"kind": "accuracy", "size": ["mae"]}},
        "weighted": {"loss": {"kind": "sparse_categorical_crossentropy", "size": "mse"},
                     "weighted_metrics": {"kind": ["accuracy"], "size": ["mae", "mse"]}},
    }.items():  # fmt: skip
        options = {"sample_weight": {"kind": w, "size": w[::-1]}} if name == "weighted" else {}
        see(f"a dictionary: {name}", lambda c=compiled, o=options: trained(halves(), c, pairs, targets, **o))
    for name, compiled in {
        "one loss": {"loss": [None, "mae"]}, "weights": {"loss": ["mse", "mae"], "loss_weights": [0.2, 0.8]},
        "metrics": {"loss": "mse", "metrics": [["mae"], ["mse", "mae"]]}, "by name": {"loss": {"p": "mse", "q": "mae"}},
    }.items():  # fmt: skip
        see(f"a list: {name}", lambda c=compiled: trained(listed(), c, x, [waves((10, 2), 3), y]))

    def told():
        seen = []

        def note(*args):
            seen.append([sorted(a) if isinstance(a, dict) else a for a in args])

        k.callbacks.LambdaCallback()  # of nothing
        one = k.callbacks.LambdaCallback(
            on_train_begin=lambda logs: note("begins", logs), on_train_end=lambda logs: note("ends", logs),
            on_epoch_begin=lambda epoch, logs: note("epoch", epoch, logs),
            on_epoch_end=lambda epoch, logs: note("epoch ends", epoch, logs),
            on_train_batch_begin=lambda batch, logs: note("batch", batch),
            on_train_batch_end=lambda batch, logs: note("batch ends", batch, logs),
        )  # fmt: skip
        model = chain()
        model.compile(k.optimizers.SGD(0.1), "mse", metrics=["mae"])
        model.fit(x, y, epochs=2, batch_size=5, verbose=0, callbacks=[one])
        return seen

    see("callbacks without defaults", told)
