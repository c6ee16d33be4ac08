//! Recognisers: positions whose result is known without a search (D65, D66).
//!
//! Which recogniser looks at a position depends on its material signature. Endings of three and four
//! men are recognised exactly: some by rules, the others by win/draw/loss tables inside the program
//! (knowledgeable encoding, D64). Two knights against a minor piece, pawn blockades and bishops of the wrong
//! colour are recognised where the draw is certain. A recognised win carries a score that grows as the winner
//! makes progress (D67); wins of sub-games are recognised too, so that a promotion never seems to lose anything.

mod blockade;
mod corner;
mod progress;
pub mod stages;

use crate::file::TableFile;
use crate::tables::Tables;
use crate::value::{Metric, Value};
use board::{Bitboard, Color, Material, Piece, Position, Square};
use std::collections::HashMap;
use std::sync::{LazyLock, Once};
use std::thread;

/// What is known about a position, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// It is lost.
    Loss,
    /// It is a draw.
    Draw,
    /// It is won.
    Win,
    /// It is not lost.
    AtLeastDraw,
    /// It is not won.
    AtMostDraw,
}

impl Claim {
    /// Whether a value fits.
    pub fn allows(self, value: Value) -> bool {
        match self {
            Claim::Loss => value.sign() < 0,
            Claim::Draw => value.sign() == 0,
            Claim::Win => value.sign() > 0,
            Claim::AtLeastDraw => value.sign() >= 0,
            Claim::AtMostDraw => value.sign() <= 0,
        }
    }

    pub(crate) fn of_sign(sign: i32) -> Claim {
        match sign {
            ..0 => Claim::Loss,
            0 => Claim::Draw,
            _ => Claim::Win,
        }
    }

    /// In words.
    pub const fn word(self) -> &'static str {
        match self {
            Claim::Loss => "loss",
            Claim::Draw => "draw",
            Claim::Win => "win",
            Claim::AtLeastDraw => "not lost",
            Claim::AtMostDraw => "not won",
        }
    }

    /// The claim of the other side.
    fn turned(self) -> Claim {
        match self {
            Claim::Loss => Claim::Win,
            Claim::Draw => Claim::Draw,
            Claim::Win => Claim::Loss,
            Claim::AtLeastDraw => Claim::AtMostDraw,
            Claim::AtMostDraw => Claim::AtLeastDraw,
        }
    }
}

/// What a recogniser says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recognised {
    /// The result, or a bound on it.
    pub claim: Claim,
    /// How far the winner has come, in centipawns, at least 0; 0 without a winner.
    pub progress: i32,
    /// Whether the progress is the true stage of the win: then a search must only look for the next
    /// one, and whatever it leaves out may be the way there.
    pub staged: bool,
}

impl Recognised {
    /// A claim from outside, with the progress of its winner.
    pub(crate) fn new(position: &Position, claim: Claim) -> Recognised {
        let stage = RECOGNISERS.stage(position).and_then(Value::plies);
        Recognised::at_stage(position, claim, stage)
    }

    fn at_stage(position: &Position, claim: Claim, stage: Option<u16>) -> Recognised {
        let winner = match claim {
            Claim::Win => position.side_to_move(),
            Claim::Loss => !position.side_to_move(),
            _ => return Recognised { claim, progress: 0, staged: false },
        };
        let formula = progress::of(position, winner);
        let progress = stage.map_or(formula, |plies| stages::progress(plies, formula));
        Recognised { claim, progress, staged: stage.is_some() }
    }
}

/// How an ending is recognised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rule {
    /// Neither side can mate.
    Dead,
    /// Mate happens only by mistake, in one move.
    Helpmate,
    /// The side with the men (of this colour) wins if it is to move; the bare king draws by
    /// stalemate or by taking the man that counts.
    StrongWins(Color),
    /// A table inside the program knows.
    Table,
    /// A table inside the program knows the stage of the win, too.
    Stages,
    /// The side of this colour cannot lose.
    CannotLose(Color),
    /// Two knights against a minor piece: a draw unless a king is near the edge.
    TwoKnights,
}

