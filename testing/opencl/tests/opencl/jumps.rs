//! Entry points that are a jump to the driver until somebody asks for a text.
//!
//! Each test has a copy of the plugin of its own, which nobody has asked yet, and a process: two copies know nothing of each other's
//! waits (`plugins/opencl/src/sys/waits.rs`).

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_loader::Plugin;
use testing_opencl::*;

/// Calls an entry point and gives its code, whatever it is.
macro_rules! code {
    ($pi:expr, $name:ident($($arg:expr),* $(,)?)) => {
        // SAFETY: live handles and room as large as told, or what has to be refused without harm.
        unsafe { $pi.$name.unwrap()($($arg),*) }
    };
}

mod commands;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "jumps",
        [],
        isolated [
            a_refusal_of_the_driver_has_a_text_once_somebody_has_asked_for_one,
            every_jump_answers_what_the_longer_way_answers,
            no_call_jumps_after_tear_down,
            a_second_driver_of_the_process_is_found_behind_the_first,
        ]
    );
}

/// A copy of the plugin; calls through its table ask for no text.
fn unasked() -> &'static Table {
    unasked_at(Version::NEWEST)
}

fn unasked_at(version: Version) -> &'static Table {
    static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("pi-jumps-{}-{number}", std::process::id()));
    std::fs::create_dir(&folder).unwrap();
    let file = folder.join("libpi_opencl.so");
    std::fs::copy(plugin::path(), &file).unwrap();
    let mut plugin = Plugin::open_version(&file, version).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    plugin.table.asks_for_texts = false;
    &Box::leak(Box::new(plugin)).table
}

/// What `piPluginGetLastError` answers.
fn last_error(pi: &Table) -> (pi_result, String) {
    let mut message = null_mut();
    let code = code!(pi, piPluginGetLastError(&mut message));
    // SAFETY: the plugin's text with its NUL, which stays until this thread's next call.
    (code, unsafe { std::ffi::CStr::from_ptr(message) }.to_string_lossy().into_owned())
}

/// A question that no driver knows.
fn unknown_question(f: &Fixture, buffer: pi_mem) -> pi_result {
    let mut room = 0_u64;
    code!(f.pi, piMemGetInfo(buffer, 0xdead, 8, (&raw mut room).cast(), null_mut()))
}

fn a_refusal_of_the_driver_has_a_text_once_somebody_has_asked_for_one() {
    let f = Fixture::of(unasked());
    let buffer = f.buffer(&[1_u32]);
    assert_eq!(unknown_question(&f, *buffer), PI_ERROR_INVALID_VALUE);
    let (code, text) = last_error(f.pi);
    assert_eq!(code, PI_SUCCESS, "{text}");
    assert!(text.contains("from now on"), "{text}");
    assert_eq!(unknown_question(&f, *buffer), PI_ERROR_INVALID_VALUE);
    let (code, text) = last_error(f.pi);
    assert_eq!(code, PI_ERROR_INVALID_VALUE);
    assert!(text.contains("piMemGetInfo") && text.contains("clGetMemObjectInfo"), "{text}");
}

