//! Tests where compilers are searched for. The test starts its own program again, with other variables and privileges.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking"
)]

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Set for the child.
const CHILD: &str = "PI_COMPILER_TEST_CHILD";
/// The start of a program.
const PROGRAM: &str = "\x7fELF";
/// The user `nobody`.
const OTHER: u32 = 65534;

/// In the parent this tests nothing.
#[test]
fn as_a_child() {
    if std::env::var_os(CHILD).is_some() {
        match sycl_pi_compiler::candidates() {
            Ok(all) => all.iter().for_each(|one| println!("{one}: {:?}", one.identity())),
            Err(error) => println!("{error}"),
        }
    }
}

/// Creates a folder that all users may read, with a program `clang`, and this binary in another folder.
fn home() -> (tempfile::TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    fs::set_permissions(home.path(), Permissions::from_mode(0o755)).unwrap();
    let program = home.path().join("elsewhere/bin/program");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    // Copied by another process, because a child of a concurrent test could hold one of our files open for writing, and
    // such a program does not start.
    let copied = Command::new("cp").arg(std::env::current_exe().unwrap()).arg(&program).status();
    assert!(copied.unwrap().success());
    fs::create_dir(home.path().join("bin")).unwrap();
    fs::write(home.path().join("bin/clang"), PROGRAM).unwrap();
    (home, program)
}

/// Returns what the child finds in that working directory, with only this variable.
fn found(program: &Path, (name, value): (&str, &str), directory: &Path) -> String {
    let mut child = child(program, directory);
    child.env(name, value);
    lines(child)
}

fn child(program: &Path, directory: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().env(CHILD, "1").current_dir(directory);
    command
}

fn lines(mut command: Command) -> String {
    let output = command.args(["--exact", "as_a_child", "--nocapture"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = String::from_utf8(output.stdout).unwrap();
    // Without the lines of the test's own harness, which contain times.
    output.lines().filter(|line| line.contains('/')).map(|line| format!("{line}\n")).collect()
}

#[test]
fn variables_name_compilers_and_environments_and_the_working_directory_does_not() {
    let (home, program) = home();
    let bin = home.path().join("bin");
    let clang = bin.join("clang").display().to_string();
    let (root, path) = (home.path().display().to_string(), bin.display().to_string());
    for variable in [("PATH", &path), ("VIRTUAL_ENV", &root), ("CONDA_PREFIX", &root), ("PI_CLANG", &clang)] {
        let found = found(&program, (variable.0, variable.1), Path::new("/"));
        assert!(found.contains(&clang), "{variable:?}: {found}");
    }
    fs::write(program.with_file_name("clang"), "").unwrap();
    let beside = found(&program, ("HOME", &root), program.parent().unwrap());
    assert!(!beside.contains("elsewhere"), "what lies beside a program is not asked for: {beside}");
    for relative in [".", "", "::", "bin", "../bin"] {
        for name in ["PATH", "VIRTUAL_ENV"] {
            let found = found(&program, (name, relative), &bin);
            assert!(!found.contains(&clang), "{name}={relative}: {found}");
        }
    }
}

#[test]
fn an_identity_is_another_when_the_program_or_its_libraries_are() {
    let (home, program) = home();
    let bin = home.path().join("bin");
    let clang = bin.join("clang");
    let of = |libraries: &str| {
        let mut child = child(&program, &bin);
        child.env("PATH", &bin).env("LD_LIBRARY_PATH", libraries);
        let found = lines(child);
        found.lines().find(|line| line.starts_with(&format!("{} alone", clang.display()))).unwrap().to_owned()
    };
    let before = of("");
    assert!(before.contains("Some(") && before == of(":."), "{before}");
    assert_ne!(of("/libraries"), before);
    fs::write(&clang, format!("{PROGRAM} another")).unwrap();
    let after = of("");
    assert_ne!(after, before);
    // A script, and a link to a compiler launcher.
    fs::write(&clang, "#!/bin/sh\n").unwrap();
    assert!(of("").ends_with("None"), "{}", of(""));
    fs::remove_file(&clang).unwrap();
    fs::write(bin.join("ccache"), PROGRAM).unwrap();
    symlink("ccache", &clang).unwrap();
    assert!(of("").ends_with("None"), "{}", of(""));
}

#[test]
fn a_set_user_id_program_follows_no_variable() {
    let (home, program) = home();
    chown(&program, Some(OTHER), None).expect("needs root");
    fs::set_permissions(&program, Permissions::from_mode(0o4755)).unwrap();
    let clang = home.path().join("bin/clang").display().to_string();
    let (root, path) = (home.path().display().to_string(), home.path().join("bin").display().to_string());
    for variable in [("PATH", &path), ("VIRTUAL_ENV", &root), ("CONDA_PREFIX", &root), ("PI_CLANG", &clang)] {
        let found = found(&program, (variable.0, variable.1), Path::new("/"));
        assert!(!found.contains(&clang), "{variable:?}: {found}");
    }
}
