#!/bin/sh
# {{.Line}}
# as an array of {{.Tasks}} tasks, then one task that merges their files.
# Run it again after a failure: what is complete is not done again.
set -eu
cd "$(dirname "$0")"
{{template "array" .}}
mkdir -p log parts
array=$(sbatch --parsable array.sh)
merge=$(sbatch --parsable --dependency="afterany:${array%%;*}" merge.sh)
echo "array ${array%%;*}, then merge ${merge%%;*}; see log/ and answer"
