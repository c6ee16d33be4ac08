#!/bin/sh
# The headline tables with the tables that are paid for, beside the free one; the shortest first.
#   docs/lab/headline.sh ROOKERY FOLDER [THREADS]
# The folder gets the rows, and keeps every search: a run that was cut off goes on where it was.
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

# Zugzwang's second machine (Figure 5): PERF of the model beside the paper's.
sim figure5 --machine m604 --profile zugzwang --table asynchronous \
    --processors 1,4,8,16,32,40 --depth 10 --every 3

# Felten and Otto's hot spots: off, and begun anew after different times.
teams="--strategy teams --profile hypercube --machine ncube --hash 256"
paper="--teams-elastic off --teams-watch on --teams-wait-more off"
sim hot-off $teams $paper --figure6 18 --processors 256 --table blocking --teams-reorganise off
for hot in 30 100 300 1000; do
    sim "hot-$hot" $teams $paper --figure6 18 --processors 256 --table blocking --teams-hot-after $hot
done

# Figure 4 with the paid table, mean and spread.
sim figure4 --table shared,asynchronous --processors 8,16,32,64 --depth 7,7,8,8 --every 3 --seeds 3

# Figure 6: a curve for each time, both tables.
sim figure6 $teams --figure6 1,5,18 --processors 16,64,256 --table shared,blocking --seeds 2 \
    --plot "$out/figure6.svg"

# Tournament speed, three minutes a move on 256 processors.
sim tournament $teams --figure6 180 --processors 256,512 --table blocking

# The large rows of Figure 4.
sim figure4-large --table shared,asynchronous --processors 128,256 --depth 9 --every 12 --seeds 2

# Tournament speed with the free table, and the paper's teams.
sim tournament-shared $teams --figure6 180 --processors 256,512 --table shared
sim tournament-paper $teams $paper --figure6 180 --processors 256 --table blocking

# 1024 processors on a tree of 20 million nodes, the strategies that give work away.
for strategy in ybw tds teams; do
    "$rookery" sim --strategy $strategy --machine das2 --table asynchronous --processors 1024 --depth 9 \
        --every 24 --threads 1 --keep "$out/keep" > "$out/large-$strategy.txt" &
done
wait
cat "$out"/large-*.txt
