//! Kernels and their arguments.

use core::ffi::{CStr, c_void};
use sycl_pi_backend::api::{Arg, KernelApi};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Info, NdRange, New, Result};

use crate::objects::{
    ArgumentValue, ContextHandle, DeviceHandle, DeviceKernel, Kernel, KernelHandle, MemHandle, ProgramHandle,
    QueueHandle, SamplerHandle,
};
use crate::sys::{self, Address, ze, *};
use crate::{LevelZero, group_size, kernel_info};

impl KernelApi for LevelZero {
    fn kernel_create(program: &ProgramHandle, name: &CStr) -> Result<New<KernelHandle>> {
        let mut per_device = Vec::new();
        for (device, module) in program.modules()? {
            let ze = module.kernel(name).map_err(sys::named("kernel", name))?;
            per_device.push(DeviceKernel { device, ze, owned: true, _module: module });
        }
        Kernel::create(program, name, per_device, false)
    }

    fn kernel_set_arg(kernel: &KernelHandle, index: u32, arg: Arg<'_>) -> Result<()> {
        kernel.store(index, ArgumentValue::new(arg), None, None)
    }

    fn kernel_set_arg_pointer(kernel: &KernelHandle, index: u32, pointer: *const c_void) -> Result<()> {
        kernel.store(index, ArgumentValue::address(Address::new(pointer)), None, None)
    }

    fn kernel_set_arg_mem_obj(
        kernel: &KernelHandle,
        index: u32,
        _access: Option<MemAccess>,
        mem: Option<&MemHandle>,
    ) -> Result<()> {
        kernel.store(index, ArgumentValue::mem(mem), mem, None)
    }

    fn kernel_set_arg_sampler(kernel: &KernelHandle, index: u32, sampler: &SamplerHandle) -> Result<()> {
        kernel.store(index, ArgumentValue::address(Address::new(sampler.ze.0)), None, Some(sampler))
    }

    fn kernel_info(kernel: &KernelHandle, name: KernelInfo, info: Info<'_>) -> Result<()> {
        kernel_info::get(kernel, name, info)
    }

    fn kernel_group_info(
        kernel: &KernelHandle,
        device: &DeviceHandle,
        name: KernelGroupInfo,
        info: Info<'_>,
    ) -> Result<()> {
        kernel_info::get_group(kernel, device, name, info)
    }

    fn kernel_sub_group_info(
        kernel: &KernelHandle,
        _: &DeviceHandle,
        name: KernelSubGroupInfo,
        _: &[u8],
        info: Info<'_>,
    ) -> Result<()> {
        kernel_info::get_sub_group(kernel, name, info)
    }

    fn kernel_set_exec_info(kernel: &KernelHandle, name: KernelExecInfo, value: &[u8]) -> Result<()> {
        const ALL: u32 = ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST
            | ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE
            | ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED;
        let ze = ze()?;
        let _arguments = kernel.arguments.lock();
        match name {
            // The driver does not accept a list of allocations, so all of them are made accessible.
            KernelExecInfo::USM_INDIRECT_ACCESS | KernelExecInfo::USM_PTRS => {
                let on = name == KernelExecInfo::USM_PTRS || value.iter().any(|byte| *byte != 0);
                if on {
                    kernel
                        .per_device
                        .iter()
                        .try_for_each(|part| ze.zeKernelSetIndirectAccess(part.ze, ALL))?;
                }
                Ok(())
            }
            KernelExecInfo::CACHE_CONFIG => {
                let number = value.first_chunk::<4>().map(|bytes| u32::from_le_bytes(*bytes));
                let flags = match number.map(KernelCacheConfig) {
                    Some(KernelCacheConfig::DEFAULT) => 0,
                    Some(KernelCacheConfig::LARGE_SLM) => ZE_CACHE_CONFIG_FLAG_LARGE_SLM,
                    Some(KernelCacheConfig::LARGE_DATA) => ZE_CACHE_CONFIG_FLAG_LARGE_DATA,
                    _ => return Err(Error::unknown_cache_config()),
                };
                kernel.per_device.iter().try_for_each(|part| ze.zeKernelSetCacheConfig(part.ze, flags))
            }
            _ => Err(Error::unknown_exec_info(name)),
        }
    }

    fn kernel_create_with_native_handle(
        native: NativeHandle,
        context: &ContextHandle,
        program: Option<&ProgramHandle>,
        owned: bool,
    ) -> Result<New<KernelHandle>> {
        let program = program.ok_or_else(|| Error::invalid_value("a native kernel needs its program"))?;
        if native == 0 {
            return Err(Error::no_native_handle(ErrorCode::INVALID_KERNEL, "a kernel"));
        }
        if program.context.ze != context.ze {
            return Err(Error::other_context("the program", "the context"));
        }
        let ze = ze_kernel_handle_t(Address::from_number(native).get());
        let modules = program.modules()?;
        let Some((device, module)) = modules.into_iter().next() else {
            return Err(Error::not_built());
        };
        let name = kernel_info::name(ze)?;
        // The arguments may have been set outside of this plugin.
        Kernel::create(program, &name, vec![DeviceKernel { device, ze, owned, _module: module }], true)
    }

    fn kernel_native_handle(kernel: &KernelHandle) -> Result<NativeHandle> {
        match kernel.per_device.first() {
            Some(part) => Ok(part.ze.0.expose_provenance()),
            None => Err(Error::new(ErrorCode::INVALID_KERNEL, "the kernel has no driver's kernel")),
        }
    }

    fn kernel_suggest_local_work_size(
        kernel: &KernelHandle,
        queue: &QueueHandle,
        range: NdRange<'_>,
    ) -> Result<[usize; 3]> {
        let (index, driver_kernel) = kernel.for_device(&queue.device)?;
        let shape = &mut kernel.arguments.lock().shapes[index];
        group_size::chosen(kernel, &queue.device, driver_kernel, shape, range.global)
    }

    fn kernel_suggest_max_cooperative_group_count(
        kernel: &KernelHandle,
        local_work_size: usize,
        _dynamic_shared_memory_size: usize,
    ) -> Result<u32> {
        let ze = ze()?;
        let size = u32::try_from(local_work_size)
            .map_err(|_| Error::new(ErrorCode::INVALID_WORK_GROUP_SIZE, "the work-group is too large"))?;
        let mut arguments = kernel.arguments.lock();
        let Some(part) = kernel.per_device.first() else { return Ok(0) };
        if size > 0 {
            ze.zeKernelSetGroupSize(part.ze, size, 1, 1)?;
            if let Some(shape) = arguments.shapes.first_mut() {
                shape.group = [size, 1, 1];
            }
        }
        let mut groups = 0;
        ze.zeKernelSuggestMaxCooperativeGroupCount(part.ze, &mut groups)?;
        Ok(groups)
    }
}
