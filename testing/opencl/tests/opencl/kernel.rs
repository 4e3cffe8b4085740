//! Tests of kernels, their arguments and their properties.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "kernel",
        [
            attributes_name_the_required_size,
            an_unknown_name_is_refused_by_name,
            a_name_that_is_not_utf8_is_refused,
            one_that_the_driver_cannot_have_is_refused_with_the_reason,
            sub_group_facts,
            bad_arguments_are_refused,
            a_null_memory_argument_is_allowed,
            indirect_access_is_always_accepted,
            cooperative_groups_are_counted,
        ],
        isolated[an_unknown_exec_info_is_refused]
    );
}

fn attributes_name_the_required_size() {
    let f = Fixture::new();
    let program = f.built_source();
    let fixed = f.kernel(*program, c"fixed_size");
    let attributes = text!(f.pi, piKernelGetInfo(*fixed, PI_KERNEL_INFO_ATTRIBUTES));
    assert!(attributes.contains("reqd_work_group_size"), "{attributes}");
}

fn an_unknown_name_is_refused_by_name() {
    let f = Fixture::new();
    let program = f.built_source();
    let mut out = null_mut();
    let text = refused!(
        f.pi,
        piKernelCreate(*program, c"no_such_kernel".as_ptr(), &mut out),
        PI_ERROR_INVALID_KERNEL_NAME
    );
    assert!(text.contains("no_such_kernel"), "{text}");
    assert!(out.is_null());
}

fn a_name_that_is_not_utf8_is_refused() {
    let f = Fixture::new();
    let program = f.built_source();
    let mut out = null_mut();
    for name in [c"\xff\xfe\x80", c"", c"nothing\xc3"] {
        refused!(f.pi, piKernelCreate(*program, name.as_ptr(), &mut out), PI_ERROR_INVALID_KERNEL_NAME);
    }
}

fn one_that_the_driver_cannot_have_is_refused_with_the_reason() {
    let f = Fixture::new();
    let il = include_bytes!("../../../kernels/group_of_8.spv");
    let create = || {
        let mut out = null_mut();
        call!(f.pi, piProgramCreate(f.context, il.as_ptr().cast(), il.len(), &mut out)).map(|()| out)
    };
    let result = create();
    if result.as_ref().is_err_and(|error| error.code() == Some(PI_ERROR_COMPILER_NOT_AVAILABLE)) {
        return;
    }
    let (device, options, none) = (&raw const f.device, c"".as_ptr(), null_mut());
    let built = f.own_program(result.unwrap());
    ok!(f.pi, piProgramBuild(*built, 1, device, options, None, none));
    let compiled = f.own_program(create().unwrap());
    ok!(f.pi, piProgramCompile(*compiled, 1, device, options, 0, null(), null_mut(), None, none));
    let linked: pi_program =
        made!(f.pi, |out| piProgramLink(f.context, 1, device, options, 1, &*compiled, None, none, out));
    let linked = f.own_program(linked);
    let sizes: Vec<usize> = bytes!(f.pi, piDeviceGetInfo(f.device, PI_DEVICE_INFO_SUB_GROUP_SIZES_INTEL))
        .as_chunks::<8>()
        .0
        .iter()
        .map(|size| usize::from_ne_bytes(*size))
        .collect();
    for program in [*built, *linked] {
        drop(f.kernel(program, c"plain"));
        if sizes.contains(&8) {
            let [largest, required] = required_sizes(&f, program);
            // Intel's runtime of 2023 names its own largest size, 64.
            assert!(largest == 8 || Driver::of_environment() == Driver::Intel, "{largest}");
            assert_eq!(required, 8);
            continue;
        }
        // Each work-item is a sub-group. dpctl's radix sort needs a last size of 16 at least.
        assert_eq!(sizes, [1, 16]);
        let mut kernel = null_mut();
        let text = refused!(
            f.pi,
            piKernelCreate(program, c"group_of_8".as_ptr(), &mut kernel),
            PI_ERROR_INVALID_OPERATION
        );
        assert!(text.contains("kernel group_of_8 is refused: it requires sub-groups of 8"), "{text}");
        assert!(kernel.is_null());
    }
    // All of its kernels use variables in global memory, which rusticl does not have.
    let (il, mut out) = (testing_opencl::kernels::DG_BASIC, null_mut());
    let created = call!(f.pi, piProgramCreate(f.context, il.as_ptr().cast(), il.len(), &mut out));
    let platform = text!(f.pi, piPlatformGetInfo(f.platform, PI_PLATFORM_INFO_NAME));
    assert_eq!(created.is_err(), platform == "rusticl");
    if let Err(error) = created {
        let text = error.to_string();
        assert!(text.contains("for this driver, rusticl: kernel "), "{text}");
        assert!(text.contains("pass a buffer or USM instead"), "{text}");
    } else {
        drop(f.own_program(out));
    }
}

