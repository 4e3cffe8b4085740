//! Tests of commands that a driver refuses or is called for, with fake drivers.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use testing_opencl::fake::{Fake, FakeDriver, Function, enqueue, get_info, pi, query};
use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "command_calls",
        [
            a_refused_command_of_a_command_buffer_is_named,
            a_native_kernel_gets_the_places_of_its_buffers,
            a_native_kernel_is_refused_on_a_device_that_runs_none,
        ]
    );
}

const KERNEL_CONTEXT: u32 = 0x1193;
/// No query of OpenCL: the clone that a kernel gives.
const CLONE: u32 = 0xffff;
/// Values of `CL_DEVICE_EXECUTION_CAPABILITIES`.
const KERNELS: u64 = 1;
const NATIVE_KERNELS: u64 = 2;
const MEM_SIZE: u32 = 0x1102;
const MEM_CONTEXT: u32 = 0x1106;

extern "C" fn succeed() -> i32 {
    PI_SUCCESS
}

/// # Safety
/// `code` must be valid.
unsafe extern "C" fn clone(kernel: &Fake, code: *mut i32) -> *const Fake {
    let mut clone: *const Fake = null();
    // SAFETY: room for an address, and what the caller guarantees.
    unsafe { code.write(get_info(kernel, CLONE, 8, (&raw mut clone).cast(), null_mut())) };
    clone
}

/// Notes which lists there are.
///
/// # Safety
/// `event` must be null or valid.
unsafe extern "C" fn native_kernel(
    queue: &'static Fake,
    _: *const c_void,
    _: *mut c_void,
    _: usize,
    count: u32,
    mems: *const c_void,
    places: *const c_void,
    _: u32,
    _: *const c_void,
    event: *mut &'static Fake,
) -> i32 {
    let function = match (count, mems.is_null(), places.is_null()) {
        (0, true, true) => "clEnqueueNativeKernel",
        (1, false, false) => "clEnqueueNativeKernel with a buffer",
        _ => "clEnqueueNativeKernel with another list",
    };
    // SAFETY: what the caller guarantees.
    unsafe { enqueue(queue, function, event) }
}

/// The functions of commands on buffers and of launches are absent.
const FUNCTIONS: [Function; 9] = [
    (6, succeed as *const c_void),   // clRetainContext
    (7, succeed as *const c_void),   // clReleaseContext
    (17, succeed as *const c_void),  // clRetainMemObject
    (18, succeed as *const c_void),  // clReleaseMemObject
    (20, get_info as *const c_void), // clGetMemObjectInfo
    (37, succeed as *const c_void),  // clReleaseKernel
    (39, get_info as *const c_void), // clGetKernelInfo
    (61, native_kernel as *const c_void),
    (137, clone as *const c_void),
];

fn driver() -> FakeDriver {
    FakeDriver::new("Fake", "Nobody", &FUNCTIONS)
}

fn buffer_of(driver: &FakeDriver) -> &'static Fake {
    let buffer = driver.context.another();
    buffer.tell(MEM_SIZE, 64_usize).tell(MEM_CONTEXT, driver.context.handle::<c_void>());
    buffer
}

/// Returns the error of the only command of a command buffer.
fn refusal_of<F: FnOnce(pi_ext_command_buffer) -> Result<(), CallError>>(
    driver: &FakeDriver,
    record: F,
) -> String {
    let desc = pi_ext_command_buffer_desc { stype: 0, pNext: null(), properties: null_mut() };
    let (context, device) = (driver.context.handle(), driver.device.handle());
    let commands: pi_ext_command_buffer =
        made!(pi(), |out| piextCommandBufferCreate(context, device, &desc, out));
    record(commands).unwrap();
    ok!(pi(), piextCommandBufferFinalize(commands));
    let queue = driver.queue().tell(0x1093, 0_u64);
    queue.refuse("clEnqueueMarkerWithWaitList", PI_ERROR_INVALID_OPERATION);
    let text = refused!(
        pi(),
        piextEnqueueCommandBuffer(commands, queue.handle(), 0, null(), null_mut()),
        PI_ERROR_INVALID_OPERATION
    );
    ok!(pi(), piextCommandBufferRelease(commands));
    text.into()
}

