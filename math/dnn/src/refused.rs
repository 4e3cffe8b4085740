//! All primitives other than products. Our engines lack them, so callers use their own kernels.
#![expect(unsafe_code, reason = "C functions")]

use std::ffi::c_void;

use crate::engine::Engine;
use crate::forward::{functions, vendors};
use crate::object::is_ours;
use crate::status::{Status, UNIMPLEMENTED};

type Made = *mut *mut c_void;
type Handle = *mut c_void;
/// A pointer: a descriptor, attributes, or numbers.
type P = *const c_void;
/// A number of `int`'s size.
type I = std::ffi::c_int;
/// A length.
type L = i64;
/// A float.
type F = std::ffi::c_float;

/// Declares functions that refuse an engine of ours.
macro_rules! refused {
    ($($name:ident($($arg:ident: $type:ty),*);)*) => {
        functions! {$(
            #[doc = concat!("Refuses an engine of ours in the place of the vendor's `", stringify!($name), "`.")]
            fn $name(made: Made, engine: Handle, $($arg: $type),*) of engine: Engine = {
                let _ = (engine, made, $($arg),*);
                Err(UNIMPLEMENTED)
            };
        )*}
    };
}

refused! {
    dnnl_concat_primitive_desc_create(a: P, b: I, c: I, d: P, e: P);
    dnnl_sum_primitive_desc_create(a: P, b: I, c: P, d: P, e: P);
    dnnl_binary_primitive_desc_create(a: I, b: P, c: P, d: P, e: P);
    dnnl_binary_primitive_desc_create_v2(a: I, b: P, c: P, d: P, e: P, f: P);
    dnnl_convolution_forward_primitive_desc_create(a: I, b: I, c: P, d: P, e: P, f: P, g: P, h: P, i: P, j: P, k: P);
    dnnl_convolution_backward_data_primitive_desc_create(a: I, b: P, c: P, d: P, e: P, f: P, g: P, h: P, i: P, j: P);
    dnnl_convolution_backward_weights_primitive_desc_create(
        a: I, b: P, c: P, d: P, e: P, f: P, g: P, h: P, i: P, j: P, k: P);
    dnnl_deconvolution_forward_primitive_desc_create(
        a: I, b: I, c: P, d: P, e: P, f: P, g: P, h: P, i: P, j: P, k: P);
    dnnl_deconvolution_backward_data_primitive_desc_create(
        a: I, b: P, c: P, d: P, e: P, f: P, g: P, h: P, i: P, j: P);
    dnnl_deconvolution_backward_weights_primitive_desc_create(
        a: I, b: P, c: P, d: P, e: P, f: P, g: P, h: P, i: P, j: P, k: P);
    dnnl_shuffle_forward_primitive_desc_create(a: I, b: P, c: P, d: I, e: L, f: P);
    dnnl_shuffle_backward_primitive_desc_create(a: P, b: P, c: I, d: L, e: P, f: P);
    dnnl_eltwise_forward_primitive_desc_create(a: I, b: I, c: P, d: P, e: F, f: F, g: P);
    dnnl_eltwise_backward_primitive_desc_create(a: I, b: P, c: P, d: P, e: F, f: F, g: P, h: P);
    dnnl_softmax_forward_primitive_desc_create(a: I, b: I, c: P, d: P, e: I, f: P);
    dnnl_softmax_backward_primitive_desc_create(a: I, b: P, c: P, d: P, e: I, f: P, g: P);
    dnnl_pooling_forward_primitive_desc_create(a: I, b: I, c: P, d: P, e: P, f: P, g: P, h: P, i: P, j: P);
    dnnl_pooling_backward_primitive_desc_create(a: I, b: P, c: P, d: P, e: P, f: P, g: P, h: P, i: P, j: P);
    dnnl_prelu_forward_primitive_desc_create(a: I, b: P, c: P, d: P, e: P);
    dnnl_prelu_backward_primitive_desc_create(a: P, b: P, c: P, d: P, e: P, f: P, g: P);
    dnnl_lrn_forward_primitive_desc_create(a: I, b: I, c: P, d: P, e: L, f: F, g: F, h: F, i: P);
    dnnl_lrn_backward_primitive_desc_create(a: I, b: P, c: P, d: P, e: L, f: F, g: F, h: F, i: P, j: P);
    dnnl_batch_normalization_forward_primitive_desc_create(a: I, b: P, c: P, d: F, e: I, f: P);
    dnnl_batch_normalization_backward_primitive_desc_create(a: I, b: P, c: P, d: P, e: F, f: I, g: P, h: P);
    dnnl_group_normalization_forward_primitive_desc_create(a: I, b: P, c: P, d: L, e: F, f: I, g: P);
    dnnl_group_normalization_backward_primitive_desc_create(a: I, b: P, c: P, d: P, e: L, f: F, g: I, h: P, i: P);
    dnnl_layer_normalization_forward_primitive_desc_create(a: I, b: P, c: P, d: P, e: F, f: I, g: P);
    dnnl_layer_normalization_backward_primitive_desc_create(a: I, b: P, c: P, d: P, e: P, f: F, g: I, h: P, i: P);
    dnnl_layer_normalization_forward_primitive_desc_create_v2(a: I, b: P, c: P, d: P, e: I, f: F, g: I, h: P);
    dnnl_layer_normalization_backward_primitive_desc_create_v2(
        a: I, b: P, c: P, d: P, e: P, f: I, g: I, h: F, i: I, j: P, k: P);
    dnnl_inner_product_forward_primitive_desc_create(a: I, b: P, c: P, d: P, e: P, f: P);
    dnnl_inner_product_backward_data_primitive_desc_create(a: P, b: P, c: P, d: P, e: P);
    dnnl_inner_product_backward_weights_primitive_desc_create(a: P, b: P, c: P, d: P, e: P, f: P);
    dnnl_vanilla_rnn_forward_primitive_desc_create(
        a: I, b: I, c: I, d: P, e: P, f: P, g: P, h: P, i: P, j: P, k: I, l: F, m: F, n: P);
    dnnl_vanilla_rnn_backward_primitive_desc_create(
        a: I, b: I, c: I, d: P, e: P, f: P, g: P, h: P, i: P, j: P, k: P, l: P, m: P, n: P, o: P, p: P, q: P, r: I,
        s: F, t: F, u: P, v: P);
    dnnl_lstm_forward_primitive_desc_create(
        a: I, b: I, c: P, d: P, e: P, f: P, g: P, h: P, i: P, j: P, k: P, l: P, m: P, n: I, o: P);
    dnnl_lstm_backward_primitive_desc_create(
        a: I, b: I, c: P, d: P, e: P, f: P, g: P, h: P, i: P, j: P, k: P, l: P, m: P, n: P, o: P, p: P, q: P, r: P,
        s: P, t: P, u: P, v: P, w: P, x: P, y: I, z: P);
    dnnl_gru_forward_primitive_desc_create(a: I, b: I, c: P, d: P, e: P, f: P, g: P, h: P, i: P, j: I, k: P);
    dnnl_gru_backward_primitive_desc_create(
        a: I, b: I, c: P, d: P, e: P, f: P, g: P, h: P, i: P, j: P, k: P, l: P, m: P, n: P, o: P, p: P, q: I, r: P,
        s: P);
    dnnl_lbr_gru_forward_primitive_desc_create(a: I, b: I, c: P, d: P, e: P, f: P, g: P, h: P, i: P, j: I, k: P);
    dnnl_lbr_gru_backward_primitive_desc_create(
        a: I, b: I, c: P, d: P, e: P, f: P, g: P, h: P, i: P, j: P, k: P, l: P, m: P, n: P, o: P, p: P, q: I, r: P,
        s: P);
    dnnl_augru_forward_primitive_desc_create(a: I, b: I, c: P, d: P, e: P, f: P, g: P, h: P, i: P, j: P, k: I, l: P);
    dnnl_augru_backward_primitive_desc_create(
        a: I, b: I, c: P, d: P, e: P, f: P, g: P, h: P, i: P, j: P, k: P, l: P, m: P, n: P, o: P, p: P, q: P, r: P,
        s: I, t: P, u: P);
    dnnl_lbr_augru_forward_primitive_desc_create(
        a: I, b: I, c: P, d: P, e: P, f: P, g: P, h: P, i: P, j: P, k: I, l: P);
    dnnl_lbr_augru_backward_primitive_desc_create(
        a: I, b: I, c: P, d: P, e: P, f: P, g: P, h: P, i: P, j: P, k: P, l: P, m: P, n: P, o: P, p: P, q: P, r: P,
        s: I, t: P, u: P);
    dnnl_resampling_forward_primitive_desc_create(a: I, b: I, c: P, d: P, e: P, f: P);
    dnnl_resampling_backward_primitive_desc_create(a: I, b: P, c: P, d: P, e: P, f: P);
    dnnl_reduction_primitive_desc_create(a: I, b: P, c: P, d: F, e: F, f: P);
}

/// Refuses a copy that involves an engine of ours. Other copies are the vendor's.
///
/// # Safety
/// As in oneDNN.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn dnnl_reorder_primitive_desc_create(
    made: Made,
    source: P,
    source_engine: Handle,
    destination: P,
    destination_engine: Handle,
    attributes: P,
) -> Status {
    // SAFETY: engines of oneDNN, which live for this call.
    if unsafe { is_ours(source_engine) || is_ours(destination_engine) } {
        return UNIMPLEMENTED;
    }
    // SAFETY: the vendor's function of this name has this type, and the arguments are its caller's.
    unsafe {
        vendors!(dnnl_reorder_primitive_desc_create(made: Made, source: P, source_engine: Handle, destination: P,
            destination_engine: Handle, attributes: P) -> Status)
    }
}
