//! A loaded plugin.
#![expect(unsafe_code, reason = "a plugin's functions")]

use std::ffi::{CStr, c_void};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use sycl_pi_core::Version;

use crate::error::Question;
use crate::handshake::{self, Init};
use crate::search::is_bare;
use crate::{LoadError, Table, trace};

/// A loaded plugin and its functions. It is never unloaded, because drivers do not survive that.
#[derive(Debug)]
#[non_exhaustive]
pub struct Plugin {
    /// The file, as the system found it.
    pub path: PathBuf,
    /// The negotiated PI version.
    pub version: Version,
    /// The plugin's text for its own version, such as `15.47.1`.
    pub plugin_version_text: String,
    pub(crate) table: Table,
    file: Option<(u64, SystemTime)>,
}

impl Plugin {
    /// Returns the function table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Opens the plugin at `path` and negotiates a version. The system's loader searches for a bare name.
    ///
    /// # Errors
    /// Fails if the file does not exist or cannot be opened, is not a plugin, or serves no known version.
    ///
    /// # Safety
    /// Opening a library runs its code, and a plugin's functions are called as PI declares them. The file must be
    /// trusted like a program, and its `piPluginInit` must be that of a PI plugin.
    pub unsafe fn open(path: &Path) -> Result<Self, LoadError> {
        // SAFETY: the caller's contract is the same.
        unsafe { Self::open_with(path, &Version::ALL) }
    }

    /// Opens the plugin at `path` for one version only, as a runtime of that version does.
    ///
    /// # Errors
    /// Returns the errors of [`open`](Plugin::open).
    ///
    /// # Safety
    /// The requirements of [`open`](Plugin::open) apply.
    pub unsafe fn open_version(path: &Path, version: Version) -> Result<Self, LoadError> {
        // SAFETY: the caller's contract is the same.
        unsafe { Self::open_with(path, &[version]) }
    }

    /// # Safety
    /// The requirements of [`open`](Plugin::open) apply.
    unsafe fn open_with(path: &Path, versions: &[Version]) -> Result<Self, LoadError> {
        // SAFETY: the caller's contract is the same.
        let opened = unsafe { Self::load(path, versions) };
        trace::discovery(|| match &opened {
            Ok(plugin) => format!(
                "Plugin found and successfully loaded: {} [ PluginVersion: {}, PI {} ]",
                plugin.path.display(),
                plugin.plugin_version_text,
                plugin.version.text()
            ),
            Err(error) => format!("Plugin not loaded: {error}"),
        });
        opened
    }

    /// # Safety
    /// The requirements of [`open`](Plugin::open) apply.
    unsafe fn load(path: &Path, versions: &[Version]) -> Result<Self, LoadError> {
        // SAFETY: the caller trusts the file.
        let (init, path) = unsafe { open_library(path) }?;
        // SAFETY: `init` is the library's `piPluginInit`.
        unsafe { Self::agree(path, init, versions) }
    }

    /// Initializes a plugin at one version through its `piPluginInit`, which is already available because the plugin is
    /// part of this program. `path` is the file that it represents.
    ///
    /// # Errors
    /// Fails if the plugin does not serve that version.
    ///
    /// # Safety
    /// `init` is `piPluginInit` as PI declares it, and its functions remain valid until the process ends.
    pub unsafe fn of_init(path: &Path, init: Init, version: Version) -> Result<Self, LoadError> {
        // SAFETY: the caller's contract is the same.
        unsafe { Self::agree(path.into(), init, &[version]) }
    }

    /// # Safety
    /// The requirements of [`of_init`](Plugin::of_init) apply.
    unsafe fn agree(path: PathBuf, init: Init, versions: &[Version]) -> Result<Self, LoadError> {
        // SAFETY: the caller's contract is the same.
        let agreement = unsafe { handshake::negotiate(init, versions) };
        let agreement =
            agreement.map_err(|asked| LoadError::NoCommonVersion { path: path.clone(), asked })?;
        // SAFETY: the plugin filled these slots for this version, and it is never unloaded.
        let table = unsafe { Table::new(agreement.version, &agreement.slots) };
        let file = std::fs::metadata(&path).ok().and_then(|file| Some((file.len(), file.modified().ok()?)));
        Ok(Self { path, version: agreement.version, plugin_version_text: agreement.text, table, file })
    }

