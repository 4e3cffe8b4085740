//! Programs: from SPIR-V, source or binaries through compile, link and build.

use super::prelude::*;
use sycl_pi_backend::api::{BuildTarget, ProgramCallback, ProgramMetadata, ProgramNotify};
use sycl_pi_backend::{Result, room};

#[entry]
pub unsafe extern "C" fn piProgramCreate<B: Backend>(
    context: pi_context, il: *const c_void, length: usize, res_program: *mut pi_program,
) -> Result<()> {
    // SAFETY: `context` is null or a live handle.
    let context = unsafe { object(context, "context")? };
    if length == 0 {
        return Err(Error::invalid_value("length is 0: an empty module"));
    }
    // SAFETY: `il` is null or has `length` bytes.
    let il = unsafe { bytes(length, il, "il")? };
    // SAFETY: `res_program` is null or writable.
    unsafe { create(res_program, "res_program", || B::program_create_with_il(context, il)) }
}

#[entry]
pub unsafe extern "C" fn piclProgramCreateWithSource<B: Backend>(
    context: pi_context, count: pi_uint32, strings: *const *const c_char, lengths: *const usize,
    ret_program: *mut pi_program,
) -> Result<()> {
    // SAFETY: `context` is null or a live handle.
    let context = unsafe { object(context, "context")? };
    if count == 0 {
        return Err(Error::invalid_value("count is 0: no source text"));
    }
    // SAFETY: `strings` is null or has `count` entries.
    let texts = unsafe { slice(count as usize, strings, "strings")? };
    if texts.iter().any(|text| text.is_null()) {
        return Err(Error::invalid_value("an entry of strings is null"));
    }
    // SAFETY: `lengths` is null or has `count` entries.
    let lengths = if lengths.is_null() { &[] } else { unsafe { slice(count as usize, lengths, "lengths")? } };
    // SAFETY: `ret_program` is null or writable.
    unsafe { create(ret_program, "ret_program", || B::program_create_with_source(context, texts, lengths)) }
}

#[entry]
pub unsafe extern "C" fn piProgramCreateWithBinary<B: Backend>(
    context: pi_context, num_devices: pi_uint32, device_list: *const pi_device, lengths: *const usize,
    binaries: *const *const u8, num_metadata_entries: usize, metadata: *const pi_device_binary_property,
    binary_status: *mut pi_int32, ret_program: *mut pi_program,
) -> Result<()> {
    // SAFETY: `context` is null or a live handle.
    let context = unsafe { object(context, "context")? };
    // SAFETY: `device_list` is null or has `num_devices` handles.
    let devices = unsafe { some_objects(num_devices, device_list, "device_list")? };
    let count = devices.len();
    // SAFETY: `binaries` is null or has `count` entries.
    let starts = unsafe { slice(count, binaries, "binaries")? };
    let text_lengths: Vec<usize>;
    let lengths = if lengths.is_null() && B::BINARIES_MAY_BE_TEXTS {
        let length = |start: &*const u8| {
            // SAFETY: the arguments are passed on under the same contract.
            if start.is_null() { 0 } else { unsafe { CStr::from_ptr(start.cast()) }.to_bytes().len() }
        };
        text_lengths = starts.iter().map(length).collect();
        &text_lengths
    } else {
        // SAFETY: `lengths` is null or has `count` entries.
        unsafe { slice(count, lengths, "lengths")? }
    };
    let status = if binary_status.is_null() {
        None
    } else {
        // SAFETY: the arguments are passed on under the same contract.
        Some(unsafe { core::slice::from_raw_parts_mut(binary_status.cast::<ErrorCode>(), count) })
    };
    let mut list = room(count)?;
    for (start, length) in starts.iter().zip(lengths) {
        if start.is_null() || *length == 0 {
            if let Some(status) = status {
                status[list.len()] = ErrorCode::INVALID_VALUE;
            }
            return Err(Error::invalid_value(format!("entry {} of binaries is null or empty", list.len())));
        }
        // SAFETY: `*start` is null or has `*length` entries.
        list.push(unsafe { slice(*length, *start, "an entry of binaries")? });
    }
    // SAFETY: the arguments are passed on under the same contract.
    let metadata = unsafe { metadata_entries(num_metadata_entries, metadata)? };
    // SAFETY: `ret_program` is null or writable.
    unsafe {
        create(ret_program, "ret_program", || {
            B::program_create_with_binary(context, devices, &list, &metadata, status)
        })
    }
}

