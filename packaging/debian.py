"""Creates Debian root file systems in folders from its packages, and runs programs in them.

    python3 packaging/debian.py SUITE PACKAGE..     creates the root folder if it is missing, and prints its path
"""

import pathlib
import shutil
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "testing"))
import xtask

ROOTS = xtask.CACHE / "roots"
MIRROR = "http://deb.debian.org/debian"
# debootstrap's descriptions of suites, and the one that serves a suite which is newer than debootstrap.
SUITES, NEWEST = pathlib.Path("/usr/share/debootstrap/scripts"), "sid"
# What no program under test reads: a third of a root folder.
NOT_NEEDED = ["usr/share/doc", "usr/share/man", "usr/share/locale", "var/cache/apt", "var/lib/apt/lists"]
PATH = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}


def inside(root, *command):
    """A command in another root folder, with a /proc of its own that ends with it, and with the host's /sys: drivers read it."""
    script = 'root=$1; shift; mkdir -p "$root/sys" && mount --rbind /sys "$root/sys" && exec chroot "$root" "$@"'
    unshare = ["/usr/bin/unshare", "--mount", "--pid", "--fork", f"--mount-proc={root}/proc"]
    return [*unshare, "/bin/sh", "-c", script, "sh", root, *command]


def can_change_root():
    """Whether this user may run programs in another root folder."""
    try:
        return subprocess.run(inside("/", "true"), stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


def root(suite, *packages, name=None):
    """The root folder of a release of Debian with some packages besides its base, made if it is not there.

    A name of its own keeps it apart from one with other packages.
    """
    name = name or suite
    folder, stamp = ROOTS / name, ROOTS / f"{name}.packages"
    content = " ".join(packages)
    if not stamp.exists() or stamp.read_text() != content:
        xtask.install("debootstrap")
        partial = ROOTS / f".partial-{name}"
        shutil.rmtree(partial, ignore_errors=True)
        with xtask.Step(f"installing Debian {suite} into a folder, once"):
            partial.parent.mkdir(parents=True, exist_ok=True)
            script = suite if (SUITES / suite).exists() else NEWEST
            xtask.output(["debootstrap", "--variant=minbase", f"--include={','.join(packages)}", suite, partial, MIRROR, script])
            for name in NOT_NEEDED:
                shutil.rmtree(partial / name, ignore_errors=True)
            shutil.rmtree(folder, ignore_errors=True)
            partial.rename(folder)
            stamp.write_text(content)
    return folder


def copy(root, to):
    """A copy of a root folder that has no file in common with it."""
    xtask.output(["cp", "--archive", "--reflink=auto", root, to])


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        raise xtask.CannotRun("usage: packaging/debian.py SUITE PACKAGE..")
    print(root(*sys.argv[1:]))
    return 0


if __name__ == "__main__":
    xtask.exit_with(main)
