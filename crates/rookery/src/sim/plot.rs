//! A picture of a run: how many processors did what over time, and who worked for whom.

use crate::counted::counted;
use parallel::Time;
use parallel::timeline::{Activity, Sent, Timeline};
use plot::{Axis, Canvas, Chart, GRID, Mark, Scale, Series, Stroke};

/// Slices of time, and the most rows of processors: the picture stays small however long the run and
/// however large the machine.
const COLUMNS: usize = 480;
const MOST_ROWS: usize = 128;
/// Lines between owner and helper beyond this number would cover everything.
const MOST_LINES: usize = 1000;
/// Messages with which work goes from one processor to another, in any strategy.
const GIVING: [&str; 4] = ["work", "team", "state", "steal"];
const HEIGHT: f64 = 300.0;
const ITERATION: Stroke = Stroke { color: "#2f7fc1", width: 1.0, dashes: &[3.0, 3.0] };
const WORK: Stroke = Stroke { color: "#7d8ea0", width: 0.4, dashes: &[] };

type Shares = [f64; Activity::ALL.len()];

fn color(activity: Activity) -> &'static str {
    match activity {
        Activity::Search => "#3b8a57",
        Activity::Message => "#d9a441",
        Activity::Table => "#8a6fb0",
        Activity::Wait => "#c0584f",
        Activity::Alone => "#9fc6ae",
        Activity::Idle => GRID,
    }
}

/// Draws a simulated run.
pub fn draw(timeline: &Timeline) -> Canvas {
    let view = View::new(timeline, "virtual time", timeline.end());
    plot::stack(&[view.load(), view.rows()], HEIGHT)
}

/// Draws a real search and a simulated one over the same time.
pub fn draw_both(real: &Timeline, simulated: &Timeline) -> Canvas {
    let end = real.end().max(simulated.end());
    let views = [(real, "Real: ", "time"), (simulated, "Simulated: ", "virtual time")];
    let charts = views.map(|(timeline, name, axis)| {
        let view = View::new(timeline, axis, end);
        [view.rows(), view.load()].map(|mut chart| {
            chart.title.insert_str(0, name);
            chart.series.push(view.iterations());
            chart
        })
    });
    // The rows of both, then the shares of both: what is compared stands together.
    let [[real_rows, real_load], [simulated_rows, simulated_load]] = charts;
    plot::stack(&[real_rows, simulated_rows, real_load, simulated_load], HEIGHT)
}

/// A run, and how its time is drawn.
struct View<'a> {
    timeline: &'a Timeline,
    time: Axis,
    /// Nanoseconds of a unit of the axis, and of a slice.
    unit: f64,
    slice: f64,
}

