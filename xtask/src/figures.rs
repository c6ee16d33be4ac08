//! `cargo xtask figures`: the pictures of the lab reports, drawn from the tables that stand in them. What a
//! picture shows is what the table says, and a test compares the two.

use plot::{Anchor, Axis, COLORS, Canvas, Chart, GRID, INK, Mark, Scale, Series, Stroke};
use std::fs;
use std::path::Path;

/// A picture: its file, the report, what stands before its table, and how it is drawn.
struct Figure {
    file: &'static str,
    report: &'static str,
    heading: &'static str,
    draw: fn(&PageTable) -> Option<Canvas>,
}

const FIGURES: [Figure; 5] = [
    Figure {
        file: "comparison.svg",
        report: "comparison.md",
        heading: "## To 1024 processors",
        draw: comparison,
    },
    Figure {
        file: "threads.svg",
        report: "threads.md",
        heading: "## Sixteen cores",
        draw: threads,
    },
    Figure {
        file: "rivals.svg",
        report: "threads.md",
        heading: "## Beside other engines",
        draw: rivals,
    },
    Figure {
        file: "strength.svg",
        report: "strength.md",
        heading: "## Against other engines",
        draw: strength,
    },
    Figure {
        file: "figure8.svg",
        report: "figure8.md",
        heading: "# What the enhancements of alpha-beta save",
        draw: enhancements,
    },
];

/// The cells of a table, its heads first.
struct PageTable(Vec<Vec<String>>);

impl PageTable {
    /// The first table behind a heading.
    fn read(page: &str, heading: &str) -> Option<PageTable> {
        let lines = page.lines().skip_while(|line| *line != heading);
        let lines = lines.skip_while(|line| !line.starts_with('|'));
        let rows = lines.take_while(|line| line.starts_with('|'));
        let rows: Vec<Vec<String>> = rows
            .map(|line| {
                line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
            })
            .collect();
        (rows.len() > 2).then_some(PageTable(rows))
    }

    fn column(&self, head: &str) -> Option<usize> {
        self.0.first()?.iter().position(|cell| cell == head)
    }

    /// These columns of all rows.
    fn rows<const N: usize>(&self, heads: [&str; N]) -> Option<Vec<[&str; N]>> {
        let mut columns = [0; N];
        for (place, head) in columns.iter_mut().zip(heads) {
            *place = self.column(head)?;
        }
        let rows = self.0.iter().skip(2);
        let cells = |row: &'_ Vec<String>| columns.iter().all(|&place| place < row.len());
        Some(
            rows.filter(|row| cells(row))
                .map(|row| columns.map(|place| row[place].as_str()))
                .collect(),
        )
    }
}

/// A number, with a true minus sign or not.
fn number(text: &str) -> Option<f64> {
    text.trim().replace('−', "-").trim_start_matches('+').parse().ok()
}

fn powers(title: &str, last: f64) -> Axis {
    let ticks = (0..=last.log2().ceil() as i32).map(|power| f64::from(power).exp2()).collect();
    Axis { title: title.to_owned(), scale: Scale::Powers, ticks }
}

fn equal(what: &str, last: f64) -> Series {
    let grey = Stroke { color: "#999999", width: 1.0, dashes: &[] };
    Series::line(format!("as many as {what}"), vec![(1.0, 1.0), (last, last)], grey)
}

/// Speedups of all strategies on simulated machines.
fn comparison(table: &PageTable) -> Option<Canvas> {
    let rows = table.rows(["strategy", "processors", "speedup", "ideal"])?;
    let most = rows.iter().filter_map(|row| number(row[1])).fold(2.0, f64::max);
    let mut series = vec![equal("processors", most)];
    let mut names: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    names.dedup();
    for (name, color) in names.into_iter().zip(COLORS) {
        let own = || rows.iter().filter(|row| row[0] == name);
        let through = |column: usize| -> Option<Vec<(f64, f64)>> {
            let points = own().map(|row| Some((number(row[1])?, number(row[column])?)));
            std::iter::once(Some((1.0, 1.0))).chain(points).collect()
        };
        let last = own().next_back().map_or("", |row| row[2]);
        let whole = Stroke { color, width: 2.0, dashes: &[] };
        let broken = Stroke { color, width: 1.0, dashes: &[4.0, 4.0] };
        series.push(Series::line(format!("{name} {last}"), through(2)?, whole));
        series.push(Series::line("", through(3)?, broken));
    }
    let title = "Speedup on a simulated cluster; broken lines: messages cost nothing".to_owned();
    let (x, y) = (powers("processors", most), powers("speedup over one processor", most));
    Some(plot::stack(&[Chart { title, x, y, series }], 400.0))
}

