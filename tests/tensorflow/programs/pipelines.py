"""What datasets give in which order, what is known of their elements, and the same where a graph goes through them."""

import tempfile
from pathlib import Path

import numpy as np

LISTS = [[0], [1, 2, 3, 4], [5, 6, 7], [7, 8, 9, 10, 11], [13, 14, 15], [12]]


def run(tf, see):
    D = tf.data.Dataset

    def lists():
        return D.from_generator(lambda: iter(LISTS), output_signature=tf.TensorSpec([None], tf.int32))

    def length(element, *_):
        return tf.shape(element)[0]

    def bucketed(dataset=None, bounds=(3, 5), sizes=(2, 2, 2), **options):
        return (dataset or lists()).bucket_by_sequence_length(length, list(bounds), list(sizes), **options)

    pairs = {
        "list of results": lambda: D.range(3).map(lambda x: [x, x * 2]),
        "list in a tuple": lambda: D.range(3).map(lambda x: (x, [x, x * 2])),
        "list of a scan": lambda: D.range(3).scan(np.int64(0), lambda s, x: [s + x, s * x]),
        "list of one": lambda: D.range(2).map(lambda x: [x]),
        "list of two shapes": lambda: D.range(2).map(lambda x: [x, tf.stack([x, x])]),
        "dictionary of lists": lambda: D.range(2).map(lambda x: {"a": [x, x], "b": x}),
        "condition of numbers": lambda: D.range(3).filter(lambda x: x),
        "condition of several": lambda: D.range(3).filter(lambda x: tf.stack([x > 1, x > 2])),
        "other batches by turns": lambda: D.range(9).batch(4).rebatch([2, 3]),
        "other batches by turns, whole": lambda: D.range(9).batch(4).rebatch([2, 3], drop_remainder=True),
        "groups": lambda: D.range(10).group_by_window(lambda x: x % 3, lambda key, some: some.batch(5), 2),
        "groups by size": lambda: D.range(10).group_by_window(
            lambda x: x % 3, lambda key, some: some.batch(5), window_size_func=lambda key: key + 1),
        "groups of tuples": lambda: D.zip((D.range(5), D.range(4, 9))).group_by_window(
            lambda x, y: x % 2, lambda key, some: some.batch(2), 2),
        "groups without size": lambda: D.range(5).group_by_window(lambda x: x, lambda key, some: some),
        "groups with two sizes": lambda: D.range(5).group_by_window(
            lambda x: x, lambda key, some: some, 2, lambda key: key),
        "groups of no dataset": lambda: D.range(5).group_by_window(lambda x: x, lambda key, some: key, 2),
        "lengths": bucketed,
        "lengths, whole batches": lambda: bucketed(drop_remainder=True, padding_values=-1),
        "lengths to boundaries": lambda: bucketed(bounds=(3, 5, 9), sizes=(2, 2, 2, 1), pad_to_bucket_boundary=True),
        "lengths to no boundary": lambda: bucketed(pad_to_bucket_boundary=True),
        "lengths to a shape": lambda: bucketed(padded_shapes=[7]),
        "lengths of tuples": lambda: bucketed(D.zip((lists(), D.range(6)))),
        "lengths without padding": lambda: bucketed(lists().map(lambda x: x[:2]), (2,), (2, 3), no_padding=True),
        "too few sizes": lambda: bucketed(sizes=(2, 2)),
        "uneven turns": lambda: D.range(6).interleave(lambda x: D.range(x), cycle_length=3, block_length=2),
        "windows": lambda: D.range(7).window(3, 2, 2).flat_map(lambda w: w.batch(3)),
        "chosen until one ends": lambda: D.choose_from_datasets(
            [D.range(1), D.range(10, 13)], D.from_tensor_slices(np.int64([0, 0, 1])), stop_on_empty_dataset=True),
    }  # fmt: skip
    both = [D.range(2), D.range(5, 8)]
    pairs |= {
        "zip of one": lambda: D.zip(D.range(2)),
        "zip of one in a tuple": lambda: D.zip((D.range(2),)),
        "zip by name": lambda: D.zip(datasets=tuple(both)),
        "zip twice": lambda: D.zip(*both, datasets=tuple(both)),
        "zip of a list": lambda: D.zip(both),
        "zip of nothing": lambda: D.zip(),
        "range of a float": lambda: D.range(3.5),
    }
    windows = [(3,), (3, 1), (3, 2), (3, 1, 2), (2, 5), (3, 4, 2)]
    see("how many windows", lambda: [
        D.range(n).window(*how, drop_remainder=whole).cardinality()
        for n in (0, 1, 5, 7, 8) for how in windows for whole in (False, True)
    ])  # fmt: skip
    see("how many rows", lambda: [
        made.unbatch().cardinality() for made in (
            D.from_tensor_slices([[1, 2], [3, 4]]), D.range(5).batch(2), D.range(5).batch(2, drop_remainder=True),
            D.range(4).batch(2, drop_remainder=True).repeat(), D.from_tensors(np.zeros([3, 0])))
    ])  # fmt: skip
    utils = tf.keras.utils
    series, following = np.arange(12.0), np.arange(12) * 10

    def over_time(targets=following, **options):
        return list(utils.timeseries_dataset_from_array(series, targets, **options))

    for name, options in {
        "steps": {}, "strides": {"sequence_stride": 2, "sampling_rate": 2, "batch_size": 2},
        "alone": {"batch_size": None},
        "a part": {"start_index": 2, "end_index": 9, "batch_size": 4}, "no part": {"start_index": 9, "end_index": 2},
        "no stride": {"sequence_stride": 0}, "a late start": {"start_index": 12},
    }.items():  # fmt: skip
        see(f"series, {name}", lambda options=options: over_time(sequence_length=3, **options))
        see(f"series of pairs, {name}", lambda options=options: list(
            utils.timeseries_dataset_from_array(np.stack([series, -series], 1), None, 3, **options)))  # fmt: skip
    see("series and later targets", lambda: over_time(following[3:], sequence_length=3))
    mixed = {"sequence_length": 3, "shuffle": True, "seed": 1, "batch_size": None}
    see("series in another order", lambda: sorted(float(window[0]) for window, _ in over_time(**mixed)))
    for given in ((1,), (1, 2), (1, 2, 3), ((1, 2),), ([1], None)):
        see(f"packed {given}", lambda given=given: utils.pack_x_y_sample_weight(*given))
    for given in (1, (1,), [1, 2], (1, 2, 3), (1, 2, 3, 4), {"a": 1}):
        see(f"unpacked {given}", lambda given=given: utils.unpack_x_y_sample_weight(given))
    see("kinds of tensors", lambda: [utils.is_keras_tensor(x) for x in (tf.ones([2]), tf.keras.Input([2]))])

    for name, make in pairs.items():

        def elements(make=make):
            dataset = make()
            return list(dataset), dataset.element_spec

        see(name, elements)

        if name.startswith(("list", "groups", "other", "uneven", "windows")):

            @tf.function
            def folded(make=make):
                total = tf.constant(0, tf.int64)
                for element in make():
                    for part in tf.nest.flatten(element):
                        total = total * 2 + tf.reduce_sum(part)
                return total

            see(f"{name}, in a graph", folded)

    D, experimental = tf.data.Dataset, tf.data.experimental
    options = tf.data.Options()
    options.deterministic = False
    options.threading.private_threadpool_size = 2
    see("options", lambda: list(D.range(3).with_options(options).map(lambda n: n + 1)))
    see("options read", lambda: [options.deterministic, options.threading.private_threadpool_size])
    see("options of another name", lambda: setattr(options, "speed", 3))
    see("options of none", lambda: list(D.range(3).with_options({})))
    see("cardinality", lambda: [experimental.cardinality(d) for d in (D.range(3), D.range(3).repeat())])
    see("older names", lambda: [experimental.AUTOTUNE, experimental.UNKNOWN_CARDINALITY])

    with tempfile.TemporaryDirectory() as folder:
        for name in ("b.txt", "a.txt", "c.csv"):
            Path(folder, name).write_text(name)

        def names(*patterns, **options):
            return [Path(n.numpy().decode()).name for n in D.list_files([f"{folder}/{p}" for p in patterns], **options)]

        see("files", lambda: names("*.txt", shuffle=False))
        see("files of two patterns", lambda: names("c*", "*.txt", shuffle=False))
        see("files in any order", lambda: sorted(names("*")))
        see("files twice", lambda: sorted(names("*.txt", "a*", seed=1)))
        see("no files", lambda: names("*.png"))
        see("files of one pattern", lambda: len(D.list_files(f"{folder}/*", shuffle=False)))

    split = tf.keras.utils.split_dataset
    for sizes in ({"left_size": 0.75}, {"right_size": 0.3}, {"left_size": 3}, {"left_size": 2, "right_size": 0.5}):
        see(f"split {sizes}", lambda: [list(part) for part in split(D.range(8), **sizes)])
        see(f"split arrays {sizes}", lambda: [len(part) for part in split(np.arange(8.0), **sizes)])
    see("split pairs", lambda: [list(part) for part in split((np.arange(4), np.arange(4.0) * 2), 0.5)])
    see("split shuffled", lambda: sorted(int(n) for part in split(D.range(8), 0.5, shuffle=True, seed=1) for n in part))
    see("split of nothing", lambda: split(D.range(8)))
    see("split too much", lambda: split(D.range(8), 6, 6))
    see("split all", lambda: split(D.range(8), 9))