/// The recognisers, found by material signature.
pub struct Recognisers {
    rules: HashMap<u64, Rule>,
    tables: Tables,
}

/// The recognisers with the tables inside the program, made at first use.
pub static RECOGNISERS: LazyLock<Recognisers> = LazyLock::new(Recognisers::new);

/// Endings where the stronger side to move always wins.
const STRONG_WINS: [&str; 11] =
    ["KQK", "KRK", "KQQK", "KQRK", "KQBK", "KQNK", "KQPK", "KRRK", "KRBK", "KRNK", "KRPK"];
/// Endings where the stronger side cannot lose, if no table is there.
const CANNOT_LOSE: [&str; 4] = ["KBBK", "KBNK", "KBPK", "KNPK"];

impl Recognisers {
    fn new() -> Recognisers {
        let mut recognisers = Recognisers { rules: HashMap::new(), tables: inside_tables() };
        recognisers.enter(&["KBK", "KNK"], |_| Rule::Dead);
        recognisers.enter(&["KNNK", "KBKB", "KBKN", "KNKN"], |_| Rule::Helpmate);
        recognisers.enter(&["KNNKB", "KNNKN"], |_| Rule::TwoKnights);
        recognisers.enter(&STRONG_WINS, Rule::StrongWins);
        recognisers.enter(&CANNOT_LOSE, Rule::CannotLose);
        let files = recognisers.tables.files();
        let inside: Vec<(String, Rule)> = files
            .iter()
            .map(|file| match file.header.metric {
                Metric::Outcome => (file.header.ending.to_string(), Rule::Table),
                _ => (file.header.ending.to_string(), Rule::Stages),
            })
            .collect();
        for (name, rule) in inside {
            recognisers.enter(&[&name], |_| rule);
        }
        recognisers.rules.insert(Material::NONE.bits(), Rule::Dead);
        recognisers
    }

    fn enter(&mut self, names: &[&str], rule: impl Fn(Color) -> Rule) {
        for name in names {
            if let Ok(ending) = crate::ending::Ending::parse(name) {
                let material = ending.material();
                self.rules.insert(material.swapped().bits(), rule(Color::Black));
                self.rules.insert(material.bits(), rule(Color::White));
            }
        }
    }

    /// The tables inside the program.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// What is known about a position.
    pub fn recognise(&self, position: &Position) -> Option<Recognised> {
        match self.stage(position) {
            Some(value) => {
                let claim = Claim::of_sign(value.sign());
                Some(Recognised::at_stage(position, claim, value.plies()))
            }
            None => Some(Recognised::at_stage(position, self.claim(position)?, None)),
        }
    }

    /// The result with the stage of the win, in the endings that have stages.
    fn stage(&self, position: &Position) -> Option<Value> {
        match self.rules.get(&position.material().bits()) {
            Some(Rule::Stages) => self.tables.probe(position, Metric::Mate).ok(),
            _ => None,
        }
    }

    /// The result or a bound, without a score.
    pub fn claim(&self, position: &Position) -> Option<Claim> {
        if Color::ALL.iter().any(|&color| position.castling_rooks(color).non_empty()) {
            return None;
        }
        let Some(rule) = self.rules.get(&position.material().bits()) else {
            let drawn = blockade::is_blocked(position) || corner::is_held(position);
            return drawn.then_some(Claim::Draw);
        };
        match *rule {
            Rule::Dead => Some(Claim::Draw),
            Rule::Helpmate => Some(helpmate(position)),
            Rule::StrongWins(strong) => self.strong_wins(position, strong),
            Rule::TwoKnights => two_knights(position),
            Rule::CannotLose(strong) => Some(match position.side_to_move() == strong {
                true => Claim::AtLeastDraw,
                false => Claim::AtMostDraw,
            }),
            Rule::Table => {
                let value = self.tables.probe(position, Metric::Outcome).ok()?;
                Some(Claim::of_sign(value.sign()))
            }
            Rule::Stages => Some(Claim::of_sign(self.stage(position)?.sign())),
        }
    }

