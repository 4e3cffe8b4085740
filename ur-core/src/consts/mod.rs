//! Every constant of the interface, one file per object, under its C name. `cargo xtask headers` generates the other
//! files of this folder.
//!
//! A plain name has the value of the newest layout that has the constant. If older layouts use another value, a
//! separate constant has that value: `NAME_until_2025_0` is the value in the layouts up to 2025.0. A constant marked
//! with layouts exists only in these layouts; its number may mean something else in others. The `FORCE_UINT32` items,
//! which only set the size of the C types, are left out.

/// One enumeration of the interface.
#[derive(Clone, Copy, Debug)]
pub struct Enumeration {
    /// The C name of its type.
    pub name: &'static str,
    /// Names and values of its constants, including those of older layouts.
    pub items: &'static [(&'static str, u32)],
}

/// Declares C enumerations: their types, their constants and the file's list of them.
macro_rules! enumerations {
    ($($(#[$doc:meta])* $name:ident { $($(#[$item_doc:meta])* $item:ident = $value:expr;)* })*) => {
        $(
            $(#[$doc])*
            pub type $name = u32;
            $(
                #[doc = concat!("[`", stringify!($name), "`].")]
                $(#[$item_doc])*
                pub const $item: $name = $value;
            )*
        )*
        pub(super) const ENUMERATIONS: &[super::Enumeration] = &[$(super::Enumeration {
            name: stringify!($name),
            items: &[$((stringify!($item), $item)),*],
        }),*];
    };
}

/// Declares the masks of unused bits and their list.
macro_rules! masks {
    ($($(#[$doc:meta])* $name:ident: $ty:ident = $value:literal;)*) => {
        $(
            #[doc = concat!("The bits of [`", stringify!($ty), "`] that mean nothing.")]
            $(#[$doc])*
            pub const $name: $ty = $value;
        )*
        /// Names and values of all masks, including those of older layouts.
        pub const MASKS: &[(&str, u32)] = &[$((stringify!($name), $name)),*];
    };
}

/// Declares texts and their list.
macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident = $value:literal;)*) => {
        $(
            #[doc = concat!("The text `", stringify!($value), "`.")]
            $(#[$doc])*
            pub const $name: &core::ffi::CStr = $value;
        )*
        /// Names and values of all texts.
        pub const TEXTS: &[(&str, &core::ffi::CStr)] = &[$((stringify!($name), $name)),*];
    };
}

mod adapter;
mod bindless;
mod command_buffer;
mod context;
mod device;
mod enqueue;
mod event;
mod image;
mod kernel;
mod loader;
mod masks;
mod mem;
mod peer;
mod platform;
mod program;
mod queue;
mod result;
mod sampler;
mod structure;
mod tensor_map;
mod texts;
mod usm;
mod version;
mod virtual_mem;

pub use adapter::*;
pub use bindless::*;
pub use command_buffer::*;
pub use context::*;
pub use device::*;
pub use enqueue::*;
pub use event::*;
pub use image::*;
pub use kernel::*;
pub use loader::*;
pub use masks::*;
pub use mem::*;
pub use peer::*;
pub use platform::*;
pub use program::*;
pub use queue::*;
pub use result::*;
pub use sampler::*;
pub use structure::*;
pub use tensor_map::*;
pub use texts::*;
pub use usm::*;
pub use version::*;
pub use virtual_mem::*;

/// Every enumeration, in one list per file.
pub const ENUMERATIONS: &[&[Enumeration]] = &[
    adapter::ENUMERATIONS,
    bindless::ENUMERATIONS,
    command_buffer::ENUMERATIONS,
    context::ENUMERATIONS,
    device::ENUMERATIONS,
    enqueue::ENUMERATIONS,
    event::ENUMERATIONS,
    image::ENUMERATIONS,
    kernel::ENUMERATIONS,
    loader::ENUMERATIONS,
    mem::ENUMERATIONS,
    peer::ENUMERATIONS,
    platform::ENUMERATIONS,
    program::ENUMERATIONS,
    queue::ENUMERATIONS,
    result::ENUMERATIONS,
    sampler::ENUMERATIONS,
    structure::ENUMERATIONS,
    tensor_map::ENUMERATIONS,
    usm::ENUMERATIONS,
    version::ENUMERATIONS,
    virtual_mem::ENUMERATIONS,
];

/// Returns the enumeration with the given C name.
pub fn enumeration(name: &str) -> Option<&'static Enumeration> {
    ENUMERATIONS.iter().copied().flatten().find(|enumeration| enumeration.name == name)
}
