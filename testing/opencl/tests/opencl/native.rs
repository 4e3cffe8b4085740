//! Tests of native handles, out of the plugin and back.

use std::ptr::{null, null_mut};

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "native",
        [
            platform_and_device_come_back_the_same,
            an_unknown_platform_is_refused,
            a_context_taken_over_is_not_counted,
            a_context_borrowed_is_counted,
            queues_in_every_versions_signature,
            a_queue_of_a_handle_has_its_own_reference_whoever_owns_the_handle,
            memory_in_both_signatures,
            programs_and_kernels,
            events,
            null_handles_are_refused,
        ]
    );
}

fn count(f: &Fixture, context: pi_context) -> u32 {
    get!(f.pi, piContextGetInfo(context, PI_CONTEXT_INFO_REFERENCE_COUNT) as u32)
}

fn platform_and_device_come_back_the_same() {
    let f = Fixture::new();
    let native = made!(f.pi, |out| piextPlatformGetNativeHandle(f.platform, out));
    let platform: pi_platform = made!(f.pi, |out| piextPlatformCreateWithNativeHandle(native, out));
    assert_eq!(platform, f.platform);
    let native = made!(f.pi, |out| piextDeviceGetNativeHandle(f.device, out));
    for platform in [f.platform, null_mut()] {
        let device: pi_device = made!(f.pi, |out| piextDeviceCreateWithNativeHandle(native, platform, out));
        assert_eq!(device, f.device);
    }
    // Root devices are not counted. The reference to a part goes with its native handle.
    let (equally, mut part) = ([PI_DEVICE_PARTITION_EQUALLY, 1, 0], null_mut());
    ok!(f.pi, piDevicePartition(f.device, equally.as_ptr(), 1, &mut part, null_mut()));
    let native = made!(f.pi, |out| piextDeviceGetNativeHandle(part, out));
    let device: pi_device = made!(f.pi, |out| piextDeviceCreateWithNativeHandle(native, f.platform, out));
    let references = get!(f.pi, piDeviceGetInfo(device, PI_DEVICE_INFO_REFERENCE_COUNT) as pi_uint32);
    assert_eq!((device, references), (part, 1));
    ok!(f.pi, piDeviceRelease(device));
}

fn an_unknown_platform_is_refused() {
    let f = Fixture::new();
    let mut out = null_mut();
    refused!(
        f.pi,
        piextPlatformCreateWithNativeHandle(0x1234_5670, &mut out),
        PI_ERROR_INVALID_PLATFORM | PI_ERROR_INVALID_VALUE
    );
}

fn a_context_taken_over_is_not_counted() {
    let f = Fixture::new();
    let native = made!(f.pi, |out| piextContextGetNativeHandle(f.context, out));
    let before = count(&f, f.context);
    // The reference that the plugin takes over is created for it.
    ok!(f.pi, piContextRetain(f.context));
    let context: pi_context =
        made!(f.pi, |out| piextContextCreateWithNativeHandle(native, 1, &f.device, 1, out));
    assert_eq!((context, count(&f, context)), (f.context, before + 1));
    ok!(f.pi, piContextRelease(context));
    assert_eq!(count(&f, f.context), before);
}

fn a_context_borrowed_is_counted() {
    let f = Fixture::new();
    let native = made!(f.pi, |out| piextContextGetNativeHandle(f.context, out));
    let before = count(&f, f.context);
    let context: pi_context =
        made!(f.pi, |out| piextContextCreateWithNativeHandle(native, 0, null(), 0, out));
    assert_eq!(count(&f, context), before + 1);
    ok!(f.pi, piContextRelease(context));
    assert_eq!(count(&f, f.context), before);
}

fn queues_in_every_versions_signature() {
    for version in Version::ALL {
        let f = Fixture::at(version);
        let counted = || get!(f.pi, piQueueGetInfo(f.queue, PI_QUEUE_INFO_REFERENCE_COUNT) as u32);
        assert_eq!(counted(), 1);
        let mut desc = 77;
        let native: pi_native_handle = if version <= Version::V12_27 {
            made!(f.pi, |out| piextQueueGetNativeHandle_until_12_27(f.queue, out))
        } else {
            made!(f.pi, |out| piextQueueGetNativeHandle(f.queue, out, &mut desc))
        };
        assert!(version <= Version::V12_27 || desc == 0, "a regular queue");
        let queue: pi_queue = if version <= Version::V12_27 {
            made!(f.pi, |out| piextQueueCreateWithNativeHandle_until_12_27(
                native, f.context, f.device, 0, out
            ))
        } else {
            made!(f.pi, |out| piextQueueCreateWithNativeHandle(
                native,
                0,
                f.context,
                null_mut(),
                0,
                null_mut(),
                out
            ))
        };
        assert_eq!((queue, counted()), (f.queue, 2), "PI {}", version.text());
        ok!(f.pi, piQueueRelease(queue));
        if version == Version::V12_27 {
            let (mut handle, mut desc) = (0, 77);
            ok!(f.pi, piextQueueGetNativeHandle2(f.queue, &mut handle, &mut desc));
            assert_eq!((handle, desc), (native, 0));
            let second: pi_queue = made!(f.pi, |out| piextQueueCreateWithNativeHandle2(
                handle,
                desc,
                f.context,
                f.device,
                0,
                null_mut(),
                out
            ));
            assert_eq!(second, f.queue);
            ok!(f.pi, piQueueRelease(second));
            let mut list = [PI_QUEUE_FLAGS, 0, 0];
            let third: pi_queue =
                made!(f.pi, |out| piextQueueCreate2(f.context, f.device, list.as_mut_ptr(), out));
            ok!(f.pi, piQueueRelease(third));
        }
        assert_eq!(counted(), 1);
    }
}

