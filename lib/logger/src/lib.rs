//! The log of shared libraries and tools, which is written only if the environment requests it.
//!
//! `PI_LOG` takes the directives of env_logger: a level such as `debug`, or `target=level` pairs such as
//! `info,pi_cache=debug`. `PI_LOG_FILE` names a file to append to, except in set-user-ID programs; otherwise the lines
//! are written to standard error. `SYCL_PI_TRACE` requests the records of the loader, with or without `PI_LOG`.
//!
//! ```
//! sycl_pi_logger::start("libexample.so");
//! log::info!("silent unless PI_LOG asks for it");
//! ```
#![forbid(unsafe_code)]

mod directives;
mod file;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Once;

use env_filter::Filter;
use log::{LevelFilter, Log, Metadata, Record};

use directives::Directives;
pub use file::LogFile;

/// The variable with the directives.
pub const LOG_VARIABLE: &str = "PI_LOG";
/// The variable with the file to append to.
pub const FILE_VARIABLE: &str = "PI_LOG_FILE";
/// The variable that requests the records of the loader.
pub const TRACE_VARIABLE: &str = "SYCL_PI_TRACE";
/// The target of those records.
const TRACE_TARGET: &str = "sycl_pi_trace";

/// Starts the log of a library or program if the environment requests it. Each line contains the library's name. Later
/// calls do nothing, and a logger that the program has already set up stays in place.
pub fn start(library: &str) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let Some((logger, level)) = from_environment(library) else { return };
        if log::set_boxed_logger(logger).is_ok() {
            log::set_max_level(level);
        }
    });
}

/// Returns the log that the environment requests, and its most verbose level, for a library that has more than one log.
pub fn from_environment(library: &str) -> Option<(Box<dyn Log>, LevelFilter)> {
    let logger = Logger::from_variables(library, |name| std::env::var_os(name))?;
    let level = logger.filter.filter();
    Some((Box::new(logger), level))
}

#[derive(Debug)]
struct Logger {
    library: String,
    filter: Filter,
    file: Option<LogFile>,
}

impl Logger {
    /// Returns the logger that these variables request, if any.
    fn from_variables(library: &str, variable: impl Fn(&str) -> Option<OsString>) -> Option<Self> {
        let text = |name| variable(name).map(|value| value.to_string_lossy().into_owned());
        let directives = text(LOG_VARIABLE).filter(|value| !value.trim().is_empty());
        let trace = text(TRACE_VARIABLE).and_then(|value| value.trim().parse::<i64>().ok());
        let trace = trace.is_some_and(|bits| bits != 0);
        if directives.is_none() && !trace {
            return None;
        }
        let Directives { mut filter, report } = Directives::parse(&directives.unwrap_or_default());
        if trace {
            filter.filter_module(TRACE_TARGET, LevelFilter::Info);
        }
        let file = variable(FILE_VARIABLE).map(|path| (LogFile::open(Path::new(&path)), path));
        let (file, unopened) = match file {
            Some((Ok(file), _)) => (Some(file), None),
            Some((Err(error), path)) => (None, Some((path, error))),
            None => (None, None),
        };
        let logger = Self { library: library.to_owned(), filter: filter.build(), file };
        if let Some((path, error)) = unopened {
            logger.write(
                log::Level::Error,
                format_args!("{FILE_VARIABLE}: {} cannot be written: {error}", path.display()),
            );
        }
        if let Some(report) = report {
            logger.write(log::Level::Error, format_args!("{LOG_VARIABLE}: {report}"));
        }
        Some(logger)
    }

    /// Writes a line immediately, so that lines of several threads are not mixed. A failure to write the log does not
    /// make a call fail.
    fn write(&self, level: log::Level, message: std::fmt::Arguments<'_>) {
        let line = format!("[{} {level}] {message}\n", self.library);
        let _ = match &self.file {
            Some(file) => file.write(&line),
            None => io::stderr().lock().write_all(line.as_bytes()),
        };
    }
}

