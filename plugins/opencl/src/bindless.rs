//! Bindless images: OpenCL has none, so every entry point keeps its default, "not supported by the OpenCL backend":
//! piextMemUnsampledImageHandleDestroy piextMemSampledImageHandleDestroy piextBindlessImageSamplerCreate
//! piextMemImageAllocate piextMemImageFree piextMemUnsampledImageCreate piextMemSampledImageCreate piextMemImageCopy
//! piextMemImageGetInfo piextMemMipmapGetLevel piextMemMipmapFree piextMemImportOpaqueFD piextMemReleaseInterop
//! piextMemMapExternalArray piextImportExternalSemaphoreOpaqueFD piextDestroyExternalSemaphore
//! piextWaitExternalSemaphore piextSignalExternalSemaphore

use sycl_pi_backend::api::BindlessApi;

use crate::OpenCl;

impl BindlessApi for OpenCl {}
