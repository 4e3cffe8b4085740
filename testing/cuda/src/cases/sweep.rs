//! Every driver call fails once, one after the other: the error is reported with the driver's message, nothing
//! leaks, the process does not crash, and all created objects can be released.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use super::Case;
use crate::fixture::{devices, image, last_error};
use crate::{code, software};
use sycl_pi_core::*;

pub(crate) const CASES: &[Case] = &[
    ("each_driver_call_may_run_out_of_memory", out_of_memory),
    ("each_driver_call_may_lose_the_device", device_lost),
];

/// The driver's functions that the scenario calls.
const FUNCTIONS: [&str; 34] = [
    "cuDevicePrimaryCtxRetain",
    "cuCtxGetCurrent",
    "cuCtxSetCurrent",
    "cuStreamCreateWithPriority",
    "cuStreamSynchronize",
    "cuStreamDestroy_v2",
    "cuStreamWaitEvent",
    "cuStreamQuery",
    "cuEventCreate",
    "cuEventRecord",
    "cuEventQuery",
    "cuEventSynchronize",
    "cuEventElapsedTime",
    "cuEventDestroy_v2",
    "cuModuleLoadDataEx",
    "cuModuleGetFunction",
    "cuModuleGetGlobal_v2",
    "cuModuleUnload",
    "cuFuncGetAttribute",
    "cuOccupancyMaxPotentialBlockSize",
    "cuLaunchKernel",
    "cuMemAlloc_v2",
    "cuMemFree_v2",
    "cuMemHostAlloc",
    "cuMemFreeHost",
    "cuMemcpyAsync",
    "cuMemcpyDtoHAsync_v2",
    "cuMemcpy3DAsync_v2",
    "cuMemsetD32Async",
    "cuPointerGetAttributes",
    "cuGraphCreate",
    "cuGraphAddKernelNode_v2",
    "cuGraphInstantiateWithFlags",
    "cuGraphLaunch",
];

