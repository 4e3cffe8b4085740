//! Tests of objects found by a symbol's name: device globals, function and variable pointers, host pipes.

use std::ffi::{CStr, c_char, c_void};
use std::ptr::{null, null_mut};

use testing_opencl::kernels::{DG_BASIC, DG_SCOPE};
use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "symbol",
        [
            device_globals_hold_a_pointer_for_kernels,
            device_globals_by_both_exported_names,
            device_globals_refuse_unknown_names,
            a_driver_without_device_globals_is_named,
            function_pointers_of_other_devices_are_refused,
            host_pipes_are_refused_with_a_text,
        ]
    );
}

type Write = unsafe extern "C" fn(
    pi_queue,
    pi_program,
    *const c_char,
    pi_bool,
    usize,
    usize,
    *const c_void,
    pi_uint32,
    *const pi_event,
    *mut pi_event,
) -> pi_result;

fn write<T: Copy>(
    f: &Fixture,
    program: pi_program,
    name: &CStr,
    offset: usize,
    value: T,
) -> Result<(), CallError> {
    let (size, start, none) = (size_of::<T>(), (&raw const value).cast(), null_mut());
    call!(
        f.pi,
        piextEnqueueDeviceGlobalVariableWrite(
            f.queue,
            program,
            name.as_ptr(),
            1,
            size,
            offset,
            start,
            0,
            null(),
            none
        )
    )
}

fn read<T: Copy + Default>(
    f: &Fixture,
    program: pi_program,
    name: &CStr,
    offset: usize,
) -> Result<T, CallError> {
    let mut value = T::default();
    let (size, room, none) = (size_of::<T>(), (&raw mut value).cast(), null_mut());
    call!(
        f.pi,
        piextEnqueueDeviceGlobalVariableRead(
            f.queue,
            program,
            name.as_ptr(),
            1,
            size,
            offset,
            room,
            0,
            null(),
            none
        )
    )
    .map(|()| value)
}

fn shared(f: &Fixture, size: usize) -> *mut c_void {
    made!(f.pi, |out| piextUSMSharedAlloc(out, f.context, f.device, null_mut(), size, 0))
}

/// Launches a kernel of one work-item with an address and optionally a number.
fn launch(f: &Fixture, program: pi_program, name: &CStr, pointer: Option<*mut c_void>, value: Option<i32>) {
    let kernel = f.kernel(program, name);
    if let Some(pointer) = pointer {
        f.set_pointer(*kernel, 0, pointer);
    }
    if let Some(value) = value {
        f.set_arg(*kernel, 0, value);
    }
    let yes = 1_u32;
    ok!(f.pi, piKernelSetExecInfo(*kernel, PI_USM_INDIRECT_ACCESS, 4, (&raw const yes).cast()));
    f.launch(*kernel, 1);
}

/// Drivers with Intel's extension refuse the name instead.
fn a_driver_without_device_globals_is_named() {
    let f = Fixture::new();
    let program = f.built_source();
    let error = write(&f, *program, c"no_such_variable", 0, 1_i32).unwrap_err().to_string();
    if !error.contains("the OpenCL driver has no clEnqueueWriteGlobalVariableINTEL") {
        return;
    }
    let platform = text!(f.pi, piPlatformGetInfo(f.platform, PI_PLATFORM_INFO_NAME));
    let advice = format!(
        "OpenCL platform {platform} does not let the host access variables of programs (device_global)"
    );
    assert!(error.contains(&advice) && error.contains("pass a buffer or USM instead"), "{error}");
}

fn device_globals_hold_a_pointer_for_kernels() {
    let f = Fixture::new();
    let program = f.built_spirv(DG_BASIC);
    let (block, out) = (shared(&f, 4), shared(&f, 4));
    // SAFETY: 4 shared bytes that no command uses yet.
    unsafe { block.cast::<i32>().write(37) };
    write(&f, *program, c"_Z7Counter", 0, block.addr()).unwrap();
    launch(&f, *program, c"_ZTS5DgAdd", None, Some(5));
    launch(&f, *program, c"_ZTS5DgGet", Some(out), None);
    // SAFETY: 4 shared bytes, and the launch is done.
    assert_eq!(unsafe { out.cast::<i32>().read() }, 42);
    ok!(f.pi, piextUSMFree(f.context, block));
    ok!(f.pi, piextUSMFree(f.context, out));
}

