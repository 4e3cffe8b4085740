//! Programs: from SPIR-V, source or binaries through compile, link and build.

use core::ffi::{CStr, c_char, c_void};

use sycl_pi_core::*;

use crate::{Info, New};

/// A caller's callback for the end of a build, with its data.
#[derive(Clone, Copy)]
pub struct ProgramNotify {
    /// The function, if any; without one the call returns when the build is done.
    pub function: pi_program_notify,
    /// Handed to the function.
    pub user_data: *mut c_void,
}

/// What a program is compiled, linked or built for.
#[derive(Clone, Copy)]
pub struct BuildTarget<'a, D> {
    /// The devices; all of the program's where empty.
    pub devices: &'a [&'a D],
    /// Options, in the driver's language.
    pub options: Option<&'a CStr>,
    /// Called when done.
    pub notify: ProgramNotify,
}

api! {
    /// Programs.
    trait ProgramApi {
        /// A program from SPIR-V.
        fn piProgramCreate(context: &Self::Context, il: &[u8]) -> New<Self::Program>;
        /// A program from source texts; `lengths` is empty where all are NUL-terminated, and a length of 0 means so.
        fn piclProgramCreateWithSource(context: &Self::Context, strings: &[*const c_char], lengths: &[usize])
            -> New<Self::Program>;
        /// A program from one binary per device. `metadata` are the image's program properties.
        fn piProgramCreateWithBinary(context: &Self::Context, devices: &[&Self::Device], binaries: &[&[u8]],
            metadata: &[_pi_device_binary_property_struct], status: Option<&mut [pi_int32]>) -> New<Self::Program>;
        /// Reference count, context, devices, source, binaries, kernels.
        fn piProgramGetInfo(program: &Self::Program, name: pi_program_info, info: Info<'_>);
        /// Compiles to a linkable object.
        fn piProgramCompile(program: &Self::Program, target: BuildTarget<'_, Self::Device>,
            headers: &[&Self::Program], header_names: &[*const c_char]);
        /// Compiles and links.
        fn piProgramBuild(program: &Self::Program, target: BuildTarget<'_, Self::Device>);
        /// Links compiled programs. A failed link may leave a program whose log can be read: it comes with the error.
        fn piProgramLink(context: &Self::Context, target: BuildTarget<'_, Self::Device>,
            programs: &[&Self::Program], failed: &mut Option<New<Self::Program>>) -> New<Self::Program>;
        /// Status, options, log, binary type for a device.
        fn piProgramGetBuildInfo(program: &Self::Program, device: &Self::Device, name: pi_program_build_info,
            info: Info<'_>);
        /// One reference more.
        fn piProgramRetain(program: &Self::Program);
        /// One reference less.
        fn piProgramRelease(program: &Self::Program);
        /// The value of a specialization constant, copied, for the next build.
        fn piextProgramSetSpecializationConstant(program: &Self::Program, id: pi_uint32, value: &[u8]);
        /// The driver's own handle.
        fn piextProgramGetNativeHandle(program: &Self::Program) -> pi_native_handle;
        /// The program of a driver's handle. `owned`: the plugin takes over the caller's reference.
        fn piextProgramCreateWithNativeHandle(native: pi_native_handle, context: &Self::Context, owned: bool)
            -> New<Self::Program>;
    }
}

stubs! {
    piProgramCreate(context: pi_context, il: *const c_void, length: usize, res_program: *mut pi_program) {
        let context = object(context, "context")?;
        if length == 0 {
            return Err(Error::invalid_value("length is 0: an empty module"));
        }
        let il = bytes(length, il, "il")?;
        create(res_program, "res_program", || B::piProgramCreate(context, il))
    };

    piclProgramCreateWithSource(context: pi_context, count: pi_uint32, strings: *const *const c_char,
        lengths: *const usize, ret_program: *mut pi_program) {
        let context = object(context, "context")?;
        if count == 0 {
            return Err(Error::invalid_value("count is 0: no source text"));
        }
        let texts = slice(count as usize, strings, "strings")?;
        if texts.iter().any(|text| text.is_null()) {
            return Err(Error::invalid_value("an entry of strings is null"));
        }
        let lengths = if lengths.is_null() { &[] } else { slice(count as usize, lengths, "lengths")? };
        create(ret_program, "ret_program", || B::piclProgramCreateWithSource(context, texts, lengths))
    };

    piProgramCreateWithBinary(context: pi_context, num_devices: pi_uint32, device_list: *const pi_device,
        lengths: *const usize, binaries: *const *const u8, num_metadata_entries: usize,
        metadata: *const pi_device_binary_property, binary_status: *mut pi_int32, ret_program: *mut pi_program) {
        let context = object(context, "context")?;
        let devices = some_objects(num_devices, device_list, "device_list")?;
        let count = devices.len();
        let starts = slice(count, binaries, "binaries")?;
        let text_lengths: Vec<usize>;
        let lengths = if lengths.is_null() && B::BINARIES_MAY_BE_TEXTS {
            let length = |start: &*const u8| {
                if start.is_null() { 0 } else { CStr::from_ptr(start.cast()).to_bytes().len() }
            };
            text_lengths = starts.iter().map(length).collect();
            &text_lengths
        } else {
            slice(count, lengths, "lengths")?
        };
        let status = if binary_status.is_null() {
            None
        } else {
            Some(core::slice::from_raw_parts_mut(binary_status, count))
        };
        let mut list = Vec::with_capacity(count);
        for (start, length) in starts.iter().zip(lengths) {
            if start.is_null() || *length == 0 {
                if let Some(status) = status {
                    status[list.len()] = PI_ERROR_INVALID_VALUE;
                }
                return Err(Error::invalid_value(format!("entry {} of binaries is null or empty", list.len())));
            }
            list.push(slice(*length, *start, "an entry of binaries")?);
        }
        let metadata = metadata_entries(num_metadata_entries, metadata)?;
        create(ret_program, "ret_program", || B::piProgramCreateWithBinary(context, devices, &list, &metadata, status))
    };

    piProgramGetInfo(program: pi_program, param_name: pi_program_info, param_value_size: usize,
        param_value: *mut c_void, param_value_size_ret: *mut usize) => jump, {
        let program = object(program, "program")?;
        answer!(param_value_size, param_value, param_value_size_ret,
            |info| B::piProgramGetInfo(program, param_name, info))
    };

    piProgramCompile(program: pi_program, num_devices: pi_uint32, device_list: *const pi_device,
        options: *const c_char, num_input_headers: pi_uint32, input_headers: *const pi_program,
        header_include_names: *const *const c_char, pfn_notify: pi_program_notify, user_data: *mut c_void) {
        let program = object(program, "program")?;
        let devices = objects(num_devices, device_list, "device_list")?;
        let headers = objects(num_input_headers, input_headers, "input_headers")?;
        let names = slice(headers.len(), header_include_names, "header_include_names")?;
        if names.iter().any(|name| name.is_null()) {
            return Err(Error::invalid_value("an entry of header_include_names is null"));
        }
        B::piProgramCompile(program, target(devices, options, pfn_notify, user_data)?, headers, names)
    };

    piProgramBuild(program: pi_program, num_devices: pi_uint32, device_list: *const pi_device,
        options: *const c_char, pfn_notify: pi_program_notify, user_data: *mut c_void) {
        let program = object(program, "program")?;
        let devices = objects(num_devices, device_list, "device_list")?;
        B::piProgramBuild(program, target(devices, options, pfn_notify, user_data)?)
    };

    piProgramLink(context: pi_context, num_devices: pi_uint32, device_list: *const pi_device,
        options: *const c_char, num_input_programs: pi_uint32, input_programs: *const pi_program,
        pfn_notify: pi_program_notify, user_data: *mut c_void, ret_program: *mut pi_program) {
        address(ret_program, "ret_program")?;
        ret_program.write(core::ptr::null_mut());
        let context = object(context, "context")?;
        let devices = objects(num_devices, device_list, "device_list")?;
        let programs = some_objects(num_input_programs, input_programs, "input_programs")?;
        let mut failed = None;
        let result = B::piProgramLink(context, target(devices, options, pfn_notify, user_data)?, programs,
            &mut failed);
        match (result, failed) {
            (Ok(program), _) => ret_program.write(program.into_raw()),
            (Err(error), failed) => {
                if let Some(failed) = failed {
                    ret_program.write(failed.into_raw());
                }
                return Err(error);
            }
        }
        Ok(())
    };

    piProgramGetBuildInfo(program: pi_program, device: pi_device, param_name: pi_program_build_info,
        param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize) => jump, {
        let (program, device) = (object(program, "program")?, object(device, "device")?);
        answer!(param_value_size, param_value, param_value_size_ret,
            |info| B::piProgramGetBuildInfo(program, device, param_name, info))
    };

    piProgramRetain(program: pi_program) => jump, B::piProgramRetain(object(program, "program")?);

    piProgramRelease(program: pi_program) => jump, B::piProgramRelease(object(program, "program")?);

    piextProgramSetSpecializationConstant(prog: pi_program, spec_id: pi_uint32, spec_size: usize,
        spec_value: *const c_void) {
        let program = object(prog, "prog")?;
        address(spec_value, "spec_value")?;
        let value = bytes(spec_size, spec_value, "spec_value")?;
        B::piextProgramSetSpecializationConstant(program, spec_id, value)
    };

    piextProgramGetNativeHandle(program: pi_program, native_handle: *mut pi_native_handle) {
        let program = object(program, "program")?;
        put(native_handle, "nativeHandle", || B::piextProgramGetNativeHandle(program))
    };

    piextProgramCreateWithNativeHandle(native_handle: pi_native_handle, context: pi_context,
        plugin_owns_native_handle: pi_cxx_bool, program: *mut pi_program) {
        let context = object(context, "context")?;
        create(program, "program",
            || B::piextProgramCreateWithNativeHandle(native_handle, context, plugin_owns_native_handle != 0))
    };
}

/// # Safety
///
/// `options` is null or NUL-terminated.
#[inline(always)]
unsafe fn target<'a, D>(
    devices: &'a [&'a D],
    options: *const c_char,
    function: pi_program_notify,
    user_data: *mut c_void,
) -> crate::Result<BuildTarget<'a, D>> {
    if function.is_none() && !user_data.is_null() {
        return Err(crate::Error::invalid_value("user_data without pfn_notify"));
    }
    // SAFETY: passed on.
    let options = unsafe { crate::view::c_str_or_null(options) };
    Ok(BuildTarget { devices, options, notify: ProgramNotify { function, user_data } })
}

/// The image's program properties: an array of pointers to them, by the C type.
///
/// # Safety
///
/// With `count` > 0, `metadata` points to `count` pointers to properties.
unsafe fn metadata_entries(
    count: usize,
    metadata: *const pi_device_binary_property,
) -> crate::Result<Vec<_pi_device_binary_property_struct>> {
    // SAFETY: passed on.
    let list = unsafe { crate::view::slice(count, metadata, "metadata")? };
    list.iter()
        .map(|entry| {
            // SAFETY: passed on.
            unsafe { crate::view::value(entry.cast_const(), "an entry of metadata").copied() }
        })
        .collect()
}
