//! A log for those who ask: `PI_LOG=error|warn|info|debug|trace`, to standard error or to the file `PI_LOG_FILE`.
//!
//! Without the variable nothing is ever written: a library does not talk unasked.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::{Mutex, Once};

use log::{LevelFilter, Log, Metadata, Record};

struct Logger {
    plugin: &'static str,
    file: Option<Mutex<File>>,
}

impl Log for Logger {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        let line = format!("[{} {}] {}\n", self.plugin, record.level(), record.args());
        // A log that cannot be written is no reason to fail a call.
        let _ = match &self.file {
            Some(file) => match file.lock() {
                Ok(mut file) => file.write_all(line.as_bytes()),
                Err(_) => Ok(()),
            },
            None => std::io::stderr().lock().write_all(line.as_bytes()),
        };
    }

    fn flush(&self) {}
}

/// Starts the log if the environment asks for it. Later calls do nothing.
pub fn start(plugin: &'static str) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let Some(level) = std::env::var("PI_LOG").ok().and_then(|level| level.parse::<LevelFilter>().ok())
        else {
            return;
        };
        let file = std::env::var_os("PI_LOG_FILE")
            .and_then(|path| OpenOptions::new().create(true).append(true).open(path).ok())
            .map(Mutex::new);
        if log::set_boxed_logger(Box::new(Logger { plugin, file })).is_ok() {
            log::set_max_level(level);
        }
    });
}