/// Returns the answers about the size of the sub-groups of a kernel that requires one: the largest one, and the required
/// one.
fn required_sizes(f: &Fixture, program: pi_program) -> [u32; 2] {
    let kernel = f.kernel(program, c"group_of_8");
    let number = |name| get!(f.pi, piKernelGetSubGroupInfo(*kernel, f.device, name, 0, null()) as u32);
    // A work-group of the most work-items has many of them.
    assert!(number(PI_KERNEL_MAX_NUM_SUB_GROUPS) >= 8);
    [PI_KERNEL_MAX_SUB_GROUP_SIZE, PI_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL].map(number)
}

fn sub_group_facts() {
    let f = Fixture::new();
    let program = f.built_source();
    let kernel = f.kernel(*program, c"add_value");
    let number = |name, size: usize, input: *const c_void| {
        get!(f.pi, piKernelGetSubGroupInfo(*kernel, f.device, name, size, input) as u32)
    };
    assert!(number(PI_KERNEL_MAX_SUB_GROUP_SIZE, 0, null()) >= 1, "without a work-group size");
    assert!(number(PI_KERNEL_MAX_NUM_SUB_GROUPS, 0, null()) >= 1);
    assert_eq!(number(PI_KERNEL_COMPILE_NUM_SUB_GROUPS, 0, null()), 0);
    let local = [64_usize, 1, 1];
    let of_64 = number(PI_KERNEL_MAX_SUB_GROUP_SIZE, size_of_val(&local), local.as_ptr().cast());
    assert!((1..=64).contains(&of_64));
    let mut size = 0;
    refused!(
        f.pi,
        piKernelGetSubGroupInfo(*kernel, f.device, 0x7777, 0, null(), 0, null_mut(), &mut size),
        PI_ERROR_INVALID_VALUE
    );
}

fn bad_arguments_are_refused() {
    let f = Fixture::new();
    let program = f.built_source();
    let kernel = f.kernel(*program, c"add_value");
    let value = 1_u64;
    let start = (&raw const value).cast::<c_void>();
    refused!(f.pi, piKernelSetArg(*kernel, 2, 4, start), PI_ERROR_INVALID_ARG_INDEX);
    // More arguments than any kernel has. The driver is not called.
    for index in [1 << 16, u32::MAX] {
        let text = refused!(f.pi, piKernelSetArg(*kernel, index, 4, start), PI_ERROR_INVALID_ARG_INDEX);
        assert!(text.contains("no kernel has as many"), "{text}");
    }
    refused!(f.pi, piKernelSetArg(*kernel, 1, 8, start), PI_ERROR_INVALID_ARG_SIZE);
    refused!(f.pi, piKernelSetArg(*kernel, 1, 0, start), PI_ERROR_INVALID_ARG_SIZE);
    refused!(
        f.pi,
        piKernelSetArg(*kernel, 1, 4, null()),
        PI_ERROR_INVALID_ARG_VALUE | PI_ERROR_INVALID_VALUE
    );
    refused!(f.pi, piextKernelSetArgPointer(*kernel, 0, 8, null()), PI_ERROR_INVALID_VALUE);
    refused!(f.pi, piextKernelSetArgSampler(*kernel, 0, null()), PI_ERROR_INVALID_VALUE);
    let unset = f.kernel(*program, c"add_value");
    refused!(
        f.pi,
        piEnqueueKernelLaunch(f.queue, *unset, 1, null(), &1, null(), 0, null(), null_mut()),
        PI_ERROR_INVALID_KERNEL_ARGS
    );
}

