//! Queries of a primitive descriptor.
#![expect(unsafe_code, reason = "C functions")]

use std::ffi::{CStr, c_char, c_int, c_void};

use crate::description::Descriptor;
use crate::forward::{functions, vendors};
use crate::matmul::PrimitiveDescriptor;
use crate::object::{handle, is_ours, ours, put};
use crate::query;
use crate::status::{INVALID_ARGUMENTS, LAST_IMPLEMENTATION_REACHED, Result, SUCCESS, UNIMPLEMENTED};

/// The name of the implementation. llama.cpp disables oneDNN if it contains `ref`.
const NAME: &CStr = c"cuda:cublas";

/// `dnnl_matmul` of `dnnl_primitive_kind_t`, and `dnnl_forward_inference` of `dnnl_prop_kind_t`.
const MATMUL: c_int = 14;
const INFERENCE: c_int = 96;

/// Arguments of a primitive.
pub(crate) const SOURCE: c_int = 1;
pub(crate) const DESTINATION: c_int = 17;
pub(crate) const WEIGHTS: c_int = 33;

/// Returns whether a query is for a memory descriptor.
fn is_for_descriptor(what: c_int) -> bool {
    matches!(what, query::SOURCE..=query::SCRATCHPAD | query::ARGUMENT)
}

/// Returns a memory descriptor, or null if the query is for something else. The descriptors of gradients, bias,
/// workspace and scratchpad are the empty one.
fn descriptor(descriptor: &PrimitiveDescriptor, what: c_int, index: c_int) -> *const c_void {
    let [source, weights, destination] = &descriptor.shared.descriptors;
    match (what, index) {
        (query::SOURCE, 0) | (query::ARGUMENT, SOURCE) => source.raw(),
        (query::WEIGHTS, 0) | (query::ARGUMENT, WEIGHTS) => weights.raw(),
        (query::DESTINATION, 0) | (query::ARGUMENT, DESTINATION) => destination.raw(),
        _ if is_for_descriptor(what) => Descriptor::of_nothing(),
        _ => std::ptr::null(),
    }
}

/// Answers a query.
///
/// # Safety
/// `result` is null or has room for the answer.
unsafe fn put_answer(
    primitive_desc: &PrimitiveDescriptor,
    what: c_int,
    index: c_int,
    result: *mut c_void,
) -> Result<()> {
    let engine = handle(&*primitive_desc.shared.engine);
    // SAFETY: guaranteed by the caller, for each type of answer.
    unsafe {
        match what {
            query::ENGINE | query::SCRATCHPAD_ENGINE => put(result.cast::<*mut c_void>(), engine),
            query::PRIMITIVE_KIND => put(result.cast::<c_int>(), MATMUL),
            query::INPUTS => put(result.cast::<c_int>(), 2),
            query::OUTPUTS => put(result.cast::<c_int>(), 1),
            query::MEMORY_CONSUMPTION => put(result.cast::<i64>(), 0),
            query::IMPLEMENTATION => put(result.cast::<*const c_char>(), NAME.as_ptr()),
            query::PROPAGATION_KIND => put(result.cast::<c_int>(), INFERENCE),
            _ if is_for_descriptor(what) => {
                put(result.cast::<*const c_void>(), descriptor(primitive_desc, what, index))
            }
            _ => Err(UNIMPLEMENTED),
        }
    }
}

functions! {
    /// Answers a query of a primitive descriptor.
    fn dnnl_primitive_desc_query(primitive_desc: *const c_void, what: c_int, index: c_int, result: *mut c_void)
        // SAFETY: guaranteed by the caller.
        of primitive_desc: PrimitiveDescriptor = unsafe { put_answer(primitive_desc, what, index, result) };
    /// Reports that a product has no further implementation.
    fn dnnl_primitive_desc_next_impl(primitive_desc: *mut c_void) of primitive_desc: PrimitiveDescriptor = {
        let _ = primitive_desc;
        Err(LAST_IMPLEMENTATION_REACHED)
    };
    /// Returns the attributes.
    fn dnnl_primitive_desc_get_attr(primitive_desc: *const c_void, attributes: *mut *const c_void)
        // SAFETY: guaranteed by the caller.
        of primitive_desc: PrimitiveDescriptor = unsafe { put(attributes, primitive_desc.shared.attributes.raw()) };
    /// Copies a primitive descriptor.
    fn dnnl_primitive_desc_clone(copy: *mut *mut c_void, primitive_desc: *const c_void)
        of primitive_desc: PrimitiveDescriptor = {
            if copy.is_null() {
                return Err(INVALID_ARGUMENTS);
            }
            let boxed = Box::new(PrimitiveDescriptor::new(&primitive_desc.shared));
            // SAFETY: guaranteed by the caller.
            unsafe { put(copy, Box::into_raw(boxed).cast()) }
        };
    /// Destroys a primitive descriptor.
    fn dnnl_primitive_desc_destroy(primitive_desc: *mut c_void) of primitive_desc: PrimitiveDescriptor = {
        // SAFETY: a box of ours, which the caller gives up.
        drop(unsafe { Box::from_raw(handle(primitive_desc).cast::<PrimitiveDescriptor>()) });
        Ok(())
    };
}

/// Returns a memory descriptor of a primitive descriptor, or null.
///
/// # Safety
/// As in oneDNN.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn dnnl_primitive_desc_query_md(
    primitive_desc: *const c_void,
    what: c_int,
    index: c_int,
) -> *const c_void {
    // SAFETY: an object of oneDNN, which lives for this call.
    match unsafe { ours::<PrimitiveDescriptor>(primitive_desc) } {
        Some(primitive_desc) => descriptor(primitive_desc, what, index),
        // SAFETY: the vendor's function of this name has this type, and the arguments are its caller's.
        None => unsafe {
            vendors!(dnnl_primitive_desc_query_md(primitive_desc: *const c_void, what: c_int, index: c_int) -> *const c_void)
        },
    }
}

/// Returns a number of a primitive descriptor, or 0.
///
/// # Safety
/// As in oneDNN.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn dnnl_primitive_desc_query_s32(
    primitive_desc: *const c_void,
    what: c_int,
    index: c_int,
) -> c_int {
    const NUMBERS: [c_int; 2] = [query::INPUTS, query::OUTPUTS];
    // SAFETY: an object of oneDNN, which lives for this call.
    if unsafe { !is_ours(primitive_desc) } {
        // SAFETY: the vendor's function of this name has this type, and the arguments are its caller's.
        return unsafe {
            vendors!(dnnl_primitive_desc_query_s32(primitive_desc: *const c_void, what: c_int, index: c_int) -> c_int)
        };
    }
    if !NUMBERS.contains(&what) {
        return 0;
    }
    let mut number: c_int = 0;
    let room = std::ptr::addr_of_mut!(number).cast();
    // SAFETY: guaranteed by the caller, and the query is for a number.
    let status = unsafe { dnnl_primitive_desc_query(primitive_desc, what, index, room) };
    if status == SUCCESS { number } else { 0 }
}
