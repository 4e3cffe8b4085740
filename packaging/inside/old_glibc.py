"""Loads the wheel's libraries, installs them for this environment's libsycl, and runs tests of dpctl on them.

Usage: old_glibc.py ENVIRONMENT. The last line has the total.
"""

import ctypes
import os
import re
import subprocess
import sys

import sycl_pi


def check(title, holds):
    print(("ok    " if holds else "FAILED ") + title)
    return bool(holds)


def suite():
    """dpctl's tests in a process of their own, which prints the files that it has mapped."""
    # One test ends the process on this system with the vendor's plugin as well.
    program = (
        "import sys, pytest, dpctl.tests\n"
        "code = pytest.main(['-q', '-p', 'no:cacheprovider', '-k', 'not inconsistent_ctx_dev', dpctl.tests.__path__[0] + '/test_sycl_queue.py'])\n"
        "print(*(line for line in open('/proc/self/maps') if 'libpi_opencl' in line))\n"
        "sys.exit(int(code))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    print(done.stdout[-2000:], done.stderr[-2000:])
    mapped = {line.split()[-1] for line in done.stdout.splitlines() if line.endswith("libpi_opencl.so")}
    passed = re.search(r"(\d+) passed", done.stdout)
    return done.returncode, mapped, int(passed.group(1)) if passed else 0


def drop_ins(pi, environment):
    """The drop-ins of the wheel are for a newer system: they are left out, and everything else is installed."""
    vendors = os.path.join(environment, "lib", "libmkl_sycl_blas.so.6")
    with open(vendors, "w", encoding="ascii") as file:
        file.write("the vendor's")
    done = subprocess.run([pi, "install", "--spirv-on-nvidia", environment], capture_output=True, text=True, check=False)
    print(done.stdout, done.stderr)
    with open(vendors, "rb") as file:
        is_unchanged = file.read() == b"the vendor's"
    os.remove(vendors)
    said = " ".join(done.stdout.split())
    return [
        check("pi install --spirv-on-nvidia", done.returncode == 0),
        check("it says why the drop-ins are left out", "they need GLIBC_2.34, which " in said),
        check("oneMKL's file stays the vendor's", is_unchanged),
    ]


def main(environment):
    folder = sycl_pi.library_folder()
    plugin = os.path.join(environment, "lib", "libpi_opencl.so")
    print(os.confstr("CS_GNU_LIBC_VERSION"))
    results = []
    libraries = sorted(name for name in os.listdir(folder) if name.endswith(".so"))
    results.append(check("the wheel has four libraries", len(libraries) == 4))
    for name in libraries:
        ctypes.CDLL(os.path.join(folder, name), mode=os.RTLD_NOW)
        results.append(check(f"{name} loads", True))
    pi = os.path.join(folder, "pi")
    for words in (["--version"], ["install", environment], ["status", environment]):
        done = subprocess.run([pi, *words], check=False)
        results.append(check("pi " + words[0], done.returncode == 0))
    code, mapped, passed = suite()
    results.append(check(f"dpctl's tests of queues: {passed} passed", code == 0 and passed > 0))
    results.append(check(f"the program mapped {mapped}", mapped == {plugin}))
    with open(plugin, "rb") as installed, open(os.path.join(folder, "libpi_opencl.so"), "rb") as ours:
        results.append(check("that file is the wheel's", installed.read() == ours.read()))
    results += drop_ins(pi, environment)
    done = subprocess.run([pi, "uninstall", environment], check=False)
    results.append(check("pi uninstall", done.returncode == 0))
    print(f"{results.count(True)} passed, {results.count(False)} failed, 0 skipped")
    sys.exit(0 if all(results) else 1)


main(sys.argv[1])
