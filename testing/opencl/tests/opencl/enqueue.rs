//! Commands, as far as OpenCL drivers have their own: the conformance harness tests the rest.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(registry, "enqueue", [a_wait_list_orders_two_queues,]);
    registry.add("enqueue::native_kernels_answer_at_the_versions_that_have_them", false, native_kernels);
}

fn a_wait_list_orders_two_queues() {
    let f = Fixture::new();
    let other = f.queue_with(0);
    let (program, buffer) = (f.built_source(), f.buffer(&[1_i32, 7]));
    let (slow, multiply) = (f.kernel(*program, c"slow"), f.kernel(*program, c"mul_value"));
    f.set_mem(*slow, 0, *buffer);
    f.set_arg(*slow, 1, 20_000_000_i32);
    f.set_mem(*multiply, 0, *buffer);
    f.set_arg(*multiply, 1, 5_i32);
    let launch = |kernel, queue, waits: &[pi_event]| -> pi_event {
        let (count, list) = (waits.len() as u32, waits.as_ptr());
        made!(f.pi, |out| piEnqueueKernelLaunch(queue, kernel, 1, null(), &1, null(), count, list, out))
    };
    let first = launch(*slow, f.queue, &[]);
    f.wait(launch(*multiply, other, &[first]));
    ok!(f.pi, piEventRelease(first));
    assert_eq!(f.content::<i32>(*buffer, 1), [10], "(1 + 1) * 5");
    ok!(f.pi, piQueueRelease(other));
}

unsafe extern "C" fn native(args: *mut c_void) {
    // SAFETY: the argument is a copy of the caller's: an address to write to.
    let place = unsafe { args.cast::<*mut u32>().read() };
    // SAFETY: the caller's variable, which it keeps until the command is done.
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
    let other = Fixture::at(Version::V12_27);
    let foreign = other.signalled_event();
    refused!(
        f.pi,
        piEnqueueNativeKernel(f.queue, Some(native), args, size, 0, null(), null(), 1, &foreign, &mut event),
        PI_ERROR_INVALID_CONTEXT
    );
    ok!(f.pi, piEventRelease(foreign));
}
