//! Rows as comma-separated values: those of a row's numbers and names that are no lists.

use serde::Serialize;
use serde_json::Value;
use std::io::{self, Write};

/// Writes a row and what stands in its lists but is wanted; the first one under the names of its columns.
pub fn write(
    row: &impl Serialize,
    more: &[(&str, Option<f64>)],
    is_first: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    let Value::Object(mut row) = serde_json::to_value(row).map_err(io::Error::from)? else {
        return Ok(());
    };
    row.extend(more.iter().map(|&(name, value)| (name.to_owned(), Value::from(value))));
    let cells: Vec<(&String, &Value)> =
        row.iter().filter(|(_, value)| !value.is_array() && !value.is_object()).collect();
    if is_first {
        let names: Vec<&str> = cells.iter().map(|(name, _)| name.as_str()).collect();
        writeln!(out, "{}", names.join(","))?;
    }
    let text = |value: &Value| match value {
        Value::Null => String::new(),
        Value::String(text) => quote(text),
        value => value.to_string(),
    };
    let values: Vec<String> = cells.iter().map(|(_, value)| text(value)).collect();
    writeln!(out, "{}", values.join(","))
}

/// A cell that holds a comma or a quote is quoted.
pub fn quote(cell: &str) -> String {
    match cell.contains([',', '"', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lists_are_left_out_and_names_come_first() {
        let row = json!({"a": 1, "b": [1, 2], "c": null, "d": "x, \"y\"", "e": {"f": 1}});
        let mut out = Vec::new();
        write(&row, &[("g", Some(0.5))], true, &mut out).expect("it is written");
        write(&row, &[("g", None)], false, &mut out).expect("it is written");
        let line = "1,,\"x, \"\"y\"\"\",";
        let expected = format!("a,c,d,g\n{line}0.5\n{line}\n");
        assert_eq!(String::from_utf8(out).expect("text"), expected);
    }
}
