//! Profiles: each system of the papers as a set of switches over the same node.
//!
//! The default profile is a type that answers with a constant [`Switches`], so that every question to
//! it is decided by the compiler and the others cost it nothing. The papers' profiles keep their
//! switches in memory, where every enhancement can be turned on and off for itself (Marsland's
//! Figure 8).

/// In which order moves are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ordering {
    /// Staged: table move, good captures, quiet moves by histories, bad captures.
    Modern,
    /// Zugzwang's: table move, positive captures, countermove, killers by benefit, history (Z17).
    Zugzwang,
    /// DarkSight's eight stages with its transposition cut-offs (D34).
    DarkSight,
    /// Captures by victim, then killers and history as far as they are switched on (M22, M23).
    Plain,
}

/// How the null move is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NullMove {
    /// Not at all.
    Off,
    /// Reduction by depth and evaluation, verified at great depths.
    Modern,
    /// Zugzwang's rule: reduction 2, tried above alpha minus one and a half pawns (Z13).
    Zugzwang,
    /// DarkSight's adaptive reduction (D18).
    Adaptive,
    /// The same, and every cut is verified by a search without a null move (D19).
    Verified,
}

/// Which moves are searched less deeply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reductions {
    /// None.
    Off,
    /// Late ones.
    Late,
    /// All, at null-window nodes whose evaluation is at least beta (Z14).
    FailHigh,
    /// The same, and pieces that go back (D44).
    Backward,
}

impl Reductions {
    /// Whether nodes that stand at beta are reduced (Z14).
    #[inline(always)]
    pub fn fail_high(self) -> bool {
        matches!(self, Reductions::FailHigh | Reductions::Backward)
    }
}

/// What is left out without being searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pruning {
    /// Nothing.
    Off,
    /// Everything known today.
    Modern,
    /// Limited razoring and the two futility rules (D20 to D22).
    DarkSight,
}

/// What is searched more deeply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extensions {
    /// Nothing.
    Off,
    /// Replies to check do not count as depth (M8).
    Check,
    /// The table move if it stands alone.
    Singular,
    /// Six kinds with fractions (D36 to D42).
    DarkSight,
    /// The same, and where a threat repeats itself (D43).
    DarkSightNext,
}

/// What happens where the table knows no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoTableMove {
    /// Nothing.
    Ignore,
    /// A ply less.
    Reduce,
    /// A search two plies shallower finds one (D23).
    Deepen,
}

/// The first window of an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Window {
    /// All values.
    Full,
    /// The last value plus and minus this (D17: 40; M6: a pawn); a failure opens that side wholly.
    Static(i32),
    /// The same, and after a failure from the value that was found to a piece beyond it (M6).
    Sliding(i32),
    /// Narrow, and wider step by step.
    Growing,
}

/// What happens at the horizon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quiescence {
    /// The static evaluation, whatever hangs.
    Off,
    /// The static evaluation and the best exchange that the side to move can begin.
    Exchanges,
    /// Evasions and captures that can reach alpha (D45).
    Captures,
    /// The same, and at the first ply checks that lose nothing and pawns that go to the seventh rank (M25).
    Wide,
    /// The same with the table.
    Modern,
}

/// What an entry of the table that is deep enough is used for: Marsland's study (3.6 e) leaves open what each
/// use contributes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableUse {
    /// Its move is tried first.
    pub ordering: bool,
    /// Its value narrows the window where it does not close it.
    pub bounds: bool,
    /// Its value ends the node where it is exact or closes the window.
    pub cuts: bool,
}

impl TableUse {
    /// All that an entry is good for (Z16).
    pub const ALL: TableUse = TableUse { ordering: true, bounds: true, cuts: true };
}

/// A profile's choices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Switches {
    /// The order of moves.
    pub ordering: Ordering,
    /// Whether later moves are searched with a null window first (Z10, M4).
    pub scout: bool,
    /// Whether positions are looked up in the table.
    pub table: bool,
    /// What for.
    pub table_use: TableUse,
    /// Whether a position that was reached in another way is another position for the table, as long as its
    /// past can repeat itself (D30). Transpositions are lost, and no value rests on the past of another line.
    pub history_keys: bool,
    /// Whether depths 1, 2, 3 … are searched one after the other (Z11).
    pub iterate: bool,
    /// The first window of an iteration (Z12).
    pub window: Window,
    /// How the null move is tried.
    pub null_move: NullMove,
    /// What is reduced.
    pub reductions: Reductions,
    /// What is pruned.
    pub pruning: Pruning,
    /// What is extended.
    pub extensions: Extensions,
    /// What happens without a table move.
    pub no_table_move: NoTableMove,
    /// What happens at the horizon.
    pub quiescence: Quiescence,
    /// Whether the history heuristic orders moves (Z19).
    pub history: bool,
    /// Whether killer moves are kept (Z18).
    pub killers: bool,
    /// Whether a refutation table gives first moves (M15).
    pub refutations: bool,
    /// Whether values learned about structures correct the evaluation.
    pub corrections: bool,
}

