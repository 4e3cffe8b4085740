//! The answer to an info query: a value of the documented type and size, never larger than the caller's buffer.
#![expect(unsafe_code, reason = "answers in the caller's memory")]

use std::ffi::{CStr, c_void};
use std::marker::PhantomData;

use crate::plain::Plain;
use crate::{Error, Result, cold_error};

#[cold]
fn too_small(size: usize, needed: usize) -> Error {
    Error::invalid_value(format!("the buffer has {size} bytes, the value {needed}"))
}

/// A caller's buffer for an answer, and a pointer for the size of the answer. Either may be absent.
#[derive(Debug)]
pub struct Info<'a> {
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
    lifetime: PhantomData<&'a mut u8>,
}

impl<'a> Info<'a> {
    /// # Safety
    ///
    /// `value` must be null or writable for `size` bytes; `size_ret` must be null or writable.
    #[inline(always)]
    pub unsafe fn new(size: usize, value: *mut c_void, size_ret: *mut usize) -> Self {
        Info { size, value, size_ret, lifetime: PhantomData }
    }

    /// Creates an `Info` over the plugin's own memory, for queries that the plugin itself makes to a driver.
    pub fn over<T: Plain>(value: &'a mut [T], size_ret: &'a mut usize) -> Self {
        Self { size: size_of_val(value), value: value.as_mut_ptr().cast(), size_ret, lifetime: PhantomData }
    }

    /// Creates an `Info` without a buffer, which queries the size of an answer.
    pub fn of_size(size_ret: &'a mut usize) -> Self {
        Self { size: 0, value: std::ptr::null_mut(), size_ret, lifetime: PhantomData }
    }

    /// Returns the size of the buffer in bytes, the buffer or null, and the size pointer or null, for passing to a
    /// driver.
    #[inline(always)]
    pub fn raw_parts(&mut self) -> (usize, *mut c_void, *mut usize) {
        (self.size, self.value, self.size_ret)
    }

    /// Lets a driver answer. Some drivers write to the end of the buffer even if the answer is shorter; here the bytes
    /// after the answer stay unchanged.
    #[inline(always)]
    pub fn answered_by(self, ask: impl Fn(usize, *mut c_void, *mut usize) -> Result<()>) -> Result<()> {
        /// Numeric answers fill their buffer.
        const NUMBER: usize = size_of::<u64>();
        /// Up to this many bytes, copying an answer is cheaper than querying its size from the driver first.
        const COPIED: usize = 512;
        let room = if self.size <= NUMBER || self.value.is_null() {
            self.size
        } else if self.size <= COPIED {
            return self.answered_into::<COPIED>(ask);
        } else {
            let mut needed = 0;
            ask(0, std::ptr::null_mut(), &mut needed)?;
            self.size.min(needed)
        };
        match ask(room, self.value, self.size_ret) {
            Err(error) if room == 0 => self.empty_answer(error, ask),
            answer => answer,
        }
    }

    /// Answers with nothing if that is the driver's answer, though the driver refuses room for no bytes.
    #[cold]
    fn empty_answer(
        self,
        refusal: Error,
        ask: impl Fn(usize, *mut c_void, *mut usize) -> Result<()>,
    ) -> Result<()> {
        let mut needed = 1;
        match ask(0, std::ptr::null_mut(), &mut needed) {
            Ok(()) if needed == 0 => self.slice::<u8>(&[]),
            _ => Err(refusal),
        }
    }

    /// Lets the driver answer into a local buffer and copies only the answer to the caller.
    #[inline(always)]
    fn answered_into<const SIZE: usize>(
        self,
        ask: impl Fn(usize, *mut c_void, *mut usize) -> Result<()>,
    ) -> Result<()> {
        let mut buffer = [std::mem::MaybeUninit::<u8>::uninit(); SIZE];
        let mut needed = 0;
        ask(self.size.min(SIZE), buffer.as_mut_ptr().cast(), &mut needed)?;
        let start = buffer.as_ptr();
        // Bytes that the closure left uninitialized are copied as such.
        // SAFETY: at most `size` bytes are copied, which the caller's buffer has. `size_ret` is null or writable.
        unsafe {
            start.copy_to_nonoverlapping(self.value.cast(), needed.min(self.size.min(SIZE)));
            if !self.size_ret.is_null() {
                self.size_ret.write(needed);
            }
        }
        Ok(())
    }

