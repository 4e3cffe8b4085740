//! `pi install`, `pi run` and `pi env` for releases that load Unified Runtime adapters, in fake environments.
#![allow(clippy::unwrap_used, clippy::panic)]

mod install_support;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use install_support::pi;
use install_support::ur_tree::{RELEASES, UrTree, numbers_below};

/// Returns the variable that C functions see after Python's start, given the value that the user has set before.
fn in_python(packages: &Path, before: Option<&str>) -> String {
    let told = python(packages, before, "print(in_c())");
    told.trim().to_owned()
}

/// Runs lines of Python in an environment with these packages.
fn python(packages: &Path, before: Option<&str>, lines: &str) -> String {
    let start = format!(
        "import site; site.addsitedir('{}')
import ctypes, os, subprocess, sys
NAME = 'UR_ADAPTERS_FORCE_LOAD'
getenv = ctypes.CDLL(None).getenv
getenv.restype = ctypes.c_char_p
def in_c():
    return (getenv(NAME.encode()) or b'').decode()
",
        packages.display()
    );
    let mut command = Command::new("python3");
    command.args(["-S", "-c", &(start + lines)]).env_remove("UR_ADAPTERS_FORCE_LOAD");
    command.envs(before.map(|value| ("UR_ADAPTERS_FORCE_LOAD", value)));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_release_gets_its_adapters_and_its_own_files_back() {
    for (release, ..) in RELEASES {
        let tree = UrTree::new(release);
        let before = tree.picture();
        let (code, status) = tree.pi("status", &[]);
        assert_eq!((code, status["entries"][0]["release"].as_str()), (3, Some(release)));
        assert_eq!(tree.state("opencl"), "vendor", "{release}");

        tree.install(&["opencl", "level_zero", "cuda"]);
        let mut names = vec!["libur_adapter_opencl.so.0".to_owned(), "libur_adapter_cuda.so.0".to_owned()];
        names.extend(tree.names("level_zero"));
        if tree.has_v2() {
            names.extend(tree.names("level_zero_v2"));
        }
        if !tree.has_opencl_inside() {
            names.extend(tree.names("opencl"));
        }
        for name in names {
            assert!(tree.is_ours(&name), "{release}: {name}");
        }
        assert_eq!(tree.pth().exists(), tree.has_opencl_inside(), "{release}");
        for backend in ["opencl", "level_zero", "cuda"] {
            assert_eq!(tree.state(backend), "ours", "{release}");
        }
        let installed = tree.picture();
        tree.install(&["opencl", "level_zero", "cuda"]);
        assert_eq!(tree.picture(), installed, "{release}");

        tree.uninstall();
        assert_eq!(tree.picture(), before, "{release}");
    }
}

#[test]
fn python_gets_ours_with_the_other_adapters_of_the_environment() {
    let tree = UrTree::new("2026.2.0");
    let file = |name: &str| tree.lib.join(name).to_str().unwrap().to_owned();
    let ours = file("libur_adapter_opencl.so.0");
    let both = [file("libur_adapter_level_zero.so.0"), file("libur_adapter_level_zero_v2.so.0")];
    tree.install(&["opencl"]);
    let value = in_python(&tree.packages, None);
    assert_eq!(value, format!("{ours},{},{}", both[0], both[1]));
    assert_eq!(in_python(&tree.packages, Some("/the/user's.so")), "/the/user's.so");

    // Ours under the second name would list each device again.
    tree.install(&["level_zero"]);
    assert_eq!(in_python(&tree.packages, None), format!("{ours},{}", both[0]));
    tree.uninstall();
    assert_eq!(in_python(&tree.packages, None), "");
}

/// Each way of starting a program prints that program's value of the variable, and the value that libsycl would
/// read afterwards.
#[test]
fn programs_that_python_starts_have_no_adapters_of_its_environment() {
    let tree = UrTree::new("2026.2.0");
    tree.install(&["opencl"]);
    let ours = tree.lib.join("libur_adapter_opencl.so.0").to_str().unwrap().to_owned();
    let ways = [
        "subprocess.run(child)",
        "subprocess.check_call(child, env=dict(os.environ))",
        "subprocess.Popen(child).wait(); open('/dev/null').close()",
        "os.system(' '.join(child)); open('/dev/null').close()",
        "os.waitpid(os.posix_spawn(child[0], child, os.environ), 0); open('/dev/null').close()",
        "os.spawnv(os.P_WAIT, child[0], child)",
        "subprocess.run(child); subprocess.run(child)",
    ];
    for way in ways {
        let lines = format!(
            "child = ['/usr/bin/env', 'sh', '-c', '\"echo child:$UR_ADAPTERS_FORCE_LOAD\"']
if 'system' not in {way:?}: child[3] = child[3].strip('\"')
print('before:' + in_c(), 'python:' + os.environ.get(NAME, ''), flush=True)
{way}
print('after:' + in_c())
"
        );
        let told = python(&tree.packages, None, &lines);
        let told: Vec<&str> = told.lines().collect();
        assert!(told.first().unwrap().starts_with(&format!("before:{ours}")), "{way}: {told:?}");
        assert!(told.first().unwrap().ends_with(" python:"), "{way}: {told:?}");
        assert!(told[1..told.len() - 1].iter().all(|line| *line == "child:"), "{way}: {told:?}");
        assert!(
            told.len() > 2 && told.last().unwrap().starts_with(&format!("after:{ours}")),
            "{way}: {told:?}"
        );
    }
    // Python of the same environment, started by such a program, has its own value again, and does not pass it on.
    let value = in_python(&tree.packages, None);
    assert_eq!(in_python(&tree.packages, Some(&value)), value);
    let handed = python(
        &tree.packages,
        Some(&value),
        "subprocess.run(['sh', '-c', 'echo child:$UR_ADAPTERS_FORCE_LOAD'])",
    );
    assert_eq!(handed, "child:\n");
    // A value set by the user or the program is kept and passed on.
    let lines =
        "os.environ[NAME] = '/theirs.so'; subprocess.run(['sh', '-c', 'echo child:$UR_ADAPTERS_FORCE_LOAD'])";
    assert_eq!(python(&tree.packages, None, lines), "child:/theirs.so\n");
    let lines = "subprocess.run(['sh', '-c', 'echo child:$UR_ADAPTERS_FORCE_LOAD'])";
    assert_eq!(python(&tree.packages, Some("/theirs.so"), lines), "child:/theirs.so\n");
    // A failed exec leaves the process unchanged.
    let lines = "
try: os.execv('/no/such/program', ['x'])
except OSError: pass
open('/dev/null').close(); print(in_c())";
    assert_eq!(python(&tree.packages, None, lines).trim(), value);
}

#[test]
fn the_manifest_names_the_file_for_python() {
    let tree = UrTree::new("2026.2.0");
    tree.install(&["opencl"]);
    let manifest = fs::read_to_string(tree.lib.join(".sycl-pi-install.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["pth_files"], serde_json::json!(["python3.12/site-packages/sycl-pi.pth"]));
    assert_eq!(manifest["plugins"]["libur_adapter_opencl.so.0"]["release"], "2026.2.0");
}

#[test]
fn a_lost_file_for_python_is_seen_and_written_again() {
    let tree = UrTree::new("2026.2.0");
    let before = tree.picture();
    tree.install(&["opencl"]);
    let installed = fs::read(tree.pth()).unwrap();
    fs::remove_file(tree.pth()).unwrap();
    assert_eq!(tree.state("opencl"), "interrupted");
    tree.install(&["opencl"]);
    assert_eq!(fs::read(tree.pth()).unwrap(), installed);
    assert_eq!(tree.state("opencl"), "ours");

    fs::remove_file(tree.lib.join("libur_adapter_opencl.so.0")).unwrap();
    assert_eq!(tree.state("opencl"), "interrupted");
    tree.uninstall();
    assert_eq!(tree.picture(), before);
}

#[test]
fn another_backend_alone_needs_no_file_for_python() {
    let tree = UrTree::new("2026.2.0");
    tree.install(&["cuda"]);
    assert!(!tree.pth().exists());
    assert_eq!(tree.state("opencl"), "vendor");
}

#[test]
fn links_between_an_adapters_names_stay() {
    let tree = UrTree::new("2025.3.3");
    fs::remove_dir_all(tree.lib.join("python3.12")).unwrap();
    let [link, opened, real] = <[String; 3]>::try_from(tree.names("opencl")).unwrap();
    for (name, to) in [(&link, &opened), (&opened, &real)] {
        fs::remove_file(tree.lib.join(name)).unwrap();
        symlink(to, tree.lib.join(name)).unwrap();
    }
    let before = tree.picture();
    tree.install(&["opencl"]);
    assert!(tree.is_ours(&real) && tree.is_ours(&link));
    assert_eq!(fs::read_link(tree.lib.join(&opened)).unwrap(), Path::new(&real));
    assert_eq!(tree.state("opencl"), "ours");
    tree.uninstall();
    assert_eq!(tree.picture(), before);
}

#[test]
fn a_copy_that_differs_is_seen_and_can_be_finished_or_undone() {
    let tree = UrTree::new("2025.2.2");
    let before = tree.picture();
    let second = tree.lib.join("libur_adapter_level_zero_v2.so.0");
    let interrupt = || {
        tree.install(&["level_zero"]);
        let kept = second.with_extension("0.vendor");
        fs::rename(kept, &second).unwrap();
        assert_eq!(tree.state("level_zero"), "interrupted");
    };
    interrupt();
    tree.install(&["level_zero"]);
    assert_eq!(tree.state("level_zero"), "ours");
    assert!(tree.is_ours("libur_adapter_level_zero_v2.so.0"));
    tree.uninstall();
    assert_eq!(tree.picture(), before);
    interrupt();
    tree.uninstall();
    assert_eq!(tree.picture(), before);
}

#[test]
fn our_adapter_put_there_by_hand_is_told_by_its_content_and_left_alone() {
    let tree = UrTree::new("2025.3.3");
    for name in tree.names("opencl") {
        fs::copy(tree.ours("opencl"), tree.lib.join(name)).unwrap();
    }
    let by_hand = tree.picture();
    assert_eq!(tree.state("opencl"), "ours");
    tree.uninstall();
    assert_eq!(tree.picture(), by_hand);
}

#[test]
fn what_does_not_fit_the_release_is_refused() {
    let tree = UrTree::new("2025.3.3");
    let before = tree.picture();
    let plugin = tree.root.path().join("libpi_opencl.so");
    fs::write(&plugin, "").unwrap();
    let refused = |file: &Path, part: &str| {
        let (code, value) =
            pi(&["install".into(), tree.venv(), "--plugin".into(), file.to_str().unwrap().into()]);
        assert_eq!(code, 1);
        assert!(value["error"].as_str().unwrap().contains(part), "{value}");
        assert_eq!(tree.picture(), before);
    };
    refused(&plugin, "loads Unified Runtime adapters: name one of libur_adapter_opencl.so");
    refused(&tree.ours("vulkan"), "the name says for which backend");
}

#[test]
fn a_loader_that_asks_for_more_than_the_adapter_has_is_refused() {
    let tree = UrTree::new("2026.1.2");
    let asks = "\0urGetAdapterProcAddrTable\0urGetFutureExpProcAddrTable\0";
    fs::write(tree.lib.join("libur_loader.so.0"), asks).unwrap();
    let before = tree.picture();
    fs::write(tree.ours("opencl"), "\0urGetAdapterProcAddrTable\0").unwrap();
    let (code, value) = tree.pi("install", &["opencl"]);
    assert_eq!(code, 1);
    assert!(
        value["error"]
            .as_str()
            .unwrap()
            .contains("(DPC++ 2026.1.2) asks adapters for urGetFutureExpProcAddrTable")
    );
    assert_eq!(tree.picture(), before);
    fs::write(tree.ours("opencl"), asks).unwrap();
    tree.install(&["opencl"]);
}

#[test]
fn a_dry_run_changes_no_environment() {
    let tree = UrTree::new("2026.2.0");
    let before = tree.picture();
    let ours = tree.ours("opencl").to_str().unwrap().to_owned();
    let (code, value) = pi(&["install".into(), tree.venv(), "--dry-run".into(), "--plugin".into(), ours]);
    assert_eq!((code, tree.picture()), (0, before));
    assert!(
        value["entries"][0]["notes"][0]
            .as_str()
            .unwrap()
            .contains("sycl-pi.pth names the adapters to Python")
    );
}

#[test]
fn a_program_runs_on_ours_without_an_install() {
    let tree = UrTree::new("2025.2.2");
    let before = tree.picture();
    let ours = tree.ours("opencl");
    // In 2025.2 the loader picks one of the two Level Zero adapters. Both in the list would list devices twice.
    let first = tree.lib.join("libur_adapter_level_zero.so.0");
    fs::write(tree.lib.join("libur_loader.so.0"), "\0urGetGlobalProcAddrTable\0").unwrap();
    fs::write(&ours, "\0urGetGlobalProcAddrTable\0").unwrap();
    let expected = format!("{},{}", ours.display(), first.display());
    assert_eq!(tree.pi("env", &["opencl"]).1["variables"]["UR_ADAPTERS_FORCE_LOAD"], expected.as_str());

    let mut command = Command::new(env!("CARGO_BIN_EXE_pi"));
    command.args(["run", &tree.venv(), "--plugin"]).arg(&ours);
    command.args(["sh", "-c", "printf %s \"$UR_ADAPTERS_FORCE_LOAD\"; exit 7"]);
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    assert_eq!(output.status.code(), Some(7));

    let mut active = Command::new(env!("CARGO_BIN_EXE_pi"));
    active.args(["run", "--plugin"]).arg(&ours).args([
        "--",
        "sh",
        "-c",
        "printf %s \"$UR_ADAPTERS_FORCE_LOAD\"",
    ]);
    let output = active.env("VIRTUAL_ENV", tree.venv()).env_remove("SYCL_PI_ENVIRONMENT").output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected, "the active environment, without DIR");
    fs::remove_file(tree.lib.join("libur_loader.so.0")).unwrap();
    assert_eq!(tree.picture(), before);
}

#[test]
fn a_list_names_adapters_with_their_release() {
    let tree = UrTree::new("2026.2.0");
    let mut command = Command::new(env!("CARGO_BIN_EXE_pi"));
    command.args(["--json", "ls"]).env_clear().env("VIRTUAL_ENV", tree.venv());
    let report: serde_json::Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
    let adapter = &report["adapters"][0];
    assert_eq!(
        (adapter["backend"].as_str(), adapter["release"].as_str()),
        (Some("opencl"), Some("2026.2.0"))
    );
    assert_eq!(adapter["path"], tree.lib.join("libsycl.so.9").to_str().unwrap());
    assert_eq!(adapter["state"], "vendor");
}

/// Returns the texts of `pi doctor` about an environment, with their severity and what to type.
fn doctor(tree: &UrTree, variables: &[(&str, &str)]) -> Vec<[String; 3]> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pi"));
    command.args(["--json", "doctor"]).env_clear().env("VIRTUAL_ENV", tree.venv());
    let output = command.envs(variables.iter().copied()).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |finding: &serde_json::Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let findings = report["findings"].as_array().unwrap().iter();
    findings.map(|finding| ["severity", "what", "command"].map(|key| text(finding, key))).collect()
}

#[test]
fn what_keeps_an_adapter_from_being_loaded_is_told() {
    let tree = UrTree::new("2025.3.3");
    let kept = |variables: &[(&str, &str)]| {
        let all = doctor(&tree, variables).into_iter();
        let mut all = all.filter(|[_, what, _]| what.contains("keeps the opencl adapter"));
        all.next().map(|[severity, ..]| severity)
    };
    let selector = ("ONEAPI_DEVICE_SELECTOR", "level_zero:gpu");
    assert_eq!(kept(&[selector]).as_deref(), Some("info"));
    // With a list of adapters, the selector chooses none.
    let list = ("UR_ADAPTERS_FORCE_LOAD", "libanother.so");
    assert_eq!(kept(&[selector, list]), None);
    tree.install(&["opencl"]);
    assert_eq!(kept(&[selector]).as_deref(), Some("warning"));
}

/// Python of the environment sets such a list.
#[test]
fn a_list_of_the_environments_own_adapters_is_no_news() {
    let tree = UrTree::new("2025.3.3");
    let told = |list: &str| {
        let all = doctor(&tree, &[("UR_ADAPTERS_FORCE_LOAD", list)]);
        all.iter().any(|[_, what, _]| what.contains("no other adapter is loaded"))
    };
    let [opencl, level_zero] =
        ["opencl", "level_zero"].map(|backend| tree.lib.join(format!("libur_adapter_{backend}.so.0")));
    let own = format!("{},{}", opencl.display(), level_zero.display());
    assert!(!told(&own));
    assert!(told(&format!("{own},{}", tree.ours("cuda").display())));
    assert!(told("libanother.so"));
}

/// Packages have the series of the environment's release, in the notation of its installer.
#[test]
fn what_to_type_installs_packages_of_the_environments_release() {
    let tree = UrTree::new("2025.3.3");
    let typed = || {
        let all = doctor(&tree, &[("OCL_ICD_VENDORS", "/no/such/folder")]);
        let error =
            all.iter().find(|[severity, what, _]| severity == "error" && what.contains("OpenCL driver"));
        error.unwrap()[2].clone()
    };
    fs::create_dir(tree.lib.join("../bin")).unwrap();
    fs::write(tree.lib.join("../bin/python"), "").unwrap();
    assert!(typed().ends_with(" -m pip install 'intel-opencl-rt==2025.3.*'"), "{}", typed());
    fs::create_dir(tree.lib.join("../conda-meta")).unwrap();
    let conda = format!(
        "conda install --prefix {} -c https://software.repos.intel.com/python/conda 'intel-opencl-rt=2025.3.*'",
        tree.venv()
    );
    assert_eq!(typed(), conda);
}

/// Environments of stock releases, each named like its release. They are copied, as links to their files if the
/// file system supports it.
#[test]
#[ignore = "needs environments of stock releases: PI_TEST_ENVIRONMENTS names their folders"]
fn stock_environments_get_their_own_files_back() {
    let named = std::env::var_os("PI_TEST_ENVIRONMENTS").unwrap();
    for environment in std::env::split_paths(&named) {
        let release = environment.file_name().unwrap().to_str().unwrap();
        let tree = UrTree::new(release);
        let copy = tree.root.path().canonicalize().unwrap().join("copy");
        let copied = ["-alT", "-aT"].iter().any(|how| {
            let mut command = Command::new("cp");
            command.arg(how).arg(&environment).arg(&copy).stderr(std::process::Stdio::null());
            command.status().unwrap().success()
        });
        assert!(copied, "{} cannot be copied", environment.display());
        one_environment(release, &tree, &copy);
    }
}

fn one_environment(release: &str, tree: &UrTree, copy: &Path) {
    // The vendor's own adapter has every function that the loader needs.
    let vendors = fs::read(copy.join("lib/libur_adapter_level_zero.so.0")).unwrap();
    fs::write(tree.ours("opencl"), [vendors.as_slice(), b"\0sycl_pi_backend\0"].concat()).unwrap();
    let folder = copy.to_str().unwrap().to_owned();
    let before = numbers_below(&copy.join("lib"));
    let (code, status) = pi(&["status".into(), folder.clone()]);
    assert_eq!((code, status["entries"][0]["release"].as_str()), (3, Some(release)));
    assert_eq!(status["entries"][0]["state"], "vendor", "{release}");

    let ours = tree.ours("opencl").to_str().unwrap().to_owned();
    let (code, installed) = pi(&["install".into(), folder.clone(), "--plugin".into(), ours]);
    assert_eq!(code, 0, "{installed:#}");
    assert_eq!(pi(&["status".into(), folder.clone()]).0, 0);
    let mut python = Command::new(copy.join("bin/python"));
    let code = "import ctypes; get = ctypes.CDLL(None).getenv; get.restype = ctypes.c_char_p; \
                print((get(b'UR_ADAPTERS_FORCE_LOAD') or b'').decode())";
    python.args(["-c", code]);
    python.env_remove("UR_ADAPTERS_FORCE_LOAD").env("PYTHONDONTWRITEBYTECODE", "1");
    let value = String::from_utf8(python.output().unwrap().stdout).unwrap();
    let adapters = ["opencl", "level_zero", "level_zero_v2"];
    let files = adapters.map(|adapter| format!("{folder}/lib/libur_adapter_{adapter}.so.0"));
    let expected = if tree.has_opencl_inside() { files.join(",") } else { String::new() };
    assert_eq!(value.trim(), expected, "{release}");

    assert_eq!(pi(&["uninstall".into(), folder]).0, 0);
    assert!(numbers_below(&copy.join("lib")) == before, "{release} is not as it was");
}

#[test]
fn an_environment_may_be_moved_or_copied() {
    let tree = UrTree::new("2026.2.0");
    tree.install(&["opencl", "level_zero"]);
    let old = std::path::PathBuf::from(tree.venv());
    let base = old.parent().unwrap();
    // A name with a colon is quoted.
    for (name, quote) in [("moved", ""), ("with space and \u{e4}", ""), ("a:b", "\"")] {
        let new = base.join(name);
        assert!(Command::new("cp").arg("-a").arg(&old).arg(&new).status().unwrap().success());
        let lib = new.join("lib").to_str().unwrap().to_owned();
        let file = |adapter: &str| format!("{quote}{lib}/libur_adapter_{adapter}.so.0{quote}");
        let packages = new.join("lib/python3.12/site-packages");
        let expected = format!("{},{}", file("opencl"), file("level_zero"));
        assert_eq!(in_python(&packages, None), expected);
        let (code, status) = pi(&["status".into(), new.to_str().unwrap().into()]);
        assert_eq!((code, status["entries"][0]["state"].as_str()), (0, Some("ours")), "{status:#}");
    }
    // A comma cannot be expressed: the vendor's adapter is used, and this is reported.
    let new = base.join("a,b");
    fs::rename(&old, &new).unwrap();
    assert_eq!(in_python(&new.join("lib/python3.12/site-packages"), None), "");
    let (code, status) = pi(&["status".into(), new.to_str().unwrap().into()]);
    assert_eq!((code, status["error"].as_str().unwrap().contains("commas separate paths")), (1, true));
}

#[test]
fn python_names_no_adapter_that_is_gone() {
    let tree = UrTree::new("2026.2.0");
    tree.install(&["opencl"]);
    fs::remove_file(tree.lib.join("libur_adapter_level_zero.so.0")).unwrap();
    let file = |name: &str| tree.lib.join(name).to_str().unwrap().to_owned();
    let [ours, second] = ["libur_adapter_opencl.so.0", "libur_adapter_level_zero_v2.so.0"].map(file);
    assert_eq!(in_python(&tree.packages, None), format!("{ours},{second}"));
    fs::remove_file(ours).unwrap();
    assert_eq!(in_python(&tree.packages, None), "");
}

#[test]
fn an_uninstall_without_libsycl_takes_adapters_and_the_file_for_python_away() {
    let tree = UrTree::new("2026.2.0");
    tree.install(&["opencl", "level_zero"]);
    for name in ["libsycl.so.9", "libsycl.so.9.0.0"] {
        fs::remove_file(tree.lib.join(name)).unwrap();
    }
    let expected: Vec<String> =
        ["level_zero", "level_zero_v2"].iter().flat_map(|adapter| tree.names(adapter)).collect();
    tree.uninstall();
    let left: Vec<String> =
        tree.picture().iter().map(|file| file.0.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    assert_eq!(left, expected);
    for name in &left {
        assert_eq!(fs::read_to_string(tree.lib.join(name)).unwrap(), format!("the vendor's {name}"));
    }
}

#[test]
fn what_a_killed_install_left_among_the_python_packages_goes_too() {
    let tree = UrTree::new("2026.2.0");
    let before = tree.picture();
    fs::write(tree.packages.join(".sycl-pi-unfinished-abc"), "half").unwrap();
    fs::write(tree.lib.join(".sycl-pi-unfinished-abc"), "half").unwrap();
    fs::write(tree.lib.join(".sycl-pi-install.lock"), "").unwrap();
    assert_eq!(tree.state("opencl"), "vendor");
    tree.uninstall();
    assert_eq!(tree.picture(), before);
}
