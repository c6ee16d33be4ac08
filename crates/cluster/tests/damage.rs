//! What comes from outside may be anything: a link takes it or complains of it, and goes on.

use cluster::loopback::{self, Loopback, Weather};
use cluster::{Assignment, Call, Fabric, Hello, Link, Payload};
use parallel::Chance;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A guard against waiting for ever, not a measurement.
const PATIENCE: Duration = Duration::from_secs(120);

/// A link, and a fabric beside it on which anything can be said to it.
fn pair() -> (Arc<Link>, Loopback) {
    let (mut fabrics, _) = loopback::connect(2, Weather::default());
    let raw = fabrics.remove(0);
    let link = Link::new(Box::new(fabrics.remove(0))).expect("there are threads");
    (link, raw)
}

/// A batch of one frame with this content.
fn frame(content: &[u8]) -> Vec<u8> {
    [&(content.len() as u32).to_le_bytes(), content].concat()
}

/// Contents that begin like frames of every kind, and go on with anything. The numbers are those of frames
/// that a process that follows takes without leaving: settings, commands, searches, calls, packets.
fn foreign(chance: &mut Chance) -> Vec<u8> {
    const FIRST: [u8; 9] = [5, 6, 7, 10, 12, 13, 16, 0xfe, 0xff];
    let mut content = vec![FIRST[chance.below(FIRST.len())]];
    content.extend((0..chance.below(60)).map(|_| chance.draw() as u8));
    // Small numbers are often lengths and choices.
    content.iter_mut().skip(1).for_each(|byte| *byte >>= chance.below(8));
    content
}

#[test]
fn foreign_bytes_are_counted_and_the_next_command_is_followed() {
    let mut chance = Chance::new(4, 0);
    let (link, mut raw) = pair();
    for round in 0..2000 {
        let bytes = match round % 4 {
            // Not even a frame.
            0 => (0..chance.below(40)).map(|_| chance.draw() as u8 | 0x80).collect(),
            _ => frame(&foreign(&mut chance)),
        };
        assert!(raw.send(1, &bytes));
    }
    // Number 12 is a call: its name, the thread that is to do it, what is to be done.
    let last = Payload::new("the last").expect("it has a form");
    let call = postcard::to_allocvec(&Call { id: 9, slot: 0, request: last.clone() });
    assert!(raw.send(1, &frame(&[&[12], &call.expect("it has a form")[..]].concat())));
    let begun = Instant::now();
    loop {
        assert!(begun.elapsed() < PATIENCE, "the last call does not come");
        match link.next_assignment() {
            Assignment::Call(call) if call.request == last => break,
            Assignment::Command(command) => {
                // Any type may be expected: none is a panic.
                _ = command.read::<Vec<(String, Option<u64>)>>();
            }
            Assignment::Call(_) | Assignment::Search(_) => (),
            Assignment::Leave(reason) => panic!("{reason}"),
        }
    }
    assert!(link.traffic().damaged > 500, "{:?}", link.traffic());
}

#[test]
fn a_greeting_that_cannot_be_read_is_refused_at_once() {
    let (mut fabrics, _) = loopback::connect(2, Weather::default());
    let mut old = fabrics.remove(1);
    let link = Link::new(Box::new(fabrics.remove(0))).expect("there are threads");
    // As version 0.1.0 with messages of form 5 said it: text.
    assert!(old.send(0, &frame(b"\0host: there\n=version: 1\n")));
    let shared = vec![("version".to_owned(), "1".to_owned())];
    let hello = Hello { shared, ..Hello::default() };
    let refusal = link.greet(&hello).expect_err("its version is not known");
    assert_eq!(refusal, "process 1 on a host is refused: its version is nothing, here it is 1");
    // It says goodbye, and hears why.
    assert!(old.send(0, &frame(b"\x03")));
    let leaving = std::thread::spawn(move || link.leave(&refusal));
    let (mut heard, begun) = (Vec::new(), Instant::now());
    while begun.elapsed() < PATIENCE && !contains(&heard, b"is refused") {
        old.receive(&mut |_, bytes| heard.extend_from_slice(bytes));
        std::thread::yield_now();
    }
    assert!(contains(&heard, b"is refused"), "{heard:?}");
    assert!(leaving.join().expect("it ends well"));
}

fn contains(heard: &[u8], text: &[u8]) -> bool {
    heard.windows(text.len()).any(|window| window == text)
}
