//! Links that are busy: messages that want the same one wait for each other.
//!
//! Messages are not sent in the order of their times: a processor has its turn for a while. So a link keeps
//! the spans in which it is busy, and a message takes the first gap that is long enough from the moment its
//! head is there.

use crate::Time;
use std::collections::BTreeMap;

/// A link in one direction, by its ends.
pub(super) type Link = (u32, u32);

/// A part of a message's way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Leg {
    pub link: Link,
    /// How long the message occupies the link.
    pub busy: Time,
    /// How much later its head is at the next one.
    pub delay: Time,
}

/// The way of a message.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Way {
    pub legs: Vec<Leg>,
    /// How long after its head the message is there as a whole.
    pub tail: Time,
}

/// When each link is busy: spans from their begin to their end.
#[derive(Default)]
pub(super) struct Links {
    busy: BTreeMap<Link, BTreeMap<Time, Time>>,
    past: Time,
}

impl Links {
    /// Sends a message on its way; when it is there.
    pub fn carry(&mut self, sent: Time, way: &Way) -> Time {
        let head = way.legs.iter().fold(sent, |head, leg| {
            let spans = self.busy.entry(leg.link).or_default();
            while let Some(first) = spans.first_entry().filter(|it| *it.get() <= self.past) {
                first.remove();
            }
            reserve(spans, head, leg.busy) + leg.delay
        });
        head + way.tail
    }

    /// What ended before this is of no interest any more.
    pub fn forget_before(&mut self, time: Time) {
        self.past = time;
    }
}

/// Takes the first gap of a length; its begin.
fn reserve(spans: &mut BTreeMap<Time, Time>, from: Time, length: Time) -> Time {
    if length == 0 {
        return from;
    }
    let before = spans.range(..=from).next_back().map_or(0, |(_, &end)| end);
    let mut begin = from.max(before);
    for (&next, &end) in spans.range(begin..) {
        if next >= begin + length {
            break;
        }
        begin = begin.max(end);
    }
    spans.insert(begin, begin + length);
    begin
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_takes_the_first_gap_that_is_long_enough() {
        let mut spans = BTreeMap::new();
        assert_eq!(reserve(&mut spans, 100, 10), 100);
        assert_eq!(reserve(&mut spans, 120, 10), 120);
        assert_eq!(reserve(&mut spans, 105, 10), 110, "between the two");
        assert_eq!(reserve(&mut spans, 90, 20), 130, "the gap before is too short");
        assert_eq!(reserve(&mut spans, 80, 20), 80);
        assert_eq!(reserve(&mut spans, 105, 0), 105, "nothing occupies nothing");
    }

    #[test]
    fn messages_over_one_link_wait_and_over_others_do_not() {
        let mut links = Links::default();
        let way = |link| Way { legs: vec![Leg { link, busy: 10, delay: 12 }], tail: 3 };
        assert_eq!(links.carry(0, &way((0, 1))), 15);
        assert_eq!(links.carry(0, &way((0, 1))), 25);
        assert_eq!(links.carry(0, &way((1, 0))), 15);
        links.forget_before(20);
        assert_eq!(links.carry(20, &way((0, 1))), 35);
        assert_eq!(links.busy[&(0, 1)].len(), 1, "what is over is forgotten");
    }
}
