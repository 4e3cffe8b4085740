//! Running other programs, with the ends of their output in the error when they fail.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::workspace;

/// Runs a program to its end and gives its output; an exit code other than 0 is an error that quotes the output's end.
pub(crate) fn output(command: &mut Command) -> Result<Output> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output =
        command.stdin(Stdio::null()).output().with_context(|| format!("{name} could not be started"))?;
    if !output.status.success() {
        bail!("{name} failed ({}):\n{}", output.status, tail(&output, 25));
    }
    Ok(output)
}

/// Runs a program that is being tested, and all that it starts, without standard input and for twenty minutes at most, a build
/// included: what hangs is killed, and its output ends with a line that says so.
pub(crate) fn tested(command: &mut Command) -> Result<Output> {
    const LIMIT: Duration = Duration::from_secs(1200);
    ended_within(command, LIMIT)
}

fn ended_within(command: &mut Command, limit: Duration) -> Result<Output> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn().with_context(|| format!("{name} could not be started"))?;
    let (stdout, stderr) = (collected(child.stdout.take()), collected(child.stderr.take()));
    let start = Instant::now();
    let mut late = String::new();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > limit {
            late = format!("\n{name} did not end within {} s and was killed\n", limit.as_secs());
            // The whole group, whose number is its first process's.
            output(Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]))?;
            break child.wait()?;
        }
        thread::sleep(Duration::from_millis(20));
    };
    let text = |reader: thread::JoinHandle<Vec<u8>>| reader.join().unwrap_or_default();
    let (stdout, mut stderr) = (text(stdout), text(stderr));
    stderr.extend(late.bytes());
    Ok(Output { status, stdout, stderr })
}

/// Reads to the end beside the caller.
fn collected(from: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is there.
        let _ = from.map(|mut from| from.read_to_end(&mut bytes));
        bytes
    })
}

/// Runs a program to its end and gives what it wrote to standard output.
pub(crate) fn text(command: &mut Command) -> Result<String> {
    Ok(String::from_utf8_lossy(&output(command)?.stdout).trim().to_owned())
}

/// Whether a program can be run and ends with 0.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// The cargo that runs this program, in the repository's root.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(workspace::root());
    command
}

/// The last lines of both outputs of a program.
pub(crate) fn tail(output: &Output, lines: usize) -> String {
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    let all: Vec<&str> = text.lines().collect();
    all.get(all.len().saturating_sub(lines)..).unwrap_or_default().join("\n")
}

/// The SHA-256 of a file, as `sha256sum` prints it.
pub(crate) fn sha256(path: &std::path::Path) -> Result<String> {
    let line = text(Command::new("sha256sum").arg(path))?;
    Ok(line.split_whitespace().next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_hangs_is_killed_with_what_it_started_and_its_output_says_so() {
        let start = Instant::now();
        let mut command = Command::new("sh");
        command.args(["-c", "echo begun; sleep 60 & sleep 60"]);
        let output = ended_within(&mut command, Duration::from_secs(1)).unwrap();
        assert!(start.elapsed() < Duration::from_secs(30), "the pipes were held by what it started");
        assert!(!output.status.success());
        assert_eq!(output.stdout, b"begun\n");
        assert!(String::from_utf8_lossy(&output.stderr).contains("did not end within 1 s"));
    }

    #[test]
    fn a_program_that_ends_gives_its_output_and_code() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo out; echo err >&2; exit 3"]);
        let output = tested(&mut command).unwrap();
        assert_eq!(
            (output.status.code(), &*output.stdout, &*output.stderr),
            (Some(3), &b"out\n"[..], &b"err\n"[..])
        );
    }
}
