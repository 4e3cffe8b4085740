//! Info queries: for the size, for the value, and with all kinds of wrong arguments.

use std::ffi::c_void;
use std::ptr::null_mut;

use crate::CallError;
use crate::calls::expect_refusal;
use crate::{PI_ERROR_INVALID_BUFFER_SIZE, PI_ERROR_INVALID_VALUE};

/// Queries a value of fixed size in the two usual steps: `get!(f.pi, piQueueGetInfo(queue, NAME) as pi_context)`.
#[macro_export]
macro_rules! get {
    ($table:expr, $name:ident($($arg:expr),* $(,)?) as $ty:ty) => {
        $crate::info::fixed::<$ty>(stringify!($name), |size, value, size_ret| {
            $crate::call!($table, $name($($arg,)* size, value, size_ret))
        })
    };
}

/// Queries a value of any length as bytes.
#[macro_export]
macro_rules! bytes {
    ($table:expr, $name:ident($($arg:expr),* $(,)?)) => {
        $crate::info::bytes(stringify!($name), |size, value, size_ret| {
            $crate::call!($table, $name($($arg,)* size, value, size_ret))
        })
    };
}

/// Queries a text that ends with a single NUL.
#[macro_export]
macro_rules! text {
    ($table:expr, $name:ident($($arg:expr),* $(,)?)) => {
        $crate::info::text($crate::bytes!($table, $name($($arg),*)))
    };
}

/// Calls an info entry point with all the usual wrong arguments: size 0, one byte short, no output at all, an unknown
/// number.
#[macro_export]
macro_rules! bad_questions {
    ($table:expr, $name:ident($($object:expr),*), $good:expr) => {{
        $crate::info::bad_questions(stringify!($name), $good as u32, |name, size, value, size_ret| {
            $crate::call!($table, $name($($object,)* name, size, value, size_ret))
        })
    }};
}

/// The content of untouched memory.
const UNTOUCHED: u8 = 0xa5;

type Asked = Result<(), CallError>;

/// Returns the bytes of an answer. The memory after them must stay unchanged.
#[track_caller]
pub fn bytes(function: &str, ask: impl Fn(usize, *mut c_void, *mut usize) -> Asked) -> Vec<u8> {
    let mut size = 0;
    ask(0, null_mut(), &mut size).unwrap_or_else(|error| panic!("size query: {error}"));
    let mut room = vec![UNTOUCHED; 2 * size + 8];
    let mut reported = 0;
    // Twice the size: memory beyond the answer must not be written.
    ask(2 * size + 8, room.as_mut_ptr().cast(), &mut reported).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(reported, size, "{function}: the size query and the answer differ in size");
    assert!(room[size..].iter().all(|byte| *byte == UNTOUCHED), "{function} wrote past its answer");
    room.truncate(size);
    room
}

/// Returns an answer of the type's size.
#[track_caller]
pub fn fixed<T: Copy>(function: &str, ask: impl Fn(usize, *mut c_void, *mut usize) -> Asked) -> T {
    let mut size = 0;
    ask(0, null_mut(), &mut size).unwrap_or_else(|error| panic!("size query: {error}"));
    assert_eq!(size, size_of::<T>(), "{function}: size of {}", std::any::type_name::<T>());
    // SAFETY: plain numbers and handles, for which all bits zero is valid.
    let mut value: T = unsafe { std::mem::zeroed() };
    ask(size, (&raw mut value).cast(), null_mut()).unwrap_or_else(|error| panic!("{error}"));
    value
}

/// Returns a text without its single NUL.
#[track_caller]
pub fn text(mut bytes: Vec<u8>) -> String {
    assert_eq!(bytes.iter().filter(|byte| **byte == 0).count(), 1, "one NUL: {bytes:?}");
    assert_eq!(bytes.pop(), Some(0), "the NUL is at the end");
    String::from_utf8(bytes).expect("a text of the driver is UTF-8")
}

/// `good` is a number that the entry point supports.
#[track_caller]
pub fn bad_questions(function: &str, good: u32, ask: impl Fn(u32, usize, *mut c_void, *mut usize) -> Asked) {
    let refused = |what: &str, result: Asked| {
        assert!(result.is_err(), "{function}: {what} is accepted");
        expect_refusal(result, &[PI_ERROR_INVALID_VALUE, PI_ERROR_INVALID_BUFFER_SIZE]);
    };
    let mut size = 0;
    ask(good, 0, null_mut(), &mut size).unwrap_or_else(|error| panic!("size query: {error}"));
    let mut room = vec![UNTOUCHED; size + 8];
    let value = room.as_mut_ptr().cast::<c_void>();
    refused("size 0 with a value", ask(good, 0, value, null_mut()));
    refused("a size one byte short", ask(good, size - 1, value, null_mut()));
    refused("neither value nor size", ask(good, size, null_mut(), null_mut()));
    let mut unreported = 0;
    refused("an unknown number", ask(0xdead_beef, size, value, &mut unreported));
    refused("an unknown number's size", ask(0xdead_beef, 0, null_mut(), &mut unreported));
    assert!(room.iter().all(|byte| *byte == UNTOUCHED), "{function}: a refused question wrote a value");
    ask(good, size, room.as_mut_ptr().cast(), null_mut()).expect("the same question, asked well");
}