/// The calls that failed, with their messages.
type Failures = Vec<(&'static str, pi_result, String)>;

/// Calls an entry point and records a failure. Returns whether it succeeded.
macro_rules! attempt {
    ($failures:ident, $name:ident($($arg:expr),* $(,)?)) => {{
        let code = code!($name($($arg),*));
        if code != PI_SUCCESS {
            $failures.push((stringify!($name), code, last_error()));
        }
        code == PI_SUCCESS
    }};
}

/// Does a bit of everything, on in-order and out-of-order queues. Failures are skipped, and created objects are
/// released.
fn scenario() -> Failures {
    let mut failures = Failures::new();
    let device = devices()[0];
    let mut context = null_mut();
    if attempt!(failures, piContextCreate(null(), 1, &device, None, null_mut(), &mut context)) {
        let flags = [0, PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE | PI_QUEUE_FLAG_PROFILING_ENABLE];
        for flags in flags {
            let (mut queue, mut list) = (null_mut(), [PI_QUEUE_FLAGS, flags, 0]);
            if attempt!(failures, piextQueueCreate(context, device, list.as_mut_ptr(), &mut queue)) {
                memory(&mut failures, context, device, queue);
                program(&mut failures, context, device, queue);
                let _ = attempt!(failures, piQueueFinish(queue));
                let _ = attempt!(failures, piQueueRelease(queue));
            }
        }
        let _ = attempt!(failures, piContextRelease(context));
    }
    failures
}

fn memory(failures: &mut Failures, context: pi_context, device: pi_device, queue: pi_queue) {
    let mut start = null_mut();
    if attempt!(failures, piextUSMDeviceAlloc(&mut start, context, device, null_mut(), 256, 0)) {
        let (mut one, mut two) = (null_mut(), null_mut());
        let _ = attempt!(failures, piextUSMEnqueueMemset(queue, start, 1, 256, 0, null(), &mut one));
        // A failed wait leaves the copy in flight, so that its memory is never freed.
        let back = Box::leak(Box::new([0_u8; 256]));
        let to = back.as_mut_ptr().cast::<c_void>();
        let waits = u32::from(!one.is_null());
        let _ = attempt!(failures, piextUSMEnqueueMemcpy(queue, 0, to, start, 256, waits, &one, &mut two));
        for event in [one, two].into_iter().filter(|event| !event.is_null()) {
            let _ = attempt!(failures, piEventsWait(1, &event));
            let mut time = 0_u64;
            let room = (&raw mut time).cast();
            let _ = code!(piEventGetProfilingInfo(event, PI_PROFILING_INFO_COMMAND_END, 8, room, null_mut()));
            let _ = attempt!(failures, piEventRelease(event));
        }
        let _ = attempt!(failures, piextUSMFree(context, start));
    }
    if attempt!(failures, piextUSMHostAlloc(&mut start, context, null_mut(), 64, 0)) {
        let _ = attempt!(failures, piextUSMFree(context, start));
    }
    let mut buffer = null_mut();
    let flags = PI_MEM_FLAGS_ACCESS_RW;
    if attempt!(failures, piMemBufferCreate(context, flags, 1024, null_mut(), &mut buffer, null())) {
        let word = [1_u8, 2, 3, 4];
        let pattern = word.as_ptr().cast();
        let _ = attempt!(
            failures,
            piEnqueueMemBufferFill(queue, buffer, pattern, 4, 0, 64, 0, null(), null_mut())
        );
        let back = Box::leak(Box::new([0_u8; 64]));
        let to = back.as_mut_ptr().cast();
        let _ =
            attempt!(failures, piEnqueueMemBufferRead(queue, buffer, 1, 0, 64, to, 0, null(), null_mut()));
        let mut mapped = null_mut();
        let map = PI_MAP_READ | PI_MAP_WRITE;
        if attempt!(
            failures,
            piEnqueueMemBufferMap(queue, buffer, 1, map, 0, 64, 0, null(), null_mut(), &mut mapped)
        ) {
            let _ = attempt!(failures, piEnqueueMemUnmap(queue, buffer, mapped, 0, null(), null_mut()));
        }
        // The user waits for commands that still use it.
        let _ = attempt!(failures, piQueueFinish(queue));
        let _ = attempt!(failures, piMemRelease(buffer));
    }
    let mut event = null_mut();
    if attempt!(failures, piEnqueueEventsWaitWithBarrier(queue, 0, null(), &mut event)) {
        let mut status = 0_i32;
        let room = (&raw mut status).cast();
        let name = PI_EVENT_INFO_COMMAND_EXECUTION_STATUS;
        let _ = attempt!(failures, piEventGetInfo(event, name, 4, room, null_mut()));
        let _ = attempt!(failures, piEventRelease(event));
    }
}

fn program(failures: &mut Failures, context: pi_context, device: pi_device, queue: pi_queue) {
    let (bytes, mut program) = (image("kernels"), null_mut());
    let (length, start) = (bytes.len(), bytes.as_ptr());
    if !attempt!(
        failures,
        piProgramCreateWithBinary(context, 1, &device, &length, &start, 0, null(), null_mut(), &mut program)
    ) {
        return;
    }
    let mut kernel = null_mut();
    if attempt!(failures, piProgramBuild(program, 1, &device, c"".as_ptr(), None, null_mut()))
        && attempt!(failures, piKernelCreate(program, c"noop".as_ptr(), &mut kernel))
    {
        let (global, mut first, mut second) = (8_usize, null_mut(), null_mut());
        for event in [&raw mut first, &raw mut second, null_mut()] {
            let _ = attempt!(
                failures,
                piEnqueueKernelLaunch(queue, kernel, 1, null(), &global, null(), 0, null(), event)
            );
        }
        for event in [first, second].into_iter().filter(|event| !event.is_null()) {
            let _ = attempt!(failures, piEventsWait(1, &event));
            let _ = attempt!(failures, piEventRelease(event));
        }
        let (value, from) = (1_i32, c"counter".as_ptr());
        let bytes = (&raw const value).cast();
        let _ = attempt!(
            failures,
            piextEnqueueDeviceGlobalVariableWrite(
                queue,
                program,
                from,
                1,
                4,
                0,
                bytes,
                0,
                null(),
                null_mut()
            )
        );
        commands(failures, context, device, queue, kernel);
        let _ = attempt!(failures, piQueueFinish(queue));
        let _ = attempt!(failures, piKernelRelease(kernel));
    }
    let _ = attempt!(failures, piProgramRelease(program));
}

fn commands(
    failures: &mut Failures,
    context: pi_context,
    device: pi_device,
    queue: pi_queue,
    kernel: pi_kernel,
) {
    let mut buffer = null_mut();
    if attempt!(failures, piextCommandBufferCreate(context, device, null(), &mut buffer)) {
        let global = 8_usize;
        let _ = attempt!(
            failures,
            piextCommandBufferNDRangeKernel(
                buffer,
                kernel,
                1,
                null(),
                &global,
                null(),
                0,
                null(),
                null_mut()
            )
        );
        if attempt!(failures, piextCommandBufferFinalize(buffer)) {
            let _ = attempt!(failures, piextEnqueueCommandBuffer(buffer, queue, 0, null(), null_mut()));
        }
        let _ = attempt!(failures, piQueueFinish(queue));
        let _ = attempt!(failures, piextCommandBufferRelease(buffer));
    }
}

/// Runs the scenario with each call of each function failing with `code`. Returns the number of reported failures.
fn sweep(code: u32, stays: bool, check: impl Fn(&str, u64, &Failures)) -> usize {
    // Objects that the process keeps (the platform, the first base of the clock) exist after a first run.
    assert_eq!(scenario(), Failures::new(), "without a fault");
    let mut reported = 0;
    for function in FUNCTIONS {
        for call in 1..=40 {
            let before = software::live();
            software::inject(&format!("{function}:{call}:{code}{}", if stays { "!" } else { "" }));
            let failures = scenario();
            let reached = software::calls(function) >= call;
            software::inject("");
            if !reached {
                break;
            }
            check(function, call, &failures);
            reported += usize::from(!failures.is_empty());
            // Objects that the driver failed to take back do not count.
            let gives_back = ["Destroy", "Free", "Unload", "cuPointerGetAttributes"]
                .iter()
                .any(|word| function.contains(word));
            let switches = function == "cuCtxGetCurrent" || function == "cuCtxSetCurrent";
            assert!(
                stays || gives_back || switches || software::live() == before,
                "call {call} of {function}: {} objects are left",
                software::live() - before
            );
        }
    }
    reported
}

fn out_of_memory() {
    let reported = sweep(2, false, |function, call, failures| {
        if let Some((name, code, text)) = failures.first() {
            assert!(
                text.contains(function) && text.contains("out of memory"),
                "call {call} of {function}: {name} answered {code}: {text}"
            );
        }
    });
    println!("{reported} faults were reported");
    assert!(reported > 50, "{reported} faults were reported");
}

fn device_lost() {
    let reported = sweep(719, true, |function, call, failures| {
        for (name, code, text) in failures {
            assert!(
                text.contains("CUDA_ERROR_LAUNCH_FAILED") && text.contains("unspecified launch failure"),
                "call {call} of {function}: {name} answered {code}: {text}"
            );
        }
    });
    println!("{reported} faults were reported");
    assert!(reported > 50, "{reported} faults were reported");
}
