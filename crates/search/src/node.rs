//! A node of the tree, and the plans by which its children are searched.
//!
//! Nodes live on a stack that is allocated once. A [`Plan`] is plain data: it says which child is to be
//! searched how, can be sent elsewhere, and comes back with a value. What has been tried for a child
//! (reduced, null window, full) stands in the plan and not in the node, so that several children of
//! one node may be out at once.

use crate::Depth;
use crate::histories::{HistoryContext, PieceTo};
use crate::picker::Picker;
use board::{CheckInfo, Move, Position};
use eval::score::{Ply, Score};
use table::{Entry, Slot};

/// Stands for "no static evaluation": the side to move is in check.
pub const NO_EVAL: i32 = i32::MIN;

/// Why a child is searched. Those that make a move come first and those that stay at the position last:
/// so the questions which of them it is are comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlanKind {
    /// Because it is a move.
    Move,
    /// To see whether a capture is so good that a shallow search proves a cut.
    ProbCut,
    /// To see what the null move is worth.
    Null,
    /// To verify a cut by the null move: the same position, less deeply, without one.
    Verify,
    /// To find a first move: the same position, less deeply (D23).
    Deepen,
    /// To see whether the table move stands alone: the same position without it.
    Singular,
}

impl PlanKind {
    /// Whether the child is the same position.
    #[inline(always)]
    pub const fn stays(self) -> bool {
        matches!(self, PlanKind::Verify | PlanKind::Deepen | PlanKind::Singular)
    }

    /// Whether a move leads to the child.
    #[inline(always)]
    pub const fn moves(self) -> bool {
        matches!(self, PlanKind::Move | PlanKind::ProbCut)
    }
}

/// How far the search of a child has gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attempt {
    /// Only captures.
    Quiescence,
    /// Null window, reduced depth.
    Reduced,
    /// Null window, full depth.
    Scout,
    /// Open window, full depth.
    Full,
}

/// A child to be searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Why the child is searched.
    pub kind: PlanKind,
    /// The move, or [`Move::NONE`] where none is made.
    pub mv: Move,
    /// The window, seen from the node that plans.
    pub alpha: Score,
    /// Its upper end.
    pub beta: Score,
    /// The child's depth in this attempt.
    pub depth: Depth,
    /// The child's depth without a reduction.
    pub full_depth: Depth,
    /// Parts of a ply saved up by extensions (D36).
    pub fraction: i32,
    /// What is tried.
    pub attempt: Attempt,
    /// Whether the child is on the principal variation.
    pub pv: bool,
    /// Whether the child is expected to be cut off.
    pub cut: bool,
}

/// What [`crate::phases`] say about an entered node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entered {
    /// Its value is known.
    Value(i32),
    /// Its children must be searched.
    Open,
}

/// What a node says to a child's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Absorbed {
    /// Taken.
    Settled,
    /// Search it again like this.
    Again(Plan),
    /// The node is decided.
    Cut,
}

/// The steps through a node between entering and leaving it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// The null move comes first.
    Null,
    /// Then it is decided whether captures may be good enough by themselves.
    ProbCut,
    /// And those are tried.
    ProbCutMoves,
    /// Then a search for a first move.
    Deepen,
    /// Then the moves are brought into order, if that is done all at once.
    Sort,
    /// Then the moves.
    Moves,
    /// Between them, the table move after its singular test.
    Tested,
}

/// Moves that were searched and not found good enough, up to a number.
#[derive(Clone, Copy, Debug)]
pub struct Tried {
    moves: [Move; Tried::MOST],
    len: usize,
}

impl Tried {
    const MOST: usize = 32;
    /// None yet.
    pub const NONE: Tried = Tried { moves: [Move::NONE; Tried::MOST], len: 0 };

    /// One more; those beyond the number are forgotten.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = mv;
            self.len += 1;
        }
    }

    /// Those that were kept.
    #[inline(always)]
    pub fn as_slice(&self) -> &[Move] {
        &self.moves[..self.len]
    }

    /// Forgets all.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }
}

