//! Types and constants. `cargo xtask headers` generates all files but this one and `zex`.
#![expect(unsafe_code, reason = "marks the driver's structures as plain memory")]

pub mod constants;
pub mod enums;
pub mod flags;
pub mod handles;
pub mod structs;
pub mod zex;

pub use constants::*;
pub use enums::*;
pub use flags::*;
pub use handles::*;
pub use structs::*;
pub use zex::*;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_default_has_its_type() {
        assert_eq!(ze_device_properties_t::default().stype, ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES);
        assert_eq!(ze_copy_region_t::default().width, 0);
    }
}
