//! The options that an engine declares, and which values they take.

use board::fen::quote;

/// Options that are remembered; an engine with more is not an engine.
const MOST: usize = 4096;
/// Longer declarations, in bytes, are not remembered: they are too long for a message.
const LONGEST: usize = 16 << 10;
/// Choices of an option that are named.
const NAMED: usize = 12;

/// All options of an engine.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Options(Vec<(String, Kind)>);

/// What values an option takes.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    /// Numbers, from the first to the second.
    Spin(i64, i64),
    Check,
    Combo(Vec<String>),
    /// Any value, or the declaration does not tell.
    Other,
}

impl Options {
    /// Takes what UCI has behind `option name`: `Hash type spin default 16 min 1 max 1024`.
    pub fn declare_uci(&mut self, text: &str) {
        let (name, rest) = text.split_once(" type ").unwrap_or((text, ""));
        let number = |key: &str| {
            rest.split_whitespace().skip_while(|word| *word != key).nth(1)?.parse().ok()
        };
        let kind = match rest.split_whitespace().next() {
            Some("spin") => {
                number("min").zip(number("max")).map(|(least, most)| Kind::Spin(least, most))
            }
            Some("check") => Some(Kind::Check),
            Some("combo") => Some(Kind::Combo(
                rest.split(" var ").skip(1).map(|it| it.trim().to_owned()).collect(),
            )),
            _ => None,
        };
        self.declare(name, kind, text.len());
    }

    /// The same for a feature of xboard: `Multi PV -spin 1 1 9`, `Style -combo solid /// *wild`.
    pub fn declare_xboard(&mut self, text: &str) {
        let (name, rest) = text.split_once(" -").unwrap_or((text, ""));
        let (kind, values) = rest.split_once(' ').unwrap_or((rest, ""));
        let kind = match kind {
            "spin" => {
                let mut numbers = values.split_whitespace().skip(1).map(|word| word.parse().ok());
                let limits = numbers.next().flatten().zip(numbers.next().flatten());
                limits.map(|(least, most)| Kind::Spin(least, most))
            }
            "check" => Some(Kind::Check),
            "combo" => {
                let choices = values.split("///").map(|it| it.trim().trim_start_matches('*'));
                Some(Kind::Combo(choices.map(str::to_owned).collect()))
            }
            _ => None,
        };
        self.declare(name, kind, text.len());
    }

    fn declare(&mut self, name: &str, kind: Option<Kind>, length: usize) {
        if self.0.len() < MOST && length <= LONGEST {
            self.0.push((name.trim().to_owned(), kind.unwrap_or(Kind::Other)));
        }
    }

    /// Whether there is an option of this name, in whatever case.
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    fn find(&self, name: &str) -> Option<&Kind> {
        let is_it = |(other, _): &&(String, Kind)| other.eq_ignore_ascii_case(name);
        self.0.iter().find(is_it).map(|(_, kind)| kind)
    }

    /// What is wrong with setting an option: there is none, or it does not take the value. The words for
    /// yes and no are given, as protocols have them.
    pub fn objection(&self, name: &str, value: &str, yes_no: [&str; 2]) -> Option<String> {
        let Some(kind) = self.find(name) else {
            return Some(format!("has no option {}", quote(name)));
        };
        let is_one_of = |mut words: std::slice::Iter<'_, &str>| {
            words.any(|word| word.eq_ignore_ascii_case(value))
        };
        let takes = match kind {
            Kind::Other => return None,
            Kind::Spin(least, most) => match value.parse::<i64>() {
                Ok(number) if (*least..=*most).contains(&number) => return None,
                _ => format!("{least} to {most}"),
            },
            Kind::Check if is_one_of(yes_no.iter()) => return None,
            Kind::Check => format!("{} and {}", yes_no[0], yes_no[1]),
            Kind::Combo(choices) => {
                if choices.iter().any(|choice| choice.eq_ignore_ascii_case(value)) {
                    return None;
                }
                let more = if choices.len() > NAMED { ", …" } else { "" };
                let named: Vec<&str> = choices.iter().take(NAMED).map(String::as_str).collect();
                format!("{}{more}", named.join(", "))
            }
        };
        Some(format!("does not take {}={}: its values are {takes}", short(name), short(value)))
    }
}

/// The text, shortened.
fn short(text: &str) -> String {
    quote(text).trim_matches('"').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_with_what_was_declared() {
        let mut uci = Options::default();
        for text in [
            "Hash type spin default 16 min 1 max 1024",
            "Use Book type check default true",
            "Style type combo default Solid var Solid var Risky play",
            "Book File type string default <empty>",
            "Clear Hash type button",
            "Odd type spin default x",
            "Nothing",
        ] {
            uci.declare_uci(text);
        }
        let mut xboard = Options::default();
        for text in [
            "Hash -spin 16 1 1024",
            "Use Book -check 1",
            "Style -combo Solid /// *Risky play",
            "Book File -file x",
            "Clear Hash -button",
            "Odd -spin x",
            "Nothing",
        ] {
            xboard.declare_xboard(text);
        }
        for (options, yes_no) in [(&uci, ["true", "false"]), (&xboard, ["1", "0"])] {
            let objection = |name: &str, value: &str| options.objection(name, value, yes_no);
            for (name, value) in [
                ("hash", "1024"),
                ("Use Book", yes_no[0]),
                ("Style", "risky play"),
                ("Book File", "anything at all"),
                ("Clear Hash", ""),
                ("Odd", "9"),
                ("Nothing", "9"),
            ] {
                assert_eq!(objection(name, value), None, "{name}");
            }
            let wrong = objection("Hash", "2048");
            assert_eq!(wrong.as_deref(), Some("does not take Hash=2048: its values are 1 to 1024"));
            assert!(objection("Hash", "many").is_some() && objection("Use Book", "on").is_some());
            let wrong = objection("Style", "wild").expect("no such style");
            assert!(wrong.ends_with("its values are Solid, Risky play"), "{wrong}");
            assert_eq!(objection("Hush", "1").as_deref(), Some("has no option \"Hush\""));
        }
    }

    #[test]
    fn an_engine_cannot_fill_the_memory() {
        let mut options = Options::default();
        options.declare_uci(&"x".repeat(LONGEST + 1));
        (0..2 * MOST).for_each(|number| options.declare_uci(&number.to_string()));
        assert!(options.0.len() == MOST && options.has("0"));
    }
}
