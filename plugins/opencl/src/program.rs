//! Programs.

use core::ffi::{CStr, c_char};
use std::ptr::{null, null_mut};

use sycl_pi_backend::api::{BuildTarget, ProgramApi};
use sycl_pi_backend::{Error, Info, New, Result, cold_case, spirv};
use sycl_pi_backend::types::*;

use crate::OpenCl;
use crate::device::distinct;
use crate::pocl;
use crate::sys::{self, Context, Device, Program, Rooted, Wrap, cl, library};

fn options(target: &BuildTarget<'_, Device>) -> *const c_char {
    target.options.map_or(null(), CStr::as_ptr)
}

fn devices(list: &[&Device]) -> (u32, *const sys::cl_device_id) {
    let start = if list.is_empty() { null() } else { list.as_ptr().cast() };
    (list.len() as u32, start)
}

/// The program's devices.
pub(crate) fn devices_of(program: &Program) -> Result<Vec<sys::cl_device_id>> {
    let (cl, name, mut size) = (cl(), sys::CL_PROGRAM_DEVICES, 0);
    cl.clGetProgramInfo(program.cl(), name, 0, null_mut(), &mut size)?;
    let mut devices: Vec<sys::cl_device_id> = vec![null_mut(); size.div_ceil(size_of::<sys::cl_device_id>())];
    cl.clGetProgramInfo(program.cl(), name, size, devices.as_mut_ptr().cast(), null_mut())?;
    Ok(devices)
}

/// Refuses devices that are not the program's.
pub(crate) fn check_devices(program: &Program, devices: &[&Device]) -> Result<()> {
    if devices.is_empty() {
        return Ok(());
    }
    let own = devices_of(program)?;
    if devices.iter().all(|device| own.contains(&device.cl())) {
        return Ok(());
    }
    Err(Error::new(ErrorCode::INVALID_DEVICE, "device (or device_list): not one of the program's devices"))
}

impl ProgramApi for OpenCl {
    fn program_create_with_il(context: &Context, il: &[u8]) -> Result<New<Program>> {
        spirv::check(il)?;
        let driver = context.driver()?;
        let start = il.as_ptr().cast();
        // The platform's word is not enough: PoCL 3.1 speaks of OpenCL 3.0, where SPIR-V is optional.
        let takes_il = context.devices()?.iter().all(|device| crate::device_info::takes_spirv(device));
        let program = if takes_il && driver.version >= (2, 1) {
            cl().clCreateProgramWithIL(context.cl(), start, il.len())
        } else if takes_il && driver.ext.has("clCreateProgramWithILKHR") {
            driver.ext.clCreateProgramWithILKHR(context.cl(), start, il.len())
        } else {
            return Err(Error::new(
                ErrorCode::COMPILER_NOT_AVAILABLE,
                "a device of this context takes no SPIR-V (its driver names no IL version and has no \
                 cl_khr_il_program); source and binaries work",
            ));
        };
        program?.wrap()
    }

    fn program_create_with_source(
        context: &Context,
        strings: &[*const c_char],
        lengths: &[usize],
    ) -> Result<New<Program>> {
        let lengths = if lengths.is_empty() { null() } else { lengths.as_ptr() };
        cl().clCreateProgramWithSource(context.cl(), strings.len() as u32, strings.as_ptr(), lengths)?.wrap()
    }

    fn program_create_with_binary(
        context: &Context,
        devices: &[&Device],
        binaries: &[&[u8]],
        _metadata: &[_pi_device_binary_property_struct],
        status: Option<&mut [i32]>,
    ) -> Result<New<Program>> {
        let lengths: Vec<usize> = binaries.iter().map(|binary| binary.len()).collect();
        let starts: Vec<*const u8> = binaries.iter().map(|binary| binary.as_ptr()).collect();
        if devices.len() > 1 {
            each_alone(context, devices, &lengths, &starts)?;
        }
        cl().clCreateProgramWithBinary(
            context.cl(),
            devices.len() as u32,
            devices.as_ptr().cast(),
            lengths.as_ptr(),
            starts.as_ptr(),
            status.map_or(std::ptr::null_mut(), <[i32]>::as_mut_ptr),
        )?
        .wrap()
    }

    #[inline(always)]
    fn program_info(program: &Program, name: ProgramInfo, mut info: Info<'_>) -> Result<()> {
        if let ProgramInfo::BINARIES | ProgramInfo::NUM_KERNELS | ProgramInfo::KERNEL_NAMES = name {
            return cold_case(move || of_built(program, name, info));
        }
        let (size, value, size_ret) = info.raw_parts();
        cl().clGetProgramInfo(program.cl(), name, size, value, size_ret)
    }

