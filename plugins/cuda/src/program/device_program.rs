//! A program on one device, with its image, its last build and its module.

use core::ffi::CStr;
use std::ffi::CString;
use std::sync::OnceLock;

use parking_lot::Mutex;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Result};

use crate::device::device_context::DeviceContext;
use crate::program::compiled_kernels::{CompiledKernels, FoundKernel};
use crate::program::device_image::{DeviceImage, not_built};
use crate::program::jit_options::{jit_options, with_few_registers};
use crate::program::launch_needs::LaunchNeeds;
use crate::program::module::Module;
use crate::program::program_binary::{LinkInput, ProgramBinary, with_ptx};
use crate::program::spirv::CompiledSpirv;
use crate::sys::{self, CUmodule, DriverHandle, JitFailure, cuda};

/// A program on one of its devices.
pub(crate) struct DeviceProgram {
    /// The device's index in the context.
    pub(crate) index: usize,
    pub(crate) image: DeviceImage,
    /// The module with all kernels. If kernels are compiled one by one, it exists only once it is needed.
    module: OnceLock<Module>,
    /// All other modules: of kernels that were compiled alone, or with few registers.
    kernels: CompiledKernels,
    pub(crate) last_build: Mutex<BuildState>,
    /// The binary for a cache.
    cached: OnceLock<Vec<u8>>,
}

/// The options and the result of the last build.
pub(crate) struct BuildState {
    pub(crate) status: ProgramBuildStatus,
    pub(crate) kind: ProgramBinaryType,
    pub(crate) options: CString,
    pub(crate) log: String,
}

impl DeviceProgram {
    pub(crate) fn new(index: usize, image: DeviceImage, kind: ProgramBinaryType) -> Self {
        let status = ProgramBuildStatus::NONE;
        let build = BuildState { status, kind, options: CString::default(), log: String::new() };
        Self {
            index,
            image,
            module: OnceLock::new(),
            kernels: CompiledKernels::default(),
            last_build: Mutex::new(build),
            cached: OnceLock::new(),
        }
    }

    /// Compiles the image and loads it into the driver, once. An image whose kernels are compiled one by one is only
    /// translated.
    pub(crate) fn build(&self, device_context: &DeviceContext, options: &CStr) -> Result<()> {
        let mut build = self.last_build.lock();
        if self.is_built() {
            return Ok(());
        }
        build.options = options.to_owned();
        let compiled = self.image.compile(&device_context.device, options);
        let Some(binary) = compiled.map_err(|error| build.fail(error, "", "build log"))? else {
            build.log.clear();
            build.status = ProgramBuildStatus::SUCCESS;
            build.kind = ProgramBinaryType::EXECUTABLE;
            return Ok(());
        };
        let (text, binary) = binary.parts();
        let _current = device_context.enter()?;
        match sys::load_module(text, binary, &jit_options(options)) {
            Ok(loaded) => {
                let module = Module::new(loaded.module);
                // It is not set yet, because that requires the lock of the last build, which was not this build.
                let _ = self.module.set(module);
                build.log = loaded.log;
                if let Some(compiled) = self.image.compiled() {
                    build.log.insert_str(0, &compiled.log);
                }
                build.status = ProgramBuildStatus::SUCCESS;
                build.kind = ProgramBinaryType::EXECUTABLE;
                Ok(())
            }
            Err(failure) => {
                let error = build.fail(failure.error, &failure.log, "build log");
                Err(as_failure(error, ErrorCode::BUILD_PROGRAM_FAILURE))
            }
        }
    }

    /// Returns a kernel for launches with the given needs.
    pub(crate) fn kernel_module(
        &self,
        device_context: &DeviceContext,
        kernel: &CStr,
        needs: &LaunchNeeds,
    ) -> Result<FoundKernel> {
        if needs.is_translated_again() || self.image.is_one_by_one() {
            return self.kernel_alone(device_context, kernel, needs);
        }
        let module = match needs.few_registers {
            true => self.limited_module(device_context)?,
            false => self.module(device_context)?.raw,
        };
        Ok((None, module))
    }

