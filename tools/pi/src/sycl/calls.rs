//! Calls of libsycl's C++ functions without a C++ compiler. A function that returns a class gets the address of its
//! result as the first argument.
//!
//! The mangled name of each function determines its types. The devices are never released because the process ends
//! soon.
#![expect(unsafe_code, reason = "the functions of a library that is opened")]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::Path;

use anyhow::{Result, bail};
use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};

use super::seen::{SeenBySycl, SyclDevice};
use crate::install::tree;
use crate::regular;

/// A C++ `std::vector` of devices.
#[repr(C)]
struct Vector {
    start: *const Device,
    end: *const Device,
    capacity: *const Device,
}

/// The first word of a device. Up to libsycl.so.8 it is a `std::shared_ptr`, later a pointer.
type Device = usize;

/// Asks a libsycl for its devices. Its exceptions end the process, so call this in a separate one.
///
/// # Errors
/// Fails if it cannot be opened, or does not have the functions.
pub fn devices_of_libsycl(file: &Path) -> Result<SeenBySycl> {
    regular::open(file)?;
    // Intel's libraries resolve functions of libm while they are opened. SAFETY: it belongs to the C library.
    std::mem::forget(unsafe { Library::open(Some("libm.so.6"), RTLD_NOW | RTLD_GLOBAL) }?);
    // SAFETY: the user trusts the file.
    let libsycl = std::mem::ManuallyDrop::new(unsafe { Library::open(Some(file), RTLD_NOW | RTLD_GLOBAL) }?);
    let (space, every, words) =
        match tree::version_of(file.file_name().unwrap_or_default()).and_then(|all| all.first().copied()) {
            Some(..=5) => ("2cl4sycl", -1, 2),
            Some(6..=8) => ("4sycl3_V1", -1, 2),
            // It has Unified Runtime's device types.
            _ => ("4sycl3_V1", 2, 1),
        };
    let name = format!("_ZN{space}6device11get_devicesENS0_4info11device_typeE");
    type GetDevices = unsafe extern "C" fn(*mut Vector, c_int) -> *mut Vector;
    // SAFETY: C++ returns a class as C would, through the result's address, which is the first argument.
    let get = unsafe { libsycl.get::<GetDevices>(name.as_bytes()) };
    let Ok(get) = get else { bail!("it has no {name}") };
    let mut found = Vector { start: std::ptr::null(), end: std::ptr::null(), capacity: std::ptr::null() };
    // SAFETY: `found` is valid for writing, and `every` is the number of "all".
    unsafe { get(&mut found, every) };
    let count = (found.end.addr() - found.start.addr()) / (words * size_of::<Device>());
    // SAFETY: the vector's elements, which are never freed.
    let devices = (0..count).map(|index| unsafe { found.start.add(index * words) });
    let devices = devices.map(|device| describe(&libsycl, space, device)).collect();
    Ok(SeenBySycl { devices, loaded: vec![] })
}

/// Describes a device with those of libsycl's functions that need no C++ types, which exist from 2025.0 on.
fn describe(libsycl: &Library, space: &str, device: *const Device) -> SyclDevice {
    let symbol = |name: &str| {
        let length = name.len();
        format!(
            "_ZNK{space}6device13get_info_implINS0_4info6device{length}{name}EEENS0_6detail11ABINeutralTINS6_19is_device_info_descIT_E11return_typeEE4typeEv"
        )
    };
    let text = |name: &str| {
        type GetText = unsafe extern "C" fn(*mut *const c_char, *const Device) -> *mut c_void;
        // SAFETY: it returns a class of one pointer with a destructor, so the address of the result comes first.
        let get = unsafe { libsycl.get::<GetText>(symbol(name).as_bytes()) }.ok()?;
        let mut answer = std::ptr::null();
        // SAFETY: `answer` is valid for writing, and the device is alive.
        unsafe { get(&mut answer, device) };
        // SAFETY: null, or a string that ends with NUL and is never freed.
        (!answer.is_null()).then(|| unsafe { CStr::from_ptr(answer) }.to_string_lossy().trim().to_owned())
    };
    let number = |name: &str| {
        type GetNumber = unsafe extern "C" fn(*const Device) -> u64;
        // SAFETY: it returns a number of up to eight bytes.
        let get = unsafe { libsycl.get::<GetNumber>(symbol(name).as_bytes()) }.ok()?;
        // SAFETY: the device is alive.
        Some(unsafe { get(device) })
    };
    type Is = unsafe extern "C" fn(*const Device) -> u8;
    let is = |name: &str| {
        // SAFETY: it returns a Boolean.
        let get = unsafe { libsycl.get::<Is>(format!("_ZNK{space}6device{name}Ev").as_bytes()) };
        // SAFETY: the device is alive.
        get.is_ok_and(|get| unsafe { get(device) } != 0)
    };
    type GetBackend = unsafe extern "C" fn(*const Device) -> u8;
    let backend =
        // SAFETY: it returns an enumerator of one byte.
        unsafe { libsycl.get::<GetBackend>(format!("_ZNK{space}6device11get_backendEv").as_bytes()) };
    // SAFETY: the device is alive.
    let backend = backend.map(|get| unsafe { get(device) });
    let backend = match backend {
        Ok(1) => "opencl",
        Ok(2) => "level_zero",
        Ok(3) => "cuda",
        _ => "",
    };
    let kind = [("6is_cpu", "cpu"), ("6is_gpu", "gpu"), ("14is_accelerator", "acc")];
    let kind = kind.into_iter().find(|(name, _)| is(name)).map_or("custom", |(_, word)| word);
    SyclDevice {
        backend: backend.into(),
        kind: kind.into(),
        name: text("name").unwrap_or_default(),
        vendor: text("vendor").unwrap_or_default(),
        driver_version: text("driver_version").unwrap_or_default(),
        version: text("version").unwrap_or_default(),
        global_memory: number("global_mem_size"),
        local_memory: number("local_mem_size"),
        compute_units: number("max_compute_units").map(|units| units & u64::from(u32::MAX)),
        max_work_group_size: number("max_work_group_size"),
    }
}
