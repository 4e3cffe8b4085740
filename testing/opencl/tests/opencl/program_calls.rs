//! Tests of how a SPIR-V module reaches a driver, with fake drivers that take it in different ways or not at all.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use testing_opencl::fake::{Fake, FakeDriver, get_info, pi, query};
use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "program_calls",
        [
            a_module_is_created_by_the_function_of_the_driver_s_version,
            each_device_of_the_context_takes_a_module,
            a_device_takes_modules_if_it_names_a_version_or_the_extension,
            texts_of_a_source_reach_the_driver_with_their_lengths,
            kernels_of_a_program_that_is_not_built_are_not_asked_for,
            a_variable_that_is_refused_is_named_with_the_reason,
        ]
    );
}

/// # Safety
/// `code` must be valid.
unsafe fn create(context: &Fake, function: &'static str, code: *mut i32) -> *const Fake {
    // SAFETY: what the caller guarantees.
    unsafe { code.write(context.note(function)) };
    context.another()
}

const CORE: &str = "clCreateProgramWithIL";
const EXTENSION: &str = "clCreateProgramWithILKHR";

/// # Safety
/// `code` must be valid.
unsafe extern "C" fn core(context: &Fake, _: *const c_void, _: usize, code: *mut i32) -> *const Fake {
    // SAFETY: what the caller guarantees.
    unsafe { create(context, CORE, code) }
}

/// # Safety
/// `code` must be valid.
unsafe extern "C" fn extension(context: &Fake, _: *const c_void, _: usize, code: *mut i32) -> *const Fake {
    // SAFETY: what the caller guarantees.
    unsafe { create(context, EXTENSION, code) }
}

/// # Safety
/// The lists must have `count` entries, and `code` must be valid.
unsafe extern "C" fn of_source(
    context: &Fake,
    count: u32,
    strings: *const *const u8,
    lengths: *const usize,
    code: *mut i32,
) -> *const Fake {
    // SAFETY: what the caller guarantees.
    let strings = unsafe { std::slice::from_raw_parts(strings, count as usize) };
    let lengths = (!lengths.is_null()).then(|| {
        // SAFETY: same as above.
        unsafe { std::slice::from_raw_parts(lengths, count as usize) }
    });
    let function = match (strings, lengths) {
        ([first, second], _) if first.is_null() || second.is_null() => "a source without a text",
        ([_, _], Some([1, 2])) => "a source with lengths",
        ([_, _], None) => "a source",
        _ => "another source",
    };
    // SAFETY: what the caller guarantees.
    unsafe { create(context, function, code) }
}

/// Returns a driver of that version of OpenCL, with a device that names a version of SPIR-V.
fn driver_of(version: &str) -> FakeDriver {
    let driver = FakeDriver::new(
        "Fake",
        "Nobody",
        &[(26, of_source as *const c_void), (32, get_info as *const c_void), (138, core as *const c_void)],
    );
    driver.platform.tell_text(query::PLATFORM_VERSION, &format!("OpenCL {version} fake"));
    driver.device.tell_text(query::DEVICE_IL_VERSION, "SPIR-V_1.2");
    driver
}

/// Returns the call that a module comes to.
fn calls_for_a_module(driver: &FakeDriver) -> Vec<&'static str> {
    let (il, mut program) = (kernels::BASIC, null_mut());
    let context = driver.context.handle();
    let made = call!(pi(), piProgramCreate(context, il.as_ptr().cast(), il.len(), &mut program));
    let calls = driver.context.calls();
    match made {
        Ok(()) => assert!(!program.is_null()),
        refused => {
            let text = calls::expect_refusal(refused, &[PI_ERROR_COMPILER_NOT_AVAILABLE]);
            assert!(text.contains("takes no SPIR-V"), "{text}");
            assert_eq!(calls, [""; 0]);
        }
    }
    calls
}

fn a_module_is_created_by_the_function_of_the_driver_s_version() {
    for (version, has_extension, expected) in [
        ("1.2", false, &[][..]),
        ("2.0", false, &[]),
        ("2.0", true, &[EXTENSION]),
        ("2.1", false, &[CORE]),
        ("3.0", true, &[CORE]),
    ] {
        let driver = driver_of(version);
        if has_extension {
            driver.platform.extend(EXTENSION, extension as *const c_void);
        }
        assert_eq!(calls_for_a_module(&driver), expected, "{version}, {has_extension}");
    }
}

fn each_device_of_the_context_takes_a_module() {
    for (of_second, expected) in [("SPIR-V_1.0", &[CORE][..]), ("", &[])] {
        let driver = driver_of("3.0");
        let second = driver.add_device();
        second.tell_text(query::DEVICE_IL_VERSION, of_second);
        let both = [driver.device, second].map(Fake::handle::<c_void>);
        driver.context.tell(query::CONTEXT_DEVICES, both);
        assert_eq!(calls_for_a_module(&driver), expected, "{of_second}");
    }
}

/// Drivers before OpenCL 2.1 name no version.
fn a_device_takes_modules_if_it_names_a_version_or_the_extension() {
    for (version, extensions, expected) in [
        ("SPIR-V_1.2", "", &[CORE][..]),
        ("", "cl_khr_fp64 cl_khr_il_program", &[CORE]),
        ("", "cl_khr_fp64", &[]),
    ] {
        let driver = driver_of("3.0");
        driver.device.tell_text(query::DEVICE_IL_VERSION, version);
        driver.device.tell_text(query::DEVICE_EXTENSIONS, extensions);
        assert_eq!(calls_for_a_module(&driver), expected, "{version:?}, {extensions:?}");
    }
}

