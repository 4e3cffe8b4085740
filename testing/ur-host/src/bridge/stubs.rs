//! Macros that define the functions of the table.

/// Defines PI functions, each with the codes for its null handles and a body that returns UR's result.
///
/// `fn piX(args) [handle CODE, ..] { .. }`, where `ur` in the body is the adapter's calls.
macro_rules! stubs {
    ($ur:ident; $(fn $name:ident($($arg:ident: $ty:ty),* $(,)?) [$($handle:ident $code:ident),*] $body:block)*) => { $(
        /// # Safety
        /// Handles are null or live, and addresses null or valid for what PI reads or writes there.
        #[allow(non_snake_case, clippy::too_many_arguments)]
        pub(super) unsafe extern "C" fn $name($($arg: $ty),*) -> sycl_pi_core::pi_result {
            let Some($ur) = super::bridge() else { return sycl_pi_core::PI_ERROR_UNINITIALIZED };
            let _ = super::recorded::take_failed();
            #[allow(unused_unsafe, reason = "a body may call nothing")]
            // SAFETY: the caller vouches for the arguments, and the layout's functions take them unchanged.
            let result = unsafe { $body };
            super::result::code(stringify!($name), result, &[$(($handle as usize, sycl_pi_core::$code)),*])
        }
    )* };
}

pub(super) use stubs;
