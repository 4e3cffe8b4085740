//! Contexts.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_ur_core::*;

use crate::Layout;

use super::answer::{NEITHER, answer, bool_of, wide};
use super::stubs::stubs;

/// Returns the number in UR. From 2025.2 on, the atomic capabilities are properties of the device.
fn info(name: pi_context_info, layout: Layout) -> (u32, bool) {
    let atomic = |number| if layout <= Layout::V2025_1 { number } else { NEITHER };
    match name {
        PI_CONTEXT_INFO_NUM_DEVICES => (UR_CONTEXT_INFO_NUM_DEVICES, false),
        PI_CONTEXT_INFO_DEVICES => (UR_CONTEXT_INFO_DEVICES, false),
        PI_CONTEXT_INFO_REFERENCE_COUNT => (UR_CONTEXT_INFO_REFERENCE_COUNT, false),
        PI_EXT_ONEAPI_CONTEXT_INFO_USM_FILL2D_SUPPORT | PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMSET2D_SUPPORT => {
            (UR_CONTEXT_INFO_USM_FILL2D_SUPPORT, false)
        }
        PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMCPY2D_SUPPORT => (UR_CONTEXT_INFO_USM_MEMCPY2D_SUPPORT, false),
        PI_EXT_CONTEXT_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES => {
            (atomic(UR_CONTEXT_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES), true)
        }
        PI_EXT_CONTEXT_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES => {
            (atomic(UR_CONTEXT_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES), true)
        }
        PI_EXT_CONTEXT_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES => {
            (atomic(UR_CONTEXT_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES), true)
        }
        PI_EXT_CONTEXT_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES => {
            (atomic(UR_CONTEXT_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES), true)
        }
        _ => (NEITHER, false),
    }
}

stubs! { ur;
    fn piContextCreate(_properties: *const pi_context_properties, num_devices: pi_uint32, devices: *const pi_device, _pfn_notify: pi_context_notify, _user_data: *mut c_void, ret_context: *mut pi_context) [] {
        // UR has neither OpenCL's properties nor its callback.
        let flags = ur_context_properties_t { stype: UR_STRUCTURE_TYPE_CONTEXT_PROPERTIES, pNext: null_mut(), flags: 0 };
        ur.calls.urContextCreate(num_devices, devices.cast(), &flags, ret_context.cast())
    }
    fn piContextGetInfo(context: pi_context, param_name: pi_context_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize)
        [context PI_ERROR_INVALID_CONTEXT]
    {
        let (name, flags) = info(param_name, ur.layout());
        let convert = match name {
            UR_CONTEXT_INFO_USM_FILL2D_SUPPORT | UR_CONTEXT_INFO_USM_MEMCPY2D_SUPPORT => Some(bool_of as super::answer::Convert),
            _ if flags => Some(wide as super::answer::Convert),
            _ => None,
        };
        answer(param_value_size, param_value, param_value_size_ret, convert, |size, value, reported| {
            ur.calls.urContextGetInfo(context.cast(), name, size, value, reported)
        })
    }
    fn piContextRetain(context: pi_context) [context PI_ERROR_INVALID_CONTEXT] {
        ur.calls.urContextRetain(context.cast())
    }
    fn piContextRelease(context: pi_context) [context PI_ERROR_INVALID_CONTEXT] {
        ur.calls.urContextRelease(context.cast())
    }
    fn piextContextSetExtendedDeleter(context: pi_context, func: pi_context_extended_deleter, user_data: *mut c_void)
        [context PI_ERROR_INVALID_CONTEXT]
    {
        ur.calls.urContextSetExtendedDeleter(context.cast(), func, user_data)
    }
    fn piextContextGetNativeHandle(context: pi_context, nativeHandle: *mut pi_native_handle)
        [context PI_ERROR_INVALID_CONTEXT]
    {
        ur.calls.urContextGetNativeHandle(context.cast(), nativeHandle)
    }
    fn piextContextCreateWithNativeHandle(nativeHandle: pi_native_handle, numDevices: pi_uint32, devices: *const pi_device, pluginOwnsNativeHandle: pi_cxx_bool, context: *mut pi_context) [] {
        let owned = ur_context_native_properties_t {
            stype: UR_STRUCTURE_TYPE_CONTEXT_NATIVE_PROPERTIES,
            pNext: null_mut(),
            isNativeHandleOwned: pluginOwnsNativeHandle,
        };
        match ur.adapter() {
            Ok(adapter) => ur.calls.urContextCreateWithNativeHandle(
                nativeHandle, adapter, numDevices, if numDevices == 0 { null() } else { devices.cast() }, &owned, context.cast()),
            Err(code) => code,
        }
    }
}
