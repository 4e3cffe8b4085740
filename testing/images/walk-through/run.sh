#!/bin/sh
# The walk-through of docs/guide/walk-through.md: an OpenCL C file becomes device images, and those a C++ program that runs them.
#
# usage: run.sh FOLDER     what is made goes to FOLDER
#
# PI, PLUGIN and RUNTIME name the pi tool, a plugin and libpi_runtime.so, CLANG and LLVM_SPIRV the compilers; by default
# those of target/release, and Debian's clang-15 and llvm-spirv-15. OpenCL must have a device: for Intel's CPU runtime put
# "cargo xtask env --driver intel-current --" in front.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
: "${PI:=$root/target/release/pi}" "${PLUGIN:=$root/target/release/libpi_opencl.so}"
: "${RUNTIME:=$root/target/release/libpi_runtime.so}"
: "${CLANG:=clang-15}" "${LLVM_SPIRV:=llvm-spirv-15}" "${CXX:=c++}"
mkdir -p "${1:?usage: run.sh FOLDER}"
cd "$1"

step() { printf '\n$ %s\n' "$*"; "$@"; }

# 1. OpenCL C to LLVM's bitcode, bitcode to SPIR-V.
step "$CLANG" -c -emit-llvm -target spir64-unknown-unknown -cl-std=CL2.0 -Xclang -finclude-default-header \
    -Xclang -no-opaque-pointers -O2 -o kernels.bc "$here/kernels.cl"
step "$LLVM_SPIRV" --spirv-max-version=1.2 -o kernels.spv kernels.bc

# 2. What is in it, and who calls whom.
step "$PI" image show kernels.spv

# 3. One device image for each set of requirements, with properties, and a table of them.
step "$PI" image split kernels.spv -o images.table

# 4. Those that the target can run: here a processor without half, which devices.yaml describes.
step "$PI" image filter -target=my_cpu -device-config-file="$here/devices.yaml" images.table -o my_cpu.table

# 5. An object that registers them, linked into a program.
step "$PI" image wrap my_cpu.table -o images.o
runtime=$(dirname "$RUNTIME")
step "$CXX" -std=c++17 -I "$root/include/pi" "$here/main.cpp" images.o -L "$runtime" -lpi_runtime "-Wl,-rpath,$runtime" -o program

# 6. The program on a device.
step ./program "$PLUGIN"
