//! Calls every function of a layout with made-up arguments, to check what holds for all of them.

use std::ffi::{c_char, c_int, c_void};

use sycl_ur_core::table::Params;
use sycl_ur_core::*;

use crate::Calls;

/// A source of arguments, by the type in the list and the parameter's position.
pub trait Filling {
    /// Returns the bytes of an argument, of which at most 24 are used.
    fn bytes(&self, place: usize, parameter: &str, ty: &str) -> [u64; 3];
}

/// What [`each_function`] calls for a function. It is no type parameter: each visitor would have its own copy of the calls
/// of all functions, almost half of the harness's code.
type Visit<'v> = &'v mut dyn FnMut(&'static Function, Params, Invoke<'_>);
/// Calls one function with arguments of the filling.
type Invoke<'c> = &'c dyn Fn(&dyn Filling) -> ur_result_t;

fn argument<T: Copy>(filling: &dyn Filling, place: usize, parameter: &str, ty: &str) -> T {
    const { assert!(size_of::<T>() <= 24) };
    let bytes = filling.bytes(place, parameter, ty);
    // The filling is responsible for the arguments that it makes.
    // SAFETY: parameters are numbers, pointers, optional functions or structures of numbers: any bytes are valid.
    unsafe { std::mem::transmute_copy(&bytes) }
}

macro_rules! each {
    (() $([$family:ident] $name:ident $table:ident $slots:tt ($($arg:ident: $ty:ty),*)
        $(until $until:ident => $old:ident ($($old_arg:ident: $old_ty:ty),*))*;)*) => {
        /// Visits every function of the layout: its row of the list, its parameters in this layout, and a way to call
        /// it.
        ///
        /// # Safety
        /// The filling's values must be valid for the interface, or an adapter must refuse them.
        #[allow(unused_assignments, reason = "the last place is not used")]
        pub unsafe fn each_function(calls: &Calls, visit: Visit<'_>) {
            let mut row = FUNCTIONS.iter();
            $({
                if let Some(function) = row.next() {
                    let params = function.params_in(calls.layout());
                    if let Some(call) = calls.$name {
                        visit(function, params, &|filling| {
                            let mut place = 0;
                            // SAFETY: the caller guarantees the filling's values.
                            unsafe { call($(each!(@one filling, place, $arg, $ty)),*) }
                        });
                    }
                    $(
                        if let Some(call) = calls.$old {
                            visit(function, params, &|filling| {
                                let mut place = 0;
                                // SAFETY: the caller guarantees the filling's values.
                                unsafe { call($(each!(@one filling, place, $old_arg, $old_ty)),*) }
                            });
                        }
                    )*
                }
            })*
        }
    };
    (@one $filling:ident, $place:ident, $arg:ident, $ty:ty) => {{
        $place += 1;
        argument::<$ty>($filling, $place - 1, stringify!($arg), stringify!($ty))
    }};
}

sycl_ur_core::for_each_function!(each);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_of_a_layout_is_visited_once_in_its_own_form() {
        for layout in Layout::ALL {
            let block: Vec<*mut c_void> =
                (1..=layout.slot_count()).map(|number| number as *mut c_void).collect();
            // SAFETY: nothing is called through these made-up pointers.
            let calls = unsafe { Calls::new(layout, &block) };
            let mut names = Vec::new();
            // SAFETY: nothing is called.
            unsafe { each_function(&calls, &mut |function, _, _| names.push(function.name)) };
            let expected: Vec<&str> = FUNCTIONS
                .iter()
                .filter(|function| function.slot(layout).is_some())
                .map(|function| function.name)
                .collect();
            assert_eq!(names, expected);
        }
    }
}
