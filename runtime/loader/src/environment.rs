//! Environment variables as a value, so that tests can make them up.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// The variables that decide about plugins and devices.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
}

impl Environment {
    /// The variables of this process.
    pub fn from_env() -> Self {
        Self { variables: std::env::vars_os().collect() }
    }

    /// Made-up variables.
    pub fn from_pairs<K: Into<OsString>, V: Into<OsString>>(pairs: impl IntoIterator<Item = (K, V)>) -> Self {
        Self { variables: pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect() }
    }

    /// The unchanged value, if the variable is set; it may be empty.
    pub fn raw(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(OsStr::new(name)).map(OsString::as_os_str)
    }

    /// The value as text, if the variable is set and not empty. Bytes that are no UTF-8 are replaced.
    pub fn text(&self, name: &str) -> Option<String> {
        self.raw(name).filter(|value| !value.is_empty()).map(|value| value.to_string_lossy().into_owned())
    }

    /// The folders of a list such as `LD_LIBRARY_PATH`, without empty entries.
    pub fn paths(&self, name: &str) -> Vec<PathBuf> {
        let list = self.raw(name).map(std::env::split_paths).into_iter().flatten();
        list.filter(|path| !path.as_os_str().is_empty()).collect()
    }

    /// The names of all variables that are set.
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.variables.keys().map(|name| name.to_string_lossy().into_owned())
    }
}
