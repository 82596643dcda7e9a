"""What the examples in docstrings begin with."""

import pytest


@pytest.fixture(autouse=True, scope="session")
def names_of_examples(doctest_namespace):
    """``import numpy as np`` and ``import runtime as tf``, which no example repeats."""
    import numpy as np

    import runtime as tf

    doctest_namespace.update(np=np, tf=tf, __name__="__main__")  # where a user would try them, not inside of a library


@pytest.fixture(autouse=True)
def numbers_of_layers(request):
    """Layers are numbered from the beginning in each example."""
    if isinstance(request.node, pytest.DoctestItem):
        from runtime.keras import backend

        backend.clear_session()
