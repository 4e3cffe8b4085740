//! Objects of the driver as objects of the interface, which are destroyed only if they were given away.

use std::ptr::{null_mut, with_exposed_provenance_mut};

use level_zero_sys::*;

use super::Case;
use crate::fixture::{KERNELS, newest};
use crate::{Fixture, Soft, ok};
use sycl_pi_core::*;
use testing_support::platform;

pub(crate) const CASES: &[Case] = &[
    ("contexts_and_queues_of_the_driver_are_destroyed_only_if_given_away", contexts_and_queues),
    ("events_and_programs_of_the_driver_are_destroyed_only_if_given_away", events_and_programs),
    ("memory_of_the_driver_is_freed_only_if_given_away", memory),
];

/// Whether an object is given away, and how often the driver's then is destroyed.
const OWNED: [(pi_cxx_bool, u64); 2] = [(0, 0), (1, 1)];

/// The driver's handles of a fixture.
struct Handles {
    driver: ze_driver_handle_t,
    context: ze_context_handle_t,
    device: ze_device_handle_t,
}

impl Handles {
    fn of(fixture: &Fixture) -> Self {
        let (pi, [mut driver, mut context, mut device]) = (fixture.pi, [0; 3]);
        ok!(pi, piextPlatformGetNativeHandle(platform(pi), &mut driver));
        ok!(pi, piextContextGetNativeHandle(fixture.context, &mut context));
        ok!(pi, piextDeviceGetNativeHandle(fixture.device, &mut device));
        Self {
            driver: ze_driver_handle_t(with_exposed_provenance_mut(driver)),
            context: ze_context_handle_t(with_exposed_provenance_mut(context)),
            device: ze_device_handle_t(with_exposed_provenance_mut(device)),
        }
    }
}

/// Returns how often the driver's function is called by the work.
fn calls(function: &str, work: impl FnOnce()) -> u64 {
    let soft = Soft::find().unwrap();
    soft.reset();
    work();
    soft.report().calls.get(function).copied().unwrap_or(0)
}

fn contexts_and_queues() {
    let fixture = Fixture::new(newest());
    let (pi, of, ze) = (fixture.pi, Handles::of(&fixture), ze().unwrap());
    for (owned, destroyed) in OWNED {
        let (mut native, desc) = (ze_context_handle_t(null_mut()), ze_context_desc_t::default());
        // SAFETY: a live driver, and room for a context.
        unsafe { ze.zeContextCreate(of.driver, &desc, &mut native) }.unwrap();
        let (handle, mut context) = (native.0.expose_provenance(), null_mut());
        ok!(pi, piextContextCreateWithNativeHandle(handle, 1, &fixture.device, owned, &mut context));
        assert_eq!(
            calls("zeContextDestroy", || ok!(pi, piContextRelease(context))),
            destroyed,
            "owned: {owned}"
        );
        if owned == 0 {
            // SAFETY: nothing else destroys it.
            unsafe { ze.zeContextDestroy(native) }.unwrap();
        }
        let desc = ze_command_queue_desc_t::default();
        let (mut plain, mut immediate) =
            (ze_command_queue_handle_t(null_mut()), ze_command_list_handle_t(null_mut()));
        // SAFETY: live handles, and room for a queue and a list.
        unsafe {
            ze.zeCommandQueueCreate(of.context, of.device, &desc, &mut plain).unwrap();
            ze.zeCommandListCreateImmediate(of.context, of.device, &desc, &mut immediate).unwrap();
        }
        let handles = [
            (plain.0.expose_provenance(), 0, "zeCommandQueueDestroy"),
            (immediate.0.expose_provenance(), 1, "zeCommandListDestroy"),
        ];
        for (handle, kind, function) in handles {
            let (mut queue, mut properties) = (null_mut(), [PI_QUEUE_FLAGS, 0, 0]);
            let (context, device, list) = (fixture.context, fixture.device, properties.as_mut_ptr());
            ok!(pi, piextQueueCreateWithNativeHandle(handle, kind, context, device, owned, list, &mut queue));
            let called = calls(function, || ok!(pi, piQueueRelease(queue)));
            assert_eq!(called, destroyed, "{function}, owned: {owned}");
        }
        if owned == 0 {
            // SAFETY: nothing else destroys them.
            unsafe {
                ze.zeCommandQueueDestroy(plain).unwrap();
                ze.zeCommandListDestroy(immediate).unwrap();
            }
        }
    }
}

