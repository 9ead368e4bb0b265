#!/bin/bash
#SBATCH --job-name={{.Name}}-merge
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem={{.MiB}}M
#SBATCH --time={{.Minutes}}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=log/merge.log
# Parts that are missing or damaged are named in the log, and nothing is written.

cd "${SLURM_SUBMIT_DIR:-.}" || exit 1
"${SOLVE:-solve}" merge parts/*.part -- {{shell .Answer}} --force
