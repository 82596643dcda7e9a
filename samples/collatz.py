"""A loop whose length depends on its input."""

import numpy as np

import autograph
import runtime as tf


def collatz(n):
    """How many steps lead from n to 1."""
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


EXAMPLES = [(collatz, [(np.int64(1),), (np.int64(7),), (np.int64(97),)])]


def main():
    print(autograph.to_code(collatz))
    graph = tf.function(collatz)
    print("steps from 97:", graph(tf.constant(97)).numpy())
    print(graph.get_concrete_function(tf.constant(97)).graph)


if __name__ == "__main__":
    main()
