//! Physical memory shared with other processes.
//!
//! In other processes, the driver can only identify it by a file descriptor. Callers get the number of the descriptor
//! and of the process, and the process that opens it duplicates the descriptor. This process keeps it open until the
//! caller puts the data back.

use core::ffi::c_int;
use std::os::fd::{AsRawFd, OwnedFd};

use sycl_pi_backend::types::{ErrorCode, PhysicalMemHandle};
use sycl_pi_backend::{Counted, Error, Result, take_file};

use crate::context::Context;
use crate::device::device_object::Device;
use crate::sys;

/// The content of the data.
struct Name {
    process: u32,
    descriptor: c_int,
    /// Size of the memory in bytes.
    size: u64,
}

impl Name {
    fn bytes(&self) -> Box<[u8]> {
        [&self.process.to_ne_bytes()[..], &self.descriptor.to_ne_bytes(), &self.size.to_ne_bytes()]
            .concat()
            .into()
    }

    fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let (process, rest) = bytes.split_first_chunk()?;
        let (descriptor, rest) = rest.split_first_chunk()?;
        let size = rest.try_into().ok()?;
        Some(Self {
            process: u32::from_ne_bytes(*process),
            descriptor: c_int::from_ne_bytes(*descriptor),
            size: u64::from_ne_bytes(size),
        })
    }
}

#[cold]
fn wrong(text: &str) -> Error {
    Error::invalid_value(format!("pIPCPhysMemHandleData, ipcPhysMemHandleDataSize: {text}"))
}

/// Returns the IPC data of exportable memory, which is valid as long as the descriptor is open.
pub(crate) fn name(
    context: &Counted<Context>,
    memory: PhysicalMemHandle,
    size: usize,
) -> Result<(Box<[u8]>, OwnedFd)> {
    let _current = context.first()?.enter()?;
    let descriptor = sys::descriptor_of(memory)?;
    let name = Name { process: std::process::id(), descriptor: descriptor.as_raw_fd(), size: size as u64 };
    Ok((name.bytes(), descriptor))
}

/// Opens the memory with the given IPC data, and returns it with its size.
pub(crate) fn open(
    context: &Counted<Context>,
    device: &Counted<Device>,
    name: &[u8],
) -> Result<(PhysicalMemHandle, usize)> {
    let name = Name::of_bytes(name).ok_or_else(|| wrong("not made by this adapter: its length is wrong"))?;
    let _current = context.of_device(device)?.enter()?;
    let descriptor = take_file(name.process, name.descriptor).map_err(|error| {
        error.context("pIPCPhysMemHandleData: the memory is no longer shared, or not with this process")
    })?;
    // Once the data is put back, the number may refer to another file. The driver has no specific error for that.
    let memory = sys::memory_behind(&descriptor).map_err(|error| match error.code() {
        ErrorCode::OUT_OF_RESOURCES => error,
        _ => error
            .with_code(ErrorCode::INVALID_VALUE)
            .context("pIPCPhysMemHandleData: the file is not physical memory, or not any more"),
    })?;
    Ok((memory, name.size as usize))
}
