"""A recurrent network over time: a loop that writes a TensorArray and calls another function."""

import numpy as np

import autograph
import runtime as tf


def cell(inputs, state, kernel):
    return tf.tanh(tf.matmul(inputs, kernel) + state)


def dynamic_rnn(sequence, state, kernel):
    """Run the cell over axis 1 of `sequence` [batch, time, features]; returns all its states [batch, time, units]."""
    sequence = tf.transpose(sequence, [1, 0, 2])
    outputs = tf.TensorArray(tf.float32, size=tf.shape(sequence)[0])
    for i in tf.range(tf.shape(sequence)[0]):
        state = cell(sequence[i], state, kernel)
        outputs = outputs.write(i, state)
    return tf.transpose(outputs.stack(), [1, 0, 2])


def _inputs(batch, time, features, units):
    draw = np.random.default_rng(0).standard_normal
    shapes = ((batch, time, features), (batch, units), (features, units))
    return tuple(tf.constant(draw(shape).astype(np.float32)) for shape in shapes)


EXAMPLES = [(dynamic_rnn, [_inputs(2, 3, 4, 5), _inputs(1, 6, 2, 2)])]


def main():
    print(autograph.to_code(dynamic_rnn))
    inputs = _inputs(2, 3, 4, 5)
    graph = tf.function(dynamic_rnn)
    print(graph(*inputs))
    print(graph.get_concrete_function(*inputs).graph)


if __name__ == "__main__":
    main()
