//! The numbers of the search, in one table: name, value, range, step and meaning.
//!
//! In a normal build every one of them is a constant. With the cargo feature `tune` they can be set at
//! run time, and tuners and UCI options are generated from [`all`].

/// One number of the search, as a tuner sees it.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// The value it has now.
    pub value: i32,
    /// The least value that makes sense.
    pub min: i32,
    /// The greatest one.
    pub max: i32,
    /// The step in which a tuner should move it.
    pub step: i32,
    /// What it does.
    pub meaning: &'static str,
}

macro_rules! parameters {
    ($($name:ident = $value:literal, $min:literal..=$max:literal, $step:literal, $meaning:literal;)*) => {
        #[cfg(feature = "tune")]
        mod settable {
            use std::cell::Cell;
            use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

            /// The places of the parameters in the table.
            #[allow(non_camel_case_types)]
            pub enum Place { $($name),* }

            const COUNT: usize = [$(stringify!($name)),*].len();

            /// What a thread begins with.
            pub static COMMON: [AtomicI32; COUNT] = [$(AtomicI32::new($value)),*];

            thread_local! {
                /// Each thread has its own, so that two settings can play each other in one process.
                pub static OWN: [Cell<i32>; COUNT] =
                    std::array::from_fn(|place| Cell::new(COMMON[place].load(Relaxed)));
            }
        }

        $(
            #[doc = $meaning]
            #[inline(always)]
            pub(crate) fn $name() -> i32 {
                #[cfg(feature = "tune")]
                { settable::OWN.with(|own| own[settable::Place::$name as usize].get()) }
                #[cfg(not(feature = "tune"))]
                { $value }
            }
        )*

        /// All of them, with the values they have on this thread.
        pub fn all() -> Vec<Parameter> {
            vec![$(Parameter {
                name: stringify!($name), value: $name(), min: $min, max: $max, step: $step, meaning: $meaning,
            }),*]
        }
    };
}

/// Sets one by name, within its range, for this thread and for all that begin later; `false` if there
/// is none of that name.
#[cfg(feature = "tune")]
pub fn set(name: &str, value: i32) -> bool {
    let all = all();
    let Some(place) = all.iter().position(|parameter| parameter.name == name) else { return false };
    let value = value.clamp(all[place].min, all[place].max);
    settable::COMMON[place].store(value, std::sync::atomic::Ordering::Relaxed);
    settable::OWN.with(|own| own[place].set(value));
    true
}

/// Sets all of this thread alone, in the order of [`all`]. The values must lie in their ranges.
#[cfg(feature = "tune")]
pub fn adopt(values: &[i32]) {
    settable::OWN.with(|own| {
        for (cell, &value) in own.iter().zip(values) {
            cell.set(value);
        }
    });
}

