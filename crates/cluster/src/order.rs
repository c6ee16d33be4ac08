//! Orders, greetings and farewells: what the first process and the others say to each other outside
//! searches.

use crate::frame::Frame;
use crate::host_map::Home;
use crate::sharing::{TABLES, read_table};
use crate::{Hello, Link, SearchOrder, Task};
use parallel::threads::ThreadReport;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// How long the processes wait for each other at the start: hosts may begin at different times.
const GREETING: Duration = Duration::from_secs(60);
/// How long the first waits for the farewells of the others.
const FAREWELL: Duration = Duration::from_secs(5);
/// How long what was said last may take to leave, and how long where some of it never will.
const LAST_WORDS: Duration = Duration::from_secs(2);
const LAST_WORDS_IN_VAIN: Duration = Duration::from_millis(300);

impl Link {
    /// The first process hears who the others are; the others say it, and hear whether they may stay. All
    /// know the others' greetings afterwards, or why there is nothing to be done together.
    pub fn greet(&self, hello: &Hello) -> Result<Vec<Hello>, String> {
        match self.is_first() {
            true => self.receive_greetings(hello),
            false => {
                self.write(0, &Frame::Hello(hello.text()));
                let answer = self.await_news(GREETING, |inbox| match inbox.tasks.front() {
                    Some(Task::Leave(reason)) => Some(Err(reason.clone())),
                    _ => inbox.welcome.then_some(Ok(Vec::new())),
                });
                answer.unwrap_or_else(|| Err("the first process does not answer".to_owned()))
            }
        }
    }

    fn receive_greetings(&self, own: &Hello) -> Result<Vec<Hello>, String> {
        let all = self.await_news(GREETING, |inbox| {
            let come = |process: &u32| inbox.hellos.get(*process as usize)?.as_deref();
            let texts = self.others().map(|process| come(&process).map(Hello::read));
            texts.collect::<Option<Vec<Hello>>>()
        });
        let Some(others) = all else {
            return Err("not all processes have said hello within a minute".to_owned());
        };
        for (process, other) in self.others().zip(&others) {
            if let Some(difference) = own.disagreement(other) {
                return Err(format!(
                    "process {process} on {} is refused: {difference}",
                    other.host
                ));
            }
        }
        let hosts = std::iter::once(own).chain(&others).map(|hello| hello.host.as_str());
        let crowd = hosts.clone().map(|host| hosts.clone().filter(|other| *other == host).count());
        let bound = own.is_bound() && others.iter().all(Hello::is_bound);
        let crowd = if bound { 1 } else { crowd.max().unwrap_or(1) as u32 };
        let cores = others.iter().map(|hello| hello.cores).fold(own.cores, u32::min);
        self.set_crowd(crowd, cores);
        let places = std::iter::once(own).chain(&others);
        let host_map = Home::of_all(places.map(|hello| (hello.home.as_str(), hello.pid)));
        let told: Vec<String> = host_map.iter().map(Home::to_string).collect();
        // The others will look for what is made here.
        self.set_host_map(host_map);
        self.order(&format!("link host_map {}", told.join(" ")));
        let round_trip = self.measure_distance().as_nanos();
        self.others().for_each(|process| {
            self.write(process, &Frame::Order(format!("link {round_trip} {crowd} {cores}")));
            self.write(process, &Frame::Welcome);
        });
        Ok(std::iter::once(own.clone()).chain(others).collect())
    }

