//! `piEnqueueMemImageRead`, `Write`, `Copy`.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use super::made::{FORMAT, create, create_in, desc, flat};
use crate::case::{Case, case};
use crate::env::{Env, ramp};
use crate::outcome::{Failure, OTHER_CONTEXT, SIZE, Verdict, codes, same};
use crate::skip;

pub(super) const CASES: &[Case] = &[
    case("IMG-08", "piEnqueueMemImageRead", round_trips),
    case("IMG-09", "piEnqueueMemImageRead", past_the_edge),
    case("IMG-10", "piEnqueueMemImageCopy", other_elements),
];

type Place = [usize; 3];

fn offset([x, y, z]: Place) -> pi_image_offset_struct {
    pi_image_offset_struct { x, y, z }
}

fn region([width, height, depth]: Place) -> pi_image_region_struct {
    pi_image_region_struct { width, height, depth }
}

fn write(f: &Env, image: pi_mem, at: Place, extent: Place, bytes: &[u8]) -> Verdict {
    let (mut at, mut extent, queue) = (offset(at), region(extent), f.queue()?);
    let from = bytes.as_ptr().cast();
    ok!(
        f,
        piEnqueueMemImageWrite(
            queue,
            image,
            PI_TRUE,
            &mut at,
            &mut extent,
            0,
            0,
            from,
            0,
            null(),
            null_mut()
        )
    );
    Ok(())
}

fn read(f: &Env, image: pi_mem, at: Place, extent: Place) -> Verdict<Vec<u8>> {
    let mut bytes = vec![0_u8; 4 * extent.iter().product::<usize>()];
    let (mut at, mut extent, queue) = (offset(at), region(extent), f.queue()?);
    let to = bytes.as_mut_ptr().cast();
    ok!(
        f,
        piEnqueueMemImageRead(queue, image, PI_TRUE, &mut at, &mut extent, 0, 0, to, 0, null(), null_mut())
    );
    Ok(bytes)
}

fn copy(f: &Env, from: pi_mem, to: pi_mem, at: Place, there: Place, extent: Place) -> Verdict {
    let (mut at, mut there, mut extent, queue) = (offset(at), offset(there), region(extent), f.queue()?);
    let event = made!(f, |out| piEnqueueMemImageCopy(
        queue,
        from,
        to,
        &mut at,
        &mut there,
        &mut extent,
        0,
        null(),
        out
    ));
    f.wait(event)
}

fn round_trips(f: &Env) -> Verdict {
    f.need_images()?;
    for (image_type, [width, height, depth]) in [
        (PI_MEM_TYPE_IMAGE1D, [16, 1, 1]),
        (PI_MEM_TYPE_IMAGE2D, [16, 8, 1]),
        (PI_MEM_TYPE_IMAGE3D, [16, 8, 4]),
        (PI_MEM_TYPE_IMAGE1D_ARRAY, [16, 5, 1]),
        (PI_MEM_TYPE_IMAGE2D_ARRAY, [16, 8, 4]),
    ] {
        let all = [width, height, depth];
        let mut desc = desc(image_type, width, height, depth);
        // The images of an array are its rows or its slices.
        desc.image_array_size = match image_type {
            PI_MEM_TYPE_IMAGE1D_ARRAY => std::mem::take(&mut desc.image_height),
            PI_MEM_TYPE_IMAGE2D_ARRAY => std::mem::take(&mut desc.image_depth),
            _ => 0,
        };
        let (one, two) = (create(f, &FORMAT, &desc)?, create(f, &FORMAT, &desc)?);
        let content = ramp(4 * width * height * depth);
        write(f, *one, [0; 3], all, &content)?;
        same("whole image", content.clone(), read(f, *one, [0; 3], all)?)?;
        copy(f, *one, *two, [0; 3], [0; 3], all)?;
        same("copy of the whole", content.clone(), read(f, *two, [0; 3], all)?)?;
        let last = content.len() - 4 * (width - 3);
        let part = content.get(last..last + 8).map(<[u8]>::to_vec);
        same("part of the last row", part, Some(read(f, *one, [3, height - 1, depth - 1], [2, 1, 1])?))?;
        // Four elements of the first row and of the last are copied to the other one.
        let (first, last) = ([0, 0], [height - 1, depth - 1]);
        for ([from_y, from_z], [to_y, to_z]) in [(first, last), (last, first)] {
            copy(f, *one, *two, [2, from_y, from_z], [8, to_y, to_z], [4, 1, 1])?;
        }
        let mut expected = content.clone();
        for (from, to) in [(0, content.len() - 4 * width), (content.len() - 4 * width, 0)] {
            let part = content.iter().copied().skip(from + 8).take(16);
            expected.splice(to + 32..to + 48, part);
        }
        same("copied parts, and the rest", expected, read(f, *two, [0; 3], all)?)?;
    }
    Ok(())
}

