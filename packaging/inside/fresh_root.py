"""A stranger's first hour in a fresh root file system: the wheel, pi doctor, what it prints typed, programs.

Usage: fresh_root.py WHEEL ENVIRONMENT [dpnp]. The environment is a virtual one with a stock runtime. The last line has the total.
"""

import json
import os
import subprocess
import sys

COMPUTE = {
    "memory": (
        "import dpctl, dpctl.memory as m\n"
        "a = m.MemoryUSMShared(64)\n"
        "a.copy_from_host(bytes(range(64)))\n"
        "assert bytes(a.copy_to_host()) == bytes(range(64))\n"
        "print(dpctl.select_default_device().name)\n"
    ),
    "dpctl": (
        "import dpctl.tensor as t\n"
        "x = t.arange(1000, dtype='i4')\n"
        "assert int(t.sum(x * 2)) == 999000\n"
        "print(x.device)\n"
    ),
    "dpnp": (
        "import dpnp\n"
        "x = dpnp.arange(1000, dtype='i4')\n"
        "assert int((x * 2).sum()) == 999000\n"
        "print(x.device)\n"
    ),
}
MAPPED = "print(*(line.split()[-1] for line in open('/proc/self/maps') if 'libpi_opencl' in line or 'adapter_opencl' in line))\n"
# No error takes more lines than this, one after another.
ROUNDS = 8

results = []


def check(title, holds, told=""):
    print(("ok    " if holds else "FAILED ") + title, flush=True)
    if not holds and told:
        print(told[-4000:])
    results.append(bool(holds))
    return bool(holds)


class Shell:
    """One session: what is typed stays in force."""

    def __init__(self, environment):
        self.environment = environment
        self.typed = []

    def run(self, line):
        script = "\n".join([*self.typed, line])
        variables = dict(os.environ, PATH=f"{self.environment}/bin:" + os.environ["PATH"])
        return subprocess.run(
            ["bash", "-c", script], capture_output=True, text=True, check=False, timeout=600, env=variables
        )

    def type(self, line):
        """Keeps what sets a variable; runs anything else once."""
        done = self.run(line)
        if line.startswith(("export ", "unset ", "eval ")):
            self.typed.append(line)
        return done

    def doctor(self):
        done = self.run("pi doctor --json")
        return done, json.loads(done.stdout)

    def follow_doctor(self, title):
        """Types the line of the first error until there is none."""
        seen = []
        for _ in range(ROUNDS):
            done, report = self.doctor()
            errors = [finding for finding in report["findings"] if finding["severity"] == "error"]
            told = json.dumps(errors, indent=1)
            if not check(f"{title}: its exit code says whether there is an error", (done.returncode == 1) == bool(errors), told):
                return seen
            if not errors:
                check(f"{title}: no error is left after {len(seen)} lines", True)
                return seen
            first = errors[0]
            check(f"{title}: \"{first['what']}\" has a line to type", bool(first["command"]), told)
            check(f"{title}: the line is a new one", first["command"] not in seen, told)
            print("      $ " + first["command"], flush=True)
            typed = self.type(first["command"])
            check(f"{title}: the line works", typed.returncode == 0, typed.stdout + typed.stderr)
            seen.append(first["command"])
        check(f"{title}: errors are left", False, told)
        return seen


def devices(shell, words):
    done = shell.run(f"pi ls --json {words}")
    return done, [device for device in json.loads(done.stdout)["devices"] if device["backend"] == "opencl"]


def computes(shell, start, name, code, ours):
    done = shell.run(f"{start} -c \"$(cat <<'END'\n{code}{MAPPED}END\n)\"")
    check(f"{name} computes", done.returncode == 0, done.stdout + done.stderr)
    last = done.stdout.splitlines()[-1] if done.stdout else ""
    check(f"{name} ran on {'our' if ours is None else ours} file", (ours or "sycl_pi") in last, last)


def main(wheel, environment, has_dpnp):
    shell = Shell(environment)
    done = shell.run(f"pip install --quiet --no-index --no-deps {wheel}")
    check("pip installs the wheel", done.returncode == 0, done.stderr)

    # Nothing but the wheel: doctor leads to a device.
    lines = shell.follow_doctor("pi doctor")
    check("doctor's lines put ours in place", f"pi install {environment}" in lines, str(lines))
    findings = shell.doctor()[1]["findings"]
    kernels = [finding["what"] for finding in findings if "added two vectors in a kernel, through" in finding["what"]]
    check("doctor ran a kernel through libsycl", len(kernels) == 1, json.dumps(findings, indent=1))
    for words in ("", environment):
        done, found = devices(shell, words)
        check(f"pi ls {words} lists the device", done.returncode == 0 and len(found) == 1, done.stdout + done.stderr)
        described = found and all(found[0][key] for key in ("name", "driver_version", "global_memory", "compute_units", "aspects"))
        check(f"pi ls {words} describes it", described, str(found))
    # dpctl has no tensors any more where dpnp has them.
    programs = ["memory", "dpnp" if has_dpnp else "dpctl"]
    for name in programs:
        computes(shell, "python", name, COMPUTE[name], f"{environment}/lib/lib")

    done = shell.run(f"pi uninstall --quiet {environment}")
    check("pi uninstall", done.returncode == 0, done.stderr)
    # A session of its own, in which nothing that was typed before is in force.
    shell = Shell(environment)
    done, found = devices(shell, environment)
    check("pi ls lists the vendor's device", len(found) == 1 and found[0]["name"], done.stdout + done.stderr)
    for name in programs:
        computes(shell, "pi run -- python", f"{name} by pi run", COMPUTE[name], None)
        computes(shell, "eval \"$(pi env)\"; python", f"{name} with pi env", COMPUTE[name], None)
    for program, code in (("/no/such/program", 127), ("no-such-program", 127), ("/etc/passwd", 126)):
        done = shell.run(f"pi run -- {program}")
        check(f"pi run -- {program} ends with {code}", done.returncode == code, done.stderr)

    # Without a driver doctor says how to get one.
    done = shell.run("pip uninstall --quiet --yes intel-opencl-rt")
    check("the driver is removed", done.returncode == 0, done.stderr)
    lines = shell.follow_doctor("pi doctor without a driver")
    check("doctor's lines brought it back", any("intel-opencl-rt" in line for line in lines), str(lines))
    done, found = devices(shell, "")
    check("pi ls lists the device again", len(found) == 1, done.stdout + done.stderr)
    # A driver that is none.
    with open("/tmp/libtext.so", "w", encoding="ascii") as file:
        file.write("a text\n")
    done = shell.run("OCL_ICD_FILENAMES=/tmp/libtext.so pi doctor --json")
    findings = json.loads(done.stdout)["findings"]
    text = [finding for finding in findings if "/tmp/libtext.so" in finding["what"]]
    check("a text is no driver", text and all(finding["severity"] != "ok" for finding in text), str(text))
    shell.typed.append("export OCL_ICD_FILENAMES=/tmp/libtext.so")
    shell.follow_doctor("pi doctor with a text as driver")
    done, found = devices(shell, "")
    check("pi ls lists the device once more", len(found) == 1, done.stdout + done.stderr)
    shell.run(f"pi uninstall --quiet {environment}")
    print(f"{results.count(True)} passed, {results.count(False)} failed, 0 skipped")
    sys.exit(0 if all(results) else 1)


main(sys.argv[1], sys.argv[2], len(sys.argv) > 3)
