//! Programs that we start: they and all that they start in turn end with us.

use std::process::{Child, Command};

/// Gives a program that is about to start a group of its own. Ctrl-C in a terminal is for us then: we end
/// the program, and it has not crashed by it.
pub fn set_apart(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Ends a program that was set apart, with all of its group. One that has ended already is not hurt, but
/// those that it has left behind are ended too.
pub fn end(child: &mut Child) {
    // Before the process is waited for: its number cannot belong to others until then.
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;

    /// A shell whose child holds the output open, and what the shell said first.
    fn shell(script: &str) -> (Child, BufReader<std::process::ChildStdout>) {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]).stdout(Stdio::piped());
        set_apart(&mut command);
        let mut child = command.spawn().expect("a shell");
        let mut output = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let mut line = String::new();
        output.read_line(&mut line).expect("it speaks");
        (child, output)
    }

    #[test]
    fn the_children_of_a_program_end_with_it() {
        for script in ["sleep 600 & echo here; wait", "sleep 600 & echo here"] {
            let (mut child, mut output) = shell(script);
            end(&mut child);
            // The pipe ends when no process holds it any more: with a survivor this would take ten minutes.
            let mut rest = String::new();
            assert_eq!(output.read_to_string(&mut rest).ok(), Some(0), "{script}");
        }
    }
}
