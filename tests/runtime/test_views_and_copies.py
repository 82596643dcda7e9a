"""Whether what NumPy's functions give shares memory with what they were given: as in NumPy, or it is refused."""

import numpy as np
import pytest

import runtime as tf
from autograph import StagingError
from tests.programs import load

EXPRESSIONS = """
np.pad(a,0)
np.pad(a,n*0)
np.roll(a,0)
np.tile(a,1)
np.repeat(a,1,axis=0)
np.concatenate([a])
np.stack([a])[0]
np.array([a])[0]
np.vstack([a])
np.hstack([a])
np.sort(a,axis=0)
np.clip(a,None,None)
a.clip(-1e9)
np.round(a,3)
np.rint(a)
np.floor(a)
np.where(True,a,a)
np.abs(a)
np.positive(a)
+a
a+0
a*1
a/1
a**1
np.real(a)
a.real
np.conj(a)
a.conj()
np.conjugate(a)
np.nan_to_num(a)
np.cumsum(a[:1],axis=0)
np.sum(a[None],axis=0)
np.mean(a[None],axis=0)
a[None].max(axis=0)
a[None].sum(axis=0)
np.sum(a,axis=())
np.max(a,axis=())
np.squeeze(a[None],0)
a[None].squeeze(0)
np.take(a,range(len(a)),axis=0)
a[list(range(len(a)))]
a[np.arange(len(a))]
a[np.ones(len(a),bool)]
a[a==a].reshape(a.shape)
np.compress([True]*len(a),a,axis=0)
np.delete(a,[],axis=0)
np.insert(a,[],[],axis=0)
np.append(a,np.zeros((0,)+a.shape[1:]),axis=0)
np.resize(a,a.shape)
np.reshape(a,a.shape)
a.reshape(a.shape)
a.reshape(*a.shape,order='F')
a.reshape(-1,order='F').reshape(a.shape,order='F')
np.broadcast_to(a,a.shape).copy()
np.atleast_1d(a)
np.atleast_2d(a)
np.atleast_3d(a)
np.expand_dims(a,0)
np.moveaxis(a,0,0)
np.swapaxes(a,0,0)
np.transpose(a)
np.rollaxis(a,0)
np.flip(a)
np.flipud(a)
np.rot90(np.atleast_2d(a),0)
np.rot90(np.atleast_2d(a),4)
np.rot90(np.atleast_2d(a),2)
np.fliplr(np.atleast_2d(a))
np.diagonal(np.atleast_2d(a))
np.diag(a)
np.triu(np.atleast_2d(a),-99)
np.tril(np.atleast_2d(a),99)
np.diff(a,n=0)
np.array(a)
np.array(a,copy=True)
np.array(a,copy=None)
np.array(a,dtype=float)
np.array(a,dtype=a.dtype,copy=False)
np.asarray(a)
np.asarray(a,dtype=float)
np.asarray(a,dtype=a.dtype)
np.asanyarray(a)
np.ascontiguousarray(a)
np.asfortranarray(a)
np.copy(a)
a.copy()
a.astype(float)
a.astype(float,copy=False)
a.astype(a.dtype,copy=True)
np.astype(a,float)
np.astype(a,float,copy=False)
a.flatten()
a.ravel()
np.ravel(a)
a.reshape(-1)
a.ravel('F')
a.ravel('A')
a.T.ravel()
a.T.T
a[:]
a[...]
a[()]
a[::1]
a[0:len(a)]
a[None][0]
np.split(a,1)[0]
np.array_split(a,2)[0]
np.hsplit(np.atleast_2d(a),1)[0]
np.vsplit(np.atleast_2d(a),1)[0]
np.dsplit(np.atleast_3d(a),1)[0]
np.unstack(a[None])[0]
np.meshgrid(a.ravel(),a.ravel(),sparse=True)[0]
np.meshgrid(a.ravel())[0]
np.broadcast_arrays(a,a)[0].copy()
np.ix_(np.arange(2))[0]
np.einsum('...->...',a)
np.linalg.matrix_power(np.eye(2),1)
np.linalg.matrix_power(np.atleast_2d(a)[:1,:1],1)
np.convolve(a.ravel(),[1.])
np.fft.fftshift(a)
np.fft.fftshift(a[:1])
np.apply_along_axis(lambda r:r,0,a)
np.block([a])
np.block(a)
np.column_stack([a])
np.dstack([a])
np.r_[a]
np.c_[a]
np.unwrap(a[:1])
np.trim_zeros(a.ravel()+1)
np.trim_zeros(a.ravel())
np.lib.stride_tricks.sliding_window_view(a,1,axis=0)
np.permute_dims(a)
np.matrix_transpose(np.atleast_2d(a))
np.atleast_2d(a).mT
np.select([a==a],[a])
np.choose(np.zeros(a.shape,int),[a])
np.extract(a==a,a)
np.partition(a,0,axis=0)
np.maximum.accumulate(a[:1],axis=0)
np.add.reduce(a[None],axis=0)
np.nansum(a[None],axis=0)
np.vectorize(lambda v:v)(a)
np.fmod(a,np.inf)
np.maximum(a,-np.inf)
np.minimum(a,a)
(a if len(a)>0 else a+1)
(lambda x:x)(a)
[a][0]
(a,)[0]
{'k':a}['k']
max([a],key=len)
list(a)[0]
tuple(a)[0]
next(iter(a))
[r for r in a][0]
np.split(a,[1])[0]
np.squeeze(a)
a.squeeze()
np.asarray_chkfinite(a)
a.flat[:]
a.diagonal() if a.ndim>1 else a
a.swapaxes(0,-1)
a.transpose()
a.take([0],axis=0)
a.repeat(1,axis=0)
a.round()
np.linspace(a,a,1)[0]
sum([a])
np.sum([a],axis=0)
np.prod([a],axis=0)
np.max([a],axis=0)
np.median([a],axis=0)
np.dot(a,1)
np.multiply(a,1)
np.roll(a,0,axis=0)
np.roll(a,len(a),axis=0)
np.linalg.norm(a[None],axis=0)
np.diff(a, n=0)
np.asarray(a, order='C')
np.asarray(a, order='F')
np.array(a, order='C', copy=None)
np.imag(a + 0j)
np.imag(a)
a.imag
np.meshgrid(a.ravel(), a.ravel(), copy=False)[0]
np.einsum('i...->...i', a)
np.ravel(a, 'K')
a.flatten('K')
a.copy().ravel()
(a + 1).ravel()
(a * 1).reshape(-1)
np.zeros((2, 3)).ravel() + a.ravel()[0]
a[1:].reshape(-1)
a[:1].ravel()
a[0:2].ravel()
np.array(a.flat)
np.array(a.flat, dtype=a.dtype)
np.array(a.flat, dtype=np.complex128)
np.array([a.flat])
np.asarray(a.flat)
np.asarray(a.flat)[1:3]
np.copy(a.flat)
np.copy(a.flat)[1:3]
np.ravel(a.flat)
np.transpose(a.flat)
np.reshape(a.flat, (2, 3))
np.ascontiguousarray(a.flat)
np.sort(a.flat)
np.real(a.flat)
a.flat.copy()
a.flat[1:3]
a.flat[[0, 1]]
""".strip().split("\n")
LAYOUTS = {
    "a row": lambda: np.arange(6.0),
    "in C order": lambda: np.arange(6.0).reshape(2, 3),
    "in Fortran's order": lambda: np.arange(6.0).reshape(3, 2).T,
    "with gaps": lambda: np.arange(12.0)[::2],
    "a part": lambda: np.arange(24.0).reshape(4, 6)[::2, ::2],
}
GIVEN = {**LAYOUTS, "of complex numbers": lambda: np.arange(6.0) * (1 + 2j)}
WRITES = ["b[...] = 99\n    return a, b", "a[...] = 99\n    return b.copy()"]
# What has to work where it is plain how the elements lie.
KNOWN = ["a.ravel()", "np.ravel(a)", "a.reshape(-1)", "np.ascontiguousarray(a)", "a.T.T", "a.flatten()"]
KNOWN += ["np.array(a.flat)", "np.copy(a.flat)[1:3]", "np.reshape(a.flat, (2, 3))", "a.flat[1:3]"]


