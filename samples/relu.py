"""A branch on a value that is known only when the graph runs."""

import numpy as np

import autograph
import runtime as tf


def simple_relu(x):
    if tf.greater(x, 0):
        return x
    else:
        return 0


def square_if_positive(x):
    if x > 0:
        x = x * x
    else:
        x = 0
    return x


EXAMPLES = [
    (simple_relu, [(np.int32(1),), (np.int32(-1),), (np.float32(2.5),)]),
    (square_if_positive, [(np.int32(2),), (np.int32(-2),), (np.float32(1.5),)]),
]


def main():
    print(autograph.to_code(simple_relu))
    graph = tf.function(simple_relu)
    print("First branch, with graph:", graph(tf.constant(1)).numpy())
    print("Second branch, with graph:", graph(tf.constant(-1)).numpy())
    print(graph.get_concrete_function(tf.constant(1)).graph)


if __name__ == "__main__":
    main()
