//! Running the real program, and looking at what it says.
#![allow(dead_code, unused_imports, reason = "not every test uses all of it")]

mod dialogue;
mod folder;
mod noise;

pub use dialogue::{Dialogue, count, field, number, variation};
pub use folder::Folder;
pub use noise::noise;

use serde_json::Value;
use std::ffi::OsStr;
use std::fmt::Display;
use std::io::Write;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

/// The program.
pub const ROOKERY: &str = env!("CARGO_BIN_EXE_rookery");

/// What is not over by then hangs: even a busy machine takes a small part of it.
pub const HANGS: Duration = Duration::from_secs(300);

/// The path of a file of the repository's test data.
pub fn data(name: &str) -> String {
    format!("{}/../../testdata/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The program with some arguments, not yet started, with a pipe to each of its ends.
pub fn program(arguments: &[impl AsRef<OsStr>]) -> Command {
    let mut command = Command::new(ROOKERY);
    command.args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The same under a limit, which is an argument of the shell's `ulimit`.
#[cfg(unix)]
pub fn limited(limit: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit {limit} && exec \"$0\" \"$@\""), ROOKERY]).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The program with some arguments and nothing to read.
pub fn rookery(arguments: &[&str]) -> Output {
    session(arguments, b"")
}

/// The program with some arguments and some bytes to read.
pub fn session(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = program(arguments).spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let input = input.to_vec();
    // From another thread: the program may answer more than the pipe holds before it reads on. It may
    // also leave before it has read everything.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("writing does not panic");
    output
}

/// What it wrote to the standard output.
pub fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("answers are text")
}

/// What it wrote to the standard error.
pub fn errors(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("messages are text")
}

/// What an output says where all went well.
pub fn good(output: &Output) -> String {
    assert!(output.status.success(), "{}{}", text(output), errors(output));
    text(output)
}

/// What the program says with these arguments, with which all goes well.
pub fn well(arguments: &[&str]) -> String {
    let output = rookery(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", errors(&output));
    text(&output)
}

/// The one JSON object that it says.
pub fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&well(arguments)).expect("one JSON object")
}

/// The JSON objects of a text, one a line.
pub fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Checks that the program refuses these arguments with this status and says this, first of all where it
/// is a line from its beginning; all that it says.
pub fn refused(arguments: &[&str], status: i32, reason: &str) -> String {
    let output = rookery(arguments);
    let said = errors(&output);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {}{said}", text(&output));
    let is_told = match reason.starts_with("rookery: ") {
        true => said.starts_with(reason),
        false => said.contains(reason),
    };
    assert!(is_told, "{arguments:?}: {said}");
    said
}

/// Sends Ctrl-C to a process or, with a minus before its number, to all of its group.
pub fn interrupt(process: impl Display) {
    let sent = Command::new("kill").args(["-INT", "--", &process.to_string()]).status();
    assert!(sent.expect("kill is there").success());
}

/// Waits until something is so.
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < HANGS, "waited for this and it did not come: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits for the end of a program.
pub fn end(child: &mut Child) -> ExitStatus {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("it is ours") {
            return status;
        }
        if begun.elapsed() > HANGS {
            child.kill().expect("it can be killed");
            panic!("it hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits for the end of a program that writes little.
pub fn finish(mut child: Child) -> Output {
    end(&mut child);
    child.wait_with_output().expect("it has ended")
}
