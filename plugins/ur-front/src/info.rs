//! Info queries, which convert the backend's answer from the neutral encoding to UR's.
#![expect(unsafe_code, reason = "the caller's pointers and handles")]

use std::ffi::c_void;

use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, Info, Plain, Result};
use sycl_ur_core::*;

use crate::convert::error;
use crate::encode::{Bytes, Encode};
use crate::handle::Origin;
use crate::handle_map;
use crate::view::null_pointer;

/// The size of a handle in bytes.
const POINTER: usize = size_of::<usize>();

/// A caller's buffer for an answer, and a pointer for its size.
pub(crate) struct Answer {
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
}

impl Answer {
    /// # Safety
    ///
    /// `value` must be null or writable for `size` bytes; `size_ret` must be null or writable.
    ///
    /// # Errors
    ///
    /// `UR_RESULT_ERROR_INVALID_NULL_POINTER` if neither is given, or if a size has no buffer.
    pub(crate) unsafe fn new(size: usize, value: *mut c_void, size_ret: *mut usize) -> Result<Self> {
        if value.is_null() && (size > 0 || size_ret.is_null()) {
            return Err(null_pointer("pPropValue"));
        }
        Ok(Self { size, value, size_ret })
    }

    /// Answers with these bytes.
    pub(crate) fn bytes(self, bytes: &[u8]) -> Result<()> {
        if !self.value.is_null() && self.size < bytes.len() {
            let text = format!("propSize is {}, the value has {} bytes", self.size, bytes.len());
            return Err(error(UR_RESULT_ERROR_INVALID_SIZE, text));
        }
        self.neutral().bytes(bytes)
    }

    /// Answers with one value.
    pub(crate) fn value<T: Plain>(self, value: T) -> Result<()> {
        if !self.value.is_null() && self.size < size_of::<T>() {
            let text = format!("propSize is {}, the value has {} bytes", self.size, size_of::<T>());
            return Err(error(UR_RESULT_ERROR_INVALID_SIZE, text));
        }
        self.neutral().value(value)
    }

    /// Answers with a boolean of one byte.
    pub(crate) fn bool(self, value: bool) -> Result<()> {
        self.value(u8::from(value))
    }

