//! `piMemBufferPartition`.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::cases::image;
use crate::env::{Env, Owned, ramp};
use crate::outcome::{BUFFER_SIZE, MEM, SIZE, VALUE, Verdict, codes, same};

pub(super) const CASES: &[Case] = &[
    case("MEM-19", "piMemBufferPartition", inside),
    case("MEM-20", "piMemBufferPartition", size_0),
    case("MEM-21", "piMemBufferPartition", past_the_end),
    case("MEM-22", "piMemBufferPartition", misaligned),
    case("MEM-23", "piMemBufferPartition", more_access),
    case("MEM-24", "piMemBufferPartition", part_of_a_part),
    case("MEM-25", "piMemBufferPartition", of_an_image),
    case("MEM-26", "piMemBufferPartition", nulls),
    case("MEM-27", "piMemBufferPartition", parent_goes_first),
    case("MEM-28", "piMemBufferPartition", flags_0),
];

const RW: pi_mem_flags = PI_MEM_FLAGS_ACCESS_RW;
const REGION: pi_buffer_create_type = PI_BUFFER_CREATE_TYPE_REGION;

fn alignment(f: &Env) -> Verdict<usize> {
    // In bits.
    Ok((f.fact::<u32>(PI_DEVICE_INFO_MEM_BASE_ADDR_ALIGN)? as usize / 8).max(1))
}

fn part(
    f: &Env,
    parent: pi_mem,
    flags: pi_mem_flags,
    origin: usize,
    size: usize,
) -> Verdict<Owned<'_, pi_mem>> {
    let mut region = pi_buffer_region_struct { origin, size };
    let info: *mut c_void = (&raw mut region).cast();
    Ok(f.own_mem(made!(f, |out| piMemBufferPartition(parent, flags, REGION, info, out))))
}

fn refuse(f: &Env, parent: pi_mem, origin: usize, size: usize, codes: crate::outcome::Codes) -> Verdict {
    let mut region = pi_buffer_region_struct { origin, size };
    let (info, mut out): (*mut c_void, _) = ((&raw mut region).cast(), null_mut());
    refused!(f, piMemBufferPartition(parent, RW, REGION, info, &mut out), codes);
    Ok(())
}

fn inside(f: &Env) -> Verdict {
    let at = alignment(f)?;
    for flags in [RW, 0] {
        let parent = f.buffer(&vec![1_u8; at + 128])?;
        let part = part(f, *parent, flags, at, 64)?;
        f.write_on(f.queue()?, *part, 0, &ramp(64))?;
        let expected = [vec![1; at], ramp(64), vec![1; 64]].concat();
        same("the parent's bytes", expected, f.read(*parent, at + 128)?)?;
        f.write_on(f.queue()?, *parent, at, &[9_u8; 64])?;
        same("the part's bytes", vec![9_u8; 64], f.read(*part, 64)?)?;
    }
    Ok(())
}

fn size_0(f: &Env) -> Verdict {
    refuse(f, *f.blank(64)?, 0, 0, BUFFER_SIZE)
}

fn past_the_end(f: &Env) -> Verdict {
    let at = alignment(f)?;
    let parent = f.blank(at + 64)?;
    refuse(f, *parent, at, 65, SIZE)?;
    refuse(f, *parent, (at + 64).next_multiple_of(at), 1, SIZE)?;
    refuse(f, *parent, at, usize::MAX, SIZE)?;
    refuse(f, *parent, usize::MAX - at + 1, at, SIZE)
}

fn misaligned(f: &Env) -> Verdict {
    let parent = f.blank(4096)?;
    if f.backend != Backend::OpenCl || alignment(f)? == 1 {
        return part(f, *parent, RW, 1, 64).map(|_| ());
    }
    refuse(f, *parent, 1, 64, codes(&[PI_ERROR_MISALIGNED_SUB_BUFFER_OFFSET], &[PI_ERROR_INVALID_VALUE]))
}

fn more_access(f: &Env) -> Verdict {
    let (context, flags) = (f.context()?, PI_MEM_ACCESS_READ_ONLY);
    let parent = f.own_mem(made!(f, |out| piMemBufferCreate(context, flags, 64, null_mut(), out, null())));
    if f.backend == Backend::LevelZero {
        return part(f, *parent, RW, 0, 64).map(|_| ());
    }
    refuse(f, *parent, 0, 64, VALUE)
}

fn part_of_a_part(f: &Env) -> Verdict {
    let parent = f.blank(256)?;
    let first = part(f, *parent, RW, 0, 128)?;
    refuse(f, *first, 0, 64, MEM)
}

fn of_an_image(f: &Env) -> Verdict {
    f.need_images()?;
    refuse(f, *image::flat(f, 8, 8)?, 0, 64, MEM)
}

fn nulls(f: &Env) -> Verdict {
    let parent = f.blank(64)?;
    let mut region = pi_buffer_region_struct { origin: 0, size: 32 };
    let (info, mut out): (*mut c_void, _) = ((&raw mut region).cast(), null_mut());
    refused!(f, piMemBufferPartition(*parent, RW, 0x7777, info, &mut out), VALUE);
    refused!(f, piMemBufferPartition(*parent, RW, REGION, null_mut(), &mut out), VALUE);
    refused!(f, piMemBufferPartition(*parent, RW, REGION, info, null_mut()), VALUE);
    refused!(f, piMemBufferPartition(null_mut(), RW, REGION, info, &mut out), MEM);
    Ok(())
}

fn parent_goes_first(f: &Env) -> Verdict {
    let at = alignment(f)?;
    let parent = f.buffer(&[vec![0; at], ramp(128)].concat())?;
    let part = part(f, *parent, RW, at, 128)?;
    drop(parent);
    same("content", ramp(128), f.read(*part, 128)?)?;
    f.write_on(f.queue()?, *part, 0, &[3_u8; 128])?;
    same("content after a write", vec![3_u8; 128], f.read(*part, 128)?)
}

fn flags_0(f: &Env) -> Verdict {
    let parent = f.buffer(&[0_u8; 64])?;
    let part = part(f, *parent, 0, 0, 64)?;
    f.write_on(f.queue()?, *part, 0, &ramp(64))?;
    same("content", ramp(64), f.read(*part, 64)?)
}
