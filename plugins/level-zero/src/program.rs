//! Programs: from SPIR-V or native binaries through compile, link and build.
//!
//! Level Zero compiles and links in one step. `piProgramCompile` therefore keeps the options, and the driver sees the
//! program when it is linked or built.

use core::ffi::{CStr, c_char};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;
use sycl_pi_backend::api::{BuildTarget, ProgramApi};
use sycl_pi_backend::{Counted, Error, Info, New, Result, Shared, spirv};
use sycl_pi_backend::types::*;

use crate::arguments::{self, Sizes};
use crate::module::{Constants, Input, Module};
use crate::sys::{self, Address, *};
use crate::{Context, Device, LevelZero, Program, context, device, handle, program_info};

/// A program.
pub struct Body {
    pub(crate) source: Source,
    /// The SPIR-V that it was linked from.
    linked_from: Vec<Arc<[u8]>>,
    /// Read when the first kernel is made.
    arguments: OnceLock<HashMap<Box<[u8]>, Sizes>>,
    constants: Mutex<Constants>,
    pub(crate) state: Mutex<State>,
    /// The last field: modules go before their context.
    pub(crate) context: Shared<context::Body>,
}

kind!(Body, RawProgram, ErrorCode::INVALID_PROGRAM);

/// What the program came from.
pub(crate) enum Source {
    Il(Arc<[u8]>),
    /// One native binary per device.
    Binaries(Vec<(Shared<device::Body>, Arc<[u8]>)>),
    /// Linked from others, or a driver's module from outside.
    None,
}

/// How far the program is.
#[derive(Default)]
pub(crate) struct State {
    /// Whether it was compiled for linking.
    pub(crate) compiled: bool,
    pub(crate) options: String,
    pub(crate) builds: Vec<Build>,
}

/// A build for one device.
pub(crate) struct Build {
    pub(crate) device: ze_device_handle_t,
    pub(crate) module: Option<Arc<Module>>,
    pub(crate) log: String,
}

impl Body {
    fn new(context: &Context, source: Source) -> Self {
        Self {
            context: context.share(),
            source,
            linked_from: Vec::new(),
            arguments: OnceLock::new(),
            constants: Mutex::default(),
            state: Mutex::default(),
        }
    }

    /// The sizes of a kernel's arguments, as far as they are known: a native binary does not tell them.
    pub(crate) fn argument_sizes(&self, kernel: &CStr) -> Option<&Sizes> {
        let own = match &self.source {
            Source::Il(il) => Some(&**il),
            Source::Binaries(_) | Source::None => None,
        };
        let modules = own.into_iter().chain(self.linked_from.iter().map(|il| &**il));
        self.arguments.get_or_init(|| arguments::of_modules(modules)).get(kernel.to_bytes())
    }

    /// The module for a device: its own, or that of the device it is a part of.
    pub(crate) fn module(&self, device: &device::Body) -> Result<Arc<Module>> {
        let state = self.state.lock();
        let mut device = Some(device);
        while let Some(at) = device {
            let build = state.builds.iter().find(|build| build.device == at.ze);
            if let Some(module) = build.and_then(|build| build.module.clone()) {
                return Ok(module);
            }
            device = at.parent.as_deref().map(|parent| &**parent);
        }
        Err(not_built())
    }

    /// Every module there is, with the device that it is for.
    pub(crate) fn modules(&self) -> Result<Vec<(ze_device_handle_t, Arc<Module>)>> {
        let state = self.state.lock();
        let modules: Vec<_> =
            state.builds.iter().filter_map(|build| Some((build.device, build.module.clone()?))).collect();
        if modules.is_empty() { Err(not_built()) } else { Ok(modules) }
    }

    /// All SPIR-V in it.
    fn il(&self) -> Vec<Arc<[u8]>> {
        match &self.source {
            Source::Il(il) => vec![il.clone()],
            Source::Binaries(_) | Source::None => self.linked_from.clone(),
        }
    }

    /// What the driver is given for a device.
    fn input(&self, device: &device::Body, options: &str) -> Result<Input> {
        let (format, bytes) = match &self.source {
            Source::Il(il) => (ZE_MODULE_FORMAT_IL_SPIRV, il.clone()),
            Source::Binaries(binaries) => {
                let root = device.root().ze;
                let fits = |of: ze_device_handle_t| of == device.ze || of == root;
                let found = binaries.iter().find(|(of, _)| fits(of.ze));
                let (_, bytes) = found.ok_or_else(|| {
                    Error::new(ErrorCode::INVALID_DEVICE, "the program has no binary for the device")
                })?;
                (ZE_MODULE_FORMAT_NATIVE, bytes.clone())
            }
            Source::None => {
                return Err(Error::new(ErrorCode::INVALID_OPERATION, "the program is linked already"));
            }
        };
        Ok(Input { format, bytes, options: options.into(), constants: self.constants.lock().clone() })
    }
}

