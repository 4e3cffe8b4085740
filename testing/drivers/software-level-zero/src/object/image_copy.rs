//! Copies from, to and between images.

use std::ffi::c_void;

use level_zero_sys::*;

use crate::caller::read;
use crate::cl::Part;
use crate::command::{Place, Work};
use crate::complaints::complain_here;
use crate::entry::{Answer, driver_calls};
use crate::object::image::{Image, image};
use crate::object::list::{Sync, list};

/// Returns the region of the image, or the whole image without one.
fn region(image: &Image, region: *const ze_image_region_t) -> Answer<([usize; 3], [usize; 3])> {
    if region.is_null() {
        return Ok(([0; 3], image.size));
    }
    let region = read(region)?;
    let origin = [region.originX, region.originY, region.originZ].map(|one| one as usize);
    let size = [region.width, region.height, region.depth].map(|one| one.max(1) as usize);
    let fits = origin.iter().zip(&size).zip(&image.size).all(|((origin, size), all)| origin + size <= *all);
    if !fits {
        complain_here("the region goes beyond the image".to_owned());
        return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
    }
    Ok((origin, size))
}

fn part(image: &Image, at: *const ze_image_region_t, row_pitch: u32, slice_pitch: u32) -> Answer<Part> {
    let (origin, region) = region(image, at)?;
    let (mut row_pitch, slice_pitch) = (row_pitch as usize, slice_pitch as usize);
    // Each image of the array is a slice. Intel's CPU runtime has them a row pitch apart, whatever the slice pitch is.
    if image.has_lines && slice_pitch != 0 {
        row_pitch = slice_pitch;
    }
    Ok(Part { origin, region, row_pitch, slice_pitch })
}

fn place(address: *const c_void) -> Answer<Place> {
    if address.is_null() {
        return Err(ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    }
    Ok(Place::new(address.expose_provenance()))
}

fn between(
    to: ze_image_handle_t,
    to_region: *const ze_image_region_t,
    from: ze_image_handle_t,
    from_region: *const ze_image_region_t,
) -> Answer<Work> {
    let (to, from) = (image(to)?, image(from)?);
    let (target, size) = region(&to, to_region)?;
    let (origin, from_size) = region(&from, from_region)?;
    if size != from_size || to.pixel != from.pixel {
        complain_here("the images or their regions do not match".to_owned());
        return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
    }
    Ok(Work::ImageToImage { from: from.cl(), origin, to: to.cl(), target, region: size })
}

driver_calls! {
    fn zeCommandListAppendImageCopy(
        hCommandList: ze_command_list_handle_t,
        hDstImage: ze_image_handle_t,
        hSrcImage: ze_image_handle_t,
        signal: ze_event_handle_t,
        count: u32,
        waits: *mut ze_event_handle_t,
    ) {
        let work = between(hDstImage, std::ptr::null(), hSrcImage, std::ptr::null())?;
        list(hCommandList)?.append(Sync { signal, count, waits }, work)
    }

    fn zeCommandListAppendImageCopyRegion(
        hCommandList: ze_command_list_handle_t,
        hDstImage: ze_image_handle_t,
        hSrcImage: ze_image_handle_t,
        pDstRegion: *const ze_image_region_t,
        pSrcRegion: *const ze_image_region_t,
        signal: ze_event_handle_t,
        count: u32,
        waits: *mut ze_event_handle_t,
    ) {
        let work = between(hDstImage, pDstRegion, hSrcImage, pSrcRegion)?;
        list(hCommandList)?.append(Sync { signal, count, waits }, work)
    }

    fn zeCommandListAppendImageCopyToMemory(
        hCommandList: ze_command_list_handle_t,
        dstptr: *mut c_void,
        hSrcImage: ze_image_handle_t,
        pSrcRegion: *const ze_image_region_t,
        signal: ze_event_handle_t,
        count: u32,
        waits: *mut ze_event_handle_t,
    ) {
        let image = image(hSrcImage)?;
        let part = part(&image, pSrcRegion, 0, 0)?;
        let work = Work::ImageToMemory { image: image.cl(), part, to: place(dstptr)? };
        list(hCommandList)?.append(Sync { signal, count, waits }, work)
    }

    fn zeCommandListAppendImageCopyFromMemory(
        hCommandList: ze_command_list_handle_t,
        hDstImage: ze_image_handle_t,
        srcptr: *const c_void,
        pDstRegion: *const ze_image_region_t,
        signal: ze_event_handle_t,
        count: u32,
        waits: *mut ze_event_handle_t,
    ) {
        let image = image(hDstImage)?;
        let part = part(&image, pDstRegion, 0, 0)?;
        let work = Work::MemoryToImage { image: image.cl(), part, from: place(srcptr)? };
        list(hCommandList)?.append(Sync { signal, count, waits }, work)
    }

    fn zeCommandListAppendImageCopyToMemoryExt(
        hCommandList: ze_command_list_handle_t,
        dstptr: *mut c_void,
        hSrcImage: ze_image_handle_t,
        pSrcRegion: *const ze_image_region_t,
        destRowPitch: u32,
        destSlicePitch: u32,
        signal: ze_event_handle_t,
        count: u32,
        waits: *mut ze_event_handle_t,
    ) {
        let image = image(hSrcImage)?;
        let part = part(&image, pSrcRegion, destRowPitch, destSlicePitch)?;
        let work = Work::ImageToMemory { image: image.cl(), part, to: place(dstptr)? };
        list(hCommandList)?.append(Sync { signal, count, waits }, work)
    }

    fn zeCommandListAppendImageCopyFromMemoryExt(
        hCommandList: ze_command_list_handle_t,
        hDstImage: ze_image_handle_t,
        srcptr: *const c_void,
        pDstRegion: *const ze_image_region_t,
        srcRowPitch: u32,
        srcSlicePitch: u32,
        signal: ze_event_handle_t,
        count: u32,
        waits: *mut ze_event_handle_t,
    ) {
        let image = image(hDstImage)?;
        let part = part(&image, pDstRegion, srcRowPitch, srcSlicePitch)?;
        let work = Work::MemoryToImage { image: image.cl(), part, from: place(srcptr)? };
        list(hCommandList)?.append(Sync { signal, count, waits }, work)
    }
}
