#!/bin/sh
# Tests and times the CUDA plugin and adapter on this machine's GPU. Results go to $OUT (here: the folder "results").
# Needs NVIDIA's driver; the part spirv needs libnvvm as well, from a CUDA toolkit, a Python package, or where PI_NVVM says.
# Parts by name: ./run.sh tests spirv cost conformance adapter stock memcheck (all of them by default).
# Not by default, as it takes minutes: ulp (the largest error of every mathematical function; ULP_POINTS of each, a million by default).
# Nor builtins: every built-in function, conversion, atomic and group operation beside exact values; BUILTINS has options of it, --sample.
# With nvcc on the machine: kernels. With `bundle.py --dpctl --dpnp`: dpctl speed dpnp.
here=$(cd "$(dirname "$0")" && pwd)
out=${OUT:-$here/results}
parts=${*:-tests spirv cost conformance adapter stock memcheck}
mkdir -p "$out"
chmod +x "$here"/pi-c* "$here"/testing-cuda "$here"/pi-nvvm "$here"/ulp-reference "$here"/builtins "$here"/stock/*/copies 2>/dev/null
export PI_TEST_PLUGIN="$here/libpi_cuda.so" PI_TEST_IMAGES="$here/images"
{
    date -u '+date: %Y-%m-%d %H:%M UTC'
    nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2>/dev/null
    grep -m1 'model name' /proc/cpuinfo
    uname -r
} >"$out/machine.txt"
cat "$out/machine.txt"
status=0

tests() {
    timeout 300 "$here/testing-cuda" >"$out/tests.txt" 2>&1 || status=1
    cat "$out/tests.txt"
}

# A program that is not Python knows of no Python packages.
find_libnvvm() {
    packages=$(python3 -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])' 2>/dev/null)
    for folder in "$here/libnvvm" /usr/local/cuda "$packages/nvidia/cu13" "$packages/nvidia/cuda_nvcc"; do
        for library in "$folder"/nvvm/lib64/libnvvm.so* "$folder"/lib/libnvvm.so*; do
            if [ -e "$library" ]; then
                echo "$folder"
                return
            fi
        done
    done
}

# Modules more/*.spv in images/spirv are built and timed as well.
spirv() {
    nvvm=${PI_NVVM:-$(find_libnvvm)}
    echo "libnvvm: ${nvvm:-none}" >"$out/spirv.txt"
    if [ -n "$nvvm" ]; then
        PI_NVVM="$nvvm" PI_LOG=warn timeout 300 "$here/pi-cuda-spirv" >>"$out/spirv.txt" 2>&1 || status=1
    else
        status=1
    fi
    cat "$out/spirv.txt"
}

# Needs libnvvm as well.
ulp() {
    PI_NVVM="${PI_NVVM:-$(find_libnvvm)}" timeout 550 "$here/pi-cuda-ulp" "$here/ulp-reference" $ULP_POINTS >"$out/ulp.md" 2>"$out/ulp.txt" ||
        status=1
    cat "$out/ulp.md"
    tail -n 3 "$out/ulp.txt"
}

# Needs libnvvm as well.
builtins() {
    # shellcheck disable=SC2086
    PI_CUDA_AS=opencl PI_NVVM_COMPILER="$here/pi-nvvm" PI_NVVM="${PI_NVVM:-$(find_libnvvm)}" timeout 590 \
        "$here/builtins" --seconds 450 --plugin "$here/libpi_cuda.so" --json "$out/builtins.json" $BUILTINS >"$out/builtins.md" 2>"$out/builtins.txt" ||
        status=1
    sed -n '/^Wrong:/,$p' "$out/builtins.md"
    tail -n 1 "$out/builtins.md"
}

cost() {
    timeout 200 "$here/pi-cuda-cost" "$out/cost.json" >"$out/cost.txt" 2>&1 || status=1
    cat "$out/cost.txt"
}

conformance() {
    timeout 300 "$here/pi-conformance" "$here/libpi_cuda.so" --strict >"$out/conformance.txt" 2>&1 || status=1
    grep -A3 -E ' (failed|CRASHED): |^[0-9]+ passed|^all versions' "$out/conformance.txt" | tail -n 60
}

# The same for the adapter, before a launch has its arguments and after.
adapter() {
    for layout in 2025.3 2026.2; do
        timeout 200 "$here/pi-cuda-cost" --adapter "$here/libur_adapter_cuda.so" --layout "$layout" "$out/adapter-cost-$layout.json" \
            >"$out/adapter-cost-$layout.txt" 2>&1 || status=1
        cat "$out/adapter-cost-$layout.txt"
    done
    timeout 300 "$here/pi-conformance" "$here/libur_adapter_cuda.so" --layout 2025.3 --layout 2026.2 --strict \
        >"$out/adapter-conformance.txt" 2>&1 || status=1
    grep -A3 -E ' (failed|CRASHED): |^[0-9]+ passed|^all ' "$out/adapter-conformance.txt" | tail -n 60
}

# libsycl loads the plugin from its own folder.
stock() {
    for release in "$here"/stock/2*; do
        cp "$here/libpi_cuda.so" "$release/libpi_cuda.so"
        echo "stock $(basename "$release")"
        LD_LIBRARY_PATH="$release:$here/stock/common:$LD_LIBRARY_PATH" timeout 60 "$release/copies" || status=1
    done >"$out/stock.txt" 2>&1
    cat "$out/stock.txt"
}

# Errors that the tests ask for on purpose are no findings. Left out: the test that ends its context with a wild write, and
# the one without a driver, which the sanitizer's own library does not survive.
memcheck() {
    if command -v compute-sanitizer >/dev/null 2>&1; then
        timeout 300 compute-sanitizer --tool memcheck --report-api-errors no --error-exitcode 9 \
            "$here/testing-cuda" --skip a_lost_context --skip no_driver >"$out/memcheck.txt" 2>&1 || status=1
        tail -n 3 "$out/memcheck.txt"
    else
        echo "memcheck: no compute-sanitizer on this machine" | tee "$out/memcheck.txt"
    fi
}

# Stock packages of a folder: their loader opens our adapter only, which calls itself OpenCL so that libsycl hands it SPIR-V.
with_stock() {
    stock=$here/$1
    shift
    LD_LIBRARY_PATH="$stock/lib:$LD_LIBRARY_PATH" PYTHONPATH="$stock/site" PYTHONDONTWRITEBYTECODE=1 \
        UR_ADAPTERS_FORCE_LOAD="$here/libur_adapter_cuda.so" PI_CUDA_AS=opencl PI_NVVM_COMPILER="$here/pi-nvvm" \
        PI_NVVM="${PI_NVVM:-$(find_libnvvm)}" "$@"
}

# Array functions against NumPy, then dpctl's own suite.
dpctl() {
    with_stock dpctl timeout 200 python3 "$here/dpctl/check.py" >"$out/dpctl-check.txt" 2>&1 || status=1
    cat "$out/dpctl-check.txt"
    (cd "$here/dpctl/site" && with_stock dpctl timeout 550 python3 -m pytest -p no:cacheprovider dpctl/tests -q -rfE --tb=short \
        $(python3 -c 'import xdist' 2>/dev/null && printf -- "-n auto")) >"$out/dpctl-suite.txt" 2>&1
    grep -E '^(FAILED|ERROR)|passed' "$out/dpctl-suite.txt"
}

# The demo's picture and prices, then functions of dpnp against NumPy.
dpnp() {
    for program in "program.py $out/mandelbrot.png" dpnp_check.py; do
        # shellcheck disable=SC2086
        with_stock dpnp timeout 200 python3 "$here"/dpnp/$program || status=1
    done >"$out/dpnp.txt" 2>&1
    cat "$out/dpnp.txt"
}

# Kernels out of SPIR-V beside the same source compiled by nvcc.
kernels() {
    PATH="$PATH:/usr/local/cuda/bin" nvcc -x cu -arch=native -cubin "$here/images/speed.cl" -o "$out/speed.cubin" &&
        PI_NVVM_COMPILER="$here/pi-nvvm" PI_NVVM="${PI_NVVM:-$(find_libnvvm)}" timeout 100 \
            "$here/pi-cuda-kernels" "$here/images/speed.spv" "$out/speed.cubin" >"$out/kernels.txt" 2>&1 || status=1
    cat "$out/kernels.txt"
}

# dpctl beside CuPy.
speed() {
    with_stock dpctl timeout 400 python3 "$here/dpctl/speed.py" >"$out/speed.txt" 2>&1 || status=1
    cat "$out/speed.txt"
}

for part in $parts; do
    echo "== $part"
    $part
done
exit $status
