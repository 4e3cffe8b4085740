"""Creates a llama with random weights in the requested shape: a GGUF file that llama.cpp loads, without a vocabulary.

  python3 model.py FILE [--type F16|BF16|Q4_0] [--layers 16] [--width 2048] [--heads 32] [--groups 8] [--hidden 8192] [--tokens 32000]
"""
import argparse

import gguf
import numpy as np


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("file")
    options.add_argument("--type", default="F16", choices=["F32", "F16", "BF16", "Q4_0", "Q8_0"])
    for name, number in [("layers", 16), ("width", 2048), ("heads", 32), ("groups", 8), ("hidden", 8192), ("tokens", 32000)]:
        options.add_argument(f"--{name}", type=int, default=number)
    args = options.parse_args()
    head = args.width // args.heads
    kind = gguf.GGMLQuantizationType[args.type]
    random = np.random.default_rng(1)
    writer = gguf.GGUFWriter(args.file, "llama")
    writer.add_context_length(4096)
    writer.add_embedding_length(args.width)
    writer.add_block_count(args.layers)
    writer.add_feed_forward_length(args.hidden)
    writer.add_head_count(args.heads)
    writer.add_head_count_kv(args.groups)
    writer.add_rope_dimension_count(head)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(args.tokens)
    writer.add_tokenizer_model("no_vocab")
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16 if args.type == "F16" else gguf.LlamaFileType.MOSTLY_Q4_0)

    def matrix(name, rows, columns):
        values = random.standard_normal((rows, columns), dtype=np.float32) / np.float32(np.sqrt(columns))
        writer.add_tensor(name, gguf.quants.quantize(values, kind), raw_dtype=kind)

    def ones(name):
        writer.add_tensor(name, np.ones(args.width, np.float32))

    matrix("token_embd.weight", args.tokens, args.width)
    ones("output_norm.weight")
    matrix("output.weight", args.tokens, args.width)
    for layer in range(args.layers):
        name = f"blk.{layer}."
        ones(name + "attn_norm.weight")
        ones(name + "ffn_norm.weight")
        matrix(name + "attn_q.weight", args.width, args.width)
        matrix(name + "attn_k.weight", args.groups * head, args.width)
        matrix(name + "attn_v.weight", args.groups * head, args.width)
        matrix(name + "attn_output.weight", args.width, args.width)
        matrix(name + "ffn_gate.weight", args.hidden, args.width)
        matrix(name + "ffn_up.weight", args.hidden, args.width)
        matrix(name + "ffn_down.weight", args.width, args.hidden)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


main()
