//! Tests that a result depends on nothing that a user cannot see, and that `reads` reports everything else.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::thread::sleep;
use std::time::Duration;

use sycl_pi_compiler::{Compiler, Reads, Source, candidates, find, working};

/// Set for the child: the source's folder.
const CHILD: &str = "PI_COMPILER_TEST_SOURCE";

const KERNEL: &str = "#if __has_include(\"current.h\")\n#define get_local_size(x) 666\n#endif\n\
                      kernel void k(global int *out) { out[0] = get_local_size(0); }\n";

/// In the parent this tests nothing.
#[test]
fn as_a_child() {
    if let Some(folder) = std::env::var_os(CHILD) {
        let compile = |compiler: &Compiler| {
            compiler.compile(&Source::new("k.cl", KERNEL).with_folder(Path::new(&folder))).unwrap().code
        };
        let all: Vec<_> = every().iter().map(compile).collect();
        println!("compiled {all:?} as {:?}", std::env::current_dir().unwrap());
    }
}

/// Returns every compiler that works.
fn every() -> &'static [Compiler] {
    static ALL: LazyLock<Vec<Compiler>> =
        LazyLock::new(|| candidates().unwrap().into_iter().filter_map(|one| working(&[one]).ok()).collect());
    assert!(!ALL.is_empty(), "{}", find().unwrap_err());
    &ALL
}

/// Returns what a child that starts in one folder makes of the kernel in another, with this variable.
fn made_in(current: &Path, folder: &Path, variable: Option<(&str, &Path)>) -> String {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "as_a_child", "--nocapture"]).env(CHILD, folder).current_dir(current);
    let output = child.envs(variable).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let output = String::from_utf8(output.stdout).unwrap();
    let line = output.lines().find(|line| line.contains("compiled [[3, 2, 35, 7")).unwrap();
    line.split(" as ").next().unwrap().to_owned()
}

#[test]
fn no_file_of_the_current_folder_or_beside_the_source_and_no_variable_changes_what_is_compiled() {
    let [clean, planted, current] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    for name in ["opencl-c-base.h", "opencl-c.h", "opencl-c-base.h.pch", "clang.cfg", "spir64.cfg"] {
        fs::write(planted.path().join(name), "#define get_local_size(x) 666\n").unwrap();
    }
    fs::write(current.path().join("current.h"), "").unwrap();
    let clean = clean.path();
    let right = made_in(clean, clean, None);
    assert_eq!(made_in(planted.path(), planted.path(), None), right);
    assert_eq!(made_in(current.path(), clean, None), right);
    assert_ne!(made_in(clean, current.path(), None), right, "beside the source it counts");
    let options = Path::new("#+-Dget_local_size(x)=666");
    for variable in ["CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "COMPILER_PATH", "LD_LIBRARY_PATH"] {
        assert_eq!(made_in(clean, clean, Some((variable, planted.path()))), right, "{variable}");
    }
    assert_eq!(made_in(clean, clean, Some(("CCC_OVERRIDE_OPTIONS", options))), right);
}

/// A folder with a header, and the compilers' reports about sources there.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("n.h"), "#define N 1\n").unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Returns the files that each compiler reports for this text. `DIR` in it stands for the folder.
    fn reads(&self, text: &str, options: &[&str]) -> Vec<Option<Reads>> {
        let folder = self.0.path().to_str().unwrap();
        let text = text.replace("DIR", folder);
        let options: Vec<String> = options.iter().map(|option| option.replace("DIR", folder)).collect();
        let source = Source::new("k.cl", &text).with_options(options);
        every().iter().map(|compiler| compiler.reads(&source).unwrap()).collect()
    }

    /// Returns the files that it reads in addition to clang's own header.
    fn included(&self, text: &str, options: &[&str]) -> BTreeSet<PathBuf> {
        let mut files = BTreeSet::new();
        for reads in self.reads(text, options) {
            let reads = reads.unwrap_or_else(|| panic!("{text}{options:?}: it cannot be told"));
            let (own, included): (Vec<_>, Vec<_>) =
                reads.files().iter().cloned().partition(|file| file.ends_with("include/opencl-c-base.h"));
            assert_eq!(own.len(), 1);
            files.extend(included);
        }
        files
    }
}

#[test]
fn an_included_file_is_told_however_the_source_includes_it() {
    let folder = Folder::new();
    let header = BTreeSet::from([folder.path("n.h")]);
    assert_eq!(folder.included("kernel void k() {}\n", &["-DN=1"]), BTreeSet::new());
    for text in [
        "#include \"DIR/n.h\"\n",
        "# inc??/\nlude \"DIR/n.h\"\n",
        "??=include \"DIR/n.h\"\n",
        "#inc\\ \nlude \"DIR/n.h\"\n",
        "%:include \"DIR/n.h\"\n",
        "#import \"DIR/n.h\"\n",
        "#define F \"DIR/n.h\"\n#include F\n",
        "_Pragma(\"once\")\n#include/**/<DIR/n.h>\n",
    ] {
        assert_eq!(folder.included(text, &[]), header, "{text}");
    }
    let by_name = "#include \"n.h\"\n";
    for options in
        [&["-IDIR"][..], &["-I", "DIR"], &["-iquote", "DIR"], &["-isystemDIR"], &["-idirafter", "DIR"]]
    {
        assert_eq!(folder.included(by_name, options), header, "{options:?}");
    }
    for options in [&["-include", "DIR/n.h"][..], &["-imacros", "DIR/n.h"], &["-DF=\"DIR/n.h\""]] {
        assert_eq!(folder.included("#ifdef F\n#include F\n#endif\n", options), header, "{options:?}");
    }
}

