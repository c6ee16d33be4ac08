//! Lines that are no commands, or nearly: random bytes, and valid commands with bytes, words and numbers
//! changed. No crash, and `isready` is answered all along.

use super::dialogue::Dialogue;
use super::ground::Ground;

/// Lines that one process hears; `isready` comes between them.
const LINES: u64 = 500;
const BETWEEN: u64 = 50;

/// What is mutated.
const VALID: [&str; 28] = [
    "uci",
    "isready",
    "ucinewgame",
    "debug on",
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3 b8c6",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 12 34 moves e2e4",
    "position fen bnrkqrnb/pppppppp/8/8/8/8/PPPPPPPP/BNRKQRNB w FCfc - 0 1",
    "go depth 3",
    "go nodes 500",
    "go movetime 5",
    "go wtime 300 btime 300 winc 10 binc 10 movestogo 5",
    "go infinite searchmoves e2e4 d2d4",
    "go ponder wtime 100 btime 100",
    "go mate 2",
    "stop",
    "ponderhit",
    "setoption name Hash value 8",
    "setoption name MultiPV value 3",
    "setoption name Move Overhead value 30",
    "setoption name UCI_Chess960 value true",
    "setoption name Profile value darksight",
    "setoption name Parallel value lazy",
    "setoption name Clear Hash",
    "setoption name Skill Level value 7",
    "moves",
    "eval",
];

/// Values that are at the edge of something.
const EDGES: [&str; 12] = [
    "0",
    "-1",
    "1",
    "255",
    "65536",
    "2147483648",
    "-9223372036854775808",
    "18446744073709551616",
    "1e9",
    "0x10",
    "NaN",
    "",
];

/// First words that do what they should and end the attack: leaving, another protocol, long work, and
/// files with random names.
const NOT_THESE: [&str; 8] =
    ["quit", "exit", "xboard", "perft", "divide", "bench", "savetable", "loadtable"];

pub fn run(ground: &mut Ground) -> Result<(), String> {
    let lines = ground.times(20_000, 80_000, 210_000);
    let mut done = 0;
    while done < lines && !ground.is_lost() {
        let mut dialogue = Dialogue::start(ground, &["uci"])?;
        let result = talk(ground, &mut dialogue);
        done += LINES;
        ground.attempted(LINES);
        let said = std::mem::take(&mut dialogue.said);
        let result = result.and_then(|()| dialogue.close().map(drop));
        if let Err(what) = result {
            let case = format!("rookery uci < {}", ground.keep(&said));
            ground.found(what, case);
        }
    }
    Ok(())
}

fn talk(ground: &mut Ground, dialogue: &mut Dialogue) -> Result<(), String> {
    for number in 0..LINES {
        let line = line(&mut ground.random);
        dialogue.say_bytes(&line);
        if number % BETWEEN == BETWEEN - 1 {
            dialogue.say("stop\nisready");
            dialogue.until("readyok")?;
        }
    }
    // A search that was begun by a line that happened to be valid ends here.
    dialogue.say("stop\nisready");
    dialogue.until("readyok").map(drop)
}

/// One line of it, with its end.
fn line(random: &mut fastrand::Rng) -> Vec<u8> {
    loop {
        let mut line = match random.u8(..4) {
            0 => noise(random),
            _ => mutated(random),
        };
        line.retain(|&byte| byte != b'\n');
        if is_allowed(&line) {
            line.push(b'\n');
            return line;
        }
    }
}

fn noise(random: &mut fastrand::Rng) -> Vec<u8> {
    let length = if random.u8(..100) == 0 { 100_000 } else { random.usize(1..100) };
    let printable = random.bool();
    (0..length).map(|_| if printable { random.u8(32..127) } else { random.u8(..) }).collect()
}

fn mutated(random: &mut fastrand::Rng) -> Vec<u8> {
    let mut words: Vec<String> = match random.choice(VALID) {
        Some(line) => line.split(' ').map(str::to_owned).collect(),
        None => Vec::new(),
    };
    for _ in 0..random.u8(1..4) {
        let at = random.usize(..words.len().max(1));
        let edge = EDGES[random.usize(..EDGES.len())];
        match random.u8(..6) {
            _ if words.is_empty() => words.push(edge.to_owned()),
            0 => drop(words.remove(at)),
            1 => words.insert(at, words[at].clone()),
            2 => words[at] = edge.to_owned(),
            3 => words.swap(at, 0),
            4 => words.insert(at, edge.to_owned()),
            _ => words.truncate(at),
        }
    }
    let mut line = words.join(" ").into_bytes();
    if random.bool() && !line.is_empty() {
        let at = random.usize(..line.len());
        line[at] = random.u8(..);
    }
    line
}

/// Whether a line may be said: valid ones that take the machine, or end the attack, may not.
fn is_allowed(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line).to_lowercase();
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or("");
    let greedy = ["hash", "threads", "file", "path", "learning", "save", "load", "perft"];
    let is_option = first == "setoption" || first == "go";
    let asks_for_much =
        text.split_whitespace().any(|word| word.parse::<u64>().is_ok_and(|n| n > 64));
    let is_greedy = is_option && asks_for_much && greedy.iter().any(|word| text.contains(word));
    let counts = is_option && text.contains("perft");
    !(NOT_THESE.contains(&first) || is_greedy || counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_the_same_for_a_seed_and_never_take_the_machine() {
        let lines = |seed| {
            let mut random = fastrand::Rng::with_seed(seed);
            (0..2000).map(|_| line(&mut random)).collect::<Vec<_>>()
        };
        let some = lines(3);
        assert!(some == lines(3) && some != lines(4));
        assert!(some.iter().all(|line| line.iter().filter(|&&byte| byte == b'\n').count() == 1));
        for refused in ["quit", " xboard", "setoption name Hash value 99999", "go perft 12"] {
            assert!(!is_allowed(refused.as_bytes()), "{refused}");
        }
        assert!(is_allowed(b"setoption name Hash value 8") && is_allowed(b"go depth 99"));
    }
}