    fn program_compile(
        program: &Program,
        target: BuildTarget<'_, Device>,
        headers: &[&Program],
        header_names: &[*const c_char],
    ) -> Result<()> {
        // Intel's CPU runtimes end the process over others, where they refuse to build for them.
        check_devices(program, target.devices)?;
        check_headers(headers)?;
        let list = distinct(target.devices);
        let (num_devices, list) = devices(&list);
        let (header_list, names) = if headers.is_empty() {
            (null(), null())
        } else {
            (headers.as_ptr().cast(), header_names.as_ptr())
        };
        cl().clCompileProgram(
            program.cl(),
            num_devices,
            list,
            options(&target),
            headers.len() as u32,
            header_list,
            names,
            sys::program_callback(target.notify.function),
            target.notify.user_data,
        )
    }

    fn program_build(program: &Program, target: BuildTarget<'_, Device>) -> Result<()> {
        pocl::check_build(program)?;
        let list = distinct(target.devices);
        let (num_devices, list) = devices(&list);
        let notify = sys::program_callback(target.notify.function);
        cl().clBuildProgram(
            program.cl(),
            num_devices,
            list,
            options(&target),
            notify,
            target.notify.user_data,
        )
        .map_err(|error| with_log(error, program, target.devices))
    }

    fn program_link(
        context: &Context,
        target: BuildTarget<'_, Device>,
        programs: &[&Program],
        failed: &mut Option<New<Program>>,
    ) -> Result<New<Program>> {
        let devices_once = distinct(target.devices);
        let list = (programs.len() as u32, programs.as_ptr().cast());
        let notify = (sys::program_callback(target.notify.function), target.notify.user_data);
        let (program, result) =
            library()?.link(context.cl(), devices(&devices_once), options(&target), list, notify);
        match result {
            Ok(()) => program.wrap(),
            Err(error) => {
                *failed = program.wrap().ok();
                Err(match sys::opaque::<Program>(program) {
                    Some(program) => with_log(error, program, target.devices),
                    None => error,
                })
            }
        }
    }

    #[inline(always)]
    fn program_build_info(
        program: &Program,
        device: &Device,
        name: ProgramBuildInfo,
        mut info: Info<'_>,
    ) -> Result<()> {
        let (size, value, size_ret) = info.raw_parts();
        cl().clGetProgramBuildInfo(program.cl(), device.cl(), name, size, value, size_ret)
    }

    fn program_retain(program: &Program) -> Result<()> {
        cl().clRetainProgram(program.cl())
    }

    fn program_release(program: &Program) -> Result<()> {
        cl().clReleaseProgram(program.cl())
    }

    fn program_set_specialization_constant(program: &Program, id: u32, value: &[u8]) -> Result<()> {
        check_specializable(program)?;
        let driver = program.driver()?;
        let (size, start) = (value.len(), value.as_ptr().cast());
        if driver.version >= (2, 2) {
            cl().clSetProgramSpecializationConstant(program.cl(), id, size, start)
        } else {
            driver.ext.clSetProgramSpecializationConstant(program.cl(), id, size, start)
        }
        .map_err(|error| error.context(format!("specialization constant {id}, {size} bytes")))
    }

    fn program_native_handle(program: &Program) -> Result<NativeHandle> {
        Ok(program.cl().addr())
    }

    fn program_create_with_native_handle(
        native: NativeHandle,
        _: &Context,
        owned: bool,
    ) -> Result<New<Program>> {
        let program = sys::adopt::<Program>(native)?;
        if !owned {
            cl().clRetainProgram(program.cl())?;
        }
        program.cl().wrap()
    }
}

/// What only a built program has.
fn of_built(program: &Program, name: ProgramInfo, mut info: Info<'_>) -> Result<()> {
    if name != ProgramInfo::BINARIES {
        require_built(program)?;
    } else if !info.is_size_query() {
        return binaries(program, info);
    }
    let (size, value, size_ret) = info.raw_parts();
    cl().clGetProgramInfo(program.cl(), name, size, value, size_ret)
}

/// Refuses a program that is not built. Intel's CPU runtime ends the process over the kernels of one that was made from a
/// binary, and says that it is built; what it cannot do is make a kernel of it.
pub(crate) fn require_built(program: &Program) -> Result<()> {
    const NO_KERNEL: &CStr = c"no kernel has this name";
    match cl().clCreateKernel(program.cl(), NO_KERNEL.as_ptr()) {
        Ok(kernel) => cl().clReleaseKernel(kernel),
        Err(error) if error.code() == ErrorCode::INVALID_PROGRAM_EXECUTABLE => {
            let text = "program is built for no device: its kernels are not known";
            Err(Error::new(ErrorCode::INVALID_PROGRAM_EXECUTABLE, text))
        }
        Err(_) => Ok(()),
    }
}

