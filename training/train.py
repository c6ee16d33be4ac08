#!/usr/bin/env python3
"""Trains Rookery's network on files of samples and writes it in the engine's format.

The network: 768 inputs (own and enemy men by kind and square, mirrored so that the own king stands on
the files a to d) -> HIDDEN, for the side to move and for the other; squared clipped ReLU; one output,
chosen of 8 by the number of men. The formats are described in docs/reference/networks.md, the commands from nothing to
a network in training/README.md.

All samples lie on the device and are unpacked there, so nothing waits for a loader. On a GPU the first
layer is a product of one-hot rows with its weights, on a CPU a sum of the rows that are set.
"""

import argparse
import hashlib
import json
import math
import os
import struct
import sys
import time
import zlib

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

INPUTS, BUCKETS = 768, 8
# An output of 1 is 400 centipawns.
SCALE = 400
# Small weights leave a fine scale to the integers.
CLIP = 1.98
UNKNOWN = 3
# Inputs that a board can set: no pawns on the first and last rank, no own king on the files e to h.
CAN_BE_SET = [
    1.0 if (8 <= square < 56 if kind in (0, 6) else kind != 5 or square % 8 < 4) else 0.0
    for kind in range(12)
    for square in range(64)
]


def fail(text):
    sys.exit(f"train.py: {text}")


# The file of samples.


def read_samples(path):
    """The samples of a file as bytes [n, 32]; checked to the last byte."""
    try:
        with open(path, "rb") as file:
            header = file.read(32)
            if len(header) < 32 or header[:8] != b"ROOKSMPL":
                fail(f"{path} is no file of Rookery's samples")
            version, size, count, checksum = struct.unpack_from("<IIQI", header, 8)
            if (version, size) != (1, 32):
                fail(f"{path} has the format {version}; this program reads 1")
            if os.path.getsize(path) != 32 + 32 * count:
                fail(f"{path} is cut off or damaged: its size is not that of {count} samples")
            samples = np.fromfile(file, np.uint8, 32 * count)
    except OSError as error:
        fail(f"cannot read {path}: {error.strerror}")
    if len(samples) != 32 * count or zlib.crc32(samples) != checksum:
        fail(f"{path} is damaged: its checksum is wrong")
    return samples.reshape(-1, 32)


def unpack(samples, squares):
    """Bytes [n, 32] -> what stands on each square [n, 64]: -1 nothing, 0 to 5 own men, 6 to 11 enemies."""
    occupied = samples[:, :8].contiguous().view(torch.int64)
    bits = (occupied >> squares) & 1
    index = (bits.cumsum(1) - 1).clamp_(min=0)
    pair = torch.gather(samples[:, 8:24].to(torch.int64), 1, index >> 1)
    half = (pair >> (4 * (index & 1))) & 15
    men = (half & 7) + 6 * (half >> 3)
    return torch.where(bits.bool(), men, -1)


def both_views(men):
    """What both sides see [2n, 64], the side to move first: enemies exchanged, board turned, and mirrored
    where the own king stands on the right half."""
    other = men.view(-1, 8, 8).flip(1).reshape(-1, 64)
    other = torch.where(other < 0, other, torch.where(other < 6, other + 6, other - 6))
    both = torch.cat([men, other])
    king = (both == 5).to(torch.int8).argmax(1)
    mirrored = both.view(-1, 8, 8).flip(2).reshape(-1, 64)
    return torch.where(((king & 7) > 3)[:, None], mirrored, both)


def targets(samples, weight):
    """What the network should say: the score, and the game's outcome by its weight where it is known."""
    score = samples[:, 24:26].contiguous().view(torch.int16).squeeze(1).float()
    outcome = samples[:, 26]
    weight = torch.where(outcome == UNKNOWN, 0.0, weight)
    return weight * outcome.float() / 2 + (1 - weight) * torch.sigmoid(score / SCALE)


# The network.


