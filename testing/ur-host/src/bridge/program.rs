//! Programs.

use std::ffi::{c_char, c_void};
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_ur_core::*;

use crate::Layout;

use super::Bridge;
use super::answer::{Convert, NEITHER, answer, number, paired};
use super::result::{self, refuse};
use super::stubs::stubs;

fn info(name: pi_program_info) -> u32 {
    match name {
        PI_PROGRAM_INFO_REFERENCE_COUNT => UR_PROGRAM_INFO_REFERENCE_COUNT,
        PI_PROGRAM_INFO_CONTEXT => UR_PROGRAM_INFO_CONTEXT,
        PI_PROGRAM_INFO_NUM_DEVICES => UR_PROGRAM_INFO_NUM_DEVICES,
        PI_PROGRAM_INFO_DEVICES => UR_PROGRAM_INFO_DEVICES,
        // The same number in every layout: the source until 2025.0, the intermediate language since then.
        PI_PROGRAM_INFO_SOURCE => UR_PROGRAM_INFO_IL,
        PI_PROGRAM_INFO_BINARY_SIZES => UR_PROGRAM_INFO_BINARY_SIZES,
        PI_PROGRAM_INFO_BINARIES => UR_PROGRAM_INFO_BINARIES,
        PI_PROGRAM_INFO_NUM_KERNELS => UR_PROGRAM_INFO_NUM_KERNELS,
        PI_PROGRAM_INFO_KERNEL_NAMES => UR_PROGRAM_INFO_KERNEL_NAMES,
        _ => NEITHER,
    }
}

const STATUS: &[(u32, u32)] = &[
    (UR_PROGRAM_BUILD_STATUS_NONE, PI_PROGRAM_BUILD_STATUS_NONE as u32),
    (UR_PROGRAM_BUILD_STATUS_ERROR, PI_PROGRAM_BUILD_STATUS_ERROR as u32),
    (UR_PROGRAM_BUILD_STATUS_SUCCESS, PI_PROGRAM_BUILD_STATUS_SUCCESS as u32),
    (UR_PROGRAM_BUILD_STATUS_IN_PROGRESS, PI_PROGRAM_BUILD_STATUS_IN_PROGRESS as u32),
];

const BINARY: &[(u32, u32)] = &[
    (UR_PROGRAM_BINARY_TYPE_NONE, PI_PROGRAM_BINARY_TYPE_NONE),
    (UR_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, PI_PROGRAM_BINARY_TYPE_COMPILED_OBJECT),
    (UR_PROGRAM_BINARY_TYPE_LIBRARY, PI_PROGRAM_BINARY_TYPE_LIBRARY),
    (UR_PROGRAM_BINARY_TYPE_EXECUTABLE, PI_PROGRAM_BINARY_TYPE_EXECUTABLE),
];

fn status(bytes: &[u8]) -> Vec<u8> {
    paired(STATUS, number(bytes)).to_ne_bytes().to_vec()
}

fn binary(bytes: &[u8]) -> Vec<u8> {
    paired(BINARY, number(bytes)).to_ne_bytes().to_vec()
}

fn build_info(name: pi_program_build_info) -> (u32, Option<Convert>) {
    match name {
        PI_PROGRAM_BUILD_INFO_STATUS => (UR_PROGRAM_BUILD_INFO_STATUS, Some(status)),
        PI_PROGRAM_BUILD_INFO_OPTIONS => (UR_PROGRAM_BUILD_INFO_OPTIONS, None),
        PI_PROGRAM_BUILD_INFO_LOG => (UR_PROGRAM_BUILD_INFO_LOG, None),
        PI_PROGRAM_BUILD_INFO_BINARY_TYPE => (UR_PROGRAM_BUILD_INFO_BINARY_TYPE, Some(binary)),
        _ => (NEITHER, None),
    }
}

