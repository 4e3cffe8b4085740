//! A program on one device: its image, its last build and its module.

use core::ffi::CStr;
use std::ffi::CString;
use std::sync::OnceLock;

use parking_lot::Mutex;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Result};
use sycl_pi_nvvm::Variant;

use crate::device_context::DeviceContext;
use crate::device_image::{DeviceImage, not_built};
use crate::kernel_modules::{FoundKernel, KernelModules};
use crate::program_binary::{LinkInput, ProgramBinary, with_ptx};
use crate::spirv::CompiledSpirv;
use crate::sys::{self, CUjit_option, CUmodule, DriverHandle, cuda};

/// A program on one of its devices.
pub(crate) struct DeviceProgram {
    /// The device's index in the context.
    pub(crate) index: usize,
    pub(crate) image: DeviceImage,
    /// All kernels. Where they are compiled one by one, it is there once something asks for it.
    module: OnceLock<Module>,
    /// The kernels that were created, where they are compiled one by one.
    kernels: KernelModules,
    /// The same with so few registers that the largest work-group fits, built when a launch first needs it.
    limited: OnceLock<Module>,
    /// Modules of kernels that were translated again for some launches.
    variants: Mutex<Vec<DriverHandle<CUmodule>>>,
    pub(crate) build: Mutex<BuildState>,
    /// What a cache keeps of it.
    cached: OnceLock<Vec<u8>>,
}

/// The last build: what it was asked for, and its result.
pub(crate) struct BuildState {
    pub(crate) status: ProgramBuildStatus,
    pub(crate) kind: ProgramBinaryType,
    pub(crate) options: CString,
    pub(crate) log: String,
}

/// A loaded module.
pub(crate) struct Module {
    pub(crate) raw: DriverHandle<CUmodule>,
    /// Variables that were looked up: name, address and size.
    variables: Mutex<Vec<(CString, u64, usize)>>,
}

impl DeviceProgram {
    pub(crate) fn new(index: usize, image: DeviceImage, kind: ProgramBinaryType) -> Self {
        let status = ProgramBuildStatus::NONE;
        let build = BuildState { status, kind, options: CString::default(), log: String::new() };
        Self {
            index,
            image,
            module: OnceLock::new(),
            limited: OnceLock::new(),
            kernels: KernelModules::default(),
            variants: Mutex::new(Vec::new()),
            build: Mutex::new(build),
            cached: OnceLock::new(),
        }
    }

