#!/bin/sh
# The example of "Behavior for optional kernel features" (New features in clang compilation driver and tools): what a driver
# does for several targets, from one file table to one object for each target.
#
#   clang++ -fsycl -fsycl-targets=spir64,x86_64,ptx64,intel_gpu_12_0_0 ...
#
# usage: run.sh FOLDER     what is made goes to FOLDER
#
# PI names the pi tool, by default that of target/release. The ahead-of-time compilers of the targets are not part of this
# project: their input tables are what is made for them.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
images=$root/lib/image/tests/images
: "${PI:=$root/target/release/pi}"
mkdir -p "${1:?usage: run.sh FOLDER}"
cd "$1"

step() { printf '\n$ %s\n' "$*"; "$@"; }

# One module with all device code, as the driver has it after linking bitcode.
step "$PI" image link "$images/vadd_free.spv" "$images/feat_fp64.spv" "$images/feat_fp16.spv" "$images/feat_atomic64.spv" \
    "$images/feat_sg.0.spv" "$images/feat_sg.1.spv" -o linked.spv

# sycl-post-link: [Code|Properties|Symbols]
step "$PI" image split linked.spv -o post-link.table

# sycl-aspect-filter: a table for each target.
filter=$(dirname "$PI")/sycl-aspect-filter
for target in spir64 x86_64 ptx64 intel_gpu_12_0_0; do
    step "$filter" "-target=$target" post-link.table -o "$target.table"
done

# clang-offload-wrapper, for what is compiled when the program runs; the others go to their compilers first.
step "$PI" image wrap spir64.table -o spir64.o