/// Converts an image's property to UR's metadata.
///
/// # Safety
/// The property is null or valid.
unsafe fn metadata(property: pi_device_binary_property) -> Option<ur_program_metadata_t> {
    // SAFETY: the caller's property, null or valid.
    let property = unsafe { property.as_ref() }?;
    let (kind, value) = match property.Type {
        PI_PROPERTY_TYPE_UINT32 => {
            (UR_PROGRAM_METADATA_TYPE_UINT32, ur_program_metadata_value_t { data64: property.ValSize })
        }
        PI_PROPERTY_TYPE_STRING => (
            UR_PROGRAM_METADATA_TYPE_STRING,
            ur_program_metadata_value_t { pString: property.ValAddr.cast() },
        ),
        PI_PROPERTY_TYPE_BYTE_ARRAY => {
            (UR_PROGRAM_METADATA_TYPE_BYTE_ARRAY, ur_program_metadata_value_t { pData: property.ValAddr })
        }
        _ => (NEITHER, ur_program_metadata_value_t { pData: property.ValAddr }),
    };
    Some(ur_program_metadata_t { pName: property.Name, type_: kind, size: property.ValSize as usize, value })
}

/// Returns the context to which a program belongs, which UR's older calls need.
///
/// # Safety
/// The program is null or a live handle of this adapter.
unsafe fn context_of(ur: &Bridge, program: pi_program) -> Result<ur_context_handle_t, ur_result_t> {
    let mut context: ur_context_handle_t = null_mut();
    let (size, place) = (size_of_val(&context), (&raw mut context).cast());
    // SAFETY: the caller's program, and a valid place.
    let result = unsafe {
        ur.calls.urProgramGetInfo(program.cast(), UR_PROGRAM_INFO_CONTEXT, size, place, null_mut())
    };
    if result == UR_RESULT_SUCCESS { Ok(context) } else { Err(result) }
}

/// Works like the runtime: makes the call with devices, or the one without if the adapter lacks the former.
macro_rules! with_or_without_devices {
    ($ur:ident, $old:ident, $new:ident, $plain:ident, $program:ident, $count:ident, $devices:ident, $options:ident) => {{
        let devices: *mut ur_device_handle_t = $devices.cast_mut().cast();
        let result = if $ur.layout() <= Layout::V2025_3 {
            $ur.calls.$old($program.cast(), $count, devices, $options)
        } else {
            $ur.calls.$new($program.cast(), $count, devices, 0, $options)
        };
        match result {
            UR_RESULT_ERROR_UNSUPPORTED_FEATURE => match context_of($ur, $program) {
                Ok(context) => $ur.calls.$plain(context, $program.cast(), $options),
                Err(code) => code,
            },
            other => other,
        }
    }};
}

