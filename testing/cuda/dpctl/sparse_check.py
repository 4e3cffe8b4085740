"""Compare oneMKL's products of sparse matrices on SYCL devices with NumPy's of dense ones.

sparse_check.py CALLS [DEVICE...]     CALLS is sparse_calls.cpp as a library; the devices are SYCL's filters (default: gpu)
"""

import ctypes
import itertools
import sys
import threading

import numpy as np

import dpctl
from dpctl.memory import MemoryUSMDevice, MemoryUSMShared

from checks import end, report

KINDS = "fdFD"
# oneMKL's transposes.
PLAIN, TRANSPOSED, CONJUGATED = 0, 1, 3
OPERATIONS = {PLAIN: lambda a: a, TRANSPOSED: lambda a: a.T, CONJUGATED: lambda a: a.conj().T}
# A vector in the place of a dense matrix.
VECTOR = -1
SHAPES = ((1, 1), (7, 5), (33, 64), (300, 40), (5, 1000))
TEXT = 1000


class Matrix(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int64) for name in ("rows", "columns", "count", "base", "index_size")]
    _fields_ += [(name, ctypes.c_void_p) for name in ("starts", "indices", "values")]


class Product(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int64) for name in ("by_rows", "transpose", "transpose_x", "columns", "ldx", "ldy")]
    _fields_ += [(name, ctypes.c_void_p) for name in ("alpha", "x", "beta", "y")]


class Array:
    """A copy of an array in memory of a queue's device."""

    def __init__(self, values, queue, kind=MemoryUSMDevice):
        self.shape, self.dtype = values.shape, values.dtype
        self.memory = kind(values.nbytes, queue=queue)
        self.memory.copy_from_host(np.ascontiguousarray(values).reshape(-1).view("u1"))
        self.address = self.memory._pointer

    def read(self):
        return self.memory.copy_to_host().view(self.dtype).reshape(self.shape)


class Refused(Exception):
    """What oneMKL says."""


class Calls:
    """The functions of sparse_calls.cpp on a queue."""

    def __init__(self, library, queue):
        self.library, self.queue = ctypes.CDLL(library), queue
        for name in ("handle", "set", "product", "release", "copy_later"):
            getattr(self.library, f"sparse_{name}").restype = ctypes.c_void_p
        self.own = ctypes.c_void_p(queue.addressof_ref())

    def array(self, values, kind=MemoryUSMDevice):
        return Array(values, self.queue, kind)

    def _event(self, name, *arguments):
        text = ctypes.create_string_buffer(TEXT)
        event = getattr(self.library, f"sparse_{name}")(self.own, *arguments, text, ctypes.c_size_t(TEXT))
        if event is None:
            raise Refused(text.value.decode())
        return ctypes.c_void_p(event)

    def product(self, handle, kind, told, before=None):
        return self._event("product", handle, ctypes.c_char(kind.encode()), ctypes.byref(told), before)

    def fill(self, handle, kind, told):
        self.wait(self._event("set", handle, ctypes.c_char(kind.encode()), ctypes.byref(told)))

    def handle(self):
        return ctypes.c_void_p(self.library.sparse_handle())

    def copy_later(self, milliseconds, to, values):
        """A host task that fills an array after a while."""
        addresses = (ctypes.c_void_p(to.address), ctypes.c_void_p(values.ctypes.data))
        return ctypes.c_void_p(self.library.sparse_copy_later(self.own, milliseconds, *addresses, ctypes.c_size_t(values.nbytes)))

    def release(self, handle, before=None):
        return ctypes.c_void_p(self.library.sparse_release(self.own, handle, before))

    def wait(self, event):
        self.library.sparse_wait(event)


def numbers(random, shape, kind):
    made = random.standard_normal(shape)
    if kind in "FD":
        made = made + 1j * random.standard_normal(shape)
    return made.astype(kind)


class Sparse:
    """A handle with a random matrix, and the dense matrix."""

    def __init__(self, calls, random, shape, kind, density=0.3, index="i8", base=0, memory=MemoryUSMDevice):
        self.calls, self.kind = calls, kind
        self.handle = calls.handle()
        self.fill(random, shape, density, index, base, memory)

    def fill(self, random, shape, density, index="i8", base=0, memory=MemoryUSMDevice):
        calls, kind = self.calls, self.kind
        there = random.random(shape) < density
        self.dense = np.where(there, numbers(random, shape, kind), 0).astype(kind)
        starts = np.concatenate(([0], np.cumsum(there.sum(axis=1)))) + base
        indices = np.nonzero(there)[1] + base
        # An array without numbers has no address.
        self.arrays = [calls.array(starts.astype(index), memory)]
        self.arrays += [calls.array(each, memory) for each in (indices.astype(index), self.dense[there]) if each.size]
        addresses = [array.address for array in self.arrays] + [None, None]
        calls.fill(self.handle, kind, Matrix(*shape, there.sum(), base, np.dtype(index).itemsize, *addresses[:3]))

    def close(self):
        self.calls.wait(self.calls.release(self.handle))


