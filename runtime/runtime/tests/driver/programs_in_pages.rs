//! The programs in README.md and the guides compile as printed, and run on the plugin under test.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;

/// Pages in which blocks with a `main` are programs.
const PAGES: [&str; 4] =
    ["README.md", "docs/guide/runtime.md", "docs/guide/compile.md", "runtime/runtime/README.md"];

struct Program {
    page: &'static str,
    language: String,
    text: String,
}

pub(crate) fn all(plugin: &Path) -> Vec<Trial> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let programs: Vec<Program> = PAGES.iter().flat_map(|page| of_page(&root, page)).collect();
    for language in ["rust", "c"] {
        assert!(
            programs.iter().any(|one| one.page == "README.md" && one.language == language),
            "no {language}"
        );
    }
    let trial = |program: Program| {
        let (root, plugin) = (root.clone(), plugin.to_owned());
        Trial::test(format!("page::{}::{}", program.page, program.language), move || {
            compile_and_run(&program, &root, &plugin);
            Ok(())
        })
    };
    programs.into_iter().map(trial).collect()
}

/// Returns the fenced blocks of a page that are programs.
fn of_page(root: &Path, page: &'static str) -> Vec<Program> {
    let text = fs::read_to_string(root.join(page)).unwrap_or_else(|error| panic!("{page}: {error}"));
    let mut found = Vec::new();
    for block in text.split("\n```").skip(1).step_by(2) {
        let Some((language, text)) = block.split_once('\n') else { continue };
        let language = language.split(',').next().unwrap_or_default().to_owned();
        if ["rust", "c", "cpp"].contains(&language.as_str()) && text.contains(" main(") {
            found.push(Program { page, language, text: format!("{text}\n") });
        }
    }
    found
}

fn compile_and_run(program: &Program, root: &Path, plugin: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let libraries = plugin.canonicalize().unwrap().parent().unwrap().to_owned();
    let compilers: &[&str] = match program.language.as_str() {
        "rust" => &["rustc"],
        // A program in C is also a program in C++.
        "c" => &["cc", "c++"],
        _ => &["c++"],
    };
    for compiler in compilers {
        let built = match *compiler {
            "rustc" => rust(program, folder.path()),
            compiler => c(compiler, program, (folder.path(), root, &libraries)),
        };
        let output = Command::new(&built).env("PI_PLUGIN_PATH", &libraries).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{compiler}: {errors}");
        assert!(!output.stdout.is_empty(), "{compiler}: it prints nothing");
    }
}

/// Compiles the program as `cargo build` does, with the crate and dependencies with which this test was built.
fn rust(program: &Program, folder: &Path) -> PathBuf {
    let this = std::env::current_exe().unwrap();
    let dependencies = this.parent().unwrap();
    let libraries = fs::read_dir(dependencies).unwrap().map(|entry| entry.unwrap().path());
    let ours = |path: &PathBuf| {
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        name.starts_with("libsycl_pi_runtime-") && name.ends_with(".rlib")
    };
    let newest = libraries.filter(ours).max_by_key(|path| path.metadata().unwrap().modified().unwrap());
    let library = newest.expect("the library that this test was built with");
    let (source, built) = (folder.join("main.rs"), folder.join("rust"));
    fs::write(&source, &program.text).unwrap();
    let mut rustc = Command::new("rustc");
    rustc
        .args(["--edition", "2024", "-D", "warnings", "-L"])
        .arg(format!("dependency={}", dependencies.display()));
    rustc.arg("--extern").arg(format!("sycl_pi_runtime={}", library.display()));
    build(rustc.arg("-o").arg(&built).arg(&source));
    built
}

fn c(compiler: &str, program: &Program, (folder, root, libraries): (&Path, &Path, &Path)) -> PathBuf {
    let (source, built) =
        (folder.join(if compiler == "cc" { "main.c" } else { "main.cpp" }), folder.join(compiler));
    fs::write(&source, &program.text).unwrap();
    let mut command = Command::new(compiler);
    command
        .args(["-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&built)
        .arg(&source)
        .arg("-I")
        .arg(root.join("include"));
    command.arg("-L").arg(libraries).arg("-lpi_runtime").arg(format!("-Wl,-rpath,{}", libraries.display()));
    build(&mut command);
    built
}

fn build(compiler: &mut Command) {
    let output = compiler.output().unwrap();
    assert!(output.status.success(), "{compiler:?}: {}", String::from_utf8_lossy(&output.stderr));
}
