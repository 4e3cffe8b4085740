//! The numbers and small structures of the interface between fronts and backends.
//!
//! A number that exists in OpenCL or one of its extensions is OpenCL's; the others are defined by this crate. Each
//! front translates between them and its interface. Every type accepts any number, because callers may pass any:
//! backends refuse those that they do not know.
#![expect(unsafe_code, reason = "marks plain types as such")]

/// Declares numbered names.
macro_rules! enumeration {
    ($(#[$doc:meta])* pub struct $type:ident: $repr:ident { $($name:ident = $value:expr,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(transparent)]
        pub struct $type(pub $repr);

        impl $type {
            $(
                #[doc = concat!("Number ", stringify!($value), ".")]
                pub const $name: Self = Self($value);
            )*

            /// All names with their numbers.
            pub const ALL: &'static [(&'static str, Self)] = &[$((stringify!($name), Self::$name)),*];
        }

        impl core::fmt::Debug for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match Self::ALL.iter().find(|(_, known)| known == self) {
                    Some((name, _)) => f.write_str(name),
                    None => write!(f, "{:#x}", self.0),
                }
            }
        }

        impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl core::fmt::LowerHex for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::LowerHex::fmt(&self.0, f)
            }
        }

        // SAFETY: this is one number without padding.
        unsafe impl crate::plain::Plain for $type {}
    };
}

/// Declares sets of bits.
macro_rules! flags {
    ($(#[$doc:meta])* pub struct $type:ident: $repr:ident { $($name:ident = $value:expr,)* }) => {
        bitflags::bitflags! {
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
            #[repr(transparent)]
            pub struct $type: $repr {
                $(
                    #[doc = concat!("Bits ", stringify!($value), ".")]
                    const $name = $value;
                )*
            }
        }

        // SAFETY: this is one number without padding.
        unsafe impl crate::plain::Plain for $type {}
    };
}

mod context;
mod device;
mod device_info;
mod error_code;
mod event;
mod image;
mod kernel;
mod mem;
mod platform;
mod program;
mod queue;
mod sampler;
mod usm;

pub use context::*;
pub use device::*;
pub use device_info::*;
pub use error_code::*;
pub use event::*;
pub use image::*;
pub use kernel::*;
pub use mem::*;
pub use platform::*;
pub use program::*;
pub use queue::*;
pub use sampler::*;
pub use usm::*;

/// A driver's native handle, as passed by interop code.
pub type NativeHandle = usize;
/// The position of a command in a command buffer.
pub type SyncPoint = u32;
