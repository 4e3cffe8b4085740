//! `piextUSMHostAlloc`, `piextUSMDeviceAlloc`, `piextUSMSharedAlloc`, `piextUSMFree`.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::{Backend, CallError};

use crate::case::{Case, alone, case};
use crate::env::{Env, ramp};
use crate::outcome::{
    BUFFER_SIZE, CONTEXT, Codes, DEVICE, Failure, VALUE, Verdict, check, codes, refusal, same,
};
use crate::values::InWords;

pub(super) const CASES: &[Case] = &[
    case("USM-01", "piextUSMDeviceAlloc", each_kind),
    case("USM-02", "piextUSMHostAlloc", host_is_there_at_once),
    case("USM-03", "piextUSMDeviceAlloc", size_0),
    case("USM-04", "piextUSMDeviceAlloc", default_alignment),
    case("USM-05", "piextUSMDeviceAlloc", odd_alignment),
    case("USM-06", "piextUSMDeviceAlloc", each_alignment),
    case("USM-07", "piextUSMDeviceAlloc", huge_alignment),
    case("USM-08", "piextUSMDeviceAlloc", unknown_property),
    case("USM-09", "piextUSMDeviceAlloc", nulls),
    case("USM-10", "piextUSMDeviceAlloc", too_large),
    case("USM-11", "piextUSMFree", each_kind_and_null),
    case("USM-12", "piextUSMFree", while_in_use),
    alone("USM-13", "piextUSMFree", foreign_pointers),
    case("USM-30", "piextUSMSharedAlloc", host_between_kernels),
    case("USM-32", "piextUSMImport", import),
    case("USM-33", "piextUSMDeviceAlloc", many),
];

/// The codes of vendors for an empty allocation.
const EMPTY: Codes =
    codes(&[PI_ERROR_INVALID_BUFFER_SIZE, PI_ERROR_INVALID_VALUE, PI_ERROR_OUT_OF_RESOURCES], &[]);

#[derive(Clone, Copy, Debug)]
enum Kind {
    Host,
    Device,
    Shared,
}

/// Returns the kinds that the device supports.
fn kinds(f: &Env) -> Verdict<Vec<Kind>> {
    let mut kinds = Vec::new();
    for (kind, support) in [
        (Kind::Host, PI_DEVICE_INFO_USM_HOST_SUPPORT),
        (Kind::Device, PI_DEVICE_INFO_USM_DEVICE_SUPPORT),
        (Kind::Shared, PI_DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT),
    ] {
        match f.need_usm(support) {
            Ok(()) => kinds.push(kind),
            Err(Failure::Skip(_)) => {}
            Err(wrong) => return Err(wrong),
        }
    }
    if kinds.is_empty() { Err(Failure::skip(crate::skip::NO_USM)) } else { Ok(kinds) }
}

struct Ask {
    context: pi_context,
    device: pi_device,
    properties: *mut pi_usm_mem_properties,
    size: usize,
    alignment: u32,
}

impl Ask {
    fn new(f: &Env, size: usize) -> Verdict<Self> {
        Ok(Self { context: f.context()?, device: f.device, properties: null_mut(), size, alignment: 0 })
    }

    fn of(&self, f: &Env, kind: Kind, out: *mut *mut c_void) -> Result<(), CallError> {
        let Self { context, device, properties, size, alignment } = *self;
        match kind {
            Kind::Host => call!(f, piextUSMHostAlloc(out, context, properties, size, alignment)),
            Kind::Device => call!(f, piextUSMDeviceAlloc(out, context, device, properties, size, alignment)),
            Kind::Shared => call!(f, piextUSMSharedAlloc(out, context, device, properties, size, alignment)),
        }
    }

    /// Allocates, checks and frees.
    fn made(&self, f: &Env, kind: Kind, look: impl Fn(*mut c_void) -> Verdict) -> Verdict {
        let mut ptr = null_mut();
        self.of(f, kind, &mut ptr)?;
        check(&format!("{kind:?}"), !ptr.is_null(), "an address", "null")?;
        let seen = look(ptr);
        ok!(f, piextUSMFree(self.context, ptr));
        seen
    }

    fn refused(&self, f: &Env, kind: Kind, codes: Codes) -> Verdict {
        let mut ptr = null_mut();
        refusal(&format!("piextUSM{kind:?}Alloc"), f.strict, self.of(f, kind, &mut ptr), codes)?;
        check(&format!("{kind:?}"), ptr.is_null(), "no address written", "one was")
    }
}

fn each(f: &Env, look: impl Fn(Kind) -> Verdict) -> Verdict {
    kinds(f)?.into_iter().try_for_each(look)
}

fn each_kind(f: &Env) -> Verdict {
    each(f, |kind| Ask::new(f, 8)?.made(f, kind, |_| Ok(())))
}