def outcome(f, array):
    try:
        found = f(array, np.int64(0))
    except Exception as error:
        return error, None
    return [np.asarray(part).tolist() for part in (found if isinstance(found, tuple) else (found,))], array.tolist()


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_what_is_written_is_seen_where_numpy_shares_memory_and_nowhere_else(expression):
    for write in WRITES:
        f = load(f"def f(a, n):\n    b = {expression}\n    {write}\n", np=np)
        graph = tf.function(f, numpy=True)  # which is given arrays that lie in one way and in another
        for layout, make in GIVEN.items():
            (wanted, left), (found, kept) = outcome(f, make()), outcome(graph, make())
            if kept is None or left is None:
                assert left is None or expression not in KNOWN or layout not in ("a row", "in C order"), found
                continue
            assert (found, kept) == (wanted, left), (layout, write)


@pytest.mark.parametrize("given", ["np.array(a.flat)", "np.copy(a.flat)", "np.asarray(a.flat)", "np.ravel(a.flat)"])
@pytest.mark.parametrize("layout", ["in Fortran's order", "with gaps", "a part"])
def test_what_numpy_makes_of_an_iterator_of_an_array_with_gaps_cannot_be_written(given, layout):
    f = load(f"def f(a, n):\n    b = {given}\n    b[0] = 99\n    return b\n", np=np)
    assert isinstance(outcome(f, LAYOUTS[layout]())[0], ValueError)
    with pytest.raises(StagingError, match="a view of another array, which NumPy lets nobody write"):
        tf.function(f, numpy=True)(LAYOUTS[layout](), np.int64(0))


