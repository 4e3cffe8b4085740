//! Programs: PTX, cubin and fatbin images, loaded by the driver; linked to cubins, and given back as such.

use core::ffi::{CStr, c_char};
use std::ffi::{CString, c_void};
use std::sync::OnceLock;

use parking_lot::Mutex;
use sycl_pi_backend::api::{BuildTarget, ProgramApi};
use sycl_pi_backend::{Counted, Error, Info, New, Result, Shared};
use sycl_pi_backend::types::*;

use crate::Cuda;
use crate::context::{Context, Place};
use crate::device::Device;
use crate::image::Image;
use crate::metadata::Declared;
use crate::platform::handle;
use crate::sys::{self, CUjit_option, CUmodule, Raw, cuda};

/// Behind `*mut RawProgram`.
pub struct Program {
    pub(crate) context: Shared<Context>,
    pub(crate) slots: Vec<Slot>,
    pub(crate) declared: Declared,
}

crate::kind!(Program, RawProgram, ErrorCode::INVALID_PROGRAM, "*mut RawProgram");

/// A program on one of its devices.
pub(crate) struct Slot {
    /// The device's place in the context.
    pub(crate) index: usize,
    image: Image,
    module: OnceLock<Module>,
    build: Mutex<Build>,
    cubin: OnceLock<Vec<u8>>,
}

/// What was asked of the last build, and what came of it.
struct Build {
    status: ProgramBuildStatus,
    kind: ProgramBinaryType,
    options: CString,
    log: String,
}

/// A loaded module.
pub(crate) struct Module {
    pub(crate) raw: Raw<CUmodule>,
    /// Variables that were looked for: the name that was given, address and size.
    variables: Mutex<Vec<(CString, u64, usize)>>,
}

impl Drop for Program {
    fn drop(&mut self) {
        for slot in &mut self.slots {
            if let Some(module) = slot.module.take() {
                let unload = || {
                    let _current = self.context.places[slot.index].enter()?;
                    cuda()?.cuModuleUnload(module.raw.get())
                };
                // A lost context takes its modules along.
                let _ = unload();
            }
        }
    }
}

impl Slot {
    fn new(index: usize, image: Image, kind: ProgramBinaryType) -> Self {
        let status = ProgramBuildStatus::NONE;
        let build = Build { status, kind, options: CString::default(), log: String::new() };
        Self { index, image, module: OnceLock::new(), build: Mutex::new(build), cubin: OnceLock::new() }
    }

    /// Loads the image.
    fn load(&self, place: &Place, options: &CStr) -> Result<()> {
        let mut build = self.build.lock();
        if self.module.get().is_some() {
            return Ok(());
        }
        build.options = options.to_owned();
        let _current = place.enter()?;
        let (text, binary) = self.image.parts();
        match sys::load_module(text, binary, &jit_options(options)) {
            Ok(loaded) => {
                let module = Module { raw: loaded.module, variables: Mutex::new(Vec::new()) };
                // Cannot be set yet: that happens only here, under the lock.
                let _ = self.module.set(module);
                build.log = loaded.log;
                build.status = ProgramBuildStatus::SUCCESS;
                build.kind = ProgramBinaryType::EXECUTABLE;
                Ok(())
            }
            Err((error, log)) => {
                build.status = ProgramBuildStatus::ERROR;
                build.log = if log.is_empty() { error.text().to_owned() } else { log.clone() };
                let code = match error.code() {
                    // These start the runtime's retry, or mean that the process is in trouble.
                    ErrorCode::OUT_OF_RESOURCES
                    | ErrorCode::UNINITIALIZED
                    | ErrorCode::COMMAND_EXECUTION_FAILURE => error.code(),
                    _ => ErrorCode::BUILD_PROGRAM_FAILURE,
                };
                let error = error.with_code(code);
                Err(if log.is_empty() { error } else { error.context(format!("build log: {log}")) })
            }
        }
    }