class Net(nn.Module):
    def __init__(self, hidden, one_hot):
        super().__init__()
        self.hidden, self.one_hot = hidden, one_hot
        # About 32 inputs are set at once.
        bound = 1 / math.sqrt(32)
        # Rows that nothing teaches would stay random and only make the file larger.
        rows = torch.empty(INPUTS, hidden).uniform_(-bound, bound)
        self.weights = nn.Parameter(rows * torch.tensor(CAN_BE_SET)[:, None])
        self.biases = nn.Parameter(torch.zeros(hidden))
        bound = 1 / math.sqrt(2 * hidden)
        self.out_weights = nn.Parameter(torch.empty(BUCKETS, 2 * hidden).uniform_(-bound, bound))
        self.out_biases = nn.Parameter(torch.zeros(BUCKETS))
        self.register_buffer("squares", torch.arange(64)[None], persistent=False)
        self.register_buffer("planes", torch.arange(12)[None, :, None], persistent=False)

    def accumulators(self, views, dtype):
        if self.one_hot:
            inputs = (views[:, None, :] == self.planes).to(dtype).flatten(1)
            return (inputs @ self.weights.to(dtype)).float() + self.biases
        rows, columns = (views >= 0).nonzero(as_tuple=True)
        counts = (views >= 0).sum(1)
        offsets = counts.cumsum(0) - counts
        inputs = views[rows, columns] * 64 + columns
        return F.embedding_bag(inputs, self.weights, offsets, mode="sum") + self.biases

    def forward(self, samples, dtype=torch.float32):
        men = unpack(samples, self.squares)
        bucket = ((men >= 0).sum(1) - 2) // 4
        active = self.accumulators(both_views(men), dtype).clamp(0, 1).square()
        half = len(samples)
        hidden = torch.cat([active[:half], active[half:]], 1)
        return F.linear(hidden, self.out_weights, self.out_biases).gather(1, bucket[:, None]).squeeze(1)

    @torch.no_grad()
    def clip(self):
        self.weights.clamp_(-CLIP, CLIP)
        self.biases.clamp_(-CLIP, CLIP)
        self.out_weights.clamp_(-CLIP, CLIP)


# The file of the network.


def largest_sums(weights, biases):
    """The largest hidden value that any board gives each lane: a king of each side, and one of at most 30
    other men on a square."""
    by_kind = weights.reshape(12, 64, -1)
    kings = by_kind[5].max(0) + by_kind[11].max(0)
    best = np.delete(by_kind, [5, 11], 0).max(0).clip(0)
    return kings + np.sort(best, 0)[-30:].sum(0) + biases


class Integers:
    """The weights as the engine's integers, in the finest scales in which no sum can leave its bits."""

    def __init__(self, net):
        tensors = (net.weights, net.biases, net.out_weights, net.out_biases)
        weights, biases, out_weights, out_biases = (t.detach().double().cpu().numpy() for t in tensors)
        # Hidden values are sums of 16 bits; the engine refuses networks in which one could leave them.
        for self.bits in range(14, 6, -1):
            self.hidden_scale = (1 << self.bits) - 1
            self.weights = np.round(weights * self.hidden_scale).astype(np.int64)
            self.biases = np.round(biases * self.hidden_scale).astype(np.int64)
            both = largest_sums(self.weights, self.biases), largest_sums(-self.weights, -self.biases)
            if max(part.max() for part in both) <= 32767:
                break
        else:
            fail("the hidden weights are too large for sums of 16 bits")
        # Squares have 14 bits, sums of the output 32.
        self.lost_bits = 2 * self.bits - 14
        most = (2**31 - 1) // (self.hidden_scale**2 >> self.lost_bits)
        heaviest, largest = np.abs(out_weights).sum(1).max(), np.abs(out_weights).max()
        # Rounding adds at most a half to each weight.
        room = most - out_weights.shape[1] / 2
        self.output_scale = int(min(4096, room / max(heaviest, 1e-9), 32767 / max(largest, 1e-9)))
        if self.output_scale < 1:
            fail("the output weights are too large for sums of 32 bits")
        self.out_weights = np.round(out_weights * self.output_scale).astype(np.int64)
        self.out_biases = np.round(out_biases * self.hidden_scale * self.output_scale).astype(np.int64)


def export(net, path, description):
    integers = Integers(net)
    text = description.encode()
    scales = integers.hidden_scale, integers.output_scale, SCALE
    header = struct.pack("<8sIIIIIII", b"ROOKNNUE", 2, INPUTS, net.hidden, BUCKETS, *scales)
    content = header + struct.pack("<I", len(text)) + text
    content += b"".join(
        [
            integers.weights.astype("<i2").tobytes(),
            integers.biases.astype("<i2").tobytes(),
            integers.out_weights.astype("<i2").tobytes(),
            integers.out_biases.astype("<i4").tobytes(),
        ]
    )
    with open(path + ".part", "wb") as file:
        file.write(content + struct.pack("<I", zlib.crc32(content)))
    os.replace(path + ".part", path)


