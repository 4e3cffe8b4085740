//! Address queries to the driver.

use core::ffi::c_void;

use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Result};

use crate::memory::freed_memory::UsmSource;
use crate::memory::usm_memory::{self, UsmAllocation};
use crate::sys::{CUdeviceptr, CUmemorytype, CUpointer_attribute, cuda};

/// The driver's attributes of an address.
pub(crate) struct PointerAttributes {
    /// `UNKNOWN` for memory that does not belong to the driver.
    pub(crate) kind: UsmType,
    /// Start of the allocation.
    pub(crate) base: CUdeviceptr,
    /// Size of the allocation in bytes.
    pub(crate) size: usize,
    /// Ordinal of the device.
    pub(crate) ordinal: i32,
}

/// Returns the attributes of an address in memory that the plugin allocated and keeps account of.
pub(crate) fn known_attributes(address: CUdeviceptr) -> Option<PointerAttributes> {
    let UsmAllocation { block, size } = usm_memory::allocation_at(address)?;
    let UsmSource { kind, ordinal, .. } = block.source;
    Some(PointerAttributes { kind, base: block.start, size, ordinal })
}

/// Returns the attributes of an address, for which it asks the driver if they are not known. A context must be current.
pub(crate) fn attributes_of(address: CUdeviceptr) -> Result<PointerAttributes> {
    if let Some(known) = known_attributes(address) {
        return Ok(known);
    }
    use CUpointer_attribute::*;
    let (mut kind, mut managed, mut base, mut size, mut ordinal) = (0_u32, 0_u32, 0_u64, 0_usize, -1_i32);
    let mut attributes = [
        CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
        CU_POINTER_ATTRIBUTE_IS_MANAGED,
        CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
        CU_POINTER_ATTRIBUTE_RANGE_SIZE,
        CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
    ];
    let mut values: [*mut c_void; 5] = [
        (&raw mut kind).cast(),
        (&raw mut managed).cast(),
        (&raw mut base).cast(),
        (&raw mut size).cast(),
        (&raw mut ordinal).cast(),
    ];
    let asked = cuda()?.cuPointerGetAttributes(5, attributes.as_mut_ptr(), values.as_mut_ptr(), address);
    let kind = match asked {
        // `INVALID_VALUE` means that the memory does not belong to the driver.
        Err(error) if error.code() != ErrorCode::INVALID_VALUE => return Err(error),
        Err(_) => UsmType::UNKNOWN,
        Ok(()) if managed != 0 => UsmType::SHARED,
        Ok(()) if kind == CUmemorytype::CU_MEMORYTYPE_HOST as u32 => UsmType::HOST,
        Ok(()) if kind == CUmemorytype::CU_MEMORYTYPE_DEVICE as u32 => UsmType::DEVICE,
        Ok(()) => UsmType::UNKNOWN,
    };
    Ok(PointerAttributes { kind, base, size, ordinal })
}

impl PointerAttributes {
    /// The attributes of memory that does not belong to the driver.
    pub(crate) const UNKNOWN: Self = Self { kind: UsmType::UNKNOWN, base: 0, size: 0, ordinal: -1 };

    /// Returns whether the address is in an allocation of the driver.
    pub(crate) fn is_known(&self) -> bool {
        self.kind != UsmType::UNKNOWN
    }

    /// Refuses a range that exceeds its allocation.
    pub(crate) fn check_inside(&self, address: CUdeviceptr, size: usize) -> Result<()> {
        let offset = address.wrapping_sub(self.base) as usize;
        if !self.is_known() || offset <= self.size && size <= self.size - offset {
            return Ok(());
        }
        Err(Error::invalid_value(format!(
            "ptr: {size} bytes at {address:#x} leave their allocation, which has {} bytes from {:#x} on",
            self.size, self.base
        )))
    }
}

/// Returns whether an address is in device memory or managed memory, which box copies must specify. A context must be
/// current.
pub(crate) fn is_device_memory(address: CUdeviceptr) -> bool {
    let (mut kind, mut managed) = (0_u32, 0_u32);
    let mut attributes = [
        CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
        CUpointer_attribute::CU_POINTER_ATTRIBUTE_IS_MANAGED,
    ];
    let mut values = [(&raw mut kind).cast::<c_void>(), (&raw mut managed).cast()];
    let (attributes, values) = (attributes.as_mut_ptr(), values.as_mut_ptr());
    let asked = cuda().and_then(|cuda| cuda.cuPointerGetAttributes(2, attributes, values, address));
    asked.is_ok() && (kind == CUmemorytype::CU_MEMORYTYPE_DEVICE as u32 || managed != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_inside_its_allocation_or_of_unknown_memory() {
        let memory = PointerAttributes { kind: UsmType::DEVICE, base: 0x1000, size: 64, ordinal: 0 };
        for (address, size, inside) in [
            (0x1000, 64, true),
            (0x1000, 65, false),
            (0x1010, 48, true),
            (0x1010, 49, false),
            (0x1040, 0, true),
            (0x1041, 0, false),
            (0x0fff, 1, false),
            (0x1001, usize::MAX, false),
        ] {
            assert_eq!(memory.check_inside(address, size).is_ok(), inside, "{address:#x} {size}");
            assert!(PointerAttributes::UNKNOWN.check_inside(address, size).is_ok());
        }
        assert!(memory.is_known() && !PointerAttributes::UNKNOWN.is_known());
    }
}
