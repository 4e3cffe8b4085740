//! The "how many, then which" idiom: lists of platforms and devices.
#![expect(unsafe_code, reason = "lists in the caller's memory")]

use std::fmt;
use std::marker::PhantomData;

use crate::{Error, Object, Result, cold_error};

/// A caller's list for up to `capacity` handles, and the place of their count. Either may be absent, not both.
pub struct ListOut<'a, T: Object> {
    capacity: u32,
    items: *mut *mut T::Raw,
    count: *mut u32,
    lifetime: PhantomData<&'a mut T>,
}

impl<T: Object> fmt::Debug for ListOut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ListOut").field("capacity", &self.capacity).finish_non_exhaustive()
    }
}

fn unfit(capacity: u32, without_list: bool, name: &str) -> Error {
    match (capacity, without_list) {
        (0, true) => Error::invalid_value(format!("{name}: neither a list nor a count to write to")),
        (0, false) => Error::invalid_value(format!("{name} is 0, but there is a list")),
        _ => Error::invalid_value(format!("{name} is {capacity}, but the list is null")),
    }
}

impl<T: Object> ListOut<'_, T> {
    /// An error calls the capacity by `name`, the front's own.
    ///
    /// # Safety
    ///
    /// `items` is null or writable for `capacity` handles; `count` is null or writable.
    #[inline(always)]
    pub unsafe fn new(
        capacity: u32,
        items: *mut *mut T::Raw,
        count: *mut u32,
        name: &'static str,
    ) -> Result<Self> {
        let fits = if items.is_null() { capacity == 0 && !count.is_null() } else { capacity > 0 };
        if !fits {
            return Err(cold_error(move || unfit(capacity, items.is_null(), name)));
        }
        Ok(Self { capacity, items, count, lifetime: PhantomData })
    }

    /// As C calls take it: capacity, place of the handles or null, place of the count or null.
    #[inline(always)]
    pub fn raw_parts(&mut self) -> (u32, *mut *mut T::Raw, *mut u32) {
        (self.capacity, self.items, self.count)
    }

    /// How many handles fit.
    pub fn capacity(&self) -> usize {
        self.capacity as usize
    }

    /// Writes the count, and as many of `handles` as fit.
    pub fn fill(self, handles: &[*mut T::Raw]) {
        // SAFETY: both are null or writable for the stated size, as `new` demands.
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
}
