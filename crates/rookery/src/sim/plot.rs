//! A picture of a run: how many processors did what over time, and who worked for whom.

use parallel::sim::{Activity, Sent, Timeline};
use plot::{Anchor, Canvas, Stroke};
use std::io::{self, Write};

const WIDTH: f64 = 960.0;
const LOAD_HEIGHT: f64 = 220.0;
const ROWS_HEIGHT: f64 = 420.0;
const MARGIN: f64 = 60.0;
const COLUMNS: usize = 480;
/// Parts of an axis between two ticks.
const TICKS: u32 = 4;
/// Lines between owner and helper beyond this number would cover everything.
const MOST_LINES: usize = 4000;
const FRAME: Stroke = Stroke { color: "black", width: 1.0, dashes: "" };
const WORK: Stroke = Stroke { color: "#8090a0", width: 0.4, dashes: "" };

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
    let mut canvas = Canvas::new(WIDTH + 2.0 * MARGIN, LOAD_HEIGHT + ROWS_HEIGHT + 4.0 * MARGIN);
    let title = format!("Load of {} processors", timeline.segments.len());
    canvas.text((MARGIN, 30.0), Anchor::Start, &title);
    for (place, activity) in Activity::ALL.into_iter().enumerate() {
        let x = MARGIN + 360.0 + place as f64 * 110.0;
        canvas.rectangle((x, 20.0), (12.0, 12.0), color(activity));
        canvas.text((x + 16.0, 30.0), Anchor::Start, activity.name());
    }
    draw_load(&mut canvas, timeline, end);
    draw_axes(&mut canvas, MARGIN, LOAD_HEIGHT, end, "processors, %");
    for step in 0..=TICKS {
        let part = f64::from(step) / f64::from(TICKS);
        let (y, percent) = (MARGIN + (1.0 - part) * LOAD_HEIGHT + 4.0, 100.0 * part);
        canvas.text((MARGIN - 6.0, y), Anchor::End, &percent.to_string());
    }
    let top = LOAD_HEIGHT + 2.5 * MARGIN;
    draw_rows(&mut canvas, timeline, end, top);
    draw_axes(&mut canvas, top, ROWS_HEIGHT, end, "processor");
    canvas.text((MARGIN - 6.0, top + 10.0), Anchor::End, "0");
    let last = timeline.segments.len().saturating_sub(1).to_string();
    canvas.text((MARGIN - 6.0, top + ROWS_HEIGHT), Anchor::End, &last);
    canvas.finish()
}

/// The frame of a part that begins at `top`, its time, and what is counted upwards.
fn draw_axes(canvas: &mut Canvas, top: f64, height: f64, end: u64, upwards: &str) {
    let bottom = top + height;
    canvas.line(&[(MARGIN, top), (MARGIN, bottom), (MARGIN + WIDTH, bottom)], FRAME);
    for step in 0..=TICKS {
        let part = f64::from(step) / f64::from(TICKS);
        let milliseconds = format!("{:.3}", part * end as f64 / 1e6);
        canvas.text((MARGIN + part * WIDTH, bottom + 16.0), Anchor::Middle, &milliseconds);
    }
    canvas.text((MARGIN + WIDTH / 2.0, bottom + 34.0), Anchor::Middle, "virtual time, ms");
    canvas.upwards((16.0, top + height / 2.0), upwards);
}

/// The shares of the activities in each slice of time, one above the other.
fn draw_load(canvas: &mut Canvas, timeline: &Timeline, end: u64) {
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
            let place = (MARGIN + column as f64 * width, top);
            canvas.rectangle(place, (width, height), color(activity));
        }
    }
}

/// A row for each processor, and a line for each piece of work from its owner to its helper.
fn draw_rows(canvas: &mut Canvas, timeline: &Timeline, end: u64, top: f64) {
    let row = ROWS_HEIGHT / timeline.segments.len().max(1) as f64;
    let x_of = |time: u64| MARGIN + time as f64 / end as f64 * WIDTH;
    let y_of = |processor: u32| top + (f64::from(processor) + 0.5) * row;
    for (processor, segments) in timeline.segments.iter().enumerate() {
        for segment in segments.iter().filter(|segment| segment.activity != Activity::Idle) {
            let (x, y) = (x_of(segment.begin), top + processor as f64 * row);
            let width = x_of(segment.end) - x;
            if width >= 0.05 {
                canvas.rectangle((x, y), (width, row * 0.8), color(segment.activity));
            }
        }
    }
    let works: Vec<&Sent> = timeline.messages.iter().filter(|sent| sent.kind == "work").collect();
    let every = works.len().div_ceil(MOST_LINES).max(1);
    for sent in works.iter().step_by(every) {
        let (x, from, to) = (x_of(sent.time), y_of(sent.from), y_of(sent.to));
        canvas.line(&[(x, from), (x, to)], WORK);
        canvas.rectangle((x - 1.0, to - 1.0), (2.0, 2.0), "#204060");
    }
    let shown = if every == 1 { String::new() } else { format!(", one in {every} drawn") };
    let note = format!(
        "A row for each processor; lines lead from owners to their helpers ({} pieces of work{shown})",
        works.len()
    );
    canvas.text((MARGIN, top - 10.0), Anchor::Start, &note);
}
