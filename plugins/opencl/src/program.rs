//! Programs.

use core::ffi::{CStr, c_char};
use std::ptr::{null, null_mut};

use sycl_pi_backend::api::{BuildTarget, ProgramApi, ProgramMetadata};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Info, New, Result, spirv};
use sycl_pi_host_process::outside;
use sycl_pi_image::spirv::{Legalized, Refusal};

use crate::OpenCl;
use crate::device::distinct;
use crate::refused::REFUSALS;
use crate::required_sizes::{RequiredSize, SIZES};
use crate::sys::{self, Context, Device, HasPlatform, Owned, Program, Queried, cl, create, new_reference};
use crate::{device_info, legal, pocl, program_info};

fn options(target: &BuildTarget<'_, Device>) -> *const c_char {
    target.options.map_or(null(), CStr::as_ptr)
}

fn devices(list: &[&Device]) -> (u32, *const sys::cl_device_id) {
    let start = if list.is_empty() { null() } else { list.as_ptr().cast() };
    (list.len() as u32, start)
}

/// Refuses a program that is listed twice: rusticl waits forever for its own lock, and Intel's CPU runtime 2023.2.4
/// terminates the process with "symbol multiply defined".
fn check_distinct(programs: &[&Program]) -> Result<()> {
    for (number, program) in programs.iter().enumerate() {
        if programs.iter().take(number).any(|other| other.cl() == program.cl()) {
            let text = format!("program {number} of the programs to link is in the list twice");
            return Err(Error::new(ErrorCode::LINK_PROGRAM_FAILURE, text));
        }
    }
    Ok(())
}

/// Refuses programs that define the same symbol, as far as it is detected in SPIR-V, because Intel's CPU runtime 2023.2.4
/// terminates the process.
fn check_definitions(programs: &[&Program]) -> Result<()> {
    let modules: Vec<Vec<u8>> =
        programs.iter().map(|program| program.list(sys::CL_PROGRAM_IL, 0_u8).unwrap_or_default()).collect();
    spirv::check_definitions(&modules)
}

/// Notes what is known about the kernels of a new program: those that it lacks, and the sub-group sizes of the others.
fn note(program: &New<Program>, refused: Vec<Refusal>, sizes: Vec<RequiredSize>) {
    REFUSALS.note(program.addr(), refused);
    SIZES.note(program.addr(), sizes);
}

impl ProgramApi for OpenCl {
    fn program_create_with_il(context: &Context, il: &[u8]) -> Result<New<Program>> {
        spirv::check(il)?;
        let driver = context.driver()?;
        // The version is not sufficient, because PoCL 3.1 has OpenCL 3.0, in which SPIR-V is optional.
        let takes_il = context.devices()?.iter().all(|device| device_info::takes_spirv(device));
        let has_function = driver.version >= (2, 1) || driver.extensions.has("clCreateProgramWithILKHR");
        if !takes_il || !has_function {
            return Err(Error::new(
                ErrorCode::COMPILER_NOT_AVAILABLE,
                "a device of this context takes no SPIR-V (its driver names no IL version and has no \
                 cl_khr_il_program); source and binaries work",
            ));
        }
        let Legalized { module, refused: missing } = legal::program(context, il)?;
        let sizes = legal::required_sizes(context, &module)?;
        let (cl_context, start, length) = (context.cl(), module.as_ptr().cast(), module.len());
        let program = if driver.version >= (2, 1) {
            create(|code| cl().clCreateProgramWithIL(cl_context, start, length, code))
        } else {
            create(|code| driver.extensions.clCreateProgramWithILKHR(cl_context, start, length, code))
        }?;
        note(&program, missing, sizes);
        Ok(program)
    }

    fn program_create_with_source(
        context: &Context,
        strings: &[*const c_char],
        lengths: &[usize],
    ) -> Result<New<Program>> {
        let lengths = if lengths.is_empty() { null() } else { lengths.as_ptr() };
        let (cl_context, count) = (context.cl(), strings.len() as u32);
        let program: New<Program> = create(|code| {
            cl().clCreateProgramWithSource(cl_context, count, strings.as_ptr(), lengths, code)
        })?;
        note(&program, Vec::new(), Vec::new());
        Ok(program)
    }

