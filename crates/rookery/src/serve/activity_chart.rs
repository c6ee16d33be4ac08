//! The course of a parallel search, simulated or real, cut into columns of time to be looked at.
//!
//! A chart has a fixed number of columns. Where a search goes on longer than they reach, two and two become
//! one: memory and pictures stay as they are however long it takes.

use parallel::Time;
use parallel::timeline::{Activity, Segment, Sent};
use serde::Serialize;
use std::collections::BTreeMap;

/// Columns of time. An even number: two and two become one.
const COLUMNS: usize = 480;
const KINDS: usize = Activity::ALL.len();
/// The digits of those who search alone or not at all: the last two activities.
const WITHOUT_WORK: [char; 2] =
    [(b'0' + KINDS as u8 - 2) as char, (b'0' + KINDS as u8 - 1) as char];

/// What every processor did, column by column.
pub struct ActivityChart {
    /// The end of the last column.
    end: Time,
    grows: bool,
    /// The time of each activity in each column, by processor.
    shares: Vec<Vec<[Time; KINDS]>>,
    owners: Vec<Vec<i32>>,
    messages: BTreeMap<&'static str, Vec<u32>>,
    /// For whom each processor has jobs at the moment, the oldest first.
    jobs: Vec<Vec<u32>>,
    /// Columns whose owners are known.
    filled: usize,
}

/// A chart up to a moment, as the page draws it.
#[derive(Serialize)]
pub struct Picture {
    columns: usize,
    /// Seconds.
    seconds: f64,
    /// The names of what a processor does, and what each does most in each column, as digits.
    activities: [&'static str; KINDS],
    rows: Vec<String>,
    /// The processor for which each one works at the end of each column; -1: for itself or not at all.
    owners: Vec<Vec<i32>>,
    /// Messages in each column, by kind.
    messages: BTreeMap<&'static str, Vec<u32>>,
}

impl ActivityChart {
    /// Nothing yet, of this number of processors, up to a known end: what comes after it is left out.
    pub fn new(processors: usize, end: Time) -> ActivityChart {
        ActivityChart {
            end: end.max(1),
            grows: false,
            shares: vec![vec![[0; KINDS]; COLUMNS]; processors],
            owners: vec![vec![-1; COLUMNS]; processors],
            messages: BTreeMap::new(),
            jobs: vec![Vec::new(); processors],
            filled: 0,
        }
    }

    /// The same where the end is not known; the columns reach up to `end` at first.
    pub fn growing(processors: usize, end: Time) -> ActivityChart {
        ActivityChart { grows: true, ..ActivityChart::new(processors, end) }
    }

    fn column(&self, time: Time) -> usize {
        let column = u128::from(time) * COLUMNS as u128 / u128::from(self.end);
        (column as usize).min(COLUMNS - 1)
    }

    fn begin(&self, column: usize) -> Time {
        (u128::from(self.end) * column as u128 / COLUMNS as u128) as Time
    }

    /// Makes room for a moment.
    fn reach(&mut self, time: Time) {
        while self.grows && time > self.end {
            self.end *= 2;
            for row in &mut self.shares {
                let sum = |one: [Time; KINDS], other: [Time; KINDS]| {
                    std::array::from_fn(|kind| one[kind] + other[kind])
                };
                fold(row, [0; KINDS], sum);
            }
            self.owners.iter_mut().for_each(|row| fold(row, -1, |_, later| later));
            self.messages.values_mut().for_each(|row| fold(row, 0, |one, other| one + other));
            self.filled /= 2;
        }
    }

    /// Adds what a processor did.
    pub fn add(&mut self, processor: usize, segments: &[Segment]) {
        for segment in segments {
            self.reach(segment.end);
            let kind = Activity::ALL.iter().position(|&one| one == segment.activity).unwrap_or(0);
            for column in self.column(segment.begin)..=self.column(segment.end) {
                let (begin, end) = (self.begin(column), self.begin(column + 1));
                let share = segment.end.min(end).saturating_sub(segment.begin.max(begin));
                self.shares[processor][column][kind] += share;
            }
        }
    }

