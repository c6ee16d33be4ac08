//! PGN: random trees survive writing and reading; any bytes in any pieces are read without a panic.

use board::Position;
use board::pgn::{Game, Games, Limits, NodeId, Outcome, PgnWriter};
use proptest::prelude::*;
use std::io::Read;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// How one node is added to a tree: to which place, by which of its moves, with which notes.
#[derive(Clone, Debug)]
struct Step {
    place: prop::sample::Index,
    is_line: bool,
    mv: prop::sample::Index,
    nags: Vec<u8>,
    comments: Vec<String>,
    lead: Vec<String>,
}

fn comment() -> impl Strategy<Value = String> {
    let words = r#"[a-zé{}\[%;"\\() \t*$1.-]{1,100}|\[Event "x"\]|[a-z ]{60,200}"#;
    words.prop_filter("the reader drops empty comments", |text| !text.trim().is_empty())
}

fn step() -> impl Strategy<Value = Step> {
    let comments = || prop::collection::vec(comment(), 0..2);
    let nags = prop::collection::vec(any::<u8>(), 0..2);
    let is_line = prop::bool::weighted(0.8);
    (
        any::<prop::sample::Index>(),
        is_line,
        any::<prop::sample::Index>(),
        nags,
        comments(),
        comments(),
    )
        .prop_map(|(place, is_line, mv, nags, comments, lead)| Step {
            place,
            is_line,
            mv,
            nags,
            comments,
            lead,
        })
}

fn start() -> impl Strategy<Value = Position> {
    prop_oneof![
        2 => Just(Position::startpos()),
        2 => (0..960_u16).prop_map(Position::chess960),
        1 => prop::sample::select(vec![
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 17",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 4 60",
            "4k3/P7/8/8/8/8/8/1R3KR1 w GB - 0 65535",
        ])
        .prop_map(|fen| Position::from_fen(fen).unwrap()),
    ]
}

/// Comments as the reader gives them: no space at the ends.
fn trimmed(texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| text.trim_matches([' ', '\t']).to_owned()).collect()
}

fn build(start: Position, steps: Vec<Step>, value: String, result: Outcome) -> Game {
    let mut game = Game::new(start);
    let tags = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
    tags.iter().for_each(|tag| game.tags.set(tag, "?"));
    game.tags.set("Result", result.text());
    game.tags.set("Annotator", &value);
    game.result = result;
    let mut places = vec![NodeId::ROOT];
    for step in steps {
        let last = *places.last().unwrap();
        let place = if step.is_line { last } else { *step.place.get(&places) };
        let moves = game.position(place).legal_moves();
        if moves.is_empty() {
            continue;
        }
        let begins_variation = game.children(place).next().is_some();
        let id = game.add(place, *step.mv.get(&moves)).unwrap();
        let notes = game.notes_mut(id);
        notes.nags = step.nags;
        notes.comments = trimmed(&step.comments);
        if begins_variation {
            notes.lead = trimmed(&step.lead);
        }
        places.push(id);
    }
    game
}

fn without_start_tags(mut game: Game) -> Game {
    ["FEN", "SetUp", "Variant"].iter().for_each(|tag| game.tags.remove(tag));
    game
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn a_tree_is_read_back_as_it_was_written(
        start in start(),
        steps in prop::collection::vec(step(), 0..60),
        value in r#"[a-z"\\\]\[ é]{0,20}"#,
        result in prop::sample::select(vec![
            Outcome::White, Outcome::Black, Outcome::Draw, Outcome::Unknown,
        ]),
    ) {
        let game = build(start, steps, value, result);
        let mut writer = PgnWriter::new(Vec::new());
        writer.write(&game).unwrap();
        writer.write(&game).unwrap();
        let text = writer.into_inner();
        let read: Vec<Game> = Games::new(text.as_slice()).map(|game| game.unwrap()).collect();
        prop_assert_eq!(read.len(), 2, "{}", String::from_utf8_lossy(&text));
        for again in read {
            prop_assert_eq!(again.to_string(), game.to_string());
            prop_assert!(without_start_tags(again) == game, "{}", game);
        }
    }
}

