"""Compares endgame tables with Gaviota's, and with the rules as python-chess knows them.

Gaviota: random positions of three men (or more, where there are tables), distance to mate in half-moves.
En passant: random positions with a right to capture en passant; the distance to mate must follow from
the positions after each move that python-chess finds.

    oracles.py PROGRAM TABLES --gaviota FOLDER --positions 100000 --seed 1
"""

import argparse
import pathlib
import random
import subprocess
import sys

import chess
import chess.gaviota

THREE_MEN = ["KQK", "KRK", "KBK", "KNK", "KPK"]


def sides(name):
    """The letters of both sides."""
    second = name.index("K", 1)
    return name[:second], name[second:]


def random_position(name, chance):
    """A legal position of an ending, or None."""
    board = chess.Board(None)
    squares = chance.sample(range(64), len(name))
    white, black = sides(name)
    if chance.random() < 0.5:
        white, black = black, white
    letters = white + black.lower()
    for letter, square in zip(letters, squares):
        if letter in "Pp" and chess.square_rank(square) in (0, 7):
            return None
        board.set_piece_at(square, chess.Piece.from_symbol(letter))
    board.turn = chance.random() < 0.5
    return board if board.is_valid() else None


def passing_position(chance):
    """A position of KPKP with a pawn that has just made a double step beside another."""
    turn = chance.random() < 0.5
    rank = 4 if turn else 3
    file = chance.randrange(8)
    beside = chance.choice([f for f in (file - 1, file + 1) if 0 <= f < 8])
    board = chess.Board(None)
    board.set_piece_at(chess.square(file, rank), chess.Piece(chess.PAWN, not turn))
    board.set_piece_at(chess.square(beside, rank), chess.Piece(chess.PAWN, turn))
    for color in chess.COLORS:
        square = chance.randrange(64)
        if board.piece_at(square):
            return None
        board.set_piece_at(square, chess.Piece(chess.KING, color))
    board.turn = turn
    board.ep_square = chess.square(file, rank + (1 if turn else -1))
    return board if board.is_valid() and board.has_legal_en_passant() else None


def drawn(count, make):
    """A number of positions; `make` may return None."""
    found = []
    while len(found) < count:
        board = make()
        if board is not None:
            found.append(board)
    return found


def values(program, tables, boards):
    """What our tables say: (sign, half-moves)."""
    lines = "".join(board.fen(en_passant="legal") + "\n" for board in boards)
    call = [program, "endgame", "probe", "-", "--dir", tables]
    done = subprocess.run(call, input=lines, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"oracles: {' '.join(call)}: {done.stderr.strip()}")
    answers = []
    for line in done.stdout.splitlines():
        word, _, plies = line.partition(" ")
        answers.append(({"win": 1, "draw": 0, "loss": -1}[word], int(plies or 0)))
    if len(answers) != len(boards):
        sys.exit(f"oracles: {len(answers)} answers to {len(boards)} questions")
    return answers


def gaviota(program, tables, folder, positions, chance):
    """How many positions differ from Gaviota's tables."""
    names = [name for name in THREE_MEN if (pathlib.Path(folder) / f"{name.lower()}.gtb.cp4").is_file()]
    if not names:
        print(f"gaviota: there are no tables in {folder}: left out")
        return 0
    boards = drawn(positions, lambda: random_position(chance.choice(names), chance))
    ours = values(program, tables, boards)
    wrong = 0
    with chess.gaviota.PythonTablebase() as tablebase:
        tablebase.add_directory(folder)
        for board, (sign, plies) in zip(boards, ours):
            expected = tablebase.probe_dtm(board)
            if board.is_checkmate():
                good = (sign, plies) == (-1, 0)
            else:
                good = sign * plies == expected and (sign == 0) == (expected == 0)
            if not good:
                wrong += 1
                if wrong <= 5:
                    print(f"gaviota: {board.fen()}: {sign * plies} instead of {expected}")
    print(f"gaviota: {len(boards)} positions of {' '.join(names)} compared, {wrong} wrong")
    return wrong


def best(children):
    """The value of a position from those of the positions after its moves."""
    wins = [plies + 1 for sign, plies in children if sign < 0]
    if wins:
        return (1, min(wins))
    if any(sign == 0 for sign, _ in children):
        return (0, 0)
    return (-1, max(plies + 1 for _, plies in children))


def en_passant_errors(program, tables, positions, chance):
    """How many positions with a right to capture en passant do not follow from what comes after them."""
    if not (pathlib.Path(tables) / "KPKP.dtm").is_file():
        print("en passant: the table KPKP.dtm is not there (build --men 4): left out")
        return 0
    boards = drawn(positions, lambda: passing_position(chance))
    ours = values(program, tables, boards)
    children, owners = [], []
    for number, board in enumerate(boards):
        for move in board.legal_moves:
            after = board.copy(stack=False)
            after.push(move)
            after.halfmove_clock = 0
            children.append(after)
            owners.append(number)
    known = [child for child in children if chess.popcount(child.occupied) > 2]
    answers = iter(values(program, tables, known))
    after = [[] for _ in boards]
    for child, owner in zip(children, owners):
        after[owner].append(next(answers) if chess.popcount(child.occupied) > 2 else (0, 0))
    wrong = 0
    for board, value, following in zip(boards, ours, after):
        if value != best(following):
            wrong += 1
            if wrong <= 5:
                print(f"en passant: {board.fen()}: {value} instead of {best(following)}")
    print(f"en passant: {len(boards)} positions of KPKP compared, {wrong} wrong")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("tables")
    parser.add_argument("--gaviota", required=True)
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    wrong = gaviota(arguments.program, arguments.tables, arguments.gaviota, arguments.positions, chance)
    wrong += en_passant_errors(arguments.program, arguments.tables, arguments.positions // 10, chance)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
