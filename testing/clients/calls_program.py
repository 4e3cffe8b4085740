"""Basic calls of dpctl on the default device, each compared with NumPy.

Prints a line of JSON before each call, with its name, and one after it, with what was wrong. Names given as arguments are left out.
"""

import json
import sys

import dpctl
import dpctl.memory as memory
import dpctl.tensor as dpt
import numpy as np

N = 1000


def host(array):
    return dpt.asnumpy(array)


def numbers(dtype, count=N):
    """Small numbers in no order, with both signs."""
    return ((np.arange(count) * 7919) % 101 - 50).astype(dtype)


def reduced(name, dtype):
    of_numpy = getattr(np, name)
    return lambda: (host(getattr(dpt, name)(dpt.asarray(numbers(dtype)))), of_numpy(numbers(dtype)))


def elementwise(name, values):
    return lambda: (host(getattr(dpt, name)(dpt.asarray(values))), getattr(np, name)(values))


def usm(kind):
    """Copies bytes through an allocation of a kind, and for kinds that the host may use reads and writes them there too."""

    def call():
        count = 4096
        values = (np.arange(count) % 251).astype("u1")
        block = getattr(memory, f"MemoryUSM{kind}")(count)
        block.copy_from_host(values)
        other = memory.MemoryUSMDevice(count)
        other.copy_from_device(block)
        if kind == "Device":
            return other.copy_to_host(), values
        seen = np.asarray(block).copy()
        np.asarray(block)[:] = values[::-1]
        other.copy_from_device(block)
        return np.concatenate([seen, other.copy_to_host()]), np.concatenate([values, values[::-1]])

    return call


def kernel_on_shared():
    """A kernel that writes shared memory, between two uses of it by the host."""
    values = dpt.asarray(numbers("i4"), usm_type="shared")
    doubled = dpt.add(values, values)
    doubled.sycl_queue.wait()
    return np.asarray(doubled.usm_data).view("i4")[:N].copy(), 2 * numbers("i4")


def strided():
    matrix = numbers("f4", 400).reshape(20, 20)
    array = dpt.asarray(matrix)
    return host(dpt.add(array[::2, ::3], array.T[::2, ::3])), matrix[::2, ::3] + matrix.T[::2, ::3]


def product():
    a, b = numbers("f4", 1024).reshape(32, 32), numbers("f4", 1024).reshape(32, 32).T
    return host(dpt.matmul(dpt.asarray(a), dpt.asarray(b.copy()))), a @ b


def where():
    values = numbers("f4")
    array = dpt.asarray(values)
    return host(dpt.where(array > 0, array, -array)), np.abs(values)


def set_items():
    """A store through a mask and one through indices."""
    values = numbers("i4")
    array = dpt.asarray(values)
    array[array > 0] = 7
    array[dpt.asarray(np.arange(0, 100, 10))] = 9
    values[values > 0] = 7
    values[np.arange(0, 100, 10)] = 9
    return host(array), values


def random_like(count=5000):
    return ((np.arange(count, dtype="i8") * 48271) % 2147483647).astype("i4")


POSITIVE = np.abs(numbers("f4")) + 1
CALLS = {
    "USM, device": usm("Device"),
    "USM, host": usm("Host"),
    "USM, shared": usm("Shared"),
    "shared, kernel": kernel_on_shared,
    "sum i4": reduced("sum", "i4"),
    "sum f4": reduced("sum", "f4"),
    "sum i8": reduced("sum", "i8"),
    "max i4": reduced("max", "i4"),
    "max f4": reduced("max", "f4"),
    "sqrt": elementwise("sqrt", POSITIVE),
    "exp": elementwise("exp", numbers("f4") / 10),
    "sin": elementwise("sin", numbers("f4")),
    "pow": lambda: (host(dpt.pow(dpt.asarray(POSITIVE), 3)), POSITIVE**3),
    "add": lambda: (host(dpt.asarray(POSITIVE) + 2), POSITIVE + 2),
    "add, strided": strided,
    "cumulative_sum": lambda: (host(dpt.cumulative_sum(dpt.asarray(numbers("i4")))), np.cumsum(numbers("i4"))),
    "sort i4": lambda: (host(dpt.sort(dpt.asarray(random_like()))), np.sort(random_like())),
    "sort i1": lambda: (host(dpt.sort(dpt.asarray(numbers("i1", 20000)))), np.sort(numbers("i1", 20000))),
    "argsort": lambda: (host(dpt.argsort(dpt.asarray(random_like()))), np.argsort(random_like(), kind="stable")),
    "where": where,
    "nonzero": lambda: (host(dpt.nonzero(dpt.asarray(numbers("i4")))[0]), np.nonzero(numbers("i4"))[0]),
    "take": lambda: (host(dpt.take(dpt.asarray(numbers("i4")), dpt.asarray([3, 1, 2]))), numbers("i4")[[3, 1, 2]]),
    "set items": set_items,
    "matmul": product,
    "sum of axis": lambda: (host(dpt.sum(dpt.asarray(numbers("f4").reshape(10, 100)), axis=1)), numbers("f4").reshape(10, 100).sum(axis=1)),
    "searchsorted": lambda: (
        host(dpt.searchsorted(dpt.asarray(np.arange(100)), dpt.asarray([5, 50, 99]))),
        np.searchsorted(np.arange(100), [5, 50, 99]),
    ),
}  # fmt: skip


def trouble(call):
    """What is wrong with a call, or nothing."""
    try:
        found, wanted = call()
    except Exception as error:  # the call's own error is the finding
        return f"{type(error).__name__}: {error}".splitlines()[0]
    found, wanted = np.asarray(found), np.asarray(wanted)
    right = found.shape == wanted.shape and np.allclose(found, wanted, rtol=1e-4, atol=1e-5)
    return None if right else f"wrong: {found.ravel()[:4]} for {wanted.ravel()[:4]}"


def say(**event):
    print("EVENT " + json.dumps(event), flush=True)


def main():
    device = dpctl.select_default_device()
    with open("/proc/self/maps", encoding="utf-8") as maps:
        say(device=device.name, loaded=sorted({line.split()[-1] for line in maps if "/libur_adapter_opencl" in line}))
    for name, call in CALLS.items():
        if name not in sys.argv[1:]:
            say(start=name)
            say(call=name, trouble=trouble(call))


main()