#[cold]
fn not_built() -> Error {
    Error::new(ErrorCode::INVALID_PROGRAM_EXECUTABLE, "the program is not built for the device")
}

fn options(target: &BuildTarget<'_, Device>) -> String {
    target.options.map(|options| options.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The devices to build for, each once: those of the call, or the context's.
fn devices<'a>(context: &'a Context, target: &BuildTarget<'a, Device>) -> Result<Vec<&'a Device>> {
    let mut list: Vec<&Device> = Vec::new();
    let of_context = context.devices.iter().map(|device| &**device);
    let asked: Vec<&Device> =
        if target.devices.is_empty() { of_context.collect() } else { target.devices.to_vec() };
    for device in asked {
        // A runtime may build for the root of a context's sub-device.
        let parent = context.devices.iter().any(|of| of.root().ze == device.ze);
        if !parent {
            context.check(device)?;
        }
        if !list.iter().any(|known| known.ze == device.ze) {
            list.push(device);
        }
    }
    Ok(list)
}

/// Builds for each device; the first error is the answer, every log is kept.
fn build(
    program: &Body,
    devices: &[&Device],
    inputs: impl Fn(&device::Body) -> Result<Vec<Input>>,
    options: &str,
) -> Result<()> {
    let mut first = None;
    for device in devices {
        let outcome = Module::build(&program.context, device, &inputs(device)?, options);
        let (module, error) = match outcome.module {
            Ok(module) => (Some(Arc::new(module)), None),
            Err(error) => (None, Some(error)),
        };
        let mut state = program.state.lock();
        state.options = options.into();
        state.builds.retain(|build| build.device != device.ze);
        state.builds.push(Build { device: device.ze, module, log: outcome.log });
        first = first.or(error);
    }
    first.map_or(Ok(()), Err)
}

/// Level Zero links with the options that the inputs were compiled with, as shipped plugins say too.
#[cold]
fn refuse_link_options(
    context: &Context,
    devices: &[&Device],
    options: &str,
    failed: &mut Option<New<Program>>,
) -> Error {
    let text = format!("Level Zero takes no link options; {options:?} belongs to the compilation");
    let program = Body::new(context, Source::None);
    for device in devices {
        program.state.lock().builds.push(Build { device: device.ze, module: None, log: text.clone() });
    }
    *failed = Some(Counted::create(program));
    Error::new(ErrorCode::LINK_PROGRAM_FAILURE, text)
}

impl ProgramApi for LevelZero {
    fn program_create_with_il(context: &Context, il: &[u8]) -> Result<New<Program>> {
        spirv::check(il)?;
        Ok(Counted::create(Body::new(context, Source::Il(il.into()))))
    }

    fn program_create_with_source(_: &Context, _: &[*const c_char], _: &[usize]) -> Result<New<Program>> {
        Err(Error::unsupported("Level Zero takes SPIR-V and native binaries, no source text"))
    }

    fn program_create_with_binary(
        context: &Context,
        devices: &[&Device],
        binaries: &[&[u8]],
        _: &[_pi_device_binary_property_struct],
        status: Option<&mut [i32]>,
    ) -> Result<New<Program>> {
        for device in devices {
            let parent = context.devices.iter().any(|of| of.root().ze == device.ze);
            if !parent {
                context.check(device)?;
            }
        }
        let list = devices.iter().zip(binaries).map(|(device, bytes)| (device.share(), Arc::from(*bytes)));
        let source = Source::Binaries(list.collect());
        if let Some(status) = status {
            status.fill(ErrorCode::SUCCESS);
        }
        Ok(Counted::create(Body::new(context, source)))
    }

    fn program_info(program: &Program, name: ProgramInfo, info: Info<'_>) -> Result<()> {
        program_info::get(program, name, info)
    }

    fn program_compile(
        program: &Program,
        target: BuildTarget<'_, Device>,
        headers: &[&Program],
        _: &[*const c_char],
    ) -> Result<()> {
        if !headers.is_empty() {
            return Err(Error::unsupported("SPIR-V has no headers"));
        }
        if !matches!(program.source, Source::Il(_)) {
            return Err(Error::new(ErrorCode::INVALID_OPERATION, "only SPIR-V can be compiled"));
        }
        devices(&program.context, &target)?;
        {
            let mut state = program.state.lock();
            state.compiled = true;
            state.options = options(&target);
        }
        sys::call_program_notify(target.notify.function, handle(program), target.notify.user_data);
        Ok(())
    }

    fn program_build(program: &Program, target: BuildTarget<'_, Device>) -> Result<()> {
        let (devices, options) = (devices(&program.context, &target)?, options(&target));
        // What was linked, or came as a driver's module, is built already.
        let linked = matches!(program.source, Source::None);
        if linked && devices.iter().all(|device| program.module(device).is_ok()) {
            sys::call_program_notify(target.notify.function, handle(program), target.notify.user_data);
            return Ok(());
        }
        let built = build(program, &devices, |device| Ok(vec![program.input(device, &options)?]), &options);
        sys::call_program_notify(target.notify.function, handle(program), target.notify.user_data);
        built
    }

    fn program_link(
        context: &Context,
        target: BuildTarget<'_, Device>,
        programs: &[&Program],
        failed: &mut Option<New<Program>>,
    ) -> Result<New<Program>> {
        let devices = devices(context, &target)?;
        for program in programs {
            if program.context.ze != context.ze {
                return Err(Error::new(ErrorCode::INVALID_CONTEXT, "a program is of another context"));
            }
            if matches!(program.source, Source::Il(_)) && !program.state.lock().compiled {
                return Err(Error::new(ErrorCode::INVALID_OPERATION, "a program is not compiled"));
            }
        }
        if let [only] = programs
            && matches!(only.source, Source::Binaries(_))
        {
            return Err(Error::new(
                ErrorCode::INVALID_OPERATION,
                "a native binary is linked already; build it",
            ));
        }
        let options = options(&target);
        if !options.trim().is_empty() {
            return Err(refuse_link_options(context, &devices, &options, failed));
        }
        let inputs = |device: &device::Body| -> Result<Vec<Input>> {
            let input = |program: &&Program| {
                let own = program.state.lock().options.clone();
                program.input(device, &own)
            };
            programs.iter().map(input).collect()
        };
        let mut linked = Body::new(context, Source::None);
        linked.linked_from = programs.iter().flat_map(|program| program.il()).collect();
        let built = build(&linked, &devices, inputs, &options);
        let program = Counted::<Body>::create(linked);
        match built {
            Ok(()) => {
                let raw = program.into_raw();
                sys::call_program_notify(target.notify.function, raw, target.notify.user_data);
                New::from_raw(raw).ok_or_else(|| Error::new(ErrorCode::INVALID_PROGRAM, "null"))
            }
            Err(error) => {
                *failed = Some(program);
                Err(match error.code() {
                    ErrorCode::BUILD_PROGRAM_FAILURE => error.with_code(ErrorCode::LINK_PROGRAM_FAILURE),
                    _ => error,
                })
            }
        }
    }

    fn program_build_info(
        program: &Program,
        device: &Device,
        name: ProgramBuildInfo,
        info: Info<'_>,
    ) -> Result<()> {
        program_info::get_build(program, device, name, info)
    }

    fn program_retain(program: &Program) -> Result<()> {
        program.retain();
        Ok(())
    }

    fn program_release(program: &Program) -> Result<()> {
        program.release();
        Ok(())
    }

    fn program_set_specialization_constant(program: &Program, id: u32, value: &[u8]) -> Result<()> {
        // The driver reads as many bytes as the constant has, whatever was stated: leave room for the largest.
        let mut copy = value.to_vec();
        copy.resize(value.len().max(16), 0);
        program.constants.lock().insert(id, copy.into());
        Ok(())
    }

    fn program_native_handle(program: &Program) -> Result<NativeHandle> {
        let modules = program.modules()?;
        let part =
            modules.first().and_then(|(_, module)| module.parts.first().copied()).ok_or_else(not_built)?;
        Ok(part.0.expose_provenance())
    }

    fn program_create_with_native_handle(
        native: NativeHandle,
        context: &Context,
        owned: bool,
    ) -> Result<New<Program>> {
        if native == 0 {
            return Err(Error::new(ErrorCode::INVALID_PROGRAM, "nativeHandle is null; a module is needed"));
        }
        let module = ze_module_handle_t(Address::from_number(native).get());
        // A module does not tell its device: it stands for each one of the context.
        let adopted = Arc::new(Module::adopt(module, owned));
        let program = Body::new(context, Source::None);
        let builds = context.device_handles().into_iter();
        let build = |device| Build { device, module: Some(adopted.clone()), log: String::new() };
        program.state.lock().builds.extend(builds.map(build));
        Ok(Counted::create(program))
    }
}
