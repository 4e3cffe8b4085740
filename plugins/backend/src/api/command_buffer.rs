//! Command buffers: commands recorded once, run many times.

use core::ffi::c_void;

use crate::types::*;

use crate::{NdRange, New, Dependencies, SyncPointDependencies, Rect};

api! {
    /// Command buffers. Sync points order the commands of one buffer; a command without any waits for nothing.
    trait CommandBufferApi {
        /// An empty command buffer for a device.
        #[doc(alias = "piextCommandBufferCreate")]
        fn command_buffer_create(context: &Self::Context, device: &Self::Device)
            -> New<Self::CommandBuffer>;
        /// Ends recording; the buffer can be enqueued from then on.
        #[doc(alias = "piextCommandBufferFinalize")]
        fn command_buffer_finalize(buffer: &Self::CommandBuffer);
        /// Records a launch, with the kernel's arguments as they are now.
        #[doc(alias = "piextCommandBufferNDRangeKernel")]
        fn command_buffer_nd_range_kernel(buffer: &Self::CommandBuffer, kernel: &Self::Kernel, range: NdRange<'_>,
            dependencies: SyncPointDependencies<'_>);
        /// Records a copy between addresses.
        #[doc(alias = "piextCommandBufferMemcpyUSM")]
        fn command_buffer_memcpy_usm(buffer: &Self::CommandBuffer, dst: *mut c_void, src: *const c_void,
            size: usize, dependencies: SyncPointDependencies<'_>);
        /// Records a copy between buffers.
        #[doc(alias = "piextCommandBufferMemBufferCopy")]
        fn command_buffer_mem_buffer_copy(buffer: &Self::CommandBuffer, src: &Self::Mem, dst: &Self::Mem,
            src_offset: usize, dst_offset: usize, size: usize, dependencies: SyncPointDependencies<'_>);
        /// Records a copy of a box between buffers.
        #[doc(alias = "piextCommandBufferMemBufferCopyRect")]
        fn command_buffer_mem_buffer_copy_rect(buffer: &Self::CommandBuffer, src: &Self::Mem, dst: &Self::Mem,
            rect: Rect<'_>, dependencies: SyncPointDependencies<'_>);
        /// Records a write from host memory, read at each run.
        #[doc(alias = "piextCommandBufferMemBufferWrite")]
        fn command_buffer_mem_buffer_write(buffer: &Self::CommandBuffer, mem: &Self::Mem, offset: usize,
            size: usize, ptr: *const c_void, dependencies: SyncPointDependencies<'_>);
        /// Records a write of a box from host memory.
        #[doc(alias = "piextCommandBufferMemBufferWriteRect")]
        fn command_buffer_mem_buffer_write_rect(buffer: &Self::CommandBuffer, mem: &Self::Mem, rect: Rect<'_>,
            ptr: *const c_void, dependencies: SyncPointDependencies<'_>);
        /// Records a read into host memory.
        #[doc(alias = "piextCommandBufferMemBufferRead")]
        fn command_buffer_mem_buffer_read(buffer: &Self::CommandBuffer, mem: &Self::Mem, offset: usize, size: usize,
            dst: *mut c_void, dependencies: SyncPointDependencies<'_>);
        /// Records a read of a box into host memory.
        #[doc(alias = "piextCommandBufferMemBufferReadRect")]
        fn command_buffer_mem_buffer_read_rect(buffer: &Self::CommandBuffer, mem: &Self::Mem, rect: Rect<'_>,
            ptr: *mut c_void, dependencies: SyncPointDependencies<'_>);
        /// Records a fill of a buffer.
        #[doc(alias = "piextCommandBufferMemBufferFill")]
        fn command_buffer_mem_buffer_fill(buffer: &Self::CommandBuffer, mem: &Self::Mem, pattern: &[u8],
            offset: usize, size: usize, dependencies: SyncPointDependencies<'_>);
        /// Records a fill of USM.
        #[doc(alias = "piextCommandBufferFillUSM")]
        fn command_buffer_fill_usm(buffer: &Self::CommandBuffer, ptr: *mut c_void, pattern: &[u8], size: usize,
            dependencies: SyncPointDependencies<'_>);
        /// Records a prefetch hint.
        #[doc(alias = "piextCommandBufferPrefetchUSM")]
        fn command_buffer_prefetch_usm(buffer: &Self::CommandBuffer, ptr: *const c_void, size: usize,
            flags: UsmMigrationFlags, dependencies: SyncPointDependencies<'_>);
        /// Records an advice.
        #[doc(alias = "piextCommandBufferAdviseUSM")]
        fn command_buffer_advise_usm(buffer: &Self::CommandBuffer, ptr: *const c_void, length: usize,
            advice: MemAdvice, dependencies: SyncPointDependencies<'_>);
        /// Runs a finalized command buffer.
        #[doc(alias = "piextEnqueueCommandBuffer")]
        fn enqueue_command_buffer(buffer: &Self::CommandBuffer, queue: &Self::Queue,
            dependencies: Dependencies<'_, Self::Event>);
    }
}

