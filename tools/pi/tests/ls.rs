//! `pi ls` and `pi doctor` with fake plugins.
#![allow(clippy::unwrap_used, clippy::panic)]

mod install_support;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use install_support::{EVERY_VERSION, NAME, compile};
use serde_json::Value;

struct Run {
    code: i32,
    text: String,
}

impl Run {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }
}

/// Runs `pi` in an environment that has only these variables.
fn run(words: &[&str], variables: &[(&str, &str)]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pi"));
    let output = command.args(words).env_clear().envs(variables.iter().copied()).output().unwrap();
    Run { code: output.status.code().unwrap(), text: String::from_utf8(output.stdout).unwrap() }
}

fn plugin(folder: &Path, defines: &[&str]) -> PathBuf {
    let file = folder.join(NAME);
    compile(&file, &[&[EVERY_VERSION], defines].concat());
    file
}

#[test]
fn lists_like_sycl_ls() {
    let folder = tempfile::tempdir().unwrap();
    let file = plugin(folder.path(), &["DEVICES"]);
    let path = [("PI_PLUGIN_PATH", folder.path().to_str().unwrap())];
    let listed = run(&["ls"], &path);
    assert_eq!(listed.code, 0);
    assert!(listed.text.starts_with("[opencl:cpu:0] Fake platform, Fake device"), "{}", listed.text);
    assert!(listed.text.contains("[opencl:cpu:1]"));
    assert!(!listed.text.contains('\x1b'));

    let listed = run(&["ls", "-v", "--plugin", file.to_str().unwrap()], &[]);
    assert!(listed.text.contains("loaded, version 15.47, 4 functions"), "{}", listed.text);
    assert!(listed.text.contains("no SPIR-V"));
}

#[test]
fn a_plugin_of_one_s_own_is_found_by_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("libown_plugin.so");
    compile(&file, &[EVERY_VERSION, "DEVICES"]);
    let listed = run(&["ls"], &[("PI_PLUGIN_PATH", file.to_str().unwrap())]);
    assert_eq!(listed.code, 0);
    assert!(listed.text.starts_with("[opencl:cpu:0] Fake platform, Fake device"), "{}", listed.text);
}

#[test]
fn a_mistake_in_the_log_s_directives_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    plugin(folder.path(), &["DEVICES"]);
    let mut pi = Command::new(env!("CARGO_BIN_EXE_pi"));
    pi.arg("ls").env_clear().env("PI_PLUGIN_PATH", folder.path()).env("PI_LOG", "pi_cache=loud");
    let told = String::from_utf8(pi.output().unwrap().stderr).unwrap();
    assert_eq!(told.matches("PI_LOG: ").count(), 1, "{told}");
}

/// A closed pipe is no error, e.g. in `pi ls | head -1`.
#[test]
fn a_reader_may_stop_reading() {
    let folder = tempfile::tempdir().unwrap();
    plugin(folder.path(), &["DEVICES"]);
    for words in [&["ls", "-v"][..], &["--json", "ls"], &["completions", "bash"], &["--help"]] {
        let mut pi = Command::new(env!("CARGO_BIN_EXE_pi"));
        pi.args(words).env_clear().env("PI_PLUGIN_PATH", folder.path());
        let mut child = pi.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.is_empty() && output.status.code() == Some(0), "{words:?}: {:?} {said}", output.status);
    }
}

#[test]
fn the_keys_of_the_json_stay() {
    let folder = tempfile::tempdir().unwrap();
    let file = plugin(folder.path(), &["DEVICES"]);
    let report = run(&["--json", "ls", "--plugin", file.to_str().unwrap()], &[]).json();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(keys(&report), "plugins platforms devices filters adapters");
    assert_eq!(
        keys(&report["plugins"][0]),
        "backend path origin wanted loaded pi_version plugin_version functions error hint absent why_no_device"
    );
    assert_eq!(keys(&report["platforms"][0]), "backend plugin name vendor version error");
    assert_eq!(
        keys(&report["devices"][1]),
        "backend number type name vendor platform version driver_version plugin pi_version global_memory \
         local_memory compute_units max_work_group_size sub_group_sizes il_version aspects hidden_by \
         only_sub_devices interface libsycl"
    );
    assert_eq!(report["devices"][1]["number"], 1);
}

#[test]
fn filters_are_told() {
    let folder = tempfile::tempdir().unwrap();
    plugin(folder.path(), &["DEVICES"]);
    let with = |selector: &str| {
        let path = folder.path().to_str().unwrap();
        run(&["ls"], &[("PI_PLUGIN_PATH", path), ("ONEAPI_DEVICE_SELECTOR", selector)])
    };
    let one = with("opencl:1");
    assert_eq!(one.code, 0);
    assert!(
        one.text.contains("[opencl:cpu:0] Fake device: not named by ONEAPI_DEVICE_SELECTOR"),
        "{}",
        one.text
    );
    let none = with("*:*;!*:cpu");
    assert_eq!(none.code, 1);
    assert!(none.text.contains("all are filtered out"));
    assert!(none.text.contains("discarded by \"!*:cpu\""));
    let wrong = with("gpu");
    assert_eq!(wrong.code, 1);
    assert!(wrong.text.contains("write \"*:gpu\""));
}

