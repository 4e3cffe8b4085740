#!/usr/bin/env python3
"""Compare the drop-ins with oneMKL itself for arguments that are out of range.

arguments/*.cpp call each routine with one and with two wrong arguments, and print the exception, its origin, and the
memory that was written. The answers of oneMKL 2026, from Intel's CPU runtime, are in arguments/onemkl-2026.tsv, and
those in which oneMKL 2025 differs are in onemkl-2025.tsv. `--write` records oneMKL's answers again, of all parts or of those
that are named; start with 2026.
"""

import argparse
import re
import sys
import tempfile
from pathlib import Path

import environments
import xtask

HERE = Path(__file__).resolve().parent / "arguments"
PARTS = ("blas", "lapack", "dft", "sparse")
# A program that makes no calls for so long counts as hung.
PATIENCE = 120

# Calls whose end oneMKL leaves to chance.
UNDEFINED = (
    (r"(getrf|potrf)_batch", r"[mn]=0", "batch error", "reads infos that it has not written"),
    (r"getri_batch", r"n=0", "", "prints that a parameter was incorrect, or not"),
)
# Where the drop-ins do something else: the routine, the arguments, what oneMKL does, what the drop-ins do, and why.
DIFFERENCES = (
    (r"gemm|gemv|syrk|trsm", r"trans[ab]?=2", "returns", r"throws .* parameter trans", "an unknown transpose means one of the known ones to oneMKL"),
    (r"gemm_batch", r"batch_size=-", "host_bad_alloc", r"returns, the queue's handler gets oneapi::mkl::host_bad_alloc", "its text names a function inside oneMKL"),
    (r"gemm|trsm_batch", r"batch_size=0|[mnk]=0", "host_bad_alloc", r"returns\t", "oneMKL asks for memory of no size, and takes null for a failure"),
    (r"gels_batch_scratchpad_size", "", "unsupported_device", r"returns", "oneMKL has gels_batch on GPUs alone"),
    (r"(org|ung)qr_batch", "", r"Printing the first", r"throws .*batch_error.*3 batch calculations failed", "the text repeats those of its matrices"),
    (r"gesvd \w+$", r"job(u|vt)=2", "", r"throws .*(not served|illegal value)", "vectors in the place of the matrix are not served"),
    (r"gesvd \w+$", r"m=2", r"returns\ta s u vt", r"returns\ts u vt$", "a matrix with more columns than rows is transposed, and stays"),
    (r"gesv ComplexF", r"scratchpad=0,spare=-1", r"parameter 10", r"parameter 9", "of complex numbers, oneMKL looks at the size first"),
    (r"getri \w+$", r"zeros=1", r"returns\tnothing", r"returns\ta$", "of a singular matrix the inverse has infinities"),
    (r"row_major::gemv Complex", r"trans=3,inc.=-1", r"returns", r"throws .*conjugated needs increments of at least 1", "cuBLAS does not conjugate alone"),
    (r"row_major::gemv Complex", r"trans=3,incx=2,incy=3", r"returns", r"returns\ty:(60783211|e0b2552a)$", "oneMKL's result is wrong; this is NumPy's"),
    (r"sparse::gemm", r"transx=[13]", r"unimplemented", r"returns|incompatible leading dimensions", "oneMKL has no transposed dense matrices on processors"),
    (r"sparse::set_csr_data", r"columns=0", r"handler gets", r"returns\tnothing", "oneMKL 2025 makes a second handle for processors, which fails"),
    (r"scal", r"incx=0", r"returns\tx", r"returns\tnothing", "cuBLAS wants a step"),
    (r"dft real", r"out=2", r"returns\tnothing", r"returns\tin$", "a descriptor for two arrays gets one, and oneMKL leaves it"),
    (r"dft", r"length=-1", r"FFT_", r"throws .*A sign was lost", "the descriptor does not tell such a length"),
)  # fmt: skip


def layers(lib, major):
    """oneMKL's libraries leave it to the program which of its layers for processors they use."""
    names = ("intel_ilp64", "tbb_thread", "core")
    return [*(lib / f"libmkl_{layer}.so.{major - 3}" for layer in names), lib / "libtbb.so.12"]


def build(environment, part, source, folder):
    """Builds a program on a part of oneMKL with an environment's headers and libraries."""
    program, include, lib = folder / source.stem, environment.root / "include", environment.lib
    major = environments.major(environment.release.version)
    # If a drop-in has replaced the vendor's file, the program is linked against the vendor's, which is kept next to it. It
    # has the same soname, and all functions.
    files = [lib / f"libmkl_sycl_{name}.so.{major}" for name in (part, "blas")]
    libraries = [kept if (kept := file.with_name(f"{file.name}.vendor")).exists() else file for file in files]
    command = ["g++", "-std=c++17", "-w", f"-DONEMKL_MAJOR={major}", "-I", HERE.parents[3] / "math/mkl/rim", "-I", include]
    command += ["-I", include / "sycl", source, "-o", program, lib / environment.release.soname]
    command += ["-Wl,--no-as-needed", *libraries, *layers(lib, major), "-ldl", "-Wl,--allow-shlib-undefined"]
    xtask.output(command)
    return program


