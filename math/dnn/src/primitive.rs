//! Primitives.
#![expect(unsafe_code, reason = "C functions")]

use std::ffi::{c_int, c_void};
use std::sync::Arc;

use crate::forward::functions;
use crate::matmul::{PrimitiveDescriptor, Product};
use crate::matmul_query::{DESTINATION, SOURCE, WEIGHTS};
use crate::memory::Memory;
use crate::object::{Head, Object, handle, is_ours, ours, put};
use crate::status::{INVALID_ARGUMENTS, Result, Status, UNIMPLEMENTED, answer};
use crate::stream::Stream;

/// A primitive.
#[repr(C)]
#[derive(Debug)]
struct Primitive {
    head: Head,
    descriptor: PrimitiveDescriptor,
}

// SAFETY: it begins with a head.
unsafe impl Object for Primitive {}

/// `dnnl_exec_arg_t`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExecArgument {
    which: c_int,
    memory: *mut c_void,
}

impl Primitive {
    /// Returns the product of these arguments, or `None` if it has no numbers.
    fn product(&self, stream: &Stream, arguments: &[ExecArgument]) -> Result<Option<Product>> {
        let shared = &*self.descriptor.shared;
        if !Arc::ptr_eq(&stream.engine, &shared.engine) {
            return Err(INVALID_ARGUMENTS);
        }
        let mut given = [None; 3];
        for argument in arguments.iter().filter(|argument| !argument.memory.is_null()) {
            let place = match argument.which {
                SOURCE => 0,
                WEIGHTS => 1,
                DESTINATION => 2,
                // The scratchpad has no bytes, and no other argument is used.
                _ => continue,
            };
            // SAFETY: an object of oneDNN, which lives for this call.
            let memory = unsafe { ours::<Memory>(argument.memory) }.ok_or(INVALID_ARGUMENTS)?;
            let room = given.get_mut(place).ok_or(INVALID_ARGUMENTS)?;
            if !memory.is_of(&shared.engine) || room.replace(memory.data()).is_some() {
                return Err(INVALID_ARGUMENTS);
            }
        }
        let [Some(a), Some(b), Some(c)] = given else { return Err(INVALID_ARGUMENTS) };
        if shared.is_empty() {
            return Ok(None);
        }
        if [a, b, c].iter().any(|data| data.is_null()) {
            return Err(INVALID_ARGUMENTS);
        }
        let [offset_a, offset_b, offset_c] = shared.offsets;
        let at = |data: *mut c_void, offset: i64| (data.addr() as u64).wrapping_add_signed(offset);
        let mut product = shared.product;
        (product.a, product.b, product.c) = (at(a, offset_a), at(b, offset_b), at(c, offset_c));
        if shared.is_swapped {
            (product.a, product.b) = (product.b, product.a);
        }
        Ok(Some(product))
    }
}

/// Returns whether a primitive is ours.
///
/// # Safety
/// `primitive` is null or a primitive of oneDNN.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn pi_dnn_is_ours(primitive: *const c_void) -> c_int {
    // SAFETY: guaranteed by the caller.
    c_int::from(unsafe { is_ours(primitive) })
}

/// Prepares the execution of a primitive of ours. Writes the product, the queue, and whether there is anything to do.
///
/// # Safety
/// `primitive` is a primitive of ours, `stream` is null or a stream of oneDNN, `arguments` has `count` arguments, and the
/// others have room for what they name.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn pi_dnn_prepare(
    primitive: *const c_void,
    stream: *mut c_void,
    count: c_int,
    arguments: *const ExecArgument,
    product: *mut Product,
    queue: *mut *mut c_void,
    anything: *mut c_int,
) -> Status {
    answer(|| {
        let count = usize::try_from(count).map_err(|_| INVALID_ARGUMENTS)?;
        if count > 0 && arguments.is_null() {
            return Err(INVALID_ARGUMENTS);
        }
        let arguments = match count {
            0 => &[],
            // SAFETY: guaranteed by the caller.
            _ => unsafe { std::slice::from_raw_parts(arguments, count) },
        };
        // SAFETY: guaranteed by the caller.
        let (primitive, stream) = unsafe { (ours::<Primitive>(primitive), ours::<Stream>(stream)) };
        let (Some(primitive), Some(stream)) = (primitive, stream) else { return Err(INVALID_ARGUMENTS) };
        let made = primitive.product(stream, arguments)?;
        // SAFETY: guaranteed by the caller.
        unsafe {
            put(queue, stream.queue)?;
            put(anything, c_int::from(made.is_some()))?;
            put(product, made.unwrap_or_default())
        }
    })
}

functions! {
    /// Creates a primitive.
    fn dnnl_primitive_create(primitive: *mut *mut c_void, primitive_desc: *const c_void)
        of primitive_desc: PrimitiveDescriptor = {
            if primitive.is_null() {
                return Err(INVALID_ARGUMENTS);
            }
            let descriptor = PrimitiveDescriptor::new(&primitive_desc.shared);
            let made = Box::new(Primitive { head: Head::new(), descriptor });
            // SAFETY: guaranteed by the caller.
            unsafe { put(primitive, Box::into_raw(made).cast()) }
        };
    /// Refuses a primitive from a cache.
    fn dnnl_primitive_create_from_cache_blob(
        primitive: *mut *mut c_void, primitive_desc: *const c_void, size: usize, blob: *const u8,
    ) of primitive_desc: PrimitiveDescriptor = {
        let _ = (primitive, primitive_desc, size, blob);
        Err(UNIMPLEMENTED)
    };
    /// Refuses to write a primitive for a cache.
    fn dnnl_primitive_get_cache_blob(primitive: *const c_void, size: *mut usize, blob: *mut u8)
        of primitive: Primitive = { let _ = (primitive, size, blob); Err(UNIMPLEMENTED) };
    /// Returns the descriptor of a primitive.
    fn dnnl_primitive_get_primitive_desc(primitive: *const c_void, primitive_desc: *mut *const c_void)
        // SAFETY: guaranteed by the caller.
        of primitive: Primitive = unsafe { put(primitive_desc, handle(&primitive.descriptor).cast_const()) };
    /// Destroys a primitive.
    fn dnnl_primitive_destroy(primitive: *mut c_void) of primitive: Primitive = {
        // SAFETY: a box of ours, which the caller gives up.
        drop(unsafe { Box::from_raw(handle(primitive).cast::<Primitive>()) });
        Ok(())
    };
}
