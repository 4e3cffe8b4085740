//! The files that a compilation reads in addition to its source text, as clang reports them.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::compiler::Compiler;
use crate::environment::FOLDER;
use crate::error::CompileError;
use crate::process::run;
use crate::source::Source;

/// The text that replaces uses of the time.
const CLOCK: &str = "__pi_time_of_the_compilation";

/// Macros that expand to the time, or to a file's time.
const TIMES: [&str; 3] = ["__DATE__", "__TIME__", "__TIMESTAMP__"];

/// Macros that query files, and the first clang that has them. The queried files are not reported.
const QUESTIONS: [(&str, u32); 3] = [("__has_include", 0), ("__has_include_next", 0), ("__has_embed", 19)];

/// The text after the name of an included file in output made with `-dI`.
const INCLUDED: &str = " /* clang -E -dI */";

/// The most places that are checked for files.
const MOST_PLACES: usize = 20_000;

/// How much older than a compilation the files that it reads must be. File times are less exact than other clocks.
const MARGIN: Duration = Duration::from_millis(100);

/// The files on which a compilation depends, apart from the compiler's own.
#[derive(Clone, Debug)]
pub struct Reads {
    files: Vec<PathBuf>,
    absent: Vec<PathBuf>,
    asked: SystemTime,
}

impl Reads {
    /// Returns the files that are read: clang's own header, and the included files.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Returns places without a file, where a file would be read instead of one of [`Reads::files`].
    pub fn absent(&self) -> &[PathBuf] {
        &self.absent
    }

    /// Returns whether every compilation since this query read the same as one would read now.
    pub fn hold(&self) -> bool {
        let Some(limit) =
            self.asked.checked_sub(MARGIN).and_then(|time| time.duration_since(UNIX_EPOCH).ok())
        else {
            return false;
        };
        let is_old = |file: &PathBuf| {
            let data = fs::metadata(file).ok()?;
            let changed = (u64::try_from(data.ctime()).ok()?, u32::try_from(data.ctime_nsec()).ok()?);
            Some(data.is_file() && changed < (limit.as_secs(), limit.subsec_nanos()))
        };
        self.files.iter().all(|file| is_old(file).unwrap_or(false))
            && !self.absent.iter().any(|place| is_readable(place))
    }
}

/// Returns whether clang would open this as a header.
pub fn is_readable(place: &Path) -> bool {
    fs::metadata(place).is_ok_and(|data| !data.is_dir())
}

impl Compiler {
    /// Returns the files that are included, and clang's own header, as far as clang lists them: files that options such
    /// as `-include-pch` name are missing.
    ///
    /// # Errors
    /// Returns the errors of [`Compiler::reads`].
    pub fn included(&self, source: &Source<'_>) -> Result<Vec<PathBuf>, CompileError> {
        Ok(self.listed(source)?.unwrap_or_default())
    }

    /// Returns the files that clang lists, or `None` if its list cannot be parsed.
    fn listed(&self, source: &Source<'_>) -> Result<Option<Vec<PathBuf>>, CompileError> {
        let arguments = self.front_end(source.language, &source.options());
        let listed = run(self.clang(), with(&arguments, &["-M", "-"]), source.marked().as_bytes(), None)?;
        if !listed.success() {
            return Err(self.refused(source, listed.log));
        }
        Ok(files(&listed.output))
    }

    /// Returns the files on which the result depends in addition to the source, its options and the compiler. Returns
    /// `None` if it depends on more than files: on the time, on a query whether a file exists, or on something that an
    /// option names.
    ///
    /// # Errors
    /// Fails if the source cannot be preprocessed, with the compiler's own message, or if the compiler does not run.
    pub fn reads(&self, source: &Source<'_>) -> Result<Option<Reads>, CompileError> {
        let asked = SystemTime::now();
        let options = source.options();
        let mut arguments = self.front_end(source.language, &options);
        let text = source.marked();
        let listed = self.listed(source)?;
        if !options.are_closed {
            return Ok(None);
        }
        // A macro for the time leaves a mark, and a query is an error wherever it is used. Later definitions are the
        // source's own.
        let times = TIMES.iter().map(|name| format!("-D{name}={CLOCK}"));
        let questions = QUESTIONS.iter().filter(|(_, since)| self.version() >= *since);
        let marks = times.chain(questions.map(|(name, _)| format!("-D{name}(...)=(")));
        arguments.splice(0..0, marks.map(OsString::from));
        let marked =
            run(self.clang(), with(&arguments, &["-w", "-E", "-dI", "-v", "-"]), text.as_bytes(), None)?;
        let output = String::from_utf8_lossy(&marked.output);
        if !marked.success() || output.contains(CLOCK) {
            return Ok(None);
        }
        let Some(files) = listed else { return Ok(None) };
        let mut names: BTreeSet<&str> = output.lines().filter_map(included).collect();
        names.extend(options.included.iter().map(String::as_str));
        names.extend(self.header().to_str());
        // A file without such a name was read in another way, for example by #embed, and other places for it are
        // unknown.
        let is_named =
            |file: &PathBuf| file.to_str().is_some_and(|file| names.iter().any(|name| file.ends_with(name)));
        if !files.iter().all(is_named) {
            return Ok(None);
        }
        Ok(absent(&names, &folders(&marked.log, &files), &files).map(|absent| Reads { files, absent, asked }))
    }
}

