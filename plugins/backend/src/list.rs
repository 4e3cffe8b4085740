//! Lists of platforms and devices, which callers query by the idiom "how many, then which".
#![expect(unsafe_code, reason = "lists in the caller's memory")]

use std::fmt;
use std::marker::PhantomData;

use crate::{Error, Object, Result, cold_error};

/// A caller's list with room for `capacity` handles, and a pointer for the number of handles. Either may be absent, but
/// not both.
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
    /// Errors refer to the capacity by `name`, which the front chooses.
    ///
    /// # Safety
    ///
    /// `items` must be null or writable for `capacity` handles; `count` must be null or writable.
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

    /// Returns the parts that C calls take: the capacity, the pointer for the handles or null, and the pointer for the
    /// count or null.
    #[inline(always)]
    pub fn raw_parts(&mut self) -> (u32, *mut *mut T::Raw, *mut u32) {
        (self.capacity, self.items, self.count)
    }

    /// Returns the number of handles that fit.
    pub fn capacity(&self) -> usize {
        self.capacity as usize
    }

    /// Writes the count, and as many of the `handles` as fit.
    pub fn fill(self, handles: &[*mut T::Raw]) {
        // SAFETY: both are null or writable for the stated size, as `new` requires.
        unsafe {
            if !self.count.is_null() {
                self.count.write(handles.len() as u32);
            }
            for (i, handle) in handles.iter().take(self.capacity as usize).enumerate() {
                self.items.add(i).write(*handle);
            }
        }
    }

    /// Reports an empty list: count 0.
    pub fn none(self) {
        self.fill(&[]);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use std::ptr::{null_mut, without_provenance_mut};

    use super::*;
    use crate::NoObject;
    use crate::raw::RawDevice;

    #[test]
    fn a_list_takes_what_it_has_room_for_and_counts_all() {
        let handles: [*mut RawDevice; 3] = [1, 2, 3].map(without_provenance_mut);
        for room in 1..=4_usize {
            let (mut items, mut count) = ([null_mut(); 5], 0);
            // SAFETY: there is room for five handles.
            let list = unsafe {
                ListOut::<NoObject<RawDevice>>::new(room as u32, items.as_mut_ptr(), &mut count, "list")
            };
            list.unwrap().fill(&handles);
            let taken = room.min(3);
            assert_eq!((count, &items[..taken]), (3, &handles[..taken]));
            assert!(items[taken..].iter().all(|item| item.is_null()), "{room}");
        }
    }
}
