"""Lists that staged statements change, comprehensions, and what is made of items."""

# ruff: noqa: SIM102, RET503, RET505, B007, E731, PERF401, PERF402, C400, C416, C417, C419, SIM110
import runtime as tf
from tests.staged import on


@on(3, 0)
def append_in_for(n):
    out = []
    for i in tf.range(n):
        out.append(i * 2)
    return out


@on(3, 1)
def append_in_while(n):
    out = [0]
    while n > 0:
        out.append(n)
        n -= 1
    return len(out), out[-1], out[0], out


@on(3, -3)
def append_in_a_branch(x):
    out = [x, 5]
    if x > 0:
        out.append(x + 1)
    return len(out), out[-1], out


@on(3, 0)
def append_floats_and_ints(n):
    out = [0]
    for i in tf.range(n):
        out.append(out[-1] + 0.5)
    return out


@on(3, 0)
def append_constants(n):
    out = []
    for i in tf.range(n):
        out.append(1)
    return out, len(out)


@on(3, 0)
def append_tuples(n):
    out = [(0, 1.5)]
    for i in tf.range(n):
        out.append((i, 2.0))
    return out


@on(3, 0)
def append_vectors(n):
    out = []
    for i in tf.range(n):
        out.append(tf.stack([i, i * i]))
    return out


@on(6, 1)
def append_sometimes(n):
    out = []
    for i in tf.range(n):
        if i % 2 == 1:
            continue
        out.append(i)
    return out


@on(3, 1)
def stacked(n):
    out = []
    for i in tf.range(n):
        out.append(i * i)
    return tf.stack(out)


@on(3, 0)
def extend(n):
    out = [9]
    for i in tf.range(n):
        out.extend([i, i + 1])
    return out


@on(3, 0)
def augmented(n):
    out = []
    while n > 0:
        out += [n]
        n -= 1
    return out


@on(3, 0)
def made_anew(n):
    out = []
    while n > 0:
        out = out + [n]
        n -= 1
    return out


@on(3, 0)
def stack_of_work(n):
    work = [n]
    total = 0
    while len(work) > 0:
        v = work.pop()
        total += v
        if v > 0:
            work.append(v - 1)
            if v % 2 == 0:
                work.append(v - 2)
    return total


@on(3, 1)
def while_not_empty(n):
    work = [n, n + 1]
    total = 0
    while work:
        total = total * 10 + work.pop()
    return total


@on(4, 1)
def pop_from_the_front(n):
    queue = [n]
    seen = 0
    while queue and seen < 10:
        v = queue.pop(0)
        seen += v
        if v > 1:
            queue.append(v - 1)
    return seen, len(queue)


@on(1, -1)
def pop_in_a_branch(x):
    items = [1, 2, 3]
    if x > 0:
        items.pop()
    return items


@on(2, 0)
def pop_from_empty(n):
    items = []
    for i in tf.range(n):
        items.append(i)
    return items.pop()


@on(2, -2)
def insert_and_reverse(x):
    items = [1, 2]
    if x > 0:
        items.insert(0, x)
        items.reverse()
    return items


@on(4, 2)
def items_set(n):
    items = [0, 0, 0, 0, 0]
    for i in tf.range(n):
        items[i] = i * i
    return items


@on(9, -9)
def item_set_in_a_branch(x):
    items = [1, 2, 3]
    if x > 0:
        items[1] = x
    return items


@on(4, 2)
def iterated(n):
    out = []
    for i in tf.range(n):
        out.append(i)
    total = 0
    for e in out:
        total = total * 10 + e
    return total


def add(items, value):
    items.append(value)


@on(4, 2)
def changed_by_a_helper(n):
    out = []
    for i in tf.range(n):
        if i % 2 == 0:
            add(out, i)
    return out


def fill(items, n):
    for i in tf.range(n):
        items.append(i)


@on(4, 0)
def filled_by_a_helper(n):
    out = [7]
    fill(out, n)
    return out


@on(4, 0)
def known_by_two_names(n):
    out = []
    other = out
    for i in tf.range(n):
        out.append(i)
    return len(other), other


class Box:
    def __init__(self):
        self.items = []

    def put(self, value):
        self.items.append(value)

    def total(self):
        return sum(self.items)


@on(4, 1)
def attribute_list(n):
    box = Box()
    for i in tf.range(n):
        box.put(i)
    return box.items, box.total()


@on(2, 1)
def rows_of_lists(n):
    rows = []
    for i in tf.range(n):
        row = []
        for j in range(3):
            row.append(i * j)
        rows.append(row)
    return rows


@on(4, 2)
def parts(n):
    out = []
    for i in tf.range(n):
        out.append(i)
    return out[1:], out[::-1], out[0], out[-1], out[:-1]


@on(4, 2)
def asked(n):
    out = []
    for i in tf.range(n):
        out.append((i * 7) % 5)
    return sum(out), max(out), min(out), 2 in out, any(e > 3 for e in out), sorted(out)


@on(4, 2)
def copied(n):
    out = []
    for i in tf.range(n):
        out.append(i)
    other = out.copy()
    other.append(100)
    third = list(out)
    third.append(200)
    return out, other, third


@on(4, 2)
def cleared(n):
    out = [1, 2]
    if n > 3:
        out.clear()
    return len(out)


@on(4, 2)
def two_lists(n):
    even, odd = [], []
    for i in tf.range(n):
        if i % 2 == 0:
            even.append(i)
        else:
            odd.append(i)
    return even, odd


@on(1, 2, 5)
def primes(n):
    found = []
    candidate = 2
    while len(found) < n:
        is_prime = True
        for p in found:
            if candidate % p == 0:
                is_prime = False
                break
        if is_prime:
            found.append(candidate)
        candidate += 1
    return found


