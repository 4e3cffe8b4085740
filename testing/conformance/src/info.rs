//! Info queries: the size first, then the value, and all kinds of wrong queries.

use std::ffi::c_void;
use std::ptr::null_mut;

use sycl_pi_loader::CallError;

use crate::outcome::{Failure, SIZE, VALUE, Verdict, check, refusal, same};
use crate::values::InWords;

/// The content of untouched room.
pub(crate) const UNTOUCHED: u8 = 0xa5;

type Asked = Result<(), CallError>;

/// Returns the bytes of an answer.
pub(crate) fn bytes(call: &str, ask: impl Fn(usize, *mut c_void, *mut usize) -> Asked) -> Verdict<Vec<u8>> {
    within(call, ask, 0)
}

/// Returns the bytes of an answer, queried with more room than necessary. The rest must remain unchanged.
pub(crate) fn bytes_in_large_room(
    call: &str,
    ask: impl Fn(usize, *mut c_void, *mut usize) -> Asked,
) -> Verdict<Vec<u8>> {
    within(call, ask, 64)
}

fn within(
    call: &str,
    ask: impl Fn(usize, *mut c_void, *mut usize) -> Asked,
    more: usize,
) -> Verdict<Vec<u8>> {
    let mut size = 0;
    ask(0, null_mut(), &mut size)?;
    check(call, size < 1 << 30, "a sane size", size)?;
    if size + more == 0 {
        return Ok(Vec::new());
    }
    let mut room = vec![UNTOUCHED; size + more + 8];
    let mut reported = 0;
    ask(size + more, room.as_mut_ptr().cast(), &mut reported)?;
    same(&format!("{call}: size reported with the value"), size, reported)?;
    let beyond = room.iter().skip(size).all(|byte| *byte == UNTOUCHED);
    check(call, beyond, "nothing written past the answer", "bytes past its size changed")?;
    room.truncate(size);
    Ok(room)
}

/// Returns an answer with the type's size.
pub(crate) fn fixed<T: Copy>(
    call: &str,
    ask: impl Fn(usize, *mut c_void, *mut usize) -> Asked,
) -> Verdict<T> {
    let mut size = 0;
    ask(0, null_mut(), &mut size)?;
    same(&format!("{call}: bytes of the answer"), size_of::<T>(), size)?;
    // SAFETY: plain numbers and handles, for which all bits zero is a value.
    let mut value: T = unsafe { std::mem::zeroed() };
    ask(size, (&raw mut value).cast(), null_mut())?;
    Ok(value)
}

/// Returns a string without its single NUL.
pub(crate) fn text(call: &str, mut bytes: Vec<u8>) -> Verdict<String> {
    let end = bytes.pop();
    same(&format!("{call}: last byte of a text"), Some(0), end)?;
    check(call, !bytes.contains(&0), "one NUL, at the end", bytes.in_words())?;
    String::from_utf8(bytes).map_err(|error| Failure::fail(call, "UTF-8", error))
}

/// Makes wrong queries: size 0 with a value, one byte too few, neither value nor size, an unknown number. Then
/// makes a valid one again.
pub(crate) fn bad_questions(
    call: &str,
    strict: bool,
    good: u32,
    ask: impl Fn(u32, usize, *mut c_void, *mut usize) -> Asked,
) -> Verdict {
    let mut size = 0;
    ask(good, 0, null_mut(), &mut size)?;
    let mut room = vec![UNTOUCHED; size + 8];
    let value = room.as_mut_ptr().cast::<c_void>();
    let refused = |what: &str, result: Asked, codes| {
        refusal(&format!("{call}: {what}"), strict, result, codes).map(|_| ()).map_err(|wrong| match wrong {
            Failure::Fail(mut fail) => {
                fail.call = format!("{call}: {what}");
                Failure::Fail(fail)
            }
            skip => skip,
        })
    };
    refused("size 0 with a value", ask(good, 0, value, null_mut()), SIZE)?;
    refused("one byte short", ask(good, size - 1, value, null_mut()), SIZE)?;
    refused("neither value nor size", ask(good, size, null_mut(), null_mut()), VALUE)?;
    let mut unreported = 0;
    refused("unknown number", ask(0xdead_beef, size, value, &mut unreported), VALUE)?;
    refused("an unknown number's size", ask(0xdead_beef, 0, null_mut(), &mut unreported), VALUE)?;
    let untouched = room.iter().all(|byte| *byte == UNTOUCHED);
    check(call, untouched, "a refused question writes no value", "bytes changed")?;
    ask(good, size, room.as_mut_ptr().cast(), null_mut()).map_err(Failure::from)
}
