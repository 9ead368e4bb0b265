#!/bin/sh
# {{.Line}}
# pass by pass, each an array of {{.Tasks}} tasks, then one task that checks the pass.
#   sh submit.sh      that task submits the next pass
#   sh submit.sh N    N passes at once, which wait for each other, for clusters where
#                     jobs may not submit jobs; those after the last pass do nothing
# Run it again after a failure, or if N was too small: it continues with the first pass
# that is not finished.
set -eu
cd "$(dirname "$0")"
{{template "array" .}}
mkdir -p log tiles
pass=$(find tiles -name 'pass-*.json' | wc -l)
last=$((pass + ${1:-1} - 1))
after=
while [ "$pass" -le "$last" ]; do
  array=$(sbatch --parsable --export="ALL,PASS=$pass,CHAIN=${1:-}" $after pass.sh)
  finish=$(sbatch --parsable --export="ALL,PASS=$pass,CHAIN=${1:-}" --dependency="afterany:${array%%;*}" finish.sh)
  echo "pass $pass: array ${array%%;*}, then finish ${finish%%;*}; see log/"
  after="--dependency=afterok:${finish%%;*}"
  pass=$((pass + 1))
done
if [ -n "${1:-}" ]; then
  table=$(sbatch --parsable $after table.sh)
  echo "table ${table%%;*}"
fi
