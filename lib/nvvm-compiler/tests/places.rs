//! The locations where libnvvm and `pi-nvvm` are searched for. The tests start their own binary again with other
//! variables and privileges.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;

use sycl_pi_nvvm_compiler::{NvvmLibrary, worker_program};

/// The variable that says what the child searches for.
const ROLE: &str = "PI_NVVM_TEST_ROLE";
/// The path that it must find, or nothing if it is not set.
const EXPECTED: &str = "PI_NVVM_TEST_EXPECTED";
/// Variables that the machine's own environment may contain.
const VARIABLES: [&str; 7] =
    ["PI_NVVM", "PI_NVVM_COMPILER", "VIRTUAL_ENV", "CONDA_PREFIX", "CUDA_HOME", "CUDA_PATH", "PATH"];
/// The user `nobody`.
const OTHER: u32 = 65534;

#[test]
#[ignore = "started by the tests beside it, with a role"]
fn as_a_child() {
    let role = std::env::var_os(ROLE).unwrap();
    let found = match role.to_str().unwrap() {
        "library" => NvvmLibrary::find().map(|library| library.libnvvm),
        "program" => worker_program(),
        role => panic!("{role}"),
    };
    match std::env::var_os(EXPECTED) {
        Some(expected) => assert_eq!(found.unwrap(), PathBuf::from(expected)),
        // The machine may have its own toolkit.
        None => {
            assert!(!found.as_ref().is_ok_and(|found| found.starts_with(std::env::temp_dir())), "{found:?}")
        }
    }
}

/// Returns a folder with these empty files.
fn folder(files: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        let file = folder.path().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "").unwrap();
    }
    folder
}

/// Copies this binary into a separate folder, so that nothing is located next to it.
fn program(folder: &Path) -> PathBuf {
    let program = folder.join("bin/program");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    // Another process copies it, because a child of a concurrent test could otherwise have the file open for writing,
    // and such a program does not start.
    let copied = Command::new("cp").arg(std::env::current_exe().unwrap()).arg(&program).status();
    assert!(copied.unwrap().success());
    program
}

/// Searches with only these variables, in the given working directory, and returns what it found if that is not the
/// expected result.
fn look(
    program: &Path,
    role: &str,
    variables: &[(&str, &Path)],
    (directory, expected): (&Path, Option<PathBuf>),
) {
    let mut command = Command::new(program);
    VARIABLES.iter().for_each(|name| _ = command.env_remove(name));
    command
        .args(["--ignored", "--exact", "as_a_child", "--nocapture"])
        .env(ROLE, role)
        .current_dir(directory);
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    command.envs(expected.map(|expected| (EXPECTED, expected)));
    let output = command.output().unwrap();
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success(), "{role} with {variables:?}: {}{}", said[0], said[1]);
}

const TOOLKIT: [&str; 2] = ["nvvm/lib64/libnvvm.so", "nvvm/libdevice/libdevice.10.bc"];

#[test]
fn variables_name_toolkits_and_environments() {
    let home = tempfile::tempdir().unwrap();
    let program = program(home.path());
    let toolkit = folder(&TOOLKIT);
    let wheel = "lib/python3.12/site-packages/nvidia/cuda_nvcc";
    let environment = folder(&TOOLKIT.map(|file| format!("{wheel}/{file}")).each_ref().map(String::as_str));
    let in_toolkit = toolkit.path().join(TOOLKIT[0]);
    let in_environment = environment.path().join(wheel).join(TOOLKIT[0]);
    for (variables, expected) in [
        (&[("CUDA_HOME", toolkit.path())][..], &in_toolkit),
        (&[("CUDA_PATH", toolkit.path())], &in_toolkit),
        (&[("CONDA_PREFIX", toolkit.path())], &in_toolkit),
        (&[("PI_NVVM", toolkit.path()), ("CUDA_HOME", environment.path())], &in_toolkit),
        (&[("PI_NVVM", in_toolkit.as_path())], &in_toolkit),
        (&[("VIRTUAL_ENV", environment.path())], &in_environment),
        (&[("CONDA_PREFIX", environment.path())], &in_environment),
        (&[("VIRTUAL_ENV", environment.path()), ("CUDA_HOME", toolkit.path())], &in_environment),
    ] {
        look(&program, "library", variables, (home.path(), Some(expected.clone())));
    }
    look(&program, "library", &[], (toolkit.path(), None));
}