fn a_null_memory_argument_is_allowed() {
    let f = Fixture::new();
    let program = f.built_source();
    let kernel = f.kernel(*program, c"fill_index");
    let none: pi_mem = null_mut();
    ok!(f.pi, piextKernelSetArgMemObj(*kernel, 0, null(), &none));
    ok!(f.pi, piextKernelSetArgMemObj(*kernel, 0, null(), null()));
    ok!(kernels::old_table(), piextKernelSetArgMemObj_until_12_27(*kernel, 0, &none));
}

fn indirect_access_is_always_accepted() {
    let f = Fixture::new();
    let program = f.built_source();
    let kernel = f.kernel(*program, c"nothing");
    for value in [1_u32, 0] {
        let start = (&raw const value).cast();
        ok!(f.pi, piKernelSetExecInfo(*kernel, PI_USM_INDIRECT_ACCESS, 4, start));
    }
    let cache = PI_EXT_KERNEL_EXEC_INFO_CACHE_LARGE_SLM;
    let start = (&raw const cache).cast();
    ok!(f.pi, piKernelSetExecInfo(*kernel, PI_EXT_KERNEL_EXEC_INFO_CACHE_CONFIG, 4, start));
    f.launch(*kernel, 1);
}

fn an_unknown_exec_info_is_refused() {
    let f = Fixture::new();
    let program = f.built_source();
    let kernel = f.kernel(*program, c"nothing");
    let value = 1_u32;
    for name in [0x7777, 1, u32::MAX] {
        let start = (&raw const value).cast();
        let text = refused!(f.pi, piKernelSetExecInfo(*kernel, name, 4, start), PI_ERROR_INVALID_VALUE);
        assert!(text.contains("value_name"), "{text}");
    }
    refused!(f.pi, piKernelSetExecInfo(*kernel, PI_USM_INDIRECT_ACCESS, 4, null()), PI_ERROR_INVALID_VALUE);
}

fn cooperative_groups_are_counted() {
    let f = Fixture::new();
    let program = f.built_source();
    let kernel = f.kernel(*program, c"nothing");
    let most: pi_uint32 = made!(f.pi, |out| piextKernelSuggestMaxCooperativeGroupCount(*kernel, 1, 0, out));
    assert!(most >= 1);
    let launch = |global: &[usize], local: &[usize]| {
        let (dims, sizes) = (global.len() as u32, (global.as_ptr(), local.as_ptr()));
        let (global, local) = sizes;
        call!(
            f.pi,
            piextEnqueueCooperativeKernelLaunch(
                f.queue,
                *kernel,
                dims,
                null(),
                global,
                local,
                0,
                null(),
                null_mut(),
            )
        )
    };
    for (global, local) in [(&[1_usize][..], &[1_usize][..]), (&[2, 2], &[2, 2])] {
        launch(global, local).unwrap_or_else(|error| panic!("{global:?} in groups of {local:?}: {error}"));
    }
    if most < 2 {
        let codes = [PI_ERROR_INVALID_OPERATION, PI_ERROR_OUT_OF_RESOURCES];
        // A group that is not full is one too.
        for (global, local) in [(&[2_usize][..], &[1_usize][..]), (&[1, 2], &[1, 1]), (&[3], &[2])] {
            let text = calls::expect_refusal(launch(global, local), &codes);
            assert!(text.contains("2 work-groups"), "{global:?} in groups of {local:?}: {text}");
        }
    }
}
