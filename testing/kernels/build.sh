#!/bin/sh
# Makes the .spv files, and the .ptx files in cuda/, from the .cl files. Debian 12: clang-15, llvm-spirv-15, opencl-c-headers,
# spirv-tools. The .c files in cuda/ are for the software driver; build scripts and tests compile them.
set -eu
cd "$(dirname "$0")"
for name in basic calls callee level-zero/kernels; do
    clang-15 -cl-std=CL1.2 -target spir64 -O1 -Xclang -no-opaque-pointers -Xclang -finclude-default-header -emit-llvm \
        -c "$name.cl" -o "$name.bc"
    llvm-spirv-15 --spirv-max-version=1.0 "$name.bc" -o "$name.spv"
    rm "$name.bc"
done
for name in software-level-zero/basic software-level-zero/needs software-level-zero/gives cuda/speed; do
    clang-15 -c -target spir64 -x cl -cl-std=CL2.0 -Xclang -finclude-default-header -emit-llvm -O1 "$name.cl" -o "$name.bc"
    llvm-spirv-15 --spirv-max-version=1.1 "$name.bc" -o "$name.spv"
    rm "$name.bc"
done
spirv-as --target-env spv1.1 software-level-zero/spec.spvasm -o software-level-zero/spec.spv
spirv-as --target-env spv1.1 group_of_8.spvasm -o group_of_8.spv
clang-15 -c -target spir64 -x cl -cl-std=CL2.0 -Xclang -finclude-default-header -emit-llvm -O1 subgroups.cl -o subgroups.bc
llvm-spirv-15 --spirv-max-version=1.1 --spirv-ext=+SPV_INTEL_subgroups subgroups.bc -o subgroups.spv
rm subgroups.bc
for source in cuda/basic.cl cuda/calls.cl cuda/globals.cl callee.cl; do
    clang-15 -target nvptx64-nvidia-cuda -x cl -cl-std=CL2.0 -O2 -S -Xclang -target-cpu -Xclang sm_50 \
        -Xclang -target-feature -Xclang +ptx63 "$source" -o "cuda/$(basename "$source" .cl).ptx"
done
