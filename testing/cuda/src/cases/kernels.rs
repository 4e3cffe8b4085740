//! Kernels and launches.

use std::ptr::{null, null_mut};

use super::Case;
use crate::fixture::{is_software, last_error, wait};
use crate::{Fixture, fails, ok};
use sycl_pi_core::*;

pub(crate) const CASES: &[Case] = &[
    ("kernel_runs_over_one_dimension", increment),
    ("kernel_arguments_of_all_kinds", scale),
    ("kernel_runs_over_three_dimensions", place),
    ("kernel_offset_variant", offset),
    ("kernel_local_memory", local),
    ("kernel_launch_bad_sizes", bad_sizes),
    ("kernels_compiled_ahead_of_time_have_cudas_limits_of_work_groups", many_groups),
    ("kernel_group_info", group_info),
    ("kernels_overlap_out_of_order", overlap),
];

fn increment() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("increment");
    let memory = fixture.device_memory(4 * 1000);
    fixture.write(&memory, &(0..1000).collect::<Vec<i32>>());
    kernel.pointer(0, memory.start);
    fixture.launch(kernel.raw, &[1000], None);
    fixture.launch(kernel.raw, &[500], Some(&[100]));
    let values = fixture.read::<i32>(&memory, 1000);
    assert!(values[..500].iter().zip(2..).all(|(got, want)| *got == want));
    assert!(values[500..].iter().zip(501..).all(|(got, want)| *got == want));
    let mut event = null_mut();
    ok!(piEnqueueKernelLaunch(fixture.queue, kernel.raw, 1, null(), &1000, null(), 0, null(), &mut event));
    wait(&[event]);
    assert_eq!(fixture.read::<i32>(&memory, 1)[0], 3);
}

fn scale() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("scale");
    let mut values: Vec<i32> = (0..64).collect();
    let (mut from, to) = (null_mut(), fixture.device_memory(256));
    let flags = PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY;
    ok!(piMemBufferCreate(fixture.context, flags, 256, values.as_mut_ptr().cast(), &mut from, null()));
    kernel.set(0, 3_i32).pointer(2, to.start);
    ok!(piextKernelSetArgMemObj(kernel.raw, 1, null(), &from));
    fixture.launch(kernel.raw, &[64], None);
    kernel.set(0, 5_i32);
    values.iter_mut().for_each(|value| *value *= 3);
    assert_eq!(fixture.read::<i32>(&to, 64), values);
    ok!(piMemRelease(from));
}

fn place() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("place");
    let memory = fixture.device_memory(4 * 6 * 5 * 4);
    kernel.pointer(0, memory.start);
    for local in [None, Some(&[2, 5, 1][..])] {
        fixture.launch(kernel.raw, &[6, 5, 4], local);
        let values = fixture.read::<u32>(&memory, 6 * 5 * 4);
        let at = |x: u32, y: u32, z: u32| values[(x + 6 * (y + 5 * z)) as usize];
        assert_eq!((at(0, 0, 0), at(5, 4, 3), at(1, 2, 3)), (0, 3_004_005, 3_002_001));
    }
}

fn offset() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("where");
    let memory = fixture.device_memory(4 * 32);
    kernel.pointer(0, memory.start);
    for by in [0_usize, 100] {
        ok!(piEnqueueKernelLaunch(fixture.queue, kernel.raw, 1, &by, &32, null(), 0, null(), null_mut()));
        let values = fixture.read::<u32>(&memory, 32);
        assert!(values.iter().zip(by as u32..).all(|(got, want)| *got == want), "{values:?}");
    }
}

fn local() {
    let fixture = Fixture::new();
    let program = fixture.program("local");
    let kernel = program.kernel("reverse");
    let memory = fixture.device_memory(4 * 64);
    kernel.pointer(0, memory.start).local(1, 4 * 64).local(2, 4 * 64);
    fixture.launch(kernel.raw, &[64], Some(&[64]));
    let values = fixture.read::<u32>(&memory, 64);
    assert!(values.iter().enumerate().all(|(index, got)| *got == 11 * (63 - index as u32)), "{values:?}");
    kernel.local(1, 100 * 1024);
    let result = crate::code!(piEnqueueKernelLaunch(
        fixture.queue,
        kernel.raw,
        1,
        null(),
        &64,
        &64,
        0,
        null(),
        null_mut()
    ));
    assert!([0, PI_ERROR_PLUGIN_SPECIFIC_ERROR].contains(&result), "{result}: {}", last_error());
    // The last fits neither before the other block nor beside what the kernel declares, in any address space.
    for size in [1 << 30, usize::MAX - 2] {
        kernel.local(1, size);
        fails!(
            piEnqueueKernelLaunch(fixture.queue, kernel.raw, 1, null(), &64, &64, 0, null(), null_mut()),
            PI_ERROR_PLUGIN_SPECIFIC_ERROR
        );
    }
    fixture.finish();
}

