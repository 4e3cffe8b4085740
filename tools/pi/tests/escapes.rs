//! Names that would change what a terminal shows.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// ESC and CSI begin control sequences, BEL rings, DEL deletes, and the last one reverses the order of characters.
const NAME: &str = "a\u{1b}[31mred\u{9b}2J\u{7}\u{7f}\u{202e}";
/// The printed form.
const SHOWN: &str = "a\\u{1b}[31mred\\u{9b}2J\\u{7}\\u{7f}\\u{202e}";

/// Returns a module with one kernel of that name.
fn module(name: &str) -> Vec<u8> {
    let mut text = name.as_bytes().to_vec();
    text.push(0);
    text.resize(text.len().next_multiple_of(4), 0);
    let text: Vec<u32> = text.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
    let entry = (text.len() as u32 + 3) << 16 | 15;
    let mut words = vec![0x0723_0203, 0x0001_0000, 0, 30, 0];
    words.extend([2 << 16 | 17, 4, 2 << 16 | 17, 6, 3 << 16 | 14, 2, 2, entry, 6, 10]);
    words.extend(text);
    words.extend([2 << 16 | 19, 1, 3 << 16 | 33, 2, 1, 5 << 16 | 54, 1, 10, 0, 2]);
    words.extend([2 << 16 | 248, 11, 1 << 16 | 253, 1 << 16 | 56]);
    words.iter().flat_map(|word: &u32| word.to_le_bytes()).collect()
}

fn pi(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pi")).args(words).current_dir(folder).output().unwrap()
}

/// Returns both outputs, which contain no control characters except line ends.
fn shown(output: &Output, words: &[&str]) -> String {
    let text = [output.stdout.as_slice(), &output.stderr].concat();
    let text = String::from_utf8(text).unwrap();
    let obeyed = |letter: char| letter.is_control() && letter != '\n' || letter == '\u{202e}';
    assert!(!text.contains(obeyed), "{words:?}: {text:?}");
    text
}

/// Asserts that the outputs contain the escaped name.
fn assert_escaped(output: &Output, words: &[&str]) {
    let text = shown(output, words);
    assert!(text.contains(SHOWN), "{words:?}: {text}");
}

#[test]
fn names_of_kernels_and_files_are_shown_with_escapes() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.spv"), module(NAME)).unwrap();
    let odd = format!("{NAME}.spv");
    fs::write(folder.path().join(&odd), module("k")).unwrap();
    let none = format!("{NAME}.none");
    let source = format!("{NAME}.cl");
    fs::write(folder.path().join(&source), "kernel void k() { x; }").unwrap();
    let bad = format!("{NAME}.prop");
    fs::write(folder.path().join(&bad), "[\n").unwrap();
    let option = format!("--{NAME}");
    for words in [
        &["image", "show", "k.spv"][..],
        &["image", "split", "k.spv", "-o", "k.table"],
        &["image", "link", "k.spv", "-o", "l.spv"],
        &["image", "show", &bad],
        &["image", "show", &none],
        &["image", "specialize", "k.spv", &none, "-o", "x.spv"],
        &["image", "filter", "-target=x86_64", &none],
        &["image", "compile", &source, "-o", "x.spv"],
        &["image", "wrap", &odd.replace(".spv", ".none"), "-o", "x.o"],
        &["image", "compare", &none],
        &["ls", &none],
        &["status", &none],
        &["doctor", &none],
        &["cache", "show", &none],
        &["bench", "--from", &none],
    ] {
        assert_escaped(&pi(folder.path(), words), words);
    }
    let only_a_colour = "--\u{1b}[31mred";
    for words in [&[option.as_str()][..], &["image", "show", &option], &[only_a_colour], &[&none]] {
        let output = pi(folder.path(), words);
        assert_eq!(output.status.code(), Some(2));
        assert!(shown(&output, words).contains("error: "));
    }
    let dot = String::from_utf8(pi(folder.path(), &["image", "show", "k.spv", "--dot"]).stdout).unwrap();
    // Backslashes are doubled here.
    assert!(dot.contains(&format!("[label=\"{}\"", SHOWN.replace('\\', "\\\\"))), "{dot}");
}

#[test]
fn sets_of_properties_are_shown_with_escapes_and_in_json_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.spv"), module(NAME)).unwrap();
    fs::write(
        folder.path().join("s.prop"),
        format!("[SYCL/exported symbols]\n{NAME}=1|1\n[{NAME}]\nx=1|1\n"),
    )
    .unwrap();
    let words = ["image", "show", "s.prop"];
    assert_escaped(&pi(folder.path(), &words), &words);
    let json = pi(folder.path(), &["--json", "image", "show", "k.spv"]).stdout;
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json[0]["kernels"][0]["name"], NAME);
}

#[test]
fn colours_are_those_of_pi_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.spv"), module(NAME)).unwrap();
    let shown = pi(folder.path(), &["--color", "always", "image", "show", "k.spv"]);
    let text = String::from_utf8(shown.stdout).unwrap();
    assert!(text.contains(&format!("\u{1b}[32m{SHOWN}\u{1b}[0m\n")), "{text:?}");
    assert_eq!(text.matches('\u{1b}').count(), 4, "{text:?}");
}
