"""What programs of TensorFlow 1 train with, examples of sequences, and boxes that are drawn."""

import numpy as np


def run(tf, see):
    nn(tf, see)
    losses(tf, see)
    optimizers(tf, see)
    sequences(tf, see)
    boxes(tf, see)
    rows(tf, see)
    metrics(tf, see)


def nn(tf, see):
    n, images = tf.compat.v1.nn, tf.ones([1, 4, 4, 1])
    filters, row, weights = tf.ones([2, 2, 1, 1]), [[1.0, 2.0]], [[1.0], [2.0]]
    calls = {
        "max_pool": lambda: n.max_pool(images, [1, 2, 2, 1], [1, 2, 2, 1], "SAME"),
        "avg_pool": lambda: n.avg_pool(input=images, value=None, ksize=2, strides=2, padding="SAME"),
        "conv2d": lambda: n.conv2d(images, filter=filters, strides=[1, 1, 1, 1], padding="VALID"),
        "conv2d_filters": lambda: n.conv2d(images, filters=filters, strides=1, padding="SAME"),
        "keep_prob": lambda: n.dropout(tf.ones([3]), keep_prob=1.0),
        "rate": lambda: n.dropout(tf.ones([3]), rate=0.0),
        "keep_prob_and_rate": lambda: n.dropout(tf.ones([3]), keep_prob=0.5, rate=0.5),
        "embeddings_in_turn": lambda: n.embedding_lookup([[1.0, 2.0, 5.0], [3.0, 4.0]], [1, 2, 4]),
        "embeddings": lambda: n.embedding_lookup([[1.0, 2.0], [3.0, 4.0]], [1, 2], partition_strategy="div"),
        "softmax": lambda: n.softmax([1.0, 2.0], dim=-1),
        "log_softmax": lambda: n.log_softmax([1.0, 2.0], dim=-1),
        "l2_normalize": lambda: n.l2_normalize([3.0, 4.0], dim=0),
        "xw_plus_b": lambda: n.xw_plus_b(row, weights, [1.0]),
        "relu_layer": lambda: n.relu_layer(row, weights, [-9.0]),
        "in_top_k": lambda: n.in_top_k([[0.1, 0.9]], [1], 1),
        "moments": lambda: n.moments(tf.constant([[1.0, 3.0]]), [1], keep_dims=True),
        "sigmoid": lambda: n.sigmoid_cross_entropy_with_logits(labels=[1.0], logits=[2.0]),
        "no_names": lambda: n.sigmoid_cross_entropy_with_logits([1.0], [2.0]),
        "no_labels": lambda: n.sigmoid_cross_entropy_with_logits(logits=[2.0]),
        "softmax_entropy": lambda: n.softmax_cross_entropy_with_logits(labels=[[0.0, 1.0]], logits=row),
        "softmax_entropy_v2": lambda: n.softmax_cross_entropy_with_logits_v2(labels=[[0.0, 1.0]], logits=row, dim=-1),
        "sparse_entropy": lambda: n.sparse_softmax_cross_entropy_with_logits(labels=[1], logits=row),
        "weighted": lambda: n.weighted_cross_entropy_with_logits(targets=[1.0], logits=[2.0], pos_weight=2.0),
        "relu": lambda: n.relu([-1.0, 1.0]),
    }
    for name, call in calls.items():
        see(f"nn {name}", call)

    def of_labels(function):
        labels = tf.constant([[0.25, 0.75]])
        with tf.GradientTape() as tape:
            tape.watch(labels)
            loss = function(labels=labels, logits=row)
        return tape.gradient(loss, labels)

    see("nn gradient of labels", lambda: of_labels(n.softmax_cross_entropy_with_logits))
    see("nn gradient of labels v2", lambda: of_labels(n.softmax_cross_entropy_with_logits_v2))