fn host_is_there_at_once(f: &Env) -> Verdict {
    let usm = f.host(256)?;
    // SAFETY: host USM of that size.
    let bytes = unsafe { std::slice::from_raw_parts_mut(usm.ptr.cast::<u8>(), usm.size) };
    bytes.copy_from_slice(&ramp(256));
    same("bytes", ramp(256), bytes.to_vec())
}

/// A refusal. Vendors' plugins of other backends than OpenCL may return null or an address to free.
fn size_0(f: &Env) -> Verdict {
    each(f, |kind| {
        let ask = Ask::new(f, 0)?;
        if f.backend == Backend::OpenCl || f.strict {
            return ask.refused(f, kind, BUFFER_SIZE);
        }
        let mut ptr = null_mut();
        match ask.of(f, kind, &mut ptr) {
            Ok(()) if ptr.is_null() => Ok(()),
            Ok(()) => Ok(ok!(f, piextUSMFree(ask.context, ptr))),
            result => refusal(&format!("piextUSM{kind:?}Alloc"), f.strict, result, EMPTY).map(drop),
        }
    })
}

fn default_alignment(f: &Env) -> Verdict {
    each(f, |kind| {
        Ask::new(f, 100)?.made(f, kind, |ptr| {
            check(
                &format!("{kind:?}"),
                (ptr as usize).is_multiple_of(16),
                "at least 16 bytes",
                ptr.in_words(),
            )
        })
    })
}

fn odd_alignment(f: &Env) -> Verdict {
    each(f, |kind| {
        [3, 12, 100]
            .into_iter()
            .try_for_each(|alignment| Ask { alignment, ..Ask::new(f, 64)? }.refused(f, kind, VALUE))
    })
}

fn each_alignment(f: &Env) -> Verdict {
    each(f, |kind| {
        for alignment in [1_u32, 2, 4, 8, 16, 32, 64] {
            Ask { alignment, ..Ask::new(f, 100)? }.made(f, kind, |ptr| {
                let aligned = (ptr as usize).is_multiple_of(alignment as usize);
                check(&format!("{kind:?}"), aligned, format!("alignment {alignment}"), ptr.in_words())
            })?;
        }
        [64, 256, 4096].into_iter().try_for_each(|alignment| side_by_side(f, kind, alignment))
    })
}

/// Small blocks that exist at the same time, of an alignment that the plugin may refuse.
fn side_by_side(f: &Env, kind: Kind, alignment: u32) -> Verdict {
    let (ask, mut blocks) = (Ask { alignment, ..Ask::new(f, 8)? }, Vec::new());
    for _ in 0..4 {
        let mut ptr = null_mut();
        if ask.of(f, kind, &mut ptr).is_ok() {
            blocks.push(ptr);
        }
    }
    let wrong = blocks.iter().find(|ptr| !(**ptr as usize).is_multiple_of(alignment as usize)).copied();
    for ptr in blocks {
        ok!(f, piextUSMFree(ask.context, ptr));
    }
    let Some(wrong) = wrong else { return Ok(()) };
    check(&format!("{kind:?}"), false, format!("alignment {alignment} for each of several"), wrong.in_words())
}

/// A plugin that accepts the alignment has to respect it.
fn huge_alignment(f: &Env) -> Verdict {
    let codes = codes(&[PI_ERROR_INVALID_VALUE, PI_ERROR_OUT_OF_HOST_MEMORY, PI_ERROR_OUT_OF_RESOURCES], &[]);
    for alignment in [1 << 24, 1 << 30] {
        each(f, |kind| {
            let (ask, mut ptr) = (Ask { alignment, ..Ask::new(f, 64)? }, null_mut());
            if let Err(error) = ask.of(f, kind, &mut ptr) {
                return refusal("", f.strict, Err(error), codes).map(|_| ());
            }
            let aligned = (ptr as usize).is_multiple_of(alignment as usize);
            ok!(f, piextUSMFree(ask.context, ptr));
            check(&format!("{kind:?}"), aligned, format!("{alignment}, or a refusal"), ptr.in_words())
        })?;
    }
    Ok(())
}

fn unknown_property(f: &Env) -> Verdict {
    let mut list = [0x7777, 1, 0];
    each(f, |kind| Ask { properties: list.as_ptr().cast_mut(), ..Ask::new(f, 64)? }.refused(f, kind, VALUE))?;
    list = [0; 3];
    each(f, |kind| {
        Ask { properties: list.as_ptr().cast_mut(), ..Ask::new(f, 64)? }.made(f, kind, |_| Ok(()))
    })?;
    if f.backend != Backend::OpenCl {
        return Ok(());
    }
    list = [PI_MEM_ALLOC_FLAGS, PI_MEM_ALLOC_DEVICE_READ_ONLY, 0];
    each(f, |kind| Ask { properties: list.as_ptr().cast_mut(), ..Ask::new(f, 64)? }.made(f, kind, |_| Ok(())))
}

