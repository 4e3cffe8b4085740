//! What is compiled.

use std::ffi::OsString;

/// A language that clang compiles for OpenCL devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Language {
    /// OpenCL C; version 2.0, unless an option says another.
    OpenClC,
    /// C++ for OpenCL; version 2021, unless an option says another.
    CppForOpenCl,
}

impl Language {
    /// The language that the ending of a file's name tells: `.cl`, or `.clcpp`.
    pub fn of_name(name: &str) -> Option<Self> {
        match name.rsplit_once('.')?.1 {
            "cl" => Some(Self::OpenClC),
            "clcpp" => Some(Self::CppForOpenCl),
            _ => None,
        }
    }

    /// What clang calls it, and the option for its default version.
    pub(crate) fn arguments(self) -> [&'static str; 3] {
        match self {
            Self::OpenClC => ["-x", "cl", "-cl-std=CL2.0"],
            Self::CppForOpenCl => ["-x", "clcpp", "-cl-std=CLC++2021"],
        }
    }
}

/// A source text with its name, for messages, and options for clang.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source<'s> {
    pub(crate) name: &'s str,
    pub(crate) text: &'s str,
    pub(crate) language: Language,
    pub(crate) options: Vec<OsString>,
}

impl<'s> Source<'s> {
    /// A source. Its language is that of the name's ending, or else OpenCL C.
    pub fn new(name: &'s str, text: &'s str) -> Self {
        let language = Language::of_name(name).unwrap_or(Language::OpenClC);
        Self { name, text, language, options: Vec::new() }
    }

    /// The same in another language.
    #[must_use]
    pub fn with_language(mut self, language: Language) -> Self {
        self.language = language;
        self
    }

    /// The same with more options, which come after those of the language: `-DSIZE=16`, `-cl-std=CL3.0`, `-cl-fast-relaxed-math`.
    #[must_use]
    pub fn with_options(mut self, options: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        self.options.extend(options.into_iter().map(Into::into));
        self
    }

    /// Its name.
    pub fn name(&self) -> &'s str {
        self.name
    }

    /// Its text.
    pub fn text(&self) -> &'s str {
        self.text
    }

    /// The text with a line in front that tells clang its name.
    pub(crate) fn marked(&self) -> String {
        let name: String = self.name.chars().filter(|c| !c.is_control()).collect();
        format!("#line 1 \"{}\"\n{}", name.replace('\\', "\\\\").replace('"', "\\\""), self.text)
    }

    /// The language and all options in one text; `None` if the result may depend on more than that and the text: on files that are
    /// included, or on what an option names.
    pub fn closed_options(&self) -> Option<String> {
        let joined = self.text.replace("\\\r\n", "").replace("\\\n", "");
        if ["include", "embed", "import", "__DATE__", "__TIME"].iter().any(|word| joined.contains(word)) {
            return None;
        }
        let mut all = self.language.arguments().join("\0");
        for option in &self.options {
            let option = option.to_str()?;
            let known = ["-D", "-U", "-O", "-W", "-w", "-cl-"].iter().any(|start| option.starts_with(start));
            let names_a_file = option.contains("include") || option.starts_with("-Wp,");
            // An option such as a lone -D takes the next word.
            if !known || names_a_file || option.len() == 2 {
                return None;
            }
            all.push('\0');
            all.push_str(option);
        }
        Some(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_that_reads_files_has_no_closed_options() {
        let of = |text, options: &[&str]| Source::new("a.cl", text).with_options(options).closed_options();
        assert!(of("kernel void a() {}", &["-DN=4", "-cl-fast-relaxed-math"]).is_some());
        assert_ne!(of("", &["-DN=4"]), of("", &["-DN=5"]));
        assert_ne!(of("", &[]), Source::new("a.clcpp", "").closed_options());
        for text in ["#include \"b.h\"", "# inc\\\nlude <b.h>", "int x = __DATE__;"] {
            assert_eq!(of(text, &[]), None, "{text}");
        }
        for option in ["-Ifolder", "-include", "@file", "-fplugin=a.so", "-D", "-Wp,-include,a.h"] {
            assert_eq!(of("", &[option]), None, "{option}");
        }
    }

    #[test]
    fn a_name_cannot_end_the_line_that_tells_it() {
        let source = Source::new("a\"\n#include \"/etc/passwd\".cl", "x");
        assert_eq!(source.marked(), "#line 1 \"a\\\"#include \\\"/etc/passwd\\\".cl\"\nx");
    }
}
