//! Structures that cross the boundary by pointer or value.
//!
//! A plain name is the newest form. If older layouts have another form, `NAME_until_2025_1` is the form in the layouts
//! up to 2025.1.

mod base;
mod bindless;
mod command_buffer;
mod device;
mod kernel;
mod mem;
mod program;
mod queue;
mod sampler;
mod usm;

pub use base::*;
pub use bindless::*;
pub use command_buffer::*;
pub use device::*;
pub use kernel::*;
pub use mem::*;
pub use program::*;
pub use queue::*;
pub use sampler::*;
pub use usm::*;

/// Implements `Debug` for unions. Only the name is printed, because the active member is stored elsewhere.
macro_rules! debug_of_unions {
    ($($name:ident)*) => { $(
        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    )* };
}

debug_of_unions! {
    ur_device_partition_value_t ur_exp_kernel_arg_value_t ur_exp_launch_property_value_t
    ur_exp_launch_property_value_t_until_2025_0 ur_kernel_launch_property_value_t ur_program_metadata_value_t
}
