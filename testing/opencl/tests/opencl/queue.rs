//! Queues.

use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU32, Ordering};

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "queue",
        [
            hints_without_an_opencl_word_are_accepted,
            queues_that_kernels_fill_are_refused,
            eight_threads_share_a_context,
            of_intel_that_are_released_with_commands_run_them,
            a_queue_is_empty_when_its_commands_are_complete_and_not_before,
        ]
    );
}

fn hints_without_an_opencl_word_are_accepted() {
    let f = Fixture::new();
    for flags in [
        PI_EXT_ONEAPI_QUEUE_FLAG_DISCARD_EVENTS,
        PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_LOW,
        PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH,
        PI_EXT_QUEUE_FLAG_SUBMISSION_IMMEDIATE,
        PI_EXT_QUEUE_FLAG_SUBMISSION_NO_IMMEDIATE,
    ] {
        let mut list = [PI_QUEUE_FLAGS, flags, 0];
        let queue: pi_queue =
            made!(f.pi, |out| piextQueueCreate(f.context, f.device, list.as_mut_ptr(), out));
        ok!(f.pi, piQueueRelease(queue));
    }
}

fn queues_that_kernels_fill_are_refused() {
    let f = Fixture::new();
    let on_device = PI_QUEUE_FLAG_ON_DEVICE | PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    let mut queue: pi_queue = null_mut();
    for flags in [on_device, on_device | PI_QUEUE_FLAG_ON_DEVICE_DEFAULT] {
        let mut list = [PI_QUEUE_FLAGS, flags, 0];
        let refused = PI_ERROR_INVALID_QUEUE_PROPERTIES;
        for result in [
            call!(f.pi, piQueueCreate(f.context, f.device, flags, &mut queue)),
            call!(f.pi, piextQueueCreate(f.context, f.device, list.as_mut_ptr(), &mut queue)),
        ] {
            let text = calls::expect_refusal(result, &[refused]);
            assert!(text.contains("properties"), "{text}");
        }
    }
}

fn eight_threads_share_a_context() {
    const THREADS: usize = 8;
    const ROUNDS: i32 = 40;
    let f = Fixture::new();
    let program = f.built_source();
    let failures = AtomicU32::new(0);
    // Handles are addresses. The interface allows their use from any thread.
    let (context, device, program) = (f.context.addr(), f.device.addr(), program.addr());
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let failures = &failures;
            scope.spawn(move || {
                let done =
                    std::panic::catch_unwind(|| one_thread(context, device, program, thread as i32, ROUNDS));
                if done.is_err() {
                    failures.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(failures.load(Ordering::Relaxed), 0, "threads failed");
}

fn one_thread(context: usize, device: usize, program: usize, thread: i32, rounds: i32) {
    let pi = under_test(Version::NEWEST);
    let (context, device, program) = (context as pi_context, device as pi_device, program as pi_program);
    let queue: pi_queue = made!(pi, |out| piQueueCreate(context, device, 0, out));
    let kernel: pi_kernel = made!(pi, |out| piKernelCreate(program, c"add_value".as_ptr(), out));
    let flags = PI_MEM_FLAGS_ACCESS_RW;
    let mem: pi_mem = made!(pi, |out| piMemBufferCreate(context, flags, 256, null_mut(), out, null()));
    ok!(pi, piEnqueueMemBufferFill(queue, mem, (&raw const thread).cast(), 4, 0, 256, 0, null(), null_mut()));
    for round in 0..rounds {
        ok!(pi, piextKernelSetArgMemObj(kernel, 0, null(), &mem));
        ok!(pi, piKernelSetArg(kernel, 1, 4, (&raw const round).cast()));
        ok!(pi, piEnqueueKernelLaunch(queue, kernel, 1, null(), &64, null(), 0, null(), null_mut()));
        // A failing call in between, whose text belongs to this thread.
        let name = format!("absent{thread}\0");
        let mut out = null_mut();
        let refusal = call!(pi, piKernelCreate(program, name.as_ptr().cast(), &mut out));
        let text = calls::expect_refusal(refusal, &[PI_ERROR_INVALID_KERNEL_NAME]);
        assert!(text.contains(&format!("absent{thread}")), "another thread's text: {text}");
    }
    let mut values = [0_i32; 64];
    ok!(pi, piEnqueueMemBufferRead(queue, mem, 1, 0, 256, values.as_mut_ptr().cast(), 0, null(), null_mut()));
    assert_eq!(values, [thread + rounds * (rounds - 1) / 2; 64]);
    ok!(pi, piMemRelease(mem));
    ok!(pi, piKernelRelease(kernel));
    ok!(pi, piQueueRelease(queue));
}

/// The plugin keeps such queues of Intel's CPU runtimes. This test cannot see that a queue is kept, because OpenCL
/// reports the same of a released one. PoCL crashes over the event of a released queue.
fn of_intel_that_are_released_with_commands_run_them() {
    let (f, old) = (Fixture::new(), under_test(Version::V9_11));
    let out_of_order = || f.queue_with(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    let (queue, buffer) = (out_of_order(), f.buffer(&[0_u32]));
    let gate: pi_event = made!(old, |out| piEventCreate_until_9_11(f.context, out));
    let (value, mut written) = ([7_u32], null_mut());
    let (size, start) = (size_of_val(&value), value.as_ptr().cast());
    ok!(f.pi, piEnqueueMemBufferWrite(queue, *buffer, 0, 0, size, start, 1, &gate, &mut written));
    ok!(f.pi, piQueueRelease(queue));
    // The end of another queue checks the released ones.
    ok!(f.pi, piQueueRelease(out_of_order()));
    ok!(old, piEventSetStatus(gate, PI_EVENT_COMPLETE));
    f.wait(written);
    ok!(f.pi, piEventRelease(gate));
    ok!(f.pi, piQueueRelease(out_of_order()));
    assert_eq!(f.content::<u32>(*buffer, 1), value);
}

fn a_queue_is_empty_when_its_commands_are_complete_and_not_before() {
    let f = Fixture::new();
    let queue: pi_queue = made!(f.pi, |out| piQueueCreate(f.context, f.device, 0, out));
    let is_empty = || get!(f.pi, piQueueGetInfo(queue, PI_EXT_ONEAPI_QUEUE_INFO_EMPTY) as pi_bool) == PI_TRUE;
    let event = user_event(&f);
    let wait: pi_event = made!(f.pi, |out| piEnqueueEventsWaitWithBarrier(queue, 1, &event, out));
    assert!(!is_empty());
    ok!(f.pi, piEventSetStatus(event, PI_EVENT_COMPLETE));
    ok!(f.pi, piQueueFinish(queue));
    // The driver's threads may take a moment.
    assert!((0..1000).any(|_| is_empty() || {
        std::thread::sleep(std::time::Duration::from_millis(1));
        false
    }));
    for event in [event, wait] {
        ok!(f.pi, piEventRelease(event));
    }
    ok!(f.pi, piQueueRelease(queue));
}
