//! The input of a compilation.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::options::Options;

/// A language that clang compiles for OpenCL devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Language {
    /// OpenCL C, version 2.0 unless an option selects another.
    OpenClC,
    /// C++ for OpenCL, version 2021 unless an option selects another.
    CppForOpenCl,
}

impl Language {
    /// Returns the language for a file name's extension: `.cl` or `.clcpp`.
    pub fn of_name(name: &str) -> Option<Self> {
        match name.rsplit_once('.')?.1 {
            "cl" => Some(Self::OpenClC),
            "clcpp" => Some(Self::CppForOpenCl),
            _ => None,
        }
    }

    /// Returns clang's name of the language, and the option for its default version.
    pub(crate) fn arguments(self) -> [&'static str; 3] {
        match self {
            Self::OpenClC => ["-x", "cl", "-cl-std=CL2.0"],
            Self::CppForOpenCl => ["-x", "clcpp", "-cl-std=CLC++2021"],
        }
    }
}

/// A source text with its name for messages, and options for clang.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source<'s> {
    pub(crate) name: &'s str,
    pub(crate) text: &'s str,
    pub(crate) language: Language,
    pub(crate) options: Vec<OsString>,
}

impl<'s> Source<'s> {
    /// Creates a source. Its language is that of the name's extension, or else OpenCL C.
    pub fn new(name: &'s str, text: &'s str) -> Self {
        let language = Language::of_name(name).unwrap_or(Language::OpenClC);
        Self { name, text, language, options: Vec::new() }
    }

    /// Sets another language.
    #[must_use]
    pub fn with_language(mut self, language: Language) -> Self {
        self.language = language;
        self
    }

    /// Adds options, which follow those of the language: `-DSIZE=16`, `-cl-std=CL3.0`, `-cl-fast-relaxed-math`.
    #[must_use]
    pub fn with_options(mut self, options: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        self.options.extend(options.into_iter().map(Into::into));
        self
    }

    /// Returns its name.
    pub fn name(&self) -> &'s str {
        self.name
    }

    /// Returns its text.
    pub fn text(&self) -> &'s str {
        self.text
    }

    /// Adds a folder in which files included in quotes are searched for.
    #[must_use]
    pub fn with_folder(self, folder: &Path) -> Self {
        self.with_options([OsStr::new("-iquote"), folder.as_os_str()])
    }

    /// Returns the text, preceded by a line that gives clang its name.
    pub(crate) fn marked(&self) -> String {
        let name: String = self.name.chars().filter(|c| !c.is_control()).collect();
        // Two question marks may start a trigraph.
        let name = name.replace('\\', "\\\\").replace('"', "\\\"").replace('?', "\\?");
        format!("#line 1 \"{name}\"\n{}", self.text)
    }

    /// Returns the options for clang. Relative paths are resolved against the current folder.
    pub(crate) fn options(&self) -> Options {
        Options::new(&self.options, &std::env::current_dir().unwrap_or_default())
    }

    /// Returns the language and all options as one text, or `None` if an option may name more than included files. The
    /// result also depends on the files that the source and its options include: see
    /// [`Compiler::reads`](crate::Compiler::reads).
    pub fn closed_options(&self) -> Option<String> {
        Some(format!("{}\0{}", self.language.arguments().join("\0"), self.options().text()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_options_or_another_language_give_another_text() {
        let of = |name, options: &[&str]| Source::new(name, "").with_options(options).closed_options();
        assert!(of("a.cl", &["-DN=4"]).is_some() && of("a.cl", &["-fplugin=a.so"]).is_none());
        assert_ne!(of("a.cl", &["-DN=4"]), of("a.cl", &["-DN=5"]));
        assert_ne!(of("a.cl", &[]), of("a.clcpp", &[]));
    }

    #[test]
    fn a_name_cannot_end_the_line_that_tells_it() {
        let source = Source::new("a\"\n#include \"/etc/passwd\".cl", "x");
        assert_eq!(source.marked(), "#line 1 \"a\\\"#include \\\"/etc/passwd\\\".cl\"\nx");
    }
}
