//! Memory of other processes that is open in this one, each opened only once. A driver may return the same address for
//! the same memory, so that closing it once would close it for all users.

use std::sync::Arc;

use parking_lot::Mutex;
use sycl_pi_backend::{Error, Result};

use super::context::DriverContext;
use crate::sys::{Address, log_failure, ze, *};

/// The key of opened memory: the process number, the allocation's id in that process, and the device that opens it. The
/// driver's handle is not used, because the file descriptor in it may have had another meaning before.
pub(crate) type OpenedKey = (u32, u64, ze_device_handle_t);

struct Opened {
    key: OpenedKey,
    base: usize,
    size: usize,
    uses: usize,
}

/// The opened memory of a context.
pub(crate) struct OpenedMemory {
    all: Mutex<Vec<Opened>>,
    /// Last field, because memory must be freed before its context.
    context: Arc<DriverContext>,
}

impl OpenedMemory {
    pub(crate) fn new(context: Arc<DriverContext>) -> Self {
        Self { all: Mutex::default(), context }
    }

    /// Adds a use of memory. Returns its start and size, which `open` returns for memory that is not open yet.
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

    /// Ends a use, given an address in the memory. After the last one, the driver closes it.
    pub(crate) fn close(&self, address: Address) -> Result<()> {
        let at = address.number();
        let mut all = self.all.lock();
        let holds = |opened: &Opened| at >= opened.base && at - opened.base < opened.size;
        let Some(index) = all.iter().position(holds) else {
            return Err(Error::invalid_value(format!("pMem {at:#x} is not opened memory")));
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
