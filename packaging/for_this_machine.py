"""Build the wheel for this machine only, so that it takes minutes, and without a release's checks. `pip install .` does so, too.

    python3 packaging/for_this_machine.py FOLDER wheel       without the drop-ins for oneMKL and oneDNN
    python3 packaging/for_this_machine.py FOLDER drop-ins    with them: two stock releases of DPC++ are downloaded, once
    python3 packaging/for_this_machine.py FOLDER metadata    what pip asks before it has the wheel built

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
from wheel import drop_ins

# It runs where it was built: pip takes this tag on no other machine's word.
TAG = "py3-none-linux_x86_64"
PARTS = ("wheel", "drop-ins", "metadata")


def terminal():
    """Where progress is shown. pip hides what a build prints, so it goes to the user's terminal if there is one."""
    try:
        return open("/dev/tty", "w", encoding="utf-8")
    except OSError:
        return None


def files(with_drop_ins):
    """The files of ours that the wheel has."""
    return [*wheel.NAMES, *(drop_ins.LIBRARIES if with_drop_ins else ())]


def packages(names):
    """Cargo's words for the packages that build these files."""
    wanted = [package for package, built in build.SHIPPED.items() if set(built) & set(names)]
    return [word for package in wanted for word in ("--package", package)]


def crates(names):
    """How many crates are compiled, about: some are compiled for the build and for the result."""
    words = ["tree", "--edges", "normal,build", "--prefix", "none", "--no-dedupe", "--format", "{p}"]
    lines = build.cargo(*words, *packages(names))
    return len({tuple(line.split()[:2]) for line in lines.splitlines() if line})


def compile_all(names, show):
    """Builds the files. Cargo's messages go to pip, which prints them if the build fails."""
    command = ["cargo", "build", "--release", "--locked", "--target-dir", build.TARGET, *packages(names)]
    total, count = crates(names), 0
    process = subprocess.Popen(command, cwd=xtask.ROOT, stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        sys.stderr.write(line)
        if line.strip().startswith("Compiling "):
            count += 1
            show(f"compiling {line.split()[1]}, crate {count} of about {total}")
    if process.wait() != 0:
        raise xtask.CannotRun("cargo failed; its messages are above")


def strip(names, to):
    """Copies without debugging information, which is most of a file."""
    for name in names:
        xtask.output(["strip", "--strip-unneeded", "-o", to / name, build.TARGET / "release" / name])


def zip_up(root, file):
    """Packs the folder, with RECORD: each file's hash and size (PEP 376)."""
    record = root / wheel.info_folder() / "RECORD"
    lines = ""
    for part in sorted(path for path in root.rglob("*") if path.is_file()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(part.read_bytes()).digest()).decode().rstrip("=")
        lines += f"{part.relative_to(root)},sha256={digest},{part.stat().st_size}\n"
    record.write_text(f"{lines}{record.relative_to(root)},,\n")
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for part in sorted(path for path in root.rglob("*") if path.is_file()):
            packed.write(part, part.relative_to(root))


def make(folder, with_drop_ins, show):
    """Makes the wheel, and returns its name."""
    names = files(with_drop_ins)
    compile_all(names, show)
    root, stripped = build.fresh(build.PARTS / "local"), build.fresh(build.PARTS / "local-files")
    strip(names, stripped)
    made = []
    if with_drop_ins:
        show("compiling the drop-ins for oneMKL and oneDNN")
        made = drop_ins.build(build.TARGET / "release", build.fresh(build.PARTS / "local-math"))
    show("packing\n")
    origin.write_licences()
    wheel.lay_out(root, stripped, TAG, made)
    packed = folder / wheel.file_name(TAG)
    zip_up(root, packed)
    return packed.name


def main():
    folder, *parts = sys.argv[1:] or [""]
    if len(parts) != 1 or parts[0] not in PARTS:
        raise xtask.CannotRun(f"usage: packaging/for_this_machine.py FOLDER {'|'.join(PARTS)}")
    folder, screen = pathlib.Path(folder), terminal()

    def show(text):
        # Over pip's own line, which has a spinner in it.
        if screen:
            print(f"\r\033[K  sycl-pi: {text}", end="", file=screen, flush=True)

    build.PARTS.mkdir(parents=True, exist_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    if parts == ["metadata"]:
        info = folder / wheel.info_folder()
        info.mkdir()
        (info / "METADATA").write_text(wheel.metadata())
        print(info.name)
        return 0
    print(make(folder, parts == ["drop-ins"], show))
    return 0


if __name__ == "__main__":
    xtask.exit_with(main)