fn nulls(f: &Env) -> Verdict {
    each(f, |kind| {
        Ask { context: null_mut(), ..Ask::new(f, 64)? }.refused(f, kind, CONTEXT)?;
        if matches!(kind, Kind::Device) {
            Ask { device: null_mut(), ..Ask::new(f, 64)? }.refused(f, kind, DEVICE)?;
        }
        refusal(&format!("{kind:?}"), f.strict, Ask::new(f, 64)?.of(f, kind, null_mut()), VALUE).map(|_| ())
    })
}

fn too_large(f: &Env) -> Verdict {
    let codes = codes(
        &[
            PI_ERROR_OUT_OF_RESOURCES,
            PI_ERROR_OUT_OF_HOST_MEMORY,
            PI_ERROR_INVALID_BUFFER_SIZE,
            PI_ERROR_MEM_OBJECT_ALLOCATION_FAILURE,
        ],
        &[],
    );
    let most = f.fact::<u64>(PI_DEVICE_INFO_GLOBAL_MEM_SIZE)? as usize;
    each(f, |kind| {
        Ask::new(f, usize::MAX - 100)?.refused(f, kind, codes)?;
        let (ask, mut ptr) = (Ask::new(f, most.saturating_mul(16))?, null_mut());
        let result = ask.of(f, kind, &mut ptr);
        refusal(&format!("piextUSM{kind:?}Alloc"), f.strict, result, codes).map(drop)
    })
}

fn each_kind_and_null(f: &Env) -> Verdict {
    each(f, |kind| Ask::new(f, 1 << 16)?.made(f, kind, |_| Ok(())))?;
    refused!(f, piextUSMFree(f.context()?, null_mut()), VALUE);
    refused!(f, piextUSMFree(null_mut(), std::ptr::dangling_mut()), CONTEXT);
    Ok(())
}

fn while_in_use(f: &Env) -> Verdict {
    let (kernel, queue) = (f.kernel(c"slow")?, f.queue()?);
    let usm = f.on_device(64)?;
    f.set_pointer(*kernel, 0, usm.ptr)?;
    f.set_arg(*kernel, 1, 20_000_000_i32)?;
    let event = f.own_event(f.launch_on(queue, *kernel, 1)?);
    drop(usm);
    ok!(f, piEventsWait(1, &*event));
    Ok(())
}

/// A refusal, or success of a plugin that is not tested strictly. The process must not crash.
fn foreign_pointers(f: &Env) -> Verdict {
    kinds(f)?;
    let mut here = [0_u8; 64];
    let context = f.context()?;
    let on_the_stack = call!(f, piextUSMFree(context, here.as_mut_ptr().cast()));
    if f.strict { refusal("pointer to the stack", true, on_the_stack, VALUE).map(drop) } else { Ok(()) }
}

/// The kernel adds, the host multiplies, the kernel adds again.
fn host_between_kernels(f: &Env) -> Verdict {
    let (kernel, usm) = (f.kernel(c"add_value")?, f.shared(64)?);
    // SAFETY: shared USM of that size; no kernel runs while the host uses it.
    let values = || unsafe { std::slice::from_raw_parts_mut(usm.ptr.cast::<i32>(), 16) };
    values().fill(1);
    f.set_pointer(*kernel, 0, usm.ptr)?;
    f.set_arg(*kernel, 1, 2_i32)?;
    f.launch(*kernel, 16)?;
    same("values after the first kernel", vec![3; 16], values().to_vec())?;
    values().iter_mut().for_each(|value| *value *= 10);
    f.launch(*kernel, 16)?;
    same("values after the second", vec![32; 16], values().to_vec())
}

fn import(f: &Env) -> Verdict {
    f.since(Version::V14_37)?;
    let (host, context) = (vec![0_u8; 8192], f.context()?);
    let start: *const c_void = host.as_ptr().cast();
    ok!(f, piextUSMImport(start, host.len(), context));
    ok!(f, piextUSMRelease(start, context));
    refused!(f, piextUSMImport(start, host.len(), null_mut()), CONTEXT);
    refused!(f, piextUSMImport(null(), 64, context), VALUE);
    Ok(())
}

fn many(f: &Env) -> Verdict {
    let pages = || -> usize {
        let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        text.split_whitespace().nth(1).and_then(|word| word.parse().ok()).unwrap_or(0)
    };
    let ask = Ask::new(f, 4096)?;
    each(f, |kind| {
        let round = |count: usize| (0..count).try_for_each(|_| ask.made(f, kind, |_| Ok(())));
        round(1000)?;
        let before = pages();
        round(9000)?;
        let grown = pages().saturating_sub(before) * 4096;
        check(&format!("{kind:?}"), grown < 8 << 20, "less than 8 MiB more", format!("{grown} bytes more"))
    })
}
