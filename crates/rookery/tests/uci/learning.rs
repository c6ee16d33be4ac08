//! Learning from session to session, with the real program.

use crate::dialogue::Dialogue;
use std::path::PathBuf;

/// A learning file of a test's own, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let name = format!("rookery-{}-{name}.learn", std::process::id());
        Scratch(std::env::temp_dir().join(name))
    }

    fn options(&self) -> String {
        format!(
            "setoption name LearningDepth value 4\nsetoption name LearningFile value {}\n\
             setoption name Learning value true\nisready",
            self.0.display()
        )
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// What is said before the program is ready.
fn said(dialogue: &mut Dialogue, lines: &str) -> Vec<String> {
    dialogue.send(lines);
    let mut said = dialogue.until("readyok");
    said.pop();
    said
}

#[test]
fn m18_searches_are_remembered_in_the_next_session() {
    let scratch = Scratch::new("sessions");
    let mut dialogue = Dialogue::start();
    let first = said(&mut dialogue, &scratch.options());
    assert!(first.len() == 1 && first[0].ends_with(": 0 positions"), "{first:?}");
    dialogue.search("startpos", "go depth 5");
    dialogue.search("startpos moves e2e4", "go depth 3");
    // A search that is shallower than the one that is known changes nothing.
    dialogue.search("startpos", "go depth 4");
    // Killed, not closed: every result is in the file already.
    drop(dialogue);
    let mut dialogue = Dialogue::start();
    let second = said(&mut dialogue, &scratch.options());
    assert!(second.len() == 1 && second[0].ends_with(": 1 position"), "{second:?}");
    assert!(said(&mut dialogue, "setoption name Learning value false\nisready").is_empty());
    dialogue.search("startpos moves d2d4", "go depth 6");
    let length = std::fs::metadata(&scratch.0).expect("the file is there").len();
    assert_eq!(length, 32 + 24, "nothing is kept while it is off");
}

#[test]
fn learning_needs_a_file_of_its_own() {
    let scratch = Scratch::new("foreign");
    let mut dialogue = Dialogue::start();
    let missing = said(&mut dialogue, "setoption name Learning value true\nisready");
    assert_eq!(missing, ["info string Learning: set LearningFile, where results are kept"]);
    std::fs::write(&scratch.0, b"my diary").expect("the file is written");
    let refused = said(&mut dialogue, &scratch.options());
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert!(refused[0].starts_with("info string error setoption: learning file "), "{refused:?}");
    assert!(refused[0].ends_with(" is not a learning file"), "{refused:?}");
    dialogue.search("startpos", "go depth 5");
    assert_eq!(std::fs::read(&scratch.0).expect("it is there"), b"my diary");
}

#[test]
fn another_profile_does_not_read_what_this_one_learnt() {
    let scratch = Scratch::new("profile");
    let mut dialogue = Dialogue::start();
    said(&mut dialogue, &scratch.options());
    dialogue.search("startpos", "go depth 5");
    // Not by `isready`, which is answered at once: the option may wait for the end of the search.
    dialogue.send("setoption name Profile value darksight");
    let refused = dialogue.until("info string ");
    assert!(refused.iter().any(|line| line.contains("made with another profile")), "{refused:?}");
    dialogue.send("setoption name Profile value modern");
    let back = dialogue.until("info string ");
    assert!(back.iter().any(|line| line.ends_with(": 1 position")), "{back:?}");
    let mut second = Dialogue::start();
    let in_use = said(&mut second, &scratch.options());
    assert!(in_use.len() == 1 && in_use[0].ends_with("is in use by another process"), "{in_use:?}");
}
