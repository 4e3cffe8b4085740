//! Calls of entry points in cases.
//!
//! Every call of a table is unsafe. The macros guarantee that the arguments are valid for the interface, or must be
//! refused by a plugin without harm. If a plugin does not refuse them, the worker process crashes and the case has
//! failed.

/// Calls an entry point: `call!(f, piQueueFinish(queue))` returns a `Result<(), CallError>`.
macro_rules! call {
    ($f:expr, $name:ident($($arg:expr),* $(,)?)) => {{
        #[allow(unused_unsafe, reason = "an argument may be a call of its own")]
        // SAFETY: the arguments are valid for the interface, or must be refused by a plugin. See the module.
        unsafe { $f.pi.$name($($arg),*) }
    }};
}

/// Calls an entry point that has to succeed. Otherwise the case ends here.
macro_rules! ok {
    ($f:expr, $name:ident($($arg:expr),* $(,)?)) => {
        call!($f, $name($($arg),*)).map_err($crate::outcome::Failure::from)?
    };
}

/// Calls an entry point that writes one value: `made!(f, |out| piContextCreate(.., out))` returns the value.
macro_rules! made {
    ($f:expr, |$out:ident| $name:ident($($arg:expr),* $(,)?)) => {{
        // SAFETY: plain numbers and pointers, for which all bits zero is a valid value.
        let mut value = unsafe { std::mem::zeroed() };
        let $out = &raw mut value;
        ok!($f, $name($($arg),*));
        value
    }};
}

/// Calls an entry point that has to refuse with one of the codes, and returns its message.
macro_rules! refused {
    ($f:expr, $name:ident($($arg:expr),* $(,)?), $codes:expr) => {
        $crate::outcome::refusal(stringify!($name), $f.strict, call!($f, $name($($arg),*)), $codes)?
    };
}

/// Makes a query of fixed size: `get!(f, piQueueGetInfo(queue, PI_QUEUE_INFO_CONTEXT) as pi_context)`.
macro_rules! get {
    ($f:expr, $name:ident($($arg:expr),* $(,)?) as $ty:ty) => {
        $crate::info::fixed::<$ty>(stringify!($name), |size, value, size_ret| {
            call!($f, $name($($arg,)* size, value, size_ret))
        })?
    };
}

/// Makes a query of any size, and returns bytes.
macro_rules! bytes {
    ($f:expr, $name:ident($($arg:expr),* $(,)?)) => {
        $crate::info::bytes(stringify!($name), |size, value, size_ret| {
            call!($f, $name($($arg,)* size, value, size_ret))
        })?
    };
}

/// Makes a query for a string with a single NUL at its end.
macro_rules! text {
    ($f:expr, $name:ident($($arg:expr),* $(,)?)) => {
        $crate::info::text(stringify!($name), bytes!($f, $name($($arg),*)))?
    };
}

/// Makes wrong queries of all common kinds. `$good` is a number that has an answer. `$null` are the codes for a
/// null object.
macro_rules! bad_questions {
    ($f:expr, $name:ident($($object:expr),*), $good:expr) => {
        $crate::info::bad_questions(stringify!($name), $f.strict, $good, |name, size, value, size_ret| {
            call!($f, $name($($object,)* name, size, value, size_ret))
        })?
    };
}
