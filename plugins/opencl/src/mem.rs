//! Buffers, sub-buffers and images.

use std::ptr::null_mut;

use sycl_pi_backend::api::{HostPtr, MemApi};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Info, New, Properties, Result};

use crate::OpenCl;
use crate::check::check_range;
use crate::pocl;
use crate::sys::{self, Context, Device, HasPlatform, Mem, Queried, cl, create};

/// Returns the parent of a sub-buffer, and the same position in it. A buffer that is not a sub-buffer is returned
/// unchanged.
///
/// This is needed for PoCL, which terminates the process on a sub-buffer in a copy of a box.
pub(crate) fn whole(mem: &Mem, origin: &[usize; 3]) -> Result<(sys::cl_mem, [usize; 3])> {
    let of: sys::cl_mem = mem.value(sys::CL_MEM_ASSOCIATED_MEMOBJECT, null_mut())?;
    // An image may be created from a buffer, but has no position in it here.
    if of.is_null() || mem.value(sys::CL_MEM_TYPE, 0_u32)? != sys::CL_MEM_OBJECT_BUFFER {
        return Ok((mem.cl(), *origin));
    }
    let ([x, y, z], offset) = (*origin, mem.value(sys::CL_MEM_OFFSET, 0_usize)?);
    // Both are within the sub-buffer, which is within its parent, so the sum cannot overflow.
    Ok((of, [x + offset, y, z]))
}

/// Distinguishes the errors, because OpenCL has only one code for a region past the end of a buffer and for wrong
/// flags.
#[cold]
fn past_the_end(buffer: &Mem, region: BufferRegion, error: Error) -> Error {
    let size = buffer.value(sys::CL_MEM_SIZE, usize::MAX).unwrap_or(usize::MAX);
    if error.code() == ErrorCode::INVALID_VALUE && region.origin + region.size > size {
        let outside = Error::outside("the region of a sub-buffer", region.origin, region.size, size);
        return outside.with_code(ErrorCode::INVALID_BUFFER_SIZE);
    }
    error
}

impl MemApi for OpenCl {
    fn mem_buffer_create(
        context: &Context,
        flags: MemFlags,
        size: usize,
        host_ptr: HostPtr,
        properties: Properties<'_, u64>,
    ) -> Result<New<Mem>> {
        if !properties.is_empty() {
            let extensions = &context.driver()?.extensions;
            if extensions.has("clCreateBufferWithPropertiesINTEL") {
                let (context, list) = (context.cl(), properties.as_ptr());
                return create(|code| {
                    extensions.clCreateBufferWithPropertiesINTEL(
                        context,
                        list,
                        flags.bits(),
                        size,
                        host_ptr,
                        code,
                    )
                });
            }
            // The properties place a buffer on FPGA channels and banks. A driver without them has only one place.
        }
        create(|code| cl().clCreateBuffer(context.cl(), flags.bits(), size, host_ptr, code))
    }

    fn mem_image_create(
        context: &Context,
        flags: MemFlags,
        format: &ImageFormat,
        desc: &ImageDesc,
        host_ptr: HostPtr,
    ) -> Result<New<Mem>> {
        if desc.num_mip_levels != 0 || desc.num_samples != 0 {
            // PoCL 3.1 terminates the process on these.
            return Err(Error::new(
                ErrorCode::INVALID_IMAGE_DESCRIPTOR,
                "OpenCL has no images with mip levels or several samples",
            ));
        }
        if !(MemType::IMAGE2D..=MemType::IMAGE1D_BUFFER).contains(&desc.image_type) {
            return Err(Error::new(
                ErrorCode::INVALID_IMAGE_DESCRIPTOR,
                format!("unknown image type {:#x}", desc.image_type),
            ));
        }
        if host_ptr.is_null() && desc.buffer.is_null() && (desc.row_pitch != 0 || desc.slice_pitch != 0) {
            return Err(Error::new(
                ErrorCode::INVALID_IMAGE_DESCRIPTOR,
                "a pitch without memory of the host to lay out",
            ));
        }
        pocl::check_image_buffer(context, desc.buffer)?;
        let (format, desc) = (sys::image_format(format), sys::image_desc(desc));
        create(|code| cl().clCreateImage(context.cl(), flags.bits(), format, desc, host_ptr, code))
    }

    fn mem_info(mem: &Mem, name: MemInfo, info: Info<'_>) -> Result<()> {
        mem.answer(name.0, info)
    }

    fn mem_image_info(image: &Mem, name: ImageInfo, mut info: Info<'_>) -> Result<()> {
        pocl::check_is_image(image)?;
        let (size, value, size_ret) = info.raw_parts();
        cl().clGetImageInfo(image.cl(), name.0, size, value, size_ret)
    }

    fn mem_buffer_partition(buffer: &Mem, flags: MemFlags, region: BufferRegion) -> Result<New<Mem>> {
        if region.size == 0 {
            return Err(Error::empty_sub_buffer());
        }
        // Drivers add the two, and a sum that overflows passes their check.
        check_range(region.origin, region.size).map_err(|error| {
            error.context("the region of a sub-buffer").with_code(ErrorCode::INVALID_BUFFER_SIZE)
        })?;
        let part = sys::cl_buffer_region { origin: region.origin, size: region.size };
        let (kind, part) = (sys::CL_BUFFER_CREATE_TYPE_REGION, (&raw const part).cast());
        create(|code| cl().clCreateSubBuffer(buffer.cl(), flags.bits(), kind, part, code))
            .map_err(|error| past_the_end(buffer, region, error))
    }

    fn mem_native_handle(mem: &Mem, _: Option<&Device>) -> Result<NativeHandle> {
        Ok(sys::native_handle(mem))
    }

    fn mem_create_with_native_handle(native: NativeHandle, _: &Context, owned: bool) -> Result<New<Mem>> {
        sys::from_native(native, owned)
    }

    fn mem_image_create_with_native_handle(
        native: NativeHandle,
        _: &Context,
        owned: bool,
        _: Option<&ImageFormat>,
        _: Option<&ImageDesc>,
    ) -> Result<New<Mem>> {
        sys::from_native(native, owned)
    }
}
