"""break, continue and return, anywhere."""


def return_from_loops(n=7):
    for i in range(10):
        while True:
            if i > n:
                return "inner", i
            if i % 2 == 0:
                break
            i += 100
            if i > 50:
                break
    else:
        return "else"


def return_value_is_made_before_finally():
    log = []
    try:
        return log.append("value") or list(log)
    finally:
        log.append("finally")


def return_in_finally_wins(n=3):
    try:
        if n > 1:
            return "try"
    finally:
        if n > 2:
            return "finally"


def return_in_finally_swallows(n=3):
    try:
        if n > 1:
            raise ValueError
    finally:
        if n > 2:
            return "swallowed"


def break_in_finally_swallows():
    found = []
    for i in range(3):
        try:
            if i == 1:
                raise ValueError
            found.append(i)
        finally:
            if i == 1:
                break
    return found


def continue_in_finally_swallows():
    found = []
    for i in range(3):
        try:
            if i == 1:
                raise ValueError
            found.append(i)
        finally:
            continue
    return found, i


def continue_in_try():
    found = []
    for i in range(4):
        try:
            if i == 1:
                continue
            if i == 2:
                break
            found.append(i)
        except ValueError:
            pass
        else:
            found.append("else")
        finally:
            found.append("finally")
    return found


def return_in_except_and_else(n=3):
    found = []
    for error in (KeyError, None, ValueError):
        found.append(attempt(error, n))
    return found


def attempt(error, n):
    try:
        if error is not None and n > 1:
            raise error
    except KeyError:
        if n > 2:
            return "key"
    except ValueError:
        return "value"
    else:
        if n > 1:
            return "else"
    return "end"


def return_through_with():
    log = []

    class Log:
        def __enter__(self):
            log.append("enter")

        def __exit__(self, kind, error, traceback):
            log.append(kind and kind.__name__)

    def inner(n):
        with Log():
            if n > 1:
                return "in"
        return "out"

    return inner(3), inner(0), log


def with_that_swallows_after_return():
    class Swallow:
        def __enter__(self):
            pass

        def __exit__(self, *error):
            return True

    class Fails:
        def __enter__(self):
            pass

        def __exit__(self, *error):
            raise KeyError("on the way out")

    def inner(n):
        with Swallow():
            with Fails():
                if n > 1:
                    return "returned"
        return "went on"

    return inner(3), inner(0)


def early_returns_in_a_row(n=5):
    if n < 0:
        return "negative"
    m = n * 2
    if m > 100:
        return "large"
    k = m + 1
    if k == 11:
        return "eleven"
    return n, m, k


def twenty_returns_with_work_between(n=13):
    x = n
    if x == 1:
        return 1, x
    x -= 1
    if x == 2:
        return 2, x
    x -= 1
    if x == 3:
        return 3, x
    x -= 1
    for i in range(3):
        if x == 7:
            return 4, x
        x -= 1
        if x == 70:
            return 5, x
    x += 2
    if x == 4:
        return 6, x
    x += 1
    if x == 5:
        return 7, x
    x += 1
    if x == 6:
        return 8, x
    x += 1
    if x == 60:
        return 9, x
    x += 1
    if x == 61:
        return 10, x
    x += 1
    if x == 62:
        return 11, x
    x += 1
    if x == 63:
        return 12, x
    x += 1
    if x > 10:
        return 13, x
    return 14, x


def skips_in_a_row():
    found = []
    for i in range(12):
        if i == 1:
            continue
        found.append(1)
        if i == 2:
            continue
        found.append(2)
        if i == 3:
            continue
        found.append(3)
        if i == 4:
            continue
        found.append(4)
        if i == 5:
            continue
        found.append(5)
        if i == 6:
            continue
        found.append(6)
        if i == 7:
            continue
        found.append(7)
        if i == 8:
            continue
        found.append(8)
        if i == 9:
            break
        found.append(9)
        if i == 10:
            continue
        found.append(i)
    return found


def code_behind_a_jump():
    for i in range(3):
        break
        i = 100
    return i
    unreachable = i


def return_nothing(n=3):
    if n > 1:
        return
    return n


def falls_off_the_end(n=3):
    if n > 5:
        return n


def names_like_generated_ones(n=3):
    did_return, return_value, if_body, loop_body, ag__ = 1, 2, 3, 4, 5
    for i in range(n):
        if i > 1:
            return did_return, return_value, if_body, loop_body, ag__, i
        ag__ += 1
