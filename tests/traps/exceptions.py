"""raise, try, except, except*, finally, with."""


def type_and_message(n=3):
    if n > 1:
        raise KeyError("missing", n)


def cause_and_context():
    def chain_of(error):
        found = []
        while error is not None:
            found.append((type(error).__name__, str(error), error.__suppress_context__))
            error = error.__cause__ or error.__context__
        return found

    try:
        try:
            if chain_of:
                raise KeyError("first")
        except KeyError as error:
            if error:
                raise ValueError("second") from error
    except ValueError as error:
        first = chain_of(error)
    try:
        try:
            if first:
                raise KeyError("first")
        except KeyError:
            if first:
                raise ValueError("second") from None
    except ValueError as error:
        return first, chain_of(error)


def context_without_from(n=3):
    try:
        try:
            if n > 1:
                {}["x"]
        except KeyError:
            if n > 1:
                1 / 0
    except ZeroDivisionError as error:
        return repr(error.__context__), error.__cause__


def bare_raise(n=3):
    try:
        try:
            if n > 1:
                raise KeyError("again")
        except KeyError:
            if n > 1:
                raise
    except KeyError as error:
        return str(error)


def bare_raise_outside():
    if True:
        raise


def the_name_is_gone_after_except(n=3):
    try:
        if n > 1:
            raise ValueError
    except ValueError as error:
        kept = error
        if n > 2:
            n = 10
    try:
        return error
    except UnboundLocalError:
        return "gone", type(kept).__name__, n


def the_name_was_bound_before(n=3):
    error = "before"
    try:
        if n > 1:
            raise ValueError
    except ValueError as error:
        pass
    return error


def handlers_in_order():
    log = []

    def kind(name, result):
        log.append(name)
        return result

    try:
        if log == []:
            raise KeyError
    except kind("first", ValueError):
        pass
    except kind("second", (IndexError, KeyError)):
        log.append("caught")
    except kind("third", Exception):
        pass
    return log


def not_an_exception_class(n=3):
    try:
        if n > 1:
            raise ValueError
    except 5:
        pass


def exception_groups(n=3):
    found = []
    try:
        if n > 1:
            raise ExceptionGroup("group", [KeyError(1), ValueError(2), TypeError(3)])
    except* KeyError as group:
        if n > 2:
            found.append(("key", [str(e) for e in group.exceptions]))
    except* (ValueError, TypeError) as group:
        for error in group.exceptions:
            found.append(type(error).__name__)
    return found


def clauses_of_a_group_run_one_after_the_other():
    found = []
    for n in range(4):
        kinds, count = KeyError, 0
        try:
            raise ExceptionGroup("group", [KeyError(n), OSError(0), ValueError(1)])
        except* KeyError:
            if n > 1:
                kinds, count = OSError, n
            else:
                count = 1
        except* kinds:
            for i in range(count):
                found.append(i)
        except* (OSError, ValueError) as group:
            if n:
                found.append((count, len(group.exceptions)))
    return found


def rest_of_a_group(n=3):
    try:
        try:
            if n > 1:
                raise ExceptionGroup("group", [KeyError(1), ValueError(2)])
        except* KeyError:
            n = 10
    except ExceptionGroup as rest:
        return n, [repr(e) for e in rest.exceptions]


def else_and_finally():
    log = []
    for error in (None, KeyError, LookupError):
        try:
            try:
                if error:
                    raise error
                log.append("body")
            except KeyError:
                log.append("except")
            else:
                if log:
                    log.append("else")
            finally:
                if log is not None:
                    log.append("finally")
        except LookupError:
            log.append("outer")
    return log


def nested_finally_order():
    log = []

    def inner(n):
        try:
            try:
                if n > 1:
                    return log.append("return")
            finally:
                log.append("inner")
        finally:
            log.append("outer")

    inner(3), inner(0)
    return log


def annotated_in_a_clause_that_jumps():
    def inner(n):
        try:
            n += 1
        finally:
            limit: int = 2
            if n > limit:
                return limit
        return n

    return inner(0), inner(5)


def with_statements():
    log = []

    class Log:
        def __init__(self, name, swallow=False):
            self.name, self.swallow = name, swallow

        def __enter__(self):
            log.append(f"enter {self.name}")
            return self.name

        def __exit__(self, kind, error, traceback):
            log.append(f"exit {self.name} {kind and kind.__name__}")
            return self.swallow

    with Log("a") as a, Log("b", True) as b:
        if log:
            raise ValueError
    with Log("c") as c, Log("d"):
        for x in (1, 2):
            if x > 1:
                break
    return a, b, c, x, log


def context_managers_from_generators():
    import contextlib

    @contextlib.contextmanager
    def manager(log):
        log.append("in")
        try:
            yield "value"
        except ValueError:
            log.append("caught")
        finally:
            log.append("out")

    log = []
    with manager(log) as value:
        if value:
            raise ValueError
    with contextlib.suppress(KeyError), contextlib.ExitStack() as stack:
        stack.callback(log.append, "callback")
        if value:
            raise KeyError
    return log


def assertions(n=3):
    assert n > 1, "not made"
    try:
        assert n > 5, f"n is {n}"
    except AssertionError as error:
        message = str(error)
    try:
        assert n < 0
    except AssertionError as error:
        return message, error.args
    return message


def message_is_made_only_if_it_fails():
    log = []
    assert log == [], log.append("made")
    return log


def recursion_error_arrives():
    def forever(n):
        if n >= 0:
            return forever(n + 1)

    try:
        forever(0)
    except RecursionError:
        return "caught"


def keyboard_interrupt_passes(n=3):
    try:
        if n > 1:
            raise KeyboardInterrupt
    except Exception:
        return "wrong"


def the_same_object_arrives(n=3):
    mine = ValueError("mine")
    mine.add_note("a note")
    try:
        if n > 1:
            raise mine
    except ValueError as error:
        return error is mine, error.__notes__


def traceback_lines(n=3):
    import traceback

    try:
        for i in range(3):
            if i > 1:
                n = 1 / (i - 2)
    except ZeroDivisionError as error:
        frames = traceback.extract_tb(error.__traceback__)
        return [(f.name, f.line) for f in frames]


def stop_iteration_passes(n=3):
    if n > 1:
        next(iter(()))
