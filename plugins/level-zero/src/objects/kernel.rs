//! Kernels, and the arguments that they have for their next launch.

use core::ffi::{CStr, c_void};
use std::ffi::CString;
use std::sync::Arc;

use parking_lot::Mutex;
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Counted, Error, New, Result, Shared};

use super::device::Device;
use super::mem::{Mem, MemHandle};
use super::program::{Program, ProgramHandle};
use super::sampler::{Sampler, SamplerHandle};
use crate::argument_sizes::ArgumentSizes;
use crate::driver::Module;
use crate::sys::{log_failure, ze, *};

/// A kernel of a program: a driver's kernel per device that the program is built for.
pub struct Kernel {
    pub(crate) name: CString,
    pub(crate) per_device: Vec<DeviceKernel>,
    pub(crate) properties: ze_kernel_properties_t,
    pub(crate) arguments: Mutex<KernelArguments>,
    /// The last field: kernels and modules go before the context that the program holds.
    pub(crate) program: Shared<Program>,
}

pub(crate) type KernelHandle = Counted<Kernel>;

sycl_pi_backend::counted_kinds!(Kernel: RawKernel, INVALID_KERNEL, "kernel";);

/// A driver's kernel.
pub(crate) struct DeviceKernel {
    pub(crate) device: ze_device_handle_t,
    pub(crate) ze: ze_kernel_handle_t,
    pub(crate) owned: bool,
    pub(crate) _module: Arc<Module>,
}

/// What was set last: the same value is not set twice, and launches hold the objects that they use.
#[derive(Default)]
pub(crate) struct KernelArguments {
    pub(crate) shapes: Vec<LaunchShape>,
    pub(crate) mems: Vec<(u32, Shared<Mem>)>,
    samplers: Vec<(u32, Shared<Sampler>)>,
    /// Which arguments are set; all count as set for a kernel from outside.
    set: Vec<bool>,
    /// Bytes that each argument takes; 0 where that is not known.
    sizes: Vec<usize>,
    pub(crate) unset: usize,
}

/// Group size and offset of a driver's kernel, and the last group size that it suggested.
#[derive(Clone, Copy, Default)]
pub(crate) struct LaunchShape {
    pub(crate) group: [u32; 3],
    pub(crate) offset: [u32; 3],
    pub(crate) suggested: Option<([u32; 3], [u32; 3])>,
}

impl KernelArguments {
    fn new(per_device: usize, arguments: usize, sizes: Option<&ArgumentSizes>) -> Self {
        // Drivers drop arguments that nothing reads from their count; then the list does not fit.
        let known = sizes.filter(|sizes| sizes.len() == arguments);
        let size = |index: usize| known.and_then(|sizes| sizes[index]).unwrap_or_default();
        Self {
            shapes: vec![LaunchShape::default(); per_device],
            set: vec![false; arguments],
            sizes: (0..arguments).map(size).collect(),
            unset: arguments,
            ..Self::default()
        }
    }
}

impl Kernel {
    /// A kernel of the driver's kernels for each device. `set_outside`: its arguments may have been set already.
    pub(crate) fn create(
        program: &ProgramHandle,
        name: &CStr,
        per_device: Vec<DeviceKernel>,
        set_outside: bool,
    ) -> Result<New<KernelHandle>> {
        let mut properties = ze_kernel_properties_t::default();
        let Some(first) = per_device.first() else {
            return Err(Error::new(ErrorCode::INVALID_PROGRAM_EXECUTABLE, "the program is not built"));
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

    /// The driver's kernel for a device, and its index in the list.
    #[inline]
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

    /// Sets an argument on every part.
    fn set(&self, index: u32, size: usize, value: *const c_void) -> Result<()> {
        let ze = ze()?;
        for part in &self.per_device {
            ze.zeKernelSetArgumentValue(part.ze, index, size, value)
                .map_err(|error| error.context(format!("argument {index} of kernel {:?}", self.name)))?;
        }
        Ok(())
    }

    /// Refuses an argument that the kernel has not.
    #[inline]
    fn check_index(&self, state: &KernelArguments, index: u32) -> Result<()> {
        if (index as usize) < state.set.len() {
            return Ok(());
        }
        Err(Error::new(
            ErrorCode::INVALID_ARG_INDEX,
            format!("argument {index} of kernel {:?}, which has {}", self.name, state.set.len()),
        ))
    }

    /// Refuses a value of another size than the argument has.
    #[inline]
    fn check_size(&self, state: &KernelArguments, index: u32, size: usize) -> Result<()> {
        match state.sizes.get(index as usize) {
            Some(expected) if *expected != 0 && *expected != size => Err(Error::new(
                ErrorCode::INVALID_ARG_SIZE,
                format!("{size} bytes for argument {index} of kernel {:?}, which has {expected}", self.name),
            )),
            _ => Ok(()),
        }
    }

    /// Sets an argument and takes note. What was there is dropped after the lock.
    pub(crate) fn store(
        &self,
        index: u32,
        size: usize,
        value: *const c_void,
        mem: Option<&MemHandle>,
        sampler: Option<&SamplerHandle>,
    ) -> Result<()> {
        let mut state = self.arguments.lock();
        self.check_index(&state, index)?;
        self.check_size(&state, index, size)?;
        self.set(index, size, value)?;
        if !std::mem::replace(&mut state.set[index as usize], true) {
            state.unset = state.unset.saturating_sub(1);
        }
        let mut before = Vec::new();
        if !state.mems.is_empty() || mem.is_some() {
            let at = state.mems.iter().position(|(of, _)| *of == index);
            before.extend(at.map(|at| state.mems.swap_remove(at)));
            state.mems.extend(mem.map(|mem| (index, mem.share())));
        }
        if !state.samplers.is_empty() || sampler.is_some() {
            state.samplers.retain(|(of, _)| *of != index);
            state.samplers.extend(sampler.map(|sampler| (index, sampler.share())));
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
