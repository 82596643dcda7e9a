"""Python's statements and what they do to what is outside of a function."""

import functools

G = 0


def run(tf, see):
    global G
    F = tf.function
    c = tf.constant
    external = []
    it = iter([1, 2, 3])

    @F
    def pyit():
        return next(it)

    see("py_iterator", lambda: [pyit(), pyit(), pyit()])

    @F
    def app(x):
        external.append(x)
        return x + 1

    see("outer_list", lambda: [app(c(1)), app(c(2)), len(external)])

    @F
    def order(v, n):
        for i in tf.range(n):
            tf.print("i", i)
            v.assign_add(1)
        tf.print("end", v)
        return v.read_value()

    see("order", lambda: order(tf.Variable(0), c(3)))

    @F
    def order2(v):
        a = v.read_value()
        v.assign(5)
        b = v.read_value()
        v.assign_add(2)
        return a, b, v

    see("order2", lambda: order2(tf.Variable(1)))

    @F
    def condeff(v, x):
        if x > 0:
            tf.print("pos")
            v.assign(x)
        else:
            tf.print("neg")
            v.assign(-x)
        tf.print("v", v)
        return v + 1

    see("condeff", lambda: [condeff(w, c(x)) for w in [tf.Variable(0)] for x in (3, -4)])

    @F
    def nl(n):
        k = 0

        def inc():
            nonlocal k
            k += 2

        for i in tf.range(n):
            inc()
        return k

    see("nonlocal_loop", lambda: nl(c(3)))

    @F
    def wal(x):
        if (y := x * 2) > 5:
            return y
        return x

    see("walrus", lambda: [wal(c(1)), wal(c(4))])

    @F
    def mat(x, k):
        match k:
            case "a":
                return x + 1
            case [p, q]:
                return x + p + q
            case _:
                return x

    see("match", lambda: [mat(c(1), "a"), mat(c(1), [1, 2]), mat(c(1), None)])

    @F
    def tryf(x):
        try:
            y = x + 1
            raise ValueError("bad")
        except ValueError as e:
            y = x + 10
        finally:
            tf.print("fin")
        return y

    see("try", lambda: tryf(c(1)))

    @F
    def withs(x):
        with tf.name_scope("s"):
            if x > 1:
                y = x * 2
            else:
                y = x * 3
        return y

    see("with", lambda: [withs(c(1)), withs(c(2))])

    @F
    def compr(x):
        return [v * 2 for v in tf.unstack(x)], {i: x[i] for i in range(2)}

    see("compr", lambda: compr(c([1, 2])))

    @F
    def lam(x):
        g = lambda a: a + 1 if a > 0 else a - 1
        return g(x)

    see("lambda_if", lambda: [lam(c(1)), lam(c(-1))])

    @F
    def fold(x):
        return functools.reduce(lambda a, b: a + b, [x, x, x])

    see("reduce", lambda: fold(c(2)))

    @F
    def rec(n):
        return c(1) if n == 0 else n * rec(n - 1)

    see("py_recursion", lambda: rec(5))

    class A:
        def __init__(self):
            self.v = tf.Variable(1.0)
            self.count = 0

        @F
        def __call__(self, x):
            self.count += 1
            self.v.assign_add(x)
            return self.v * 2.0

        @F
        def m(self, x):
            if x > 0:
                return self.v + x
            return self.v - x

        @property
        def p(self):
            return self.v * 3.0

        @classmethod
        @F
        def cm(cls, x):
            return x + 1

        @staticmethod
        @F
        def sm(x):
            return x + 2

    def cls():
        a = A()
        b = A()
        return [a(c(1.0)), a(c(2.0)), a.count, b(c(1.0)), a.m(c(-1.0)), a.p, A.cm(c(1)), A.sm(c(1)), a.sm(c(2))]

    see("class", cls)

    @F
    def rangebreak(x):
        t = c(0)
        for i in range(10):
            if t > x:
                break
            t = t + i
        return t

    see("range_break", lambda: [rangebreak(c(5)), rangebreak(c(100))])

    @F
    def dictloop(n):
        d = {"a": c(0), "b": c(1)}
        for i in tf.range(n):
            d["a"], d["b"] = d["b"], d["a"] + d["b"]
        return d

    see("dict_loop", lambda: dictloop(c(10)))

    class Box:
        pass

    @F
    def attr(n):
        b = Box()
        b.v = c(1)
        while b.v < n:
            b.v = b.v * 2
        return b.v

    see("attr_loop", lambda: attr(c(100)))

    @F
    def tensorloop(x):
        s = c(0)
        for row in x:
            for v in row:
                if v == 3:
                    continue
                s += v
        return s

    see("tensor_loop", lambda: tensorloop(c([[1, 2], [3, 4]])))

    @F
    def en(x):
        s = c(0)
        for i, v in enumerate(x):
            s += i * v
        for a, b in zip(x, x[1:]):
            s += a * b
        return s

    see("enumerate_zip", lambda: en(c([1, 2, 3])))

    @F
    def early(x):
        for v in x:
            if v > 2:
                return v
        return c(-1)

    see("early", lambda: [early(c([1, 2, 3, 4])), early(c([1]))])

    @F
    def forelse(x):
        for v in x:
            if v > 2:
                y = v
                break
        else:
            y = c(-1)
        return y

    see("forelse", lambda: [forelse(c([1, 2, 3, 4])), forelse(c([1]))])

    @F
    def tern(x):
        return x if x > 0 else -x

    see("tern", lambda: [tern(c(3)), tern(c(-3))])

    @F
    def chain(x):
        return 0 < x < 10 and x != 5 or x == 20

    see("chain", lambda: [chain(c(v)) for v in (3, 5, 20, 11)])

    @F
    def asserts(x):
        assert x > 0, "must be positive"
        return x

    see("assert_ok", lambda: asserts(c(1)))
    see("assert_bad", lambda: asserts(c(-1)))

    @F
    def undefined(x):
        if x > 0:
            y = 1
        return y

    see("undefined", lambda: undefined(c(1)))

    @F
    def delv(x):
        y = x + 1
        del y
        return x

    see("del", lambda: delv(c(1)))

    @F
    def glob(x):
        global G
        G = G + 1
        return x + G

    see("global", lambda: [glob(c(1)), glob(c(1)), G])

    @F
    def starred(x):
        a, *b = [x, x + 1, x + 2]
        return a, b

    see("starred", lambda: starred(c(1)))

    @F
    def fmt(x):
        tf.print(f"{1}+{2}", x, sep="|", end="!\n")
        tf.print("a", [x, (x, "b")], {"k": x})
        return x

    see("fmt", lambda: fmt(c([1.5, 2])))

    @F
    def deco(x):
        def twice(f):
            return lambda v: f(f(v))

        @twice
        def g(v):
            if v > 3:
                return v * 2
            return v + 1

        return g(x)

    see("deco", lambda: [deco(c(3)), deco(c(1)), deco(c(10))])

    @F
    def aug(x):
        l = [x, x]
        l[0] += 5
        return l

    see("aug_item", lambda: aug(c(1)))

    @F
    def while_py(x):
        n = 3
        while n > 0:
            x = x * 2
            n -= 1
        return x

    see("while_py", lambda: while_py(c(1)))

    @F
    def collatz(n):
        steps = 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        return steps

    see("collatz", lambda: [collatz(c(6)), collatz(c(27)), collatz(c(27, tf.int64))])