/// Codes and answers of every entry point that may be a jump, for arguments that may go to the driver and others.
fn answers(f: &Fixture) -> Vec<(String, pi_result, Vec<u8>)> {
    let (pi, device) = (f.pi, f.device);
    let mut all = Vec::new();
    macro_rules! count {
        ($($retain:ident $release:ident $object:expr;)*) => { $(
            for (name, code) in [
                (stringify!($retain), code!(pi, $retain($object))),
                (stringify!($release), code!(pi, $release($object))),
                (concat!(stringify!($retain), " of null"), code!(pi, $retain(null_mut()))),
                (concat!(stringify!($release), " of null"), code!(pi, $release(null_mut()))),
            ] {
                all.push((name.to_owned(), code, Vec::new()));
            }
        )* };
    }
    let buffer = f.buffer(&[1_u32, 2]);
    let program = f.built_source();
    let kernel = f.kernel(*program, c"add_value");
    let queue = f.queue_with(PI_QUEUE_FLAG_PROFILING_ENABLE);
    let marker: pi_event = made!(pi, |out| piEnqueueEventsWait(queue, 0, null(), out));
    let barrier: pi_event = made!(pi, |out| piEnqueueEventsWaitWithBarrier(queue, 0, null(), out));
    ok!(pi, piQueueFinish(queue));
    count! {
        piDeviceRetain piDeviceRelease device;
        piContextRetain piContextRelease f.context;
        piQueueRetain piQueueRelease queue;
        piMemRetain piMemRelease *buffer;
        piProgramRetain piProgramRelease *program;
        piKernelRetain piKernelRelease *kernel;
        piEventRetain piEventRelease marker;
    }
    // Room that is right, a byte short, missing, of size 0; an object that is null; a name that there is none of.
    macro_rules! ask {
        ($($name:ident($($object:expr),*) $param:expr;)*) => { $(
            for (what, param, size, gone) in [
                ("right", $param, 256, false),
                ("short", $param, 1, false),
                ("size 0", $param, 0, false),
                ("no room", $param, 256, true),
                ("unknown", 0xdead, 256, false),
            ] {
                for wants_size in [true, false] {
                    let (mut room, mut told) = ([0_u8; 256], usize::MAX);
                    let value = if gone { null_mut() } else { room.as_mut_ptr().cast::<c_void>() };
                    let size_ret = if wants_size { &raw mut told } else { null_mut() };
                    let code = code!(pi, $name($($object,)* param, size, value, size_ret));
                    // Whether a queue is empty is true a little later than what it waits for.
                    if $param == PI_EXT_ONEAPI_QUEUE_INFO_EMPTY {
                        room[0] = 0;
                    }
                    let mut answer = room.to_vec();
                    answer.extend(told.to_ne_bytes());
                    all.push((format!("{} {param:#x} {what} {wants_size}", stringify!($name)), code, answer));
                }
            }
        )* };
    }
    ask! {
        piContextGetInfo(f.context) PI_CONTEXT_INFO_DEVICES;
        piContextGetInfo(f.context) PI_CONTEXT_INFO_NUM_DEVICES;
        piContextGetInfo(f.context) PI_EXT_ONEAPI_CONTEXT_INFO_USM_FILL2D_SUPPORT;
        piContextGetInfo(null_mut()) PI_CONTEXT_INFO_DEVICES;
        piQueueGetInfo(queue) PI_QUEUE_INFO_CONTEXT;
        piQueueGetInfo(queue) PI_EXT_ONEAPI_QUEUE_INFO_EMPTY;
        piQueueGetInfo(null_mut()) PI_QUEUE_INFO_CONTEXT;
        piEventGetInfo(marker) PI_EVENT_INFO_CONTEXT;
        piEventGetInfo(marker) PI_EVENT_INFO_COMMAND_EXECUTION_STATUS;
        piEventGetInfo(null_mut()) PI_EVENT_INFO_CONTEXT;
        piMemGetInfo(*buffer) PI_MEM_SIZE;
        piMemGetInfo(null_mut()) PI_MEM_SIZE;
        piProgramGetInfo(*program) PI_PROGRAM_INFO_CONTEXT;
        piProgramGetInfo(*program) PI_PROGRAM_INFO_KERNEL_NAMES;
        piProgramGetInfo(*program) PI_PROGRAM_INFO_NUM_KERNELS;
        piProgramGetBuildInfo(*program, device) PI_PROGRAM_BUILD_INFO_STATUS;
        piProgramGetBuildInfo(*program, null_mut()) PI_PROGRAM_BUILD_INFO_STATUS;
        piKernelGetInfo(*kernel) PI_KERNEL_INFO_FUNCTION_NAME;
        piKernelGetInfo(*kernel) PI_KERNEL_INFO_NUM_ARGS;
        piKernelGetGroupInfo(*kernel, device) PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE;
        piKernelGetGroupInfo(*kernel, device) PI_KERNEL_GROUP_INFO_NUM_REGS;
        piKernelGetGroupInfo(*kernel, null_mut()) PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE;
    }
    let mut end = 0_u64;
    for (name, event) in [(PI_PROFILING_INFO_COMMAND_END, marker), (0x1284, barrier), (0, null_mut())] {
        let room = (&raw mut end).cast();
        let code = code!(pi, piEventGetProfilingInfo(event, name, 8, room, null_mut()));
        all.push((format!("piEventGetProfilingInfo {name:#x}"), code, vec![u8::from(end > 0)]));
    }
    let value = 5_i32;
    let place = (&raw const value).cast();
    for (index, size, value) in [
        (1, 4, place),
        (1, 3, place),
        (9, 4, place),
        (1 << 16, 4, place),
        (u32::MAX, 4, place),
        (1, 4, null()),
    ] {
        let code = code!(pi, piKernelSetArg(*kernel, index, size, value));
        all.push((format!("piKernelSetArg {index} {size} {}", value.is_null()), code, Vec::new()));
    }
    for (what, queue) in [("", queue), (" again", queue), (" of null", null_mut())] {
        all.push((format!("piQueueFlush{what}"), code!(pi, piQueueFlush(queue)), Vec::new()));
        all.push((format!("piQueueFinish{what}"), code!(pi, piQueueFinish(queue)), Vec::new()));
    }
    for (count, list) in [(0, null()), (0, &raw const marker), (1, &raw const marker), (1, null())] {
        for mark in [pi.piEnqueueEventsWait, pi.piEnqueueEventsWaitWithBarrier].map(Option::unwrap) {
            for has_event in [true, false] {
                let mut event = null_mut();
                let out = if has_event { &raw mut event } else { null_mut() };
                // SAFETY: a live queue; no fewer events than told, or null for 1, which has to be refused.
                let code = unsafe { mark(queue, count, list, out) };
                let made = vec![u8::from(!event.is_null())];
                all.push((format!("a mark behind {count}, {} {has_event}", list.is_null()), code, made));
                if !event.is_null() {
                    f.wait(event);
                }
            }
        }
    }
    all.extend(commands::answers(f, queue, *f.kernel(*program, c"places")));
    for event in [marker, barrier] {
        ok!(pi, piEventRelease(event));
    }
    ok!(pi, piQueueRelease(queue));
    all
}

