"""Rookery played by another program: python-chess as the interface, over UCI and over xboard.

`cargo xtask clients` runs this with the path of the program; `--quick` is what `cargo xtask test`
runs. Every check is a function; its name says what is checked. The first that fails ends the run with
a traceback and exit status 1.
"""

import argparse
import logging
import pathlib
import random
import sys
import time

import chess
import chess.engine
from chess.engine import Cp, Limit, Mate, MateGiven

MATE_IN_ONE = "7k/8/6K1/8/8/8/8/R7 w - - 0 1"
MATED_SOON = "7k/8/5K2/6R1/8/8/8/8 b - - 0 1"
# Long enough for anything on a busy machine: python-chess ends what takes longer.
TIMEOUT_S = 120
# The page whose settings are tried.
GUIDE = pathlib.Path(__file__).parents[2] / "docs" / "guide" / "lichess-bot.md"


class Client:
    """The program under both protocols."""

    def __init__(self, program):
        self.uci = chess.engine.SimpleEngine.popen_uci(program, timeout=TIMEOUT_S)
        self.xboard = chess.engine.SimpleEngine.popen_xboard([program, "xboard"], timeout=TIMEOUT_S)
        # Without the argument the first command tells which protocol is spoken.
        self.console = chess.engine.SimpleEngine.popen_xboard(program, timeout=TIMEOUT_S)

    def both(self):
        return self.uci, self.xboard

    def all(self):
        return self.uci, self.xboard, self.console

    def quit(self):
        for engine in self.all():
            engine.quit()
            code = engine.protocol.returncode.result()
            assert code == 0, f"it ended with {code}"

    def close(self):
        for engine in self.all():
            engine.close()


def opening(seed, chess960=False):
    """A position after a few random moves, the same in every run."""
    numbers = random.Random(seed)
    board = chess.Board.from_chess960_pos(numbers.randrange(960)) if chess960 else chess.Board()
    for _ in range(6):
        board.push(numbers.choice(list(board.legal_moves)))
    return board if not board.is_game_over() else opening(seed + 1000, chess960)


def play(board, white, black, limit, **options):
    """Plays a game to its end; python-chess refuses illegal moves."""
    game = object()
    while board.outcome(claim_draw=True) is None and board.ply() < 400:
        engine = white if board.turn == chess.WHITE else black
        result = engine.play(board, limit(board), game=game, **options)
        assert result.move is not None, f"no move in {board.fen()}"
        board.push(result.move)
    return board.result(claim_draw=True)


