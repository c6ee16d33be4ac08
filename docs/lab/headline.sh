#!/bin/sh
# The papers' headline figures with the tables that are paid for, memory as in the papers; the shortest first.
#   docs/lab/headline.sh ROOKERY FOLDER [THREADS]
# The folder gets the rows, and keeps every search: a run that was cut off goes on where it was.
# Seconds are estimates for 16 idle cores.
set -eu
rookery=$1
out=$2
threads=${3:-16}
mkdir -p "$out"
sim() {
    name=$1
    shift
    echo "== $name" >&2
    "$rookery" sim "$@" --threads "$threads" --keep "$out/keep" | tee "$out/$name.txt"
}

# Felten and Otto at tournament speed (180 s on 256 processors), and the paper's teams: 30 s each.
teams="--strategy teams --profile hypercube --machine ncube --table blocking --memory scaled --hash 1"
printed="--teams-elastic off --teams-watch on --teams-wait-more off"
sim tournament $teams --figure6 180 --processors 256,512
sim tournament-512 $teams --figure6 303 --processors 512
sim tournament-printed $teams $printed --figure6 180 --processors 256

# Zugzwang's Figure 4, ours and as printed: 70 s each to 64 processors, 60 s for each seed above.
ours="--ybw ours --table asynchronous --memory scaled --hash 2"
printed="--ybw paper --memory scaled --hash 2"
for rules in ours printed; do
    eval "choices=\$$rules"
    sim "figure4-$rules" $choices --processors 8,16,32,64 --depth 7,8,8,8 --every 4 --seeds 3
    sim "figure4-$rules-large" $choices --processors 128,256 --depth 9 --every 8 --seeds 3
done

# DarkSight's Table 5.1, cured and by the thesis's rules: 60 s for each number of processors and seed.
tds="--strategy tds --machine das2 --profile darksight --depth 10 --memory scaled --hash 64"
homes="--table asynchronous --write-from 1 --batch 16 --cache 1024"
sim table51-cured $tds $homes --processors 32 --seeds 3
sim table51-thesis $tds --tds paper --table local --processors 32 --grain 2,3,4
sim table51-cured-small $tds $homes --processors 2,4,8,16
sim table51-thesis-small $tds --tds paper --table local --processors 2,4,8,16 --grain 2,3,4

# Zugzwang's second machine, and the two grids of Figure 4.
sim figure5 --figure5 --machine m604 --profile zugzwang --table asynchronous --every 3
sim figure4-grid $ours --processors 512,1024 --depth 9 --every 8