fn every_jump_answers_what_the_longer_way_answers() {
    // Until 12.27 one entry point more is a jump.
    for version in [Version::NEWEST, Version::V12_27] {
        let f = Fixture::of(unasked_at(version));
        let jumped = answers(&f);
        last_error(f.pi);
        let longer = answers(&f);
        assert_eq!(jumped.len(), longer.len());
        for (jumped, longer) in jumped.iter().zip(&longer) {
            assert_eq!(jumped, longer, "PI {}", version.text());
        }
    }
}

fn no_call_jumps_after_tear_down() {
    let f = Fixture::of(unasked());
    let buffer = f.buffer(&[1_u32]);
    ok!(f.pi, piQueueFlush(f.queue));
    ok!(f.pi, piTearDown(null_mut()));
    assert_eq!(code!(f.pi, piQueueFlush(f.queue)), PI_ERROR_UNINITIALIZED);
    assert_eq!(unknown_question(&f, *buffer), PI_ERROR_UNINITIALIZED);
    let mut event = null_mut();
    let marked = code!(f.pi, piEnqueueEventsWait(f.queue, 0, null(), &mut event));
    assert_eq!(marked, PI_ERROR_UNINITIALIZED);
    // What static objects of a program do at its end.
    ok!(f.pi, piMemRetain(*buffer));
    std::mem::forget(buffer);
    std::mem::forget(f);
}

fn a_second_driver_of_the_process_is_found_behind_the_first() {
    let pi = unasked();
    let count: pi_uint32 = made!(pi, |out| piPlatformsGet(0, null_mut(), out));
    let mut platforms: Vec<pi_platform> = vec![null_mut(); count as usize];
    ok!(pi, piPlatformsGet(count, platforms.as_mut_ptr(), null_mut()));
    let mut contexts = Vec::new();
    for platform in platforms {
        let mut device: pi_device = null_mut();
        if call!(pi, piDevicesGet(platform, PI_DEVICE_TYPE_ALL, 1, &mut device, null_mut())).is_ok() {
            let context: pi_context =
                made!(pi, |out| piContextCreate(null(), 1, &device, None, null_mut(), out));
            contexts.push(context);
        }
    }
    assert!(!contexts.is_empty());
    // By turns, so that each call finds the other driver asked last.
    for _ in 0..3 {
        for context in &contexts {
            ok!(pi, piContextRetain(*context));
            ok!(pi, piContextRelease(*context));
        }
    }
    for context in contexts {
        ok!(pi, piContextRelease(context));
    }
}
