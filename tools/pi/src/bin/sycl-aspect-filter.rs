//! `sycl-aspect-filter`: `pi image filter` under the name that the DPC++ design gives the tool ("Behavior for
//! optional kernel features", Aspect filter tool). It starts the `pi` that is installed next to it.
#![deny(unsafe_code)]
#![allow(clippy::print_stderr, reason = "a program tells why it cannot start")]

use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let name = format!("pi{}", std::env::consts::EXE_SUFFIX);
    let pi = match std::env::current_exe() {
        Ok(program) => program.with_file_name(name),
        Err(error) => return failed(&format!("the place of this program is not known: {error}")),
    };
    let status = Command::new(&pi).args(["image", "filter"]).args(std::env::args_os().skip(1)).status();
    match status.map(|status| status.code()) {
        // An end without an exit code is a failure.
        Ok(code) => ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => failed(&format!("{} cannot be started: {error}", pi.display())),
    }
}

fn failed(reason: &str) -> ExitCode {
    eprintln!("sycl-aspect-filter: {reason}");
    ExitCode::FAILURE
}
