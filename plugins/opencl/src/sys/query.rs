//! Object queries.

use std::ffi::{CStr, CString, c_void};
use std::ptr::null_mut;

use opencl_sys::*;
use sycl_pi_backend::{Info, Plain, Result};

use super::handles::*;
use super::library::cl;

/// Objects that the driver can be queried about.
pub(crate) trait Queried {
    /// Queries the driver. `size` is the size of the buffer `value`; both addresses may be null.
    fn query(&self, name: cl_uint, size: usize, value: *mut c_void, size_ret: *mut usize) -> Result<()>;

    /// Lets the driver answer the caller's query.
    #[inline]
    fn answer(&self, name: cl_uint, mut info: Info<'_>) -> Result<()> {
        let (size, value, size_ret) = info.raw_parts();
        self.query(name, size, value, size_ret)
    }

    /// Returns one value, or `initial` if the driver writes nothing.
    fn value<T: Plain>(&self, name: cl_uint, initial: T) -> Result<T> {
        let mut value = initial;
        self.query(name, size_of::<T>(), (&raw mut value).cast(), null_mut())?;
        Ok(value)
    }

    /// Returns the size of an answer in bytes.
    fn size(&self, name: cl_uint) -> Result<usize> {
        let mut size = 0;
        self.query(name, 0, null_mut(), &mut size)?;
        Ok(size)
    }

    /// Returns a list of values, which are `initial` if the driver writes nothing.
    fn list<T: Plain>(&self, name: cl_uint, initial: T) -> Result<Vec<T>> {
        let size = self.size(name)?;
        // rusticl refuses room for no bytes.
        if size == 0 {
            return Ok(Vec::new());
        }
        let mut list = vec![initial; size.div_ceil(size_of::<T>())];
        self.query(name, size, list.as_mut_ptr().cast(), null_mut())?;
        Ok(list)
    }

    /// Returns a string, up to its first NUL.
    fn text(&self, name: cl_uint) -> Result<CString> {
        let mut text = self.list(name, 0_u8)?;
        text.push(0);
        Ok(CStr::from_bytes_until_nul(&text).unwrap_or_default().to_owned())
    }
}

macro_rules! queried {
    ($($object:ident $function:ident;)*) => { $(
        impl Queried for $object {
            #[inline]
            fn query(&self, name: cl_uint, size: usize, value: *mut c_void, size_ret: *mut usize) -> Result<()> {
                cl().$function(self.cl(), name, size, value, size_ret)
            }
        }
    )* };
}

queried! {
    Platform clGetPlatformInfo;
    Device clGetDeviceInfo;
    Context clGetContextInfo;
    Queue clGetCommandQueueInfo;
    Mem clGetMemObjectInfo;
    Program clGetProgramInfo;
    Kernel clGetKernelInfo;
    Event clGetEventInfo;
    Sampler clGetSamplerInfo;
}

impl Platform {
    /// Returns its name, in which bytes that are not UTF-8 are replaced.
    pub(crate) fn name(&self) -> Result<String> {
        Ok(self.text(CL_PLATFORM_NAME)?.to_string_lossy().into_owned())
    }
}

impl Device {
    pub(crate) fn is_cpu(&self) -> Result<bool> {
        Ok(self.value(CL_DEVICE_TYPE, 0_u64)? & CL_DEVICE_TYPE_CPU != 0)
    }

    /// Returns whether the driver lists this extension of the device.
    pub(crate) fn lists(&self, extension: &CStr) -> Result<bool> {
        Ok(has_word(&self.text(CL_DEVICE_EXTENSIONS)?, extension))
    }
}

/// Returns whether a list of extensions has this one.
pub(crate) fn has_word(list: &CStr, name: &CStr) -> bool {
    list.to_bytes().split(|byte| *byte == b' ').any(|extension| extension == name.to_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extension_is_a_whole_word_of_the_list() {
        let list = c"cl_khr_fp64 cl_khr_int64_base_atomics cl_intel_unified_shared_memory ";
        assert!(has_word(list, c"cl_khr_fp64") && has_word(list, c"cl_intel_unified_shared_memory"));
        for name in [c"cl_khr_fp", c"khr_fp64", c"cl_khr_int64_base_atomics_2"] {
            assert!(!has_word(list, name), "{name:?}");
        }
    }
}