@on([3, -1, 2])
def comprehension(v):
    return [x * 2 for x in v]


@on([3, -1, 2])
def comprehension_with_a_condition(v):
    return [x for x in v if x > 0]


@on([3, -1, 2])
def comprehension_with_two_conditions(v):
    return [x for x in v if x > 0 if x < 3]


@on((3, -1), (-3, -1))
def comprehension_over_python_items(a, b):
    return [x * 10 for x in (a, b) if x > 0]


@on([3, -1, 2])
def comprehension_with_index(v):
    return [i * x for i, x in enumerate(v)]


@on([3, -1, 2])
def comprehension_of_branches(v):
    return [x if x > 0 else -x for x in v]


@on(4)
def comprehension_over_a_range(n):
    return [i * i for i in range(n)]


@on((2, 3))
def comprehension_of_a_function(a, b):
    def f(x):
        if x > 2:
            return x
        return -x

    return [f(v) for v in (a, b)]


@on([3, -1, 2])
def generators(v):
    return sum(x * x for x in v), any(x > 2 for x in v), all(x > 0 for x in v), max(x * x for x in v)


@on([3, -1, 2])
def generator_with_a_condition(v):
    return sum(x for x in v if x > 0), list(x * 2 for x in v if x < 3)


@on([3, -1, 2])
def loop_over_a_generator(v):
    s = 0
    for x in (e * 2 for e in v if e > 0):
        s += x
    return s


@on([3, -1, 2])
def loop_over_a_comprehension(v):
    s = 0
    for x in [e * 2 for e in v if e > 0]:
        s = s * 10 + x
    return s


@on([3, -1, 2])
def maps_and_filters(v):
    s = 0
    for x in map(lambda q: q if q > 0 else -q, v):
        s += x
    for x in filter(lambda q: q > 0, v):
        s += x * 10
    return s, sum(map(lambda a, b: a * b, v, v))


@on([3, -1, 2])
def list_of_a_tensor(v):
    items = list(v)
    items.append(7)
    return items, len(items)


@on([3, -1, 2])
def tensor_functions(v):
    return sum(v), min(v), max(v), any(v > 2), all(v > -5), len(v)


@on((3, -1), (-3, 5))
def several_values(a, b):
    return min(a, b), max(a, b, 2), min([a, b]), max((a, b)), sum([a, b]), sorted([a, b]), sorted([a, b], reverse=True)


@on([3, -1, 2])
def with_keys(v):
    return max(v, key=lambda q: -q), min(v, key=lambda q: q * q), max([], default=v[0])


@on([3, -1, 2])
def nested_loops_over_lists(v):
    pairs = []
    for a in v:
        for b in v:
            if a < b:
                pairs.append((a, b))
    return pairs


@on(1, 0)
def dictionary_of_lists(x):
    d = {"a": [], "b": [1]}
    if x > 0:
        d["a"].append(x)
    return d


@on(3, 1)
def returned_early(n):
    out = []
    for i in tf.range(5):
        if i >= n:
            return out
        out.append(i)
    return out


@on(3, 1)
def list_that_is_an_argument(n):
    def inner(items):
        for i in tf.range(n):
            items.append(i)
        return items

    return inner([5])


@on(3, 0)
def deleted_items(n):
    items = [1, 2, 3, 4]
    while n > 0:
        del items[0]
        n -= 1
    return items


@on(3, 0)
def exchanged_parts(n):
    items, other = [1, n], [n]
    for i in range(n):
        items.append(i)
        other += items
        del items[:1]
        items[1:2] = [n]
        items[2:] = (n, n * 2)
        items[:1] = [n * 7, i]
        items[5:2] = items
        del items[-1:]
        other[:] = other[1:]
    return items, other


@on([3, -4, 5])
def parts_that_become_what_is_left(v):
    items, other, third = [1, 2], [1, 2, 3], [4, 5]
    items[:] = [e for e in v if e > 0]
    other[-2:-1] = [e for e in v if e > 0]
    third[1:] = [e * 2 for e in v]
    return items, other, third


@on(3, 0, -1)
def parts_that_the_graph_knows(n):
    items, other = [5, 6, 7, 8], [1, 2]
    items[n:] = [n, n]
    del other[:n]
    return items, other


@on([3, 4])
def list_arguments(v):
    def build(items, k):
        for e in v:
            if e > k:
                items.append(e)
        return items[k], len(items)

    return build([1, 2, 3], v[0] - 2)


@on([3, 4])
def star_displays(v):
    list = lambda *_: 0  # noqa: A001
    old = [1, 2]
    new = [*old]
    both = [0, *old, 5, *v, 6]
    new.append(9)
    both.append(list())
    return old, new, both


@on(3, 0)
def list_changed_before_an_unbound_name(n):
    items = []
    i = 0
    while i < n:
        i += 1
        items += [0]
        items.append(w)  # noqa: F821
    else:
        w = 1
    return items, w


@on((3, 1), (1, 3), (2, 2))
def sorted_in_place(n, m):
    items = [n, m, 2]
    items.sort()
    least = items[0]
    items.sort(key=lambda v: -v)
    items.append(5)
    return least, items, len(items)


@on(3, 0, plain=True)
def text_of_elements(n):
    items, word = [], ""
    for i in range(n):
        items.append(i * i)
    for item in items:
        word += str(item) + f"{item + 1}"
    while len(items) > 1:
        word += str(items.pop(0))
    return word, str(sum([i * 2 for i in range(n)]) % 101), str(len(items))
