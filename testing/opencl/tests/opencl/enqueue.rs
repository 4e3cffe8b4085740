//! Tests of commands, as far as OpenCL drivers differ. The conformance harness tests the rest.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "enqueue",
        [buffers_are_filled_with_any_pattern_at_any_offset, a_fill_past_the_end_of_a_part_writes_nothing,]
    );
    registry.add("enqueue::native_kernels_answer_at_the_versions_that_have_them", false, native_kernels);
}

/// Fills in a queue, and in an out-of-order one after the previous fill.
fn buffers_are_filled_with_any_pattern_at_any_offset() {
    const SIZE: usize = 2048;
    let f = Fixture::new();
    let without_order = f.queue_with(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    let buffer = f.buffer(&[0_u8; SIZE]);
    let fill = |queue, pattern: &[u8], offset: usize, size: usize, waits: &[pi_event]| -> pi_event {
        let (from, length, count) = (pattern.as_ptr().cast(), pattern.len(), waits.len() as u32);
        made!(f.pi, |event| piEnqueueMemBufferFill(
            queue,
            *buffer,
            from,
            length,
            offset,
            size,
            count,
            waits.as_ptr(),
            event
        ))
    };
    for queue in [f.queue, without_order] {
        for length in [1, 2, 3, 7, 8, 12, 24, 32, 48, 100, 128, 129, 256, 300] {
            for offset in [0, 1, 12, 16, 64, 333] {
                let pattern: Vec<u8> = (1..=length).map(|number| (number * 7 % 251) as u8).collect();
                let first = fill(queue, &[0xee], 0, SIZE, &[]);
                f.wait(fill(queue, &pattern, offset, 5 * length, &[first]));
                ok!(f.pi, piEventRelease(first));
                let mut expected = vec![0xee; SIZE];
                expected.splice(offset..offset + 5 * length, pattern.repeat(5));
                assert!(f.content::<u8>(*buffer, SIZE) == expected, "{length} bytes at {offset}");
            }
        }
    }
    ok!(f.pi, piQueueRelease(without_order));
}

fn a_fill_past_the_end_of_a_part_writes_nothing() {
    let f = Fixture::new();
    let buffer = f.buffer(&[9_u8; 4096]);
    let mut region = pi_buffer_region_struct { origin: 1024, size: 1024 };
    let info: *mut c_void = (&raw mut region).cast();
    let (flags, kind) = (PI_MEM_FLAGS_ACCESS_RW, PI_BUFFER_CREATE_TYPE_REGION);
    let part: pi_mem = made!(f.pi, |out| piMemBufferPartition(*buffer, flags, kind, info, out));
    for length in [1, 3, 8, 256, 300] {
        let pattern = vec![5_u8; length - 1].into_iter().chain([6]).collect::<Vec<u8>>();
        for (offset, count) in [(1024 - length, 2), (1024, 1), (0, 1024 / length + 1), (usize::MAX - 1, 1)] {
            let (start, size) = (pattern.as_ptr().cast(), count * length);
            refused!(
                f.pi,
                piEnqueueMemBufferFill(f.queue, part, start, length, offset, size, 0, null(), null_mut()),
                PI_ERROR_INVALID_VALUE
            );
        }
    }
    assert_eq!(f.content::<u8>(*buffer, 4096), [9; 4096]);
    ok!(f.pi, piMemRelease(part));
}

/// # Safety
/// `args` must be the address of a number that nothing else uses during the call.
unsafe extern "C" fn native(args: *mut c_void) {
    // SAFETY: the argument is a copy of the caller's, which is an address to write to.
    let place = unsafe { args.cast::<*mut u32>().read() };
    // SAFETY: the caller's variable, which outlives the command.
    unsafe { place.write(77) };
}

fn native_kernels() {
    let f = Fixture::at(Version::V12_27);
    let mut seen = 0_u32;
    let mut place = &raw mut seen;
    let (args, size) = ((&raw mut place).cast(), size_of::<*mut u32>());
    let mut event = null_mut();
    let capabilities = get!(
        f.pi,
        piDeviceGetInfo(f.device, PI_DEVICE_INFO_EXECUTION_CAPABILITIES) as pi_device_exec_capabilities
    );
    let result = call!(
        f.pi,
        piEnqueueNativeKernel(f.queue, Some(native), args, size, 0, null(), null(), 0, null(), &mut event)
    );
    if capabilities & PI_DEVICE_EXEC_CAPABILITIES_NATIVE_KERNEL == 0 {
        calls::expect_refusal(result, &[PI_ERROR_INVALID_OPERATION]);
        return;
    }
    result.unwrap();
    f.wait(event);
    assert_eq!(seen, 77);
    let own = f.signalled_event();
    seen = 0;
    event = made!(f.pi, |out| piEnqueueNativeKernel(
        f.queue,
        Some(native),
        args,
        size,
        0,
        null(),
        null(),
        1,
        &own,
        out
    ));
    f.wait(event);
    assert_eq!(seen, 77, "behind an event of its own context");
    ok!(f.pi, piEventRelease(own));
    let other = Fixture::at(Version::V12_27);
    let foreign = other.signalled_event();
    refused!(
        f.pi,
        piEnqueueNativeKernel(f.queue, Some(native), args, size, 0, null(), null(), 1, &foreign, &mut event),
        PI_ERROR_INVALID_CONTEXT
    );
    ok!(f.pi, piEventRelease(foreign));
}
