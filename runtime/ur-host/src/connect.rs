//! Opens an adapter, and requests a layout's tables like the loader of that release.
#![expect(unsafe_code, reason = "the functions of an adapter")]

use std::ffi::{CString, c_void};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

use libloading::os::unix::{Library, RTLD_LAZY, RTLD_LOCAL};
use sycl_ur_core::{Layout, TABLES, UR_RESULT_SUCCESS, ur_result_t};

use crate::Calls;

/// A getter, which takes the version and the table to fill.
pub type Getter = unsafe extern "C" fn(u32, *mut c_void) -> ur_result_t;

/// The reason why there are no tables.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The file cannot be opened.
    #[error("{path}: {reason}")]
    Open {
        /// The file.
        path: PathBuf,
        /// The system's message.
        reason: String,
    },
    /// A getter that the layout's loader needs is not exported.
    #[error("the adapter has no {getter}, which the loader of {} needs", layout.name())]
    NoGetter {
        /// Its name.
        getter: &'static str,
        /// The layout.
        layout: Layout,
    },
    /// A getter refused.
    #[error("{getter} answers {code} to the loader of {}", layout.name())]
    Refused {
        /// Its name.
        getter: &'static str,
        /// The layout.
        layout: Layout,
        /// The returned code.
        code: ur_result_t,
    },
    /// The adapter wrote past its tables.
    #[error("the adapter wrote past the tables of {}", layout.name())]
    Overrun {
        /// The layout.
        layout: Layout,
    },
}

/// An adapter's file. It is never unloaded.
#[derive(Debug)]
pub struct Adapter {
    /// The file.
    pub path: PathBuf,
    library: ManuallyDrop<Library>,
}

/// The tables of one layout, filled.
#[derive(Debug)]
pub struct Connection {
    /// The functions.
    pub calls: Calls,
    /// The memory that the adapter filled: the `ur_dditable_t` of this loader. It remains valid until the process ends.
    pub block: &'static [*mut c_void],
}

/// The guard words around a block, which no adapter may change.
const GUARD: usize = 0x5a5a_c3c3_5a5a_c3c3;
const GUARDS: usize = 64;

impl Adapter {
    /// Opens a file like the loader does.
    ///
    /// # Errors
    /// Fails if the system cannot open it.
    ///
    /// # Safety
    /// The file is trusted like a program.
    pub unsafe fn open(path: &Path) -> Result<Self, ConnectError> {
        // SAFETY: the caller trusts the file.
        let library = unsafe { Library::open(Some(path), RTLD_LAZY | RTLD_LOCAL) };
        let reason = |error: libloading::Error| {
            std::error::Error::source(&error).map_or(error.to_string(), ToString::to_string)
        };
        let library =
            library.map_err(|error| ConnectError::Open { path: path.into(), reason: reason(error) })?;
        Ok(Self { path: path.into(), library: ManuallyDrop::new(library) })
    }

    /// Returns whether the file is an adapter at all, which means that it exports the table of platforms that every
    /// layout has.
    pub fn has_platforms(&self) -> bool {
        self.getter("urGetPlatformProcAddrTable").is_some()
    }

    /// Returns the exported getter with this name.
    pub fn getter(&self, name: &str) -> Option<Getter> {
        let name = CString::new(name).ok()?;
        // SAFETY: every getter has this signature.
        let symbol = unsafe { self.library.get::<Getter>(name.as_bytes_with_nul()) };
        symbol.ok().map(|symbol| *symbol)
    }

    /// Returns the getters that the layout's loader calls, in its order, with the offsets and sizes of their tables in
    /// the block, in words.
    pub fn getters(layout: Layout) -> impl Iterator<Item = (&'static str, usize, usize)> {
        TABLES.iter().filter_map(move |table| {
            let (start, slots) = (table.offset_in(layout)?, table.slots_in(layout)?);
            Some((table.getter_in(layout)?, usize::from(start) / size_of::<usize>(), usize::from(slots)))
        })
    }

    /// Requests the tables of a layout.
    ///
    /// # Errors
    /// Fails if a getter is missing or refuses, or if the adapter writes outside the tables.
    pub fn connect(&self, layout: Layout) -> Result<Connection, ConnectError> {
        let words = layout.slot_count();
        let memory = Box::leak(vec![std::ptr::null_mut(); words + 2 * GUARDS].into_boxed_slice());
        let (start, length) = (memory.as_mut_ptr(), memory.len());
        // SAFETY: the memory is leaked, and only the adapter writes to it from here on.
        unsafe { self.connect_in(layout, start, length) }
    }

    /// Works like [`connect`](Self::connect), with the tables in the caller's memory, like a loader that starts after
    /// another one ended.
    ///
    /// # Errors
    /// Returns the errors of `connect`; also fails if the memory is too small for the layout.
    ///
    /// # Safety
    /// `start` has `length` words, which remain valid until the process ends. Nothing uses earlier tables in them any
    /// more, and nothing else writes to them.
    pub unsafe fn connect_in(
        &self,
        layout: Layout,
        start: *mut *mut c_void,
        length: usize,
    ) -> Result<Connection, ConnectError> {
        let words = layout.slot_count();
        if length < words + 2 * GUARDS {
            return Err(ConnectError::Overrun { layout });
        }
        let guard = GUARD as *mut c_void;
        // SAFETY: the caller's memory, which has this many words.
        let memory = unsafe { std::slice::from_raw_parts_mut(start, length) };
        memory[..GUARDS].fill(guard);
        memory[GUARDS..GUARDS + words].fill(std::ptr::null_mut());
        memory[GUARDS + words..].fill(guard);
        let start = memory[GUARDS..].as_mut_ptr();
        for (getter, place, _) in Self::getters(layout) {
            let function = self.getter(getter).ok_or(ConnectError::NoGetter { getter, layout })?;
            // SAFETY: the table lies within the block, at its place in this layout.
            let code = unsafe { function(layout.api_version(), start.add(place).cast()) };
            if code != UR_RESULT_SUCCESS {
                return Err(ConnectError::Refused { getter, layout, code });
            }
        }
        // SAFETY: the memory remains valid; only getters write to it, and they are done.
        let memory: &'static [*mut c_void] = unsafe { std::slice::from_raw_parts(start.sub(GUARDS), length) };
        let (before, rest) = memory.split_at(GUARDS);
        let (block, after) = rest.split_at(words);
        if before.iter().chain(after).any(|word| *word != guard) {
            return Err(ConnectError::Overrun { layout });
        }
        // SAFETY: the adapter filled these slots for this layout, and it is never unloaded.
        Ok(Connection { calls: unsafe { Calls::new(layout, block) }, block })
    }
}
