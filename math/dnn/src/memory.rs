//! Memory objects: unified shared memory with a descriptor.
#![expect(unsafe_code, reason = "C functions")]

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::description::Descriptor;
use crate::engine::Engine;
use crate::forward::functions;
use crate::object::{Head, Object, handle, put};
use crate::status::{INVALID_ARGUMENTS, OUT_OF_MEMORY, Result, UNIMPLEMENTED};

/// A memory object.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Memory {
    head: Head,
    engine: Arc<Engine>,
    descriptor: Descriptor,
    data: AtomicPtr<c_void>,
    /// The memory that the library has allocated for it.
    allocated: *mut c_void,
}

// SAFETY: it begins with a head.
unsafe impl Object for Memory {}

impl Memory {
    pub(crate) fn data(&self) -> *mut c_void {
        self.data.load(Ordering::Relaxed)
    }

    pub(crate) fn is_of(&self, engine: &Arc<Engine>) -> bool {
        Arc::ptr_eq(&self.engine, engine)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if !self.allocated.is_null() {
            // SAFETY: this memory comes from `allocate`, in the same context.
            unsafe { (self.engine.rim.free)(self.allocated, self.engine.context) };
        }
    }
}

/// The address that requests the library to allocate the memory.
const ALLOCATE: usize = usize::MAX;

/// `dnnl_sycl_interop_memory_kind_t`.
const USM: c_int = 0;

/// Makes a memory object.
///
/// # Safety
/// `memory` is null or has room for a pointer.
unsafe fn create(
    engine: &Engine,
    memory: *mut *mut c_void,
    description: *const c_void,
    data: *mut c_void,
) -> Result<()> {
    if memory.is_null() {
        return Err(INVALID_ARGUMENTS);
    }
    let descriptor = Descriptor::copy(description)?;
    let (mut data, mut allocated) = (data, null_mut());
    if data.addr() == ALLOCATE {
        data = null_mut();
        if descriptor.size() > 0 {
            // SAFETY: the engine's device and context.
            data = unsafe { (engine.rim.allocate)(engine.device, engine.context, descriptor.size()) };
            if data.is_null() {
                return Err(OUT_OF_MEMORY);
            }
            allocated = data;
        }
    }
    let made = Memory {
        head: Head::new(),
        engine: engine.keep(),
        descriptor,
        data: AtomicPtr::new(data),
        allocated,
    };
    // SAFETY: guaranteed by the caller.
    unsafe { put(memory, Box::into_raw(Box::new(made)).cast()) }
}

/// Creates a memory object from the only address in a list.
///
/// # Safety
/// The requirements of [`create`] apply, and `list` is null or has `count` addresses.
unsafe fn create_of_list(
    engine: &Engine,
    memory: *mut *mut c_void,
    description: *const c_void,
    count: c_int,
    list: *mut *mut c_void,
) -> Result<()> {
    if count != 1 || list.is_null() {
        return Err(INVALID_ARGUMENTS);
    }
    // SAFETY: guaranteed by the caller.
    unsafe { create(engine, memory, description, list.read()) }
}

/// Fails for kinds of memory other than unified shared memory.
fn require_usm(kind: c_int) -> Result<()> {
    if kind == USM { Ok(()) } else { Err(UNIMPLEMENTED) }
}

/// Fails for further addresses, which our memory objects do not have.
fn require_first(index: c_int) -> Result<()> {
    if index == 0 { Ok(()) } else { Err(INVALID_ARGUMENTS) }
}

