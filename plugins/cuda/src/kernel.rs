//! Kernels.

pub(crate) mod device_kernel;
pub(crate) mod device_kernels;
pub(crate) mod kernel_args;
pub(crate) mod kernel_parameters;

use core::ffi::{CStr, c_void};
use std::collections::BTreeSet;
use std::ffi::CString;

use parking_lot::Mutex;
use sycl_pi_backend::api::{Arg, KernelApi};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Error, Info, NdRange, New, Result, Shared};

use self::device_kernel::DeviceKernel;
use self::device_kernels::DeviceKernels;
use self::kernel_args::{KernelArgs, MAX_ARGS};
use self::kernel_parameters::KernelParameters;
use crate::Cuda;
use crate::device::device_context::DeviceContext;
use crate::device::device_object::Device;
use crate::launch::work_group::{Grid, registers_needed, suggested};
use crate::mem::Mem;
use crate::opencl;
use crate::program::Program;
use crate::program::launch_needs::LaunchNeeds;
use crate::program::spirv::{KernelFacts, Parameter};
use crate::queue::Queue;
use crate::sampler::Sampler;
use crate::sys::{self, CUfunc_cache, CUfunction, CUfunction_attribute, CUmodule, cuda};

/// A kernel and its arguments.
pub struct Kernel {
    pub(crate) program: Shared<Program>,
    name: CString,
    /// The facts of a kernel from SPIR-V.
    facts: Option<KernelFacts>,
    /// The kernel on each device, by the device's index in the context.
    on_devices: Box<[DeviceKernels]>,
    pub(crate) args: Mutex<KernelArgs>,
}

sycl_pi_backend::counted_kinds!(Kernel: RawKernel, INVALID_KERNEL, "kernel";);

impl Kernel {
    /// Returns the kernel on the context's device with the given index.
    #[inline]
    pub(crate) fn on_device(&self, index: usize) -> Result<&DeviceKernel> {
        match self.on_devices[index].ordinary.get() {
            Some(on_device) => Ok(on_device),
            None => self.find(index),
        }
    }

    #[cold]
    fn find(&self, index: usize) -> Result<&DeviceKernel> {
        let found = self.build(index, &LaunchNeeds::default())?;
        Ok(self.on_devices[index].ordinary.get_or_init(|| found))
    }

    /// Returns the kernel for work-groups of the given size. If it uses too many registers for them, returns one that
    /// was built with fewer.
    #[inline(always)]
    pub(crate) fn for_work_group(&self, index: usize, work_items: usize) -> Result<&DeviceKernel> {
        let on_device = self.on_device(index)?;
        if work_items <= on_device.max_work_items {
            return Ok(on_device);
        }
        self.with_few_registers(index, on_device, work_items, LaunchNeeds::default())
    }

    /// Returns the kernel for a launch that has null pointers as arguments or whose grid is folded.
    #[cold]
    pub(crate) fn for_launch(
        &self,
        index: usize,
        null_arguments: &BTreeSet<u32>,
        grid: &Grid,
    ) -> Result<&DeviceKernel> {
        let (folded, work_items) = (grid.folded, grid.work_items());
        let needs = LaunchNeeds { folded, null_arguments: null_arguments.clone(), few_registers: false };
        match self.with_needs(index, &needs)? {
            None => self.for_work_group(index, work_items),
            Some(kernel) if work_items <= kernel.max_work_items => Ok(kernel),
            Some(kernel) => self.with_few_registers(index, kernel, work_items, needs),
        }
    }

    /// Returns the kernel for work-groups for which `kernel`, with the same needs, uses too many registers.
    #[cold]
    fn with_few_registers(
        &self,
        index: usize,
        kernel: &DeviceKernel,
        work_items: usize,
        needs: LaunchNeeds,
    ) -> Result<&DeviceKernel> {
        let needed = registers_needed(work_items, kernel, &self.program.context.devices[index].device)?;
        match self.with_needs(index, &LaunchNeeds { few_registers: true, ..needs }) {
            Ok(Some(limited)) if work_items <= limited.max_work_items => Ok(limited),
            Ok(_) => Err(needed.error("the driver's compiler needs as many")),
            Err(error) => Err(needed.error(error.text())),
        }
    }

