//! Memory of other processes that is open here, each once: a driver may give the same address for the same memory, and
//! the end of one use would be the end of all.

use std::sync::Arc;

use parking_lot::Mutex;
use sycl_pi_backend::{Error, Result};

use super::context::DriverContext;
use crate::sys::{Address, log_failure, ze, *};

/// What memory is known by: a process's number, the allocation's in that process, and the device that opens it. Not the
/// driver's name: the file in it may have been another one's before.
pub(crate) type OpenedKey = (u32, u64, ze_device_handle_t);

struct Opened {
    key: OpenedKey,
    base: usize,
    size: usize,
    uses: usize,
}

/// A context's opened memory.
pub(crate) struct OpenedMemory {
    all: Mutex<Vec<Opened>>,
    /// The last field: memory goes before its context.
    context: Arc<DriverContext>,
}

impl OpenedMemory {
    pub(crate) fn new(context: Arc<DriverContext>) -> Self {
        Self { all: Mutex::default(), context }
    }

    /// One more use of memory: its start and its size, which `open` tells of memory that is not open yet.
    pub(crate) fn open(
        &self,
        key: OpenedKey,
        open: impl FnOnce() -> Result<(Address, usize)>,
    ) -> Result<(Address, usize)> {
        let mut all = self.all.lock();
        if let Some(known) = all.iter_mut().find(|opened| opened.key == key) {
            known.uses += 1;
            return Ok((Address::from_number(known.base), known.size));
        }
        let (start, size) = open()?;
        let base = start.number();
        all.push(Opened { key, base, size, uses: 1 });
        Ok((start, size))
    }

    /// The end of a use, by an address in the memory. With the last one the driver closes it.
    pub(crate) fn close(&self, address: Address) -> Result<()> {
        let at = address.number();
        let mut all = self.all.lock();
        let holds = |opened: &Opened| at >= opened.base && at - opened.base < opened.size;
        let Some(index) = all.iter().position(holds) else {
            return Err(Error::invalid_value(format!("pMem {at:#x} is no opened memory")));
        };
        all[index].uses -= 1;
        if all[index].uses > 0 {
            return Ok(());
        }
        let base = all.swap_remove(index).base;
        ze()?.zeMemCloseIpcHandle(self.context.ze, Address::from_number(base).get())
    }
}

impl Drop for OpenedMemory {
    fn drop(&mut self) {
        let Ok(ze) = ze() else { return };
        for opened in self.all.get_mut() {
            let base = Address::from_number(opened.base);
            log_failure(ze.zeMemCloseIpcHandle(self.context.ze, base.get()));
        }
    }
}
