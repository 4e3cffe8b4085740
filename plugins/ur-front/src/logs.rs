//! The destinations of log records, which `PI_LOG` and `UR_LOG_<BACKEND>` name, and the callbacks of loaders.
//!
//! `UR_LOG_OPENCL` (`UR_LOG_LEVEL_ZERO`, `UR_LOG_CUDA`) uses Unified Runtime's grammar: `level:info;output:stderr`.
//! Levels are debug, info, warning, error and quiet; outputs are stderr, stdout and `file,PATH`. `flush` is accepted
//! but has no effect, because each line is written immediately.
#![expect(unsafe_code, reason = "a callback of the caller's")]

use std::ffi::{CString, c_void};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Once;

use log::{Level, LevelFilter, Log, Metadata, Record};
use parking_lot::RwLock;
use sycl_pi_logger::LogFile;
use sycl_ur_core::*;

use crate::connection::MAX_CONNECTIONS;

/// A loader's callback for log records.
#[derive(Clone, Copy)]
struct Callback {
    function: unsafe extern "C" fn(ur_logger_level_t, *const std::ffi::c_char, *mut c_void),
    user_data: *mut c_void,
    level: LevelFilter,
    /// The loader's word.
    word: usize,
}

// SAFETY: according to the interface, any thread may call the function with this data.
unsafe impl Send for Callback {}
// SAFETY: same as above.
unsafe impl Sync for Callback {}

static CALLBACKS: RwLock<[Option<Callback>; MAX_CONNECTIONS]> = RwLock::new([None; MAX_CONNECTIONS]);

/// Starts the log. `backend` is the suffix of the variable's name, such as `OPENCL`. Each line contains the name of the
/// file that the process has opened, because one library serves under several names.
pub fn start(backend: &str) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let file = sycl_pi_dynload::own_file().unwrap_or_default();
        let file = file.file_name().unwrap_or_default().to_string_lossy();
        let library = file.split(".so").next().unwrap_or_default();
        let of_project = sycl_pi_logger::from_environment(library);
        let variable = format!("UR_LOG_{backend}");
        let text = std::env::var(&variable).unwrap_or_default();
        let of_variable = Target::parse(&text);
        let level = of_project.as_ref().map_or(LevelFilter::Off, |(_, level)| *level);
        let level = level.max(of_variable.as_ref().map_or(LevelFilter::Off, |target| target.level));
        let of_project = of_project.map(|(log, _)| log);
        let name = variable.trim_start_matches("UR_LOG_").to_owned();
        if log::set_boxed_logger(Box::new(Logs { name, of_project, of_variable })).is_ok() {
            log::set_max_level(level);
        }
    });
}

/// Registers a loader's callback for all records of the given level or above.
pub(crate) fn set_callback(
    word: usize, function: unsafe extern "C" fn(ur_logger_level_t, *const std::ffi::c_char, *mut c_void),
    user_data: *mut c_void, level: LevelFilter,
) {
    let mut callbacks = CALLBACKS.write();
    let of_loader = |place: &Option<Callback>| place.is_some_and(|known| known.word == word);
    let place = callbacks.iter().position(of_loader).or_else(|| callbacks.iter().position(Option::is_none));
    if let Some(place) = place {
        callbacks[place] = Some(Callback { function, user_data, level, word });
        log::set_max_level(log::max_level().max(level));
    }
}

/// Changes the level of a loader's callback, if it has one.
pub(crate) fn set_callback_level(word: usize, level: LevelFilter) {
    let callback = CALLBACKS.read().iter().flatten().find(|known| known.word == word).copied();
    if let Some(Callback { function, user_data, .. }) = callback {
        set_callback(word, function, user_data, level);
    }
}

