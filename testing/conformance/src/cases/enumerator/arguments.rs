//! Calls with an enumerator or with flags as an argument: every number, and some of no version.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::CallError;

use super::list::{Enumeration, enumeration, flags};
use crate::case::{Case, case};
use crate::cases::all_well::all_well;
use crate::env::Env;
use crate::env::commands::there;
use crate::outcome::{Failure, Verdict, answer, check};
use crate::skip;

pub(super) const CASES: &[Case] = &[case("ENU-02", "piDevicesGet", every_argument)];

type Call<'a> = Box<dyn Fn(i64) -> Result<(), CallError> + 'a>;

/// A call with a number.
pub(super) struct Attempt<'a> {
    /// The call's name.
    pub(super) name: &'static str,
    pub(super) numbers: Enumeration,
    /// The codes for a number that the device or the driver does not support.
    pub(super) refusals: &'static [pi_result],
    pub(super) call: Call<'a>,
}

/// Makes all calls. A known number succeeds or has one of the codes, and an unknown one has one of the codes.
pub(super) fn all(attempts: &[Attempt<'_>], least: usize) -> Verdict {
    let (mut wrong, mut tried) = (Vec::new(), 0);
    for Attempt { name, numbers, refusals, call } in attempts {
        for ((number, value), known) in numbers.all() {
            // The last line of a worker that crashes says where.
            eprintln!("{name}({number})");
            tried += 1;
            let got = match call(*value) {
                Ok(()) if known => continue,
                Ok(()) => "PI_SUCCESS".to_owned(),
                Err(CallError::Failed { code, .. }) if refusals.contains(&code) => continue,
                Err(error) => answer(error),
            };
            wrong.push(format!("{name}({number}) gives {got}"));
        }
    }
    check("", tried > least, format!("more than {least} numbers"), tried)?;
    all_well("each number taken or refused", &wrong)
}

const VALUE: &[pi_result] = &[PI_ERROR_INVALID_VALUE];
const UNSUPPORTED: &[pi_result] =
    &[PI_ERROR_INVALID_VALUE, PI_ERROR_INVALID_OPERATION, PI_ERROR_UNSUPPORTED_FEATURE];
const DEVICE_TYPE: &[pi_result] =
    &[PI_ERROR_INVALID_VALUE, PI_ERROR_INVALID_DEVICE_TYPE, PI_ERROR_DEVICE_NOT_FOUND];
const HOST_PTR: &[pi_result] = &[PI_ERROR_INVALID_VALUE, PI_ERROR_INVALID_HOST_PTR];
const QUEUE: &[pi_result] = &[PI_ERROR_INVALID_VALUE, PI_ERROR_INVALID_QUEUE_PROPERTIES];

extern "C" fn noted(_: pi_event, _: pi_int32, _: *mut c_void) {}

fn every_argument(f: &Env) -> Verdict {
    if skip::is_through_ur() {
        // The bridge knows the numbers that it converts. UR-80 and UR-81 try an adapter's.
        return Err(Failure::skip(skip::NO_COUNTERPART));
    }
    let (context, queue, device) = (f.context()?, f.queue()?, f.device);
    let (mem, mut host) = (f.blank(64)?, [0_u64; 8]);
    let buffer = *mem;
    let place: *mut c_void = host.as_mut_ptr().cast();
    let kernel = there(f.kernel(c"slow"))?;
    let shared = there(f.shared(64))?;
    let event = f.own_event(made!(f, |out| piEnqueueEventsWait(queue, 0, null(), out)));
    let mut attempts: Vec<Attempt<'_>> = Vec::new();
    let mut add = |name, numbers, refusals, call| attempts.push(Attempt { name, numbers, refusals, call });

    let devices =
        move |kind: i64| call!(f, piDevicesGet(f.platform, kind as pi_device_type, 0, null_mut(), &mut 0));
    add("piDevicesGet", flags(f, "_pi_device_type", 40)?, DEVICE_TYPE, Box::new(devices));
    let buffers = move |bits: i64| {
        let of_host = bits as u64 & (PI_MEM_FLAGS_HOST_PTR_USE | PI_MEM_FLAGS_HOST_PTR_COPY) != 0;
        let (start, mut made) = (if of_host { place } else { null_mut() }, null_mut());
        call!(f, piMemBufferCreate(context, bits as u64, 64, start, &mut made, null()))?;
        call!(f, piMemRelease(made))
    };
    add("piMemBufferCreate", flags(f, "pi_mem_flags", 40)?, HOST_PTR, Box::new(buffers));
    let parts = move |kind: i64| {
        let (mut region, mut made) = (pi_buffer_region_struct { origin: 0, size: 32 }, null_mut());
        let region = (&raw mut region).cast();
        call!(f, piMemBufferPartition(buffer, PI_MEM_FLAGS_ACCESS_RW, kind as u32, region, &mut made))?;
        call!(f, piMemRelease(made))
    };
    add("piMemBufferPartition", enumeration(f, "_pi_buffer_create_type")?, VALUE, Box::new(parts));
    let maps = move |bits: i64| {
        let (mut address, bits) = (null_mut(), bits as u64);
        let to = &raw mut address;
        call!(f, piEnqueueMemBufferMap(queue, buffer, PI_TRUE, bits, 0, 64, 0, null(), null_mut(), to))?;
        call!(f, piEnqueueMemUnmap(queue, buffer, address, 0, null(), null_mut()))
    };
    add("piEnqueueMemBufferMap", flags(f, "pi_map_flags", 40)?, VALUE, Box::new(maps));
    let queues = move |bits: i64| {
        let mut made = null_mut();
        call!(f, piQueueCreate(context, device, bits as u64, &mut made))?;
        call!(f, piQueueRelease(made))
    };
    add("piQueueCreate", flags(f, "pi_queue_flag_bits", 40)?, QUEUE, Box::new(queues));
    if f.pi.piextQueueCreate.is_some() {
        let queues = move |bits: i64| {
            let (mut list, mut made) = ([PI_QUEUE_FLAGS, bits as u64, 0], null_mut());
            call!(f, piextQueueCreate(context, device, list.as_mut_ptr(), &mut made))?;
            call!(f, piQueueRelease(made))
        };
        add("piextQueueCreate", flags(f, "pi_queue_flag_bits", 40)?, QUEUE, Box::new(queues));
    }
    let raw = *event;
    let callbacks = move |status: i64| {
        call!(f, piEventSetCallback(raw, status as i32, Some(noted), null_mut()))?;
        call!(f, piEventsWait(1, &raw))
    };
    add("piEventSetCallback", enumeration(f, "_pi_event_status")?, UNSUPPORTED, Box::new(callbacks));
    if let Some(kernel) = &kernel {
        let raw = **kernel;
        let infos = move |name: i64| {
            let (yes, pointers, cache) = (PI_TRUE, [place], 0_u32);
            let (size, value): (usize, *const c_void) = match name as u32 {
                PI_USM_INDIRECT_ACCESS => (4, (&raw const yes).cast()),
                PI_USM_PTRS => (8, pointers.as_ptr().cast()),
                _ => (4, (&raw const cache).cast()),
            };
            call!(f, piKernelSetExecInfo(raw, name as u32, size, value))
        };
        add("piKernelSetExecInfo", enumeration(f, "_pi_kernel_exec_info")?, UNSUPPORTED, Box::new(infos));
        let caches = move |config: i64| {
            let config = config as u32;
            let value = (&raw const config).cast();
            call!(f, piKernelSetExecInfo(raw, PI_EXT_KERNEL_EXEC_INFO_CACHE_CONFIG, 4, value))
        };
        let known = enumeration(f, "_pi_kernel_cache_config")?;
        add("piKernelSetExecInfo, cache", known, UNSUPPORTED, Box::new(caches));
    }
    if let Some(shared) = &shared {
        let start: *const c_void = shared.ptr;
        let prefetches = move |bits: i64| {
            call!(f, piextUSMEnqueuePrefetch(queue, start, 64, bits as u64, 0, null(), null_mut()))
        };
        let known = flags(f, "_pi_usm_migration_flags", 40)?;
        add("piextUSMEnqueuePrefetch", known, VALUE, Box::new(prefetches));
    }
    // USM-28 and USM-29 try the numbers of older versions.
    if let (Some(shared), true) = (&shared, f.pi.piextUSMEnqueueMemAdvise.is_some()) {
        let start: *const c_void = shared.ptr;
        let advices = move |advice: i64| {
            let mut event = null_mut();
            call!(f, piextUSMEnqueueMemAdvise(queue, start, 64, advice as pi_mem_advice, &mut event))?;
            call!(f, piEventRelease(event))
        };
        add("piextUSMEnqueueMemAdvise", flags(f, "_pi_mem_advice", 30)?, UNSUPPORTED, Box::new(advices));
    }
    all(&attempts, 40)
}
