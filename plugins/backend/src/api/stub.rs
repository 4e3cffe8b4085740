//! The two macros that families are written with.

/// Declares a family's trait. Each method's default answers "not supported by this backend".
macro_rules! api {
    ($(#[$doc:meta])* trait $api:ident {
        $($(#[$method_doc:meta])* fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?;)*
    }) => {
        $(#[$doc])*
        #[allow(unused_variables, clippy::too_many_arguments)]
        pub trait $api: $crate::api::Objects {
            $(
                $(#[$method_doc])*
                #[allow(unused_parens)]
                fn $name($($arg: $ty),*) -> $crate::Result<($($ret)?)> {
                    Err($crate::api::unsupported::<Self>())
                }
            )*
        }
    };
}

/// Declares a family's C functions: raw arguments in, one decoded call of the backend `B` out.
///
/// Those that begin with `=> jump` may be one to the driver (see [`Jump`](crate::api::Jump)).
macro_rules! stubs {
    ($($name:ident($($arg:ident: $ty:ty),* $(,)?) $(=> $jump:ident,)? $body:expr;)*) => {
        /// The C functions of this family.
        #[allow(clippy::missing_safety_doc, clippy::too_many_arguments, missing_docs, unreachable_pub, unused_imports,
            unused_unsafe)]
        pub mod stubs {
            use core::ffi::{c_char, c_int, c_uint, c_void};

            use sycl_pi_core::*;

            use super::*;
            use crate::api::Backend;
            use crate::view::*;
            use crate::{Error, Info, ListOut, NdRange, Rect, fence};

            $(stub! { $name($($arg: $ty),*) [$($jump)?] $body })*
        }
    };
}

/// One of [`stubs`].
macro_rules! stub {
    ($name:ident($($arg:ident: $ty:ty),*) [] $body:expr) => {
        // One copy for the table and the exported symbol: the compiler then takes the body out of line of the
        // fence's closure, which a second copy would keep there.
        #[inline(never)]
        pub unsafe extern "C" fn $name<B: Backend>($($arg: $ty),*) -> pi_result {
            fence::call::<B>(stringify!($name), move || {
                // SAFETY: the caller of a C function vouches for its pointers (see `view`).
                unsafe { $body }
            })
        }
    };
    ($name:ident($($arg:ident: $ty:ty),*) [jump] $body:expr) => {
        #[inline(never)]
        pub unsafe extern "C" fn $name<B: Backend>($($arg: $ty),*) -> pi_result {
            // What decodes, out of line under the same name, so that the jump is made without its frame.
            stub! { $name($($arg: $ty),*) [] $body }
            jump_or!([<B::Jump as $crate::api::Jump>::$name($($arg),*)] $name::<B>, $($arg),*)
        }
    };
}

/// Goes where `$way` says, or calls `$longer`.
macro_rules! jump_or {
    // One call where some arguments have no register: of two, the compiler makes a jump of one only.
    ([$way:expr] $longer:expr, $a:ident, $b:ident, $c:ident, $d:ident, $e:ident, $f:ident, $($more:ident),+) => {{
        let function: unsafe extern "C" fn(_, _, _, _, _, _, $(jump_or!(@any $more)),+) -> pi_result = match $way {
            $crate::api::Way::Jump(function) => function,
            $crate::api::Way::Longer => $longer,
        };
        // SAFETY: the caller's promises are passed on as they are, to a function that takes the same.
        unsafe { function($a, $b, $c, $d, $e, $f, $($more),+) }
    }};
    // Two calls else, which are two jumps and need no register for the address.
    ([$way:expr] $longer:expr, $($arg:ident),*) => {
        match $way {
            // SAFETY: the caller's promises are passed on as they are, to a function that takes the same.
            $crate::api::Way::Jump(function) => unsafe { function($($arg),*) },
            // SAFETY: the caller's promises are passed on as they are.
            $crate::api::Way::Longer => unsafe { $longer($($arg),*) },
        }
    };
    (@any $arg:ident) => { _ };
}

/// Answers an info query with the caller's room.
///
/// The answer is a call of the backend with one object or two, the query's name, an input where there is one, and the room. It is
/// spelled out once for each case: as one closure with several users it would stay out of line on the hot path.
macro_rules! answer {
    ($size:expr, $value:expr, $size_ret:expr,
        |$info:ident| $backend:ident::$method:ident($object:ident, $name:ident, $room:ident)) => {
        answer!(@ $size, $value, $size_ret, |$object, (), $name, $info| $backend::$method($object, $name, $room))
    };
    ($size:expr, $value:expr, $size_ret:expr,
        |$info:ident| $backend:ident::$method:ident($object:ident, $other:ident, $name:ident, $room:ident)) => {
        answer!(@ $size, $value, $size_ret,
            |$object, $other, $name, $info| $backend::$method($object, $other, $name, $room))
    };
    ($size:expr, $value:expr, $size_ret:expr, |$info:ident|
        $backend:ident::$method:ident($object:ident, $other:ident, $name:ident, $input:ident, $room:ident)) => {
        answer!(@ $size, $value, $size_ret, |$object, $other, ($name, $input), $info|
            $backend::$method($object, $other, $name, $input, $room))
    };
    (@ $size:expr, $value:expr, $size_ret:expr, |$object:ident, $other:tt, $name:tt, $info:ident| $answer:expr) => {{
        let (size, value, size_ret) = ($size, $value, $size_ret);
        'answered: {
            'odd: {
                if value.is_null() {
                    if size_ret.is_null() {
                        break 'odd;
                    }
                    let $info = Info::new(size, core::ptr::null_mut(), size_ret);
                    break 'answered $answer;
                }
                if size == 0 {
                    break 'odd;
                }
                let $info = Info::new(size, value, size_ret);
                break 'answered $answer;
            }
            $crate::info::odd($object, $other, $name, value, |$object, $other, $name, $info| $answer)
        }
    }};
}
