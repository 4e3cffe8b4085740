//! Kernels and their arguments.

use core::ffi::{CStr, c_void};
use std::ffi::CString;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

use parking_lot::Mutex;
use sycl_pi_backend::api::{Arg, KernelApi};
use sycl_pi_backend::{Counted, Error, Exclusive, Info, New, Result, Shared};
use sycl_pi_backend::types::*;

use crate::Cuda;
use crate::context::Context;
use crate::device::Device;
use crate::mem::Mem;
use crate::platform::handle;
use crate::program::Program;
use crate::sampler::Sampler;
use crate::sys::{CUfunc_cache, CUfunction, CUfunction_attribute, Params, Raw, cuda};
use crate::work_group::Chosen;

/// Behind `*mut RawKernel`.
pub struct Kernel {
    pub(crate) program: Shared<Program>,
    name: CString,
    /// By place of the device in the context.
    functions: Box<[OnceLock<Function>]>,
    pub(crate) args: Exclusive<Args>,
    /// The work-group size that the image demands.
    pub(crate) required: Option<[usize; 3]>,
    largest: Option<usize>,
}

crate::kind!(Kernel, RawKernel, ErrorCode::INVALID_KERNEL, "*mut RawKernel");

/// A kernel on one device.
pub(crate) struct Function {
    pub(crate) raw: Raw<CUfunction>,
    /// The variant that is told the global offset, where the compiler made one.
    pub(crate) with_offset: Option<Raw<CUfunction>>,
    /// The most threads of a work-group.
    pub(crate) threads: usize,
    /// Registers of a thread.
    pub(crate) registers: usize,
    /// Local memory that the kernel declares itself.
    pub(crate) shared: usize,
    /// Dynamic local memory that the driver was told to allow.
    pub(crate) opted: AtomicUsize,
    /// A good work-group size, by the driver; 0 while it was not asked.
    pub(crate) suggested: AtomicI32,
    /// The last choice of a work-group size.
    pub(crate) chosen: Mutex<Chosen>,
}

/// Arguments as they are set.
pub(crate) struct Args {
    pub(crate) params: Params,
    /// Local memory: argument and size.
    locals: Vec<(usize, usize)>,
    /// Bytes of all local memory arguments.
    pub(crate) shared: usize,
    /// Buffers whose address depends on the device.
    mems: Vec<(usize, Shared<Mem>)>,
}

/// The largest alignment that a local memory argument needs: the largest vector type's.
const LOCAL_ALIGNMENT: usize = 128;
/// More arguments than any kernel has: an index past it is a mistake.
const MAX_ARGS: usize = 4096;

impl Args {
    fn new() -> Self {
        Self { params: Params::new(), locals: Vec::new(), shared: 0, mems: Vec::new() }
    }

    #[inline(always)]
    fn set(&mut self, index: u32, bytes: &[u8]) -> Result<()> {
        let index = checked(index)?;
        if !self.locals.is_empty() || !self.mems.is_empty() {
            self.forget(index);
        }
        self.params.set(index, bytes);
        Ok(())
    }

    /// The argument is what it was no more.
    #[cold]
    fn forget(&mut self, index: usize) {
        self.mems.retain(|(other, _)| *other != index);
        let before = self.locals.len();
        self.locals.retain(|(other, _)| *other != index);
        if self.locals.len() != before {
            self.place_locals();
        }
    }

    /// Local memory of that size.
    fn set_local(&mut self, index: u32, size: usize) -> Result<()> {
        let index = checked(index)?;
        self.mems.retain(|(other, _)| *other != index);
        match self.locals.binary_search_by_key(&index, |(other, _)| *other) {
            Ok(at) => self.locals[at].1 = size,
            Err(at) => self.locals.insert(at, (index, size)),
        }
        self.place_locals();
        Ok(())
    }

    /// Gives each block its place: the argument's value is the offset in dynamic local memory.
    fn place_locals(&mut self) {
        let mut end = 0_usize;
        for (index, size) in &self.locals {
            let alignment = (*size).clamp(1, LOCAL_ALIGNMENT);
            // What no device has stays so: the launch refuses it.
            let offset = end.checked_next_multiple_of(alignment).unwrap_or(usize::MAX);
            self.params.set(*index, &(offset as u64).to_le_bytes());
            end = offset.saturating_add(*size);
        }
        self.shared = end;
    }

