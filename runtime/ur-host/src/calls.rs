//! An adapter's typed functions, generated from the single list, with the signatures of one layout.
#![expect(unsafe_code, reason = "the functions of an adapter")]

use std::ffi::{c_char, c_int, c_void};

use sycl_ur_core::*;

macro_rules! calls {
    (() $([$family:ident] $name:ident $table:ident $slots:tt ($($arg:ident: $ty:ty),*)
        $(until $until:ident => $old:ident ($($old_arg:ident: $old_ty:ty),*))*;)*) => {
        /// The functions of one adapter in one layout.
        ///
        /// Each function is a field. A function with other signatures in older layouts has a field for each form, and
        /// only that of the current layout is present. A method of the same name makes the call.
        #[allow(non_snake_case)]
        #[derive(Debug)]
        pub struct Calls {
            layout: Layout,
            $(
                #[doc = concat!("`", stringify!($name), "`.")]
                pub $name: Option<unsafe extern "C" fn($($arg: $ty),*) -> ur_result_t>,
                $(
                    #[doc = concat!("`", stringify!($name), "` as older layouts have it.")]
                    pub $old: Option<unsafe extern "C" fn($($old_arg: $old_ty),*) -> ur_result_t>,
                )*
            )*
        }

        #[allow(non_snake_case, clippy::too_many_arguments)]
        impl Calls {
            /// Creates the functions from the pointers of a filled block of tables.
            ///
            /// # Safety
            /// The block holds functions of this layout, which remain valid until the process ends, or nulls.
            pub unsafe fn new(layout: Layout, block: &[*mut c_void]) -> Self {
                Self {
                    layout,
                    $(
                        // SAFETY: the slot holds null or this function in this layout's form.
                        $name: unsafe { typed(pointer(block, layout, stringify!($name), stringify!($name))) },
                        $(
                            // SAFETY: the same, for the older form.
                            $old: unsafe { typed(pointer(block, layout, stringify!($name), stringify!($old))) },
                        )*
                    )*
                }
            }

            $(
                calls!(@call $name $name ($($arg: $ty),*));
                $( calls!(@call $name $old ($($old_arg: $old_ty),*)); )*
            )*
        }
    };
    (@call $name:ident $field:ident ($($arg:ident: $ty:ty),*)) => {
        #[doc = concat!("Calls `", stringify!($name), "`. What is not in the table is \"uninitialized\", as with the loader.")]
        ///
        /// # Safety
        /// The arguments are valid for the interface.
        pub unsafe fn $field(&self, $($arg: $ty),*) -> ur_result_t {
            match self.$field {
                // SAFETY: the caller vouches for the arguments.
                Some(function) => unsafe { function($($arg),*) },
                None => UR_RESULT_ERROR_UNINITIALIZED,
            }
        }
    };
}

sycl_ur_core::for_each_function!(calls);

impl Calls {
    /// Returns the layout whose signatures the functions have.
    pub fn layout(&self) -> Layout {
        self.layout
    }
}

/// Returns the pointer in the function's slot, if `form` is the form that the layout uses.
fn pointer(block: &[*mut c_void], layout: Layout, name: &str, form: &str) -> *mut c_void {
    let place = || {
        let function = table::function(name)?;
        let own = function.older.iter().find(|older| layout <= older.until).map_or(name, |older| older.name);
        let table = table::table(function.table)?;
        let start = usize::from(table.offset_in(layout)?) / size_of::<usize>();
        let slot = usize::from(function.slot(layout)?);
        if own == form { block.get(start + slot).copied() } else { None }
    };
    place().unwrap_or(std::ptr::null_mut())
}

/// # Safety
/// `F` is an optional function pointer, and `pointer` null or a function of that type.
unsafe fn typed<F>(pointer: *mut c_void) -> F {
    const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
    // SAFETY: the caller vouches for the type, and the sizes are the same.
    unsafe { std::mem::transmute_copy(&pointer) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_slot_of_every_layout_is_a_field_in_its_place() {
        for layout in Layout::ALL {
            let block: Vec<_> = (1..=layout.slot_count()).map(|number| number as *mut c_void).collect();
            // SAFETY: nothing is called through these fake pointers.
            let calls = unsafe { Calls::new(layout, &block) };
            let mut found = Vec::new();
            macro_rules! collect {
                (() $([$family:ident] $name:ident $table:ident $slots:tt ($($arg:ident: $ty:ty),*)
                    $(until $until:ident => $old:ident ($($old_arg:ident: $old_ty:ty),*))*;)*) => { $(
                    found.extend(calls.$name.map(|function| function as usize));
                    $( found.extend(calls.$old.map(|function| function as usize)); )*
                )* };
            }
            sycl_ur_core::for_each_function!(collect);
            found.sort_unstable();
            let mut expected: Vec<usize> = (1..=layout.slot_count()).collect();
            if layout == Layout::V2025_3 {
                let table = table::table("EnqueueExp").unwrap();
                let unnamed = usize::from(table.offset_in(layout).unwrap()) / 8 + 6 + 1;
                expected.retain(|number| *number != unnamed);
            }
            assert_eq!(found, expected, "{layout:?}");
        }
    }
}
