//! Kernels and their arguments.

use core::ffi::{CStr, c_void};
use std::ffi::CString;
use std::ptr::null;
use std::sync::Arc;

use sycl_pi_backend::api::{Arg, KernelApi};
use sycl_pi_backend::{Counted, Error, Exclusive, Info, New, Result, Shared};
use sycl_pi_backend::types::*;

use crate::arguments::Sizes;
use crate::module::Module;
use crate::pool::log_failure;
use crate::sys::{self, Address, ze, *};
use crate::{
    Context, Device, Kernel, LevelZero, Mem, Program, Sampler, device, kernel_info, mem, program, sampler,
};

/// A kernel of a program: a driver's kernel per device that the program is built for.
pub struct Body {
    pub(crate) name: CString,
    pub(crate) parts: Vec<Part>,
    pub(crate) properties: ze_kernel_properties_t,
    pub(crate) state: Exclusive<State>,
    /// The last field: kernels and modules go before the context that the program holds.
    pub(crate) program: Shared<program::Body>,
}

kind!(Body, RawKernel, ErrorCode::INVALID_KERNEL);

/// A driver's kernel.
pub(crate) struct Part {
    pub(crate) device: ze_device_handle_t,
    pub(crate) ze: ze_kernel_handle_t,
    owned: bool,
    _module: Arc<Module>,
}

/// What was set last: the driver is not told the same twice, and launches hold what they use.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) per_part: Vec<Shape>,
    pub(crate) mems: Vec<(u32, Shared<mem::Body>)>,
    samplers: Vec<(u32, Shared<sampler::Body>)>,
    /// Which arguments are set; all count as set for a kernel from outside.
    set: Vec<bool>,
    /// Bytes that each argument takes; 0 where that is not known.
    sizes: Vec<usize>,
    pub(crate) unset: usize,
}

/// Group size and offset of a driver's kernel, and the last group size that it suggested.
#[derive(Clone, Copy, Default)]
pub(crate) struct Shape {
    pub(crate) group: [u32; 3],
    pub(crate) offset: [u32; 3],
    pub(crate) suggested: Option<([u32; 3], [u32; 3])>,
}

impl State {
    fn new(parts: usize, arguments: usize, sizes: Option<&Sizes>) -> Self {
        // Drivers drop arguments that nothing reads from their count; then the list does not fit.
        let known = sizes.filter(|sizes| sizes.len() == arguments);
        let size = |index: usize| known.and_then(|sizes| sizes[index]).unwrap_or_default();
        Self {
            per_part: vec![Shape::default(); parts],
            set: vec![false; arguments],
            sizes: (0..arguments).map(size).collect(),
            unset: arguments,
            ..Self::default()
        }
    }
}

impl Body {
    /// The driver's kernel for a device, with its place in the list.
    #[inline]
    pub(crate) fn part(&self, device: &device::Body) -> Result<(usize, ze_kernel_handle_t)> {
        if let Some(part) = self.parts.iter().position(|part| part.device == device.ze) {
            return Ok((part, self.parts[part].ze));
        }
        match &device.parent {
            Some(parent) => self.part(parent),
            None => Err(Error::new(
                ErrorCode::INVALID_PROGRAM_EXECUTABLE,
                "the kernel's program is not built for the queue's device",
            )),
        }
    }

    /// Sets an argument on every part.
    fn set(&self, index: u32, size: usize, value: *const c_void) -> Result<()> {
        let ze = ze()?;
        for part in &self.parts {
            ze.zeKernelSetArgumentValue(part.ze, index, size, value)
                .map_err(|error| error.context(format!("argument {index} of kernel {:?}", self.name)))?;
        }
        Ok(())
    }

