//! What [`counted`](crate::counted) synchronises with. `testing/models` puts loom's in its place, and goes through all orders.

pub(crate) use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering, fence};
pub(crate) use std::thread::yield_now;
