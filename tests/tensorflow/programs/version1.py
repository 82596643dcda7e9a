"""What TensorFlow 1 had: placeholders, sessions, feeds and fetches, Variables by names and scopes, collections."""

import collections

import numpy as np


def run(tf, see):
    v1 = tf.compat.v1
    Pair = collections.namedtuple("Pair", "a b")

    def in_graph(what):
        """What a function of a session gives, in a graph of its own."""

        def action():
            with v1.Graph().as_default(), v1.Session() as session:
                return what(session)

        return action

    # Placeholders and what they are fed.
    feeds = {
        "a number": (tf.float32, [], 2.5),
        "an int for a float": (tf.float32, [], 2),
        "a float for an int": (tf.int32, [], 2.5),
        "a whole float for an int": (tf.int32, [], 2.0),
        "a list": (tf.float32, [None], [1.0, 2.0]),
        "another size": (tf.float32, [3], [1.0, 2.0]),
        "another rank": (tf.float32, [], [1.0]),
        "any rank": (tf.float32, None, [[1.0]]),
        "an array": (tf.int64, [2, None], np.ones((2, 3), np.int8)),
        "a wide array": (tf.int32, [None], np.array([1 << 40])),
        "text": (tf.string, [], "a"),
        "bytes": (tf.string, [None], [b"a", b"b"]),
        "text for a number": (tf.int32, [], "a"),
        "a truth value": (tf.bool, [], True),
        "a number for a truth value": (tf.bool, [], 1),
        "a truth value for a number": (tf.int32, [], True),
        "complex for a float": (tf.float32, [], 1j),
        "None": (tf.float32, [], None),
        "nested": (tf.float32, [2, 2], [[1, 2], [3, 4]]),
        "ragged": (tf.float32, None, [[1], [2, 3]]),
        "a double for a float": (tf.float32, [], np.float64(0.1)),
        "large": (tf.uint8, [], 300),
        "negative": (tf.uint8, [], -1),
        "nothing": (tf.float32, [0], []),
        "no number": (tf.int32, [], float("nan")),
    }
    for name, (dtype, shape, value) in feeds.items():

        def fed(session, dtype=dtype, shape=shape, value=value):
            x = v1.placeholder(dtype, shape, name="x")
            return (
                session.run(tf.identity(x), {x: value}),
                session.run(tf.identity(x), {"x:0": value}),
                x.name,
                str(x.shape),
            )

        see(f"fed {name}", in_graph(fed))

    def keys(session):
        x, y = v1.placeholder(tf.float32, []), v1.placeholder(tf.float32, [])
        return session.run(x - y, {(x, y): (5.0, 2.0)}), session.run(x * 2, {x: 1.0, y: 2.0})

    see("fed in pairs", in_graph(keys))
    wrong_feeds = {
        "no dictionary": lambda s, x: s.run(x, [1.0]),
        "no key": lambda s, x: s.run(x, {"nowhere:0": 1.0}),
        "an operation": lambda s, x: s.run(x, {x.op: 1.0}),
        "a number as key": lambda s, x: s.run(x, {3: 1.0}),
        "a tensor as value": lambda s, x: s.run(x, {x: tf.constant(1.0)}),
        "nothing": lambda s, x: s.run(x),
        "nothing that is needed": lambda s, x: s.run(tf.constant(3), {}),
        "what is computed": lambda s, x: s.run(x * 2, {x * 2: 1.0, x: 3.0}),
        "in its place": lambda s, x: (lambda y: s.run(y + 1, {y: 10.0}))(x * 2),
    }
    for name, action in wrong_feeds.items():
        see(f"feeding {name}", in_graph(lambda s, action=action: action(s, v1.placeholder(tf.float32, [], name="x"))))

    def default(session):
        x = v1.placeholder_with_default([1.0, 2.0], [None])
        return session.run(x + 1), session.run(x + 1, {x: [5.0]}), str(x.shape), x.name, x.op.type

    see("default", in_graph(default))
    see("default of another shape", in_graph(lambda s: v1.placeholder_with_default([1.0], [2])))
    see("placeholder at once", lambda: v1.placeholder(tf.float32))

    # Fetches.
    fetches = {
        "a list": lambda a, b: [a, b],
        "a tuple": lambda a, b: (a, (b,)),
        "a dictionary": lambda a, b: {"b": b, "a": [a]},
        "a named tuple": lambda a, b: Pair(a, b),
        "twice": lambda a, b: [a, a],
        "nothing": lambda a, b: [],
        "a name": lambda a, b: "a:0",
        "an operation": lambda a, b: a.op,
        "an operation by name": lambda a, b: "a",
        "a name of none": lambda a, b: "c:0",
        "a number": lambda a, b: 3,
        "None": lambda a, b: None,
        "a number of no output": lambda a, b: "a:1",
        "ordered": lambda a, b: collections.OrderedDict([("z", a), ("a", b)]),
    }
    for name, make in fetches.items():

        def fetched(session, make=make):
            a, b = tf.constant(1, name="a"), tf.constant([2.0, 3.0], name="b")
            return session.run(make(a, b))

        see(f"fetched {name}", in_graph(fetched))

    def elsewhere(session):
        with v1.Graph().as_default():
            other = tf.constant(1)
        tf.constant(2)
        return session.run(other)

    see("fetched from elsewhere", in_graph(elsewhere))
    see("nothing to run", in_graph(lambda s: s.run([])))

    def callable_(session):
        x, y = v1.placeholder(tf.float32, []), v1.placeholder(tf.float32, [None])
        run = session.make_callable([x, tf.reduce_sum(y) * x], [x, y])
        return run(1.0, [1.0, 2.0]), run(2.0, [3.0])

    see("a callable", in_graph(callable_))
    see("a callable without feeds", in_graph(lambda s: s.make_callable(tf.constant(3))()))
    see(
        "a callable of too few",
        in_graph(lambda s: (lambda x: s.make_callable(x, [x])())(v1.placeholder(tf.float32, []))),
    )

    # Sessions.
    def closed():
        with v1.Graph().as_default():
            x = tf.constant(1)
            session = v1.Session()
            first = session.run(x)
            session.close()
            session.close()
            return first, session.run(x)

    see("closed", closed)

    def of_graph():
        graph = v1.Graph()
        with graph.as_default():
            x = tf.constant(3)
        with v1.Session(graph=graph) as session:
            y = x + 1
            return x.eval(), y.eval(session=session), session.graph is graph, v1.get_default_session() is session

    see("of a graph", of_graph)
    see("no session", lambda: v1.get_default_session())

    def without():
        with v1.Graph().as_default():
            return tf.constant(1).eval()

    see("eval without a session", without)

    def nested():
        with v1.Graph().as_default():
            v = v1.get_variable("v", [], initializer=v1.ones_initializer())
            add = v.assign_add(1.0)
            with v1.Session() as one, v1.Session() as two:
                one.run(v.initializer)
                two.run(v.initializer)
                return one.run(add), one.run(add), two.run(v), v.eval(), v.eval(session=one)

    see("two sessions", nested)

    def interactive():
        with v1.Graph().as_default():
            session = v1.InteractiveSession()
            x = tf.constant(2)
            try:
                return (x * x).eval(), session.run(x)
            finally:
                session.close()

    see("interactive", interactive)

    # Variables.
    made = {
        "a number": lambda: v1.Variable(1.5),
        "an int": lambda: v1.Variable(3, name="n"),
        "a dtype": lambda: v1.Variable(3, dtype=tf.float64),
        "a tensor": lambda: v1.Variable(tf.constant(2, tf.int64)),
        "a tensor and a dtype": lambda: v1.Variable(tf.constant(2), dtype=tf.int32),
        "a tensor and another dtype": lambda: v1.Variable(tf.constant(2), dtype=tf.float32),
        "a function": lambda: v1.Variable(lambda: tf.ones([2])),
        "a function and a dtype": lambda: v1.Variable(lambda: 2, dtype=tf.float32),
        "not trained": lambda: v1.Variable(1.0, trainable=False),
        "a shape": lambda: v1.Variable([1.0, 2.0], shape=[None]),
        "another shape": lambda: v1.Variable([1.0, 2.0], shape=[3]),
        "an array": lambda: v1.Variable(np.ones(2)),
        "in a collection": lambda: v1.Variable(1.0, collections=["mine"]),
        "in two": lambda: v1.Variable(1.0, collections=["mine", v1.GraphKeys.GLOBAL_VARIABLES]),
        "nothing": lambda: v1.Variable(None),
        "text": lambda: v1.Variable("a"),
        "by the other name": lambda: tf.Variable(1.0, name="w", trainable=False),
    }
    for name, make in made.items():

        def variable(session, make=make):
            v = make()
            session.run(v.initializer)
            graph = v1.get_default_graph()
            named = {key: len(graph.get_collection(key)) for key in sorted(graph.get_all_collection_keys())}
            return v.name, v.dtype.name, str(v.shape), session.run(v), named

        see(f"a variable of {name}", in_graph(variable))

    gotten = {
        "a shape": lambda: v1.get_variable("v", [2], initializer=v1.ones_initializer()),
        "no shape": lambda: v1.get_variable("v"),
        "an open shape": lambda: v1.get_variable("v", [None]),
        "a value": lambda: v1.get_variable("v", initializer=3.0),
        "a value of ints": lambda: v1.get_variable("v", initializer=[1, 2]),
        "a value and a shape": lambda: v1.get_variable("v", [2], initializer=tf.constant([1.0, 2.0])),
        "a value and another shape": lambda: v1.get_variable("v", [3], initializer=np.float32([1.0, 2.0])),
        "a class": lambda: v1.get_variable("v", [2], initializer=v1.ones_initializer),
        "ints": lambda: v1.get_variable("v", [2], tf.int32),
        "truth values": lambda: v1.get_variable("v", [2], tf.bool),
        "a dtype by name": lambda: v1.get_variable("v", [2], "float64", v1.zeros_initializer()),
        "a constant": lambda: v1.get_variable("v", [2, 2], initializer=v1.constant_initializer([1.0, 2.0, 3.0, 4.0])),
        "a constant for all": lambda: v1.get_variable("v", [2], tf.int32, initializer=v1.constant_initializer(7)),
        "not trained": lambda: v1.get_variable("v", [], initializer=v1.zeros_initializer(), trainable=False),
        "in a collection": lambda: v1.get_variable("v", [], initializer=v1.zeros_initializer(), collections=["mine"]),
        "a function": lambda: v1.get_variable(
            "v", [2], initializer=lambda s, dtype, **_: tf.fill(s, tf.cast(5, dtype))
        ),
    }
    for name, make in gotten.items():

        def named(session, make=make):
            v = make()
            session.run(v1.global_variables_initializer())
            session.run(v.initializer)
            lists = [[w.name for w in f()] for f in (v1.global_variables, v1.trainable_variables, v1.local_variables)]
            return v.name, v.dtype.name, session.run(v), lists

        see(f"a variable got by {name}", in_graph(named))

    ones = v1.ones_initializer()

    def scoped(*options, **inside):
        """Names of Variables that are got twice in a scope."""

        def action(session):
            found = []
            for option in options:
                with v1.variable_scope("s", reuse=option) as scope:
                    found += [
                        scope.name,
                        str(scope.reuse).rpartition(".")[2],
                        v1.get_variable("v", [2], initializer=ones, **inside).name,
                    ]
            return found, [v.name for v in v1.global_variables()]

        return in_graph(action)

    AUTO = v1.AUTO_REUSE
    for name, options in {
        "once": [None],
        "twice": [None, None],
        "again": [None, True],
        "first": [True],
        "any": [AUTO, AUTO],
        "false": [False, False],
        "any then again": [AUTO, True, None],
    }.items():
        see(f"scope {name}", scoped(*options))

    def shared(**again):
        def action(session):
            with v1.variable_scope("s", reuse=AUTO):
                one = v1.get_variable("v", [2, 3], initializer=ones)
                return one is v1.get_variable("v", **again)

        return in_graph(action)

    for name, again in {
        "alike": {"shape": [2, 3]},
        "another shape": {"shape": [3, 2]},
        "no shape": {},
        "another dtype": {"shape": [2, 3], "dtype": tf.int32},
        "a dtype": {"dtype": tf.float32},
    }.items():
        see(f"shared {name}", shared(**again))

    def blocks(session):
        found = []
        with v1.variable_scope("a") as a:
            with v1.variable_scope("b", initializer=v1.constant_initializer(2.0), dtype=tf.float64) as b:
                found += [a.name, b.name, v1.get_variable("v", [1]).dtype.name, tf.constant(1).name]
                with v1.variable_scope("c", reuse=AUTO) as c:
                    found += [c.name, str(c.reuse).rpartition(".")[2], v1.get_variable("w", [1]).name]
            a.reuse_variables()
            found += [str(a.reuse), v1.get_variable_scope().name]
        with v1.variable_scope(b):
            found.append(v1.get_variable_scope().name)
        with v1.variable_scope(b, auxiliary_name_scope=False):
            found.append(tf.constant(1).name)
        for _ in range(2):
            with v1.variable_scope(None, "d") as d:
                found += [d.name, v1.get_variable("v", [1]).name, d.original_name_scope]
        with v1.variable_scope("a"), v1.variable_scope(None, default_name="d") as d:
            found.append(d.name)
        session.run(v1.global_variables_initializer())
        return found, [v1.get_variable_scope().name], [v.name for v in v1.global_variables()]

    see("blocks", in_graph(blocks))
    see("a scope without a name", in_graph(lambda s: v1.variable_scope(None).__enter__()))

    def starting(session):
        a, b = v1.Variable(1.0, name="a"), v1.Variable(2.0, name="b")
        init = v1.variables_initializer([a], name="some")
        session.run(init)
        return init.name, init.type, session.run(a), v1.global_variables_initializer().name, session.run(b)

    see("some have values", in_graph(starting))

    def locals_(session):
        a = v1.Variable(1.0, collections=[v1.GraphKeys.LOCAL_VARIABLES], trainable=False, name="a")
        v1.Variable(2.0, name="b")
        session.run(v1.local_variables_initializer())
        return session.run(a), [[v.name for v in f()] for f in (v1.global_variables, v1.local_variables)]

    see("local variables", in_graph(locals_))

    def by_scope(session):
        for name in ("a/x", "a/y", "b/x", "ab"):
            v1.Variable(1.0, name=name)
        return [[v.name for v in v1.trainable_variables(s)] for s in (None, "a", "a/", "b", "x", ".*x")]

    see("by scope", in_graph(by_scope))
    changes = {
        "assign": lambda v: v1.assign(v, 5.0),
        "assign_add": lambda v: v1.assign_add(v, 5.0),
        "assign_sub": lambda v: v1.assign_sub(v, 5.0),
        "method": lambda v: v.assign(7.0),
        "another dtype": lambda v: v1.assign(v, "a"),
        "another shape": lambda v: v1.assign(v, [1.0, 2.0]),
    }
    for name, change in changes.items():

        def changed(session, change=change):
            v = v1.Variable(1.0)
            done = change(v)
            session.run(v.initializer)
            return session.run(done), session.run(v), session.run(done)

        see(f"changed by {name}", in_graph(changed))
        see(
            f"changed at once by {name}",
            lambda change=change: (lambda v: [change(v).numpy(), v.numpy()])(tf.Variable(1.0)),
        )

    see("uninitialized read", in_graph(lambda s: s.run(v1.Variable(1.0) + 1)))
    see("uninitialized add", in_graph(lambda s: s.run(v1.Variable(1.0).assign_add(1.0))))
    see("no value of its own", in_graph(lambda s: v1.Variable(1.0).numpy()))

    # Control flow and operations.
    def controlled(session):
        x = v1.placeholder(tf.int32, [])
        kept = v1.cond(x > 0, lambda: [x + 1], lambda: [x - 1], strict=True)
        older = v1.cond(x > 0, fn1=lambda: x * 10, fn2=lambda: x * 100)
        loop = v1.while_loop(lambda i: i < 10, lambda i: i * 2 + 1, [x])
        some = v1.while_loop(lambda i, a: i < 10, lambda i, a: (i + 1, a + i), [x, 0], maximum_iterations=3)
        same = v1.while_loop(lambda i: i < 10, lambda i: [i + 3], [x], return_same_structure=True)
        return [session.run([kept, older, loop, some, same], {x: n}) for n in (3, -3)]

    see("controlled", in_graph(controlled))
    two = {"neither": {}, "one": {"true_fn": lambda: 1}, "the other": {"false_fn": lambda: 1}}
    two |= {"a value": {"true_fn": 1, "false_fn": lambda: 1}, "another value": {"true_fn": lambda: 1, "false_fn": 1}}
    for name, functions in two.items():
        see(f"cond of {name}", in_graph(lambda s, functions=functions: v1.cond(tf.constant(True), **functions)))
    see("cond at once", lambda: v1.cond(tf.constant(True), lambda: [tf.constant(1)], lambda: [tf.constant(2)]))

    def grouped(session):
        v, w = v1.Variable(1.0), v1.Variable(2.0)
        session.run(v1.global_variables_initializer())
        both = tf.group(v.assign_add(1.0), [w.assign_add(1.0)], name="both")
        session.run(both)
        with tf.control_dependencies([v.assign_add(10.0)]):
            after, nothing = tf.identity(w) * 2, tf.no_op(name="nothing")
        first = session.run(v)
        session.run(nothing)
        return both.name, both.type, first, session.run(v), session.run(after), session.run([v, w])

    see("grouped", in_graph(grouped))
    see("grouped at once", lambda: [tf.group(tf.constant(1)), tf.no_op()])

    # Graphs.
    def elements(session):
        graph = v1.get_default_graph()
        a = tf.constant([1.0], name="a")
        with tf.name_scope("outer"):
            b = tf.identity(a, name="b")
            with tf.name_scope("outer"):
                c = tf.identity(a, name="b")
        tf.constant(1, name="a")
        return (
            [op.name for op in graph.get_operations()],
            [op.type for op in graph.get_operations()],
            b.name,
            c.op.name,
            graph.get_tensor_by_name("a:0").op is a.op,
            graph.get_operation_by_name("outer/b") is b.op,
            graph.as_graph_element("a_1").name,
            graph.as_graph_element(a) is a,
            graph.as_graph_element(a.op) is a.op,
            graph.unique_name("a"),
            graph.unique_name("z"),
            graph.unique_name("z", mark_as_used=False),
            graph.unique_name("z"),
        )

    see("elements", in_graph(elements))
    asked = {
        "a tensor by the name of an operation": lambda g: g.get_tensor_by_name("a"),
        "an operation by the name of a tensor": lambda g: g.get_operation_by_name("a:0"),
        "no such tensor": lambda g: g.get_tensor_by_name("b:0"),
        "no such operation": lambda g: g.get_operation_by_name("b"),
        "no such output": lambda g: g.get_tensor_by_name("a:1"),
        "a number": lambda g: g.get_tensor_by_name(3),
        "no tensors": lambda g: g.as_graph_element("a:0", allow_tensor=False),
        "no operations": lambda g: g.as_graph_element("a", allow_operation=False),
        "neither": lambda g: g.as_graph_element("a", allow_tensor=False, allow_operation=False),
        "an object": lambda g: g.as_graph_element(object()),
        "a name that is none": lambda g: g.as_graph_element("a:b"),
    }
    for name, ask in asked.items():

        def element(session, ask=ask):
            tf.constant(1, name="a")
            return ask(v1.get_default_graph()).name

        see(f"asked for {name}", in_graph(element))

    def finished():
        graph = v1.Graph()
        with graph.as_default():
            tf.constant(1)
        before = graph.finalized
        graph.finalize()
        with graph.as_default():
            return before, graph.finalized, tf.constant(2)

    see("finished", finished)

    def collected(session):
        graph = v1.get_default_graph()
        for name, value in (("a", 1), ("a", 2), ("b", "x"), ("losses", tf.constant(1.0, name="one/c"))):
            v1.add_to_collection(name, value)
        graph.add_to_collections(["a", "b"], 3) if hasattr(graph, "add_to_collections") else None
        graph.get_collection("a").append(100)
        graph.get_collection_ref("b").append("y")
        first = graph.get_collection("a"), graph.get_collection("b"), sorted(graph.get_all_collection_keys())
        graph.clear_collection("a")
        return (
            first[0][:2],
            first[1][0],
            first[1][-1],
            first[2],
            graph.get_collection("a"),
            graph.get_collection("none"),
            [[t.name for t in v1.get_collection("losses", scope)] for scope in ("one", "two", "c", None)],
        )

    see("collected", in_graph(collected))
    see("within", in_graph(lambda s: [tf.executing_eagerly(), v1.executing_eagerly_outside_functions()]))
    see("text added", lambda: tf.Variable("a").assign_add("b"))
    see("truth values added", lambda: tf.Variable(True).assign_add(True))

    def text(session):
        v = v1.Variable("a")
        session.run(v.initializer)
        return session.run(v.assign(v + "b")), session.run(v)

    see("text", in_graph(text))
