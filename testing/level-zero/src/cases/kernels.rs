//! Tests of programs, kernels and their arguments on the software driver.

use std::collections::BTreeSet;
use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut, with_exposed_provenance_mut};

use level_zero_sys::*;

use super::Case;
use crate::fixture::{BASIC, CALLEE, CALLS, KERNELS, SPEC, newest, plugin};
use crate::{Fixture, Soft, code, fails, ok};
use sycl_pi_core::*;
use testing_support::{Gate, Kernel, last_error, platform};

pub(crate) const CASES: &[Case] = &[
    ("an_argument_of_another_size_is_refused_and_the_old_value_stays", sizes),
    ("a_structure_by_value_arrives_whole", structure),
    ("local_memory_takes_any_size", local),
    ("programs_that_are_linked_know_their_argument_sizes", linked),
    ("each_build_calls_back_once_with_its_program", notified),
    ("a_required_size_is_the_suggested_one", required),
    ("a_link_has_the_kernels_of_each_program", linked_kernels),
    ("a_link_keeps_the_options_that_each_program_was_compiled_with", link_options),
    ("options_of_the_compiler_are_those_of_the_driver", backend_options),
    ("a_launch_without_all_arguments_is_refused_before_the_driver_sees_it", unset),
    ("a_truncated_program_never_reaches_the_driver", truncated),
    ("a_launch_without_a_size_has_one_that_suits_each_global_size", chosen),
    ("a_work_group_size_that_the_kernel_or_the_device_lacks_is_refused", refused_sizes),
    ("kernel_queries_answer_in_the_sizes_of_the_driver_and_of_runtimes", queries),
    ("a_query_about_a_work_group_size_leaves_launches_the_size_of_their_own", queried_size),
    ("a_program_that_is_built_again_has_its_new_constants", built_again),
    ("a_launch_that_waits_keeps_its_kernel_and_its_buffers", kept),
    ("a_buffer_that_is_no_argument_any_more_is_released", replaced),
    ("a_link_with_itself_decides_whether_imports_are_missing", imports),
    ("programs_kernels_and_events_of_another_context_are_refused", other_context),
    ("a_build_for_several_devices_fails_with_the_error_of_the_first", first_error),
    ("a_program_that_exports_functions_is_compiled_as_a_library", library),
];

/// The driver suggests a size for each global size, and sizes that differ in one dimension are different ones.
fn chosen() {
    let fixture = Fixture::new(plugin());
    let program = fixture.program(KERNELS);
    let (kernel, queue, pi) = (program.kernel("nothing"), fixture.queue, fixture.pi);
    for global in [[8, 4, 2], [8, 3, 2], [8, 4, 2], [8, 4, 3], [7, 4, 3]] {
        let (start, none) = ([0; 3], null());
        let (start, global) = (start.as_ptr(), global.as_ptr());
        ok!(pi, piEnqueueKernelLaunch(queue, kernel.raw, 3, start, global, none, 0, null(), null_mut()));
    }
    ok!(pi, piQueueFinish(queue));
}

/// Returns the side lengths of the largest work-groups, which the software driver has for the whole size, too.
fn largest_sides(fixture: &Fixture) -> [usize; 3] {
    let mut sides = [0_usize; 3];
    let room = (&raw mut sides).cast();
    ok!(
        fixture.pi,
        piDeviceGetInfo(fixture.device, PI_DEVICE_INFO_MAX_WORK_ITEM_SIZES, 24, room, null_mut())
    );
    sides
}

fn refused_sizes() {
    let fixture = Fixture::new(plugin());
    let program = fixture.program(BASIC);
    let (fixed, any, queue) = (program.kernel("fixed_size"), program.kernel("nothing"), fixture.queue);
    let refusal = |kernel: &Kernel, local: [usize; 3]| {
        let (offset, global, local) = ([0; 3], local.map(|side| 2 * side), local.as_ptr());
        let (offset, global) = (offset.as_ptr(), global.as_ptr());
        fails!(
            fixture.pi,
            piEnqueueKernelLaunch(queue, kernel.raw, 3, offset, global, local, 0, null(), null_mut()),
            PI_ERROR_INVALID_WORK_GROUP_SIZE
        )
    };
    let memory = fixture.device_memory(4 * 64);
    fixed.pointer(0, memory.start);
    let text = refusal(&fixed, [2, 4, 1]);
    assert!(text.contains("the kernel requires [4, 2, 1]"), "{text}");
    let [most, ..] = largest_sides(&fixture);
    let text = refusal(&any, [most, 2, 1]);
    assert!(text.contains(&format!("{most} work-items in all")), "{text}");
}

