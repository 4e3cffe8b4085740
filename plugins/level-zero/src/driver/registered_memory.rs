//! Host memory of the program that is temporarily USM memory: the driver maps its pages for the devices.

use std::collections::BTreeMap;
use std::ptr::{from_ref, null, null_mut};
use std::sync::Arc;

use parking_lot::Mutex;
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, Result};

use super::allocation::{Allocation, MemoryLocation};
use super::context::DriverContext;
use crate::sys::{Address, log_failure, page_size, ze, *};

/// The registered memory of a context.
pub(crate) struct RegisteredMemory {
    /// Sizes by start address.
    ranges: Mutex<BTreeMap<usize, usize>>,
    /// Last field, because mappings must be removed before their context.
    context: Arc<DriverContext>,
}

impl RegisteredMemory {
    pub(crate) fn new(context: Arc<DriverContext>) -> Self {
        Self { ranges: Mutex::default(), context }
    }

    /// Maps whole pages. Drivers do not check that the range has page boundaries, nor that no page is mapped twice, so
    /// this function does. Removing one of two mappings would remove both.
    pub(crate) fn register(&self, start: Address, size: usize) -> Result<()> {
        let (at, page) = (start.number(), page_size());
        if !at.is_multiple_of(page) || !size.is_multiple_of(page) {
            let text =
                format!("memory at {at:#x}, size {size}: Level Zero registers whole pages of {page} bytes");
            return Err(Error::invalid_value(text));
        }
        let Some(end) = at.checked_add(size) else {
            return Err(Error::invalid_value(format!("size {size} is past the end of memory")));
        };
        let mut ranges = self.ranges.lock();
        if let Some((other, size)) = ranges.range(..end).next_back()
            && other + size > at
        {
            let text = format!("memory at {at:#x}: {size} bytes from {other:#x} on are registered already");
            return Err(Error::invalid_value(text));
        }
        let (ze, mut mapped) = (ze()?, null_mut());
        let pages = ze_external_memmap_sysmem_ext_desc_t {
            pNext: null(),
            pSystemMemory: start.get(),
            size: size as u64,
            ..Default::default()
        };
        let desc = ze_host_mem_alloc_desc_t { pNext: from_ref(&pages).cast(), ..Default::default() };
        ze.zeMemAllocHost(self.context.ze, &desc, size, page, &mut mapped)?;
        if Address::new(mapped) != start {
            // A driver that ignores the request allocates new memory.
            log_failure(ze.zeMemFree(self.context.ze, mapped));
            let text = format!("zeMemAllocHost mapped memory at {at:#x} to another address");
            return Err(Error::new(ErrorCode::OUT_OF_RESOURCES, text));
        }
        ranges.insert(at, size);
        Ok(())
    }

    /// Removes the mapping that [`RegisteredMemory::register`] created at the same address.
    pub(crate) fn unregister(&self, start: Address) -> Result<()> {
        let at = start.number();
        if self.ranges.lock().remove(&at).is_none() {
            return Err(Error::invalid_value(format!("memory at {at:#x} is not registered")));
        }
        ze()?.zeMemFree(self.context.ze, start.get())
    }

    /// Returns the registered memory that contains an address.
    pub(crate) fn find(&self, address: Address) -> Option<Allocation> {
        let at = address.number();
        let ranges = self.ranges.lock();
        let (base, size) = ranges.range(..=at).next_back().filter(|(base, size)| at - **base < **size)?;
        Some(Allocation { base: *base, size: *size, location: MemoryLocation::Host })
    }
}

impl Drop for RegisteredMemory {
    fn drop(&mut self) {
        let Ok(ze) = ze() else { return };
        for start in self.ranges.get_mut().keys() {
            log_failure(ze.zeMemFree(self.context.ze, Address::from_number(*start).get()));
        }
    }
}