    /// Lets a driver answer with one value. If the value is `from`, it is replaced by the result of `to`, if any.
    #[inline(always)]
    pub fn with_other<T: Plain + PartialEq>(
        self,
        ask: impl Fn(usize, *mut c_void, *mut usize) -> Result<()>,
        from: T,
        to: impl FnOnce() -> Option<T>,
    ) -> Result<()> {
        if self.value.is_null() {
            return ask(self.size, self.value, self.size_ret);
        }
        if self.size < size_of::<T>() {
            return Err(cold_error(move || too_small(self.size, size_of::<T>())));
        }
        ask(self.size, self.value, self.size_ret)?;
        let value = self.value.cast::<T>();
        // SAFETY: the buffer has `size` bytes, which is enough for a `T`, and the driver has written it.
        if unsafe { value.read_unaligned() } == from
            && let Some(to) = to()
        {
            // SAFETY: same as above.
            unsafe { value.write_unaligned(to) };
        }
        Ok(())
    }

    /// Returns a place for one value that is written later. A buffer that is too small is refused before the driver is
    /// queried.
    #[inline(always)]
    pub fn output_of<T: Plain>(self) -> Result<Output<'a, T>> {
        if !self.value.is_null() && self.size < size_of::<T>() {
            return Err(cold_error(move || too_small(self.size, size_of::<T>())));
        }
        Ok(Output { value: self.value.cast(), size_ret: self.size_ret, lifetime: PhantomData })
    }

    /// Limits the buffer of the query to `most` bytes.
    #[inline(always)]
    pub fn within(self, most: usize) -> Self {
        Self { size: self.size.min(most), ..self }
    }

    /// Returns the addresses that the caller left in its buffer. Some queries write to the memory they point to.
    pub fn addresses(&self) -> Vec<*mut u8> {
        let count = if self.value.is_null() { 0 } else { self.size / size_of::<*mut u8>() };
        let list = self.value.cast::<*mut u8>();
        // SAFETY: the buffer has `size` bytes, and the caller of such a query has written addresses there.
        (0..count).map(|index| unsafe { list.add(index).read_unaligned() }).collect()
    }

    /// Returns whether the caller queries only the size.
    pub fn is_size_query(&self) -> bool {
        self.value.is_null()
    }

    /// Answers with `bytes` unchanged.
    pub fn bytes(self, bytes: &[u8]) -> Result<()> {
        if !self.value.is_null() && self.size < bytes.len() {
            return Err(too_small(self.size, bytes.len()));
        }
        // SAFETY: the buffer is null or writable for `size` bytes, which is enough, and so is the size pointer.
        unsafe {
            if !self.value.is_null() {
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.value.cast::<u8>(), bytes.len());
            }
            if !self.size_ret.is_null() {
                self.size_ret.write(bytes.len());
            }
        }
        Ok(())
    }

    /// Answers with one value.
    pub fn value<T: Plain>(self, value: T) -> Result<()> {
        self.slice(std::slice::from_ref(&value))
    }

    /// Answers with an array of values.
    pub fn slice<T: Plain>(self, values: &[T]) -> Result<()> {
        // SAFETY: `Plain` values have no padding, so all of their bytes are initialized.
        self.bytes(unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) })
    }

    /// Answers with a boolean as a `u32`, 4 bytes.
    pub fn bool(self, value: bool) -> Result<()> {
        self.value::<u32>(value.into())
    }

    /// Answers with a string and its NUL.
    pub fn c_str(self, text: &CStr) -> Result<()> {
        self.bytes(text.to_bytes_with_nul())
    }

    /// Answers with a string and adds the NUL.
    pub fn str(self, text: &str) -> Result<()> {
        let mut bytes = Vec::with_capacity(text.len() + 1);
        bytes.extend_from_slice(text.as_bytes());
        bytes.push(0);
        self.bytes(&bytes)
    }
}