    /// Returns the kernel for launches with particular needs. Returns `None` if it cannot be translated again and the
    /// launches can do without it, because a kernel may check whether a pointer is null before it uses it.
    fn with_needs(&self, index: usize, needs: &LaunchNeeds) -> Result<Option<&DeviceKernel>> {
        self.on_devices[index].get(needs, || match self.build(index, needs) {
            Ok(kernel) => Ok(Some(kernel)),
            Err(error) if !needs.folded && needs.is_translated_again() => {
                log::warn!("{}: it runs as it is, and must not use them", error.text());
                Ok(None)
            }
            Err(error) => Err(error),
        })
    }

    fn build(&self, index: usize, needs: &LaunchNeeds) -> Result<DeviceKernel> {
        let (facts, module) = self.program.kernel_module(index, &self.name, needs)?;
        let _current = self.program.context.devices[index].enter()?;
        let kernel = match facts.as_ref().or(self.facts.as_ref()) {
            Some(facts) => self.find_translated(facts, module.get()),
            None => self.find_by_name(module.get()),
        }?;
        if needs.is_translated_again() {
            log::info!("kernel {:?} was translated again for {needs}", self.name);
        }
        if needs.few_registers {
            log::info!("kernel {:?} was built again with {} registers", self.name, kernel.registers);
        }
        Ok(kernel)
    }

    /// Returns a kernel of SPIR-V in a module. The context must be current.
    fn find_translated(&self, facts: &KernelFacts, module: CUmodule) -> Result<DeviceKernel> {
        let symbol = CString::new(facts.symbol.as_str()).unwrap_or_default();
        let raw =
            function_in(module, &symbol).map_err(|error| error.context(format!("kernel {:?}", self.name)))?;
        let metadata = &self.program.metadata;
        let required = facts.required.or(metadata.required(&self.name));
        let largest = facts.largest.or(metadata.largest(&self.name));
        DeviceKernel::new(raw, None, true, required, largest)
    }

    /// Returns a kernel of PTX or a cubin in a module. The context must be current.
    fn find_by_name(&self, module: CUmodule) -> Result<DeviceKernel> {
        let lookup = |name: &CStr| function_in(module, name);
        let metadata = &self.program.metadata;
        let raw = lookup(&self.name).map_err(|error| match error.code() {
            ErrorCode::INVALID_VALUE => error
                .with_code(ErrorCode::INVALID_KERNEL_NAME)
                .context(format!("the program has no kernel {:?}", self.name)),
            _ => error,
        })?;
        let mut variant = self.name.as_bytes().to_vec();
        variant.extend_from_slice(b"_with_offset");
        let with_offset = lookup(&CString::new(variant).unwrap_or_default()).ok();
        let (required, largest) = (metadata.required(&self.name), metadata.largest(&self.name));
        DeviceKernel::new(raw, with_offset, false, required, largest)
    }

    /// Returns the kernel on the program's first device, with the CUDA context there.
    fn on_first_device(&self) -> Result<(&DeviceContext, &DeviceKernel)> {
        let index = self.program.devices.first().map_or(0, |program| program.index);
        Ok((&self.program.context.devices[index], self.on_device(index)?))
    }

    /// Returns an attribute of the kernel on a device.
    fn attribute(&self, device: &Counted<Device>, attribute: CUfunction_attribute) -> Result<usize> {
        let index = self.program.context.index_of(device)?;
        let on_device = self.on_device(index)?;
        let _current = self.program.context.devices[index].enter()?;
        device_kernel::attribute(on_device.raw.get(), attribute)
    }

    /// Returns whether an argument of a kernel from SPIR-V is an address.
    #[cold]
    fn takes_address(&self, index: u32) -> bool {
        let parameters = self.facts.as_ref().map_or(&[][..], |facts| &facts.parameters[..]);
        parameters.get(index as usize) == Some(&Parameter::Pointer)
    }

    /// Returns the number of arguments of the kernel, or the number of arguments that were set if the driver does not
    /// report it.
    fn arg_count(&self) -> Result<usize> {
        if let Some(facts) = &self.facts {
            return Ok(facts.parameters.len());
        }
        let (device_context, on_device) = self.on_first_device()?;
        let cuda = cuda()?;
        if !cuda.has("cuFuncGetParamInfo") {
            return Ok(self.args.lock().params.len());
        }
        let _current = device_context.enter()?;
        let (mut offset, mut size) = (0, 0);
        let mut has =
            |index| cuda.cuFuncGetParamInfo(on_device.raw.get(), index, &mut offset, &mut size).is_ok();
        Ok((0..MAX_ARGS).take_while(|index| has(*index)).count())
    }
}

