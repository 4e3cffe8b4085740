//! `piEnqueueMemBufferReadRect`, `WriteRect`, `CopyRect`.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::CallError;

use crate::case::{Case, case};
use crate::env::{Env, ramp};
use crate::outcome::{OTHER_CONTEXT, SIZE, Verdict, named, refusal, same};

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

/// Moves a box on the host, like the calls.
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

/// Pitches that are derived from the region.
const PACKED: Side = Side { at: [0; 3], row: 0, slice: 0 };

/// Reads a box of a buffer into a box of host memory.
fn read(
    f: &Env,
    buffer: pi_mem,
    from: Side,
    host: &mut [u8],
    to: Side,
    extent: Place,
) -> Verdict<Result<(), CallError>> {
    let (queue, room) = (f.queue()?, host.as_mut_ptr().cast());
    let (mut own, mut there, mut part) = (offset(from.at), offset(to.at), region(extent));
    let (own, there, part) = (&raw mut own, &raw mut there, &raw mut part);
    let (row, slice, host_row, host_slice) = (from.row, from.slice, to.row, to.slice);
    Ok(call!(
        f,
        piEnqueueMemBufferReadRect(
            queue,
            buffer,
            PI_TRUE,
            own,
            there,
            part,
            row,
            slice,
            host_row,
            host_slice,
            room,
            0,
            null(),
            null_mut()
        )
    ))
}

/// Writes a box of host memory into a box of a buffer.
fn write(
    f: &Env,
    buffer: pi_mem,
    to: Side,
    host: &[u8],
    from: Side,
    extent: Place,
) -> Verdict<Result<(), CallError>> {
    let (queue, start) = (f.queue()?, host.as_ptr().cast());
    let (mut own, mut there, mut part) = (offset(to.at), offset(from.at), region(extent));
    let (own, there, part) = (&raw mut own, &raw mut there, &raw mut part);
    let (row, slice, host_row, host_slice) = (to.row, to.slice, from.row, from.slice);
    Ok(call!(
        f,
        piEnqueueMemBufferWriteRect(
            queue,
            buffer,
            PI_TRUE,
            own,
            there,
            part,
            row,
            slice,
            host_row,
            host_slice,
            start,
            0,
            null(),
            null_mut()
        )
    ))
}

/// Copies a box of a buffer into a box of another one, and waits.
fn copy(
    f: &Env,
    [from, to]: [pi_mem; 2],
    [source, target]: [Side; 2],
    extent: Place,
) -> Verdict<Result<(), CallError>> {
    let (queue, mut event) = (f.queue()?, null_mut());
    let (mut first, mut second, mut part) = (offset(source.at), offset(target.at), region(extent));
    let (first, second, part) = (&raw mut first, &raw mut second, &raw mut part);
    let copied = call!(
        f,
        piEnqueueMemBufferCopyRect(
            queue,
            from,
            to,
            first,
            second,
            part,
            source.row,
            source.slice,
            target.row,
            target.slice,
            0,
            null(),
            &mut event
        )
    );
    if copied.is_ok() {
        f.wait(event)?;
    }
    Ok(copied)
}

fn boxes(f: &Env) -> Verdict {
    for extent in [[4, 3, 1], [4, 2, 2]] {
        let content = ramp(512);
        let mut expected = vec![0_u8; 512];
        moved(&content, SMALL, &mut expected, LARGE, extent);

        let (from, to) = (f.buffer(&content)?, f.buffer(&[0_u8; 512])?);
        copy(f, [*from, *to], [SMALL, LARGE], extent)??;
        same("copied box", expected.clone(), f.read(*to, 512)?)?;

        let mut host = vec![0_u8; 512];
        read(f, *from, SMALL, &mut host, LARGE, extent)??;
        same("read box", expected.clone(), host)?;

        let to = f.buffer(&[0_u8; 512])?;
        write(f, *to, LARGE, &content, SMALL, extent)??;
        same("written box", expected, f.read(*to, 512)?)?;
    }
    Ok(())
}

fn pitch_0(f: &Env) -> Verdict {
    let content = ramp(64);
    let (from, mut host) = (f.buffer(&content)?, vec![0_u8; 64]);
    read(f, *from, PACKED, &mut host, PACKED, [8, 4, 2])??;
    same("content", content.clone(), host)?;
    // The host's pitches are derived from the region even if the buffer has its own.
    let (mut host, mut expected) = (vec![0_u8; 16], vec![0_u8; 16]);
    read(f, *from, SMALL, &mut host, PACKED, [4, 2, 2])??;
    moved(&content, SMALL, &mut expected, Side { row: 4, slice: 8, ..PACKED }, [4, 2, 2]);
    same("inner box", expected, host)
}

/// Checks that a read of that box with those pitches of the buffer is refused.
fn refuse(f: &Env, size: usize, at: Place, extent: Place, row: usize, slice: usize) -> Verdict {
    let what = format!("{size} bytes, at {at:?}, region {extent:?}, pitches {row} and {slice}");
    let (buffer, own, mut host) = (f.blank(size)?, Side { at, row, slice }, vec![0_u8; 65536]);
    let result = read(f, *buffer, own, &mut host, PACKED, extent)?;
    named(&what, refusal("piEnqueueMemBufferReadRect", f.strict, result, SIZE))?;
    let result = write(f, *buffer, own, &host, PACKED, extent)?;
    named(&what, refusal("piEnqueueMemBufferWriteRect", f.strict, result, SIZE)).map(drop)
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
    refuse(f, 64, [0, usize::MAX / 2, 0], [8, 1, 1], 8, 32)?;
    refuse(f, 64, [0, 0, usize::MAX], [8, 4, 2], 8, 32)?;
    refuse(f, 64, [usize::MAX, 0, 0], [2, 1, 1], 8, 32)
}

/// Boxes of a buffer of another context are refused.
pub(super) fn of_another_context(f: &Env) -> Verdict {
    let (context, mut host) = (f.new_context()?, vec![0_u8; 64]);
    let (own, foreign) = (f.blank(64)?, f.buffer_in(*context, &[0_u8; 64])?);
    let extent = [8, 4, 2];
    let result = read(f, *foreign, PACKED, &mut host, PACKED, extent)?;
    refusal("piEnqueueMemBufferReadRect", f.strict, result, OTHER_CONTEXT)?;
    let result = write(f, *foreign, PACKED, &host, PACKED, extent)?;
    refusal("piEnqueueMemBufferWriteRect", f.strict, result, OTHER_CONTEXT)?;
    for buffers in [[*foreign, *own], [*own, *foreign]] {
        let result = copy(f, buffers, [PACKED; 2], extent)?;
        refusal("piEnqueueMemBufferCopyRect", f.strict, result, OTHER_CONTEXT)?;
    }
    Ok(())
}
