#!/bin/sh
# Makes the .spv files from the .cl files here, and the .ptx files from those in cuda/. Debian 12: clang-15, llvm-spirv-15,
# opencl-c-headers. The .c files in cuda/ are for the software driver, and are built by build.rs.
set -eu
cd "$(dirname "$0")"
for name in basic calls callee; do
    clang-15 -cl-std=CL1.2 -target spir64 -O1 -Xclang -no-opaque-pointers -Xclang -finclude-default-header -emit-llvm \
        -c "$name.cl" -o "$name.bc"
    llvm-spirv-15 --spirv-max-version=1.0 "$name.bc" -o "$name.spv"
    rm "$name.bc"
done
for source in cuda/basic.cl cuda/calls.cl cuda/globals.cl callee.cl; do
    clang-15 -target nvptx64-nvidia-cuda -x cl -cl-std=CL2.0 -O2 -S -Xclang -target-cpu -Xclang sm_50 \
        -Xclang -target-feature -Xclang +ptx63 "$source" -o "cuda/$(basename "$source" .cl).ptx"
done