/// A file that a variable names is wanted, and its absence is told beside devices of other plugins. Places that
/// the search goes through are not.
#[test]
fn a_plugin_that_is_wanted_and_absent_is_told_beside_devices() {
    let folder = tempfile::tempdir().unwrap();
    compile(&folder.path().join("libpi_cuda.so"), &[EVERY_VERSION, "DEVICES"]);
    let path = ("PI_PLUGIN_PATH", folder.path().to_str().unwrap());
    let listed = run(&["ls"], &[path]).text;
    assert!(listed.contains("[cuda:cpu:1]") && !listed.contains("libpi_opencl.so"), "{listed}");
    let listed = run(&["ls"], &[path, ("SYCL_OVERRIDE_PI_OPENCL", "/no/such/libpi_opencl.so")]).text;
    let line = "opencl /no/such/libpi_opencl.so (SYCL_OVERRIDE_PI_OPENCL): not there";
    assert!(listed.contains("[cuda:cpu:1]") && listed.contains(line), "{listed}");
    assert!(!listed.contains("to do:"), "there is nothing to do about a file that is not there: {listed}");
}

#[test]
fn no_device_says_what_was_tried() {
    // A plugin next to the tool finds no driver either.
    let nowhere = [("PI_PLUGIN_PATH", "/no/such/folder"), ("OCL_ICD_VENDORS", "/no/such/folder")];
    let listed = run(&["ls"], &nowhere);
    assert_eq!(listed.code, 1);
    assert!(
        listed.text.contains("/no/such/folder/libpi_opencl.so (PI_PLUGIN_PATH): not there"),
        "{}",
        listed.text
    );
    assert!(listed.text.contains("pi doctor"));
    assert_eq!(run(&["nonsense"], &[]).code, 2);
}

#[test]
fn a_crash_of_a_plugin_is_reported_not_suffered() {
    let folder = tempfile::tempdir().unwrap();
    let file = plugin(folder.path(), &["CRASH"]);
    let doctor = run(&["--json", "doctor", "--plugin", file.to_str().unwrap()], &[]);
    assert_eq!(doctor.code, 1);
    let report = doctor.json();
    assert_eq!(report["healthy"], false);
    let findings = report["findings"].as_array().unwrap();
    assert!(
        findings
            .iter()
            .any(|finding| finding["why"].as_str().is_some_and(|why| why.contains("abort, signal 6"))),
        "{report:#}"
    );
}

/// Returns what `pi doctor` tells to type for the error whose text contains `what`.
fn typed(report: &Value, what: &str) -> String {
    let findings = report["findings"].as_array().unwrap();
    let is_it = |finding: &&Value| {
        finding["severity"] == "error" && finding["what"].as_str().is_some_and(|text| text.contains(what))
    };
    let found = findings.iter().find(is_it).unwrap_or_else(|| panic!("no {what}: {report:#}"));
    found["command"].as_str().unwrap().to_owned()
}

#[test]
fn a_plugin_that_crashes_costs_its_own_devices_and_what_doctor_prints_mends_it() {
    let folder = tempfile::tempdir().unwrap();
    plugin(folder.path(), &["CRASH"]);
    compile(&folder.path().join("libpi_cuda.so"), &[EVERY_VERSION, "DEVICES"]);
    let path = [("PI_PLUGIN_PATH", folder.path().to_str().unwrap())];
    let listed = run(&["ls"], &path);
    assert_eq!(listed.code, 0);
    assert!(listed.text.contains("[cuda:cpu:0] Fake platform, Fake device"), "{}", listed.text);

    let report = run(&["--json", "doctor"], &path).json();
    let line = typed(&report, "libpi_opencl.so (PI_PLUGIN_PATH) does not load");
    let pi = env!("CARGO_BIN_EXE_pi");
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{line}; {pi} --json doctor")]).env_clear().envs(path);
    let after: Value = serde_json::from_slice(&shell.output().unwrap().stdout).unwrap();
    assert!(!after.to_string().contains(folder.path().to_str().unwrap()), "{line}: {after:#}");
}

#[test]
fn one_missing_driver_is_one_error() {
    let folder = tempfile::tempdir().unwrap();
    plugin(folder.path(), &[]);
    let (path, vendors) = (folder.path().to_str().unwrap(), folder.path().join("vendors"));
    std::fs::create_dir(&vendors).unwrap();
    let variables = [("PI_PLUGIN_PATH", path), ("OCL_ICD_VENDORS", vendors.to_str().unwrap())];
    let report = run(&["--json", "doctor"], &variables).json();
    let findings = report["findings"].as_array().unwrap();
    let of = |what: &str| findings.iter().find(|finding| finding["what"] == what).unwrap();
    let (driver, device) = (of("There is no OpenCL driver"), of("There is no device"));
    assert!(driver["command"].as_str().unwrap().contains("intel-opencl-rt"), "{report:#}");
    assert_eq!((&driver["severity"], &device["severity"]), (&"error".into(), &"info".into()));
}

