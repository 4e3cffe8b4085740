//! Tests of kernels that programs are built without, because their driver cannot have them. A fake of such a driver takes
//! every program and has no kernel, so that the reason is always asked for.

use std::ffi::{CStr, c_char, c_void};
use std::ptr::{null, null_mut};

use testing_opencl::fake::{Fake, FakeDriver, pi, query};
use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "refused_kernels",
        [
            a_linked_program_keeps_the_reasons_of_its_parts,
            a_platform_with_a_device_without_sub_groups_has_them_on_none,
            a_driver_that_takes_the_program_as_it_is_has_no_reason,
        ]
    );
}

/// With a kernel `group_of_8`, which requires sub-groups of 8 work-items.
const LACKING: &[u8] = include_bytes!("../../../kernels/group_of_8.spv");
const REASON: &str = "kernel group_of_8 is refused: it requires sub-groups of 8";

extern "C" fn create(context: &Fake, _: *const c_void, _: usize, code: &mut i32) -> *const Fake {
    *code = PI_SUCCESS;
    context.another()
}

extern "C" fn link(
    context: &Fake,
    _: u32,
    _: *const c_void,
    _: *const c_char,
    _: u32,
    _: *const c_void,
    _: *const c_void,
    _: *const c_void,
    code: &mut i32,
) -> *const Fake {
    *code = PI_SUCCESS;
    context.another()
}

extern "C" fn no_kernel(_: &Fake, _: *const c_char, code: &mut i32) -> *const Fake {
    *code = PI_ERROR_INVALID_KERNEL_NAME;
    null()
}

fn driver(platform: &str, version: &str) -> FakeDriver {
    let functions =
        [(34, no_kernel as *const c_void), (99, link as *const c_void), (138, create as *const c_void)];
    let driver = FakeDriver::new(platform, "Nobody", &functions);
    let device = driver.device.tell_text(query::DRIVER_VERSION, version);
    device.tell_text(query::DEVICE_IL_VERSION, "SPIR-V_1.4").tell(query::DEVICE_MAX_NUM_SUB_GROUPS, 128_u32);
    driver
}

fn program(driver: &FakeDriver, il: &[u8]) -> pi_program {
    let context = driver.context.handle();
    made!(pi(), |out| piProgramCreate(context, il.as_ptr().cast(), il.len(), out))
}

fn linked(driver: &FakeDriver, programs: &[pi_program]) -> pi_program {
    let (context, device): (_, pi_device) = (driver.context.handle(), driver.device.handle());
    let (n, list, options) = (programs.len() as u32, programs.as_ptr(), c"".as_ptr());
    made!(pi(), |out| piProgramLink(context, 1, &device, options, n, list, None, null_mut(), out))
}

/// Returns why a program has no such kernel.
fn refusal(program: pi_program, name: &CStr) -> String {
    let mut out = null_mut();
    let made = call!(pi(), piKernelCreate(program, name.as_ptr(), &mut out));
    calls::expect_refusal(made, &[PI_ERROR_INVALID_OPERATION, PI_ERROR_INVALID_KERNEL_NAME]).into()
}

/// rusticl computes wrong results with its sub-groups, so each work-item is one.
fn a_linked_program_keeps_the_reasons_of_its_parts() {
    let driver = driver("rusticl", "25.0.7");
    let [plain, lacking] = [kernels::BASIC, LACKING].map(|il| program(&driver, il));
    let both = linked(&driver, &[plain, lacking]);
    for program in [lacking, both, linked(&driver, &[both])] {
        let text = refusal(program, c"group_of_8");
        assert!(text.contains(REASON), "{text}");
    }
    for (program, name) in [(linked(&driver, &[plain]), c"group_of_8"), (both, c"absent")] {
        let text = refusal(program, name);
        assert!(!text.contains("is refused"), "{text}");
    }
}

/// A program asks a device about its sub-groups before there is a context.
fn a_platform_with_a_device_without_sub_groups_has_them_on_none() {
    let driver = driver("Fake", "1.0");
    driver.add_device().tell(query::DEVICE_MAX_NUM_SUB_GROUPS, 0_u32);
    let most = get!(pi(), piDeviceGetInfo(driver.device.handle(), PI_DEVICE_INFO_MAX_NUM_SUB_GROUPS) as u32);
    assert_eq!(most, 4096);
    let text = refusal(program(&driver, LACKING), c"group_of_8");
    assert!(text.contains(REASON), "{text}");
}

fn a_driver_that_takes_the_program_as_it_is_has_no_reason() {
    let text = refusal(program(&driver("Fake", "25.0.7"), LACKING), c"group_of_8");
    assert!(!text.contains("is refused"), "{text}");
}
