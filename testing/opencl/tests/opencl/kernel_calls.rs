//! Tests of what a driver is called for when a kernel gets its settings, and when a launch of it is recorded, with fake
//! drivers that note it.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use testing_opencl::fake::{Fake, FakeDriver, Function, enqueue, get_info, pi, query};
use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "kernel_calls",
        [
            a_kernel_may_use_each_kind_of_memory_that_a_driver_has,
            a_list_of_memory_is_of_the_kind_that_a_driver_has,
            one_group_is_cooperative_where_a_driver_tells_no_number,
            a_launch_whose_groups_the_driver_chooses_may_be_cooperative,
            a_recorded_kernel_has_the_settings_of_its_original,
            a_recorded_kernel_has_the_local_memory_that_its_original_has_last,
            a_kernel_at_the_address_of_another_has_none_of_its_local_memory,
            kernels_are_recorded_from_opencl_2_1_on,
        ]
    );
}

const KERNEL_CONTEXT: u32 = 0x1193;
/// No query of OpenCL: the clone that a kernel gives, and the kernel that a program gives.
const NEXT: u32 = 0xffff;

const HOST: &str = "clSetKernelExecInfo for memory of the host";
const DEVICE: &str = "clSetKernelExecInfo for memory of the device";
const SHARED: &str = "clSetKernelExecInfo for shared memory";
const LIST: &str = "clSetKernelExecInfo with a list of allocations";
const SVM_LIST: &str = "clSetKernelExecInfo with a list of shared virtual memory";
const VALUE: &str = "clSetKernelArg";
const POINTER: &str = "clSetKernelArgMemPointerINTEL";
const CLONE: &str = "clCloneKernel";
const LOCAL: [&str; 4] = ["local memory at 0", "local memory at 1", "local memory at 2", "local memory at 3"];

extern "C" fn set_exec_info(kernel: &Fake, name: u32, _: usize, _: *const c_void) -> i32 {
    kernel.note(match name {
        0x4200 => HOST,
        0x4201 => DEVICE,
        0x4202 => SHARED,
        0x4203 => LIST,
        0x11b6 => SVM_LIST,
        _ => "clSetKernelExecInfo with an unknown name",
    })
}

extern "C" fn set_arg(kernel: &Fake, index: u32, _: usize, value: *const c_void) -> i32 {
    kernel.note(if value.is_null() { LOCAL[index as usize] } else { VALUE })
}

extern "C" fn set_pointer(kernel: &Fake, _: u32, _: *const c_void) -> i32 {
    kernel.note(POINTER)
}

/// Gives what the test has prepared.
///
/// # Safety
/// `code` must be valid.
unsafe extern "C" fn next_of(object: &Fake, code: *mut i32) -> *const Fake {
    object.note(CLONE);
    let mut next: *const Fake = null();
    // SAFETY: room for an address, and what the caller guarantees.
    unsafe { code.write(get_info(object, NEXT, 8, (&raw mut next).cast(), null_mut())) };
    next
}

/// # Safety
/// `code` must be valid.
unsafe extern "C" fn create(program: &Fake, _: *const c_void, code: *mut i32) -> *const Fake {
    // SAFETY: what the caller guarantees.
    unsafe { next_of(program, code) }
}

extern "C" fn succeed() -> i32 {
    PI_SUCCESS
}

/// # Safety
/// `event` must be null or valid.
unsafe extern "C" fn launch(
    queue: &'static Fake,
    _: &Fake,
    _: u32,
    _: *const usize,
    _: *const usize,
    local: *const usize,
    _: u32,
    _: *const c_void,
    event: *mut &'static Fake,
) -> i32 {
    let function =
        if local.is_null() { "clEnqueueNDRangeKernel" } else { "clEnqueueNDRangeKernel of a size" };
    // SAFETY: what the caller guarantees.
    unsafe { enqueue(queue, function, event) }
}

const FUNCTIONS: [Function; 9] = [
    (6, succeed as *const c_void),  // clRetainContext
    (7, succeed as *const c_void),  // clReleaseContext
    (34, create as *const c_void),  // clCreateKernel
    (37, succeed as *const c_void), // clReleaseKernel
    (38, set_arg as *const c_void),
    (39, get_info as *const c_void),
    (59, launch as *const c_void),
    (135, set_exec_info as *const c_void),
    (137, next_of as *const c_void),
];

