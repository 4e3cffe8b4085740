//! The "how many, then which" idiom: `piPlatformsGet` and its like.

use std::marker::PhantomData;
use std::ptr::null_mut;

use pi_core::*;

use crate::{Error, Object, Result};

/// Room for up to `capacity` handles and for their count. Either may be absent, not both.
pub struct ListOut<'a, T: Object> {
    capacity: u32,
    items: *mut *mut T::Raw,
    count: *mut pi_uint32,
    room: PhantomData<&'a mut T>,
}

impl<T: Object> ListOut<'_, T> {
    /// # Safety
    ///
    /// `items` is null or has room for `capacity` handles; `count` is null or has room for one number.
    #[inline]
    pub(crate) unsafe fn new(capacity: u32, items: *mut *mut T::Raw, count: *mut pi_uint32) -> Result<Self> {
        if items.is_null() && count.is_null() {
            return Err(Error::invalid_value(
                "num_entries, or the number of devices: neither a list nor a count to write to",
            ));
        }
        if items.is_null() && capacity > 0 {
            return Err(Error::invalid_value(format!(
                "num_entries (or num_devices) is {capacity}, but the list is null"
            )));
        }
        if !items.is_null() && capacity == 0 {
            return Err(Error::invalid_value("num_entries (or num_devices) is 0, but there is a list"));
        }
        Ok(Self { capacity, items, count, room: PhantomData })
    }

    /// As C calls take it: capacity, room for handles or null, room for the count or null.
    #[inline]
    pub fn raw_parts(&mut self) -> (u32, *mut *mut T::Raw, *mut pi_uint32) {
        (self.capacity, self.items, self.count)
    }

    /// How many handles fit.
    pub fn capacity(&self) -> usize {
        self.capacity as usize
    }

    /// Writes the count, and as many of `handles` as fit.
    pub fn fill(self, handles: &[*mut T::Raw]) {
        // SAFETY: both are null or writable room of the stated size, as `new` demands.
        unsafe {
            if !self.count.is_null() {
                self.count.write(handles.len() as u32);
            }
            for (i, handle) in handles.iter().take(self.capacity as usize).enumerate() {
                self.items.add(i).write(*handle);
            }
        }
    }

    /// Nothing there: count 0.
    pub fn none(self) {
        self.fill(&[]);
    }

    /// The same room, without the list: for asking the count first.
    pub fn without_items(&mut self) -> (u32, *mut *mut T::Raw, *mut pi_uint32) {
        (0, null_mut(), self.count)
    }
}
