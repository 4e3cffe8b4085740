//! Info queries: which neutral query answers a query of UR, and how the answer is encoded.

mod device;
mod objects;

pub(crate) use device::{device, flag};
pub(crate) use objects::*;
