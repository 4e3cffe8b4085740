//! The plugin's choice among images.

use std::ffi::CString;

use sycl_pi_core::*;
use sycl_pi_image::ImageParts;

use super::Device;
use crate::error::{Error, Result, WithObject};

/// Converts text for C.
pub(super) fn c_text(text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| Error::invalid(format!("{text:?} has a zero byte")))
}

/// Returns the index of the image that the plugin chooses for the device, if it accepts any.
pub(crate) fn select_binary(device: &Device, images: &[(&ImageParts<'_>, u8)]) -> Result<Option<usize>> {
    let targets: Vec<CString> =
        images.iter().map(|(image, _)| c_text(&image.target)).collect::<Result<_>>()?;
    let empty = c"".as_ptr();
    let mut structs: Vec<pi_device_binary_struct> = images
        .iter()
        .zip(&targets)
        .map(|((image, format), target)| {
            let range = image.bytes.as_ptr_range();
            pi_device_binary_struct {
                Version: PI_DEVICE_BINARY_VERSION,
                Kind: PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL,
                Format: *format,
                DeviceTargetSpec: target.as_ptr(),
                CompileOptions: empty,
                LinkOptions: empty,
                ManifestStart: std::ptr::null(),
                ManifestEnd: std::ptr::null(),
                BinaryStart: range.start,
                BinaryEnd: range.end,
                EntriesBegin: std::ptr::null_mut(),
                EntriesEnd: std::ptr::null_mut(),
                PropertySetsBegin: std::ptr::null_mut(),
                PropertySetsEnd: std::ptr::null_mut(),
            }
        })
        .collect();
    let mut pointers: Vec<pi_device_binary> = structs.iter_mut().map(|one| one as _).collect();
    let (count, mut chosen) = (pointers.len() as pi_uint32, pi_uint32::MAX);
    let table = device.plugin().table();
    let done =
        // SAFETY: `count` complete binaries that outlive the call.
        unsafe { table.piextDeviceSelectBinary(device.raw(), pointers.as_mut_ptr(), count, &mut chosen) };
    match done {
        Err(error) if error.code() == Some(PI_ERROR_INVALID_BINARY) => Ok(None),
        Err(error) => Err(error).with_object(|| format!("{device:?}")),
        Ok(()) => Ok(usize::try_from(chosen).ok().filter(|&chosen| chosen < images.len())),
    }
}
