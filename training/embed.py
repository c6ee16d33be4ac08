#!/usr/bin/env python3
"""Packs a network for the program: `python3 training/embed.py FILE.net` writes it into crates/eval/nets.

First all even bytes, then all odd ones: of weights of 16 bits the upper bytes are nearly all alike, and the
packer sees it. It needs the program `zstd`. The name of the packed file stands in crates/eval/src/nnue/embedded.rs.
"""

import os
import subprocess
import sys

if len(sys.argv) != 2 or not sys.argv[1].endswith(".net"):
    sys.exit(__doc__)
with open(sys.argv[1], "rb") as file:
    content = file.read()
if content[:8] != b"ROOKNNUE":
    sys.exit(f"embed.py: {sys.argv[1]} is no network of Rookery's")
folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "crates", "eval", "nets")
path = os.path.join(folder, os.path.basename(sys.argv[1]) + ".zst")
packing = ["zstd", "--ultra", "-22", "--quiet", "--force", "-o", path]
subprocess.run(packing, input=content[0::2] + content[1::2], check=True)
print(f"{os.path.basename(path)}: {os.path.getsize(path):,} bytes")