impl Log for Logger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.filter.enabled(metadata)
    }

    fn log(&self, record: &Record<'_>) {
        if self.filter.matches(record) {
            self.write(record.level(), *record.args());
        }
    }

    fn flush(&self) {}
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use log::Level;

    /// Returns the content of the file after one record for each of these targets and levels.
    fn lines(variables: &[(&str, &str)], records: &[(&str, Level)]) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("log");
        let logger = Logger::from_variables("lib.so", |name| {
            let found = variables.iter().find(|(variable, _)| *variable == name);
            let value = found.map(|(_, value)| OsString::from(value));
            value.or_else(|| (name == FILE_VARIABLE).then(|| file.clone().into()))
        })?;
        for (target, level) in records {
            let mut record = Record::builder();
            logger.log(&record.target(target).level(*level).args(format_args!("a message")).build());
        }
        Some(std::fs::read_to_string(&file).unwrap())
    }

    const RECORDS: [(&str, Level); 3] =
        [("pi_opencl::queue", Level::Debug), ("pi_cache", Level::Debug), ("sycl_pi_trace", Level::Info)];

    #[test]
    fn nothing_is_written_unless_it_is_asked_for() {
        assert_eq!(lines(&[], &RECORDS), None);
        assert_eq!(lines(&[("PI_LOG", "")], &RECORDS), None);
        assert_eq!(lines(&[("SYCL_PI_TRACE", "0")], &RECORDS), None);
        assert_eq!(lines(&[("SYCL_PI_TRACE", "yes")], &RECORDS), None);
    }

    #[test]
    fn a_level_is_for_all_targets() {
        let all = "[lib.so DEBUG] a message\n[lib.so DEBUG] a message\n[lib.so INFO] a message\n";
        assert_eq!(lines(&[("PI_LOG", "debug")], &RECORDS).unwrap(), all);
        assert_eq!(lines(&[("PI_LOG", "info")], &RECORDS).unwrap(), "[lib.so INFO] a message\n");
        assert_eq!(lines(&[("PI_LOG", "off")], &RECORDS).unwrap(), "");
    }

    #[test]
    fn directives_are_those_of_env_logger() {
        let one = "[lib.so DEBUG] a message\n";
        assert_eq!(lines(&[("PI_LOG", "warn,pi_cache=debug")], &RECORDS).unwrap(), one);
        assert_eq!(lines(&[("PI_LOG", "pi_opencl=trace,sycl_pi_trace=off")], &RECORDS).unwrap(), one);
    }

    #[test]
    fn a_trace_needs_no_other_variable() {
        assert_eq!(lines(&[("SYCL_PI_TRACE", "-1")], &RECORDS).unwrap(), "[lib.so INFO] a message\n");
        let both = [("SYCL_PI_TRACE", "1"), ("PI_LOG", "pi_cache=debug")];
        let two = "[lib.so DEBUG] a message\n[lib.so INFO] a message\n";
        assert_eq!(lines(&both, &RECORDS).unwrap(), two);
    }

    /// The lines are then written to standard error. They are not lost, and the library does not fail.
    #[test]
    fn a_file_that_cannot_be_written_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let logger = |file: &Path| {
            Logger::from_variables("lib.so", |name| match name {
                FILE_VARIABLE => Some(file.into()),
                _ => (name == LOG_VARIABLE).then(|| "off".into()),
            })
        };
        assert!(logger(folder.path()).unwrap().file.is_none());
        assert!(logger(&folder.path().join("log")).unwrap().file.is_some());
    }

    #[test]
    fn a_mistake_is_reported_and_errors_are_kept() {
        let text =
            lines(&[("PI_LOG", "pi_cache=loud")], &[("any", Level::Error), ("any", Level::Info)]).unwrap();
        let [mistake, error] = text.lines().collect::<Vec<_>>()[..] else { unreachable!("{text}") };
        let told = "[lib.so ERROR] PI_LOG: \"loud\" in \"pi_cache=loud\" is not a level; using error. \
                    A directive is LEVEL or TARGET=LEVEL, such as info,pi_cache=debug; \
                    LEVEL is off, error, warn, info, debug or trace";
        assert_eq!(mistake, told);
        assert_eq!(error, "[lib.so ERROR] a message");
    }

    /// A level that does not exist would otherwise be a target that nothing has, and there would be no log.
    #[test]
    fn a_word_that_is_neither_a_level_nor_a_target_is_a_mistake() {
        for word in ["warning", "verbose", "on", "1"] {
            let text = lines(&[("PI_LOG", word)], &[("any", Level::Error)]).unwrap();
            let told =
                format!("[lib.so ERROR] PI_LOG: \"{word}\" is neither a level nor a target; using error.");
            assert!(text.starts_with(&told), "{text}");
            assert!(text.ends_with("\n[lib.so ERROR] a message\n"), "{text}");
        }
        assert_eq!(lines(&[("PI_LOG", "pi_cache")], &RECORDS).unwrap(), "[lib.so DEBUG] a message\n");
    }

    #[test]
    fn a_mistake_costs_only_its_own_directive() {
        let text = lines(&[("PI_LOG", "pi_opencl=2=3, info, pi_cache=debug")], &RECORDS).unwrap();
        let [mistake, debug, info] = text.lines().collect::<Vec<_>>()[..] else { unreachable!("{text}") };
        let told = "PI_LOG: \"2=3\" in \"pi_opencl=2=3\" is not a level; using info,pi_cache=debug.";
        assert!(mistake.contains(told), "{mistake}");
        assert_eq!([debug, info], ["[lib.so DEBUG] a message", "[lib.so INFO] a message"]);
    }
}