    /// Loads the image into the driver, once; one whose kernels are compiled one by one is translated.
    pub(crate) fn load(&self, device_context: &DeviceContext, options: &CStr) -> Result<()> {
        let mut build = self.build.lock();
        if self.is_built() {
            return Ok(());
        }
        build.options = options.to_owned();
        let prepared = self.image.prepare(&device_context.device, options);
        let Some(binary) = prepared.map_err(|error| build.fail(error, "", "build log"))? else {
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
                // Cannot be set yet: that happens only here, under the lock.
                let _ = self.module.set(module);
                build.log = loaded.log;
                if let Some(compiled) = self.image.compiled() {
                    build.log.insert_str(0, &compiled.log);
                }
                build.status = ProgramBuildStatus::SUCCESS;
                build.kind = ProgramBinaryType::EXECUTABLE;
                Ok(())
            }
            Err((error, log)) => {
                let error = build.fail(error, &log, "build log");
                Err(as_failure(error, ErrorCode::BUILD_PROGRAM_FAILURE))
            }
        }
    }

    /// The module of a kernel and what is known of it, where kernels are compiled one by one; compiled now if it is the first time.
    pub(crate) fn kernel_module(
        &self,
        device_context: &DeviceContext,
        kernel: &CStr,
        few_registers: bool,
    ) -> Result<Option<FoundKernel>> {
        if !self.image.is_one_by_one() {
            return Ok(None);
        }
        let name = kernel.to_string_lossy();
        let options = self.build.lock().options.clone();
        let say = |what: &str| {
            if !what.is_empty() {
                self.add_to_log(&format!("kernel {name:?}: {what}"));
            }
        };
        let compile = || {
            let variant = Variant { kernel: name.to_string(), ..Variant::default() };
            let compiled = self.image.variant(&device_context.device, &options, &variant)?;
            say(&compiled.log);
            Ok(compiled)
        };
        let load = |compiled: &CompiledSpirv| {
            let _current = device_context.enter()?;
            if few_registers {
                let no_ptx = || Error::new(ErrorCode::OUT_OF_RESOURCES, "its image has no PTX");
                let ptx = compiled.code()?.source().ok_or_else(no_ptx)?;
                let options = with_few_registers(jit_options(&options), device_context);
                return load_later(ptx, None, &options).map(|loaded| loaded.module);
            }
            let (text, binary) = compiled.code()?.parts();
            let loaded = load_later(text, binary, &jit_options(&options))?;
            say(&loaded.log);
            Ok(loaded.module)
        };
        self.kernels.get(&name, few_registers, compile, load).map_err(|error| {
            let error = error.context(format!("kernel {name:?} cannot be compiled"));
            self.add_to_log(error.text());
            // libsycl asks for the text of this code, and for no build log of a kernel.
            as_failure(error, ErrorCode::PLUGIN_SPECIFIC_ERROR)
        })
    }

    /// Puts what was said of a kernel behind the build's log.
    fn add_to_log(&self, text: &str) {
        let log = &mut self.build.lock().log;
        log.push_str(text);
        log.push('\n');
    }

    /// All kernels of a program that compiles them one by one, as a module.
    #[cold]
    fn load_whole(&self, device_context: &DeviceContext) -> Result<&Module> {
        if !self.image.is_one_by_one() {
            return Err(not_built(true));
        }
        let build = self.build.lock();
        if let Some(module) = self.module.get() {
            return Ok(module);
        }
        let compiled = self.image.whole(&device_context.device, &build.options)?;
        let (text, binary) = compiled.code()?.parts();
        let _current = device_context.enter()?;
        let loaded = load_later(text, binary, &jit_options(&build.options))?.module;
        Ok(self.module.get_or_init(|| Module::new(loaded)))
    }

    /// The module whose kernels have registers enough for the largest work-group of the device.
    pub(crate) fn limited_module(&self, device_context: &DeviceContext) -> Result<&Module> {
        let build = self.build.lock();
        if let Some(module) = self.limited.get() {
            return Ok(module);
        }
        let ptx = self.image.to_build_again().map_err(|why| Error::new(ErrorCode::OUT_OF_RESOURCES, why))?;
        let options = with_few_registers(jit_options(&build.options), device_context);
        let _current = device_context.enter()?;
        let loaded = load_later(ptx, None, &options)?.module;
        Ok(self.limited.get_or_init(|| Module::new(loaded)))
    }

    /// A module of one kernel of SPIR-V, translated again, and what is known of the kernel.
    pub(crate) fn variant_module(
        &self,
        device_context: &DeviceContext,
        variant: &Variant,
        few_registers: bool,
    ) -> Result<FoundKernel> {
        let options = self.build.lock().options.clone();
        let compiled = self.image.variant(&device_context.device, &options, variant)?;
        let facts = compiled.kernel(&variant.kernel).cloned().ok_or_else(Error::not_built)?;
        let mut options = jit_options(&options);
        if few_registers {
            options = with_few_registers(options, device_context);
        }
        let (text, binary) = compiled.code()?.parts();
        let _current = device_context.enter()?;
        let module = load_later(text, binary, &options)?.module;
        self.variants.lock().push(module);
        Ok((facts, module))
    }

    /// What a cache may keep: a cubin, made when first asked for, with its PTX; in a container with the SPIR-V if the program is of that;
    /// the SPIR-V alone where its code is not to be kept, or compiled one kernel at a time. Empty before a build of SPIR-V.
    pub(crate) fn binary(&self, device_context: &DeviceContext) -> Result<&[u8]> {
        if let Some(cached) = self.cached.get() {
            return Ok(cached);
        }
        if let Some(source) = self.image.source_to_keep() {
            let options = self.build.lock().options.clone();
            return Ok(self.cached.get_or_init(|| source.write(&source.options(&options))));
        }
        let Some(image) = self.image.binary() else { return Ok(&[]) };
        let cubin = self.cubin_of(image, device_context)?;
        let code = cubin.as_deref().unwrap_or(image.bytes());
        match self.image.compiled() {
            Some(compiled) => Ok(self.cached.get_or_init(|| {
                let source = self.image.spirv(&self.build.lock().options);
                let source = source.map(|(source, options)| source.write(&options)).unwrap_or_default();
                compiled.write(&source, code)
            })),
            None if cubin.is_some() => Ok(self.cached.get_or_init(|| code.to_vec())),
            None => Ok(image.bytes()),
        }
    }

    /// A cubin of PTX, with the PTX. None of anything else, nor of a driver without a linker: PTX is as good for a cache, only slower to load.
    fn cubin_of(&self, image: &ProgramBinary, device_context: &DeviceContext) -> Result<Option<Vec<u8>>> {
        let Some(ptx) = image.ptx() else { return Ok(None) };
        let _current = device_context.enter()?;
        let options = self.build.lock().options.clone();
        let input = (ptx.to_bytes_with_nul(), sys::CUjitInputType::CU_JIT_INPUT_PTX);
        let linked = sys::link(&[input], &jit_options(&options));
        let cubin = linked.ok().map(|linked| linked.cubin).filter(|cubin| !cubin.is_empty());
        Ok(cubin.map(|cubin| with_ptx(cubin, ptx)))
    }
}

