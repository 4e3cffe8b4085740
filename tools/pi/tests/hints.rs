//! What `pi` and our libraries tell users to type, and what the pages quote, exists: packages of indexes, scripts of this
//! tree, crates of this workspace, commands and options of `pi`.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use regex::Regex;
use sycl_pi_nvidia_files::{CUBLAS, CUFFT, CUSOLVER, CUSPARSE};

/// The packages that Python's index has, each looked up by hand.
const INDEX: [&str; 22] = [
    "cupy-cuda12x",
    "dpctl",
    "dpnp",
    "dpcpp-cpp-rt",
    "dpcpp-llvm-spirv",
    "intel-cmplr-lib-rt",
    "intel-cmplr-lib-ur",
    "intel-opencl-fpga-emu-rt",
    "intel-opencl-rt",
    "intel-sycl-rt",
    "nvidia-cuda-nvcc-cu12",
    "nvidia-cublas",
    "nvidia-cublas-cu12",
    "nvidia-cufft",
    "nvidia-cufft-cu12",
    "nvidia-cusolver",
    "nvidia-cusolver-cu12",
    "nvidia-cusparse",
    "nvidia-cusparse-cu12",
    "tbb",
    "tcmlib",
    "umf",
];
/// The packages of Debian and Ubuntu, each looked up by hand: clang 15 is in Debian 12, 18 in Ubuntu 24.04, 19 in Debian 13.
const DEBIAN: [&str; 8] = [
    "clang-15",
    "clang-18",
    "clang-19",
    "libze1",
    "llvm-spirv-15",
    "llvm-spirv-18",
    "llvm-spirv-19",
    "ocl-icd-libopencl1",
];
/// The words that follow `pi` in sentences about it. Every other word is a command.
const VERBS: [&str; 3] = ["called", "cannot", "has"];
/// The wheel of this project. No index has it yet, so that a line needs a folder with it.
const OURS: [&str; 1] = ["sycl-pi"];
/// The options of pip that have a value.
const OPTIONS_WITH_VALUE: [&str; 2] = ["--find-links", "--config-settings"];
/// The folders of code whose texts users see.
const CODE: [&str; 6] =
    ["tools/pi/src", "lib", "plugins", "runtime", "math/mkl/src", "testing/conformance/src"];
/// Pages that a package index shows. Their readers can install the package from there.
const OF_AN_INDEX: &str = "packaging/sycl_pi";