    /// Follows an order that concerns the link itself; whether it was one.
    fn follow(&self, order: &str) -> bool {
        if let Some(number) = order.strip_prefix("ready ") {
            self.write(0, &Frame::Ready(number.parse().unwrap_or(0)));
            return true;
        }
        if let Some(name) = order.strip_prefix("link table ") {
            // The first has read it before: it is one of ours.
            self.set_table(read_table(name).unwrap_or(TABLES[0]));
            return true;
        }
        if let Some(host_map) = order.strip_prefix("link host_map ") {
            self.set_host_map(host_map.split(' ').filter_map(Home::read).collect());
            return true;
        }
        if let Some(in_use) = order.strip_prefix("link rings ") {
            self.use_rings(in_use == "true");
            return true;
        }
        if let Some(processes) = order.strip_prefix("link active ") {
            self.set_active(processes.parse().unwrap_or(0));
            return true;
        }
        let Some(numbers) = order.strip_prefix("link ") else { return false };
        let numbers: Vec<u64> = numbers.split(' ').filter_map(|word| word.parse().ok()).collect();
        match numbers[..] {
            [round_trip, crowd, cores] => {
                self.set_round_trip(Duration::from_nanos(round_trip));
                self.set_crowd(crowd as u32, cores as u32);
            }
            [grain] => self.set_remote_grain(grain as u32),
            _ => (),
        }
        true
    }

    /// Wants children of at least this depth to go to other processes, whoever gives them.
    pub fn share_remote_grain(&self, grain: u32) {
        self.set_remote_grain(grain);
        self.order(&format!("link {grain}"));
    }

    /// Waits until the others have followed all orders so far.
    pub fn sync(&self) {
        let number = self.questions.fetch_add(1, Relaxed) + 1;
        self.order(&format!("ready {number}"));
        self.await_news(Duration::MAX, |inbox| {
            let is_ready = |one: u32| inbox.ready.get(one as usize).is_none_or(|it| *it >= number);
            self.others().all(is_ready).then_some(())
        });
    }

    /// Tells all others what to do, in words.
    pub fn order(&self, text: &str) {
        self.others().for_each(|process| self.write(process, &Frame::Order(text.to_owned())));
    }

    /// Tells the first process what went wrong.
    pub fn report_failure(&self, text: &str) {
        self.write(0, &Frame::Failure(text.to_owned()));
    }

    /// What to do next, as one who follows: waits for it.
    pub fn next_task(&self) -> Task {
        loop {
            let gone = || Task::Leave("the first process is lost".to_owned());
            let task = self.await_news(Duration::MAX, |inbox| {
                inbox.tasks.pop_front().or_else(|| self.is_lost_process(0).then(gone))
            });
            match task.unwrap_or_else(gone) {
                Task::Order(order) if self.follow(&order) => (),
                task => return task,
            }
        }
    }

    /// Takes part in a search: calls what searches, and tells what each thread did.
    pub fn take_part(&self, order: &SearchOrder, search: impl FnOnce() -> Vec<ThreadReport>) {
        self.enter(order.number);
        let reports = search();
        self.exit(order.number);
        self.write(0, &Frame::Done(order.number, self.traffic(), reports));
    }

    fn last_words(&self) -> Duration {
        if self.lost_count() > 0 { LAST_WORDS_IN_VAIN } else { LAST_WORDS }
    }

    /// Ends the connection: the first tells all others to leave, with a reason if it is a bad one, hears
    /// their farewells, and tells them whether all have said theirs. That is the answer everywhere: only
    /// if it is so can the fabric be shut down, since that waits for all.
    pub fn leave(&self, reason: &str) -> bool {
        match self.is_first() {
            true => {
                self.others().for_each(|one| self.write(one, &Frame::Leave(reason.to_owned())));
                let heard = self.await_news(FAREWELL, |inbox| {
                    let bye = |one: u32| inbox.byes.get(one as usize).is_none_or(|bye| *bye);
                    self.others().all(bye).then_some(())
                });
                let good = heard.is_some() && self.lost_count() == 0;
                self.others().for_each(|one| self.write(one, &Frame::Settled(good)));
                self.close(self.last_words());
                good
            }
            false => {
                self.write(0, &Frame::Bye);
                let settled = self.await_news(2 * FAREWELL, |inbox| inbox.settled);
                self.close(self.last_words());
                settled == Some(true)
            }
        }
    }
}
