#!/bin/bash
# build.sh ENVIRONMENT MAJOR MATH OUT: the drop-ins for one major version of oneMKL (5: 2025, 6: 2026).
#
# ENVIRONMENT has include/sycl and lib/libsycl.so.N of the oldest supported release. MATH is libpi_math.so.
set -euo pipefail
environment=$1 major=$2 math=$3 out=$4 here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../drop_in.sh"
libsycl=$(ls "$environment"/lib/libsycl.so.? | head -1)
mkdir -p "$out"
for part in ${PARTS:-blas dft lapack sparse}; do
    [ -e "$here/$part.cpp" ] || continue
    name=libmkl_sycl_$part.so.$major
    drop_in "$name" "$name" "$here/$part.cpp" "-DONEMKL_MAJOR=$major" "$math" "$libsycl" -ldl
    # What dpnp, oneDAL and Open3D import from this library, without what the file defines and without what is left to the vendor on purpose
    # (the functions that create, set and read descriptors).
    missing=$(comm -23 <(sed -n "s/^$part //p" "$here/imports.$major" | sort) \
        <(nm -D --defined-only "$out/$name" | awk '{print $3}' | sort) | grep -vE '10descriptorI.*(EEC1E|9(set|get)_value)|^_ZTI' || true)
    if [ -n "$missing" ]; then
        echo "$name lacks what dpnp, oneDAL or Open3D imports:" "$missing" >&2
        exit 1
    fi
done