def variables_of(environment):
    """The stand-ins for NVIDIA's libraries compute with NumPy's OpenBLAS."""
    openblas = next(environment.site_packages.glob("numpy.libs/libscipy_openblas64_*"))
    return {**environment.variables, "PI_TEST_OPENBLAS": str(openblas)}


def answers(environment, part, folder):
    """What came of each call: outcomes by routine and arguments."""
    log = folder / f"{part}.tsv"
    with open(log, "wb") as output:
        done = xtask.run(
            [build(environment, part, HERE / f"{part}.cpp", folder)], PATIENCE, progress=lambda: log.stat().st_size, stdout=output,
            env=variables_of(environment),
        )
    text = log.read_text(encoding="utf-8")
    if done.returncode != 0:
        raise xtask.CannotRun(f"the calls of {part} {xtask.how(done.returncode)}\n{xtask.tail(text, 2)}\n{xtask.tail(done.stderr)}")
    # Parts of oneMKL print, too.
    text = re.sub(r"\n?Intel oneMKL ERROR: .*\n", "", text)
    rows = [line.split("\t", 2) for line in text.splitlines()]
    if odd := next((row for row in rows if len(row) < 3), None):
        raise xtask.CannotRun(f"the calls of {part} printed {odd}")
    return {(routine, what): outcome for routine, what, outcome in rows}


def is_undefined(routine, what, outcome):
    return any(re.search(r, routine) and re.search(w, what) and o in outcome for r, w, o, _ in UNDEFINED)


def write(rows, release):
    """One line for each outcome of a routine: the routine, what was thrown, what was written, and the arguments. Other routines stay."""
    routines = {routine for routine, _ in rows}
    old = table(release).read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in old if line.split("\t")[0] not in routines]
    known = {} if release == environments.RELEASES[0] else read(environments.RELEASES[0])
    lines = {}
    for (routine, what), outcome in rows.items():
        if not is_undefined(routine, what, outcome) and known.get((routine, what)) != outcome:
            lines.setdefault((routine, outcome), []).append(what)
    text = "".join(kept) + "".join(f"{routine}\t{outcome}\t{' '.join(whats)}\n" for (routine, outcome), whats in lines.items())
    table(release).write_text(text, encoding="utf-8")


def read(release):
    """What oneMKL does, by routine and arguments."""
    rows = {} if release == environments.RELEASES[0] else read(environments.RELEASES[0])
    for line in table(release).read_text(encoding="utf-8").splitlines():
        routine, thrown, written, whats = line.split("\t")
        rows |= {(routine, what): f"{thrown}\t{written}" for what in whats.split(" ")}
    return rows


def table(release):
    return HERE / f"onemkl-{release[:4]}.tsv"


def is_right(routine, what, ours, onemkls):
    if ours == onemkls:
        return True
    for r, w, theirs, other, _ in DIFFERENCES:
        if re.search(r, routine) and re.search(w, what) and re.search(theirs, onemkls):
            return bool(re.search(other, ours))
    return False


def compare(ours, onemkls):
    """Prints what is wrong. Answers how many calls were right and wrong."""
    wrong = 0
    for (routine, what), expected in onemkls.items():
        if what == "bases" and (routine, what) not in ours:
            # A class that only calls of a named difference throw.
            continue
        got = ours.get((routine, what), "was not called")
        if not is_right(routine, what, got, expected):
            wrong += 1
            print(f"WRONG {routine}, {what}:\n    {got}\n    oneMKL: {expected}")
    return len(onemkls) - wrong, wrong


def late_failures(environment, folder):
    """Failures of work that runs after its call. Answers 1 if they are told as they should not be."""
    done = xtask.run([build(environment, "blas", HERE / "late_failures.cpp", folder)], PATIENCE, env=variables_of(environment))
    if done.returncode != 0:
        print(f"late_failures {xtask.how(done.returncode)}\n{xtask.tail(done.stdout + done.stderr)}")
    return int(done.returncode != 0)


def check(environment, parts=PARTS):
    """Compares the drop-ins of an environment with oneMKL's answers. Answers how many calls were right and wrong."""
    ours, late, failed = {}, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for part in parts:
            ours |= answers(environment, part, Path(folder))
        if "blas" in parts:
            late, failed = 1, late_failures(environment, Path(folder))
    routines = {routine for routine, _ in ours}
    onemkls = {call: outcome for call, outcome in read(environment.release.version).items() if call[0] in routines}
    right, wrong = compare(ours, onemkls)
    return right + late - failed, wrong + failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--release", default="2026.2.0", choices=environments.RELEASES, help="the release of DPC++ (default: %(default)s)")
    parser.add_argument("--write", action="store_true", help="ask oneMKL itself, and write its table")
    parser.add_argument("parts", nargs="*", default=PARTS, help="parts of oneMKL (default: %(default)s)")
    asked = parser.parse_args()
    if asked.write:
        rows = {}
        with tempfile.TemporaryDirectory() as folder:
            for part in asked.parts:
                rows |= answers(environments.on_cpu(asked.release), part, Path(folder))
        write(rows, asked.release)
        return 0
    drop_ins = environments.build([environments.major(asked.release)])
    right, wrong = check(environments.on_software_gpu(asked.release, drop_ins), asked.parts)
    print(f"{right} passed, {wrong} failed")
    return int(wrong != 0)


if __name__ == "__main__":
    xtask.exit_with(main)
