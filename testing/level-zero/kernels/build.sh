#!/bin/sh
# Makes kernels.spv. Debian 12: clang-15, llvm-spirv-15, opencl-c-headers.
set -eu
cd "$(dirname "$0")"
clang-15 -cl-std=CL1.2 -target spir64 -O1 -Xclang -no-opaque-pointers -Xclang -finclude-default-header -emit-llvm \
    -c kernels.cl -o kernels.bc
llvm-spirv-15 --spirv-max-version=1.0 kernels.bc -o kernels.spv
rm kernels.bc