fn a_refused_command_of_a_command_buffer_is_named() {
    let driver = driver();
    let (mem, kernel): (pi_mem, _) = (buffer_of(&driver).handle(), driver.context.another());
    let its_clone = driver.context.another();
    for kernel in [kernel, its_clone] {
        kernel.tell(KERNEL_CONTEXT, driver.context.handle::<c_void>());
    }
    kernel.tell(CLONE, its_clone.handle::<c_void>());
    let mut memory = [0_u8; 64];
    let (host, byte, one): (*mut c_void, _, _) = (memory.as_mut_ptr().cast(), 7_u8, 1_usize);
    let pattern = (&raw const byte).cast();
    let other = host.wrapping_byte_add(32);
    let mut origin = pi_buff_rect_offset_struct { x_bytes: 0, y_scalar: 0, z_scalar: 0 };
    let mut second = pi_buff_rect_offset_struct { x_bytes: 32, ..origin };
    let mut region = pi_buff_rect_region_struct { width_bytes: 4, height_scalar: 2, depth_scalar: 1 };
    let (at, to, region) = (&raw mut origin, &raw mut second, &raw mut region);
    let table = pi();
    macro_rules! named {
        ($name:literal, $function:ident($($arg:expr),*)) => {
            let text = refusal_of(&driver, |commands| {
                let mut point = 0;
                call!(table, $function(commands, $($arg,)* 0, null(), &mut point))
            });
            let expected = concat!("the command buffer: command 1 of 1 (", $name, ")");
            assert!(text.contains(expected), "{text}, not {expected}");
        };
    }
    named!("kernel launch", piextCommandBufferNDRangeKernel(kernel.handle(), 1, null(), &one, null()));
    named!("USM copy", piextCommandBufferMemcpyUSM(host, other, 8));
    named!("USM fill", piextCommandBufferFillUSM(host, pattern, 1, 8));
    named!("USM prefetch", piextCommandBufferPrefetchUSM(host, 8, 0));
    named!("USM advice", piextCommandBufferAdviseUSM(host, 8, PI_MEM_ADVICE_RESET));
    named!("buffer copy", piextCommandBufferMemBufferCopy(mem, mem, 0, 32, 8));
    named!("buffer copy of a box", piextCommandBufferMemBufferCopyRect(mem, mem, at, to, region, 8, 0, 8, 0));
    named!("buffer read", piextCommandBufferMemBufferRead(mem, 0, 8, host));
    named!(
        "buffer read of a box",
        piextCommandBufferMemBufferReadRect(mem, at, at, region, 8, 0, 8, 0, host)
    );
    named!("buffer write", piextCommandBufferMemBufferWrite(mem, 0, 8, host));
    named!(
        "buffer write of a box",
        piextCommandBufferMemBufferWriteRect(mem, at, at, region, 8, 0, 8, 0, host)
    );
    named!("buffer fill", piextCommandBufferMemBufferFill(mem, pattern, 1, 0, 8));
}

/// # Safety
/// There is nothing to guarantee.
unsafe extern "C" fn nothing(_: *mut c_void) {}

fn a_native_kernel_gets_the_places_of_its_buffers() {
    let (driver, table) = (driver(), under_test(Version::V12_27));
    let (queue, mem): (_, pi_mem) = (driver.queue(), buffer_of(&driver).handle());
    driver.device.tell(query::DEVICE_EXECUTION_CAPABILITIES, KERNELS | NATIVE_KERNELS);
    let mut args = [mem];
    let (start, place): (*mut c_void, *const c_void) = (args.as_mut_ptr().cast(), args.as_ptr().cast());
    for (count, mems, places, expected) in [
        (0, null(), null(), "clEnqueueNativeKernel"),
        (1, &raw const mem, &raw const place, "clEnqueueNativeKernel with a buffer"),
    ] {
        let (handle, events, event) = (queue.handle(), null(), null_mut());
        ok!(
            table,
            piEnqueueNativeKernel(handle, Some(nothing), start, 8, count, mems, places, 0, events, event)
        );
        assert_eq!(queue.calls(), [expected]);
    }
}

/// rusticl 25.0 ends the process, because it has no such function.
fn a_native_kernel_is_refused_on_a_device_that_runs_none() {
    let (driver, table) = (driver(), under_test(Version::V12_27));
    driver.device.tell(query::DEVICE_EXECUTION_CAPABILITIES, KERNELS);
    let (queue, start): (_, *mut c_void) = (driver.queue(), null_mut());
    let (handle, events, event) = (queue.handle(), null(), null_mut());
    let text = refused!(
        table,
        piEnqueueNativeKernel(handle, Some(nothing), start, 0, 0, null(), null(), 0, events, event),
        PI_ERROR_INVALID_OPERATION
    );
    assert!(text.contains("the device runs no native kernels"), "{text}");
    assert_eq!(queue.calls(), [] as [&str; 0]);
}
