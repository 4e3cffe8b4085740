//! Environment variables as a value, so that tests can make them up.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// The variables that decide about plugins and devices.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
    /// Whether the program has more rights than whoever set the variables: then none is followed to a file.
    is_privileged: bool,
}

impl Environment {
    /// The variables of this process. If its program has the set-user-ID bit, or rights of that kind, those that name files
    /// and folders are not followed.
    pub fn from_env() -> Self {
        Self {
            variables: std::env::vars_os().collect(),
            is_privileged: sycl_pi_host_process::is_privileged(),
        }
    }

    /// Made-up variables.
    pub fn from_pairs<K: Into<OsString>, V: Into<OsString>>(pairs: impl IntoIterator<Item = (K, V)>) -> Self {
        let variables = pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        Self { variables, is_privileged: false }
    }

    /// The same variables, as a set-user-ID program takes them.
    #[must_use]
    pub fn as_privileged(mut self) -> Self {
        self.is_privileged = true;
        self
    }

    /// Whether the program has more rights than whoever set the variables.
    pub fn is_privileged(&self) -> bool {
        self.is_privileged
    }

    /// The unchanged value, if the variable is set; it may be empty.
    pub fn raw(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(OsStr::new(name)).map(OsString::as_os_str)
    }

    /// The value as text, if the variable is set and not empty. Bytes that are no UTF-8 are replaced.
    pub fn text(&self, name: &str) -> Option<String> {
        self.raw(name).filter(|value| !value.is_empty()).map(|value| value.to_string_lossy().into_owned())
    }

    /// The file that a variable names, if it is set, not empty, and to be followed.
    pub fn file(&self, name: &str) -> Option<PathBuf> {
        let value = self.raw(name).filter(|value| !value.is_empty() && !self.is_privileged);
        value.map(PathBuf::from)
    }

    /// The folders of a list such as `LD_LIBRARY_PATH`, without empty entries; none if the variable is not to be followed.
    pub fn paths(&self, name: &str) -> Vec<PathBuf> {
        let list = self.raw(name).filter(|_| !self.is_privileged);
        list.into_iter().flat_map(sycl_pi_host_process::folders).collect()
    }

    /// The names of all variables that are set.
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.variables.keys().map(|name| name.to_string_lossy().into_owned())
    }
}