/// Returns the filter for a level of UR.
///
/// # Errors
///
/// `UR_RESULT_ERROR_INVALID_ENUMERATION`.
pub(crate) fn level_filter(level: ur_logger_level_t) -> sycl_pi_backend::Result<LevelFilter> {
    Ok(match level {
        UR_LOGGER_LEVEL_DEBUG => LevelFilter::Debug,
        UR_LOGGER_LEVEL_INFO => LevelFilter::Info,
        UR_LOGGER_LEVEL_WARN => LevelFilter::Warn,
        UR_LOGGER_LEVEL_ERROR => LevelFilter::Error,
        UR_LOGGER_LEVEL_QUIET => LevelFilter::Off,
        _ => {
            return Err(crate::convert::error(
                UR_RESULT_ERROR_INVALID_ENUMERATION,
                format!("level {level} is unknown"),
            ));
        }
    })
}

fn number(level: Level) -> ur_logger_level_t {
    match level {
        Level::Error => UR_LOGGER_LEVEL_ERROR,
        Level::Warn => UR_LOGGER_LEVEL_WARN,
        Level::Info => UR_LOGGER_LEVEL_INFO,
        Level::Debug | Level::Trace => UR_LOGGER_LEVEL_DEBUG,
    }
}

/// The destination requested by `UR_LOG_<BACKEND>`.
struct Target {
    level: LevelFilter,
    output: LogOutput,
}

enum LogOutput {
    Stderr,
    Stdout,
    File(LogFile),
}

impl Target {
    /// Returns `None` for an empty text and for `level:quiet`.
    fn parse(text: &str) -> Option<Self> {
        let mut target = Self { level: LevelFilter::Error, output: LogOutput::Stderr };
        let pairs = text.split(';').filter_map(|part| part.trim().split_once(':'));
        for (key, value) in pairs {
            match (key, value) {
                ("level", "debug") => target.level = LevelFilter::Debug,
                ("level", "info") => target.level = LevelFilter::Info,
                ("level", "warning") => target.level = LevelFilter::Warn,
                ("level", "quiet") => return None,
                ("output", "stdout") => target.output = LogOutput::Stdout,
                ("output", output) if output.starts_with("file,") => {
                    let file = LogFile::open(Path::new(&output["file,".len()..]));
                    target.output = LogOutput::File(file.ok()?);
                }
                _ => {}
            }
        }
        (!text.trim().is_empty()).then_some(target)
    }

    /// Writes a line. A failure to write the log does not make a call fail.
    fn write(&self, line: &str) {
        let _ = match &self.output {
            LogOutput::Stderr => io::stderr().write_all(line.as_bytes()),
            LogOutput::Stdout => io::stdout().write_all(line.as_bytes()),
            LogOutput::File(file) => file.write(line),
        };
    }
}

struct Logs {
    /// `OPENCL`.
    name: String,
    of_project: Option<Box<dyn Log>>,
    of_variable: Option<Target>,
}

impl Log for Logs {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        if let Some(log) = &self.of_project {
            log.log(record);
        }
        if let Some(target) = self.of_variable.as_ref().filter(|target| record.level() <= target.level) {
            let level = match record.level() {
                Level::Warn => "WARNING".to_owned(),
                level => level.to_string(),
            };
            target.write(&format!("<{}>[{level}]: {}\n", self.name, record.args()));
        }
        // Copied, so that no lock is held during a callback.
        let callbacks = *CALLBACKS.read();
        for callback in callbacks.iter().flatten().filter(|callback| record.level() <= callback.level) {
            let text = CString::new(record.args().to_string().replace('\0', "")).unwrap_or_default();
            // SAFETY: the function and the data are the loader's, and the text lives until the call returns.
            unsafe { (callback.function)(number(record.level()), text.as_ptr(), callback.user_data) };
        }
    }

    fn flush(&self) {}
}

#[cfg(test)]
mod tests {
    use parking_lot::Mutex;

    use super::*;

    #[test]
    fn a_callback_is_told_the_level_of_each_record() {
        let levels = [Level::Error, Level::Warn, Level::Info, Level::Debug, Level::Trace].map(number);
        let [error, warn, info, debug] =
            [UR_LOGGER_LEVEL_ERROR, UR_LOGGER_LEVEL_WARN, UR_LOGGER_LEVEL_INFO, UR_LOGGER_LEVEL_DEBUG];
        assert_eq!(levels, [error, warn, info, debug, debug]);
    }

