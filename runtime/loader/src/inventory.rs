//! Reads a plugin's platforms and devices, and their properties.
#![expect(unsafe_code, reason = "a plugin's functions")]

use std::ffi::c_void;

use sycl_pi_core::*;

use crate::{CallError, Plugin};

/// A platform of a loaded plugin.
#[derive(Clone, Copy, Debug)]
pub struct PluginPlatform<'p> {
    plugin: &'p Plugin,
    handle: pi_platform,
}

/// A root device of a loaded plugin.
#[derive(Clone, Copy, Debug)]
pub struct PluginDevice<'p> {
    plugin: &'p Plugin,
    handle: pi_device,
}

impl Plugin {
    /// Returns the platforms, in the plugin's order. Without a driver the list is empty.
    ///
    /// # Errors
    /// Returns the plugin's error.
    pub fn platforms(&self) -> Result<Vec<PluginPlatform<'_>>, CallError> {
        let handles = list(PI_ERROR_PLATFORM_NOT_FOUND_KHR, |count, handles, found| {
            // SAFETY: `handles` has space for `count`, or is null with a count of 0; `found` is valid.
            unsafe { self.table.piPlatformsGet(count, handles, found) }
        })?;
        Ok(handles.into_iter().map(|handle| PluginPlatform { plugin: self, handle }).collect())
    }

    /// Wraps the handle of a device of this plugin, such as a sub-device.
    ///
    /// # Safety
    /// The handle refers to a device of this plugin, and outlives the result.
    pub unsafe fn device(&self, handle: pi_device) -> PluginDevice<'_> {
        PluginDevice { plugin: self, handle }
    }
}

impl<'p> PluginPlatform<'p> {
    /// Returns the root devices of every type, in the plugin's order.
    ///
    /// # Errors
    /// Returns the plugin's error. Having no device is not an error.
    pub fn devices(&self) -> Result<Vec<PluginDevice<'p>>, CallError> {
        let plugin = self.plugin;
        let handles = list(PI_ERROR_DEVICE_NOT_FOUND, |count, handles, found| {
            // SAFETY: the arguments are valid as for the platforms, and the platform belongs to the plugin.
            unsafe { plugin.table.piDevicesGet(self.handle, PI_DEVICE_TYPE_ALL, count, handles, found) }
        })?;
        Ok(handles.into_iter().map(|handle| PluginDevice { plugin, handle }).collect())
    }

    /// Returns the raw value of a property.
    ///
    /// # Errors
    /// Returns the plugin's error.
    pub fn info_bytes(&self, name: pi_platform_info) -> Result<Vec<u8>, CallError> {
        read(|size, value, needed| {
            // SAFETY: `value` has `size` bytes, or is null with a size of 0; `needed` is valid.
            unsafe { self.plugin.table.piPlatformGetInfo(self.handle, name, size, value, needed) }
        })
    }

    /// Returns a property that is text.
    ///
    /// # Errors
    /// Returns the plugin's error.
    pub fn info_text(&self, name: pi_platform_info) -> Result<String, CallError> {
        self.info_bytes(name).map(|bytes| text_of_answer(&bytes))
    }

    /// Returns the platform's handle, for calls through the table.
    pub fn handle(&self) -> pi_platform {
        self.handle
    }
}

impl<'p> PluginDevice<'p> {
    /// Returns the raw value of a property. Shipped plugins end the process on a few valid numbers.
    ///
    /// # Errors
    /// Returns the plugin's error.
    pub fn info_bytes(&self, name: pi_device_info) -> Result<Vec<u8>, CallError> {
        read(|size, value, needed| {
            // SAFETY: `value` has `size` bytes, or is null with a size of 0; `needed` is valid.
            unsafe { self.plugin.table.piDeviceGetInfo(self.handle, name, size, value, needed) }
        })
    }

    /// Returns a property that is text.
    ///
    /// # Errors
    /// Returns the plugin's error.
    pub fn info_text(&self, name: pi_device_info) -> Result<String, CallError> {
        self.info_bytes(name).map(|bytes| text_of_answer(&bytes))
    }

    /// Returns the plugin to which the device belongs.
    pub fn plugin(&self) -> &'p Plugin {
        self.plugin
    }

    /// Returns the device's handle, for calls through the table.
    pub fn handle(&self) -> pi_device {
        self.handle
    }
}

/// Queries the count, then that many handles. The error code `none` stands for an empty list.
fn list<T>(
    none: pi_result,
    call: impl Fn(pi_uint32, *mut *mut T, *mut pi_uint32) -> Result<(), CallError>,
) -> Result<Vec<*mut T>, CallError> {
    let mut count = 0;
    match call(0, std::ptr::null_mut(), &mut count) {
        Ok(()) => {}
        Err(error) if error.code() == Some(none) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    }
    if count == 0 {
        return Ok(Vec::new());
    }
    let mut handles = vec![std::ptr::null_mut(); count as usize];
    call(count, handles.as_mut_ptr(), &mut count)?;
    handles.truncate(count as usize);
    handles.retain(|handle| !handle.is_null());
    Ok(handles)
}

/// Queries the size, then that many bytes.
fn read(
    call: impl Fn(usize, *mut c_void, *mut usize) -> Result<(), CallError>,
) -> Result<Vec<u8>, CallError> {
    let mut size = 0;
    call(0, std::ptr::null_mut(), &mut size)?;
    let mut value = vec![0u8; size];
    if size > 0 {
        call(size, value.as_mut_ptr().cast(), &mut size)?;
        value.truncate(size);
    }
    Ok(value)
}

/// Converts an answer that is C text: reads it up to the first NUL, and trims white space.
pub fn text_of_answer(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(bytes.get(..end).unwrap_or(bytes)).trim().to_owned()
}
