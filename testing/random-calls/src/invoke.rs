//! A call by its name with its arguments as plain words, generated from the list of entry points.

use std::ffi::{c_char, c_int, c_uint, c_void};

use sycl_pi_core::*;
use sycl_pi_loader::Table;

/// Returns the next argument as a `T` from the low bytes of a word.
///
/// # Safety
/// `T` must be a number, a pointer, or a function pointer that may be null, of at most eight bytes. The word must
/// contain a valid `T`.
unsafe fn argument<T>(words: &mut impl Iterator<Item = u64>) -> T {
    const { assert!(size_of::<T>() <= size_of::<u64>() && cfg!(target_endian = "little")) };
    let word = words.next().unwrap_or(0);
    // SAFETY: reads at most eight of eight bytes, and the caller guarantees their meaning.
    unsafe { std::mem::transmute_copy::<u64, T>(&word) }
}

macro_rules! calls {
    (() $([$family:ident] $name:ident $slots:tt ($($arg:ident: $ty:ty),*)
        $(until $until:ident => $old:ident ($($old_arg:ident: $old_ty:ty),*))?;)*) => {
        /// Calls the function of that name with the signature of the table's version. Returns `None` if the table
        /// lacks it.
        ///
        /// # Safety
        /// The words must be arguments that the interface allows.
        pub(crate) unsafe fn call(table: &Table, name: &str, words: &[u64]) -> Option<pi_result> {
            let words = &mut words.iter().copied();
            match name {
                $(stringify!($name) => {
                    if let Some(function) = table.$name {
                        // SAFETY: the caller guarantees the words. They are evaluated from left to right.
                        return Some(unsafe { function($(argument::<$ty>(words)),*) });
                    }
                    $(
                        if let Some(function) = table.$old {
                            // SAFETY: the same as above.
                            return Some(unsafe { function($(argument::<$old_ty>(words)),*) });
                        }
                    )?
                    None
                })*
                _ => None,
            }
        }
    };
}

sycl_pi_core::for_each_entry_point!(calls);
