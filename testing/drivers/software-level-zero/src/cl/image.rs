//! Images and samplers.

use opencl_sys::*;

use super::runtime::{ClQueue, runtime};

/// An image.
pub(crate) struct ClImage(pub(super) cl_mem);

// SAFETY: OpenCL images may be used from any thread.
unsafe impl Send for ClImage {}
// SAFETY: the same as above.
unsafe impl Sync for ClImage {}

impl Drop for ClImage {
    fn drop(&mut self) {
        if let Ok(runtime) = runtime() {
            runtime.functions.clReleaseMemObject(self.0);
        }
    }
}

/// A region of an image, and its layout in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) origin: [usize; 3],
    pub(crate) region: [usize; 3],
    pub(crate) row_pitch: usize,
    pub(crate) slice_pitch: usize,
}

fn check(code: cl_int) -> Result<(), cl_int> {
    if code == CL_SUCCESS { Ok(()) } else { Err(code) }
}

impl ClImage {
    /// Creates an image.
    pub(crate) fn new(format: &cl_image_format, desc: &cl_image_desc) -> Result<Self, cl_int> {
        let runtime = runtime().map_err(|_| CL_DEVICE_NOT_AVAILABLE)?;
        let mut code = 0;
        let image = runtime.functions.clCreateImage(
            runtime.context,
            CL_MEM_READ_WRITE,
            format,
            desc,
            std::ptr::null_mut(),
            &mut code,
        );
        check(code).map(|()| Self(image))
    }

    /// Copies from the image to memory.
    pub(crate) fn read(&self, queue: &ClQueue, part: &Part, to: usize) -> Result<(), cl_int> {
        let runtime = runtime().map_err(|_| CL_DEVICE_NOT_AVAILABLE)?;
        check(runtime.functions.clEnqueueReadImage(
            queue.0,
            self.0,
            1,
            part.origin.as_ptr(),
            part.region.as_ptr(),
            part.row_pitch,
            part.slice_pitch,
            std::ptr::with_exposed_provenance_mut(to),
            0,
            std::ptr::null(),
            std::ptr::null_mut(),
        ))
    }

    /// Copies from memory to the image. When it returns, the copy is complete for every queue.
    ///
    /// A blocking `clEnqueueWriteImage` guarantees less (OpenCL 3.0, its `blocking_write`): only that the memory may be
    /// used again. Intel's runtime makes a copy, and writes the image later.
    pub(crate) fn write(&self, queue: &ClQueue, part: &Part, from: usize) -> Result<(), cl_int> {
        let runtime = runtime().map_err(|_| CL_DEVICE_NOT_AVAILABLE)?;
        check(runtime.functions.clEnqueueWriteImage(
            queue.0,
            self.0,
            0,
            part.origin.as_ptr(),
            part.region.as_ptr(),
            part.row_pitch,
            part.slice_pitch,
            std::ptr::with_exposed_provenance(from),
            0,
            std::ptr::null(),
            std::ptr::null_mut(),
        ))?;
        check(queue.finish(runtime))
    }

    /// Copies to another image.
    pub(crate) fn copy(
        &self,
        queue: &ClQueue,
        from: [usize; 3],
        target: &Self,
        to: [usize; 3],
        region: [usize; 3],
    ) -> Result<(), cl_int> {
        let runtime = runtime().map_err(|_| CL_DEVICE_NOT_AVAILABLE)?;
        check(runtime.functions.clEnqueueCopyImage(
            queue.0,
            self.0,
            target.0,
            from.as_ptr(),
            to.as_ptr(),
            region.as_ptr(),
            0,
            std::ptr::null(),
            std::ptr::null_mut(),
        ))?;
        check(queue.finish(runtime))
    }
}

/// A sampler.
pub(crate) struct ClSampler(pub(super) cl_sampler);

// SAFETY: OpenCL samplers may be used from any thread.
unsafe impl Send for ClSampler {}
// SAFETY: the same as above.
unsafe impl Sync for ClSampler {}

impl Drop for ClSampler {
    fn drop(&mut self) {
        if let Ok(runtime) = runtime() {
            runtime.functions.clReleaseSampler(self.0);
        }
    }
}

impl ClSampler {
    /// Creates a sampler.
    pub(crate) fn new(normalized: bool, addressing: u32, filter: u32) -> Result<Self, cl_int> {
        let runtime = runtime().map_err(|_| CL_DEVICE_NOT_AVAILABLE)?;
        let properties = [
            u64::from(CL_SAMPLER_NORMALIZED_COORDS),
            u64::from(normalized),
            u64::from(CL_SAMPLER_ADDRESSING_MODE),
            u64::from(addressing),
            u64::from(CL_SAMPLER_FILTER_MODE),
            u64::from(filter),
            0,
        ];
        let mut code = 0;
        let sampler =
            runtime.functions.clCreateSamplerWithProperties(runtime.context, properties.as_ptr(), &mut code);
        check(code).map(|()| Self(sampler))
    }
}
