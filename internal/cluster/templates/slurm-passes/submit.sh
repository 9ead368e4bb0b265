#!/bin/sh
# {{.Line}}
# pass by pass, each an array of {{.Tasks}} tasks, then one task that checks the pass
# and submits the next one. Run it again after a failure: it goes on with the pass that
# is not finished.
set -eu
cd "$(dirname "$0")"
mkdir -p log tiles
pass=$(find tiles -name 'pass-*.json' | wc -l)
array=$(sbatch --parsable --export="ALL,PASS=$pass" pass.sh)
finish=$(sbatch --parsable --export="ALL,PASS=$pass" --dependency="afterany:${array%%;*}" finish.sh)
echo "pass $pass: array ${array%%;*}, then finish ${finish%%;*}; see log/"
