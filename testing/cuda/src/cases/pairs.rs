//! Two devices of a context: what commands on one of them write, and what programs have on each.

use std::ffi::c_void;
use std::ptr::{null, null_mut, with_exposed_provenance, with_exposed_provenance_mut};
use std::time::Duration;

use super::Case;
use super::devices::{Pair, Watched, access};
use crate::fixture::{image, wait};
use crate::software::{calls, inject};
use crate::{code, fails, ok};
use sycl_pi_core::*;
use testing_support::Gate;

pub(crate) const CASES: &[Case] = &[
    ("two_devices_see_what_copies_of_boxes_write", boxes),
    ("two_devices_see_what_several_queues_of_one_write", several_queues),
    ("two_devices_give_out_the_address_of_a_buffer_with_its_bytes", given_out_with_bytes),
    ("two_devices_try_again_to_move_a_buffer_after_a_failure", failed_move),
    ("two_devices_have_the_last_argument_that_was_set", last_argument),
    ("two_devices_see_what_a_run_of_a_command_buffer_writes", runs),
    ("two_devices_have_the_programs_that_are_built_for_them", builds),
    ("two_devices_that_are_the_same_are_one", same_device),
];

/// Each command on one device follows one on the other, which has the old bytes until then.
fn boxes() {
    let (pair, size) = (Pair::new(), 64);
    let (buffer, other) = (pair.buffer(&vec![1; size]), pair.buffer(&vec![2; size]));
    for buffer in [buffer, other] {
        pair.read(1, buffer, size, &[]);
    }
    let mut corner = pi_buff_rect_offset_struct { x_bytes: 0, y_scalar: 0, z_scalar: 0 };
    let mut part = pi_buff_rect_region_struct { width_bytes: size, height_scalar: 1, depth_scalar: 1 };
    let (at, part, none) = (&raw mut corner, &raw mut part, null_mut());
    let bytes = vec![3_u8; size];
    let from = bytes.as_ptr().cast();
    let queue = pair.queues[0];
    ok!(piEnqueueMemBufferWriteRect(queue, buffer, 1, at, at, part, 0, 0, 0, 0, from, 0, null(), none));
    assert!(pair.read(1, buffer, size, &[]) == vec![3; size]);
    let copied = {
        let mut event = null_mut();
        let queue = pair.queues[1];
        ok!(piEnqueueMemBufferCopyRect(
            queue,
            buffer,
            other,
            at,
            at,
            part,
            0,
            0,
            0,
            0,
            0,
            null(),
            &mut event
        ));
        event
    };
    let mut bytes = vec![0_u8; size];
    let to = bytes.as_mut_ptr().cast();
    ok!(piEnqueueMemBufferReadRect(queue, other, 1, at, at, part, 0, 0, 0, 0, to, 1, &copied, none));
    assert!(bytes == vec![3; size]);
    assert!(pair.read(0, other, size, &[copied]) == vec![3; size]);
    wait(&[copied]);
    ok!(piMemRelease(buffer));
    ok!(piMemRelease(other));
}

/// The queues write different parts, and nothing orders them.
fn several_queues() {
    const HALF: usize = 4096;
    let pair = Pair::new();
    let (buffer, other) = (pair.buffer(&[1; 2 * HALF]), pair.buffer(&[2; 2 * HALF]));
    let (mut second, mut properties) = (null_mut(), [PI_QUEUE_FLAGS, 0, 0]);
    ok!(piextQueueCreate(pair.context, pair.devices[0], properties.as_mut_ptr(), &mut second));
    let gate = Watched::new(&pair);
    let fill = |queue, value: u8, offset, count, waits: *const pi_event| {
        let (pattern, mut event) = ((&raw const value).cast(), null_mut());
        ok!(piEnqueueMemBufferFill(queue, buffer, pattern, 1, offset, HALF, count, waits, &mut event));
        event
    };
    let filled = [fill(pair.queues[0], 3, 0, 1, &gate.event), fill(second, 4, HALF, 0, null())];
    let (queue, waits, mut copied) = (pair.queues[1], filled.as_ptr(), null_mut());
    ok!(piEnqueueMemBufferCopy(queue, buffer, other, 0, 0, 2 * HALF, 2, waits, &mut copied));
    gate.open();
    assert!(pair.read(1, other, 2 * HALF, &[copied]) == [[3; HALF], [4; HALF]].concat());
    wait(&[filled[0], filled[1], copied]);
    ok!(piQueueRelease(second));
    ok!(piMemRelease(buffer));
    ok!(piMemRelease(other));
}

