//! Tests of queries of a kernel's sub-groups with fake drivers that answer them, that want a work-group size for them, or
//! that have no sub-groups.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use testing_opencl::fake::{Fake, FakeDriver, Function, get_info, query};
use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "sub_groups",
        [
            a_driver_s_answers_about_a_kernel_are_its_own,
            a_driver_that_wants_a_size_gets_the_largest_work_group,
            a_driver_without_sub_groups_has_one_in_each_work_group,
            a_driver_that_does_not_know_a_query_of_the_compilation_has_no_answer,
            any_other_error_is_the_driver_s,
            each_work_item_of_a_group_is_a_sub_group_where_a_driver_has_none,
            a_driver_before_opencl_2_1_is_asked_through_its_extension,
        ]
    );
}

const KERNEL_CONTEXT: u32 = 0x1193;
const NAMES: [pi_kernel_sub_group_info; 4] = [
    PI_KERNEL_MAX_SUB_GROUP_SIZE,
    PI_KERNEL_MAX_NUM_SUB_GROUPS,
    PI_KERNEL_COMPILE_NUM_SUB_GROUPS,
    PI_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL,
];

/// The messages with which a fake kernel refuses its queries, so that a test sees which one it got.
const WITHOUT_SIZE: &str = "clGetKernelSubGroupInfo";
const WITH_LARGEST: &str = "clGetKernelSubGroupInfo with the largest work-group";
const WITH_SIZE: &str = "clGetKernelSubGroupInfo with another work-group";