ASSIGNED = """
a.flat = [1, 2]
a.flat = np.arange(10)
a.flat = []
a.flat[:] = np.arange(a.size)
a.flat[1:4] = [7, 8]
a.flat[:2] = [1, 2, 3]
a.flat[[1, 2]] = np.arange(5)
a.flat[2] = [4, 5]
a.flat[a.flat[:] > 2] = [7, 8]
a.flat[a.flat[:] > 2] = a.flat[a.flat[:] > 3]
a.flat[n:] = [7.5, 8.5]
a.flat[1:4] = np.arange(5.0)[n:]
a.flat[1:4] = np.arange(5.0)[n + 4 :]
a.flat = a[:1].copy()
a.put([0, 1, 2], [n, 5])
""".strip().split("\n")


@pytest.mark.parametrize("native", [False, None])
@pytest.mark.parametrize("assigned", ASSIGNED)
def test_what_is_assigned_through_an_iterator_of_an_array_is_repeated_or_cut(assigned, native):
    f = load(f"def f(a, n):\n    {assigned}\n    return a\n", np=np)
    graph = tf.function(f, numpy=True, jit_compile=native)
    for make in LAYOUTS.values():
        for n in (0, 1, 3):
            results = []
            for g in (f, graph):
                array = make()
                try:
                    results.append((g(array, np.int64(n)).tolist(), array.tolist()))
                except ValueError as error:
                    results.append(str(error))
            assert results[0] == results[1]


def test_the_iterator_of_an_array_is_neither_an_array_nor_a_result():
    graph = tf.function(lambda a: isinstance(a.flat, np.ndarray) or isinstance(a.flat, np.flatiter) * 2, numpy=True)
    assert graph(np.ones(3)) == 2
    with pytest.raises(StagingError, match=r"make that a.ravel\(\)"):
        tf.function(lambda a: [a.flat], numpy=True)(np.ones(3))
    with pytest.raises(StagingError, match="its own elements through a.flat"):
        tf.function(lambda a: a.flat.__setitem__(slice(1, None), a[:2]), numpy=True)(np.ones(3))


def written_through_a_name(a, n):
    flat = a.flat
    for i in range(n):
        flat[i] = -1
        flat[i + 1 :] = [1.5, 2.5]
    return a


