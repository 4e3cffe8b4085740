//! Bindless images.

use sycl_pi_backend::Dependencies;
use sycl_pi_backend::api::{BindlessUse, ImageCopy};

use super::prelude::*;
use super::sampler::create_sampler;
use crate::encode;
use crate::handle::Reference;
use crate::image;

#[entry]
pub unsafe extern "C" fn urBindlessImagesUnsampledImageHandleDestroyExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hImage: ur_exp_image_native_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` and `hDevice` are null or live handles.
    let (context, device) = unsafe { (object(hContext, "hContext")?, object(hDevice, "hDevice")?) };
    B::mem_unsampled_image_handle_destroy(context, device, hImage as u64)
}

#[entry]
pub unsafe extern "C" fn urBindlessImagesSampledImageHandleDestroyExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hImage: ur_exp_image_native_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` and `hDevice` are null or live handles.
    let (context, device) = unsafe { (object(hContext, "hContext")?, object(hDevice, "hDevice")?) };
    B::mem_sampled_image_handle_destroy(context, device, hImage as u64)
}

#[entry]
pub unsafe extern "C" fn urBindlessImagesImageAllocateExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pImageFormat: *const ur_image_format_t,
    pImageDesc: *const ur_image_desc_t, phImageMem: *mut ur_exp_image_mem_native_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` and `hDevice` are null or live handles.
    let (context, device) = unsafe { (object(hContext, "hContext")?, object(hDevice, "hDevice")?) };
    // SAFETY: `pImageFormat` is null or what its type says.
    let format = image::format(unsafe { value(pImageFormat, "pImageFormat")? })?;
    // SAFETY: `pImageDesc` is null or what its type says.
    let desc = image::desc(unsafe { value(pImageDesc, "pImageDesc")? })?;
    // SAFETY: `phImageMem` is null or writable.
    unsafe {
        put(phImageMem, "phImageMem", || {
            Ok(B::mem_image_allocate(context, device, &format, &desc)?.expose_provenance())
        })
    }
}

#[entry]
pub unsafe extern "C" fn urBindlessImagesImageFreeExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hImageMem: ur_exp_image_mem_native_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` and `hDevice` are null or live handles.
    let (context, device) = unsafe { (object(hContext, "hContext")?, object(hDevice, "hDevice")?) };
    B::mem_image_free(context, device, memory(hImageMem)?)
}

