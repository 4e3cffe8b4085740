//! Memory of callers and of the driver that the backend itself reads or writes.

use std::ffi::{CStr, c_char, c_void};

/// An address that commands use, or that the backend copies from and to. It is not a Rust reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Address(usize);

impl Address {
    /// The null address.
    pub(crate) const NULL: Self = Self(0);

    pub(crate) fn new<T>(pointer: *const T) -> Self {
        Self(pointer.expose_provenance())
    }

    pub(crate) fn from_number(number: usize) -> Self {
        Self(number)
    }

    pub(crate) fn get(self) -> *mut c_void {
        std::ptr::with_exposed_provenance_mut(self.0)
    }

    pub(crate) fn number(self) -> usize {
        self.0
    }

    pub(crate) fn is_null(self) -> bool {
        self.0 == 0
    }

    /// Advances the address by a number of bytes.
    pub(crate) fn add(self, bytes: usize) -> Self {
        Self(self.0.wrapping_add(bytes))
    }
}

/// Host memory of a known size that belongs to the backend or is guaranteed by the caller.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HostBytes {
    start: Address,
    size: usize,
}

impl HostBytes {
    pub(crate) fn new(start: Address, size: usize) -> Self {
        Self { start, size }
    }

    /// Fills it with a repeated pattern.
    pub(crate) fn fill(self, pattern: &[u8]) {
        let mut at = 0;
        while at < self.size && !pattern.is_empty() {
            let bytes = pattern.len().min(self.size - at);
            copy_in(self.start.add(at), Address::new(pattern.as_ptr()), bytes);
            at += bytes;
        }
    }
}

/// Returns the page size of the host in bytes.
pub(crate) fn page_size() -> usize {
    // SAFETY: this only queries a number from the system.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).unwrap_or(4096)
}

/// Copies host memory. Both ranges must have the given size, as guaranteed by the caller, or because the backend owns
/// the memory.
pub(crate) fn copy_in(to: Address, from: Address, bytes: usize) {
    if bytes > 0 && !to.is_null() && !from.is_null() {
        // SAFETY: both ranges are valid, as guaranteed; `copy` allows overlap.
        unsafe { std::ptr::copy(from.get().cast::<u8>(), to.get().cast::<u8>(), bytes) };
    }
}

/// Returns a list of the driver. `ask` is called first for the number of items and then for the items.
pub(crate) fn list_of<T: Clone + Default, E>(
    ask: impl Fn(*mut u32, *mut T) -> Result<(), E>,
) -> Result<Vec<T>, E> {
    let mut count = 0;
    ask(&mut count, std::ptr::null_mut())?;
    let mut items = vec![T::default(); count as usize];
    if count > 0 {
        ask(&mut count, items.as_mut_ptr())?;
    }
    Ok(items)
}

/// Returns a NUL-terminated string in an array of the driver.
pub(crate) fn text_of(array: &[c_char]) -> String {
    let bytes: Vec<u8> = array.iter().take_while(|c| **c != 0).map(|c| *c as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns a NUL-terminated string of the driver.
pub(crate) fn driver_text(text: *const c_char) -> Vec<u8> {
    if text.is_null() {
        return Vec::new();
    }
    // SAFETY: the text is the driver's, NUL-terminated, and lives as long as the object that it was queried from.
    unsafe { CStr::from_ptr(text) }.to_bytes().to_vec()
}
