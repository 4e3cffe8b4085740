//! What [`counted`](crate::counted) synchronises with. `testing/models` compiles that file with loom's instead, and tries all orders.

pub(crate) use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

pub(crate) use parking_lot::Mutex;
