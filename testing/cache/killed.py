"""Kills eight processes at random moments while they write one program cache, hundreds of times.

After each round, every program must give the right result at once, and every item must pass `verify`.
"""

import collections
import os
import pathlib
import random
import re
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


class Killing:
    """A test program that writes, reads and verifies a cache, and what was found so far."""

    def __init__(self, root, with_programs):
        """With programs, it builds and runs device images. With bytes there are as many kills as possible."""
        self.root, self.variables, self.found, self.longest = root, dict(os.environ), collections.Counter(), 0
        if with_programs:
            xtask.build("pi_opencl", "pi")
            self.variables |= {**xtask.driver("intel-current").variables, "PI_TEST_PLUGIN": str(xtask.TARGET / "release/libpi_opencl.so")}
        name = "cached-programs" if with_programs else "cache-torture"
        self.file = xtask.build("testing-programs", programs=[name], profile="dev") / name

    def start(self, chance):
        """A process that uses the cache until it is killed. Its errors are shown."""
        words = [self.file, "write", self.root, str(chance.getrandbits(63))]
        return subprocess.Popen(words, env=self.variables, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def kill(self, writer):
        """It is an error if it had ended by itself, which it does only after a wrong result."""
        writer.kill()
        if writer.wait() != -signal.SIGKILL:
            raise Lost(f"a writer {xtask.how(writer.returncode)} by itself")
        self.found["killed"] += 1

    def ask(self, what):
        """Runs the program to its end, adds up the numbers that it prints, and judges them."""
        ended = xtask.run([self.file, what, self.root], LIMIT, env=self.variables, stderr=None)
        if ended.returncode != 0:
            raise Lost(f"{what}: {xtask.how(ended.returncode)}\n{xtask.tail(ended.stdout)}")
        self.judge(what, {name: int(number) for name, number in re.findall(r"^(\w+)=(\d+)$", ended.stdout, re.MULTILINE)})

    def judge(self, what, numbers):
        if what == "verify" and numbers["damaged"]:
            raise Lost(f"{numbers['damaged']} items do not verify")
        if what == "run" and (numbers["timeouts"] or numbers["longest_ms"] > LONGEST):
            raise Lost(f"{numbers['timeouts']} waits for a program without result, the longest took {numbers['longest_ms']} ms")
        self.longest = max(self.longest, numbers.get("longest_ms", 0))
        self.found.update(numbers)

    def round(self, chance):
        """Kills writers one by one and starts a new one for each. Then kills all of them and checks the cache."""
        writers = []
        try:
            writers += [self.start(chance) for _ in range(WRITERS)]
            for _ in range(KILLS_PER_ROUND):
                time.sleep(chance.uniform(0, 0.06))
                writers.append(self.start(chance))
                self.kill(writers.pop(chance.randrange(WRITERS)))
            while writers:
                self.kill(writers.pop())
        finally:
            for writer in writers:
                writer.kill()
                writer.wait()
        for what in ("verify", "run", "verify"):
            self.ask(what)
        self.found["rounds"] += 1

    def __str__(self):
        return (
            "{rounds} rounds, {killed} processes killed, {items} items verified, {programs} programs right ({hits} from the disk), "
            "the slowest in {longest} ms"
        ).format_map(collections.Counter(self.found, longest=self.longest))


def run(seconds, with_programs=False, root=None, seed=None):
    """Kills and checks until the time is over. It stops at the first wrong result, says what it is, and returns False."""
    seed = time.time_ns() if seed is None else seed
    with tempfile.TemporaryDirectory() as own:
        killing = Killing(root or pathlib.Path(own, "cache"), with_programs)
        chance, end = random.Random(seed), time.monotonic() + seconds
        with xtask.Step(f"killing {WRITERS} writers of one cache (seed {seed})") as step:
            try:
                while not killing.found["rounds"] or time.monotonic() < end:
                    killing.round(chance)
                    step.note(str(killing))
            except Lost as error:
                print(f"seed {seed}, after {killing}: {error}")
                return False
            step.outcome = "nothing was lost"
    print(killing)
    return True
