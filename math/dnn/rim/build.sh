#!/bin/bash
# build.sh ENVIRONMENT MAJOR FOLDER OUT: the drop-in for oneDNN with one major version of libsycl.
#
# ENVIRONMENT has include/sycl and lib/libsycl.so.N of the oldest supported release. FOLDER has libpi_dnn.so and libpi_math.so.
set -euo pipefail
environment=$1 major=$2 folder=$3 out=$4 here=$(cd "$(dirname "$0")" && pwd)
name=libdnnl.so.3 file=libdnnl.so.3.sycl$2
mkdir -p "$out"
# An empty library with the name of the vendor's file, which lies next to the drop-in.
gcc -shared -x c /dev/null -o "$out/vendor.so" -Wl,-soname,"$name.vendor"
# libpi_dnn.so comes before the vendor's file, and so do its names. Without the maps the file would name folders of this machine.
g++ -std=c++17 "-ffile-prefix-map=$environment=libsycl" "-ffile-prefix-map=$here=rim" -O2 -fPIC -shared -w -fvisibility-inlines-hidden -ffunction-sections -I"$environment/include" -I"$environment/include/sycl" \
    "$here/dnnl.cpp" -o "$out/$file" "$environment/lib/libsycl.so.$major" -Wl,-soname,"$name" -Wl,--no-as-needed "$folder/libpi_dnn.so" "$folder/libpi_math.so" \
    "$out/vendor.so" -Wl,--as-needed '-Wl,-rpath,$ORIGIN' -Wl,--disable-new-dtags -Wl,--allow-shlib-undefined -Wl,--gc-sections -Wl,-s
rm "$out/vendor.so"
