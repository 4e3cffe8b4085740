#!/bin/sh
# Tests and times the CUDA plugin on this machine's GPU. Results go to $OUT (here: the folder "results").
# Needs NVIDIA's driver only.
here=$(cd "$(dirname "$0")" && pwd)
out=${OUT:-$here/results}
mkdir -p "$out"
chmod +x "$here"/pi-c* 2>/dev/null
export PI_TEST_PLUGIN="$here/libpi_cuda.so" PI_TEST_IMAGES="$here/images"
{
    date -u '+date: %Y-%m-%d %H:%M UTC'
    nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv 2>/dev/null
} >"$out/machine.txt"
status=0
timeout 300 "$here/pi-cuda-tests" "$@" >"$out/tests.txt" 2>&1 || status=1
tail -n 40 "$out/tests.txt"
timeout 200 "$here/pi-cuda-cost" "$out/cost.json" >"$out/cost.txt" 2>&1 || status=1
cat "$out/cost.txt"
timeout 200 "$here/pi-conformance" "$here/libpi_cuda.so" --survey >"$out/conformance.txt" 2>&1 || status=1
tail -n 1 "$out/conformance.txt"
if command -v compute-sanitizer >/dev/null 2>&1; then
    timeout 300 compute-sanitizer --tool memcheck "$here/pi-cuda-tests" "$@" >"$out/memcheck.txt" 2>&1
    tail -n 3 "$out/memcheck.txt"
fi
cat "$out/machine.txt"
exit $status
