//! Tables and recognisers against Syzygy tables, and against each other.

use crate::common::{Folder, testdata};
use board::random::SplitMix;
use board::{Color, Position};
use endgame::file::TableFile;
use endgame::recognise::{Claim, RECOGNISERS, stages};
use endgame::syzygy::Syzygy;
use endgame::{Answer, Ending, Layout, Metric, Oracle, Usage, Value};

fn syzygy() -> Syzygy {
    Syzygy::open(&testdata("syzygy").to_string_lossy())
}

/// Random positions of an ending, some of them with a right to capture en passant.
fn sample(name: &str, count: usize) -> Vec<Position> {
    let layout = Layout::new(&Ending::parse(name).expect("an ending"));
    let mut random = SplitMix(7);
    let positions = std::iter::repeat_with(|| {
        let (index, coin) = (random.below(layout.size() as u64) as usize, random.next());
        layout.position_with(index, Color::from_white(coin & 1 == 0), coin & 2 == 0)
    });
    positions.flatten().take(count).collect()
}

#[test]
fn syzygy_tables_know_nothing_about_rights_to_castle() {
    let position = |fen: &str| Position::from_fen(fen).expect("a position");
    let (with, without) = ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 1");
    let syzygy = syzygy();
    assert!(syzygy.probe(&position(without)).is_some());
    assert_eq!((syzygy.probe(&position(with)), syzygy.distance(&position(with))), (None, None));
}

#[test]
fn a_mate_in_one_is_one_half_move_away() {
    let fens = ["7k/8/5K2/6Q1/8/8/8/8", "7k/8/5K2/6Q1/8/8/8/r7", "k7/8/1K6/8/8/8/8/7R"];
    for fen in fens {
        let position = Position::from_fen(&format!("{fen} w - - 0 1")).expect("a position");
        assert_eq!(syzygy().distance(&position), Some(1), "{fen}");
    }
}

#[test]
fn d63_built_tables_agree_with_syzygy() {
    let folder = Folder::new("syzygy");
    let tables = folder.build(&["KQKR", "KNNK", "KQQK", "KPK"], &[Metric::Mate], 2);
    let syzygy = syzygy();
    for name in ["KQK", "KRK", "KPK", "KNNK", "KQKR"] {
        for position in sample(name, 4_000) {
            let expected = syzygy.probe(&position).expect("the Syzygy table is there");
            let value = tables.probe(&position, Metric::Mate).expect("the table is there");
            assert_eq!(value.sign(), expected.sign(false), "{}", position.fen());
        }
    }
    m27_the_longest_wins_of_queen_against_rook(&tables);
    the_stages_inside_the_program_are_those_of_the_table(&tables);
    every_claim_is_right(&tables, &["KQK", "KRK", "KNK", "KPK", "KNNK", "KQKR"]);
}

/// D67: what the program holds can be made from the distances to mate.
fn the_stages_inside_the_program_are_those_of_the_table(tables: &endgame::Tables) {
    let ending = Ending::parse("KQKR").expect("an ending");
    let file = tables.file(&ending, Metric::Mate).expect("the table was built");
    let folder = Folder::new("stages");
    let path = folder.0.join("KQKR.stages");
    let bytes = stages::compute(file, 2).expect("the table is whole");
    std::fs::write(&path, &bytes).expect("the folder takes files");
    let made = TableFile::open(&path).expect("a whole table");
    // The header holds the checksums of all blocks.
    let begin = bytes.len() - made.data_length() as usize;
    let packed = concat!(env!("CARGO_MANIFEST_DIR"), "/inside/KQKR.stages");
    assert!(std::fs::read(packed).expect("the file is there").starts_with(&bytes[..begin]));
    let inside = RECOGNISERS.tables().file(&ending, Metric::Mate).expect("it is inside");
    let blocks = |file: &TableFile| -> Vec<Vec<u8>> {
        let side = |side| (0..).map_while(move |block| file.block(side, block).ok());
        side(0).chain(side(1)).collect()
    };
    assert!(blocks(&made).len() > 400 && blocks(&made) == blocks(inside));
}

fn m27_the_longest_wins_of_queen_against_rook(tables: &endgame::Tables) {
    let ending = Ending::parse("KQKR").expect("an ending");
    let file = tables.file(&ending, Metric::Mate).expect("the table was built");
    let [white, black] = &file.header.sides;
    assert_eq!(white.summary.longest_win.map(|(plies, _)| plies), Some(69));
    assert_eq!(black.summary.longest_loss.map(|(plies, _)| plies), Some(70));
    assert_eq!(counts(tables, "KQKR"), [[1_108_111, 8_963, 2_142], [386_313, 78_518, 883_075]]);
    // Equal men that a mirroring exchanges: their moves come in pairs that lead to one number.
    assert_eq!(counts(tables, "KQQK"), [[707_175, 0, 0], [0, 35_294, 1_672_594]]);
    assert_eq!(counts(tables, "KNNK"), [[154, 1_437_574, 0], [0, 1_707_858, 30]]);
}