#[test]
fn packages_beside_the_program_are_found() {
    let wheel = "lib/python3.9/site-packages/nvidia/cuda_nvcc";
    let environment = folder(&TOOLKIT.map(|file| format!("{wheel}/{file}")).each_ref().map(String::as_str));
    let expected = environment.path().join(wheel).join(TOOLKIT[0]);
    look(&program(environment.path()), "library", &[], (environment.path(), Some(expected)));
}

#[test]
fn the_worker_is_the_named_one_then_a_neighbour_then_the_first_on_the_path() {
    let home = tempfile::tempdir().unwrap();
    let program = program(home.path());
    let (one, two) = (folder(&["pi-nvvm"]), folder(&["pi-nvvm"]));
    let path = PathBuf::from(format!("/nonexistent:{}:{}", one.path().display(), two.path().display()));
    let (in_one, in_two) = (one.path().join("pi-nvvm"), two.path().join("pi-nvvm"));
    look(&program, "program", &[("PATH", &path)], (home.path(), Some(in_one)));
    let named = [("PATH", path.as_path()), ("PI_NVVM_COMPILER", &in_two)];
    look(&program, "program", &named, (home.path(), Some(in_two.clone())));
    look(&program, "program", &[("PI_NVVM_COMPILER", one.path())], (home.path(), None));
    let beside = program.with_file_name("pi-nvvm");
    fs::write(&beside, "").unwrap();
    look(&program, "program", &[("PATH", &path)], (home.path(), Some(beside)));
}

#[test]
fn the_worker_of_a_library_is_in_the_folder_of_programs() {
    let home = tempfile::tempdir().unwrap();
    let library = home.path().join("lib/program");
    fs::create_dir(home.path().join("lib")).unwrap();
    fs::rename(program(home.path()), &library).unwrap();
    fs::write(home.path().join("bin/pi-nvvm"), "").unwrap();
    let worker = home.path().join("lib/../bin/pi-nvvm");
    look(&library, "program", &[], (home.path(), Some(worker)));
}

#[test]
fn nothing_of_the_working_directory_runs() {
    let home = tempfile::tempdir().unwrap();
    let program = program(home.path());
    let trap = folder(&["pi-nvvm", "bin/pi-nvvm"]);
    look(&program, "program", &[], (trap.path(), None));
    for path in ["", ":", ".", "bin", "/nonexistent::"] {
        look(&program, "program", &[("PATH", Path::new(path))], (trap.path(), None));
    }
}

#[test]
fn a_set_user_id_program_takes_neither_from_a_variable() {
    let home = tempfile::tempdir().unwrap();
    fs::set_permissions(home.path(), Permissions::from_mode(0o755)).unwrap();
    let program = program(home.path());
    chown(&program, Some(OTHER), None).expect("needs root");
    fs::set_permissions(&program, Permissions::from_mode(0o4755)).unwrap();
    let trap = folder(&["pi-nvvm", TOOLKIT[0], TOOLKIT[1]]);
    fs::set_permissions(trap.path(), Permissions::from_mode(0o755)).unwrap();
    let worker = trap.path().join("pi-nvvm");
    for name in ["PI_NVVM", "CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX"] {
        look(&program, "library", &[(name, trap.path())], (trap.path(), None));
    }
    for (name, value) in [("PATH", trap.path()), ("PI_NVVM_COMPILER", &worker)] {
        look(&program, "program", &[(name, value)], (trap.path(), None));
    }
}
