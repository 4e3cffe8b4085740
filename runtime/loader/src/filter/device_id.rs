//! The properties by which filters identify a device.

use crate::DeviceType;

/// The properties by which filters identify a device.
#[derive(Clone, Copy, Debug)]
pub struct DeviceId<'a> {
    /// The backend's name.
    pub backend: &'a str,
    /// The device's kind.
    pub kind: DeviceType,
    /// Its number among all root devices of the backend, in the order of platforms.
    pub number: u32,
}
