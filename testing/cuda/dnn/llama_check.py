#!/usr/bin/env python3
"""Run stock llama.cpp (cyllama) with our drop-ins on the software GPU, and compare the first logits of small models
with NumPy's in double precision.

Each model runs with flash attention and without it, so that products go through the drop-ins for oneDNN and for oneMKL.
The last line has the totals.

Exit code 0: all logits agree with NumPy's. 1: some do not. 2: it could not run.
"""

import argparse
import ast
import json
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parent / "dpctl")]
import dnn_check
import environments
import xtask

RELEASE = "2025.3.3"
LLAMA = HERE.parent / "llama"
# cyllama and what reads and writes its models.
WHEELS = [("cyllama_sycl", "0.7.0"), ("gguf", "0.19.0"), ("pyyaml", "6.0.4"), ("tqdm", "4.70.1")]
# Heads of 32: with 64, llama.cpp's flash attention divides by zero on the software GPU, also with the vendor's oneDNN alone.
SHAPE = ["--layers", "2", "--width", "256", "--heads", "8", "--groups", "2", "--hidden", "512", "--tokens", "500"]
# The largest difference of a logit, whose spread is one.
TOLERANCE = {"F16": 0.01, "BF16": 0.05}
PROMPTS = (1, 2, 40, 300)
PATIENCE = 300


def add(place):
    """Puts oneDNN and llama.cpp into an environment."""
    dnn_check.add_onednn(dnn_check.ONEDNN[RELEASE], place / "lib")
    site_packages = next((place / "lib").glob("python3.*/site-packages"))
    version = site_packages.parent.name.removeprefix("python")
    for name, number in WHEELS:
        if not list(site_packages.glob(f"{name}-{number}.dist-info")):
            with zipfile.ZipFile(dnn_check.wheel(name, number, version)) as archive:
                archive.extractall(site_packages)


def logits(environment, model, prompt, flash):
    """The first logits of stock llama.cpp after a prompt, or the end of what it printed."""
    openblas = next(environment.site_packages.glob("numpy.libs/libscipy_openblas64_*.so"))
    # llama.cpp asks for the platform by itself, and does not know the selector's star.
    own = {name: value for name, value in environment.variables.items() if name != "ONEAPI_DEVICE_SELECTOR"}
    command = [environment.python, LLAMA / "generate.py", model, "--prompt", str(prompt), "--new", "2", "--flash-attention", str(flash)]
    done = xtask.run(command, PATIENCE, env=own | {"PI_TEST_OPENBLAS": str(openblas)})
    results = [line for line in done.stdout.splitlines() if line.startswith("{")]
    return json.loads(results[-1])["first logits"] if results and done.returncode == 0 else xtask.tail(done.stdout + done.stderr)


def main():
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    environment = environments.on_software_gpu(RELEASE, environments.build((environments.major(RELEASE),)), "llama-tests", add)
    right = wrong = 0
    for kind, tolerance in TOLERANCE.items():
        model = xtask.TARGET / "llama-tests" / f"{kind}.gguf"
        xtask.output([environment.python, LLAMA / "model.py", model, "--type", kind, *SHAPE], env=environment.variables)
        for prompt in PROMPTS:
            told = xtask.output([environment.python, LLAMA / "reference.py", model, str(prompt)], env=environment.variables)
            wanted = ast.literal_eval(told.splitlines()[-1])
            for flash in (0, 1):
                got = logits(environment, model, prompt, flash)
                far = got if isinstance(got, str) else max(abs(one - other) for one, other in zip(got, wanted, strict=True))
                is_right = not isinstance(far, str) and far <= tolerance
                right, wrong = right + is_right, wrong + (not is_right)
                print(f"{'right' if is_right else 'WRONG'}: {kind}, prompt of {prompt}, flash attention {flash}: {far}", flush=True)
    print(f"stock llama.cpp on the software GPU: {right} right, {wrong} wrong")
    return int(bool(wrong))


if __name__ == "__main__":
    xtask.exit_with(main)
