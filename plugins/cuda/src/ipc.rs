//! Device memory shared with other processes. Physical memory and events are in separate files.
//!
//! The driver's IPC handles identify whole allocations. Callers get the driver's handle and the offset in the
//! allocation.

use core::ffi::c_void;
use core::ptr::NonNull;
use std::os::fd::OwnedFd;

use sycl_pi_backend::api::IpcApi;
use sycl_pi_backend::types::PhysicalMemHandle;
use sycl_pi_backend::{Counted, Error, New, Result};

use crate::Cuda;
use crate::context::Context;
use crate::copy::device_address;
use crate::device::device_object::Device;
use crate::event::event_ipc;
use crate::event::event_object::Event;
use crate::memory::physical_mem_ipc;
use crate::memory::pointer::attributes_of;
use crate::sys::{CUdeviceptr, cuda, ipc_bytes, ipc_handle, no_ipc_handle};
use crate::virtual_mem::create_physical_memory;

/// Size in bytes of the offset that follows the driver's handle.
const PLACE: usize = size_of::<u64>();

fn wrong(text: &str) -> Error {
    Error::invalid_value(format!("pIPCMemHandleData, ipcMemHandleDataSize: {text}"))
}

impl IpcApi for Cuda {
    fn ipc_mem_handle(context: &Counted<Context>, address: NonNull<c_void>) -> Result<Box<[u8]>> {
        let _current = context.first()?.enter()?;
        let address = device_address(address.as_ptr());
        let attributes = attributes_of(address)?;
        if !attributes.is_known() {
            return Err(Error::invalid_value(format!("pMem {address:#x} is not a USM allocation")));
        }
        let mut handle = no_ipc_handle();
        cuda()?.cuIpcGetMemHandle(&mut handle, address)?;
        Ok([&ipc_bytes(&handle)[..], &(address - attributes.base).to_ne_bytes()].concat().into())
    }

    fn ipc_mem_put(_: &Counted<Context>, _: &[u8]) -> Result<()> {
        // The driver's IPC handles are plain data, which become invalid when the memory is freed.
        Ok(())
    }

    fn ipc_mem_open(
        context: &Counted<Context>,
        device: &Counted<Device>,
        handle: &[u8],
    ) -> Result<NonNull<c_void>> {
        const ENABLE_PEER_ACCESS: u32 = 1;
        let (name, place) = handle.split_last_chunk::<PLACE>().ok_or_else(|| wrong("too short"))?;
        let name = ipc_handle(name).ok_or_else(|| wrong("not made by this adapter: its length is wrong"))?;
        let _current = context.of_device(device)?.enter()?;
        let mut base = 0;
        cuda()?.cuIpcOpenMemHandle_v2(&mut base, name, ENABLE_PEER_ACCESS)?;
        let opened = attributes_of(base).ok().map_or(u64::MAX, |attributes| attributes.size as u64);
        let place = u64::from_ne_bytes(*place);
        if place < opened
            && let Some(start) = NonNull::new(std::ptr::with_exposed_provenance_mut((base + place) as usize))
        {
            return Ok(start);
        }
        cuda()?.cuIpcCloseMemHandle(base)?;
        Err(wrong("a place outside of the memory"))
    }

    fn ipc_mem_close(context: &Counted<Context>, address: NonNull<c_void>) -> Result<()> {
        let _current = context.first()?.enter()?;
        let address: CUdeviceptr = device_address(address.as_ptr());
        cuda()?.cuIpcCloseMemHandle(attributes_of(address)?.base)
    }

    fn ipc_physical_mem_create(
        context: &Counted<Context>,
        device: &Counted<Device>,
        size: usize,
    ) -> Result<PhysicalMemHandle> {
        create_physical_memory(context, device, size, true)
    }

    fn ipc_physical_mem_handle(
        context: &Counted<Context>,
        memory: PhysicalMemHandle,
        size: usize,
    ) -> Result<(Box<[u8]>, OwnedFd)> {
        physical_mem_ipc::name(context, memory, size)
    }

    fn ipc_physical_mem_open(
        context: &Counted<Context>,
        device: &Counted<Device>,
        handle: &[u8],
    ) -> Result<(PhysicalMemHandle, usize)> {
        physical_mem_ipc::open(context, device, handle)
    }

    fn ipc_event_handle(event: &Counted<Event>) -> Result<Box<[u8]>> {
        event_ipc::name(event)
    }

    fn ipc_event_open(context: &Counted<Context>, handle: &[u8]) -> Result<New<Counted<Event>>> {
        event_ipc::open(context, handle)
    }
}
