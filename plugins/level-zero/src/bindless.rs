//! Bindless images: not on Level Zero so far. The device says so, and every entry point keeps its default, "not supported by
//! the Level Zero backend":
//! piextMemUnsampledImageHandleDestroy piextMemSampledImageHandleDestroy piextBindlessImageSamplerCreate
//! piextMemImageAllocate piextMemImageFree piextMemUnsampledImageCreate piextMemSampledImageCreate piextMemImageCopy
//! piextMemImageGetInfo piextMemMipmapGetLevel piextMemMipmapFree piextMemImportOpaqueFD piextMemReleaseInterop
//! piextMemMapExternalArray piextImportExternalSemaphoreOpaqueFD piextDestroyExternalSemaphore
//! piextWaitExternalSemaphore piextSignalExternalSemaphore

use sycl_pi_backend::api::BindlessApi;

use crate::LevelZero;

impl BindlessApi for LevelZero {}
