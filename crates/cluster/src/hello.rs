//! Who a process is, as it tells the first one at the start.

use std::fmt::Write;

/// What a process says of itself: lines `name: value`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hello {
    /// Must be the same everywhere: name and value.
    pub shared: Vec<(String, String)>,
    /// The host's name.
    pub host: String,
    /// What processes that can have memory in common have in common: a host, for most. Empty for alone.
    pub home: String,
    /// The number of the process there.
    pub pid: u32,
    /// The processors that the process may use.
    pub cores: u32,
    /// Those of the host.
    pub host_cores: u32,
    /// Its memory in megabytes.
    pub memory_mb: u64,
    /// What carries messages.
    pub fabric: String,
}

impl Hello {
    /// As it is sent.
    pub fn text(&self) -> String {
        let mut text = format!(
            "host: {}\nhome: {}\npid: {}\ncores: {}\nall cores: {}\nmemory: {}\nfabric: {}\n",
            one_line(&self.host),
            one_line(&self.home),
            self.pid,
            self.cores,
            self.host_cores,
            self.memory_mb,
            one_line(&self.fabric)
        );
        for (name, value) in &self.shared {
            // Writing to a string does not fail.
            let _ = writeln!(text, "={name}: {}", escaped(value));
        }
        text
    }

    /// As it was sent; what is not understood is passed over.
    pub fn read(text: &str) -> Hello {
        let mut hello = Hello::default();
        for (name, value) in text.lines().filter_map(|line| line.split_once(": ")) {
            match name {
                "host" => value.clone_into(&mut hello.host),
                "home" => value.clone_into(&mut hello.home),
                "pid" => hello.pid = value.parse().unwrap_or(0),
                "cores" => hello.cores = value.parse().unwrap_or(0),
                "all cores" => hello.host_cores = value.parse().unwrap_or(0),
                "memory" => hello.memory_mb = value.parse().unwrap_or(0),
                "fabric" => value.clone_into(&mut hello.fabric),
                _ => {
                    if let Some(name) = name.strip_prefix('=') {
                        hello.shared.push((name.to_owned(), unescaped(value)));
                    }
                }
            }
        }
        hello
    }

    /// Whether it may use some of the host's processors only: then they are its own.
    pub fn is_bound(&self) -> bool {
        self.cores < self.host_cores
    }

    /// In what another process differs, if in anything.
    pub fn disagreement(&self, other: &Hello) -> Option<String> {
        let value = |hello: &Hello, name: &str| {
            let found = hello.shared.iter().find(|(known, _)| known == name);
            found.map_or_else(|| "nothing".to_owned(), |(_, value)| value.clone())
        };
        let names = self.shared.iter().chain(&other.shared).map(|(name, _)| name);
        let mut differing = names.filter(|name| value(self, name) != value(other, name));
        let name = differing.next()?;
        Some(format!("its {name} is {}, here it is {}", value(other, name), value(self, name)))
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// On one line, and to be had back as it was: what must be the same may differ in nothing but spaces.
fn escaped(text: &str) -> String {
    text.replace('\\', r"\\").replace('\n', r"\n").replace('\r', r"\r")
}

fn unescaped(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut envelopes = text.chars();
    while let Some(envelope) = envelopes.next() {
        let meant = match envelope {
            '\\' => envelopes.next().map_or('\\', |escaped| match escaped {
                'n' => '\n',
                'r' => '\r',
                other => other,
            }),
            envelope => envelope,
        };
        whole.push(meant);
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hello(version: &str) -> Hello {
        Hello {
            shared: vec![("version".into(), version.into()), ("command".into(), "uci".into())],
            host: "a host".into(),
            home: "a home".into(),
            pid: 77,
            cores: 16,
            host_cores: 32,
            memory_mb: 1 << 17,
            fabric: "a library\nof two lines".into(),
        }
    }

    #[test]
    fn a_greeting_is_read_as_it_was_meant() {
        let again = Hello::read(&hello("1").text());
        assert_eq!(again, Hello { fabric: "a library of two lines".into(), ..hello("1") });
        assert_eq!(Hello::read("nonsense\n\u{0}: x"), Hello::default());
    }

    #[test]
    fn what_must_agree_comes_as_it_was_sent() {
        for value in
            ["rookery", "rookery ", "a  b", " ", "", "\\n\\", "two\r\nlines\n", "a: b", "é\t"]
        {
            let shared = vec![("command".to_owned(), value.to_owned())];
            let sent = Hello { shared, ..hello("1") };
            let again = Hello::read(&sent.text());
            assert_eq!(again.shared, sent.shared);
            assert_eq!(sent.disagreement(&again), None, "{value:?}");
        }
    }

    #[test]
    fn a_disagreement_is_named() {
        assert_eq!(hello("1").disagreement(&hello("1")), None);
        let differing = hello("1").disagreement(&hello("2"));
        assert_eq!(differing.as_deref(), Some("its version is 2, here it is 1"));
        let silent = hello("1").disagreement(&Hello::default());
        assert_eq!(silent.as_deref(), Some("its version is nothing, here it is 1"));
    }
}
