#!/bin/bash
#SBATCH --job-name={{.Name}}-finish
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={{.Threads}}
#SBATCH --mem={{.MiB}}M
#SBATCH --time={{.Minutes}}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=log/finish.log
# A tile that is missing or damaged is named in the log, and no pass follows. Passes that
# take no longer than starting an array are done here, one after the other.

cd "${SLURM_SUBMIT_DIR:-.}" || exit 1
grep -qs '"final":true' tiles/pass-*.json && [ -n "${CHAIN:-}" ] && exit 0
answer=$("${LAB:-lab}" cluster pass {{shell .Board}} --work tiles --tasks {{.Tasks}} --pass "$PASS" --finish --short 1s \
  --threads {{.Threads}}{{if .Mem}} --mem {{.JobMiB}}MiB{{end}} --progress off --json) || exit
echo "$answer"
[ -z "${CHAIN:-}" ] || exit 0
case $answer in
  *'"last":true'*) sbatch table.sh ;;
  *) sh submit.sh ;;
esac
