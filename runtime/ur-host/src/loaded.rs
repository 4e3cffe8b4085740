//! Asks an adapter for its platforms and devices, like the runtime of a layout.
#![expect(unsafe_code, reason = "the functions of an adapter")]

#[cfg(test)]
mod tests;

use std::ffi::{CStr, c_char, c_void};
use std::fmt;
use std::path::{Path, PathBuf};
use std::ptr::null_mut;

use sycl_pi_core::pi_device_info;
use sycl_pi_loader::{
    Backend, DeviceInfo, DeviceQueries, PlatformInfo, PlatformInventory, TRACE_TARGET, Version,
    text_of_answer, traces_calls,
};
use sycl_ur_core::*;

use crate::error::result_name;
use crate::queries;
use crate::{Adapter, AdapterCallError, Calls, ConnectError};

type Answer<T> = Result<T, AdapterCallError>;

/// An adapter behind the tables of one layout. It is never unloaded.
pub struct LoadedAdapter {
    /// The file.
    pub path: PathBuf,
    pub(crate) calls: Calls,
    /// `None` if the adapter reports that there is none, as some do without their driver.
    handle: Answer<Option<ur_adapter_handle_t>>,
}

/// A platform of a loaded adapter.
#[derive(Clone, Copy, Debug)]
pub struct AdapterPlatform<'a> {
    adapter: &'a LoadedAdapter,
    handle: ur_platform_handle_t,
}

/// A root device of a loaded adapter.
#[derive(Clone, Copy, Debug)]
pub struct AdapterDevice<'a> {
    pub(crate) adapter: &'a LoadedAdapter,
    pub(crate) handle: ur_device_handle_t,
}

impl fmt::Debug for LoadedAdapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoadedAdapter").field("path", &self.path).finish_non_exhaustive()
    }
}

impl LoadedAdapter {
    /// Opens an adapter's file like the loader of a layout.
    ///
    /// # Errors
    /// Fails if the adapter provides no tables.
    ///
    /// # Safety
    /// The file is trusted like a program.
    pub unsafe fn open(path: &Path, layout: Layout) -> Result<Self, ConnectError> {
        // SAFETY: the caller trusts the file.
        let calls = unsafe { Adapter::open(path) }?.connect(layout)?.calls;
        Ok(Self::of_calls(path, calls))
    }

    /// Asks an adapter for its handle, as the runtime does once it has the tables. `path` is the adapter's file.
    pub fn of_calls(path: &Path, calls: Calls) -> Self {
        let mut adapter = Self { path: path.into(), calls, handle: Ok(None) };
        let handles = adapter.list("urAdapterGet", None, |count, handles, found| {
            // SAFETY: `handles` has space for `count`, or is null with a count of 0; `found` is valid.
            unsafe { adapter.calls.urAdapterGet(count.min(1), handles, found) }
        });
        adapter.handle = handles.map(|handles| handles.first().copied());
        adapter
    }

