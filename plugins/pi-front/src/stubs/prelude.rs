//! Imports for the stubs of all families.

pub(super) use core::ffi::*;

pub(super) use sycl_pi_backend::types::*;
pub(super) use sycl_pi_backend::{Backend, Error, Fill, Object, Properties, Result};
pub(super) use sycl_pi_core::*;

pub(super) use crate::entry::entry;
pub(super) use crate::view::*;
