"""Generates tokens with stock llama.cpp (cyllama), always the likeliest one, and times both phases.

  python3 generate.py MODEL [--layers-on-gpu 99] [--prompt 512] [--new 128] [--flash-attention 1] [--json FILE]

With --layers-on-gpu 0, everything is computed on the processor, for comparison. With --flash-attention 0, llama.cpp
uses its other attention. If oneDNN has no engine for the device, that attention reads a permuted tensor by wrong
strides, on any device (seen in cyllama-sycl 0.7.0).
"""
import argparse
import json
import time

import numpy as np
from cyllama.llama import llama_cpp as llama


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("model")
    options.add_argument("--layers-on-gpu", type=int, default=99)
    options.add_argument("--prompt", type=int, default=512)
    options.add_argument("--new", type=int, default=128)
    options.add_argument("--flash-attention", type=int, default=1, choices=[0, 1])
    options.add_argument("--json")
    args = options.parse_args()
    llama.llama_backend_init()
    llama.ggml_backend_load_all()
    parameters = llama.LlamaModelParams()
    parameters.n_gpu_layers = args.layers_on_gpu
    model = llama.LlamaModel(args.model, parameters)
    context_parameters = llama.LlamaContextParams()
    context_parameters.n_ctx = args.prompt + args.new + 64
    context_parameters.n_batch = max(args.prompt, 32)
    context_parameters.flash_attn_type = args.flash_attention
    if args.layers_on_gpu == 0:
        context_parameters.op_offload = False
        context_parameters.offload_kqv = False
    context = llama.LlamaContext(model, context_parameters)
    tokens = int(model.meta_val_str("llama.vocab_size"))
    prompt = np.random.default_rng(2).integers(0, tokens, args.prompt).tolist()

    def evaluate(ids, start):
        batch = llama.LlamaBatch(n_tokens=max(len(ids), 1), embd=0, n_seq_max=1)
        for index, token in enumerate(ids):
            batch.add(token, start + index, [0], index == len(ids) - 1)
        # Only llama.cpp is timed: cyllama turns logits into a list of Python's numbers, which takes 1.5 ms.
        begin = time.perf_counter()
        context.decode(batch)
        context.synchronize()
        seconds = time.perf_counter() - begin
        return np.asarray(context.get_logits_ith(-1), dtype=np.float32), seconds

    evaluate(prompt, 0)  # builds kernels
    context.kv_cache_clear()
    logits, prompt_seconds = evaluate(prompt, 0)
    first = logits.copy()
    out, gaps, new_seconds = [], [], 0
    for index in range(args.new):
        token = int(np.argmax(logits))
        top = np.partition(logits, -2)[-2:]
        gaps.append(float(top[1] - top[0]))
        out.append(token)
        logits, seconds = evaluate([token], args.prompt + index)
        new_seconds += seconds
    result = {
        "prompt tokens per second": args.prompt / prompt_seconds,
        "new tokens per second": args.new / new_seconds,
        "tokens": out,
        "first logits": [float(x) for x in first[:8]],
        "smallest gap": min(gaps),
        "spread": float(first.std()),
    }
    print(json.dumps(result))
    if args.json:
        with open(args.json, "w") as file:
            json.dump(result, file)


main()
