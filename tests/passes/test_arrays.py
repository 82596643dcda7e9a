import pytest

from autograph.passes import arrays
from tests.rewriting import rewritten

MODULES = {"np": "numpy", "zeros": "numpy", "normal": "numpy.random", "ones": "numpy._core.numeric", "torch": "torch"}


@pytest.mark.parametrize(
    "before, after",
    [
        ("z = np.zeros(3)\nz[0] = 1", "z = ag__.array(np.zeros(3))\nz[0] = 1"),
        ("z = np.zeros(3)\nz += x", "z = ag__.array(np.zeros(3))\nz += x"),
        ("z = np.zeros(3)\nz.T[0][1] = x", "z = ag__.array(np.zeros(3))\nz.T[0][1] = x"),
        ("z = np.empty(3)\nnp.add(x, y, out=z)", "z = ag__.array(np.empty(3))\nnp.add(x, y, out=z)"),
        ("z = np.add(x, y, out=np.zeros(3))", "z = np.add(x, y, out=ag__.array(np.zeros(3)))"),
        ("z = np.empty(3)\nnp.add(x, y, z)", "z = ag__.array(np.empty(3))\nnp.add(x, y, z)"),
        ("z = zeros(3)\nnp.add.at(z, i, 1)", "z = ag__.array(zeros(3))\nnp.add.at(z, i, 1)"),
        ("z = ones(3)\nz.sort()", "z = ag__.array(ones(3))\nz.sort()"),
        ("z = np.ones(3) * 2\nnp.copyto(z, x)", "z = ag__.array(np.ones(3) * 2)\nnp.copyto(z, x)"),
        ("z = -np.arange(6).reshape(2, 3)\nz[0] = 1", "z = ag__.array(-np.arange(6).reshape(2, 3))\nz[0] = 1"),
        ("z = np.zeros(3)\nhelper(z)", "z = ag__.array(np.zeros(3))\nhelper(z)"),
        ("z = np.zeros(3)\nrow = z[0]\nrow[1] = 2", "z = ag__.array(np.zeros(3))\nrow = z[0]\nrow[1] = 2"),
        ("z = np.zeros(9)\nfor row in z: row[0] = 1", "z = ag__.array(np.zeros(9))\nfor row in z:\n    row[0] = 1"),
        ("a, b = np.zeros(3), x\na[0] = 1", "a, b = ag__.array(np.zeros(3)), x\na[0] = 1"),
        ("a, b = np.zeros(3), np.ones(3)\na, b = b, a\na[0] = 1",)
        + ("a, b = ag__.array(np.zeros(3)), ag__.array(np.ones(3))\na, b = b, a\na[0] = 1",),
        ("z: object = np.zeros(3)\nz[0] = 1", "z: object = ag__.array(np.zeros(3))\nz[0] = 1"),
        ("z = np.zeros(3) if c else x\nz[0] = 1", "z = ag__.array(np.zeros(3)) if c else x\nz[0] = 1"),
        ("z = y or np.zeros(3)\nz += x", "z = y or ag__.array(np.zeros(3))\nz += x"),
        ("z = np.zeros(3) if c else x", "z = np.zeros(3) if c else x"),
        ("z = np.zeros(3)", "z = np.zeros(3)"),  # nobody writes it
        ("z = np.zeros(3)\ny = np.sum(z)", "z = np.zeros(3)\ny = np.sum(z)"),
        ("z = np.asarray(x)\nz[0] = 1", "z = np.asarray(x)\nz[0] = 1"),  # it may be somebody else's
        ("z = x\nz[0] = 1", "z = x\nz[0] = 1"),
        ("z = torch.zeros(3)\nz[0] = 1", "z = torch.zeros(3)\nz[0] = 1"),
        ("z = dict()\nz[0] = 1", "z = dict()\nz[0] = 1"),
        ("self.z = np.zeros(3)", "self.z = ag__.array(np.zeros(3))"),  # whoever has the object may write it
        ("z = {'a': np.zeros(3)}\nz['a'][0] = 1", "z = {'a': ag__.array(np.zeros(3))}\nz['a'][0] = 1"),
        ("z = [np.ones(3) for _ in y]\nz[0][0] = 1", "z = [ag__.array(np.ones(3)) for _ in y]\nz[0][0] = 1"),
        ("return np.zeros(3), np.sin(y)", "return ag__.array(np.zeros(3)), np.sin(y)"),
        ("return np.stack([y, y])", "return np.stack([y, y])"),
        ("z = np.zeros(3)\nreturn z", "z = ag__.array(np.zeros(3))\nreturn z"),
        ("f(np.zeros(3), k=np.ones(2))", "f(ag__.array(np.zeros(3)), k=ag__.array(np.ones(2)))"),
        ("global z\nz = np.zeros(3)\nz[0] = 1", "global z\nz = np.zeros(3)\nz[0] = 1"),
    ],
)  # fmt: skip
def test_an_array_that_is_written_is_made_by_a_call(before, after):
    assert rewritten(before, arrays, modules=MODULES) == after


def test_without_numpy_nothing_changes():
    assert rewritten("z = np.zeros(3)\nz[0] = 1", arrays) == "z = np.zeros(3)\nz[0] = 1"
