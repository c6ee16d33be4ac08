//! The course of a run as a file: one line for each span of time and for each message.

use parallel::sim::Timeline;
use std::io::{self, BufWriter, Write};

/// Writes tab-separated lines.
pub fn write(out: &mut impl Write, timeline: &Timeline) -> io::Result<()> {
    let mut file = BufWriter::new(out);
    writeln!(file, "what\tprocessor\tbegin_ns\tend_ns\tto")?;
    for (processor, segments) in timeline.segments.iter().enumerate() {
        for segment in segments {
            let name = segment.activity.name();
            writeln!(file, "{name}\t{processor}\t{}\t{}\t", segment.begin, segment.end)?;
        }
    }
    for sent in &timeline.messages {
        writeln!(file, "{}\t{}\t{}\t\t{}", sent.kind, sent.from, sent.time, sent.to)?;
    }
    file.flush()
}
