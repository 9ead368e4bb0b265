#!/bin/bash
#SBATCH --job-name={{.Name}}
#SBATCH --array=1-{{.Tasks}}{{with .AtOnce}}%{{.}}{{end}}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={{.Threads}}
#SBATCH --mem={{.MiB}}M
#SBATCH --time={{.Minutes}}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=log/pass-%a.log

cd "${SLURM_SUBMIT_DIR:-.}" || exit 1
grep -qs '"final":true' tiles/pass-*.json && exit 0 # nothing is left to do
echo "pass $PASS, task $SLURM_ARRAY_TASK_ID of {{.Tasks}} on $(hostname), $(date -u)"
exec "${LAB:-lab}" cluster pass {{shell .Board}} --work tiles --tasks {{.Tasks}} --pass "$PASS" \
  --part auto/{{.Tasks}} --threads {{.Threads}}{{if .Mem}} --mem {{.JobMiB}}MiB{{end}} --progress off
