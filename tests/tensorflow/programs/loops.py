"""Loops and conditions: what is carried, what is grown, what ends them."""


def run(tf, see):
    c = tf.constant

    @tf.function
    def fibonacci(n):
        a, b = 0, 1
        for _ in tf.range(n):
            a, b = b, a + b
        return a

    see("fibonacci", lambda: [fibonacci(c(n)) for n in (0, 1, 10)])

    @tf.function
    def nested(n):
        total = 0
        for i in tf.range(n):
            for j in tf.range(i):
                if j % 2 == 0:
                    continue
                total += i * j
        return total

    see("nested", lambda: nested(c(6)))

    @tf.function
    def first_above(xs, limit):
        found = -1.0
        for x in xs:
            if x > limit:
                found = x
                break
        return found

    see("break", lambda: [first_above(c([1.0, 5.0, 9.0]), 4.0), first_above(c([1.0]), 4.0)])

    @tf.function
    def newton(x):
        guess = x / 2
        while tf.abs(guess * guess - x) > 1e-4:
            guess = (guess + x / guess) / 2
        return guess

    see("while", lambda: newton(c(2.0)))

    @tf.function
    def sieve(n):
        primes = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
        count = 0
        for i in tf.range(2, n):
            prime = True
            for j in tf.range(2, i):
                if i % j == 0:
                    prime = False
                    break
            if prime:
                primes = primes.write(count, i)
                count += 1
        return primes.stack()

    see("array", lambda: sieve(c(20)))

    @tf.function
    def unrolled(x):
        for i in range(3):
            print("traced", i)
            x += i
        return x

    see("unrolled", lambda: [unrolled(c(1)), unrolled(c(2))])

    @tf.function
    def traced_once(x):
        for i in tf.range(3):
            print("traced", i)
            x += i
        return x

    see("staged", lambda: [traced_once(c(1)), traced_once(c(2))])

    @tf.function
    def grown(n):
        x = tf.zeros([0], tf.int32)
        for i in tf.range(n):
            tf.autograph.experimental.set_loop_options(shape_invariants=[(x, tf.TensorShape([None]))])
            x = tf.concat([x, [i * i]], 0)
        return x

    see("shape_invariants", lambda: [grown(c(4)), grown(c(0))])

    @tf.function
    def by_rows(m):
        out = tf.TensorArray(m.dtype, size=m.shape[0])
        for i, row in enumerate(m):
            out = out.write(i, tf.reduce_max(row))
        return out.stack()

    @tf.function
    def cumulated(xs):
        total = 0.0
        out = tf.TensorArray(tf.float32, len(xs))
        for i in tf.range(len(xs)):
            total += xs[i]
            out = out.write(i, total)
        return out.stack()

    see("cumulated", lambda: cumulated(c([1.0, 2.0, 3.0])))

    @tf.function
    def chained(x):
        if x < 0:
            kind = "negative"
            value = -x
        elif x == 0:
            kind = "zero"
            value = x
        else:
            kind = "positive"
            value = x
        tf.print(kind)
        return value

    see("elif", lambda: [chained(c(v)) for v in (-2, 0, 3)])

    @tf.function
    def both(x, y):
        if x > 0 and y > 0 or not x < 10:
            return x + y
        return x - y

    see("logic", lambda: [both(c(1), c(2)), both(c(-1), c(2)), both(c(20), c(-1))])

    @tf.function
    def early(x):
        if x > 10:
            return x
        x *= 2
        if x > 10:
            return -x
        return x + 1

    see("early_return", lambda: [early(c(v)) for v in (11, 6, 2)])

    @tf.function
    def other_dtype(x):
        y = 1
        if x > 0:
            y = 2.5
        return y

    see("dtypes_differ", lambda: other_dtype(c(1)))

    @tf.function
    def other_shape(n):
        x = tf.zeros([1])
        for _ in tf.range(n):
            x = tf.concat([x, x], 0)
        return x

    see("shapes_differ", lambda: other_shape(c(2)))

    @tf.function
    def unknown(n):
        for i in tf.range(n):
            last = i
        return last

    see("defined_in_loop", lambda: unknown(c(3)))

    @tf.function
    def over_pairs(pairs):
        total = 0
        for a, b in pairs:
            total += a * b
        return total

    see("pairs", lambda: over_pairs([(c(1), c(2)), (c(3), c(4))]))

    @tf.function
    def of_dataset(n):
        seen = 0
        for batch in tf.data.Dataset.range(10).batch(4):
            if tf.reduce_sum(batch) > n:
                break
            seen += 1
        return seen

    see("dataset", lambda: [of_dataset(c(5, tf.int64)), of_dataset(c(100, tf.int64))])

    @tf.function
    def doubled_list(n):
        held = [c(1), c(2)]
        for _ in tf.range(n):
            held = [held[1], held[0] + held[1]]
        return held

    see("list_state", lambda: doubled_list(c(3)))

    @tf.function
    def dictionary_state(n):
        state = {"a": c(0), "b": (c(1.0), [c(2)])}
        for i in tf.range(n):
            state = {"a": state["a"] + i, "b": (state["b"][0] * 2.0, [state["b"][1][0] + 1])}
        return state

    see("dictionary_state", lambda: dictionary_state(c(3)))

    @tf.function
    def with_else(xs):
        for x in xs:
            if x < 0:
                result = x
                break
        else:
            result = tf.reduce_sum(xs)
        return result

    @tf.function
    def bounded(x):
        tf.debugging.assert_positive(x)
        tf.debugging.assert_less(x, 10, message="too large")
        return x

    see("assertion", lambda: bounded(c(5)))
    see("assertion_fails", lambda: bounded(c(50)))
    see("assertion_eager", lambda: tf.debugging.assert_equal(c([1, 2]), c([1, 3])))
    see("assertion_shape", lambda: tf.debugging.assert_shapes([(tf.ones([2, 3]), ("n", "m")), (tf.ones([3]), ("m",))]))
    see("assertion_rank", lambda: tf.debugging.assert_rank(tf.ones([2]), 2))
    see("eager_iteration", lambda: [int(x) for x in tf.range(3)])

    def as_python():
        def f(x):
            print("plain", int(x))
            return x + 1

        tf.config.run_functions_eagerly(True)
        try:
            return [tf.function(f)(c(1)), tf.function(f)(c(1))]
        finally:
            tf.config.run_functions_eagerly(False)

    see("eagerly", as_python)

    @tf.autograph.experimental.do_not_convert
    def plain(x):
        return x if x.shape == () else x[0]

    see("not_converted", lambda: tf.function(plain)(c([4, 5])))
    see("cond", lambda: tf.cond(c(True), lambda: c(1), lambda: c(2)))
    see("cond_structure", lambda: tf.cond(c(False), lambda: (c(1), {"a": c(2)}), lambda: (c(3), {"a": c(4)})))
    see("cond_none", lambda: tf.function(lambda p: tf.cond(p, lambda: None, lambda: None))(c(True)))
    see("cond_mismatch", lambda: tf.function(lambda p: tf.cond(p, lambda: c(1), lambda: (c(1), c(2))))(c(True)))
    see("while_loop", lambda: tf.while_loop(lambda i: i < 3, lambda i: i + 1, [c(0)]))
    see(
        "while_loop_named",
        lambda: tf.while_loop(
            lambda s: s["i"] < 4, lambda s: ({"i": s["i"] + 1, "t": s["t"] * 2},), ({"i": c(0), "t": c(1)},)
        ),
    )
    see("case_none", lambda: tf.case([(c(False), lambda: c(1))]))
    see(
        "case_exclusive",
        lambda: tf.case([(c(True), lambda: c(1)), (c(True), lambda: c(2))], exclusive=True),
    )
    see("scan", lambda: tf.scan(lambda a, x: (a[0] + x, a[1] * x), c([1, 2, 3]), initializer=(c(0), c(1))))
    see("map_none", lambda: tf.map_fn(lambda x: x * 2, tf.zeros([0], tf.int32)))
