//! Callers' handles: error codes, names, and reference counts, which the driver keeps.

use sycl_pi_backend::raw::*;
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Object, Result};

use super::handles::*;
use super::library::cl;
use super::released_queues;
use super::serialize::is_serialized;
use super::thread_end::{in_living_thread, note_thread};

macro_rules! objects {
    ($($object:ident $raw:ident $invalid:ident $name:literal $retain:expr, $release:expr;)*) => { $(
        // SAFETY: the type is zero-sized and opaque, so a reference is valid for any non-null address. It is never
        // read.
        unsafe impl Object for $object {
            type Raw = $raw;
            const INVALID: ErrorCode = ErrorCode::$invalid;
            const NAME: &'static str = $name;

            #[inline]
            fn retain(&self) -> Result<()> {
                $retain(self)
            }

            #[inline]
            unsafe fn release(&self) -> Result<()> {
                $release(self)
            }
        }
    )* };
}

objects! {
    Platform RawPlatform INVALID_PLATFORM "platform" |_| Ok(()), |_| Ok(());
    Device RawDevice INVALID_DEVICE "device"
        |device: &Self| cl().clRetainDevice(device.cl()), |device: &Self| cl().clReleaseDevice(device.cl());
    Context RawContext INVALID_CONTEXT "context"
        |context: &Self| cl().clRetainContext(context.cl()), |context: &Self| cl().clReleaseContext(context.cl());
    Queue RawQueue INVALID_QUEUE "queue"
        |queue: &Self| cl().clRetainCommandQueue(queue.cl()), released_queues::release;
    Mem RawMem INVALID_MEM_OBJECT "memory object"
        |mem: &Self| cl().clRetainMemObject(mem.cl()), |mem: &Self| cl().clReleaseMemObject(mem.cl());
    Program RawProgram INVALID_PROGRAM "program"
        |program: &Self| cl().clRetainProgram(program.cl()), |program: &Self| cl().clReleaseProgram(program.cl());
    Kernel RawKernel INVALID_KERNEL "kernel"
        |kernel: &Self| cl().clRetainKernel(kernel.cl()), |kernel: &Self| cl().clReleaseKernel(kernel.cl());
    Event RawEvent INVALID_EVENT "event"
        |event: &Self| cl().clRetainEvent(event.cl()), release_event;
    Sampler RawSampler INVALID_SAMPLER "sampler"
        |sampler: &Self| cl().clRetainSampler(sampler.cl()), |sampler: &Self| cl().clReleaseSampler(sampler.cl());
}

#[inline]
fn release_event(event: &Event) -> Result<()> {
    // This may be the last event of a queue that was released earlier.
    released_queues::release_complete();
    if note_thread() || !is_serialized(event) {
        return cl().clReleaseEvent(event.cl());
    }
    in_living_thread(|| cl().clReleaseEvent(event.cl()))
}