def losses(tf, see):
    m, two, one = tf.compat.v1.losses, [[1.0, 2.0], [3.0, 4.0]], [[0.0, 1.0], [1.0, 0.0]]
    calls = {
        "softmax": lambda **k: m.softmax_cross_entropy(one, two, **k),
        "sparse": lambda **k: m.sparse_softmax_cross_entropy([1, 0], two, **k),
        "sparse_column": lambda **k: m.sparse_softmax_cross_entropy([[1], [0]], two, **k),
        "sigmoid": lambda **k: m.sigmoid_cross_entropy(one, two, **k),
        "absolute": lambda **k: m.absolute_difference(one, two, **k),
        "squared": lambda **k: m.mean_squared_error(one, two, **k),
        "hinge": lambda **k: m.hinge_loss(one, two, **k),
        "log": lambda **k: m.log_loss(one, [[0.2, 0.5], [0.7, 0.1]], **k),
        "huber": lambda **k: m.huber_loss(one, two, **k),
        "cosine": lambda **k: m.cosine_distance(one, two, axis=1, **k),
    }
    for name, call in calls.items():
        see(f"losses {name}", call)
        see(f"losses {name} weighed", lambda call=call: call(weights=2.0))
        see(f"losses {name} of some", lambda call=call: call(weights=[[1.0], [0.0]]))
        for how in ("NONE", "SUM", "MEAN", "SUM_OVER_BATCH_SIZE"):
            see(f"losses {name} {how}", lambda call=call, how=how: call(reduction=getattr(m.Reduction, how)))
    see("losses smoothed", lambda: m.softmax_cross_entropy(one, two, label_smoothing=0.1))
    see("losses sigmoid smoothed", lambda: m.sigmoid_cross_entropy(one, two, label_smoothing=0.1))
    see("losses other shapes", lambda: m.mean_squared_error([1.0], [1.0, 2.0]))
    see("losses other weights", lambda: m.mean_squared_error([1.0, 2.0], [1.0, 2.0], weights=[1.0, 2.0, 3.0]))
    see("losses no reduction", lambda: m.mean_squared_error([1.0, 2.0], [1.0, 2.0], reduction="all"))
    see("losses all_nothing", lambda: m.mean_squared_error([1.0, 2.0], [2.0, 2.0], weights=0.0))

    def total():
        with tf.Graph().as_default(), tf.compat.v1.Session() as session:
            m.mean_squared_error([1.0, 2.0], [1.0, 4.0])
            m.absolute_difference([1.0, 2.0], [1.0, 4.0])
            m.add_loss(tf.constant(0.5))
            return [session.run(m.get_total_loss()), len(m.get_losses())]

    see("losses total", total)
    see("losses total of none", lambda: m.get_total_loss())


def optimizers(tf, see):
    v1 = tf.compat.v1

    def trained(name, *args, **options):
        with tf.Graph().as_default(), v1.Session() as session:
            w = v1.get_variable("w", initializer=[1.0, 2.0])
            step = getattr(v1.train, name)(*args, **options).minimize(tf.reduce_sum(w * w))
            session.run(v1.global_variables_initializer())
            return [session.run([step, w])[1].tolist() and session.run(w) for _ in range(3)]

    see("Adagrad", lambda: trained("AdagradOptimizer", 0.1))
    see("Adagrad from 1", lambda: trained("AdagradOptimizer", 0.1, initial_accumulator_value=1.0))
    see("RMSProp", lambda: trained("RMSPropOptimizer", 0.1))
    see("RMSProp momentum", lambda: trained("RMSPropOptimizer", 0.1, momentum=0.5))
    see("RMSProp centered", lambda: trained("RMSPropOptimizer", 0.1, centered=True))
    see("Adadelta", lambda: trained("AdadeltaOptimizer", 1.0))
    see("Adam", lambda: trained("AdamOptimizer", 0.1))
    decays = {
        "exponential_decay": (0.5, 3, 2, 0.5), "natural_exp_decay": (0.5, 3, 2, 0.5),
        "inverse_time_decay": (0.5, 3, 2, 0.5), "polynomial_decay": (0.5, 3, 10), "cosine_decay": (0.5, 3, 10),
        "piecewise_constant": (3, [2, 4], [1.0, 0.5, 0.25]),
    }  # fmt: skip
    for name, args in decays.items():
        see(name, lambda name=name, args=args: getattr(v1.train, name)(*args)())

        def in_graph(name=name, args=args):
            with tf.Graph().as_default(), v1.Session() as session:
                return session.run(getattr(v1.train, name)(*args))

        see(f"{name} in a graph", in_graph)
    for name in ("exponential_decay", "natural_exp_decay", "inverse_time_decay"):
        see(f"{name} in steps", lambda name=name: getattr(v1.train, name)(0.5, 3, 2, 0.5, staircase=True)())
    see("polynomial again", lambda: [v1.train.polynomial_decay(0.5, s, 2, 0.1, 2.0, cycle=True)() for s in (0, 1, 5)])
    see("pieces", lambda: [v1.train.piecewise_constant(s, [2, 4], [1.0, 0.5, 0.25])() for s in (0, 2, 4, 5)])
    see("too few pieces", lambda: v1.train.piecewise_constant(1, [2, 4], [1.0]))

    def falling():
        with tf.Graph().as_default(), v1.Session() as session:
            step = v1.train.get_or_create_global_step()
            rate = v1.train.exponential_decay(0.5, step, 2, 0.5, staircase=True)
            w = v1.get_variable("w", initializer=1.0)
            train = v1.train.GradientDescentOptimizer(rate).minimize(w * w, global_step=step)
            session.run(v1.global_variables_initializer())
            return [[session.run(train), session.run([rate, step])] for _ in range(4)]

    see("falling with the steps", falling)


