//! The exceptions from the rules of tidiness. Each list is short and stays so: an entry that is no
//! longer needed is itself reported.

/// A file that may be longer than the limit.
pub struct LongFile {
    /// Its path from the root.
    pub path: &'static str,
    /// How many lines it may have.
    pub lines: usize,
}

/// A function that may be longer than the limit.
pub struct LongFunction {
    /// Its file's path from the root.
    pub path: &'static str,
    /// Its name.
    pub name: &'static str,
    /// How many lines it may have: a ratchet, to be lowered whenever it shrinks.
    pub lines: usize,
    /// Why it is not cut up.
    pub reason: &'static str,
}

/// All exceptions together, so that the rules can be tested with others.
pub struct Exceptions<'a> {
    /// Generated tables of numbers.
    pub long_files: &'a [LongFile],
    /// Functions that read better in one piece.
    pub long_functions: &'a [LongFunction],
    /// The fenced files in which `unsafe` may stand.
    pub unsafe_files: &'a [&'a str],
}

/// The exceptions of this repository.
pub const EXCEPTIONS: Exceptions<'static> = Exceptions {
    long_files: &[],
    long_functions: &[],
    unsafe_files: &[
        "crates/board/src/attacks/isa.rs",
        "crates/cluster/src/mpi.rs",
        "crates/table/src/common.rs",
        "crates/table/src/memory.rs",
    ],
};