/// Sizes in bytes have 8 bytes, and the vendor's plugin answers them in 4.
fn queries() {
    let fixture = Fixture::new(plugin());
    let (pi, device, program) = (fixture.pi, fixture.device, fixture.program(BASIC));
    let nothing = program.kernel("nothing");
    let kernel = nothing.raw;
    let mut most = [0_usize; 3];
    let (name, room) = (PI_KERNEL_GROUP_INFO_GLOBAL_WORK_SIZE, (&raw mut most).cast());
    ok!(pi, piKernelGetGroupInfo(kernel, device, name, 24, room, null_mut()));
    // The software driver counts groups in 32 bits.
    assert_eq!(most, largest_sides(&fixture).map(|side| side * u32::MAX as usize));
    for name in [PI_KERNEL_GROUP_INFO_LOCAL_MEM_SIZE, PI_KERNEL_GROUP_INFO_PRIVATE_MEM_SIZE] {
        let (mut narrow, mut wide) = (u32::MAX, u64::MAX);
        let room = (&raw mut narrow).cast();
        ok!(pi, piKernelGetGroupInfo(kernel, device, name, 4, room, null_mut()));
        let room = (&raw mut wide).cast();
        ok!(pi, piKernelGetGroupInfo(kernel, device, name, 8, room, null_mut()));
        assert_eq!(u64::from(narrow), wide);
    }
    // The driver's own answers about the kernel and the device.
    let (mut native, mut native_device) = (0, 0);
    ok!(pi, piextKernelGetNativeHandle(kernel, &mut native));
    ok!(pi, piextDeviceGetNativeHandle(device, &mut native_device));
    let (mut own, mut limits) =
        (ze_kernel_properties_t::default(), ze_device_compute_properties_t::default());
    let (of_driver, of_device) = (
        ze_kernel_handle_t(with_exposed_provenance_mut(native)),
        ze_device_handle_t(with_exposed_provenance_mut(native_device)),
    );
    // SAFETY: a live kernel and device, and room for the answers.
    unsafe {
        ze().unwrap().zeKernelGetProperties(of_driver, &mut own).unwrap();
        ze().unwrap().zeDeviceGetComputeProperties(of_device, &mut limits).unwrap();
    }
    for (name, expected) in [
        (PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE, limits.maxTotalGroupSize),
        (PI_KERNEL_GROUP_INFO_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, own.maxSubgroupSize),
    ] {
        let mut number = 0_usize;
        let room = (&raw mut number).cast();
        ok!(pi, piKernelGetGroupInfo(kernel, device, name, 8, room, null_mut()));
        assert_eq!(number, expected as usize, "{name:#x}");
    }
    for (name, expected) in [
        (PI_KERNEL_MAX_SUB_GROUP_SIZE, own.maxSubgroupSize),
        (PI_KERNEL_MAX_NUM_SUB_GROUPS, own.maxNumSubgroups),
        (PI_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, own.requiredSubgroupSize),
    ] {
        let mut number = u32::MAX;
        let room = (&raw mut number).cast();
        ok!(pi, piKernelGetSubGroupInfo(kernel, device, name, 0, null(), 4, room, null_mut()));
        assert_eq!(number, expected, "{name:#x}");
    }
    let (mut sub_groups, name) = (u32::MAX, PI_KERNEL_COMPILE_NUM_SUB_GROUPS);
    let room = (&raw mut sub_groups).cast();
    ok!(pi, piKernelGetSubGroupInfo(kernel, device, name, 0, null(), 4, room, null_mut()));
    assert_eq!(sub_groups, 0, "the kernel requires no number of sub-groups");
}

