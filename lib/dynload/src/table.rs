//! Function tables.
#![expect(unsafe_code, reason = "libraries that are opened, and their functions")]

use std::ffi::{CStr, c_void};

/// Converts the return value of a driver function to that of the table's method. It is implemented for each type that
/// functions of the table return.
pub trait FromDriver<Table>: Sized {
    /// The return type of the method.
    type Answer;

    /// Converts the return value of a call.
    fn answer(function: &'static str, returned: Self) -> Self::Answer;

    /// Returns the value for a function that the driver does not have.
    fn missing(function: &'static str) -> Self::Answer;
}

/// Declares a table of driver functions, with a method of the same name for each.
///
/// Rows are `fn name(argument: Type, ...) -> Type;`. If all of them are `unsafe fn` instead, their methods are
/// `unsafe`, too. A function that returns nothing is written with `-> ()`. [`FromDriver`] determines what a method
/// returns.
///
/// The table also has:
/// - `unsafe fn resolve(find)`, which looks up each function by name;
/// - `NONE`, a table without any function;
/// - `has(name)`, which returns whether a function was found;
/// - `NAMES`, the names of all functions.
///
/// Methods without `unsafe` are for tables that are used within a single crate, which passes live objects and valid
/// memory to them.
#[macro_export]
macro_rules! driver_functions {
    ($(#[$doc:meta])* $vis:vis struct $table:ident {
        $($(#[$row_doc:meta])* fn $name:ident($($arg:ident: $type:ty),* $(,)?) -> $ret:ty;)*
    }) => {
        $crate::driver_functions! {
            @table $(#[$doc])* ($vis) $table
            $($(#[$row_doc])* [] $name($($arg: $type),*) -> $ret;)*
        }
    };
    ($(#[$doc:meta])* $vis:vis struct $table:ident {
        $($(#[$row_doc:meta])* unsafe fn $name:ident($($arg:ident: $type:ty),* $(,)?) -> $ret:ty;)*
    }) => {
        $crate::driver_functions! {
            @table $(#[$doc])* ($vis) $table
            $($(#[$row_doc])* [unsafe] $name($($arg: $type),*) -> $ret;)*
        }
    };
    (@table $(#[$doc:meta])* ($vis:vis) $table:ident
        $($(#[$row_doc:meta])* [$($safety:tt)?] $name:ident($($arg:ident: $type:ty),*) -> $ret:ty;)*
    ) => {
        $(#[$doc])*
        #[allow(non_snake_case, clippy::type_complexity)]
        $vis struct $table {
            $($name: Option<unsafe extern "C" fn($($type),*) -> $ret>,)*
        }

        #[allow(dead_code, non_snake_case, clippy::missing_safety_doc, clippy::not_unsafe_ptr_arg_deref)]
        #[allow(clippy::too_many_arguments, clippy::unused_unit)]
        impl $table {
            /// A table without any function.
            $vis const NONE: Self = Self { $($name: None,)* };

            /// The names of all functions.
            $vis const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];

            /// Looks up each function by its name.
            ///
            /// # Safety
            ///
            /// `find` must return null, or a function of the type that the table declares for the name.
            $vis unsafe fn resolve(find: impl Fn(&::std::ffi::CStr) -> *const ::std::ffi::c_void) -> Self {
                // SAFETY: guaranteed by the caller.
                unsafe { Self { $($name: $crate::find(&find, concat!(stringify!($name), "\0")),)* } }
            }

            /// Returns whether a function was found.
            $vis fn has(&self, name: &str) -> bool {
                match name {
                    $(stringify!($name) => self.$name.is_some(),)*
                    _ => false,
                }
            }

            $(
                $(#[$row_doc])*
                #[inline]
                $vis $($safety)? fn $name(&self, $($arg: $type),*) -> <$ret as $crate::FromDriver<$table>>::Answer {
                    match self.$name {
                        // SAFETY: the function has this type; the caller guarantees its arguments.
                        Some(function) => <$ret as $crate::FromDriver<$table>>::answer(stringify!($name), unsafe {
                            function($($arg),*)
                        }),
                        None => <$ret as $crate::FromDriver<$table>>::missing(stringify!($name)),
                    }
                }
            )*
        }
    };
}

/// Returns the function with a NUL-terminated name.
///
/// # Safety
///
/// `find` must return null or a function of type `F`, which must be pointer-sized.
#[doc(hidden)]
pub unsafe fn find<F: Copy>(find: impl Fn(&CStr) -> *const c_void, name: &'static str) -> Option<F> {
    const { assert!(size_of::<F>() == size_of::<*const c_void>()) };
    let address = CStr::from_bytes_with_nul(name.as_bytes()).map_or(std::ptr::null(), find);
    // SAFETY: guaranteed by the caller.
    (!address.is_null()).then(|| unsafe { std::mem::transmute_copy(&address) })
}

#[cfg(test)]
mod tests {
    use std::ffi::{CStr, c_int, c_void};
    use std::ptr::null;

    use super::FromDriver;

    driver_functions! {
        /// A table whose methods are unsafe.
        struct Numbers {
            /// Adds two numbers.
            unsafe fn add(left: c_int, right: c_int) -> c_int;
            unsafe fn forget(number: *mut c_int) -> ();
            unsafe fn absent() -> c_int;
        }
    }

    impl FromDriver<Numbers> for c_int {
        type Answer = Result<(), (&'static str, c_int)>;

        fn answer(function: &'static str, returned: c_int) -> Self::Answer {
            if returned == 0 { Ok(()) } else { Err((function, returned)) }
        }

        fn missing(function: &'static str) -> Self::Answer {
            Err((function, c_int::MIN))
        }
    }

    impl FromDriver<Numbers> for () {
        type Answer = bool;

        fn answer(_: &'static str, (): ()) -> bool {
            true
        }

        fn missing(_: &'static str) -> bool {
            false
        }
    }

    extern "C" fn add(left: c_int, right: c_int) -> c_int {
        left + right
    }

    /// # Safety
    /// `number` must be writable.
    unsafe extern "C" fn forget(number: *mut c_int) {
        // SAFETY: the test passes a number of its own.
        unsafe { number.write(0) };
    }

    fn numbers() -> Numbers {
        let find = |name: &CStr| -> *const c_void {
            match name.to_bytes() {
                b"add" => add as *const c_void,
                b"forget" => forget as *const c_void,
                _ => null(),
            }
        };
        // SAFETY: the functions above have the types of the rows.
        unsafe { Numbers::resolve(find) }
    }

    #[test]
    fn a_call_is_answered_as_the_table_says() {
        let (numbers, mut number) = (numbers(), 7);
        // SAFETY: these are the functions above.
        unsafe {
            assert_eq!(numbers.add(2, -2), Ok(()));
            assert_eq!(numbers.add(2, 3), Err(("add", 5)));
            assert!(numbers.forget(&mut number));
        }
        assert_eq!(number, 0);
    }

    #[test]
    fn a_missing_function_is_named() {
        // SAFETY: the function is missing.
        assert_eq!(unsafe { numbers().absent() }, Err(("absent", c_int::MIN)));
        assert!(numbers().has("add"));
        assert!(!numbers().has("absent") && !numbers().has("unknown") && !Numbers::NONE.has("add"));
        assert_eq!(Numbers::NAMES, ["add", "forget", "absent"]);
    }
}