/// Returns a function of a module. The context must be current.
fn function_in(module: CUmodule, name: &CStr) -> Result<CUfunction> {
    let mut function = std::ptr::null_mut();
    cuda()?.cuModuleGetFunction(&mut function, module, name.as_ptr()).map(|()| function)
}

impl KernelApi for Cuda {
    fn kernel_create(program: &Counted<Program>, name: &CStr) -> Result<New<Counted<Kernel>>> {
        let facts = program.kernel_facts(name)?;
        let parameters = KernelParameters::new(facts.as_ref().map(|facts| &facts.parameters[..]));
        let kernel = Kernel {
            program: program.share(),
            name: name.to_owned(),
            facts,
            on_devices: program.context.devices.iter().map(|_| DeviceKernels::default()).collect(),
            args: Mutex::new(KernelArgs::new(parameters)),
        };
        let mut found = Err(Error::not_built());
        for program in &program.devices {
            match kernel.on_device(program.index).map(|_| ()) {
                Ok(()) => found = Ok(()),
                Err(error) if error.code() == ErrorCode::INVALID_PROGRAM_EXECUTABLE => {}
                Err(error) => return Err(error),
            }
        }
        found.map(|()| Counted::create(kernel))
    }

    #[inline(always)]
    fn kernel_set_arg(kernel: &Counted<Kernel>, index: u32, arg: Arg<'_>) -> Result<()> {
        match arg {
            // An OpenCL program has no other call for memory objects.
            Arg::Value(bytes) if opencl::is_asked_for() && kernel.takes_address(index) => {
                let mem = sys::mem_argument(bytes)?;
                kernel.args.lock().set_mem(index, None, mem)
            }
            Arg::Value(bytes) => kernel.args.lock().set(index, bytes),
            Arg::Local(size) => kernel.args.lock().set_local(index, size),
        }
    }

    #[inline(always)]
    fn kernel_set_arg_pointer(kernel: &Counted<Kernel>, index: u32, pointer: *const c_void) -> Result<()> {
        kernel.args.lock().set_pointer(index, pointer)
    }

    fn kernel_set_arg_mem_obj(
        kernel: &Counted<Kernel>,
        index: u32,
        access: Option<MemAccess>,
        mem: Option<&Counted<Mem>>,
    ) -> Result<()> {
        kernel.args.lock().set_mem(index, access, mem)
    }

    fn kernel_set_arg_sampler(
        kernel: &Counted<Kernel>,
        index: u32,
        sampler: &Counted<Sampler>,
    ) -> Result<()> {
        kernel.args.lock().set(index, &sampler.bits().to_le_bytes())
    }

    fn kernel_info(kernel: &Counted<Kernel>, name: KernelInfo, info: Info<'_>) -> Result<()> {
        match name {
            KernelInfo::FUNCTION_NAME => info.c_str(&kernel.name),
            KernelInfo::NUM_ARGS => info.value(kernel.arg_count()? as u32),
            KernelInfo::REFERENCE_COUNT => info.value(kernel.reference_count()),
            KernelInfo::CONTEXT => info.value(kernel.program.context.handle()),
            KernelInfo::PROGRAM => info.value(kernel.program.handle()),
            KernelInfo::ATTRIBUTES => info.c_str(c""),
            KernelInfo::NUM_REGS => info.value(kernel.on_first_device()?.1.registers as u32),
            _ => Err(Error::unknown_query("kernel", name)),
        }
    }

    fn kernel_group_info(
        kernel: &Counted<Kernel>,
        device: &Counted<Device>,
        name: KernelGroupInfo,
        info: Info<'_>,
    ) -> Result<()> {
        use CUfunction_attribute::*;
        let on_device = kernel.on_device(kernel.program.context.index_of(device)?)?;
        match name {
            KernelGroupInfo::GLOBAL_WORK_SIZE => {
                let limits = &device.limits;
                let sizes: [usize; 3] =
                    std::array::from_fn(|dim| limits.grid[dim].saturating_mul(limits.block[dim]));
                info.value(sizes)
            }
            KernelGroupInfo::WORK_GROUP_SIZE => info.value(on_device.max_work_items),
            KernelGroupInfo::COMPILE_WORK_GROUP_SIZE => info.value(on_device.required.unwrap_or([0; 3])),
            KernelGroupInfo::LOCAL_MEM_SIZE => info.value(on_device.static_local_memory as u64),
            KernelGroupInfo::PREFERRED_WORK_GROUP_SIZE_MULTIPLE => info.value(device.limits.warp),
            KernelGroupInfo::PRIVATE_MEM_SIZE => {
                info.value(kernel.attribute(device, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)? as u64)
            }
            KernelGroupInfo::NUM_REGS => info.value(on_device.registers as u32),
            _ => Err(Error::unknown_query("group", name)),
        }
    }

