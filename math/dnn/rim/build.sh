#!/bin/bash
# build.sh ENVIRONMENT MAJOR FOLDER OUT: the drop-in for oneDNN with one major version of libsycl.
#
# ENVIRONMENT has include/sycl and lib/libsycl.so.N of the oldest supported release. FOLDER has libpi_dnn.so and libpi_math.so.
set -euo pipefail
environment=$1 major=$2 folder=$3 out=$4 here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../drop_in.sh"
mkdir -p "$out"
# libpi_dnn.so comes before the vendor's file, and so do its names.
drop_in libdnnl.so.3 "libdnnl.so.3.sycl$major" "$here/dnnl.cpp" "$environment/lib/libsycl.so.$major" \
    -Wl,--no-as-needed "$folder/libpi_dnn.so" "$folder/libpi_math.so"
