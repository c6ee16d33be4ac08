//! Reports: text, tables and figures, written as Markdown, CSV, SVG and JSON.
//!
//! A number of a report stands in a cell of one of its tables, and the CSV file of the table holds the same
//! digits: what is read can be traced. Where a cell has several numbers (`3.09 ± 0.12`), the file has a column
//! for each.

use super::statistics::Share;
use crate::arguments::LabArguments;
use crate::failure::Failure;
use crate::sim::csv::quote;
use crate::sim::spread::mean_and_spread;
use plot::Chart;
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;
use std::thread::available_parallelism;

/// What an experiment found.
pub struct Report {
    /// What stands above it.
    pub title: String,
    sections: Vec<Section>,
}

enum Section {
    Text(String),
    Table(ReportTable),
    Figure(Figure),
}

/// A table; its file is `NAME.csv`.
pub struct ReportTable {
    name: String,
    title: String,
    columns: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

struct Figure {
    name: &'static str,
    chart: Chart,
}

/// A cell: what a reader sees, and its numbers, each with what the name of its column ends in.
pub struct Cell {
    text: String,
    parts: Vec<(&'static str, String)>,
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell { parts: vec![("", text.clone())], text }
    }
}

impl Cell {
    /// `3.09 ± 0.12`: mean and standard deviation, in units of `unit`; one value has no deviation.
    pub fn spread(values: &[f64], unit: f64, digits: usize) -> Cell {
        let (mean, spread) = mean_and_spread(values);
        let [mean, spread] = [Some(mean), spread].map(|number| {
            number.map_or(String::new(), |number| format!("{:.digits$}", number / unit))
        });
        let text = match spread.as_str() {
            "" => mean.clone(),
            spread => format!("{mean} ± {spread}"),
        };
        Cell { text, parts: vec![("", mean), (" ±", spread)] }
    }

    /// `0.368 (0.353 to 0.384)`, or nothing without cases.
    pub fn share(share: Share) -> Cell {
        let (value, interval) = (share.value(), share.interval().unzip());
        let [value, low, high] = [value, interval.0, interval.1]
            .map(|number| number.map_or(String::new(), |number| format!("{number:.4}")));
        let text = match value.as_str() {
            "" => String::new(),
            _ => format!("{value} ({low} to {high})"),
        };
        Cell { text, parts: vec![("", value), (" low", low), (" high", high)] }
    }

    /// Its numbers, filled up with empty ones.
    fn numbers(&self, count: usize) -> impl Iterator<Item = &str> {
        (0..count).map(|place| self.parts.get(place).map_or("", |(_, text)| text.as_str()))
    }

    /// `0.353 to 0.384`, or nothing.
    pub fn interval(interval: Option<(f64, f64)>, digits: usize) -> Cell {
        let ends: (Option<f64>, Option<f64>) = interval.unzip();
        let [low, high] = [ends.0, ends.1]
            .map(|number| number.map_or(String::new(), |number| format!("{number:.digits$}")));
        let text = if low.is_empty() { String::new() } else { format!("{low} to {high}") };
        Cell { text, parts: vec![(" low", low), (" high", high)] }
    }
}

impl ReportTable {
    /// A table without rows.
    pub fn new(name: impl Into<String>, title: &str, columns: &[&str]) -> ReportTable {
        let columns = columns.iter().map(|&column| column.to_owned()).collect();
        ReportTable { name: name.into(), title: title.to_owned(), columns, rows: Vec::new() }
    }

    /// One more column.
    pub fn column(&mut self, title: String) {
        self.columns.push(title);
    }

    /// One more row.
    pub fn row<C: Into<Cell>>(&mut self, cells: Vec<C>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// What a reader sees in its rows.
    #[cfg(test)]
    pub fn texts(&self) -> Vec<Vec<&str>> {
        self.rows.iter().map(|row| row.iter().map(|cell| cell.text.as_str()).collect()).collect()
    }

    /// Its numbers one by one: the names of the columns and the rows.
    fn numbers<'a>(&'a self) -> (Vec<String>, Vec<Vec<&'a str>>) {
        let ends = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            let most = cells.max_by_key(|cell| cell.parts.len());
            most.map_or(vec![""], |cell| cell.parts.iter().map(|(end, _)| *end).collect())
        };
        let ends: Vec<Vec<&str>> = (0..self.columns.len()).map(ends).collect();
        let name = |(title, ends): (&String, &Vec<&str>)| {
            ends.iter().map(|end| format!("{title}{end}")).collect::<Vec<_>>()
        };
        let row = |row: &'a Vec<Cell>| {
            row.iter().zip(&ends).flat_map(|(cell, ends)| cell.numbers(ends.len())).collect()
        };
        let names = self.columns.iter().zip(&ends).flat_map(name).collect();
        (names, self.rows.iter().map(row).collect())
    }

    fn csv(&self) -> String {
        let line = |cells: &[&str]| {
            cells.iter().map(|cell| quote(cell)).collect::<Vec<_>>().join(",") + "\n"
        };
        let (names, rows) = self.numbers();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        rows.iter().fold(line(&names), |text, row| text + &line(row))
    }

    fn json(&self) -> serde_json::Value {
        let (columns, rows) = self.numbers();
        serde_json::json!({ "name": self.name, "title": self.title, "columns": columns, "rows": rows })
    }

    fn markdown(&self) -> String {
        let line = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
        let rule = "| --- ".repeat(self.columns.len());
        let columns = line(self.columns.iter().map(String::as_str).collect());
        let mut text = format!("### {}\n\n{columns}{rule}|\n", self.title);
        for row in &self.rows {
            text += &line(row.iter().map(|cell| cell.text.as_str()).collect());
        }
        text + &format!("\n[{0}.csv]({0}.csv)\n\n", self.name)
    }
}