fn past_the_edge(f: &Env) -> Verdict {
    f.need_images()?;
    if f.backend == Backend::LevelZero {
        return Err(Failure::skip(skip::OTHER_BACKEND));
    }
    let (image, queue, mut bytes) = (flat(f, 8, 8)?, f.queue()?, [0_u8; 4096]);
    let to = bytes.as_mut_ptr().cast::<c_void>();
    for (at, extent) in [
        ([1, 0, 0], [8, 8, 1]),
        ([0, 8, 0], [8, 1, 1]),
        ([0, 0, 0], [9, 1, 1]),
        ([0; 3], [8, 8, 2]),
        ([usize::MAX - 1, 0, 0], [4, 1, 1]),
        ([0; 3], [0, 1, 1]),
    ] {
        let (mut at, mut extent) = (offset(at), region(extent));
        refused!(
            f,
            piEnqueueMemImageRead(
                queue,
                *image,
                PI_TRUE,
                &mut at,
                &mut extent,
                0,
                0,
                to,
                0,
                null(),
                null_mut()
            ),
            SIZE
        );
        refused!(
            f,
            piEnqueueMemImageWrite(
                queue,
                *image,
                PI_TRUE,
                &mut at,
                &mut extent,
                0,
                0,
                to.cast_const(),
                0,
                null(),
                null_mut()
            ),
            SIZE
        );
    }
    Ok(())
}

fn other_elements(f: &Env) -> Verdict {
    f.need_images()?;
    if f.backend == Backend::LevelZero {
        return Err(Failure::skip(skip::OTHER_BACKEND));
    }
    let wide = pi_image_format { image_channel_data_type: PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32, ..FORMAT };
    let (one, two) = (flat(f, 8, 8)?, create(f, &wide, &desc(PI_MEM_TYPE_IMAGE2D, 8, 8, 0))?);
    let (mut at, mut there, mut extent, queue) =
        (offset([0; 3]), offset([0; 3]), region([8, 8, 1]), f.queue()?);
    let codes = codes(&[PI_ERROR_IMAGE_FORMAT_MISMATCH], &[PI_ERROR_INVALID_MEM_OBJECT]);
    refused!(
        f,
        piEnqueueMemImageCopy(queue, *one, *two, &mut at, &mut there, &mut extent, 0, null(), null_mut()),
        codes
    );
    Ok(())
}

/// An image of another context is refused.
pub(in crate::cases) fn of_another_context(f: &Env) -> Verdict {
    let (context, desc, queue) = (f.new_context()?, desc(PI_MEM_TYPE_IMAGE2D, 8, 8, 0), f.queue()?);
    let (own, foreign) = (create(f, &FORMAT, &desc)?, create_in(f, *context, &FORMAT, &desc)?);
    let (mut corner, mut extent, mut bytes) = (offset([0; 3]), region([8, 8, 1]), [0_u8; 256]);
    let (at, part, host, none) = (&raw mut corner, &raw mut extent, bytes.as_mut_ptr().cast(), null_mut());
    let wrong = OTHER_CONTEXT;
    refused!(
        f,
        piEnqueueMemImageRead(queue, *foreign, PI_TRUE, at, part, 0, 0, host, 0, null(), none),
        wrong
    );
    let from = host.cast_const();
    refused!(
        f,
        piEnqueueMemImageWrite(queue, *foreign, PI_TRUE, at, part, 0, 0, from, 0, null(), none),
        wrong
    );
    for [from, to] in [[*own, *foreign], [*foreign, *own]] {
        refused!(f, piEnqueueMemImageCopy(queue, from, to, at, at, part, 0, null(), none), wrong);
    }
    Ok(())
}
