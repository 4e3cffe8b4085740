//! Environment variables as a value, which tests can replace.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// The variables that determine plugins and devices.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
    /// Whether the program has more privileges than the user who set the variables. If so, no variable may name a file.
    is_privileged: bool,
}

impl Environment {
    /// Reads the variables of this process. If its program has the set-user-ID bit or similar privileges, variables
    /// that name files and folders are ignored.
    pub fn from_env() -> Self {
        Self {
            variables: std::env::vars_os().collect(),
            is_privileged: sycl_pi_host_process::is_privileged(),
        }
    }

    /// Creates an environment from these variables.
    pub fn from_pairs<K: Into<OsString>, V: Into<OsString>>(pairs: impl IntoIterator<Item = (K, V)>) -> Self {
        let variables = pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        Self { variables, is_privileged: false }
    }

    /// Returns the same variables as a set-user-ID program treats them.
    #[must_use]
    pub fn as_privileged(mut self) -> Self {
        self.is_privileged = true;
        self
    }

    /// Returns whether the program has more privileges than the user who set the variables.
    pub fn is_privileged(&self) -> bool {
        self.is_privileged
    }

    /// Returns the unchanged value if the variable is set; it may be empty.
    pub fn raw(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(OsStr::new(name)).map(OsString::as_os_str)
    }

    /// Returns the value as text if the variable is set and not empty. Replaces bytes that are not valid UTF-8.
    pub fn text(&self, name: &str) -> Option<String> {
        self.raw(name).filter(|value| !value.is_empty()).map(|value| value.to_string_lossy().into_owned())
    }

    /// Returns the file that a variable names, if it is set, not empty, and not ignored.
    pub fn file(&self, name: &str) -> Option<PathBuf> {
        let value = self.raw(name).filter(|value| !value.is_empty() && !self.is_privileged);
        value.map(PathBuf::from)
    }

    /// Returns the folders in a list such as `LD_LIBRARY_PATH`, without empty entries, or none if the variable is
    /// ignored.
    pub fn paths(&self, name: &str) -> Vec<PathBuf> {
        let list = self.raw(name).filter(|_| !self.is_privileged);
        list.into_iter().flat_map(sycl_pi_host_process::folders).collect()
    }

    /// Returns the names of all variables that are set.
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.variables.keys().map(|name| name.to_string_lossy().into_owned())
    }
}