fn texts_of_a_source_reach_the_driver_with_their_lengths() {
    let (driver, table) = (driver_of("3.0"), under_test(Version::V12_27));
    let context = driver.context.handle();
    let (first, second, lengths) = (c"a".as_ptr(), c"bcd".as_ptr(), [1_usize, 2]);
    for (lengths, expected) in [(null(), "a source"), (lengths.as_ptr(), "a source with lengths")] {
        let texts = [first, second];
        let _: pi_program =
            made!(table, |out| piclProgramCreateWithSource(context, 2, texts.as_ptr(), lengths, out));
        assert_eq!(driver.context.calls(), [expected]);
        for texts in [[null(), second], [first, null()]] {
            let mut out = null_mut();
            let text = refused!(
                table,
                piclProgramCreateWithSource(context, 2, texts.as_ptr(), lengths, &mut out),
                PI_ERROR_INVALID_VALUE
            );
            assert!(text.contains("strings is null"), "{text}");
            assert_eq!(driver.context.calls(), [""; 0]);
        }
    }
}

/// # Safety
/// `code` must be valid.
unsafe extern "C" fn no_kernel(program: &Fake, _: *const c_void, code: *mut i32) -> *const Fake {
    // SAFETY: what the caller guarantees.
    unsafe { code.write(program.note("clCreateKernel")) };
    null()
}

/// Intel's CPU runtime ends the process when it is asked for those of a binary that is not built.
fn kernels_of_a_program_that_is_not_built_are_not_asked_for() {
    const PROGRAM_CONTEXT: u32 = 0x1161;
    let functions = [(32, get_info as *const c_void), (34, no_kernel as *const c_void)];
    let driver = FakeDriver::new("Fake", "Nobody", &functions);
    let program = driver.context.another();
    program
        .tell(PROGRAM_CONTEXT, driver.context.handle::<c_void>())
        .tell(PI_PROGRAM_INFO_NUM_KERNELS, 3_usize)
        .tell_text(PI_PROGRAM_INFO_KERNEL_NAMES, "a;b;c");
    let ask = |name| {
        let (mut size, none) = (0, null_mut());
        call!(pi(), piProgramGetInfo(program.handle(), name, 0, none, &mut size)).map(|()| size)
    };
    for (code, is_built) in
        [(PI_ERROR_INVALID_PROGRAM_EXECUTABLE, false), (PI_ERROR_INVALID_KERNEL_NAME, true)]
    {
        program.refuse("clCreateKernel", code);
        for (name, size) in [(PI_PROGRAM_INFO_NUM_KERNELS, 8), (PI_PROGRAM_INFO_KERNEL_NAMES, 6)] {
            let asked = ask(name);
            if is_built {
                assert_eq!(asked.unwrap(), size);
            } else {
                let text = calls::expect_refusal(asked.map(|_| ()), &[PI_ERROR_INVALID_PROGRAM_EXECUTABLE]);
                assert!(text.contains("is built for no device"), "{text}");
            }
        }
    }
}

extern "C" fn refuse(_: &Fake) -> i32 {
    PI_ERROR_INVALID_VALUE
}

fn a_variable_that_is_refused_is_named_with_the_reason() {
    const NAMES: [&str; 3] = [
        "clEnqueueWriteGlobalVariableINTEL",
        "clEnqueueReadGlobalVariableINTEL",
        "clGetDeviceGlobalVariablePointerINTEL",
    ];
    for is_there in [true, false] {
        let driver = driver_of("3.0");
        for name in NAMES.into_iter().filter(|_| is_there) {
            driver.platform.extend(name, refuse as *const c_void);
        }
        let program = driver.context.another();
        program.tell(PI_PROGRAM_INFO_CONTEXT, driver.context.handle::<c_void>());
        let program: pi_program = program.handle();
        let (queue, device, name) = (driver.queue().handle(), driver.device.handle(), c"limit".as_ptr());
        let (mut bytes, mut size, mut address) = ([0_u8; 8], 0, null_mut());
        let start: *mut c_void = bytes.as_mut_ptr().cast();
        let (table, none, no_event) = (pi(), null(), null_mut());
        let written = call!(
            table,
            piextEnqueueDeviceGlobalVariableWrite(queue, program, name, 1, 8, 4, start, 0, none, no_event)
        );
        let read = call!(
            table,
            piextEnqueueDeviceGlobalVariableRead(queue, program, name, 1, 8, 4, start, 0, none, no_event)
        );
        let asked =
            call!(table, piextGetGlobalVariablePointer(device, program, name, &mut size, &mut address));
        let code = if is_there { PI_ERROR_INVALID_VALUE } else { PI_ERROR_INVALID_OPERATION };
        for (result, part) in [(written, ", bytes 4..12"), (read, ", bytes 4..12"), (asked, "")] {
            let text = calls::expect_refusal(result, &[code]);
            assert!(text.contains(&format!("variable \"limit\"{part}")), "{text}");
            assert_eq!(text.contains("platform Fake does not let the host"), !is_there, "{text}");
        }
    }
}
