//! Command buffers: commands that are recorded once and run many times.

use core::ffi::c_void;
use std::fmt;

use crate::api::{Arg, Objects};
use crate::types::{MemAccess, MemAdvice, NativeHandle, SyncPoint, UsmMigrationFlags};
use crate::{Dependencies, NdRange, New, Rect, SyncPointDependencies};

/// A command to record. Host memory that the command uses is read or written at each run.
#[allow(missing_docs, reason = "the fields are the arguments of the command of that name")]
pub enum CommandToRecord<'a, B: Objects> {
    /// A kernel launch, with the arguments that the kernel has at the time of recording.
    #[doc(alias = "piextCommandBufferNDRangeKernel")]
    #[doc(alias = "urCommandBufferAppendKernelLaunchExp")]
    KernelLaunch { kernel: &'a B::Kernel, range: NdRange<'a> },
    /// A copy between addresses, in bytes.
    #[doc(alias = "piextCommandBufferMemcpyUSM")]
    #[doc(alias = "urCommandBufferAppendUSMMemcpyExp")]
    UsmMemcpy { dst: *mut c_void, src: *const c_void, size: usize },
    /// A fill of USM with a pattern.
    #[doc(alias = "piextCommandBufferFillUSM")]
    #[doc(alias = "urCommandBufferAppendUSMFillExp")]
    UsmFill { ptr: *mut c_void, pattern: &'a [u8], size: usize },
    /// A hint that the device will soon use the range.
    #[doc(alias = "piextCommandBufferPrefetchUSM")]
    #[doc(alias = "urCommandBufferAppendUSMPrefetchExp")]
    UsmPrefetch { ptr: *const c_void, size: usize, flags: UsmMigrationFlags },
    /// A hint about the use of the range.
    #[doc(alias = "piextCommandBufferAdviseUSM")]
    #[doc(alias = "urCommandBufferAppendUSMAdviseExp")]
    UsmAdvise { ptr: *const c_void, length: usize, advice: MemAdvice },
    /// A copy between buffers.
    #[doc(alias = "piextCommandBufferMemBufferCopy")]
    #[doc(alias = "urCommandBufferAppendMemBufferCopyExp")]
    BufferCopy { src: &'a B::Mem, dst: &'a B::Mem, src_offset: usize, dst_offset: usize, size: usize },
    /// A copy of a box between buffers.
    #[doc(alias = "piextCommandBufferMemBufferCopyRect")]
    #[doc(alias = "urCommandBufferAppendMemBufferCopyRectExp")]
    BufferCopyRect { src: &'a B::Mem, dst: &'a B::Mem, rect: Rect<'a> },
    /// A read into host memory.
    #[doc(alias = "piextCommandBufferMemBufferRead")]
    #[doc(alias = "urCommandBufferAppendMemBufferReadExp")]
    BufferRead { buffer: &'a B::Mem, offset: usize, size: usize, dst: *mut c_void },
    /// A read of a box into host memory.
    #[doc(alias = "piextCommandBufferMemBufferReadRect")]
    #[doc(alias = "urCommandBufferAppendMemBufferReadRectExp")]
    BufferReadRect { buffer: &'a B::Mem, rect: Rect<'a>, dst: *mut c_void },
    /// A write from host memory.
    #[doc(alias = "piextCommandBufferMemBufferWrite")]
    #[doc(alias = "urCommandBufferAppendMemBufferWriteExp")]
    BufferWrite { buffer: &'a B::Mem, offset: usize, size: usize, src: *const c_void },
    /// A write of a box from host memory.
    #[doc(alias = "piextCommandBufferMemBufferWriteRect")]
    #[doc(alias = "urCommandBufferAppendMemBufferWriteRectExp")]
    BufferWriteRect { buffer: &'a B::Mem, rect: Rect<'a>, src: *const c_void },
    /// A fill of a buffer with a pattern.
    #[doc(alias = "piextCommandBufferMemBufferFill")]
    #[doc(alias = "urCommandBufferAppendMemBufferFillExp")]
    BufferFill { buffer: &'a B::Mem, pattern: &'a [u8], offset: usize, size: usize },
}

impl<B: Objects> fmt::Debug for CommandToRecord<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::KernelLaunch { .. } => "KernelLaunch",
            Self::UsmMemcpy { .. } => "UsmMemcpy",
            Self::UsmFill { .. } => "UsmFill",
            Self::UsmPrefetch { .. } => "UsmPrefetch",
            Self::UsmAdvise { .. } => "UsmAdvise",
            Self::BufferCopy { .. } => "BufferCopy",
            Self::BufferCopyRect { .. } => "BufferCopyRect",
            Self::BufferRead { .. } => "BufferRead",
            Self::BufferReadRect { .. } => "BufferReadRect",
            Self::BufferWrite { .. } => "BufferWrite",
            Self::BufferWriteRect { .. } => "BufferWriteRect",
            Self::BufferFill { .. } => "BufferFill",
        })
    }
}

