//! Programs: PTX, cubin and fatbin images, which the driver loads and links, and SPIR-V, which is compiled to PTX.

pub(crate) mod compiled_kernels;
pub(crate) mod device_image;
pub(crate) mod device_program;
pub(crate) mod jit_options;
pub(crate) mod launch_needs;
pub(crate) mod metadata;
pub(crate) mod module;
pub(crate) mod program_binary;
pub(crate) mod spirv;

use core::ffi::{CStr, c_char};
use std::ffi::CString;
use std::sync::Arc;

use sycl_pi_backend::api::{BuildTarget, ProgramApi, ProgramMetadata};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Error, Info, New, Result, Shared};

use self::compiled_kernels::FoundKernel;
use self::device_image::{DeviceImage, not_built};
use self::device_program::DeviceProgram;
use self::launch_needs::LaunchNeeds;
use self::metadata::ImageMetadata;
use self::module::Module;
use self::spirv::{KernelFacts, SpirvSource};
use crate::Cuda;
use crate::context::Context;
use crate::device::device_object::Device;
use crate::opencl;
use crate::sys;

/// A program.
pub struct Program {
    pub(crate) context: Shared<Context>,
    /// The program on each of its devices.
    pub(crate) devices: Vec<DeviceProgram>,
    pub(crate) metadata: ImageMetadata,
}

sycl_pi_backend::counted_kinds!(Program: RawProgram, INVALID_PROGRAM, "program";);

impl Drop for Program {
    fn drop(&mut self) {
        for program in self.devices.iter_mut().filter(|program| program.is_built()) {
            // A lost context destroys its modules, so an error is ignored.
            let _ = self.context.devices[program.index].enter().and_then(|_current| program.unload());
        }
    }
}

impl Program {
    fn new(context: &Counted<Context>, devices: Vec<DeviceProgram>, metadata: ImageMetadata) -> Self {
        Self { context: context.share(), devices, metadata }
    }

    /// Returns the program on the context's device with the given index.
    #[inline]
    fn at(&self, index: usize) -> Option<&DeviceProgram> {
        self.devices.iter().find(|program| program.index == index)
    }

    /// Returns the module on the context's device with the given index.
    #[inline]
    pub(crate) fn module(&self, index: usize) -> Result<&Module> {
        self.at(index).ok_or_else(|| not_built(false))?.module(&self.context.devices[index])
    }

    /// Returns a kernel for launches with the given needs, on the context's device with the given index.
    pub(crate) fn kernel_module(
        &self,
        index: usize,
        kernel: &CStr,
        needs: &LaunchNeeds,
    ) -> Result<FoundKernel> {
        let program = self.at(index).ok_or_else(|| not_built(false))?;
        program.kernel_module(&self.context.devices[index], kernel, needs)
    }

    /// Returns address and size of a variable on the context's device with the given index.
    pub(crate) fn variable(&self, index: usize, name: &CStr) -> Result<(u64, usize)> {
        let compiled = self.at(index).and_then(|program| program.image.compiled());
        let symbol = compiled
            .and_then(|compiled| compiled.symbol(name))
            .map(|symbol| CString::new(symbol).unwrap_or_default());
        let symbol = symbol.as_deref().or_else(|| self.metadata.symbol(name));
        self.module(index)?.variable(name, symbol, &self.context.devices[index])
    }

    /// Returns the facts of a kernel from SPIR-V, or an error that the kernel does not exist or cannot run. Returns
    /// `None` if the program is not from SPIR-V, or not built.
    pub(crate) fn kernel_facts(&self, name: &CStr) -> Result<Option<KernelFacts>> {
        let Some(compiled) = self.devices.iter().find_map(|program| program.image.compiled()) else {
            return Ok(None);
        };
        let name = name.to_string_lossy();
        let kernel = compiled.kernel(&name).ok_or_else(|| {
            Error::new(ErrorCode::INVALID_KERNEL_NAME, format!("the program has no kernel {name:?}"))
        })?;
        match &kernel.refused {
            Some(reason) => Err(Error::new(ErrorCode::INVALID_OPERATION, reason.clone())),
            None => Ok(Some(kernel.clone())),
        }
    }

