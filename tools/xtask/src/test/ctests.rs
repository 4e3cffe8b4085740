//! C and C++ programs that include `pi.h` and look at the built plugin: CMake and CTest.

use std::process::Command;

use anyhow::Result;

use crate::process;
use crate::provision::opencl::{self, Driver};
use crate::provision::python;
use crate::release;
use crate::test::tally::Tally;
use crate::ui::Step;
use crate::workspace;

/// Configures, builds and runs `ctests/`.
pub(crate) fn run() -> Result<Tally> {
    if !process::succeeds(Command::new("cmake").arg("--version")) {
        python::install_debian_packages(&["cmake"])?;
    }
    let step = Step::start("C and C++ programs on the header and the plugin");
    let build = workspace::target().join("ctests");
    let mut plugin = std::ffi::OsString::from("-DPI_OPENCL_PLUGIN=");
    plugin.push(workspace::our_plugin());
    let mut runtime = std::ffi::OsString::from("-DPI_RUNTIME_LIBRARY=");
    runtime.push(release::file("libpi_runtime.so"));
    process::output(
        Command::new("cmake")
            .arg("-S")
            .arg(workspace::root().join("ctests"))
            .arg("-B")
            .arg(&build)
            .args([plugin, runtime]),
    )?;
    process::output(Command::new("cmake").arg("--build").arg(&build))?;
    let driver = opencl::ensure(Driver::IntelCurrent)?;
    let mut ctest = Command::new("ctest");
    ctest.arg("--test-dir").arg(&build).arg("--output-on-failure").envs(driver.variables());
    let output = process::tested(&mut ctest)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let tally = of_ctest(&text).demanding(1, &output);
    step.done(&tally.to_string());
    Ok(tally)
}

/// Counts "Test #3: name ....   Passed", "***Failed" and "***Skipped" lines.
fn of_ctest(text: &str) -> Tally {
    let mut tally = Tally::default();
    for line in
        text.lines().filter(|line| line.contains("Test ") && line.contains(" #") && line.contains("sec"))
    {
        if line.contains("   Passed") {
            tally.passed += 1;
        } else if line.contains("Skipped") {
            tally.skipped += 1;
        } else {
            tally.failed += 1;
        }
    }
    if tally == Tally::default() { Tally::one_failure() } else { tally }
}

#[cfg(test)]
mod tests {
    use super::{Tally, of_ctest};

    #[test]
    fn ctest_s_lines_are_counted() {
        let text = "1/3 Test #1: a ....   Passed    0.00 sec\n2/3 Test #2: b ....***Failed    0.01 sec\n\
                    3/3 Test #3: c ....***Skipped   0.00 sec\n\n50% tests passed, 1 tests failed out of 2\n";
        assert_eq!(of_ctest(text), Tally { passed: 1, failed: 1, skipped: 1 });
    }

    #[test]
    fn no_test_is_a_failure() {
        assert_eq!(of_ctest("No tests were found!!!"), Tally::one_failure());
    }
}
