"""Programs as users of TensorFlow write them, held against what TensorFlow 2.21 does with them.

Each program of `programs` gets the library as `tf`, and tells `see` what to look at, and under which name. What
TensorFlow gives, prints and raises is kept in `figures.json`; ``python -m tests.tensorflow`` writes it anew where
TensorFlow is installed. Where the results differ on purpose, `tests/deviations.json` says why.
"""