def close_to(got, want, kind):
    """Nothing, or how far they are apart."""
    if not np.isfinite(got).all():
        return "not finite"
    error = np.max(abs(got - want), initial=0) / max(np.max(abs(want), initial=0), 1e-30)
    return "" if error <= (1e-5 if kind in "fF" else 1e-12) else f"error {error:.1e}"


def multiplied(matrix, random, operation=PLAIN, order=VECTOR, operation_x=PLAIN, columns=1, spare=0, factors=(1, 0)):
    """What is wrong with `y = alpha op(A) op(x) + beta y`. Lines of dense matrices have `spare` numbers at their ends."""
    calls, kind = matrix.calls, matrix.kind
    alpha, beta = (np.array(factor, kind) for factor in factors)
    a = OPERATIONS[operation](matrix.dense.astype("D"))
    x = numbers(random, OPERATIONS[operation_x](np.empty((a.shape[1], columns))).shape, kind)
    y = numbers(random, (a.shape[0], columns), kind)
    want = alpha * (a @ OPERATIONS[operation_x](x.astype("D"))) + (beta * y if beta else 0)
    if beta == 0:
        # It is not read.
        y[:] = np.nan
    by_columns = order == 0
    stored = []
    for dense in (x, y):
        lines = dense.T if by_columns else dense
        whole = np.full((lines.shape[0], lines.shape[1] + spare), 7, kind)
        whole[:, : lines.shape[1]] = lines
        stored.append(calls.array(whole))
    told = Product(order, operation, operation_x, columns, stored[0].shape[1], stored[1].shape[1])
    told.alpha, told.beta, told.x, told.y = alpha.ctypes.data, beta.ctypes.data, stored[0].address, stored[1].address
    calls.wait(calls.product(matrix.handle, kind, told))
    whole = stored[1].read()
    length = whole.shape[1] - spare
    if not (whole[:, length:] == 7).all():
        return "numbers beside the result were written"
    got = whole[:, :length].T if by_columns else whole[:, :length]
    return close_to(got, want, kind)


def vectors(calls, random):
    for kind, shape, (index, base) in itertools.product(KINDS, SHAPES, (("i8", 0), ("i4", 1), ("i4", 0), ("i8", 1))):
        matrix = Sparse(calls, random, shape, kind, index=index, base=base)
        for operation, factors in itertools.product(OPERATIONS, ((1, 0), (2, -1), (0, 0.5), (0, 0), (1, 1))):
            report(("vector", kind, shape, index, base, operation, factors), multiplied(matrix, random, operation, factors=factors))
        if kind in "FD":
            report(("complex factors", kind, shape), multiplied(matrix, random, factors=(0.5 - 2j, 1j)))
        matrix.close()


def matrices(calls, random, has_transposed):
    """oneMKL itself has no transposed dense matrices on processors."""
    operations_x = OPERATIONS if has_transposed else (PLAIN,)
    for kind, shape, order in itertools.product(KINDS, SHAPES[1:], (1, 0)):
        matrix = Sparse(calls, random, shape, kind, index="i8" if order else "i4", base=1 - order)
        for operation, operation_x in itertools.product(OPERATIONS, operations_x):
            for columns, spare, factors in ((1, 0, (1, 0)), (6, 0, (2, -1)), (17, 3, (1, 0.5)), (4, 5, (0, 0)), (3, 1, (0, 2))):
                try:
                    wrong = multiplied(matrix, random, operation, order, operation_x, columns, spare, factors)
                except Refused as refused:
                    is_known = kind in "FD" and operation_x == CONJUGATED and columns == 1 and "pass its conjugate" in str(refused)
                    wrong = "" if is_known else str(refused)
                report(("matrix", kind, shape, order, operation, operation_x, columns, spare, factors), wrong)
        matrix.close()


def unusual_matrices(calls, random, is_vendors):
    """On processors, oneMKL itself crashes with matrices without numbers, and with other matrices in a used handle."""
    densities = (0.01, 1) if is_vendors else (0, 0.01, 1)
    for kind, density, memory in itertools.product(KINDS, densities, (MemoryUSMDevice, MemoryUSMShared)):
        matrix = Sparse(calls, random, (40, 30), kind, density, memory=memory)
        for factors in ((1, 0), (2, 0.5)):
            report(("density", kind, density, memory.__name__, factors), multiplied(matrix, random, factors=factors))
            report(("density, matrix", kind, density, memory.__name__, factors), multiplied(matrix, random, TRANSPOSED, 1, PLAIN, 3, 2, factors))
        if not is_vendors:
            matrix.fill(random, (5, 70), 0.5, "i4")
            report(("another matrix in the same handle", kind, density), multiplied(matrix, random))
        matrix.close()
    large = Sparse(calls, random, (20000, 300), "f", 0.02)
    for operation in OPERATIONS:
        report(("large", operation), multiplied(large, random, operation))
        report(("large, matrix", operation), multiplied(large, random, operation, 1, PLAIN, 8))
    large.close()


