//! Starts the program, which is the library beside this file.

use std::process::ExitCode;

fn main() -> ExitCode {
    rookery::main()
}
