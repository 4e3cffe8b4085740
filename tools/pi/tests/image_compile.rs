//! `pi image compile` with the compilers of this machine.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

struct Folder(tempfile::TempDir);

impl Folder {
    fn with(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        files.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).unwrap());
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs `pi image` in the folder.
    fn pi(&self, words: &[&str], variables: &[(&str, &Path)]) -> (i32, String, String) {
        let mut pi = Command::new(env!("CARGO_BIN_EXE_pi"));
        pi.arg("image").args(words).envs(variables.iter().copied()).current_dir(self.0.path());
        let output = pi.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }
}

const KERNEL: &str = "kernel void scale(global double *v, double by) { v[get_global_id(0)] *= by; }\n";

#[test]
fn a_source_becomes_spirv_with_a_property_file_that_the_other_tools_take() {
    let folder = Folder::with(&[
        ("k.cl", KERNEL),
        ("t.clcpp", "template<int N> int f() { return N; }\nkernel void t(global int *v) { *v = f<3>(); }"),
    ]);
    for (source, kernel, needs) in [("k.cl", "scale", "aspects fp64"), ("t.clcpp", "t", "")] {
        let (code, text, errors) = folder.pi(&["compile", source, "-o", "out.spv"], &[]);
        assert_eq!((code, errors.as_str()), (0, ""));
        assert!(text.starts_with(&format!("out.spv: {kernel}\ncompiled by /")), "{text}");
        assert!(fs::read_to_string(folder.path("out.prop")).unwrap().contains("[SYCL/device requirements]"));
        let (_, shown, _) = folder.pi(&["show", "out.spv"], &[]);
        assert!(shown.contains(kernel) && shown.contains("out.prop") && shown.contains(needs), "{shown}");
    }
}

#[test]
fn warnings_of_the_compiler_are_passed_on() {
    let folder = Folder::with(&[("k.cl", "#warning look here\nkernel void k() {}")]);
    let (code, text, errors) = folder.pi(&["compile", "k.cl", "-o", "out.spv"], &[]);
    assert!(code == 0 && text.starts_with("out.spv: k\n"), "{text}{errors}");
    assert!(errors.contains("k.cl:1:2: warning: look here"), "{errors}");
    let (code, text, _) = folder.pi(&["compile", "k.cl", "-o", "/dev/null", "--json"], &[]);
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, &report["properties"]), (0, &serde_json::Value::Null));
    assert!(report["warnings"].as_str().unwrap().contains("look here"), "{report}");
}

#[test]
fn options_and_files_beside_the_source_reach_the_compiler() {
    let folder = Folder::with(&[
        ("h.h", "#define NAME from_header\n"),
        ("k.txt", "#include \"h.h\"\nkernel void NAME() {}"),
    ]);
    fs::create_dir(folder.path("sub")).unwrap();
    fs::copy(folder.path("h.h"), folder.path("sub/h.h")).unwrap();
    fs::rename(folder.path("k.txt"), folder.path("sub/k.txt")).unwrap();
    fs::remove_file(folder.path("h.h")).unwrap();
    let opencl = ["compile", "--language", "opencl-c", "sub/k.txt", "-o", "k.spv", "--", "-Werror"];
    let (code, text, errors) = folder.pi(&opencl, &[]);
    assert!(code == 0 && text.starts_with("k.spv: from_header\n"), "{text}{errors}");
    let (code, _, errors) = folder.pi(&["compile", "sub/k.txt", "-o", "k.spv"], &[]);
    assert!(code == 1 && errors.contains("the ending does not determine the language"), "{errors}");
}

#[test]
fn an_error_is_the_compilers_and_leaves_the_old_output() {
    let folder = Folder::with(&[("k.cl", "kernel void a() {\n  wrong;\n}"), ("out.spv", "old")]);
    let (code, _, errors) = folder.pi(&["compile", "k.cl", "-o", "out.spv"], &[]);
    assert!(
        code == 1 && errors.contains("k.cl:2:3: error: use of undeclared identifier 'wrong'"),
        "{errors}"
    );
    assert_eq!(fs::read_to_string(folder.path("out.spv")).unwrap(), "old");
}

#[test]
fn a_file_that_the_source_includes_is_not_written_over() {
    const HEADER: &str = "#define NAME k\n";
    let folder = Folder::with(&[
        ("h.h", HEADER),
        ("o.prop", HEADER),
        ("k.cl", "#include \"h.h\"\nkernel void NAME() {}\n"),
        ("time.cl", "#include \"o.prop\"\nkernel void NAME(global int *t) { t[0] = __TIME__[0]; }\n"),
    ]);
    for (source, output, header) in [("k.cl", "h.h", "h.h"), ("time.cl", "o.spv", "o.prop")] {
        let (code, _, errors) = folder.pi(&["compile", source, "-o", output], &[]);
        assert!(code == 1 && errors.contains(&format!("cannot write {header}")), "{errors}");
        assert_eq!(fs::read_to_string(folder.path(header)).unwrap(), HEADER);
        assert!(!folder.path("o.spv").exists());
    }
}

#[test]
fn without_a_translator_the_error_says_what_to_install() {
    let folder = Folder::with(&[("k.cl", KERNEL)]);
    let (code, _, errors) =
        folder.pi(&["compile", "k.cl", "-o", "k.spv"], &[("PI_LLVM_SPIRV", Path::new("/bin/false"))]);
    assert_eq!(code, 1);
    assert!(errors.contains("no compiler makes SPIR-V here: ") && errors.contains("/bin/false"), "{errors}");
    assert!(errors.contains("`apt install llvm-spirv-"), "{errors}");
}