#[test]
fn what_depends_on_the_time_or_on_whether_a_file_is_there_is_not_told_by_files() {
    let folder = Folder::new();
    let paste = "#define D(a, b) a##b\n#define C(a, b) D(a, b)\n";
    for text in [
        "constant char t[] = __TIME__;\n",
        "constant char t[] = __DATE__ __TIMESTAMP__;\n",
        "constant char t[] = C(__TI, ME__);\n",
        "#define S(x) #x\n#define T(x) S(x)\nconstant char t[] = T(__TI\\\nME__);\n",
        "#if __has_include(\"DIR/n.h\")\n#endif\n",
        "#if __has_include(\"DIR/none.h\")\n#endif\n",
        "#if C(__has_in, clude)(\"DIR/none.h\")\n#endif\n",
        "#if 0 && __has_include_next(<none.h>)\n#endif\n",
        "#define A __has_include\n#ifdef A\n#elif 1\n#endif\n#if A(\"none.h\")\n#endif\n",
    ] {
        assert!(folder.reads(&format!("{paste}{text}"), &[]).iter().all(Option::is_none), "{text}");
    }
    for option in ["-DX=__TIME__", "-DX=C(__TI,ME__)", "@/dev/null", "-Xclang", "-Wp,-DX=1"] {
        let options = if option == "-Xclang" { vec![option, "-DX"] } else { vec![option] };
        let text = format!("{paste}constant char t[] = X;\n");
        let text = if option.starts_with("-DX") { text } else { "kernel void k() {}\n".to_owned() };
        assert!(folder.reads(&text, &options).iter().all(Option::is_none), "{option}");
    }
    // Names that are unused, or that the source redefines, do not matter.
    for text in [
        "#if 0\nint x = __TIME__;\n#endif\n",
        "#ifdef __has_include\n#endif\n",
        "#undef __TIME__\n#define __TIME__ 1\nconstant int t = __TIME__;\n",
    ] {
        assert!(folder.reads(text, &["-Werror"]).iter().all(Option::is_some), "{text}");
    }
}

#[test]
fn a_place_where_another_file_would_come_first_is_told() {
    let folder = Folder::new();
    fs::create_dir(folder.path("first")).unwrap();
    for reads in folder.reads("#include \"n.h\"\n", &["-I", "DIR/later", "-I", "DIR/first", "-I", "DIR"]) {
        let absent = reads.unwrap().absent().to_vec();
        for place in ["first/n.h", "later/n.h"].map(|name| folder.path(name)) {
            assert!(absent.contains(&place), "{} in {absent:?}", place.display());
        }
        assert!(!absent.contains(&folder.path("n.h")) && absent.contains(&PathBuf::from("/n.h")));
    }
}

#[test]
fn what_was_read_holds_until_a_file_changes_or_comes_first() {
    let folder = Folder::new();
    fs::create_dir(folder.path("first")).unwrap();
    let reads = || folder.reads("#include <n.h>\n", &["-IDIR/first", "-IDIR"]).remove(0).unwrap();
    sleep(Duration::from_millis(200));
    let read = reads();
    assert!(read.hold());
    fs::write(folder.path("first/n.h"), "").unwrap();
    assert!(!read.hold());
    fs::remove_file(folder.path("first/n.h")).unwrap();
    assert!(read.hold());
    fs::write(folder.path("n.h"), "#define N 1\n").unwrap();
    assert!(!read.hold());
}

/// Programs that unpack or copy files give them the times of the originals.
#[test]
fn what_was_read_does_not_hold_once_a_file_was_replaced_by_an_older_one() {
    let folder = Folder::new();
    let old = fs::metadata(folder.path("n.h")).unwrap().modified().unwrap();
    sleep(Duration::from_millis(200));
    let read = folder.reads("#include <n.h>\n", &["-IDIR"]).remove(0).unwrap();
    assert!(read.hold());
    fs::write(folder.path("n.h"), "#define N 2\n").unwrap();
    fs::File::options().append(true).open(folder.path("n.h")).unwrap().set_modified(old).unwrap();
    assert!(!read.hold());
}

#[test]
fn a_source_that_cannot_be_preprocessed_is_refused_in_the_compilers_words() {
    let source = Source::new("k.cl", "#include \"none.h\"\n");
    let error = every()[0].reads(&source).unwrap_err().to_string();
    assert!(error.contains("k.cl:1:10: fatal error: 'none.h' file not found"), "{error}");
}

#[test]
fn any_name_of_a_source_is_told_in_messages_as_it_is() {
    for name in ["a??/", "a\\", "a\"b", "??/??/.cl", "a?b??"] {
        let error = every()[0].compile(&Source::new(name, "kernel void k() { x; }")).unwrap_err();
        let error = error.to_string();
        assert!(error.contains("1:19: error: use of undeclared identifier 'x'"), "{name}: {error}");
        assert!(error.contains(&format!("\n{name}:1:19: ")), "{name}: {error}");
    }
}
