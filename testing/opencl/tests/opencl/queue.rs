//! Queues.

use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU32, Ordering};

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "queue",
        [
            both_create_calls_make_the_queue_asked_for,
            flags_are_read_back,
            hints_without_an_opencl_word_are_accepted,
            contradicting_flags_are_refused,
            queues_that_kernels_fill_are_refused,
            unknown_flags_and_properties_are_refused,
            a_device_outside_the_context_is_refused,
            bad_questions_are_refused,
            becomes_empty_without_a_wait,
            in_order_keeps_the_order,
            events_outlive_the_queue,
            eight_threads_share_a_context,
            many_queues_in_a_row,
        ]
    );
}

fn both_create_calls_make_the_queue_asked_for() {
    let f = Fixture::new();
    let mut list = [PI_QUEUE_FLAGS, PI_QUEUE_FLAG_PROFILING_ENABLE, PI_QUEUE_COMPUTE_INDEX, 0, 0];
    let plain: pi_queue = made!(f.pi, |out| piQueueCreate(f.context, f.device, 0, out));
    let listed: pi_queue = made!(f.pi, |out| piextQueueCreate(f.context, f.device, list.as_mut_ptr(), out));
    let bare: pi_queue = made!(f.pi, |out| piextQueueCreate(f.context, f.device, [0].as_mut_ptr(), out));
    for queue in [plain, listed, bare] {
        assert_eq!(get!(f.pi, piQueueGetInfo(queue, PI_QUEUE_INFO_CONTEXT) as pi_context), f.context);
        assert_eq!(get!(f.pi, piQueueGetInfo(queue, PI_QUEUE_INFO_DEVICE) as pi_device), f.device);
        ok!(f.pi, piQueueFinish(queue));
        ok!(f.pi, piQueueFlush(queue));
        ok!(f.pi, piQueueRelease(queue));
    }
}

