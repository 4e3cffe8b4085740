//! The synchronization primitives of [`counted`](crate::counted). `tests/models` compiles that file with those of
//! loom instead, and tries all interleavings.

pub(crate) use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

pub(crate) use parking_lot::Mutex;
