//! The types that handles point to. Outside a backend, there is one opaque type per kind of object.

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
    /// The type behind the handle of a platform.
    RawPlatform;
    /// The type behind the handle of a device.
    RawDevice;
    /// The type behind the handle of a context.
    RawContext;
    /// The type behind the handle of a queue.
    RawQueue;
    /// The type behind the handle of a memory object.
    RawMem;
    /// The type behind the handle of a program.
    RawProgram;
    /// The type behind the handle of a kernel.
    RawKernel;
    /// The type behind the handle of an event.
    RawEvent;
    /// The type behind the handle of a sampler.
    RawSampler;
    /// The type behind the handle of a command buffer.
    RawCommandBuffer;
}