stubs! { ur;
    fn piProgramCreate(context: pi_context, il: *const c_void, length: usize, res_program: *mut pi_program)
        [context PI_ERROR_INVALID_CONTEXT]
    {
        ur.calls.urProgramCreateWithIL(context.cast(), il, length, null(), res_program.cast())
    }
    fn piProgramCreateWithBinary(context: pi_context, num_devices: pi_uint32, device_list: *const pi_device, lengths: *const usize, binaries: *const *const u8, num_metadata_entries: usize, entries: *const pi_device_binary_property, binary_status: *mut pi_int32, ret_program: *mut pi_program)
        [context PI_ERROR_INVALID_CONTEXT]
    {
        let count = if entries.is_null() { 0 } else { num_metadata_entries };
        let list: Option<Vec<ur_program_metadata_t>> = (0..count).map(|index| metadata(*entries.add(index))).collect();
        let Some(list) = list else { return refuse(PI_ERROR_INVALID_VALUE) };
        let properties = ur_program_properties_t {
            stype: UR_STRUCTURE_TYPE_PROGRAM_PROPERTIES,
            pNext: null_mut(),
            count: num_metadata_entries as u32,
            pMetadatas: if entries.is_null() { null() } else { list.as_ptr() },
        };
        let properties = if entries.is_null() && num_metadata_entries == 0 { null() } else { &raw const properties };
        let result = if ur.layout() == Layout::V2025_0 {
            if num_devices != 1 || device_list.is_null() || lengths.is_null() || binaries.is_null() {
                return refuse(PI_ERROR_INVALID_VALUE);
            }
            ur.calls.urProgramCreateWithBinary_until_2025_0(
                context.cast(), (*device_list).cast(), *lengths, *binaries, properties, ret_program.cast())
        } else {
            ur.calls.urProgramCreateWithBinary(context.cast(), num_devices, device_list.cast_mut().cast(),
                lengths.cast_mut(), binaries.cast_mut(), properties, ret_program.cast())
        };
        if !binary_status.is_null() && result == UR_RESULT_SUCCESS {
            // UR has no status for each binary.
            (0..num_devices as usize).for_each(|index| binary_status.add(index).write(PI_SUCCESS));
        }
        result
    }
    fn piProgramGetInfo(program: pi_program, param_name: pi_program_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize)
        [program PI_ERROR_INVALID_PROGRAM]
    {
        ur.calls.urProgramGetInfo(program.cast(), info(param_name), param_value_size, param_value, param_value_size_ret)
    }
    fn piProgramBuild(program: pi_program, num_devices: pi_uint32, device_list: *const pi_device, options: *const c_char, pfn_notify: pi_program_notify, user_data: *mut c_void)
        [program PI_ERROR_INVALID_PROGRAM]
    {
        if pfn_notify.is_some() || !user_data.is_null() {
            return refuse(PI_ERROR_INVALID_VALUE);
        }
        if num_devices == 0 && device_list.is_null() && !program.is_null() {
            // This means all devices of the context, which UR expresses by the call without devices.
            match context_of(ur, program) {
                Ok(context) => ur.calls.urProgramBuild(context, program.cast(), options),
                Err(code) => code,
            }
        } else {
            with_or_without_devices!(ur, urProgramBuildExp_until_2025_3, urProgramBuildExp, urProgramBuild, program, num_devices, device_list, options)
        }
    }
    fn piProgramLink(context: pi_context, num_devices: pi_uint32, device_list: *const pi_device, options: *const c_char, num_input_programs: pi_uint32, input_programs: *const pi_program, pfn_notify: pi_program_notify, user_data: *mut c_void, ret_program: *mut pi_program)
        [context PI_ERROR_INVALID_CONTEXT]
    {
        if pfn_notify.is_some() || !user_data.is_null() {
            return refuse(PI_ERROR_INVALID_VALUE);
        }
        let (context, devices, programs) = (context.cast(), device_list.cast_mut().cast(), input_programs.cast());
        let result = if ur.layout() <= Layout::V2025_3 {
            ur.calls.urProgramLinkExp_until_2025_3(context, num_devices, devices, num_input_programs, programs, options, ret_program.cast())
        } else {
            ur.calls.urProgramLinkExp(context, num_devices, devices, 0, num_input_programs, programs, options, ret_program.cast())
        };
        match result {
            UR_RESULT_ERROR_UNSUPPORTED_FEATURE => {
                ur.calls.urProgramLink(context, num_input_programs, programs, options, ret_program.cast())
            }
            other => other,
        }
    }
    fn piProgramGetBuildInfo(program: pi_program, device: pi_device, param_name: pi_program_build_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize)
        [program PI_ERROR_INVALID_PROGRAM, device PI_ERROR_INVALID_DEVICE]
    {
        let (name, convert) = build_info(param_name);
        answer(param_value_size, param_value, param_value_size_ret, convert, |size, value, reported| {
            ur.calls.urProgramGetBuildInfo(program.cast(), device.cast(), name, size, value, reported)
        })
    }
    fn piProgramRetain(program: pi_program) [program PI_ERROR_INVALID_PROGRAM] {
        ur.calls.urProgramRetain(program.cast())
    }
    fn piProgramRelease(program: pi_program) [program PI_ERROR_INVALID_PROGRAM] {
        ur.calls.urProgramRelease(program.cast())
    }
    fn piextProgramSetSpecializationConstant(prog: pi_program, spec_id: pi_uint32, spec_size: usize, spec_value: *const c_void)
        [prog PI_ERROR_INVALID_PROGRAM]
    {
        let constant = ur_specialization_constant_info_t { id: spec_id, size: spec_size, pValue: spec_value };
        ur.calls.urProgramSetSpecializationConstants(prog.cast(), 1, &constant)
    }
    fn piextProgramGetNativeHandle(program: pi_program, nativeHandle: *mut pi_native_handle)
        [program PI_ERROR_INVALID_PROGRAM]
    {
        ur.calls.urProgramGetNativeHandle(program.cast(), nativeHandle)
    }
    fn piextProgramCreateWithNativeHandle(nativeHandle: pi_native_handle, context: pi_context, pluginOwnsNativeHandle: pi_cxx_bool, program: *mut pi_program)
        [context PI_ERROR_INVALID_CONTEXT]
    {
        let owned = ur_program_native_properties_t {
            stype: UR_STRUCTURE_TYPE_PROGRAM_NATIVE_PROPERTIES,
            pNext: null_mut(),
            isNativeHandleOwned: pluginOwnsNativeHandle,
        };
        ur.calls.urProgramCreateWithNativeHandle(nativeHandle, context.cast(), &owned, program.cast())
    }
    fn piextGetDeviceFunctionPointer(device: pi_device, program: pi_program, function_name: *const c_char, function_pointer_ret: *mut pi_uint64)
        [device PI_ERROR_INVALID_DEVICE, program PI_ERROR_INVALID_PROGRAM]
    {
        ur.calls.urProgramGetFunctionPointer(device.cast(), program.cast(), function_name, function_pointer_ret.cast())
    }
    fn piextGetGlobalVariablePointer(Device: pi_device, Program: pi_program, GlobalVariableName: *const c_char, GlobalVariableSize: *mut usize, GlobalVariablePointerRet: *mut *mut c_void)
        [Device PI_ERROR_INVALID_DEVICE, Program PI_ERROR_INVALID_PROGRAM]
    {
        ur.calls.urProgramGetGlobalVariablePointer(Device.cast(), Program.cast(), GlobalVariableName, GlobalVariableSize, GlobalVariablePointerRet)
    }
}

