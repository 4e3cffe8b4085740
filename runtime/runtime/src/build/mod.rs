//! The steps from a kernel's name to a built program: choice of the image, requirements, imports, specialization
//! constants, build.

mod build_options;
mod choose;
mod closure;
mod compile;
mod device_libraries;
#[cfg(test)]
mod made_up;
mod matrix;
mod names;
mod options;
mod program;
mod require;
mod spec;
mod stored;

pub use build_options::BuildOptions;
pub(crate) use choose::choose;
pub(crate) use closure::{closure, left_to_the_driver};
pub(crate) use device_libraries::{device_libraries, missing_libraries};
pub(crate) use matrix::Combination;
pub(crate) use names::{no_global, no_image, no_kernel};
pub(crate) use program::BuiltProgram;
pub(crate) use require::check;
pub use spec::SpecValues;