    /// Returns a kernel in its own module, which is compiled the first time.
    fn kernel_alone(
        &self,
        device_context: &DeviceContext,
        kernel: &CStr,
        needs: &LaunchNeeds,
    ) -> Result<FoundKernel> {
        let variant = needs.variant_of(kernel);
        let name = &variant.kernel;
        let options = self.last_build.lock().options.clone();
        let say = |what: &str| {
            if !what.is_empty() {
                self.add_to_log(&format!("kernel {name:?}: {what}"));
            }
        };
        let compile = || {
            let compiled = self.image.compile_one(&device_context.device, &options, &variant)?;
            say(&compiled.log);
            Ok(compiled)
        };
        let load = |compiled: &CompiledSpirv| {
            let _current = device_context.enter()?;
            if needs.few_registers {
                let ptx = compiled.code()?.source().ok_or_else(no_ptx)?;
                let options = with_few_registers(jit_options(&options), device_context);
                let loaded = sys::load_module(ptx, None, &options).map_err(JitFailure::into_error)?;
                return Ok(loaded.module);
            }
            let (text, binary) = compiled.code()?.parts();
            let loaded = sys::load_module(text, binary, &jit_options(&options));
            let loaded = loaded.map_err(JitFailure::into_error)?;
            say(&loaded.log);
            Ok(loaded.module)
        };
        self.kernels.get(&variant, needs.few_registers, compile, load).map_err(|error| {
            if needs.is_translated_again() {
                return error.context(format!("kernel {name:?} cannot be translated again for {needs}"));
            }
            let error = error.context(format!("kernel {name:?} cannot be compiled"));
            self.add_to_log(error.text());
            // libsycl queries the message for this code, but no build log of a kernel.
            as_failure(error, ErrorCode::PLUGIN_SPECIFIC_ERROR)
        })
    }

    /// Appends the messages about a kernel to the build log.
    fn add_to_log(&self, text: &str) {
        let log = &mut self.last_build.lock().log;
        log.push_str(text);
        log.push('\n');
    }

    /// Returns a module with all kernels of a program whose kernels are compiled one by one.
    #[cold]
    fn load_whole(&self, device_context: &DeviceContext) -> Result<&Module> {
        if !self.image.is_one_by_one() {
            return Err(not_built(true));
        }
        let build = self.last_build.lock();
        if let Some(module) = self.module.get() {
            return Ok(module);
        }
        let compiled = self.image.compile_whole(&device_context.device, &build.options)?;
        let (text, binary) = compiled.code()?.parts();
        let _current = device_context.enter()?;
        let loaded = sys::load_module(text, binary, &jit_options(&build.options));
        let loaded = loaded.map_err(JitFailure::into_error)?;
        Ok(self.module.get_or_init(|| Module::new(loaded.module)))
    }

    /// Returns the module whose kernels use few enough registers for the largest work-group of the device.
    fn limited_module(&self, device_context: &DeviceContext) -> Result<DriverHandle<CUmodule>> {
        self.kernels.all_limited(|| {
            let why_not = |why| Error::new(ErrorCode::OUT_OF_RESOURCES, why);
            let ptx = self.image.to_build_again().map_err(why_not)?;
            let options = self.last_build.lock().options.clone();
            let options = with_few_registers(jit_options(&options), device_context);
            let _current = device_context.enter()?;
            let loaded = sys::load_module(ptx, None, &options).map_err(JitFailure::into_error)?;
            Ok(loaded.module)
        })
    }

    /// Returns the binary for a cache: a cubin with its PTX, created at the first request, in a container with the
    /// SPIR-V if the program comes from SPIR-V. It is the SPIR-V alone if the code must not be stored or if kernels are
    /// compiled one by one. It is empty before a build of SPIR-V.
    pub(crate) fn binary(&self, device_context: &DeviceContext) -> Result<&[u8]> {
        if let Some(cached) = self.cached.get() {
            return Ok(cached);
        }
        if let Some(source) = self.image.source_to_keep() {
            let options = self.last_build.lock().options.clone();
            return Ok(self.cached.get_or_init(|| source.write(&source.options(&options))));
        }
        let Some(image) = self.image.binary() else { return Ok(&[]) };
        let cubin = self.cubin_of(image, device_context)?;
        let code = cubin.as_deref().unwrap_or(image.bytes());
        match self.image.compiled() {
            Some(compiled) => Ok(self.cached.get_or_init(|| {
                let source = self.image.spirv(&self.last_build.lock().options);
                let source = source.map(|(source, options)| source.write(&options)).unwrap_or_default();
                compiled.write(&source, code)
            })),
            None if cubin.is_some() => Ok(self.cached.get_or_init(|| code.to_vec())),
            None => Ok(image.bytes()),
        }
    }

