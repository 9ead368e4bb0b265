#!/bin/bash
#SBATCH --job-name={{.Name}}-finish
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem={{.MiB}}M
#SBATCH --time={{.Minutes}}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=log/finish.log
# A tile that is missing or damaged is named in the log, and no pass follows.

cd "${SLURM_SUBMIT_DIR:-.}" || exit 1
{{.Solve}} {{.Words}} --tiles tiles --stripes {{.Tasks}} --pass "$PASS" --finish || exit
if grep -q '"final": *true' "tiles/pass-$PASS.json"; then
  sbatch table.sh
else
  sh submit.sh $((PASS + 1))
fi