/// A set of switches, known at compile time or kept in memory.
pub trait Rules: Copy {
    /// The switches.
    fn switches(&self) -> Switches;
}

/// The default profile.
#[derive(Clone, Copy, Debug)]
pub struct ModernRules;

impl Rules for ModernRules {
    #[inline(always)]
    fn switches(&self) -> Switches {
        MODERN
    }
}

/// Any other choice.
#[derive(Clone, Copy, Debug)]
pub struct ChosenRules(pub Switches);

impl Rules for ChosenRules {
    #[inline(always)]
    fn switches(&self) -> Switches {
        self.0
    }
}

/// Direct alpha-beta with nothing else: what `plain` starts from.
pub const BARE: Switches = Switches {
    ordering: Ordering::Plain,
    scout: false,
    table: false,
    table_use: TableUse::ALL,
    history_keys: false,
    iterate: false,
    window: Window::Full,
    null_move: NullMove::Off,
    reductions: Reductions::Off,
    pruning: Pruning::Off,
    extensions: Extensions::Off,
    no_table_move: NoTableMove::Ignore,
    quiescence: Quiescence::Off,
    history: false,
    killers: false,
    refutations: false,
    corrections: false,
};

/// Marsland's model program with everything on.
pub const PLAIN: Switches = Switches {
    scout: true,
    table: true,
    iterate: true,
    window: Window::Static(100),
    quiescence: Quiescence::Captures,
    extensions: Extensions::Check,
    history: true,
    killers: true,
    ..BARE
};

/// Feldmann's program without selectivity: that of his Figure 4.
pub const NEGASCOUT: Switches = Switches {
    ordering: Ordering::Zugzwang,
    scout: true,
    table: true,
    iterate: true,
    window: Window::Static(40),
    quiescence: Quiescence::Captures,
    history: true,
    killers: true,
    ..BARE
};

/// Feldmann's program with fail-high reductions (Z14).
pub const ZUGZWANG: Switches = Switches { reductions: Reductions::FailHigh, ..NEGASCOUT };

/// Feldmann's program with the null move instead (Z13), to be compared with the former.
pub const ZUGZWANG_NULL: Switches = Switches { null_move: NullMove::Zugzwang, ..NEGASCOUT };

/// Felten and Otto's program: alpha-beta, the table's move first (F3).
pub const HYPERCUBE: Switches =
    Switches { scout: false, history: false, window: Window::Full, ..NEGASCOUT };

/// Steenhuisen's program (D16 to D45).
pub const DARKSIGHT: Switches = Switches {
    ordering: Ordering::DarkSight,
    null_move: NullMove::Adaptive,
    pruning: Pruning::DarkSight,
    extensions: Extensions::DarkSight,
    no_table_move: NoTableMove::Deepen,
    ..NEGASCOUT
};

/// Steenhuisen's program with what his thesis leaves to the future: verified null moves (D19), the
/// Botvinnik–Markoff extension (D43), fail-high and backward-move reductions (D44).
pub const DARKSIGHT_NEXT: Switches = Switches {
    null_move: NullMove::Verified,
    reductions: Reductions::Backward,
    extensions: Extensions::DarkSightNext,
    ..DARKSIGHT
};

/// As strong as we can make it.
pub const MODERN: Switches = Switches {
    ordering: Ordering::Modern,
    scout: true,
    table: true,
    table_use: TableUse::ALL,
    history_keys: false,
    iterate: true,
    window: Window::Growing,
    null_move: NullMove::Modern,
    reductions: Reductions::Late,
    pruning: Pruning::Modern,
    extensions: Extensions::Singular,
    no_table_move: NoTableMove::Reduce,
    quiescence: Quiescence::Modern,
    history: true,
    killers: true,
    refutations: false,
    corrections: true,
};