def the_two_protocols_play_each_other(client, arguments):
    """Games at a few hundred nodes a move, with colours changed."""
    games = 2 if arguments.quick else arguments.games
    for number in range(games):
        pair = client.both() if number % 2 == 0 else client.both()[::-1]
        board = opening(number // 2)
        result = play(board, *pair, lambda _: Limit(nodes=300))
        print(f"   {result} in {board.ply()} half-moves", flush=True)


def chess960_games_are_played(client, arguments):
    """Games from shuffled positions, until one side has castled at least once."""
    castled, games = 0, 2 if arguments.quick else arguments.games
    for number in range(games + 40):
        if number >= games and castled > 0:
            break
        board = opening(number, chess960=True)
        play(board, *client.both(), lambda _: Limit(nodes=200))
        while board.move_stack:
            move = board.pop()
            castled += board.is_castling(move)
    assert castled > 0, "neither side castled in any game"
    print(f"   {castled} castlings", flush=True)


def a_game_with_clocks_is_not_lost_on_time(client, arguments):
    """Each side has a second and a twentieth for each move, measured from here."""
    seconds = {chess.WHITE: 1.0, chess.BLACK: 1.0}
    increment = 0.05
    board, game = opening(5), object()
    clock_id = object()
    most = 24 if arguments.quick else 200
    while board.outcome(claim_draw=True) is None and len(board.move_stack) < most:
        engine = client.both()[0 if board.turn == chess.WHITE else 1]
        limit = Limit(
            white_clock=seconds[chess.WHITE],
            black_clock=seconds[chess.BLACK],
            white_inc=increment,
            black_inc=increment,
            clock_id=clock_id,
        )
        begun = time.monotonic()
        board.push(engine.play(board, limit, game=game).move)
        moved = not board.turn
        seconds[moved] += increment - (time.monotonic() - begun)
    # A busy machine may take time of its own: what is left is printed and no failure.
    left = ", ".join(f"{value:.2f} s" for value in seconds.values())
    print(f"   {len(board.move_stack)} moves, {left} left", flush=True)


def analysis_finds_mates_and_legal_lines(client, _):
    for engine in client.both():
        info = engine.analyse(chess.Board(MATE_IN_ONE), Limit(depth=5))
        assert info["score"].relative in (Mate(1), MateGiven), info
        assert info["pv"][0] == chess.Move.from_uci("a1a8"), info
        board = chess.Board(MATED_SOON)
        info = engine.analyse(board, Limit(depth=12))
        mate = info["score"].relative.mate()
        assert mate is not None and mate < 0, info
        info = engine.analyse(chess.Board(), Limit(depth=8))
        assert info["depth"] >= 8 and info["nodes"] > 0, info
        assert Cp(-200) < info["score"].relative < Cp(200), info
        assert len(info["pv"]) >= 1, info


def several_lines_and_chosen_moves_are_analysed(client, _):
    lines = client.uci.analyse(chess.Board(), Limit(depth=6), multipv=3)
    assert [info["multipv"] for info in lines] == [1, 2, 3]
    assert len({info["pv"][0] for info in lines}) == 3
    # More lines than there are moves.
    few = chess.Board("7k/8/8/8/8/8/6q1/7K w - - 0 1")
    assert len(client.uci.analyse(few, Limit(depth=4), multipv=9)) == 1
    chosen = [chess.Move.from_uci(text) for text in ("a2a3", "h2h4")]
    for engine in client.both():
        info = engine.analyse(chess.Board(), Limit(depth=6), root_moves=chosen)
        assert info["pv"][0] in chosen, info


def an_endless_analysis_ends_when_it_is_asked_to(client, _):
    for engine in client.both():
        with engine.analysis(chess.Board()) as analysis:
            for info in analysis:
                if info.get("depth", 0) >= 5:
                    break
            analysis.stop()
            best = analysis.wait()
            assert best.move in chess.Board().legal_moves
        engine.ping()


def options_are_taken(client, _):
    client.uci.configure({"Hash": 32, "Threads": 2, "Skill Level": 20, "Move Overhead": 20})
    client.uci.configure({"Clear Hash": None, "Profile": "darksight"})
    client.uci.configure({"Profile": "modern", "Hash": 16, "Threads": 1})
    xboard = client.xboard
    xboard.configure({"memory": 32, "cores": 2, "SkillLevel": 20, "MoveOverhead": 20})
    xboard.configure({"ClearHash": None, "LimitStrength": True, "Elo": 1200})
    xboard.configure({"LimitStrength": False, "Profile": "modern", "memory": 24, "cores": 1})
    for engine in client.both():
        engine.ping()
    for options, names in [
        (client.uci.options, ["Hash", "Threads", "MultiPV", "UCI_Elo"]),
        (xboard.options, ["memory", "cores", "MultiPV", "Elo", "SkillLevel"]),
    ]:
        assert all(name in options for name in names), list(options)


def pondering_is_gone_through(client, _):
    """The move that it expects is played, or another one, in turn."""
    for engine in client.both():
        board, game = chess.Board(), object()
        numbers = random.Random(3)
        for number in range(12):
            result = engine.play(board, Limit(time=0.02), game=game, ponder=True)
            board.push(result.move)
            # The side that plays at random may be mated, or mate.
            if board.is_game_over():
                break
            expected = result.ponder if number % 2 == 0 else None
            board.push(expected or numbers.choice(list(board.legal_moves)))
            if board.is_game_over():
                break
        engine.ping()


def draws_are_offered_and_games_ended(client, _):
    # The time of the check before is kept over xboard (`st`), and a busy machine ends no iteration in it.
    def to(depth):
        return Limit(depth=depth, time=300)

    lost = chess.Board("4k3/8/8/8/8/8/QQ6/4K3 b - - 0 1")
    game = object()
    first = client.xboard.play(lost, to(6), game=game)
    lost.push(first.move)
    lost.push(next(iter(lost.legal_moves)))
    if not lost.is_game_over():
        second = client.xboard.play(lost, to(6), game=game, draw_offered=True)
        assert second.draw_offered, "it would lose, and took no draw"
    mate = chess.Board(MATE_IN_ONE)
    for engine in client.both():
        assert engine.play(mate, to(4)).move == chess.Move.from_uci("a1a8")
        engine.send_game_result(mate)
        engine.ping()


def a_long_game_is_taken_in_one_go(client, _):
    board = chess.Board()
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"] * 125:
        board.push_uci(text)
    for engine in client.both():
        assert engine.play(board, Limit(depth=4), game=object()).move in board.legal_moves


def the_console_hears_which_protocol_is_spoken(client, _):
    result = client.console.play(chess.Board(), Limit(depth=4))
    assert result.move in chess.Board().legal_moves
    assert client.console.id["name"].startswith("Rookery "), client.console.id


def the_settings_of_the_lichess_bot_are_taken_and_played_with(client, arguments):
    """The options that the guide gives to lichess-bot, and a game as it plays: clocks, pondering, draws, lines."""
    options, inside = {}, False
    for line in GUIDE.read_text(encoding="utf-8").splitlines():
        if line.strip() == "uci_options:":
            inside = True
        elif inside and line.startswith("    "):
            name, value = (part.strip() for part in line.split("#")[0].split(":", 1))
            options[name] = value.strip('"')
        else:
            inside = False
    assert "Move Overhead" in options and "Threads" in options, options
    # python-chess switches this one itself, as lichess-bot has it do.
    for name in options:
        assert name in client.uci.options, f"{name} is no option"
    client.uci.configure({name: value for name, value in options.items() if not client.uci.options[name].is_managed()})
    board, game, most = chess.Board(), object(), 6 if arguments.quick else 40
    for number in range(most):
        limit = Limit(white_clock=60.0, black_clock=60.0, white_inc=1.0, black_inc=1.0, nodes=2000)
        result = client.uci.play(
            board, limit, game=game, info=chess.engine.INFO_ALL, ponder=False, draw_offered=number % 5 == 4
        )
        assert result.move in board.legal_moves and result.info.get("depth", 0) > 0, result
        board.push(result.move)
        if board.is_game_over(claim_draw=True):
            break
    client.uci.send_game_result(board)
    client.uci.configure({"Hash": 16, "Threads": 1})


CHECKS = [
    the_console_hears_which_protocol_is_spoken,
    analysis_finds_mates_and_legal_lines,
    several_lines_and_chosen_moves_are_analysed,
    an_endless_analysis_ends_when_it_is_asked_to,
    options_are_taken,
    pondering_is_gone_through,
    draws_are_offered_and_games_ended,
    a_long_game_is_taken_in_one_go,
    the_settings_of_the_lichess_bot_are_taken_and_played_with,
    the_two_protocols_play_each_other,
    chess960_games_are_played,
    a_game_with_clocks_is_not_lost_on_time,
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the program to play with")
    parser.add_argument("--quick", action="store_true", help="a few seconds instead of minutes")
    parser.add_argument("--games", type=int, default=20, help="games of each kind")
    arguments = parser.parse_args()
    # It remarks on what the protocol allows: sigterm=0, and the answer to its own `.`.
    logging.getLogger("chess.engine").setLevel(logging.ERROR)
    print(f"python-chess {chess.__version__} with {arguments.program}", flush=True)
    client = Client(arguments.program)
    try:
        for check in CHECKS:
            begun = time.monotonic()
            check(client, arguments)
            name = check.__name__.replace("_", " ")
            print(f"ok {name} ({time.monotonic() - begun:.1f} s)", flush=True)
        client.quit()
    finally:
        client.close()
    print(f"all {len(CHECKS)} checks passed", flush=True)


if __name__ == "__main__":
    if sys.version_info < (3, 8):
        sys.exit("clients: Python 3.8 or newer is needed")
    main()
