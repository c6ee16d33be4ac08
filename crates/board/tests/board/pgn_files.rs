//! The PGN reader on files from the wild.
//!
//! The counts were compared with python-chess and pgn-reader. Where they differ, on purpose: a brace
//! too many breaks a game here (hayes, game 3; python-chess passes over it), Antichess is refused
//! (both others read its moves), and python-chess counts five games in leading-whitespace.
//! pgn-reader does not know the null move of anastasian-lewis nor the coordinates of uci-moves.

use board::pgn::{Game, Games, PgnError, PgnWriter, replay};
use std::path::PathBuf;

fn bytes_of(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/pgn").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn read(name: &str) -> (Vec<Game>, Vec<PgnError>) {
    let (mut games, mut errors) = (Vec::new(), Vec::new());
    for game in Games::new(bytes_of(name).as_slice()) {
        match game {
            Ok(game) => games.push(game),
            Err(error) => errors.push(error),
        }
    }
    (games, errors)
}

/// File, whole games, broken games, moves of the whole games: main lines and all.
const FILES: [(&str, usize, usize, usize, usize); 16] = [
    ("hayes.pgn", 7, 2, 435, 435),
    ("ambiguous.pgn", 2, 2, 135, 135),
    ("chess960rwch.pgn", 20, 0, 1692, 1692),
    ("famous_games_25.pgn", 25, 0, 1048, 1048),
    ("chessops/headers-and-moves-on-the-same-line.pgn", 0, 3, 0, 0),
    ("chessops/leading-whitespace.pgn", 4, 0, 20, 20),
    ("chessops/pathological-headers.pgn", 1, 0, 0, 0),
    ("python-chess/anastasian-lewis.pgn", 1, 0, 84, 84),
    ("python-chess/chessbase-empty-line.pgn", 1, 0, 134, 134),
    ("python-chess/cutechess-fischerrandom.pgn", 4, 0, 396, 396),
    ("python-chess/kasparov-deep-blue-1997.pgn", 6, 0, 519, 519),
    ("python-chess/molinari-bordais-1979.pgn", 1, 0, 10, 10),
    ("python-chess/nepomniachtchi-liren-game1.pgn", 1, 0, 97, 97),
    ("python-chess/stockfish-learning.pgn", 1, 0, 154, 154),
    ("python-chess/uci-moves.pgn", 1, 0, 113, 113),
    ("python-chess/utf8-bom.pgn", 2, 0, 0, 0),
];

#[test]
fn files_from_the_wild_give_the_known_counts() {
    for (name, whole, broken, main, all) in FILES {
        let (games, errors) = read(name);
        let main_moves: usize = games.iter().map(|game| game.main_line().count()).sum();
        let all_moves: usize = games.iter().map(Game::move_count).sum();
        assert_eq!(
            (games.len(), errors.len(), main_moves, all_moves),
            (whole, broken, main, all),
            "{name}"
        );
        let tally = replay(bytes_of(name).as_slice());
        assert_eq!((tally.games + tally.broken) as usize, whole + broken, "{name}");
    }
}

#[test]
fn faults_are_reported_with_game_line_token_and_reason() {
    let (_, errors) = read("hayes.pgn");
    let messages: Vec<String> = errors.iter().map(PgnError::to_string).collect();
    assert_eq!(
        messages,
        [
            "PGN, game 1, line 14, \"Kg6\": no man can make this move",
            "PGN, game 3, line 44, \"}\": this sign has no meaning between moves",
        ]
    );
    let (_, errors) = read("ambiguous.pgn");
    assert_eq!((errors[1].game(), errors[1].line(), errors[1].token()), (2, 46, "Rd1"));
    assert!(errors[0].reason().starts_with("FEN, castling rights"), "{}", errors[0]);
}

#[test]
fn what_is_written_is_read_back_as_the_same_games() {
    for (name, whole, ..) in FILES {
        let (games, _) = read(name);
        let mut writer = PgnWriter::new(Vec::new());
        games.iter().for_each(|game| writer.write(game).unwrap());
        let text = writer.into_inner();
        let again: Vec<Game> = Games::new(text.as_slice()).map(Result::unwrap).collect();
        assert_eq!(again.len(), whole, "{name}");
        for (mut one, mut two) in games.into_iter().zip(again) {
            for (tag, value) in one.tags.iter().filter(|(tag, _)| !is_derived(tag)) {
                assert_eq!(two.tags.get(tag), Some(value), "{name}");
            }
            one.tags = Default::default();
            two.tags = Default::default();
            assert_eq!(one, two, "{name}");
        }
    }
}

/// Tags that the writer spells in its own way.
fn is_derived(tag: &str) -> bool {
    matches!(tag, "FEN" | "SetUp" | "Variant" | "Result")
}

#[test]
fn the_pathological_tags_are_read_as_they_are_meant() {
    let (games, _) = read("chessops/pathological-headers.pgn");
    let tags: Vec<(&str, &str)> = games[0].tags.iter().collect();
    assert_eq!(
        tags,
        [
            ("A", "b\""),
            ("B", "b\""),
            ("C", "A]]"),
            ("D", "A]]["),
            ("E", "\"A]][\""),
            ("F", "\"A]][\"\\"),
            ("G", "\"]"),
        ]
    );
}
