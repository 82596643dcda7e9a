"""while, for, their else clauses, and what is left after them."""


def loop_variable_after_the_loop():
    for i in range(4):
        pass
    return i


def loop_variable_of_no_turns():
    for i in []:
        pass
    return i


def loop_variable_changed_inside():
    found = []
    for i in range(3):
        i = i * 10
        found.append(i)
    return found, i


def targets_of_every_kind():
    class Box:
        pass

    box, d, found = Box(), {}, []
    for box.x, d["k"] in [(1, 2), (3, 4)]:
        found.append((box.x, d["k"]))
    for (a, *b), c in [((1, 2, 3), 4)]:
        found.append((a, b, c))
    for found[0] in "ab":
        pass
    return box.x, d, a, b, c, found


def iterates_what_changes():
    items = [1, 2, 3]
    for i in items:
        if i < 3 and len(items) < 6:
            items.append(i * 10)
    return items


def dictionary_changed_while_iterating():
    d = {1: 2}
    for k in d:
        d[k + 1] = 0
    return d


def the_iterator_is_taken_once():
    log = []

    class Items:
        def __iter__(self):
            log.append("iter")
            return iter([1, 2])

    for i in Items():
        log.append(i)
    return log


def not_iterable(n=5):
    for i in n:
        pass


def iterator_that_fails():
    def items():
        yield 1
        raise LookupError("in the middle")

    found = []
    try:
        for i in items():
            found.append(i)
    except LookupError as error:
        found.append(str(error))
    return found


def old_protocol():
    class Old:
        def __getitem__(self, i):
            if i > 2:
                raise IndexError
            return i * i

    return [i for i in Old()], sum_of(Old())


def sum_of(items):
    total = 0
    for i in items:
        total += i
    return total


def else_of_for():
    found = []
    for stop in (1, 9):
        for i in range(3):
            if i == stop:
                break
        else:
            found.append("else")
        found.append(i)
    return found


def else_of_while():
    found = []
    for stop in (1, 9):
        i = 0
        while i < 3:
            if i == stop:
                break
            i += 1
        else:
            found.append("else")
        found.append(i)
    return found


def else_after_an_error():
    found = []
    try:
        for i in [1]:
            raise ValueError
        else:
            found.append("else")
    except ValueError:
        found.append("error")
    return found


def generator_closed_at_break():
    log = []

    def items():
        try:
            yield 1
            yield 2
        finally:
            log.append("closed")

    for i in items():
        if i:
            break
    log.append("after")
    return log


def generator_not_kept_alive():
    log = []

    class Item:
        def __del__(self):
            log.append("gone")

    for i in [Item()]:
        pass
    del i
    log.append("after")
    return log


def test_of_while_is_asked_each_turn():
    log = []

    def more():
        log.append("more")
        return len(log) < 4

    while more():
        log.append("turn")
    return log


def walrus_in_a_loop_test():
    items, found = [1, 2, 0, 3], []
    while item := items.pop(0):
        found.append(item)
    return found, item, items


def closures_in_a_loop_bind_late():
    functions = []
    for i in range(3):
        functions.append(lambda: i)
    return [f() for f in functions]


def closures_in_a_while_loop_bind_late():
    functions, i = [], 0
    while i < 3:
        square = i * i
        functions.append(lambda: (i, square))
        i += 1
    return [f() for f in functions]


def defaults_bind_early():
    functions = []
    for i in range(3):
        if i % 2 == 0:
            functions.append(lambda i=i: i)
    return [f() for f in functions]


def nested_loops_and_continue():
    found = []
    for i in range(3):
        for j in range(3):
            if j == i:
                continue
            if j > i + 1:
                break
            found.append((i, j))
        else:
            found.append("all")
            continue
        found.append("broken")
    return found


def unbound_in_a_loop():
    for i in range(2):
        if i > 0:
            print(y)
        else:
            z = 1
            if z > 5:
                y = 1


def deleted_in_a_loop():
    x = 1
    for i in range(2):
        del x


def while_false():
    while False:
        x = 1
    return x


def while_true_with_return():
    n = 0
    while True:
        n += 1
        if n > 5:
            return n


def endless_until_an_error():
    it, found = iter([1, 2]), []
    try:
        while 1:
            found.append(next(it))
    except StopIteration:
        return found


def augmented_assignments():
    x, y, z = [1], (1,), {"a": 1}
    alias = x
    for i in range(2):
        x += [i]
        y += (i,)
        z["a"] += i
        z |= {i: i}
    return x, alias is x, y, z


def string_and_bytes_and_dict_loops():
    found = []
    for c in "ab":
        found.append(c)
    for b in b"ab":
        found.append(b)
    for k, v in {"x": 1}.items():
        found.append((k, v))
    for i, (a, b) in enumerate(zip([1, 2], "xy")):
        found.append((i, a, b))
    return found


def recursion_in_a_loop(n=4):
    total = 0
    for i in range(n):
        if i % 2 == 1:
            total += recursion_in_a_loop(i)
        total += i
    return total


def deep_recursion(n=300):
    if n == 0:
        return 0
    return 1 + deep_recursion(n - 1)
