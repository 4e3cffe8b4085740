//! Tests of what a driver is called for by functions that PI lacks, with fake drivers that note it.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_ur_core::*;
use testing_opencl::fake::{Fake, FakeDriver, Function, enqueue, get_info};
use testing_ur_host::structures;

use crate::host::{Host, newest, ok, with_setters};

const KERNEL_CONTEXT: u32 = 0x1193;
/// No query of OpenCL: the clone that a kernel gives.
const CLONE: u32 = 0xffff;

/// The objects of a fake driver, as an adapter's handles.
struct Objects {
    context: ur_context_handle_t,
    device: ur_device_handle_t,
    queue: ur_queue_handle_t,
    kernel: ur_kernel_handle_t,
}

fn native(object: &Fake) -> ur_native_handle_t {
    object.handle::<()>().expose_provenance()
}

impl Objects {
    fn new(host: Host, driver: &FakeDriver, kernel: &Fake) -> Self {
        let (mut adapter, mut device, mut context) = (null_mut(), null_mut(), null_mut());
        let (mut queue, mut its_kernel) = (null_mut(), null_mut());
        // SAFETY: native objects, which are never freed, and room for the handles.
        unsafe {
            let calls = host.calls;
            ok(calls.urAdapterGet(1, &mut adapter, null_mut()));
            ok(calls.urDeviceCreateWithNativeHandle(native(driver.device), adapter, null(), &mut device));
            ok(calls.urContextCreateWithNativeHandle(
                native(driver.context),
                adapter,
                1,
                &device,
                null(),
                &mut context,
            ));
            let its = native(driver.queue());
            ok(calls.urQueueCreateWithNativeHandle(its, context, device, null(), &mut queue));
            let its = native(kernel);
            ok(calls.urKernelCreateWithNativeHandle(its, context, null_mut(), null(), &mut its_kernel));
        }
        Self { context, device, queue, kernel: its_kernel }
    }
}

extern "C" fn succeed() -> i32 {
    0
}

/// Suggests the numbers that it is asked with.
///
/// # Safety
/// The offset must be null or have a number. The global size must have one, and there must be room for three.
unsafe extern "C" fn suggest(
    _: &Fake,
    _: &Fake,
    dims: u32,
    offset: *const usize,
    global: *const usize,
    local: *mut [usize; 3],
) -> i32 {
    // SAFETY: what the caller guarantees.
    unsafe { local.write([1000 * dims as usize + offset.as_ref().copied().unwrap_or(0), *global, 9]) };
    0
}

/// # Safety
/// There must be room for three numbers.
unsafe extern "C" fn suggest_ones(
    _: &Fake,
    _: &Fake,
    _: u32,
    _: *const usize,
    _: *const usize,
    local: *mut [usize; 3],
) -> i32 {
    // SAFETY: what the caller guarantees.
    unsafe { local.write([1; 3]) };
    0
}

extern "C" fn set_arg(kernel: &Fake, index: u32, size: usize, value: *const c_void) -> i32 {
    kernel.note(match (index, size, value.is_null()) {
        (0, 8, false) => "handle",
        (2, 4, false) => "value",
        (3, 32, true) => "local memory",
        _ => "something else",
    })
}

extern "C" fn set_pointer(kernel: &Fake, index: u32, value: *const c_void) -> i32 {
    kernel.note(if (index, value.addr()) == (1, 0x40) { "pointer" } else { "another pointer" })
}

/// # Safety
/// `code` must be valid.
unsafe extern "C" fn clone(kernel: &Fake, code: *mut i32) -> *const Fake {
    let mut clone: *const Fake = null();
    // SAFETY: room for an address, and what the caller guarantees.
    unsafe { code.write(get_info(kernel, CLONE, 8, (&raw mut clone).cast(), null_mut())) };
    clone
}

const FUNCTIONS: [Function; 8] = [
    (6, succeed as *const c_void),  // clRetainContext
    (7, succeed as *const c_void),  // clReleaseContext
    (36, succeed as *const c_void), // clRetainKernel
    (37, succeed as *const c_void), // clReleaseKernel
    (38, set_arg as *const c_void),
    (39, get_info as *const c_void),
    (134, set_pointer as *const c_void),
    (137, clone as *const c_void),
];

fn driver_and_kernel() -> (FakeDriver, &'static Fake) {
    let driver = FakeDriver::new("Fake", "Nobody", &FUNCTIONS);
    let kernel = driver.context.another();
    kernel.tell(KERNEL_CONTEXT, driver.context.handle::<c_void>());
    (driver, kernel)
}

/// The function of the Khronos extension comes first. A caller has room for as many numbers as there are dimensions.
#[test]
fn a_size_is_suggested_for_the_whole_range_by_either_extension() {
    const KHRONOS: &str = "clGetKernelSuggestedLocalWorkSizeKHR";
    const INTEL: &str = "clGetKernelSuggestedLocalWorkSizeINTEL";
    let whole = suggest as *const c_void;
    for (functions, expected) in [
        (&[(KHRONOS, whole), (INTEL, suggest_ones as *const c_void)][..], Ok([2016, 64, 0])),
        (&[(INTEL, whole)], Ok([2016, 64, 0])),
        (&[], Err(UR_RESULT_ERROR_UNSUPPORTED_FEATURE)),
    ] {
        let (driver, kernel) = driver_and_kernel();
        for (name, function) in functions {
            driver.platform.extend(name, *function);
        }
        let host = newest();
        let its = Objects::new(host, &driver, kernel);
        let (offset, global, mut local) = ([16, 0], [64, 32], [0; 3]);
        let (start, size, room) = (offset.as_ptr(), global.as_ptr(), local.as_mut_ptr());
        // SAFETY: live handles, and two or three numbers each.
        let code = unsafe {
            host.calls.urKernelGetSuggestedLocalWorkSize(its.kernel, its.queue, 2, start, size, room)
        };
        assert_eq!(if code == UR_RESULT_SUCCESS { Ok(local) } else { Err(code) }, expected);
    }
}

