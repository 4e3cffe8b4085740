//! Accesses to callers' memory: output values, descriptors, lists. Addresses are checked for null. These functions
//! rely on the caller's guarantee that they are otherwise valid according to the specification.

use std::ffi::{CStr, c_char, c_void};

use level_zero_sys::*;

use crate::complaints::complain_here;
use crate::entry::Answer;

/// A structure that contains its type.
pub(crate) trait Typed: Copy {
    /// The required value of `stype`.
    const STYPE: ze_structure_type_t;
    /// Returns the actual value.
    fn stype(&self) -> ze_structure_type_t;
}

macro_rules! typed {
    ($($name:ident $stype:ident)*) => {$(
        impl Typed for $name {
            const STYPE: ze_structure_type_t = $stype;
            fn stype(&self) -> ze_structure_type_t { self.stype }
        }
    )*};
}

typed! {
    ze_context_desc_t ZE_STRUCTURE_TYPE_CONTEXT_DESC
    ze_command_queue_desc_t ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC
    ze_command_list_desc_t ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC
    ze_event_pool_desc_t ZE_STRUCTURE_TYPE_EVENT_POOL_DESC
    ze_event_desc_t ZE_STRUCTURE_TYPE_EVENT_DESC
    ze_fence_desc_t ZE_STRUCTURE_TYPE_FENCE_DESC
    ze_device_mem_alloc_desc_t ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC
    ze_host_mem_alloc_desc_t ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC
    ze_module_desc_t ZE_STRUCTURE_TYPE_MODULE_DESC
    ze_kernel_desc_t ZE_STRUCTURE_TYPE_KERNEL_DESC
    ze_image_desc_t ZE_STRUCTURE_TYPE_IMAGE_DESC
    ze_sampler_desc_t ZE_STRUCTURE_TYPE_SAMPLER_DESC
    ze_physical_mem_desc_t ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC
}

/// Reads a value at an address.
pub(crate) fn read<T: Copy>(address: *const T) -> Answer<T> {
    if address.is_null() {
        return Err(ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    }
    // SAFETY: not null, and guaranteed by the caller.
    Ok(unsafe { address.read_unaligned() })
}

/// Reads a descriptor. A wrong `stype` is reported, because it is an error, although drivers ignore it.
pub(crate) fn desc<T: Typed>(address: *const T) -> Answer<T> {
    let desc = read(address)?;
    if desc.stype() != T::STYPE {
        complain_here(format!("stype is {:?} where {:?} belongs", desc.stype(), T::STYPE));
    }
    Ok(desc)
}

/// Writes a result.
pub(crate) fn write<T>(address: *mut T, value: T) -> Answer {
    if address.is_null() {
        return Err(ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    }
    // SAFETY: not null, and guaranteed by the caller.
    unsafe { address.write_unaligned(value) };
    Ok(())
}

/// Writes a result if it is requested.
pub(crate) fn write_if<T>(address: *mut T, value: T) {
    if !address.is_null() {
        let _ = write(address, value);
    }
}

/// Changes a structure in place, for properties, whose `stype` and `pNext` belong to the caller.
pub(crate) fn update<T>(address: *mut T, change: impl FnOnce(&mut T)) -> Answer {
    if address.is_null() {
        return Err(ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    }
    // SAFETY: not null, and guaranteed by the caller.
    change(unsafe { &mut *address });
    Ok(())
}

/// Returns a list of `count` items.
pub(crate) fn list<'a, T>(count: u32, items: *const T) -> Answer<&'a [T]> {
    match (count, items.is_null()) {
        (0, _) => Ok(&[]),
        (_, true) => Err(ZE_RESULT_ERROR_INVALID_SIZE),
        // SAFETY: not null, and guaranteed by the caller.
        (count, false) => Ok(unsafe { std::slice::from_raw_parts(items, count as usize) }),
    }
}

/// Returns bytes.
pub(crate) fn bytes<'a>(address: *const c_void, size: usize) -> Answer<&'a [u8]> {
    if size == 0 {
        return Ok(&[]);
    }
    if address.is_null() {
        return Err(ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    }
    // SAFETY: not null, and guaranteed by the caller.
    Ok(unsafe { std::slice::from_raw_parts(address.cast(), size) })
}

/// Returns a string, or an empty one if there is none.
pub(crate) fn text(address: *const c_char) -> String {
    if address.is_null() {
        return String::new();
    }
    // SAFETY: not null, and guaranteed by the caller.
    unsafe { CStr::from_ptr(address) }.to_string_lossy().into_owned()
}

/// Returns a list in two steps: the number of items if `*count` is 0, otherwise as many items as there is room for.
pub(crate) fn fill<T: Copy>(count: *mut u32, room: *mut T, items: &[T]) -> Answer {
    fill_with(count, room, items, |place, item| *place = *item)
}

/// Returns a list in two steps, as [`fill`] does, for structures that are filled in place.
pub(crate) fn fill_with<T, I>(
    count: *mut u32,
    room: *mut T,
    items: &[I],
    put: impl Fn(&mut T, &I),
) -> Answer {
    let asked = read(count)? as usize;
    if asked > 0 && !room.is_null() {
        for (index, item) in items.iter().take(asked).enumerate() {
            // SAFETY: the caller has room for `asked` items.
            update(unsafe { room.add(index) }, |place| put(place, item))?;
        }
        return write(count, asked.min(items.len()) as u32);
    }
    write(count, items.len() as u32)
}

/// Returns bytes in two steps: their number without room, then the bytes.
pub(crate) fn fill_bytes(size: *mut usize, room: *mut u8, bytes: &[u8]) -> Answer {
    if !room.is_null() {
        let asked = read(size)?.min(bytes.len());
        // SAFETY: the caller has room for `*size` bytes.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), room, asked) };
    }
    write(size, bytes.len())
}

/// Returns the structure of type `stype` in a chain.
pub(crate) fn chained<T>(mut next: *const c_void, stype: ze_structure_type_t) -> Option<*mut T> {
    for _ in 0..32 {
        let base: ze_base_desc_t = read(next.cast()).ok()?;
        if base.stype == stype {
            return Some(next.cast_mut().cast());
        }
        next = base.pNext;
    }
    complain_here("a pNext chain does not end".to_owned());
    None
}

/// Writes a name to an array of characters.
pub(crate) fn put_name<const N: usize>(place: &mut [c_char; N], name: &str) {
    *place = [0; N];
    for (to, from) in place.iter_mut().zip(name.bytes().take(N - 1)) {
        *to = from.cast_signed() as c_char;
    }
}
