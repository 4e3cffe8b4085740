//! The binary of a built program, to be stored for later runs.

use std::ffi::c_void;

use sycl_pi_core::*;

use super::{Device, RawProgram};
use crate::error::{Result, WithObject};
use crate::host_memory::filled;

impl RawProgram {
    /// Returns the device's own code of a built program, or `None` if the driver provides none.
    pub(crate) fn binary(&self, device: &Device) -> Result<Option<Vec<u8>>> {
        let mut count: pi_uint32 = 0;
        self.info(PI_PROGRAM_INFO_NUM_DEVICES, std::slice::from_mut(&mut count))?;
        let count = count as usize;
        let mut devices: Vec<pi_device> = filled(std::ptr::null_mut(), count)?;
        self.info(PI_PROGRAM_INFO_DEVICES, &mut devices)?;
        let mut sizes = filled(0_usize, count)?;
        self.info(PI_PROGRAM_INFO_BINARY_SIZES, &mut sizes)?;
        let Some(position) = devices.iter().position(|&other| other == device.raw()) else { return Ok(None) };
        let mut binaries: Vec<Vec<u8>> = sizes.iter().map(|&size| filled(0, size)).collect::<Result<_>>()?;
        // All binaries are retrieved, because plugins differ in whether one may be skipped.
        let mut pointers: Vec<*mut u8> = binaries.iter_mut().map(Vec::as_mut_ptr).collect();
        self.info(PI_PROGRAM_INFO_BINARIES, &mut pointers)?;
        Ok(binaries.into_iter().nth(position).filter(|binary| !binary.is_empty()))
    }

    /// Fills `values` with a property of the program.
    fn info<T>(&self, what: pi_program_info, values: &mut [T]) -> Result<()> {
        let table = self.context().plugin().table();
        let (size, to) = (size_of_val(values), values.as_mut_ptr().cast::<c_void>());
        let none = std::ptr::null_mut();
        // SAFETY: `to` has `size` bytes; addresses in it point to buffers of the sizes that the program reported.
        let result = unsafe { table.piProgramGetInfo(self.raw(), what, size, to, none) };
        result.with_object(|| format!("image {}", self.name()))
    }
}
