//! Device memory shared with other processes.
//!
//! The driver's IPC handles identify whole allocations. On Linux, a handle begins with the number of a file descriptor
//! of this process, which is meaningless in another process. Callers therefore get the process number, the offset in
//! the allocation and the driver's handle, and the other process duplicates the file and stores its own descriptor in
//! the handle. Newer drivers do the same themselves, but still accept handles with such a number.

use core::ffi::{c_char, c_int, c_void};
use core::ptr::{NonNull, null_mut};
use std::os::fd::AsRawFd;

use sycl_pi_backend::api::IpcApi;
use sycl_pi_backend::{Error, Result, take_file};

use crate::LevelZero;
use crate::driver::{Allocation, MemoryLocation};
use crate::objects::{ContextHandle, DeviceHandle};
use crate::sys::{Address, ze, *};

/// The data that callers get, as bytes: the fields in order.
struct Name {
    process: u32,
    /// The driver's id of the allocation, which is never reused in the process.
    allocation: u64,
    /// Offset from the start of the driver's allocation.
    place: u64,
    driver: ze_ipc_mem_handle_t,
}

impl Name {
    fn bytes(&self) -> Box<[u8]> {
        let driver = self.driver.data.map(|byte| byte as u8);
        let (allocation, place) = (self.allocation.to_ne_bytes(), self.place.to_ne_bytes());
        [&self.process.to_ne_bytes()[..], &allocation, &place, &driver].concat().into()
    }

    fn of_bytes(bytes: &[u8]) -> Result<Self> {
        let read = || {
            let (process, rest) = bytes.split_first_chunk()?;
            let (allocation, rest) = rest.split_first_chunk()?;
            let (place, driver) = rest.split_first_chunk()?;
            let driver: [u8; ZE_MAX_IPC_HANDLE_SIZE] = driver.try_into().ok()?;
            let driver = ze_ipc_mem_handle_t { data: driver.map(|byte| byte as c_char) };
            let (allocation, place) = (u64::from_ne_bytes(*allocation), u64::from_ne_bytes(*place));
            Some(Self { process: u32::from_ne_bytes(*process), allocation, place, driver })
        };
        read().ok_or_else(|| wrong("not made by this adapter: its length is wrong"))
    }

    /// Returns the number of the file descriptor, with which the driver's handle begins.
    fn file(&self) -> c_int {
        let [a, b, c, d, ..] = self.driver.data.map(|byte| byte as u8);
        c_int::from_ne_bytes([a, b, c, d])
    }

    /// Returns the driver's handle with another file descriptor.
    fn with_file(&self, number: c_int) -> ze_ipc_mem_handle_t {
        let mut driver = self.driver;
        for (to, from) in driver.data.iter_mut().zip(number.to_ne_bytes()) {
            *to = from as c_char;
        }
        driver
    }
}

fn wrong(text: &str) -> Error {
    Error::invalid_value(format!("pIPCMemHandleData, ipcMemHandleDataSize: {text}"))
}

/// Returns the start and the size of the driver's allocation, which is larger than a block of the pool inside it.
fn whole(context: &ContextHandle, address: Address) -> Result<(Address, usize)> {
    let (mut base, mut size) = (null_mut(), 0);
    ze()?.zeMemGetAddressRange(context.ze, address.get(), &mut base, &mut size)?;
    Ok((Address::new(base), size))
}

/// Returns the start and the size of memory that the driver opens.
fn opened_by_driver(context: &ContextHandle, device: &DeviceHandle, name: &Name) -> Result<(Address, usize)> {
    let (ze, mut base) = (ze()?, null_mut());
    if name.process == std::process::id() {
        ze.zeMemOpenIpcHandle(context.ze, device.ze, name.driver, 0, &mut base)?;
    } else {
        // Once the driver has opened the memory, it no longer needs the file.
        let file = take_file(name.process, name.file())?;
        ze.zeMemOpenIpcHandle(context.ze, device.ze, name.with_file(file.as_raw_fd()), 0, &mut base)?;
    }
    let base = Address::new(base);
    // Closing it would free the memory.
    if context.usm.find(base).is_some() {
        return Err(wrong("the driver does not open this context's own memory"));
    }
    whole(context, base).inspect_err(|_| log_failure(ze.zeMemCloseIpcHandle(context.ze, base.get())))
}

impl IpcApi for LevelZero {
    fn ipc_mem_handle(context: &ContextHandle, address: NonNull<c_void>) -> Result<Box<[u8]>> {
        let address = Address::new(address.as_ptr());
        let found = context.find_allocation(address)?;
        if !matches!(found, Some(Allocation { location: MemoryLocation::Device(_), .. })) {
            let at = address.number();
            return Err(Error::invalid_value(format!("pMem {at:#x} is not device memory of USM")));
        }
        let (base, _) = whole(context, address)?;
        let (ze, mut properties) = (ze()?, ze_memory_allocation_properties_t::default());
        ze.zeMemGetAllocProperties(context.ze, base.get(), &mut properties, null_mut())?;
        let mut driver = ze_ipc_mem_handle_t::default();
        ze.zeMemGetIpcHandle(context.ze, base.get(), &mut driver)?;
        let (process, place) = (std::process::id(), (address.number() - base.number()) as u64);
        Ok(Name { process, allocation: properties.id, place, driver }.bytes())
    }

    fn ipc_mem_put(context: &ContextHandle, handle: &[u8]) -> Result<()> {
        match ze()?.zeMemPutIpcHandle(context.ze, Name::of_bytes(handle)?.driver) {
            // Before 1.6, a handle became invalid only when its memory was freed.
            Err(error) if error.result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE => Ok(()),
            answer => answer.map_err(error_of),
        }
    }

    fn ipc_mem_open(
        context: &ContextHandle,
        device: &DeviceHandle,
        handle: &[u8],
    ) -> Result<NonNull<c_void>> {
        context.check(device)?;
        let name = Name::of_bytes(handle)?;
        let key = (name.process, name.allocation, device.ze);
        let (base, size) = context.opened.open(key, || opened_by_driver(context, device, &name))?;
        let place = name.place as usize;
        if place < size
            && let Some(start) = NonNull::new(base.add(place).get())
        {
            return Ok(start);
        }
        context.opened.close(base)?;
        Err(wrong("a place outside of the memory"))
    }

    fn ipc_mem_close(context: &ContextHandle, address: NonNull<c_void>) -> Result<()> {
        context.opened.close(Address::new(address.as_ptr()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_back_and_takes_another_file() {
        let mut driver = ze_ipc_mem_handle_t::default();
        driver.data[0] = 7;
        driver.data[63] = 9;
        let name = Name { process: 5, allocation: 6, place: 4096, driver };
        let name = Name::of_bytes(&name.bytes()).unwrap();
        assert_eq!((name.process, name.allocation, name.place, name.file()), (5, 6, 4096, 7));
        let other = name.with_file(258);
        assert_eq!((other.data[0], other.data[1], other.data[63]), (2, 1, 9));
    }

    #[test]
    fn bytes_of_another_length_are_refused() {
        for length in [0, 5, 72, 83, 85] {
            assert!(Name::of_bytes(&vec![0; length]).is_err(), "{length}");
        }
    }
}