/// An update of a recorded launch. Everything that it does not name stays unchanged.
pub struct LaunchUpdate<'a, B: Objects> {
    /// The sync point of the launch.
    pub point: SyncPoint,
    /// The kernel that replaces the launch's kernel, with the arguments that it has now.
    pub kernel: Option<&'a B::Kernel>,
    /// New arguments with their indices.
    pub args: &'a [(u32, NewArg<'a, B>)],
    /// New index space.
    pub range: Option<NdRange<'a>>,
}

impl<B: Objects> fmt::Debug for LaunchUpdate<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let args: Vec<u32> = self.args.iter().map(|(index, _)| *index).collect();
        f.debug_struct("LaunchUpdate")
            .field("point", &self.point)
            .field("args", &args)
            .finish_non_exhaustive()
    }
}

/// A new argument of a recorded launch.
pub enum NewArg<'a, B: Objects> {
    /// A value or local memory, as `kernel_set_arg` takes it.
    Plain(Arg<'a>),
    /// A USM address, or null.
    Pointer(*const c_void),
    /// A buffer or image, or `None` for a null pointer, and how the kernel accesses it.
    Mem(Option<MemAccess>, Option<&'a B::Mem>),
}

impl<B: Objects> fmt::Debug for NewArg<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(arg) => f.debug_tuple("Plain").field(arg).finish(),
            Self::Pointer(address) => f.debug_tuple("Pointer").field(address).finish(),
            Self::Mem(access, _) => f.debug_tuple("Mem").field(access).finish_non_exhaustive(),
        }
    }
}

api! {
    /// Command buffers. Sync points order the commands of one buffer; a command without any waits for nothing.
    trait CommandBufferApi {
        /// Creates an empty command buffer for a device.
        #[doc(alias = "piextCommandBufferCreate")]
        #[doc(alias = "urCommandBufferCreateExp")]
        fn command_buffer_create(context: &Self::Context, device: &Self::Device) -> New<Self::CommandBuffer>;
        /// Records a command, ordered after the commands of its sync points.
        fn command_buffer_record(buffer: &Self::CommandBuffer, command: CommandToRecord<'_, Self>,
            dependencies: SyncPointDependencies<'_>);
        /// Ends recording, after which the buffer can be enqueued.
        #[doc(alias = "piextCommandBufferFinalize")]
        #[doc(alias = "urCommandBufferFinalizeExp")]
        fn command_buffer_finalize(buffer: &Self::CommandBuffer);
        /// Updates launches of a finalized command buffer, for the runs that are enqueued afterwards.
        #[doc(alias = "urCommandBufferUpdateKernelLaunchExp")]
        fn command_buffer_update(buffer: &Self::CommandBuffer, updates: &[LaunchUpdate<'_, Self>]);
        /// Returns the driver's graph of a command buffer, or the executable graph, which exists once the buffer is
        /// finalized.
        #[doc(alias = "urCommandBufferGetNativeHandleExp")]
        #[doc(alias = "urGraphExecutableGraphGetNativeHandleExp")]
        #[doc(alias = "urGraphGetNativeHandleExp")]
        fn command_buffer_native_handle(buffer: &Self::CommandBuffer, runs: bool) -> NativeHandle;
        /// Enqueues a run of a finalized command buffer.
        #[doc(alias = "piextEnqueueCommandBuffer")]
        #[doc(alias = "urCommandBufferEnqueueExp")]
        #[doc(alias = "urEnqueueCommandBufferExp")]
        fn enqueue_command_buffer(buffer: &Self::CommandBuffer, queue: &Self::Queue,
            dependencies: Dependencies<'_, Self::Event>);
    }
}
