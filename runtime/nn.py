"""Functions of neural networks."""

from __future__ import annotations

from runtime.control.alignments import ctc_loss
from runtime.tensors.activations import (
    crelu,
    elu,
    gelu,
    leaky_relu,
    log_softmax,
    relu,
    relu6,
    selu,
    silu,
    softmax,
    softsign,
)
from runtime.tensors.attention import scaled_dot_product_attention
from runtime.tensors.blocks import depth_to_space, space_to_batch, space_to_depth
from runtime.tensors.convolutions import (
    atrous_conv2d,
    bias_add,
    conv1d,
    conv1d_transpose,
    conv2d,
    conv2d_transpose,
    conv3d,
    conv3d_transpose,
    conv_transpose,
    convolution,
    depthwise_conv2d,
    separable_conv2d,
)
from runtime.tensors.cross_entropies import (
    in_top_k,
    l2_loss,
    log_poisson_loss,
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
    weighted_cross_entropy_with_logits,
)
from runtime.tensors.likeness import dilation2d, erosion2d
from runtime.tensors.mathematics import sigmoid, softplus, tanh
from runtime.tensors.normalisation import (
    batch_normalization,
    dropout,
    embedding_lookup,
    l2_normalize,
    moments,
    zero_fraction,
)
from runtime.tensors.parts import top_k
from runtime.tensors.pooling import (
    avg_pool,
    avg_pool1d,
    avg_pool2d,
    avg_pool3d,
    max_pool,
    max_pool1d,
    max_pool2d,
    max_pool3d,
    max_pool_with_argmax,
    pool,
)
from runtime.tensors.public import face as _face
from runtime.tensors.statistics import (
    compute_average_loss,
    local_response_normalization,
    normalize_moments,
    scale_regularization_loss,
    sufficient_statistics,
    weighted_moments,
)

__all__ = [
    "atrous_conv2d", "avg_pool", "avg_pool1d", "avg_pool2d", "avg_pool3d", "batch_normalization", "bias_add",
    "compute_average_loss", "conv1d", "conv1d_transpose", "conv2d", "conv2d_transpose", "conv3d", "conv3d_transpose",
    "conv_transpose", "convolution", "crelu", "ctc_loss", "depth_to_space", "depthwise_conv2d", "dilation2d",
    "dropout", "elu", "embedding_lookup", "erosion2d", "gelu", "in_top_k", "l2_loss", "l2_normalize", "leaky_relu",
    "local_response_normalization", "log_poisson_loss", "log_softmax", "lrn", "max_pool", "max_pool1d", "max_pool2d",
    "max_pool3d", "max_pool_with_argmax", "moments", "normalize_moments", "pool", "relu", "relu6",
    "scale_regularization_loss", "scaled_dot_product_attention", "selu", "separable_conv2d", "sigmoid",
    "sigmoid_cross_entropy_with_logits", "silu", "softmax", "softmax_cross_entropy_with_logits", "softplus",
    "softsign", "space_to_batch", "space_to_depth", "sparse_softmax_cross_entropy_with_logits",
    "sufficient_statistics", "swish", "tanh", "top_k", "weighted_cross_entropy_with_logits", "weighted_moments",
    "zero_fraction",
]  # fmt: skip

lrn = local_response_normalization
swish = silu


__getattr__, __dir__ = _face("nn", globals())
