"""Pictures: their colours, edges and parts, and how alike they are."""

import numpy as np


def run(tf, see):
    c, F, I = tf.constant, tf.function, tf.image
    rs = np.random.RandomState(0)
    x = rs.rand(6, 7, 3).astype(np.float32)
    b = rs.rand(2, 12, 13, 3).astype(np.float32)
    d = np.clip(b + 0.1 * rs.rand(*b.shape), 0, 1).astype(np.float32)
    u = rs.randint(0, 255, (5, 6, 3)).astype(np.uint8)

    def both(name, f, *args, slope=True):
        """At once, in a graph, in one that knows channels alone; and the slope."""
        see(name, lambda: f(*map(c, args)))
        see(f"{name} graph", lambda: F(f)(*map(c, args)))
        specs = [tf.TensorSpec([None] * (a.ndim - 1) + [a.shape[-1]], a.dtype) for a in args]
        see(f"{name} open", lambda: F(f, input_signature=specs)(*map(c, args)))

        def slopes():
            given = [c(a) for a in args]
            with tf.GradientTape() as tape:
                tape.watch(given)
                made = f(*given)
                loss = tf.reduce_mean(made * tf.reshape(tf.linspace(1.0, 2.0, tf.size(made)), tf.shape(made)))
            return tape.gradient(loss, given)

        if slope:
            see(f"{name} slope", slopes)

    for name, f in (
        ("hue", lambda a: I.adjust_hue(a, 0.1)),
        ("ssim", lambda a: I.ssim(a, a, 1.0)),
        ("boxes", lambda a: I.non_max_suppression(a[0, :4, :4, 0], a[0, 0, :4, 0], 2, 0.9)),
        ("patches", lambda a: I.extract_patches(a, [1, 2, 2, 1], [1, 3, 3, 1], [1, 1, 1, 1], "SAME")),
    ):
        see(f"array {name}", lambda: F(f)(b))
    for delta in (-0.7, 0.1, 0.5, 1.0):
        both(f"hue {delta}", lambda v, h=delta: I.adjust_hue(v, h), x, slope=False)
        see(f"hue {delta} integers", lambda: I.adjust_hue(c(u), delta))
    see("hue 2", lambda: I.adjust_hue(c(x), 2.0))
    for name in ("rgb_to_yiq", "rgb_to_yuv", "yiq_to_rgb", "yuv_to_rgb"):
        both(name, getattr(I, name), x)
    see("yiq of two", lambda: I.rgb_to_yiq(c(x[..., :2])))

    both("sobel", I.sobel_edges, b)
    see("sobel one", lambda: I.sobel_edges(c(x)))
    for size in (3, 4):
        both(f"ssim {size}", lambda v, w, n=size: I.ssim(v, w, 1.0, filter_size=n), b, d)
    both("ssim", lambda v, w: I.ssim(v, w, max_val=1.0), b, d)
    both("ssim map", lambda v, w: I.ssim(v, w, 2.0, 5, 1.0, 0.02, 0.05, True), b, d)
    see("ssim integers", lambda: I.ssim(c(u), c(u[::-1].copy()), 255, filter_size=3))
    see("ssim one", lambda: I.ssim(c(x), c(x + 0.1), 1.0, filter_size=3))
    see("ssim small", lambda: I.ssim(c(x), c(x), 1.0))
    see("ssim rank", lambda: I.ssim([1.0], [1.0], 1.0))
    both("ssim_multiscale", lambda v, w: I.ssim_multiscale(v, w, 1.0, (0.3, 0.7), filter_size=4), b, d)
    see(
        "ssim_multiscale five",
        lambda: tf.round(1e3 * I.ssim_multiscale(tf.tile(c(b), [1, 15, 15, 1]), tf.tile(c(d), [1, 15, 15, 1]), 1.0)),
    )
    see("ssim_multiscale small", lambda: I.ssim_multiscale(c(b), c(d), 1.0))

    for padding in ("VALID", "SAME"):
        for size, stride, rate in (((2, 3), (1, 2), (1, 1)), ((3, 3), (2, 2), (2, 1)), ((1, 1), (3, 4), (1, 1))):
            options = [1, *size, 1], [1, *stride, 1], [1, *rate, 1], padding
            both(f"patches {size} {stride} {rate} {padding}", lambda v, o=options: I.extract_patches(v, *o), b)
    see("patches padding", lambda: I.extract_patches(c(b), [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "FULL"))
    see("patches sizes", lambda: I.extract_patches(c(b), [2, 2], [1, 1], [1, 1], "SAME"))

    boxes = np.array([[0, 0, 1, 1], [0.1, 0.2, 0.7, 0.9], [0.8, 0.7, 0.1, 0.2], [-0.3, 0.5, 0.4, 1.4]], np.float32)
    which = np.array([0, 1, 1, 0], np.int32)
    for method in ("bilinear", "nearest"):
        for size in ((4, 5), (1, 3), (1, 1)):
            both(
                f"crop_and_resize {method} {size}",
                lambda v, w, m=method, s=size: I.crop_and_resize(v, w, which, s, method=m, extrapolation_value=-1.0),
                b,
                boxes,
                slope=method == "bilinear",
            )
    see("crop_and_resize integers", lambda: I.crop_and_resize(c(u[None]), boxes, [0] * 4, [3, 3]))
    see("crop_and_resize tensor size", lambda: I.crop_and_resize(c(b), boxes, which, c([2, 3])))
    see("crop_and_resize no picture", lambda: I.crop_and_resize(c(b), boxes, [0, 1, 2, 0], [3, 3]))
    see("crop_and_resize method", lambda: I.crop_and_resize(c(b), boxes, which, [3, 3], method="bicubic"))

    many = rs.rand(12, 4).astype(np.float32)
    many[:, 2:] = many[:, :2] + 0.3 + 0.3 * many[:, 2:]
    scores = rs.rand(12).astype(np.float32)
    for limit in (0.0, 0.3, 0.5, 1.0):
        for most in (3, 20):
            both(
                f"boxes {limit} {most}",
                lambda v, s, o=limit, n=most: I.non_max_suppression(v, tf.reshape(s, [-1]), n, o),
                many,
                scores[:, None],
                slope=False,
            )
            for sigma in (0.0, 0.5):
                see(
                    f"boxes {limit} {most} {sigma}",
                    lambda: I.non_max_suppression_with_scores(many, scores, most, limit, 0.05, soft_nms_sigma=sigma),
                )
    see("boxes least", lambda: I.non_max_suppression(many, scores, 20, 0.6, score_threshold=0.5))
    see("boxes none", lambda: I.non_max_suppression(many[:0], scores[:0], 3))
    see("boxes turned", lambda: I.non_max_suppression(many[:, [2, 3, 0, 1]], scores, 20, 0.4))
    see("boxes padded", lambda: I.non_max_suppression_padded(many, scores, 20, 0.3, pad_to_max_output_size=True))
    see("boxes not padded", lambda: I.non_max_suppression_padded(many, scores, 20, 0.3))
    see("boxes of three", lambda: I.non_max_suppression(many[:, :3], scores, 20))
    see("boxes scores", lambda: I.non_max_suppression(many, scores[:3], 20))
    see("boxes threshold", lambda: I.non_max_suppression(many, scores, 20, 1.5))

    for method in ("area", "lanczos3", "lanczos5", "gaussian", "mitchellcubic"):
        for size in ((6, 7), (3, 3), (9, 15), (4, 1)):
            for antialias in (False, True):
                options = {"method": method, "antialias": antialias}
                see(f"resize {size} {options}", lambda: I.resize(c(x), size, **options))
        both(f"resize {method}", lambda v, m=method: I.resize(v, [8, 5], m), b, slope=False)
    see("resize area integers", lambda: I.resize(c(u), [3, 4], "area"))
    see("resize other", lambda: I.resize(c(x), [3, 4], "other"))

    seed = [1, 2]
    for f in (I.stateless_random_brightness, I.stateless_random_hue):
        see(f"{f.__name__} 0", lambda: f(c(x), 0.0001, seed=seed).shape)
        see(f"{f.__name__} twice", lambda: tf.reduce_all(f(c(x), 0.3, seed=seed) == f(c(x), 0.3, seed=seed)))
        see(f"{f.__name__} less", lambda: f(c(x), -0.3, seed=seed))
    for f in (I.stateless_random_contrast, I.stateless_random_saturation):
        see(f"{f.__name__} twice", lambda: tf.reduce_all(f(c(x), 0.3, 2.0, seed=seed) == f(c(x), 0.3, 2.0, seed=seed)))
        see(f"{f.__name__} order", lambda: f(c(x), 2.0, 0.3, seed=seed))
    see("random_hue", lambda: I.random_hue(c(x), 0.3).shape)
    see("random_hue far", lambda: I.random_hue(c(x), 0.7))
    see("random_saturation", lambda: I.random_saturation(c(x), 0.3, 0.9).shape)
    see("random_saturation order", lambda: I.random_saturation(c(x), 0.3, 0.1))
    see("crop", lambda: I.stateless_random_crop(c(x), [2, 3, 3], seed=seed).shape)
    see("crop large", lambda: I.stateless_random_crop(c(x), [9, 3, 3], seed=seed))
