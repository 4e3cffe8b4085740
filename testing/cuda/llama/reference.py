"""Computes the first logits of a model of model.py with NumPy in double precision, which decide which of two differing
devices is right.

  python3 reference.py MODEL PROMPT_TOKENS
"""
import sys

import gguf
import numpy as np


def main():
    reader, length = gguf.GGUFReader(sys.argv[1]), int(sys.argv[2])
    plain = ("F32", "F16")
    tensors = {
        tensor.name: np.asarray(
            tensor.data if tensor.tensor_type.name in plain else gguf.quants.dequantize(tensor.data, tensor.tensor_type)
        ).astype(np.float64)
        for tensor in reader.tensors
    }

    def number(key):
        field = reader.fields["llama." + key]
        return int(field.parts[field.data[0]][0])

    heads, groups = number("attention.head_count"), number("attention.head_count_kv")
    size = number("embedding_length") // heads
    angles = np.arange(length)[:, None] * 10000.0 ** (-np.arange(0, size, 2) / size)
    cosine, sine = np.cos(angles)[:, None], np.sin(angles)[:, None]

    def normalized(x, weight):
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * weight

    def rotated(x):
        turned, even, odd = x.copy(), x[..., 0::2], x[..., 1::2]
        turned[..., 0::2] = even * cosine - odd * sine
        turned[..., 1::2] = even * sine + odd * cosine
        return turned

    prompt = np.random.default_rng(2).integers(0, number("vocab_size"), length)
    x = tensors["token_embd.weight"][prompt]
    for layer in range(number("block_count")):
        weight = {name: tensors[f"blk.{layer}.{name}.weight"] for name in
                  ("attn_norm", "attn_q", "attn_k", "attn_v", "attn_output", "ffn_norm", "ffn_gate", "ffn_up", "ffn_down")}
        h = normalized(x, weight["attn_norm"])
        q = rotated((h @ weight["attn_q"].T).reshape(length, heads, size))
        k = np.repeat(rotated((h @ weight["attn_k"].T).reshape(length, groups, size)), heads // groups, 1)
        v = np.repeat((h @ weight["attn_v"].T).reshape(length, groups, size), heads // groups, 1)
        scores = np.einsum("ihd,jhd->hij", q, k) / np.sqrt(size) + np.triu(np.full((length, length), -1e30), 1)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        x = x + np.einsum("hij,jhd->ihd", scores, v).reshape(length, -1) @ weight["attn_output"].T
        h = normalized(x, weight["ffn_norm"])
        gate = h @ weight["ffn_gate"].T
        x = x + (gate / (1 + np.exp(-gate)) * (h @ weight["ffn_up"].T)) @ weight["ffn_down"].T
    print((tensors["output.weight"] @ normalized(x[-1], tensors["output_norm.weight"]))[:8].tolist())


main()