    /// Returns the SPIR-V of the program.
    fn source(&self) -> Option<&Arc<SpirvSource>> {
        self.devices.first()?.image.source()
    }

    fn on_device(&self, device: &Counted<Device>) -> Result<&DeviceProgram> {
        self.at(self.context.index_of(device)?).ok_or_else(Error::device_of_another_program)
    }

    /// Returns the program on the given devices, or on all devices if none is given.
    fn on_devices(&self, devices: &[&Counted<Device>]) -> Result<Vec<&DeviceProgram>> {
        if devices.is_empty() {
            return Ok(self.devices.iter().collect());
        }
        devices.iter().map(|device| self.on_device(device)).collect()
    }

    fn build(&self, target: &BuildTarget<'_, Counted<Device>>) -> Result<()> {
        if target.notify.function.is_some() {
            return Err(Error::invalid_value("no callback: the program is built when the call returns"));
        }
        let options = target.options.unwrap_or_default();
        for program in self.on_devices(target.devices)? {
            program.build(&self.context.devices[program.index], options)?;
        }
        Ok(())
    }

    /// Returns the names of the kernels, as far as the driver reports them.
    fn kernels(&self) -> Result<Vec<String>> {
        let program =
            self.devices.iter().find(|program| program.is_built()).ok_or_else(|| not_built(true))?;
        if let Some(compiled) = program.image.compiled() {
            return Ok(compiled.header.facts.kernels.iter().map(|kernel| kernel.name.clone()).collect());
        }
        let device_context = &self.context.devices[program.index];
        let module = program.module(device_context)?;
        let _current = device_context.enter()?;
        let (cuda, mut count) = (sys::cuda()?, 0);
        cuda.cuModuleGetFunctionCount(&mut count, module.raw.get())?;
        let mut functions = vec![std::ptr::null_mut(); count as usize];
        cuda.cuModuleEnumerateFunctions(functions.as_mut_ptr(), count, module.raw.get())?;
        functions.into_iter().map(sys::function_name).collect()
    }
}

/// Converts a build error to a link error, unless resources are exhausted, so that a later try may succeed.
fn link_failure(error: Error) -> Error {
    if error.code() == ErrorCode::OUT_OF_RESOURCES {
        return error;
    }
    error.context("the programs to link").with_code(ErrorCode::LINK_PROGRAM_FAILURE)
}

/// Creates and builds a program from the modules of several. A failed build leaves it with the log.
fn link_spirv(
    context: &Counted<Context>,
    target: &BuildTarget<'_, Counted<Device>>,
    programs: &[&Counted<Program>],
    failed: &mut Option<New<Counted<Program>>>,
) -> Result<New<Counted<Program>>> {
    let sources: Option<Vec<&SpirvSource>> =
        programs.iter().map(|program| program.source().map(|source| &**source)).collect();
    let sources = sources.ok_or_else(|| {
        Error::new(
            ErrorCode::INVALID_OPERATION,
            "some of the programs are SPIR-V and some are PTX: they cannot be linked",
        )
    })?;
    let source = Arc::new(SpirvSource::linked(&sources));
    let indices = match target.devices {
        [] => (0..context.devices.len()).collect(),
        devices => devices.iter().map(|device| context.index_of(device)).collect::<Result<Vec<_>>>()?,
    };
    let on_device =
        |index| DeviceProgram::new(index, DeviceImage::of_spirv(source.clone()), ProgramBinaryType::NONE);
    let devices: Vec<_> = indices.into_iter().map(on_device).collect();
    // Options of the compilations affect the code; those of the link are added.
    let compiled_with = programs.iter().flat_map(|program| program.devices.first());
    let mut options: Vec<u8> = compiled_with
        .flat_map(|program| [program.last_build.lock().options.as_bytes(), b" "].concat())
        .collect();
    options.extend_from_slice(target.options.unwrap_or_default().to_bytes());
    let options = CString::new(options).unwrap_or_default();
    let result =
        devices.iter().try_for_each(|program| program.build(&context.devices[program.index], &options));
    let program = Counted::create(Program::new(context, devices, ImageMetadata::default()));
    match result {
        Ok(()) => Ok(program),
        Err(error) => {
            *failed = Some(program);
            Err(link_failure(error))
        }
    }
}

