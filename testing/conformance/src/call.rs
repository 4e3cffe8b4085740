//! Calls of entry points, as cases write them.
//!
//! Every call of a table is unsafe: the macros promise that the arguments are what the interface asks for, or what a
//! plugin has to refuse without harm. Where it does not, the worker process ends and the case has failed.

/// Calls an entry point: `call!(f, piQueueFinish(queue))` gives a `Result<(), CallError>`.
macro_rules! call {
    ($f:expr, $name:ident($($arg:expr),* $(,)?)) => {{
        #[allow(unused_unsafe, reason = "an argument may be a call of its own")]
        // SAFETY: the arguments are what the interface asks for, or what a plugin has to refuse; see the module.
        unsafe { $f.pi.$name($($arg),*) }
    }};
}

/// Calls an entry point that has to succeed; the case ends here if it does not.
macro_rules! ok {
    ($f:expr, $name:ident($($arg:expr),* $(,)?)) => {
        call!($f, $name($($arg),*)).map_err($crate::outcome::Failure::from)?
    };
}

/// Calls an entry point that writes one value: `made!(f, |out| piContextCreate(.., out))` is the value.
macro_rules! made {
    ($f:expr, |$out:ident| $name:ident($($arg:expr),* $(,)?)) => {{
        // SAFETY: plain numbers and pointers, for which all bits zero is a value.
        let mut value = unsafe { std::mem::zeroed() };
        let $out = &raw mut value;
        ok!($f, $name($($arg),*));
        value
    }};
}

/// Calls an entry point that has to refuse with one of the codes; gives its text.
macro_rules! refused {
    ($f:expr, $name:ident($($arg:expr),* $(,)?), $codes:expr) => {
        $crate::outcome::refusal(stringify!($name), $f.strict, call!($f, $name($($arg),*)), $codes)?
    };
}

/// Asks a question of a fixed size: `get!(f, piQueueGetInfo(queue, PI_QUEUE_INFO_CONTEXT) as pi_context)`.
macro_rules! get {
    ($f:expr, $name:ident($($arg:expr),* $(,)?) as $ty:ty) => {
        $crate::info::fixed::<$ty>(stringify!($name), |size, value, size_ret| {
            call!($f, $name($($arg,)* size, value, size_ret))
        })?
    };
}

/// Asks a question whose answer has any length: bytes.
macro_rules! bytes {
    ($f:expr, $name:ident($($arg:expr),* $(,)?)) => {
        $crate::info::bytes(stringify!($name), |size, value, size_ret| {
            call!($f, $name($($arg,)* size, value, size_ret))
        })?
    };
}

/// Asks a question whose answer is a text with one NUL, at its end.
macro_rules! text {
    ($f:expr, $name:ident($($arg:expr),* $(,)?)) => {
        $crate::info::text(stringify!($name), bytes!($f, $name($($arg),*)))?
    };
}

/// Asks badly in all the usual ways; `$good` is a number that has an answer. `$null` are the codes for a null object.
macro_rules! bad_questions {
    ($f:expr, $name:ident($($object:expr),*), $good:expr) => {
        $crate::info::bad_questions(stringify!($name), $f.strict, $good, |name, size, value, size_ret| {
            call!($f, $name($($object,)* name, size, value, size_ret))
        })?
    };
}
