//! What a compilation reads besides its source's own text, as clang tells it.

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

/// What the text has where the time is used.
const CLOCK: &str = "__pi_time_of_the_compilation";

/// Macros that stand for the time, or for a file's.
const TIMES: [&str; 3] = ["__DATE__", "__TIME__", "__TIMESTAMP__"];

/// Macros that ask for files, and the clang that had them first. What they ask for is told by nobody.
const QUESTIONS: [(&str, u32); 3] = [("__has_include", 0), ("__has_include_next", 0), ("__has_embed", 19)];

/// What follows the name of a file that is included in a text that was made with `-dI`.
const INCLUDED: &str = " /* clang -E -dI */";

/// The most places where files could be that are looked at.
const MOST_PLACES: usize = 20_000;

/// How much older than a compilation the files must be that it reads. The clocks of files are less exact than others.
const MARGIN: Duration = Duration::from_millis(100);

/// The files that a compilation depends on, apart from the compiler's own.
#[derive(Clone, Debug)]
pub struct Reads {
    files: Vec<PathBuf>,
    absent: Vec<PathBuf>,
    asked: SystemTime,
}

impl Reads {
    /// Files that are read: clang's own header, and what is included.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Places without a file, where one would be read instead of one of [`Reads::files`].
    pub fn absent(&self) -> &[PathBuf] {
        &self.absent
    }

    /// Whether every compilation since this was asked for read the same as one would read now.
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

/// Whether clang would open this as a header.
pub fn is_readable(place: &Path) -> bool {
    fs::metadata(place).is_ok_and(|data| !data.is_dir())
}

impl Compiler {
    /// What the result depends on besides the source, its options and the compiler. `None` if it depends on more than files: on the
    /// time, on a question whether a file is there, or on what an option names.
    ///
    /// # Errors
    /// The source cannot be preprocessed, in the compiler's own words; or the compiler does not run.
    pub fn reads(&self, source: &Source<'_>) -> Result<Option<Reads>, CompileError> {
        let asked = SystemTime::now();
        let options = source.options();
        let mut arguments = self.front_end(source.language, &options);
        let text = source.marked();
        let listed = run(self.clang(), with(&arguments, &["-M", "-"]), text.as_bytes(), None)?;
        if !listed.success() {
            return Err(self.refused(source, listed.log));
        }
        if !options.are_closed {
            return Ok(None);
        }
        // A macro for the time leaves a mark, and a question is an error wherever it is asked. Later definitions are the source's own.
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
        let Some(files) = files(&listed.output) else { return Ok(None) };
        let mut names: BTreeSet<&str> = output.lines().filter_map(included).collect();
        names.extend(options.included.iter().map(String::as_str));
        names.extend(self.header().to_str());
        // What has no such name was read in another way, as by #embed, and other places for it are not known.
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

/// The files of a rule for `make`. `None` if a name is not written so that it can be read back.
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

/// The name of a file that this line says is included.
fn included(line: &str) -> Option<&str> {
    let (directive, _) = line.strip_prefix('#')?.rsplit_once(INCLUDED)?;
    let (_, name) = directive.split_once(['"', '<'])?;
    name.strip_suffix(['"', '>'])
}

/// Folders where files that are included are looked for: those that clang tells, also such as are not there, and those of files.
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

/// Where files of these names could be and are not.
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
