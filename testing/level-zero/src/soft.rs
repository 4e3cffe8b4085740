//! The software driver's functions for tests, looked up in the library that the loader has already loaded.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CString, c_char};

use libloading::os::unix::{Library, RTLD_NOW};

/// The loaded software driver.
#[derive(Debug)]
pub struct Soft {
    library: Library,
}

/// The driver's report.
#[derive(Debug, Default)]
pub struct Report {
    /// The number of calls of each function.
    pub calls: BTreeMap<String, u64>,
    /// The number of events that commands were appended to wait for.
    pub awaited: u64,
    /// The values of descriptors, each after the name of the call that got them.
    pub requests: BTreeSet<String>,
    /// The caller's mistakes.
    pub complaints: Vec<String>,
    /// The number of live objects of each kind.
    pub alive: BTreeMap<String, u64>,
}

impl Soft {
    /// Returns the driver that the environment names, or `None` if that is not the software driver.
    pub fn find() -> Option<Self> {
        let path = std::env::var_os("ZE_ENABLE_ALT_DRIVERS")?;
        if !path.to_string_lossy().contains("libsoftware_level_zero") {
            return None;
        }
        // SAFETY: the software driver does nothing when it is loaded.
        Some(Self { library: unsafe { Library::open(Some(path), RTLD_NOW) }.ok()? })
    }

    fn get<T: Copy>(&self, name: &str) -> T {
        let name = CString::new(name).unwrap();
        // SAFETY: the functions in src/control.rs, with the types they have there.
        *unsafe { self.library.get::<T>(name.to_bytes_with_nul()) }.unwrap()
    }

    /// Returns the number of calls of driver functions.
    pub fn all_calls(&self) -> u64 {
        let function: extern "C" fn() -> u64 = self.get("soft_ze_all_calls");
        function()
    }

    /// Resets counts and complaints.
    pub fn reset(&self) {
        let function: extern "C" fn() = self.get("soft_ze_reset");
        function();
    }

    /// Replaces the injected failures, and restores a lost device.
    pub fn fault(&self, text: &str) {
        let function: extern "C" fn(*const c_char) = self.get("soft_ze_fault");
        let text = CString::new(text).unwrap();
        function(text.as_ptr());
    }

    /// Returns the report since the last [`Soft::reset`].
    pub fn report(&self) -> Report {
        let function: unsafe extern "C" fn(*mut c_char, usize) -> usize = self.get("soft_ze_report");
        let mut room = vec![0_u8; 1 << 20];
        // SAFETY: room of that many bytes.
        let length = unsafe { function(room.as_mut_ptr().cast(), room.len()) };
        room.truncate(length);
        let mut report = Report::default();
        for line in String::from_utf8_lossy(&room).lines() {
            let words: Vec<&str> = line.split(' ').collect();
            match words.as_slice() {
                ["call", name, count] => {
                    report.calls.insert((*name).to_owned(), count.parse().unwrap_or(0));
                }
                ["awaited", count] => report.awaited = count.parse().unwrap_or(0),
                ["request", name, _, values @ ..] => {
                    report.requests.insert(format!("{name} {}", values.join(" ")));
                }
                ["complaint", ..] => report.complaints.push(line.to_owned()),
                ["objects", kind @ .., "created", _, "leaked", alive] => {
                    report.alive.insert(kind.join(" "), alive.parse().unwrap_or(0));
                }
                ["objects", kind @ .., "created", _, "leaked", alive, "bytes", _] => {
                    report.alive.insert(kind.join(" "), alive.parse().unwrap_or(0));
                }
                _ => {}
            }
        }
        report
    }
}
