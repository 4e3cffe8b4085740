//! Programs and libraries that the tests use, and checks whether they exist.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use testing_support::process::Finished;

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn named(variable: &str, file: &str) -> PathBuf {
    std::env::var_os(variable).map_or_else(|| root().join("target/release").join(file), PathBuf::from)
}

/// Returns the `pi` tool.
pub(crate) fn pi() -> PathBuf {
    named("PI_TEST_TOOL", "pi")
}

pub(crate) fn plugin() -> PathBuf {
    named("PI_TEST_PLUGIN", "libpi_opencl.so")
}

/// libpi_runtime.so
pub(crate) fn runtime() -> PathBuf {
    named("PI_TEST_RUNTIME", "libpi_runtime.so")
}

/// Returns a test image's file.
pub(crate) fn image(name: &str) -> PathBuf {
    root().join("lib/image/tests/images").join(name)
}

/// Returns a file of this package.
pub(crate) fn own(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Returns why a test that needs these cannot run.
pub(crate) fn lacking(files: &[PathBuf], programs: &[&str]) -> Option<String> {
    let file = files.iter().find(|file| !file.exists());
    if let Some(file) = file {
        return Some(format!("there is no {}", file.display()));
    }
    let runs = |program: &&&str| Command::new(program).arg("--version").output().is_err();
    programs.iter().find(runs).map(|program| format!("there is no program {program}"))
}

/// Runs a command that must succeed, and returns its output.
pub(crate) fn output(command: &mut Command) -> String {
    let finished = run(command);
    assert!(finished.end.is_success(), "{command:?}: {}: {}", finished.end, both(&finished));
    finished.stdout_text()
}

/// Runs a command, however it ends.
pub(crate) fn run(command: &mut Command) -> Finished {
    const LIMIT: Duration = Duration::from_secs(600);
    testing_support::process::run(command, LIMIT).unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

pub(crate) fn both(finished: &Finished) -> String {
    finished.stdout_text() + &finished.stderr_text()
}

/// `pi image ...`
pub(crate) fn image_tool(words: &[&dyn AsRef<std::ffi::OsStr>]) -> String {
    let mut command = Command::new(pi());
    command.arg("image");
    for word in words {
        command.arg(word.as_ref());
    }
    output(&mut command)
}

/// Compiles OpenCL C with Debian's clang-15 and llvm-spirv-15. Returns the SPIR-V file, which is in the folder.
pub(crate) fn compile_opencl(source: &Path, folder: &Path, options: &[&str]) -> PathBuf {
    let name = source.file_stem().unwrap();
    let [bitcode, spirv] = ["bc", "spv"].map(|extension| folder.join(name).with_extension(extension));
    let mut clang = Command::new("clang-15");
    // Lines name the file as it is given.
    clang.current_dir(source.parent().unwrap());
    clang.args(["-c", "-emit-llvm", "-target", "spir64-unknown-unknown", "-cl-std=CL2.0"]);
    clang.args(["-Xclang", "-finclude-default-header", "-Xclang", "-no-opaque-pointers"]).args(options);
    output(clang.arg(source.file_name().unwrap()).arg("-o").arg(&bitcode));
    output(Command::new("llvm-spirv-15").arg(&bitcode).arg("-o").arg(&spirv));
    spirv
}
