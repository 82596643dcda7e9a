"""Layers, models and what trains them, by Keras's names."""

from runtime.keras import (
    activations as activations,
    backend as backend,
    callbacks as callbacks,
    constraints as constraints,
    datasets as datasets,
    initializers as initializers,
    layers as layers,
    losses as losses,
    metrics as metrics,
    models as models,
    optimizers as optimizers,
    regularizers as regularizers,
    utils as utils,
)
from runtime.keras.initializers import Initializer as Initializer
from runtime.keras.layers import Input as Input, InputSpec as InputSpec, Layer as Layer
from runtime.keras.layers.symbolic import KerasTensor as KerasTensor
from runtime.keras.losses import Loss as Loss
from runtime.keras.metrics import Metric as Metric
from runtime.keras.models import Functional as Functional, Model as Model, Sequential as Sequential
from runtime.keras.optimizers import Optimizer as Optimizer
from runtime.keras.regularizers import Regularizer as Regularizer