/// Wins, draws and losses, White and Black to move.
fn counts(tables: &endgame::Tables, name: &str) -> [[u64; 3]; 2] {
    let ending = Ending::parse(name).expect("an ending");
    let file = tables.file(&ending, Metric::Mate).expect("the table was built");
    file.header.sides.each_ref().map(|side| {
        let summary = side.summary;
        [summary.wins, summary.draws, summary.losses]
    })
}

/// D65: all positions of three men and a part of those of four, both sides to move.
fn every_claim_is_right(tables: &endgame::Tables, names: &[&str]) {
    for name in names {
        let layout = Layout::new(&Ending::parse(name).expect("an ending"));
        let step = if layout.size() > 100_000 { 17 } else { 1 };
        for index in (0..layout.size()).step_by(step) {
            for position in Color::ALL.iter().filter_map(|&side| layout.position(index, side)) {
                let claim = RECOGNISERS.claim(&position);
                let value = tables.probe(&position, Metric::Mate).expect("the table is there");
                assert!(claim.is_some_and(|claim| claim.allows(value)), "{}", position.fen());
            }
        }
    }
}

#[test]
fn d64_the_tables_inside_agree_with_syzygy_en_passant_included() {
    let syzygy = syzygy();
    let (mut compared, mut en_passant) = (0, 0);
    for name in ["KPK", "KQKR", "KPKP", "KQKP", "KRKP"] {
        for position in sample(name, 20_000) {
            // The other library refuses some positions that no game leads to.
            let Some(expected) = syzygy.probe(&position) else { continue };
            let claim = RECOGNISERS.claim(&position);
            let expected = match expected.sign(false) {
                1 => Claim::Win,
                0 => Claim::Draw,
                _ => Claim::Loss,
            };
            assert_eq!(claim, Some(expected), "{}", position.fen());
            compared += 1;
            en_passant += u32::from(position.en_passant().is_some());
        }
    }
    assert!(compared > 99_000 && en_passant > 20, "{compared} {en_passant}");
}

#[test]
fn the_known_positions_with_en_passant_have_their_values() {
    for (fen, claim) in [
        ("1k1K4/8/8/pP6/8/8/8/8 w - a6", Claim::Draw),
        ("4k3/8/8/2p5/8/6P1/6K1/8 w - c6", Claim::Draw),
        ("7K/k7/8/Pp6/8/8/8/8 w - -", Claim::Loss),
        ("7K/k7/8/Pp6/8/8/8/8 w - b6", Claim::Draw),
        ("8/8/8/8/pP6/8/K7/7k b - -", Claim::Loss),
        ("8/8/8/8/pP6/8/K7/7k b - b3", Claim::Draw),
        ("8/7k/8/8/3p4/1K6/2P5/8 b - -", Claim::Loss),
    ] {
        let position = Position::from_fen(fen).expect("a position");
        assert_eq!(RECOGNISERS.claim(&position), Some(claim), "{fen}");
    }
}

#[test]
fn an_oracle_prefers_exact_distances_and_heeds_the_fifty_moves() {
    let folder = Folder::new("oracle");
    let tables = folder.build(&["KRK"], &[Metric::Mate], 1);
    let oracle = Oracle::new(Some(tables), Some(syzygy()), true, Usage::default());
    let ask = |fen: &str| oracle.ask(&Position::from_fen(fen).expect("a position"), 5);
    let exact = ask("8/8/8/8/8/2k5/1R6/K7 w - - 0 1");
    assert_eq!(exact, Some(Answer::Exact(Value::Win(31))));
    let Some(Answer::Known(known)) = ask("8/8/8/8/8/2k5/1R6/K7 w - - 90 80") else {
        panic!("the mate comes too late to be exact")
    };
    assert_eq!(known.claim, Claim::Win);
    assert_eq!(ask("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), None);
}

#[test]
fn root_moves_that_throw_the_win_away_are_left_out() {
    let oracle = Oracle::new(None, Some(syzygy()), false, Usage::default());
    let position = Position::from_fen("8/8/8/8/8/2k5/1R6/K7 w - - 0 1").expect("a position");
    let kept = oracle.root_moves(&position).expect("some moves lose the rook");
    assert!(!kept.is_empty() && kept.len() < position.legal_moves().len());
    for mv in kept {
        let after = syzygy().probe(&position.make(mv)).expect("the Syzygy table is there");
        assert_eq!(after.sign(true), -1);
    }
}
