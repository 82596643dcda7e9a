"""Queues, files of version 1, sparse tensors taken apart, and texts that nobody wrote."""

import os
import tempfile
import threading


def run(tf, see):
    queues(tf, see)
    queues_in_graphs(tf, see)
    saver(tf, see)
    sparse(tf, see)
    texts(tf, see)


def queues(tf, see):
    q = tf.queue.FIFOQueue(3, [tf.int32, tf.float32], shapes=[[], [2]])
    see("put", lambda: q.enqueue((1, [1.0, 2.0])))
    see("put_many", lambda: q.enqueue_many(([2, 3], [[3.0, 4.0], [5.0, 6.0]])))
    see("size", q.size)
    see("take", q.dequeue)
    see("take_many", lambda: q.dequeue_many(2))
    see("facts", lambda: [str(q.dtypes), str(q.shapes), q.names])
    see("wrong_shape", lambda: q.enqueue((1, [1.0, 2.0, 3.0])))
    see("names_unwanted", lambda: q.enqueue({"a": 1}))
    see("closed", lambda: [q.is_closed(), q.close(), q.is_closed()])
    see("take_from_closed", q.dequeue)
    see("put_in_closed", lambda: q.enqueue((1, [1.0, 2.0])))
    named = tf.queue.FIFOQueue(5, [tf.int32], names=["x"], shapes=[[]])
    see("named", lambda: [named.enqueue({"x": 1}), named.dequeue()])
    see("names_wanted", lambda: named.enqueue(1))
    see("other_name", lambda: named.enqueue({"y": 1}))
    up_to = tf.queue.FIFOQueue(5, tf.int32, shapes=[()])
    see(
        "up_to",
        lambda: [up_to.enqueue_many([[1, 2, 3]]), up_to.close(), up_to.dequeue_up_to(2), up_to.dequeue_up_to(9)],
    )
    see("up_to_nothing", lambda: up_to.dequeue_up_to(9))
    see("more_than_there_are", lambda: up_to.dequeue_many(9))
    padding = tf.queue.PaddingFIFOQueue(5, [tf.int32], shapes=[[None]])
    see("padding", lambda: [padding.enqueue([[1, 2]]), padding.enqueue([[3]]), padding.dequeue_many(2)])
    shuffled = tf.queue.RandomShuffleQueue(5, 0, tf.int32, shapes=[[]])
    see("shuffled", lambda: [shuffled.enqueue_many([[1, 2, 3]]), sorted(int(shuffled.dequeue()) for _ in range(3))])
    first = tf.queue.PriorityQueue(5, [tf.string], [[]])

    def by_number():
        for number, text in [(5, "later"), (1, "now"), (5, "last")]:
            first.enqueue((tf.constant(number, tf.int64), text))
        return [first.dequeue() for _ in range(3)]

    see("by_number", by_number)

    def across_threads():
        narrow = tf.queue.FIFOQueue(1, tf.int32)
        thread = threading.Thread(target=lambda: [narrow.enqueue(i) for i in range(5)])
        thread.start()
        taken = [int(narrow.dequeue()) for _ in range(5)]
        thread.join()
        return taken

    see("across_threads", across_threads)


def queues_in_graphs(tf, see):
    q = tf.queue.FIFOQueue(10, tf.int32, shapes=[[]])

    @tf.function
    def fill(n):
        for i in tf.range(n):
            q.enqueue(i * i)
        return q.size()

    @tf.function
    def total():
        s = 0
        while q.size() > 0:
            s += q.dequeue()
        return s

    see("in_function", lambda: [fill(tf.constant(4)), total(), q.size()])

    def in_session():
        with tf.Graph().as_default(), tf.compat.v1.Session() as session:
            q = tf.queue.FIFOQueue(3, tf.float32)
            put, take, size, close = q.enqueue(1.5), q.dequeue(), q.size(), q.close()
            return [session.run(x) for x in (put, size, put, take, size, close)]

    see("in_session", in_session)


