//! The types that handles point to, as seen from outside a backend: one opaque type per kind of object.

macro_rules! opaque {
    ($($(#[$doc:meta])* $name:ident;)*) => { $(
        $(#[$doc])*
        #[repr(C)]
        #[derive(Debug)]
        pub struct $name {
            _opaque: [u8; 0],
        }
    )* };
}

opaque! {
    /// Behind the handle of a platform.
    RawPlatform;
    /// Behind the handle of a device.
    RawDevice;
    /// Behind the handle of a context.
    RawContext;
    /// Behind the handle of a queue.
    RawQueue;
    /// Behind the handle of a memory object.
    RawMem;
    /// Behind the handle of a program.
    RawProgram;
    /// Behind the handle of a kernel.
    RawKernel;
    /// Behind the handle of an event.
    RawEvent;
    /// Behind the handle of a sampler.
    RawSampler;
    /// Behind the handle of a command buffer.
    RawCommandBuffer;
}
