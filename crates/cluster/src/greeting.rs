//! Greetings and farewells: all processes meet before anything is done together, and end together.

use crate::Link;
use crate::frame::Frame;
use crate::host_map::Location;
use crate::settings::Setting;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How long the processes wait for each other at the start: hosts may begin at different times.
const GREETING: Duration = Duration::from_secs(60);
/// How long the first waits for the farewells of the others.
const FAREWELL: Duration = Duration::from_secs(5);
/// How long what was said last may take to leave, and how long where some of it never will.
const LAST_WORDS: Duration = Duration::from_secs(2);
const LAST_WORDS_IN_VAIN: Duration = Duration::from_millis(300);

/// What a process says of itself at the start. Its form is that of all versions: what is added later goes into
/// `shared`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Hello {
    /// Must be the same everywhere: name and value.
    pub shared: Vec<(String, String)>,
    /// The host's name.
    pub host: String,
    /// The same for processes that can have memory in common: those of a host, for most. Empty for alone.
    pub memory_domain: String,
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

impl Link {
    /// The first process hears who the others are; the others say it, and hear whether they may stay. The
    /// first knows all greetings afterwards, its own in front; or why there is nothing to be done together.
    pub fn greet(&self, hello: &Hello) -> Result<Vec<Hello>, String> {
        if self.is_first() {
            return self.receive_greetings(hello);
        }
        self.write(0, &Frame::Hello(Box::new(hello.clone())));
        let answer = self.await_news(GREETING, |inbox| match inbox.to_do.front() {
            Some(Frame::Leave(reason)) => Some(Err(reason.clone())),
            _ => inbox.welcome.then_some(Ok(Vec::new())),
        });
        answer.unwrap_or_else(|| Err("the first process does not answer".to_owned()))
    }

    fn receive_greetings(&self, own: &Hello) -> Result<Vec<Hello>, String> {
        let all = self.await_news(GREETING, |inbox| {
            let said = |process: u32| inbox.of_each.get(process as usize)?.hello.clone();
            self.others().map(said).collect::<Option<Vec<Hello>>>()
        });
        let Some(others) = all else {
            return Err("not all processes have said hello within a minute".to_owned());
        };
        for (process, other) in self.others().zip(&others) {
            if let Some(difference) = own.disagreement(other) {
                return Err(format!(
                    "process {process} on {} is refused: {difference}",
                    if other.host.is_empty() { "a host" } else { &other.host }
                ));
            }
        }
        let all: Vec<Hello> = std::iter::once(own.clone()).chain(others).collect();
        let on_host = |host: &str| all.iter().filter(|other| other.host == host).count() as u32;
        let crowd = match all.iter().all(Hello::is_bound) {
            true => 1,
            false => all.iter().map(|hello| on_host(&hello.host)).max().unwrap_or(1),
        };
        let cores = all.iter().map(|hello| hello.cores).min().unwrap_or(1);
        let places = all.iter().map(|hello| (hello.memory_domain.as_str(), hello.pid));
        self.share(Setting::HostMap(Location::of_all(places)));
        let round_trip = self.measure_distance();
        self.share(Setting::Machine { round_trip, crowd, cores });
        self.tell_all(&Frame::Welcome);
        Ok(all)
    }

    /// Ends the connection: the first tells all others to leave, with a reason if it is a bad one, hears
    /// their farewells, and tells them whether all have said theirs. That is the answer everywhere: only
    /// if it is so can the fabric be shut down, since that waits for all.
    pub fn leave(&self, reason: &str) -> bool {
        let good = match self.is_first() {
            true => {
                self.tell_all(&Frame::Leave(reason.to_owned()));
                let heard = self.await_news(FAREWELL, |inbox| {
                    inbox.all(self.others(), |said| said.bye).then_some(())
                });
                let good = heard.is_some() && self.lost_count() == 0;
                self.tell_all(&Frame::Settled(good));
                good
            }
            false => {
                self.write(0, &Frame::Bye);
                self.await_news(2 * FAREWELL, |inbox| inbox.settled) == Some(true)
            }
        };
        let in_vain = self.lost_count() > 0;
        self.close(if in_vain { LAST_WORDS_IN_VAIN } else { LAST_WORDS });
        good
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disagreement_is_named() {
        let hello = |version: &str| Hello {
            shared: vec![("version".into(), version.into()), ("command".into(), "uci".into())],
            ..Hello::default()
        };
        assert_eq!(hello("1").disagreement(&hello("1")), None);
        let differing = hello("1").disagreement(&hello("2"));
        assert_eq!(differing.as_deref(), Some("its version is 2, here it is 1"));
        let silent = hello("1").disagreement(&Hello::default());
        assert_eq!(silent.as_deref(), Some("its version is nothing, here it is 1"));
        let spaced = hello("1").disagreement(&hello("1 "));
        assert_eq!(spaced.as_deref(), Some("its version is 1 , here it is 1"));
    }
}