#[entry]
pub unsafe extern "C" fn piProgramGetInfo<B: Backend>(
    program: pi_program, param_name: pi_program_info, param_value_size: usize, param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<()> {
    // SAFETY: `program` is null or a live handle.
    let program = unsafe { object(program, "program")? };
    // SAFETY: the answer's buffer has the size that the caller states.
    unsafe {
        answer(param_value_size, param_value, param_value_size_ret, |info| {
            B::program_info(program, ProgramInfo(param_name), info)
        })
    }
}

#[entry]
pub unsafe extern "C" fn piProgramCompile<B: Backend>(
    program: pi_program, num_devices: pi_uint32, device_list: *const pi_device, options: *const c_char,
    num_input_headers: pi_uint32, input_headers: *const pi_program,
    header_include_names: *const *const c_char, pfn_notify: pi_program_notify, user_data: *mut c_void,
) -> Result<()> {
    // SAFETY: `program` is null or a live handle.
    let program = unsafe { object(program, "program")? };
    // SAFETY: `device_list` is null or has `num_devices` handles.
    let devices = unsafe { objects(num_devices, device_list, "device_list")? };
    // SAFETY: `input_headers` is null or has `num_input_headers` handles.
    let headers = unsafe { objects(num_input_headers, input_headers, "input_headers")? };
    // SAFETY: `header_include_names` is null or has `headers.len()` entries.
    let names = unsafe { slice(headers.len(), header_include_names, "header_include_names")? };
    if names.iter().any(|name| name.is_null()) {
        return Err(Error::invalid_value("an entry of header_include_names is null"));
    }
    // SAFETY: the arguments are passed on under the same contract.
    B::program_compile(program, unsafe { target(devices, options, pfn_notify, user_data)? }, headers, names)
}

#[entry]
pub unsafe extern "C" fn piProgramBuild<B: Backend>(
    program: pi_program, num_devices: pi_uint32, device_list: *const pi_device, options: *const c_char,
    pfn_notify: pi_program_notify, user_data: *mut c_void,
) -> Result<()> {
    // SAFETY: `program` is null or a live handle.
    let program = unsafe { object(program, "program")? };
    // SAFETY: `device_list` is null or has `num_devices` handles.
    let devices = unsafe { objects(num_devices, device_list, "device_list")? };
    // SAFETY: the arguments are passed on under the same contract.
    B::program_build(program, unsafe { target(devices, options, pfn_notify, user_data)? })
}

#[entry]
pub unsafe extern "C" fn piProgramLink<B: Backend>(
    context: pi_context, num_devices: pi_uint32, device_list: *const pi_device, options: *const c_char,
    num_input_programs: pi_uint32, input_programs: *const pi_program, pfn_notify: pi_program_notify,
    user_data: *mut c_void, ret_program: *mut pi_program,
) -> Result<()> {
    address(ret_program, "ret_program")?;
    // SAFETY: `ret_program` is not null, so it is writable.
    unsafe { ret_program.write(core::ptr::null_mut()) };
    // SAFETY: `context` is null or a live handle.
    let context = unsafe { object(context, "context")? };
    // SAFETY: `device_list` is null or has `num_devices` handles.
    let devices = unsafe { objects(num_devices, device_list, "device_list")? };
    // SAFETY: `input_programs` is null or has `num_input_programs` handles.
    let programs = unsafe { some_objects(num_input_programs, input_programs, "input_programs")? };
    let mut failed = None;
    let result = B::program_link(
        context,
        // SAFETY: the arguments are passed on under the same contract.
        unsafe { target(devices, options, pfn_notify, user_data)? },
        programs,
        &mut failed,
    );
    match (result, failed) {
        // SAFETY: `ret_program` is not null, so it is writable.
        (Ok(program), _) => unsafe { ret_program.write(program.into_raw().cast()) },
        (Err(error), failed) => {
            if let Some(failed) = failed {
                // SAFETY: `ret_program` is not null, so it is writable.
                unsafe { ret_program.write(failed.into_raw().cast()) };
            }
            return Err(error);
        }
    }
    Ok(())
}

#[entry]
pub unsafe extern "C" fn piProgramGetBuildInfo<B: Backend>(
    program: pi_program, device: pi_device, param_name: pi_program_build_info, param_value_size: usize,
    param_value: *mut c_void, param_value_size_ret: *mut usize,
) -> Result<()> {
    // SAFETY: `program` and `device` are null or live handles.
    let (program, device) = unsafe { (object(program, "program")?, object(device, "device")?) };
    // SAFETY: the answer's buffer has the size that the caller states.
    unsafe {
        answer(param_value_size, param_value, param_value_size_ret, |info| {
            B::program_build_info(program, device, ProgramBuildInfo(param_name), info)
        })
    }
}

#[entry]
pub unsafe extern "C" fn piProgramRetain<B: Backend>(program: pi_program) -> Result<()> {
    // SAFETY: `program` is null or a live handle.
    unsafe { object::<B::Program>(program, "program")? }.retain()
}

#[entry]
pub unsafe extern "C" fn piProgramRelease<B: Backend>(program: pi_program) -> Result<()> {
    // SAFETY: `program` is null or a live handle.
    unsafe { object::<B::Program>(program, "program")?.release() }
}

#[entry]
pub unsafe extern "C" fn piextProgramSetSpecializationConstant<B: Backend>(
    prog: pi_program, spec_id: pi_uint32, spec_size: usize, spec_value: *const c_void,
) -> Result<()> {
    // SAFETY: `prog` is null or a live handle.
    let program = unsafe { object(prog, "prog")? };
    address(spec_value, "spec_value")?;
    // SAFETY: `spec_value` is null or has `spec_size` bytes.
    let value = unsafe { bytes(spec_size, spec_value, "spec_value")? };
    B::program_set_specialization_constant(program, spec_id, value)
}

#[entry]
pub unsafe extern "C" fn piextProgramGetNativeHandle<B: Backend>(
    program: pi_program, native_handle: *mut pi_native_handle,
) -> Result<()> {
    // SAFETY: `program` is null or a live handle.
    let program = unsafe { object(program, "program")? };
    // SAFETY: `native_handle` is null or writable.
    unsafe { put(native_handle, "nativeHandle", || B::program_native_handle(program)) }
}

#[entry]
pub unsafe extern "C" fn piextProgramCreateWithNativeHandle<B: Backend>(
    native_handle: pi_native_handle, context: pi_context, plugin_owns_native_handle: pi_cxx_bool,
    program: *mut pi_program,
) -> Result<()> {
    // SAFETY: `context` is null or a live handle.
    let context = unsafe { object(context, "context")? };
    // SAFETY: `program` is null or writable.
    unsafe {
        create(program, "program", || {
            B::program_create_with_native_handle(native_handle, context, plugin_owns_native_handle != 0)
        })
    }
}

/// # Safety
///
/// `options` must be null or NUL-terminated.
#[inline(always)]
unsafe fn target<'a, D>(
    devices: &'a [&'a D], options: *const c_char, function: pi_program_notify, user_data: *mut c_void,
) -> Result<BuildTarget<'a, D>> {
    if function.is_none() && !user_data.is_null() {
        return Err(Error::invalid_value("user_data without pfn_notify"));
    }
    // SAFETY: both functions take two pointers, and the handle of a program is the same address in both interfaces.
    let function = unsafe { core::mem::transmute::<pi_program_notify, ProgramCallback>(function) };
    // SAFETY: guaranteed by the caller.
    let options = unsafe { c_str_or_null(options) };
    Ok(BuildTarget { devices, options, notify: ProgramNotify { function, user_data } })
}

