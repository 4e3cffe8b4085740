"""Creates the Debian package: the files in the system's folders, with man pages, completions, and files for pkg-config and CMake."""

import gzip
import hashlib
import os

import build
import origin
import xtask

TEXTS = xtask.ROOT / "packaging/deb"
# The commands for people.
PROGRAMS = ["pi", "pi-conformance"]
COMPLETIONS = {
    "bash": "bash-completion/completions/pi",
    "zsh": "zsh/vendor-completions/_pi",
    "fish": "fish/vendor_completions.d/pi.fish",
}


def file_name():
    return f"sycl-pi_{build.version()}-1_amd64.deb"


def pack(to, drop_ins):
    with xtask.Step("packing the Debian package") as step:
        root = build.fresh(build.PARTS / "deb")
        fill(root / "usr", drop_ins)
        control(root)
        made = to / file_name()
        command = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, made]
        xtask.output(command, env={**os.environ, **build.EPOCH})
        step.outcome = f"{made.stat().st_size / 1e6:.2f} MB"


def fill(usr, drop_ins):
    for name in build.NAMES:
        build.put(build.FILES / name, usr / "lib/sycl-pi", 0o644 if name.endswith(".so") else 0o755)
    # Each library is an adapter, too: the same file under a second name.
    for name in build.BACKENDS:
        (usr / "lib/sycl-pi" / name.replace("libpi_", "libur_adapter_")).symlink_to(name)
    # `pi install --spirv-on-nvidia` takes them from here.
    for file in drop_ins:
        build.put(file, usr / "lib/sycl-pi/math")
    for name in ("libpi_math.so", "libpi_dnn.so"):
        (usr / "lib/sycl-pi/math" / name).symlink_to(f"../{name}")
    (usr / "bin").mkdir()
    # Programs look for libraries beside their own file, to which the link leads.
    for program in PROGRAMS:
        (usr / "bin" / program).symlink_to(f"../lib/sycl-pi/{program}")
    for header in build.HEADERS:
        build.put(header, usr / "include/pi")
    write(usr / "lib/pkgconfig/sycl-pi.pc", build.fill(TEXTS / "sycl-pi.pc"))
    for name in ("sycl-pi-config.cmake", "sycl-pi-config-version.cmake"):
        write(usr / "lib/cmake/sycl-pi" / name, build.fill(TEXTS / name))
    pi, share = build.FILES / "pi", usr / "share"
    xtask.output([pi, "__man", share / "man/man1"])
    for page in sorted((share / "man/man1").iterdir()):
        compress(page)
    for shell, file in COMPLETIONS.items():
        write(share / file, xtask.output([pi, "completions", shell]))
    doc = share / "doc/sycl-pi"
    for file in (TEXTS / "copyright", origin.LICENCES, xtask.ROOT / "docs/glossary.md"):
        build.put(file, doc)
    for package in build.SHIPPED:
        build.put(origin.bill(package), doc / "sboms")
    for page in (xtask.ROOT / "docs/guide").iterdir():
        build.put(page, doc / "guide")
    write(doc / "changelog", (xtask.ROOT / "CHANGELOG.md").read_text())
    compress(doc / "changelog")
    write(doc / "changelog.Debian", build.fill(TEXTS / "changelog"))
    compress(doc / "changelog.Debian")


def write(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def compress(file):
    """Replaces a file by FILE.gz, which has no time in it."""
    file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes(), mtime=0))
    file.unlink()


def control(root):
    files = sorted(file for file in root.rglob("*") if file.is_file() and not file.is_symlink())
    kilobytes = sum(-(-file.stat().st_size // 1024) for file in files)
    write(root / "DEBIAN/control", build.fill(TEXTS / "control").replace("@SIZE@", str(kilobytes)))
    sums = [f"{hashlib.md5(file.read_bytes()).hexdigest()}  {file.relative_to(root)}\n" for file in files]
    write(root / "DEBIAN/md5sums", "".join(sums))