impl View<'_> {
    fn new<'a>(timeline: &'a Timeline, axis: &str, end: Time) -> View<'a> {
        let end = end.max(1);
        let (unit, name) = match end {
            0..1_000_000 => (1e3, "µs"),
            1_000_000..10_000_000_000 => (1e6, "ms"),
            _ => (1e9, "s"),
        };
        let time = Axis::linear(format!("{axis}, {name}"), 0.0, end as f64 / unit, 8);
        View { timeline, time, unit, slice: end as f64 / COLUMNS as f64 }
    }

    /// A line where each iteration of the root begins.
    fn iterations(&self) -> Series {
        let top = self.processors().max(100) as f64;
        let line = |(_, begin): (i32, Time)| [0.0, top].map(|y| (begin as f64 / self.unit, y));
        let lines = self.timeline.iterations().into_iter().map(line).collect();
        Series { name: "iteration begins".to_owned(), mark: Mark::Segments(lines, ITERATION) }
    }

    fn processors(&self) -> usize {
        self.timeline.segments.len().max(1)
    }

    /// Where a slice begins.
    fn begin(&self, column: usize) -> f64 {
        column as f64 * self.slice / self.unit
    }

    /// The activities of these processors in each slice, in slices.
    fn shares(&self, processors: std::ops::Range<usize>) -> Vec<Shares> {
        let mut shares = vec![Shares::default(); COLUMNS];
        let segments = self.timeline.segments.get(processors).unwrap_or_default();
        for segment in segments.iter().flatten() {
            let place = Activity::ALL.iter().position(|&one| one == segment.activity).unwrap_or(0);
            let (begin, until) =
                (segment.begin as f64 / self.slice, segment.end as f64 / self.slice);
            let columns = begin as usize..=until as usize;
            for (column, share) in columns.clone().zip(shares.iter_mut().skip(*columns.start())) {
                let part = until.min(column as f64 + 1.0) - begin.max(column as f64);
                share[place] += part.max(0.0);
            }
        }
        shares
    }

    /// The shares of the activities over time, one above the other.
    fn load(&self) -> Chart {
        let count = self.processors();
        let shares = self.shares(0..count);
        let mut floor = [0.0; COLUMNS];
        let mut series = Vec::new();
        for (place, activity) in Activity::ALL.into_iter().enumerate() {
            let mut points = Vec::with_capacity(2 * COLUMNS);
            for (column, (low, share)) in floor.iter_mut().zip(&shares).enumerate() {
                let high = *low + 100.0 * share[place] / count as f64;
                points.extend([column, column + 1].map(|edge| (self.begin(edge), *low, high)));
                *low = high;
            }
            let mark = Mark::Band(points, color(activity), 1.0);
            series.push(Series { name: activity.name().to_owned(), mark });
        }
        Chart {
            title: match count {
                1 => "What the processor does over time".to_owned(),
                _ => format!("What {count} processors do over time"),
            },
            x: self.time.clone(),
            y: Axis::linear("processors, %", 0.0, 100.0, 5),
            series,
        }
    }

    /// A row for each processor or for several of them, in the colour of what they do most; and a line
    /// for each piece of work from its owner to its helper.
    fn rows(&self) -> Chart {
        let count = self.processors();
        let group = count.div_ceil(MOST_ROWS);
        let mut blocks = vec![Vec::new(); Activity::ALL.len()];
        for first in (0..count).step_by(group) {
            let (top, bottom) = (first as f64, (first + group).min(count) as f64);
            let bottom = bottom - 0.15 * group as f64;
            let shares = self.shares(first..(first + group).min(count));
            let most = shares.iter().map(most_of).collect::<Vec<_>>();
            let mut begin = 0;
            for run in most.chunk_by(|one, two| one == two) {
                let (from, to) = (self.begin(begin), self.begin(begin + run.len()));
                begin += run.len();
                if let Some(place) = run.first().copied().flatten() {
                    blocks[place].push([(from, top), (to, bottom)]);
                }
            }
        }
        let blocks = Activity::ALL.into_iter().zip(blocks).map(|(activity, cells)| Series {
            name: String::new(),
            mark: Mark::Blocks(cells, color(activity)),
        });
        let (work, note) = self.work();
        let rows = match group {
            1 => "A row for each processor".to_owned(),
            group => format!("A row for each {group} processors"),
        };
        let mut y = Axis::linear("processor", 0.0, count as f64, 8);
        y.ticks.retain(|tick| tick.fract() == 0.0 && *tick < 0.93 * count as f64);
        y.ticks.push(count as f64);
        y.ticks.reverse();
        y.scale = Scale::Linear;
        let series = blocks.chain([work]).collect();
        Chart { title: format!("{rows}; {note}"), x: self.time.clone(), y, series }
    }

    fn work(&self) -> (Series, String) {
        let works: Vec<&Sent> =
            self.timeline.messages.iter().filter(|sent| GIVING.contains(&sent.kind)).collect();
        let every = works.len().div_ceil(MOST_LINES).max(1);
        let line = |sent: &&Sent| {
            let time = sent.time as f64 / self.unit;
            [sent.from, sent.to].map(|processor| (time, f64::from(processor) + 0.5))
        };
        let lines = works.iter().step_by(every).map(line).collect();
        let shown = if every == 1 { String::new() } else { format!(", one in {every} drawn") };
        let pieces = counted(works.len(), "piece");
        let note = format!("lines: work sent from one to another ({pieces}{shown})");
        let name = if works.is_empty() { "" } else { "work sent" };
        (Series { name: name.to_owned(), mark: Mark::Segments(lines, WORK) }, note)
    }
}

/// What is done most in a slice by those with work; nothing where they are less than a quarter.
fn most_of(shares: &Shares) -> Option<usize> {
    let idle = Activity::ALL.iter().position(|&one| one == Activity::Idle);
    let busy = |&place: &usize| Some(place) != idle && shares[place] > 0.0;
    let total: f64 = shares.iter().sum();
    let working: f64 = (0..shares.len()).filter(busy).map(|place| shares[place]).sum();
    let most = (0..shares.len()).filter(busy);
    let most = most.max_by(|&one, &two| shares[one].total_cmp(&shares[two]));
    most.filter(|_| 4.0 * working >= total)
}
