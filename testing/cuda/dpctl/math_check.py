"""Compare dpnp's products, transforms and solvers on this GPU with NumPy, and their times with CuPy's if that is installed.

math_check.py check|time [PART...]   parts: blas fft lapack
"""

import sys
import time
import traceback

import numpy as np

import dpnp

RIGHT = WRONG = 0
TOLERANCE = {"f": 2e-4, "d": 1e-10, "F": 2e-4, "D": 1e-10, "e": 2e-2, "b": 0, "i": 0}
RANDOM = np.random.default_rng(7)


def numbers(shape, kind):
    kind = np.dtype(kind)
    made = RANDOM.standard_normal(shape)
    if kind.kind == "c":
        made = made + 1j * RANDOM.standard_normal(shape)
    if kind.kind == "i":
        made = RANDOM.integers(-4, 5, shape)
    return made.astype(kind)


def check(what, got, want):
    """`got` is a function, so that its exception is one wrong result."""
    global RIGHT, WRONG
    try:
        got, want = dpnp.asnumpy(got()), np.asarray(want() if callable(want) else want)
        same = got.shape == want.shape
        error = np.max(np.abs(got - want), initial=0) / max(np.max(np.abs(want), initial=0), 1e-30) if same else np.inf
        if error <= TOLERANCE.get(want.dtype.char, 1e-10):
            RIGHT += 1
            return
        text = f"shape {got.shape} for {want.shape}" if not same else f"error {error:.1e}"
    except Exception as error:  # Every kind of failure is told, and the rest goes on.
        text = "".join(traceback.format_exception_only(error)).strip()[:300]
    WRONG += 1
    print("WRONG", what, text, flush=True)


def blas():
    for kind in "fdFDe":
        for m, k, n in ((1, 1, 1), (3, 4, 5), (64, 32, 96), (257, 129, 65), (512, 512, 512)):
            a, b = numbers((m, k), kind), numbers((k, n), kind)
            x, y = dpnp.array(a), dpnp.array(b)
            wide = "f" if kind == "e" else kind
            product = (a.astype(wide) @ b.astype(wide)).astype(kind)
            check(("product", kind, m), lambda: x @ y, product)
            check(("by columns", kind, m), lambda: dpnp.asfortranarray(x) @ dpnp.asfortranarray(y), product)
            check(("transposed", kind, m), lambda: (y.T @ x.T).T, product)
            if kind == "e":
                continue
            check(("into", kind, m), lambda: dpnp.matmul(x, y, out=dpnp.empty((m, n), dtype=kind)), product)
            check(("matrix times vector", kind, m), lambda: x @ y[:, 0], a @ b[:, 0])
            check(("vector times matrix", kind, m), lambda: x[0] @ y, a[0] @ b)
            check(("dot", kind, m), lambda: dpnp.dot(x[0], y[:, 0]), a[0] @ b[:, 0])
            check(("vdot", kind, m), lambda: dpnp.vdot(x[0], y[:, 0]), np.vdot(a[0], b[:, 0]))
            check(("by itself", kind, m), lambda: x @ x.T, a @ a.T)
        a, b = numbers((5, 8, 16), kind), numbers((5, 16, 4), kind)
        x, y = dpnp.array(a), dpnp.array(b)
        check(("batch", kind), lambda: x @ y, (a.astype("D") @ b.astype("D")).astype(kind) if kind in "FD" else (a.astype("d") @ b.astype("d")).astype(kind))
        check(("batch with one", kind), lambda: x @ y[0], (a.astype("D") @ b[0].astype("D")).astype(kind) if kind in "FD" else (a.astype("d") @ b[0].astype("d")).astype(kind))
    for m, k, n in ((3, 5, 7), (16, 32, 64), (4, 4, 4)):
        a, b = numbers((m, k), "i1"), numbers((k, n), "i1")
        wide = a.astype("i4") @ b.astype("i4")
        check(("int8", m), lambda: dpnp.matmul(dpnp.array(a), dpnp.array(b), dtype="i4"), wide)
    a, b = numbers((3, 5, 7), "i1"), numbers((3, 7, 2), "i1")
    check("int8 batch", lambda: dpnp.matmul(dpnp.array(a), dpnp.array(b), dtype="i4"), a.astype("i4") @ b.astype("i4"))
    a = numbers((200, 200), "d") / 15
    x, chain, want = dpnp.array(a), dpnp.array(a), a
    for _ in range(60):
        chain, want = (chain @ x) * 0.5 + x, (want @ a) * 0.5 + a
    check("chain of products and sums", lambda: chain, want)


