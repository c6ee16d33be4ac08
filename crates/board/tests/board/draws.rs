//! Repetitions and the ends of games (M30): against brute force, and known cases.

use board::random::SplitMix;
use board::{Color, Draw, History, Outcome, Position};
use std::collections::HashMap;

const SPARSE: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "4k3/1q6/8/8/8/8/6R1/4K3 w - - 0 1",
    "8/8/2kb4/8/8/2NK4/8/8 b - - 0 1",
    "r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1",
    "8/2k5/1p1p1p2/1P1P1P2/8/3K4/8/8 w - - 0 1",
];

/// Whether some legal move leads to a repetition, found by trying them all.
fn brute_force(position: &Position, history: &mut History, ply: usize) -> bool {
    let length = history.len();
    history.push(position.key());
    let found = position
        .legal_moves()
        .into_iter()
        .any(|mv| history.is_repetition(&position.make(mv), ply + 1));
    history.truncate(length);
    found
}

/// A move that goes back on the path more often than chance would, so that repetitions are frequent.
fn shuffling_move(position: &Position, seen: &HashMap<u64, u32>, random: &mut SplitMix) -> usize {
    let moves = position.legal_moves();
    for _ in 0..3 {
        let index = random.below(moves.len() as u64) as usize;
        if seen.contains_key(&position.make(moves[index]).key()) {
            return index;
        }
    }
    random.below(moves.len() as u64) as usize
}

#[test]
fn upcoming_repetitions_are_those_that_brute_force_finds() {
    let mut random = SplitMix(30);
    let (mut upcoming, mut asked) = (0, 0);
    for game in 0..120 {
        let mut position = Position::from_fen(SPARSE[game % SPARSE.len()]).unwrap();
        let (mut history, mut seen) = (History::new(), HashMap::new());
        for _ in 0..120 {
            if !position.has_legal_move() {
                break;
            }
            for ply in [0, 1, 3, 4, 5, 8, random.below(40) as usize, 1000] {
                let expected = brute_force(&position, &mut history, ply);
                let answer = history.has_upcoming_repetition(&position, ply);
                assert_eq!(answer, expected, "{position:?}, ply {ply}");
                upcoming += u32::from(answer);
                asked += 1;
            }
            *seen.entry(position.key()).or_insert(0) += 1;
            if random.below(15) == 0 && !position.in_check() {
                history.push_null(position.key());
                position = position.make_null();
                continue;
            }
            let index = shuffling_move(&position, &seen, &mut random);
            history.push(position.key());
            position.play(position.legal_moves()[index]);
        }
    }
    assert!(upcoming > 1000 && upcoming * 10 < asked * 9, "{upcoming} of {asked}");
}

#[test]
fn occurrences_are_those_of_the_whole_game() {
    let mut random = SplitMix(31);
    for game in 0..60 {
        let mut position = Position::from_fen(SPARSE[game % SPARSE.len()]).unwrap();
        let (mut history, mut seen) = (History::new(), HashMap::<u64, u32>::new());
        let mut texts = HashMap::<String, u32>::new();
        for _ in 0..200 {
            let before = texts.get(&position.epd()).copied().unwrap_or(0);
            assert_eq!(history.occurrences(&position), before as usize, "{position:?}");
            assert_eq!(history.is_repetition(&position, 0), before >= 2);
            if history.outcome(&position).is_some() {
                break;
            }
            *texts.entry(position.epd()).or_insert(0) += 1;
            *seen.entry(position.key()).or_insert(0) += 1;
            let index = shuffling_move(&position, &seen, &mut random);
            history.push(position.key());
            position.play(position.legal_moves()[index]);
        }
    }
}

#[test]
fn the_material_that_cannot_mate() {
    for (men, expected) in [
        ("k7/8/8/8/8/8/8/K7", true),
        ("k7/8/8/8/8/8/8/KN6", true),
        ("kb6/8/8/8/8/8/8/K7", true),
        ("k7/8/8/8/8/8/8/KNN5", false),
        ("kb6/8/8/8/8/8/8/KN6", false),
        ("kn6/8/8/8/8/8/8/KN6", false),
        ("k7/8/8/8/8/8/1B6/K1B5", true),
        ("k7/8/8/8/8/8/8/KBB5", false),
        ("k1b5/8/8/8/8/8/8/KB6", true),
        ("kb6/8/8/8/8/8/8/KB6", false),
        ("k7/8/8/8/8/8/P7/K7", false),
        ("k7/8/8/8/8/8/8/KR6", false),
    ] {
        let position = Position::from_fen(&format!("{men} w - - 0 1")).unwrap();
        assert_eq!(position.is_insufficient_material(), expected, "{men}");
    }
}

#[test]
fn games_end_by_themselves_or_by_claim() {
    let ask = |fen: &str| {
        let position = Position::from_fen(fen).unwrap();
        let history = History::new();
        (history.outcome(&position), history.claimable_draw(&position))
    };
    let mate = Some(Outcome::Checkmate(Color::White));
    assert_eq!(ask("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"), (mate, None));
    assert_eq!(ask("R5k1/5ppp/8/8/8/8/8/K7 b - - 150 100"), (mate, None));
    let draw = |draw| Some(Outcome::Draw(draw));
    assert_eq!(ask("k7/2Q5/8/8/8/8/8/K7 b - - 0 1"), (draw(Draw::Stalemate), None));
    assert_eq!(ask("k7/8/8/8/8/8/8/KN6 w - - 0 1"), (draw(Draw::InsufficientMaterial), None));
    assert_eq!(ask("k7/8/8/8/8/8/8/KR6 w - - 99 80"), (None, None));
    assert_eq!(ask("k7/8/8/8/8/8/8/KR6 w - - 100 80"), (None, Some(Draw::FiftyMoves)));
    let claim = Some(Draw::FiftyMoves);
    assert_eq!(ask("k7/8/8/8/8/8/8/KR6 w - - 150 99"), (draw(Draw::SeventyFiveMoves), claim));
}

#[test]
fn the_third_occurrence_can_be_claimed_and_the_fifth_ends_the_game() {
    let (mut position, mut history) = (Position::startpos(), History::new());
    for occurrence in 1..=5 {
        let claim = (occurrence >= 3).then_some(Draw::ThreefoldRepetition);
        assert_eq!(history.claimable_draw(&position), claim);
        let end = (occurrence >= 5).then_some(Outcome::Draw(Draw::FivefoldRepetition));
        assert_eq!(history.outcome(&position), end);
        for text in ["b1c3", "b8c6", "c3b1", "c6b8"] {
            history.push(position.key());
            position.play(position.parse_uci(text).unwrap());
        }
    }
    let text = Outcome::Draw(Draw::FivefoldRepetition).to_string();
    assert_eq!(text, "draw by fivefold repetition");
}
