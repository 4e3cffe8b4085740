//! Host memory that is registered with the driver, and stays registered while a recorded command may use it.
//!
//! The driver stores the registration of a graph's host memory in the node. If the memory is unregistered before the
//! graph is instantiated or launched, NVIDIA's driver terminates the process (observed with 580.159.04 on an H100).
//! Addresses are unique in the process, so one table serves all contexts.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ops::Range;

use parking_lot::Mutex;
use sycl_pi_backend::{Error, Result};

use crate::sys::{self, cuda};

/// The page size. The driver registers whole pages.
const PAGE: usize = 4096;

static TABLE: Mutex<RegistrationTable> =
    Mutex::new(RegistrationTable { registered: BTreeMap::new(), recorded: BTreeMap::new() });

struct RegistrationTable {
    /// Registered memory by its start address.
    registered: BTreeMap<usize, RegisteredMemory>,
    recorded: RecordedRanges,
}

/// The host memory ranges that recorded commands use, by a unique number.
type RecordedRanges = BTreeMap<u64, Range<usize>>;

/// The owner of a registration.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum RegisteredFor {
    /// The program, which imported it.
    Program,
    /// A buffer, until it is destroyed.
    Buffer,
}

/// Registered memory.
struct RegisteredMemory {
    size: usize,
    owner: RegisteredFor,
    /// False once it was unregistered while commands used it.
    is_wanted: bool,
}

/// Returns whether a recorded command uses registered memory, or a page of it.
fn is_recorded(recorded: &RecordedRanges, start: usize, size: usize) -> bool {
    let (first, end) =
        (start & !(PAGE - 1), start.saturating_add(size).saturating_add(PAGE - 1) & !(PAGE - 1));
    recorded.values().any(|range| range.start < end && first < range.end)
}

/// Registers host memory. A context must be current.
pub(crate) fn register(start: *mut c_void, size: usize, owner: RegisteredFor) -> Result<()> {
    let registered = &mut TABLE.lock().registered;
    if let Some(memory) = registered.get_mut(&start.addr())
        && memory.size == size
        && !memory.is_wanted
    {
        (memory.is_wanted, memory.owner) = (true, owner);
        return Ok(());
    }
    cuda()?.cuMemHostRegister_v2(start, size, sys::PORTABLE_AND_MAPPED)?;
    registered.insert(start.expose_provenance(), RegisteredMemory { size, owner, is_wanted: true });
    Ok(())
}

/// Unregisters host memory, either immediately or with the last recorded command that uses it. A context must be
/// current.
///
/// # Errors
///
/// The memory is not registered, or by another owner.
pub(crate) fn unregister(start: *mut c_void, owner: RegisteredFor) -> Result<()> {
    let RegistrationTable { registered, recorded } = &mut *TABLE.lock();
    if let Some(memory) = registered.get_mut(&start.addr()) {
        if !memory.is_wanted {
            return Err(Error::invalid_value("ptr: this memory is not imported"));
        }
        if memory.owner != owner {
            return Err(Error::invalid_value("ptr: this memory is a buffer's, and not imported"));
        }
        if is_recorded(recorded, start.addr(), memory.size) {
            memory.is_wanted = false;
            return Ok(());
        }
    }
    registered.remove(&start.addr());
    cuda()?.cuMemHostUnregister(start)
}

/// The use of host memory by a recorded command. A context must be current when it is dropped.
pub(crate) struct RecordedMemory(u64);

impl RecordedMemory {
    pub(crate) fn new(start: usize, size: usize) -> Self {
        let recorded = &mut TABLE.lock().recorded;
        let number = recorded.last_key_value().map_or(0, |(last, _)| last + 1);
        recorded.insert(number, start..start.saturating_add(size));
        Self(number)
    }
}

impl Drop for RecordedMemory {
    fn drop(&mut self) {
        let RegistrationTable { registered, recorded } = &mut *TABLE.lock();
        recorded.remove(&self.0);
        registered.retain(|&start, memory| {
            let stays = memory.is_wanted || is_recorded(recorded, start, memory.size);
            if !stays {
                // There is no one to report an error to, and the memory may already be freed.
                let start = std::ptr::with_exposed_provenance_mut(start);
                let _ = cuda().and_then(|cuda| cuda.cuMemHostUnregister(start));
            }
            stays
        });
    }
}

#[cfg(test)]
mod tests {
    use super::is_recorded;

    /// The driver registers whole pages, so a command that uses another part of a page keeps that page registered.
    #[test]
    fn recorded_commands_keep_the_pages_that_they_use() {
        for (start, size, expected) in [
            (0x10800, 0x100, true),
            (0x10f00, 0x100, true),
            (0x10000, 0x1000, true),
            (0x11000, 0x1000, true),
            (0x12000, 1, true),
            (0x0f001, 0xfff, false),
            (0x0f001, 0x1000, true),
            (0x13000, 0x1000, false),
            (0x0e000, 0x2000, false),
            (0x0e000, 0x8000, true),
        ] {
            let recorded = [(0, 0x10800..0x12001), (1, 0x90000..0x90001)].into();
            assert_eq!(is_recorded(&recorded, start, size), expected, "{start:#x} {size:#x}");
        }
    }
}
