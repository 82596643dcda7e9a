"""A convolutional network that learns handwritten digits: the whole training is one graph, which prints its loss."""

import numpy as np

import runtime as tf


class CNN(tf.keras.Model):
    """Two convolutions, each with pooling, and two layers of products."""

    def __init__(self):
        super().__init__()
        self.conv1 = tf.keras.layers.Conv2D(filters=16, kernel_size=[3, 3], padding="same", activation=tf.nn.relu)
        self.pool1 = tf.keras.layers.MaxPool2D(pool_size=[2, 2], strides=2)
        self.conv2 = tf.keras.layers.Conv2D(filters=32, kernel_size=[3, 3], padding="same", activation=tf.nn.relu)
        self.pool2 = tf.keras.layers.MaxPool2D(pool_size=[2, 2], strides=2)
        self.flatten = tf.keras.layers.Reshape(target_shape=(2 * 2 * 32,))
        self.dense1 = tf.keras.layers.Dense(units=64, activation=tf.nn.relu)
        self.dense2 = tf.keras.layers.Dense(units=10)

    def call(self, images):
        x = self.pool1(self.conv1(images))
        x = self.pool2(self.conv2(x))
        return tf.nn.softmax(self.dense2(self.dense1(self.flatten(x))))


def load():
    """The digits that scikit-learn ships: images of shape [n, 8, 8, 1] from 0 to 1, a quarter kept for testing."""
    (images, labels), (test_images, test_labels) = tf.keras.datasets.digits.load_data()
    scale = np.float32(1 / 16)
    return images[..., None] * scale, labels, test_images[..., None] * scale, test_labels


def trainer(model, optimizer, batch):
    """What trains a model: a graph with the loop over the batches in it."""

    @tf.function
    def train(images, labels, steps):
        total = 0.0
        for step in tf.range(steps):
            some = tf.random.uniform([batch], 0, len(labels), dtype=tf.int64)
            with tf.GradientTape() as tape:
                predicted = model(tf.gather(images, some), training=True)
                losses = tf.keras.losses.sparse_categorical_crossentropy(tf.gather(labels, some), predicted)
                loss = tf.reduce_mean(losses)
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
            total += loss
            if (step + 1) % 100 == 0:
                tf.print("step", step + 1, "loss", total / 100)
                total = 0.0
        return total

    return train


def accuracy(model, images, labels):
    """The share of images that are classified correctly."""
    return float(np.mean(np.argmax(model(images), axis=1) == labels))


def main(steps=400):
    tf.keras.utils.set_random_seed(1)
    images, labels, test_images, test_labels = load()
    model = CNN()
    train = trainer(model, tf.keras.optimizers.Adam(learning_rate=0.002), batch=50)
    model(images[:1])  # makes the weights
    train(tf.constant(images), tf.constant(labels), tf.constant(steps))
    model.summary()
    share = accuracy(model, test_images, test_labels)
    print(f"{train.experimental_get_tracing_count()} trace, {share:.1%} of {len(test_labels)} unseen images right")
    return share


if __name__ == "__main__":
    main()