/// Memory of a device of the software driver is that of the host.
fn given_out_with_bytes() {
    const SIZE: usize = 4096;
    let pair = Pair::new();
    let (buffer, mut native) = (pair.buffer(&[1; SIZE]), 0);
    let gate = Gate::in_context(pair.context);
    let filled = pair.fill(0, buffer, 5, SIZE, gate.0);
    let gate = gate.0.expose_provenance();
    let opener = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(30));
        Gate(with_exposed_provenance_mut(gate)).open();
    });
    ok!(piextMemGetNativeHandle(buffer, pair.devices[1], &mut native));
    // SAFETY: the buffer's memory, which no command writes any more.
    let bytes = unsafe { std::slice::from_raw_parts(with_exposed_provenance::<u8>(native), SIZE) }.to_vec();
    opener.join().unwrap();
    assert!(bytes == [5; SIZE]);
    wait(&[filled]);
    ok!(piMemRelease(buffer));
}

/// The stream of the copy may wait for something by then, so that nothing else uses it.
fn failed_move() {
    const SIZE: usize = 64;
    let pair = Pair::new();
    let (buffer, mut bytes) = (pair.buffer(&[1; SIZE]), [0_u8; SIZE]);
    let (queue, room) = (pair.queues[1], bytes.as_mut_ptr().cast());
    inject("cuMemcpyPeerAsync:1:2");
    let code = code!(piEnqueueMemBufferRead(queue, buffer, 1, 0, SIZE, room, 0, null(), null_mut()));
    let destroyed = calls("cuStreamDestroy_v2");
    inject("");
    assert_eq!((code, destroyed), (PI_ERROR_OUT_OF_RESOURCES, 1));
    assert!(pair.read(1, buffer, SIZE, &[]) == [1; SIZE]);
    ok!(piMemRelease(buffer));
}

/// Returns a program with the same image for both devices, which is not built.
pub(super) fn program(pair: &Pair) -> pi_program {
    let (bytes, mut program, mut outcomes) = (image("kernels"), null_mut(), [0; 2]);
    let (lengths, starts, outcomes) = ([bytes.len(); 2], [bytes.as_ptr(); 2], outcomes.as_mut_ptr());
    let (context, devices, none) = (pair.context, pair.devices.as_ptr(), null());
    let (lengths, starts) = (lengths.as_ptr(), starts.as_ptr());
    ok!(piProgramCreateWithBinary(context, 2, devices, lengths, starts, 0, none, outcomes, &mut program));
    program
}

pub(super) fn build(program: pi_program, devices: &[pi_device]) {
    let (count, devices) = (devices.len() as u32, devices.as_ptr());
    ok!(piProgramBuild(program, count, devices, c"".as_ptr(), None, null_mut()));
}

pub(super) fn kernel(program: pi_program, name: &std::ffi::CStr) -> pi_kernel {
    let mut kernel = null_mut();
    ok!(piKernelCreate(program, name.as_ptr(), &mut kernel));
    kernel
}

/// Launches a kernel over 8 items on a device, and waits.
fn launch(pair: &Pair, device: usize, kernel: pi_kernel) {
    let (queue, none) = (pair.queues[device], null_mut());
    ok!(piEnqueueKernelLaunch(queue, kernel, 1, null(), &8, &8, 0, null(), none));
    ok!(piQueueFinish(queue));
}

fn last_argument() {
    const SIZE: usize = 32;
    let pair = Pair::new();
    let (program, buffer) = (program(&pair), pair.buffer(&[0; SIZE]));
    build(program, &pair.devices);
    let numbers = |device| pair.read(device, buffer, SIZE, &[]);
    let increment = kernel(program, c"increment");
    assert!(numbers(1) == [0; SIZE]);
    // Without an access, the kernel may write it.
    ok!(piextKernelSetArgMemObj(increment, 0, null(), &buffer));
    launch(&pair, 0, increment);
    assert!(numbers(1) == [1, 0, 0, 0].repeat(8));
    // The address of other memory takes the place of the buffer.
    let (memory, mut bytes) = (pair.memory(0, SIZE), [9_u8; SIZE]);
    let (queue, room): (_, *mut c_void) = (pair.queues[0], bytes.as_mut_ptr().cast());
    ok!(piextUSMEnqueueMemset(queue, memory, 0, SIZE, 0, null(), null_mut()));
    ok!(piextKernelSetArgPointer(increment, 0, 8, (&raw const memory).cast()));
    launch(&pair, 0, increment);
    ok!(piextUSMEnqueueMemcpy(queue, 1, room, memory, SIZE, 0, null(), null_mut()));
    assert!(bytes[..] == [1, 0, 0, 0].repeat(8) && numbers(0) == [1, 0, 0, 0].repeat(8));
    // So does the size of local memory.
    let reverse = kernel(program, c"reverse");
    ok!(piextKernelSetArgPointer(reverse, 0, 8, (&raw const memory).cast()));
    ok!(piextKernelSetArgMemObj(reverse, 1, &access(PI_ACCESS_READ_WRITE), &buffer));
    for index in [1, 2] {
        ok!(piKernelSetArg(reverse, index, SIZE, null()));
    }
    launch(&pair, 0, reverse);
    ok!(piextUSMEnqueueMemcpy(queue, 1, room, memory, SIZE, 0, null(), null_mut()));
    assert!(bytes[..] == (0..8).rev().flat_map(|number| [11 * number, 0, 0, 0]).collect::<Vec<u8>>());
    ok!(piextUSMFree(pair.context, memory));
    for kernel in [increment, reverse] {
        ok!(piKernelRelease(kernel));
    }
    ok!(piProgramRelease(program));
    ok!(piMemRelease(buffer));
}