fn sizes() {
    let fixture = Fixture::new(plugin());
    let program = fixture.program(KERNELS);
    let (scale, pi) = (program.kernel("scale"), fixture.pi);
    let data = fixture.shared_memory(32);
    fixture.write(&data, &[1_i32, 2, 3, 4, 5, 6, 7, 8]);
    scale.pointer(0, data.start).set(1, 3_i32).local(2, 32);
    let wide = [9_i64; 2];
    let text = fails!(pi, piKernelSetArg(scale.raw, 1, 8, wide.as_ptr().cast()), PI_ERROR_INVALID_ARG_SIZE);
    assert!(text.contains("8 bytes") && text.contains("scale") && text.contains('4'), "{text}");
    // Intel's driver accepts values that are too small, so the plugin must refuse them.
    let text = fails!(pi, piKernelSetArg(scale.raw, 1, 3, wide.as_ptr().cast()), PI_ERROR_INVALID_ARG_SIZE);
    assert!(text.contains("3 bytes") && text.contains("scale") && text.contains('4'), "{text}");
    fails!(pi, piKernelSetArg(scale.raw, 0, 4, wide.as_ptr().cast()), PI_ERROR_INVALID_ARG_SIZE);
    let event = fixture.launch(fixture.queue, &scale, 8, &[]);
    fixture.wait(&[event]);
    assert_eq!(fixture.read::<i32>(&data, 8), [3, 6, 9, 12, 15, 18, 21, 24]);
}

fn structure() {
    #[repr(C)]
    #[derive(Clone, Copy)]
    struct Triple(i8, i64, i32);
    let fixture = Fixture::new(plugin());
    let program = fixture.program(KERNELS);
    let (spread, out) = (program.kernel("spread"), fixture.device_memory(24));
    spread.set(0, Triple(-7, 1 << 40, 5)).pointer(1, out.start);
    let short = [0_u8; 17];
    fails!(fixture.pi, piKernelSetArg(spread.raw, 0, 17, short.as_ptr().cast()), PI_ERROR_INVALID_ARG_SIZE);
    let event = fixture.launch(fixture.queue, &spread, 1, &[]);
    fixture.wait(&[event]);
    assert_eq!(fixture.read::<i64>(&out, 3), [-7, 1 << 40, 5]);
}

fn local() {
    let fixture = Fixture::new(plugin());
    let program = fixture.program(KERNELS);
    let (scale, data) = (program.kernel("scale"), fixture.shared_memory(32));
    fixture.write(&data, &[1_i32; 8]);
    for (size, factor) in [(32, 2), (100, 3), (4096, 5)] {
        scale.pointer(0, data.start).set(1, factor).local(2, size);
        let event = fixture.launch(fixture.queue, &scale, 8, &[]);
        fixture.wait(&[event]);
    }
    assert_eq!(fixture.read::<i32>(&data, 8), [30; 8]);
}