    /// Links PTX to a cubin and appends the PTX. Returns `None` for other images and if the driver has no linker,
    /// because PTX is an equivalent cache entry, only slower to load.
    fn cubin_of(&self, image: &ProgramBinary, device_context: &DeviceContext) -> Result<Option<Vec<u8>>> {
        let Some(ptx) = image.ptx() else { return Ok(None) };
        let _current = device_context.enter()?;
        let options = self.last_build.lock().options.clone();
        let input = (ptx.to_bytes_with_nul(), sys::CUjitInputType::CU_JIT_INPUT_PTX);
        let linked = sys::link(&[input], &jit_options(&options));
        let cubin = linked.ok().map(|linked| linked.cubin).filter(|cubin| !cubin.is_empty());
        Ok(cubin.map(|cubin| with_ptx(cubin, ptx)))
    }
}

fn no_ptx() -> Error {
    Error::new(ErrorCode::OUT_OF_RESOURCES, "its image has no PTX")
}

/// Replaces the error code of a failed compilation, unless the runtime should free memory and retry, or the process is
/// in a bad state.
fn as_failure(error: Error, code: ErrorCode) -> Error {
    match error.code() {
        ErrorCode::OUT_OF_RESOURCES | ErrorCode::UNINITIALIZED | ErrorCode::COMMAND_EXECUTION_FAILURE => {
            error
        }
        _ => error.with_code(code),
    }
}

impl DeviceProgram {
    /// Returns the loaded module with all kernels.
    #[inline]
    pub(crate) fn module(&self, device_context: &DeviceContext) -> Result<&Module> {
        match self.module.get() {
            Some(module) => Ok(module),
            None => self.load_whole(device_context),
        }
    }

    /// Returns whether the image is loaded, or its kernels can be created.
    pub(crate) fn is_built(&self) -> bool {
        self.module.get().is_some() || self.image.is_one_by_one()
    }

    /// Returns the image as an input of the driver's linker, or `None` for SPIR-V that is not compiled.
    pub(crate) fn link_input(&self) -> Option<LinkInput<'_>> {
        self.image.binary().map(ProgramBinary::input)
    }

    /// Links images to a program and builds it. A failed link leaves a program with the log.
    pub(crate) fn link(
        index: usize,
        device_context: &DeviceContext,
        inputs: &[LinkInput<'_>],
        options: &CStr,
    ) -> Result<(Self, Result<()>)> {
        let _current = device_context.enter()?;
        Ok(match sys::link(inputs, &jit_options(options)) {
            Ok(linked) => {
                let binary = DeviceImage::Driver(ProgramBinary::Cubin(linked.cubin));
                let program = Self::new(index, binary, ProgramBinaryType::EXECUTABLE);
                let built = program.build(device_context, options);
                program.last_build.lock().log.insert_str(0, &linked.log);
                (program, built)
            }
            Err(failure) => {
                let binary = DeviceImage::Driver(ProgramBinary::Cubin(Vec::new()));
                let program = Self::new(index, binary, ProgramBinaryType::NONE);
                let error = program.last_build.lock().fail(failure.error, &failure.log, "link log");
                (program, Err(error))
            }
        })
    }

    /// Unloads the modules. The context must be current.
    pub(crate) fn unload(&mut self) -> Result<()> {
        let others = self.kernels.unload();
        match self.module.take() {
            Some(module) => cuda()?.cuModuleUnload(module.raw.get()).and(others),
            None => others,
        }
    }
}

impl BuildState {
    /// Stores the log of a failure and adds it to the error's message.
    fn fail(&mut self, error: Error, log: &str, what: &str) -> Error {
        self.status = ProgramBuildStatus::ERROR;
        log.clone_into(&mut self.log);
        if log.is_empty() {
            error.text().clone_into(&mut self.log);
            return error;
        }
        error.context(format!("{what}: {log}"))
    }
}