parameters! {
    window_start = 12, 4..=60, 4, "half the width of the first aspiration window";
    window_growth = 50, 10..=150, 10, "per cent by which a failed window grows";
    reverse_futility_depth = 8, 4..=12, 1, "deepest reverse futility pruning";
    reverse_futility_margin = 75, 30..=150, 8, "reverse futility margin per ply";
    razoring_depth = 4, 1..=6, 1, "deepest razoring";
    razoring_base = 240, 50..=600, 30, "razoring margin at depth 0";
    razoring_margin = 180, 50..=400, 20, "razoring margin per squared ply";
    null_base = 3, 2..=6, 1, "least null-move reduction";
    null_divisor = 3, 2..=6, 1, "null-move reduction grows by depth over this";
    null_eval_divisor = 190, 80..=400, 15, "and by the evaluation's surplus over this";
    null_verification_depth = 10, 8..=20, 1, "from here on a null-move cut is verified";
    probcut_depth = 5, 3..=8, 1, "shallowest probcut";
    probcut_margin = 170, 80..=300, 15, "how far above beta probcut looks";
    late_moves_base = 3, 1..=8, 1, "quiet moves before late ones are left out, at depth 0";
    futility_base = 150, 20..=250, 12, "futility margin at depth 0";
    futility_margin = 85, 30..=200, 10, "futility margin per ply";
    futility_depth = 8, 4..=12, 1, "deepest futility pruning, by reduced depth";
    history_pruning = 3500, 1000..=8000, 400, "history below minus this per ply prunes a quiet move";
    see_quiet_margin = 22, 5..=60, 5, "exchange margin of quiet moves per squared ply";
    see_capture_margin = 95, 40..=200, 10, "exchange margin of captures per ply";
    singular_depth = 7, 5..=10, 1, "shallowest singular test";
    singular_margin = 18, 5..=40, 3, "singular margin per ply, in tenths";
    double_margin = 18, 5..=60, 4, "how far below singular a double extension needs";
    reduction_base = 820, 0..=1600, 80, "late move reduction, constant part, in 1024ths";
    reduction_slope = 440, 200..=800, 30, "late move reduction per log depth and log move";
    reduction_history = 8500, 3000..=20000, 900, "history worth one ply of reduction";
    history_bonus = 250, 60..=400, 20, "history bonus per ply";
    history_bonus_max = 1700, 600..=4000, 150, "greatest history bonus";
    quiescence_margin = 250, 50..=350, 20, "futility margin of the quiescence search";
    exact_bonus = 0, 0..=150, 12, "per cent of the history bonus for a best move that does not cut";
    table_bonus = 50, 0..=150, 12, "per cent of it for a table move that cuts at once";
    prior_bonus = 25, 0..=150, 12, "per cent of it for the move before, where nothing helps against it";
    killer_merit = 8000, 0..=20000, 1000, "merit of a killer, in history";
    counter_merit = 9000, 0..=20000, 1000, "merit of a countermove, in history";
    null_margin = 120, 0..=300, 20, "how far the evaluation must stand above beta for the null move";
    null_slope = 20, 0..=40, 3, "and how much less per ply of depth";
    reduction_capture = 512, 0..=1536, 128, "more reduction where the table move captures, in 1024ths";
    reduction_killer = 1024, 0..=2048, 128, "less reduction of killers";
    reduction_pv = 1024, 0..=2048, 128, "less reduction on the principal variation";
    reduction_cut = 1024, 0..=2560, 128, "more reduction where a cut is expected";
    reduction_worse = 512, 0..=1536, 128, "more reduction where the evaluation does not improve";
    reduction_check = 1500, 0..=2048, 128, "less reduction of checks and evasions";
    check_merit = 12000, 0..=20000, 1000, "merit of a quiet check, in history";
    danger_merit = 3000, 0..=8000, 500, "merit of leaving danger, in history, for a minor piece";
    even_merit = 30000, 0..=100000, 3000, "merit of a capture that wins nothing, in history";
    even_scale = 64, 0..=128, 8, "what the history of such a capture counts, in 16ths";
    scout_depth = 1, 0..=6, 1, "deepest node without a table move whose captures are tried first to find one";
    correction_weight = 70, 20..=150, 10, "per cent of the learned correction that is applied";
    correction_limit = 100, 25..=300, 15, "largest correction that is learned from one source, in centipawns";
    correction_rate = 16, 4..=64, 4, "most that one search moves a correction, in 256ths";
    window_depth = 5, 1..=10, 1, "first iteration with an aspiration window";
    window_divisor = 16, 4..=64, 4, "the first window grows by the expected score over this";
    window_limit = 3000, 500..=10000, 500, "beyond this score a failed window is opened wholly";
    null_surplus = 3, 0..=6, 1, "most plies that the evaluation's surplus adds to the null-move reduction";
    probcut_reduction = 4, 2..=6, 1, "plies by which probcut searches less deeply";
    history_pruning_depth = 5, 2..=10, 1, "deepest pruning by history";
    singular_entry_depth = 3, 1..=6, 1, "plies by which the table may be shallower than a singular test's node";
    triple_margin = 120, 40..=250, 15, "how far below singular a triple extension needs";
    double_extensions = 8, 0..=16, 1, "most nodes of a line that are extended by more than a ply";
    tactical_thirds = 2, 0..=3, 1, "thirds of the reduction that captures and promotions get";
    reduction_tactical = 512, 0..=1536, 128, "less reduction of captures and promotions, in 1024ths";
    no_table_move_depth = 4, 2..=10, 1, "shallowest node that is searched a ply less without a table move";
    table_clock = 90, 50..=100, 5, "half-moves without progress from which the table's values are not trusted";
    check_loss = 75, 0..=300, 25, "what a quiet check may lose by exchanges and still come early";
    queening_merit = 900, 300..=1500, 100, "merit of becoming a queen, in centipawns";
    underpromotion_merit = 600, 0..=1500, 100, "and what any other promotion loses";
    quiescence_evasions = 1, 0..=6, 1, "evasions after which quiet ones are left out of the quiescence search";
    capture_divisor = 4, 1..=16, 1, "the history of a capture counts its value over this, in 16ths of a centipawn";
    null_depth = 2, 1..=5, 1, "shallowest null move";
    reduction_depth = 2, 2..=5, 1, "shallowest node whose late moves are reduced";
    reduction_moves = 2, 1..=5, 1, "moves before late ones are reduced, one more on the principal variation";
    raised_reduction = 1, 0..=2, 1, "plies less for moves after one that raised alpha";
    raised_depth = 12, 4..=20, 1, "deepest node at which they are searched less deeply";
    eval_history = 10, 0..=40, 3, "what a move's gain in evaluation counts in its history, per centipawn";
    eval_history_max = 1500, 300..=4000, 200, "the most that it counts";
}

/// What men are worth to the search, by [`board::PieceKind::index`]: the order of captures and what one can
/// win in the quiescence search. (Exchanges count with [`board::SEE_VALUES`], where minor pieces are equal.)
pub(crate) const PIECE_VALUES: [i32; 6] = [100, 300, 320, 500, 950, 0];

#[cfg(test)]
mod tests {
    #[test]
    fn every_value_lies_in_its_range() {
        for parameter in super::all() {
            let range = parameter.min..=parameter.max;
            assert!(range.contains(&parameter.value) && parameter.step > 0, "{}", parameter.name);
        }
    }

    #[cfg(feature = "tune")]
    #[test]
    fn a_thread_keeps_what_it_adopted_to_itself() {
        let before: Vec<i32> = super::all().iter().map(|parameter| parameter.value).collect();
        let other = std::thread::spawn(|| {
            let least: Vec<i32> = super::all().iter().map(|parameter| parameter.min).collect();
            super::adopt(&least);
            assert!(super::all().iter().all(|parameter| parameter.value == parameter.min));
        });
        assert!(other.join().is_ok());
        let after: Vec<i32> = super::all().iter().map(|parameter| parameter.value).collect();
        assert_eq!(before, after);
        assert!(!super::set("no such parameter", 1));
    }
}
