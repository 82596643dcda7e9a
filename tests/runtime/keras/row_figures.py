"""Where TensorFlow's Keras takes a table whose rows are looked up: run with it installed, it writes the figures.

    python -m tests.runtime.keras.row_figures tensorflow

Batches have rows several times, and miss others; `LOOKUPS` and `OPTIMIZERS` are the same programs for both libraries.
"""

import importlib
import json
import sys
from pathlib import Path

import numpy as np

FIGURES = Path(__file__).with_name("row_figures.json")
BATCHES = [[[0, 1, 1], [3, 1, 0]], [[2, 2, 2], [2, 2, 2]], [[0, 3, 4], [1, 1, 0]], [[4, 4, 3], [1, 2, 0]]]
TABLE = np.linspace(-0.5, 0.8, 10, dtype=np.float32).reshape(5, 2)

OPTIMIZERS = [
    "SGD(0.05)", "SGD(0.05, momentum=0.9)", "SGD(0.05, momentum=0.9, nesterov=True)", "SGD(0.05, use_ema=True)",
    "Adam(0.05)", "Adam(0.05, amsgrad=True)", "AdamW(0.05, weight_decay=0.01)", "Adamax(0.05)", "Nadam(0.05)",
    "Lamb(0.05)", "Lion(0.05)", "RMSprop(0.02)", "RMSprop(0.02, momentum=0.9)", "Adagrad(0.05)", "Adadelta(0.5)",
    "Adafactor(0.05)", "Ftrl(0.05)",
    "Ftrl(0.05, l1_regularization_strength=0.01, l2_regularization_strength=0.01, "
    "l2_shrinkage_regularization_strength=0.01)",
    "Adam(0.05, clipnorm=0.5)", "Adam(0.05, clipvalue=0.2)", "Adam(0.05, global_clipnorm=0.5)",
    "Adam(0.05, gradient_accumulation_steps=2)",
]  # fmt: skip


def layer(tf, table):
    embedding = tf.keras.layers.Embedding(5, 2)
    embedding.build(None)
    embedding.set_weights([table])
    return embedding, embedding.trainable_variables[0]


def variable(look):
    def made(tf, table):
        v = tf.Variable(table)
        return lambda ids: look(tf, v, ids), v

    return made


LOOKUPS = {
    "layer": layer,
    "embedding_lookup": variable(lambda tf, v, ids: tf.nn.embedding_lookup(v, ids)),
    "gather of what was read": variable(lambda tf, v, ids: tf.gather(tf.identity(v), ids)),
    "gathered twice": variable(lambda tf, v, ids: 0.5 * tf.gather(v, ids) + 0.25 * tf.gather(v, ids[::-1])),
    "used otherwise, too": variable(lambda tf, v, ids: tf.gather(v, ids) * tf.reduce_mean(v)),
    "columns": variable(lambda tf, v, ids: tf.gather(tf.transpose(v), ids, axis=1)[0, ..., None]),
}


def trained(tf, lookup, optimizer, way=lambda step: step):
    """The table after each batch, and in the end the norm of the gradients, and what clipping by it leaves."""
    look, table = LOOKUPS[lookup](tf, TABLE)
    w = tf.Variable([0.5, -0.25])
    made = eval(f"tf.keras.optimizers.{optimizer}", {"tf": tf})

    def step(ids):
        with tf.GradientTape() as tape:
            rows = look(ids)
            loss = tf.reduce_sum(rows * w) ** 2 + tf.reduce_sum(tf.sin(rows * tf.constant([[[1.0], [2.0], [3.0]]])))
        found = tape.gradient(loss, [table, w])
        made.apply_gradients(zip(found, [table, w]))
        (clipped, _), norm = tf.clip_by_global_norm(found, 1.5)
        return norm, tf.convert_to_tensor(clipped)

    run, places = way(step), []
    for batch in BATCHES:
        norm, clipped = run(tf.constant(batch))
        places.append(np.array(table).ravel().tolist())
    return [*places, [float(norm)], np.array(clipped).ravel().tolist()]


def main():
    tf = importlib.import_module(sys.argv[1])
    cases = [(lookup, optimizer) for lookup in LOOKUPS for optimizer in OPTIMIZERS]
    figures = {f"{lookup} {optimizer}": trained(tf, lookup, optimizer) for lookup, optimizer in cases}
    rounded = {key: [[float(f"{x:.7g}") for x in row] for row in rows] for key, rows in figures.items()}
    FIGURES.write_text(json.dumps(rounded) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