    /// A cubin of the image, made when first asked for; the image itself where it is no PTX.
    fn binary(&self, place: &Place) -> Result<&[u8]> {
        let Some(ptx) = self.image.ptx() else { return Ok(self.image.bytes()) };
        if let Some(cubin) = self.cubin.get() {
            return Ok(cubin);
        }
        let _current = place.enter()?;
        let options = self.build.lock().options.clone();
        let input = (ptx.to_bytes_with_nul(), sys::CUjitInputType::CU_JIT_INPUT_PTX);
        match sys::link(&[input], &jit_options(&options)) {
            Ok(linked) if !linked.cubin.is_empty() => Ok(self.cubin.get_or_init(|| linked.cubin)),
            // A driver without a linker: the PTX is as good for a cache, only slower to load.
            _ => Ok(self.image.bytes()),
        }
    }
}

/// The driver's options for a front end's; what is not known is left out, as compilers before this one saw it.
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

impl Program {
    fn new(context: &Counted<Context>, slots: Vec<Slot>, declared: Declared) -> Self {
        Self { context: context.share(), slots, declared }
    }

    /// The program on the device at that place of its context, built.
    #[inline(always)]
    pub(crate) fn module(&self, index: usize) -> Result<&Module> {
        let slot = self.slots.iter().find(|slot| slot.index == index);
        slot.and_then(|slot| slot.module.get()).ok_or_else(|| not_built(slot.is_some()))
    }

    fn slot_of(&self, device: &Counted<Device>) -> Result<&Slot> {
        let index = self.context.index_of(device)?;
        let slot = self.slots.iter().find(|slot| slot.index == index);
        slot.ok_or_else(|| Error::new(ErrorCode::INVALID_DEVICE, "device is not one of the program's"))
    }

    fn wanted<'a>(&'a self, devices: &[&Counted<Device>]) -> Result<Vec<&'a Slot>> {
        if devices.is_empty() {
            return Ok(self.slots.iter().collect());
        }
        devices.iter().map(|device| self.slot_of(device)).collect()
    }

    fn build(&self, target: &BuildTarget<'_, Counted<Device>>) -> Result<()> {
        if target.notify.function.is_some() {
            return Err(Error::invalid_value("pfn_notify: builds are done when the call returns"));
        }
        let options = target.options.unwrap_or_default();
        for slot in self.wanted(target.devices)? {
            slot.load(&self.context.places[slot.index], options)?;
        }
        Ok(())
    }

    /// Names of the kernels, as far as the driver tells.
    fn kernels(&self) -> Result<Vec<String>> {
        let slot =
            self.slots.iter().find(|slot| slot.module.get().is_some()).ok_or_else(|| not_built(true))?;
        let module = self.module(slot.index)?;
        let _current = self.context.places[slot.index].enter()?;
        let (cuda, mut count) = (cuda()?, 0);
        cuda.cuModuleGetFunctionCount(&mut count, module.raw.get())?;
        let mut functions = vec![std::ptr::null_mut(); count as usize];
        cuda.cuModuleEnumerateFunctions(functions.as_mut_ptr(), count, module.raw.get())?;
        functions.into_iter().map(sys::function_name).collect()
    }
}

#[cold]
fn not_built(has_device: bool) -> Error {
    let why = if has_device { "the program is not built" } else { "the program is not for this device" };
    Error::new(ErrorCode::INVALID_PROGRAM_EXECUTABLE, why)
}

impl Module {
    /// Address and size of a variable, by its symbol's name or by its unique id. The context is current.
    pub(crate) fn variable(&self, name: &CStr, declared: &Declared) -> Result<(u64, usize)> {
        let mut known = self.variables.lock();
        if let Some((_, address, size)) = known.iter().find(|(other, ..)| other.as_c_str() == name) {
            return Ok((*address, *size));
        }
        let symbol = declared.symbol(name).unwrap_or(name);
        let (mut address, mut size) = (0, 0);
        cuda()?.cuModuleGetGlobal_v2(&mut address, &mut size, self.raw.get(), symbol.as_ptr()).map_err(
            |error| error.context(format!("the program has no variable {name:?} (symbol {symbol:?})")),
        )?;
        known.push((name.to_owned(), address, size));
        Ok((address, size))
    }
}