/// `piProgramCompile`. PI has a specific code for a failed compilation.
///
/// # Safety
/// The program is null or live, `device_list` has `num_devices` devices, and `options` is null or a text.
#[allow(clippy::too_many_arguments, non_snake_case, reason = "PI's name and signature")]
pub(super) unsafe extern "C" fn piProgramCompile(
    program: pi_program,
    num_devices: pi_uint32,
    device_list: *const pi_device,
    options: *const c_char,
    num_input_headers: pi_uint32,
    _input_headers: *const pi_program,
    _header_include_names: *const *const c_char,
    pfn_notify: pi_program_notify,
    user_data: *mut c_void,
) -> pi_result {
    let Some(ur) = super::bridge() else { return PI_ERROR_UNINITIALIZED };
    if pfn_notify.is_some() || !user_data.is_null() || num_input_headers != 0 {
        return refuse(PI_ERROR_INVALID_VALUE);
    }
    let _ = super::recorded::take_failed();
    // SAFETY: the caller vouches for the arguments.
    let result = unsafe {
        with_or_without_devices!(
            ur,
            urProgramCompileExp_until_2025_3,
            urProgramCompileExp,
            urProgramCompile,
            program,
            num_devices,
            device_list,
            options
        )
    };
    match result::code("piProgramCompile", result, &[(program as usize, PI_ERROR_INVALID_PROGRAM)]) {
        PI_ERROR_BUILD_PROGRAM_FAILURE => result::also(PI_ERROR_COMPILE_PROGRAM_FAILURE),
        other => other,
    }
}
