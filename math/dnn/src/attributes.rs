//! Attributes of primitives, which are the vendor's objects for all engines.
//!
//! The vendor has no functions that read scales, zero points and some other attributes. So the functions that set them
//! are intercepted, and the attributes objects with any of these are remembered.
#![expect(unsafe_code, reason = "C functions")]

use std::collections::BTreeSet;
use std::ffi::{c_float, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use crate::forward::vendors;
use crate::status::{Result, SUCCESS, Status, UNIMPLEMENTED, check};
use crate::vendor::vendor;

/// The addresses of attributes objects with an attribute that our primitives do not support.
static REMEMBERED: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());
/// Whether there ever was one. Programs without any take no lock.
static ANY: AtomicBool = AtomicBool::new(false);

fn remember(attributes: *const c_void) {
    ANY.store(true, Ordering::Release);
    REMEMBERED.lock().insert(attributes.addr());
}

fn is_remembered(attributes: *const c_void) -> bool {
    ANY.load(Ordering::Acquire) && REMEMBERED.lock().contains(&attributes.addr())
}

fn forget(attributes: *const c_void) {
    if ANY.load(Ordering::Acquire) {
        REMEMBERED.lock().remove(&attributes.addr());
    }
}

/// Fails if the attributes ask for more than a plain product.
pub(crate) fn require_none(attributes: *const c_void) -> Result<()> {
    /// The mode of accumulation that our products do not support: integers, even for products of floats.
    const INTEGERS: c_int = 3;
    if attributes.is_null() {
        return Ok(());
    }
    let (mut operations, mut accumulation) = (null(), 0);
    check(vendor().dnnl_primitive_attr_get_post_ops(attributes, &mut operations))?;
    // Releases without this function have no modes of accumulation.
    vendor().dnnl_primitive_attr_get_accumulation_mode(attributes, &mut accumulation);
    let is_more =
        is_remembered(attributes) || vendor().dnnl_post_ops_len(operations) != 0 || accumulation == INTEGERS;
    if is_more { Err(UNIMPLEMENTED) } else { Ok(()) }
}

/// A copy of a caller's attributes.
#[derive(Debug)]
pub(crate) struct Attributes(*mut c_void);

// SAFETY: they are only read once they exist.
unsafe impl Send for Attributes {}
// SAFETY: as above.
unsafe impl Sync for Attributes {}

impl Attributes {
    /// Copies attributes. If there are none, the copy has the defaults.
    pub(crate) fn copy(attributes: *const c_void) -> Result<Self> {
        let mut copy = null_mut();
        check(match attributes.is_null() {
            true => vendor().dnnl_primitive_attr_create(&mut copy),
            false => vendor().dnnl_primitive_attr_clone(&mut copy, attributes),
        })?;
        Ok(Self(copy))
    }

    pub(crate) fn raw(&self) -> *const c_void {
        self.0
    }

    /// Returns whether products of floats may read fewer than their 24 significant bits. The caller permits it by an
    /// attribute, or the user by `ONEDNN_DEFAULT_FPMATH_MODE`.
    ///
    /// Each mode except the strict one permits a type whose precision and range are no greater than those of TF32,
    /// which has 11 significant bits.
    pub(crate) fn permits_tf32(&self) -> bool {
        const STRICT: c_int = 0;
        let mut mode = STRICT;
        vendor().dnnl_primitive_attr_get_fpmath_mode(self.0, &mut mode);
        mode != STRICT
    }
}

impl Drop for Attributes {
    fn drop(&mut self) {
        vendor().dnnl_primitive_attr_destroy(self.0);
    }
}

/// Creates attributes.
///
/// # Safety
/// As in oneDNN.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn dnnl_primitive_attr_create(attributes: *mut *mut c_void) -> Status {
    let status = vendor().dnnl_primitive_attr_create(attributes);
    if status == SUCCESS {
        // The vendor may have freed other attributes at this address unobserved. SAFETY: the vendor has written it.
        forget(unsafe { attributes.read() });
    }
    status
}

/// Copies attributes.
///
/// # Safety
/// As in oneDNN.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn dnnl_primitive_attr_clone(
    copy: *mut *mut c_void,
    attributes: *const c_void,
) -> Status {
    let status = vendor().dnnl_primitive_attr_clone(copy, attributes);
    if status == SUCCESS {
        // SAFETY: the vendor has written it.
        let made = unsafe { copy.read() };
        if is_remembered(attributes) { remember(made) } else { forget(made) }
    }
    status
}

/// Destroys attributes.
///
/// # Safety
/// As in oneDNN.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn dnnl_primitive_attr_destroy(attributes: *mut c_void) -> Status {
    forget(attributes);
    vendor().dnnl_primitive_attr_destroy(attributes)
}

/// Defines the functions that set attributes which our products do not support.
macro_rules! watched {
    ($(fn $name:ident($($arg:ident: $type:ty),*);)*) => {$(
        #[doc = concat!("As the vendor's `", stringify!($name), "`, and remembers the attributes.")]
        ///
        /// # Safety
        /// As in oneDNN.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C" fn $name(attributes: *mut c_void $(, $arg: $type)*) -> Status {
            // SAFETY: the vendor's function of this name has this type, and the arguments are its caller's.
            let status = unsafe { vendors!($name(attributes: *mut c_void $(, $arg: $type)*) -> Status) };
            if status == SUCCESS {
                remember(attributes);
            }
            status
        }
    )*};
}

watched! {
    fn dnnl_primitive_attr_set_dropout(mask: *const c_void);
    fn dnnl_primitive_attr_set_dropout_v2(mask: *const c_void, seed: c_int, offset: c_int, on_host: c_int);
    fn dnnl_primitive_attr_set_precomputed_reductions(
        argument: c_int, mask: c_int, dimensions: c_int, group: *const i64, data_type: c_int);
    fn dnnl_primitive_attr_set_rnn_data_qparams(scale: c_float, shift: c_float);
    fn dnnl_primitive_attr_set_rnn_weights_projection_qparams(count: i64, mask: c_int, scales: *const c_float);
    fn dnnl_primitive_attr_set_rnn_weights_qparams(count: i64, mask: c_int, scales: *const c_float);
    fn dnnl_primitive_attr_set_rounding(argument: c_int, mode: c_int);
    fn dnnl_primitive_attr_set_scales(
        argument: c_int, mask: c_int, dimensions: c_int, group: *const i64, data_type: c_int);
    fn dnnl_primitive_attr_set_scales_mask(argument: c_int, mask: c_int);
    fn dnnl_primitive_attr_set_scales_v2(
        argument: c_int, mask: c_int, dimensions: c_int, group: *const i64, data_type: c_int, on_host: c_int);
    fn dnnl_primitive_attr_set_scales_v3(
        argument: c_int, mask: c_int, dimensions: c_int, group: *const i64, data_type: c_int, on_host: c_int,
        mode: c_int);
    fn dnnl_primitive_attr_set_zero_points(
        argument: c_int, mask: c_int, dimensions: c_int, group: *const i64, data_type: c_int);
    fn dnnl_primitive_attr_set_zero_points_mask(argument: c_int, mask: c_int);
    fn dnnl_primitive_attr_set_zero_points_v2(
        argument: c_int, mask: c_int, dimensions: c_int, group: *const i64, data_type: c_int, on_host: c_int);
}