/// Returns Intel's driver before version 2025.20, whose clones have no local memory.
fn intel() -> FakeDriver {
    let driver = FakeDriver::new("Intel(R) OpenCL", "Intel(R) Corporation", &FUNCTIONS);
    driver.device.tell_text(query::DRIVER_VERSION, "2024.18 fake");
    driver.platform.extend("clSharedMemAllocINTEL", succeed as *const c_void);
    driver.platform.extend("clSetKernelArgMemPointerINTEL", set_pointer as *const c_void);
    driver
}

fn kernel_of(driver: &FakeDriver) -> &'static Fake {
    let kernel = driver.context.another();
    kernel.tell(KERNEL_CONTEXT, driver.context.handle::<c_void>());
    kernel
}

fn set_indirect(kernel: &Fake, is_on: u32) {
    ok!(pi(), piKernelSetExecInfo(kernel.handle(), PI_USM_INDIRECT_ACCESS, 4, (&raw const is_on).cast()));
}

/// Records a launch of the kernel. Returns the calls for its clone.
fn recorded(driver: &FakeDriver, kernel: &Fake) -> Vec<&'static str> {
    let clone = kernel_of(driver);
    kernel.tell(NEXT, clone.handle::<c_void>());
    let desc = pi_ext_command_buffer_desc { stype: 0, pNext: null(), properties: null_mut() };
    let (context, device, count) = (driver.context.handle(), driver.device.handle(), 1);
    let buffer: pi_ext_command_buffer =
        made!(pi(), |out| piextCommandBufferCreate(context, device, &desc, out));
    let _: pi_ext_sync_point = made!(pi(), |point| piextCommandBufferNDRangeKernel(
        buffer,
        kernel.handle(),
        1,
        null(),
        &count,
        null(),
        0,
        null(),
        point
    ));
    ok!(pi(), piextCommandBufferRelease(buffer));
    assert_eq!(kernel.calls().pop(), Some(CLONE));
    clone.calls()
}

fn a_kernel_may_use_each_kind_of_memory_that_a_driver_has() {
    let with_usm = intel();
    let kernel = kernel_of(&with_usm);
    set_indirect(kernel, 0);
    assert_eq!(kernel.calls(), [""; 0]);
    // A kind that the device lacks is no reason to refuse the others.
    for code in [PI_SUCCESS, PI_ERROR_INVALID_OPERATION] {
        kernel.refuse(HOST, code);
        set_indirect(kernel, 1);
        assert_eq!(kernel.calls(), [HOST, DEVICE, SHARED]);
    }
    let kernel = kernel_of(&FakeDriver::new("Fake", "Nobody", &FUNCTIONS));
    set_indirect(kernel, 1);
    assert_eq!(kernel.calls(), [""; 0]);
}

fn a_list_of_memory_is_of_the_kind_that_a_driver_has() {
    for (driver, call) in [(intel(), LIST), (FakeDriver::new("Fake", "Nobody", &FUNCTIONS), SVM_LIST)] {
        let (kernel, list) = (kernel_of(&driver), [null::<c_void>(); 2]);
        ok!(pi(), piKernelSetExecInfo(kernel.handle(), PI_USM_PTRS, 16, list.as_ptr().cast()));
        assert_eq!(kernel.calls(), [call]);
    }
}

fn one_group_is_cooperative_where_a_driver_tells_no_number() {
    let (driver, mut count) = (intel(), 0);
    let kernel = kernel_of(&driver).handle();
    ok!(pi(), piextKernelSuggestMaxCooperativeGroupCount(kernel, 64, 0, &mut count));
    assert_eq!(count, 1);
}

