//! A kernel on one device.

use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

use parking_lot::Mutex;
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, Result};

use crate::device::device_context::DeviceContext;
use crate::sys::{CUfunction, CUfunction_attribute, DriverHandle, cuda};

/// A kernel on one device.
pub(crate) struct DeviceKernel {
    pub(crate) raw: DriverHandle<CUfunction>,
    /// The variant that takes the global offset, if the compiler created one.
    pub(crate) with_offset: Option<DriverHandle<CUfunction>>,
    /// Whether the kernel is translated from SPIR-V. If so, it takes the global offset itself, in three 64-bit words,
    /// and can be translated again for launches with other requirements.
    pub(crate) is_translated: bool,
    /// The work-group size that the image requires.
    pub(crate) required: Option<[usize; 3]>,
    /// The maximum number of work-items in a work-group.
    pub(crate) max_work_items: usize,
    /// The maximum that the image allows, regardless of the number of registers.
    pub(crate) largest: usize,
    /// Registers per work-item.
    pub(crate) registers: usize,
    /// Local memory that the kernel itself declares.
    pub(crate) static_local_memory: usize,
    /// Dynamic local memory that the driver has been told to allow.
    allowed: AtomicUsize,
    /// The driver's suggestion for a work-group size; 0 until it is queried.
    pub(crate) suggested: AtomicI32,
    /// The last work-group size that was chosen.
    pub(crate) choice: Mutex<WorkGroupChoice>,
}

/// A global size and the work-group size chosen for it.
#[derive(Default)]
pub(crate) struct WorkGroupChoice {
    pub(crate) global: [usize; 3],
    pub(crate) local: [usize; 3],
}

impl DeviceKernel {
    /// Creates the kernel from a function. `largest` is the maximum number of work-items that the image allows. The
    /// context must be current.
    pub(crate) fn new(
        raw: CUfunction,
        with_offset: Option<CUfunction>,
        is_translated: bool,
        required: Option<[usize; 3]>,
        largest: Option<usize>,
    ) -> Result<Self> {
        use CUfunction_attribute::*;
        let max_work_items = attribute(raw, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?;
        let largest = largest.unwrap_or(usize::MAX);
        Ok(Self {
            raw: DriverHandle::new(raw),
            with_offset: with_offset.map(DriverHandle::new),
            is_translated,
            required,
            max_work_items: max_work_items.min(largest),
            largest,
            registers: attribute(raw, CU_FUNC_ATTRIBUTE_NUM_REGS)?,
            static_local_memory: attribute(raw, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?,
            allowed: AtomicUsize::new(0),
            suggested: AtomicI32::new(0),
            choice: Mutex::new(WorkGroupChoice::default()),
        })
    }

    /// Allows a work-group to have the given amount of dynamic local memory.
    #[inline]
    pub(crate) fn allow_local_memory(&self, dynamic: usize, device_context: &DeviceContext) -> Result<()> {
        let total = dynamic.saturating_add(self.static_local_memory);
        if total <= device_context.device.limits.shared || dynamic <= self.allowed.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.opt_in(dynamic, device_context)
    }

    #[cold]
    fn opt_in(&self, dynamic: usize, device_context: &DeviceContext) -> Result<()> {
        let most = device_context.device.limits.most_shared;
        let total = dynamic.saturating_add(self.static_local_memory);
        if total > most {
            let text =
                format!("kernel: {total} bytes of local memory for a work-group, the device has {most}");
            return Err(Error::new(ErrorCode::PLUGIN_SPECIFIC_ERROR, text));
        }
        let _current = device_context.enter()?;
        let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        for function in [Some(self.raw), self.with_offset].into_iter().flatten() {
            cuda()?.cuFuncSetAttribute(function.get(), attribute, dynamic as i32)?;
        }
        self.allowed.fetch_max(dynamic, Ordering::Relaxed);
        Ok(())
    }
}

/// Returns an attribute of a function. The context must be current.
pub(crate) fn attribute(function: CUfunction, attribute: CUfunction_attribute) -> Result<usize> {
    let mut value = 0;
    cuda()?.cuFuncGetAttribute(&mut value, attribute, function)?;
    Ok(value.max(0) as usize)
}
