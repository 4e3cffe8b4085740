//! Options for clang.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Options whose value names a folder, or a file to include. The value is joined to the option or is the next word.
const PLACES: [&str; 6] = ["-I", "-iquote", "-isystem", "-idirafter", "-include", "-imacros"];

/// The options in [`PLACES`] that name a file.
const FILES: [&str; 2] = ["-include", "-imacros"];

/// The prefixes of self-contained options.
const CLOSED: [&str; 5] = ["-D", "-U", "-O", "-W", "-cl-"];

/// Options with absolute paths, because clang runs in another folder.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) words: Vec<OsString>,
    /// The files that options include, as they are named.
    pub(crate) included: Vec<String>,
    /// Whether the result depends only on the words and the files that they include.
    pub(crate) are_closed: bool,
}

impl Options {
    /// Parses options that a user gave in this folder.
    pub(crate) fn new(given: &[OsString], folder: &Path) -> Self {
        let mut options = Self { words: Vec::new(), included: Vec::new(), are_closed: true };
        let mut given = given.iter();
        while let Some(word) = given.next() {
            match place(word) {
                Some((option, joined)) => match joined.or_else(|| given.next().cloned()) {
                    Some(value) => options.add_place(option, &value, folder),
                    None => options.add_other(word.clone()),
                },
                None => match word.as_bytes().strip_prefix(b"@") {
                    Some(file) => {
                        let file = folder.join(OsStr::from_bytes(file));
                        options.add_other([OsStr::new("@"), file.as_os_str()].into_iter().collect());
                    }
                    None => options.add_other(word.clone()),
                },
            }
        }
        // A line of clang's output that names such a folder would be split in two.
        options.are_closed &= !options.words.iter().any(|word| word.as_bytes().contains(&b'\n'));
        options
    }

    /// Returns all words as one text, if they are closed.
    pub(crate) fn text(&self) -> Option<String> {
        let words: Option<Vec<&str>> = self.words.iter().map(|word| word.to_str()).collect();
        words.filter(|_| self.are_closed).map(|words| words.join("\0"))
    }

    fn add_place(&mut self, option: &str, value: &OsStr, folder: &Path) {
        let mut place: PathBuf = folder.join(value);
        if FILES.contains(&option) {
            // Such a file is searched for in the current folder first, and then like any other included file.
            if !place.is_file() {
                place = value.into();
            }
            self.included.extend(place.to_str().map(str::to_owned));
        }
        self.words.extend([option.into(), place.into()]);
    }

    fn add_other(&mut self, word: OsString) {
        let text = word.to_str().unwrap_or_default();
        // A lone -D takes the next word, and -Wp passes arbitrary options on.
        let is_closed =
            CLOSED.iter().any(|start| text.starts_with(start)) && text.len() > 2 && !text.starts_with("-Wp,");
        self.are_closed &= is_closed || text == "-w";
        self.words.push(word);
    }
}

/// Returns the option that names a place, and the value that is joined to it.
fn place(word: &OsStr) -> Option<(&'static str, Option<OsString>)> {
    PLACES.into_iter().find_map(|option| match word.as_bytes().strip_prefix(option.as_bytes())? {
        [] => Some((option, None)),
        // Other options start with the same letters: -include-pch.
        [b'-' | b'=', ..] => None,
        value => Some((option, Some(OsStr::from_bytes(value).into()))),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    fn options(given: &[&str]) -> Options {
        Options::new(&given.iter().map(OsString::from).collect::<Vec<_>>(), Path::new("/here"))
    }

    #[test]
    fn places_are_named_absolutely_however_they_are_written() {
        let given = ["-Iinc", "-I", "/abs", "-iquotesub/q", "-isystem", "..", "@more"];
        let expected = ["-I", "/here/inc", "-I", "/abs", "-iquote", "/here/sub/q", "-isystem", "/here/.."];
        assert_eq!(options(&given[..6]).words, expected);
        assert_eq!(options(&given[6..]).words, ["@/here/more"]);
        assert!(options(&given[..6]).are_closed && !options(&given[6..]).are_closed);
    }

    #[test]
    fn a_file_that_is_included_is_that_of_the_folder_or_looked_for() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.h"), "").unwrap();
        let of = |word: &str| Options::new(&["-include".into(), word.into()], folder.path()).included;
        assert_eq!(of("a.h"), [folder.path().join("a.h").to_str().unwrap()]);
        assert_eq!(of("b.h"), ["b.h"]);
    }

    #[test]
    fn options_that_name_other_files_or_pass_something_on_are_not_closed() {
        // An option that only starts like one with a place takes no word.
        let pch = options(&["-include-pch", "a.pch"]);
        assert!(!pch.are_closed && pch.included.is_empty() && pch.words == ["-include-pch", "a.pch"]);
        assert!(options(&["-DN=4", "-UN", "-O0", "-Werror", "-w", "-cl-fast-relaxed-math"]).are_closed);
        for option in [
            "-D",
            "-fplugin=a.so",
            "-Wp,-include,a.h",
            "-working-directory=/x",
            "-include-pch",
            "-I-",
            "-I",
            "--include=a.h",
            "-DX=\n",
            "-Xclang",
        ] {
            assert!(!options(&[option]).are_closed, "{option}");
        }
    }
}
