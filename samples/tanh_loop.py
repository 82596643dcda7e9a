"""A loop that runs until a tensor is small enough."""

import numpy as np

import autograph
import runtime as tf


def squash(x):
    while tf.reduce_sum(x) > 1:
        tf.print(x)
        x = tf.tanh(x)
    return x


EXAMPLES = [(squash, [(np.array([0.5, 1.0], np.float32),), (np.array([0.25], np.float32),)])]


def main():
    print(autograph.to_code(squash))
    graph = tf.function(squash)
    start = tf.constant([0.25, 0.5, 0.75, 1.0])
    print(graph(start))
    print(graph.get_concrete_function(start).graph)


if __name__ == "__main__":
    main()
