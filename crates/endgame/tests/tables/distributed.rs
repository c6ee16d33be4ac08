//! M29: a table built by many processors is the table that one builds, byte for byte.

use crate::common::{Folder, endings, options};
use endgame::Metric;
use endgame::build::{Built, Machine, Options, build};
use endgame::distributed::{Course, Model, Traffic};

/// Builds endings on a machine; what was built, in its order.
fn build_on(folder: &Folder, names: &[&str], machine: Machine<'_>) -> Vec<Built> {
    let metrics = [Metric::Mate, Metric::Outcome];
    let options = Options { machine, ..options(&folder.0, &metrics) };
    let mut built = Vec::new();
    let done =
        build(&endings(names), &options, &mut |_, _, _| (), &mut |one| built.push(one.clone()));
    done.expect("the tables are built");
    built
}

fn sum(built: &[Built]) -> Traffic {
    let mut all = Traffic::default();
    let courses = built.iter().filter_map(|built| built.course);
    courses.for_each(|course| all.add(&course.traffic));
    all
}

#[test]
fn simulated_processors_build_the_same_bytes_in_any_order_of_delivery() {
    let whole = Folder::new("distributed-whole");
    build_on(&whole, &["KPK"], Machine::Shared);
    for (seed, processors) in (1..).zip([1, 2, 3, 7, 16]) {
        let folder = Folder::new(&format!("distributed-{processors}"));
        // Messages overtake each other by far, and some come twice.
        let model = Model { spread_ns: 1_000_000, twice: 50, seed, ..Model::default() };
        let built = build_on(&folder, &["KPK"], Machine::Simulated(processors, model));
        assert!(whole.contents() == folder.contents(), "{processors} processors");
        let traffic = sum(&built);
        assert_eq!(traffic.batches > 0, processors > 1, "{traffic:?}");
    }
}

#[test]
fn pieces_against_pieces_are_the_same_too() {
    let [whole, folder] = ["pieces-whole", "pieces"].map(Folder::new);
    build_on(&whole, &["KQKR"], Machine::Shared);
    let model = Model { spread_ns: 100_000, twice: 5, ..Model::default() };
    build_on(&folder, &["KQKR"], Machine::Simulated(7, model));
    assert!(whole.contents() == folder.contents());
}

#[test]
fn threads_with_messages_build_the_same_bytes() {
    let whole = Folder::new("distributed-shared");
    build_on(&whole, &["KPK", "KNNK"], Machine::Shared);
    let folder = Folder::new("distributed-threads");
    let built = build_on(&folder, &["KPK", "KNNK"], Machine::Processors(4));
    assert!(whole.contents() == folder.contents());
    let traffic = sum(&built);
    assert!(traffic.updates > 0 && traffic.at_home > 0, "{traffic:?}");
    // Each batch is answered, and the rounds need messages too.
    assert!(traffic.messages > 2 * traffic.batches, "{traffic:?}");
}

#[test]
fn the_same_seed_gives_the_same_course_and_more_processors_are_faster() {
    let course = |processors| {
        let folder = Folder::new(&format!("distributed-course-{processors}"));
        let machine = Machine::Simulated(processors, Model::default());
        let built = build_on(&folder, &["KRK"], machine);
        built.iter().filter_map(|built| built.course).collect::<Vec<Course>>()
    };
    assert_eq!(course(4), course(4));
    let time = |processors| course(processors).iter().map(|course| course.time_ns).max();
    assert!(time(8) < time(1));
}
