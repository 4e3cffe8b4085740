"""Times stock llama.cpp with the drop-in for oneDNN and without it, on this GPU. Run it with the Python of an
environment that has cyllama-sycl and onednn, in which `pi install --spirv-on-nvidia` has installed the drop-ins.

  python compare.py MODEL... [--rounds 3] [--prompt 512] [--new 128] [--cuda PYTHON]

All sides run in turn. The runs without it set GGML_SYCL_ENABLE_DNN=0, which has the same effect as a oneDNN that has
no engine for the device. With --cuda, llama.cpp's own CUDA code runs too, with the Python of an environment that has
cyllama-cuda12. The output has medians of tokens per second and the most memory of the GPU in use, and says how many
tokens equal those of the processor (of as many new ones as --checked says).
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

GENERATE = Path(__file__).resolve().parents[1] / "llama/generate.py"
SPEEDS = ("prompt tokens per second", "new tokens per second")


class Memory:
    """The most memory of the first GPU that is in use meanwhile, in MiB."""

    QUERY = ("nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits", "--id=0", "--loop-ms=50")

    def __enter__(self):
        self.most = 0
        self.process = subprocess.Popen(self.QUERY, stdout=subprocess.PIPE, text=True)
        self.thread = threading.Thread(target=self.read)
        self.thread.start()
        return self

    def read(self):
        for line in self.process.stdout:
            self.most = max(self.most, int(line))

    def __exit__(self, *_):
        self.process.terminate()
        self.thread.join()


def generate(python, variables, model, options):
    """What generate.py tells of one run, or None if it failed."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file, Memory() as memory:
        words = [python, GENERATE, model, "--json", file.name, *map(str, options)]
        done = subprocess.run(words, env=os.environ | variables, capture_output=True, text=True)
        if done.returncode != 0:
            print(f"FAILED ({done.returncode}): {' '.join(map(str, words))}", *(done.stdout + done.stderr).splitlines()[-20:], sep="\n")
            return None
        result = json.loads(Path(file.name).read_text())
    return result | {"MiB": memory.most}


def same(one, other):
    """How many tokens at the beginning are the same."""
    return next((index for index, (left, right) in enumerate(zip(one, other)) if left != right), min(len(one), len(other)))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("models", nargs="+")
    for name, number in (("rounds", 3), ("prompt", 512), ("new", 128), ("checked", 16)):
        options.add_argument(f"--{name}", type=int, default=number)
    options.add_argument("--cuda", metavar="PYTHON")
    asked = options.parse_args()
    sides = {
        "with oneDNN": (sys.executable, {"GGML_SYCL_ENABLE_DNN": "1"}),
        "without oneDNN": (sys.executable, {"GGML_SYCL_ENABLE_DNN": "0"}),
    }
    if asked.cuda:
        sides["CUDA's own"] = (asked.cuda, {})
    for model in asked.models:
        on_processor = generate(*sides["without oneDNN"], model, ["--layers-on-gpu", 0, "--prompt", asked.prompt, "--new", asked.checked])
        for flash in (1, 0):
            runs = {side: [] for side in sides}
            for _ in range(asked.rounds):
                for side, results in runs.items():
                    results.append(generate(*sides[side], model, ["--prompt", asked.prompt, "--new", asked.new, "--flash-attention", flash]))
            for side, results in runs.items():
                done = [result for result in results if result]
                if not done:
                    continue
                speeds = ", ".join(f"{statistics.median(result[what] for result in done):.0f} {what}" for what in SPEEDS)
                memory = max(result["MiB"] for result in done)
                agreed = f"{same(done[0]['tokens'], on_processor['tokens'])} of {asked.checked} tokens as the processor" if on_processor else ""
                print(f"{Path(model).name}, flash attention {flash}, {side}: {speeds}; {memory} MiB; {agreed}", flush=True)


main()
