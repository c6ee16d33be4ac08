//! A picture of a run: how many processors did what over time, and who worked for whom.

use parallel::sim::{Activity, Sent, Timeline};
use std::fmt::Write as _;
use std::io::{self, Write};

const WIDTH: f64 = 960.0;
const LOAD_HEIGHT: f64 = 220.0;
const ROWS_HEIGHT: f64 = 420.0;
const MARGIN: f64 = 50.0;
const COLUMNS: usize = 480;
/// Lines between master and slave beyond this number would cover everything.
const MOST_LINES: usize = 4000;

/// Draws.
pub fn write(out: &mut impl Write, timeline: &Timeline) -> io::Result<()> {
    out.write_all(draw(timeline).as_bytes())
}

fn color(activity: Activity) -> &'static str {
    match activity {
        Activity::Search => "#3b7d4f",
        Activity::Message => "#d9a441",
        Activity::Table => "#8a6fb0",
        Activity::Wait => "#c0584f",
        Activity::Idle => "#e4e4e4",
    }
}

fn draw(timeline: &Timeline) -> String {
    let ends = timeline.segments.iter().filter_map(|segments| segments.last());
    let end = ends.map(|segment| segment.end).max().unwrap_or(0).max(1);
    let mut svg = String::new();
    let height = LOAD_HEIGHT + ROWS_HEIGHT + 3.0 * MARGIN;
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\"><rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
        WIDTH + 2.0 * MARGIN
    );
    draw_load(&mut svg, timeline, end);
    draw_rows(&mut svg, timeline, end);
    svg.push_str("</svg>\n");
    svg
}

/// The shares of the activities in each slice of time, one above the other.
fn draw_load(svg: &mut String, timeline: &Timeline, end: u64) {
    let mut shares = vec![[0.0f64; Activity::ALL.len()]; COLUMNS];
    let slice = end as f64 / COLUMNS as f64;
    for segment in timeline.segments.iter().flatten() {
        let place = Activity::ALL.iter().position(|&one| one == segment.activity).unwrap_or(0);
        let (begin, until) = (segment.begin as f64 / slice, segment.end as f64 / slice);
        let columns = begin as usize..=until as usize;
        for (column, share) in columns.clone().zip(shares.iter_mut().skip(*columns.start())) {
            let part = until.min(column as f64 + 1.0) - begin.max(column as f64);
            share[place] += part.max(0.0);
        }
    }
    let processors = timeline.segments.len().max(1) as f64;
    let width = WIDTH / COLUMNS as f64;
    for (column, share) in shares.iter().enumerate() {
        let mut top = MARGIN + LOAD_HEIGHT;
        for (activity, part) in Activity::ALL.into_iter().zip(share) {
            let height = part / processors * LOAD_HEIGHT;
            top -= height;
            let x = MARGIN + column as f64 * width;
            let fill = color(activity);
            let _ = writeln!(
                svg,
                "<rect x=\"{x:.2}\" y=\"{top:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" fill=\"{fill}\"/>"
            );
        }
    }
    let seconds = end as f64 / 1e9;
    let _ = writeln!(
        svg,
        "<text x=\"{MARGIN}\" y=\"30\">Load of {} processors over {seconds:.3} s</text>",
        timeline.segments.len()
    );
    for (place, activity) in Activity::ALL.into_iter().enumerate() {
        let x = MARGIN + 360.0 + place as f64 * 110.0;
        let (fill, name) = (color(activity), activity.name());
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"20\" width=\"12\" height=\"12\" fill=\"{fill}\"/>\
             <text x=\"{}\" y=\"30\">{name}</text>",
            x + 16.0
        );
    }
}

/// A row for each processor, and a line for each piece of work from its master to its slave.
fn draw_rows(svg: &mut String, timeline: &Timeline, end: u64) {
    let top = LOAD_HEIGHT + 2.0 * MARGIN;
    let row = ROWS_HEIGHT / timeline.segments.len().max(1) as f64;
    let x_of = |time: u64| MARGIN + time as f64 / end as f64 * WIDTH;
    let y_of = |processor: u32| top + (f64::from(processor) + 0.5) * row;
    for (processor, segments) in timeline.segments.iter().enumerate() {
        for segment in segments.iter().filter(|segment| segment.activity != Activity::Idle) {
            let (x, y) = (x_of(segment.begin), top + processor as f64 * row);
            let width = x_of(segment.end) - x;
            if width < 0.05 {
                continue;
            }
            let fill = color(segment.activity);
            let _ = writeln!(
                svg,
                "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{:.2}\" fill=\"{fill}\"/>",
                row * 0.8
            );
        }
    }
    let works: Vec<&Sent> = timeline.messages.iter().filter(|sent| sent.kind == "work").collect();
    let every = works.len().div_ceil(MOST_LINES).max(1);
    for sent in works.iter().step_by(every) {
        let (x, from, to) = (x_of(sent.time), y_of(sent.from), y_of(sent.to));
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.2}\" y1=\"{from:.2}\" x2=\"{x:.2}\" y2=\"{to:.2}\" \
             stroke=\"#204060\" stroke-width=\"0.4\" opacity=\"0.5\"/>\
             <circle cx=\"{x:.2}\" cy=\"{to:.2}\" r=\"1\" fill=\"#204060\"/>"
        );
    }
    let shown = if every == 1 { String::new() } else { format!(", one in {every} drawn") };
    let _ = writeln!(
        svg,
        "<text x=\"{MARGIN}\" y=\"{:.1}\">A row for each processor; lines lead from masters to their \
         slaves ({} pieces of work{shown})</text>",
        top - 10.0,
        works.len()
    );
}