def sequences(tf, see):
    t, io = tf.train, tf.io
    kinds = {int: ("int64_list", t.Int64List), float: ("float_list", t.FloatList), bytes: ("bytes_list", t.BytesList)}

    def feature(values):
        name, kind = kinds[type(values[0])] if values else kinds[int]
        return t.Feature(**{name: kind(value=values)})

    def record(context, lists):
        return t.SequenceExample(
            context=t.Features(feature={k: feature(v) for k, v in context.items()}),
            feature_lists=t.FeatureLists(
                feature_list={k: t.FeatureList(feature=[feature(v) for v in steps]) for k, steps in lists.items()}
            ),
        )

    first = record({"n": [2], "name": [b"x"]}, {"t": [[1], [5]], "s": [[b"p"], [b"q", b"r"]], "f": [[0.5, 1.5]]})
    one, other = first.SerializeToString(), record({"n": [3]}, {"t": [[7]]}).SerializeToString()
    see("sequence read", lambda: t.SequenceExample.FromString(one) == first)
    see("sequence parts", lambda: [len(first.feature_lists.feature_list["t"].feature), sorted(first.context.feature)])
    see("sequence text", lambda: str(record({"n": [3]}, {"t": [[7]]})))
    n, int64 = {"n": io.FixedLenFeature([], tf.int64)}, tf.int64
    wanted = {
        "fixed": (n, {"t": io.FixedLenSequenceFeature([], int64)}),
        "rows": (None, {"f": io.FixedLenSequenceFeature([2], tf.float32)}),
        "columns": (None, {"t": io.FixedLenSequenceFeature([1], int64)}),
        "missing": ({"zz": io.FixedLenFeature([], int64)}, None),
        "default": ({"zz": io.FixedLenFeature([], int64, default_value=4)}, None),
        "missing_list": (None, {"zz": io.FixedLenSequenceFeature([], int64)}),
        "may_miss": (None, {"zz": io.FixedLenSequenceFeature([], int64, allow_missing=True)}),
        "other_dtype": (None, {"t": io.FixedLenSequenceFeature([], tf.float32)}),
        "other_number": (None, {"s": io.FixedLenSequenceFeature([], tf.string)}),
        "ragged": (None, {"s": io.RaggedFeature(tf.string)}),
        "nothing": (None, None),
    }
    for name, (context, lists) in wanted.items():
        see(f"sequence {name}", lambda c=context, x=lists: io.parse_single_sequence_example(one, c, x))
    see("sequence junk", lambda: io.parse_single_sequence_example(b"junk", n))

    def dense(found):
        return [
            {k: tf.sparse.to_dense(v) if isinstance(v, tf.SparseTensor) else v for k, v in d.items()} for d in found
        ]

    var = {"t": io.VarLenFeature(int64), "s": io.VarLenFeature(tf.string)}
    see("sequence sparse", lambda: dense(io.parse_single_sequence_example(one, n, var)))
    batch = [one, other]
    see("sequences fixed", lambda: io.parse_sequence_example(batch, n, {"t": io.FixedLenSequenceFeature([], int64)}))
    see("sequences sparse", lambda: dense(io.parse_sequence_example(batch, n, var)))
    see("sequences ragged", lambda: io.parse_sequence_example(batch, None, {"t": io.RaggedFeature(int64)}))
    lists = {"t": io.FixedLenSequenceFeature([], int64)}
    data = tf.data.Dataset.from_tensor_slices(batch)
    see("sequences mapped", lambda: [*data.map(lambda s: io.parse_single_sequence_example(s, n, lists))])


