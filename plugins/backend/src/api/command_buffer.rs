//! Command buffers: commands that are recorded once and run many times.

use core::ffi::c_void;
use std::fmt;

use crate::api::{Arg, Command, Objects};
use crate::types::{MemAccess, NativeHandle, SyncPoint};
use crate::{Dependencies, NdRange, New, SyncPointDependencies};

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
        fn command_buffer_record(buffer: &Self::CommandBuffer, command: Command<'_, Self>,
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