fn root() -> PathBuf {
    fs::canonicalize(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap()
}

/// Returns the files of this tree with an ending in a folder.
fn tracked(folder: &str, ending: &str) -> Vec<PathBuf> {
    let mut git = Command::new("git");
    git.args(["-c", "safe.directory=*", "ls-files"]).arg(format!("{folder}/*.{ending}")).current_dir(root());
    let listed = String::from_utf8(git.output().unwrap().stdout).unwrap();
    listed.lines().map(|name| root().join(name)).filter(|file| file.exists()).collect()
}

/// Returns the texts in which hints are: code without its tests, and the code in pages.
fn texts() -> Vec<(PathBuf, String)> {
    let mut all = Vec::new();
    for file in CODE.iter().flat_map(|folder| tracked(folder, "rs")) {
        let text = fs::read_to_string(&file).unwrap();
        // In a string, the next line goes on after a backslash, and `\n` begins one, as in the examples of `--help`.
        let text = text.split("#[cfg(test)]").next().unwrap().replace("\\\n", "\n").replace("\\n", "\n");
        all.push((file, text.replace("\\\"", "\"")));
    }
    let quoted = Regex::new("(?s)```[a-z]*\n.*?```|`[^`]+`").unwrap();
    let is_read_here =
        |file: &PathBuf| !file.starts_with(root().join(OF_AN_INDEX)) && !file.ends_with("CHANGELOG.md");
    for file in tracked(".", "md").into_iter().filter(is_read_here) {
        let text = fs::read_to_string(&file).unwrap();
        let code: Vec<&str> = quoted.find_iter(&text).map(|found| found.as_str().trim_matches('`')).collect();
        all.push((file, code.join("\"\n\"")));
    }
    assert!(all.len() > 100, "the tree was not found");
    all
}

/// Returns the words of a hint: to the end of the line, of the string, or of the command. Words of Rust's format strings
/// stand for others.
fn words(rest: &str) -> Vec<&str> {
    let end = rest.find(['\n', ',', ';', ')', '`', '|']).unwrap_or(rest.len());
    let line =
        rest[..end].split(". ").next().unwrap().split("&&").next().unwrap().split(" #").next().unwrap();
    line.split(['"', ' ']).filter(|word| !word.is_empty() && !word.contains('{')).collect()
}

#[test]
fn each_package_that_pip_is_asked_for_is_on_the_index_or_in_a_named_folder() {
    let pip = Regex::new(r"pip install ([^\n]*(?:\n +[a-z][a-z0-9-]+)?)").unwrap();
    let extra = Regex::new(r"\[[a-z]+\]$").unwrap();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (file, text) in texts() {
        for found in pip.captures_iter(&text) {
            let words = words(found.get(1).unwrap().as_str());
            let has_folder = words.contains(&"--find-links");
            for (index, word) in words.iter().enumerate() {
                let is_value = index > 0 && OPTIONS_WITH_VALUE.contains(&words[index - 1]);
                let name = extra.replace(word.split("==").next().unwrap(), "");
                let known = INDEX.contains(&&*name) || has_folder && OURS.contains(&&*name);
                count += usize::from(known);
                if !known && !is_value && !word.starts_with("--") && !word.contains(['/', '.', '$']) {
                    wrong.push(format!("{}: pip install {word}", file.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count > 15, "{count} packages were found");
}

/// Packages that a line gets from a table or from a variable.
#[test]
fn each_package_that_code_puts_into_a_line_of_pip_is_on_the_index() {
    let named = Regex::new(r#""((?:nvidia|intel|dpcpp)-[a-z0-9-]+)""#).unwrap();
    let of_table = Regex::new(r#"\("([a-z0-9-]+)", &\["lib"#).unwrap();
    let mut found: Vec<String> = Vec::new();
    for (_, text) in texts().iter().filter(|(file, _)| file.extension().is_some_and(|ending| ending == "rs"))
    {
        let all = named.captures_iter(text).chain(of_table.captures_iter(text));
        found.extend(all.map(|found| found[1].to_owned()));
    }
    assert!(found.len() > 8 && found.contains(&"tcmlib".to_owned()), "{found:?}");
    // They depend on the newest CUDA version that the driver supports.
    let libraries = [&CUBLAS, &CUFFT, &CUSOLVER, &CUSPARSE];
    found.extend(libraries.iter().flat_map(|library| [12_090, 13_000].map(|cuda| library.package(cuda))));
    found.retain(|name| !INDEX.contains(&name.as_str()));
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn each_command_and_option_of_pi_exists() {
    let help = |words: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_pi")).args(words).arg("--help").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let row = Regex::new(r"(?m)^  ([a-z]+)  ").unwrap();
    let names = |help: &str| row.captures_iter(help).map(|found| found[1].to_owned()).collect::<Vec<_>>();
    let mut helps: BTreeMap<String, String> = BTreeMap::new();
    for command in names(&help(&[])) {
        let text = help(&[&command]);
        for below in names(&text).into_iter().filter(|_| ["cache", "image"].contains(&command.as_str())) {
            helps.insert(format!("{command} {below}"), help(&[&command, &below]));
        }
        helps.insert(command, text);
    }
    assert!(helps.len() > 20, "{helps:?}");
    // In a page, a hint begins a piece of code, a line or a command. In a text of the code, it may be anywhere.
    let in_page = r#"(?:"|\n|\$ |&& |; |`|type |sudo )(?:target/release/|~/venv/bin/)?pi ([a-z_-][^\n"`]*)"#;
    let in_code = r#"(?m)(?:^|[^\w/.-])pi ([a-z_-][^\n"`]*)"#;
    let [in_page, in_code] = [in_page, in_code].map(|pattern| Regex::new(pattern).unwrap());
    let option = Regex::new(r"^--?[a-zA-Z][a-z-]*").unwrap();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (file, text) in texts() {
        let is_code = file.extension().is_some_and(|ending| ending == "rs");
        let is_comment = |line: &&str| is_code && line.trim_start().starts_with("//");
        let text: Vec<&str> = text.lines().filter(|line| !is_comment(line)).collect();
        let text = text.join("\n");
        let hint = if is_code { &in_code } else { &in_page };
        for found in hint.captures_iter(&text) {
            // `pi doctor{root}` is a command and what follows it.
            let rest = found.get(1).unwrap().as_str().replacen('{', " {", 1);
            let words = words(&rest);
            let Some(first) = words.first().map(|first| first.trim_end_matches(':')) else { continue };
            let line = words.join(" ");
            let two = words.iter().take(2).copied().collect::<Vec<_>>().join(" ");
            let Some(text) = helps.get(&two).or_else(|| helps.get(first)) else {
                let is_prose = is_code && VERBS.contains(&first);
                if !(first.starts_with('-') || is_prose) {
                    wrong.push(format!("{}: pi {line}", file.display()));
                }
                continue;
            };
            count += 1;
            let own = words.iter().take_while(|word| **word != "--" && **word != "python" && **word != ">");
            for word in own.filter_map(|word| option.find(word)).map(|found| found.as_str()) {
                if !text.contains(word) {
                    wrong.push(format!("{}: pi {line}: there is no {word}", file.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count > 100, "{count} commands were found");
}

#[test]
fn each_script_and_crate_that_code_names_exists() {
    let script = Regex::new(r#"(?:python3 |")([a-z/_-]+/[a-z_]+\.py)"#).unwrap();
    let package = Regex::new(r"cargo build[^\n`]*? (?:-p|--package) '?([a-z_-]+)").unwrap();
    let crates: Vec<String> =
        tracked(".", "toml").iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let mut count = 0;
    // `cargo xtask check documents` does this for pages.
    let of_code = |(file, _): &(PathBuf, String)| file.extension().is_some_and(|ending| ending == "rs");
    for (file, text) in texts().into_iter().filter(of_code) {
        for found in script.captures_iter(&text) {
            let there = |base: &Path| base.join(&found[1]).exists();
            assert!(there(&root()) || there(&root().join("testing")), "{}: {}", file.display(), &found[1]);
            count += 1;
        }
        for found in package.captures_iter(&text) {
            // `'pi_*'` stands for several.
            let is_it = |toml: &String| toml.contains(&format!("name = \"{}", &found[1]));
            assert!(crates.iter().any(is_it), "{}: no crate {}", file.display(), &found[1]);
            count += 1;
        }
    }
    assert!(count > 3, "{count} names were found");
}

#[test]
fn each_package_that_apt_is_asked_for_exists() {
    let apt = Regex::new(r"apt(?:-get)? install ([^\n]*)").unwrap();
    let mut count = 0;
    for (file, text) in texts() {
        for found in apt.captures_iter(&text) {
            for word in words(found.get(1).unwrap().as_str()) {
                let is_ours = word.starts_with("./sycl-pi_") && word.ends_with("_amd64.deb");
                assert!(DEBIAN.contains(&word) || is_ours, "{}: apt install {word}", file.display());
                count += 1;
            }
        }
    }
    assert!(count > 5, "{count} packages were found");
}

#[test]
fn each_package_of_debian_that_a_sentence_names_exists() {
    let named = Regex::new(r"\(Debian: ([a-z0-9.+-]+)\)|Debian's ([a-z0-9.+-]+)\)").unwrap();
    let mut count = 0;
    for (file, text) in
        texts().iter().filter(|(file, _)| file.extension().is_some_and(|ending| ending == "rs"))
    {
        for found in named.captures_iter(text) {
            let name = found.get(1).or(found.get(2)).unwrap().as_str();
            assert!(DEBIAN.contains(&name), "{}: {name}", file.display());
            count += 1;
        }
    }
    assert!(count > 3, "{count} packages were found");
}

/// A line that sets a variable of ours would do nothing if no program read it.
#[test]
fn each_variable_that_a_line_sets_is_read() {
    let set = Regex::new(r"\b((?:SYCL_)?PI_[A-Z_]*[A-Z])=").unwrap();
    let sources: String = ["rs", "py"]
        .iter()
        .flat_map(|ending| tracked(".", ending))
        .map(|file| fs::read_to_string(file).unwrap())
        .collect();
    let mut names: BTreeMap<String, PathBuf> = BTreeMap::new();
    for (file, text) in texts() {
        names.extend(set.captures_iter(&text).map(|found| (found[1].to_owned(), file.clone())));
    }
    for (name, file) in &names {
        assert!(sources.contains(&format!("\"{name}\"")), "{}: nothing reads {name}", file.display());
    }
    assert!(names.len() > 5, "{names:?}");
}