#[entry]
pub unsafe extern "C" fn urBindlessImagesUnsampledImageCreateExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hImageMem: ur_exp_image_mem_native_handle_t,
    pImageFormat: *const ur_image_format_t, pImageDesc: *const ur_image_desc_t,
    phImage: *mut ur_exp_image_native_handle_t,
) -> Result<()> {
    let (context, device) =
        // SAFETY: `hContext` and `hDevice` are null or live handles.
        unsafe { (object::<B::Context>(hContext, "hContext")?, object(hDevice, "hDevice")?) };
    // SAFETY: `pImageFormat` is null or what its type says.
    let format = image::format(unsafe { value(pImageFormat, "pImageFormat")? })?;
    // SAFETY: `pImageDesc` is null or what its type says.
    let desc = image::desc(unsafe { value(pImageDesc, "pImageDesc")? })?;
    let memory = memory(hImageMem)?;
    // SAFETY: `phImage` is null or writable.
    unsafe {
        put(phImage, "phImage", || {
            let (mem, handle) = B::mem_unsampled_image_create(context, device, memory, &format, &desc)?;
            drop(mem.map(|mem| Reference::<B::Mem>::from_new(mem, origin(context))));
            Ok(handle as usize)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urBindlessImagesSampledImageCreateExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hImageMem: ur_exp_image_mem_native_handle_t,
    pImageFormat: *const ur_image_format_t, pImageDesc: *const ur_image_desc_t,
    pSamplerDesc: *const ur_sampler_desc_t, phImage: *mut ur_exp_image_native_handle_t,
) -> Result<()> {
    let (context, device) =
        // SAFETY: `hContext` and `hDevice` are null or live handles.
        unsafe { (object::<B::Context>(hContext, "hContext")?, object(hDevice, "hDevice")?) };
    // SAFETY: `pImageFormat` is null or what its type says.
    let format = image::format(unsafe { value(pImageFormat, "pImageFormat")? })?;
    // SAFETY: `pImageDesc` is null or what its type says.
    let desc = image::desc(unsafe { value(pImageDesc, "pImageDesc")? })?;
    let memory = memory(hImageMem)?;
    // SAFETY: the arguments are passed on under the same contract.
    let request = unsafe { image::sampler(value(pSamplerDesc, "pSamplerDesc")?)? };
    // SAFETY: `phImage` is null or writable.
    unsafe {
        put(phImage, "phImage", || {
            let sampler =
                Reference::<B::Sampler>::from_new(create_sampler::<B>(context, request)?, origin(context));
            let sampler =
                sampler.ok_or_else(|| Error::unsupported("pSamplerDesc: the backend made no sampler"))?;
            let (mem, handle) =
                B::mem_sampled_image_create(context, device, memory, &format, &desc, &sampler)?;
            drop(mem.map(|mem| Reference::<B::Mem>::from_new(mem, origin(context))));
            Ok(handle as usize)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urBindlessImagesSampledImageCreateExp_until_2025_2<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hImageMem: ur_exp_image_mem_native_handle_t,
    pImageFormat: *const ur_image_format_t, pImageDesc: *const ur_image_desc_t,
    hSampler: ur_sampler_handle_t, phImage: *mut ur_exp_image_native_handle_t,
) -> Result<()> {
    let (context, device) =
        // SAFETY: `hContext` and `hDevice` are null or live handles.
        unsafe { (object::<B::Context>(hContext, "hContext")?, object(hDevice, "hDevice")?) };
    // SAFETY: `pImageFormat` is null or what its type says.
    let format = image::format(unsafe { value(pImageFormat, "pImageFormat")? })?;
    // SAFETY: `pImageDesc` is null or what its type says.
    let desc = image::desc(unsafe { value(pImageDesc, "pImageDesc")? })?;
    // SAFETY: `hSampler` is null or a live handle.
    let (memory, sampler) = (memory(hImageMem)?, unsafe { object(hSampler, "hSampler")? });
    // SAFETY: `phImage` is null or writable.
    unsafe {
        put(phImage, "phImage", || {
            let (mem, handle) =
                B::mem_sampled_image_create(context, device, memory, &format, &desc, sampler)?;
            drop(mem.map(|mem| Reference::<B::Mem>::from_new(mem, origin(context))));
            Ok(handle as usize)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urBindlessImagesImageCopyExp<B: Backend>(
    hQueue: ur_queue_handle_t, pSrc: *const c_void, pDst: *mut c_void, pSrcImageDesc: *const ur_image_desc_t,
    pDstImageDesc: *const ur_image_desc_t, pSrcImageFormat: *const ur_image_format_t,
    pDstImageFormat: *const ur_image_format_t, pCopyRegion: *mut ur_exp_image_copy_region_t,
    imageCopyFlags: ur_exp_image_copy_flags_t, imageCopyInputTypes: ur_exp_image_copy_input_types_t,
    numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // Backends distinguish images from memory themselves.
    let _ = imageCopyInputTypes;
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object(hQueue, "hQueue")? };
    let request = CopyRequest {
        src: (
            address(pSrc, "pSrc")?,
            // SAFETY: `pSrcImageDesc` is null or what its type says.
            unsafe { value(pSrcImageDesc, "pSrcImageDesc")? },
            // SAFETY: `pSrcImageFormat` is null or what its type says.
            unsafe { value(pSrcImageFormat, "pSrcImageFormat")? },
        ),
        dst: (
            address(pDst, "pDst")?,
            // SAFETY: `pDstImageDesc` is null or what its type says.
            unsafe { value(pDstImageDesc, "pDstImageDesc")? },
            // SAFETY: `pDstImageFormat` is null or what its type says.
            unsafe { value(pDstImageFormat, "pDstImageFormat")? },
        ),
        // SAFETY: `pCopyRegion` is null or what its type says.
        region: unsafe { value(pCopyRegion, "pCopyRegion")? },
        flags: imageCopyFlags,
    };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe {
        enqueue::<B, _>(queue, (numEventsInWaitList, phEventWaitList, phEvent), |dependencies| {
            image_copy::<B>(queue, &request, dependencies)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urBindlessImagesImageCopyExp_until_2025_3<B: Backend>(
    hQueue: ur_queue_handle_t, pSrc: *const c_void, pDst: *mut c_void, pSrcImageDesc: *const ur_image_desc_t,
    pDstImageDesc: *const ur_image_desc_t, pSrcImageFormat: *const ur_image_format_t,
    pDstImageFormat: *const ur_image_format_t, pCopyRegion: *mut ur_exp_image_copy_region_t,
    imageCopyFlags: ur_exp_image_copy_flags_t, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object(hQueue, "hQueue")? };
    let request = CopyRequest {
        src: (
            address(pSrc, "pSrc")?,
            // SAFETY: `pSrcImageDesc` is null or what its type says.
            unsafe { value(pSrcImageDesc, "pSrcImageDesc")? },
            // SAFETY: `pSrcImageFormat` is null or what its type says.
            unsafe { value(pSrcImageFormat, "pSrcImageFormat")? },
        ),
        dst: (
            address(pDst, "pDst")?,
            // SAFETY: `pDstImageDesc` is null or what its type says.
            unsafe { value(pDstImageDesc, "pDstImageDesc")? },
            // SAFETY: `pDstImageFormat` is null or what its type says.
            unsafe { value(pDstImageFormat, "pDstImageFormat")? },
        ),
        // SAFETY: `pCopyRegion` is null or what its type says.
        region: unsafe { value(pCopyRegion, "pCopyRegion")? },
        flags: imageCopyFlags,
    };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe {
        enqueue::<B, _>(queue, (numEventsInWaitList, phEventWaitList, phEvent), |dependencies| {
            image_copy::<B>(queue, &request, dependencies)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urBindlessImagesImageGetInfoExp<B: Backend>(
    hContext: ur_context_handle_t, hImageMem: ur_exp_image_mem_native_handle_t, propName: ur_image_info_t,
    pPropValue: *mut c_void, pPropSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object::<B::Context>(hContext, "hContext")? };
    let (memory, (query, encode)) = (memory(hImageMem)?, image_info(propName)?);
    // The caller has room for the value that it queries: eight bytes for every query.
    let room = if pPropValue.is_null() { 0 } else { 8 };
    // SAFETY: the answer's buffer has the size that the caller states.
    unsafe { Answer::new(room, pPropValue, pPropSizeRet)? }.answered_by(encode, origin(context), |info| {
        let mut answer = [0_u8; 8];
        let size = B::bindless_image_info(memory, query, answer.as_mut_ptr().cast())?;
        info.bytes(answer.get(..size).unwrap_or(&answer))
    })
}

#[entry]
pub unsafe extern "C" fn urBindlessImagesGetImageMemoryHandleTypeSupportExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pImageDesc: *const ur_image_desc_t,
    pImageFormat: *const ur_image_format_t, imageMemHandleType: ur_exp_image_mem_type_t,
    pSupportedRet: *mut ur_bool_t,
) -> Result<()> {
    // SAFETY: the arguments are passed on under the same contract.
    unsafe {
        image_support::<B>(
            BindlessUse::Memory,
            (hContext, hDevice),
            (pImageFormat, pImageDesc),
            imageMemHandleType,
            pSupportedRet,
        )
    }
}

#[entry]
pub unsafe extern "C" fn urBindlessImagesGetImageUnsampledHandleSupportExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pImageDesc: *const ur_image_desc_t,
    pImageFormat: *const ur_image_format_t, imageMemHandleType: ur_exp_image_mem_type_t,
    pSupportedRet: *mut ur_bool_t,
) -> Result<()> {
    // SAFETY: the arguments are passed on under the same contract.
    unsafe {
        image_support::<B>(
            BindlessUse::Unsampled,
            (hContext, hDevice),
            (pImageFormat, pImageDesc),
            imageMemHandleType,
            pSupportedRet,
        )
    }
}

#[entry]
pub unsafe extern "C" fn urBindlessImagesGetImageSampledHandleSupportExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pImageDesc: *const ur_image_desc_t,
    pImageFormat: *const ur_image_format_t, imageMemHandleType: ur_exp_image_mem_type_t,
    pSupportedRet: *mut ur_bool_t,
) -> Result<()> {
    // SAFETY: the arguments are passed on under the same contract.
    unsafe {
        image_support::<B>(
            BindlessUse::Sampled,
            (hContext, hDevice),
            (pImageFormat, pImageDesc),
            imageMemHandleType,
            pSupportedRet,
        )
    }
}

#[entry]
pub unsafe extern "C" fn urBindlessImagesMipmapGetLevelExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hImageMem: ur_exp_image_mem_native_handle_t,
    mipmapLevel: u32, phImageMem: *mut ur_exp_image_mem_native_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` and `hDevice` are null or live handles.
    let (context, device) = unsafe { (object(hContext, "hContext")?, object(hDevice, "hDevice")?) };
    let memory = memory(hImageMem)?;
    // SAFETY: `phImageMem` is null or writable.
    unsafe {
        put(phImageMem, "phImageMem", || {
            Ok(B::mem_mipmap_level(context, device, memory, mipmapLevel)?.expose_provenance())
        })
    }
}

#[entry]
pub unsafe extern "C" fn urBindlessImagesMipmapFreeExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hMem: ur_exp_image_mem_native_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` and `hDevice` are null or live handles.
    let (context, device) = unsafe { (object(hContext, "hContext")?, object(hDevice, "hDevice")?) };
    B::mem_mipmap_free(context, device, memory(hMem)?)
}

/// Returns the address of image memory.
pub(super) fn memory(handle: ur_exp_image_mem_native_handle_t) -> Result<*mut c_void> {
    if handle == 0 {
        return Err(error(UR_RESULT_ERROR_INVALID_NULL_HANDLE, "hImageMem is null"));
    }
    Ok(core::ptr::with_exposed_provenance_mut(handle))
}

/// A copy to, from or between images, with the address, shape and format of each side.
struct CopyRequest<'a> {
    src: (*mut c_void, &'a ur_image_desc_t, &'a ur_image_format_t),
    dst: (*mut c_void, &'a ur_image_desc_t, &'a ur_image_format_t),
    region: &'a ur_exp_image_copy_region_t,
    flags: ur_exp_image_copy_flags_t,
}

fn image_copy<B: Backend>(
    queue: &B::Queue, request: &CopyRequest<'_>, dependencies: Dependencies<'_, B::Event>,
) -> Result<()> {
    let CopyRequest { src: (src, src_desc, src_format), dst: (dst, dst_desc, dst_format), region, flags } =
        *request;
    let (direction, format, host) = match flags {
        UR_EXP_IMAGE_COPY_FLAG_HOST_TO_DEVICE => (ImageCopyDirection::HOST_TO_DEVICE, dst_format, src_desc),
        UR_EXP_IMAGE_COPY_FLAG_DEVICE_TO_HOST => (ImageCopyDirection::DEVICE_TO_HOST, src_format, dst_desc),
        UR_EXP_IMAGE_COPY_FLAG_DEVICE_TO_DEVICE => {
            (ImageCopyDirection::DEVICE_TO_DEVICE, src_format, src_desc)
        }
        UR_EXP_IMAGE_COPY_FLAG_HOST_TO_HOST => {
            return Err(Error::unsupported(
                "imageCopyFlags: no backend copies from the host to the host here",
            ));
        }
        _ => {
            let text = format!("imageCopyFlags {flags:#x} is not a direction");
            return Err(error(UR_RESULT_ERROR_INVALID_ENUMERATION, text));
        }
    };
    let copy = ImageCopy {
        dst,
        src,
        format: &image::format(format)?,
        src_desc: &image::desc(src_desc)?,
        dst_desc: &image::desc(dst_desc)?,
        direction,
        src_offset: &offset(region.srcOffset),
        dst_offset: &offset(region.dstOffset),
        copy_extent: &extent(region.copyExtent),
        host_extent: &[host.width, host.height, host.depth.max(host.arraySize)],
        host_row_pitch: host.rowPitch,
    };
    B::mem_image_copy(queue, copy, dependencies)
}

/// Returns the neutral query that corresponds to a query of image memory, and the encoding of its answer. Every answer
/// has eight bytes.
fn image_info(name: ur_image_info_t) -> Result<(ImageInfo, Encode)> {
    Ok(match name {
        UR_IMAGE_INFO_FORMAT => (ImageInfo::FORMAT, encode::IMAGE_FORMAT),
        UR_IMAGE_INFO_WIDTH => (ImageInfo::WIDTH, encode::SIZE),
        UR_IMAGE_INFO_HEIGHT => (ImageInfo::HEIGHT, encode::SIZE),
        UR_IMAGE_INFO_DEPTH => (ImageInfo::DEPTH, encode::SIZE),
        _ => return Err(unknown_query(name, name <= UR_IMAGE_INFO_NUM_SAMPLES)),
    })
}

/// Reports whether a device supports images like this one.
///
/// # Safety
///
/// Same as for the functions that call it.
unsafe fn image_support<B: Backend>(
    wanted: BindlessUse, (context, device): (ur_context_handle_t, ur_device_handle_t),
    (format, desc): (*const ur_image_format_t, *const ur_image_desc_t), kind: ur_exp_image_mem_type_t,
    supported: *mut ur_bool_t,
) -> Result<()> {
    // SAFETY: guaranteed by the caller.
    unsafe {
        object::<B::Context>(context, "hContext")?;
        let device = object(device, "hDevice")?;
        let (format, desc) = (value(format, "pImageFormat")?, value(desc, "pImageDesc")?);
        let is_usm = match kind {
            UR_EXP_IMAGE_MEM_TYPE_USM_POINTER => true,
            UR_EXP_IMAGE_MEM_TYPE_OPAQUE_HANDLE => false,
            _ => {
                let text = format!("imageMemHandleType {kind} is unknown");
                return Err(error(UR_RESULT_ERROR_INVALID_ENUMERATION, text));
            }
        };
        put(supported, "pSupportedRet", || {
            let (format, desc) = (image::format(format)?, image::desc(desc)?);
            Ok(u8::from(B::bindless_image_support(device, wanted, is_usm, &format, &desc)?))
        })
    }
}
