"""A recurrent network over sequences of different lengths: whether brackets match, which no fixed window can tell.

A sequence is of round and square brackets; it is right if each closes what was opened last. Shorter ones end in zeros,
which stand for nothing: the embedding hands on a mask, and the recurrent layer stops where a sequence ends.
"""

import numpy as np

import runtime as tf

CLOSES = {2: 1, 4: 3}  # the numbers of ")" and "]", and what they close


def is_right(sequence):
    """Whether the brackets match: the task, in plain Python."""
    waiting = []
    for number in sequence:
        if number in CLOSES:
            if not waiting or waiting.pop() != CLOSES[number]:
                return False
        else:
            waiting.append(number)
    return not waiting


def matching(draw, length):
    """A right sequence."""
    sequence, waiting = [], []
    while len(sequence) + len(waiting) < length:
        if waiting and draw.random() < 0.5:
            sequence.append(waiting.pop() + 1)
        else:
            waiting.append(int(draw.choice([1, 3])))
            sequence.append(waiting[-1])
    return sequence + [number + 1 for number in reversed(waiting)]


def examples(draw, count, longest):
    """Sequences, half of them right, of lengths from 2 on; and whether each is right."""
    sequences = []
    for number in range(count):
        sequence = matching(draw, 2 * int(draw.integers(1, longest // 2 + 1)))
        if number % 2:
            at = int(draw.integers(len(sequence)))
            sequence[at] = (sequence[at] + int(draw.integers(1, 4)) - 1) % 4 + 1
        sequences.append(sequence)
    rights = np.array([is_right(sequence) for sequence in sequences], np.float32)
    return tf.keras.utils.pad_sequences(sequences, longest, padding="post"), rights[:, None]


def network(units=32):
    return tf.keras.Sequential(
        [
            tf.keras.layers.Embedding(5, 8, mask_zero=True),
            tf.keras.layers.GRU(units),
            tf.keras.layers.Dense(1, activation="sigmoid"),
        ]
    )


def main(epochs=30, count=3000, longest=12):
    tf.keras.utils.set_random_seed(3)
    draw = np.random.default_rng(1)
    sequences, rights = examples(draw, count, longest)
    model = network()
    model.compile(optimizer=tf.keras.optimizers.Adam(0.01), loss="binary_crossentropy", metrics=["accuracy"])
    model.fit(sequences, rights, epochs=epochs, batch_size=64, verbose=0)
    unseen, answers = examples(draw, 1000, longest)
    share = model.evaluate(unseen, answers, verbose=0)[1]
    lengths = (unseen > 0).sum(1)
    print(f"{share:.1%} of {len(unseen)} unseen sequences right, of {lengths.min()} to {lengths.max()} brackets")
    return share


if __name__ == "__main__":
    main()
