//! Device memory that other interfaces can import. The driver must be told at allocation that the memory is exportable.

use core::ffi::c_void;
use core::ptr::NonNull;
use std::os::fd::OwnedFd;

use sycl_pi_backend::api::MemoryExportApi;
use sycl_pi_backend::{Error, Result};

use crate::LevelZero;
use crate::driver::{AllocationRequest, MemoryLocation};
use crate::objects::{ContextHandle, DeviceHandle};
use crate::sys::{Address, descriptor_of};
use crate::usm::{allocate, plain_request};

impl MemoryExportApi for LevelZero {
    fn exportable_mem_alloc(
        context: &ContextHandle,
        device: &DeviceHandle,
        alignment: usize,
        size: usize,
    ) -> Result<NonNull<c_void>> {
        context.check(device)?;
        let exported_as =
            device.export_type()?.ok_or_else(|| Error::unsupported("the device exports no memory"))?;
        let request = plain_request(MemoryLocation::Device(device.ze), size, alignment)?;
        allocate(context, AllocationRequest { exported_as, ..request })
    }

    fn exportable_mem_free(
        context: &ContextHandle,
        _: &DeviceHandle,
        address: NonNull<c_void>,
    ) -> Result<()> {
        context.usm.free_exportable(Address::new(address.as_ptr()))
    }

    fn exportable_mem_fd(
        context: &ContextHandle,
        _: &DeviceHandle,
        address: NonNull<c_void>,
    ) -> Result<OwnedFd> {
        let start = Address::new(address.as_ptr());
        descriptor_of(context.ze, start, context.usm.exported_as(start)?)
    }
}