def saver(tf, see):
    v1, folder = tf.compat.v1, tempfile.mkdtemp()
    path = os.path.join(folder, "model")

    def nothing_to_save():
        with tf.Graph().as_default():
            v1.train.Saver()

    see("nothing_to_save", nothing_to_save)

    def saved():
        with tf.Graph().as_default(), v1.Session() as session:
            w = v1.get_variable("layer/w", initializer=[1.0, 2.0])
            t, saver, up = (
                v1.get_variable("t", initializer="text"),
                v1.train.Saver(max_to_keep=2),
                w.assign_add([1.0, 1.0]),
            )
            session.run(v1.global_variables_initializer())
            paths = [saver.save(session, path, global_step=i) for i in range(4) if session.run(up) is not None]
            saver.restore(session, saver.last_checkpoints[0])
            kept = [os.path.basename(p) for p in [*paths, *saver.last_checkpoints, v1.train.latest_checkpoint(folder)]]
            return [kept, session.run([w, t])]

    see("saved", saved)
    see("listed", lambda: tf.train.list_variables(v1.train.latest_checkpoint(folder)))
    see("loaded", lambda: tf.train.load_variable(folder, "layer/w"))

    def read(variables, where):
        with tf.Graph().as_default(), v1.Session() as session:
            made = variables(v1.get_variable("other", shape=[2]))
            v1.train.Saver(made).restore(session, where)
            return session.run(made)

    last = path + "-3"
    see("by_another_name", lambda: read(lambda v: {"layer/w": v}, last))
    see("name_not_there", lambda: read(lambda v: [v], last))
    see("file_not_there", lambda: read(lambda v: [v], path + "-77"))
    see("no_path", lambda: read(lambda v: [v], None))

    def not_initialised():
        with tf.Graph().as_default(), v1.Session() as session:
            v1.get_variable("w", initializer=1.0)
            return v1.train.Saver().save(session, path)

    see("not_initialised", not_initialised)

    def eager():
        v = tf.Variable([1.0, 2.0], name="e")
        saver = v1.train.Saver([v])
        where = saver.save(None, path, global_step=tf.constant(3))
        v.assign([0.0, 0.0])
        saver.restore(None, where)
        return v

    see("eager", eager)
    see("eager_of_all", lambda: v1.train.Saver())


def sparse(tf, see):
    s = tf.sparse.SparseTensor([[0, 1], [2, 0], [2, 2]], [3, 4, 5], [3, 3])

    def nothing():
        return tf.sparse.SparseTensor(tf.zeros([0, 2], tf.int64), [], [2, 2])

    rows, dense = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), tf.sparse.to_dense
    sums = {"sum": tf.sparse.segment_sum, "mean": tf.sparse.segment_mean, "sqrt_n": tf.sparse.segment_sqrt_n}
    found = {
        **{f"split {n} {a}": lambda n=n, a=a: [[dense(p), p.dense_shape] for p in tf.sparse.split(s, n, a)]
           for n in (1, 2, 3, 4) for a in (0, 1)},
        "filled": lambda: [dense(tf.sparse.fill_empty_rows(s, -1)[0]), tf.sparse.fill_empty_rows(s, -1)[1]],
        "all_filled": lambda: dense(tf.sparse.fill_empty_rows(nothing(), 1.5)[0]),
        "indicator": lambda: tf.sparse.to_indicator(s, 6),
        "indicator_outside": lambda: tf.sparse.to_indicator(s, 5),
        "other_shape": lambda: dense(tf.sparse.reset_shape(s, [4, 5])),
        "no_shape": lambda: dense(tf.sparse.reset_shape(s)),
        **{f"segment_{name}": lambda f=f: f(rows, [0, 2, 1], [0, 0, 1]) for name, f in sums.items()},
        **{f"segment_{name}_empty": lambda f=f: f(rows, [0, 2, 1], [0, 0, 2]) for name, f in sums.items()},
        **{f"segment_{name}_said": lambda f=f: f(rows, [0, 2, 1], [0, 0, 1], 4) for name, f in sums.items()},
    }  # fmt: skip
    for name, compute in found.items():
        see(f"sparse {name}", compute)
        see(f"sparse {name} in a graph", lambda compute=compute: tf.function(compute)())


def texts(tf, see):
    found = {
        "scattered": lambda: tf.scatter_nd([[1]], ["a"], [3]),
        "not_written": lambda: tf.TensorArray(tf.string, 2).write(0, "a").stack(),
        "read_not_written": lambda: tf.TensorArray(tf.string, 2, element_shape=[]).read(1),
        "replaced_nothing": lambda: tf.strings.regex_replace(["aaa", "baac", "", "xaxx"], "a*", "-"),
        "replaced_nothing_once": lambda: tf.strings.regex_replace("aaa", "a*", "-", replace_global=False),
        "replaced_by_itself": lambda: tf.strings.regex_replace("hello", "l*", r"<\0>"),
        "replaced_edges": lambda: tf.strings.regex_replace("ab cd", r"\b", "|"),
        "replaced_optional": lambda: tf.strings.regex_replace("ab ab", "(a)?", r"[\1]"),
        "no_tensor": lambda: tf.constant(None),
        "no_tensor_either": lambda: tf.add(1, None),
        "summed_over_too_many": lambda: tf.tensordot(tf.ones([2, 2]), tf.ones([2, 2]), 3),
    }
    for name, compute in found.items():
        see(name, compute)
        see(f"{name} in a graph", lambda compute=compute: tf.function(compute)())
    see("nothing_from_python", lambda: tf.py_function(lambda: None, [], []))