fn flags_are_read_back() {
    let f = Fixture::new();
    for flags in [
        0,
        PI_QUEUE_FLAG_PROFILING_ENABLE,
        PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE,
        PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE | PI_QUEUE_FLAG_PROFILING_ENABLE,
    ] {
        let queue = f.queue_with(flags);
        let read = get!(f.pi, piQueueGetInfo(queue, PI_QUEUE_INFO_PROPERTIES) as pi_queue_properties);
        assert_eq!(read, flags);
        ok!(f.pi, piQueueRelease(queue));
    }
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

fn contradicting_flags_are_refused() {
    let f = Fixture::new();
    let mut out = null_mut();
    for flags in [
        PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_LOW | PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH,
        PI_EXT_QUEUE_FLAG_SUBMISSION_IMMEDIATE | PI_EXT_QUEUE_FLAG_SUBMISSION_NO_IMMEDIATE,
    ] {
        let mut list = [PI_QUEUE_FLAGS, flags, 0];
        let pi = f.pi;
        refused!(pi, piQueueCreate(f.context, f.device, flags, &mut out), PI_ERROR_INVALID_QUEUE_PROPERTIES);
        refused!(
            pi,
            piextQueueCreate(f.context, f.device, list.as_mut_ptr(), &mut out),
            PI_ERROR_INVALID_QUEUE_PROPERTIES
        );
    }
    assert!(out.is_null());
}

fn unknown_flags_and_properties_are_refused() {
    let f = Fixture::new();
    let mut out = null_mut();
    refused!(f.pi, piQueueCreate(f.context, f.device, 1 << 40, &mut out), PI_ERROR_INVALID_VALUE);
    let mut unknown = [0x7777, 1, 0];
    refused!(
        f.pi,
        piextQueueCreate(f.context, f.device, unknown.as_mut_ptr(), &mut out),
        PI_ERROR_INVALID_VALUE
    );
    let mut endless = [0x7777_u64; 2000];
    refused!(
        f.pi,
        piextQueueCreate(f.context, f.device, endless.as_mut_ptr(), &mut out),
        PI_ERROR_INVALID_VALUE
    );
}

fn a_device_outside_the_context_is_refused() {
    let f = Fixture::new();
    let properties = [PI_DEVICE_PARTITION_EQUALLY, 1, 0];
    let mut part: [pi_device; 1] = [null_mut()];
    ok!(f.pi, piDevicePartition(f.device, properties.as_ptr(), 1, part.as_mut_ptr(), null_mut()));
    let context: pi_context =
        made!(f.pi, |out| piContextCreate(null(), 1, part.as_ptr(), None, null_mut(), out));
    let mut out = null_mut();
    refused!(f.pi, piQueueCreate(context, f.device, 0, &mut out), PI_ERROR_INVALID_DEVICE);
    ok!(f.pi, piContextRelease(context));
    ok!(f.pi, piDeviceRelease(part[0]));
}

fn bad_questions_are_refused() {
    let f = Fixture::new();
    bad_questions!(f.pi, piQueueGetInfo(f.queue), PI_QUEUE_INFO_DEVICE);
    bad_questions!(f.pi, piQueueGetInfo(f.queue), PI_EXT_ONEAPI_QUEUE_INFO_EMPTY);
}

fn becomes_empty_without_a_wait() {
    let f = Fixture::new();
    let buffer = f.buffer(&[1_i32]);
    let program = f.built_source();
    let kernel = f.kernel(*program, c"slow");
    f.set_mem(*kernel, 0, *buffer);
    let empty = || get!(f.pi, piQueueGetInfo(f.queue, PI_EXT_ONEAPI_QUEUE_INFO_EMPTY) as pi_bool) != 0;
    ok!(f.pi, piEnqueueKernelLaunch(f.queue, *kernel, 1, null(), &1, null(), 0, null(), null_mut()));
    let started = std::time::Instant::now();
    while !empty() {
        assert!(started.elapsed().as_secs() < 60, "never empty");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    // What a wait would have waited for is over: nothing is left to be read late.
    assert_ne!(f.content::<i32>(*buffer, 1), [1]);
}

fn in_order_keeps_the_order() {
    let f = Fixture::new();
    let buffer = f.buffer(&[0_i32; 64]);
    let program = f.built_source();
    let (index, add) = (f.kernel(*program, c"fill_index"), f.kernel(*program, c"add_value"));
    f.set_mem(*index, 0, *buffer);
    f.set_mem(*add, 0, *buffer);
    ok!(f.pi, piEnqueueKernelLaunch(f.queue, *index, 1, null(), &64, null(), 0, null(), null_mut()));
    for value in [1_i32, 10, 100] {
        f.set_arg(*add, 1, value);
        ok!(f.pi, piEnqueueKernelLaunch(f.queue, *add, 1, null(), &64, null(), 0, null(), null_mut()));
    }
    let expected: Vec<i32> = (0..64).map(|index| index + 111).collect();
    assert_eq!(f.content::<i32>(*buffer, 64), expected);
}

fn events_outlive_the_queue() {
    let f = Fixture::new();
    let buffer = f.buffer(&[0_u32]);
    let queue = f.queue_with(PI_QUEUE_FLAG_PROFILING_ENABLE);
    let value = 5_u32;
    let start = (&raw const value).cast();
    let event: pi_event =
        made!(f.pi, |out| piEnqueueMemBufferWrite(queue, *buffer, 0, 0, 4, start, 0, null(), out));
    ok!(f.pi, piQueueRelease(queue));
    ok!(f.pi, piEventsWait(1, &event));
    let status = get!(f.pi, piEventGetInfo(event, PI_EVENT_INFO_COMMAND_EXECUTION_STATUS) as i32);
    assert_eq!(status, PI_EVENT_COMPLETE);
    assert!(get!(f.pi, piEventGetProfilingInfo(event, PI_PROFILING_INFO_COMMAND_END) as u64) > 0);
    ok!(f.pi, piEventRelease(event));
}

fn eight_threads_share_a_context() {
    const THREADS: usize = 8;
    const ROUNDS: i32 = 40;
    let f = Fixture::new();
    let program = f.built_source();
    let failures = AtomicU32::new(0);
    // Handles are addresses; the interface allows their use from any thread.
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
    let pi = plugin::table(Version::NEWEST);
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
        // A failing call in between: its text is this thread's own.
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

fn many_queues_in_a_row() {
    let f = Fixture::new();
    let references = || get!(f.pi, piContextGetInfo(f.context, PI_CONTEXT_INFO_REFERENCE_COUNT) as u32);
    let before = references();
    for _ in 0..500 {
        ok!(f.pi, piQueueRelease(f.queue_with(0)));
    }
    assert_eq!(references(), before, "queues of the past still hold the context");
}