fn with<'a>(arguments: &'a [OsString], more: &'a [&'a str]) -> Vec<&'a OsStr> {
    arguments.iter().map(OsString::as_os_str).chain(more.iter().map(OsStr::new)).collect()
}

/// Returns the files in a `make` rule, or `None` if a name is written in a form that cannot be parsed.
fn files(rule: &[u8]) -> Option<Vec<PathBuf>> {
    let start = rule.windows(2).position(|two| two == b": ")? + 2;
    let mut names: Vec<Vec<u8>> = vec![Vec::new()];
    let mut bytes = rule.get(start..)?.trim_ascii_end().iter();
    while let Some(&byte) = bytes.next() {
        let byte = match byte {
            b' ' => None,
            b'\n' => return None,
            b'$' => Some(*bytes.next().filter(|byte| **byte == b'$')?),
            b'\\' => match bytes.next()? {
                b'\n' => None,
                other @ (b' ' | b'#') => Some(*other),
                _ => return None,
            },
            other => Some(other),
        };
        match byte {
            Some(byte) => names.last_mut()?.push(byte),
            None => names.push(Vec::new()),
        }
    }
    let names = names.into_iter().filter(|name| !name.is_empty());
    Some(names.map(|name| Path::new(FOLDER).join(OsString::from_vec(name))).collect())
}

/// Returns the name of the file that this line reports as included.
fn included(line: &str) -> Option<&str> {
    let (directive, _) = line.strip_prefix('#')?.rsplit_once(INCLUDED)?;
    let (_, name) = directive.split_once(['"', '<'])?;
    name.strip_suffix(['"', '>'])
}

/// Returns the folders in which included files are searched for. These are the folders that clang reports, even if they
/// do not exist, and the folders of the files.
fn folders<'a>(log: &'a str, files: &'a [PathBuf]) -> BTreeSet<&'a Path> {
    let told = log.lines().skip_while(|line| !line.ends_with("search starts here:"));
    let told =
        told.take_while(|line| *line != "End of search list.").filter_map(|line| line.strip_prefix(' '));
    let missing = log.lines().filter_map(|line| {
        line.strip_prefix("ignoring nonexistent directory \"").and_then(|line| line.strip_suffix('"'))
    });
    let of_files = files.iter().filter_map(|file| file.parent());
    told.chain(missing).chain([FOLDER]).map(Path::new).chain(of_files).collect()
}

/// Returns the places where files with these names could be but are not.
fn absent(names: &BTreeSet<&str>, folders: &BTreeSet<&Path>, files: &[PathBuf]) -> Option<Vec<PathBuf>> {
    let relative = || names.iter().filter(|name| !name.starts_with('/'));
    if relative().count().checked_mul(folders.len())? > MOST_PLACES {
        return None;
    }
    let places = relative().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    Some(places.filter(|place| !files.contains(place) && !is_readable(place)).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn a_rule_of_make_is_read_back_or_not_at_all() {
        let of = |rule: &str| files(rule.as_bytes());
        let paths = |names: &[&str]| Some(names.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(of("-.o: /a.h \\\n  b.h \\\n  /c/d.h\n"), paths(&["/a.h", "/b.h", "/c/d.h"]));
        assert_eq!(of("-.o: /a\\ b\\#c$$d: e.h\n"), paths(&["/a b#c$d:", "/e.h"]));
        for unclear in ["", "-.o:", "-.o: /a\n/b\n", "-.o: /a\\b", "-.o: /a$b", "-.o: /a\\"] {
            assert_eq!(of(unclear), None, "{unclear}");
        }
    }

    #[test]
    fn a_file_that_changed_just_before_does_not_hold() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let hold = |asked| Reads { files: vec![file.path().into()], absent: vec![], asked }.hold();
        assert!(!hold(SystemTime::now()) && hold(SystemTime::now() + Duration::from_secs(1)));
    }

    #[test]
    fn names_and_folders_are_those_that_clang_tells() {
        assert_eq!(included("#include \"sub/a b.h\" /* clang -E -dI */"), Some("sub/a b.h"));
        assert_eq!(included("#include_next <a\".h> /* clang -E -dI */"), Some("a\".h"));
        assert_eq!(included("#include \"a.h\""), None);
        let log = " /not/this\nignoring nonexistent directory \"/none\"\n#include \"...\" search starts here:\n /q\n\
                   #include <...> search starts here:\n /a b\nEnd of search list.\n /nor/this";
        let files = [PathBuf::from("/of/a.h")];
        let all: Vec<&Path> = folders(log, &files).into_iter().collect();
        assert_eq!(all, ["/", "/a b", "/none", "/of", "/q"].map(Path::new));
    }
}