/// Refuses programs of which nothing can be specialized. Drivers end the process over a constant of one that was not made
/// from SPIR-V, PoCL over a program from source and Intel's CPU runtime over a binary; that of 2026 also over a module
/// without functions.
fn check_specializable(program: &Program) -> Result<()> {
    /// A module of this size or more has functions.
    const SMALL: usize = 4096;
    let refusal = |text: &'static str| Err(Error::new(ErrorCode::INVALID_OPERATION, text));
    let size = il_size(program);
    if size == 0 {
        return refusal(
            "prog was not made from SPIR-V, or its device takes none: there is nothing to specialize",
        );
    }
    if size < SMALL {
        let mut il = vec![0_u8; size];
        let room = il.as_mut_ptr().cast();
        cl().clGetProgramInfo(program.cl(), sys::CL_PROGRAM_IL, size, room, null_mut())?;
        if !spirv::has_functions(&il) {
            return refusal("prog is a module without functions: there is nothing to specialize");
        }
    }
    Ok(())
}

/// Bytes of the SPIR-V that the program was made from; 0 if it was not.
fn il_size(program: &Program) -> usize {
    let mut size = 0;
    let asked = cl().clGetProgramInfo(program.cl(), sys::CL_PROGRAM_IL, 0, null_mut(), &mut size);
    if asked.is_ok() { size } else { 0 }
}

/// Refuses headers that were not made from source or SPIR-V: Intel's CPU runtime of 2026 and PoCL end the process over them.
fn check_headers(headers: &[&Program]) -> Result<()> {
    for (number, header) in headers.iter().enumerate() {
        let mut length = 0;
        cl().clGetProgramInfo(header.cl(), sys::CL_PROGRAM_SOURCE, 0, null_mut(), &mut length)?;
        // The text of none is a NUL, or not even that.
        if length < 2 && il_size(header) == 0 {
            let text = format!("entry {number} of input_headers has no source: it was made from a binary");
            return Err(Error::new(ErrorCode::INVALID_OPERATION, text));
        }
    }
    Ok(())
}

/// Tries the binary of each device alone. Intel's CPU runtime refuses a bad one alone, and ends the process over it in a
/// list of several.
fn each_alone(context: &Context, devices: &[&Device], lengths: &[usize], starts: &[*const u8]) -> Result<()> {
    let cl = cl();
    for (number, device) in devices.iter().enumerate() {
        let (list, none) = ([*device], std::ptr::null_mut());
        let (length, start) = (lengths[number..].as_ptr(), starts[number..].as_ptr());
        let program =
            cl.clCreateProgramWithBinary(context.cl(), 1, list.as_ptr().cast(), length, start, none);
        let program = program.map_err(|error| error.context(format!("entry {number} of binaries")))?;
        cl.clReleaseProgram(program)?;
    }
    Ok(())
}

/// Fills the buffers whose addresses the caller left in the answer's room; a null one stands for a device that does not
/// matter. OpenCL knows that too, drivers do not.
fn binaries(program: &Program, mut info: Info<'_>) -> Result<()> {
    let cl = cl();
    let mut places = info.addresses();
    let (mut needed, none) = (0, std::ptr::null_mut());
    cl.clGetProgramInfo(program.cl(), sys::CL_PROGRAM_BINARY_SIZES, 0, none, &mut needed)?;
    let mut sizes = vec![0_usize; needed / size_of::<usize>()];
    let room = sizes.as_mut_ptr().cast();
    cl.clGetProgramInfo(program.cl(), sys::CL_PROGRAM_BINARY_SIZES, needed, room, none.cast())?;
    let mut unwanted: Vec<Vec<u8>> = sizes.iter().map(|size| vec![0; *size]).collect();
    for (place, unwanted) in places.iter_mut().zip(&mut unwanted) {
        if place.is_null() {
            *place = unwanted.as_mut_ptr();
        }
    }
    let (_, _, size_ret) = info.raw_parts();
    let (size, places) = (size_of_val(places.as_slice()), places.as_mut_ptr().cast());
    cl.clGetProgramInfo(program.cl(), sys::CL_PROGRAM_BINARIES, size, places, size_ret)
}

/// The error with the start of the first device's build log.
#[cold]
fn with_log(error: Error, program: &Program, devices: &[&Device]) -> Error {
    const MOST: usize = 2000;
    let Some(log) = build_log(program, devices) else { return error };
    let log = log.trim();
    let shown: String = log.chars().take(MOST).collect();
    if shown.is_empty() { error } else { error.context(format!("build log: {shown}")) }
}

fn build_log(program: &Program, devices: &[&Device]) -> Option<String> {
    let cl = cl();
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
        cl.clGetProgramBuildInfo(program.cl(), device.cl(), sys::CL_PROGRAM_BUILD_LOG, size, value, size_ret)
    };
    ask(0, std::ptr::null_mut(), &mut size).ok()?;
    let mut log = vec![0_u8; size];
    ask(size, log.as_mut_ptr().cast(), std::ptr::null_mut()).ok()?;
    Some(String::from_utf8_lossy(&log).trim_end_matches('\0').to_owned())
}
