//! What the program says of a network, as numbers, and the table of them.

use serde_json::{Value, json};

/// What `cluster pingpong` and `cluster doctor` tell, in one delay.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Way {
    /// What was asked for, in one direction.
    pub delay_us: u64,
    /// The shortest round trip.
    pub least_us: f64,
    /// The one in the middle.
    pub median_us: f64,
    /// The smallest depth of a child that goes to the other host.
    pub grain: i64,
}

/// The size of the messages whose round trips are shown: that of a small envelope.
const BYTES: u64 = 48;

impl Way {
    /// Reads what the two commands say.
    pub fn read(delay_us: u64, pingpong: &str, doctor: &str) -> Result<Way, String> {
        let trips = objects(pingpong)?;
        let trip = trips.iter().find(|trip| trip["bytes"].as_u64() == Some(BYTES));
        let trip = trip.ok_or_else(|| format!("pingpong tells nothing of {BYTES} bytes"))?;
        let doctor = objects(doctor)?;
        let grain = doctor.iter().find_map(|said| said["grain"].as_i64());
        Ok(Way {
            delay_us,
            least_us: number(trip, "least_us")?,
            median_us: number(trip, "median_us")?,
            grain: grain.ok_or("doctor tells no grain")?,
        })
    }
}

/// A strategy over one delay.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    way: Way,
    others: f64,
    strategy: String,
    sequential_seconds: f64,
    speedup: f64,
    least_speedup: f64,
    most_speedup: f64,
    node_rate: f64,
    search_overhead: f64,
    messages_per_1000_nodes: f64,
    dropped: u64,
}

impl Row {
    /// Reads what `speedup --json` says: one for each strategy.
    pub fn read(way: Way, others: f64, speedup: &str) -> Result<Vec<Row>, String> {
        let rows: Vec<Row> = objects(speedup)?
            .iter()
            .map(|report| {
                // Messages are those of all repetitions, nodes those of one.
                let nodes = number(report, "nodes")? * number(report, "repetitions")?;
                Ok(Row {
                    way,
                    others,
                    strategy: report["strategy"].as_str().unwrap_or("?").to_owned(),
                    sequential_seconds: number(report, "sequential_seconds")?,
                    speedup: number(report, "speedup")?,
                    least_speedup: number(report, "least_speedup")?,
                    most_speedup: number(report, "most_speedup")?,
                    node_rate: number(report, "node_rate")?,
                    search_overhead: number(report, "search_overhead")?,
                    messages_per_1000_nodes: 1000.0 * number(report, "network_messages")?
                        / nodes.max(1.0),
                    dropped: number(report, "network_dropped")? as u64,
                })
            })
            .collect::<Result<_, String>>()?;
        if rows.is_empty() { Err("speedup tells nothing".to_owned()) } else { Ok(rows) }
    }

    /// For other programs.
    pub fn json(&self) -> String {
        json!({
            "delay_us": self.way.delay_us,
            "least_round_trip_us": self.way.least_us,
            "median_round_trip_us": self.way.median_us,
            "grain": self.way.grain,
            "strategy": self.strategy,
            "sequential_seconds": self.sequential_seconds,
            "speedup": self.speedup,
            "least_speedup": self.least_speedup,
            "most_speedup": self.most_speedup,
            "node_rate": self.node_rate,
            "search_overhead": self.search_overhead,
            "messages_per_1000_nodes": self.messages_per_1000_nodes,
            "dropped": self.dropped,
            "other_processors": self.others,
        })
        .to_string()
    }

    /// For readers, under [`HEADER`].
    pub fn line(&self) -> String {
        format!(
            "{:>8}  {:>13.3}  {:>6.3}  {:>5}  {:<8}  {:>7.2}  {:>7.2}  {:>5.2} to {:>5.2}   {:>9.2}  {:>10.1}  {:>13.2}  {:>7}  {:>6.2}",
            self.way.delay_us as f64 / 1e3,
            self.way.least_us / 1e3,
            self.way.median_us / 1e3,
            self.way.grain,
            self.strategy,
            self.sequential_seconds,
            self.speedup,
            self.least_speedup,
            self.most_speedup,
            self.node_rate,
            100.0 * self.search_overhead,
            self.messages_per_1000_nodes,
            self.dropped,
            self.others,
        )
    }
}

/// What stands above the lines. Alone is the time of one process without the other; others are the
/// processors that were busy with something else.
pub const HEADER: &str = "\
delay ms  round trip ms  median  grain  strategy  alone s  speedup  (least to most)  node rate  overhead %  messages/1000  dropped  others";

/// The JSON objects among lines; the launcher may say something in between.
fn objects(text: &str) -> Result<Vec<Value>, String> {
    let lines = text.lines().filter(|line| line.starts_with('{'));
    lines
        .map(|line| serde_json::from_str(line).map_err(|error| format!("{line}: {error}")))
        .collect()
}

fn number(object: &Value, name: &str) -> Result<f64, String> {
    object[name].as_f64().ok_or_else(|| format!("there is no number {name} in {object}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PINGPONG: &str = r#"{"way":"library","process":1,"bytes":16,"rounds":9,"least_us":1.0,"median_us":2.0}
{"way":"library","process":1,"bytes":48,"rounds":9,"least_us":20210.5,"median_us":20400.0}"#;
    const DOCTOR: &str = r#"{"hosts":[],"grain":12,"table":"shared","advice":[]}"#;
    const SPEEDUP: &str = r#"a line of the launcher
{"strategy":"ybw","repetitions":2,"sequential_seconds":1.5,"nodes":1000000,"speedup":1.25,"least_speedup":1.0,"most_speedup":1.5,"node_rate":1.8,"search_overhead":0.44,"network_messages":3000,"network_dropped":4}"#;

    #[test]
    fn what_the_program_says_becomes_a_line() {
        let way = Way::read(10_000, PINGPONG, DOCTOR).unwrap();
        let rows = Row::read(way, 0.75, SPEEDUP).unwrap();
        assert_eq!(rows.len(), 1);
        let line = rows[0].line();
        let words: Vec<&str> = line.split_whitespace().collect();
        let wanted = "10 20.210 20.400 12 ybw 1.50 1.25 1.00 to 1.50 1.80 44.0 1.50 4 0.75"
            .split_whitespace();
        assert_eq!(words, wanted.collect::<Vec<_>>());
        assert_eq!(line.len(), HEADER.len());
        let json: Value = serde_json::from_str(&rows[0].json()).unwrap();
        assert_eq!((&json["grain"], &json["dropped"]), (&json!(12), &json!(4)));
        assert_eq!(json["messages_per_1000_nodes"], json!(1.5));
    }

    #[test]
    fn what_is_missing_is_named() {
        assert!(Way::read(1, "", DOCTOR).unwrap_err().contains("48 bytes"));
        assert!(Way::read(1, PINGPONG, "{}").unwrap_err().contains("grain"));
        assert!(Way::read(1, "{\"bytes\":48", DOCTOR).is_err());
        let way = Way::read(1, PINGPONG, DOCTOR).unwrap();
        assert!(Row::read(way, 0.0, "nothing").is_err());
        let said = Row::read(way, 0.0, "{\"strategy\":\"ybw\"}").unwrap_err();
        assert!(said.contains("nodes"), "{said}");
    }
}