fn events_and_programs() {
    let fixture = Fixture::new(newest());
    let (pi, mut of, ze) = (fixture.pi, Handles::of(&fixture), ze().unwrap());
    let (mut pool, desc) =
        (ze_event_pool_handle_t(null_mut()), ze_event_pool_desc_t { count: 2, ..Default::default() });
    // SAFETY: live handles, and room for a pool.
    unsafe { ze.zeEventPoolCreate(of.context, &desc, 1, &mut of.device, &mut pool) }.unwrap();
    for (owned, destroyed) in OWNED {
        let desc = ze_event_desc_t { index: u32::from(owned), ..Default::default() };
        let (mut native, mut event) = (ze_event_handle_t(null_mut()), null_mut());
        // SAFETY: a live pool, and room for an event.
        unsafe { ze.zeEventCreate(pool, &desc, &mut native) }.unwrap();
        let handle = native.0.expose_provenance();
        ok!(pi, piextEventCreateWithNativeHandle(handle, fixture.context, owned, &mut event));
        let called = calls("zeEventDestroy", || ok!(pi, piEventRelease(event)));
        assert_eq!(called, destroyed, "owned: {owned}");
        if owned == 0 {
            // SAFETY: nothing else destroys it.
            unsafe { ze.zeEventDestroy(native) }.unwrap();
        }
        let desc = ze_module_desc_t {
            format: ZE_MODULE_FORMAT_IL_SPIRV,
            inputSize: KERNELS.len(),
            pInputModule: KERNELS.as_ptr(),
            pBuildFlags: c"".as_ptr(),
            ..Default::default()
        };
        let (mut module, mut kernel) = (ze_module_handle_t(null_mut()), ze_kernel_handle_t(null_mut()));
        let of_kernel = ze_kernel_desc_t { pKernelName: c"nothing".as_ptr(), ..Default::default() };
        // SAFETY: live handles, descriptors of live bytes, and room for the objects.
        unsafe {
            ze.zeModuleCreate(of.context, of.device, &desc, &mut module, null_mut()).unwrap();
            ze.zeKernelCreate(module, &of_kernel, &mut kernel).unwrap();
        }
        let (mut program, mut made, context) = (null_mut(), null_mut(), fixture.context);
        let (of_module, of_kernel) = (module.0.expose_provenance(), kernel.0.expose_provenance());
        ok!(pi, piextProgramCreateWithNativeHandle(of_module, context, owned, &mut program));
        ok!(pi, piextKernelCreateWithNativeHandle(of_kernel, context, program, owned, &mut made));
        let called = calls("zeKernelDestroy", || ok!(pi, piKernelRelease(made)));
        assert_eq!(called, destroyed, "owned: {owned}");
        if owned == 0 {
            // SAFETY: nothing else destroys it.
            unsafe { ze.zeKernelDestroy(kernel) }.unwrap();
        }
        let called = calls("zeModuleDestroy", || ok!(pi, piProgramRelease(program)));
        assert_eq!(called, destroyed, "owned: {owned}");
        if owned == 0 {
            // SAFETY: nothing else destroys it.
            unsafe { ze.zeModuleDestroy(module) }.unwrap();
        }
    }
    // SAFETY: its events are destroyed.
    unsafe { ze.zeEventPoolDestroy(pool) }.unwrap();
}

fn memory() {
    let fixture = Fixture::new(newest());
    let (pi, of, ze) = (fixture.pi, Handles::of(&fixture), ze().unwrap());
    for (owned, destroyed) in OWNED {
        let (mut start, mut mem, desc) = (null_mut(), null_mut(), ze_device_mem_alloc_desc_t::default());
        // SAFETY: live handles, and room for an address.
        unsafe { ze.zeMemAllocDevice(of.context, &desc, 64, 64, of.device, &mut start) }.unwrap();
        let handle = start.expose_provenance();
        ok!(pi, piextMemCreateWithNativeHandle(handle, fixture.context, owned, &mut mem));
        let called = calls("zeMemFree", || ok!(pi, piMemRelease(mem)));
        assert_eq!(called, destroyed, "owned: {owned}");
        if owned == 0 {
            // SAFETY: nothing else frees it.
            unsafe { ze.zeMemFree(of.context, start) }.unwrap();
        }
    }
}
