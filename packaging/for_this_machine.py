"""Build the wheel of `pip install .`: for this machine only, so that it takes minutes, and without a release's checks.

    python3 packaging/for_this_machine.py FOLDER               the wheel
    python3 packaging/for_this_machine.py FOLDER --metadata    what pip asks first

The files are those of `cargo build --release`, which shares its work. Prints the name of what is made.
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

# It runs where it was built: pip takes this tag on no other machine's word.
TAG = "py3-none-linux_x86_64"
PACKAGES = [package for package, names in build.SHIPPED.items() if set(names) & set(wheel.PRODUCT.files)]


def terminal():
    """Where progress is shown. pip hides what a build prints, so it goes to the user's terminal if there is one."""
    try:
        return open("/dev/tty", "w", encoding="utf-8")
    except OSError:
        return None


def crates():
    """How many crates are compiled, about: some are compiled for the build and for the result."""
    words = ["tree", "--edges", "normal,build", "--prefix", "none", "--no-dedupe", "--format", "{p}"]
    lines = build.cargo(*words, *(word for package in PACKAGES for word in ("--package", package)))
    return len({tuple(line.split()[:2]) for line in lines.splitlines() if line})


def compile_all(show):
    """Builds the files. Cargo's messages go to pip, which prints them if the build fails."""
    words = [word for package in PACKAGES for word in ("--package", package)]
    command = ["cargo", "build", "--release", "--locked", "--target-dir", build.TARGET, *words]
    total, count = crates(), 0
    process = subprocess.Popen(command, cwd=xtask.ROOT, stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        sys.stderr.write(line)
        if line.strip().startswith("Compiling "):
            count += 1
            show(f"sycl-pi: compiling {line.split()[1]}, crate {count} of about {total}")
    if process.wait() != 0:
        raise xtask.CannotRun("cargo failed; its messages are above")


def strip(to):
    """Copies without debugging information, which is most of a file."""
    for name in wheel.PRODUCT.files:
        xtask.output(["strip", "--strip-unneeded", "-o", to / name, build.TARGET / "release" / name])


def zip_up(root, file):
    """Packs the folder, with RECORD: each file's hash and size (PEP 376)."""
    record = root / wheel.info_folder(wheel.PRODUCT) / "RECORD"
    lines = ""
    for part in sorted(path for path in root.rglob("*") if path.is_file()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(part.read_bytes()).digest()).decode().rstrip("=")
        lines += f"{part.relative_to(root)},sha256={digest},{part.stat().st_size}\n"
    record.write_text(f"{lines}{record.relative_to(root)},,\n")
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for part in sorted(path for path in root.rglob("*") if path.is_file()):
            packed.write(part, part.relative_to(root))


def main():
    folder, *words = sys.argv[1:]
    screen = terminal()

    def show(text):
        # Over pip's own line, which has a spinner in it.
        if screen:
            print(f"\r\033[K  {text}", end="", file=screen, flush=True)

    build.PARTS.mkdir(parents=True, exist_ok=True)
    if words == ["--metadata"]:
        info = pathlib.Path(folder) / wheel.info_folder(wheel.PRODUCT)
        info.mkdir()
        (info / "METADATA").write_text(wheel.metadata(wheel.PRODUCT))
        print(info.name)
        return 0
    compile_all(show)
    show("sycl-pi: packing\n")
    root, files = build.fresh(build.PARTS / "local"), build.fresh(build.PARTS / "local-files")
    strip(files)
    origin.write_licences()
    wheel.lay_out(wheel.PRODUCT, root, files, TAG)
    made = pathlib.Path(folder) / f"{wheel.PRODUCT.module}-{build.version()}-{TAG}.whl"
    zip_up(root, made)
    print(made.name)
    return 0


if __name__ == "__main__":
    xtask.exit_with(main)