    fn strong_wins(&self, position: &Position, strong: Color) -> Option<Claim> {
        if position.side_to_move() == strong {
            return Some(Claim::Win);
        }
        let moves = position.legal_moves();
        if moves.is_empty() {
            return Some(if position.in_check() { Claim::Loss } else { Claim::Draw });
        }
        for mv in moves.iter().filter(|mv| position.is_capture(**mv)) {
            match self.claim(&position.make(*mv))?.turned() {
                Claim::Loss => (),
                Claim::Draw => return Some(Claim::Draw),
                _ => return None,
            }
        }
        Some(Claim::Loss)
    }
}

/// Whether a square lies on the edge of the board.
fn is_on_edge(square: Square) -> bool {
    edge().has(square)
}

fn edge() -> Bitboard {
    Bitboard::rank(0) | Bitboard::rank(7) | Bitboard::FILE_A | Bitboard::FILE_H
}

/// Mated, a mate in one, or a draw.
fn helpmate(position: &Position) -> Claim {
    let side = position.side_to_move();
    if position.in_check() && position.legal_moves().is_empty() {
        return Claim::Loss;
    }
    if !is_on_edge(position.king(!side)) || !position.color(side).several() {
        return Claim::Draw;
    }
    let moves = position.legal_moves();
    let mates = |mv: &board::Move| {
        let next = position.make(*mv);
        next.in_check() && next.legal_moves().is_empty()
    };
    if moves.iter().any(mates) { Claim::Win } else { Claim::Draw }
}

/// The squares that touch a corner from inside: b2, g2, b7, g7.
const BESIDE_CORNERS: Bitboard = Bitboard(0x0042_0000_0000_4200);

/// A draw as long as both kings are far enough from the edge and the corners.
fn two_knights(position: &Position) -> Option<Claim> {
    let danger = edge() | BESIDE_CORNERS;
    let safe = Color::ALL.iter().all(|&color| !danger.has(position.king(color)));
    (safe && !position.in_check()).then_some(Claim::Draw)
}

/// The value of a man in pawns, as the progress formulas use it.
fn pawns_worth(piece: Piece) -> i32 {
    [1, 3, 3, 5, 9, 0][piece.kind_index()]
}

/// The tables inside the program: win, draw and loss of the endings that no simple rule decides, for some
/// of them with the stage of the win. Made by `rookery endgame build --men 4 --metrics dtm,wdl` and `rookery
/// endgame stages`, and packed by the example `pack_inside`.
const FILES: [&[u8]; 18] = [
    include_bytes!("../../inside/KPK.wdl"),
    include_bytes!("../../inside/KBBK.stages"),
    include_bytes!("../../inside/KBNK.stages"),
    include_bytes!("../../inside/KPPK.wdl"),
    include_bytes!("../../inside/KBPK.wdl"),
    include_bytes!("../../inside/KNPK.wdl"),
    include_bytes!("../../inside/KQKQ.wdl"),
    include_bytes!("../../inside/KQKR.stages"),
    include_bytes!("../../inside/KQKB.wdl"),
    include_bytes!("../../inside/KQKN.wdl"),
    include_bytes!("../../inside/KQKP.wdl"),
    include_bytes!("../../inside/KRKR.wdl"),
    include_bytes!("../../inside/KRKB.wdl"),
    include_bytes!("../../inside/KRKN.stages"),
    include_bytes!("../../inside/KRKP.wdl"),
    include_bytes!("../../inside/KBKP.wdl"),
    include_bytes!("../../inside/KNKP.wdl"),
    include_bytes!("../../inside/KPKP.wdl"),
];

