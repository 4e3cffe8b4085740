//! The driver as a replacement for the loader.
#![expect(unsafe_code, reason = "the tests call a driver")]
#![allow(clippy::unwrap_used)]

mod common;

use std::ffi::{CStr, c_char, c_void};

use common::library;
use level_zero_sys::*;
use libloading::os::unix::{Library, RTLD_NOW};

/// `zel_component_version_t`, as in `loader/ze_loader.h`.
#[repr(C)]
struct Component {
    name: [c_char; 64],
    spec: u32,
    version: [i32; 3],
}

fn open() -> Library {
    // SAFETY: the driver does nothing when it is loaded.
    unsafe { Library::open(Some(library()), RTLD_NOW) }.unwrap()
}

#[test]
fn a_call_is_the_same_function_in_its_table_and_under_its_name() {
    let library = open();
    // Tables and their first slots.
    let tables: [(&[u8], &[&[u8]]); 4] = [
        (b"zeGetGlobalProcAddrTable", &[b"zeInit"]),
        (b"zeGetDriverProcAddrTable", &[b"zeDriverGet", b"zeDriverGetApiVersion"]),
        (b"zeGetModuleProcAddrTable", &[b"zeModuleCreate", b"zeModuleDestroy"]),
        (b"zeGetKernelProcAddrTable", &[b"zeKernelCreate", b"zeKernelDestroy"]),
    ];
    for (getter, calls) in tables {
        let mut slots = [std::ptr::null::<c_void>(); 64];
        type Getter = unsafe extern "C" fn(u32, *mut *const c_void) -> ze_result_t;
        // SAFETY: a getter, and room for its table.
        let result = unsafe { library.get::<Getter>(getter).unwrap()(1 << 16 | 6, slots.as_mut_ptr()) };
        assert_eq!(result, ZE_RESULT_SUCCESS);
        for (slot, call) in slots.iter().zip(calls) {
            // SAFETY: only its address is used.
            let named = unsafe { library.get::<*const c_void>(*call) }.unwrap();
            assert_eq!(*slot, *named, "{}", String::from_utf8_lossy(call));
        }
    }
}

#[test]
fn a_client_with_a_part_of_the_loader_finds_a_loader_that_is_new_enough() {
    let library = open();
    type Versions = unsafe extern "C" fn(*mut usize, *mut Component) -> ze_result_t;
    // SAFETY: the function has this type.
    let versions = unsafe { library.get::<Versions>(b"zelLoaderGetVersionsInternal") }.unwrap();
    let mut count = 0;
    let mut loader = Component { name: [0; 64], spec: 0, version: [0; 3] };
    // SAFETY: room for the answers.
    unsafe {
        assert_eq!(versions(&mut count, std::ptr::null_mut()), ZE_RESULT_SUCCESS);
        assert_eq!(count, 1);
        assert_eq!(versions(&mut count, &mut loader), ZE_RESULT_SUCCESS);
    }
    // SAFETY: a NUL-terminated name.
    assert_eq!(unsafe { CStr::from_ptr(loader.name.as_ptr()) }, c"loader");
    // 1.15.17 is the oldest version that Intel's part of the loader works with.
    assert!(loader.version >= [1, 15, 17] && loader.version[0] == 1, "{:?}", loader.version);
    assert_eq!(loader.spec >> 16, 1);
}
