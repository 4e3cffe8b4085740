//! Kernels and launches.

use std::ptr::{null, null_mut};

use super::Case;
use crate::fixture::{is_software, last_error};
use crate::{Fixture, fails, ok, software};
use sycl_pi_core::*;

pub(crate) const CASES: &[Case] = &[
    ("kernel_local_memory", local),
    ("kernels_compiled_ahead_of_time_have_cudas_limits_of_work_groups", many_groups),
    ("kernels_overlap_out_of_order", overlap),
    ("work_groups_that_are_chosen_fit_each_global_size", chosen),
    ("kernels_answer_what_the_driver_says", answers),
];

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
    // The last one fits neither before the other block nor next to the kernel's own memory, in any address space.
    for size in [1 << 30, usize::MAX - 2] {
        kernel.local(1, size);
        fails!(
            piEnqueueKernelLaunch(fixture.queue, kernel.raw, 1, null(), &64, &64, 0, null(), null_mut()),
            PI_ERROR_PLUGIN_SPECIFIC_ERROR
        );
    }
    fixture.finish();
}

/// Only SPIR-V can be translated again for a grid that is too large for CUDA.
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

/// Eight independent kernels, each with an eighth of the GPU's work-items, take about as long as one.
fn overlap() {
    let fixture = Fixture::with(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    let program = fixture.program("kernels");
    let kernel = program.kernel("spin");
    let mut units = 0_u32;
    let room = (&raw mut units).cast();
    ok!(piDeviceGetInfo(fixture.device, PI_DEVICE_INFO_MAX_COMPUTE_UNITS, 4, room, null_mut()));
    // A multiprocessor runs 2048 work-items at the same time.
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

/// The last choice is kept. Sizes that differ in one dimension are different ones. The third dimension has a smaller
/// limit.
fn chosen() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let kernel = program.kernel("noop");
    for global in [[8, 4, 2], [8, 3, 2], [8, 4, 2], [8, 4, 3], [7, 4, 3], [1, 1, 1024], [2, 1, 300]] {
        fixture.launch(kernel.raw, &global, None);
    }
    fixture.finish();
}

/// Attributes of devices and kernels have their numbers in cuda.h.
fn answers() {
    let of_device: unsafe extern "C" fn(*mut i32, i32, i32) -> u32 =
        software::function("cuDeviceGetAttribute");
    let of_kernel: unsafe extern "C" fn(*mut i32, i32, usize) -> u32 =
        software::function("cuFuncGetAttribute");
    let fixture = Fixture::new();
    let (program, mut native) = (fixture.program("crowded"), 0);
    let (kernel, device) = (program.kernel("crowded"), fixture.device);
    ok!(piextKernelGetNativeHandle(kernel.raw, &mut native));
    let attribute = |name| {
        let mut value = -1;
        // SAFETY: room for a number, and the first device.
        assert_eq!(unsafe { of_device(&mut value, name, 0) }, 0);
        value as usize
    };
    let has = |name| {
        let mut value = -1;
        // SAFETY: room for a number, and the function of a live kernel.
        assert_eq!(unsafe { of_kernel(&mut value, name, native) }, 0);
        value as usize
    };
    let numbers = |name| {
        let (mut numbers, mut size) = ([0_usize; 3], 0);
        let room = numbers.as_mut_ptr().cast();
        ok!(piKernelGetGroupInfo(kernel.raw, device, name, 24, room, &mut size));
        (numbers, size)
    };
    let size_of_grid = [(5, 2), (6, 3), (7, 4)].map(|(groups, items)| attribute(groups) * attribute(items));
    for (name, expected, size) in [
        (PI_KERNEL_GROUP_INFO_GLOBAL_WORK_SIZE, size_of_grid, 24),
        (PI_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE, [0; 3], 24),
        (PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE, [has(0), 0, 0], 8),
        (PI_KERNEL_GROUP_INFO_LOCAL_MEM_SIZE, [has(1), 0, 0], 8),
        (PI_KERNEL_GROUP_INFO_PRIVATE_MEM_SIZE, [has(3), 0, 0], 8),
        (PI_KERNEL_GROUP_INFO_NUM_REGS, [has(4), 0, 0], 4),
        (PI_KERNEL_GROUP_INFO_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, [attribute(10), 0, 0], 8),
    ] {
        assert_eq!(numbers(name), (expected, size), "{name:#x}");
    }
    let sub_groups = |name| {
        let mut number = 0_u32;
        let room = (&raw mut number).cast();
        ok!(piKernelGetSubGroupInfo(kernel.raw, device, name, 0, null(), 4, room, null_mut()));
        number as usize
    };
    assert_eq!(sub_groups(PI_KERNEL_MAX_SUB_GROUP_SIZE), attribute(10));
    assert_eq!(sub_groups(PI_KERNEL_MAX_NUM_SUB_GROUPS), has(0).div_ceil(attribute(10)));
    for name in [PI_KERNEL_COMPILE_NUM_SUB_GROUPS, PI_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL] {
        assert_eq!(sub_groups(name), 0, "{name:#x}");
    }
}
