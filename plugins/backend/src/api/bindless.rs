//! Bindless images, and imported memory and semaphores.

use core::ffi::c_void;

use crate::types::*;

use crate::api::SamplerProperties;
use crate::{Dependencies, New};

/// A copy between host memory and image memory.
#[derive(Debug)]
pub struct ImageCopy<'a> {
    /// Destination: image memory or a host address.
    pub dst: *mut c_void,
    /// Source: image memory or a host address.
    pub src: *mut c_void,
    /// Pixel format.
    pub format: &'a ImageFormat,
    /// Shape of the source, if it is an image.
    pub src_desc: &'a ImageDesc,
    /// Shape of the destination, if it is an image.
    pub dst_desc: &'a ImageDesc,
    /// Direction.
    pub direction: ImageCopyDirection,
    /// Corner in the source.
    pub src_offset: &'a [usize; 3],
    /// Corner in the destination.
    pub dst_offset: &'a [usize; 3],
    /// Extent of the copied region.
    pub copy_extent: &'a [usize; 3],
    /// Shape of the host memory.
    pub host_extent: &'a [usize; 3],
    /// Bytes from row to row of the host memory; 0 if the pitch follows from its shape.
    pub host_row_pitch: usize,
}

/// The intended use of image memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BindlessUse {
    /// Any use: asks only whether the memory is supported.
    Memory,
    /// For unsampled images.
    Unsampled,
    /// For sampled images.
    Sampled,
}