/// A place for one value in the caller's memory, and one for its size. Either may be absent.
#[derive(Debug)]
pub struct Output<'a, T> {
    value: *mut T,
    size_ret: *mut usize,
    lifetime: PhantomData<&'a mut T>,
}

impl<T: Plain> Output<'_, T> {
    /// Answers with the given value.
    #[inline(always)]
    pub fn put(self, value: T) {
        // SAFETY: each pointer is null or writable.
        unsafe {
            if !self.value.is_null() {
                self.value.write_unaligned(value);
            }
            if !self.size_ret.is_null() {
                self.size_ret.write(size_of::<T>());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A driver that refuses room for less than `needed` bytes, and for none at all. It writes no answer.
    fn driver(needed: usize) -> impl Fn(usize, *mut c_void, *mut usize) -> Result<()> {
        move |size, value, size_ret| {
            if !value.is_null() && (size == 0 || size < needed) {
                return Err(Error::invalid_value("the driver's refusal"));
            }
            // SAFETY: the tests pass a place for the size.
            unsafe { size_ret.write(needed) };
            Ok(())
        }
    }

    #[test]
    fn an_empty_answer_needs_no_room_though_the_driver_refuses_room_for_nothing() {
        let mut size = 7;
        Info::over::<u8>(&mut [], &mut size).answered_by(driver(0)).unwrap();
        assert_eq!(size, 0);
        size = 7;
        Info::over(&mut [1_u8; 1000], &mut size).answered_by(driver(0)).unwrap();
        assert_eq!(size, 0);
    }

    /// A driver that writes three bytes as its answer, and others into the rest of the room.
    fn driver_of_three(size: usize, value: *mut c_void, size_ret: *mut usize) -> Result<()> {
        // SAFETY: the tests pass room of this size or none, and a place for the size.
        unsafe {
            if !value.is_null() {
                value.cast::<u8>().write_bytes(0xff, size);
                value.cast::<u8>().copy_from(b"abc".as_ptr(), 3);
            }
            size_ret.write(3);
        }
        Ok(())
    }

    #[test]
    fn room_behind_an_answer_stays_as_it_is() {
        for room in [9, 512, 513, 2000] {
            let (mut value, mut size) = (vec![1_u8; room], 0);
            Info::over(&mut value, &mut size).answered_by(driver_of_three).unwrap();
            assert_eq!((size, &value[..3]), (3, &b"abc"[..]));
            assert!(value[3..].iter().all(|byte| *byte == 1), "{room}");
        }
    }

    #[test]
    fn a_driver_is_told_the_room_that_there_is() {
        for room in [4, 100, 600] {
            let (mut value, mut size) = (vec![1_u8; room], 0);
            let refused = Info::over(&mut value, &mut size).answered_by(driver(1000));
            assert_eq!(refused.unwrap_err().text(), "the driver's refusal", "{room}");
        }
    }

    #[test]
    fn a_value_is_exchanged_only_in_room_for_it() {
        let exchange = |room: usize| {
            let (mut value, mut size) = (vec![0_u8; room], 0);
            let to = || Some(7_u32);
            Info::over(&mut value, &mut size).with_other(driver(4), 0, to).map(|()| value)
        };
        assert_eq!(exchange(2).unwrap_err().text(), "the buffer has 2 bytes, the value 4");
        assert_eq!(exchange(4).unwrap(), 7_u32.to_ne_bytes());
        // Another value stays.
        let (mut value, mut size) = ([5_u32], 0);
        Info::over(&mut value, &mut size).with_other(driver(4), 0, || Some(7)).unwrap();
        assert_eq!(value, [5]);
    }

    #[test]
    fn room_for_no_byte_of_an_answer_stays_refused_with_the_driver_s_words() {
        let mut size = 7;
        let refused = Info::over::<u8>(&mut [], &mut size).answered_by(driver(4));
        assert_eq!(refused.unwrap_err().text(), "the driver's refusal");
        assert_eq!(size, 7);
    }
}