/// A runtime's interoperability code releases the handle afterwards in either case.
fn a_queue_of_a_handle_has_its_own_reference_whoever_owns_the_handle() {
    let f = Fixture::new();
    let counted = || get!(f.pi, piQueueGetInfo(f.queue, PI_QUEUE_INFO_REFERENCE_COUNT) as u32);
    let (mut native, mut desc) = (0, 77);
    ok!(f.pi, piextQueueGetNativeHandle(f.queue, &mut native, &mut desc));
    for owned in [0, 1] {
        let (context, device, list) = (f.context, f.device, null_mut());
        let queue: pi_queue = made!(f.pi, |out| piextQueueCreateWithNativeHandle(
            native, desc, context, device, owned, list, out
        ));
        assert_eq!((queue, counted()), (f.queue, 2), "owned: {owned}");
        ok!(f.pi, piQueueRelease(queue));
    }
}

fn memory_in_both_signatures() {
    let f = Fixture::new();
    let buffer = f.buffer(&[4_u32]);
    let of_device: pi_native_handle = made!(f.pi, |out| piextMemGetNativeHandle(*buffer, f.device, out));
    let of_any: pi_native_handle = made!(f.pi, |out| piextMemGetNativeHandle(*buffer, null_mut(), out));
    let old: pi_native_handle =
        made!(kernels::old_table(), |out| piextMemGetNativeHandle_until_14_39(*buffer, out));
    assert!(of_device == of_any && of_any == old && old != 0);
    let mem: pi_mem = made!(f.pi, |out| piextMemCreateWithNativeHandle(old, f.context, 0, out));
    assert_eq!(f.content::<u32>(mem, 1), [4]);
    ok!(f.pi, piMemRelease(mem));
    let image: pi_mem =
        made!(f.pi, |out| piextMemImageCreateWithNativeHandle(old, f.context, 0, null(), null(), out));
    ok!(f.pi, piMemRelease(image));
    assert_eq!(get!(f.pi, piMemGetInfo(*buffer, 0x1105) as u32), 1);
}

fn programs_and_kernels() {
    let f = Fixture::new();
    let program = f.built_source();
    let native = made!(f.pi, |out| piextProgramGetNativeHandle(*program, out));
    let same: pi_program = made!(f.pi, |out| piextProgramCreateWithNativeHandle(native, f.context, 0, out));
    let kernel = f.kernel(same, c"nothing");
    ok!(f.pi, piProgramRelease(same));
    let native = made!(f.pi, |out| piextKernelGetNativeHandle(*kernel, out));
    for program in [*program, null_mut()] {
        let same: pi_kernel =
            made!(f.pi, |out| piextKernelCreateWithNativeHandle(native, f.context, program, 0, out));
        f.launch(same, 1);
        ok!(f.pi, piKernelRelease(same));
    }
    assert_eq!(get!(f.pi, piKernelGetInfo(*kernel, PI_KERNEL_INFO_REFERENCE_COUNT) as u32), 1);
}

fn events() {
    let f = Fixture::new();
    let event = f.signalled_event();
    let native = made!(f.pi, |out| piextEventGetNativeHandle(event, out));
    let same: pi_event = made!(f.pi, |out| piextEventCreateWithNativeHandle(native, f.context, 0, out));
    ok!(f.pi, piEventsWait(1, &same));
    ok!(f.pi, piEventRelease(same));
    assert_eq!(get!(f.pi, piEventGetInfo(event, PI_EVENT_INFO_REFERENCE_COUNT) as u32), 1);
    ok!(f.pi, piEventRelease(event));
}

fn null_handles_are_refused() {
    let f = Fixture::new();
    let (mut queue, mut mem) = (null_mut(), null_mut());
    refused!(
        f.pi,
        piextQueueCreateWithNativeHandle(0, 0, f.context, f.device, 0, null_mut(), &mut queue),
        PI_ERROR_INVALID_QUEUE | PI_ERROR_INVALID_VALUE
    );
    refused!(
        f.pi,
        piextMemCreateWithNativeHandle(0, f.context, 0, &mut mem),
        PI_ERROR_INVALID_MEM_OBJECT | PI_ERROR_INVALID_VALUE
    );
    refused!(
        f.pi,
        piextMemGetNativeHandle(*f.buffer(&[0_u8]), null_mut(), null_mut()),
        PI_ERROR_INVALID_VALUE
    );
}
