//! What filters know a device by.

use crate::DeviceType;

/// What filters know a device by.
#[derive(Clone, Copy, Debug)]
pub struct DeviceId<'a> {
    /// The backend's name.
    pub backend: &'a str,
    /// The device's kind.
    pub kind: DeviceType,
    /// Its number among all root devices of the backend, in the order of platforms.
    pub number: u32,
}
