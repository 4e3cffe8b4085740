//! `piEnqueueMemBufferMap`, `piEnqueueMemUnmap`.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;

use crate::case::{Case, case};
use crate::env::{Env, ramp};
use crate::outcome::{SIZE, VALUE, Verdict, same};

pub(super) const CASES: &[Case] = &[
    case("BUF-13", "piEnqueueMemBufferMap", each_flag),
    case("BUF-14", "piEnqueueMemBufferMap", part),
    case("BUF-15", "piEnqueueMemBufferMap", two_at_once),
    case("BUF-16", "piEnqueueMemBufferMap", event_as_wait_event),
    case("BUF-17", "piEnqueueMemBufferMap", on_each_device),
    case("BUF-18", "piEnqueueMemBufferMap", bad_input),
    case("BUF-19", "piEnqueueMemUnmap", bad_pointers),
    case("BUF-20", "piEnqueueMemUnmap", on_another_queue),
    case("BUF-21", "piEnqueueMemBufferMap", part_of_a_sub_buffer),
];

fn map(
    f: &Env,
    queue: pi_queue,
    buffer: pi_mem,
    flags: pi_map_flags,
    range: (usize, usize),
) -> Verdict<*mut u8> {
    let (offset, size) = range;
    let mapped: *mut c_void = made!(f, |out| piEnqueueMemBufferMap(
        queue,
        buffer,
        PI_TRUE,
        flags,
        offset,
        size,
        0,
        null(),
        null_mut(),
        out
    ));
    Ok(mapped.cast())
}

fn unmap(f: &Env, queue: pi_queue, buffer: pi_mem, mapped: *mut u8) -> Verdict {
    let event = made!(f, |out| piEnqueueMemUnmap(queue, buffer, mapped.cast(), 0, null(), out));
    f.wait(event)
}

/// Returns the mapped bytes.
fn seen(mapped: *const u8, count: usize) -> Vec<u8> {
    // SAFETY: `count` bytes are mapped.
    unsafe { std::slice::from_raw_parts(mapped, count) }.to_vec()
}