api! {
    /// Bindless images, to the extent that PI 15.47 and Unified Runtime have them.
    trait BindlessApi {
        /// Destroys the handle of an unsampled image.
        #[doc(alias = "piextMemUnsampledImageHandleDestroy")]
        #[doc(alias = "urBindlessImagesUnsampledImageHandleDestroyExp")]
        fn mem_unsampled_image_handle_destroy(context: &Self::Context, device: &Self::Device, handle: ImageHandle);
        /// Destroys the handle of a sampled image.
        #[doc(alias = "piextMemSampledImageHandleDestroy")]
        #[doc(alias = "urBindlessImagesSampledImageHandleDestroyExp")]
        fn mem_sampled_image_handle_destroy(context: &Self::Context, device: &Self::Device, handle: ImageHandle);
        /// Creates a sampler with mipmap levels (min, max) and anisotropy.
        #[doc(alias = "piextBindlessImageSamplerCreate")]
        fn bindless_image_sampler_create(context: &Self::Context,
            properties: SamplerProperties, mipmap_clamp: (f32, f32), max_anisotropy: f32)
            -> New<Self::Sampler>;
        /// Allocates memory for an image.
        #[doc(alias = "piextMemImageAllocate")]
        #[doc(alias = "urBindlessImagesImageAllocateExp")]
        fn mem_image_allocate(context: &Self::Context, device: &Self::Device, format: &ImageFormat,
            desc: &ImageDesc) -> ImageMemHandle;
        /// Frees image memory.
        #[doc(alias = "piextMemImageFree")]
        #[doc(alias = "urBindlessImagesImageFreeExp")]
        fn mem_image_free(context: &Self::Context, device: &Self::Device, memory: ImageMemHandle);
        /// Creates an unsampled image over image memory.
        #[doc(alias = "piextMemUnsampledImageCreate")]
        #[doc(alias = "urBindlessImagesUnsampledImageCreateExp")]
        fn mem_unsampled_image_create(context: &Self::Context, device: &Self::Device, memory: ImageMemHandle,
            format: &ImageFormat, desc: &ImageDesc) -> (Option<New<Self::Mem>>, ImageHandle);
        /// Creates a sampled image over image memory.
        #[doc(alias = "piextMemSampledImageCreate")]
        #[doc(alias = "urBindlessImagesSampledImageCreateExp")]
        fn mem_sampled_image_create(context: &Self::Context, device: &Self::Device, memory: ImageMemHandle,
            format: &ImageFormat, desc: &ImageDesc, sampler: &Self::Sampler)
            -> (Option<New<Self::Mem>>, ImageHandle);
        /// Enqueues a copy between host and image memory.
        #[doc(alias = "piextMemImageCopy")]
        #[doc(alias = "urBindlessImagesImageCopyExp")]
        fn mem_image_copy(queue: &Self::Queue, copy: ImageCopy<'_>, dependencies: Dependencies<'_, Self::Event>);
        /// Writes a property of image memory to `value`, whose size depends on the property, and returns its size.
        #[doc(alias = "piextMemImageGetInfo")]
        #[doc(alias = "urBindlessImagesImageGetInfoExp")]
        fn bindless_image_info(memory: ImageMemHandle, name: ImageInfo, value: *mut c_void) -> usize;
        /// Returns one level of a mipmap.
        #[doc(alias = "piextMemMipmapGetLevel")]
        #[doc(alias = "urBindlessImagesMipmapGetLevelExp")]
        fn mem_mipmap_level(context: &Self::Context, device: &Self::Device, memory: ImageMemHandle,
            level: u32) -> ImageMemHandle;
        /// Frees a mipmap.
        #[doc(alias = "piextMemMipmapFree")]
        #[doc(alias = "urBindlessImagesMipmapFreeExp")]
        fn mem_mipmap_free(context: &Self::Context, device: &Self::Device, memory: ImageMemHandle);
        /// Imports the memory behind a file descriptor.
        #[doc(alias = "piextMemImportOpaqueFD")]
        #[doc(alias = "urBindlessImagesImportExternalMemoryExp")]
        fn mem_import_opaque_fd(context: &Self::Context, device: &Self::Device, size: usize, fd: i32)
            -> InteropMemHandle;
        /// Releases imported memory.
        #[doc(alias = "piextMemReleaseInterop")]
        #[doc(alias = "urBindlessImagesReleaseExternalMemoryExp")]
        fn mem_release_interop(context: &Self::Context, device: &Self::Device, memory: InteropMemHandle);
        /// Maps imported memory as image memory.
        #[doc(alias = "piextMemMapExternalArray")]
        #[doc(alias = "urBindlessImagesMapExternalArrayExp")]
        fn mem_map_external_array(context: &Self::Context, device: &Self::Device, format: &ImageFormat,
            desc: &ImageDesc, memory: InteropMemHandle) -> ImageMemHandle;
        /// Maps imported memory to a device address.
        #[doc(alias = "urBindlessImagesMapExternalLinearMemoryExp")]
        fn mem_map_external_linear(context: &Self::Context, device: &Self::Device, memory: InteropMemHandle,
            offset: u64, size: u64) -> *mut c_void;
        /// Releases a mapping of imported memory.
        #[doc(alias = "urBindlessImagesFreeMappedLinearMemoryExp")]
        fn mem_free_mapped_linear(context: &Self::Context, device: &Self::Device, address: *mut c_void);
        /// Returns whether the device supports such images, over USM or over memory of their own.
        #[doc(alias = "urBindlessImagesGetImageMemoryHandleTypeSupportExp")]
        #[doc(alias = "urBindlessImagesGetImageSampledHandleSupportExp")]
        #[doc(alias = "urBindlessImagesGetImageUnsampledHandleSupportExp")]
        fn bindless_image_support(device: &Self::Device, wanted: BindlessUse, is_usm: bool, format: &ImageFormat,
            desc: &ImageDesc) -> bool;
        /// Imports the semaphore behind a file descriptor.
        #[doc(alias = "piextImportExternalSemaphoreOpaqueFD")]
        #[doc(alias = "urBindlessImagesImportExternalSemaphoreExp")]
        fn import_external_semaphore_opaque_fd(context: &Self::Context, device: &Self::Device, fd: i32)
            -> InteropSemaphoreHandle;
        /// Releases an imported semaphore.
        #[doc(alias = "piextDestroyExternalSemaphore")]
        #[doc(alias = "urBindlessImagesReleaseExternalSemaphoreExp")]
        fn destroy_external_semaphore(context: &Self::Context, device: &Self::Device,
            semaphore: InteropSemaphoreHandle);
        /// Enqueues a wait for a semaphore.
        #[doc(alias = "piextWaitExternalSemaphore")]
        #[doc(alias = "urBindlessImagesWaitExternalSemaphoreExp")]
        fn wait_external_semaphore(queue: &Self::Queue, semaphore: InteropSemaphoreHandle,
            dependencies: Dependencies<'_, Self::Event>);
        /// Enqueues a signal of a semaphore.
        #[doc(alias = "piextSignalExternalSemaphore")]
        #[doc(alias = "urBindlessImagesSignalExternalSemaphoreExp")]
        fn signal_external_semaphore(queue: &Self::Queue, semaphore: InteropSemaphoreHandle,
            dependencies: Dependencies<'_, Self::Event>);
    }
}