functions! {
    /// Makes a memory object.
    fn dnnl_memory_create(memory: *mut *mut c_void, description: *const c_void, engine: *mut c_void, data: *mut c_void)
        // SAFETY: guaranteed by the caller.
        of engine: Engine = unsafe { create(engine, memory, description, data) };
    /// Makes a memory object.
    fn dnnl_memory_create_v2(
        memory: *mut *mut c_void, description: *const c_void, engine: *mut c_void, count: c_int, list: *mut *mut c_void,
        // SAFETY: guaranteed by the caller.
    ) of engine: Engine = unsafe { create_of_list(engine, memory, description, count, list) };
    /// Makes a memory object.
    fn dnnl_sycl_interop_memory_create(
        memory: *mut *mut c_void, description: *const c_void, engine: *mut c_void, kind: c_int, data: *mut c_void,
        // SAFETY: guaranteed by the caller.
    ) of engine: Engine = require_usm(kind).and_then(|()| unsafe { create(engine, memory, description, data) });
    /// Makes a memory object.
    fn dnnl_sycl_interop_memory_create_v2(
        memory: *mut *mut c_void, description: *const c_void, engine: *mut c_void, kind: c_int, count: c_int,
        list: *mut *mut c_void,
    ) of engine: Engine = require_usm(kind)
        // SAFETY: guaranteed by the caller.
        .and_then(|()| unsafe { create_of_list(engine, memory, description, count, list) });
    /// Returns the kind of a memory.
    fn dnnl_sycl_interop_memory_get_memory_kind(memory: *const c_void, kind: *mut c_int) of memory: Memory = {
        let _ = memory;
        // SAFETY: guaranteed by the caller.
        unsafe { put(kind, USM) }
    };
    /// Refuses a `sycl::buffer`.
    fn dnnl_sycl_interop_memory_set_buffer(memory: *mut c_void, buffer: *mut c_void) of memory: Memory = {
        let _ = (memory, buffer);
        Err(UNIMPLEMENTED)
    };
    /// Returns the engine of a memory.
    fn dnnl_memory_get_engine(memory: *const c_void, engine: *mut *mut c_void)
        // SAFETY: guaranteed by the caller.
        of memory: Memory = unsafe { put(engine, handle(&*memory.engine)) };
    /// Returns the descriptor of a memory.
    fn dnnl_memory_get_memory_desc(memory: *const c_void, description: *mut *const c_void)
        // SAFETY: guaranteed by the caller.
        of memory: Memory = unsafe { put(description, memory.descriptor.raw()) };
    /// Returns the address of a memory.
    fn dnnl_memory_get_data_handle(memory: *const c_void, data: *mut *mut c_void)
        // SAFETY: guaranteed by the caller.
        of memory: Memory = unsafe { put(data, memory.data()) };
    /// Returns the address of a memory.
    fn dnnl_memory_get_data_handle_v2(memory: *const c_void, data: *mut *mut c_void, index: c_int)
        // SAFETY: guaranteed by the caller.
        of memory: Memory = require_first(index).and_then(|()| unsafe { put(data, memory.data()) });
    /// Sets the address of a memory.
    fn dnnl_memory_set_data_handle(memory: *mut c_void, data: *mut c_void) of memory: Memory = {
        memory.data.store(data, Ordering::Relaxed);
        Ok(())
    };
    /// Sets the address of a memory.
    fn dnnl_memory_set_data_handle_v2(memory: *mut c_void, data: *mut c_void, index: c_int)
        of memory: Memory = require_first(index).map(|()| memory.data.store(data, Ordering::Relaxed));
    /// Refuses to copy device memory to the host.
    fn dnnl_memory_map_data(memory: *const c_void, mapped: *mut *mut c_void) of memory: Memory = {
        let _ = (memory, mapped);
        Err(UNIMPLEMENTED)
    };
    /// Refuses to copy device memory to the host.
    fn dnnl_memory_map_data_v2(memory: *const c_void, mapped: *mut *mut c_void, index: c_int) of memory: Memory = {
        let _ = (memory, mapped, index);
        Err(UNIMPLEMENTED)
    };
    /// Nothing is mapped.
    fn dnnl_memory_unmap_data(memory: *const c_void, mapped: *mut c_void) of memory: Memory = {
        let _ = (memory, mapped);
        Err(UNIMPLEMENTED)
    };
    /// Nothing is mapped.
    fn dnnl_memory_unmap_data_v2(memory: *const c_void, mapped: *mut c_void, index: c_int) of memory: Memory = {
        let _ = (memory, mapped, index);
        Err(UNIMPLEMENTED)
    };
    /// Destroys a memory object.
    fn dnnl_memory_destroy(memory: *mut c_void) of memory: Memory = {
        // SAFETY: the box comes from `create`, and the caller gives it up.
        drop(unsafe { Box::from_raw(handle(memory).cast::<Memory>()) });
        Ok(())
    };
}
