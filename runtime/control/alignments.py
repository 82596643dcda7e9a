"""How likely a sequence is, where it is not known which of its parts comes when."""

from __future__ import annotations

from runtime.control.loops import scan
from runtime.graph.dtypes import int32
from runtime.graph.shapes import show
from runtime.ops import shape as shape_ops
from runtime.tensors import mathematics as m, reductions
from runtime.tensors.activations import floating, log_softmax
from runtime.tensors.conversion import cast, operand
from runtime.tensors.making import fill, range
from runtime.tensors.operations import apply
from runtime.tensors.parts import gather
from runtime.tensors.shaping import concat, require, reshape, stack, transpose
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Size, TensorLike

_NEVER = -1e30  # the logarithm of a probability of 0: finite, so that its gradient is no NaN


def ctc_loss(
    labels: TensorLike,
    logits: TensorLike,
    label_length: TensorLike,
    logit_length: TensorLike,
    logits_time_major: bool = True,
    unique: object = None,
    blank_index: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Connectionist temporal classification: how unlikely sequences of labels are, whenever each of them comes.

    At each time there is a label or a blank; a label may last, and two of the same have a blank between them. The
    probabilities of all such courses are added.

    Args:
      labels: of shape [batch, the largest number of labels], integers; what is behind the length of a row is not read.
      logits: of shape [times, batch, classes], of floats; one class is the blank.
      label_length: how many labels each row has, of shape [batch].
      logit_length: how many times each row has, of shape [batch].
      logits_time_major: whether times come first; if not, logits are of shape [batch, times, classes].
      unique: accepted; labels are looked up in one way.
      blank_index: the class of the blank, 0 by default; a negative number counts from the last class.
    Returns: a tensor of shape [batch], of the dtype of the logits: ``-log`` of the probabilities; infinite where the
      labels do not fit into the time.
    Raises:
      ValueError: if the shapes do not fit, or there is no such class.
      InvalidArgumentError: if a label is not the number of a class, when it is run.

    >>> loss = tf.nn.ctc_loss([[1]], tf.zeros([2, 1, 2]), label_length=[1], logit_length=[2])
    >>> print(tf.exp(-loss).numpy().round(2))  # of four courses three have the one label
    [0.75]
    """
    sizes, lengths = cast(operand(label_length), int32), cast(operand(logit_length), int32)
    given, x = cast(operand(labels), int32), floating(logits)
    given, x, blank = _checked(given, x, sizes, lengths, logits_time_major, blank_index)
    batch, most = given.shape[0], given.shape[1]
    # A blank before each label, and one behind the last.
    blanks = fill([batch, most], blank)
    states = concat([reshape(stack([blanks, given], axis=2), [batch, 2 * most]), fill([batch, 1], blank)], axis=1)
    emitted = transpose(gather(log_softmax(x), states, axis=2, batch_dims=1), [1, 0, 2])
    # From a label to the next one without a blank, unless they are the same.
    other = m.logical_and(states[:, 2:] != blank, states[:, 2:] != states[:, :-2])
    never = fill([batch, 1], cast(_NEVER, x.dtype))
    start = concat([fill([batch, 1], cast(0, x.dtype)), fill([batch, 2 * most], cast(_NEVER, x.dtype))], axis=1)

    def step(before: Tensor, now: tuple[Tensor, Tensor]) -> Tensor:
        logs, time = now
        one = concat([never, before[:, :-1]], axis=1)
        two = concat([never, never, m.where(other, before[:, :-2], _NEVER)], axis=1)[:, : 2 * most + 1]
        after = _together(before, one, two) + logs
        return m.where((time < lengths)[:, None], after, before)

    ends = scan(step, (emitted, range(x.shape[1])), start)
    last = concat([start[None], ends], axis=0)[-1]
    place = range(2 * most + 1)
    final = m.logical_or(m.equal(place, 2 * sizes[:, None]), m.equal(place, 2 * sizes[:, None] - 1))
    total = reductions.reduce_logsumexp(m.where(final, last, _NEVER), 1)
    return m.where(total < _NEVER / 2, float("inf"), -total)


def _checked(
    given: Tensor, x: Tensor, sizes: Tensor, lengths: Tensor, time_major: bool, blank_index: int | None
) -> tuple[Tensor, Tensor, Size]:
    """Labels, blanks behind the last of each row; logits, with the batch first; and which class the blank is."""
    shapes = [t.type.shape for t in (given, x, sizes, lengths)]
    if [None if s is None else len(s) for s in shapes] != [2, 3, 1, 1]:
        raise ValueError(
            f"ctc_loss of labels {show(shapes[0])}, logits {show(shapes[1])} and lengths {show(shapes[2])} and "
            f"{show(shapes[3])}: they are [batch, labels], [times, batch, classes], [batch] and [batch]"
        )
    x = transpose(x, [1, 0, 2]) if time_major else x
    classes = x.shape[2]
    rows = [t.type.shape[0] for t in (given, x, sizes, lengths) if t.type.shape is not None]
    if len({d for d in rows if isinstance(d, int)}) > 1:
        raise ValueError(f"ctc_loss of {show(tuple(rows))} rows of labels, logits, label lengths and logit lengths")
    blank = 0 if blank_index is None else int(blank_index)
    if isinstance(classes, int) and not -classes <= blank < classes:
        raise ValueError(f"ctc_loss with blank_index={blank}: there are {classes} classes")
    blank = blank if blank >= 0 else classes + blank
    given = m.where(range(given.shape[1]) < sizes[:, None], given, blank)
    inside = reductions.reduce_all(m.logical_and(given >= 0, given < classes))
    require(inside, f"ctc_loss: a label is not the number of one of the {classes} classes", given)
    return given, x, blank


def _together(*logs: Tensor) -> Tensor:
    """The logarithm of the sum of probabilities."""
    top = logs[0]
    for other in logs[1:]:
        top = m.maximum(top, other)
    top = apply(shape_ops.stop_gradient, top)
    total = m.exp(logs[0] - top)
    for other in logs[1:]:
        total = total + m.exp(other - top)
    return top + m.log(total)