    /// Returns a text that distinguishes this file from others with the same name, for cache keys. It contains the
    /// file's name, size and time, the plugin's version text and the negotiated PI version. The version text alone does
    /// not change with the plugin's code.
    pub fn identity(&self) -> String {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let mut text = format!("{name} {} at PI {}", self.plugin_version_text, self.version.text());
        if let Some((size, modified)) = self.file {
            let since = modified.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
            text.push_str(&format!(", {size} bytes of {}.{:09}", since.as_secs(), since.subsec_nanos()));
        }
        text
    }

    /// Requests each PI version in turn from the plugin at `path`, and returns its answers.
    ///
    /// # Errors
    /// Returns the errors of [`open`](Plugin::open), up to the handshake.
    ///
    /// # Safety
    /// The requirements of [`open`](Plugin::open) apply.
    pub unsafe fn questions(path: &Path) -> Result<Vec<Question>, LoadError> {
        // SAFETY: the caller trusts the file.
        let (init, _) = unsafe { open_library(path) }?;
        // SAFETY: `init` is the library's `piPluginInit`.
        Ok(unsafe { handshake::ask_all(init) })
    }
}

/// # Safety
/// The file is trusted to run its initializers, and its `piPluginInit` is that of a PI plugin.
unsafe fn open_library(path: &Path) -> Result<(Init, PathBuf), LoadError> {
    if !is_bare(path) {
        regular_file(path)?;
    }
    // SAFETY: the caller trusts the file.
    let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) };
    let library =
        library.map_err(|error| LoadError::Open { path: path.into(), reason: reason_of(&error) })?;
    // SAFETY: the symbol has this signature in every plugin.
    let init = unsafe { library.get::<Init>(b"piPluginInit\0") };
    let init = init.map(|symbol| *symbol).map_err(|_| LoadError::NoInit { path: path.into() });
    let _never_closed = library.into_raw();
    let init = init?;
    Ok((init, file_of(init).unwrap_or_else(|| path.into())))
}

/// Refuses anything but regular files: the system's loader would wait for a writer to a named pipe, and read a device.
fn regular_file(path: &Path) -> Result<(), LoadError> {
    let open = |reason: String| LoadError::Open { path: path.into(), reason };
    match std::fs::metadata(path) {
        Ok(file) if file.is_file() => Ok(()),
        Ok(_) => Err(open("it is not a regular file".into())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(LoadError::NotFound { path: path.into() })
        }
        Err(error) => Err(open(error.to_string())),
    }
}

/// Returns the system's message, without libloading's prefix.
fn reason_of(error: &libloading::Error) -> String {
    match std::error::Error::source(error) {
        Some(source) => source.to_string(),
        None => error.to_string(),
    }
}

/// Returns the file that defines a function.
fn file_of(init: Init) -> Option<PathBuf> {
    let mut info = libc::Dl_info {
        dli_fname: std::ptr::null(),
        dli_fbase: std::ptr::null_mut(),
        dli_sname: std::ptr::null(),
        dli_saddr: std::ptr::null_mut(),
    };
    // SAFETY: any address may be looked up, and `info` is valid.
    unsafe { libc::dladdr(init as *const c_void, &mut info) };
    // It stays null if no library has the address.
    if info.dli_fname.is_null() {
        return None;
    }
    // SAFETY: the name is NUL-terminated and stays as long as the library.
    let name = unsafe { CStr::from_ptr(info.dli_fname) };
    use std::os::unix::ffi::OsStrExt;
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(name.to_bytes())))
}
