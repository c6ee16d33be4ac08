//! The course of a run as a file: one line for each span of time and for each message.

use files::Replacement;
use parallel::sim::Timeline;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes tab-separated lines, in the place of a plain file of that name.
pub fn write(path: &Path, timeline: &Timeline) -> io::Result<()> {
    let mut file = BufWriter::new(Replacement::create(path)?);
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
    file.into_inner().map_err(io::IntoInnerError::into_error)?.commit()
}