    /// # Safety
    ///
    /// It reads nothing.
    unsafe extern "C" fn ignore(_: ur_logger_level_t, _: *const std::ffi::c_char, _: *mut c_void) {}

    /// A loader has one callback. Its level can change alone.
    #[test]
    fn the_callback_of_a_loader_replaces_the_one_before() {
        const WORD: usize = 0x5a5a_0000;
        let data = std::ptr::without_provenance_mut::<c_void>;
        let known = || {
            let callbacks = *CALLBACKS.read();
            let of_loader = callbacks.iter().flatten().filter(|known| known.word == WORD);
            of_loader.map(|known| (known.user_data.addr(), known.level)).collect::<Vec<_>>()
        };
        set_callback_level(WORD, LevelFilter::Debug);
        assert_eq!(known(), []);
        set_callback(WORD, ignore, data(1), LevelFilter::Error);
        set_callback(WORD, ignore, data(2), LevelFilter::Off);
        assert_eq!(known(), [(2, LevelFilter::Off)]);
        set_callback_level(WORD, LevelFilter::Warn);
        assert_eq!(known(), [(2, LevelFilter::Warn)]);
        assert!(log::max_level() >= LevelFilter::Warn);
    }

    static TOLD: Mutex<Vec<(ur_logger_level_t, String)>> = Mutex::new(Vec::new());

    /// # Safety
    ///
    /// `text` must end with a NUL.
    unsafe extern "C" fn tell(level: ur_logger_level_t, text: *const std::ffi::c_char, _: *mut c_void) {
        // SAFETY: guaranteed by the caller.
        let text = unsafe { std::ffi::CStr::from_ptr(text) };
        TOLD.lock().push((level, text.to_string_lossy().into_owned()));
    }

    /// C texts end at a NUL, so one inside is left out.
    #[test]
    fn a_callback_gets_whole_texts_of_its_level_and_above() {
        const WORD: usize = 0x5b5b_0000;
        set_callback(WORD, tell, std::ptr::null_mut(), LevelFilter::Warn);
        let logs = Logs { name: "OPENCL".to_owned(), of_project: None, of_variable: None };
        for level in [Level::Error, Level::Warn, Level::Info] {
            logs.log(&Record::builder().level(level).args(format_args!("one\0 line")).build());
        }
        let wanted =
            [UR_LOGGER_LEVEL_ERROR, UR_LOGGER_LEVEL_WARN].map(|level| (level, "one line".to_owned()));
        assert_eq!(*TOLD.lock(), wanted);
    }

    #[test]
    fn a_variable_names_level_and_output() {
        let level = |text| Target::parse(text).map(|target| target.level);
        assert_eq!(level("level:debug;flush:error;output:stdout"), Some(LevelFilter::Debug));
        assert_eq!(level("level:warning"), Some(LevelFilter::Warn));
        assert_eq!(level("output:stderr"), Some(LevelFilter::Error));
        assert_eq!(level("level:quiet;output:stderr"), None);
        assert_eq!(level(""), None);
    }

    #[test]
    fn a_line_names_the_backend_and_the_level_that_it_reaches() {
        let path = std::env::temp_dir().join(format!("sycl-ur-front-log-{}", std::process::id()));
        let of_variable = Target::parse(&format!("level:warning;output:file,{}", path.display()));
        let logs = Logs { name: "OPENCL".to_owned(), of_project: None, of_variable };
        for level in [Level::Error, Level::Warn, Level::Info] {
            logs.log(&Record::builder().level(level).args(format_args!("a line")).build());
        }
        let text = std::fs::read_to_string(&path);
        let _ = std::fs::remove_file(&path);
        assert_eq!(text.ok().as_deref(), Some("<OPENCL>[ERROR]: a line\n<OPENCL>[WARNING]: a line\n"));
    }
}