/// # Safety
/// `input` must have `input_size` bytes, and `value` must have `size` bytes.
unsafe extern "C" fn ask(
    kernel: &Fake,
    _: &Fake,
    name: u32,
    input_size: usize,
    input: *const usize,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> i32 {
    let input = if input_size == 0 {
        &[]
    } else {
        // SAFETY: what the caller guarantees.
        unsafe { std::slice::from_raw_parts(input, input_size / size_of::<usize>()) }
    };
    let asked = match input {
        [] => WITHOUT_SIZE,
        [4096, 1, 1] => WITH_LARGEST,
        _ => WITH_SIZE,
    };
    match kernel.note(asked) {
        // SAFETY: what the caller guarantees.
        PI_SUCCESS => unsafe { get_info(kernel, name, size, value, size_ret) },
        code => code,
    }
}

const FUNCTIONS: [Function; 2] = [(39, get_info as *const c_void), (142, ask as *const c_void)];

/// Returns a driver, and a kernel whose four answers are 16, 8, 4 and 32.
fn driver_and_kernel(functions: &[Function]) -> (FakeDriver, &'static Fake) {
    let driver = FakeDriver::new("Fake", "Nobody", functions);
    let kernel = driver.context.another();
    kernel.tell(KERNEL_CONTEXT, driver.context.handle::<c_void>());
    for (name, value) in NAMES.into_iter().zip([16_usize, 8, 4, 32]) {
        kernel.tell(name, value);
    }
    (driver, kernel)
}

fn asked(
    driver: &FakeDriver,
    kernel: &Fake,
    name: pi_kernel_sub_group_info,
    work_group: &[usize],
) -> Result<u32, CallError> {
    let (pi, mut answer) = (under_test(Version::NEWEST), u32::MAX);
    let (size, start) = (size_of_val(work_group), work_group.as_ptr().cast());
    let input = if size == 0 { null() } else { start };
    let (kernel, device, room) = (kernel.handle(), driver.device.handle(), (&raw mut answer).cast());
    call!(pi, piKernelGetSubGroupInfo(kernel, device, name, size, input, 4, room, null_mut()))
        .map(|()| answer)
}

fn all(driver: &FakeDriver, kernel: &Fake) -> [u32; 4] {
    NAMES.map(|name| asked(driver, kernel, name, &[]).unwrap())
}

fn a_driver_s_answers_about_a_kernel_are_its_own() {
    let (driver, kernel) = driver_and_kernel(&FUNCTIONS);
    assert_eq!(all(&driver, kernel), [16, 8, 4, 32]);
    assert_eq!(kernel.calls(), [WITHOUT_SIZE; 4]);
    assert_eq!(asked(&driver, kernel, PI_KERNEL_MAX_NUM_SUB_GROUPS, &[64, 2, 1]).unwrap(), 8);
    assert_eq!(kernel.calls(), [WITH_SIZE]);
    for unknown in [PI_KERNEL_MAX_SUB_GROUP_SIZE + 1, 0] {
        calls::expect_refusal(asked(&driver, kernel, unknown, &[]).map(|_| ()), &[PI_ERROR_INVALID_VALUE]);
    }
    assert_eq!(kernel.calls(), [""; 0]);
}

/// OpenCL requires a size for two of the queries. Runtimes omit it, and mean the largest work-group: 4096 here.
fn a_driver_that_wants_a_size_gets_the_largest_work_group() {
    let (driver, kernel) = driver_and_kernel(&FUNCTIONS);
    kernel.refuse(WITHOUT_SIZE, PI_ERROR_INVALID_VALUE);
    for (name, expected) in [(PI_KERNEL_MAX_SUB_GROUP_SIZE, 16), (PI_KERNEL_MAX_NUM_SUB_GROUPS, 8)] {
        assert_eq!(asked(&driver, kernel, name, &[]).unwrap(), expected);
        assert_eq!(kernel.calls(), [WITHOUT_SIZE, WITH_LARGEST]);
    }
    // A caller's own size is not replaced.
    kernel.refuse(WITH_SIZE, PI_ERROR_INVALID_VALUE);
    let refused = asked(&driver, kernel, PI_KERNEL_MAX_NUM_SUB_GROUPS, &[64, 1, 1]);
    calls::expect_refusal(refused.map(|_| ()), &[PI_ERROR_INVALID_VALUE]);
    assert_eq!(kernel.calls(), [WITH_SIZE]);
    // Some drivers answer 0 instead.
    let (driver, kernel) = driver_and_kernel(&FUNCTIONS);
    kernel.tell(PI_KERNEL_MAX_NUM_SUB_GROUPS, 0_usize);
    assert_eq!(asked(&driver, kernel, PI_KERNEL_MAX_NUM_SUB_GROUPS, &[]).unwrap(), 1);
    assert_eq!(kernel.calls(), [WITHOUT_SIZE, WITH_LARGEST]);
}

/// The largest size is then that of the device. The compilation has required nothing.
fn a_driver_without_sub_groups_has_one_in_each_work_group() {
    for code in [PI_ERROR_INVALID_OPERATION, PI_ERROR_UNSUPPORTED_FEATURE] {
        let (driver, kernel) = driver_and_kernel(&FUNCTIONS);
        kernel.refuse(WITHOUT_SIZE, code).refuse(WITH_LARGEST, code);
        assert_eq!(all(&driver, kernel), [1, 1, 0, 0]);
        driver.device.tell(query::DEVICE_SUB_GROUP_SIZES_INTEL, [4_usize, 16, 8]);
        assert_eq!(all(&driver, kernel), [16, 1, 0, 0]);
    }
}

/// PoCL 6.0 has the extension of required sizes, and does not know its query.
fn a_driver_that_does_not_know_a_query_of_the_compilation_has_no_answer() {
    let (driver, kernel) = driver_and_kernel(&FUNCTIONS);
    kernel.refuse(WITHOUT_SIZE, PI_ERROR_INVALID_VALUE);
    assert_eq!(asked(&driver, kernel, PI_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, &[]).unwrap(), 0);
    // The other query is part of OpenCL itself.
    let refused = asked(&driver, kernel, PI_KERNEL_COMPILE_NUM_SUB_GROUPS, &[]);
    calls::expect_refusal(refused.map(|_| ()), &[PI_ERROR_INVALID_VALUE]);
}

fn any_other_error_is_the_driver_s() {
    let (driver, kernel) = driver_and_kernel(&FUNCTIONS);
    for asked in [WITHOUT_SIZE, WITH_LARGEST] {
        kernel.refuse(asked, PI_ERROR_OUT_OF_RESOURCES);
    }
    for name in NAMES {
        let refused = asked(&driver, kernel, name, &[]);
        calls::expect_refusal(refused.map(|_| ()), &[PI_ERROR_OUT_OF_RESOURCES]);
    }
}

fn each_work_item_of_a_group_is_a_sub_group_where_a_driver_has_none() {
    let (driver, kernel) = driver_and_kernel(&FUNCTIONS);
    driver.device.tell(query::DEVICE_MAX_NUM_SUB_GROUPS, 0_u32);
    assert_eq!(all(&driver, kernel), [1, 4096, 0, 0]);
    assert_eq!(asked(&driver, kernel, PI_KERNEL_MAX_NUM_SUB_GROUPS, &[4, 3, 2]).unwrap(), 24);
    assert_eq!(kernel.calls(), [""; 0]);
}

fn a_driver_before_opencl_2_1_is_asked_through_its_extension() {
    for (version, has_extension, expected) in
        [("OpenCL 2.1 fake", false, 16), ("OpenCL 2.0 fake", true, 16), ("OpenCL 2.0 fake", false, 1)]
    {
        // An OpenCL library has the extension's function itself, which calls that of the driver's table.
        let functions = [(39, get_info as *const c_void), (136, ask as *const c_void)];
        let (driver, kernel) = driver_and_kernel(if has_extension { &functions } else { &FUNCTIONS });
        driver.platform.tell_text(query::PLATFORM_VERSION, version);
        if has_extension {
            driver.platform.extend("clGetKernelSubGroupInfoKHR", ask as *const c_void);
        }
        assert_eq!(asked(&driver, kernel, PI_KERNEL_MAX_SUB_GROUP_SIZE, &[]).unwrap(), expected, "{version}");
    }
}
