//! The objects of a backend, and how the traits of their families are declared.

use crate::raw::*;
use crate::types::PlatformBackend;
use crate::{Error, Object};

/// Declares a family's trait. Each method's default answers that this backend does not support it.
macro_rules! api {
    ($(#[$doc:meta])* trait $api:ident {
        $($(#[$method_doc:meta])* fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?;)*
    }) => {
        $(#[$doc])*
        #[allow(unused_variables, clippy::too_many_arguments)]
        pub trait $api: $crate::api::Objects {
            $(
                $(#[$method_doc])*
                #[allow(unused_parens)]
                fn $name($($arg: $ty),*) -> $crate::Result<($($ret)?)> {
                    Err($crate::api::objects::unsupported::<Self>())
                }
            )*
        }
    };
}

/// The object types of a backend.
pub trait Objects: Sized + 'static {
    /// The backend's name in error texts: "OpenCL".
    const BACKEND: &'static str;
    /// The driver interface of its platforms.
    const INTERFACE: PlatformBackend;
    /// The driver interface that its platforms name. Another than their own where the user asks for it.
    fn interface() -> PlatformBackend {
        Self::INTERFACE
    }
    /// Whether handles are the driver's own objects, which the driver counts.
    const HANDLES_ARE_NATIVE: bool = false;
    /// Whether binaries may come without their lengths: texts that end with a NUL.
    const BINARIES_MAY_BE_TEXTS: bool = false;
    /// A platform.
    type Platform: Object<Raw = RawPlatform>;
    /// A device.
    type Device: Object<Raw = RawDevice>;
    /// A context.
    type Context: Object<Raw = RawContext>;
    /// A queue.
    type Queue: Object<Raw = RawQueue>;
    /// A buffer or an image.
    type Mem: Object<Raw = RawMem>;
    /// A program.
    type Program: Object<Raw = RawProgram>;
    /// A kernel.
    type Kernel: Object<Raw = RawKernel>;
    /// An event.
    type Event: Object<Raw = RawEvent>;
    /// A sampler.
    type Sampler: Object<Raw = RawSampler>;
    /// A command buffer.
    type CommandBuffer: Object<Raw = RawCommandBuffer>;
}

/// The answer of a method that a backend leaves out.
#[cold]
pub(super) fn unsupported<B: Objects>() -> Error {
    Error::unsupported(format!("not supported by the {} backend", B::BACKEND))
}