/// The driver's options for a front end's. Others are left out: they were for the compiler that made the image.
fn jit_options(options: &CStr) -> Vec<(CUjit_option, usize)> {
    let text = options.to_string_lossy();
    let mut list = Vec::new();
    let mut words = text.split_ascii_whitespace();
    while let Some(word) = words.next() {
        let option = word.trim_start_matches('-');
        match option.split_once('=').unwrap_or((option, "")) {
            ("maxrregcount", count) => {
                let count = if count.is_empty() { words.next().unwrap_or_default() } else { count };
                if let Ok(count) = count.parse() {
                    list.push((CUjit_option::CU_JIT_MAX_REGISTERS, count));
                }
            }
            ("O0", "") => list.push((CUjit_option::CU_JIT_OPTIMIZATION_LEVEL, 0)),
            ("O1", "") => list.push((CUjit_option::CU_JIT_OPTIMIZATION_LEVEL, 1)),
            ("O2", "") => list.push((CUjit_option::CU_JIT_OPTIMIZATION_LEVEL, 2)),
            ("O3", "") => list.push((CUjit_option::CU_JIT_OPTIMIZATION_LEVEL, 3)),
            ("g", "") => list.push((CUjit_option::CU_JIT_GENERATE_DEBUG_INFO, 1)),
            ("lineinfo" | "gline-tables-only", "") => list.push((CUjit_option::CU_JIT_GENERATE_LINE_INFO, 1)),
            _ => log::debug!("build option {word:?} means nothing to the CUDA driver"),
        }
    }
    list
}

/// The options for a module whose kernels have registers enough for the largest work-group.
fn with_few_registers(
    mut options: Vec<(CUjit_option, usize)>,
    device_context: &DeviceContext,
) -> Vec<(CUjit_option, usize)> {
    let limits = &device_context.device.limits;
    options.retain(|(option, _)| *option != CUjit_option::CU_JIT_MAX_REGISTERS);
    options.push((CUjit_option::CU_JIT_MAX_REGISTERS, limits.registers / limits.threads.max(1)));
    options
}

/// The error of a compilation, with that code; but where the runtime is to free memory and try again, or the process is in trouble, with
/// its own.
fn as_failure(error: Error, code: ErrorCode) -> Error {
    match error.code() {
        ErrorCode::OUT_OF_RESOURCES | ErrorCode::UNINITIALIZED | ErrorCode::COMMAND_EXECUTION_FAILURE => {
            error
        }
        _ => error.with_code(code),
    }
}

/// Loads a module beside the program's own; an error has the log. The context is current.
fn load_later(
    text: &CStr,
    binary: Option<&[u8]>,
    options: &[(CUjit_option, usize)],
) -> Result<sys::LoadedModule> {
    sys::load_module(text, binary, options).map_err(|(error, log)| match log.as_str() {
        "" => error,
        log => error.context(format!("build log: {log}")),
    })
}

impl DeviceProgram {
    /// The loaded module, with all kernels.
    #[inline]
    pub(crate) fn module(&self, device_context: &DeviceContext) -> Result<&Module> {
        match self.module.get() {
            Some(module) => Ok(module),
            None => self.load_whole(device_context),
        }
    }