def integer_values(net, samples):
    """What the engine computes, in centipawns, from the integers."""
    integers = Integers(net)
    one = integers.hidden_scale
    samples = samples.cpu()
    men = unpack(samples, torch.arange(64)[None])
    views = both_views(men).numpy()
    buckets = (((men >= 0).sum(1) - 2) // 4).numpy()
    half, values = len(samples), []
    for row, bucket in enumerate(buckets):
        total = 0
        for side, view in enumerate((views[row], views[half + row])):
            squares = np.nonzero(view >= 0)[0]
            sums = integers.biases + integers.weights[view[squares] * 64 + squares].sum(0)
            active = np.clip(sums, 0, one) ** 2 >> integers.lost_bits
            part = integers.out_weights[bucket, side * net.hidden : (side + 1) * net.hidden]
            total += int((active * part).sum())
        value = ((total << integers.lost_bits) + int(integers.out_biases[bucket]) * one) * SCALE
        # Division towards zero, as in Rust.
        size = abs(value) // (one * one * integers.output_scale)
        values.append(size if value > 0 else -size)
    return np.array(values)


# Training.


class Data:
    """Files of samples on the device, each with how often an epoch goes through it."""

    def __init__(self, names, device):
        self.parts, self.weights, offset = [], [], 0
        self.files = []
        for name in names:
            path, _, weight = name.partition("@")
            samples = read_samples(path)
            if len(samples) == 0:
                fail(f"{path} holds no samples")
            self.parts.append((offset, len(samples)))
            self.weights.append(float(weight or 1))
            self.files.append({"file": os.path.basename(path), "samples": len(samples), "weight": self.weights[-1]})
            offset += len(samples)
            tensor = torch.from_numpy(samples).to(device)
            self.samples = tensor if offset == len(samples) else torch.cat([self.samples, tensor])
            print(f"{path}: {len(samples):,} samples, weight {self.weights[-1]}", flush=True)

    def epoch(self, device):
        """The numbers of an epoch's samples in random order."""
        chosen = []
        for (offset, count), weight in zip(self.parts, self.weights):
            whole, rest = divmod(round(weight * count), count)
            numbers = torch.arange(offset, offset + count, device=device)
            chosen += [numbers] * whole
            chosen.append(offset + torch.randperm(count, device=device)[:rest])
        chosen = torch.cat(chosen)
        return chosen[torch.randperm(len(chosen), device=device)]


@torch.no_grad()
def loss_on(net, samples, weight, dtype):
    total = 0.0
    for batch in samples.split(65536):
        total += (torch.sigmoid(net(batch, dtype)) - targets(batch, weight)).square().sum().item()
    return total / max(len(samples), 1)


def stage(name, net, data, held_out, options, epochs, rate, weight, minutes):
    """Trains by AdamW with a cosine from `rate` down to a hundredth of it; what came of it."""
    device, dtype = options.device, options.dtype
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.01, fused=device.type == "cuda")

    def step(batch, weight):
        optimiser.zero_grad(set_to_none=True)
        loss = (torch.sigmoid(net(batch, dtype)) - targets(batch, weight)).square().mean()
        loss.backward()
        return loss.detach()

    if options.compile:
        step = torch.compile(step)
    per_epoch = max(1, round(sum(count * w for (_, count), w in zip(data.parts, data.weights))) // options.batch)
    total, done, begun, told, recent = max(1, round(epochs * per_epoch)), 0, time.time(), time.time(), None
    order = None
    while done < total:
        passed = (time.time() - begun) / (60 * minutes) if minutes else 0.0
        share = max(done / total, passed)
        if share >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = rate * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * share)))
        place = done % per_epoch
        if place == 0:
            order = data.epoch(device)
        batch = data.samples[order[place * options.batch : (place + 1) * options.batch]]
        loss = step(batch, weight)
        optimiser.step()
        net.clip()
        done += 1
        if time.time() - told >= options.every or done == total:
            recent, told = loss.item(), time.time()
            speed = done * options.batch / (told - begun)
            left = (total - done) * (told - begun) / done
            if minutes:
                left = min(left, 60 * minutes - (told - begun))
            shown = "" if held_out is None else f", held out {loss_on(net, held_out, weight, dtype):.6f}"
            print(
                f"{name}: epoch {done / per_epoch:.2f} of {epochs:g}, rate {group['lr']:.1e}, loss {recent:.6f}{shown}, "
                f"{speed / 1e6:.2f} M samples/s, {left:.0f} s left",
                flush=True,
            )
    result = {"stage": name, "data": data.files, "epochs": done / per_epoch, "rate": rate, "outcome": weight}
    result |= {"batch": options.batch, "seconds": round(time.time() - begun, 1)}
    if held_out is not None:
        for key, w in (("held_out", weight), ("held_out_score", 0.0), ("held_out_outcome", 1.0)):
            result[key] = round(loss_on(net, held_out, w, torch.float32), 6)
    print(json.dumps(result), flush=True)
    return result


