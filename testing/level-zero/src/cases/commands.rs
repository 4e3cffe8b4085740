//! Queues, events and memory on the software driver.

use std::ptr::{null, null_mut};

use super::Case;
use crate::fixture::KERNELS;
use crate::{Fixture, Soft, code, fails, fixture, ok};
use pi_core::*;

pub(crate) const CASES: &[Case] = &[
    ("small_blocks_share_one_allocation_of_the_driver", slabs),
    ("a_command_that_waits_for_another_queue_runs_after_it", across_queues),
    ("a_variable_s_bounds_are_exact_and_never_wrap", variable_bounds),
    ("memory_of_another_context_is_not_freed", foreign_free),
    ("tear_down_returns_everything_to_the_driver", returns_everything),
];

fn slabs() {
    let (soft, fixture) = (Soft::find().unwrap(), Fixture::new());
    drop(fixture.device_memory(64));
    soft.reset();
    let blocks: Vec<_> = (0..500).map(|_| fixture.device_memory(64)).collect();
    let calls = soft.report().calls.get("zeMemAllocDevice").copied().unwrap_or(0);
    assert!(calls <= 1, "{calls} allocations of the driver for 500 blocks of 64 bytes");
    let mut starts: Vec<usize> = blocks.iter().map(|block| block.start.addr()).collect();
    starts.sort_unstable();
    assert!(starts.windows(2).all(|pair| pair[1] - pair[0] >= 64), "blocks overlap");
}

fn across_queues() {
    let fixture = Fixture::new();
    let program = fixture.program(KERNELS);
    let (scale, data) = (program.kernel("scale"), fixture.device_memory(32));
    fixture.write(&data, &[1_i32; 8]);
    let other = fixture.queue(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    let mut last: Vec<pi_event> = Vec::new();
    for round in 0..20 {
        scale.pointer(0, data.start).set(1, if round < 2 { 3_i32 } else { 1 }).local(2, 32);
        let queue = if round % 2 == 0 { fixture.queue } else { other };
        let event = fixture.launch(queue, &scale, 8, &last);
        last.drain(..).for_each(|event| ok!(fixture.pi, piEventRelease(event)));
        last.push(event);
    }
    fixture.wait(&last);
    assert_eq!(fixture.read::<i32>(&data, 8), [9; 8]);
    ok!(fixture.pi, piQueueRelease(other));
}

fn variable_bounds() {
    let fixture = Fixture::new();
    let program = fixture.program(fixture::VARIABLE);
    let (pi, name, queue) = (fixture.pi, c"_Z7Counter".as_ptr(), fixture.queue);
    let (mut size, mut start) = (0, null_mut());
    let newest = fixture::newest();
    ok!(newest, piextGetGlobalVariablePointer(fixture.device, program.program, name, &mut size, &mut start));
    assert!(size >= 4 && !start.is_null());
    let mut room = [0_u8; 256];
    let to = room.as_mut_ptr().cast();
    let read = |count: usize, offset: usize| {
        code!(
            pi,
            piextEnqueueDeviceGlobalVariableRead(
                queue,
                program.program,
                name,
                1,
                count,
                offset,
                to,
                0,
                null(),
                null_mut()
            )
        )
    };
    assert_eq!(read(size, 0), 0, "all of it");
    assert_eq!(read(1, size - 1), 0, "its last byte");
    for (count, offset) in
        [(size + 1, 0), (1, size), (2, size - 1), (2, usize::MAX), (usize::MAX, 1), (usize::MAX, 2)]
    {
        assert_eq!(read(count, offset), PI_ERROR_INVALID_VALUE, "{count} from {offset}");
    }
}

fn foreign_free() {
    let (one, other) = (Fixture::new(), Fixture::new());
    let block = one.device_memory(64);
    let text = fails!(one.pi, piextUSMFree(other.context, block.start), PI_ERROR_INVALID_VALUE);
    assert!(text.contains("context"), "{text}");
}

fn returns_everything() {
    let soft = Soft::find().unwrap();
    soft.reset();
    {
        let fixture = Fixture::of(fixture::plugin(), PI_QUEUE_FLAG_PROFILING_ENABLE);
        let program = fixture.program(KERNELS);
        let kernel = program.kernel("nothing");
        let events: Vec<pi_event> =
            (0..300).map(|_| fixture.launch(fixture.queue, &kernel, 1, &[])).collect();
        fixture.wait(&events);
        drop((0..100).map(|_| fixture.host_memory(1 << 10)).collect::<Vec<_>>());
    }
    let report = soft.report();
    let left: Vec<_> = report
        .alive
        .iter()
        .filter(|(kind, count)| **count > 0 && !["driver", "device"].contains(&kind.as_str()))
        .collect();
    assert!(left.is_empty(), "{left:?}");
    assert!(report.complaints.is_empty(), "{:?}", report.complaints);
}
