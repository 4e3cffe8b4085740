//! Tests with Intel's real driver and compiler on a nonexistent device, up to the execution of commands.

use std::ffi::{CStr, c_char};
use std::ptr::{null, null_mut};

use super::Case;
use crate::fixture::{CALLEE, CALLS, KERNELS, VARIABLE, newest, plugin};
use crate::{Fixture, Program, fails, ok};
use sycl_pi_core::*;
use testing_support::{devices, last_error};

pub(crate) const CASES: &[Case] = &[
    ("devices_and_sub_devices_are_those_of_the_driver", all_devices),
    ("every_device_builds_a_program", every_device),
    ("kernel_names_are_the_program_s_own", names),
    ("a_program_survives_as_a_native_binary", native_round_trip),
    ("programs_are_linked_by_the_driver", link),
    ("a_missing_import_is_a_build_error_with_the_driver_s_log", missing_import),
    ("variables_have_addresses_and_sizes", variables),
    ("commands_of_every_kind_are_taken", commands),
    ("a_closed_command_buffer_is_replayed", command_buffer),
    ("bad_arguments_are_refused_with_the_interface_s_codes", refusals),
    ("a_truncated_program_does_not_end_the_process", truncated),
];

fn number(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The sub-devices of a device by affinity.
fn parts(device: pi_device) -> Vec<pi_device> {
    let pi = plugin();
    let properties = [
        PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
        PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE as pi_device_partition_property,
        0,
    ];
    let mut count = 0;
    ok!(pi, piDevicePartition(device, properties.as_ptr(), 0, null_mut(), &mut count));
    let mut list = vec![null_mut(); count as usize];
    ok!(pi, piDevicePartition(device, properties.as_ptr(), count, list.as_mut_ptr(), null_mut()));
    list
}

fn all_devices() {
    let roots = devices(plugin());
    assert_eq!(roots.len(), number("PI_TEST_ROOTS", 1), "root devices");
    let expected = number("PI_TEST_PARTS", 0);
    for root in roots.into_iter().filter(|_| expected > 0) {
        let parts = parts(root);
        assert_eq!(parts.len(), expected, "sub-devices");
        for part in parts {
            let mut parent: pi_device = null_mut();
            let room = (&raw mut parent).cast();
            ok!(plugin(), piDeviceGetInfo(part, PI_DEVICE_INFO_PARENT_DEVICE, 8, room, null_mut()));
            assert_eq!(parent, root);
            ok!(plugin(), piDeviceRelease(part));
        }
    }
}

fn every_device() {
    let pi = plugin();
    for root in devices(pi) {
        let mut all = if number("PI_TEST_PARTS", 0) > 0 { parts(root) } else { Vec::new() };
        all.insert(0, root);
        let (mut context, none) = (null_mut(), c"".as_ptr());
        ok!(pi, piContextCreate(null(), all.len() as u32, all.as_ptr(), None, null_mut(), &mut context));
        let (mut program, mut kernel) = (null_mut(), null_mut());
        ok!(pi, piProgramCreate(context, KERNELS.as_ptr().cast(), KERNELS.len(), &mut program));
        ok!(pi, piProgramBuild(program, all.len() as u32, all.as_ptr(), none, None, null_mut()));
        ok!(pi, piKernelCreate(program, c"add".as_ptr(), &mut kernel));
        let mut memory = null_mut();
        for device in &all {
            let mut queue = null_mut();
            ok!(pi, piextUSMDeviceAlloc(&mut memory, context, *device, null_mut(), 64, 0));
            for index in 0..3 {
                ok!(pi, piextKernelSetArgPointer(kernel, index, 8, (&raw const memory).cast()));
            }
            ok!(pi, piQueueCreate(context, *device, 0, &mut queue));
            ok!(pi, piEnqueueKernelLaunch(queue, kernel, 1, &0, &8, null(), 0, null(), null_mut()));
            ok!(pi, piQueueFinish(queue));
            ok!(pi, piQueueRelease(queue));
            ok!(pi, piextUSMFree(context, memory));
        }
        ok!(pi, piKernelRelease(kernel));
        ok!(pi, piProgramRelease(program));
        ok!(pi, piContextRelease(context));
    }
}

fn names_of(program: pi_program) -> Vec<String> {
    let (pi, mut size) = (plugin(), 0);
    ok!(pi, piProgramGetInfo(program, PI_PROGRAM_INFO_KERNEL_NAMES, 0, null_mut(), &mut size));
    let mut text = vec![0_u8; size];
    ok!(
        pi,
        piProgramGetInfo(program, PI_PROGRAM_INFO_KERNEL_NAMES, size, text.as_mut_ptr().cast(), null_mut())
    );
    let text = CStr::from_bytes_with_nul(&text).unwrap().to_str().unwrap();
    let mut names: Vec<String> = text.split(';').map(str::to_owned).collect();
    names.sort();
    names
}

fn names() {
    let fixture = Fixture::new(plugin());
    assert_eq!(names_of(fixture.program(KERNELS).raw), ["add", "nothing", "scale", "spread"]);
    // If variables are exported, the compiler adds an internal name.
    assert_eq!(names_of(fixture.program(VARIABLE).raw), ["_ZTS5DgAdd", "_ZTS5DgGet"]);
}

fn native_round_trip() {
    let fixture = Fixture::new(plugin());
    let (pi, program) = (fixture.pi, fixture.program(KERNELS));
    let mut size = 0_usize;
    let room = (&raw mut size).cast();
    ok!(pi, piProgramGetInfo(program.raw, PI_PROGRAM_INFO_BINARY_SIZES, 8, room, null_mut()));
    let mut binary = vec![0_u8; size];
    let mut start = binary.as_mut_ptr();
    let room = (&raw mut start).cast();
    ok!(pi, piProgramGetInfo(program.raw, PI_PROGRAM_INFO_BINARIES, 8, room, null_mut()));
    assert_eq!(&binary[..4], b"\x7fELF");
    let again = fixture.build(fixture.binary(&binary, &[]));
    assert_eq!(names_of(again.raw), names_of(program.raw));
}

fn compiled(fixture: &Fixture, il: &[u8]) -> Program {
    let program = fixture.unbuilt(il);
    let (device, none) = (&raw const fixture.device, c"".as_ptr());
    ok!(fixture.pi, piProgramCompile(program.raw, 1, device, none, 0, null(), null_mut(), None, null_mut()));
    program
}

fn linked(fixture: &Fixture, parts: &[&Program], whole: &mut pi_program) -> pi_result {
    let programs: Vec<pi_program> = parts.iter().map(|part| part.raw).collect();
    let (count, list, none) = (programs.len() as u32, programs.as_ptr(), c"".as_ptr());
    crate::code!(
        fixture.pi,
        piProgramLink(fixture.context, 1, &fixture.device, none, count, list, None, null_mut(), whole)
    )
}

fn link() {
    let fixture = Fixture::new(plugin());
    let (calls, callee) = (compiled(&fixture, CALLS), compiled(&fixture, CALLEE));
    let (mut whole, mut kernel) = (null_mut(), null_mut());
    let code = linked(&fixture, &[&calls, &callee], &mut whole);
    assert_eq!(code, 0, "{}", last_error(fixture.pi));
    ok!(fixture.pi, piKernelCreate(whole, c"calls".as_ptr(), &mut kernel));
    ok!(fixture.pi, piKernelRelease(kernel));
    ok!(fixture.pi, piProgramRelease(whole));
}

fn missing_import() {
    let fixture = Fixture::new(plugin());
    let program = fixture.unbuilt(CALLS);
    let text = fails!(
        fixture.pi,
        piProgramBuild(program.raw, 1, &fixture.device, c"".as_ptr(), None, null_mut()),
        PI_ERROR_BUILD_PROGRAM_FAILURE
    );
    assert!(text.contains("from_elsewhere"), "the driver's log names the function: {text}");
    let mut log = [0_u8; 4096];
    ok!(
        fixture.pi,
        piProgramGetBuildInfo(
            program.raw,
            fixture.device,
            PI_PROGRAM_BUILD_INFO_LOG,
            log.len(),
            log.as_mut_ptr().cast(),
            null_mut()
        )
    );
    assert!(CStr::from_bytes_until_nul(&log).unwrap().to_string_lossy().contains("from_elsewhere"));
}

fn variables() {
    let fixture = Fixture::new(plugin());
    let (pi, program) = (newest(), fixture.program(VARIABLE));
    let (mut size, mut start) = (0, null_mut());
    let name = c"_Z7Counter".as_ptr();
    ok!(pi, piextGetGlobalVariablePointer(fixture.device, program.raw, name, &mut size, &mut start));
    assert!(size >= 4 && !start.is_null(), "{size} bytes at {start:?}");
    let name: *const c_char = c"no_such_variable".as_ptr();
    let text = fails!(
        pi,
        piextGetGlobalVariablePointer(fixture.device, program.raw, name, &mut size, &mut start),
        PI_ERROR_INVALID_VALUE
    );
    assert!(text.contains("no_such_variable"), "{text}");
    let (value, name) = (1_u32, c"_Z7Counter".as_ptr());
    let from = (&raw const value).cast();
    let (queue, program) = (fixture.queue, program.raw);
    ok!(
        fixture.pi,
        piextEnqueueDeviceGlobalVariableWrite(queue, program, name, 1, 4, 0, from, 0, null(), null_mut())
    );
}

fn commands() {
    let fixture = Fixture::with(plugin(), PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    let (pi, queue) = (fixture.pi, fixture.queue);
    let program = fixture.program(KERNELS);
    let (add, scale) = (program.kernel("add"), program.kernel("scale"));
    let memory = fixture.device_memory(4096);
    let shared = fixture.shared_memory(4096);
    for index in 0..3 {
        add.pointer(index, memory.start);
    }
    scale.pointer(0, memory.start).set(1, 2_i32).local(2, 256);
    let mut values = [0_u8; 256];
    let buffer = fixture.buffer(&mut values);
    let start = values.as_mut_ptr().cast();
    for _ in 0..3 {
        let first = fixture.launch(queue, &add, 64, &[]);
        let second = fixture.launch(queue, &scale, 64, &[first]);
        ok!(pi, piextUSMEnqueueMemcpy(queue, 0, shared.start, memory.start, 256, 1, &second, null_mut()));
        ok!(pi, piextUSMEnqueueMemset(queue, memory.start, 1, 100, 0, null(), null_mut()));
        ok!(pi, piextUSMEnqueuePrefetch(queue, shared.start, 256, 0, 0, null(), null_mut()));
        ok!(pi, piEnqueueMemBufferWrite(queue, buffer, 0, 0, 256, start, 0, null(), null_mut()));
        ok!(pi, piEnqueueMemBufferFill(queue, buffer, start, 4, 0, 64, 0, null(), null_mut()));
        ok!(pi, piEnqueueMemBufferRead(queue, buffer, 1, 0, 256, start, 0, null(), null_mut()));
        ok!(pi, piEnqueueEventsWaitWithBarrier(queue, 0, null(), null_mut()));
        fixture.wait(&[first, second]);
    }
    fixture.finish();
    ok!(pi, piMemRelease(buffer));
}

fn command_buffer() {
    let fixture = Fixture::new(plugin());
    let (pi, program) = (newest(), fixture.program(KERNELS));
    let (add, memory) = (program.kernel("add"), fixture.device_memory(256));
    for index in 0..3 {
        add.pointer(index, memory.start);
    }
    let (mut buffer, mut point) = (null_mut(), 0);
    let desc = pi_ext_command_buffer_desc { stype: 0, pNext: null(), properties: null_mut() };
    ok!(pi, piextCommandBufferCreate(fixture.context, fixture.device, &desc, &mut buffer));
    ok!(pi, piextCommandBufferNDRangeKernel(buffer, add.raw, 1, &0, &8, null(), 0, null(), &mut point));
    ok!(pi, piextCommandBufferFinalize(buffer));
    for _ in 0..5 {
        ok!(pi, piextEnqueueCommandBuffer(buffer, fixture.queue, 0, null(), null_mut()));
    }
    fixture.finish();
    ok!(pi, piextCommandBufferRelease(buffer));
}

fn refusals() {
    let fixture = Fixture::new(plugin());
    let (pi, program) = (fixture.pi, fixture.program(KERNELS));
    let (mut kernel, scale) = (null_mut(), program.kernel("scale"));
    fails!(pi, piKernelCreate(program.raw, c"absent".as_ptr(), &mut kernel), PI_ERROR_INVALID_KERNEL_NAME);
    let wide = [0_i64; 2];
    let from = wide.as_ptr().cast();
    // The driver accepts both.
    fails!(pi, piKernelSetArg(scale.raw, 1, 8, from), PI_ERROR_INVALID_ARG_SIZE);
    fails!(pi, piKernelSetArg(scale.raw, 1, 3, from), PI_ERROR_INVALID_ARG_SIZE);
    fails!(pi, piKernelSetArg(scale.raw, 9, 4, from), PI_ERROR_INVALID_ARG_INDEX);
    let (global, local) = (1 << 20, 1_usize << 16);
    let memory = fixture.device_memory(64);
    scale.pointer(0, memory.start).set(1, 1_i32).local(2, 64);
    fails!(
        pi,
        piEnqueueKernelLaunch(fixture.queue, scale.raw, 1, &0, &global, &local, 0, null(), null_mut()),
        PI_ERROR_INVALID_WORK_GROUP_SIZE
    );
    let mut start = null_mut();
    let most = usize::MAX / 2;
    fails!(
        pi,
        piextUSMDeviceAlloc(&mut start, fixture.context, fixture.device, null_mut(), most, 0),
        PI_ERROR_OUT_OF_RESOURCES,
        PI_ERROR_INVALID_BUFFER_SIZE
    );
}

fn truncated() {
    let fixture = Fixture::new(plugin());
    for length in [20, 24, KERNELS.len() / 2, KERNELS.len() - 4] {
        let (mut program, start) = (null_mut(), KERNELS.as_ptr().cast());
        let code = crate::code!(fixture.pi, piProgramCreate(fixture.context, start, length, &mut program));
        assert_ne!(code, 0, "{length} bytes");
    }
}
