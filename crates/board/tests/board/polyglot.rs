//! Polyglot books: keys against another library, real books, and damaged ones.

use board::polyglot::{self, Book, BookError, ENTRY_BYTES, Entry};
use board::{CastlingStyle, Position};
use shakmaty::fen::Fen;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};
use std::fs::{self, File};
use std::io::Cursor;

fn path(name: &str) -> String {
    format!("{}/../../testdata/polyglot/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn book(name: &str) -> Book<File> {
    let file = File::open(path(name)).expect("the book is there");
    Book::open(file).expect("it is a book")
}

/// The moves of a position in coordinates, with their weights.
fn moves(book: &mut Book<File>, position: &Position) -> Vec<(String, u16)> {
    let moves = book.moves(position).expect("the file is readable");
    moves.iter().map(|one| (one.mv.uci(CastlingStyle::Standard), one.weight)).collect()
}

fn after(line: &str) -> Position {
    let mut position = Position::startpos();
    for text in line.split_whitespace() {
        position.play(position.parse_san(text.as_bytes()).expect("the line is legal"));
    }
    position
}

#[test]
fn keys_are_those_of_another_library_in_random_games() {
    let mut state = 20_260_u64;
    for _ in 0..60 {
        let mut position = Position::startpos();
        for _ in 0..80 {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            position.play(legal[(state % legal.len() as u64) as usize]);
            let fen: Fen = position.fen().parse().expect("our FEN is readable");
            let other: Chess = fen.into_position(CastlingMode::Standard).expect("it is legal");
            let expected: Zobrist64 = other.zobrist_hash(EnPassantMode::Legal);
            assert_eq!(polyglot::key(&position), expected.0, "{}", position.fen());
        }
    }
}

#[test]
fn a_trap_is_walked_through_to_the_underpromotion() {
    let mut book = book("lasker-trap.bin");
    let line = "d4 d5 c4 e5 dxe5 d4 e3 Bb4+ Bd2 dxe3 Bxb4 exf2+ Ke2 fxg1=N+";
    let mut position = Position::startpos();
    for (ply, text) in line.split_whitespace().enumerate() {
        let mv = position.parse_san(text.as_bytes()).expect("the line is legal");
        // The book is for Black alone.
        let expected = match ply % 2 {
            0 => vec![],
            _ => vec![(mv.uci(CastlingStyle::Standard), 2)],
        };
        assert_eq!(moves(&mut book, &position), expected, "{text}");
        position.play(mv);
    }
}

#[test]
fn m19_a_transposed_order_of_moves_meets_the_same_entries() {
    let mut book = book("rodent_micro.bin");
    let one = moves(&mut book, &after("d4 Nf6 c4 e6 Nf3 d5"));
    let other = moves(&mut book, &after("Nf3 d5 d4 e6 c4 Nf6"));
    assert!(!one.is_empty());
    assert_eq!(one, other);
    let start = moves(&mut book, &Position::startpos());
    let names: Vec<&str> = start.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["d2d4", "e2e4", "c2c4", "g1f3"]);
}

#[test]
fn a_walk_through_a_real_book_meets_legal_moves_only() {
    let mut book = book("rodent_micro.bin");
    let (mut open, mut seen, mut met) = (vec![Position::startpos()], Vec::new(), 0);
    while let Some(position) = open.pop() {
        let key = polyglot::key(&position);
        if seen.contains(&key) {
            continue;
        }
        seen.push(key);
        let entries = book.entries_of(key).expect("readable");
        let moves = book.moves(&position).expect("readable");
        assert_eq!(entries.len(), moves.len(), "{}", position.fen());
        met += moves.len() as u64;
        open.extend(moves.iter().map(|one| position.make(one.mv)));
    }
    // The rest of it belongs to replies that the book itself does not play.
    assert!(met > book.len() / 3, "{met} of {}", book.len());
}

#[test]
fn castling_in_a_book_is_found() {
    let position = after("e4 e5 Nf3 Nc6 Bb5 Nf6");
    let castle = position.parse_uci("e1g1").expect("legal");
    let two_squares = Entry { bits: 0o0406, ..Entry::new(&position, castle, 5) };
    for entry in [Entry::new(&position, castle, 5), two_squares] {
        let mut book = Book::open(Cursor::new(entry.to_bytes())).expect("a book");
        let moves = book.moves(&position).expect("readable");
        assert_eq!((moves.len(), moves[0].mv), (1, castle));
    }
}

#[test]
fn damaged_books_are_refused_with_one_line() {
    let good = fs::read(path("rodent_micro.bin")).expect("the book is there");
    let open = |bytes: &[u8]| Book::open(Cursor::new(bytes.to_vec())).map(|_| ());
    assert!(open(&good).is_ok());
    assert!(matches!(open(&[]), Err(BookError::Empty)));
    for cut in [1, 15, 17, good.len() - 1] {
        let error = open(&good[..cut]).expect_err("it is cut off");
        assert!(matches!(error, BookError::Size(_)) && error.to_string().lines().count() == 1);
    }
    let mut swapped = good.clone();
    swapped.rotate_left(ENTRY_BYTES);
    let last = (good.len() / ENTRY_BYTES - 1) as u64;
    assert!(matches!(open(&swapped), Err(BookError::Unsorted(number)) if number == last));
    let text = open(&[b'x'; 40]).expect_err("no book").to_string();
    assert_eq!(text, "is no Polyglot book: 40 bytes are no number of whole entries of 16 bytes");
}

#[test]
fn a_large_book_out_of_order_is_seen_by_a_sample() {
    let entry = |key: u64| Entry { key, ..Entry::default() }.to_bytes();
    let count = (1 << 20) + 5;
    let mut bytes: Vec<u8> = (0..count).flat_map(entry).collect();
    assert!(Book::open(Cursor::new(&bytes)).is_ok());
    bytes.rotate_left(count as usize / 2 * ENTRY_BYTES);
    assert!(matches!(Book::open(Cursor::new(&bytes)), Err(BookError::Unsorted(_))));
}

#[test]
fn illegal_moves_are_left_out_and_repeated_ones_come_once() {
    let start = Position::startpos();
    let mv = start.parse_uci("e2e4").expect("legal");
    let good = Entry::new(&start, mv, 40_000);
    let bad = Entry { bits: 0o1234, ..good };
    let bytes = [bad, good, good, bad].map(Entry::to_bytes).concat();
    let mut book = Book::open(Cursor::new(bytes)).expect("a book");
    let moves = book.moves(&start).expect("readable");
    assert_eq!((moves.len(), moves[0].mv, moves[0].weight), (1, mv, u16::MAX));
    assert!(book.moves(&start.make(mv)).expect("readable").is_empty());
}

#[test]
fn any_bytes_are_a_book_or_an_error() {
    let mut state = 1_u64;
    let mut byte = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 56) as u8
    };
    for length in 0..400 {
        let bytes: Vec<u8> = (0..length).map(|_| byte()).collect();
        if let Ok(mut book) = Book::open(Cursor::new(bytes)) {
            let _ = book.moves(&Position::startpos());
        }
    }
}