    fn kernel_sub_group_info(
        kernel: &Counted<Kernel>,
        device: &Counted<Device>,
        name: KernelSubGroupInfo,
        _: &[u8],
        info: Info<'_>,
    ) -> Result<()> {
        let on_device = kernel.on_device(kernel.program.context.index_of(device)?)?;
        let facts = kernel.facts.as_ref();
        let most = facts.map_or(device.limits.warp as u32, |facts| facts.sub_group);
        match name {
            KernelSubGroupInfo::MAX_SUB_GROUP_SIZE => info.value(most),
            KernelSubGroupInfo::MAX_NUM_SUB_GROUPS => {
                info.value(on_device.max_work_items.div_ceil(most.max(1) as usize) as u32)
            }
            KernelSubGroupInfo::COMPILE_NUM_SUB_GROUPS => info.value::<u32>(0),
            KernelSubGroupInfo::COMPILE_SUB_GROUP_SIZE_INTEL => {
                info.value(facts.and_then(|facts| facts.required_sub_group).unwrap_or(0))
            }
            _ => Err(Error::unknown_query("sub-group", name)),
        }
    }

    fn kernel_set_exec_info(kernel: &Counted<Kernel>, name: KernelExecInfo, value: &[u8]) -> Result<()> {
        match name {
            // Every kernel can access all memory of its context.
            KernelExecInfo::USM_INDIRECT_ACCESS | KernelExecInfo::USM_PTRS => Ok(()),
            KernelExecInfo::CACHE_CONFIG => {
                let word = value
                    .get(..4)
                    .and_then(|bytes| bytes.try_into().ok())
                    .map(|word| KernelCacheConfig(u32::from_le_bytes(word)));
                let config = match word {
                    Some(KernelCacheConfig::DEFAULT) => CUfunc_cache::CU_FUNC_CACHE_PREFER_NONE,
                    Some(KernelCacheConfig::LARGE_SLM) => CUfunc_cache::CU_FUNC_CACHE_PREFER_SHARED,
                    Some(KernelCacheConfig::LARGE_DATA) => CUfunc_cache::CU_FUNC_CACHE_PREFER_L1,
                    _ => return Err(Error::unknown_cache_config()),
                };
                for program in &kernel.program.devices {
                    let on_device = kernel.on_device(program.index)?;
                    let _current = kernel.program.context.devices[program.index].enter()?;
                    cuda()?.cuFuncSetCacheConfig(on_device.raw.get(), config)?;
                }
                Ok(())
            }
            _ => Err(Error::unknown_exec_info(name)),
        }
    }

    fn kernel_native_handle(kernel: &Counted<Kernel>) -> Result<NativeHandle> {
        opencl::refuse_native_handles()?;
        Ok(kernel.on_first_device()?.1.raw.addr())
    }

    fn kernel_suggest_local_work_size(
        kernel: &Counted<Kernel>,
        queue: &Counted<Queue>,
        range: NdRange<'_>,
    ) -> Result<[usize; 3]> {
        suggested(kernel.on_device(queue.index)?, queue.device_context(), range.global)
    }

    fn kernel_suggest_max_cooperative_group_count(
        kernel: &Counted<Kernel>,
        local_work_size: usize,
        dynamic_shared_memory_size: usize,
    ) -> Result<u32> {
        let index = kernel.program.devices.first().map_or(0, |program| program.index);
        let device_context = &kernel.program.context.devices[index];
        let on_device = kernel.for_work_group(index, local_work_size).or_else(|_| kernel.on_device(index))?;
        let _current = device_context.enter()?;
        let mut blocks = 0;
        let local = i32::try_from(local_work_size)
            .map_err(|_| Error::new(ErrorCode::INVALID_WORK_GROUP_SIZE, "the work-group is too large"))?;
        // The driver counts no work-groups whose local memory exceeds the amount allowed so far.
        on_device.allow_local_memory(dynamic_shared_memory_size, device_context)?;
        cuda()?.cuOccupancyMaxActiveBlocksPerMultiprocessor(
            &mut blocks,
            on_device.raw.get(),
            local,
            dynamic_shared_memory_size,
        )?;
        Ok(blocks.max(0) as u32 * device_context.device.limits.multiprocessors as u32)
    }
}
