//! Buffers over the caller's memory.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;

use crate::case::{Case, case};
use crate::env::{Env, Owned, ramp};
use crate::outcome::{Verdict, check, same};
use crate::values::InWords;

pub(super) const CASES: &[Case] = &[
    case("MEM-06", "piMemBufferCreate", copies_at_once),
    case("MEM-07", "piMemBufferCreate", uses_it),
    case("MEM-08", "piMemBufferCreate", allocated_then_mapped),
    case("MEM-09", "piMemBufferCreate", allocated_and_written_by_map),
];

fn copies_at_once(f: &Env) -> Verdict {
    let mut content = ramp(4096);
    let buffer = f.buffer(&content)?;
    content.fill(0);
    same("content", ramp(4096), f.read(*buffer, 4096)?)?;
    drop(buffer);
    same("the caller's bytes after the release", vec![0; 4096], content)
}

/// The buffer may keep a copy. It must only show the bytes from before or after the change.
fn uses_it(f: &Env) -> Verdict {
    #[repr(align(4096))]
    struct Page([u8; 4096]);
    let mut page = Box::new(Page([1; 4096]));
    let context = f.context()?;
    let start: *mut c_void = page.0.as_mut_ptr().cast();
    let flags = PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_USE;
    let buffer = f.own_mem(made!(f, |out| piMemBufferCreate(context, flags, 4096, start, out, null())));
    page.0.fill(2);
    let read: Vec<u8> = f.read(*buffer, 4096)?;
    let sane = read.iter().all(|byte| *byte == 1) || read.iter().all(|byte| *byte == 2);
    check("", sane, "the bytes before or after the change", format!("{}...", read[..8].in_words()))
}

fn allocated(f: &Env) -> Verdict<Owned<'_, pi_mem>> {
    let context = f.context()?;
    let flags = PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_ALLOC;
    Ok(f.own_mem(made!(f, |out| piMemBufferCreate(context, flags, 4, null_mut(), out, null()))))
}

fn map(f: &Env, buffer: pi_mem, flags: pi_map_flags) -> Verdict<*mut c_void> {
    let queue = f.queue()?;
    Ok(made!(f, |out| piEnqueueMemBufferMap(queue, buffer, PI_TRUE, flags, 0, 4, 0, null(), null_mut(), out)))
}

fn unmap(f: &Env, buffer: pi_mem, mapped: *mut c_void) -> Verdict {
    let queue = f.queue()?;
    let event = made!(f, |out| piEnqueueMemUnmap(queue, buffer, mapped, 0, null(), out));
    f.wait(event)
}

fn allocated_then_mapped(f: &Env) -> Verdict {
    let buffer = allocated(f)?;
    f.write_on(f.queue()?, *buffer, 0, &[0x1234_5678_u32])?;
    let mapped = map(f, *buffer, PI_MAP_READ)?;
    // SAFETY: four mapped bytes.
    let seen = unsafe { mapped.cast::<u32>().read_unaligned() };
    unmap(f, *buffer, mapped)?;
    same("mapped value", 0x1234_5678, seen)
}

fn allocated_and_written_by_map(f: &Env) -> Verdict {
    let buffer = allocated(f)?;
    let mapped = map(f, *buffer, PI_MAP_WRITE)?;
    // SAFETY: four mapped bytes.
    unsafe { mapped.cast::<u32>().write_unaligned(0x8765_4321) };
    unmap(f, *buffer, mapped)?;
    same("value", vec![0x8765_4321_u32], f.read(*buffer, 1)?)
}