    /// Puts in the addresses that buffers have on the device at that place.
    #[inline(always)]
    pub(crate) fn resolve(&mut self, place: usize) -> Result<()> {
        if !self.mems.is_empty() {
            let Self { params, mems, .. } = self;
            for (index, mem) in mems.iter() {
                params.set(*index, &mem.kernel_argument(place)?.to_le_bytes());
            }
        }
        Ok(())
    }
}

#[inline(always)]
fn checked(index: u32) -> Result<usize> {
    let index = index as usize;
    if index < MAX_ARGS { Ok(index) } else { Err(bad_index(index)) }
}

#[cold]
fn bad_index(index: usize) -> Error {
    Error::new(ErrorCode::INVALID_ARG_INDEX, format!("arg_index: no kernel has an argument {index}"))
}

impl Kernel {
    /// The kernel on the device at that place of its context.
    #[inline(always)]
    pub(crate) fn function(&self, place: usize) -> Result<&Function> {
        match self.functions[place].get() {
            Some(function) => Ok(function),
            None => self.find(place),
        }
    }

    #[cold]
    fn find(&self, place: usize) -> Result<&Function> {
        use CUfunction_attribute::*;
        let module = self.program.module(place)?;
        let _current = self.program.context.places[place].enter()?;
        let cuda = cuda()?;
        let lookup = |name: &CStr| {
            let mut function = std::ptr::null_mut();
            cuda.cuModuleGetFunction(&mut function, module.raw.get(), name.as_ptr()).map(|()| function)
        };
        let raw = lookup(&self.name).map_err(|error| match error.code() {
            ErrorCode::INVALID_VALUE => error
                .with_code(ErrorCode::INVALID_KERNEL_NAME)
                .context(format!("the program has no kernel {:?}", self.name)),
            _ => error,
        })?;
        let mut variant = self.name.as_bytes().to_vec();
        variant.extend_from_slice(b"_with_offset");
        let with_offset = lookup(&CString::new(variant).unwrap_or_default()).ok().map(Raw::new);
        let ask = |attribute| -> Result<usize> {
            let mut value = 0;
            cuda.cuFuncGetAttribute(&mut value, attribute, raw)?;
            Ok(value.max(0) as usize)
        };
        let function = Function {
            raw: Raw::new(raw),
            with_offset,
            threads: ask(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?.min(self.largest.unwrap_or(usize::MAX)),
            registers: ask(CU_FUNC_ATTRIBUTE_NUM_REGS)?,
            shared: ask(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?,
            opted: AtomicUsize::new(0),
            suggested: AtomicI32::new(0),
            chosen: Mutex::new(Chosen::default()),
        };
        Ok(self.functions[place].get_or_init(|| function))
    }

    fn attribute(&self, device: &Counted<Device>, attribute: CUfunction_attribute) -> Result<usize> {
        let index = self.program.context.index_of(device)?;
        let function = self.function(index)?;
        let _current = self.program.context.places[index].enter()?;
        let mut value = 0;
        cuda()?.cuFuncGetAttribute(&mut value, attribute, function.raw.get())?;
        Ok(value.max(0) as usize)
    }

    /// How many arguments the kernel has; as many as were set, where the driver does not tell.
    fn arg_count(&self) -> Result<usize> {
        let place = self.program.slots.first().map_or(0, |slot| slot.index);
        let function = self.function(place)?;
        let cuda = cuda()?;
        if !cuda.has("cuFuncGetParamInfo") {
            return Ok(self.args.lock().params.len());
        }
        let _current = self.program.context.places[place].enter()?;
        let (mut offset, mut size) = (0, 0);
        let has = |index| cuda.cuFuncGetParamInfo(function.raw.get(), index, &mut offset, &mut size).is_ok();
        let mut has = has;
        Ok((0..MAX_ARGS).take_while(|index| has(*index)).count())
    }
}

impl KernelApi for Cuda {
    fn kernel_create(program: &Counted<Program>, name: &CStr) -> Result<New<Counted<Kernel>>> {
        let kernel = Kernel {
            program: program.share(),
            name: name.to_owned(),
            functions: program.context.places.iter().map(|_| OnceLock::new()).collect(),
            args: Exclusive::new(Args::new()),
            required: program.declared.required(name),
            largest: program.declared.largest(name),
        };
        let mut found = Err(Error::new(ErrorCode::INVALID_PROGRAM_EXECUTABLE, "the program is not built"));
        for slot in &program.slots {
            match kernel.function(slot.index).map(|_| ()) {
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
            Arg::Value(bytes) => kernel.args.lock().set(index, bytes),
            Arg::Local(size) => kernel.args.lock().set_local(index, size),
        }
    }

    #[inline(always)]
    fn kernel_set_arg_pointer(
        kernel: &Counted<Kernel>,
        index: u32,
        pointer: *const c_void,
    ) -> Result<()> {
        kernel.args.lock().set(index, &(pointer.expose_provenance() as u64).to_le_bytes())
    }

    fn kernel_set_arg_mem_obj(
        kernel: &Counted<Kernel>,
        index: u32,
        _: Option<MemAccess>,
        mem: Option<&Counted<Mem>>,
    ) -> Result<()> {
        let mut args = kernel.args.lock();
        let Some(mem) = mem else { return args.set(index, &0_u64.to_le_bytes()) };
        let several = mem.context.places.len() > 1;
        let value = if several { 0 } else { mem.kernel_argument(0)? };
        args.set(index, &value.to_le_bytes())?;
        if several {
            args.mems.push((index as usize, mem.share()));
        }
        Ok(())
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
            KernelInfo::CONTEXT => info.value(handle(&*kernel.program.context)),
            KernelInfo::PROGRAM => info.value(handle(&*kernel.program)),
            KernelInfo::ATTRIBUTES => info.c_str(c""),
            _ => Err(Error::invalid_value(format!("param_name: unknown kernel query {name:#x}"))),
        }
    }

    fn kernel_group_info(
        kernel: &Counted<Kernel>,
        device: &Counted<Device>,
        name: KernelGroupInfo,
        info: Info<'_>,
    ) -> Result<()> {
        use CUfunction_attribute::*;
        let function = kernel.function(kernel.program.context.index_of(device)?)?;
        match name {
            KernelGroupInfo::GLOBAL_WORK_SIZE => {
                let limits = &device.limits;
                let sizes: [usize; 3] =
                    std::array::from_fn(|dim| limits.grid[dim].saturating_mul(limits.block[dim]));
                info.value(sizes)
            }
            KernelGroupInfo::WORK_GROUP_SIZE => info.value(function.threads),
            KernelGroupInfo::COMPILE_WORK_GROUP_SIZE => info.value(kernel.required.unwrap_or([0; 3])),
            KernelGroupInfo::LOCAL_MEM_SIZE => info.value(function.shared as u64),
            KernelGroupInfo::PREFERRED_WORK_GROUP_SIZE_MULTIPLE => info.value(device.limits.warp),
            KernelGroupInfo::PRIVATE_MEM_SIZE => {
                info.value(kernel.attribute(device, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)? as u64)
            }
            KernelGroupInfo::NUM_REGS => info.value(function.registers as u32),
            _ => Err(Error::invalid_value(format!("param_name: unknown group query {name:#x}"))),
        }
    }

    fn kernel_sub_group_info(
        kernel: &Counted<Kernel>,
        device: &Counted<Device>,
        name: KernelSubGroupInfo,
        _: &[u8],
        info: Info<'_>,
    ) -> Result<()> {
        let function = kernel.function(kernel.program.context.index_of(device)?)?;
        let warp = device.limits.warp;
        match name {
            KernelSubGroupInfo::MAX_SUB_GROUP_SIZE => info.value(warp as u32),
            KernelSubGroupInfo::MAX_NUM_SUB_GROUPS => info.value(function.threads.div_ceil(warp.max(1)) as u32),
            KernelSubGroupInfo::COMPILE_NUM_SUB_GROUPS | KernelSubGroupInfo::COMPILE_SUB_GROUP_SIZE_INTEL => {
                info.value::<u32>(0)
            }
            _ => Err(Error::invalid_value(format!("param_name: unknown sub-group query {name:#x}"))),
        }
    }

    fn kernel_retain(kernel: &Counted<Kernel>) -> Result<()> {
        kernel.retain();
        Ok(())
    }

    fn kernel_release(kernel: &Counted<Kernel>) -> Result<()> {
        kernel.release();
        Ok(())
    }

    fn kernel_set_exec_info(kernel: &Counted<Kernel>, name: KernelExecInfo, value: &[u8]) -> Result<()> {
        match name {
            // Every kernel reaches all memory.
            KernelExecInfo::USM_INDIRECT_ACCESS | KernelExecInfo::USM_PTRS => Ok(()),
            KernelExecInfo::CACHE_CONFIG => {
                let word = value.get(..4).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
                let config = match word {
                    Some(KernelCacheConfig::DEFAULT) => CUfunc_cache::CU_FUNC_CACHE_PREFER_NONE,
                    Some(KernelCacheConfig::LARGE_SLM) => {
                        CUfunc_cache::CU_FUNC_CACHE_PREFER_SHARED
                    }
                    Some(KernelCacheConfig::LARGE_DATA) => CUfunc_cache::CU_FUNC_CACHE_PREFER_L1,
                    _ => return Err(Error::invalid_value("param_value: unknown cache configuration")),
                };
                for slot in &kernel.program.slots {
                    let function = kernel.function(slot.index)?;
                    let _current = kernel.program.context.places[slot.index].enter()?;
                    cuda()?.cuFuncSetCacheConfig(function.raw.get(), config)?;
                }
                Ok(())
            }
            _ => Err(Error::invalid_value(format!("value_name: unknown execution property {name:#x}"))),
        }
    }

    fn kernel_create_with_native_handle(
        _: NativeHandle,
        _: &Counted<Context>,
        _: Option<&Counted<Program>>,
        _: bool,
    ) -> Result<New<Counted<Kernel>>> {
        Err(Error::unsupported("no kernel can be made of a CUfunction"))
    }

    fn kernel_native_handle(kernel: &Counted<Kernel>) -> Result<NativeHandle> {
        let place = kernel.program.slots.first().map_or(0, |slot| slot.index);
        Ok(kernel.function(place)?.raw.addr())
    }

    fn kernel_suggest_max_cooperative_group_count(
        kernel: &Counted<Kernel>,
        local_work_size: usize,
        dynamic_shared_memory_size: usize,
    ) -> Result<u32> {
        let place = kernel.program.slots.first().map_or(0, |slot| slot.index);
        let function = kernel.function(place)?;
        let place = &kernel.program.context.places[place];
        let _current = place.enter()?;
        let mut blocks = 0;
        let local = i32::try_from(local_work_size).map_err(|_| {
            Error::new(ErrorCode::INVALID_WORK_GROUP_SIZE, "local_work_size: the work-group is too large")
        })?;
        cuda()?.cuOccupancyMaxActiveBlocksPerMultiprocessor(
            &mut blocks,
            function.raw.get(),
            local,
            dynamic_shared_memory_size,
        )?;
        Ok(blocks.max(0) as u32 * place.device.limits.multiprocessors as u32)
    }
}

impl Function {
    /// Lets a work-group have that much dynamic local memory. The context is current.
    #[inline(always)]
    pub(crate) fn allow(&self, shared: usize, device: &Device) -> Result<()> {
        if shared.saturating_add(self.shared) <= device.limits.shared
            || shared <= self.opted.load(Ordering::Relaxed)
        {
            return Ok(());
        }
        self.opt_in(shared, device)
    }

    #[cold]
    fn opt_in(&self, shared: usize, device: &Device) -> Result<()> {
        let most = device.limits.shared_opt_in.max(device.limits.shared);
        if shared.saturating_add(self.shared) > most {
            return Err(Error::new(
                ErrorCode::PLUGIN_SPECIFIC_ERROR,
                format!(
                    "kernel: {} bytes of local memory for a work-group, the device has {most}",
                    shared.saturating_add(self.shared)
                ),
            ));
        }
        let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        for function in [Some(self.raw), self.with_offset].into_iter().flatten() {
            cuda()?.cuFuncSetAttribute(function.get(), attribute, shared as i32)?;
        }
        self.opted.fetch_max(shared, Ordering::Relaxed);
        Ok(())
    }
}