fn linked() {
    let fixture = Fixture::new(plugin());
    let pi = fixture.pi;
    let parts = [fixture.unbuilt(CALLS), fixture.unbuilt(CALLEE)];
    for part in &parts {
        ok!(
            pi,
            piProgramCompile(
                part.raw,
                1,
                &fixture.device,
                c"".as_ptr(),
                0,
                null(),
                null_mut(),
                None,
                null_mut()
            )
        );
    }
    let told = |name| {
        let mut answer = 77_i32;
        let room = (&raw mut answer).cast();
        ok!(pi, piProgramGetBuildInfo(parts[0].raw, fixture.device, name, 4, room, null_mut()));
        answer
    };
    assert_eq!(told(PI_PROGRAM_BUILD_INFO_STATUS), PI_PROGRAM_BUILD_STATUS_SUCCESS);
    assert_eq!(told(PI_PROGRAM_BUILD_INFO_BINARY_TYPE) as u32, PI_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    let programs = parts.each_ref().map(|part| part.raw);
    let mut whole = null_mut();
    let options = c"".as_ptr();
    ok!(
        pi,
        piProgramLink(
            fixture.context,
            1,
            &fixture.device,
            options,
            2,
            programs.as_ptr(),
            None,
            null_mut(),
            &mut whole
        )
    );
    let (mut kernel, data) = (null_mut(), fixture.shared_memory(4));
    fixture.write(&data, &[4_i32]);
    ok!(pi, piKernelCreate(whole, c"calls".as_ptr(), &mut kernel));
    fails!(pi, piKernelSetArg(kernel, 0, 4, (&raw const data.start).cast()), PI_ERROR_INVALID_ARG_SIZE);
    ok!(pi, piextKernelSetArgPointer(kernel, 0, 8, (&raw const data.start).cast()));
    let (global, queue) = (1_usize, fixture.queue);
    ok!(pi, piEnqueueKernelLaunch(queue, kernel, 1, &0, &global, null(), 0, null(), null_mut()));
    fixture.finish();
    assert_eq!(fixture.read::<i32>(&data, 1), [41]);
    ok!(pi, piKernelRelease(kernel));
    ok!(pi, piProgramRelease(whole));
}

fn link_options() {
    let (soft, fixture) = (Soft::find().unwrap(), Fixture::new(plugin()));
    let (pi, context, device) = (fixture.pi, fixture.context, &raw const fixture.device);
    let parts = [(CALLS, c"-cl-mad-enable"), (CALLEE, c"-cl-no-signed-zeros")].map(|(il, options)| {
        let (part, none) = (fixture.unbuilt(il), null_mut());
        ok!(pi, piProgramCompile(part.raw, 1, device, options.as_ptr(), 0, null(), none, None, none.cast()));
        part
    });
    let programs = parts.each_ref().map(|part| part.raw);
    let (mut whole, none, list) = (null_mut(), c"".as_ptr(), programs.as_ptr());
    soft.reset();
    ok!(pi, piProgramLink(context, 1, device, none, 2, list, None, null_mut(), &mut whole));
    let requests = soft.report().requests;
    let expected = r#"zeModuleCreate flags ["-cl-mad-enable", "-cl-no-signed-zeros"]"#;
    assert_eq!(requests, BTreeSet::from([expected.to_owned()]));
    ok!(pi, piProgramRelease(whole));
}

/// The names are those of Level Zero's specification and of Intel's compiler for it.
fn backend_options() {
    let pi = newest();
    for (asked, expected) in [
        (c"", c""),
        (c"-O0", c"-ze-opt-disable"),
        (c"-O2", c"-ze-opt-level=2"),
        (c"-ftarget-compile-fast", c"-igc_opts 'PartitionUnit=1,SubroutineThreshold=50000'"),
    ] {
        let mut option = null();
        ok!(pi, piPluginGetBackendOption(platform(pi), asked.as_ptr(), &mut option));
        // SAFETY: a string that lives as long as the plugin.
        assert_eq!(unsafe { CStr::from_ptr(option) }, expected, "{asked:?}");
    }
}

fn unset() {
    let fixture = Fixture::new(plugin());
    let program = fixture.program(KERNELS);
    let add = program.kernel("add");
    let memory = fixture.device_memory(64);
    // Set twice, it is still one.
    add.pointer(0, memory.start).pointer(2, memory.start).pointer(2, memory.start);
    let global = 4_usize;
    let (queue, kernel) = (fixture.queue, add.raw);
    let text = fails!(
        fixture.pi,
        piEnqueueKernelLaunch(queue, kernel, 1, &0, &global, null(), 0, null(), null_mut()),
        PI_ERROR_INVALID_KERNEL_ARGS
    );
    assert!(text.contains("1 arguments") && text.contains("add"), "{text}");
}

fn truncated() {
    let fixture = Fixture::new(plugin());
    for length in [0, 4, 20, 24, KERNELS.len() / 2, KERNELS.len() - 4] {
        let mut program: pi_program = null_mut();
        let start: *const c_void = KERNELS.as_ptr().cast();
        let code = code!(fixture.pi, piProgramCreate(fixture.context, start, length, &mut program));
        assert_ne!(code, 0, "{length} bytes");
        assert!(!last_error(fixture.pi).is_empty(), "{length} bytes: no text");
        assert!(program.is_null());
    }
}

fn queried_size() {
    let fixture = Fixture::new(newest());
    let (pi, program, queue) = (fixture.pi, fixture.program(KERNELS), fixture.queue);
    let (scale, data, mut count) = (program.kernel("scale"), fixture.shared_memory(64), 0);
    fixture.write(&data, &[1_i32; 16]);
    scale.pointer(0, data.start).set(1, 3_i32).local(2, 32);
    for _ in 0..2 {
        ok!(pi, piEnqueueKernelLaunch(queue, scale.raw, 1, &0, &16, &8, 0, null(), null_mut()));
        ok!(pi, piextKernelSuggestMaxCooperativeGroupCount(scale.raw, 4, 0, &mut count));
        assert!(count > 0);
    }
    fixture.finish();
    assert_eq!(fixture.read::<i32>(&data, 16), [9; 16]);
}

fn kept() {
    // Too large to be kept for the next buffer.
    const COUNT: usize = 2 << 20;
    let (fixture, soft) = (Fixture::new(newest()), Soft::find().unwrap());
    let (pi, program, gate) = (fixture.pi, fixture.program(KERNELS), Gate::new(&fixture));
    let kernel = program.kernel("add");
    let [from, to] = [1_i32, 0].map(|value| fixture.buffer(&mut vec![value; COUNT]));
    for (index, buffer) in (0..).zip([from, from, to]) {
        ok!(pi, piextKernelSetArgMemObj(kernel.raw, index, null(), &buffer));
    }
    soft.reset();
    let freed = || {
        let calls = soft.report().calls;
        ["zeMemFree", "zeKernelDestroy"].map(|name| calls.get(name).copied().unwrap_or(0))
    };
    let launched = fixture.launch(fixture.queue, &kernel, COUNT, &[gate.0]);
    // Neither the kernel's arguments nor the program's references keep them.
    for index in [0, 1] {
        ok!(pi, piextKernelSetArgMemObj(kernel.raw, index, null(), &to));
    }
    ok!(pi, piMemRelease(from));
    drop(kernel);
    assert_eq!(freed(), [0, 0]);
    gate.open();
    fixture.wait(&[launched]);
    let mut sums = vec![0_i32; COUNT];
    let (size, room) = (4 * COUNT, sums.as_mut_ptr().cast());
    ok!(pi, piEnqueueMemBufferRead(fixture.queue, to, 1, 0, size, room, 0, null(), null_mut()));
    assert!(sums.iter().all(|sum| *sum == 2));
    ok!(pi, piMemRelease(to));
    fixture.finish();
    assert_eq!(freed(), [2, 1]);
    let complaints = soft.report().complaints;
    assert!(complaints.is_empty(), "{complaints:?}");
}

fn built_again() {
    let fixture = Fixture::new(newest());
    let (pi, program, out) = (fixture.pi, fixture.unbuilt(SPEC), fixture.shared_memory(4));
    for value in [5_i32, 6] {
        let place = (&raw const value).cast();
        ok!(pi, piextProgramSetSpecializationConstant(program.raw, 7, 4, place));
        ok!(pi, piProgramBuild(program.raw, 1, &fixture.device, c"".as_ptr(), None, null_mut()));
        let store = program.kernel("store");
        store.pointer(0, out.start);
        fixture.wait(&[fixture.launch(fixture.queue, &store, 1, &[])]);
        assert_eq!(fixture.read::<i32>(&out, 1), [value]);
    }
}

fn replaced() {
    let (fixture, soft) = (Fixture::new(newest()), Soft::find().unwrap());
    let pi = fixture.pi;
    let program = fixture.program(KERNELS);
    let kernel = program.kernel("add");
    // Too large to be kept for the next buffer.
    let [first, second] = [1_u8, 2].map(|value| fixture.buffer(&mut vec![value; 8 << 20]));
    for buffer in [first, second] {
        ok!(pi, piextKernelSetArgMemObj(kernel.raw, 0, null(), &buffer));
    }
    soft.reset();
    ok!(pi, piMemRelease(first));
    let frees = || soft.report().calls.get("zeMemFree").copied().unwrap_or(0);
    assert_eq!(frees(), 1);
    ok!(pi, piMemRelease(second));
    assert_eq!(frees(), 1, "the kernel still has it");
    drop(kernel);
    assert_eq!(frees(), 2);
}

fn imports() {
    let (fixture, soft) = (Fixture::new(plugin()), Soft::find().unwrap());
    let build = |program: pi_program| {
        code!(fixture.pi, piProgramBuild(program, 1, &fixture.device, c"".as_ptr(), None, null_mut()))
    };
    let links = || soft.report().calls.get("zeModuleDynamicLink").copied().unwrap_or(0);
    soft.reset();
    assert_eq!(build(fixture.unbuilt(KERNELS).raw), 0);
    assert_eq!(links(), 0, "a module without imports");
    // The driver resolves names late: the flag for imports is set, and the link succeeds.
    soft.fault("zeModuleDynamicLink:1=ZE_RESULT_SUCCESS");
    let late = build(fixture.unbuilt(CALLS).raw);
    soft.fault("");
    assert_eq!((late, links()), (0, 1), "{}", last_error(fixture.pi));
    assert_eq!(build(fixture.unbuilt(CALLS).raw), PI_ERROR_BUILD_PROGRAM_FAILURE);
    assert!(last_error(fixture.pi).contains("from_elsewhere"), "{}", last_error(fixture.pi));
    soft.fault("zeModuleDynamicLink:1=ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY");
    let out_of_memory = build(fixture.unbuilt(CALLS).raw);
    soft.fault("");
    assert_eq!(out_of_memory, PI_ERROR_OUT_OF_HOST_MEMORY);
}

/// Where there is one device alone, the test runs again in a process whose driver has two.
fn first_error() {
    const DEVICES: &str = "PI_SOFT_ZE_DEVICES";
    let (soft, pi) = (Soft::find().unwrap(), plugin());
    let roots = testing_support::devices(pi);
    if roots.len() < 2 {
        assert!(std::env::var_os(DEVICES).is_none_or(|count| count != "2"), "the driver has two devices");
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "a_build_for_several_devices_fails_with_the_error_of_the_first"]);
        let run =
            testing_support::process::run(command.env(DEVICES, "2"), std::time::Duration::from_secs(120))
                .unwrap();
        assert!(run.end.is_success() && run.stdout_text().contains("1 passed"), "{}", run.stdout_text());
        return;
    }
    let (mut context, none) = (null_mut(), null_mut());
    ok!(pi, piContextCreate(null(), 2, roots.as_ptr(), None, none, &mut context));
    for (faults, expected) in [
        ("zeModuleCreate:1=ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY", PI_ERROR_OUT_OF_HOST_MEMORY),
        ("zeModuleCreate:2=ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY", PI_ERROR_OUT_OF_HOST_MEMORY),
        (
            "zeModuleCreate:1=ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;\
             zeModuleCreate:2=ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY",
            PI_ERROR_BUILD_PROGRAM_FAILURE,
        ),
        ("", PI_SUCCESS),
    ] {
        let mut program = null_mut();
        ok!(pi, piProgramCreate(context, KERNELS.as_ptr().cast(), KERNELS.len(), &mut program));
        soft.fault(faults);
        let code = code!(pi, piProgramBuild(program, 2, roots.as_ptr(), c"".as_ptr(), None, null_mut()));
        soft.fault("");
        assert_eq!(code, expected, "{faults}");
        ok!(pi, piProgramRelease(program));
    }
    ok!(pi, piContextRelease(context));
}

