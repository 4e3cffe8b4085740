//! Tests in a separate process, because the plugin looks only once for the driver, for libnvvm and for its
//! variables.

use std::ffi::OsStr;
use std::process::Command;
use std::time::Duration;

/// Names the task of a child process.
const CHILD: &str = "PI_TEST_CHILD";

/// Returns the task of this process, or `None` if it is not a child.
pub(crate) fn task() -> Option<String> {
    std::env::var(CHILD).ok()
}

/// Runs this program again with these variables, and returns its output.
pub(crate) fn run<V: AsRef<OsStr>>(task: &str, variables: &[(&str, V)]) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.env(CHILD, task).envs(variables.iter().map(|(name, value)| (name, value)));
    let finished = testing_support::process::run(&mut command, Duration::from_secs(60)).unwrap();
    let text = finished.stdout_text() + &finished.stderr_text();
    assert!(finished.end.is_success(), "{}: {text}", finished.end);
    text
}