    /// Adds messages. Work goes from an owner to a helper and comes back as a return, or is called off. A
    /// processor may have several jobs, one inside the other: what counts is the one that it has had longest,
    /// because an owner that waits may work for its own helper, and the picture must not go in circles. The
    /// first has the root from the begin to the end.
    pub fn add_messages(&mut self, mut messages: Vec<Sent>) {
        messages.sort_by_key(|sent| sent.time);
        for sent in messages {
            self.reach(sent.time);
            let column = self.column(sent.time);
            self.fill(column);
            let row = self.messages.entry(sent.kind).or_insert_with(|| vec![0; COLUMNS]);
            row[column] += 1;
            let (helper, owner, is_begun) = match sent.kind {
                "work" | "team" | "steal" => (sent.to, sent.from, true),
                "cancel" | "abort" => (sent.to, sent.from, false),
                // Values go to the homes of parents, and what was stolen back to its own.
                "return" | "declined" | "value" => (sent.from, sent.to, false),
                _ => continue,
            };
            let Some(own) = self.jobs.get_mut(helper as usize) else { continue };
            match (is_begun, own.iter().rposition(|&other| other == owner)) {
                (true, _) => own.push(owner),
                (false, Some(place)) => drop(own.remove(place)),
                (false, None) => (),
            }
        }
    }

    /// Up to this column the owners were those of now.
    fn fill(&mut self, until: usize) {
        for (row, jobs) in self.owners.iter_mut().zip(&self.jobs).skip(1) {
            let owner = jobs.first().map_or(-1, |&owner| owner as i32);
            row[self.filled.min(until)..until].fill(owner);
        }
        self.filled = self.filled.max(until);
    }

    /// For whom a processor works in the first columns. A real thread without work has no owner, even where
    /// the message that called it off was forgotten.
    fn owners_of(&self, processor: usize, columns: usize) -> Vec<i32> {
        let pairs = self.owners[processor][..columns].iter().zip(&self.shares[processor]);
        let shown = |(&owner, share)| match self.grows && WITHOUT_WORK.contains(&digit(share)) {
            true => -1,
            false => owner,
        };
        pairs.map(shown).collect()
    }

    /// What all processors did together, by activity.
    pub fn total(&self, activity: Activity) -> Time {
        let kind = Activity::ALL.iter().position(|&one| one == activity).unwrap_or(0);
        self.shares.iter().flatten().map(|share| share[kind]).sum()
    }

