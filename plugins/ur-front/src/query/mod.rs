//! Info queries: the neutral query that corresponds to each query of UR, and the encoding of its answer.

mod device;
mod objects;

pub(crate) use device::{device, flag};
pub(crate) use objects::*;
