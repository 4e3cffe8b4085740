//! The functions that a fuzzer calls. They pass any bytes through everything that parses or crosses the interface.
//!
//! Each target is a plain function of bytes that panics when a guarantee is broken. The programs in `libfuzzer/` run
//! them with libFuzzer, and the test `short` runs them on damaged seeds without it.
#![expect(unsafe_code, reason = "the targets take pointers")]
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a broken promise ends the run: that is how a fuzzer hears of it"
)]

mod cache;
mod code;
mod device_binaries;
mod image;
mod nvvm;
mod plugin_init;
mod program;
mod selector;

/// A function that takes any bytes.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name of the fuzz target, and of the folder of its seeds in `libfuzzer/seeds`.
    pub name: &'static str,
    /// The function.
    pub run: fn(&[u8]),
}

macro_rules! targets {
    ($($name:ident: $function:path,)*) => {
        /// Every target, in the order of their names.
        pub const TARGETS: &[Target] = &[$(Target { name: stringify!($name), run: $function }),*];

        $(
            #[doc = concat!("The target `", stringify!($name), "`.")]
            pub fn $name(input: &[u8]) {
                $function(input);
            }
        )*
    };
}

targets! {
    cache_config: cache::config,
    cache_files: cache::files,
    cache_folder: cache::folder,
    device_binaries: device_binaries::run,
    device_selector: selector::run,
    image_properties: image::properties,
    image_spirv: image::spirv,
    image_text: image::text,
    image_unwrap: code::unwrap,
    plugin_init: plugin_init::run,
    program_il: program::il,
    spec_constants: image::spec_constants,
    spirv_emulate: code::emulated,
    spirv_legalize: code::legalized,
    spirv_mismatch: code::mismatched,
    spirv_nvvm: nvvm::translated,
    spirv_portable: code::ported,
}
