//! Host memory that is registered with the driver, and stays so while a recorded command uses it.
//!
//! The driver keeps the registration of a graph's host memory in the node. Where the memory is unregistered before the graph
//! is made runnable or launched, NVIDIA's driver ends the process (seen with 580.159.04 on an H100). Addresses are unique in
//! the process, so one table serves all contexts.

use std::collections::BTreeMap;
use std::ffi::c_void;

use parking_lot::Mutex;
use sycl_pi_backend::{Error, Result};

use crate::sys::{self, cuda};

/// The driver registers whole pages.
const PAGE: usize = 4096;

static TABLE: Mutex<BTreeMap<usize, RegisteredMemory>> = Mutex::new(BTreeMap::new());

/// Registered memory, by its first byte.
struct RegisteredMemory {
    size: usize,
    /// Recorded commands that use it.
    commands: usize,
    /// False once it was unregistered while commands used it.
    is_wanted: bool,
}

/// Registers host memory. A context is current.
pub(crate) fn register(start: *mut c_void, size: usize) -> Result<()> {
    let mut table = TABLE.lock();
    if let Some(memory) = table.get_mut(&start.addr())
        && memory.size == size
        && !memory.is_wanted
    {
        memory.is_wanted = true;
        return Ok(());
    }
    cuda()?.cuMemHostRegister_v2(start, size, sys::PORTABLE_AND_MAPPED)?;
    table.insert(start.expose_provenance(), RegisteredMemory { size, commands: 0, is_wanted: true });
    Ok(())
}

/// Unregisters host memory: at once, or with the last recorded command that uses it. A context is current.
pub(crate) fn unregister(start: *mut c_void) -> Result<()> {
    let mut table = TABLE.lock();
    match table.get_mut(&start.addr()) {
        Some(memory) if !memory.is_wanted => Err(Error::invalid_value("ptr: this memory is not imported")),
        Some(memory) if memory.commands > 0 => {
            memory.is_wanted = false;
            Ok(())
        }
        _ => {
            table.remove(&start.addr());
            cuda()?.cuMemHostUnregister(start)
        }
    }
}

/// A recorded command's use of registered memory. A context must be current where it is dropped.
pub(crate) struct RegistrationUse(usize);

impl RegistrationUse {
    /// The use of the memory at an address, if it is registered.
    pub(crate) fn new(address: usize) -> Option<Self> {
        let mut table = TABLE.lock();
        let last = (address | (PAGE - 1)).saturating_add(1);
        let (&start, memory) = table.range_mut(..last).next_back()?;
        let end = start.saturating_add(memory.size).checked_next_multiple_of(PAGE)?;
        (address < end).then(|| {
            memory.commands += 1;
            Self(start)
        })
    }
}

impl Drop for RegistrationUse {
    fn drop(&mut self) {
        let mut table = TABLE.lock();
        let Some(memory) = table.get_mut(&self.0) else { return };
        memory.commands -= 1;
        if memory.commands == 0 && !memory.is_wanted {
            table.remove(&self.0);
            // Nobody is left to tell: the memory may be gone already.
            let start = std::ptr::with_exposed_provenance_mut(self.0);
            let _ = cuda().and_then(|cuda| cuda.cuMemHostUnregister(start));
        }
    }
}
