//! Kernels, and the arguments for their next launch.

use core::ffi::CStr;
use std::ffi::CString;
use std::sync::Arc;

use parking_lot::Mutex;
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Counted, Error, New, Result, Shared};

use super::argument::{ArgumentValue, SetArguments};
use super::device::Device;
use super::mem::MemHandle;
use super::program::{Program, ProgramHandle};
use super::sampler::SamplerHandle;
use crate::argument_sizes::ArgumentSizes;
use crate::driver::Module;
use crate::sys::{log_failure, ze, *};

/// A kernel of a program. It has a driver kernel for each device that the program is built for.
pub struct Kernel {
    pub(crate) name: CString,
    pub(crate) per_device: Vec<DeviceKernel>,
    pub(crate) properties: ze_kernel_properties_t,
    pub(crate) arguments: Mutex<KernelArguments>,
    /// Last field, because kernels and modules must be destroyed before the context, which the program holds.
    pub(crate) program: Shared<Program>,
}

pub(crate) type KernelHandle = Counted<Kernel>;

sycl_pi_backend::counted_kinds!(Kernel: RawKernel, INVALID_KERNEL, "kernel";);

/// A driver kernel.
pub(crate) struct DeviceKernel {
    pub(crate) device: ze_device_handle_t,
    pub(crate) ze: ze_kernel_handle_t,
    pub(crate) owned: bool,
    pub(crate) _module: Arc<Module>,
}

/// The current arguments. They are stored so that an unchanged value is not set again, and launches hold the objects
/// that they use.
#[derive(Default)]
pub(crate) struct KernelArguments {
    pub(crate) shapes: Vec<LaunchShape>,
    pub(crate) set: SetArguments,
    /// The size in bytes of each argument; 0 if it is unknown.
    sizes: Vec<usize>,
    /// The number of arguments that are not set; 0 for a kernel from a native handle.
    pub(crate) unset: usize,
}

/// Group size and offset of a driver kernel, and the last group size that it suggested.
#[derive(Clone, Copy, Default)]
pub(crate) struct LaunchShape {
    pub(crate) group: [u32; 3],
    pub(crate) offset: [u32; 3],
    pub(crate) suggested: Option<([u32; 3], [u32; 3])>,
}

impl KernelArguments {
    fn new(per_device: usize, arguments: usize, sizes: Option<&ArgumentSizes>) -> Self {
        // Drivers do not count unused arguments. In this case, the list does not match.
        let known = sizes.filter(|sizes| sizes.len() == arguments);
        let size = |index: usize| known.and_then(|sizes| sizes[index]).unwrap_or_default();
        Self {
            shapes: vec![LaunchShape::default(); per_device],
            set: SetArguments::new(arguments),
            sizes: (0..arguments).map(size).collect(),
            unset: arguments,
        }
    }

    /// Refuses an argument index that the kernel does not have, and a value whose size differs from that of the
    /// argument.
    pub(crate) fn check(&self, kernel: &Kernel, index: u32, size: usize) -> Result<()> {
        let kernel = format_args!("kernel {:?}", kernel.name);
        let Some(expected) = self.sizes.get(index as usize) else {
            return Err(Error::no_such_argument(index as usize, self.sizes.len()).context(kernel));
        };
        if *expected == 0 || *expected == size {
            return Ok(());
        }
        Err(Error::argument_size(index as usize, size, *expected).context(kernel))
    }
}

impl Kernel {
    /// Creates a kernel from the driver's kernels for each device. `set_outside` means that its arguments may already
    /// be set.
    pub(crate) fn create(
        program: &ProgramHandle,
        name: &CStr,
        per_device: Vec<DeviceKernel>,
        set_outside: bool,
    ) -> Result<New<KernelHandle>> {
        let mut properties = ze_kernel_properties_t::default();
        let Some(first) = per_device.first() else {
            return Err(Error::not_built());
        };
        ze()?.zeKernelGetProperties(first.ze, &mut properties)?;
        let sizes = program.argument_sizes(name);
        let mut arguments = KernelArguments::new(per_device.len(), properties.numKernelArgs as usize, sizes);
        if set_outside {
            arguments.unset = 0;
        }
        Ok(Counted::create(Self {
            program: program.share(),
            name: name.to_owned(),
            per_device,
            properties,
            arguments: Mutex::new(arguments),
        }))
    }

    /// Returns the driver kernel for a device, and its index in the list.
    pub(crate) fn for_device(&self, device: &Device) -> Result<(usize, ze_kernel_handle_t)> {
        if let Some(part) = self.per_device.iter().position(|part| part.device == device.ze) {
            return Ok((part, self.per_device[part].ze));
        }
        match &device.parent {
            Some(parent) => self.for_device(parent),
            None => Err(Error::new(
                ErrorCode::INVALID_PROGRAM_EXECUTABLE,
                "the kernel's program is not built for the queue's device",
            )),
        }
    }

    /// Sets an argument on a driver kernel.
    pub(crate) fn set_on(&self, part: ze_kernel_handle_t, index: u32, value: &ArgumentValue) -> Result<()> {
        ze()?
            .zeKernelSetArgumentValue(part, index, value.size, value.start())
            .map_err(|error| error.context(format!("argument {index} of kernel {:?}", self.name)))
    }

    /// Sets an argument on every part and stores it. The previous value is dropped after the lock is released.
    pub(crate) fn store(
        &self,
        index: u32,
        value: ArgumentValue,
        mem: Option<&MemHandle>,
        sampler: Option<&SamplerHandle>,
    ) -> Result<()> {
        let mut state = self.arguments.lock();
        state.check(self, index, value.size)?;
        for part in &self.per_device {
            self.set_on(part.ze, index, &value)?;
        }
        let before = state.set.put(index, value, mem, sampler);
        if !before.had_value {
            state.unset = state.unset.saturating_sub(1);
        }
        drop(state);
        drop(before);
        Ok(())
    }
}

impl Drop for DeviceKernel {
    fn drop(&mut self) {
        if self.owned {
            log_failure(ze().and_then(|ze| ze.zeKernelDestroy(self.ze)));
        }
    }
}