impl Report {
    /// A report without content.
    pub fn new(title: &str) -> Report {
        Report { title: title.to_owned(), sections: Vec::new() }
    }

    /// A paragraph.
    pub fn text(&mut self, text: impl Into<String>) {
        self.sections.push(Section::Text(text.into()));
    }

    /// A table.
    pub fn table(&mut self, table: ReportTable) {
        self.sections.push(Section::Table(table));
    }

    /// A figure; its file is `NAME.svg`.
    pub fn figure(&mut self, name: &'static str, chart: Chart) {
        self.sections.push(Section::Figure(Figure { name, chart }));
    }

    /// Writes all files into a folder; plain files of the same names are replaced. Gives the JSON object.
    pub fn write(&self, folder: &Path, provenance: &Provenance) -> Result<String, Failure> {
        let mut page = format!("# {}\n\n{}\n", self.title, provenance.text());
        for section in &self.sections {
            match section {
                Section::Text(text) => {
                    let _ = writeln!(page, "{text}\n");
                }
                Section::Table(table) => {
                    page += &table.markdown();
                    write_file(&folder.join(format!("{}.csv", table.name)), &table.csv())?;
                }
                Section::Figure(Figure { name, chart }) => {
                    let _ = writeln!(page, "![{}]({name}.svg)\n", chart.title);
                    write_file(
                        &folder.join(format!("{name}.svg")),
                        &plot::stack(std::slice::from_ref(chart), 480.0).svg(),
                    )?;
                }
            }
        }
        let tables: Vec<_> =
            self.sections.iter().filter_map(Section::as_table).map(ReportTable::json).collect();
        let json =
            serde_json::json!({ "title": self.title, "provenance": provenance, "tables": tables });
        let json = format!("{json}\n");
        write_file(&folder.join("report.json"), &json)?;
        write_file(&folder.join("report.md"), &format!("{}\n", page.trim_end()))?;
        Ok(json)
    }
}

impl Section {
    fn as_table(&self) -> Option<&ReportTable> {
        match self {
            Section::Table(table) => Some(table),
            _ => None,
        }
    }
}

/// Writes a file whole.
pub fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    files::write(path, text.as_bytes())
        .map_err(|error| Failure::Work(format!("cannot write {}: {error}", path.display())))
}

/// What must be known to repeat an experiment.
#[derive(Serialize)]
pub struct Provenance {
    source: &'static str,
    command: String,
    version: &'static str,
    processor: String,
    processors: usize,
    seed: u64,
    seconds: f64,
}

impl Provenance {
    /// Of this run.
    pub fn new(
        name: &str,
        source: &'static str,
        arguments: &LabArguments,
        seconds: f64,
    ) -> Provenance {
        Provenance {
            source,
            command: format!("rookery lab {name}{}", arguments.protocol()),
            version: crate::version::SHORT,
            processor: processor(),
            processors: available_parallelism().map_or(1, usize::from),
            seed: arguments.seed.unwrap_or(1),
            seconds: (10.0 * seconds).round() / 10.0,
        }
    }

    fn text(&self) -> String {
        let Provenance { source, command, version, processor, processors, seconds, .. } = self;
        format!(
            "After {source}. `{command}`, rookery {version}, {processors} × {processor}, {seconds} s.\n"
        )
    }
}

/// The model of the processor, where the system tells.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split(':').nth(1));
    model.map_or(std::env::consts::ARCH, str::trim).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_and_the_file_hold_the_same_cells() {
        let mut table = ReportTable::new("t", "A table", &["name", "value"]);
        table.row(vec!["a, \"b\"".to_owned(), "1.50".to_owned()]);
        table.row(vec![Cell::from("c".to_owned()), Cell::spread(&[0.1, 0.3], 0.01, 1)]);
        assert_eq!(table.csv(), "name,value,value ±\n\"a, \"\"b\"\"\",1.50,\nc,20.0,14.1\n");
        assert!(table.markdown().contains("| a, \"b\" | 1.50 |\n"), "{}", table.markdown());
        assert!(table.markdown().contains("| c | 20.0 ± 14.1 |\n"), "{}", table.markdown());
        assert_eq!(Cell::spread(&[0.5], 1.0, 2).text, "0.50");
        assert_eq!(Cell::share(Share { hits: 10, cases: 100 }).text, "0.1000 (0.0552 to 0.1744)");
        assert_eq!(Cell::share(Share::default()).text, "");
        assert_eq!(Cell::interval(Some((1.0, 2.0)), 1).text, "1.0 to 2.0");
        assert!(table.markdown().contains("| name | value |\n| --- | --- |\n"));
    }
}