/// The option is that of Intel's compiler.
fn library() {
    let (soft, fixture) = (Soft::find().unwrap(), Fixture::new(plugin()));
    for (il, expected) in [(CALLEE, "-library-compilation"), (SPEC, "")] {
        let program = fixture.unbuilt(il);
        soft.reset();
        let program = fixture.build(program);
        let flags = format!("zeModuleCreate flags {:?}", [expected]);
        assert_eq!(soft.report().requests, BTreeSet::from([flags]));
        drop(program);
    }
}

fn other_context() {
    let (fixture, other) = (Fixture::new(plugin()), Fixture::new(plugin()));
    let (pi, context, device) = (fixture.pi, fixture.context, &raw const fixture.device);
    let (mut linked, mut again, mut native, wrong) = (null_mut(), null_mut(), 0, PI_ERROR_INVALID_CONTEXT);
    let program = other.program(KERNELS);
    let kernel = program.kernel("nothing");
    let (options, none) = (c"".as_ptr(), null_mut());
    fails!(pi, piProgramLink(context, 1, device, options, 1, &program.raw, None, none, &mut linked), wrong);
    ok!(pi, piextKernelGetNativeHandle(kernel.raw, &mut native));
    fails!(pi, piextKernelCreateWithNativeHandle(native, context, program.raw, 0, &mut again), wrong);
    let (queue, nowhere) = (fixture.queue, null_mut());
    fails!(pi, piEnqueueKernelLaunch(queue, kernel.raw, 1, &0, &8, &8, 0, null(), nowhere), wrong);
    let gate = Gate::new(&other);
    fails!(pi, piEnqueueEventsWait(queue, 1, &gate.0, nowhere), wrong);
    gate.open();
}