/// Unpacks the tables inside the program on a thread of its own, once: the first question to one would wait for
/// it, up to fifty milliseconds in the middle of a game. Where there is no thread the questions wait.
pub fn unpack_ahead() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = thread::Builder::new().name("unpack".to_owned()).spawn(unpack_all);
    });
}

fn unpack_all() {
    // A damaged one is found out when it is asked.
    RECOGNISERS.tables.files().into_iter().for_each(|file| drop(file.block(0, 0)));
}

/// The tables that are whole; all are, as a test shows.
fn inside_tables() -> Tables {
    let mut tables = Tables::new();
    for file in FILES.into_iter().filter_map(|bytes| TableFile::inside(bytes).ok()) {
        tables.add(file);
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(fen: &str) -> Option<Claim> {
        RECOGNISERS.claim(&Position::from_fen(fen).expect("a position"))
    }

    #[test]
    fn d66_plain_cases_are_recognised() {
        assert_eq!(claim("8/8/8/4k3/8/8/8/K6R w - -"), Some(Claim::Win));
        assert_eq!(claim("8/8/8/4k3/8/8/8/K6R b - -"), Some(Claim::Loss));
        assert_eq!(claim("8/8/8/8/8/2k5/8/K6B w - -"), Some(Claim::Draw));
        assert_eq!(claim("7k/5Q2/8/8/8/8/8/K7 b - -"), Some(Claim::Draw));
        assert_eq!(claim("8/3k4/8/8/3NN3/2K5/8/7b w - -"), Some(Claim::Draw));
    }

    #[test]
    fn all_tables_can_be_unpacked_before_they_are_asked() {
        unpack_all();
        assert!(RECOGNISERS.tables.files().iter().all(|file| file.is_unpacked()));
    }

    #[test]
    fn other_material_is_not_recognised() {
        assert_eq!(claim("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"), None);
        assert_eq!(claim("4k3/8/8/8/8/8/8/4K2R w K -"), None);
    }

    #[test]
    fn d67_a_recognised_win_scores_more_when_the_loser_is_driven_to_the_edge() {
        let progress = |fen: &str| {
            let position = Position::from_fen(fen).expect("a position");
            RECOGNISERS.recognise(&position).map(|recognised| recognised.progress)
        };
        assert!(progress("8/8/8/8/4k3/8/8/K6R w - -") < progress("4k3/8/4K3/8/8/8/8/7R w - -"));
    }

    #[test]
    fn every_table_inside_is_whole() {
        let tables = inside_tables();
        assert_eq!(tables.files().len(), FILES.len());
        for file in tables.files() {
            let ending = &file.header.ending;
            for side in 0..if ending.is_symmetric() { 1 } else { 2 } {
                for block in 0..file.header.sides[side].blocks.len() {
                    assert!(file.block(side, block).is_ok(), "{ending} {side} {block}");
                }
            }
        }
    }

    #[test]
    fn with_the_same_men_on_both_sides_black_to_move_is_white_to_move_turned() {
        for (white, black, expected) in [
            ("k7/p6P/8/8/8/8/5K2/8 w - -", "8/5k2/8/8/8/8/P6p/K7 b - -", Claim::Win),
            ("8/8/8/8/5k2/7p/P7/K7 w - -", "k7/p7/7P/5K2/8/8/8/8 b - -", Claim::Loss),
            ("7q/8/8/8/8/8/1Q6/K2k4 w - -", "k2K4/1q6/8/8/8/8/8/7Q b - -", Claim::Win),
            ("8/8/8/8/3k4/7r/1R6/K7 w - -", "k7/1r6/7R/3K4/8/8/8/8 b - -", Claim::Draw),
        ] {
            assert_eq!((claim(white), claim(black)), (Some(expected), Some(expected)), "{white}");
        }
    }
}
