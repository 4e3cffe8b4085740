//! Properties of a device image, as runtimes pass them with the code.

use std::ffi::{CStr, CString};

use sycl_pi_core::*;

/// A property with the data that it points to.
pub(crate) struct Property {
    name: CString,
    content: Vec<u8>,
    entry: _pi_device_binary_property_struct,
}

impl Property {
    /// Creates the property `name@tag` with bytes, which are preceded by their length in bits.
    pub(crate) fn new(name: &CStr, tag: &CStr, bytes: &[u8]) -> Self {
        let name = [name.to_bytes(), tag.to_bytes()].concat();
        let content = [&(8 * bytes.len() as u64).to_le_bytes(), bytes].concat();
        let entry = _pi_device_binary_property_struct {
            Name: std::ptr::null_mut(),
            ValAddr: std::ptr::null_mut(),
            Type: PI_PROPERTY_TYPE_BYTE_ARRAY,
            ValSize: content.len() as u64,
        };
        Self { name: CString::new(name).unwrap_or_default(), content, entry }
    }

    /// Creates the property for a required work-group size of a kernel: one to three numbers.
    pub(crate) fn required_size(kernel: &CStr, size: &[u32]) -> Self {
        let bytes: Vec<u8> = size.iter().flat_map(|number| number.to_le_bytes()).collect();
        Self::new(kernel, c"@reqd_work_group_size", &bytes)
    }

    /// Creates the mapping from the host's name of a device variable to its symbol.
    pub(crate) fn mapping(name: &CStr, symbol: &CStr) -> Self {
        Self::new(name, c"@global_id_mapping", symbol.to_bytes_with_nul())
    }

    /// Returns the interface's structure, which is valid while this object lives and is not moved.
    pub(crate) fn raw(&mut self) -> pi_device_binary_property {
        self.entry.Name = self.name.as_ptr().cast_mut();
        self.entry.ValAddr = self.content.as_mut_ptr().cast();
        &raw mut self.entry
    }
}
