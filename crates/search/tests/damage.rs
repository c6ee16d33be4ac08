//! Jobs and results from outside may be anything that their bytes allow: the search works with them or the
//! reader refuses them.

use board::random::SplitMix;
use board::{History, Position};
use search::switches::{ChosenRules, ModernRules, Rules};
use search::walk::{Job, Opened, RootSearch, SplitRule, TaskId, Walk, Walker};
use search::wire::{read, write};
use search::{Limits, Profile};
use table::AnyTable;

fn positions() -> impl Iterator<Item = Position> {
    let records = board::epd::records(include_str!("../../../testdata/epd/bk.epd"));
    records.map(|(_, epd)| *epd.expect("the suite is sound").position())
}

fn root_search(position: &Position, depth: i32) -> RootSearch {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    RootSearch { position: *position, game: History::new(), limits }
}

fn table(profile: Profile) -> AnyTable {
    AnyTable::new(profile.policy(), 1).expect("a megabyte is there")
}

/// Jobs of a profile: children that were split off a stack, and children of detached nodes.
fn jobs(rules: impl Rules, profile: Profile) -> Vec<Job> {
    let table = table(profile);
    let mut jobs = Vec::new();
    for position in positions().step_by(4) {
        let mut walk = Walk::new(rules, profile.evaluator());
        walk.set_grain(1);
        let mut lookup = &table;
        let mut walk = walk.session(&mut lookup, None);
        walk.start_root(&root_search(&position, 9), 0);
        let (first, rule) = (jobs.len(), SplitRule { grain: 1, history_from: 4 });
        for number in 1..30 {
            walk.run(700, || false);
            let next = |from| walk.split_point(from, rule.grain).map(|point| point.level);
            let levels: Vec<usize> =
                std::iter::successors(next(0), |&level| next(level + 1)).collect();
            // The deepest: above them the walk would wait for what never comes back.
            if let Some(&level) = levels.last() {
                jobs.extend(walk.split(level, TaskId { issuer: 1, number }, rule));
            }
        }
        walk.clear();
        for index in first..jobs.len() {
            if let Opened::Open(mut node) = walk.open(&jobs[index])
                && let Some(plan) = walk.plan(&mut node)
            {
                jobs.push(walk.child(&mut node, &plan, true));
            }
        }
    }
    jobs
}

fn damage(bytes: &mut [u8], random: &mut SplitMix) {
    // The first bytes are the window, depths and flags.
    let most = if random.below(2) == 0 { bytes.len() } else { bytes.len().min(90) };
    for _ in 0..=random.below(3) {
        let place = random.below(most as u64) as usize;
        bytes[place] = random.next() as u8 >> random.below(8);
    }
}

/// Searches damaged jobs on the stack and as detached nodes.
fn search_damaged(rules: impl Rules, profile: Profile, rounds: usize) {
    let jobs = jobs(rules, profile);
    assert!(jobs.len() > 20, "{}", jobs.len());
    let table = table(profile);
    let mut walk = Walk::new(rules, profile.evaluator());
    walk.set_grain(1);
    let mut lookup = &table;
    let mut walk = walk.session(&mut lookup, None);
    walk.start_root(&root_search(&Position::startpos(), 3), 0);
    walk.run(u64::from(u32::MAX), || false);
    let mut random = SplitMix(7);
    let mut searched = 0;
    for round in 0..rounds {
        let mut bytes = write(&jobs[round % jobs.len()]);
        damage(&mut bytes, &mut random);
        let Ok(job) = read::<Job>(&bytes) else { continue };
        searched += 1;
        walk.clear();
        if let Opened::Open(mut node) = walk.open(&job)
            && let Some(plan) = walk.plan(&mut node)
        {
            walk.child(&mut node, &plan, true);
        }
        assert!(walk.start_job(TaskId { issuer: 2, number: 1 }, Box::new(job)));
        for _ in 0..3 {
            walk.run(100, || false);
        }
    }
    assert!(searched > rounds / 10, "{searched} of {rounds}");
}

#[test]
fn damaged_jobs_are_refused_or_searched() {
    search_damaged(ModernRules, Profile::Modern, 6000);
}

#[test]
fn damaged_jobs_of_the_papers_programs_are_refused_or_searched() {
    for profile in Profile::ALL.into_iter().filter(|&profile| profile != Profile::Modern) {
        search_damaged(ChosenRules(profile.switches()), profile, 2000);
    }
}