/// Speedup of real threads, from the least to the most of the repetitions.
fn threads(table: &PageTable) -> Option<Canvas> {
    let rows = table.rows(["threads", "speedup", "least to most", "node rate"])?;
    let (mut band, mut line) = (vec![(1.0, 1.0, 1.0)], vec![(1.0, 1.0)]);
    let mut rate = line.clone();
    for [threads, speedup, range, nodes] in rows {
        let (threads, (least, most)) = (number(threads)?, range.split_once(" to ")?);
        band.push((threads, number(least)?, number(most)?));
        line.push((threads, number(speedup)?));
        rate.push((threads, number(nodes)?));
    }
    let most = line.last()?.0;
    let stroke = Stroke { color: COLORS[0], width: 2.0, dashes: &[] };
    let broken = Stroke { color: COLORS[2], width: 1.5, dashes: &[4.0, 4.0] };
    let series = vec![
        equal("threads", most),
        Series { name: "least to most".to_owned(), mark: Mark::Band(band, COLORS[0], 0.2) },
        Series::line("nodes a second", rate, broken),
        Series::line("time to a depth", line.clone(), stroke),
        Series { name: String::new(), mark: Mark::Dots(line, COLORS[0]) },
    ];
    let title = "Young brothers wait on the threads of one host, measured".to_owned();
    let (x, y) = (powers("threads", most), powers("times as fast as one thread", most));
    Some(plot::stack(&[Chart { title, x, y, series }], 300.0))
}

/// Speedup of several engines; a dash is what was not measured.
fn rivals(table: &PageTable) -> Option<Canvas> {
    const THREADS: [&str; 4] = ["2", "4", "8", "16"];
    let (names, speedups) = (table.rows(["engine"])?, table.rows(THREADS)?);
    let mut series = vec![equal("threads", 16.0)];
    for (number_of_row, ([name], row)) in names.into_iter().zip(speedups).enumerate() {
        let measured = THREADS.into_iter().zip(row).filter(|(_, cell)| *cell != "–");
        let points: Option<Vec<(f64, f64)>> = std::iter::once(Some((1.0, 1.0)))
            .chain(measured.map(|(threads, cell)| Some((number(threads)?, number(cell)?))))
            .collect();
        let width = if number_of_row == 0 { 3.0 } else { 1.5 };
        let color = COLORS[number_of_row % COLORS.len()];
        series.push(Series::line(name, points.clone()?, Stroke { color, width, dashes: &[] }));
        series.push(Series { name: String::new(), mark: Mark::Dots(points?, color) });
    }
    let title = "Time to a fixed depth on the threads of one host, measured".to_owned();
    let (x, y) = (powers("threads", 16.0), powers("times as fast as one thread", 16.0));
    Some(plot::stack(&[Chart { title, x, y, series }], 320.0))
}

/// Nodes of each enhancement, by depth.
fn enhancements(table: &PageTable) -> Option<Canvas> {
    let depths = table.0.first()?.iter().skip(1).map(|depth| number(depth));
    let depths: Vec<f64> = depths.collect::<Option<_>>()?;
    let mut series = Vec::new();
    for (index, row) in table.0.iter().skip(2).enumerate() {
        let values: Option<Vec<f64>> = row.iter().skip(1).map(|cell| number(cell)).collect();
        let dashes: &[f64] = if index < COLORS.len() { &[] } else { &[6.0, 3.0] };
        let stroke = Stroke { color: COLORS[index % COLORS.len()], width: 2.0, dashes };
        let points = depths.iter().copied().zip(values?).collect();
        series.push(Series::line(row.first()?.as_str(), points, stroke));
    }
    let title = "What each enhancement of alpha-beta saves".to_owned();
    let x = Axis { title: "search depth, plies".to_owned(), scale: Scale::Linear, ticks: depths };
    let y = Axis::linear("nodes, % of direct alpha-beta", 0.0, 100.0, 10);
    Some(plot::stack(&[Chart { title, x, y, series }], 480.0))
}

