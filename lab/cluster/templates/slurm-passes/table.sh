#!/bin/bash
#SBATCH --job-name={{.Name}}-table
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={{.Threads}}
#SBATCH --mem={{.MiB}}M
#SBATCH --time={{.Minutes}}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=log/table.log

cd "${SLURM_SUBMIT_DIR:-.}" || exit 1
if ! grep -qs '"final":true' tiles/pass-*.json; then
  echo "some passes are not finished: sh submit.sh N continues with them" >&2
  exit 1
fi
exec "${SOLVE:-solve}" {{shell .Command}} --work tiles --table table \
  --threads {{.Threads}}{{if .Mem}} --mem {{.JobMiB}}MiB{{end}} --progress off -o answer --force