    /// Returns the platforms, in the adapter's order. Without a driver the list is empty.
    ///
    /// # Errors
    /// Returns the adapter's error.
    pub fn platforms(&self) -> Answer<Vec<AdapterPlatform<'_>>> {
        let Some(mut adapter) = self.handle.clone()? else { return Ok(Vec::new()) };
        let platforms = self.list("urPlatformGet", None, |count, handles, found| {
            // SAFETY: the adapter's handle; the rest is valid as for the adapters.
            unsafe {
                if self.calls.layout() <= Layout::V2025_2 {
                    self.calls.urPlatformGet_until_2025_2(&mut adapter, 1, count, handles, found)
                } else {
                    self.calls.urPlatformGet(adapter, count, handles, found)
                }
            }
        })?;
        Ok(platforms.into_iter().map(|handle| AdapterPlatform { adapter: self, handle }).collect())
    }

    /// Returns the properties of all platforms and devices.
    ///
    /// # Errors
    /// Fails if the adapter cannot list its platforms.
    pub fn inventory(&self) -> Answer<Vec<PlatformInventory<AdapterCallError>>> {
        let read = |platform: AdapterPlatform<'_>| PlatformInventory {
            platform: platform.info(),
            devices: platform.devices().map(|devices| devices.iter().map(AdapterDevice::info).collect()),
        };
        Ok(self.platforms()?.into_iter().map(read).collect())
    }

    /// Returns the adapter's last message on this thread, regardless of the call to which it belongs. It may explain,
    /// for example, why there is no platform.
    pub fn last_error_message(&self) -> Option<Box<str>> {
        let (_, message) = self.last_error()?;
        Some(message.trim()).filter(|text| !text.is_empty()).map(Into::into)
    }

    /// Converts a result to an error with the adapter's message.
    pub(crate) fn check(&self, function: &'static str, result: ur_result_t) -> Answer<()> {
        if traces_calls() {
            let name = result_name(result).unwrap_or("unknown code");
            log::info!(target: TRACE_TARGET, "---> {function} = {name} ({result})");
        }
        if result == UR_RESULT_SUCCESS {
            return Ok(());
        }
        Err(AdapterCallError { function, result, text: self.message_of(function, result) })
    }

    /// Returns the adapter's message for a failed call. The last message may belong to an earlier failure: then it names
    /// another function, or the query for it answers another code.
    fn message_of(&self, function: &str, result: ur_result_t) -> Option<Box<str>> {
        let (told, message) = self.last_error()?;
        // Adapters answer the code of the failed call, or that the query itself succeeded.
        if ![UR_RESULT_SUCCESS, UR_RESULT_ERROR_ADAPTER_SPECIFIC, result].contains(&told) {
            return None;
        }
        let own = match message.split_once(": ") {
            Some((name, text)) if name == function => text,
            Some((name, _)) if table::function(name).is_some() => return None,
            _ => &message,
        };
        Some(own.trim()).filter(|text| !text.is_empty()).map(Into::into)
    }

    /// Returns the answer to the query for the last message, and the message.
    fn last_error(&self) -> Option<(ur_result_t, String)> {
        let (handle, mut message, mut native) = (self.handle.clone().ok()??, null_mut::<c_char>(), 0);
        let told =
            // SAFETY: the adapter's handle, and valid places.
            unsafe { self.calls.urAdapterGetLastError(handle, (&raw mut message).cast(), &mut native) };
        if message.is_null() {
            return None;
        }
        // SAFETY: the text is NUL-terminated and stays until this thread's next call.
        Some((told, unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned()))
    }

    /// Queries the count, then that many handles. The result `none` stands for an empty list.
    fn list<T>(
        &self,
        function: &'static str,
        none: Option<ur_result_t>,
        mut call: impl FnMut(u32, *mut *mut T, *mut u32) -> ur_result_t,
    ) -> Answer<Vec<*mut T>> {
        let mut count = 0;
        let result = call(0, null_mut(), &mut count);
        if Some(result) == none {
            return Ok(Vec::new());
        }
        self.check(function, result)?;
        if count == 0 {
            return Ok(Vec::new());
        }
        let mut handles = vec![null_mut(); count as usize];
        self.check(function, call(count, handles.as_mut_ptr(), &mut count))?;
        handles.truncate(count as usize);
        handles.retain(|handle| !handle.is_null());
        Ok(handles)
    }

    /// Queries the size, then that many bytes.
    fn read(
        &self,
        function: &'static str,
        call: impl Fn(usize, *mut c_void, *mut usize) -> ur_result_t,
    ) -> Answer<Vec<u8>> {
        let mut size = 0;
        self.check(function, call(0, null_mut(), &mut size))?;
        let mut value = vec![0u8; size];
        if size > 0 {
            self.check(function, call(size, value.as_mut_ptr().cast(), &mut size))?;
            value.truncate(size);
        }
        Ok(value)
    }
}

impl<'a> AdapterPlatform<'a> {
    /// Returns the root devices of every type, in the adapter's order.
    ///
    /// # Errors
    /// Returns the adapter's error. Having no device is not an error.
    pub fn devices(&self) -> Answer<Vec<AdapterDevice<'a>>> {
        let adapter = self.adapter;
        let none = Some(UR_RESULT_ERROR_DEVICE_NOT_FOUND);
        let devices = adapter.list("urDeviceGet", none, |count, handles, found| {
            // SAFETY: the adapter's platform; the rest is valid as for the adapters.
            unsafe { adapter.calls.urDeviceGet(self.handle, UR_DEVICE_TYPE_ALL, count, handles, found) }
        })?;
        Ok(devices.into_iter().map(|handle| AdapterDevice { adapter, handle }).collect())
    }

    /// Returns the platform's properties.
    pub fn info(&self) -> PlatformInfo {
        let text = |name| {
            let bytes = self.adapter.read("urPlatformGetInfo", |size, value, needed| {
                // SAFETY: `value` has `size` bytes, or is null with a size of 0; `needed` is valid.
                unsafe { self.adapter.calls.urPlatformGetInfo(self.handle, name, size, value, needed) }
            });
            bytes.map(|bytes| text_of_answer(&bytes)).unwrap_or_default()
        };
        PlatformInfo {
            name: text(UR_PLATFORM_INFO_NAME),
            vendor: text(UR_PLATFORM_INFO_VENDOR_NAME),
            version: text(UR_PLATFORM_INFO_VERSION),
        }
    }
}

impl AdapterDevice<'_> {
    /// Returns the device's properties.
    pub fn info(&self) -> DeviceInfo {
        DeviceInfo::read(self)
    }
}

impl DeviceQueries for AdapterDevice<'_> {
    fn answer(&self, query: pi_device_info) -> Option<Vec<u8>> {
        let name = queries::number(query)?;
        let answer = self.adapter.read("urDeviceGetInfo", |size, value, needed| {
            // SAFETY: `value` has `size` bytes, or is null with a size of 0; `needed` is valid.
            unsafe { self.adapter.calls.urDeviceGetInfo(self.handle, name, size, value, needed) }
        });
        answer.ok().map(|answer| queries::in_pi(query, answer))
    }

    fn backend(&self) -> Option<Backend> {
        Backend::of_file(&self.adapter.path)
    }

    fn version(&self) -> Version {
        Version::NEWEST
    }
}
