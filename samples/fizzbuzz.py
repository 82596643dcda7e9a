"""A loop with a chain of branches, and printing when the graph runs."""

import autograph
import runtime as tf


def fizzbuzz(n):
    for i in tf.range(1, n + 1):
        if i % 15 == 0:
            tf.print("fizzbuzz")
        elif i % 3 == 0:
            tf.print("fizz")
        elif i % 5 == 0:
            tf.print("buzz")
        else:
            tf.print(i)


EXAMPLES = [(fizzbuzz, [(tf.constant(5),), (tf.constant(20),)])]


def main():
    print(autograph.to_code(fizzbuzz))
    graph = tf.function(fizzbuzz)
    graph(tf.constant(15))
    print(graph.get_concrete_function(tf.constant(15)).graph)


if __name__ == "__main__":
    main()