#[test]
fn a_damaged_plugin_of_an_environment_is_mended_by_an_install() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    std::fs::create_dir_all(root.join("lib")).unwrap();
    std::fs::write(root.join("pyvenv.cfg"), "").unwrap();
    compile(&root.join("lib/libsycl.so.7"), &[EVERY_VERSION]);
    std::fs::write(root.join("lib").join(NAME), "damaged").unwrap();
    let report = run(&["--json", "doctor", root.to_str().unwrap()], &[]).json();
    assert_eq!(typed(&report, "does not load"), format!("pi install {}", root.display()));
}

#[test]
fn a_device_that_fails_its_test_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let file = plugin(folder.path(), &["DEVICES"]);
    let report = run(&["--json", "doctor", "--plugin", file.to_str().unwrap()], &[]).json();
    let findings = report["findings"].as_array().unwrap();
    let failed =
        findings.iter().find(|finding| finding["what"].as_str().unwrap().contains("fails the first test"));
    assert!(failed.unwrap()["why"].as_str().unwrap().contains("piContextCreate is not in this plugin"));
    // Neither device says that it takes SPIR-V.
    assert!(typed(&report, "No device takes SPIR-V").contains("intel-opencl-rt"));
}

/// Each device is tested by its number in its own plugin.
#[test]
fn devices_of_several_plugins_are_tested_each_in_its_own() {
    let folder = tempfile::tempdir().unwrap();
    plugin(folder.path(), &["DEVICES"]);
    compile(&folder.path().join("libpi_cuda.so"), &[EVERY_VERSION, "DEVICES"]);
    let path = [("PI_PLUGIN_PATH", folder.path().to_str().unwrap())];
    let report = run(&["--json", "doctor"], &path).json();
    let findings = report["findings"].as_array().unwrap();
    let failed: Vec<&Value> = findings
        .iter()
        .filter(|finding| finding["what"].as_str().unwrap().contains("fails the first test"))
        .collect();
    assert_eq!(failed.len(), 4, "{report:#}");
    for finding in failed {
        let why = finding["why"].as_str().unwrap();
        assert!(why.contains("piContextCreate is not in this plugin"), "{why}");
    }
}

#[test]
fn a_plugin_that_a_variable_names_is_wanted() {
    let variables = [("SYCL_OVERRIDE_PI_OPENCL", "/no/such/libpi_opencl.so"), ("PI_PLUGIN_PATH", "/no/such")];
    let report = run(&["--json", "doctor"], &variables).json();
    let line = typed(&report, "/no/such/libpi_opencl.so (SYCL_OVERRIDE_PI_OPENCL) does not load");
    assert_eq!(line, "unset SYCL_OVERRIDE_PI_OPENCL");
    assert!(!report.to_string().contains("/no/such/libpi_cuda.so (PI_PLUGIN_PATH) does not load"));
}

/// The made-up libsycl opens the plugin, and has no device.
#[test]
fn a_libsycl_that_sees_fewer_devices_than_its_plugin_is_an_error() {
    let tree = install_support::Tree::new();
    compile(&tree.place().with_extension("new"), &[EVERY_VERSION, "DEVICES"]);
    std::fs::rename(tree.place().with_extension("new"), tree.place()).unwrap();
    let root = tree.venv();
    let doctor =
        |variables: &[(&str, &str)]| run(&["--json", "doctor", root.to_str().unwrap()], variables).json();
    let what = format!("Programs of {} see no device", tree.lib.join("libsycl.so.7").display());
    assert!(doctor(&[]).to_string().contains(&what), "{:#}", doctor(&[]));
    // Devices that a selector hides are not expected.
    let hidden = doctor(&[("ONEAPI_DEVICE_SELECTOR", "cuda:*")]);
    assert!(!hidden.to_string().contains(&what), "{hidden:#}");
}

#[test]
fn ours_whose_package_is_gone_is_told() {
    let tree = install_support::Tree::new();
    tree.done("install");
    let root = tree.venv();
    let about = |report: &Value| {
        let place = tree.place().display().to_string();
        let findings = report["findings"].as_array().unwrap();
        findings.iter().find(|one| one["what"].as_str().unwrap().starts_with(&place)).unwrap().clone()
    };
    let doctor = || about(&run(&["--json", "doctor", root.to_str().unwrap()], &[]).json());
    assert_eq!(doctor()["severity"], "ok");
    std::fs::remove_file(&tree.ours).unwrap();
    let told = doctor();
    assert_eq!(told["severity"], "warning");
    assert!(told["why"].as_str().unwrap().contains("which is gone"), "{told:#}");
    assert_eq!(told["command"], format!("pi uninstall {}", root.display()));
}

#[test]
fn a_pipe_is_no_plugin_and_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join(NAME);
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let listed = run(&["ls", "-v", "--plugin", pipe.to_str().unwrap()], &[]);
    assert!(listed.code == 1 && listed.text.contains("it is not a regular file"), "{}", listed.text);
}
