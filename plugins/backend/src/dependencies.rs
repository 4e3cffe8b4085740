//! What a command waits for and the event it gives.
#![expect(unsafe_code, reason = "wait lists in the caller's memory")]

use std::fmt;
use std::marker::PhantomData;

use crate::types::SyncPoint;

use crate::{New, Object};

/// A command's wait list and its event.
pub struct Dependencies<'a, E: Object> {
    /// Events to wait for; none of them null.
    pub waits: &'a [&'a E],
    /// Where the command's event goes, if the caller wants one.
    pub event: EventOut<'a, E>,
}

impl<E: Object> fmt::Debug for Dependencies<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dependencies").field("waits", &self.waits.len()).field("event", &self.event).finish()
    }
}

/// Where a command's event goes. Written on success only.
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
    /// `out` is null or writable during `'a`.
    #[inline(always)]
    pub unsafe fn new(out: *mut *mut E::Raw) -> Self {
        Self { out, lifetime: PhantomData }
    }

    /// No event is wanted.
    #[inline(always)]
    pub fn none() -> Self {
        Self { out: std::ptr::null_mut(), lifetime: PhantomData }
    }

    /// A handle of the backend's own.
    pub fn into(out: &'a mut *mut E::Raw) -> Self {
        Self { out, lifetime: PhantomData }
    }

    /// Whether the caller wants an event.
    #[inline(always)]
    pub fn is_wanted(&self) -> bool {
        !self.out.is_null()
    }

    /// Null, or writable for one handle: for a driver that writes handles itself.
    #[inline(always)]
    pub fn as_mut_ptr(&mut self) -> *mut *mut E::Raw {
        self.out
    }

    /// Hands the event to the caller; gives it back if none is wanted.
    #[inline(always)]
    pub fn put(self, event: New<E>) -> Option<New<E>> {
        if self.out.is_null() {
            return Some(event);
        }
        // SAFETY: not null, so writable, as `new` demands.
        unsafe { self.out.write(event.into_raw()) };
        None
    }
}

impl<'a, E: Object> Dependencies<'a, E> {
    /// Nothing to wait for, no event.
    pub fn none() -> Self {
        Self { waits: &[], event: EventOut::none() }
    }

    /// Length and start of the wait list and the event's place, as C calls take them; null for an empty list.
    #[inline(always)]
    pub fn raw_parts(&mut self) -> (u32, *const *mut E::Raw, *mut *mut E::Raw) {
        let list =
            if self.waits.is_empty() { std::ptr::null() } else { self.waits.as_ptr().cast::<*mut E::Raw>() };
        (self.waits.len() as u32, list, self.event.out)
    }
}

/// What a command in a command buffer waits for, and the sync point it gives.
#[derive(Debug)]
pub struct SyncPointDependencies<'a> {
    /// Sync points of the same command buffer.
    pub waits: &'a [SyncPoint],
    /// Where the command's sync point goes.
    pub point: Option<&'a mut SyncPoint>,
}

impl SyncPointDependencies<'_> {
    /// Hands the sync point to the caller, if wanted.
    pub fn put(self, point: SyncPoint) {
        if let Some(out) = self.point {
            *out = point;
        }
    }
}
