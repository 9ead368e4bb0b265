#!/bin/sh
# {{.Line}}
# as an Indexed Job of {{.Tasks}} pods, then one pod that merges their files.
# Run it again after a failure: what is complete is not done again.
set -eu
cd "$(dirname "$0")"
{{template "run"}}
run array.yaml {{.Key}}
run merge.yaml {{.Key}}-merge
kubectl logs job/{{.Key}}-merge
