//! Memory descriptors, which are the vendor's objects for all engines.
#![expect(unsafe_code, reason = "the vendor's objects")]

use std::ffi::{c_int, c_void};
use std::ptr::{addr_of_mut, null, null_mut};
use std::sync::OnceLock;

use crate::query;
use crate::status::{INVALID_ARGUMENTS, Result, UNIMPLEMENTED, check};
use crate::vendor::vendor;

/// The most dimensions.
const MOST: usize = 12;
/// A size that is only known when a primitive is executed.
const UNKNOWN: i64 = i64::MIN;

/// `dnnl_format_kind_t`: the library chooses the strides, or the caller gave them.
const ANY_FORMAT: c_int = 1;
const STRIDED: c_int = 2;

/// A copy of a descriptor.
#[derive(Debug)]
pub(crate) struct Descriptor(*mut c_void);

// SAFETY: a descriptor is only read once it exists.
unsafe impl Send for Descriptor {}
// SAFETY: as above.
unsafe impl Sync for Descriptor {}

impl Drop for Descriptor {
    fn drop(&mut self) {
        vendor().dnnl_memory_desc_destroy(self.0);
    }
}

impl Descriptor {
    /// Copies a caller's descriptor.
    pub(crate) fn copy(description: *const c_void) -> Result<Self> {
        if description.is_null() {
            return Err(INVALID_ARGUMENTS);
        }
        let mut copy = null_mut();
        check(vendor().dnnl_memory_desc_clone(&mut copy, description))?;
        Ok(Self(copy))
    }

    /// Returns the empty descriptor.
    pub(crate) fn of_nothing() -> *const c_void {
        static NOTHING: OnceLock<Option<Descriptor>> = OnceLock::new();
        let make = || {
            let mut made = null_mut();
            check(vendor().dnnl_memory_desc_create_with_tag(&mut made, 0, null(), 0, 0)).ok()?;
            Some(Self(made))
        };
        NOTHING.get_or_init(make).as_ref().map_or(null(), Self::raw)
    }

    /// Creates the descriptor of a row-major tensor.
    fn row_major(lengths: &[i64], data_type: c_int) -> Result<Self> {
        let mut strides = vec![1; lengths.len()];
        let mut stride = 1_i64;
        for (length, place) in lengths.iter().zip(&mut strides).rev() {
            *place = stride;
            stride = stride.saturating_mul((*length).max(1));
        }
        let (mut made, dimensions) = (null_mut(), lengths.len() as c_int);
        let (lengths, strides) = (lengths.as_ptr(), strides.as_ptr());
        let status =
            vendor().dnnl_memory_desc_create_with_strides(&mut made, dimensions, lengths, data_type, strides);
        check(status)?;
        Ok(Self(made))
    }

    pub(crate) fn raw(&self) -> *const c_void {
        self.0
    }

    /// Returns the size of the memory in bytes.
    pub(crate) fn size(&self) -> usize {
        vendor().dnnl_memory_desc_get_size(self.0)
    }
}

/// Returns whether a descriptor is the empty one.
pub(crate) fn is_nothing(description: *const c_void) -> bool {
    description.is_null() || ask::<c_int>(description, query::DIMENSIONS).is_ok_and(|number| number == 0)
}

/// Queries a property that is a number of this type.
fn ask<T: Default>(description: *const c_void, what: c_int) -> Result<T> {
    let mut answer = T::default();
    check(vendor().dnnl_memory_desc_query(description, what, addr_of_mut!(answer).cast()))?;
    Ok(answer)
}

/// Queries a property that is a list with one number for each dimension.
fn ask_list(description: *const c_void, what: c_int, dimensions: usize) -> Result<Vec<i64>> {
    let mut list: *const i64 = null();
    check(vendor().dnnl_memory_desc_query(description, what, addr_of_mut!(list).cast()))?;
    if list.is_null() {
        return Err(UNIMPLEMENTED);
    }
    // SAFETY: the descriptor's own list, which lives as long.
    Ok(unsafe { std::slice::from_raw_parts(list, dimensions) }.to_vec())
}

/// A tensor with strides, in elements.
#[derive(Debug, Clone)]
pub(crate) struct Tensor {
    pub(crate) data_type: c_int,
    pub(crate) lengths: Vec<i64>,
    pub(crate) strides: Vec<i64>,
    pub(crate) offset: i64,
}

impl Tensor {
    /// Reads a caller's descriptor, and returns a copy of it. If the descriptor leaves the strides to the library, the
    /// copy is row-major.
    pub(crate) fn read(description: *const c_void) -> Result<(Self, Descriptor)> {
        let descriptor = Descriptor::copy(description)?;
        let dimensions = usize::try_from(ask::<c_int>(description, query::DIMENSIONS)?).unwrap_or(MOST + 1);
        if !(2..=MOST).contains(&dimensions) {
            return Err(INVALID_ARGUMENTS);
        }
        let lengths = ask_list(description, query::LENGTHS, dimensions)?;
        if lengths.contains(&UNKNOWN) {
            return Err(UNIMPLEMENTED);
        }
        let data_type = ask(description, query::DATA_TYPE)?;
        let descriptor = match ask::<c_int>(description, query::FORMAT)? {
            ANY_FORMAT => Descriptor::row_major(&lengths, data_type)?,
            STRIDED => descriptor,
            _ => return Err(UNIMPLEMENTED),
        };
        let own = descriptor.raw();
        let strides = ask_list(own, query::STRIDES, dimensions)?;
        let is_padded = ask_list(own, query::PADDED_LENGTHS, dimensions)? != lengths;
        if is_padded || ask::<c_int>(own, query::INNER_BLOCKS)? != 0 || strides.contains(&UNKNOWN) {
            return Err(UNIMPLEMENTED);
        }
        let offset = ask(own, query::OFFSET)?;
        Ok((Self { data_type, lengths, strides, offset }, descriptor))
    }
}
