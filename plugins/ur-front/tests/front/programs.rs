//! Builds, kernels' work-groups and symbols of programs, as they reach the backend.

use std::ffi::CStr;
use std::ptr::{null, null_mut};

use sycl_pi_backend::types::ErrorCode;
use sycl_ur_core::*;
use sycl_ur_front::stubs::*;

use crate::fake::{Fake, Handles, address, fail, handles, noted};

const NEWEST: Layout = Layout::V2026_2;
const OPTIONS: &CStr = c"-g";

/// The functions of the first interface are for all devices of the program, and the later ones for those that are named.
#[test]
fn a_program_is_compiled_and_built_for_the_devices_that_are_named() {
    let of = handles(NEWEST);
    let (context, program, options) = (of.context, of.program, OPTIONS.as_ptr());
    let mut devices = [of.device; 2];
    let list = devices.as_mut_ptr();
    noted();
    // SAFETY: live handles, and a list of two devices.
    let results = unsafe {
        [
            urProgramBuild::<Fake>(context, program, options),
            urProgramBuildExp::<Fake>(program, 2, list, 0, options),
            urProgramBuildExp_until_2025_3::<Fake>(program, 1, list, options),
            urProgramCompile::<Fake>(context, program, options),
            urProgramCompileExp::<Fake>(program, 2, list, 0, options),
            urProgramCompileExp_until_2025_3::<Fake>(program, 1, list, null()),
        ]
    };
    assert_eq!(results, [UR_RESULT_SUCCESS; 6]);
    let wanted = [
        r#"build for 0 Some("-g")"#,
        r#"build for 2 Some("-g")"#,
        r#"build for 1 Some("-g")"#,
        r#"compile for 0 Some("-g")"#,
        r#"compile for 2 Some("-g")"#,
        "compile for 1 None",
    ];
    assert_eq!(noted(), wanted);
    let unknown = 0x8000_0000;
    // SAFETY: live handles, and a list of two devices.
    let refused = unsafe {
        [
            urProgramBuildExp::<Fake>(program, 2, list, unknown, options),
            urProgramCompileExp::<Fake>(program, 2, list, unknown, options),
        ]
    };
    assert_eq!((refused, noted().len()), ([UR_RESULT_ERROR_INVALID_ENUMERATION; 2], 0));
}

/// Links two programs by one of three functions. Returns the result, whether there is a program, and the notes.
fn link(of: Handles, function: usize, count: u32) -> (ur_result_t, bool, String) {
    let (programs, mut devices) = ([of.program; 2], [of.device; 2]);
    // The output is a stray address, which the call must overwrite or set to null.
    let (mut linked, context) = (address(0x10).cast(), of.context);
    let (list, of_devices, options) = (programs.as_ptr(), devices.as_mut_ptr(), OPTIONS.as_ptr());
    noted();
    // SAFETY: live handles, lists of their lengths, and room for the program.
    let result = unsafe {
        match function {
            0 => urProgramLink::<Fake>(context, count, list, options, &mut linked),
            1 => urProgramLinkExp::<Fake>(context, 2, of_devices, 0, count, list, options, &mut linked),
            _ => {
                let (function, devices) = (urProgramLinkExp_until_2025_3::<Fake>, of_devices);
                function(context, 1, devices, count, list, options, &mut linked)
            }
        }
    };
    (result, !linked.is_null(), noted().concat())
}

