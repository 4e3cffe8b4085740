//! Commands on images.

use core::ffi::c_void;

use sycl_pi_backend::api::EnqueueImageApi;
use sycl_pi_backend::{Error, Dependencies, Result};
use sycl_pi_backend::types::*;

use crate::copy::narrow;
use crate::lane::{Ask, Held, Work, enqueue};
use crate::sys::{Address, ze};
use crate::{Event, LevelZero, Mem, Queue, image_fill};

fn ask(command: CommandType, mem: &Mem) -> Ask {
    Ask::new(command, Work::Compute).held(Held::mem(mem))
}

impl EnqueueImageApi for LevelZero {
    fn enqueue_mem_image_read(
        queue: &Queue,
        mem: &Mem,
        blocking: bool,
        origin: &[usize; 3],
        region: &[usize; 3],
        pitches: (usize, usize),
        ptr: *mut c_void,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        let image = mem.image()?;
        let (corner, dense, ze) = (image.region(*origin, *region)?, image.is_dense(*region, pitches), ze()?);
        let (row, slice) = (narrow(pitches.0)?, narrow(pitches.1)?);
        enqueue(queue, ask(CommandType::IMAGE_READ, mem).blocking(blocking), dependencies, |at| {
            let (list, signal, n, waits) = (at.list, at.signal, at.count, at.waits);
            if dense {
                ze.zeCommandListAppendImageCopyToMemory(list, ptr, image.ze, &corner, signal, n, waits)
            } else {
                ze.zeCommandListAppendImageCopyToMemoryExt(
                    list, ptr, image.ze, &corner, row, slice, signal, n, waits,
                )
            }
        })
    }

    fn enqueue_mem_image_write(
        queue: &Queue,
        mem: &Mem,
        blocking: bool,
        origin: &[usize; 3],
        region: &[usize; 3],
        pitches: (usize, usize),
        ptr: *const c_void,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        let image = mem.image()?;
        let (corner, dense, ze) = (image.region(*origin, *region)?, image.is_dense(*region, pitches), ze()?);
        let (row, slice) = (narrow(pitches.0)?, narrow(pitches.1)?);
        enqueue(queue, ask(CommandType::IMAGE_WRITE, mem).blocking(blocking), dependencies, |at| {
            let (list, signal, n, waits) = (at.list, at.signal, at.count, at.waits);
            if dense {
                ze.zeCommandListAppendImageCopyFromMemory(list, image.ze, ptr, &corner, signal, n, waits)
            } else {
                ze.zeCommandListAppendImageCopyFromMemoryExt(
                    list, image.ze, ptr, &corner, row, slice, signal, n, waits,
                )
            }
        })
    }

    fn enqueue_mem_image_copy(
        queue: &Queue,
        src: &Mem,
        dst: &Mem,
        src_origin: &[usize; 3],
        dst_origin: &[usize; 3],
        region: &[usize; 3],
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        let (from, to) = (src.image()?, dst.image()?);
        if from.element != to.element {
            return Err(Error::new(
                ErrorCode::IMAGE_FORMAT_MISMATCH,
                "src_image and dst_image have elements of different sizes",
            ));
        }
        let (from_corner, to_corner) = (from.region(*src_origin, *region)?, to.region(*dst_origin, *region)?);
        let held = Held { mems: vec![src.share(), dst.share()], ..Held::default() };
        let ze = ze()?;
        let ask = Ask::new(CommandType::IMAGE_COPY, Work::Compute).held(held);
        enqueue(queue, ask, dependencies, |at| {
            let (signal, n, waits) = (at.signal, at.count, at.waits);
            ze.zeCommandListAppendImageCopyRegion(
                at.list,
                to.ze,
                from.ze,
                &to_corner,
                &from_corner,
                signal,
                n,
                waits,
            )
        })
    }

    fn enqueue_mem_image_fill(
        queue: &Queue,
        mem: &Mem,
        color: *const c_void,
        origin: &[usize; 3],
        region: &[usize; 3],
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        image_fill::fill(queue, mem, Address::new(color), (*origin, *region), dependencies)
    }
}
