//! The wait list of a command and the event that it returns.
#![expect(unsafe_code, reason = "wait lists in the caller's memory")]

use std::fmt;
use std::marker::PhantomData;

use crate::types::SyncPoint;

use crate::{New, Object};

/// A command's wait list and its event.
pub struct Dependencies<'a, E: Object> {
    /// Events to wait for, none of which is null.
    pub waits: &'a [&'a E],
    /// Receives the command's event, if the caller wants one.
    pub event: EventOut<'a, E>,
}

impl<E: Object> fmt::Debug for Dependencies<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dependencies").field("waits", &self.waits.len()).field("event", &self.event).finish()
    }
}

/// Receives the event of a command. It is written on success only.
pub struct EventOut<'a, E: Object> {
    out: *mut *mut E::Raw,
    lifetime: PhantomData<&'a mut E>,
}

impl<E: Object> fmt::Debug for EventOut<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EventOut").field(&self.out).finish()
    }
}

impl<'a, E: Object> EventOut<'a, E> {
    /// # Safety
    ///
    /// `out` must be null or writable during `'a`.
    #[inline(always)]
    pub unsafe fn new(out: *mut *mut E::Raw) -> Self {
        Self { out, lifetime: PhantomData }
    }

    /// Creates an `EventOut` for a caller who wants no event.
    #[inline(always)]
    pub fn none() -> Self {
        Self { out: std::ptr::null_mut(), lifetime: PhantomData }
    }

    /// Creates an `EventOut` that writes to a handle of the backend itself.
    pub fn into(out: &'a mut *mut E::Raw) -> Self {
        Self { out, lifetime: PhantomData }
    }

    /// Returns whether the caller wants an event.
    #[inline(always)]
    pub fn is_wanted(&self) -> bool {
        !self.out.is_null()
    }

    /// Returns null or a pointer that is writable for one handle, for a driver that writes handles itself.
    #[inline(always)]
    pub fn as_mut_ptr(&mut self) -> *mut *mut E::Raw {
        self.out
    }

    /// Passes the event to the caller, or returns it if the caller wants none.
    #[inline(always)]
    pub fn put(self, event: New<E>) -> Option<New<E>> {
        if self.out.is_null() {
            return Some(event);
        }
        // SAFETY: `out` is not null, so it is writable, as `new` requires.
        unsafe { self.out.write(event.into_raw()) };
        None
    }
}

impl<'a, E: Object> Dependencies<'a, E> {
    /// Creates dependencies without a wait list and without an event.
    pub fn none() -> Self {
        Self { waits: &[], event: EventOut::none() }
    }

    /// Returns the length and start of the wait list and the pointer for the event, as C calls take them. The start of
    /// an empty list is null.
    #[inline(always)]
    pub fn raw_parts(&mut self) -> (u32, *const *mut E::Raw, *mut *mut E::Raw) {
        let list =
            if self.waits.is_empty() { std::ptr::null() } else { self.waits.as_ptr().cast::<*mut E::Raw>() };
        (self.waits.len() as u32, list, self.event.out)
    }
}

/// The sync points that a command in a command buffer waits for, and the sync point that it returns.
#[derive(Debug)]
pub struct SyncPointDependencies<'a> {
    /// Sync points of the same command buffer.
    pub waits: &'a [SyncPoint],
    /// Receives the command's sync point.
    pub point: Option<&'a mut SyncPoint>,
}

impl SyncPointDependencies<'_> {
    /// Passes the sync point to the caller, if wanted.
    pub fn put(self, point: SyncPoint) {
        if let Some(out) = self.point {
            *out = point;
        }
    }
}
