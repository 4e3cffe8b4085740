//! Commands: kernel launches, waits, buffer commands.

use core::ffi::c_void;

use crate::types::*;

use crate::{Dependencies, Fill, LaunchProperties, NdRange, Rect};

api! {
    /// Commands that are enqueued to a queue. On an error, nothing is enqueued and no event is written.
    trait EnqueueApi {
        /// Enqueues a kernel over an index space.
        #[doc(alias = "piEnqueueKernelLaunch")]
        #[doc(alias = "urEnqueueKernelLaunch")]
        #[doc(alias = "urEnqueueKernelLaunchWithArgsExp")]
        fn enqueue_kernel_launch(queue: &Self::Queue, kernel: &Self::Kernel, range: NdRange<'_>,
            dependencies: Dependencies<'_, Self::Event>);
        /// Enqueues a kernel whose work-groups all run concurrently.
        #[doc(alias = "piextEnqueueCooperativeKernelLaunch")]
        #[doc(alias = "urEnqueueCooperativeKernelLaunchExp")]
        fn enqueue_cooperative_kernel_launch(queue: &Self::Queue, kernel: &Self::Kernel, range: NdRange<'_>,
            dependencies: Dependencies<'_, Self::Event>);
        /// Enqueues a kernel with more properties: a cluster, or local memory that no argument requests.
        #[doc(alias = "urEnqueueKernelLaunchCustomExp")]
        fn enqueue_kernel_launch_with_properties(queue: &Self::Queue, kernel: &Self::Kernel, range: NdRange<'_>,
            properties: &LaunchProperties, dependencies: Dependencies<'_, Self::Event>);
        /// Enqueues a host function with a copy of `args`. `mems` are buffers whose addresses are written to the copy
        /// at `locations`.
        #[doc(alias = "piEnqueueNativeKernel")]
        #[doc(alias = "urEnqueueHostTaskExp")]
        fn enqueue_native_kernel(queue: &Self::Queue, function: unsafe extern "C" fn(*mut c_void), args: &mut [u8],
            mems: &[&Self::Mem], locations: &[*const c_void], dependencies: Dependencies<'_, Self::Event>);
        /// Calls `run` once before returning. It adds native commands to the driver's queue, which execute after the
        /// wait list, in the queue's order, and before the event.
        #[doc(alias = "urEnqueueNativeCommandExp")]
        fn enqueue_native_command(queue: &Self::Queue, run: &mut dyn FnMut(),
            dependencies: Dependencies<'_, Self::Event>);
        /// Enqueues an event with timestamps, whether or not the queue has profiling enabled. It is ordered after the
        /// wait list, or after everything before it.
        #[doc(alias = "urEnqueueTimestampRecordingExp")]
        fn enqueue_timestamp(queue: &Self::Queue, blocking: bool, dependencies: Dependencies<'_, Self::Event>);
        /// Enqueues an event that completes after the wait list, or after everything before it.
        #[doc(alias = "piEnqueueEventsWait")]
        #[doc(alias = "urEnqueueEventsWait")]
        fn enqueue_events_wait(queue: &Self::Queue, dependencies: Dependencies<'_, Self::Event>);
        /// Enqueues a barrier: an event like that of `enqueue_events_wait`, before which no later command starts.
        #[doc(alias = "piEnqueueEventsWaitWithBarrier")]
        #[doc(alias = "urEnqueueEventsWaitWithBarrier")]
        #[doc(alias = "urEnqueueEventsWaitWithBarrierExt")]
        fn enqueue_events_wait_with_barrier(queue: &Self::Queue, dependencies: Dependencies<'_, Self::Event>);
        /// Enqueues a read from a buffer to the host. `ptr` must be writable for `size` bytes, and stay so until the
        /// event is complete unless the read is blocking.
        #[doc(alias = "piEnqueueMemBufferRead")]
        #[doc(alias = "urEnqueueMemBufferRead")]
        fn enqueue_mem_buffer_read(queue: &Self::Queue, buffer: &Self::Mem, blocking: bool, offset: usize, size: usize,
            ptr: *mut c_void, dependencies: Dependencies<'_, Self::Event>);
        /// Enqueues a read of a box of a buffer to the host.
        #[doc(alias = "piEnqueueMemBufferReadRect")]
        #[doc(alias = "urEnqueueMemBufferReadRect")]
        fn enqueue_mem_buffer_read_rect(queue: &Self::Queue, buffer: &Self::Mem, blocking: bool, rect: Rect<'_>,
            ptr: *mut c_void, dependencies: Dependencies<'_, Self::Event>);
        /// Enqueues a write from the host to a buffer.
        #[doc(alias = "piEnqueueMemBufferWrite")]
        #[doc(alias = "urEnqueueMemBufferWrite")]
        fn enqueue_mem_buffer_write(queue: &Self::Queue, buffer: &Self::Mem, blocking: bool, offset: usize,
            size: usize, ptr: *const c_void, dependencies: Dependencies<'_, Self::Event>);
        /// Enqueues a write from the host to a box of a buffer.
        #[doc(alias = "piEnqueueMemBufferWriteRect")]
        #[doc(alias = "urEnqueueMemBufferWriteRect")]
        fn enqueue_mem_buffer_write_rect(queue: &Self::Queue, buffer: &Self::Mem, blocking: bool, rect: Rect<'_>,
            ptr: *const c_void, dependencies: Dependencies<'_, Self::Event>);
        /// Enqueues a copy between buffers.
        #[doc(alias = "piEnqueueMemBufferCopy")]
        #[doc(alias = "urEnqueueMemBufferCopy")]
        fn enqueue_mem_buffer_copy(queue: &Self::Queue, src: &Self::Mem, dst: &Self::Mem, src_offset: usize,
            dst_offset: usize, size: usize, dependencies: Dependencies<'_, Self::Event>);
        /// Enqueues a copy of a box between buffers.
        #[doc(alias = "piEnqueueMemBufferCopyRect")]
        #[doc(alias = "urEnqueueMemBufferCopyRect")]
        fn enqueue_mem_buffer_copy_rect(queue: &Self::Queue, src: &Self::Mem, dst: &Self::Mem, rect: Rect<'_>,
            dependencies: Dependencies<'_, Self::Event>);
        /// Enqueues a fill of part of a buffer with a repeated pattern.
        #[doc(alias = "piEnqueueMemBufferFill")]
        #[doc(alias = "urEnqueueMemBufferFill")]
        fn enqueue_mem_buffer_fill(queue: &Self::Queue, buffer: &Self::Mem, offset: usize, fill: Fill<'_>,
            dependencies: Dependencies<'_, Self::Event>);
        /// Maps part of a buffer to host memory until it is unmapped.
        #[doc(alias = "piEnqueueMemBufferMap")]
        #[doc(alias = "urEnqueueMemBufferMap")]
        fn enqueue_mem_buffer_map(queue: &Self::Queue, buffer: &Self::Mem, blocking: bool, flags: MapFlags,
            offset: usize, size: usize, dependencies: Dependencies<'_, Self::Event>) -> *mut c_void;
        /// Unmaps a mapped part.
        #[doc(alias = "piEnqueueMemUnmap")]
        #[doc(alias = "urEnqueueMemUnmap")]
        fn enqueue_mem_unmap(queue: &Self::Queue, mem: &Self::Mem, mapped: *mut c_void,
            dependencies: Dependencies<'_, Self::Event>);
    }
}
