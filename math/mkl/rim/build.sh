#!/bin/bash
# build.sh ENVIRONMENT MAJOR MATH OUT: the drop-ins for one major version of oneMKL (5: 2025, 6: 2026).
#
# ENVIRONMENT has include/sycl and lib/libsycl.so.N of the oldest supported release. MATH is libpi_math.so.
set -euo pipefail
environment=$1 major=$2 math=$3 out=$4 here=$(cd "$(dirname "$0")" && pwd)
libsycl=$(ls "$environment"/lib/libsycl.so.? | head -1)
mkdir -p "$out"
for part in ${PARTS:-blas dft lapack}; do
    [ -e "$here/$part.cpp" ] || continue
    name=libmkl_sycl_$part.so.$major
    # An empty library with the name of the vendor's file, which lies next to the drop-in.
    gcc -shared -x c /dev/null -o "$out/vendor.so" -Wl,-soname,"$name.vendor"
    # Without the maps the file would name folders of this machine, because headers record the source locations of calls.
    g++ -std=c++17 "-ffile-prefix-map=$environment=libsycl" "-ffile-prefix-map=$here=rim" "-DONEMKL_MAJOR=$major" -O2 -fPIC -shared -w -fvisibility-inlines-hidden -ffunction-sections -I"$environment/include" -I"$environment/include/sycl" \
        "$here/$part.cpp" -o "$out/$name" "$math" "$libsycl" -ldl -Wl,-soname,"$name" -Wl,--no-as-needed "$out/vendor.so" \
        -Wl,--as-needed '-Wl,-rpath,$ORIGIN' -Wl,--disable-new-dtags -Wl,--allow-shlib-undefined -Wl,--gc-sections -Wl,-s
    rm "$out/vendor.so"
    # What dpnp, oneDAL and Open3D import from this library, without what the file defines and without what is left to the vendor on purpose
    # (the functions that create, set and read descriptors).
    missing=$(comm -23 <(sed -n "s/^$part //p" "$here/imports.$major" | sort) \
        <(nm -D --defined-only "$out/$name" | awk '{print $3}' | sort) | grep -vE '10descriptorI.*(EEC1E|9(set|get)_value)|^_ZTI' || true)
    if [ -n "$missing" ]; then
        echo "$name lacks what dpnp, oneDAL or Open3D imports:" "$missing" >&2
        exit 1
    fi
done
