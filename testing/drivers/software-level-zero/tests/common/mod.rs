//! The software driver under the stock loader, and common code of the tests.

#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::ffi::{CString, c_char, c_void};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use level_zero_sys::*;
use libloading::os::unix::{Library, RTLD_NOW};

/// A context on the first device. Only one test holds it at a time, because complaints and faults are global.
pub(crate) struct Bench {
    pub(crate) ze: &'static Ze,
    pub(crate) driver: ze_driver_handle_t,
    pub(crate) device: ze_device_handle_t,
    pub(crate) context: ze_context_handle_t,
    soft: Library,
    _alone: MutexGuard<'static, ()>,
}

pub(crate) fn library() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().unwrap();
    let there = [
        folder.join("libsoftware_level_zero.so"),
        folder.parent().unwrap().join("libsoftware_level_zero.so"),
    ];
    there.iter().find(|path| path.exists()).unwrap_or_else(|| panic!("none of {there:?}")).clone()
}

/// Starts the driver, with two devices of two sub-devices.
pub(crate) fn bench() -> Bench {
    bench_with(None)
}

/// Starts the driver with an additional variable. Only the first call in a process has an effect.
pub(crate) fn bench_with(variable: Option<(&str, &str)>) -> Bench {
    static ALONE: Mutex<()> = Mutex::new(());
    static READY: OnceLock<()> = OnceLock::new();
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    READY.get_or_init(|| {
        // SAFETY: tests wait for each other, and the driver is not loaded yet.
        unsafe {
            std::env::set_var("ZE_ENABLE_ALT_DRIVERS", library());
            std::env::set_var("PI_SOFT_ZE_DEVICES", "2");
            std::env::set_var("PI_SOFT_ZE_SUBDEVICES", "2");
            std::env::set_var("ZES_ENABLE_SYSMAN", "1");
            if let Some((name, value)) = variable {
                std::env::set_var(name, value);
            }
        }
    });
    let ze = ze().expect("libze1 is needed");
    let mut context = ze_context_handle_t::NULL;
    let desc = ze_context_desc_t::default();
    let (mut driver, mut device) = (ze_driver_handle_t::NULL, ze_device_handle_t::NULL);
    // SAFETY: live handles, and room for the answers.
    unsafe {
        ze.zeInit(0).unwrap();
        ze.zeDriverGet(&mut 1, &mut driver).unwrap();
        ze.zeDeviceGet(driver, &mut 1, &mut device).unwrap();
        ze.zeContextCreate(driver, &desc, &mut context).unwrap();
    }
    // SAFETY: already loaded, and never unloaded.
    let soft = unsafe { Library::open(Some(library()), RTLD_NOW) }.unwrap();
    let bench = Bench { ze, driver, device, context, soft, _alone: alone };
    bench.call("soft_ze_reset");
    bench.fault("");
    bench
}

impl Drop for Bench {
    fn drop(&mut self) {
        // SAFETY: a live context.
        let _ = unsafe { self.ze.zeContextDestroy(self.context) };
    }
}

impl Bench {
    /// Calls a control function without parameters.
    pub(crate) fn call(&self, name: &str) -> u64 {
        // SAFETY: the driver's function of that name.
        unsafe {
            let function: libloading::os::unix::Symbol<unsafe extern "C" fn() -> u64> =
                self.soft.get(name.as_bytes()).unwrap();
            function()
        }
    }

    pub(crate) fn complaints(&self) -> u64 {
        self.call("soft_ze_complaints")
    }

    pub(crate) fn report(&self) -> String {
        let mut room = vec![0_u8; 1 << 16];
        // SAFETY: the driver's function of that name, with that room.
        let length = unsafe {
            let function: libloading::os::unix::Symbol<unsafe extern "C" fn(*mut c_char, usize) -> usize> =
                self.soft.get(b"soft_ze_report").unwrap();
            function(room.as_mut_ptr().cast(), room.len())
        };
        room.truncate(length);
        String::from_utf8(room).unwrap()
    }

    pub(crate) fn calls(&self, name: &str) -> u64 {
        let name = CString::new(name).unwrap();
        // SAFETY: the driver's function of that name, with a string.
        unsafe {
            let function: libloading::os::unix::Symbol<unsafe extern "C" fn(*const c_char) -> u64> =
                self.soft.get(b"soft_ze_calls").unwrap();
            function(name.as_ptr())
        }
    }

    pub(crate) fn fault(&self, text: &str) {
        let text = CString::new(text).unwrap();
        // SAFETY: the driver's function of that name, with a string.
        unsafe {
            let function: libloading::os::unix::Symbol<unsafe extern "C" fn(*const c_char)> =
                self.soft.get(b"soft_ze_fault").unwrap();
            function(text.as_ptr());
        }
    }

    pub(crate) fn immediate(&self) -> ze_command_list_handle_t {
        let desc = ze_command_queue_desc_t { mode: ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, ..Default::default() };
        let mut list = ze_command_list_handle_t::NULL;
        // SAFETY: live handles, room for the answer.
        unsafe { self.ze.zeCommandListCreateImmediate(self.context, self.device, &desc, &mut list) }.unwrap();
        list
    }

    pub(crate) fn pool(&self, count: u32) -> ze_event_pool_handle_t {
        let flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP;
        let desc = ze_event_pool_desc_t { flags, count, ..Default::default() };
        let mut pool = ze_event_pool_handle_t::NULL;
        // SAFETY: live handles, room for the answer.
        unsafe { self.ze.zeEventPoolCreate(self.context, &desc, 0, std::ptr::null_mut(), &mut pool) }
            .unwrap();
        pool
    }

    pub(crate) fn event(&self, pool: ze_event_pool_handle_t, index: u32) -> ze_event_handle_t {
        let desc = ze_event_desc_t { index, ..Default::default() };
        let mut event = ze_event_handle_t::NULL;
        // SAFETY: live handles, room for the answer.
        unsafe { self.ze.zeEventCreate(pool, &desc, &mut event) }.unwrap();
        event
    }

    pub(crate) fn alloc(&self, size: usize) -> *mut c_void {
        let desc = ze_device_mem_alloc_desc_t::default();
        let mut ptr = std::ptr::null_mut();
        // SAFETY: live handles, room for the answer.
        unsafe { self.ze.zeMemAllocDevice(self.context, &desc, size, 64, self.device, &mut ptr) }.unwrap();
        ptr
    }

    pub(crate) fn free(&self, ptr: *mut c_void) {
        // SAFETY: an allocation.
        unsafe { self.ze.zeMemFree(self.context, ptr) }.unwrap();
    }
}

/// Returns the result code of a call.
pub(crate) fn code(answer: Result<(), ZeError>) -> ze_result_t {
    answer.map_or_else(|error| error.result, |()| ZE_RESULT_SUCCESS)
}