fn linked_kernels() {
    let fixture = Fixture::new(newest());
    let (pi, context, device) = (fixture.pi, fixture.context, &raw const fixture.device);
    let names = |program| {
        let (mut size, mut count, name) = (0, 0_usize, PI_PROGRAM_INFO_KERNEL_NAMES);
        ok!(pi, piProgramGetInfo(program, name, 0, null_mut(), &mut size));
        let mut text = vec![0_u8; size];
        ok!(pi, piProgramGetInfo(program, name, size, text.as_mut_ptr().cast(), null_mut()));
        let text = String::from_utf8(text).unwrap();
        let names: BTreeSet<String> = text.trim_end_matches('\0').split(';').map(str::to_owned).collect();
        let room = (&raw mut count).cast();
        ok!(pi, piProgramGetInfo(program, PI_PROGRAM_INFO_NUM_KERNELS, 8, room, null_mut()));
        assert_eq!(count, names.len(), "{text}");
        names
    };
    let expected: BTreeSet<String> = [KERNELS, SPEC]
        .iter()
        .flat_map(|il| names(fixture.program(il).raw))
        .chain(["calls".to_owned()])
        .collect();
    // The last two need each other, so that all are modules of their own.
    let programs = [KERNELS, SPEC, CALLS, CALLEE].map(|il| fixture.unbuilt(il));
    let (options, none) = (c"".as_ptr(), null_mut());
    for program in &programs {
        ok!(pi, piProgramCompile(program.raw, 1, device, options, 0, null(), null_mut(), None, none));
    }
    let (list, mut linked) = (programs.each_ref().map(|program| program.raw), null_mut());
    ok!(pi, piProgramLink(context, 1, device, options, 4, list.as_ptr(), None, none, &mut linked));
    assert_eq!(names(linked), expected);
    for name in &expected {
        let (mut kernel, name) = (null_mut(), std::ffi::CString::new(name.as_str()).unwrap());
        ok!(pi, piKernelCreate(linked, name.as_ptr(), &mut kernel));
        ok!(pi, piKernelRelease(kernel));
    }
    ok!(pi, piProgramRelease(linked));
}

