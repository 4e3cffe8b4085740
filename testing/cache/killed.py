"""Eight processes write one program cache and are killed at random moments, hundreds of times.

After each round every program must come out right, at once, and every item must verify.
"""

import collections
import os
import pathlib
import random
import signal
import subprocess
import tempfile
import time

import xtask

WRITERS = 8
KILLS_PER_ROUND = 40  # between two checks of the whole cache
LIMIT = 120  # seconds of a check. It never waits for a killed process
LONGEST = 5000  # milliseconds that a program may take after the kills


class Lost(Exception):
    """What is wrong with the cache, or with a process that used it."""


class Program:
    """A test program that writes, reads and verifies a cache."""

    def __init__(self, with_programs, no_build):
        """With programs, it builds and runs device images. With bytes there are as many kills as possible."""
        self.variables = dict(os.environ)
        if with_programs:
            if not no_build:
                xtask.build("pi_opencl", "pi")
            self.variables |= {**xtask.driver("intel-current").variables, "PI_TEST_PLUGIN": str(xtask.TARGET / "release/libpi_opencl.so")}
        name = "cached-programs" if with_programs else "cache-torture"
        self.file = xtask.build("testing-programs", programs=[name], profile="dev") / name

    def start(self, root, seed):
        """A process that uses the cache until it is killed. Its errors are shown."""
        words = [self.file, "write", root, str(seed)]
        return subprocess.Popen(words, env=self.variables, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def ask(self, what, root):
        """Runs it to its end and returns the numbers that it prints."""
        ended = xtask.run([self.file, what, root], LIMIT, env=self.variables, stderr=None)
        if ended.returncode != 0:
            raise Lost(f"{what}: {xtask.how(ended.returncode)}\n{xtask.tail(ended.stdout)}")
        pairs = (line.split("=", 1) for line in ended.stdout.splitlines() if "=" in line)
        return {name: int(number) for name, number in pairs if number.isdigit()}


class Progress:
    """How many processes were killed so far, and what the checks found."""

    def __init__(self):
        self.counts, self.longest = collections.Counter(), 0

    def verified(self, numbers):
        self.counts["items"] += numbers["items"]
        if numbers["damaged"]:
            raise Lost(f"{numbers['damaged']} items do not verify")

    def ran(self, numbers):
        """A wait without result, or a long one, is an error."""
        self.counts.update({name: numbers[name] for name in ("programs", "hits")})
        self.longest = max(self.longest, numbers["longest_ms"])
        if numbers["timeouts"] or numbers["longest_ms"] > LONGEST:
            raise Lost(f"{numbers['timeouts']} waits for a program without result, the longest wait took {numbers['longest_ms']} ms")

    def __str__(self):
        counts = self.counts
        return (
            f"{counts['rounds']} rounds, {counts['kills']} processes killed, {counts['items']} items verified, {counts['programs']} "
            f"programs right ({counts['hits']} from the disk), the slowest in {self.longest} ms"
        )


def kill(writer):
    """It is an error if it had ended by itself, which it does only after a wrong result."""
    writer.kill()
    if writer.wait() != -signal.SIGKILL:
        raise Lost(f"a writer {xtask.how(writer.returncode)} by itself")


def one_round(program, root, chance, progress):
    """Kills writers one by one and starts a new one for each. Then kills all of them and checks the cache."""
    writers = []
    try:
        writers += [program.start(root, chance.getrandbits(63)) for _ in range(WRITERS)]
        for _ in range(KILLS_PER_ROUND):
            time.sleep(chance.uniform(0, 0.06))
            victim = chance.randrange(WRITERS)
            writers.append(program.start(root, chance.getrandbits(63)))
            kill(writers.pop(victim))
            progress.counts["kills"] += 1
        while writers:
            kill(writers.pop())
            progress.counts["kills"] += 1
    finally:
        for writer in writers:
            writer.kill()
            writer.wait()
    progress.verified(program.ask("verify", root))
    progress.ran(program.ask("run", root))
    progress.verified(program.ask("verify", root))


def run(seconds, with_programs=False, root=None, seed=None, no_build=False):
    """Kills and checks until the time is over. It stops at the first wrong result, says what it is, and returns False."""
    program, progress = Program(with_programs, no_build), Progress()
    seed = time.time_ns() if seed is None else seed
    chance, end = random.Random(seed), time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as own, xtask.Step(f"killing {WRITERS} writers of one cache (seed {seed})") as step:
        root = root or pathlib.Path(own, "cache")
        try:
            while not progress.counts["rounds"] or time.monotonic() < end:
                one_round(program, root, chance, progress)
                progress.counts["rounds"] += 1
                step.note(str(progress))
        except Lost as error:
            print(f"seed {seed}, after {progress}: {error}")
            return False
        step.outcome = "nothing was lost"
    print(progress)
    return True