/// The caller reads the program even after a failure, for its log.
#[test]
fn programs_are_linked_for_the_devices_that_are_named_and_a_failure_leaves_a_log() {
    let of = handles(NEWEST);
    for (function, devices) in [0, 2, 1].into_iter().enumerate() {
        let wanted = format!(r#"link 2 for {devices} Some("-g")"#);
        assert_eq!(link(of, function, 2), (UR_RESULT_SUCCESS, true, wanted.clone()));
        fail(ErrorCode::LINK_PROGRAM_FAILURE);
        assert_eq!(link(of, function, 2), (UR_RESULT_ERROR_PROGRAM_LINK_FAILURE, true, wanted));
        assert_eq!(link(of, function, 0), (UR_RESULT_ERROR_INVALID_SIZE, false, String::new()));
    }
}

/// A suggestion has as many sizes as the range has dimensions; what is behind them is the caller's.
#[test]
fn a_suggested_size_has_the_dimensions_of_the_range() {
    let of = handles(NEWEST);
    let (offset, global) = ([0; 3], [64_usize, 32, 16]);
    let number = 5_u32;
    let argument = ur_exp_kernel_arg_properties_t {
        stype: 0,
        pNext: null_mut(),
        type_: UR_EXP_KERNEL_ARG_TYPE_VALUE,
        index: 1,
        size: 4,
        value: ur_exp_kernel_arg_value_t { value: (&raw const number).cast() },
    };
    for dims in 1..=3 {
        let mut wanted = [77; 3];
        wanted[..dims].copy_from_slice(&[8, 4, 2][..dims]);
        for args in [0, 1] {
            let mut sizes = [77_usize; 3];
            let (offset, global, room) = (offset.as_ptr(), global.as_ptr(), sizes.as_mut_ptr());
            noted();
            // SAFETY: live handles, one argument, and as many numbers as dimensions.
            let result = unsafe {
                let (kernel, queue, dims) = (of.kernel, of.queue, dims as u32);
                match args {
                    0 => urKernelGetSuggestedLocalWorkSize::<Fake>(kernel, queue, dims, offset, global, room),
                    _ => urKernelGetSuggestedLocalWorkSizeWithArgs::<Fake>(
                        kernel, queue, dims, offset, global, 1, &argument, room,
                    ),
                }
            };
            assert_eq!((result, sizes), (UR_RESULT_SUCCESS, wanted));
            let mut notes = noted();
            assert_eq!(notes.pop().unwrap(), format!("suggest for {:?}", &[64, 32, 16][..dims]));
            assert_eq!(notes, ["1 Value([5, 0, 0, 0])"; 1][..args]);
        }
    }
}

/// In every form that the function had.
#[test]
fn work_groups_that_run_together_are_counted_for_their_size_and_local_memory() {
    let of = handles(NEWEST);
    let (kernel, device, local) = (of.kernel, of.device, [4_usize, 3, 2]);
    let mut counts = [0_u32; 4];
    let [first, second, third, fourth] = &mut counts;
    noted();
    // SAFETY: live handles, three numbers, and room for the answers.
    let results = unsafe {
        [
            urKernelSuggestMaxCooperativeGroupCount::<Fake>(kernel, device, 3, local.as_ptr(), 96, first),
            urKernelSuggestMaxCooperativeGroupCountExp::<Fake>(kernel, device, 2, local.as_ptr(), 95, second),
            urKernelSuggestMaxCooperativeGroupCountExp_until_2025_0::<Fake>(kernel, 7, 94, third),
            urKernelSuggestMaxCooperativeGroupCountExp_until_2025_1::<Fake>(
                kernel,
                1,
                local.as_ptr(),
                93,
                fourth,
            ),
        ]
    };
    assert_eq!((results, counts), ([UR_RESULT_SUCCESS; 4], [6; 4]));
    let wanted =
        ["groups of 24 with 96", "groups of 12 with 95", "groups of 7 with 94", "groups of 4 with 93"];
    assert_eq!(noted(), wanted);
}

/// Callers read a function's address even after a failure; a variable's size is wanted or not.
#[test]
fn symbols_have_addresses_and_a_variable_its_size() {
    let of = handles(NEWEST);
    let function = || {
        let mut found = address(0x10);
        noted();
        let result =
            // SAFETY: live handles, a name, and room for the address.
            unsafe { urProgramGetFunctionPointer::<Fake>(of.device, of.program, c"f".as_ptr(), &mut found) };
        (result, found.addr(), noted().concat())
    };
    assert_eq!(function(), (UR_RESULT_SUCCESS, 0x3000, r#"function "f""#.into()));
    fail(ErrorCode::INVALID_KERNEL_NAME);
    assert_eq!(function(), (UR_RESULT_ERROR_INVALID_KERNEL_NAME, 0, r#"function "f""#.into()));
    for has_size in [true, false] {
        let (mut found, mut size) = (null_mut(), 99);
        let room = if has_size { &raw mut size } else { null_mut() };
        // SAFETY: live handles, a name, and room for the answers.
        let result = unsafe {
            urProgramGetGlobalVariablePointer::<Fake>(of.device, of.program, c"v".as_ptr(), room, &mut found)
        };
        let wanted = if has_size { 24 } else { 99 };
        assert_eq!((result, found.addr(), size), (UR_RESULT_SUCCESS, 0x4000, wanted));
    }
}
