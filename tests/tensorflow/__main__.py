"""Write down what TensorFlow does with the programs: `python -m tests.tensorflow`, where it is installed."""

import json
import os
import sys
import warnings
from pathlib import Path

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["AUTOGRAPH_VERBOSITY"] = "0"

import tensorflow as tf  # noqa: E402 - reads what is set above

from tests.tensorflow.observing import NAMES, observed  # noqa: E402

FIGURES = Path(__file__).with_name("figures.json")


def main():
    tf.get_logger().setLevel("ERROR")
    warnings.simplefilter("ignore")
    wanted = sys.argv[1:] or NAMES
    figures = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    figures = {name: found for name, found in figures.items() if name in NAMES}
    for name in wanted:
        figures[name] = observed(tf, name)
        print(f"{name}: {len(figures[name])} observations of TensorFlow {tf.__version__}")
        write(figures)  # some programs take minutes: what has been seen is kept


def write(figures):
    lines = [
        json.dumps(name) + ": {\n" + ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in found.items()) + "\n}"
        for name, found in sorted(figures.items())
    ]
    FIGURES.write_text("{\n" + ",\n".join(lines) + "\n}\n")


main()
