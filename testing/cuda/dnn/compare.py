"""Times stock llama.cpp with the drop-in for oneDNN and without it, on this GPU. Run it with the Python of an
environment that has cyllama-sycl and onednn, in which `pi install --spirv-on-nvidia` has installed the drop-ins.

  python compare.py MODEL... [--rounds 3] [--prompt 512] [--new 128]

Both run in turn. The runs without it set GGML_SYCL_ENABLE_DNN=0, which has the same effect as a oneDNN that has no
engine for the device. The output has medians of tokens per second, and says whether the tokens equal those of the
processor (for as many new ones as --checked says).
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

GENERATE = Path(__file__).resolve().parents[1] / "llama/generate.py"
SPEEDS = ("prompt tokens per second", "new tokens per second")


def generate(model, options, with_onednn):
    """What generate.py tells of one run, or None if it failed."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        words = [sys.executable, GENERATE, model, "--json", file.name, *map(str, options)]
        done = subprocess.run(words, env={**os.environ, "GGML_SYCL_ENABLE_DNN": str(int(with_onednn))}, capture_output=True, text=True)
        if done.returncode != 0:
            print(f"FAILED ({done.returncode}): {' '.join(map(str, words))}", *(done.stdout + done.stderr).splitlines()[-20:], sep="\n")
            return None
        return json.loads(Path(file.name).read_text())


def same(one, other):
    """How many tokens at the beginning are the same."""
    return next((index for index, (left, right) in enumerate(zip(one, other)) if left != right), min(len(one), len(other)))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("models", nargs="+")
    for name, number in (("rounds", 3), ("prompt", 512), ("new", 128), ("checked", 16)):
        options.add_argument(f"--{name}", type=int, default=number)
    asked = options.parse_args()
    for model in asked.models:
        on_processor = generate(model, ["--layers-on-gpu", 0, "--prompt", asked.prompt, "--new", asked.checked], False)
        for flash in (1, 0):
            runs = {True: [], False: []}
            for _ in range(asked.rounds):
                for with_onednn, results in runs.items():
                    results.append(generate(model, ["--prompt", asked.prompt, "--new", asked.new, "--flash-attention", flash], with_onednn))
            for with_onednn, results in runs.items():
                done = [result for result in results if result]
                if not done:
                    continue
                speeds = ", ".join(f"{statistics.median(result[what] for result in done):.0f} {what}" for what in SPEEDS)
                agreed = f"{same(done[0]['tokens'], on_processor['tokens'])} of {asked.checked} tokens as the processor" if on_processor else ""
                print(f"{Path(model).name}, flash attention {flash}, {'with' if with_onednn else 'without'} oneDNN: {speeds}; {agreed}", flush=True)


main()