/// Returns the program properties of the image. In C they are an array of pointers to properties.
///
/// # Safety
///
/// If `count` > 0, `metadata` must point to `count` pointers to properties, whose names are NUL-terminated.
unsafe fn metadata_entries<'a>(
    count: usize, metadata: *const pi_device_binary_property,
) -> Result<Vec<ProgramMetadata<'a>>> {
    // SAFETY: guaranteed by the caller.
    let list = unsafe { slice(count, metadata, "metadata")? };
    let mut entries = room(list.len())?;
    for entry in list {
        // SAFETY: guaranteed by the caller.
        let property = unsafe { value(entry.cast_const(), "an entry of metadata")? };
        // SAFETY: guaranteed by the caller.
        let Some(name) = (unsafe { c_str_or_null(property.Name) }) else { continue };
        let bytes = match property.Type {
            PI_PROPERTY_TYPE_BYTE_ARRAY if !property.ValAddr.is_null() => {
                // SAFETY: a byte array has the length that `ValSize` states.
                unsafe {
                    bytes(property.ValSize as usize, property.ValAddr, "ValAddr of an entry of metadata")?
                }
            }
            _ => &[],
        };
        entries.push(ProgramMetadata { name: name.to_bytes(), bytes });
    }
    Ok(entries)
}
