"""The main job on real input: a classifier of handwritten digits, trained by a loop in plain Python and NumPy.

`train` knows nothing of graphs. It is run as it is, converted, and as a graph; all three give the same numbers.
"""

import inspect
import itertools
import os
import shutil
import sys
import textwrap
import time
from pathlib import Path

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


def beside(texts, each):
    """Texts under their titles, in columns of that width; one after the other where that is too narrow."""
    if each < NARROW:
        return "".join(f"# {title}\n\n{text.strip()}\n\n" for title, text in texts.items())
    columns = [[title, "-" * each, *cut(text, each)] for title, text in texts.items()]
    rows = itertools.zip_longest(*columns, fillvalue="")
    return "\n".join(" | ".join(line.ljust(each) for line in row).rstrip() for row in rows) + "\n\n"


def cut(text, width):
    """The lines of a text, those that are too long in several."""
    for line in text.strip().splitlines():
        margin = " " * (len(line) - len(line.lstrip()) + 8)
        yield from textwrap.wrap(line, width, subsequent_indent=margin, drop_whitespace=False) or [""]


def main(page=None):
    x, labels, test_x, test_labels = load()
    arguments = (x, np.eye(10)[labels], np.zeros((64, 10)), np.int64(32), np.float64(0.1), np.float64(1e-3))
    graph = runtime.function(train)
    first = timed(graph, *arguments)[1]
    each = shutil.get_terminal_size((100, 24)).columns // 3 - 3
    texts = {
        "You write": inspect.getsource(train),
        "The compiler makes of it": autograph.to_code(train, width=each if each >= NARROW else 100),
        "And, given arrays, the graph": str(graph.get_concrete_function(*arguments).graph),
    }
    print(beside(texts, each), end="")

    print(f"# Training on {len(x)} images, testing on {len(test_x)}\n")
    converted = autograph.convert(train)
    forms = {"plain Python": train, "converted": converted, "graph": graph}
    rounds = [{name: timed(form, *arguments) for name, form in forms.items()} for _ in range(3)]
    results = {name: rounds[0][name][0] for name in forms}
    seconds = {name: min(r[name][1] for r in rounds) for name in forms}
    for name, (weights, loss, epochs) in results.items():
        share, gain = accuracy(weights, test_x, test_labels), seconds["plain Python"] / seconds[name]
        told = f"{seconds[name]:.3f} s" + (f"   {gain:.1f} times as fast" if gain > 1.2 else "")
        print(f"{name:13} {int(epochs):3} epochs   loss {float(loss):.12f}   accuracy {share:.4f}   {told}")
    same = all(
        np.allclose(np.asarray(a), np.asarray(b), rtol=1e-9)
        for result in results.values()
        for a, b in zip(results["plain Python"][:2], result[:2])
    )
    print("\nAll three give the same numbers." if same else "\nThe numbers differ!")
    print(f"The first call traced and compiled the graph, in {first:.2f} s.")
    if page is not None:
        page.parent.mkdir(parents=True, exist_ok=True)
        runtime.explore(train, *arguments, times=True).save(page)
        python = os.path.relpath(sys.executable) if sys.executable.startswith(os.getcwd()) else sys.executable
        print(NEXT.format(page=page, python=python))
    return 0 if same else 1


NARROW = 48
NEXT = """
All of this side by side, linked line by line, with times: open {page} in a browser. And next:

  {python} -m autograph samples/fizzbuzz.py --diff
  {python} -i -c 'import autograph, runtime; from samples.collatz import collatz'
  >>> print(autograph.to_code(collatz))
  >>> runtime.function(collatz)(27)"""


if __name__ == "__main__":
    raise SystemExit(main(Path("build") / "digits.html"))