fn bad_sizes() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("noop");
    let launch = |global: usize, local: usize| {
        crate::code!(piEnqueueKernelLaunch(
            fixture.queue,
            kernel.raw,
            1,
            null(),
            &global,
            &local,
            0,
            null(),
            null_mut()
        ))
    };
    assert_eq!(launch(100, 30), PI_ERROR_INVALID_WORK_GROUP_SIZE);
    assert_eq!(launch(100, 0), PI_ERROR_INVALID_WORK_GROUP_SIZE);
    assert_eq!(launch(1 << 20, 1 << 20), PI_ERROR_INVALID_WORK_GROUP_SIZE);
    assert_eq!(launch(0, 1), PI_SUCCESS);
    assert_eq!(launch(100, 50), PI_SUCCESS);
    fixture.finish();
}

/// Only SPIR-V can be translated again for a grid that CUDA has no room for.
fn many_groups() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("noop");
    for (global, expected) in [([1_usize, 65_535, 1], PI_SUCCESS), ([1, 1, 65_535], PI_SUCCESS)]
        .into_iter()
        .chain([[1, 65_536, 1], [1, 1, 65_536]].map(|global| (global, PI_ERROR_INVALID_GLOBAL_WORK_SIZE)))
    {
        let (queue, raw, global_at, local) = (fixture.queue, kernel.raw, global.as_ptr(), [1_usize; 3]);
        let (local, none) = (local.as_ptr(), null_mut());
        let code =
            crate::code!(piEnqueueKernelLaunch(queue, raw, 3, null(), global_at, local, 0, null(), none));
        assert_eq!(code, expected, "{global:?}");
    }
    fixture.finish();
    assert!(last_error().contains("more than [2147483647, 65535, 65535] work-groups"), "{}", last_error());
}

fn group_info() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("noop");
    let mut size = 0_usize;
    let room = (&raw mut size).cast();
    let name = PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE;
    ok!(piKernelGetGroupInfo(kernel.raw, fixture.device, name, 8, room, null_mut()));
    assert!(size >= 32);
    let mut kernel_name = [0_u8; 8];
    let room = kernel_name.as_mut_ptr().cast();
    ok!(piKernelGetInfo(kernel.raw, PI_KERNEL_INFO_FUNCTION_NAME, 8, room, null_mut()));
    assert_eq!(&kernel_name[..5], b"noop\0");
    let mut none = null_mut();
    fails!(piKernelCreate(program.raw, c"nothing".as_ptr(), &mut none), PI_ERROR_INVALID_KERNEL_NAME);
    ok!(piKernelSetExecInfo(kernel.raw, PI_USM_INDIRECT_ACCESS, 4, (&raw const size).cast()));
}

/// Eight independent kernels, each on an eighth of the GPU's work-items, take about as long as one.
fn overlap() {
    let fixture = Fixture::with(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    let program = fixture.program("kernels");
    let kernel = program.kernel("spin");
    let mut units = 0_u32;
    let room = (&raw mut units).cast();
    ok!(piDeviceGetInfo(fixture.device, PI_DEVICE_INFO_MAX_COMPUTE_UNITS, 4, room, null_mut()));
    // A multiprocessor runs 2048 work-items at once.
    let (items, clocks) = if is_software() { (64, 1 << 20) } else { (units as usize * 2048 / 8, 20 << 20) };
    let local = items.min(1024);
    let global = items / local * local;
    kernel.set(0, clocks as u64).pointer(1, null());
    let run = |count: usize| {
        fixture.finish();
        let start = std::time::Instant::now();
        for _ in 0..count {
            fixture.launch(kernel.raw, &[global], Some(&[local]));
        }
        fixture.finish();
        start.elapsed().as_secs_f64()
    };
    run(8);
    let (one, eight) = (run(1), run(8));
    println!(
        "{global} work-items on {units} units: one {:.2} ms, eight {:.2} ms, {:.3} times",
        one * 1e3,
        eight * 1e3,
        eight / one
    );
    assert!(is_software() || eight < 1.3 * one, "eight kernels took {eight}, one {one}");
}
