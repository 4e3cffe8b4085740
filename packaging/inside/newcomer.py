"""Types the README's blocks, or a container's steps, in an empty system, and judges each line.

Usage: newcomer.py processor|nvidia|container|container-nvidia RELEASE

RELEASE is the one that the index has. The last line has the total. A line that only a checkout with Rust can run is done outside, and named here.
"""

import os
import re
import subprocess
import sys
import time

# Where a checkout is, with what a release page offers in target/dist.
CHECKOUT = "/srv/sycl-pi"
SOFTWARE_GPU = "/srv/software-gpu"
# A stock program for the package that a release has. It prints the device on which it ran, and its sum.
PROGRAMS = {
    "dpnp": "import dpnp\nx = dpnp.arange(1000, dtype='i4')\nprint(x.device, int((x * 2).sum()))\n",
    "dpctl": "import dpctl.tensor as t\nx = t.arange(1000, dtype='i4')\nprint(x.device, int(t.sum(x * 2)))\n",
}
# The libraries of NVIDIA's packages, with a function that needs no GPU and writes a version or a property.
NVIDIA = {
    "cuda_nvcc/nvvm/lib64/libnvvm.so": "nvvmVersion(b, ctypes.byref(b, 4))",
    "cublas/lib/libcublas.so.12": "cublasGetProperty(0, b)",
    "cufft/lib/libcufft.so.11": "cufftGetVersion(b)",
    "cusolver/lib/libcusolver.so.11": "cusolverGetVersion(b)",
    "cusparse/lib/libcusparse.so.12": "cusparseGetProperty(0, b)",
}
# Lines that need Rust, and what stands for them.
OUTSIDE = {
    "pip install .": "pip install target/dist/sycl_pi-*.whl",
    'pip install --config-settings drop-ins=yes ".[nvidia]" dpnp': 'pip install --find-links target/dist "sycl-pi[nvidia]" dpnp',
}
END = "-- end of a line --"
# No environment has more errors than this, one after another.
ROUNDS = 4

results = []


def check(title, holds, told=""):
    print(("ok    " if holds else "FAILED ") + title, flush=True)
    if not holds:
        print(told[-4000:])
    results.append(bool(holds))


class Shell:
    """A shell in which lines are typed one after the other."""

    def __init__(self):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        self.process = subprocess.Popen(["bash"], cwd=CHECKOUT, text=True, **pipes)

    def type(self, line):
        """Returns the exit code and the output."""
        start = time.monotonic()
        # A program in the line does not read the lines that follow.
        self.process.stdin.write(f"{{ {line}\n}} < /dev/null\necho '{END}' $?\n")
        self.process.stdin.flush()
        said = ""
        for text in self.process.stdout:
            if text.startswith(END):
                code = int(text[len(END) :])
                print(f"      $ {line}   ({time.monotonic() - start:.1f} s, exit code {code})", flush=True)
                return code, said
            said += text
        raise SystemExit(f"the shell ended: {said}")

    def doctor(self):
        """Types what `pi doctor` prints for its first error, until there is none."""
        for _ in range(ROUNDS):
            code, said = self.type("pi doctor")
            error = re.search(r"^error .*\n(?:  .*\n)*?  +type:  (.+)$", said, re.M)
            if code == 0 or not error:
                break
            self.works(error[1])
        check("pi doctor", code == 0, said)
        return said

    def works(self, line):
        code, said = self.type(line)
        check(line, code == 0, said)
        return said


def block(start):
    """The lines of the README's first block after a text, without comments."""
    with open(f"{CHECKOUT}/README.md", encoding="utf-8") as file:
        after = file.read().split(start, 1)[1]
    lines = re.search(r"```\n(.*?)```", after, re.DOTALL).group(1).splitlines()
    return [re.split(r"\s+#", line)[0] for line in lines]


def stands_for(line):
    if line in OUTSIDE:
        print(f"      {line}: done outside, since it needs Rust")
    return OUTSIDE.get(line, line)


def of_release(release):
    """The package that a release's programs use."""
    return "dpnp" if release.endswith("-dpnp") else "dpctl"


def file_of(release):
    """The file of ours that libsycl loads."""
    return "libpi_opencl.so" if release.startswith("2024") else "libur_adapter_opencl.so.0"


def write_program(release):
    with open(f"{CHECKOUT}/program.py", "w", encoding="utf-8") as file:
        file.write(PROGRAMS[of_release(release)])