def chain(calls, random, order, is_late, length=30):
    """Products that each need the one before, without a wait of the host. The handle is released behind them at once. If `is_late`, a
    host task writes the first operand after a while."""
    matrix = Sparse(calls, random, (50, 50), "d", 0.2)
    scale = np.abs(matrix.dense).sum(axis=1).max()
    want = operand = numbers(random, 50, "d")
    vectors = [calls.array(np.full(50, np.nan) if is_late else operand, MemoryUSMShared), calls.array(np.zeros(50))]
    alpha, beta = np.array(1 / scale), np.array(0.0)
    events = [calls.copy_later(150, vectors[0], operand)] if is_late else []
    event = events[0] if is_late else None
    for step in range(length):
        # The operand as a vector, or as the only column of a matrix by rows.
        told = Product(order, PLAIN, PLAIN, 1, 1, 1)
        told.alpha, told.beta = alpha.ctypes.data, beta.ctypes.data
        told.x, told.y = vectors[step % 2].address, vectors[1 - step % 2].address
        event = calls.product(matrix.handle, "d", told, event)
        events.append(event)
        want = matrix.dense @ want / scale
    released = calls.release(matrix.handle, event)
    # Another handle may get the memory of the released one.
    other = Sparse(calls, random, (8, 8), "d", 1)
    for one in (released, *events):
        calls.wait(one)
    wrong = close_to(vectors[length % 2].read(), want, "d") or multiplied(other, random)
    other.close()
    return wrong


def in_order(library, device, random):
    for properties in ([], ["in_order"]):
        calls = Calls(library, dpctl.SyclQueue(device, property=properties))
        for order, is_late in itertools.product((VECTOR, 1), (False, True)):
            report(("a chain", properties, order, "behind a host task" if is_late else ""), chain(calls, random, order, is_late))


def threads(library, devices):
    """Threads with a queue each, all at once."""

    def work(place, found):
        random = np.random.default_rng(place)
        calls = Calls(library, dpctl.SyclQueue(devices[place % len(devices)]))
        for step in range(25):
            matrix = Sparse(calls, random, (60 + place, 40 + step), KINDS[step % 4], 0.3)
            found.append(multiplied(matrix, random, list(OPERATIONS)[step % 3]) or multiplied(matrix, random, PLAIN, step % 2, PLAIN, 5))
            matrix.close()

    results = [[] for _ in range(4)]
    running = [threading.Thread(target=work, args=(place, found)) for place, found in enumerate(results)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    for place, found in enumerate(results):
        report(("thread", place), "" if found == [""] * 25 else f"{len(found)} steps: {sorted(set(found))}")


def refused(calls, random):
    """Texts of exceptions, after which the queue works."""
    matrix = Sparse(calls, random, (4, 3), "d", 1)
    x, factor = calls.array(np.ones(4)), np.array(1.0)
    told = Product(VECTOR, PLAIN, PLAIN, 1, 4, 4, factor.ctypes.data, x.address, factor.ctypes.data, x.address)
    unfilled = calls.handle()
    cases = [("another type", matrix.handle, "f", "floating point types"), ("no handle", None, "d", "uninitialized object: hMatrix")]
    for what, handle, kind, text in cases + [("no matrix", unfilled, "d", "set_csr_data was not called")]:
        try:
            calls.wait(calls.product(handle, kind, told))
            wrong = "nothing was raised"
        except Refused as error:
            wrong = "" if text in str(error) else str(error)
        report(what, wrong or multiplied(matrix, random))
    matrix.close()
    # Another handle may get the address of a released one.
    try:
        calls.wait(calls.product(matrix.handle, "d", told))
        wrong = "nothing was raised"
    except Refused as error:
        wrong = "" if "set_csr_data was not called" in str(error) else str(error)
    report("a released handle", wrong)


def both(library, devices, random):
    """One handle on each device, and on the first again. oneMKL's own products do not notice a second matrix in a handle."""
    all_calls = [Calls(library, dpctl.SyclQueue(device)) for device in devices]
    matrix = Sparse(all_calls[0], random, (20, 30), "d")
    for step in range(len(devices) + 1):
        matrix.calls = all_calls[step % len(devices)]
        matrix.fill(random, (10 + step, 20), 0.4)
        report(("one handle on each device", step), multiplied(matrix, random))
    matrix.close()


def main():
    library, devices = sys.argv[1], [dpctl.SyclDevice(name) for name in sys.argv[2:] or ["gpu"]]
    random = np.random.default_rng(7)
    for device in devices:
        print("sparse products on", device.name)
        calls = Calls(library, dpctl.SyclQueue(device))
        vectors(calls, random)
        matrices(calls, random, device.is_gpu)
        unusual_matrices(calls, random, not device.is_gpu)
        in_order(library, device, random)
        if device.is_gpu:
            refused(calls, random)
    threads(library, devices)
    if len(devices) > 1:
        both(library, devices, random)
    end()


if __name__ == "__main__":
    main()