fn set(mapped: *mut u8, bytes: &[u8]) {
    // SAFETY: this number of bytes is mapped.
    unsafe { mapped.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
}

fn each_flag(f: &Env) -> Verdict {
    let (queue, buffer) = (f.queue()?, f.buffer(&ramp(256))?);
    let mapped = map(f, queue, *buffer, PI_MAP_READ, (0, 256))?;
    let read = seen(mapped, 256);
    unmap(f, queue, *buffer, mapped)?;
    same("bytes seen", ramp(256), read)?;
    for (flags, value) in [(PI_MAP_WRITE, 5_u8), (PI_MAP_WRITE_INVALIDATE_REGION, 6)] {
        let mapped = map(f, queue, *buffer, flags, (0, 256))?;
        set(mapped, &[value; 256]);
        unmap(f, queue, *buffer, mapped)?;
        same("content", vec![value; 256], f.read(*buffer, 256)?)?;
    }
    Ok(())
}

fn part(f: &Env) -> Verdict {
    let (queue, buffer, mut expected) = (f.queue()?, f.buffer(&ramp(256))?, ramp(256));
    let mapped = map(f, queue, *buffer, PI_MAP_READ, (64, 32))?;
    let read = seen(mapped, 32);
    unmap(f, queue, *buffer, mapped)?;
    same("bytes seen", Some(&*read), expected.get(64..96))?;
    for (flags, value) in [(PI_MAP_WRITE, 1_u8), (PI_MAP_WRITE_INVALIDATE_REGION, 2)] {
        let mapped = map(f, queue, *buffer, flags, (64, 32))?;
        set(mapped, &[value; 32]);
        unmap(f, queue, *buffer, mapped)?;
        expected.splice(64..96, [value; 32]);
        same("content", expected.clone(), f.read(*buffer, 256)?)?;
    }
    Ok(())
}

/// The bytes go back to where the sub-buffer is in its parent.
fn part_of_a_sub_buffer(f: &Env) -> Verdict {
    let in_bits: u32 = f.fact(PI_DEVICE_INFO_MEM_BASE_ADDR_ALIGN)?;
    let origin = (in_bits as usize / 8).max(1);
    let (queue, size) = (f.queue()?, origin + 128);
    let mut expected = ramp(size);
    let parent = f.buffer(&expected)?;
    let mut region = pi_buffer_region_struct { origin, size: 128 };
    let (kind, info): (_, *mut c_void) = (PI_BUFFER_CREATE_TYPE_REGION, (&raw mut region).cast());
    let buffer =
        f.own_mem(made!(f, |out| piMemBufferPartition(*parent, PI_MEM_FLAGS_ACCESS_RW, kind, info, out)));
    let here = origin + 32..origin + 96;
    for (flags, value) in [(PI_MAP_READ | PI_MAP_WRITE, 1_u8), (PI_MAP_WRITE_INVALIDATE_REGION, 2)] {
        let mapped = map(f, queue, *buffer, flags, (32, 64))?;
        if flags & PI_MAP_READ != 0 {
            same("bytes seen", expected.get(here.clone()), Some(&*seen(mapped, 64)))?;
        }
        set(mapped, &[value; 64]);
        unmap(f, queue, *buffer, mapped)?;
        expected.splice(here.clone(), [value; 64]);
        same("the parent's bytes", expected.clone(), f.read(*parent, size)?)?;
    }
    Ok(())
}

fn two_at_once(f: &Env) -> Verdict {
    let (queue, buffer) = (f.queue()?, f.buffer(&[9_u8; 256])?);
    let one = map(f, queue, *buffer, PI_MAP_WRITE, (0, 64))?;
    let two = map(f, queue, *buffer, PI_MAP_WRITE, (128, 64))?;
    set(one, &[1; 64]);
    set(two, &[2; 64]);
    unmap(f, queue, *buffer, two)?;
    unmap(f, queue, *buffer, one)?;
    let expected = [[1_u8; 64], [9; 64], [2; 64], [9; 64]].concat();
    same("content", expected, f.read(*buffer, 256)?)
}

fn event_as_wait_event(f: &Env) -> Verdict {
    let (queue, buffer) = (f.queue()?, f.buffer(&ramp(64))?);
    let (mut event, mut mapped) = (null_mut(), null_mut());
    ok!(
        f,
        piEnqueueMemBufferMap(
            queue,
            *buffer,
            PI_FALSE,
            PI_MAP_READ,
            0,
            64,
            0,
            null(),
            &mut event,
            &mut mapped
        )
    );
    let event = f.own_event(event);
    let unmapped = f.own_event(made!(f, |out| piEnqueueMemUnmap(queue, *buffer, mapped, 1, &*event, out)));
    ok!(f, piEventsWait(1, &*unmapped));
    same("content", ramp(64), f.read(*buffer, 64)?)
}

fn on_each_device(f: &Env) -> Verdict {
    let pair = f.pair()?;
    let devices: Vec<pi_device> = pair.iter().take(2).map(|part| **part).collect();
    let context = f.context_of(&devices)?;
    let buffer = f.buffer_in(*context, &[0_u8; 64])?;
    let first = f.queue_in(*context, devices[0], 0)?;
    f.write_on(*first, *buffer, 0, &ramp(64))?;
    ok!(f, piQueueFinish(*first));
    for device in devices {
        let queue = f.queue_in(*context, device, 0)?;
        let mapped = map(f, *queue, *buffer, PI_MAP_READ, (0, 64))?;
        let read = seen(mapped, 64);
        unmap(f, *queue, *buffer, mapped)?;
        same("bytes seen on each device", ramp(64), read)?;
    }
    Ok(())
}

fn bad_input(f: &Env) -> Verdict {
    let (queue, buffer, mut out) = (f.queue()?, f.blank(64)?, null_mut());
    refused!(
        f,
        piEnqueueMemBufferMap(queue, *buffer, PI_TRUE, PI_MAP_READ, 0, 64, 0, null(), null_mut(), null_mut()),
        VALUE
    );
    refused!(
        f,
        piEnqueueMemBufferMap(queue, *buffer, PI_TRUE, 1 << 40, 0, 64, 0, null(), null_mut(), &mut out),
        VALUE
    );
    refused!(
        f,
        piEnqueueMemBufferMap(queue, *buffer, PI_TRUE, PI_MAP_READ, 32, 64, 0, null(), null_mut(), &mut out),
        SIZE
    );
    Ok(())
}

fn bad_pointers(f: &Env) -> Verdict {
    let (queue, buffer, mut elsewhere) = (f.queue()?, f.blank(64)?, [0_u8; 64]);
    let pointer = elsewhere.as_mut_ptr().cast();
    refused!(f, piEnqueueMemUnmap(queue, *buffer, null_mut(), 0, null(), null_mut()), VALUE);
    refused!(f, piEnqueueMemUnmap(queue, *buffer, pointer, 0, null(), null_mut()), VALUE);
    Ok(())
}

fn on_another_queue(f: &Env) -> Verdict {
    let (queue, other, buffer) = (f.queue()?, f.new_queue(0)?, f.buffer(&[0_u8; 64])?);
    let mapped = map(f, queue, *buffer, PI_MAP_WRITE, (0, 64))?;
    set(mapped, &ramp(64));
    unmap(f, *other, *buffer, mapped)?;
    same("content", ramp(64), f.read(*buffer, 64)?)
}
