//! Errors from opening and calling plugins, with hints for users.

use std::fmt;
use std::path::PathBuf;

use sycl_pi_core::{Version, pi_result};

use crate::Backend;
use crate::codes::result_name;
use crate::search::SEARCH_PATH_VARIABLE;

/// The reason why a plugin did not load. `Debug` formats the same sentence as `Display`, so a `main` that returns the
/// error prints it.
#[derive(Clone, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file does not exist.
    #[error("{} does not exist", .path.display())]
    NotFound {
        /// The file.
        path: PathBuf,
    },
    /// The system's loader refused the file.
    #[error("{} cannot be opened: {reason}", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The loader's message.
        reason: String,
    },
    /// The library has no `piPluginInit`.
    #[error("{} is not a PI plugin: it does not export piPluginInit", .path.display())]
    NoInit {
        /// The file.
        path: PathBuf,
    },
    /// The plugin and this loader have no PI version in common.
    #[error("{} serves no PI version known here: {}", .path.display(), Asked(.asked))]
    NoCommonVersion {
        /// The file.
        path: PathBuf,
        /// The requested versions, and the plugin's answers.
        asked: Vec<Question>,
    },
}

impl fmt::Debug for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl LoadError {
    /// Returns advice for the user, if there is any.
    pub fn hint(&self) -> Option<String> {
        match self {
            LoadError::NotFound { .. } => None,
            LoadError::Open { reason, .. } => hint_for_open(reason),
            LoadError::NoInit { .. } => Some(
                "name a plugin's own file, such as libpi_opencl.so; from release 2025.0 on DPC++ has \
                 Unified Runtime adapters instead of PI plugins"
                    .into(),
            ),
            LoadError::NoCommonVersion { .. } => {
                let (oldest, newest) = (Version::ALL[0], Version::NEWEST);
                Some(format!(
                    "use the plugin of a DPC++ release from {} (PI {}) to {} (PI {})",
                    oldest.release(),
                    oldest.text(),
                    newest.release(),
                    newest.text()
                ))
            }
        }
    }
}

fn hint_for_open(reason: &str) -> Option<String> {
    let missing = reason.split(": cannot open shared object file").next().filter(|head| *head != reason);
    if let Some(library) = missing.and_then(|head| head.rsplit([' ', ':']).next()) {
        return Some(match library {
            name if name.starts_with("libOpenCL") => {
                "install an OpenCL library (pip install intel-opencl-rt, or Debian's ocl-icd-libopencl1), or add its \
                 folder to LD_LIBRARY_PATH"
                    .into()
            }
            name if name.starts_with("libze_loader") => {
                "install the Level Zero loader (Debian: libze1)".into()
            }
            name if name.starts_with("libcuda") => "install NVIDIA's driver".into(),
            name if Backend::ALL.iter().any(|backend| backend.file_name() == name) => {
                format!("set {SEARCH_PATH_VARIABLE} to the folder that has {name}")
            }
            name => format!("add the folder that has {name} to LD_LIBRARY_PATH"),
        });
    }
    if reason.contains("version `GLIBC") || reason.contains("version `CXXABI") {
        return Some("the file was built for a newer system than this one: use another build of it".into());
    }
    if reason.contains("invalid ELF header") || reason.contains("file too short") {
        return Some("the file is damaged or not a shared library: install it again".into());
    }
    if reason.contains("wrong ELF class") {
        return Some("the file is for another processor or word size".into());
    }
    if reason.contains("undefined symbol") {
        return Some(
            "a library that it needs has another version: keep all parts of one release together".into(),
        );
    }
    None
}

/// One `piPluginInit` call of a handshake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The requested version.
    pub version: Version,
    /// The plugin's answer.
    pub answer: Answer,
}

/// A plugin's answer to `piPluginInit`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// It serves the version.
    Served,
    /// It returned an error code.
    Refused(pi_result),
    /// It succeeded, but reported another version of its own: a shipped plugin compares versions as text.
    Mismatch(String),
    /// It succeeded, but wrote beyond the version's `pi_plugin`.
    Overrun,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Served => f.write_str("served"),
            Answer::Refused(code) => write!(f, "refused with {}", Code(*code)),
            Answer::Mismatch(text) if text.is_empty() => f.write_str("accepted without a version of its own"),
            Answer::Mismatch(text) => write!(f, "accepted by a plugin of version {text}"),
            Answer::Overrun => f.write_str("accepted, but more was written than this version holds"),
        }
    }
}

struct Asked<'a>(&'a [Question]);

impl fmt::Display for Asked<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, question) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{} {}", question.version.text(), question.answer)?;
        }
        Ok(())
    }
}

/// A result code with its name.
pub(crate) struct Code(pub(crate) pi_result);

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match result_name(self.0) {
            Some(name) => write!(f, "{name} ({})", self.0),
            None => write!(f, "unknown code {}", self.0),
        }
    }
}

