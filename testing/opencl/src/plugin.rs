//! The plugin under test.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use libloading::os::unix::Library;
use sycl_pi_loader::{Plugin, Table, Version};

/// The file: `PI_TEST_PLUGIN`, or the release build of this workspace.
pub fn path() -> PathBuf {
    match std::env::var_os("PI_TEST_PLUGIN") {
        Some(path) => path.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/libpi_opencl.so"),
    }
}

/// The table of one version, shared by all tests of this process.
pub fn table(version: Version) -> &'static Table {
    static TABLES: Mutex<BTreeMap<Version, &'static Table>> = Mutex::new(BTreeMap::new());
    let mut tables = TABLES.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    tables.entry(version).or_insert_with(|| open(&path(), version).table())
}

/// Loads a plugin for one version; it stays for the rest of the process.
pub fn open(path: &Path, version: Version) -> &'static Plugin {
    // SAFETY: the file is a plugin that the test names, and trusts.
    match unsafe { Plugin::open_version(path, version) } {
        Ok(plugin) => Box::leak(Box::new(plugin)),
        Err(error) => panic!("{error}; build it (cargo build --release), or set PI_TEST_PLUGIN"),
    }
}

/// The address of an exported symbol of the plugin under test.
pub fn symbol(name: &str) -> Option<*const std::ffi::c_void> {
    table(Version::NEWEST);
    // SAFETY: the library is loaded already; this only finds it again.
    let library = unsafe { Library::new(path()) }.expect("the plugin is loaded");
    let name = CString::new(name).expect("a C name");
    // SAFETY: only the address is taken.
    let symbol = unsafe { library.get::<*const std::ffi::c_void>(name.as_bytes_with_nul()) };
    let address = symbol.ok().map(|symbol| *symbol);
    std::mem::forget(library);
    address
}
