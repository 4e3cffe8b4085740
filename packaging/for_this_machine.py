"""Build wheels for this machine only, so that it takes minutes, and without a release's checks. `pip install .` does so, too.

    python3 packaging/for_this_machine.py FOLDER wheel         the wheel sycl-pi
    python3 packaging/for_this_machine.py FOLDER wheel math    and the wheel sycl-pi-math, the drop-ins for oneMKL's libraries
    python3 packaging/for_this_machine.py FOLDER metadata      what pip asks before it has the wheel built

The files are those of `cargo build --release`, which shares its work. Prints the names of what is made.
"""

import base64
import hashlib
import pathlib
import subprocess
import sys
import zipfile

import build
import origin
import wheel
import xtask

sys.path.append(str(xtask.ROOT / "math/mkl/rim"))
import drop_ins

# It runs where it was built: pip takes this tag on no other machine's word.
TAG = "py3-none-linux_x86_64"
WHEELS = {"wheel": wheel.PRODUCT, "math": wheel.MATH}


def terminal():
    """Where progress is shown. pip hides what a build prints, so it goes to the user's terminal if there is one."""
    try:
        return open("/dev/tty", "w", encoding="utf-8")
    except OSError:
        return None


def packages(product):
    """Cargo's words for the packages that build the wheel's files."""
    names = [package for package, files in build.SHIPPED.items() if set(files) & set(product.files)]
    return [word for name in names for word in ("--package", name)]


def crates(product):
    """How many crates are compiled, about: some are compiled for the build and for the result."""
    words = ["tree", "--edges", "normal,build", "--prefix", "none", "--no-dedupe", "--format", "{p}"]
    lines = build.cargo(*words, *packages(product))
    return len({tuple(line.split()[:2]) for line in lines.splitlines() if line})


def compile_all(product, show):
    """Builds the files. Cargo's messages go to pip, which prints them if the build fails."""
    command = ["cargo", "build", "--release", "--locked", "--target-dir", build.TARGET, *packages(product)]
    total, count = crates(product), 0
    process = subprocess.Popen(command, cwd=xtask.ROOT, stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        sys.stderr.write(line)
        if line.strip().startswith("Compiling "):
            count += 1
            show(f"{product.name}: compiling {line.split()[1]}, crate {count} of about {total}")
    if process.wait() != 0:
        raise xtask.CannotRun("cargo failed; its messages are above")


def strip(product, to):
    """Copies without debugging information, which is most of a file."""
    for name in product.files:
        xtask.output(["strip", "--strip-unneeded", "-o", to / name, build.TARGET / "release" / name])


def zip_up(product, root, file):
    """Packs the folder, with RECORD: each file's hash and size (PEP 376)."""
    record = root / wheel.info_folder(product) / "RECORD"
    lines = ""
    for part in sorted(path for path in root.rglob("*") if path.is_file()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(part.read_bytes()).digest()).decode().rstrip("=")
        lines += f"{part.relative_to(root)},sha256={digest},{part.stat().st_size}\n"
    record.write_text(f"{lines}{record.relative_to(root)},,\n")
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for part in sorted(path for path in root.rglob("*") if path.is_file()):
            packed.write(part, part.relative_to(root))


def make(product, folder, show):
    """Makes a wheel, and returns its name."""
    compile_all(product, show)
    show(f"{product.name}: packing\n")
    root, files = build.fresh(build.PARTS / "local"), build.fresh(build.PARTS / "local-files")
    strip(product, files)
    origin.write_licences()
    wheel.lay_out(product, root, files, TAG)
    if product is wheel.MATH:
        drop_ins.build(build.TARGET / "release", root / product.module / "bin")
    made = folder / f"{product.module}-{build.version()}-{TAG}.whl"
    zip_up(product, root, made)
    return made.name


def main():
    folder, *parts = sys.argv[1:] or [""]
    if parts != ["metadata"] and (not parts or set(parts) - set(WHEELS)):
        raise xtask.CannotRun(f"usage: packaging/for_this_machine.py FOLDER {'|'.join(WHEELS)}..")
    folder, screen = pathlib.Path(folder), terminal()

    def show(text):
        # Over pip's own line, which has a spinner in it.
        if screen:
            print(f"\r\033[K  {text}", end="", file=screen, flush=True)

    build.PARTS.mkdir(parents=True, exist_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    if parts == ["metadata"]:
        info = folder / wheel.info_folder(wheel.PRODUCT)
        info.mkdir()
        (info / "METADATA").write_text(wheel.metadata(wheel.PRODUCT))
        print(info.name)
        return 0
    for part in parts:
        print(make(WHEELS[part], folder, show))
    return 0


if __name__ == "__main__":
    xtask.exit_with(main)