def boxes(tf, see):
    images, draw = tf.zeros([1, 5, 6, 3]), tf.image.draw_bounding_boxes
    red, whole = [[1.0, 0.0, 0.0]], [[[0.0, 0.0, 1.0, 1.0]]]
    two = [[[0.3, 0.3, 0.9, 0.9]], [[-0.5, -0.5, 0.5, 0.5]]]
    calls = {
        "one": lambda: draw(images, [[[0.0, 0.0, 0.6, 0.6]]], red),
        "two": lambda: draw(images, [[[0.2, 0.2, 1.0, 1.0], [0.0, 0.0, 0.1, 0.1]]], [red[0], [0.0, 1.0, 0.5]]),
        "grey": lambda: draw(tf.ones([2, 4, 4, 1]), two, [[0.25]]),
        "inside_out": lambda: draw(images, [[[0.5, 0.5, 0.1, 0.1]]], red),
        "outside": lambda: draw(images, [[[2.0, 2.0, 3.0, 3.0]]], red),
        "channels": lambda: draw(images[..., :2], whole, [[1.0, 0.0]]),
        "colours": lambda: draw(images, [whole[0] * 12], None),
        "alpha": lambda: draw(tf.zeros([1, 3, 3, 4]), whole, None),
        "rank": lambda: draw(images, whole[0], red),
    }
    for name, call in calls.items():
        see(f"boxes {name}", call)
        see(f"boxes {name} in a graph", lambda call=call: tf.function(call)())
    see("boxes version 1", lambda: tf.compat.v1.image.draw_bounding_boxes(images, whole))


def rows(tf, see):
    r, n = tf.ragged.constant([[3, 1, 4], [], [5, 9]]), tf.ragged.constant([[[1, 2], [3]], [], [[4, 5, 6]]])
    for name, options in {"": {}, " exclusive": {"exclusive": True}, " reverse": {"reverse": True}}.items():
        for axis in (0, 1, -1):
            see(f"cumsum {axis}{name}", lambda a=axis, o=options: tf.cumsum(r, axis=a, **o))
            in_graph = tf.function(lambda a=axis, o=options: tf.cumsum(r, a, **o))
            see(f"cumsum {axis}{name} in a graph", lambda call=in_graph: call())
        see(f"cumsum of rows{name}", lambda o=options: tf.cumsum(n, axis=2, **o))
    see("cumsum of floats", lambda: tf.cumsum(tf.cast(r, tf.float32) / np.float32(3), axis=1))


def metrics(tf, see):
    v1 = tf.compat.v1

    def measured(name, weights):
        with tf.Graph().as_default(), v1.Session() as session:
            labels, found = v1.placeholder(tf.float32, [3]), v1.placeholder(tf.float32, [3])
            value, update = getattr(v1.metrics, name)(labels, found, weights=weights)
            session.run(v1.local_variables_initializer())
            seen = [session.run(value)]
            for given in ([1.0, 0.0, 1.0], [1.0, 1.0, 1.0]):
                seen += [session.run(update, {labels: [1.0, 1.0, 0.0], found: given}), session.run(value)]
            return [seen, [v.name for v in v1.local_variables()], len(v1.global_variables())]

    names = "accuracy precision recall mean_squared_error root_mean_squared_error mean_absolute_error"
    for name in names.split():
        for weights in (None, 2.0, [1.0, 0.0, 2.0]):
            see(f"metrics {name} {weights}", lambda n=name, w=weights: measured(n, w))

    def mean():
        with tf.Graph().as_default(), v1.Session() as session:
            value, update = v1.metrics.mean([[1.0, 2.0], [3.0, 4.0]], weights=[[1.0], [0.0]], name="mine")
            session.run(v1.local_variables_initializer())
            return [session.run(update), session.run(value), [v.name for v in v1.local_variables()]]

    see("metrics mean", mean)
    see("metrics eager", lambda: v1.metrics.mean([1.0]))
