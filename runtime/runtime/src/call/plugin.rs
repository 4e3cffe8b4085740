//! A plugin.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use sycl_pi_loader::{Table, Version};

use crate::error::Result;

/// A loaded plugin. The plugin and its table live until the end of the process.
#[derive(Clone, Copy)]
pub struct Plugin(&'static sycl_pi_loader::Plugin);

impl Plugin {
    /// Opens the plugin at `path`. Opening a file again returns the same plugin.
    ///
    /// # Errors
    /// The error describes why the plugin did not load.
    ///
    /// # Safety
    /// The same requirements as for [`sycl_pi_loader::Plugin::open`]: the file is a PI plugin and trusted like a
    /// program.
    pub unsafe fn open(path: &Path) -> Result<Self> {
        // SAFETY: the caller's contract is the same.
        Ok(Self::new(unsafe { sycl_pi_loader::Plugin::open(path) }?))
    }

    /// Wraps a loaded plugin. The same file at the same PI version is the same plugin.
    pub fn new(plugin: sycl_pi_loader::Plugin) -> Self {
        static OPEN: Mutex<Option<Open>> = Mutex::new(None);
        let path = std::fs::canonicalize(&plugin.path).unwrap_or_else(|_| plugin.path.clone());
        let mut open = OPEN.lock();
        let known = open.get_or_insert_default().entry((path, plugin.version));
        Self(known.or_insert_with(|| Box::leak(Box::new(plugin))))
    }

    /// Returns the loader's plugin.
    pub fn loaded(self) -> &'static sycl_pi_loader::Plugin {
        self.0
    }

    pub(super) fn table(self) -> &'static Table {
        self.0.table()
    }

    /// Returns the reason why there is no device, if the plugin reports it: `: libOpenCL.so.1 is not there`.
    pub(super) fn reason(self) -> String {
        let text = self.0.table().last_error_message();
        text.map(|text| format!(": {text}")).unwrap_or_default()
    }
}

/// The plugins of this process by file and PI version. Its size is bounded by the files that are opened.
type Open = HashMap<(PathBuf, Version), &'static sycl_pi_loader::Plugin>;

impl PartialEq for Plugin {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Plugin {}

impl fmt::Debug for Plugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "plugin {} at PI {}", self.0.path.display(), self.0.version.text())
    }
}
