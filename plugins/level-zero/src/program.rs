//! Programs: from SPIR-V or native binaries through compile, link and build.
//!
//! Level Zero compiles and links in one step. Compiling therefore only stores the options, and the driver receives the
//! program when it is linked or built.

use core::ffi::c_char;
use std::sync::Arc;

use sycl_pi_backend::api::{BuildTarget, ProgramApi, ProgramMetadata};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Error, Info, New, Result, copy_of, room, spirv};

use crate::driver::{Module, ModuleInput, ModuleTarget};
use crate::objects::{
    ContextHandle, Device, DeviceBuild, DeviceHandle, Program, ProgramHandle, ProgramOrigin, not_built,
    raw_handle,
};
use crate::sys::{self, Address, *};
use crate::{LevelZero, program_info};

fn options(target: &BuildTarget<'_, DeviceHandle>) -> String {
    target.options.map(|options| options.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Returns the devices to build for, each once. They come from the call or, if it names none, from the context.
fn devices<'a>(
    context: &'a ContextHandle,
    target: &BuildTarget<'a, DeviceHandle>,
) -> Result<Vec<&'a DeviceHandle>> {
    let mut list: Vec<&DeviceHandle> = Vec::new();
    let of_context = context.devices.iter().map(|device| &**device);
    let asked: Vec<&DeviceHandle> =
        if target.devices.is_empty() { of_context.collect() } else { target.devices.to_vec() };
    for device in asked {
        // A runtime may build for the root device of a context's sub-device.
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

/// Builds for each device. Returns the first error, and keeps every log.
fn build(
    program: &Program,
    devices: &[&DeviceHandle],
    inputs: impl Fn(&Device) -> Result<Vec<ModuleInput>>,
    options: &str,
) -> Result<()> {
    let mut first = None;
    for device in devices {
        let target = ModuleTarget {
            context: program.context.ze,
            device: device.ze,
            builds_several: program.context.platform.has(ZE_MODULE_PROGRAM_EXP_NAME),
        };
        let mut log = String::new();
        let (module, error) = match Module::build(&target, &inputs(device)?, options, &mut log) {
            Ok(module) => (Some(Arc::new(module)), None),
            Err(error) => (None, Some(error)),
        };
        let mut builds = program.builds.lock();
        builds.options = options.into();
        builds.devices.retain(|build| build.device != device.ze);
        builds.devices.push(DeviceBuild { device: device.ze, module, log });
        first = first.or(error);
    }
    first.map_or(Ok(()), Err)
}

/// Refuses link options. Level Zero links with the options that the inputs were compiled with, and shipped plugins
/// refuse link options too.
#[cold]
fn refuse_link_options(
    context: &ContextHandle,
    devices: &[&DeviceHandle],
    options: &str,
    failed: &mut Option<New<ProgramHandle>>,
) -> Error {
    let text = format!("Level Zero has no link options; give {options:?} to the compilation");
    let program = Program::new(context, ProgramOrigin::None);
    for device in devices {
        program.builds.lock().devices.push(DeviceBuild {
            device: device.ze,
            module: None,
            log: text.clone(),
        });
    }
    *failed = Some(Counted::create(program));
    Error::new(ErrorCode::LINK_PROGRAM_FAILURE, text)
}

impl ProgramApi for LevelZero {
    fn program_create_with_il(context: &ContextHandle, il: &[u8]) -> Result<New<ProgramHandle>> {
        spirv::check(il)?;
        Ok(Counted::create(Program::new(context, ProgramOrigin::Il(Arc::new(copy_of(il)?)))))
    }

    fn program_create_with_source(
        _: &ContextHandle,
        _: &[*const c_char],
        _: &[usize],
    ) -> Result<New<ProgramHandle>> {
        Err(Error::unsupported(
            "Level Zero programs are created from SPIR-V or native binaries, not from source text",
        ))
    }

    fn program_create_with_binary(
        context: &ContextHandle,
        devices: &[&DeviceHandle],
        binaries: &[&[u8]],
        _: &[ProgramMetadata<'_>],
        status: Option<&mut [ErrorCode]>,
    ) -> Result<New<ProgramHandle>> {
        for device in devices {
            let parent = context.devices.iter().any(|of| of.root().ze == device.ze);
            if !parent {
                context.check(device)?;
            }
        }
        let mut list = room(binaries.len())?;
        for (device, bytes) in devices.iter().zip(binaries) {
            list.push((device.share(), Arc::new(copy_of(bytes)?)));
        }
        let source = ProgramOrigin::Binaries(list);
        if let Some(status) = status {
            status.fill(ErrorCode::SUCCESS);
        }
        Ok(Counted::create(Program::new(context, source)))
    }

    fn program_info(program: &ProgramHandle, name: ProgramInfo, info: Info<'_>) -> Result<()> {
        program_info::get(program, name, info)
    }

    fn program_compile(
        program: &ProgramHandle,
        target: BuildTarget<'_, DeviceHandle>,
        headers: &[&ProgramHandle],
        _: &[*const c_char],
    ) -> Result<()> {
        if !headers.is_empty() {
            return Err(Error::unsupported("SPIR-V has no headers"));
        }
        if !matches!(program.origin, ProgramOrigin::Il(_)) {
            return Err(Error::new(ErrorCode::INVALID_OPERATION, "only SPIR-V can be compiled"));
        }
        devices(&program.context, &target)?;
        {
            let mut builds = program.builds.lock();
            builds.compiled = true;
            builds.options = options(&target);
        }
        sys::call_program_notify(target.notify.function, raw_handle(program), target.notify.user_data);
        Ok(())
    }

    fn program_build(program: &ProgramHandle, target: BuildTarget<'_, DeviceHandle>) -> Result<()> {
        let (devices, options) = (devices(&program.context, &target)?, options(&target));
        // Linked programs and native modules are already built.
        let linked = matches!(program.origin, ProgramOrigin::None);
        if linked && devices.iter().all(|device| program.module(device).is_ok()) {
            sys::call_program_notify(target.notify.function, raw_handle(program), target.notify.user_data);
            return Ok(());
        }
        let built = build(program, &devices, |device| Ok(vec![program.input(device, &options)?]), &options);
        sys::call_program_notify(target.notify.function, raw_handle(program), target.notify.user_data);
        built
    }

    fn program_link(
        context: &ContextHandle,
        target: BuildTarget<'_, DeviceHandle>,
        programs: &[&ProgramHandle],
        failed: &mut Option<New<ProgramHandle>>,
    ) -> Result<New<ProgramHandle>> {
        let devices = devices(context, &target)?;
        for program in programs {
            if program.context.ze != context.ze {
                return Err(Error::other_context("one of the programs to link", "the context"));
            }
            if matches!(program.origin, ProgramOrigin::Il(_)) && !program.builds.lock().compiled {
                return Err(Error::new(ErrorCode::INVALID_OPERATION, "a program is not compiled"));
            }
        }
        if let [only] = programs
            && matches!(only.origin, ProgramOrigin::Binaries(_))
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
        let inputs = |device: &Device| -> Result<Vec<ModuleInput>> {
            let input = |program: &&ProgramHandle| {
                let own = program.builds.lock().options.clone();
                program.input(device, &own)
            };
            programs.iter().map(input).collect()
        };
        let mut linked = Program::new(context, ProgramOrigin::None);
        linked.linked_from = programs.iter().flat_map(|program| program.il()).collect();
        let built = build(&linked, &devices, inputs, &options);
        let program = Counted::create(linked);
        match built {
            Ok(()) => {
                sys::call_program_notify(target.notify.function, program.handle(), target.notify.user_data);
                Ok(program)
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
        program: &ProgramHandle,
        device: &DeviceHandle,
        name: ProgramBuildInfo,
        info: Info<'_>,
    ) -> Result<()> {
        program_info::get_build(program, device, name, info)
    }

    fn program_set_specialization_constant(program: &ProgramHandle, id: u32, value: &[u8]) -> Result<()> {
        // The driver reads as many bytes as the constant has, regardless of the size that the caller passed, so the
        // copy is padded to the largest size.
        let mut copy = room(value.len().max(16))?;
        copy.extend_from_slice(value);
        copy.resize(value.len().max(16), 0);
        program.constants.lock().insert(id, copy.into());
        Ok(())
    }

    fn program_native_handle(program: &ProgramHandle) -> Result<NativeHandle> {
        let modules = program.modules()?;
        let part =
            modules.first().and_then(|(_, module)| module.parts.first().copied()).ok_or_else(not_built)?;
        Ok(part.0.expose_provenance())
    }

    fn program_create_with_native_handle(
        native: NativeHandle,
        context: &ContextHandle,
        owned: bool,
    ) -> Result<New<ProgramHandle>> {
        if native == 0 {
            return Err(Error::no_native_handle(ErrorCode::INVALID_PROGRAM, "a module"));
        }
        let module = ze_module_handle_t(Address::from_number(native).get());
        // A module does not identify its device, so it is used for every device of the context.
        let adopted = Arc::new(Module::adopt(module, owned));
        let program = Program::new(context, ProgramOrigin::None);
        let builds = context.device_handles.iter().copied();
        let build = |device| DeviceBuild { device, module: Some(adopted.clone()), log: String::new() };
        program.builds.lock().devices.extend(builds.map(build));
        Ok(Counted::create(program))
    }
}
