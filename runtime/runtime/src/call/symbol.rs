//! Variables in programs: piextEnqueueDeviceGlobalVariableWrite and -Read, the design's piextEnqueueDeviceVariable*.

use sycl_pi_core::*;

use super::event::Event;
use super::program::RawProgram;
use super::queue::Queue;
use super::select::c_text;
use crate::error::{Result, WithObject};

impl RawProgram {
    /// Writes into a variable of this unique id, and waits.
    pub(crate) fn write_variable(
        &self,
        queue: &Queue,
        name: &str,
        offset: usize,
        bytes: &[u8],
    ) -> Result<()> {
        let text = c_text(name)?;
        let mut event: pi_event = std::ptr::null_mut();
        let (from, none) = (bytes.as_ptr().cast(), std::ptr::null());
        // SAFETY: the bytes are read before the call is over, since it waits.
        let done = queue.submit(|table, raw| unsafe {
            table.piextEnqueueDeviceGlobalVariableWrite(
                raw,
                self.raw(),
                text.as_ptr(),
                PI_TRUE,
                bytes.len(),
                offset,
                from,
                0,
                none,
                &mut event,
            )
        });
        done.with_object(|| format!("device global {name} in image {}", self.name()))?;
        Event::new(event, queue).wait()
    }

    /// Reads from a variable of this unique id, and waits.
    pub(crate) fn read_variable(
        &self,
        queue: &Queue,
        name: &str,
        offset: usize,
        bytes: &mut [u8],
    ) -> Result<()> {
        let text = c_text(name)?;
        let mut event: pi_event = std::ptr::null_mut();
        let (to, none) = (bytes.as_mut_ptr().cast(), std::ptr::null());
        // SAFETY: the bytes are written before the call is over, since it waits.
        let done = queue.submit(|table, raw| unsafe {
            table.piextEnqueueDeviceGlobalVariableRead(
                raw,
                self.raw(),
                text.as_ptr(),
                PI_TRUE,
                bytes.len(),
                offset,
                to,
                0,
                none,
                &mut event,
            )
        });
        done.with_object(|| format!("device global {name} in image {}", self.name()))?;
        Event::new(event, queue).wait()
    }
}