#[test]
fn an_update_sets_each_kind_of_argument_of_the_recorded_kernel() {
    let (host, (driver, kernel)) = (with_setters(), driver_and_kernel());
    let recorded = driver.context.another();
    recorded.tell(KERNEL_CONTEXT, driver.context.handle::<c_void>());
    kernel.tell(CLONE, recorded.handle::<c_void>());
    let (calls, its) = (host.calls, Objects::new(host, &driver, kernel));
    let desc = ur_exp_command_buffer_desc_t {
        stype: UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_DESC,
        pNext: null(),
        isUpdatable: 1,
        isInOrder: 0,
        enableProfiling: 0,
    };
    let (offset, global, mut buffer, mut command) = (0, 1, null_mut(), null_mut());
    // SAFETY: live handles, and numbers that outlive the call.
    unsafe {
        ok(calls.urCommandBufferCreateExp(its.context, its.device, &desc, &mut buffer));
        ok(calls.urCommandBufferAppendKernelLaunchExp(
            buffer,
            its.kernel,
            1,
            &offset,
            &global,
            null(),
            0,
            null_mut(),
            0,
            null(),
            0,
            null(),
            null_mut(),
            null_mut(),
            &mut command,
        ));
        ok(calls.urCommandBufferFinalizeExp(buffer));
    }
    recorded.calls();
    let memory = ur_exp_command_buffer_update_memobj_arg_desc_t {
        stype: UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_UPDATE_MEMOBJ_ARG_DESC,
        pNext: null(),
        argIndex: 0,
        pProperties: null(),
        hNewMemObjArg: null_mut(),
    };
    let address = std::ptr::without_provenance::<c_void>(0x40);
    let pointer = ur_exp_command_buffer_update_pointer_arg_desc_t {
        stype: UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_UPDATE_POINTER_ARG_DESC,
        pNext: null(),
        argIndex: 1,
        pProperties: null(),
        pNewPointerArg: (&raw const address).cast(),
    };
    let number = 7_u32;
    let value = |index, size, start| ur_exp_command_buffer_update_value_arg_desc_t {
        stype: UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_UPDATE_VALUE_ARG_DESC,
        pNext: null(),
        argIndex: index,
        argSize: size,
        pProperties: null(),
        pNewValueArg: start,
    };
    let values = [value(2, 4, (&raw const number).cast()), value(3, 32, null())];
    let update = ur_exp_command_buffer_update_kernel_launch_desc_t {
        hCommand: command,
        hNewKernel: its.kernel,
        numNewMemObjArgs: 1,
        numNewPointerArgs: 1,
        numNewValueArgs: 2,
        pNewMemObjArgList: &memory,
        pNewPointerArgList: &pointer,
        pNewValueArgList: values.as_ptr(),
        ..structures::UPDATE
    };
    // SAFETY: live handles, and a description that outlives the call.
    unsafe {
        ok(calls.urCommandBufferUpdateKernelLaunchExp(buffer, 1, &update));
        ok(calls.urCommandBufferReleaseExp(buffer));
    }
    let mut set = recorded.calls();
    set.sort_unstable();
    assert_eq!(set, ["handle", "local memory", "pointer", "value"]);
    assert_eq!(kernel.calls(), [""; 0]);
}

/// # Safety
/// `event` must be null or valid.
unsafe extern "C" fn wait(
    queue: &'static Fake,
    count: u32,
    _: *const c_void,
    event: *mut &'static Fake,
) -> i32 {
    let function = if count == 2 { "a marker behind two events" } else { "a marker" };
    // SAFETY: what the caller guarantees.
    unsafe { enqueue(queue, function, event) }
}

#[test]
fn a_timestamp_is_behind_its_events() {
    const DONE: i32 = 0;
    const QUEUE_PROPERTIES: u32 = 0x1093;
    const PROFILING_ENABLE: u64 = 2;
    let functions =
        [(105, wait as *const c_void), (6, succeed as *const c_void), (36, succeed as *const c_void)];
    let (host, driver) = (newest(), FakeDriver::new("Fake", "Nobody", &functions));
    let (kernel, queue) = (driver.context.another(), driver.queue());
    kernel.tell(KERNEL_CONTEXT, driver.context.handle::<c_void>());
    queue.tell(QUEUE_PROPERTIES, PROFILING_ENABLE);
    let its = Objects::new(host, &driver, kernel);
    let (mut its_queue, mut stamped, mut events) = (null_mut(), null_mut(), [null_mut(); 2]);
    // SAFETY: live handles, native objects, which are never freed, and room for the handles.
    unsafe {
        let calls = host.calls;
        ok(calls.urQueueCreateWithNativeHandle(
            native(queue),
            its.context,
            its.device,
            null(),
            &mut its_queue,
        ));
        for event in &mut events {
            let native = native(driver.event(DONE));
            ok(calls.urEventCreateWithNativeHandle(native, its.context, null(), event));
        }
        queue.calls();
        ok(calls.urEnqueueTimestampRecordingExp(its_queue, 0, 2, events.as_ptr(), &mut stamped));
        assert_eq!(queue.calls(), ["a marker behind two events"]);
        ok(calls.urEnqueueTimestampRecordingExp(its_queue, 1, 0, null(), &mut stamped));
        assert_eq!(queue.calls(), ["a marker", "clFinish"]);
    }
    assert!(!stamped.is_null());
}