fn runs() {
    const SIZE: usize = 32;
    let pair = Pair::new();
    let (program, [launched, written, box_written]) =
        (program(&pair), [1, 2, 3].map(|_| pair.buffer(&[0; SIZE])));
    build(program, &pair.devices);
    let (increment, mut recorded) = (kernel(program, c"increment"), null_mut());
    let bytes = [7_u8; SIZE];
    let mut corner = pi_buff_rect_offset_struct { x_bytes: 0, y_scalar: 0, z_scalar: 0 };
    let mut part = pi_buff_rect_region_struct { width_bytes: SIZE, height_scalar: 1, depth_scalar: 1 };
    let (at, part, from, none) = (&raw mut corner, &raw mut part, bytes.as_ptr().cast(), null_mut());
    ok!(piextKernelSetArgMemObj(increment, 0, null(), &launched));
    ok!(piextCommandBufferCreate(pair.context, pair.devices[1], null(), &mut recorded));
    ok!(piextCommandBufferNDRangeKernel(recorded, increment, 1, &0, &8, &8, 0, null(), none));
    ok!(piextCommandBufferMemBufferWrite(recorded, written, 0, SIZE, from, 0, null(), none));
    let buffer = box_written;
    ok!(piextCommandBufferMemBufferWriteRect(
        recorded,
        buffer,
        at,
        at,
        part,
        0,
        0,
        0,
        0,
        from,
        0,
        null(),
        none
    ));
    ok!(piextCommandBufferFinalize(recorded));
    let mut run = null_mut();
    ok!(piextEnqueueCommandBuffer(recorded, pair.queues[1], 0, null(), &mut run));
    assert!(pair.read(0, launched, SIZE, &[run]) == [1, 0, 0, 0].repeat(8));
    assert!(pair.read(0, written, SIZE, &[run]) == [7; SIZE]);
    assert!(pair.read(0, box_written, SIZE, &[run]) == [7; SIZE]);
    wait(&[run]);
    ok!(piextCommandBufferRelease(recorded));
    ok!(piKernelRelease(increment));
    ok!(piProgramRelease(program));
    for buffer in [launched, written, box_written] {
        ok!(piMemRelease(buffer));
    }
}

fn builds() {
    let pair = Pair::new();
    let program = program(&pair);
    build(program, &pair.devices[..1]);
    let first = kernel(program, c"noop");
    launch(&pair, 0, first);
    let (queue, none) = (pair.queues[1], null_mut());
    fails!(
        piEnqueueKernelLaunch(queue, first, 1, null(), &8, &8, 0, null(), none),
        PI_ERROR_INVALID_PROGRAM_EXECUTABLE
    );
    build(program, &pair.devices[1..]);
    let both = kernel(program, c"noop");
    launch(&pair, 1, both);
    // Both devices prefer what a kernel is told.
    let (config, name) = (PI_EXT_KERNEL_EXEC_INFO_CACHE_LARGE_SLM, PI_EXT_KERNEL_EXEC_INFO_CACHE_CONFIG);
    inject("");
    ok!(piKernelSetExecInfo(both, name, 4, (&raw const config).cast()));
    assert_eq!(calls("cuFuncSetCacheConfig"), 2);
    for kernel in [first, both] {
        ok!(piKernelRelease(kernel));
    }
    ok!(piProgramRelease(program));
}

fn same_device() {
    let pair = Pair::new();
    let [first, second] = pair.devices;
    let (mut context, mut count) = (null_mut(), 0_u32);
    ok!(piContextCreate(null(), 3, [first, second, first].as_ptr(), None, null_mut(), &mut context));
    let room = (&raw mut count).cast();
    ok!(piContextGetInfo(context, PI_CONTEXT_INFO_NUM_DEVICES, 4, room, null_mut()));
    assert_eq!(count, 2);
    ok!(piContextRelease(context));
}
