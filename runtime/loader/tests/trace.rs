//! Tests what `SYCL_PI_TRACE` records. The variable is read only once, so each value needs a separate process.
#![expect(unsafe_code, reason = "the tests open plugins")]
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test fails by panicking; its child prints records"
)]

mod fake;

use std::path::Path;
use std::process::Command;

use fake::fake;
use sycl_pi_loader::{Backend, Environment, TRACE_TARGET, discover};

/// Prints the child's records, one per line.
struct Printed;

impl log::Log for Printed {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        if record.target() == TRACE_TARGET {
            println!("record: {}", record.args());
        }
    }

    fn flush(&self) {}
}

#[test]
#[ignore = "the other test runs it as a child"]
fn child_finds_a_plugin_and_lists_its_platforms() {
    log::set_logger(&Printed).unwrap();
    log::set_max_level(log::LevelFilter::Info);
    let folder = std::env::var_os("PI_TEST_FOLDER").expect("the parent names a folder");
    let environment = Environment::from_pairs([("PI_PLUGIN_PATH", folder)]);
    // SAFETY: the file is a plugin of these tests.
    let attempts = unsafe { discover(Backend::OpenCl, &environment) };
    let plugin = attempts[0].outcome.as_ref().unwrap();
    assert_eq!(plugin.platforms().unwrap()[0].info().name, "Fake platform");
}

/// Returns the records of a child with this value of the variable.
fn records(folder: &Path, value: Option<&str>) -> Vec<String> {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "child_finds_a_plugin_and_lists_its_platforms", "--ignored", "--nocapture"]);
    child.env("PI_TEST_FOLDER", folder).env_remove("SYCL_PI_TRACE");
    child.envs(value.map(|value| ("SYCL_PI_TRACE", value)));
    let output = child.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| line.split_once("record: ")).map(|(_, record)| record.to_owned()).collect()
}

#[test]
fn bit_1_records_plugins_that_were_tried_and_bit_2_calls() {
    let folder = tempfile::tempdir().unwrap();
    let file = fake(folder.path(), "libpi_opencl.so", &["OWN=\"14.37.1\""]);

    let is_call = |record: &String| record.starts_with("---> pi");
    for (value, plugins, calls) in [
        (None, false, false),
        (Some("0"), false, false),
        (Some("1"), true, false),
        (Some("2"), false, true),
        (Some("-1"), true, true),
    ] {
        let all = records(folder.path(), value);
        let (called, others): (Vec<String>, Vec<String>) = all.into_iter().partition(is_call);
        assert_eq!(
            (!others.is_empty(), !called.is_empty()),
            (plugins, calls),
            "{value:?}: {others:?} {called:?}"
        );
        let names_the_file = |record: &String| record.contains(&*file.to_string_lossy());
        assert!(!plugins || others.iter().any(names_the_file), "{others:?}");
        let first = "---> piPlatformsGet(num_entries = 0, platforms = null, num_platforms = 0x";
        assert!(!calls || called[0].starts_with(first), "{called:?}");
        assert!(!calls || called[0].contains(" = PI_SUCCESS, *num_platforms = 1 ["), "{called:?}");
    }
}