/// # Safety
/// `count` points to a number that outlives the build.
unsafe extern "C" fn add_address(program: pi_program, count: *mut c_void) {
    // SAFETY: the number that the test passes, which nothing else uses during the call.
    unsafe { *count.cast::<usize>() += program.addr() };
}

fn notified() {
    let fixture = Fixture::new(newest());
    let (pi, context, device) = (fixture.pi, fixture.context, &raw const fixture.device);
    let (mut sum, options, mut linked) = (0_usize, c"".as_ptr(), null_mut());
    let (place, notify): (*mut c_void, pi_program_notify) = ((&raw mut sum).cast(), Some(add_address));
    let called = || {
        // SAFETY: the number above.
        std::mem::take(unsafe { &mut *place.cast::<usize>() })
    };
    let [built, compiled] = [KERNELS; 2].map(|il| fixture.unbuilt(il));
    ok!(pi, piProgramBuild(built.raw, 1, device, options, notify, place));
    assert_eq!(called(), built.raw.addr());
    ok!(pi, piProgramCompile(compiled.raw, 1, device, options, 0, null(), null_mut(), notify, place));
    assert_eq!(called(), compiled.raw.addr());
    ok!(pi, piProgramLink(context, 1, device, options, 1, &compiled.raw, notify, place, &mut linked));
    assert_eq!(called(), linked.addr());
    // It is built already.
    ok!(pi, piProgramBuild(linked, 1, device, options, notify, place));
    assert_eq!(called(), linked.addr());
    ok!(pi, piProgramRelease(linked));
}

/// The driver is not asked.
fn required() {
    let (soft, fixture) = (Soft::find().unwrap(), Fixture::new(newest()));
    let program = fixture.program(BASIC);
    let (kernel, memory) = (program.kernel("fixed_size"), fixture.device_memory(4 * 64));
    kernel.pointer(0, memory.start);
    let (pi, queue, global, none) = (fixture.pi, fixture.queue, [8_usize, 8], null_mut());
    soft.reset();
    let global = global.as_ptr();
    ok!(pi, piEnqueueKernelLaunch(queue, kernel.raw, 2, null(), global, null(), 0, null(), none));
    assert_eq!(fixture.read::<i32>(&memory, 64), [42; 64], "work-groups of 4 by 2");
    assert_eq!(soft.report().calls.get("zeKernelSuggestGroupSize"), None);
}