/// The reason why a call through the table failed. `Debug` formats the same sentence as `Display`.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// The plugin's table lacks the function.
    #[error("{function} is not in this plugin (PI {})", .version.text())]
    Missing {
        /// The function's C name.
        function: &'static str,
        /// The version of the table.
        version: Version,
    },
    /// The function returned an error code.
    #[error("{function} failed: {}{}", Code(*.code), Text(.text))]
    Failed {
        /// The function's C name.
        function: &'static str,
        /// The code.
        code: pi_result,
        /// The plugin's own message, if it has one.
        text: Option<Box<str>>,
    },
}

impl CallError {
    /// Returns the result code, if the plugin returned one.
    pub fn code(&self) -> Option<pi_result> {
        match self {
            CallError::Failed { code, .. } => Some(*code),
            _ => None,
        }
    }
}

struct Text<'a>(&'a Option<Box<str>>);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(text) => write!(f, ": {text}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_name_what_is_missing() {
        let open = |reason: &str| LoadError::Open { path: "x.so".into(), reason: reason.into() }.hint();
        let text = "libOpenCL.so.1: cannot open shared object file: No such file or directory";
        assert!(open(text).unwrap().contains("ocl-icd-libopencl1"));
        let text = "x.so: libsvml.so: cannot open shared object file: No such file or directory";
        assert_eq!(open(text).unwrap(), "add the folder that has libsvml.so to LD_LIBRARY_PATH");
        let text = "libpi_cuda.so: cannot open shared object file: No such file or directory";
        assert_eq!(open(text).unwrap(), "set PI_PLUGIN_PATH to the folder that has libpi_cuda.so");
        assert_eq!(open("something else"), None);
        // The system's loader reports these faults in these words.
        for (reason, hint) in [
            ("libze_loader.so.1: cannot open shared object file: No such file", "Debian: libze1"),
            ("libcuda.so.1: cannot open shared object file: No such file", "NVIDIA's driver"),
            ("/lib/libc.so.6: version `GLIBC_2.38' not found (required by x.so)", "newer system"),
            ("libstdc++.so.6: version `CXXABI_1.3.15' not found", "newer system"),
            ("x.so: invalid ELF header", "damaged"),
            ("x.so: file too short", "damaged"),
            ("x.so: wrong ELF class: ELFCLASS32", "another processor or word size"),
            ("x.so: undefined symbol: urDeviceGet", "keep all parts of one release together"),
        ] {
            assert!(open(reason).is_some_and(|found| found.contains(hint)), "{reason}");
        }
        assert_eq!(LoadError::NotFound { path: "x.so".into() }.hint(), None);
        let no_plugin = LoadError::NoInit { path: "x.so".into() };
        assert_eq!(no_plugin.to_string(), "x.so is not a PI plugin: it does not export piPluginInit");
        assert!(no_plugin.hint().is_some_and(|hint| hint.contains("libpi_opencl.so")));
    }

    #[test]
    fn a_handshake_that_failed_tells_every_answer() {
        let question = |version, answer| Question { version, answer };
        let error = LoadError::NoCommonVersion {
            path: "x.so".into(),
            asked: vec![
                question(Version::V15_47, Answer::Refused(-59)),
                question(Version::V14_39, Answer::Refused(77)),
                question(Version::V14_37, Answer::Mismatch("9.11".into())),
                question(Version::V12_27, Answer::Mismatch(String::new())),
                question(Version::V9_11, Answer::Overrun),
            ],
        };
        let text = "x.so serves no PI version known here: 15.47 refused with PI_ERROR_INVALID_OPERATION (-59); 14.39 refused with \
                    unknown code 77; 14.37 accepted by a plugin of version 9.11; 12.27 accepted without a version of its own; 9.11 \
                    accepted, but more was written than this version holds";
        assert_eq!(error.to_string(), text);
        let hint = "use the plugin of a DPC++ release from 2022.2.1 (PI 9.11) to 2024.2.2 (PI 15.47)";
        assert_eq!(error.hint().as_deref(), Some(hint));
        assert_eq!(Answer::Served.to_string(), "served");
    }

    #[test]
    fn messages_read_well() {
        let error = CallError::Failed {
            function: "piQueueCreate",
            code: sycl_pi_core::PI_ERROR_PLUGIN_SPECIFIC_ERROR,
            text: Some("the driver says no".into()),
        };
        let text = "piQueueCreate failed: PI_ERROR_PLUGIN_SPECIFIC_ERROR (-996): the driver says no";
        assert_eq!((error.to_string(), format!("{error:?}")), (text.into(), text.into()));
        assert_eq!(error.code(), Some(-996));
        let missing = CallError::Missing { function: "piQueueCreate", version: Version::V9_11 };
        assert_eq!(missing.code(), None);
    }
}
