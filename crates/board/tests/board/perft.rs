//! The published counts, as far as they are cheap (D13). The full run is the command
//! `rookery perft --suite`; here nearly every position of every file is counted at least once.

use board::perft::suite::Suite;
use board::perft::{Counting, perft, perft_playing_all};

fn read(name: &str) -> Suite {
    let path = format!("{}/../../testdata/perft/{name}", env!("CARGO_MANIFEST_DIR"));
    Suite::parse(&std::fs::read(path).expect("the suite is in testdata"))
}

/// Reads a suite and counts every position at every depth whose count is at most `largest`.
/// Returns how many positions and counts were exact, and the errors of the file.
fn run(name: &str, largest: u64) -> (usize, usize, Vec<String>) {
    let suite = read(name);
    let (mut positions, mut counts) = (0, 0);
    for entry in &suite.entries {
        let before = counts;
        for expected in entry.counts.iter().filter(|expected| expected.nodes <= largest) {
            let found = perft(&entry.position, expected.depth);
            let place = format!("{name}, line {}: {}", expected.line, entry.fen);
            assert_eq!(found, expected.nodes, "{place}, depth {}", expected.depth);
            counts += 1;
        }
        positions += usize::from(counts > before);
    }
    (positions, counts, suite.errors.iter().map(ToString::to_string).collect())
}

#[test]
fn the_six_well_known_positions_are_exact() {
    assert_eq!(run("cpw6.epd", 5_000_000), (6, 26, vec![]));
}

#[test]
fn the_standard_suite_is_exact() {
    assert_eq!(run("perftsuite_terje.epd", 20_000), (127, 530, vec![]));
}

#[test]
fn all_960_positions_of_chess960_are_exact() {
    assert_eq!(run("fischer_ethereal.epd", 2_000), (960, 1924, vec![]));
}

#[test]
fn a_king_that_castles_on_the_spot_keeps_its_shield() {
    let fen = "4k3/8/8/8/8/8/8/qRK5 w B - 0 1";
    let position = board::Position::from_fen(fen).expect("a position");
    let moves = position.legal_moves();
    assert!(moves.iter().all(|mv| mv.kind() != board::MoveKind::Castling));
    // The positions of the Chess960 suite where the same comes up at depth 4.
    let suite = read("fischer_ethereal.epd");
    for line in [271, 377, 687, 754, 913, 929] {
        let entry = suite.entries.iter().find(|entry| entry.line == line).expect("960 lines");
        let expected = entry.counts.iter().find(|expected| expected.depth == 4).expect("D4");
        assert_eq!(perft(&entry.position, 4), expected.nodes, "line {line}");
    }
}

#[test]
fn the_tricky_positions_are_exact_but_for_one_with_too_many_men() {
    let refused =
        "line 199: FEN, piece placement: White has, or could have by promotion, more than 15 men Q";
    assert_eq!(run("tricky.perft", 2_000_000), (25, 86, vec![refused.to_owned()]));
}

#[test]
fn double_checks_single_checks_and_en_passant_are_exact() {
    assert_eq!(run("ferdy_perft_double_checks.epd", u64::MAX), (184, 184, vec![]));
    assert_eq!(run("ferdy_perft_single_check_cut.epd", u64::MAX), (250, 250, vec![]));
    assert_eq!(run("ferdy_perft_enpassant_cut.epd", 2_000_000), (124, 124, vec![]));
}

#[test]
fn playing_every_move_counts_the_same() {
    for entry in &read("perftsuite_terje.epd").entries {
        assert_eq!(perft_playing_all(&entry.position, 2), perft(&entry.position, 2));
    }
}

#[test]
fn a_locked_position_is_counted_at_the_greatest_depth() {
    let prison = "2b5/kpPp4/1p1P4/1P6/6p1/4p1P1/4PpPK/5B2 w - -";
    let position = board::Position::from_fen(prison).expect("a position");
    let depth = board::perft::MAX_DEPTH;
    assert_eq!(Counting::default().count(&position, depth), Some(1));
}