    fn program_create_with_binary(
        context: &Context,
        devices: &[&Device],
        binaries: &[&[u8]],
        _: &[ProgramMetadata<'_>],
        status: Option<&mut [ErrorCode]>,
    ) -> Result<New<Program>> {
        let status = status.map_or(null_mut(), |status| status.as_mut_ptr().cast());
        if devices.len() > 1 {
            // Intel's CPU runtime refuses a single bad binary, but terminates the process on one in a list of several.
            for (number, (device, binary)) in devices.iter().zip(binaries).enumerate() {
                let alone = create_with_binaries(context, &[*device], &[*binary], null_mut());
                drop(Owned::from(
                    alone.map_err(|error| error.context(format!("entry {number} of binaries")))?,
                ));
            }
        }
        create_with_binaries(context, devices, binaries, status)
    }

    fn program_info(program: &Program, name: ProgramInfo, info: Info<'_>) -> Result<()> {
        program_info::get(program, name, info)
    }

    fn program_compile(
        program: &Program,
        target: BuildTarget<'_, Device>,
        headers: &[&Program],
        header_names: &[*const c_char],
    ) -> Result<()> {
        // Intel's CPU runtimes terminate the process on devices that do not belong to the program, although they refuse
        // to build for them.
        program_info::check_devices(program, target.devices)?;
        check_headers(headers)?;
        let list = distinct(target.devices);
        let (num_devices, list) = devices(&list);
        let (header_list, names) = if headers.is_empty() {
            (null(), null())
        } else {
            (headers.as_ptr().cast(), header_names.as_ptr())
        };
        outside(|| {
            cl().clCompileProgram(
                program.cl(),
                num_devices,
                list,
                options(&target),
                headers.len() as u32,
                header_list,
                names,
                target.notify.function,
                target.notify.user_data,
            )
        })
    }

    fn program_build(program: &Program, target: BuildTarget<'_, Device>) -> Result<()> {
        pocl::check_build(program)?;
        let list = distinct(target.devices);
        let (num_devices, list) = devices(&list);
        outside(|| {
            cl().clBuildProgram(
                program.cl(),
                num_devices,
                list,
                options(&target),
                target.notify.function,
                target.notify.user_data,
            )
        })
        .map_err(|error| with_log(error, program, target.devices))
    }

    fn program_link(
        context: &Context,
        target: BuildTarget<'_, Device>,
        programs: &[&Program],
        failed: &mut Option<New<Program>>,
    ) -> Result<New<Program>> {
        check_distinct(programs)?;
        if context.driver()?.is_intel_cpu {
            check_definitions(programs)?;
        }
        pocl::check_link(context, programs)?;
        let list = distinct(target.devices);
        let (program, result) = sys::link(context, devices(&list), options(&target), programs, target.notify);
        match result {
            Ok(()) => {
                let linked = new_reference(program)?;
                let parts = programs.iter().map(|program| program.cl().addr());
                REFUSALS.inherit(linked.addr(), parts.clone());
                SIZES.inherit(linked.addr(), parts);
                Ok(linked)
            }
            Err(error) => {
                *failed = new_reference(program).ok();
                Err(match sys::opaque::<Program>(program) {
                    Some(program) => with_log(error, program, target.devices),
                    None => error,
                })
            }
        }
    }

    fn program_build_info(
        program: &Program,
        device: &Device,
        name: ProgramBuildInfo,
        mut info: Info<'_>,
    ) -> Result<()> {
        let (size, value, size_ret) = info.raw_parts();
        cl().clGetProgramBuildInfo(program.cl(), device.cl(), name.0, size, value, size_ret)
    }

    fn program_set_specialization_constant(program: &Program, id: u32, value: &[u8]) -> Result<()> {
        check_specializable(program)?;
        let driver = program.driver()?;
        let (size, start) = (value.len(), value.as_ptr().cast());
        if driver.version >= (2, 2) {
            cl().clSetProgramSpecializationConstant(program.cl(), id, size, start)
        } else {
            driver.extensions.clSetProgramSpecializationConstant(program.cl(), id, size, start)
        }
        .map_err(|error| error.context(format!("specialization constant {id}, {size} bytes")))
    }

    fn program_native_handle(program: &Program) -> Result<NativeHandle> {
        Ok(sys::native_handle(program))
    }

    fn program_create_with_native_handle(
        native: NativeHandle,
        _: &Context,
        owned: bool,
    ) -> Result<New<Program>> {
        sys::from_native(native, owned)
    }
}

/// Creates a program from one binary per device. `status` is null or has room for one code per device.
fn create_with_binaries(
    context: &Context,
    devices: &[&Device],
    binaries: &[&[u8]],
    status: *mut sys::cl_int,
) -> Result<New<Program>> {
    let lengths: Vec<usize> = binaries.iter().map(|binary| binary.len()).collect();
    let starts: Vec<*const u8> = binaries.iter().map(|binary| binary.as_ptr()).collect();
    let (cl_context, count, list) = (context.cl(), devices.len() as u32, devices.as_ptr().cast());
    let program: New<Program> = create(|code| {
        cl().clCreateProgramWithBinary(
            cl_context,
            count,
            list,
            lengths.as_ptr(),
            starts.as_ptr(),
            status,
            code,
        )
    })?;
    note(&program, Vec::new(), Vec::new());
    Ok(program)
}

/// Refuses programs without anything to specialize, on which drivers terminate the process: PoCL on a program from
/// source, Intel's CPU runtime on a binary, and that of 2026 also on a module without functions.
fn check_specializable(program: &Program) -> Result<()> {
    /// A module of at least this size has functions.
    const SMALL: usize = 4096;
    let refusal = |text: &'static str| Err(Error::new(ErrorCode::INVALID_OPERATION, text));
    let size = il_size(program);
    if size == 0 {
        return refusal(
            "prog was not made from SPIR-V, or its device takes none: there is nothing to specialize",
        );
    }
    if size < SMALL {
        let il = program.list(sys::CL_PROGRAM_IL, 0_u8)?;
        if !spirv::has_functions(&il)? {
            return refusal("prog is a module without functions: there is nothing to specialize");
        }
    }
    Ok(())
}

/// Returns the size in bytes of the SPIR-V that the program was created from, or 0 if it was not.
fn il_size(program: &Program) -> usize {
    program.size(sys::CL_PROGRAM_IL).unwrap_or_default()
}

/// Refuses headers that were not created from source or SPIR-V, because Intel's CPU runtime of 2026 and PoCL terminate
/// the process on them.
fn check_headers(headers: &[&Program]) -> Result<()> {
    for (number, header) in headers.iter().enumerate() {
        // An absent source is reported as a single NUL, or as empty.
        if header.size(sys::CL_PROGRAM_SOURCE)? < 2 && il_size(header) == 0 {
            let text = format!("entry {number} of input_headers has no source: it was made from a binary");
            return Err(Error::new(ErrorCode::INVALID_OPERATION, text));
        }
    }
    Ok(())
}

/// Appends the start of the first device's build log to the error.
fn with_log(error: Error, program: &Program, devices: &[&Device]) -> Error {
    const MOST: usize = 2000;
    let Some(log) = build_log(program, devices) else { return error };
    let log = log.trim();
    let shown: String = log.chars().take(MOST).collect();
    if shown.is_empty() { error } else { error.context(format!("build log: {shown}")) }
}

fn build_log(program: &Program, devices: &[&Device]) -> Option<String> {
    let from_context;
    let device = match devices.first() {
        Some(device) => device,
        None => {
            from_context = program.context().ok()?.devices().ok()?;
            from_context.first()?
        }
    };
    let mut size = 0;
    let ask = |size, value, size_ret| {
        cl().clGetProgramBuildInfo(
            program.cl(),
            device.cl(),
            sys::CL_PROGRAM_BUILD_LOG,
            size,
            value,
            size_ret,
        )
    };
    ask(0, null_mut(), &mut size).ok()?;
    let mut log = vec![0_u8; size];
    ask(size, log.as_mut_ptr().cast(), null_mut()).ok()?;
    Some(String::from_utf8_lossy(&log).trim_end_matches('\0').to_owned())
}
