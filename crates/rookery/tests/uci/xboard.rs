//! The other protocol, in a process.

use crate::support::{Dialogue, count, noise};

#[test]
fn the_first_line_of_the_console_chooses_the_protocol() {
    for arguments in [&[][..], &["xboard"], &["uci"]] {
        let mut dialogue = Dialogue::with(arguments);
        dialogue.send("xboard\nprotover 2");
        let features = dialogue.until("feature done=1");
        assert_eq!(features.first().map(String::as_str), Some("feature done=0"));
        assert_eq!(count(&features, "feature "), features.len(), "{features:?}");
        dialogue.send("new\nsd 4\nusermove d2d4");
        assert_eq!(dialogue.until("move ").len(), 1);
        dialogue.send("quit");
        let (rest, status) = dialogue.close();
        assert!(rest.is_empty() && status.success(), "{rest:?}");
    }
}

#[test]
fn a_game_against_itself_ends_with_a_result() {
    let mut dialogue = Dialogue::with(&["xboard"]);
    dialogue.send("new\nforce\nsetboard 4k3/8/8/8/8/8/8/3QK3 w - - 0 1\nnps 1\nst 20000");
    for _ in 0..100 {
        dialogue.send("go\nping 1");
        let lines = dialogue.until("pong 1");
        if let Some(result) = lines.iter().find(|line| line.contains('{')) {
            assert_eq!(result, "1-0 {White mates}");
            return;
        }
        assert_eq!(count(&lines, "move "), 1, "{lines:?}");
    }
    panic!("a queen does not mate in fifty moves");
}

#[test]
fn garbage_neither_ends_it_nor_disturbs_its_move() {
    let mut dialogue = Dialogue::with(&["xboard"]);
    dialogue.send("new\nst 3600\ngo");
    for seed in 1..=3_000u64 {
        let mut line = b"~".to_vec();
        line.extend(noise(1 + seed as usize % 90, seed * 0x9e37_79b9));
        line.retain(|&byte| byte != b'\n');
        line.push(b'\n');
        dialogue.send_bytes(&line);
    }
    dialogue.send_bytes(&vec![b'x'; 3 << 20]);
    dialogue.send("\n?\nping 5");
    let lines = dialogue.until("pong 5");
    assert_eq!((count(&lines, "Error ("), count(&lines, "move ")), (3_001, 1));
}

#[test]
fn quit_and_the_end_of_the_input_end_it_while_it_thinks() {
    // After `quit` nothing is said; at the end of the input the move comes at once, and what waits for it.
    for (last, said) in [("quit", 0), ("ping 1", 1)] {
        let mut dialogue = Dialogue::with(&["xboard"]);
        dialogue.send(&format!("new\nst 3600\ngo\n{last}"));
        let (rest, status) = dialogue.close();
        assert!(status.success(), "{rest:?}");
        assert_eq!((count(&rest, "move "), count(&rest, "pong 1")), (said, said), "{rest:?}");
    }
}
