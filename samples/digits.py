"""The main job on real input: a classifier of handwritten digits, trained by a loop in plain Python and NumPy.

`train` knows nothing of graphs. It is run as it is, converted, and as a graph; all three give the same numbers.
"""

import inspect
import time

import numpy as np

import autograph
import runtime


def softmax(scores):
    e = np.exp(scores - np.max(scores, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def train(x, y, weights, batch, rate, tolerance):
    """Mini-batch gradient descent until an epoch improves the loss by less than `tolerance`.

    x: images [count, pixels]; y: one-hot labels [count, classes]; weights: [pixels, classes].
    Returns the weights, the mean loss of the last epoch and the number of epochs.
    """
    count = len(x)
    epoch = 0
    loss = previous = 10.0
    improvement = 1.0
    while improvement > tolerance:  # until it converges
        loss = 0.0
        for start in range(0, count - batch + 1, batch):
            images, labels = x[start : start + batch], y[start : start + batch]
            p = softmax(images @ weights)
            loss = loss - np.sum(labels * np.log(p + 1e-12)) / count
            weights = weights - rate * (images.T @ (p - labels)) / batch
        epoch += 1
        if epoch == 200:
            break
        if loss > previous:  # the step was too long
            rate = rate * 0.5
            improvement = 1.0
        else:
            rate = rate * 1.05
            improvement = previous - loss
        previous = loss
    return weights, loss, epoch


def accuracy(weights, x, labels):
    """The share of images that are classified correctly."""
    return float(np.mean(np.argmax(x @ np.asarray(weights), axis=1) == labels))


def small_problem():
    """A few made-up images, for a quick check."""
    draw = np.random.default_rng(0)
    x = draw.random((40, 6))
    labels = np.argmax(x[:, :3], axis=1)
    return x, np.eye(3)[labels], np.zeros((6, 3)), np.int64(8), np.float64(0.5), np.float64(1e-3)


EXAMPLES = [(train, [small_problem()])]


def load():
    """The digits that scikit-learn ships: 1797 images of 8 by 8 pixels, a quarter of them kept for testing."""
    from sklearn.datasets import load_digits

    images, labels = load_digits(return_X_y=True)
    order = np.random.default_rng(7).permutation(len(images))
    images, labels = images[order] / 16, labels[order]
    cut = len(images) * 3 // 4
    return images[:cut], labels[:cut], images[cut:], labels[cut:]


def timed(function, *arguments):
    start = time.perf_counter()
    result = function(*arguments)
    return result, time.perf_counter() - start


def main():
    x, labels, test_x, test_labels = load()
    arguments = (x, np.eye(10)[labels], np.zeros((64, 10)), np.int64(32), np.float64(0.1), np.float64(1e-3))

    print("# The source\n")
    print(inspect.getsource(train))
    print("# Converted\n")
    print(autograph.to_code(train))
    graph = runtime.function(train)
    print("# The graph\n")
    print(graph.get_concrete_function(*arguments).graph)

    print(f"# Training on {len(x)} images, testing on {len(test_x)}\n")
    graph(*arguments)  # compile before timing
    runs = {
        "plain Python": timed(train, *arguments),
        "converted": timed(autograph.convert(train), *arguments),
        "graph": timed(graph, *arguments),
    }
    for name, ((weights, loss, epochs), seconds) in runs.items():
        share = accuracy(weights, test_x, test_labels)
        print(f"{name:13} {int(epochs):3} epochs   loss {float(loss):.12f}   accuracy {share:.4f}   {seconds:.3f} s")
    plain = runs["plain Python"][0]
    same = all(
        np.allclose(np.asarray(a), np.asarray(b), rtol=1e-9)
        for (r, _) in runs.values()
        for a, b in zip(plain[:2], r[:2])
    )
    print("\nAll three give the same numbers." if same else "\nThe numbers differ!")
    return 0 if same else 1


if __name__ == "__main__":
    raise SystemExit(main())