    /// The picture up to a moment that is not before the last message.
    pub fn picture(&mut self, until: Time) -> Picture {
        self.reach(until);
        let columns = self.column(until) + 1;
        self.fill(columns);
        // The last column is not over.
        self.filled = columns - 1;
        let row = |shares: &Vec<[Time; KINDS]>| shares[..columns].iter().map(digit).collect();
        let cut = |row: &Vec<u32>| row[..columns].to_vec();
        Picture {
            columns,
            seconds: until as f64 / 1e9,
            activities: Activity::ALL.map(Activity::name),
            rows: self.shares.iter().map(row).collect(),
            owners: (0..self.owners.len()).map(|one| self.owners_of(one, columns)).collect(),
            messages: self.messages.iter().map(|(&kind, row)| (kind, cut(row))).collect(),
        }
    }
}

/// Two and two become one; the second half is empty then.
fn fold<T: Copy>(row: &mut Vec<T>, empty: T, join: impl Fn(T, T) -> T) {
    let length = row.len();
    *row = row.chunks_exact(2).map(|pair| join(pair[0], pair[1])).collect();
    row.resize(length, empty);
}

/// What a processor does most in a column. After its last segment it has no work.
fn digit(share: &[Time; KINDS]) -> char {
    let idle = KINDS - 1;
    let best = (0..KINDS).rev().max_by_key(|&kind| share[kind]).unwrap_or(idle);
    let most = if share[best] == 0 { idle } else { best };
    char::from(b'0' + most as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(activity: Activity, begin: Time, end: Time) -> Segment {
        Segment { activity, begin, end, place: None }
    }

    fn sent(time: Time, from: u32, to: u32, kind: &'static str) -> Sent {
        Sent { time, from, to, kind, task: None }
    }

    #[test]
    fn time_is_cut_into_columns() {
        let mut chart = ActivityChart::new(1, 4800);
        chart.add(
            0,
            &[
                segment(Activity::Search, 0, 2406),
                segment(Activity::Wait, 2406, 2410),
                segment(Activity::Search, 2410, 2400 + 20),
                segment(Activity::Message, 2420, 2430),
            ],
        );
        assert_eq!(chart.total(Activity::Search), 2416);
        let row = &chart.picture(4800).rows[0];
        assert_eq!(row.len(), COLUMNS);
        assert_eq!(&row[..244], format!("{}{}", "0".repeat(242), "15"));
        assert!(row[243..].chars().all(|kind| kind == '5'));
        assert_eq!(chart.picture(2405).rows[0], "0".repeat(241));
        chart.add(0, &[segment(Activity::Search, 4790, 9000)]);
        assert_eq!(chart.total(Activity::Search), 2426, "there is nothing behind the end");
    }

    /// The owners of all but the first, counted from the second.
    fn owners(messages: Vec<Sent>) -> Vec<Vec<i32>> {
        let mut chart = ActivityChart::new(4, 4800);
        let shifted = |sent: Sent| Sent { from: sent.from + 1, to: sent.to + 1, ..sent };
        chart.add_messages(messages.into_iter().map(shifted).collect());
        let mut owners = chart.picture(4800).owners;
        assert!(owners.remove(0).iter().all(|&owner| owner == -1));
        let back = |owner: i32| if owner > 0 { owner - 1 } else { owner };
        owners.into_iter().map(|row| row.into_iter().map(back).collect()).collect()
    }

    #[test]
    fn a_helper_stands_below_its_owner_while_it_has_work() {
        let messages =
            vec![sent(4000, 2, 0, "return"), sent(100, 0, 2, "work"), sent(105, 1, 0, "request")];
        let mut chart = ActivityChart::new(3, 4800);
        chart.add_messages(messages.clone());
        assert_eq!(chart.picture(4800).messages["request"][10], 1);
        let simple = owners(messages);
        assert_eq!([9, 10, 399, 400].map(|column| simple[2][column]), [-1, 0, 0, -1]);
        assert!(simple[0].iter().chain(&simple[1]).all(|&owner| owner == -1));
        let helped = owners(vec![
            sent(100, 0, 1, "steal"),
            sent(200, 1, 2, "value"),
            sent(300, 1, 0, "value"),
            sent(400, 2, 0, "team"),
        ]);
        assert_eq!((helped[1][10], helped[1][20], helped[1][30], helped[0][40]), (0, 0, -1, 2));
        // An owner that waits works for its helper, whose job is then called off.
        let waits = owners(vec![
            sent(100, 2, 0, "work"),
            sent(200, 0, 1, "work"),
            sent(300, 1, 0, "work"),
            sent(400, 0, 1, "return"),
            sent(500, 0, 1, "cancel"),
        ]);
        assert_eq!([10, 30, 40, 50].map(|column| waits[0][column]), [2; 4]);
        assert_eq!([20, 30, 40, 50].map(|column| waits[1][column]), [0, 0, 0, -1]);
    }

    #[test]
    fn a_chart_that_grows_shows_what_one_of_the_right_length_shows() {
        let segments = [
            segment(Activity::Search, 0, 1000),
            segment(Activity::Wait, 1000, 2000),
            segment(Activity::Search, 2000, 4800),
        ];
        let messages =
            [sent(95, 0, 1, "work"), sent(1005, 1, 0, "return"), sent(2010, 0, 1, "work")];
        let mut whole = ActivityChart::new(2, 4800);
        whole.add(0, &segments);
        let helper = [segment(Activity::Search, 0, 4700), segment(Activity::Alone, 4700, 4800)];
        whole.add(1, &helper);
        whole.add_messages(messages.to_vec());
        // Bit by bit, with a picture after each, from a chart that ends after a tenth of a column.
        let mut grown = ActivityChart::growing(2, 75);
        for (segment, message) in segments.iter().zip(messages) {
            grown.add(0, &[*segment]);
            grown.add_messages(vec![message]);
            let picture = grown.picture(segment.end);
            assert_eq!(picture.rows[0].len(), picture.columns);
        }
        grown.add(1, &helper);
        assert_eq!(grown.total(Activity::Search), whole.total(Activity::Search));
        let (grown, whole) = (grown.picture(4800), whole.picture(4800));
        assert_eq!((grown.columns, &grown.rows), (COLUMNS, &whole.rows));
        assert_eq!(grown.owners[0], whole.owners[0]);
        assert_eq!(
            (&grown.owners[1][..470], &grown.messages),
            (&whole.owners[1][..470], &whole.messages)
        );
        assert_eq!(
            (grown.owners[1][475], whole.owners[1][475]),
            (-1, 0),
            "a real thread alone works for none"
        );
    }
}