impl ProgramApi for Cuda {
    fn program_create_with_il(context: &Counted<Context>, il: &[u8]) -> Result<New<Counted<Program>>> {
        let source = Arc::new(SpirvSource::new(il)?);
        let on_device =
            |index| DeviceProgram::new(index, DeviceImage::of_spirv(source.clone()), ProgramBinaryType::NONE);
        let devices = (0..context.devices.len()).map(on_device).collect();
        Ok(Counted::create(Program::new(context, devices, ImageMetadata::default())))
    }

    fn program_create_with_source(
        _: &Counted<Context>,
        _: &[*const c_char],
        _: &[usize],
    ) -> Result<New<Counted<Program>>> {
        Err(Error::unsupported(
            "the CUDA plugin takes no source; it takes SPIR-V, PTX, cubin and fatbin images",
        ))
    }

    fn program_create_with_binary(
        context: &Counted<Context>,
        devices: &[&Counted<Device>],
        binaries: &[&[u8]],
        metadata: &[ProgramMetadata<'_>],
        status: Option<&mut [ErrorCode]>,
    ) -> Result<New<Counted<Program>>> {
        let metadata = ImageMetadata::read(metadata)?;
        let mut results = vec![ErrorCode::SUCCESS; binaries.len()];
        let mut programs = Vec::with_capacity(binaries.len());
        let mut first_error = None;
        for ((device, bytes), result) in devices.iter().zip(binaries).zip(&mut results) {
            let index = context.index_of(device)?;
            match DeviceImage::of_binary(bytes, device) {
                Ok(image) => programs.push(DeviceProgram::new(index, image, ProgramBinaryType::NONE)),
                Err(error) => {
                    *result = error.code();
                    first_error.get_or_insert(error);
                }
            }
        }
        if let Some(status) = status {
            status.copy_from_slice(&results);
        }
        match first_error {
            Some(error) => Err(error),
            None => Ok(Counted::create(Program::new(context, programs, metadata))),
        }
    }

    fn program_info(program: &Counted<Program>, name: ProgramInfo, mut info: Info<'_>) -> Result<()> {
        let device_context = |on_device: &DeviceProgram| &program.context.devices[on_device.index];
        match name {
            ProgramInfo::REFERENCE_COUNT => info.value(program.reference_count()),
            ProgramInfo::CONTEXT => info.value(program.context.handle()),
            ProgramInfo::NUM_DEVICES => info.value(program.devices.len() as u32),
            ProgramInfo::DEVICES => {
                let devices: Vec<_> =
                    program.devices.iter().map(|known| device_context(known).device.handle()).collect();
                info.slice(&devices)
            }
            ProgramInfo::SOURCE => info.c_str(c""),
            // As in OpenCL, this is empty for a program that was not created from one module.
            ProgramInfo::IL => {
                match program
                    .devices
                    .first()
                    .and_then(|known| known.image.source())
                    .map(|source| &*source.modules)
                {
                    Some([il]) => info.bytes(il),
                    _ => info.bytes(&[]),
                }
            }
            ProgramInfo::BINARY_SIZES => {
                let sizes =
                    program.devices.iter().map(|known| Ok(known.binary(device_context(known))?.len()));
                info.slice(&sizes.collect::<Result<Vec<_>>>()?)
            }
            ProgramInfo::BINARIES => {
                let needed = program.devices.len() * size_of::<*mut u8>();
                let binaries = program.devices.iter().map(|known| known.binary(device_context(known)));
                let binaries = binaries.collect::<Result<Vec<_>>>()?;
                let (size, rooms, size_ret) = info.raw_parts();
                if !rooms.is_null() && size < needed {
                    return Err(Error::invalid_value(format!(
                        "the buffer has {size} bytes, the value {needed}"
                    )));
                }
                sys::write_binaries(&binaries, rooms, size_ret);
                Ok(())
            }
            ProgramInfo::NUM_KERNELS => info.value(program.kernels()?.len()),
            ProgramInfo::KERNEL_NAMES => info.str(&program.kernels()?.join(";")),
            _ => Err(Error::unknown_query("program", name)),
        }
    }

    fn program_compile(
        program: &Counted<Program>,
        target: BuildTarget<'_, Counted<Device>>,
        _: &[&Counted<Program>],
        _: &[*const c_char],
    ) -> Result<()> {
        for on_device in program.on_devices(target.devices)? {
            let mut build = on_device.last_build.lock();
            if !on_device.is_built() {
                build.options = target.options.unwrap_or_default().to_owned();
                build.status = ProgramBuildStatus::SUCCESS;
                build.kind = ProgramBinaryType::COMPILED_OBJECT;
            }
        }
        Ok(())
    }

    fn program_build(program: &Counted<Program>, target: BuildTarget<'_, Counted<Device>>) -> Result<()> {
        program.build(&target)
    }

    fn program_link(
        context: &Counted<Context>,
        target: BuildTarget<'_, Counted<Device>>,
        programs: &[&Counted<Program>],
        failed: &mut Option<New<Counted<Program>>>,
    ) -> Result<New<Counted<Program>>> {
        if programs.iter().any(|program| !std::ptr::eq(&*program.context, context)) {
            return Err(Error::other_context("one of the programs to link", "the context"));
        }
        if programs.iter().any(|program| program.source().is_some()) {
            return link_spirv(context, &target, programs, failed);
        }
        let kind =
            |program: &Program| program.devices.first().map(|on_device| on_device.last_build.lock().kind);
        let kinds: Vec<_> = programs.iter().map(|program| kind(program)).collect();
        if kinds.windows(2).any(|pair| pair[0] != pair[1]) {
            return Err(Error::new(
                ErrorCode::INVALID_OPERATION,
                "some of the programs are compiled and others are not: compile each, or none",
            ));
        }
        let options = target.options.unwrap_or_default();
        let (mut linked, mut failure) = (Vec::new(), None);
        for (index, device_context) in context.devices.iter().enumerate() {
            let asked = target.devices.is_empty()
                || target.devices.iter().any(|device| std::ptr::eq(*device, &*device_context.device));
            let inputs: Option<Vec<_>> =
                programs.iter().map(|program| program.at(index)?.link_input()).collect();
            let (true, Some(inputs)) = (asked, inputs) else { continue };
            let (program, result) = DeviceProgram::link(index, device_context, &inputs, options)?;
            linked.push(program);
            failure = failure.or(result.err());
        }
        if linked.is_empty() {
            return Err(Error::new(ErrorCode::INVALID_DEVICE, "the programs have no device in common"));
        }
        let metadata =
            programs.iter().fold(ImageMetadata::default(), |all, program| all.and(&program.metadata));
        let program = Counted::create(Program::new(context, linked, metadata));
        match failure {
            None => Ok(program),
            Some(error) => {
                *failed = Some(program);
                Err(link_failure(error))
            }
        }
    }

    fn program_build_info(
        program: &Counted<Program>,
        device: &Counted<Device>,
        name: ProgramBuildInfo,
        info: Info<'_>,
    ) -> Result<()> {
        let build = program.on_device(device)?.last_build.lock();
        match name {
            ProgramBuildInfo::STATUS => info.value(build.status),
            ProgramBuildInfo::OPTIONS => info.c_str(&build.options),
            ProgramBuildInfo::LOG => info.str(&build.log),
            ProgramBuildInfo::BINARY_TYPE => info.value(build.kind),
            _ => Err(Error::unknown_query("build", name)),
        }
    }

    fn program_set_specialization_constant(program: &Counted<Program>, id: u32, value: &[u8]) -> Result<()> {
        let source = program.source().ok_or_else(|| {
            Error::unsupported("PTX has no specialization constants: the runtime passes them in a buffer")
        })?;
        if program.devices.iter().any(DeviceProgram::is_built) {
            return Err(Error::new(
                ErrorCode::INVALID_OPERATION,
                "the program is built: specialization constants are set before",
            ));
        }
        source.set_constant(id, value);
        Ok(())
    }

    fn program_native_handle(program: &Counted<Program>) -> Result<NativeHandle> {
        opencl::refuse_native_handles()?;
        let first = program.devices.first().ok_or_else(|| not_built(false))?;
        Ok(first.module(&program.context.devices[first.index])?.raw.addr())
    }
}
