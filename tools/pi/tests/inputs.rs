//! No command replaces its input, or one of its outputs with another one.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

struct Folder(tempfile::TempDir);

impl Folder {
    /// Creates a folder with a source, SPIR-V with a property file, another module, and a table.
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        fs::write(folder.path("s.cl"), "kernel void k(global int *q) { q[0] = 1; }\n").unwrap();
        let images = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lib/image/tests/images");
        for (name, copy) in [("spec_one.spv", "one.spv"), ("mix.spv", "m.spv"), ("multi_off.spv", "t_0.spv")]
        {
            fs::copy(images.join(name), folder.path(copy)).unwrap();
        }
        let split = ["split", "one.spv", "--mode", "off", "-o", "k.table"];
        assert_eq!(folder.pi(&split).0, 0);
        fs::rename(folder.path("k_0.spv"), folder.path("k.spv")).unwrap();
        fs::rename(folder.path("k_0.prop"), folder.path("k.prop")).unwrap();
        ["one.spv", "k_0.sym", "k.table"].iter().for_each(|name| fs::remove_file(folder.path(name)).unwrap());
        fs::write(folder.path("in.table"), "[Code|Properties]\nk.spv|k.prop\n").unwrap();
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs `pi image` there. Returns its exit code and its errors.
    fn pi(&self, words: &[&str]) -> (i32, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_pi"))
            .arg("image")
            .args(words)
            .current_dir(self.0.path())
            .output();
        let output = output.unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    }

    /// Returns all files with their bytes.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let files = fs::read_dir(self.0.path()).unwrap().map(|entry| entry.unwrap().path());
        files.map(|file| (file.clone(), fs::read(file).unwrap_or_default())).collect()
    }

    /// Asserts that the command fails with this message, and that no file is changed or new.
    fn assert_refused(&self, words: &[&str], expected: &str) {
        let before = self.files();
        let (code, errors) = self.pi(words);
        assert_eq!(code, 1, "{words:?}: {errors}");
        assert!(errors.contains(expected), "{words:?}: {errors}");
        assert!(self.files() == before, "{words:?} changed a file");
    }
}

#[test]
fn an_input_is_refused_as_an_output_under_each_of_its_names() {
    let folder = Folder::new();
    fs::create_dir(folder.path("sub")).unwrap();
    for input in ["s.cl", "k.spv"] {
        fs::hard_link(folder.path(input), folder.path(&format!("hard_{input}"))).unwrap();
        symlink(input, folder.path(&format!("soft_{input}"))).unwrap();
    }
    let absolute = folder.path("s.cl").display().to_string();
    for name in ["s.cl", "./s.cl", "sub/../s.cl", &absolute, "hard_s.cl", "soft_s.cl"] {
        folder.assert_refused(&["compile", "s.cl", "-o", name], "the command reads this file");
    }
    for name in ["k.spv", "sub/../k.spv", "hard_k.spv", "soft_k.spv"] {
        for words in [
            &["specialize", "k.spv", "--all", "-o", name][..],
            &["emulate", "k.spv", "-o", name],
            &["link", "--allow-missing", "k.spv", "m.spv", "-o", name],
            &["link", "--allow-missing", "m.spv", "in.table", "-o", name],
            &["wrap", "in.table", "-o", name],
            &["show", "k.spv", "--svg", name],
        ] {
            // The picture needs a program that is not installed everywhere.
            let expected = if words[0] == "show" { "" } else { "the command reads this file" };
            folder.assert_refused(words, expected);
        }
    }
}

#[test]
fn files_that_are_read_along_are_refused_as_outputs() {
    let folder = Folder::new();
    let reads = "the command reads this file";
    // The property file of the output would be that of the input.
    folder.assert_refused(&["specialize", "k.spv", "--all", "-o", "k.bin"], reads);
    folder.assert_refused(&["emulate", "k.spv", "-o", "k.bin"], reads);
    folder.assert_refused(&["emulate", "m.spv", "-o", "m.bin"], reads);
    folder.assert_refused(&["link", "--allow-missing", "k.spv", "m.spv", "-o", "k.bin"], reads);
    folder.assert_refused(&["wrap", "k.spv", "-o", "k.prop"], reads);
    folder.assert_refused(&["wrap", "in.table", "-o", "in.table"], reads);
    folder.assert_refused(&["split", "t_0.spv", "-o", "t.table"], reads);
    folder.assert_refused(&["extract", "in.table", "-o", "."], reads);
    for output in ["in.table", "k.prop"] {
        folder.assert_refused(&["filter", "-target=x86_64", "in.table", "-o", output], reads);
    }
    // Only the table names this property file.
    fs::copy(folder.path("k.prop"), folder.path("named.prop")).unwrap();
    fs::write(folder.path("named.table"), "[Code|Properties]\nk.spv|named.prop\n").unwrap();
    for words in [&["wrap", "named.table"][..], &["filter", "-target=x86_64", "named.table"]] {
        folder.assert_refused(&[words, &["-o", "named.prop"]].concat(), reads);
    }
}

#[test]
fn spirv_is_not_written_under_a_name_that_stands_for_something_else() {
    let folder = Folder::new();
    for name in ["x.prop", "x.props.json", "x.json", "x.table"] {
        for words in [
            &["compile", "s.cl"][..],
            &["specialize", "k.spv", "--all"],
            &["emulate", "k.spv"],
            &["link", "k.spv", "m.spv"],
        ] {
            folder.assert_refused(&[words, &["-o", name]].concat(), "is not for SPIR-V");
        }
    }
    // Two outputs are the same file.
    fs::write(folder.path("y.spv"), "").unwrap();
    fs::hard_link(folder.path("y.spv"), folder.path("y.prop")).unwrap();
    folder.assert_refused(
        &["compile", "s.cl", "-o", "y.spv"],
        "the command writes another output to the same file",
    );
}

#[test]
fn an_output_that_does_not_fit_leaves_the_old_one_whole() {
    let folder = Folder::new();
    let old = [b'o'; 700];
    fs::write(folder.path("new.o"), old).unwrap();
    fs::write(folder.path("hard.o"), old).unwrap();
    fs::hard_link(folder.path("hard.o"), folder.path("other.o")).unwrap();
    for name in ["new.o", "hard.o"] {
        let mut shell = Command::new("sh");
        // Half a kibibyte or a whole one, depending on the shell.
        shell.args([
            "-c",
            "trap '' XFSZ; ulimit -f 1; exec \"$@\"",
            "sh",
            env!("CARGO_BIN_EXE_pi"),
            "image",
            "wrap",
        ]);
        let done = shell.args(["k.spv", "-o", name]).current_dir(folder.0.path()).output().unwrap();
        let errors = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.code() == Some(1) && errors.contains("File too large"), "{errors}");
        assert_eq!(fs::read(folder.path(name)).unwrap(), old);
    }
    assert!(!folder.files().keys().any(|file| file.to_string_lossy().contains("unfinished")));
}