def fft():
    for kind in "FD":
        real = "f" if kind == "F" else "d"
        for shape in ((1,), (7,), (1024,), (4099,), (3, 8), (64, 100), (4, 6, 10), (2, 3, 4, 5), (1 << 18,)):
            a, r = numbers(shape, kind), numbers(shape, real)
            x, z = dpnp.array(a), dpnp.array(r)
            for name in ("fft", "ifft", "fftn", "ifftn"):
                check((name, kind, shape), lambda: getattr(dpnp.fft, name)(x), lambda: getattr(np.fft, name)(a))
            for name in ("rfft", "rfftn"):
                check((name, kind, shape), lambda: getattr(dpnp.fft, name)(z), lambda: getattr(np.fft, name)(r))
            if shape[-1] > 1:
                check(("irfft", kind, shape), lambda: dpnp.fft.irfft(x), lambda: np.fft.irfft(a))
                check(("input kept", kind, shape), lambda: x, a)
            if len(shape) > 1:
                for axis in range(len(shape)):
                    check(("axis", axis, shape), lambda: dpnp.fft.fft(x, axis=axis), lambda: np.fft.fft(a, axis=axis))
                check(("transposed", shape), lambda: dpnp.fft.fftn(dpnp.transpose(x)), lambda: np.fft.fftn(a.T))
                check(("steps", shape), lambda: dpnp.fft.fft(x[..., ::2]), lambda: np.fft.fft(a[..., ::2]))


def lapack():
    for kind in "fdFD":
        for n in (1, 5, 33, 200):
            a, b = numbers((n, n), kind) + n * np.eye(n, dtype=kind), numbers((n, 3), kind)
            h = a + a.conj().T
            p = a @ a.conj().T + np.eye(n, dtype=kind)
            x, y = dpnp.array(a), dpnp.array(b)
            la, nla = dpnp.linalg, np.linalg
            check(("solve", kind, n), lambda: la.solve(x, y), lambda: nla.solve(a, b))
            check(("inv", kind, n), lambda: la.inv(x) @ x, np.eye(n, dtype=kind))
            check(("det", kind, n), lambda: la.slogdet(x)[1], lambda: nla.slogdet(a)[1])
            check(("cholesky", kind, n), lambda: la.cholesky(dpnp.array(p)), lambda: nla.cholesky(p))
            check(("qr", kind, n), lambda: (lambda q, r: q @ r)(*la.qr(x)), a)
            check(("svd", kind, n), lambda: la.svd(x, compute_uv=False), lambda: nla.svd(a, compute_uv=False))
            check(("svd of few rows", kind, n), lambda: (lambda u, s, v: (u * s) @ v)(*la.svd(y.T, full_matrices=False)), b.T)
            check(("eigvalsh", kind, n), lambda: la.eigvalsh(dpnp.array(h)), lambda: nla.eigvalsh(h))
            check(("eigh", kind, n), lambda: (lambda w, v: (v * w) @ v.conj().T)(*la.eigh(dpnp.array(h))), h)
        a, b = numbers((4, 6, 6), kind) + 6 * np.eye(6, dtype=kind), numbers((4, 6, 2), kind)
        x, y = dpnp.array(a), dpnp.array(b)
        p = a @ a.conj().swapaxes(1, 2)
        check(("batch solve", kind), lambda: dpnp.linalg.solve(x, y), lambda: np.linalg.solve(a, b))
        check(("batch inv", kind), lambda: dpnp.linalg.inv(x), lambda: np.linalg.inv(a))
        check(("batch cholesky", kind), lambda: dpnp.linalg.cholesky(dpnp.array(p)), lambda: np.linalg.cholesky(p))
        check(("batch qr", kind), lambda: (lambda q, r: q @ r)(*dpnp.linalg.qr(x)), a)
        check(("batch svd", kind), lambda: dpnp.linalg.svd(x, compute_uv=False), lambda: np.linalg.svd(a, compute_uv=False))
        check(("batch eigvalsh", kind), lambda: dpnp.linalg.eigvalsh(dpnp.array(p)), lambda: np.linalg.eigvalsh(p))
    for name, matrix in (("inv", np.zeros((3, 3))), ("solve", np.ones((4, 4))), ("cholesky", -np.eye(3))):
        arguments = (dpnp.array(matrix),) + ((dpnp.ones(4),) if name == "solve" else ())

        def refused():
            try:
                getattr(dpnp.linalg, name)(*arguments)
            except dpnp.linalg.LinAlgError:
                return dpnp.ones(1)
            return dpnp.zeros(1)

        check(("LinAlgError", name), refused, np.ones(1))