/// Gives its bytes in pieces of the given sizes, in turn.
struct Pieces<'a> {
    rest: &'a [u8],
    sizes: &'a [usize],
    turn: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let size = self.sizes[self.turn % self.sizes.len()].min(buffer.len());
        self.turn += 1;
        self.rest.read(&mut buffer[..size])
    }
}

const SEED: &str = "\u{FEFF}[Event \"F/S Return \\\"Match\\\"\"]\n[Site \"Z\u{FC}rich\"]\n[Result \"1/2-1/2\"]\n\n\
    1. e4 e5 2. Nf3 {a comment\nin two lines} Nc6 (2... d6 3. d4 (3. Bc4 $14) 3... exd4) 3. Bb5! a6\n\
    ; to the end of the line }\n% escaped\n4. Ba4?! Nf6 -- 5... Be7 6. 0-0 1/2-1/2\n\n\
    [Event \"b\"]\r\n[FEN \"4k3/P7/8/8/8/8/8/1R3KR1 w GB - 0 1\"]\r\n[Variant \"Chess960\"]\r\n\r\n\
    1. O-O Kd7 2. a8(Q) e.p. *\r\n\r\n1. d4 d5 1-0 {end} 1... e5\n[White \"c\"] e4 ({x} e5) 0-1 *";

const PIECES: [&str; 26] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "\"",
    "\\",
    "\n",
    "\r\n",
    "\n\n",
    ";",
    "%",
    "$",
    "$999",
    "1.",
    "1-0",
    "*",
    "--",
    "[Event \"",
    "…",
    "\u{FEFF}",
    "e.p.",
    "e8(",
    "\u{A0}",
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
];

/// Cuts out, repeats and inserts at random places.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let change = (any::<prop::sample::Index>(), 0..5_u8, any::<u8>(), 0..40_usize);
    prop::collection::vec(change, 0..12).prop_map(|changes| {
        let mut text = SEED.as_bytes().to_vec();
        for (place, what, byte, length) in changes {
            let at = place.index(text.len() + 1);
            let end = (at + length).min(text.len());
            match what {
                0 => drop(text.drain(at..end)),
                1 => text.insert(at, byte),
                2 => drop(text.splice(at..at, text[at..end].to_vec())),
                3 => text.truncate(text.len() - length.min(text.len())),
                _ => {
                    let piece = PIECES[byte as usize % PIECES.len()].bytes();
                    drop(text.splice(at..at, piece));
                }
            }
        }
        text
    })
}

/// All that a reader says about a text.
fn report(input: impl Read, limits: Limits) -> Vec<String> {
    let game = |game: Result<Game, _>| match game {
        Ok(game) => game.to_string(),
        Err(error) => format!("{error}"),
    };
    Games::with_limits(input, limits).map(game).collect()
}

proptest! {
    #![proptest_config(config(3_000))]

    #[test]
    fn any_text_is_read_the_same_way_in_any_pieces(
        text in prop_oneof![4 => mutated(), 1 => prop::collection::vec(any::<u8>(), 0..200)],
        sizes in prop::collection::vec(1..9_usize, 1..4),
        token in prop_oneof![Just(1 << 20), 20..60_usize],
    ) {
        let limits = Limits { token, ..Limits::default() };
        let whole = report(text.as_slice(), limits);
        prop_assert_eq!(&whole, &report(Pieces { rest: &text, sizes: &sizes, turn: 0 }, limits));
        prop_assert_eq!(&whole, &report(Pieces { rest: &text, sizes: &[1], turn: 0 }, limits));
        // What could be read can be written and read again.
        for game in Games::with_limits(text.as_slice(), limits).flatten() {
            let written = game.to_string();
            let again = Games::new(written.as_bytes()).next().unwrap();
            prop_assert_eq!(again.unwrap().to_string(), written);
        }
    }
}
