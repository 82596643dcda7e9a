"""Pictures."""

import numpy as np


def run(tf, see):
    c = tf.constant
    F = tf.function
    I = tf.image
    rs = np.random.RandomState(0)
    x = rs.rand(5, 7, 3).astype(np.float32)
    b = rs.rand(2, 4, 6, 3).astype(np.float32)
    u = rs.randint(0, 255, (4, 6, 3)).astype(np.uint8)

    def both(name, f, *args):
        see(name, lambda: f(*[c(a) for a in args]))
        see(
            name + "_graph",
            lambda: F(
                f, input_signature=[tf.TensorSpec([None] * (np.ndim(a) - 1) + [a.shape[-1]], a.dtype) for a in args]
            )(*[c(a) for a in args]),
        )

    for m in ("bilinear", "nearest", "bicubic"):
        both("rz_" + m, lambda v, m=m: I.resize(v, [8, 5], method=m), x)
        both("rzs_" + m, lambda v, m=m: I.resize(v, [3, 2], method=m), x)
        both("rzb_" + m, lambda v, m=m: I.resize(v, (9, 3), m), b)
        both("rzu_" + m, lambda v, m=m: I.resize(v, [5, 5], method=m), u)
        see("rzk_" + m, lambda m=m: I.resize(c(u), [4, 6], method=m))
        see("rzar_" + m, lambda m=m: I.resize(c(x), [10, 20], method=m, preserve_aspect_ratio=True))
    see("aa", lambda: I.resize(c(x), [3, 2], antialias=True))
    see("aac", lambda: I.resize(c(x), [3, 2], method="bicubic", antialias=True))
    see("aaup", lambda: I.resize(c(x), [9, 12], antialias=True))
    see("rz_enum", lambda: I.resize(c(x), [2, 2], method=I.ResizeMethod.NEAREST_NEIGHBOR))
    see("rz_rank", lambda: I.resize(c([1.0, 2.0]), [2, 2]))
    see("rz_tsize", lambda: F(lambda v, s: I.resize(v, s))(c(x), c([3, 4])))
    for n in (
        "flip_left_right",
        "flip_up_down",
        "transpose",
        "rot90",
        "per_image_standardization",
        "rgb_to_grayscale",
        "total_variation",
    ):
        both(n, lambda v, n=n: getattr(I, n)(v), x)
        both(n + "_b", lambda v, n=n: getattr(I, n)(v), b)
    see("gray_u", lambda: I.rgb_to_grayscale(c(u)))
    see("std_u", lambda: I.per_image_standardization(c(u)))
    see("rot2", lambda: I.rot90(c(u), 2))
    see("rot3", lambda: I.rot90(c(u), k=3))
    see("rotm", lambda: I.rot90(c(u), k=-1))
    see("g2r", lambda: I.grayscale_to_rgb(c(u[..., :1])))
    both("crop", lambda v: I.crop_to_bounding_box(v, 1, 2, 3, 4), x)
    see("crop_bad", lambda: I.crop_to_bounding_box(c(x), 1, 2, 9, 4))
    both("pad", lambda v: I.pad_to_bounding_box(v, 1, 2, 8, 10), x)
    see("pad_bad", lambda: I.pad_to_bounding_box(c(x), 1, 2, 3, 4))
    see("central", lambda: I.central_crop(c(x), 0.5))
    see("central2", lambda: I.central_crop(c(b), 0.3))
    see("central_bad", lambda: I.central_crop(c(x), 1.5))
    see("central1", lambda: I.central_crop(c(x), 1.0))
    for h, w in ((3, 9), (8, 8), (3, 4), (5, 7), (6, 5)):
        see(f"rcp{h}{w}", lambda: I.resize_with_crop_or_pad(c(x), h, w))
        see(f"rp{h}{w}", lambda: I.resize_with_pad(c(x), h, w))
    see("rcp_b", lambda: I.resize_with_crop_or_pad(c(b), 3, 8))
    for d in ("uint8", "float32", "int16", "float64", "int32"):
        for nm, v in (("f", x), ("u", u), ("i", np.array([[[-5, 0, 7, 32767]]], np.int16))):
            see(f"cv_{nm}_{d}", lambda: I.convert_image_dtype(c(v), getattr(tf, d)))
    see("cv_sat", lambda: I.convert_image_dtype(c([[[2.0, -1.0]]]), tf.uint8, saturate=True))
    both("bright", lambda v: I.adjust_brightness(v, 0.2), x)
    see("bright_u", lambda: I.adjust_brightness(c(u), 0.2))
    both("contrast", lambda v: I.adjust_contrast(v, 2.0), x)
    see("contrast_u", lambda: I.adjust_contrast(c(u), 2.0))
    both("contrast_b", lambda v: I.adjust_contrast(v, 0.5), b)
    see("gamma", lambda: I.adjust_gamma(c(x), 2.0, gain=0.5))
    see("gamma_u", lambda: I.adjust_gamma(c(u), 2.0))
    see("gamma_bad", lambda: I.adjust_gamma(c(u), -2.0))
    both("hsv", lambda v: I.rgb_to_hsv(v), x)
    both("rgb", lambda v: I.hsv_to_rgb(v), x)
    see(
        "hsv_e",
        lambda: I.rgb_to_hsv(
            c(
                [
                    [0.0, 0.0, 0.0],
                    [1.0, 1.0, 1.0],
                    [1.0, 0.0, 0.0],
                    [0.0, 1.0, 0.0],
                    [0.0, 0.0, 1.0],
                    [1.0, 0.0, 1.0],
                    [1.0, 0.0, 0.5],
                ]
            )
        ),
    )
    see("sat", lambda: I.adjust_saturation(c(x), 0.5))
    see("sat_u", lambda: I.adjust_saturation(c(u), 2.0))
    see("grads", lambda: I.image_gradients(c(b)))
    see("psnr", lambda: I.psnr(c(x), c(x[::-1].copy()), 1.0))
    see("psnr_u", lambda: I.psnr(c(u), c(u[::-1].copy()), 255))
    see(
        "rnd",
        lambda: [
            I.random_flip_left_right(c(x)).shape,
            I.random_flip_up_down(c(b), seed=1).shape,
            I.random_brightness(c(x), 0.3).shape,
            I.random_contrast(c(u), 0.3, 0.5).dtype.name,
            I.random_crop(c(x), [2, 3, 3]).shape if hasattr(I, "random_crop") and False else 0,
            I.stateless_random_flip_left_right(c(x), [1, 2]).shape,
        ],
    )
    see(
        "rcrop",
        lambda: [tf.image.random_crop(c(x), [2, 3, 3]).shape, tf.image.random_crop(value=c(x), size=(5, 7, 3), seed=3)],
    )

    def aug(img, l):
        img = tf.cast(img, tf.float32) / 255.0
        img = I.resize(img, [8, 8])
        img = I.random_flip_left_right(img)
        return img, l

    see(
        "pipeline",
        lambda: [
            (i.shape, l) for i, l in tf.data.Dataset.from_tensor_slices((np.stack([u, u]), [1, 2])).map(aug).batch(2)
        ],
    )

    def g(f):
        v = c(x)
        with tf.GradientTape() as t:
            t.watch(v)
            y = tf.reduce_sum(f(v) * tf.reshape(tf.range(1.0, tf.cast(tf.size(f(v)), tf.float32) + 1), tf.shape(f(v))))
        return t.gradient(y, v)

    for m in ("bilinear", "nearest", "bicubic"):
        see("grz_" + m, lambda m=m: g(lambda v: I.resize(v, [3, 9], method=m)))
    see("ghsv", lambda: g(I.rgb_to_hsv))
    see("gtv", lambda: g(lambda v: I.total_variation(v)))