/// A node under search.
#[derive(Clone)]
pub struct Node {
    /// The position.
    pub position: Position,
    /// Lower end of the window; rises.
    pub alpha: Score,
    /// Upper end of the window.
    pub beta: Score,
    /// Where alpha began.
    pub first_alpha: Score,
    /// Remaining depth in plies.
    pub depth: Depth,
    /// Saved parts of a ply (D36).
    pub fraction: i32,
    /// Moves from the root.
    pub ply: Ply,
    /// Whether it is on the principal variation.
    pub pv: bool,
    /// Whether it is expected to be cut off.
    pub cut: bool,
    /// A move that is not to be searched (singular test).
    pub excluded: Move,
    /// Whether the null move may be tried.
    pub null_allowed: bool,
    /// The move that led here.
    pub mv: Move,
    /// The last four moves, the one that led here first. They stand here and not in the nodes below on the
    /// stack, because a test search of the same position takes a place there too.
    pub piece_tos: [PieceTo; 4],
    /// The evaluations of the last four positions before this one, the latest first.
    pub before: [i32; 4],
    /// Whether the move that led here captured, and what (D40).
    pub captured: Option<board::PieceKind>,
    /// Double extensions on the way here.
    pub doubles: i32,
    /// The evaluation as the evaluator gave it, or [`NO_EVAL`].
    pub raw_eval: Score,
    /// The evaluation with what was learned, or [`NO_EVAL`].
    pub eval: Score,
    /// The best guess of the node's value: the evaluation, or what the table knows better.
    pub guess: Score,
    /// Whether the side to move stands better than two plies ago, or above beta.
    pub improving: bool,
    /// What the table knew.
    pub entry: Option<Entry>,
    /// Where to store.
    pub slot: Option<Slot>,
    /// The move to try first.
    pub table_move: Move,
    /// Where in the node the search is.
    pub stage: Stage,
    /// The moves to come.
    pub picker: Picker,
    /// Which moves give check.
    pub checks: CheckInfo,
    /// How histories are looked up.
    pub context: HistoryContext,
    /// The best value so far.
    pub best: i32,
    /// The move that gave it, if it raised alpha.
    pub best_move: Move,
    /// Legal moves seen, searched or not.
    pub seen: i32,
    /// Moves for which a plan was given.
    pub searched: i32,
    /// A value that decides the node whatever its children say.
    pub decided: Option<i32>,
    /// Quiet moves searched without success.
    pub quiets: Tried,
    /// Captures and promotions searched without success.
    pub captures: Tried,
    /// Whether the singular test was made.
    pub tested: bool,
    /// How much more deeply the table move is searched.
    pub extension: i32,
    /// Whether the null move was tried here (D23).
    pub null_tried: bool,
    /// The move that refuted it, and those one and two plies before (D43).
    pub threat: Move,
    /// See [`Node::threat`].
    pub threats: [Move; 2],
    /// Whether everything here is searched a ply less deeply, as the node stood at beta (Z14).
    pub fail_high: bool,
    /// What is known about the ending, as an evaluation; [`NO_EVAL`] if nothing.
    pub known: i32,
    /// Whether that holds the true stage of a win.
    pub staged: bool,
    /// The null move leads to being mated (D42).
    pub mate_threat: bool,
    /// The value falls far after the null move (D38).
    pub deep_search: bool,
}

impl Node {
    /// A node that has not been entered.
    pub fn new() -> Node {
        let position = Position::startpos();
        Node {
            position,
            alpha: 0,
            beta: 0,
            first_alpha: 0,
            depth: 0,
            fraction: 0,
            ply: 0,
            pv: false,
            cut: false,
            excluded: Move::NONE,
            null_allowed: true,
            mv: Move::NONE,
            piece_tos: [PieceTo::NONE; 4],
            before: [NO_EVAL; 4],
            captured: None,
            doubles: 0,
            raw_eval: NO_EVAL,
            eval: NO_EVAL,
            guess: NO_EVAL,
            improving: false,
            entry: None,
            slot: None,
            table_move: Move::NONE,
            stage: Stage::Null,
            picker: Picker::new(),
            checks: position.check_info(),
            context: HistoryContext::new(&position, [PieceTo::NONE; 3]),
            best: 0,
            best_move: Move::NONE,
            seen: 0,
            searched: 0,
            decided: None,
            quiets: Tried::NONE,
            captures: Tried::NONE,
            tested: false,
            extension: 0,
            null_tried: false,
            threat: Move::NONE,
            threats: [Move::NONE; 2],
            fail_high: false,
            known: NO_EVAL,
            staged: false,
            mate_threat: false,
            deep_search: false,
        }
    }

