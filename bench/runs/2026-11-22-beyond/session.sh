export PATH=$PWD/bin:$REPOSITORY/.ci/cluster:/usr/bin:/bin GOMAXPROCS=1
say() { printf '$ %s\n' "$*"; "$@"; }
say solve cluster slurm count --tasks 4 --mem 512MiB --time 5m -- perft halma-star37-2p --rules house --depth 5
say sh count/submit.sh
say cat count/answer
say solve cluster slurm board --tasks 4 --mem 512MiB --time 10m -- strong halma-4x4p4 --rules sturtevant
say sh board/submit.sh
say cat board/log/finish.log
say cat board/answer
say solve verify board/table
say solve cluster slurm rows --tasks 3 --mem 512MiB --time 5m -- atlas rows.csv halma-3x3p2 halma-4x4p2 --max-positions 1e5 --distances
say sh rows/submit.sh
say cat rows/answer
say rm rows/parts/*.2-of-3.part
cd rows; say sbatch merge.sh; say tail -n 1 log/merge.log; say sbatch --array=2 array.sh; say sbatch merge.sh; say head -n 3 answer; cd ..
say solve cluster slurm proofs --tasks 3 --mem 512MiB --time 5m -- repro mnk --cells 12
say sh proofs/submit.sh
say head -n 6 proofs/answer