    /// Whether the image is loaded, or its kernels can be created.
    pub(crate) fn is_built(&self) -> bool {
        self.module.get().is_some() || self.image.is_one_by_one()
    }

    /// The image as an input of the driver's linker; none of SPIR-V that is not compiled.
    pub(crate) fn link_input(&self) -> Option<LinkInput<'_>> {
        self.image.binary().map(ProgramBinary::input)
    }

    /// Links images to a program and loads it. A failed link leaves a program with the log.
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
                let loaded = program.load(device_context, options);
                program.build.lock().log.insert_str(0, &linked.log);
                (program, loaded)
            }
            Err((error, log)) => {
                let binary = DeviceImage::Driver(ProgramBinary::Cubin(Vec::new()));
                let program = Self::new(index, binary, ProgramBinaryType::NONE);
                let failure = program.build.lock().fail(error, &log, "link log");
                (program, Err(failure))
            }
        })
    }

    /// Takes the modules out. The context is current.
    pub(crate) fn unload(&mut self) -> Result<()> {
        let cuda = cuda()?;
        let unload =
            |module: Option<Module>| module.map_or(Ok(()), |module| cuda.cuModuleUnload(module.raw.get()));
        let mut others = std::mem::take(self.variants.get_mut());
        others.extend(self.kernels.take());
        let unloaded: Vec<_> = others.into_iter().map(|module| cuda.cuModuleUnload(module.get())).collect();
        let unloaded = unloaded.into_iter().collect::<Result<()>>();
        unload(self.limited.take()).and(unload(self.module.take())).and(unloaded)
    }
}

impl BuildState {
    /// Keeps the log of a failure, and puts it into the error's text.
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

impl Module {
    fn new(raw: DriverHandle<CUmodule>) -> Self {
        Self { raw, variables: Mutex::new(Vec::new()) }
    }

    /// Address and size of a variable; its symbol where the name is another.
    pub(crate) fn variable(
        &self,
        name: &CStr,
        symbol: Option<&CStr>,
        device_context: &DeviceContext,
    ) -> Result<(u64, usize)> {
        let mut known = self.variables.lock();
        if let Some((_, address, size)) = known.iter().find(|(other, ..)| other.as_c_str() == name) {
            return Ok((*address, *size));
        }
        let _current = device_context.enter()?;
        let symbol = symbol.unwrap_or(name);
        let (mut address, mut size) = (0, 0);
        cuda()?.cuModuleGetGlobal_v2(&mut address, &mut size, self.raw.get(), symbol.as_ptr()).map_err(
            |error| error.context(format!("the program has no variable {name:?} (symbol {symbol:?})")),
        )?;
        known.push((name.to_owned(), address, size));
        Ok((address, size))
    }
}

#[cfg(test)]
mod tests {
    use super::jit_options;
    use crate::sys::CUjit_option::{self, *};

    #[test]
    fn options_of_the_front_end_become_the_drivers() {
        const NONE: &[(CUjit_option, usize)] = &[];
        for (text, expected) in [
            (c"-O0", &[(CU_JIT_OPTIMIZATION_LEVEL, 0)][..]),
            (c"-O1", &[(CU_JIT_OPTIMIZATION_LEVEL, 1)]),
            (c"-O2", &[(CU_JIT_OPTIMIZATION_LEVEL, 2)]),
            (c"-O3", &[(CU_JIT_OPTIMIZATION_LEVEL, 3)]),
            (c"-g", &[(CU_JIT_GENERATE_DEBUG_INFO, 1)]),
            (c"-lineinfo", &[(CU_JIT_GENERATE_LINE_INFO, 1)]),
            (c"-gline-tables-only", &[(CU_JIT_GENERATE_LINE_INFO, 1)]),
            (c"--maxrregcount=32", &[(CU_JIT_MAX_REGISTERS, 32)]),
            (c"-maxrregcount 64 -O2", &[(CU_JIT_MAX_REGISTERS, 64), (CU_JIT_OPTIMIZATION_LEVEL, 2)]),
            (c"-maxrregcount=many -cl-fast-relaxed-math -O2=1", NONE),
            (c"", NONE),
        ] {
            assert_eq!(jit_options(text), expected, "{text:?}");
        }
    }
}