impl ProgramApi for Cuda {
    fn program_create_with_il(_: &Counted<Context>, _: &[u8]) -> Result<New<Counted<Program>>> {
        Err(Error::unsupported("the CUDA driver takes no SPIR-V: build for the target nvptx64"))
    }

    fn program_create_with_source(
        _: &Counted<Context>,
        _: &[*const c_char],
        _: &[usize],
    ) -> Result<New<Counted<Program>>> {
        Err(Error::unsupported("the CUDA driver takes no source; it takes PTX, cubin and fatbin images"))
    }

    fn program_create_with_binary(
        context: &Counted<Context>,
        devices: &[&Counted<Device>],
        binaries: &[&[u8]],
        metadata: &[_pi_device_binary_property_struct],
        status: Option<&mut [i32]>,
    ) -> Result<New<Counted<Program>>> {
        let declared = Declared::read(metadata)?;
        let mut results = vec![ErrorCode::SUCCESS; binaries.len()];
        let mut slots = Vec::with_capacity(binaries.len());
        let mut first_error = None;
        for ((device, bytes), result) in devices.iter().zip(binaries).zip(&mut results) {
            let index = context.index_of(device)?;
            match Image::new(bytes) {
                Ok(image) => slots.push(Slot::new(index, image, ProgramBinaryType::NONE)),
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
            None => Ok(Counted::create(Program::new(context, slots, declared))),
        }
    }

    fn program_info(program: &Counted<Program>, name: ProgramInfo, mut info: Info<'_>) -> Result<()> {
        let place = |slot: &Slot| &program.context.places[slot.index];
        match name {
            ProgramInfo::REFERENCE_COUNT => info.value(program.reference_count()),
            ProgramInfo::CONTEXT => info.value(handle(&*program.context)),
            ProgramInfo::NUM_DEVICES => info.value(program.slots.len() as u32),
            ProgramInfo::DEVICES => {
                let devices: Vec<_> = program.slots.iter().map(|slot| handle(&*place(slot).device)).collect();
                info.slice(&devices)
            }
            ProgramInfo::SOURCE => info.c_str(c""),
            ProgramInfo::BINARY_SIZES => {
                let sizes = program.slots.iter().map(|slot| Ok(slot.binary(place(slot))?.len()));
                info.slice(&sizes.collect::<Result<Vec<_>>>()?)
            }
            ProgramInfo::BINARIES => {
                let needed = program.slots.len() * size_of::<*mut c_void>();
                let binaries = program.slots.iter().map(|slot| slot.binary(place(slot)));
                let binaries = binaries.collect::<Result<Vec<_>>>()?;
                let (size, rooms, size_ret) = info.raw_parts();
                if !rooms.is_null() && size < needed {
                    return Err(Error::invalid_value(format!(
                        "param_value_size is {size}, {needed} are needed"
                    )));
                }
                sys::write_binaries(&binaries, rooms, size_ret);
                Ok(())
            }
            ProgramInfo::NUM_KERNELS => info.value(program.kernels()?.len()),
            ProgramInfo::KERNEL_NAMES => info.str(&program.kernels()?.join(";")),
            _ => Err(Error::invalid_value(format!("param_name: unknown program query {name:#x}"))),
        }
    }

    fn program_compile(
        program: &Counted<Program>,
        target: BuildTarget<'_, Counted<Device>>,
        _: &[&Counted<Program>],
        _: &[*const c_char],
    ) -> Result<()> {
        for slot in program.wanted(target.devices)? {
            let mut build = slot.build.lock();
            if slot.module.get().is_none() {
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
            return Err(Error::new(ErrorCode::INVALID_CONTEXT, "input_programs: one is of another context"));
        }
        let state = |program: &Program| program.slots.first().map(|slot| slot.build.lock().kind);
        let states: Vec<_> = programs.iter().map(|program| state(program)).collect();
        if states.windows(2).any(|pair| pair[0] != pair[1]) {
            return Err(Error::new(
                ErrorCode::INVALID_OPERATION,
                "some of the programs are compiled and others are not: compile each, or none",
            ));
        }
        let options = target.options.unwrap_or_default();
        let (mut slots, mut failure) = (Vec::new(), None);
        for (index, place) in context.places.iter().enumerate() {
            let asked = target.devices.is_empty()
                || target.devices.iter().any(|device| std::ptr::eq(*device, &*place.device));
            let inputs: Option<Vec<_>> = programs
                .iter()
                .map(|program| Some(program.slots.iter().find(|slot| slot.index == index)?.image.input()))
                .collect();
            let (true, Some(inputs)) = (asked, inputs) else { continue };
            let _current = place.enter()?;
            match sys::link(&inputs, &jit_options(options)) {
                Ok(linked) => {
                    let slot =
                        Slot::new(index, Image::cubin(linked.cubin), ProgramBinaryType::EXECUTABLE);
                    let loaded = slot.load(place, options);
                    slot.build.lock().log.insert_str(0, &linked.log);
                    failure = failure.or(loaded.err());
                    slots.push(slot);
                }
                Err((error, log)) => {
                    let slot = Slot::new(index, Image::cubin(Vec::new()), ProgramBinaryType::NONE);
                    let mut build = slot.build.lock();
                    build.status = ProgramBuildStatus::ERROR;
                    build.log = if log.is_empty() { error.text().to_owned() } else { log.clone() };
                    drop(build);
                    slots.push(slot);
                    let error =
                        if log.is_empty() { error } else { error.context(format!("link log: {log}")) };
                    failure.get_or_insert(error);
                }
            }
        }
        if slots.is_empty() {
            return Err(Error::new(
                ErrorCode::INVALID_DEVICE,
                "input_programs: no device that all of them are for",
            ));
        }
        let declared = programs.iter().fold(Declared::default(), |all, program| all.and(&program.declared));
        let program = Counted::create(Program::new(context, slots, declared));
        match failure {
            None => Ok(program),
            Some(error) => {
                *failed = Some(program);
                let again = error.code() == ErrorCode::OUT_OF_RESOURCES;
                Err(if again { error } else { error.with_code(ErrorCode::LINK_PROGRAM_FAILURE) })
            }
        }
    }

    fn program_build_info(
        program: &Counted<Program>,
        device: &Counted<Device>,
        name: ProgramBuildInfo,
        info: Info<'_>,
    ) -> Result<()> {
        let build = program.slot_of(device)?.build.lock();
        match name {
            ProgramBuildInfo::STATUS => info.value(build.status),
            ProgramBuildInfo::OPTIONS => info.c_str(&build.options),
            ProgramBuildInfo::LOG => info.str(&build.log),
            ProgramBuildInfo::BINARY_TYPE => info.value(build.kind),
            _ => Err(Error::invalid_value(format!("param_name: unknown build query {name:#x}"))),
        }
    }

    fn program_retain(program: &Counted<Program>) -> Result<()> {
        program.retain();
        Ok(())
    }

    fn program_release(program: &Counted<Program>) -> Result<()> {
        program.release();
        Ok(())
    }

    fn program_set_specialization_constant(_: &Counted<Program>, _: u32, _: &[u8]) -> Result<()> {
        Err(Error::unsupported("PTX has no specialization constants: the runtime passes them in a buffer"))
    }

    fn program_native_handle(program: &Counted<Program>) -> Result<NativeHandle> {
        let first = program.slots.first().ok_or_else(|| not_built(false))?;
        Ok(program.module(first.index)?.raw.addr())
    }

    fn program_create_with_native_handle(
        _: NativeHandle,
        _: &Counted<Context>,
        _: bool,
    ) -> Result<New<Counted<Program>>> {
        Err(Error::unsupported("no program can be made of a CUmodule"))
    }
}