    /// Becomes the child that a plan of another node leads to: all that the child gets from its parent,
    /// wherever it is searched.
    #[inline(always)]
    pub fn begin(&mut self, parent: &Node, plan: &Plan) {
        let position = &parent.position;
        self.excluded = Move::NONE;
        self.null_allowed = true;
        self.doubles = parent.doubles;
        self.threats = match plan.kind.stays() {
            true => parent.threats,
            false => [parent.threat, parent.threats[0]],
        };
        match plan.kind {
            PlanKind::Move | PlanKind::ProbCut => {
                position.make_into(plan.mv, &mut self.position);
                self.ply = parent.ply + 1;
                self.mv = plan.mv;
                (self.piece_tos, self.before) = parent.past_after(PieceTo::of(position, plan.mv));
                self.captured = position.captured(plan.mv);
                if plan.mv == parent.table_move && parent.extension > 1 {
                    self.doubles += 1;
                }
            }
            PlanKind::Null => {
                self.position = position.make_null();
                self.ply = parent.ply + 1;
                self.mv = Move::NONE;
                (self.piece_tos, self.before) = parent.past_after(PieceTo::NONE);
                self.captured = None;
                self.null_allowed = false;
            }
            PlanKind::Verify | PlanKind::Deepen | PlanKind::Singular => {
                self.position = *position;
                self.ply = parent.ply;
                self.mv = parent.mv;
                (self.piece_tos, self.before) = (parent.piece_tos, parent.before);
                self.captured = parent.captured;
                self.null_allowed = plan.kind == PlanKind::Deepen && parent.null_allowed;
                if plan.kind == PlanKind::Singular {
                    self.excluded = plan.mv;
                }
            }
        }
        let (alpha, beta) = match plan.kind.stays() {
            true => (plan.alpha, plan.beta),
            false => (-plan.beta, -plan.alpha),
        };
        (self.alpha, self.beta, self.first_alpha) = (alpha, beta, alpha);
        (self.depth, self.fraction) = (plan.depth, plan.fraction);
        (self.pv, self.cut) = (plan.pv, plan.cut);
    }

    /// The moves and evaluations that lie behind a child of this node.
    #[inline(always)]
    pub fn past_after(&self, piece_to: PieceTo) -> ([PieceTo; 4], [i32; 4]) {
        let [one, two, three, _] = self.piece_tos;
        let [former, earlier, earliest, _] = self.before;
        ([piece_to, one, two, three], [self.eval, former, earlier, earliest])
    }

    /// The piece that led here, and where it went.
    #[inline(always)]
    pub fn piece_to(&self) -> PieceTo {
        self.piece_tos[0]
    }

    /// The moves one, two and four plies before the node's own moves.
    #[inline(always)]
    pub fn earlier_moves(&self) -> [PieceTo; 3] {
        [self.piece_tos[0], self.piece_tos[1], self.piece_tos[3]]
    }

    /// Whether the node is searched with a null window.
    #[inline(always)]
    pub fn is_scout(&self) -> bool {
        self.beta - self.alpha == 1
    }

    /// Whether the stage of a win is known at an open node, so that only the way to the next one is looked
    /// for: no rule that guesses leaves anything out then. (With the null move and without late moves, queen
    /// against rook was won in 63 of 100 games with 3,000 nodes a move, and without them in 98.)
    #[inline(always)]
    pub fn is_staged(&self) -> bool {
        self.staged && self.excluded.is_none()
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.position.in_check()
    }
}
