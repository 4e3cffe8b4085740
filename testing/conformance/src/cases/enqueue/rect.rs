//! `piEnqueueMemBufferReadRect`, `WriteRect`, `CopyRect`.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;

use crate::case::{Case, case};
use crate::env::{Env, ramp};
use crate::outcome::{SIZE, Verdict, named, same};

pub(super) const CASES: &[Case] = &[
    case("BUF-05", "piEnqueueMemBufferCopyRect", boxes),
    case("BUF-06", "piEnqueueMemBufferReadRect", pitch_0),
    case("BUF-07", "piEnqueueMemBufferReadRect", bad_pitches),
    case("BUF-08", "piEnqueueMemBufferReadRect", past_the_end),
];

type Place = [usize; 3];

fn offset([x_bytes, y_scalar, z_scalar]: Place) -> pi_buff_rect_offset_struct {
    pi_buff_rect_offset_struct { x_bytes, y_scalar, z_scalar }
}

fn region([width_bytes, height_scalar, depth_scalar]: Place) -> pi_buff_rect_region_struct {
    pi_buff_rect_region_struct { width_bytes, height_scalar, depth_scalar }
}

/// A box within rows and slices.
#[derive(Clone, Copy)]
struct Side {
    at: Place,
    row: usize,
    slice: usize,
}

/// Moves a box on the host, as the calls should.
fn moved(from: &[u8], source: Side, to: &mut [u8], target: Side, extent: Place) {
    let index = |side: Side, x: usize, y: usize, z: usize| {
        (side.at[2] + z) * side.slice + (side.at[1] + y) * side.row + side.at[0] + x
    };
    for z in 0..extent[2] {
        for y in 0..extent[1] {
            for x in 0..extent[0] {
                to[index(target, x, y, z)] = from[index(source, x, y, z)];
            }
        }
    }
}

const SMALL: Side = Side { at: [1, 1, 0], row: 8, slice: 32 };
const LARGE: Side = Side { at: [3, 0, 1], row: 16, slice: 128 };

fn boxes(f: &Env) -> Verdict {
    let queue = f.queue()?;
    for extent in [[4, 3, 1], [4, 2, 2]] {
        let mut part = region(extent);
        let (mut small, mut large) = (offset(SMALL.at), offset(LARGE.at));
        let (content, bytes) = (ramp(512), ramp(512));

        let (from, to) = (f.buffer(&content)?, f.buffer(&[0_u8; 512])?);
        let event = made!(f, |out| piEnqueueMemBufferCopyRect(
            queue,
            *from,
            *to,
            &mut small,
            &mut large,
            &mut part,
            SMALL.row,
            SMALL.slice,
            LARGE.row,
            LARGE.slice,
            0,
            null(),
            out
        ));
        f.wait(event)?;
        let mut expected = vec![0_u8; 512];
        moved(&content, SMALL, &mut expected, LARGE, extent);
        same("copied box", expected, f.read(*to, 512)?)?;

        let mut host = vec![0_u8; 512];
        let room = host.as_mut_ptr().cast();
        ok!(
            f,
            piEnqueueMemBufferReadRect(
                queue,
                *from,
                PI_TRUE,
                &mut small,
                &mut large,
                &mut part,
                SMALL.row,
                SMALL.slice,
                LARGE.row,
                LARGE.slice,
                room,
                0,
                null(),
                null_mut()
            )
        );
        let mut expected = vec![0_u8; 512];
        moved(&content, SMALL, &mut expected, LARGE, extent);
        same("read box", expected, host)?;

        let to = f.buffer(&[0_u8; 512])?;
        let start = bytes.as_ptr().cast();
        ok!(
            f,
            piEnqueueMemBufferWriteRect(
                queue,
                *to,
                PI_TRUE,
                &mut large,
                &mut small,
                &mut part,
                LARGE.row,
                LARGE.slice,
                SMALL.row,
                SMALL.slice,
                start,
                0,
                null(),
                null_mut()
            )
        );
        let mut expected = vec![0_u8; 512];
        moved(&bytes, SMALL, &mut expected, LARGE, extent);
        same("written box", expected, f.read(*to, 512)?)?;
    }
    Ok(())
}

fn pitch_0(f: &Env) -> Verdict {
    let (queue, content) = (f.queue()?, ramp(64));
    let from = f.buffer(&content)?;
    let (mut zero, mut there, mut part) = (offset([0; 3]), offset([0; 3]), region([8, 4, 2]));
    let mut host = vec![0_u8; 64];
    let room = host.as_mut_ptr().cast();
    ok!(
        f,
        piEnqueueMemBufferReadRect(
            queue,
            *from,
            PI_TRUE,
            &mut zero,
            &mut there,
            &mut part,
            0,
            0,
            0,
            0,
            room,
            0,
            null(),
            null_mut()
        )
    );
    same("content", content, host)
}

/// A read of that box with those pitches of the buffer, refused.
fn refuse(f: &Env, size: usize, at: Place, extent: Place, row: usize, slice: usize) -> Verdict {
    let what = format!("{size} bytes, at {at:?}, region {extent:?}, pitches {row} and {slice}");
    named(what, refuse_unnamed(f, size, at, extent, row, slice))
}

fn refuse_unnamed(f: &Env, size: usize, at: Place, extent: Place, row: usize, slice: usize) -> Verdict {
    let (queue, from, mut host) = (f.queue()?, f.blank(size)?, vec![0_u8; 65536]);
    let (mut at, mut there, mut part) = (offset(at), offset([0; 3]), region(extent));
    let room = host.as_mut_ptr().cast();
    refused!(
        f,
        piEnqueueMemBufferReadRect(
            queue,
            *from,
            PI_TRUE,
            &mut at,
            &mut there,
            &mut part,
            row,
            slice,
            0,
            0,
            room,
            0,
            null(),
            null_mut()
        ),
        SIZE
    );
    refused!(
        f,
        piEnqueueMemBufferWriteRect(
            queue,
            *from,
            PI_TRUE,
            &mut at,
            &mut there,
            &mut part,
            row,
            slice,
            0,
            0,
            room,
            0,
            null(),
            null_mut()
        ),
        SIZE
    );
    Ok(())
}

fn bad_pitches(f: &Env) -> Verdict {
    refuse(f, 1024, [0; 3], [8, 4, 2], 4, 0)?;
    refuse(f, 1024, [0; 3], [8, 4, 2], 8, 33)?;
    refuse(f, 1024, [0; 3], [8, 4, 2], 8, 16)?;
    refuse(f, 1024, [0; 3], [0, 4, 2], 8, 32)?;
    refuse(f, 1024, [0; 3], [8, 0, 2], 8, 32)?;
    refuse(f, 1024, [0; 3], [8, 4, 0], 8, 32)
}

fn past_the_end(f: &Env) -> Verdict {
    refuse(f, 64, [0; 3], [8, 4, 3], 8, 32)?;
    refuse(f, 64, [1, 0, 0], [8, 4, 2], 8, 32)?;
    refuse(f, 64, [0, usize::MAX / 2, 0], [8, 1, 1], 8, 32)
}
