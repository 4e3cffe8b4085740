//! Images, and commands on them.

use sycl_pi_backend::api::check_host_ptr;

use super::prelude::*;
use crate::image;

stubs! {
    urMemImageCreate(hContext: ur_context_handle_t, flags: ur_mem_flags_t, pImageFormat: *const ur_image_format_t,
        pImageDesc: *const ur_image_desc_t, pHost: *mut c_void, phMem: *mut ur_mem_handle_t) {
        let context = object::<B::Context>(hContext, "hContext")?;
        let flags = convert::mem_flags(flags)?;
        let format = image::format(value(pImageFormat, "pImageFormat")?)?;
        let desc = image::desc(value(pImageDesc, "pImageDesc")?)?;
        check_host_ptr(flags, pHost)?;
        if pHost.is_null() && (desc.row_pitch != 0 || desc.slice_pitch != 0) {
            let text = "pImageDesc has a pitch, but there is no pHost that it could be of";
            return Err(error(UR_RESULT_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR, text));
        }
        create(phMem, "phMem", context, || B::mem_image_create(context, flags, &format, &desc, pHost))
    };

    urMemImageCreateWithNativeHandle(hNativeMem: ur_native_handle_t, hContext: ur_context_handle_t, pImageFormat:
        *const ur_image_format_t, pImageDesc: *const ur_image_desc_t, pProperties: *const ur_mem_native_properties_t,
        phMem: *mut ur_mem_handle_t) {
        let context = object::<B::Context>(hContext, "hContext")?;
        let owned = pProperties.as_ref().is_some_and(|properties| properties.isNativeHandleOwned != 0);
        let format = pImageFormat.as_ref().map(image::format).transpose()?;
        let desc = pImageDesc.as_ref().map(image::desc).transpose()?;
        create(phMem, "phMem", context, || B::mem_image_create_with_native_handle(hNativeMem, context, owned,
            format.as_ref(), desc.as_ref()))
    };

    urEnqueueMemImageRead(hQueue: ur_queue_handle_t, hImage: ur_mem_handle_t, blockingRead: u8, origin:
        ur_rect_offset_t, region: ur_rect_region_t, rowPitch: usize, slicePitch: usize, pDst: *mut c_void,
        numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let (queue, image) = (object(hQueue, "hQueue")?, object(hImage, "hImage")?);
        let pDst = address(pDst, "pDst")?;
        enqueue::<B, _>(queue, numEventsInWaitList, phEventWaitList, phEvent, |dependencies|
            B::enqueue_mem_image_read(queue, image, blockingRead != 0, &offset(origin), &extent(region),
                (rowPitch, slicePitch), pDst, dependencies))
    };

    urEnqueueMemImageWrite(hQueue: ur_queue_handle_t, hImage: ur_mem_handle_t, blockingWrite: u8, origin:
        ur_rect_offset_t, region: ur_rect_region_t, rowPitch: usize, slicePitch: usize, pSrc: *mut c_void,
        numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let (queue, image) = (object(hQueue, "hQueue")?, object(hImage, "hImage")?);
        let pSrc = address(pSrc, "pSrc")?;
        enqueue::<B, _>(queue, numEventsInWaitList, phEventWaitList, phEvent, |dependencies|
            B::enqueue_mem_image_write(queue, image, blockingWrite != 0, &offset(origin), &extent(region),
                (rowPitch, slicePitch), pSrc, dependencies))
    };

    urEnqueueMemImageCopy(hQueue: ur_queue_handle_t, hImageSrc: ur_mem_handle_t, hImageDst: ur_mem_handle_t,
        srcOrigin: ur_rect_offset_t, dstOrigin: ur_rect_offset_t, region: ur_rect_region_t, numEventsInWaitList: u32,
        phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let queue = object(hQueue, "hQueue")?;
        let (src, dst) = (object(hImageSrc, "hImageSrc")?, object(hImageDst, "hImageDst")?);
        enqueue::<B, _>(queue, numEventsInWaitList, phEventWaitList, phEvent, |dependencies|
            B::enqueue_mem_image_copy(queue, src, dst, &offset(srcOrigin), &offset(dstOrigin), &extent(region),
                dependencies))
    };
}
