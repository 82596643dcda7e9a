"""Signals: their spectra, windows and parts."""

import numpy as np


def run(tf, see):
    c, F, S = tf.constant, tf.function, tf.signal
    rs = np.random.RandomState(0)
    x = rs.rand(2, 12).astype(np.float32)
    wide = rs.rand(2, 12)
    cube = rs.rand(2, 4, 6).astype(np.float32)
    z = (rs.rand(3, 4, 6) + 1j * rs.rand(3, 4, 6)).astype(np.complex64)

    def both(name, f, *args):
        """At once, in a graph, in one that does not know the sizes of the first axes; and the slope, with 64 bits."""
        see(name, lambda: f(*map(c, args)))
        see(f"{name} graph", lambda: F(f)(*map(c, args)))
        open_specs = [tf.TensorSpec([None] * (a.ndim - 1) + [a.shape[-1]], a.dtype) for a in args]
        see(f"{name} open", lambda: F(f, input_signature=open_specs)(*map(c, args)))

        def slope():
            given = [c(a, tf.complex128 if np.iscomplexobj(a) else tf.float64) for a in args]
            with tf.GradientTape() as tape:
                tape.watch(given)
                made = f(*given)
                loss = tf.reduce_sum(
                    tf.abs(made) ** 2 * tf.reshape(tf.linspace(c(1.0, tf.float64), 2.0, tf.size(made)), tf.shape(made))
                )
            return tape.gradient(loss, given)

        see(f"{name} slope", slope)

    for name in ("fft", "ifft", "fft2d", "ifft2d", "fft3d", "ifft3d"):
        both(name, getattr(S, name), z)
    for name in ("rfft", "rfft2d", "rfft3d"):
        both(name, getattr(S, name), cube)
    for name in ("irfft", "irfft2d", "irfft3d"):
        both(name, getattr(S, name), z)
    for n in (4, 7, 9):
        both(f"rfft of {n}", lambda v, n=n: S.rfft(v, [n]), cube)
        both(f"irfft of {n}", lambda v, n=n: S.irfft(v, [n]), z)
    see("rfft2d of sizes", lambda: S.rfft2d(cube, [3, 8]))
    see("rfft double", lambda: S.rfft(np.arange(4.0)))
    see("fft double", lambda: S.fft(np.arange(4) + 0j))
    see("fft of floats", lambda: S.fft([1.0, 2.0]))
    see("irfft of floats", lambda: S.irfft([1.0, 2.0]))
    for axes in (None, 1, [0, 2], -1):
        both(f"fftshift {axes}", lambda v, a=axes: S.fftshift(v, a), cube)
        both(f"ifftshift {axes}", lambda v, a=axes: S.ifftshift(v, a), cube)

    for length in (1, 2, 5, 8):
        for name in ("hann_window", "hamming_window"):
            see(f"{name} {length}", lambda: getattr(S, name)(length))
            see(f"{name} {length} once", lambda: getattr(S, name)(length, periodic=False, dtype=tf.float64))
        see(f"vorbis_window {length}", lambda: S.vorbis_window(length))
        see(f"kaiser_window {length}", lambda: S.kaiser_window(length, beta=5.0))
    see("kaiser_bessel", lambda: S.kaiser_bessel_derived_window(8))
    see("kaiser_bessel 3", lambda: S.kaiser_bessel_derived_window(6, beta=3.0, dtype=tf.float64))
    see("window of integers", lambda: S.hann_window(4, dtype=tf.int32))

    for length, step in ((4, 2), (3, 3), (4, 5), (5, 2), (12, 1), (13, 1)):
        both(f"frame {length} {step}", lambda v, n=length, s=step: S.frame(v, n, s), x)
        both(f"frame {length} {step} end", lambda v, n=length, s=step: S.frame(v, n, s, pad_end=True, pad_value=7.0), x)
    both("frame axis", lambda v: S.frame(v, 2, 1, axis=1), cube)
    see("frame end axis", lambda: S.frame(c(cube), 3, 2, pad_end=True, axis=-2))
    for step in (1, 2, 4, 6, 9):
        both(f"overlap_and_add {step}", lambda v, s=step: S.overlap_and_add(v, s), cube)
    see("overlap_and_add rank 1", lambda: S.overlap_and_add([1.0, 2.0], 1))
    both("stft", lambda v: S.stft(v, 4, 2), x)
    both("stft of 5", lambda v: S.stft(v, 5, 3, fft_length=6, window_fn=S.hamming_window, pad_end=True), x)
    both("stft plain", lambda v: S.stft(v, 4, 4, window_fn=None), x)

    def again(v):
        found = S.stft(v, 4, 2)
        return S.inverse_stft(found, 4, 2, window_fn=S.inverse_stft_window_fn(2))

    both("inverse_stft", again, x)
    both("inverse_stft of 5", lambda v: S.inverse_stft(S.stft(v, 5, 2, fft_length=8), 5, 2, fft_length=8), x)
    see("inverse window", lambda: S.inverse_stft_window_fn(3, S.hamming_window)(8, dtype=tf.float32))

    for kind in (1, 2, 3, 4):
        for norm in (None, "ortho"):
            both(f"dct {kind} {norm}", lambda v, k=kind, n=norm: S.dct(v, k, norm=n), wide)
            both(f"idct {kind} {norm}", lambda v, k=kind, n=norm: S.idct(v, type=k, norm=n), wide)
        for n in (5, 12, 14):
            see(f"dct {kind} of {n}", lambda: S.dct(c(wide), kind, n))
    see("dct 5", lambda: S.dct(c(x), 5))
    see("dct axis", lambda: S.dct(c(x), axis=0))
    for norm in (None, "ortho"):
        both(f"mdct {norm}", lambda v, n=norm: S.mdct(v, 4, norm=n), x)
        both(f"mdct {norm} plain", lambda v, n=norm: S.mdct(v, 8, window_fn=None, norm=n, pad_end=True), x)
        both(f"inverse_mdct {norm}", lambda v, n=norm: S.inverse_mdct(S.mdct(v, 4, norm=n), norm=n), x)
    see("mdct 6", lambda: S.mdct(c(x), 6))
    see("mel", lambda: S.linear_to_mel_weight_matrix(5, 17, 8000, 80.0, 3600.0))
    see("mel double", lambda: S.linear_to_mel_weight_matrix(3, 9, dtype=tf.float64))
    see("mel bands", lambda: S.linear_to_mel_weight_matrix(0))
    see("mel edges", lambda: S.linear_to_mel_weight_matrix(upper_edge_hertz=5000.0))
    both("mfccs", S.mfccs_from_log_mel_spectrograms, x)

    def features(v):
        spectra = tf.abs(S.stft(v, 8, 4, fft_length=8))
        mel = tf.tensordot(spectra, S.linear_to_mel_weight_matrix(3, 5, 100, 2.0, 48.0, dtype=v.dtype), 1)
        return S.mfccs_from_log_mel_spectrograms(tf.math.log(mel + 1e-6))

    both("features", features, x)