    /// Answers with the backend's answer in UR's encoding.
    pub(crate) fn answered_by(
        self, encode: Encode, origin: Origin, ask: impl Fn(Info<'_>) -> Result<()>,
    ) -> Result<()> {
        let to_word = match encode {
            Encode::Same => {
                let (size, value) = (self.size, self.value);
                return ask(self.neutral()).map_err(|error| refined(error, size, value, &ask));
            }
            Encode::As(encode) => {
                let neutral = read(&ask).map_err(unsupported)?;
                return self.bytes(&encode(&neutral, origin)?);
            }
            Encode::Handles => {
                // Usually, it is a single object.
                return match number_and_size(&ask) {
                    Ok((object, POINTER)) => {
                        self.value(handle_map::get(object as usize, origin.key()).expose_provenance())
                    }
                    _ => self.bytes(&handles(&read(&ask).map_err(unsupported)?, origin)),
                };
            }
            Encode::Word(to_word) => Some(to_word),
            Encode::Long | Encode::Truth => None,
        };
        let number = number(&ask).map_err(unsupported)?;
        match (to_word, encode) {
            (Some(to_word), _) => self.value(to_word(number)),
            (None, Encode::Truth) => self.bool(number != 0),
            (None, _) => self.value(number),
        }
    }

    fn neutral<'a>(self) -> Info<'a> {
        // SAFETY: guaranteed by `new`.
        unsafe { Info::new(self.size, self.value, self.size_ret) }
    }
}

/// Returns the backend's complete answer.
#[inline(never)]
pub(crate) fn read(ask: &impl Fn(Info<'_>) -> Result<()>) -> Result<Bytes> {
    let mut size = 0;
    let mut bytes = vec![0; 64];
    if ask(Info::over(&mut bytes, &mut size)).is_err() {
        ask(Info::of_size(&mut size))?;
        bytes = vec![0; size.max(1)];
        ask(Info::over(&mut bytes, &mut size))?;
    }
    bytes.truncate(size);
    Ok(bytes)
}

/// Converts a list of the backend's objects to a list of their handles.
fn handles(objects: &[u8], origin: Origin) -> Bytes {
    let mut handles = Bytes::new();
    for object in objects.as_chunks().0 {
        let handle = handle_map::get(usize::from_ne_bytes(*object), origin.key());
        handles.extend_from_slice(&handle.expose_provenance().to_ne_bytes());
    }
    handles
}

/// Returns the backend's answer as a number of at most 8 bytes.
#[inline(always)]
fn number(ask: &impl Fn(Info<'_>) -> Result<()>) -> Result<u64> {
    Ok(number_and_size(ask)?.0)
}

/// Returns the number and the size of the answer in bytes, because an empty list differs from a list with a 0.
#[inline(always)]
fn number_and_size(ask: &impl Fn(Info<'_>) -> Result<()>) -> Result<(u64, usize)> {
    let (mut bytes, mut size) = ([0; 8], 0);
    ask(Info::over(&mut bytes, &mut size))?;
    // Bytes that a driver writes after its answer do not count.
    Ok((u64::from_le_bytes(bytes) & (u64::MAX >> (64 - 8 * size.clamp(1, 8))), size))
}

/// Refines an error. A backend returns "invalid value" both for a query that it does not know and for a buffer that is
/// too small; UR distinguishes them.
fn refined(failure: Error, size: usize, value: *mut c_void, ask: &impl Fn(Info<'_>) -> Result<()>) -> Error {
    let mut needed = 0;
    let is_known = ask(Info::of_size(&mut needed)).is_ok();
    if is_known && !value.is_null() && size < needed {
        let text = format!("propSize is {size}, the value has {needed} bytes");
        return error(UR_RESULT_ERROR_INVALID_SIZE, text);
    }
    unsupported(failure)
}

/// Returns the error for a query that UR has but the backend does not support.
fn unsupported(failure: Error) -> Error {
    if [ErrorCode::INVALID_VALUE, ErrorCode::UNSUPPORTED_FEATURE].contains(&failure.code()) {
        return error(UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION, failure.text().to_owned());
    }
    failure
}

/// Returns the error for a query number that UR does not have or that no backend supports.
pub(crate) fn unknown_query(name: u32, is_known: bool) -> Error {
    if is_known {
        error(UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION, format!("propName {name:#x} is not supported"))
    } else {
        error(UR_RESULT_ERROR_INVALID_ENUMERATION, format!("propName {name:#x} is unknown"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_list_of_handles_has_no_handle() {
        let mut size = 77;
        // SAFETY: the size is writable, and there is no buffer.
        let answer = unsafe { Answer::new(0, std::ptr::null_mut(), &raw mut size) }.unwrap();
        let origin = Origin { word: 0, layout: Layout::V2026_2 };
        answer.answered_by(Encode::Handles, origin, |info| info.bytes(&[])).unwrap();
        assert_eq!(size, 0);
    }
    #[test]
    fn room_for_nothing_is_enough_for_an_empty_answer_only() {
        let origin = Origin { word: 0, layout: Layout::V2026_2 };
        let ask = |encode, answer: &[u8]| {
            let (mut byte, mut size) = (77_u8, 77);
            // SAFETY: the size is writable, and so are 0 bytes of the buffer.
            let room = unsafe { Answer::new(0, (&raw mut byte).cast(), &raw mut size) }.unwrap();
            let result = room.answered_by(encode, origin, |info| info.bytes(answer));
            assert_eq!(byte, 77);
            result.map(|()| size)
        };
        let full = 1_usize.to_ne_bytes();
        for encode in [Encode::Same, Encode::Handles, crate::encode::PARTITIONS] {
            assert_eq!(ask(encode, &[]).unwrap(), 0);
            ask(encode, &full).unwrap_err();
        }
        assert_eq!(ask(crate::encode::PARTITION_TYPE, &full[..0]).unwrap(), 0);
    }

    /// Some drivers write more than they say.
    #[test]
    fn bytes_behind_an_answer_do_not_count() {
        let origin = Origin { word: 0, layout: Layout::V2026_2 };
        let (mut value, mut size) = (0_u64, 0);
        // SAFETY: the value and the size are writable.
        let answer = unsafe { Answer::new(8, (&raw mut value).cast(), &raw mut size) }.unwrap();
        let ask = |mut info: Info<'_>| {
            let (room, start, size_ret) = info.raw_parts();
            assert_eq!(room, 8);
            // SAFETY: room for eight bytes and for the size.
            unsafe {
                start.cast::<u64>().write_unaligned(u64::MAX);
                size_ret.write(2);
            }
            Ok(())
        };
        answer.answered_by(crate::encode::SIZE, origin, ask).unwrap();
        assert_eq!((value, size), (0xffff, 8));
    }
}
