//! Images, and commands on them.

use sycl_pi_backend::api::check_host_ptr;

use super::prelude::*;
use crate::image;

#[entry]
pub unsafe extern "C" fn urMemImageCreate<B: Backend>(
    hContext: ur_context_handle_t, flags: ur_mem_flags_t, pImageFormat: *const ur_image_format_t,
    pImageDesc: *const ur_image_desc_t, pHost: *mut c_void, phMem: *mut ur_mem_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object::<B::Context>(hContext, "hContext")? };
    let flags = convert::mem_flags(flags)?;
    // SAFETY: `pImageFormat` is null or what its type says.
    let format = image::format(unsafe { value(pImageFormat, "pImageFormat")? })?;
    // SAFETY: `pImageDesc` is null or what its type says.
    let desc = image::desc(unsafe { value(pImageDesc, "pImageDesc")? })?;
    check_host_ptr(flags, pHost)?;
    if pHost.is_null() && (desc.row_pitch != 0 || desc.slice_pitch != 0) {
        let text = "pImageDesc has a pitch, but pHost is null";
        return Err(error(UR_RESULT_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR, text));
    }
    // SAFETY: `phMem` is null or writable.
    unsafe { create(phMem, "phMem", context, || B::mem_image_create(context, flags, &format, &desc, pHost)) }
}

#[entry]
pub unsafe extern "C" fn urMemImageCreateWithNativeHandle<B: Backend>(
    hNativeMem: ur_native_handle_t, hContext: ur_context_handle_t, pImageFormat: *const ur_image_format_t,
    pImageDesc: *const ur_image_desc_t, pProperties: *const ur_mem_native_properties_t,
    phMem: *mut ur_mem_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object::<B::Context>(hContext, "hContext")? };
    // SAFETY: `pProperties` is null or points to what its type says.
    let owned = unsafe { pProperties.as_ref() }.is_some_and(|properties| properties.isNativeHandleOwned != 0);
    // SAFETY: `pImageFormat` is null or points to what its type says.
    let format = unsafe { pImageFormat.as_ref() }.map(image::format).transpose()?;
    // SAFETY: `pImageDesc` is null or points to what its type says.
    let desc = unsafe { pImageDesc.as_ref() }.map(image::desc).transpose()?;
    // SAFETY: `phMem` is null or writable.
    unsafe {
        create(phMem, "phMem", context, || {
            B::mem_image_create_with_native_handle(hNativeMem, context, owned, format.as_ref(), desc.as_ref())
        })
    }
}

#[entry]
pub unsafe extern "C" fn urEnqueueMemImageRead<B: Backend>(
    hQueue: ur_queue_handle_t, hImage: ur_mem_handle_t, blockingRead: u8, origin: ur_rect_offset_t,
    region: ur_rect_region_t, rowPitch: usize, slicePitch: usize, pDst: *mut c_void,
    numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` and `hImage` are null or live handles.
    let (queue, image) = unsafe { (object(hQueue, "hQueue")?, object(hImage, "hImage")?) };
    let pDst = address(pDst, "pDst")?;
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe {
        enqueue::<B, _>(queue, (numEventsInWaitList, phEventWaitList, phEvent), |dependencies| {
            B::enqueue_mem_image_read(
                queue,
                image,
                blockingRead != 0,
                &offset(origin),
                &extent(region),
                (rowPitch, slicePitch),
                pDst,
                dependencies,
            )
        })
    }
}

#[entry]
pub unsafe extern "C" fn urEnqueueMemImageWrite<B: Backend>(
    hQueue: ur_queue_handle_t, hImage: ur_mem_handle_t, blockingWrite: u8, origin: ur_rect_offset_t,
    region: ur_rect_region_t, rowPitch: usize, slicePitch: usize, pSrc: *mut c_void,
    numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` and `hImage` are null or live handles.
    let (queue, image) = unsafe { (object(hQueue, "hQueue")?, object(hImage, "hImage")?) };
    let pSrc = address(pSrc, "pSrc")?;
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe {
        enqueue::<B, _>(queue, (numEventsInWaitList, phEventWaitList, phEvent), |dependencies| {
            B::enqueue_mem_image_write(
                queue,
                image,
                blockingWrite != 0,
                &offset(origin),
                &extent(region),
                (rowPitch, slicePitch),
                pSrc,
                dependencies,
            )
        })
    }
}

#[entry]
pub unsafe extern "C" fn urEnqueueMemImageCopy<B: Backend>(
    hQueue: ur_queue_handle_t, hImageSrc: ur_mem_handle_t, hImageDst: ur_mem_handle_t,
    srcOrigin: ur_rect_offset_t, dstOrigin: ur_rect_offset_t, region: ur_rect_region_t,
    numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object(hQueue, "hQueue")? };
    // SAFETY: `hImageSrc` and `hImageDst` are null or live handles.
    let (src, dst) = unsafe { (object(hImageSrc, "hImageSrc")?, object(hImageDst, "hImageDst")?) };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe {
        enqueue::<B, _>(queue, (numEventsInWaitList, phEventWaitList, phEvent), |dependencies| {
            B::enqueue_mem_image_copy(
                queue,
                src,
                dst,
                &offset(srcOrigin),
                &offset(dstOrigin),
                &extent(region),
                dependencies,
            )
        })
    }
}
