//! The course of a run as a file: one line for each span of time and for each message.

use board::CastlingStyle;
use parallel::timeline::Timeline;
use std::io::{self, BufWriter, Write};

const HEAD: &str = "what\tprocessor\tbegin_ns\tend_ns\tto\ttask\tdepth\tply\tmove";

/// Writes tab-separated lines.
pub fn write(out: &mut impl Write, timeline: &Timeline) -> io::Result<()> {
    let mut file = BufWriter::new(out);
    writeln!(file, "{HEAD}")?;
    for_each_line(timeline, |line| writeln!(file, "{line}"))?;
    file.flush()
}

/// Writes comma-separated lines of a real search and a simulated one.
pub fn write_both(out: &mut impl Write, real: &Timeline, simulated: &Timeline) -> io::Result<()> {
    let mut file = BufWriter::new(out);
    writeln!(file, "machine,{}", HEAD.replace('\t', ","))?;
    for (machine, timeline) in [("real", real), ("simulated", simulated)] {
        for_each_line(timeline, |line| writeln!(file, "{machine},{}", line.replace('\t', ",")))?;
    }
    file.flush()
}

fn for_each_line(
    timeline: &Timeline,
    mut write: impl FnMut(&str) -> io::Result<()>,
) -> io::Result<()> {
    for (processor, segments) in timeline.segments.iter().enumerate() {
        for segment in segments {
            let (name, begin, end) = (segment.activity.name(), segment.begin, segment.end);
            let place = segment.place.map_or("\t\t\t".to_owned(), |place| {
                let mv = place.mv.map_or(String::new(), |mv| mv.uci(CastlingStyle::Standard));
                let task = place.task;
                format!("{}.{}\t{}\t{}\t{mv}", task.issuer, task.number, place.depth, place.ply)
            });
            write(&format!("{name}\t{processor}\t{begin}\t{end}\t\t{place}"))?;
        }
    }
    for sent in &timeline.messages {
        let task = sent.task.map(|task| format!("{}.{}", task.issuer, task.number));
        let (kind, from, time, to) = (sent.kind, sent.from, sent.time, sent.to);
        write(&format!("{kind}\t{from}\t{time}\t\t{to}\t{}\t\t\t", task.unwrap_or_default()))?;
    }
    Ok(())
}