/// Elo against other engines: a row for each, with its error.
fn strength(table: &PageTable) -> Option<Canvas> {
    const ROW: f64 = 34.0;
    const LEFT: f64 = 190.0;
    const WIDTH: f64 = 520.0;
    const RANGE: f64 = 700.0;
    let rows = table.rows(["opponent", "games", "Elo"])?;
    let bottom = 50.0 + ROW * rows.len() as f64;
    let mut canvas = Canvas::new(LEFT + WIDTH + 190.0, bottom + 56.0);
    let at = |elo: f64| LEFT + (elo.clamp(-RANGE, RANGE) + RANGE) / (2.0 * RANGE) * WIDTH;
    let title = "Rookery against other engines: Elo with 95 % error";
    canvas.text((16.0, 24.0), Anchor::Start, title);
    for tick in (-600..=600).step_by(200) {
        let x = at(f64::from(tick));
        let color = if tick == 0 { INK } else { GRID };
        canvas.line(&[(x, 40.0), (x, bottom)], Stroke { color, width: 1.0, dashes: &[] });
        canvas.text((x, bottom + 18.0), Anchor::Middle, &tick.to_string());
    }
    canvas.text(
        (LEFT + WIDTH / 2.0, bottom + 38.0),
        Anchor::Middle,
        "Elo of Rookery over the opponent",
    );
    for ([opponent, games, elo], row) in rows.into_iter().zip(0u32..) {
        let (value, error) = elo.split_once(" ± ")?;
        let (value, error, y) =
            (number(value)?, number(error)?, 40.0 + ROW * (f64::from(row) + 0.7));
        let name = opponent.split(" (").next()?;
        let color = if value < 0.0 { COLORS[1] } else { COLORS[2] };
        canvas.text((LEFT - 12.0, y + 4.0), Anchor::End, name);
        let bar = Stroke { color, width: 2.0, dashes: &[] };
        canvas.line(&[(at(value - error), y), (at(value + error), y)], bar);
        canvas.dots(vec![(at(value), y)], 5.0, color);
        let words = format!("{elo}, {games} games");
        canvas.text((LEFT + WIDTH + 12.0, y + 4.0), Anchor::Start, &words);
    }
    Some(canvas)
}

/// The picture as it should be; or why it cannot be drawn.
fn drawn(root: &Path, figure: &Figure) -> Result<String, String> {
    let path = root.join("docs/lab").join(figure.report);
    let page = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let canvas = PageTable::read(&page, figure.heading).and_then(|table| (figure.draw)(&table));
    canvas.map(|canvas| canvas.svg()).ok_or_else(|| {
        format!("{}: the table behind {:?} is another one", figure.report, figure.heading)
    })
}

/// Draws all of them; whether that went well.
pub fn run(root: &Path) -> bool {
    FIGURES.iter().all(|figure| {
        let path = root.join("docs/lab").join(figure.file);
        let written = drawn(root, figure)
            .and_then(|text| fs::write(&path, text).map_err(|error| error.to_string()));
        match written {
            Ok(()) => println!("figures: docs/lab/{}", figure.file),
            Err(ref reason) => eprintln!("xtask: {}: {reason}", figure.file),
        }
        written.is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pictures_show_what_the_tables_say() {
        let root = crate::root();
        for figure in &FIGURES {
            let expected = drawn(&root, figure).expect(figure.file);
            let found =
                fs::read_to_string(root.join("docs/lab").join(figure.file)).expect(figure.file);
            assert!(found == expected, "{}: run `cargo xtask figures`", figure.file);
        }
    }

    #[test]
    fn a_table_without_the_columns_is_refused() {
        let page = "## A\n\n| opponent | Elo |\n| --- | --- |\n| x | +3 ± 2 |\n";
        let table = PageTable::read(page, "## A").expect("a table");
        assert!(strength(&table).is_none() && PageTable::read(page, "## B").is_none());
        assert_eq!((number("−478"), number("+60"), number("x")), (Some(-478.0), Some(60.0), None));
    }
}
