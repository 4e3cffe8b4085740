#!/bin/sh
# Makes the .spv files from the .cl files here. Debian 12: clang-15, llvm-spirv-15, opencl-c-headers.
set -eu
cd "$(dirname "$0")"
for name in basic calls callee; do
    clang-15 -cl-std=CL1.2 -target spir64 -O1 -Xclang -no-opaque-pointers -Xclang -finclude-default-header -emit-llvm \
        -c "$name.cl" -o "$name.bc"
    llvm-spirv-15 --spirv-max-version=1.0 "$name.bc" -o "$name.spv"
    rm "$name.bc"
done
