# Sourced by the scripts that build drop-ins: drop_in NAME FILE SOURCE WORDS... builds FILE, whose soname is NAME, of SOURCE. It
# needs NAME.vendor, which is next to it. WORDS go to the compiler, such as the libraries that come before the vendor's.
#
# $environment has include/sycl, $here is the folder of the sources, and $out is that of the result.
drop_in() {
    local name=$1 file=$2 source=$3
    shift 3
    # An empty library with the name of the vendor's file.
    gcc -shared -x c /dev/null -o "$out/vendor.so" -Wl,-soname,"$name.vendor"
    # Without the maps the file would name folders of this machine, because headers record the source locations of calls.
    g++ -std=c++17 "-ffile-prefix-map=$environment=libsycl" "-ffile-prefix-map=$here=rim" -O2 -fPIC -shared -w -fvisibility-inlines-hidden -ffunction-sections -I"$environment/include" -I"$environment/include/sycl" \
        "$source" -o "$out/$file" "$@" -Wl,-soname,"$name" -Wl,--no-as-needed "$out/vendor.so" \
        -Wl,--as-needed '-Wl,-rpath,$ORIGIN' -Wl,--disable-new-dtags -Wl,--allow-shlib-undefined -Wl,--gc-sections -Wl,-s
    rm "$out/vendor.so"
}