    /// Refuses an argument that the kernel has not.
    #[inline]
    fn check_index(&self, state: &State, index: u32) -> Result<()> {
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
    fn check_size(&self, state: &State, index: u32, size: usize) -> Result<()> {
        match state.sizes.get(index as usize) {
            Some(expected) if *expected != 0 && *expected != size => Err(Error::new(
                ErrorCode::INVALID_ARG_SIZE,
                format!("{size} bytes for argument {index} of kernel {:?}, which has {expected}", self.name),
            )),
            _ => Ok(()),
        }
    }

    /// Sets an argument and takes note. What was there is dropped after the lock.
    fn store(
        &self,
        index: u32,
        size: usize,
        value: *const c_void,
        mem: Option<&Mem>,
        sampler: Option<&Sampler>,
    ) -> Result<()> {
        let mut state = self.state.lock();
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

impl Drop for Part {
    fn drop(&mut self) {
        if self.owned {
            log_failure(ze().and_then(|ze| ze.zeKernelDestroy(self.ze)));
        }
    }
}

fn new(program: &Program, name: &CStr, parts: Vec<Part>, set_outside: bool) -> Result<New<Kernel>> {
    let mut properties = ze_kernel_properties_t::default();
    let Some(first) = parts.first() else {
        return Err(Error::new(ErrorCode::INVALID_PROGRAM_EXECUTABLE, "the program is not built"));
    };
    ze()?.zeKernelGetProperties(first.ze, &mut properties)?;
    let sizes = program.argument_sizes(name);
    let mut state = State::new(parts.len(), properties.numKernelArgs as usize, sizes);
    if set_outside {
        state.unset = 0;
    }
    Ok(Counted::create(Body {
        program: program.share(),
        name: name.to_owned(),
        parts,
        properties,
        state: Exclusive::new(state),
    }))
}

impl KernelApi for LevelZero {
    fn kernel_create(program: &Program, name: &CStr) -> Result<New<Kernel>> {
        let mut parts = Vec::new();
        for (device, module) in program.modules()? {
            let ze = module.kernel(name).map_err(sys::named("kernel", name))?;
            parts.push(Part { device, ze, owned: true, _module: module });
        }
        new(program, name, parts, false)
    }

    #[inline]
    fn kernel_set_arg(kernel: &Kernel, index: u32, arg: Arg<'_>) -> Result<()> {
        let (size, value) = arg.raw_parts();
        // As the vendor's plugin: eight bytes of zero may be a null pointer, which the driver takes only in this form.
        let zero =
            matches!(arg, Arg::Value(bytes) if bytes.len() == 8 && bytes.iter().all(|byte| *byte == 0));
        kernel.store(index, size, if zero { null() } else { value }, None, None)
    }

    #[inline]
    fn kernel_set_arg_pointer(kernel: &Kernel, index: u32, pointer: *const c_void) -> Result<()> {
        let value = if pointer.is_null() { null() } else { (&raw const pointer).cast() };
        kernel.store(index, size_of_val(&pointer), value, None, None)
    }

    fn kernel_set_arg_mem_obj(
        kernel: &Kernel,
        index: u32,
        _access: Option<MemAccess>,
        mem: Option<&Mem>,
    ) -> Result<()> {
        let argument = mem.map(|mem| mem.argument());
        let value = argument.as_ref().map_or(null(), |argument| std::ptr::from_ref(argument).cast());
        kernel.store(index, size_of::<usize>(), value, mem, None)
    }

    fn kernel_set_arg_sampler(kernel: &Kernel, index: u32, sampler: &Sampler) -> Result<()> {
        let value = (&raw const sampler.ze).cast();
        kernel.store(index, size_of_val(&sampler.ze), value, None, Some(sampler))
    }

    fn kernel_info(kernel: &Kernel, name: KernelInfo, info: Info<'_>) -> Result<()> {
        kernel_info::get(kernel, name, info)
    }

    fn kernel_group_info(
        kernel: &Kernel,
        device: &Device,
        name: KernelGroupInfo,
        info: Info<'_>,
    ) -> Result<()> {
        kernel_info::get_group(kernel, device, name, info)
    }

    fn kernel_sub_group_info(
        kernel: &Kernel,
        _: &Device,
        name: KernelSubGroupInfo,
        _: &[u8],
        info: Info<'_>,
    ) -> Result<()> {
        kernel_info::get_sub_group(kernel, name, info)
    }

    fn kernel_retain(kernel: &Kernel) -> Result<()> {
        kernel.retain();
        Ok(())
    }

    fn kernel_release(kernel: &Kernel) -> Result<()> {
        kernel.release();
        Ok(())
    }

    fn kernel_set_exec_info(kernel: &Kernel, name: KernelExecInfo, value: &[u8]) -> Result<()> {
        const ALL: u32 = ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST
            | ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE
            | ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED;
        let ze = ze()?;
        let _state = kernel.state.lock();
        match name {
            // The driver takes no list of blocks; then it is every block.
            KernelExecInfo::USM_INDIRECT_ACCESS | KernelExecInfo::USM_PTRS => {
                let on = name == KernelExecInfo::USM_PTRS || value.iter().any(|byte| *byte != 0);
                if on {
                    kernel.parts.iter().try_for_each(|part| ze.zeKernelSetIndirectAccess(part.ze, ALL))?;
                }
                Ok(())
            }
            KernelExecInfo::CACHE_CONFIG => {
                let number = value.first_chunk::<4>().map(|bytes| u32::from_le_bytes(*bytes));
                let flags = match number {
                    Some(KernelCacheConfig::DEFAULT) => 0,
                    Some(KernelCacheConfig::LARGE_SLM) => ZE_CACHE_CONFIG_FLAG_LARGE_SLM,
                    Some(KernelCacheConfig::LARGE_DATA) => ZE_CACHE_CONFIG_FLAG_LARGE_DATA,
                    _ => return Err(Error::invalid_value("param_value: unknown cache configuration")),
                };
                kernel.parts.iter().try_for_each(|part| ze.zeKernelSetCacheConfig(part.ze, flags))
            }
            _ => Err(Error::invalid_value(format!("unknown value_name {name:#x}"))),
        }
    }

    fn kernel_create_with_native_handle(
        native: NativeHandle,
        context: &Context,
        program: Option<&Program>,
        owned: bool,
    ) -> Result<New<Kernel>> {
        let program = program.ok_or_else(|| Error::invalid_value("program is null; a kernel needs it"))?;
        if native == 0 {
            return Err(Error::new(ErrorCode::INVALID_KERNEL, "nativeHandle is null; a kernel is needed"));
        }
        if program.context.ze != context.ze {
            return Err(Error::new(ErrorCode::INVALID_CONTEXT, "program is of another context"));
        }
        let ze = ze_kernel_handle_t(Address::from_number(native).get());
        let modules = program.modules()?;
        let Some((device, module)) = modules.into_iter().next() else {
            return Err(Error::new(ErrorCode::INVALID_PROGRAM_EXECUTABLE, "the program is not built"));
        };
        let name = kernel_info::name(ze)?;
        // The arguments may have been set outside.
        new(program, &name, vec![Part { device, ze, owned, _module: module }], true)
    }

    fn kernel_native_handle(kernel: &Kernel) -> Result<NativeHandle> {
        match kernel.parts.first() {
            Some(part) => Ok(part.ze.0.expose_provenance()),
            None => Err(Error::new(ErrorCode::INVALID_KERNEL, "the kernel has no driver's kernel")),
        }
    }

    fn kernel_suggest_max_cooperative_group_count(
        kernel: &Kernel,
        local_work_size: usize,
        _dynamic_shared_memory_size: usize,
    ) -> Result<u32> {
        let ze = ze()?;
        let size = u32::try_from(local_work_size)
            .map_err(|_| Error::new(ErrorCode::INVALID_WORK_GROUP_SIZE, "local_work_size is too large"))?;
        let mut state = kernel.state.lock();
        let Some(part) = kernel.parts.first() else { return Ok(0) };
        if size > 0 {
            ze.zeKernelSetGroupSize(part.ze, size, 1, 1)?;
            if let Some(shape) = state.per_part.first_mut() {
                shape.group = [size, 1, 1];
            }
        }
        let mut groups = 0;
        ze.zeKernelSuggestMaxCooperativeGroupCount(part.ze, &mut groups)?;
        Ok(groups)
    }
}