def finish(net, stages, options, weight):
    """Writes a network and its provenance, and holds the integers against the floats."""
    path = f"{options.out}-{net.hidden}-{weight:g}.net"
    samples = options.check[:1000]
    floats = net.float()(samples).detach().cpu().numpy() * SCALE
    errors = np.abs(floats - integer_values(net, samples))
    text = options.description or f"{net.hidden} hidden, outcome {weight:g}, seed {options.seed}"
    export(net, path, text)
    provenance = {"network": os.path.basename(path), "description": text, "hidden": net.hidden, "seed": options.seed}
    provenance |= {"commit": options.commit, "torch": torch.__version__, "stages": stages}
    provenance |= {"mean_error_cp": round(float(errors.mean()), 3), "largest_error_cp": round(float(errors.max()), 2)}
    with open(path, "rb") as file:
        provenance["sha256"] = hashlib.sha256(file.read()).hexdigest()
    with open(path[:-4] + ".json", "w") as file:
        json.dump(provenance, file, indent=1)
        file.write("\n")
    torch.save(net.state_dict(), path[:-4] + ".pt")
    print(
        f"{path}: integers differ from floats by {errors.mean():.2f} cp on average, {errors.max():.1f} at most",
        flush=True,
    )


def arguments(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--pretrain", nargs="+", default=[], metavar="FILE[@WEIGHT]", help="samples of the first stage (rookery data static)")
    add("--pretrain-epochs", type=float, default=10)
    add("--pretrain-minutes", type=float, default=0, help="end the first stage after this time, 0 for never")
    add("--data", nargs="+", default=[], metavar="FILE[@WEIGHT]", help="samples of the second stage (rookery data unpack); @0.5 takes half of a file in each epoch, @2 goes through it twice")
    add("--epochs", type=float, default=20)
    add("--minutes", type=float, default=0, help="end the second stage after this time, 0 for never")
    add("--held-out", metavar="FILE", help="samples of games that no stage sees, for the loss that counts")
    add("--hidden", type=int, nargs="+", default=[256], help="width; several train several networks")
    add("--outcome", type=float, nargs="+", default=[0.1], metavar="0..1", help="weight of the game's outcome in the second stage; several train several networks from the same first stage")
    add("--rate", type=float, default=1e-3, help="learning rate at the beginning of the second stage, of the first one where there is no second")
    add("--pretrain-rate", type=float, default=1e-3)
    add("--batch", type=int, default=16384)
    add("--seed", type=int, default=1)
    add("--init", metavar="FILE.pt", help="begin with these weights; without --pretrain and --data they are only written as a network again, with --held-out for the check")
    add("--out", default="net", metavar="PREFIX", help="networks are called PREFIX-HIDDEN-OUTCOME.net")
    add("--description", default="", help="one line that the engine shows")
    add("--commit", default="", help="the engine's commit that made the data, for the provenance")
    add("--every", type=float, default=5.0, metavar="SECONDS", help="between lines of progress")
    add("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    add("--dtype", choices=["bf16", "f32"], default=None, help="numbers of the first layer's product; bf16 on a GPU")
    add("--compile", action="store_true", help="compile the step: a minute at first, then up to twice as fast")
    options = parser.parse_args(words)
    options.device = torch.device(options.device)
    on_gpu = options.device.type == "cuda"
    options.dtype = {"bf16": torch.bfloat16, "f32": torch.float32}[options.dtype or ("bf16" if on_gpu else "f32")]
    if not options.pretrain and not options.data and not (options.init and options.held_out):
        parser.error("neither --pretrain nor --data names samples")
    if any(hidden % 32 or hidden < 32 for hidden in options.hidden):
        parser.error("--hidden must be a multiple of 32")
    return options


def main(words=None):
    options = arguments(words)
    device = options.device
    torch.backends.cuda.matmul.allow_tf32 = True
    held_out = None
    if options.held_out:
        held_out = torch.from_numpy(read_samples(options.held_out)).to(device)
    first = Data(options.pretrain, device) if options.pretrain else None
    second = Data(options.data, device) if options.data else None
    options.check = held_out if held_out is not None else (second or first).samples
    for hidden in options.hidden:
        torch.manual_seed(options.seed)
        net = Net(hidden, device.type == "cuda").to(device)
        if options.init:
            net.load_state_dict(torch.load(options.init, map_location=device))
        stages = []
        if first:
            name = f"pretrain {hidden}"
            stages.append(stage(name, net, first, held_out, options, options.pretrain_epochs, options.pretrain_rate, 0.0, options.pretrain_minutes))
        if not second:
            finish(net, stages, options, 0.0)
            continue
        pretrained = {name: tensor.clone() for name, tensor in net.state_dict().items()}
        for weight in options.outcome:
            net.load_state_dict(pretrained)
            torch.manual_seed(options.seed + 1)
            name = f"train {hidden} {weight:g}"
            result = stage(name, net, second, held_out, options, options.epochs, options.rate, weight, options.minutes)
            finish(net, stages + [result], options, weight)


if __name__ == "__main__":
    main()
