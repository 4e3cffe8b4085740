//! Of consecutive processes that share a cache, each gets the code that its compiler would make from the source now.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    missing_docs,
    reason = "a test fails by panicking"
)]

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

/// Set for the child: the source file.
const SOURCE: &str = "PI_RUNTIME_TEST_SOURCE";
/// Set for the child: an option for clang.
const OPTION: &str = "PI_RUNTIME_TEST_OPTION";

/// Set for the child: another name of the same source.
const NAME: &str = "PI_RUNTIME_TEST_NAME";

/// Longer than the inaccuracy of file times, so that a compiler is known to have read the earlier contents.
const SETTLED: Duration = Duration::from_millis(300);

/// In the parent this tests nothing.
#[test]
fn as_a_child() {
    let Some(source) = std::env::var_os(SOURCE) else { return };
    let text = fs::read_to_string(source).unwrap();
    let option = std::env::var(OPTION).ok();
    let options: Vec<&str> = option.as_deref().into_iter().collect();
    let registry = sycl_pi_runtime::Registry::new();
    if let Ok(name) = std::env::var(NAME) {
        registry.add_source(&name, &text).unwrap();
    }
    match registry.add_source_with_options("k.cl", &text, &options) {
        Ok(_) => {
            println!("kernel {}", registry.kernel_names()[0]);
            let images = registry.images();
            println!("same {}", images[0].parts().bytes == images[images.len() - 1].parts().bytes);
        }
        Err(error) => println!("error {error}"),
    }
}

/// A cache, two folders in which programs start, and a compiler that counts its starts.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        ["here", "there", "first"].iter().for_each(|name| fs::create_dir(place.path(name)).unwrap());
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file. `DIR` in its text stands for the common folder.
    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text.replace("DIR", self.0.path().to_str().unwrap())).unwrap();
    }

    /// Returns the name of the kernel of `k.cl`, for a program that is started in that folder with these variables.
    fn kernel_in(&self, folder: &str, variables: &[(&str, OsString)]) -> String {
        self.told_in("kernel ", folder, variables)
    }

    /// Returns what such a program prints behind this word.
    fn told_in(&self, word: &str, folder: &str, variables: &[(&str, OsString)]) -> String {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "as_a_child", "--nocapture"]).current_dir(self.path(folder));
        child.env(SOURCE, self.path("k.cl")).env("SYCL_CACHE_DIR", self.path("cache"));
        let output = child.envs(variables.iter().cloned()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let told = text.lines().find_map(|line| line.strip_prefix(word));
        told.unwrap_or_else(|| panic!("{text}{}", String::from_utf8_lossy(&output.stderr))).to_owned()
    }

    fn kernel(&self) -> String {
        self.kernel_in("here", &[])
    }

    /// Returns the variable that names a clang which counts its starts. It is a compiled program, because the identity
    /// of a script cannot be determined.
    fn counted(&self) -> (&'static str, OsString) {
        let (program, clang) = (self.path("clang-counted"), clang());
        let text = format!(
            "#include <fcntl.h>\n#include <unistd.h>\nint main(int count, char **words) {{\n\
             int file = open(\"{}\", O_WRONLY | O_CREAT | O_APPEND, 0600);\n\
             if (write(file, \"x\", 1) != 1) return 1;\nwords[0] = \"{clang}\";\nreturn execv(words[0], words);\n}}\n",
            self.path("count").display()
        );
        self.write("counted.c", &text);
        let built = Command::new("cc").arg(self.path("counted.c")).arg("-o").arg(&program).status();
        assert!(built.unwrap().success());
        ("PI_CLANG", program.into())
    }

    fn starts(&self) -> u64 {
        fs::metadata(self.path("count")).map_or(0, |data| data.len())
    }
}

/// Returns the clang of this machine.
fn clang() -> String {
    let found = sycl_pi_compiler::find().unwrap().candidate().to_string();
    found.split(' ').next().unwrap().to_owned()
}

#[test]
fn a_second_run_starts_no_compiler_wherever_and_with_whatever_variables_it_runs() {
    let place = Place::new();
    place.write("n.h", "#define NAME from_header\n");
    let counted = place.counted();
    for text in ["kernel void NAME() {}", "#include \"DIR/n.h\"\nkernel void NAME() {}"] {
        place.write("k.cl", text);
        sleep(SETTLED);
        let first = place.kernel_in("here", std::slice::from_ref(&counted));
        let starts = place.starts();
        assert!(starts > 0);
        place.write("there/opencl-c-base.h", "#error taken from the current folder\n");
        let others = [("CPATH", "/tmp"), ("CCC_OVERRIDE_OPTIONS", "#+-DNAME=b"), ("SOURCE_DATE_EPOCH", "1")];
        for other in others.map(|(name, value)| (name, OsString::from(value))) {
            assert_eq!(place.kernel_in("there", &[counted.clone(), other]), first);
        }
        assert_eq!(place.starts(), starts, "{text}");
    }
}

