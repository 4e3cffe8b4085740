//! Sharing with other processes, interfaces and devices, by the backend in `fake`.

use std::ffi::c_void;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::ptr::NonNull;

use sycl_pi_backend::api::*;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Info, New, Result};

use crate::fake::{Event, Fake, address, asked, note};

impl IpcApi for Fake {
    fn ipc_physical_mem_create(
        _: &Self::Context, _: &Self::Device, size: usize,
    ) -> Result<PhysicalMemHandle> {
        note(format!("shared physical {size}"))?;
        Ok(6)
    }

    fn ipc_mem_handle(_: &Self::Context, address: NonNull<c_void>) -> Result<Box<[u8]>> {
        note(format!("name {}", address.addr()))?;
        Ok([1, 2, 3].into())
    }

    fn ipc_mem_put(_: &Self::Context, handle: &[u8]) -> Result<()> {
        note(format!("put {handle:?}"))
    }

    fn ipc_mem_open(_: &Self::Context, _: &Self::Device, handle: &[u8]) -> Result<NonNull<c_void>> {
        note(format!("open {handle:?}"))?;
        Ok(NonNull::new(address(0xa000)).unwrap())
    }

    fn ipc_mem_close(_: &Self::Context, address: NonNull<c_void>) -> Result<()> {
        note(format!("close {}", address.addr()))
    }

    fn ipc_physical_mem_handle(
        _: &Self::Context, memory: PhysicalMemHandle, size: usize,
    ) -> Result<(Box<[u8]>, OwnedFd)> {
        note(format!("name of {memory} {size}"))?;
        Ok(([4, 5].into(), File::open("/dev/null").unwrap().into()))
    }

    fn ipc_physical_mem_open(
        _: &Self::Context, _: &Self::Device, handle: &[u8],
    ) -> Result<(PhysicalMemHandle, usize)> {
        note(format!("open {handle:?}"))?;
        Ok((7, 12288))
    }

    fn ipc_event_handle(_: &Self::Event) -> Result<Box<[u8]>> {
        note("name of an event".into())?;
        Ok([6].into())
    }

    fn ipc_event_open(_: &Self::Context, handle: &[u8]) -> Result<New<Self::Event>> {
        note(format!("open event {handle:?}"))?;
        Ok(Counted::create(Event::new()))
    }
}

impl MemoryExportApi for Fake {
    fn exportable_mem_alloc(
        _: &Self::Context, _: &Self::Device, alignment: usize, size: usize,
    ) -> Result<NonNull<c_void>> {
        note(format!("export {size} at {alignment}"))?;
        Ok(NonNull::new(address(0x2000)).unwrap())
    }
}

impl PeerApi for Fake {
    fn peer_access_info(
        _: &Self::Device, _: &Self::Device, attr: PeerAttribute, info: Info<'_>,
    ) -> Result<()> {
        asked(&attr, info)
    }

    fn enable_peer_access(_: &Self::Device, _: &Self::Device) -> Result<()> {
        note("enable".into())
    }

    fn disable_peer_access(_: &Self::Device, _: &Self::Device) -> Result<()> {
        note("disable".into())
    }
}
