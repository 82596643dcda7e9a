"""How TensorFlow is asked to make the elements of datasets, which changes none of them."""

from __future__ import annotations

_GROUPS = {
    "autotune": "autotune_algorithm cpu_budget enabled initial_parallelism min_parallelism ram_budget",
    "experimental_distribute": "auto_shard_policy num_devices",
    "experimental_optimization": "apply_default_optimizations filter_fusion filter_parallelization "
    "inject_prefetch map_and_batch_fusion map_and_filter_fusion map_fusion map_parallelization noop_elimination "
    "parallel_batch seq_interleave_prefetch shuffle_and_repeat_fusion",
    "threading": "max_intra_op_parallelism private_threadpool_size",
}
_SINGLE = (
    "dataset_name deterministic experimental_deterministic experimental_external_state_policy experimental_slack "
    "experimental_symbolic_checkpoint experimental_warm_start framework_type"
)


class _Group:
    """Options of these names, each None until it is set."""

    def __init__(self, names: str) -> None:
        vars(self).update(dict.fromkeys(names.split()))

    def __setattr__(self, name: str, value: object) -> None:
        if name not in vars(self):
            raise AttributeError(f"Cannot set the property {name} on {type(self).__name__.strip('_')}")
        vars(self)[name] = value


class Options(_Group):
    """What is said of how elements are made: by how many threads, in which order of work.

    They are made one by one here, in their order, whatever is said.

    Raises:
      AttributeError: when it is set, for an option that there is not.

    >>> options = tf.data.Options()
    >>> options.threading.private_threadpool_size = 4
    >>> options.deterministic is None, options.threading.private_threadpool_size
    (True, 4)
    """

    def merge(self, other: Options) -> Options:
        """Both together: what the other says, and else what this one does.

        Args:
          other: more options.

        >>> first, second = tf.data.Options(), tf.data.Options()
        >>> first.deterministic, second.dataset_name = True, "numbers"
        >>> merged = first.merge(second)
        >>> merged.deterministic, merged.dataset_name
        (True, 'numbers')
        """
        made = Options()
        for options in (self, other):
            for name, value in vars(options).items():
                if isinstance(value, _Group):
                    vars(vars(made)[name]).update({n: v for n, v in vars(value).items() if v is not None})
                elif value is not None:
                    vars(made)[name] = value
        return made

    def __init__(self) -> None:
        super().__init__(_SINGLE)
        vars(self).update({name: _Group(names) for name, names in _GROUPS.items()})
