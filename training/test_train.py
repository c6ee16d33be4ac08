#!/usr/bin/env python3
"""Checks the trainer on the CPU: `python3 training/test_train.py`. It needs PyTorch and NumPy."""

import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

import numpy as np
import torch

import train


def sample(men, score=0, outcome=1):
    """Men as {square: (kind, enemy)}, as the side to move sees them."""
    occupied, halves = 0, [0] * 32
    for index, square in enumerate(sorted(men)):
        kind, enemy = men[square]
        occupied |= 1 << square
        halves[index] = kind + 8 * enemy
    pairs = bytes(halves[2 * i] | halves[2 * i + 1] << 4 for i in range(16))
    return struct.pack("<Q", occupied) + pairs + struct.pack("<hB5x", score, outcome)


def random_samples(count, seed=1):
    """Boards with a few men; the score is the material, so that there is something to learn."""
    rng = np.random.default_rng(seed)
    values, records = [100, 300, 320, 500, 900, 0], []
    for _ in range(count):
        squares = [int(s) for s in rng.choice(64, rng.integers(4, 20), replace=False)]
        men = {s: (int(rng.integers(0, 5)), int(rng.integers(0, 2))) for s in squares}
        men[squares[0]], men[squares[1]] = (5, 0), (5, 1)
        score = sum((1 - 2 * enemy) * values[kind] for kind, enemy in men.values())
        records.append(sample(men, max(-2000, min(2000, score)), int(rng.integers(0, 4))))
    return b"".join(records)


def write(path, records, damage=lambda content: content):
    count = len(records) // 32
    header = b"ROOKSMPL" + struct.pack("<IIQII", 1, 32, count, zlib.crc32(records), 0)
    with open(path, "wb") as file:
        file.write(damage(header + records))


def tensor(records):
    return torch.from_numpy(np.frombuffer(records, np.uint8).reshape(-1, 32).copy())


class Views(unittest.TestCase):
    def inputs(self, men):
        views = train.both_views(train.unpack(tensor(sample(men)), torch.arange(64)[None]))
        found = []
        for view in views.numpy():
            squares = np.nonzero(view >= 0)[0]
            found.append(sorted(int(view[s]) * 64 + int(s) for s in squares))
        return found

    def test_inputs_are_those_of_the_page(self):
        # Own king b1, own pawn c2, enemy king g8, enemy queen h5.
        own, other = self.inputs({1: (5, 0), 10: (0, 0), 62: (5, 1), 39: (4, 1)})
        self.assertEqual(own, sorted([5 * 64 + 1, 10, 384 + 5 * 64 + 62, 384 + 4 * 64 + 39]))
        # The other side turns the board (g8 becomes g1) and mirrors it (b1).
        self.assertEqual(other, sorted([5 * 64 + 1, 4 * 64 + 24, 384 + 5 * 64 + 62, 384 + 53]))

    def test_mirrored_boards_have_the_same_inputs(self):
        men = {3: (5, 0), 10: (0, 0), 62: (5, 1), 39: (4, 1)}
        mirrored = {square ^ 7: man for square, man in men.items()}
        self.assertEqual(self.inputs(men), self.inputs(mirrored))

    def test_both_ways_of_the_first_layer_agree(self):
        samples = tensor(random_samples(100))
        net = train.Net(32, one_hot=True)
        one_hot = net(samples)
        net.one_hot = False
        self.assertLess((one_hot - net(samples)).abs().max().item(), 1e-5)


class Targets(unittest.TestCase):
    def test_an_unknown_outcome_has_no_weight(self):
        men = {0: (5, 0), 63: (5, 1)}
        found = train.targets(tensor(sample(men, 400, 2) + sample(men, 400, 3) + sample(men, 0, 0)), 0.25)
        score = torch.sigmoid(torch.tensor(1.0))
        expected = torch.stack([0.25 + 0.75 * score, score, torch.tensor(0.375)])
        self.assertTrue(torch.allclose(found, expected))


class Integers(unittest.TestCase):
    def test_scales_are_as_fine_as_the_sums_allow(self):
        net = train.Net(32, one_hot=False)
        with torch.no_grad():
            for tensor in net.parameters():
                tensor.zero_()
            net.weights[:, 3] = 0.4
            net.out_weights[2] = 1.5
        integers = train.Integers(net)
        # 32 men bring a hidden value to 12.8: 2047 of it fit into 16 bits, 4095 do not.
        self.assertEqual(integers.hidden_scale, 2047)
        heaviest = np.abs(integers.out_weights).sum(1).max() * (2047**2 >> 8)
        self.assertTrue(2**30 < heaviest < 2**31, heaviest)
        with torch.no_grad():
            net.weights[:, 3] = -1.98
        self.assertEqual(train.Integers(net).hidden_scale, 511)

    def test_a_board_holds_one_man_on_a_square_and_one_king_a_side(self):
        weights = np.zeros((768, 1))
        weights[5 * 64 : 6 * 64] = 7
        # Both kings and one of the ten other men of square 20: whether kings share it is not asked.
        weights[[64 * kind + 20 for kind in range(12)]] = 100
        self.assertEqual(train.largest_sums(weights, np.array([-3.0])).tolist(), [297])


class Files(unittest.TestCase):
    def run_trainer(self, *words):
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "train.py")
        return subprocess.run([sys.executable, path, "--device", "cpu", *words], capture_output=True, text=True)

    def test_damaged_files_end_in_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bad.rks")
            damages = [
                lambda content: b"",
                lambda content: content[:-1],
                lambda content: content[:40] + b"\xff" + content[41:],
                lambda content: b"foreign!" + content[8:],
            ]
            for damage in damages:
                write(path, random_samples(5), damage)
                ended = self.run_trainer("--data", path)
                self.assertEqual(ended.returncode, 1)
                self.assertEqual(ended.stderr.count("\n"), 1, ended.stderr)
                self.assertTrue(ended.stderr.startswith("train.py: "), ended.stderr)

    def test_a_network_learns_and_its_file_is_the_network(self):
        with tempfile.TemporaryDirectory() as folder:
            data, held_out, out = (os.path.join(folder, name) for name in ("a.rks", "b.rks", "net"))
            write(data, random_samples(4000))
            write(held_out, random_samples(500, seed=2))
            words = ["--pretrain", data, "--data", data + "@0.5", "--held-out", held_out, "--pretrain-epochs", "6"]
            words += ["--epochs", "6", "--hidden", "32", "--batch", "128", "--rate", "0.005", "--out", out]
            ended = self.run_trainer(*words, "--pretrain-rate", "0.005", "--outcome", "0", "0.2")
            self.assertEqual(ended.returncode, 0, ended.stderr)
            with open(out + "-32-0.json") as file:
                provenance = json.load(file)
            stages = provenance["stages"]
            self.assertLess(stages[0]["held_out_score"], 0.05)
            self.assertLess(stages[1]["held_out_score"], stages[0]["held_out_score"])
            self.assertLess(provenance["mean_error_cp"], 2)
            with open(out + "-32-0.net", "rb") as file:
                content = file.read()
            self.assertEqual(struct.unpack("<I", content[-4:])[0], zlib.crc32(content[:-4]))
            length = struct.unpack_from("<I", content, 36)[0]
            self.assertEqual(len(content), 40 + length + 2 * (768 * 32 + 32 + 8 * 64) + 4 * 8 + 4)
            self.assertTrue(os.path.exists(out + "-32-0.2.net"))


if __name__ == "__main__":
    unittest.main()
