//! Running the real program.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// The program with some arguments and nothing to read.
pub fn rookery(arguments: &[&str]) -> Output {
    session(arguments, b"")
}

/// The program with some arguments and some bytes to read.
pub fn session(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rookery"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
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