def processor(shell, release):
    """Starts "in a Python environment with dpctl or dpnp", as the README says."""
    more = ' "numpy<2"' if release.startswith("2024") else ""
    shell.works(f"python3 -m venv ~/venv && . ~/venv/bin/activate && pip install --quiet {of_release(release)} intel-opencl-rt{more}")
    write_program(release)
    lines = block("A stock dpnp program drew this picture")
    check("the block ends with an uninstall", lines[-1] == "pi uninstall", str(lines))
    for line in lines:
        said = shell.doctor() if line == "pi doctor" else shell.works(stands_for(line))
        if line == "pi doctor":
            check("doctor ran a kernel through libsycl", "added two vectors in a kernel, through" in said, said)
        if line == "python program.py":
            check("the program computed on the processor", said.split()[-2:] == ["Device(opencl:cpu:0)", "999000"], said)
            maps = shell.works(f"{line.replace('program.py', '-c')} \"import dpctl; dpctl.get_devices(); print(open('/proc/self/maps').read())\"")
            check("on our file", f"venv/lib/{file_of(release)}" in maps, maps)
    check("pi status says that ours is gone", shell.type("pi status")[0] == 3)
    shell.works("pip uninstall --quiet --yes sycl-pi")


def nvidia(shell, _release):
    lines = block("## On an NVIDIA GPU")
    for line in lines:
        if line == "pi doctor":
            # Without a GPU: what is missing is told all the same. A processor's driver makes a device.
            shell.works("pip install --quiet intel-opencl-rt")
            said = shell.works(line)
            check("doctor finds libnvvm", "/nvidia/cuda_nvcc/nvvm/lib64/libnvvm.so" in said, said)
            for library in ("cuBLAS", "cuSOLVER", "cuSPARSE", "cuFFT"):
                check(f"doctor finds {library}", f"{library} is /root/venv" in said, said)
        elif not line.startswith("python -c"):
            shell.works(stands_for(line))
    for file, call in NVIDIA.items():
        path = f"$(echo ~/venv/lib/python3.*/site-packages/nvidia/{file})"
        code = f"import ctypes, sys; b = ctypes.create_string_buffer(8); print(ctypes.CDLL(sys.argv[1]).{call}, int.from_bytes(b[:4], 'little'))"
        said = shell.works(f'python -c "{code}" "{path}"')
        status, _, version = said.strip().partition(" ")
        check(f"{file} loads without a GPU", status == "0" and int(version) > 0, said)
    shell.works(f"export LD_LIBRARY_PATH={SOFTWARE_GPU}/gpu PI_NVVM={SOFTWARE_GPU}/toolkit PI_NVIDIA_LIBRARIES={SOFTWARE_GPU}/math")
    shell.works("export PI_SOFTWARE_CUDA_DEVICES=1 ONEAPI_DEVICE_SELECTOR='*:gpu'")
    said = shell.works("pi doctor")
    check("doctor ran a kernel on the GPU", "level_zero:gpu:0" in said and "added two vectors in a kernel, through" in said, said)
    # Smaller than the README's, since the GPU is a processor.
    said = shell.works(lines[-1].replace("2048", "64"))
    check("the product was computed on the GPU", said.startswith("Device(level_zero:gpu:0)"), said)


def container(shell, release):
    """Does what `podman build` does with a file of these few instructions. Debian's packages are there already."""
    os.symlink(f"{CHECKOUT}/target/dist", "/wheels")
    with open("/srv/Containerfile", encoding="utf-8") as file:
        steps = [line.split(maxsplit=1) for line in file if line.strip() and not line.startswith("#")]
    for instruction, rest in steps:
        rest = rest.strip()
        if instruction == "ENV":
            shell.works(f"export {rest}")
        elif instruction == "RUN" and not rest.startswith("apt-get"):
            said = shell.works(re.sub(r"^--mount=\S+ ", "", rest))
            if rest.endswith("pi doctor"):
                check("doctor ran a kernel through libsycl", "added two vectors in a kernel, through" in said, said)
        elif instruction not in ("FROM", "RUN", "CMD"):
            check(f"{instruction} is known here", False)
    write_program(release)
    said = shell.works("python program.py")
    check("the program computed on the processor", said.split()[-2:] == ["Device(opencl:cpu:0)", "999000"], said)


def main(user, release):
    start = time.monotonic()
    {"processor": processor, "nvidia": nvidia}.get(user, container)(Shell(), release)
    print(f"      all of it took {time.monotonic() - start:.0f} s")
    print(f"{results.count(True)} passed, {results.count(False)} failed, 0 skipped")
    sys.exit(0 if all(results) else 1)


main(sys.argv[1], sys.argv[2])