fn a_launch_whose_groups_the_driver_chooses_may_be_cooperative() {
    let driver = FakeDriver::new("Fake", "Nobody", &FUNCTIONS);
    let (queue, kernel) = (driver.queue(), kernel_of(&driver).handle());
    let start = |global: usize, local: *const usize| {
        call!(
            pi(),
            piextEnqueueCooperativeKernelLaunch(
                queue.handle(),
                kernel,
                1,
                null(),
                &global,
                local,
                0,
                null(),
                null_mut()
            )
        )
    };
    start(64, null()).unwrap();
    assert_eq!(queue.calls(), ["clEnqueueNDRangeKernel"]);
    start(64, &64).unwrap();
    assert_eq!(queue.calls(), ["clEnqueueNDRangeKernel of a size"]);
    let text = calls::expect_refusal(start(64, &32), &[PI_ERROR_INVALID_OPERATION]);
    assert!(text.contains("2 work-groups"), "{text}");
    assert_eq!(queue.calls(), [""; 0]);
}

/// Intel's GPU driver loses these.
fn a_recorded_kernel_has_the_settings_of_its_original() {
    let driver = intel();
    assert_eq!(recorded(&driver, kernel_of(&driver)), [HOST, DEVICE, SHARED]);
    let driver = FakeDriver::new("Fake", "Nobody", &FUNCTIONS);
    assert_eq!(recorded(&driver, kernel_of(&driver)), [""; 0]);
}

fn a_recorded_kernel_has_the_local_memory_that_its_original_has_last() {
    let driver = intel();
    let kernel = kernel_of(&driver);
    let (handle, value) = (kernel.handle(), 7_u32);
    for index in 0..4 {
        ok!(pi(), piKernelSetArg(handle, index, 64, null()));
    }
    assert_eq!(recorded(&driver, kernel), [&LOCAL[..], &[HOST, DEVICE, SHARED]].concat());
    ok!(pi(), piKernelSetArg(handle, 0, 4, (&raw const value).cast()));
    assert_eq!(recorded(&driver, kernel), [&LOCAL[1..], &[HOST, DEVICE, SHARED]].concat());
    ok!(pi(), piextKernelSetArgMemObj(handle, 1, null(), null()));
    assert_eq!(recorded(&driver, kernel), [LOCAL[2], LOCAL[3], HOST, DEVICE, SHARED]);
    ok!(pi(), piextKernelSetArgPointer(handle, 2, 8, (&raw const value).cast()));
    assert_eq!(recorded(&driver, kernel), [LOCAL[3], HOST, DEVICE, SHARED]);
    // Another driver's clones have their local memory.
    let driver = FakeDriver::new("Fake", "Nobody", &FUNCTIONS);
    let kernel = kernel_of(&driver);
    ok!(pi(), piKernelSetArg(kernel.handle(), 0, 64, null()));
    assert_eq!(recorded(&driver, kernel), [""; 0]);
}

/// Drivers give the address of a released kernel to the next one.
fn a_kernel_at_the_address_of_another_has_none_of_its_local_memory() {
    let driver = intel();
    let (program, kernel) = (driver.context.another(), kernel_of(&driver));
    program.tell(NEXT, kernel.handle::<c_void>());
    for _ in 0..2 {
        let made: pi_kernel = made!(pi(), |out| piKernelCreate(program.handle(), c"a".as_ptr(), out));
        assert_eq!(made, kernel.handle());
        assert_eq!(recorded(&driver, kernel), [HOST, DEVICE, SHARED]);
        ok!(pi(), piKernelSetArg(made, 0, 64, null()));
        assert_eq!(recorded(&driver, kernel), [LOCAL[0], HOST, DEVICE, SHARED]);
    }
}

fn kernels_are_recorded_from_opencl_2_1_on() {
    let desc = pi_ext_command_buffer_desc { stype: 0, pNext: null(), properties: null_mut() };
    for (version, is_able) in [("1.2", false), ("2.0", false), ("2.1", true), ("3.0", true)] {
        let (driver, mut buffer) = (FakeDriver::new("Fake", "Nobody", &FUNCTIONS), null_mut());
        driver.platform.tell_text(query::PLATFORM_VERSION, &format!("OpenCL {version} fake"));
        let (context, device) = (driver.context.handle(), driver.device.handle());
        let made = call!(pi(), piextCommandBufferCreate(context, device, &desc, &mut buffer));
        if is_able {
            made.unwrap();
            ok!(pi(), piextCommandBufferRelease(buffer));
        } else {
            let text = calls::expect_refusal(made, &[PI_ERROR_INVALID_OPERATION]);
            assert!(text.contains(&format!("the driver is OpenCL {version}")), "{text}");
        }
    }
}
