#!/usr/bin/env python3
"""Writes testdata/net: a network of random weights, and what the trainer's integers say of positions.

    python3 training/fixture.py SAMPLES.rks testdata/net
"""

import os
import sys

import torch

import train

PIECES = "PNBRQKpnbrqk"


def fen(men):
    """The board of a sample as a position of White's."""
    rows = []
    for rank in reversed(range(8)):
        row = "".join(PIECES[man] if man >= 0 else "1" for man in men[8 * rank : 8 * rank + 8])
        for count in range(8, 1, -1):
            row = row.replace("1" * count, str(count))
        rows.append(row)
    return "/".join(rows) + " w - - 0 1"


def main(samples, folder):
    torch.manual_seed(1)
    net = train.Net(32, one_hot=False)
    with torch.no_grad():
        net.weights.uniform_(-0.5, 0.5)
        net.biases.uniform_(-0.5, 0.5)
        net.out_weights.uniform_(-0.7, 0.7)
        net.out_biases.uniform_(-0.5, 0.5)
    chosen = torch.from_numpy(train.read_samples(samples)[:250])
    os.makedirs(folder, exist_ok=True)
    train.export(net, os.path.join(folder, "tiny.net"), "random weights for tests")
    men = train.unpack(chosen, torch.arange(64)[None]).tolist()
    with open(os.path.join(folder, "tiny.tsv"), "w") as file:
        for board, value in zip(men, train.integer_values(net, chosen)):
            file.write(f"{fen(board)}\t{value}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
