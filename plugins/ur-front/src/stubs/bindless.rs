//! Bindless images and imported memory.

use super::prelude::*;

absent! {
    urBindlessImagesUnsampledImageHandleDestroyExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hImage:
        ur_exp_image_native_handle_t);
    urBindlessImagesSampledImageHandleDestroyExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hImage:
        ur_exp_image_native_handle_t);
    urBindlessImagesImageAllocateExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pImageFormat: *const
        ur_image_format_t, pImageDesc: *const ur_image_desc_t, phImageMem: *mut ur_exp_image_mem_native_handle_t);
    urBindlessImagesImageFreeExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hImageMem:
        ur_exp_image_mem_native_handle_t);
    urBindlessImagesUnsampledImageCreateExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hImageMem:
        ur_exp_image_mem_native_handle_t, pImageFormat: *const ur_image_format_t, pImageDesc: *const ur_image_desc_t,
        phImage: *mut ur_exp_image_native_handle_t);
    urBindlessImagesSampledImageCreateExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hImageMem:
        ur_exp_image_mem_native_handle_t, pImageFormat: *const ur_image_format_t, pImageDesc: *const ur_image_desc_t,
        pSamplerDesc: *const ur_sampler_desc_t, phImage: *mut ur_exp_image_native_handle_t);
    urBindlessImagesSampledImageCreateExp_until_2025_2(hContext: ur_context_handle_t, hDevice: ur_device_handle_t,
        hImageMem: ur_exp_image_mem_native_handle_t, pImageFormat: *const ur_image_format_t, pImageDesc: *const
        ur_image_desc_t, hSampler: ur_sampler_handle_t, phImage: *mut ur_exp_image_native_handle_t);
    urBindlessImagesImageCopyExp(hQueue: ur_queue_handle_t, pSrc: *const c_void, pDst: *mut c_void, pSrcImageDesc:
        *const ur_image_desc_t, pDstImageDesc: *const ur_image_desc_t, pSrcImageFormat: *const ur_image_format_t,
        pDstImageFormat: *const ur_image_format_t, pCopyRegion: *mut ur_exp_image_copy_region_t, imageCopyFlags:
        ur_exp_image_copy_flags_t, imageCopyInputTypes: ur_exp_image_copy_input_types_t, numEventsInWaitList: u32,
        phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
    urBindlessImagesImageCopyExp_until_2025_3(hQueue: ur_queue_handle_t, pSrc: *const c_void, pDst: *mut c_void,
        pSrcImageDesc: *const ur_image_desc_t, pDstImageDesc: *const ur_image_desc_t, pSrcImageFormat: *const
        ur_image_format_t, pDstImageFormat: *const ur_image_format_t, pCopyRegion: *mut ur_exp_image_copy_region_t,
        imageCopyFlags: ur_exp_image_copy_flags_t, numEventsInWaitList: u32, phEventWaitList: *const
        ur_event_handle_t, phEvent: *mut ur_event_handle_t);
    urBindlessImagesImageGetInfoExp(hContext: ur_context_handle_t, hImageMem: ur_exp_image_mem_native_handle_t,
        propName: ur_image_info_t, pPropValue: *mut c_void, pPropSizeRet: *mut usize);
    urBindlessImagesGetImageMemoryHandleTypeSupportExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t,
        pImageDesc: *const ur_image_desc_t, pImageFormat: *const ur_image_format_t, imageMemHandleType:
        ur_exp_image_mem_type_t, pSupportedRet: *mut ur_bool_t);
    urBindlessImagesGetImageUnsampledHandleSupportExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t,
        pImageDesc: *const ur_image_desc_t, pImageFormat: *const ur_image_format_t, imageMemHandleType:
        ur_exp_image_mem_type_t, pSupportedRet: *mut ur_bool_t);
    urBindlessImagesGetImageSampledHandleSupportExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t,
        pImageDesc: *const ur_image_desc_t, pImageFormat: *const ur_image_format_t, imageMemHandleType:
        ur_exp_image_mem_type_t, pSupportedRet: *mut ur_bool_t);
    urBindlessImagesMipmapGetLevelExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hImageMem:
        ur_exp_image_mem_native_handle_t, mipmapLevel: u32, phImageMem: *mut ur_exp_image_mem_native_handle_t);
    urBindlessImagesMipmapFreeExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hMem:
        ur_exp_image_mem_native_handle_t);
    urBindlessImagesImportExternalMemoryExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, size: usize,
        memHandleType: ur_exp_external_mem_type_t, pExternalMemDesc: *mut ur_exp_external_mem_desc_t, phExternalMem:
        *mut ur_exp_external_mem_handle_t);
    urBindlessImagesMapExternalArrayExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pImageFormat:
        *const ur_image_format_t, pImageDesc: *const ur_image_desc_t, hExternalMem: ur_exp_external_mem_handle_t,
        phImageMem: *mut ur_exp_image_mem_native_handle_t);
    urBindlessImagesMapExternalLinearMemoryExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, offset:
        u64, size: u64, hExternalMem: ur_exp_external_mem_handle_t, ppRetMem: *mut *mut c_void);
    urBindlessImagesReleaseExternalMemoryExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hExternalMem:
        ur_exp_external_mem_handle_t);
    urBindlessImagesFreeMappedLinearMemoryExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pMem: *mut
        c_void);
    urBindlessImagesSupportsImportingHandleTypeExp(hDevice: ur_device_handle_t, memHandleType:
        ur_exp_external_mem_type_t, pSupportedRet: *mut ur_bool_t);
    urBindlessImagesImportExternalSemaphoreExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t,
        semHandleType: ur_exp_external_semaphore_type_t, pExternalSemaphoreDesc: *mut
        ur_exp_external_semaphore_desc_t, phExternalSemaphore: *mut ur_exp_external_semaphore_handle_t);
    urBindlessImagesReleaseExternalSemaphoreExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t,
        hExternalSemaphore: ur_exp_external_semaphore_handle_t);
    urBindlessImagesWaitExternalSemaphoreExp(hQueue: ur_queue_handle_t, hSemaphore:
        ur_exp_external_semaphore_handle_t, hasWaitValue: u8, waitValue: u64, numEventsInWaitList: u32,
        phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
    urBindlessImagesSignalExternalSemaphoreExp(hQueue: ur_queue_handle_t, hSemaphore:
        ur_exp_external_semaphore_handle_t, hasSignalValue: u8, signalValue: u64, numEventsInWaitList: u32,
        phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t);
}
