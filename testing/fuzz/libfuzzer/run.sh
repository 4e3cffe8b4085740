#!/bin/sh
# Runs fuzz targets for this number of seconds each, one after the other, and prints what each one tried.
set -eu
cd "$(dirname "$0")"
seconds=${1:?usage: run.sh SECONDS [TARGET...]}
shift
[ $# -gt 0 ] || set -- $(ls seeds)
table=
for target in "$@"; do
    mkdir -p "corpus/$target"
    log=$(mktemp)
    cargo fuzz run --fuzz-dir . "$target" "corpus/$target" "seeds/$target" -- \
        -max_total_time="$seconds" -max_len=4096 -timeout=20 -rss_limit_mb=3000 -print_final_stats=1 >"$log" 2>&1 && end=ok || end=BROKEN
    units=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    cover=$(grep -ao 'cov: [0-9]*' "$log" | tail -1)
    [ "$end" = ok ] || tail -40 "$log"
    table="$table$target: ${units:-0} inputs, ${cover:-cov: 0}, $end
"
    rm -f "$log"
done
printf '%s' "$table"
