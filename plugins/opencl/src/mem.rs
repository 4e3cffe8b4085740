//! Buffers, sub-buffers, images.

use core::ffi::c_void;
use std::ptr::null_mut;

use sycl_pi_backend::api::{HostPtr, MemApi};
use sycl_pi_backend::Properties;
use sycl_pi_backend::{Error, Info, New, Result, cold_error};
use sycl_pi_backend::types::*;

use crate::OpenCl;
use crate::check::check_range;
use crate::pocl;
use crate::sys::{self, Context, Device, Mem, Rooted, Wrap, cl};

/// The buffer that a part belongs to, and the same place in it; a whole buffer as it is.
///
/// For PoCL, which ends the process over a part of a buffer in a copy of a box.
pub(crate) fn whole(mem: &Mem, origin: &[usize; 3]) -> Result<(sys::cl_mem, [usize; 3])> {
    let of: sys::cl_mem = ask(mem, sys::CL_MEM_ASSOCIATED_MEMOBJECT, null_mut())?;
    // An image may be made of a buffer, and has no place here.
    if of.is_null() || ask(mem, sys::CL_MEM_TYPE, 0_u32)? != sys::CL_MEM_OBJECT_BUFFER {
        return Ok((mem.cl(), *origin));
    }
    let ([x, y, z], offset) = (*origin, ask(mem, sys::CL_MEM_OFFSET, 0_usize)?);
    // Both are within the part, which is within the whole: the sum does not wrap.
    Ok((of, [x + offset, y, z]))
}

/// An answer of that type.
fn ask<T>(mem: &Mem, name: u32, mut answer: T) -> Result<T> {
    let room = (&raw mut answer).cast();
    cl().clGetMemObjectInfo(mem.cl(), name, size_of::<T>(), room, null_mut())?;
    Ok(answer)
}

impl MemApi for OpenCl {
    #[inline(always)]
    fn mem_buffer_create(
        context: &Context,
        flags: MemFlags,
        size: usize,
        host_ptr: HostPtr,
        properties: Properties<'_, u64>,
    ) -> Result<New<Mem>> {
        if !properties.is_empty() {
            let ext = &context.driver()?.ext;
            if ext.has("clCreateBufferWithPropertiesINTEL") {
                return ext
                    .clCreateBufferWithPropertiesINTEL(
                        context.cl(),
                        properties.as_ptr(),
                        flags,
                        size,
                        host_ptr,
                    )?
                    .wrap();
            }
            // The properties place a buffer on FPGA channels and banks: a driver without them has one place only.
        }
        cl().clCreateBuffer(context.cl(), flags, size, host_ptr)?.wrap()
    }

    fn mem_image_create(
        context: &Context,
        flags: MemFlags,
        format: &ImageFormat,
        desc: &ImageDesc,
        host_ptr: HostPtr,
    ) -> Result<New<Mem>> {
        if desc.num_mip_levels != 0 || desc.num_samples != 0 {
            // PoCL 3.1 ends the process over these.
            return Err(Error::new(
                ErrorCode::INVALID_IMAGE_DESCRIPTOR,
                "num_mip_levels and num_samples of image_desc have to be 0: OpenCL has no images with several of either",
            ));
        }
        if !(MemType::IMAGE2D..=MemType::IMAGE1D_BUFFER).contains(&desc.image_type) {
            return Err(Error::new(
                ErrorCode::INVALID_IMAGE_DESCRIPTOR,
                format!("image_desc has the unknown image_type {:#x}", desc.image_type),
            ));
        }
        if host_ptr.is_null()
            && desc.buffer.is_null()
            && (desc.row_pitch != 0 || desc.slice_pitch != 0)
        {
            return Err(Error::new(
                ErrorCode::INVALID_IMAGE_DESCRIPTOR,
                "a pitch without a host_ptr to lay out",
            ));
        }
        pocl::check_image_buffer(context, desc.buffer)?;
        cl().clCreateImage(context.cl(), flags, sys::image_format(format), sys::image_desc(desc), host_ptr)?
            .wrap()
    }

    #[inline(always)]
    fn mem_info(mem: &Mem, name: MemInfo, mut info: Info<'_>) -> Result<()> {
        let (size, value, size_ret) = info.raw_parts();
        cl().clGetMemObjectInfo(mem.cl(), name, size, value, size_ret)
    }

    fn mem_image_info(image: &Mem, name: ImageInfo, mut info: Info<'_>) -> Result<()> {
        let (size, value, size_ret) = info.raw_parts();
        cl().clGetImageInfo(image.cl(), name, size, value, size_ret)
    }

    fn mem_retain(mem: &Mem) -> Result<()> {
        cl().clRetainMemObject(mem.cl())
    }

    fn mem_release(mem: &Mem) -> Result<()> {
        cl().clReleaseMemObject(mem.cl())
    }

    #[inline(always)]
    fn mem_buffer_partition(
        buffer: &Mem,
        flags: MemFlags,
        create_type: pi_buffer_create_type,
        region: &BufferRegion,
    ) -> Result<New<Mem>> {
        if region.size == 0 {
            let empty =
                || Error::new(ErrorCode::INVALID_BUFFER_SIZE, "buffer_create_info: the region's size is 0");
            return Err(cold_error(empty));
        }
        // Drivers add the two up, and a sum that wraps passes their check.
        check_range(region.origin, region.size).map_err(|error| error.context("buffer_create_info"))?;
        let info = core::ptr::from_ref(region).cast::<c_void>();
        cl().clCreateSubBuffer(buffer.cl(), flags, create_type, info)?.wrap()
    }

    fn mem_native_handle(mem: &Mem, _: Option<&Device>) -> Result<NativeHandle> {
        Ok(mem.cl().addr())
    }

    fn mem_create_with_native_handle(
        native: NativeHandle,
        _: &Context,
        owned: bool,
    ) -> Result<New<Mem>> {
        let mem = sys::adopt::<Mem>(native)?;
        if !owned {
            cl().clRetainMemObject(mem.cl())?;
        }
        mem.cl().wrap()
    }

    fn mem_image_create_with_native_handle(
        native: NativeHandle,
        context: &Context,
        owned: bool,
        _: Option<&ImageFormat>,
        _: Option<&ImageDesc>,
    ) -> Result<New<Mem>> {
        Self::mem_create_with_native_handle(native, context, owned)
    }
}
