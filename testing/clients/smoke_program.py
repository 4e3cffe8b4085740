"""The smallest real program for an adapter: list the devices, and run a kernel from OpenCL C and one from SPIR-V on each OpenCL device.

Both kernels add two vectors in USM. The findings are printed as one line of JSON.
"""

import json
import os

import dpctl
import dpctl.memory as memory
import dpctl.program as program
import numpy

COUNT = 4096
SOURCE = "__kernel void plus(__global int* a, __global int* b, __global int* c) { size_t i = get_global_id(0); c[i] = a[i] + b[i]; }"
FILES = os.path.join(os.path.dirname(dpctl.__file__), "tests", "input_files")


def added(queue, kernel):
    """Whether the kernel adds on this queue."""
    numbers = numpy.arange(COUNT, dtype=numpy.int32)
    a, b, c = (memory.MemoryUSMDevice(numbers.nbytes, queue=queue) for _ in range(3))
    a.copy_from_host(numbers.view("u1"))
    b.copy_from_host((3 * numbers).view("u1"))
    queue.submit(kernel, [a, b, c], [COUNT], [64]).wait()
    return bool((c.copy_to_host().view(numpy.int32) == 4 * numbers).all())


def main():
    results = {}
    for device in dpctl.get_devices(backend="opencl"):
        queue = dpctl.SyclQueue(device, property="enable_profiling")
        source = program.create_program_from_source(queue, SOURCE)
        with open(os.path.join(FILES, "multi_kernel.spv"), "rb") as file:
            binary = program.create_program_from_spirv(queue, file.read())
        results[device.filter_string + " OpenCL C"] = added(queue, source.get_sycl_kernel("plus"))
        results[device.filter_string + " SPIR-V"] = added(queue, binary.get_sycl_kernel("add"))
        del queue, source, binary
    with open("/proc/self/maps", encoding="utf-8") as maps:
        files = {line.split(None, 5)[5].strip() for line in maps if "/lib" in line}
    loaded = sorted(file for file in files if any(name in file for name in ("/libur_adapter_", "/libsycl.so")))
    print("RESULT " + json.dumps({"kernels": results, "loaded": loaded}))


main()