#[test]
fn a_source_of_another_name_is_compiled_anew() {
    let place = Place::new();
    place.write(
        "k.cl",
        "constant char name[] = __FILE__;\nkernel void k(global char *out, int at) { *out = name[at]; }",
    );
    for (name, same) in [("k.cl", "true"), ("other.cl", "false")] {
        assert_eq!(place.told_in("same ", "here", &[(NAME, name.into())]), same);
    }
}

#[test]
fn a_header_in_the_current_folder_that_the_source_does_not_include_is_not_read() {
    let place = Place::new();
    place.write("k.cl", "#ifndef NAME\n#define NAME right\n#endif\nkernel void NAME() {}");
    for header in ["opencl-c-base.h", "opencl-c.h"] {
        place.write(&format!("there/{header}"), "#define NAME taken_from_the_current_folder\n");
    }
    assert_eq!(place.kernel_in("there", &[]), "right");
    assert_eq!(place.kernel_in("here", &[]), "right");
}

#[test]
fn a_header_that_changes_is_compiled_anew_however_it_is_included() {
    let include = [
        "#include \"DIR/n.h\"",
        "# inc??/\nlude \"DIR/n.h\"",
        "#inc\\ \nlude \"DIR/n.h\"",
        "%:include \"DIR/n.h\"",
    ];
    for include in include {
        let place = Place::new();
        place.write("k.cl", &format!("{include}\nkernel void NAME() {{}}"));
        for name in ["one", "two", "one"] {
            place.write("n.h", &format!("#define NAME {name}\n"));
            sleep(SETTLED);
            assert_eq!(place.kernel(), name, "{include}");
            assert_eq!(place.kernel(), name, "{include}");
        }
    }
}

#[test]
fn a_header_that_comes_first_in_the_search_is_taken_from_then_on() {
    let place = Place::new();
    place.write("k.cl", "#include \"n.h\"\nkernel void NAME() {}");
    let first = place.path("first").display().to_string();
    let kernel = || place.kernel_in("here", &[(OPTION, format!("-I{first}").into())]);
    place.write("here/n.h", "#define NAME of_the_current_folder\n");
    sleep(SETTLED);
    for _ in 0..2 {
        assert_eq!(kernel(), "of_the_current_folder", "no other folder has it");
    }
    place.write("first/n.h", "#define NAME of_the_option\n");
    for _ in 0..2 {
        assert_eq!(kernel(), "of_the_option");
        sleep(SETTLED);
    }
    place.write("here/n.h", "#error not this one\n");
    assert_eq!(kernel(), "of_the_option");
    fs::remove_file(place.path("first/n.h")).unwrap();
    place.write("here/n.h", "#define NAME again\n");
    assert_eq!(kernel(), "again");
    place.write("there/n.h", "#define NAME there\n");
    assert_eq!(place.kernel_in("there", &[]), "there");
}

#[test]
fn what_uses_the_time_or_asks_for_a_file_is_compiled_each_time() {
    let place = Place::new();
    let counted = place.counted();
    let paste = "#define D(a, b) a##b\n#define C(a, b) D(a, b)\n";
    for text in ["constant char t[] = C(__TI, ME__);", "#if C(__has_in, clude)(\"DIR/n.h\")\n#endif"] {
        place
            .write("k.cl", &format!("{paste}{text}\nkernel void k(global char *out) {{ out[0] = out[1]; }}"));
        let runs = [(); 2].map(|()| {
            let before = place.starts();
            place.kernel_in("here", std::slice::from_ref(&counted));
            place.starts() - before
        });
        assert_eq!(runs[0], runs[1], "{text}");
    }
}

#[test]
fn a_compiler_that_is_a_script_is_asked_each_time() {
    let place = Place::new();
    place.write("k.cl", "kernel void NAME() {}");
    let script = place.path("clang-script");
    let text = format!("#!/bin/sh\nexec {} $(cat DIR/options) \"$@\"\n", clang());
    place.write("clang-script", &text);
    fs::set_permissions(&script, Permissions::from_mode(0o755)).unwrap();
    for name in ["one", "two"] {
        place.write("options", &format!("-DNAME={name}"));
        assert_eq!(place.kernel_in("here", &[("PI_CLANG", script.clone().into())]), name);
    }
    // It is not known which files such a compiler reads. It searches the current folder last, as any other does.
    place.write("options", "");
    place.write("k.cl", "#include \"n.h\"\nkernel void NAME() {}");
    place.write("here/n.h", "#define NAME of_the_current_folder\n");
    assert_eq!(place.kernel_in("here", &[("PI_CLANG", script.into())]), "of_the_current_folder");
}