@pytest.mark.parametrize("make", LAYOUTS.values(), ids=LAYOUTS)
def test_a_loop_writes_through_an_iterator_of_an_array(make):
    mine, plain = make(), make()
    found = tf.function(written_through_a_name, numpy=True)(mine, np.int64(2))
    assert np.array_equal(found, written_through_a_name(plain, 2)) and np.array_equal(mine, plain)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_graph_for_arrays_that_lie_in_one_way_refuses_others(layout):
    def f(a):
        b = a.ravel()
        b[0] = 9
        return a + 0

    for given in LAYOUTS.values():
        concrete = tf.function(f).get_concrete_function(given())
        if concrete.inputs[0].shape.as_list() != list(LAYOUTS[layout]().shape):
            continue
        if given().flags.c_contiguous == LAYOUTS[layout]().flags.c_contiguous:
            wanted, array = LAYOUTS[layout](), LAYOUTS[layout]()
            assert np.array_equal(concrete(array), f(wanted)) and np.array_equal(array, wanted)
        else:
            with pytest.raises(tf.errors.InvalidArgumentError, match="the elements of 'a' (do not )?lie in C order"):
                concrete(LAYOUTS[layout]())


def kept(a):
    return a.ravel("K")


def two_results(a):
    p, q, r = np.zeros(3), np.zeros(3), np.zeros(3)
    np.modf(a, out=(p, q))
    np.divmod(a, 2, out=(None, r))
    return p, q, r


def copied(a):
    r = a.reshape(3, 1, copy=True)
    r[0] = 9.0
    return a.copy()


def not_copied(a):
    r = a.reshape(3, 1, copy=False)
    r[0] = 9.0
    return a.copy()


def item_with_dots(a):
    r = a[0, ...]
    r += 1.0
    return a.copy()


def part_without_dimensions(a):
    r, s = a[1:2].reshape(()), np.squeeze(a[2:3], axis=0)
    r += 5.0
    s *= 5
    return a.copy()


def written_below(a):
    r, s = a[:1].reshape(()), a[:1].squeeze()
    a[...] = 3
    return r + 0, s + 1, s.reshape(1)


def items_of_no_dimensions(a):
    r = a[:1].squeeze()
    r[...] = 9.0
    return a


def numbers_of_no_dimensions(a):
    s = a[:1].squeeze()
    t = 1 if s < 5 else 2
    while s < 4:
        s = s * 2 + 1
    return s + 1, t, np.sqrt(s), -s


def masked_reduction(a):
    o = np.full(1, 50.0)
    np.add.reduce(a, axis=0, keepdims=True, out=o, where=a > 2)
    return o


PROGRAMS = [
    kept, two_results, copied, not_copied, item_with_dots, part_without_dimensions, written_below,
    items_of_no_dimensions, numbers_of_no_dimensions, masked_reduction,
]  # fmt: skip


@pytest.mark.parametrize("native", [False, None, True])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_what_programs_write_and_read(program, native):
    mine, plain = np.array([1.5, 2.5, 7.0]), np.array([1.5, 2.5, 7.0])
    found, wanted = tf.function(program, numpy=True, jit_compile=native)(mine), program(plain)
    pairs = zip(tf.nest.flatten(found), tf.nest.flatten(wanted), strict=True)
    assert all(np.array_equal(a, b) for a, b in pairs)
    assert mine.tolist() == plain.tolist()


def flattened(a):
    b = np.ascontiguousarray(a)
    b[:1] = 7.0
    return b.sum()


@pytest.mark.parametrize("native", [False, None, True])
@pytest.mark.parametrize("first", LAYOUTS)
def test_calls_that_are_repeated_know_how_arrays_lie(first, native):
    """A graph that leaves its argument alone is found at once the next time, and not for arrays that it would write."""
    graph = tf.function(flattened, numpy=True, jit_compile=native)
    for layout in [first, *LAYOUTS] * 3:
        mine, plain = LAYOUTS[layout](), LAYOUTS[layout]()
        assert graph(mine) == flattened(plain)
        assert mine.tolist() == plain.tolist(), layout
    assert graph.experimental_get_tracing_count() <= 4


