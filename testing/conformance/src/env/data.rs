//! Buffers and USM with contents.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;

use super::{Env, Owned};
use crate::outcome::{Failure, Verdict};

/// A USM allocation, which is freed at the end of its scope.
pub(crate) struct Usm<'e> {
    env: &'e Env,
    context: pi_context,
    /// Its start.
    pub(crate) ptr: *mut c_void,
    /// Its size.
    pub(crate) size: usize,
}

impl Drop for Usm<'_> {
    fn drop(&mut self) {
        if let Err(error) = call!(self.env, piextUSMFree(self.context, self.ptr)) {
            self.env.late.borrow_mut().push(error);
        }
    }
}

/// Returns the bytes of plain values.
pub(crate) fn bytes_of<T: Copy>(values: &[T]) -> Vec<u8> {
    // SAFETY: plain numbers without padding, read within their slice.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast::<u8>(), size_of_val(values)) }.to_vec()
}

/// Fills with patterns of all kinds: the pattern's length, and the position of its first byte.
pub(crate) const FILLS: [(usize, usize); 28] = [
    (1, 3),
    (2, 0),
    (2, 1),
    (3, 0),
    (3, 5),
    (4, 4),
    (4, 2),
    (7, 7),
    (8, 4),
    (12, 0),
    (12, 12),
    (12, 2),
    (16, 16),
    (16, 4),
    (24, 24),
    (24, 8),
    (32, 32),
    (32, 16),
    (48, 48),
    (48, 1),
    (64, 32),
    (128, 128),
    (128, 64),
    (129, 0),
    (200, 8),
    (256, 0),
    (256, 4),
    (300, 2),
];

/// Returns `size` bytes of 0xee, with a [`ramp`] of `length` that is repeated from `start` on.
pub(crate) fn filled(size: usize, length: usize, start: usize, count: usize) -> Vec<u8> {
    let mut bytes = vec![0xee; size];
    bytes.splice(start..start + length * count, ramp(length).repeat(count));
    bytes
}

/// Returns `count` bytes, of which neighbours always differ.
pub(crate) fn ramp(count: usize) -> Vec<u8> {
    (0..count).map(|index| (index % 251) as u8 ^ 0x3c).collect()
}

impl Env {
    /// Creates a buffer with `content` in the process's context.
    pub(crate) fn buffer<T: Copy>(&self, content: &[T]) -> Verdict<Owned<'_, pi_mem>> {
        self.buffer_in(self.context()?, content)
    }

    /// Creates a buffer with `content` in a context.
    pub(crate) fn buffer_in<T: Copy>(
        &self,
        context: pi_context,
        content: &[T],
    ) -> Verdict<Owned<'_, pi_mem>> {
        let flags = PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY;
        let (size, start) = (size_of_val(content), content.as_ptr().cast::<c_void>().cast_mut());
        let mem = made!(self, |out| piMemBufferCreate(context, flags, size, start, out, null()));
        Ok(self.own_mem(mem))
    }

    /// Creates a buffer without content in the process's context.
    pub(crate) fn blank(&self, size: usize) -> Verdict<Owned<'_, pi_mem>> {
        let context = self.context()?;
        let flags = PI_MEM_FLAGS_ACCESS_RW;
        let mem = made!(self, |out| piMemBufferCreate(context, flags, size, null_mut(), out, null()));
        Ok(self.own_mem(mem))
    }

    /// Reads the first `count` values of a buffer.
    pub(crate) fn read<T: Copy + Default>(&self, mem: pi_mem, count: usize) -> Verdict<Vec<T>> {
        self.read_on(self.queue()?, mem, 0, count)
    }

    /// Reads `count` values from a byte offset on, with a queue.
    pub(crate) fn read_on<T: Copy + Default>(
        &self,
        queue: pi_queue,
        mem: pi_mem,
        offset: usize,
        count: usize,
    ) -> Verdict<Vec<T>> {
        let mut values = vec![T::default(); count];
        let (size, room) = (count * size_of::<T>(), values.as_mut_ptr().cast());
        ok!(self, piEnqueueMemBufferRead(queue, mem, PI_TRUE, offset, size, room, 0, null(), null_mut()));
        Ok(values)
    }

    /// Writes values with a queue, and waits.
    pub(crate) fn write_on<T: Copy>(
        &self,
        queue: pi_queue,
        mem: pi_mem,
        offset: usize,
        values: &[T],
    ) -> Verdict {
        let (size, from) = (size_of_val(values), values.as_ptr().cast());
        ok!(self, piEnqueueMemBufferWrite(queue, mem, PI_TRUE, offset, size, from, 0, null(), null_mut()));
        Ok(())
    }

    /// Allocates host USM.
    pub(crate) fn host(&self, size: usize) -> Verdict<Usm<'_>> {
        self.need_usm(PI_DEVICE_INFO_USM_HOST_SUPPORT)?;
        let context = self.context()?;
        let ptr = made!(self, |out| piextUSMHostAlloc(out, context, null_mut(), size, 0));
        Ok(Usm { env: self, context, ptr, size })
    }

    /// Allocates device USM.
    pub(crate) fn on_device(&self, size: usize) -> Verdict<Usm<'_>> {
        self.need_usm(PI_DEVICE_INFO_USM_DEVICE_SUPPORT)?;
        let context = self.context()?;
        let ptr = made!(self, |out| piextUSMDeviceAlloc(out, context, self.device, null_mut(), size, 0));
        Ok(Usm { env: self, context, ptr, size })
    }

    /// Allocates shared USM.
    pub(crate) fn shared(&self, size: usize) -> Verdict<Usm<'_>> {
        self.need_usm(PI_DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT)?;
        let context = self.context()?;
        let ptr = made!(self, |out| piextUSMSharedAlloc(out, context, self.device, null_mut(), size, 0));
        Ok(Usm { env: self, context, ptr, size })
    }

    /// Allocates USM of each kind that the device supports.
    pub(crate) fn usm_of_each_kind(&self, size: usize) -> Verdict<Vec<(pi_usm_type, Usm<'_>)>> {
        let mut all = Vec::new();
        for (kind, usm) in [
            (PI_MEM_TYPE_HOST, self.host(size)),
            (PI_MEM_TYPE_DEVICE, self.on_device(size)),
            (PI_MEM_TYPE_SHARED, self.shared(size)),
        ] {
            match usm {
                Ok(usm) => all.push((kind, usm)),
                Err(Failure::Skip(_)) => {}
                Err(wrong) => return Err(wrong),
            }
        }
        if all.is_empty() { Err(Failure::skip(crate::skip::NO_USM)) } else { Ok(all) }
    }

    /// Copies host bytes to USM and waits.
    pub(crate) fn put(&self, to: *mut c_void, bytes: &[u8]) -> Verdict {
        let (queue, from, size) = (self.queue()?, bytes.as_ptr().cast(), bytes.len());
        ok!(self, piextUSMEnqueueMemcpy(queue, PI_TRUE, to, from, size, 0, null(), null_mut()));
        Ok(())
    }

    /// Copies USM to host bytes and waits.
    pub(crate) fn take(&self, from: *const c_void, size: usize) -> Verdict<Vec<u8>> {
        let mut bytes = vec![0_u8; size];
        let (queue, to) = (self.queue()?, bytes.as_mut_ptr().cast());
        ok!(self, piextUSMEnqueueMemcpy(queue, PI_TRUE, to, from, size, 0, null(), null_mut()));
        Ok(bytes)
    }
}
