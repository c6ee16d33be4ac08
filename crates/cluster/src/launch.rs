//! Whether the program was started together with others.

/// The variables by which launchers tell how many processes they have started.
const COUNTS: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"];
/// Those by which they tell only that they have.
const MARKS: [&str; 2] = ["PMIX_RANK", "PMI_RANK"];

/// How many processes an MPI launcher has started, as far as it tells; nothing where there was none.
pub fn launched() -> Option<u32> {
    let count = COUNTS.iter().find_map(|name| std::env::var(name).ok()?.parse().ok());
    let marked = || MARKS.iter().any(|name| std::env::var_os(name).is_some());
    count.or_else(|| marked().then_some(1))
}
