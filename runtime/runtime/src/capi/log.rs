//! The library's log, for those who ask: `PI_LOG=error|warn|info|debug|trace`, to standard error or to the file
//! `PI_LOG_FILE`, as the plugins have it. A Rust program sets up its own.

use std::fs::OpenOptions;
use std::sync::Once;

/// Starts the log if the environment asks for it. Later calls do nothing.
pub(super) fn start() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if std::env::var_os("PI_LOG").is_none() {
            return;
        }
        let mut log = env_logger::Builder::new();
        log.parse_env("PI_LOG");
        let file = std::env::var_os("PI_LOG_FILE")
            .and_then(|path| OpenOptions::new().create(true).append(true).open(path).ok());
        if let Some(file) = file {
            log.target(env_logger::Target::Pipe(Box::new(file)));
        }
        // The program may have a log of its own.
        let _ = log.try_init();
    });
}
