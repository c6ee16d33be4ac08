//! Learning from session to session, with the real program.

use crate::support::{Dialogue, Folder};

/// The options that make it learn, into a file of the test's own.
fn options(folder: &Folder) -> String {
    format!(
        "setoption name LearningDepth value 4\nsetoption name LearningFile value {}\n\
         setoption name Learning value true\nisready",
        folder.file("learnt")
    )
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
    let scratch = Folder::new("sessions");
    let mut dialogue = Dialogue::start();
    let first = said(&mut dialogue, &options(&scratch));
    assert!(first.len() == 1 && first[0].ends_with(": 0 positions"), "{first:?}");
    dialogue.search("startpos", "go depth 5");
    dialogue.search("startpos moves e2e4", "go depth 3");
    // A search that is shallower than the one that is known changes nothing.
    dialogue.search("startpos", "go depth 4");
    // Killed, not closed: every result is in the file already.
    drop(dialogue);
    let mut dialogue = Dialogue::start();
    let second = said(&mut dialogue, &options(&scratch));
    assert!(second.len() == 1 && second[0].ends_with(": 1 position"), "{second:?}");
    assert!(said(&mut dialogue, "setoption name Learning value false\nisready").is_empty());
    dialogue.search("startpos moves d2d4", "go depth 6");
    assert_eq!(scratch.read("learnt").len(), 32 + 24, "nothing is kept while it is off");
}

#[test]
fn learning_needs_a_file_of_its_own() {
    let scratch = Folder::new("foreign");
    let mut dialogue = Dialogue::start();
    let missing = said(&mut dialogue, "setoption name Learning value true\nisready");
    assert_eq!(missing, ["info string Learning: set LearningFile, where results are kept"]);
    scratch.write("learnt", "my diary");
    let refused = said(&mut dialogue, &options(&scratch));
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert!(refused[0].starts_with("info string error setoption: learning file "), "{refused:?}");
    assert!(refused[0].ends_with(" is not a learning file"), "{refused:?}");
    dialogue.search("startpos", "go depth 5");
    assert_eq!(scratch.read("learnt"), b"my diary");
}

#[test]
fn another_profile_does_not_read_what_this_one_learnt() {
    let scratch = Folder::new("profile");
    let mut dialogue = Dialogue::start();
    said(&mut dialogue, &options(&scratch));
    dialogue.search("startpos", "go depth 5");
    // Not by `isready`, which is answered at once: the option may wait for the end of the search.
    dialogue.send("setoption name Profile value darksight");
    let refused = dialogue.until("info string ");
    assert!(refused.iter().any(|line| line.contains("made with another profile")), "{refused:?}");
    dialogue.send("setoption name Profile value modern");
    let back = dialogue.until("info string ");
    assert!(back.iter().any(|line| line.ends_with(": 1 position")), "{back:?}");
    let mut second = Dialogue::start();
    let in_use = said(&mut second, &options(&scratch));
    assert!(in_use.len() == 1 && in_use[0].ends_with("is in use by another process"), "{in_use:?}");
}
