"""Two well-known computations on a SYCL device with dpnp: a Mandelbrot picture and Black-Scholes prices.

Usage: program.py PICTURE.png. Both results are compared with NumPy's. The findings are printed as one line of JSON.
"""

import json
import math
import struct
import sys
import time
import zlib

import dpctl
import dpnp
import numpy

try:
    from dpnp.scipy.special import erf as device_erf
except ImportError:
    from dpnp import erf as device_erf

WIDTH, HEIGHT, ROUNDS = 720, 480, 60
OPTIONS = 100_000
RATE, VOLATILITY = 0.05, 0.2


def mandelbrot(np, real, imaginary):
    """How many rounds each point stays within the radius of 2: the same lines on the device and on the host."""
    x, y, count = real * 0.0, imaginary * 0.0, real * 0.0
    for _ in range(ROUNDS):
        xx, yy = x * x, y * y
        inside = np.less(xx + yy, 4.0) * 1.0
        count = count + inside
        # A point that has left stays where it is, or it would overflow.
        y = inside * (2.0 * x * y + imaginary) + (1.0 - inside) * y
        x = inside * (xx - yy + real) + (1.0 - inside) * x
    return count


def black_scholes(np, erf, price, strike, years):
    """The prices of European call and put options."""
    spread = VOLATILITY * np.sqrt(years)
    d1 = (np.log(price / strike) + (RATE + 0.5 * VOLATILITY * VOLATILITY) * years) / spread
    d2 = d1 - spread
    discounted = strike * np.exp(-RATE * years)
    n1 = 0.5 + 0.5 * erf(d1 / math.sqrt(2.0))
    n2 = 0.5 + 0.5 * erf(d2 / math.sqrt(2.0))
    call = price * n1 - discounted * n2
    return call, call - price + discounted


def write_png(path, count):
    """The counts as a picture, dark inside the set."""
    shade = numpy.sqrt(count / ROUNDS)
    inside = count >= ROUNDS
    channels = [numpy.where(inside, 0, 255 * shade**power).astype(numpy.uint8) for power in (1.6, 1.0, 0.5)]
    rows = numpy.zeros((HEIGHT, 1 + 3 * WIDTH), dtype=numpy.uint8)
    rows[:, 1:] = numpy.stack(channels, axis=-1).reshape(HEIGHT, 3 * WIDTH)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    with open(path, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header))
        out.write(chunk(b"IDAT", zlib.compress(rows.tobytes(), 9)) + chunk(b"IEND", b""))


def timed(work):
    """A result and the seconds that it took."""
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def main(picture):
    plane = numpy.meshgrid(numpy.linspace(-2.2, 0.8, WIDTH), numpy.linspace(-1.0, 1.0, HEIGHT))
    real, imaginary = (dpnp.asarray(numpy.ascontiguousarray(part)) for part in plane)
    count, first = timed(lambda: dpnp.asnumpy(mandelbrot(dpnp, real, imaginary)))
    again, second = timed(lambda: dpnp.asnumpy(mandelbrot(dpnp, real, imaginary)))
    expected = mandelbrot(numpy, *plane)
    # A device may contract a * b + c; that moves points on the very border by a round or more.
    different = float(numpy.mean(count != expected))
    write_png(picture, count)

    random = numpy.random.default_rng(1)
    host = [random.uniform(low, high, OPTIONS) for low, high in ((10.0, 50.0), (10.0, 50.0), (0.25, 2.0))]
    device = [dpnp.asarray(part) for part in host]
    prices, priced = timed(lambda: [dpnp.asnumpy(p) for p in black_scholes(dpnp, device_erf, *device)])
    erf = numpy.vectorize(math.erf)
    wanted = black_scholes(numpy, erf, *host)
    error = max(float(numpy.max(numpy.abs(got - want))) for got, want in zip(prices, wanted))

    with open("/proc/self/maps", encoding="utf-8") as maps:
        files = {line.split(None, 5)[5].strip() for line in maps if "/lib" in line}
    loaded = sorted(file for file in files if any(name in file for name in ("/libpi_", "/libur_adapter_", "/libsycl.so")))
    queue = real.sycl_queue
    found = {
        "program": f"dpnp {dpnp.__version__} on dpctl {dpctl.__version__}",
        "device": f"{queue.sycl_device.name} ({queue.sycl_device.filter_string}, driver {queue.sycl_device.driver_version})",
        "loaded": loaded,
        "checks": [
            ["Mandelbrot: share of points unlike NumPy's", different, 0.01],
            ["Mandelbrot: share of points unlike the first time", float(numpy.mean(count != again)), 0.0],
            ["Black-Scholes: largest difference from NumPy", error, 1e-9],
        ],
        "seconds": [
            [f"Mandelbrot {WIDTH} x {HEIGHT}, {ROUNDS} rounds, first time", first],
            ["Mandelbrot, second time", second],
            [f"Black-Scholes, {OPTIONS} options", priced],
        ],
    }
    print("RESULT " + json.dumps(found))


main(sys.argv[1])