def test_an_order_that_decides_about_a_result():
    graph, c = tf.function(kept, numpy=True), np.arange(6.0).reshape(2, 3)
    assert graph(c).tolist() == kept(c).tolist()
    with pytest.raises(StagingError, match="'a' .* no known order of elements, so that order='K' cannot be told"):
        graph(np.asfortranarray(c))
    assert graph(c).tolist() == kept(c).tolist()


def test_arrays_without_dimensions_are_arrays():
    def of_a_copy(a):
        b = a.copy()
        r = b.ravel()
        r[:1] = 9.0
        return b

    def turned(a):
        r = a.T.ravel()
        r[:1] = 9.0
        return r

    for f in (of_a_copy, turned):
        mine, plain = np.array(5.0), np.array(5.0)
        assert np.array_equal(tf.function(f, numpy=True)(mine), f(plain))
        assert np.array_equal(mine, plain)


def kept_from_the_last_turn(b, n):
    d = b + 1.0
    for _ in range(n):
        for _ in b:
            b[:] = b[np.argsort(d, kind="stable")]
        d = b
    d = b
    return d


def kept_and_read_first(b, n):
    d = b + 1.0
    for _ in range(n):
        k = 0
        while k < 2 + (n > 1):
            b[k] = d[0] + 1
            k += 1
        d = b
    d = b
    return d


def kept_around_calls(b, n):
    d = b + 1.0

    def f(k):
        if k > 0:
            b[k] = d[0] + 1
            f(k - 1)

    for _ in range(n):
        f(n)
        d = b
    d = b
    return d


@pytest.mark.parametrize("program", [kept_from_the_last_turn, kept_and_read_first, kept_around_calls])
def test_an_array_that_may_be_the_one_written_is_not_read_as_it_was_before_the_loop(program):
    def array():
        return np.array([0.0, -1.0, 1.0, 0.0])

    with pytest.raises(StagingError, match="it is not known what 'd' holds"):
        tf.function(program, numpy=True).get_concrete_function(array(), np.int64(3))
    found = tf.function(program, numpy=True)(array(), np.int64(3))  # it has a graph for each number
    assert np.array_equal(found, program(array(), 3))


def test_whether_arrays_share_memory():
    def f(a, b):
        copy, part, turned, nothing = a.copy(), a[1:], a.T, a[:0]
        return [
            np.shares_memory(a, b), np.shares_memory(a, copy), np.shares_memory(a, part),
            np.may_share_memory(turned, a), np.shares_memory(a, nothing), np.shares_memory(copy, np.zeros(3)),
            np.shares_memory(a, a), np.shares_memory(a, np.asarray(a)), np.shares_memory(a, a + 1),
            np.shares_memory(a, np.reshape(a, -1)),
        ]  # fmt: skip

    a, b = np.ones((3, 3)), np.ones((3, 3))
    assert tf.function(f, numpy=True)(a, b) == f(a, b)
    with pytest.raises(StagingError, match="known only when the graph runs: they may be parts of one array"):
        tf.function(lambda x: np.shares_memory(x[1:], x[:1]))(a)


def test_a_tensor_that_is_a_part_of_another_is_not_written_unseen():
    def nested(a):
        a[0][1] = 9
        return a

    def added(a, i):
        a[i][1] += 9
        return a

    def of_a_list(a):
        both = [a, a + 1]
        both[1][0, 0] = 7
        return both[1]

    given = np.array([[1, 2], [3, 4]])
    for f, rest in ((nested, ()), (added, (1,))):
        wanted = f(given.copy(), *rest)
        np.testing.assert_array_equal(tf.function(f)(given.copy(), *rest), wanted)
        with pytest.raises(StagingError, match=r"(?s)\]\[1\] = .*a part of another.*Give all indices at once"):
            tf.function(f)(tf.constant(given), *rest)
    assert tf.function(of_a_list)(tf.constant(given)).numpy().tolist() == [[7, 3], [4, 5]]