def seconds(work, wait):
    """The best of some runs, each long enough to be timed."""
    work()
    wait()
    best, until = np.inf, time.perf_counter() + 1
    count = 1
    while time.perf_counter() < until:
        start = time.perf_counter()
        for _ in range(count):
            work()
        wait()
        taken = time.perf_counter() - start
        best = min(best, taken / count)
        if taken < 0.01:
            count *= 2
    return best


def rows(xp):
    """What is timed: a name, the arrays' makers, the work."""
    def array(shape, kind):
        return xp.asarray(numbers(shape, kind))

    for n in (512, 4096):
        for kind in "fdFe":
            a, b = array((n, n), kind), array((n, n), kind)
            yield "blas", f"product of {n} in {kind}", lambda: a @ b
    a, b = array((100, 64, 64), "f"), array((100, 64, 64), "f")
    yield "blas", "100 products of 64 in f", lambda: a @ b
    a, b = array((4096, 4096), "d"), array((4096,), "d")
    yield "blas", "matrix of 4096 times vector in d", lambda: a @ b
    a, b = array((16, 16), "d"), array((16, 16), "d")
    yield "blas", "product of 16 in d", lambda: a @ b
    for shape in ((1 << 10,), (1 << 20,), (1 << 24,), (2048, 2048)):
        a, r = array(shape, "F"), array(shape, "f")
        yield "fft", f"fftn of {shape} in F", lambda: xp.fft.fftn(a)
        yield "fft", f"rfftn of {shape} in f", lambda: xp.fft.rfftn(r)
    for n in (512, 2048):
        a, b = array((n, n), "d"), array((n,), "d")
        p = a @ a.T + n * xp.eye(n)
        for name, work in (
            ("solve", lambda: xp.linalg.solve(a, b)),
            ("inv", lambda: xp.linalg.inv(a)),
            ("cholesky", lambda: xp.linalg.cholesky(p)),
            ("qr", lambda: xp.linalg.qr(a)),
            ("svd", lambda: xp.linalg.svd(a)),
            ("eigh", lambda: xp.linalg.eigh(p)),
        ):
            yield "lapack", f"{name} of {n} in d", work


def timed(xp, parts):
    """A line for each row: seconds, and the name."""
    if xp == "cupy":
        import cupy as module

        wait = module.cuda.Device().synchronize
    else:
        module = dpnp
        queue = dpnp.ones(1).sycl_queue
        wait = queue.wait
    for part, name, work in rows(module):
        if part in parts:
            try:
                print(f"{xp}\t{seconds(work, wait):.3e}\t{name}", flush=True)
            except Exception as error:
                print(f"{xp}\tfails\t{name}\t{str(error)[:200]}", flush=True)


if __name__ == "__main__":
    mode, parts = sys.argv[1], sys.argv[2:] or ["blas", "fft", "lapack"]
    if mode == "check":
        device = dpnp.ones(1).sycl_device
        print("dpnp", dpnp.__version__, "on", device.name, device.backend)
        for part in parts:
            globals()[part]()
        print(RIGHT, "right,", WRONG, "wrong")
        sys.exit(WRONG != 0)
    timed("cupy" if mode == "time-cupy" else "dpnp", parts)
