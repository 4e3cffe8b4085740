//! Programs.

use sycl_pi_backend::api::{BuildTarget, ProgramMetadata, ProgramNotify};

use super::prelude::*;

#[entry]
pub unsafe extern "C" fn urProgramCreateWithIL<B: Backend>(
    hContext: ur_context_handle_t, pIL: *const c_void, length: usize,
    pProperties: *const ur_program_properties_t, phProgram: *mut ur_program_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object::<B::Context>(hContext, "hContext")? };
    let _ = pProperties;
    if length == 0 {
        return Err(error(UR_RESULT_ERROR_INVALID_SIZE, "length is 0"));
    }
    // SAFETY: `pIL` is null or has `length` bytes.
    let il = unsafe { bytes(length, pIL, "pIL")? };
    // SAFETY: `phProgram` is null or writable.
    unsafe { create(phProgram, "phProgram", context, || B::program_create_with_il(context, il)) }
}

#[entry]
pub unsafe extern "C" fn urProgramCreateWithBinary<B: Backend>(
    hContext: ur_context_handle_t, numDevices: u32, phDevices: *mut ur_device_handle_t, pLengths: *mut usize,
    ppBinaries: *mut *const u8, pProperties: *const ur_program_properties_t,
    phProgram: *mut ur_program_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object::<B::Context>(hContext, "hContext")? };
    // SAFETY: `phDevices` is null or has `numDevices` handles.
    let devices = unsafe { some_objects::<B::Device>(numDevices, phDevices, "phDevices")? };
    // SAFETY: `pLengths` is null or has `devices.len()` entries.
    let lengths = unsafe { slice(devices.len(), pLengths, "pLengths")? };
    // SAFETY: `ppBinaries` is null or has `devices.len()` entries.
    let starts = unsafe { slice(devices.len(), ppBinaries, "ppBinaries")? };
    let binaries: Vec<&[u8]> = starts
        .iter()
        .zip(lengths)
        // SAFETY: the start of a binary is null, or its length is the entry of `pLengths`.
        .map(|(start, length)| unsafe { binary(*length, *start, "an entry of ppBinaries") })
        .collect::<Result<_>>()?;
    // SAFETY: the arguments are passed on under the same contract.
    let metadata = unsafe { metadata(pProperties)? };
    // SAFETY: `phProgram` is null or writable.
    unsafe {
        create(phProgram, "phProgram", context, || {
            B::program_create_with_binary(context, &devices, &binaries, &metadata, None)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urProgramCreateWithBinary_until_2025_0<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, size: usize, pBinary: *const u8,
    pProperties: *const ur_program_properties_t, phProgram: *mut ur_program_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object::<B::Context>(hContext, "hContext")? };
    // SAFETY: `hDevice` is null or a live handle.
    let device = unsafe { object::<B::Device>(hDevice, "hDevice")? };
    // SAFETY: the arguments are passed on under the same contract.
    let binary = unsafe { binary(size, pBinary, "pBinary")? };
    // SAFETY: the arguments are passed on under the same contract.
    let metadata = unsafe { metadata(pProperties)? };
    // SAFETY: `phProgram` is null or writable.
    unsafe {
        create(phProgram, "phProgram", context, || {
            B::program_create_with_binary(context, &[device], &[binary], &metadata, None)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urProgramBuild<B: Backend>(
    hContext: ur_context_handle_t, hProgram: ur_program_handle_t, pOptions: *const c_char,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    unsafe { object::<B::Context>(hContext, "hContext")? };
    B::program_build(
        // SAFETY: `hProgram` is null or a live handle.
        unsafe { object(hProgram, "hProgram")? },
        // SAFETY: the arguments are passed on under the same contract.
        unsafe { target(&[], pOptions) },
    )
}

#[entry]
pub unsafe extern "C" fn urProgramCompile<B: Backend>(
    hContext: ur_context_handle_t, hProgram: ur_program_handle_t, pOptions: *const c_char,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    unsafe { object::<B::Context>(hContext, "hContext")? };
    B::program_compile(
        // SAFETY: `hProgram` is null or a live handle.
        unsafe { object(hProgram, "hProgram")? },
        // SAFETY: the arguments are passed on under the same contract.
        unsafe { target(&[], pOptions) },
        &[],
        &[],
    )
}

#[entry]
pub unsafe extern "C" fn urProgramLink<B: Backend>(
    hContext: ur_context_handle_t, count: u32, phPrograms: *const ur_program_handle_t,
    pOptions: *const c_char, phProgram: *mut ur_program_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object::<B::Context>(hContext, "hContext")? };
    // SAFETY: the arguments are passed on under the same contract.
    unsafe { no_program(phProgram) };
    // SAFETY: `phPrograms` is null or has `count` handles.
    let programs = unsafe { some_objects::<B::Program>(count, phPrograms, "phPrograms")? };
    // SAFETY: the arguments are passed on under the same contract.
    unsafe { link::<B>(context, &programs, target(&[], pOptions), phProgram) }
}

#[entry]
pub unsafe extern "C" fn urProgramRetain<B: Backend>(hProgram: ur_program_handle_t) -> Result<()> {
    // SAFETY: `hProgram` is null or a live handle.
    unsafe { object::<B::Program>(hProgram, "hProgram")? }.retain_by_caller()
}

#[entry]
pub unsafe extern "C" fn urProgramRelease<B: Backend>(hProgram: ur_program_handle_t) -> Result<()> {
    // SAFETY: `hProgram` is null or a live handle.
    unsafe { object::<B::Program>(hProgram, "hProgram")?.release_by_caller() }
}

#[entry]
pub unsafe extern "C" fn urProgramGetInfo<B: Backend>(
    hProgram: ur_program_handle_t, propName: ur_program_info_t, propSize: usize, pPropValue: *mut c_void,
    pPropSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: `hProgram` is null or a live handle.
    let program = unsafe { object(hProgram, "hProgram")? };
    // SAFETY: the answer's buffer has the size that the caller states.
    query::program::<B>(program, propName, unsafe { Answer::new(propSize, pPropValue, pPropSizeRet)? })
}

#[entry]
pub unsafe extern "C" fn urProgramGetBuildInfo<B: Backend>(
    hProgram: ur_program_handle_t, hDevice: ur_device_handle_t, propName: ur_program_build_info_t,
    propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: `hProgram` and `hDevice` are null or live handles.
    let (program, device) = unsafe { (object(hProgram, "hProgram")?, object(hDevice, "hDevice")?) };
    // SAFETY: the answer's buffer has the size that the caller states.
    query::program_build::<B>(program, device, propName, unsafe {
        Answer::new(propSize, pPropValue, pPropSizeRet)?
    })
}

#[entry]
pub unsafe extern "C" fn urProgramSetSpecializationConstants<B: Backend>(
    hProgram: ur_program_handle_t, count: u32, pSpecConstants: *const ur_specialization_constant_info_t,
) -> Result<()> {
    // SAFETY: `hProgram` is null or a live handle.
    let program = unsafe { object(hProgram, "hProgram")? };
    if count == 0 {
        return Err(error(UR_RESULT_ERROR_INVALID_SIZE, "count is 0"));
    }
    address(pSpecConstants, "pSpecConstants")?;
    // SAFETY: `pSpecConstants` is null or has `count` entries.
    for constant in unsafe { slice(count as usize, pSpecConstants, "pSpecConstants")? } {
        // SAFETY: `constant.pValue` is null or has `constant.size` bytes.
        let value = unsafe { bytes(constant.size, constant.pValue, "pValue of an entry of pSpecConstants") }
            .map_err(|error| error.with_code(ErrorCode::INVALID_VALUE))?;
        B::program_set_specialization_constant(program, constant.id, value).map_err(|failure| {
            // UR has had a number for it since 2025.1.
            let has_number = origin(program).layout >= Layout::V2025_1;
            if failure.code() == ErrorCode::INVALID_SPEC_ID && has_number {
                return error(UR_RESULT_ERROR_INVALID_SPEC_ID, failure.text().to_owned());
            }
            failure
        })?;
    }
    Ok(())
}

#[entry]
pub unsafe extern "C" fn urProgramGetNativeHandle<B: Backend>(
    hProgram: ur_program_handle_t, phNativeProgram: *mut ur_native_handle_t,
) -> Result<()> {
    // SAFETY: `hProgram` is null or a live handle.
    let program = unsafe { object(hProgram, "hProgram")? };
    // SAFETY: `phNativeProgram` is null or writable.
    unsafe { put(phNativeProgram, "phNativeProgram", || B::program_native_handle(program)) }
}

#[entry]
pub unsafe extern "C" fn urProgramCreateWithNativeHandle<B: Backend>(
    hNativeProgram: ur_native_handle_t, hContext: ur_context_handle_t,
    pProperties: *const ur_program_native_properties_t, phProgram: *mut ur_program_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object::<B::Context>(hContext, "hContext")? };
    // SAFETY: `pProperties` is null or points to what its type says.
    let owned = unsafe { pProperties.as_ref() }.is_some_and(|properties| properties.isNativeHandleOwned != 0);
    // SAFETY: `phProgram` is null or writable.
    unsafe {
        create(phProgram, "phProgram", context, || {
            B::program_create_with_native_handle(hNativeProgram, context, owned)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urProgramBuildExp<B: Backend>(
    hProgram: ur_program_handle_t, numDevices: u32, phDevices: *mut ur_device_handle_t,
    flags: ur_exp_program_flags_t, pOptions: *const c_char,
) -> Result<()> {
    known_flags(flags, UR_EXP_PROGRAM_FLAG_ALLOW_UNRESOLVED_SYMBOLS, "flags")?;
    // SAFETY: `phDevices` is null or has `numDevices` handles.
    let devices = unsafe { objects::<B::Device>(numDevices, phDevices, "phDevices")? };
    B::program_build(
        // SAFETY: `hProgram` is null or a live handle.
        unsafe { object(hProgram, "hProgram")? },
        // SAFETY: the arguments are passed on under the same contract.
        unsafe { target(&devices, pOptions) },
    )
}

#[entry]
pub unsafe extern "C" fn urProgramBuildExp_until_2025_3<B: Backend>(
    hProgram: ur_program_handle_t, numDevices: u32, phDevices: *mut ur_device_handle_t,
    pOptions: *const c_char,
) -> Result<()> {
    // SAFETY: `phDevices` is null or has `numDevices` handles.
    let devices = unsafe { objects::<B::Device>(numDevices, phDevices, "phDevices")? };
    B::program_build(
        // SAFETY: `hProgram` is null or a live handle.
        unsafe { object(hProgram, "hProgram")? },
        // SAFETY: the arguments are passed on under the same contract.
        unsafe { target(&devices, pOptions) },
    )
}

#[entry]
pub unsafe extern "C" fn urProgramCompileExp<B: Backend>(
    hProgram: ur_program_handle_t, numDevices: u32, phDevices: *mut ur_device_handle_t,
    flags: ur_exp_program_flags_t, pOptions: *const c_char,
) -> Result<()> {
    known_flags(flags, UR_EXP_PROGRAM_FLAG_ALLOW_UNRESOLVED_SYMBOLS, "flags")?;
    // SAFETY: `phDevices` is null or has `numDevices` handles.
    let devices = unsafe { objects::<B::Device>(numDevices, phDevices, "phDevices")? };
    B::program_compile(
        // SAFETY: `hProgram` is null or a live handle.
        unsafe { object(hProgram, "hProgram")? },
        // SAFETY: the arguments are passed on under the same contract.
        unsafe { target(&devices, pOptions) },
        &[],
        &[],
    )
}

#[entry]
pub unsafe extern "C" fn urProgramCompileExp_until_2025_3<B: Backend>(
    hProgram: ur_program_handle_t, numDevices: u32, phDevices: *mut ur_device_handle_t,
    pOptions: *const c_char,
) -> Result<()> {
    // SAFETY: `phDevices` is null or has `numDevices` handles.
    let devices = unsafe { objects::<B::Device>(numDevices, phDevices, "phDevices")? };
    B::program_compile(
        // SAFETY: `hProgram` is null or a live handle.
        unsafe { object(hProgram, "hProgram")? },
        // SAFETY: the arguments are passed on under the same contract.
        unsafe { target(&devices, pOptions) },
        &[],
        &[],
    )
}

#[entry]
pub unsafe extern "C" fn urProgramLinkExp<B: Backend>(
    hContext: ur_context_handle_t, numDevices: u32, phDevices: *mut ur_device_handle_t,
    flags: ur_exp_program_flags_t, count: u32, phPrograms: *const ur_program_handle_t,
    pOptions: *const c_char, phProgram: *mut ur_program_handle_t,
) -> Result<()> {
    known_flags(flags, UR_EXP_PROGRAM_FLAG_ALLOW_UNRESOLVED_SYMBOLS, "flags")?;
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object::<B::Context>(hContext, "hContext")? };
    // SAFETY: `phDevices` is null or has `numDevices` handles.
    let devices = unsafe { objects::<B::Device>(numDevices, phDevices, "phDevices")? };
    // SAFETY: the arguments are passed on under the same contract.
    unsafe { no_program(phProgram) };
    // SAFETY: `phPrograms` is null or has `count` handles.
    let programs = unsafe { some_objects::<B::Program>(count, phPrograms, "phPrograms")? };
    // SAFETY: the arguments are passed on under the same contract.
    unsafe { link::<B>(context, &programs, target(&devices, pOptions), phProgram) }
}

#[entry]
pub unsafe extern "C" fn urProgramLinkExp_until_2025_3<B: Backend>(
    hContext: ur_context_handle_t, numDevices: u32, phDevices: *mut ur_device_handle_t, count: u32,
    phPrograms: *const ur_program_handle_t, pOptions: *const c_char, phProgram: *mut ur_program_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object::<B::Context>(hContext, "hContext")? };
    // SAFETY: `phDevices` is null or has `numDevices` handles.
    let devices = unsafe { objects::<B::Device>(numDevices, phDevices, "phDevices")? };
    // SAFETY: the arguments are passed on under the same contract.
    unsafe { no_program(phProgram) };
    // SAFETY: `phPrograms` is null or has `count` handles.
    let programs = unsafe { some_objects::<B::Program>(count, phPrograms, "phPrograms")? };
    // SAFETY: the arguments are passed on under the same contract.
    unsafe { link::<B>(context, &programs, target(&devices, pOptions), phProgram) }
}

#[entry]
pub unsafe extern "C" fn urProgramDynamicLinkExp<B: Backend>(
    _hContext: ur_context_handle_t, _count: u32, _phPrograms: *const ur_program_handle_t,
) -> Result<()> {
    no_such_function::<B>()
}

/// Returns the build target: the given devices, or all devices of the program if there are none.
///
/// # Safety
///
/// `options` must be null or NUL-terminated.
unsafe fn target<'a, D>(devices: &'a [&'a D], options: *const c_char) -> BuildTarget<'a, D> {
    let notify = ProgramNotify { function: None, user_data: core::ptr::null_mut() };
    // SAFETY: guaranteed by the caller.
    BuildTarget { devices, options: unsafe { c_str_or_null(options) }, notify }
}

/// Links programs. A failed link may leave a program whose log contains the reason. The caller gets it in addition to
/// the error.
///
/// # Safety
///
/// `out` must be null or writable.
unsafe fn link<B: Backend>(
    context: &crate::handle::Handle<B::Context>, programs: &[&B::Program],
    target: BuildTarget<'_, B::Device>, out: *mut ur_program_handle_t,
) -> Result<()> {
    let mut failed = None;
    // SAFETY: guaranteed by the caller.
    let linked = unsafe {
        create(out, "phProgram", context, || B::program_link(context, target, programs, &mut failed))
    };
    if linked.is_err() && !out.is_null() {
        let failed = failed.map_or(core::ptr::null_mut(), |failed| adopt_child(failed, context));
        // SAFETY: the pointer is not null, so it is writable.
        unsafe { out.write(failed) };
    }
    linked
}

/// Returns the properties that a device image declares for its program.
///
/// # Safety
///
/// `properties` must be null or point to properties whose list is valid.
unsafe fn metadata<'a>(properties: *const ur_program_properties_t) -> Result<Vec<ProgramMetadata<'a>>> {
    // SAFETY: guaranteed by the caller.
    let Some(properties) = (unsafe { properties.as_ref() }) else { return Ok(Vec::new()) };
    // SAFETY: guaranteed by the caller.
    let list = unsafe { slice(properties.count as usize, properties.pMetadatas, "pMetadatas")? };
    list.iter()
        .map(|property| {
            // SAFETY: the type states which member is set, and the size gives the length of a byte array.
            let (name, bytes) = unsafe {
                let name = c_str(property.pName, "pName of an entry of pMetadatas")?;
                let is_array = property.type_ == UR_PROGRAM_METADATA_TYPE_BYTE_ARRAY;
                let size = if is_array { property.size } else { 0 };
                (
                    name,
                    slice(
                        size,
                        property.value.pData.cast::<u8>().cast_const(),
                        "pData of an entry of pMetadatas",
                    )?,
                )
            };
            Ok(ProgramMetadata { name: name.to_bytes(), bytes })
        })
        .collect()
}

/// Returns a device binary, which must not be empty.
///
/// # Safety
///
/// `start` must be null or point to `length` bytes.
unsafe fn binary<'a>(length: usize, start: *const u8, what: &'static str) -> Result<&'a [u8]> {
    // SAFETY: guaranteed by the caller.
    let binary = unsafe { bytes(length, start.cast(), what)? };
    if binary.is_empty() {
        return Err(error(UR_RESULT_ERROR_INVALID_SIZE, format!("{what} has 0 bytes")));
    }
    Ok(binary)
}

/// Sets the program to null until one exists, because callers read it even after a failed link.
///
/// # Safety
///
/// `out` must be null or writable.
unsafe fn no_program(out: *mut ur_program_handle_t) {
    if !out.is_null() {
        // SAFETY: the pointer is not null, so it is writable.
        unsafe { out.write(core::ptr::null_mut()) };
    }
}
