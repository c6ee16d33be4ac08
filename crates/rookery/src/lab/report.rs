//! Reports: text, tables and figures, written as Markdown, CSV, SVG and JSON.
//!
//! A number of a report stands in a cell of one of its tables, and the CSV file of the table holds the same
//! text: what is read can be traced.

use crate::arguments::LabArguments;
use crate::failure::Failure;
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
    Table(Table),
    Figure(Figure),
}

/// A table; its file is `NAME.csv`.
#[derive(Serialize)]
pub struct Table {
    name: String,
    title: String,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

struct Figure {
    name: &'static str,
    chart: Chart,
}

impl Table {
    /// A table without rows.
    pub fn new(name: impl Into<String>, title: &str, columns: &[&str]) -> Table {
        let columns = columns.iter().map(|&column| column.to_owned()).collect();
        Table { name: name.into(), title: title.to_owned(), columns, rows: Vec::new() }
    }

    /// One more column.
    pub fn column(&mut self, title: String) {
        self.columns.push(title);
    }

    /// One more row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Its rows.
    #[cfg(test)]
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    fn csv(&self) -> String {
        let line = |cells: &[String]| {
            cells.iter().map(|cell| quote(cell)).collect::<Vec<_>>().join(",") + "\n"
        };
        self.rows.iter().fold(line(&self.columns), |text, row| text + &line(row))
    }

    fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let rule = "| --- ".repeat(self.columns.len());
        let mut text = format!("### {}\n\n{}{rule}|\n", self.title, line(&self.columns));
        self.rows.iter().for_each(|row| text += &line(row));
        text + &format!("\n[{0}.csv]({0}.csv)\n\n", self.name)
    }
}

/// A cell that holds a comma or a quote is quoted.
fn quote(cell: &str) -> String {
    match cell.contains([',', '"', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
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
    pub fn table(&mut self, table: Table) {
        self.sections.push(Section::Table(table));
    }

    /// A figure; its file is `NAME.svg`.
    pub fn figure(&mut self, name: &'static str, chart: Chart) {
        self.sections.push(Section::Figure(Figure { name, chart }));
    }

    /// Writes all files into a folder; plain files of the same names are replaced.
    pub fn write(&self, folder: &Path, provenance: &Provenance) -> Result<(), Failure> {
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
        let tables: Vec<&Table> = self.sections.iter().filter_map(Section::as_table).collect();
        let json =
            serde_json::json!({ "title": self.title, "provenance": provenance, "tables": tables });
        write_file(&folder.join("report.json"), &format!("{json}\n"))?;
        write_file(&folder.join("report.md"), &format!("{}\n", page.trim_end()))
    }
}

impl Section {
    fn as_table(&self) -> Option<&Table> {
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
        let quick = if arguments.quick { " --quick" } else { "" };
        let first = arguments.first.map_or(String::new(), |first| format!(" --first {first}"));
        Provenance {
            source,
            command: format!("rookery lab {name}{quick}{first} --seed {}", arguments.seed),
            version: crate::version::SHORT,
            processor: processor(),
            processors: available_parallelism().map_or(1, usize::from),
            seed: arguments.seed,
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
        let mut table = Table::new("t", "A table", &["name", "value"]);
        table.row(vec!["a, \"b\"".to_owned(), "1.50".to_owned()]);
        assert_eq!(table.csv(), "name,value\n\"a, \"\"b\"\"\",1.50\n");
        assert!(table.markdown().contains("| a, \"b\" | 1.50 |\n"), "{}", table.markdown());
        assert!(table.markdown().contains("| name | value |\n| --- | --- |\n"));
    }
}