fn device_globals_by_both_exported_names() {
    let f = Fixture::new();
    let program = f.built_spirv(DG_SCOPE);
    for (number, name) in
        [(5_i32, "piextEnqueueDeviceVariableWrite"), (6, "piextEnqueueDeviceGlobalVariableWrite")]
    {
        let function = plugin::symbol(name).unwrap_or_else(|| panic!("{name} is not exported"));
        // SAFETY: the plugin's own symbol of that name, with PI's signature.
        let function: Write = unsafe { std::mem::transmute(function) };
        let start = (&raw const number).cast();
        // SAFETY: a live queue and program, and 4 bytes to read. The call waits for the copy.
        let code = unsafe {
            function(f.queue, *program, c"_Z6Scoped".as_ptr(), 1, 4, 0, start, 0, null(), null_mut())
        };
        assert_eq!(code, PI_SUCCESS);
        assert_eq!(read::<i32>(&f, *program, c"_Z6Scoped", 0).unwrap(), number);
    }
    for name in ["piextEnqueueDeviceVariableRead", "piextEnqueueDeviceGlobalVariableRead"] {
        // SAFETY: the functions for reading differ from those for writing only in the pointer's direction.
        let function: Write = unsafe { std::mem::transmute(plugin::symbol(name).unwrap()) };
        let mut value = 0_i32;
        let room = (&raw mut value).cast_const().cast();
        // SAFETY: a live queue and program, and room for 4 bytes. The call waits for the copy.
        let code = unsafe {
            function(f.queue, *program, c"_Z6Scoped".as_ptr(), 1, 4, 0, room, 0, null(), null_mut())
        };
        assert_eq!((code, value), (PI_SUCCESS, 6));
    }
}

fn device_globals_refuse_unknown_names() {
    let f = Fixture::new();
    let program = f.built_spirv(DG_SCOPE);
    for name in [c"nowhere", c"", c"\xff\xfe"] {
        let text = calls::expect_refusal(
            write(&f, *program, name, 0, 1_i32),
            // Intel's runtime returns CL_INVALID_ARG_VALUE.
            &[PI_ERROR_INVALID_VALUE, PI_ERROR_INVALID_ARG_VALUE],
        );
        assert!(text.contains("variable"), "{text}");
    }
}

/// Intel's CPU runtime of 2023 ends the process over it.
fn function_pointers_of_other_devices_are_refused() {
    let f = Fixture::new();
    let (program, mut address) = (f.built_source(), 0);
    let properties = [PI_DEVICE_PARTITION_EQUALLY, 1, 0];
    let mut part: [pi_device; 1] = [null_mut()];
    ok!(f.pi, piDevicePartition(f.device, properties.as_ptr(), 1, part.as_mut_ptr(), null_mut()));
    refused!(
        f.pi,
        piextGetDeviceFunctionPointer(part[0], *program, c"nothing".as_ptr(), &mut address),
        PI_ERROR_INVALID_DEVICE
    );
    ok!(f.pi, piDeviceRelease(part[0]));
    assert_eq!(address, 0);
}

fn host_pipes_are_refused_with_a_text() {
    let f = Fixture::new();
    let program = f.built_source();
    let mut value = 0_u32;
    let (room, name, none) = ((&raw mut value).cast::<c_void>(), c"pipe".as_ptr(), null_mut());
    let codes = &[PI_ERROR_INVALID_OPERATION, PI_ERROR_INVALID_VALUE, PI_ERROR_INVALID_ARG_VALUE];
    let read = call!(f.pi, piextEnqueueReadHostPipe(f.queue, *program, name, 1, room, 4, 0, null(), none));
    assert!(calls::expect_refusal(read, codes).contains("pipe"));
    let write = call!(f.pi, piextEnqueueWriteHostPipe(f.queue, *program, name, 1, room, 4, 0, null(), none));
    assert!(calls::expect_refusal(write, codes).contains("pipe"));
}
