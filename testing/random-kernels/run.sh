#!/bin/sh
# Compares kernels on this machine's GPU with what Intel's CPU runtime gave: the files named, or all results*.txt in this folder.
# With SEED, FROM and COUNT the runtime in this folder runs these kernels first (a processor with AVX2), and kernels that differ are made smaller.
# JOBS processes run kernels (here: one for each processor). What they say goes to $OUT (here: the folder "out") as well.
here=$(cd "$(dirname "$0")" && pwd)
out=${OUT:-$here/out}
mkdir -p "$out"
chmod +x "$here/random-kernels" "$here/pi-nvvm"
export PI_CUDA_AS=opencl PI_NVVM_COMPILER="$here/pi-nvvm"
if [ -z "$PI_NVVM" ]; then
    packages=$(python3 -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])' 2>/dev/null)
    for folder in "$here/libnvvm" /usr/local/cuda "$packages/nvidia/cu13" "$packages/nvidia/cuda_nvcc"; do
        if ls "$folder"/nvvm/lib64/libnvvm.so* "$folder"/lib/libnvvm.so* 2>/dev/null | grep -q .; then
            export PI_NVVM="$folder"
            break
        fi
    done
fi
echo "libnvvm: ${PI_NVVM:-none}"
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null
jobs=${JOBS:-$(nproc)}
if [ -n "$SEED" ]; then
    export OCL_ICD_FILENAMES="$here/intel/libintelocl.so" OCL_ICD_VENDORS="$here" CL_CONFIG_CPU_TARGET_ARCH=core-avx2
    export LD_LIBRARY_PATH="$here/intel:$LD_LIBRARY_PATH"
    cpu=$here/libpi_opencl.so
    file=$out/results-$SEED-${FROM:-0}.txt
    "$here/random-kernels" write --plugin "$cpu" --seed "$SEED" --from "${FROM:-0}" --count "${COUNT:-5000}" --jobs "$jobs" "$file" || exit 2
    set -- "$file"
fi
[ $# -gt 0 ] || set -- "$here"/results*.txt
status=0
for file; do
    [ -e "$file" ] || file=$here/$file
    said=$out/$(basename "$file" .txt).said
    "$here/random-kernels" check --plugin "$here/libpi_cuda.so" ${cpu:+--reference "$cpu"} --jobs "$jobs" "$file" >"$said" 2>&1 || status=1
    echo "== $(basename "$file")"
    tail -n 12 "$said"
done
exit $status
