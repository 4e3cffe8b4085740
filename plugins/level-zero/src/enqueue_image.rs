//! Commands on images.

use core::ffi::c_void;

use sycl_pi_backend::api::EnqueueImageApi;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Dependencies, Error, Result};

use crate::enqueue::check_context;
use crate::objects::{CommandResources, EventHandle, MemHandle, QueueHandle};
use crate::submission::EngineKind;
use crate::submit::{CommandRequest, enqueue};
use crate::sys::{Address, ze};
use crate::{LevelZero, image_fill};

fn request<const N: usize>(command: CommandType, mems: [&MemHandle; N]) -> CommandRequest {
    CommandRequest::new(command, EngineKind::Compute).holding(CommandResources::mems(mems))
}

impl EnqueueImageApi for LevelZero {
    fn enqueue_mem_image_read(
        queue: &QueueHandle,
        mem: &MemHandle,
        blocking: bool,
        origin: &[usize; 3],
        region: &[usize; 3],
        pitches: (usize, usize),
        ptr: *mut c_void,
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        check_context(queue, mem)?;
        let image = mem.image()?;
        let part = image.part(*origin, *region, pitches)?;
        let request = request(CommandType::IMAGE_READ, [mem]).blocking(blocking);
        enqueue(queue, request, dependencies, |target| image.append_read(target, Address::new(ptr), &part))
    }

    fn enqueue_mem_image_write(
        queue: &QueueHandle,
        mem: &MemHandle,
        blocking: bool,
        origin: &[usize; 3],
        region: &[usize; 3],
        pitches: (usize, usize),
        ptr: *const c_void,
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        check_context(queue, mem)?;
        let image = mem.image()?;
        let part = image.part(*origin, *region, pitches)?;
        let request = request(CommandType::IMAGE_WRITE, [mem]).blocking(blocking);
        enqueue(queue, request, dependencies, |target| image.append_write(target, Address::new(ptr), &part))
    }

    fn enqueue_mem_image_copy(
        queue: &QueueHandle,
        src: &MemHandle,
        dst: &MemHandle,
        src_origin: &[usize; 3],
        dst_origin: &[usize; 3],
        region: &[usize; 3],
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        check_context(queue, src)?;
        check_context(queue, dst)?;
        let (from, to) = (src.image()?, dst.image()?);
        // The driver would copy the bytes of one format to the other.
        if from.format != to.format {
            return Err(Error::different_image_formats());
        }
        let (from_corner, to_corner) = (from.region(*src_origin, *region)?, to.region(*dst_origin, *region)?);
        let ze = ze()?;
        enqueue(queue, request(CommandType::IMAGE_COPY, [src, dst]), dependencies, |target| {
            let (signal, count, waits) = (target.signal, target.count, target.waits);
            ze.zeCommandListAppendImageCopyRegion(
                target.list,
                to.ze,
                from.ze,
                &to_corner,
                &from_corner,
                signal,
                count,
                waits,
            )
        })
    }

    fn enqueue_mem_image_fill(
        queue: &QueueHandle,
        mem: &MemHandle,
        color: *const c_void,
        origin: &[usize; 3],
        region: &[usize; 3],
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        check_context(queue, mem)?;
        image_fill::fill(queue, mem, Address::new(color), (*origin, *region), dependencies)
    }
}
