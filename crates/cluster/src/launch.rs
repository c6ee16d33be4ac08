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

/// Beginnings of variables by which launchers tell a process which of a job it is.
const JOB: [&str; 9] = [
    "OMPI_COMM_WORLD_",
    "OMPI_UNIVERSE_SIZE",
    "OMPI_MCA_ess",
    "OMPI_MCA_orte",
    "OMPI_MCA_pmix",
    "PMIX_",
    "PMI_",
    "MPI_LOCAL",
    "MV2_COMM_WORLD_",
];

/// The variables that make a program that is started here believe that it belongs to the same job.
pub fn job_variables() -> impl Iterator<Item = std::ffi::OsString> {
    let is_of_job = |name: &str| JOB.iter().any(|beginning| name.starts_with(beginning));
    let names = std::env::vars_os().map(|(name, _)| name);
    names.filter(move |name| name.to_str().is_some_and(is_of_job))
}
