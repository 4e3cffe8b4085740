//! The types of devices.

use std::fmt;

use sycl_pi_core::*;

/// The type of a device, with its names in selectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeviceType {
    /// A processor that also runs the host.
    Cpu,
    /// A graphics processor.
    Gpu,
    /// An accelerator; selectors also accept `fpga`.
    Accelerator,
    /// Anything else.
    Custom,
}

impl DeviceType {
    /// Every type.
    pub const ALL: [Self; 4] = [Self::Cpu, Self::Gpu, Self::Accelerator, Self::Custom];

    /// Returns the short name: `cpu`, `gpu`, `acc`, `custom`.
    pub const fn name(self) -> &'static str {
        match self {
            DeviceType::Cpu => "cpu",
            DeviceType::Gpu => "gpu",
            DeviceType::Accelerator => "acc",
            DeviceType::Custom => "custom",
        }
    }

    pub(crate) fn of_bits(bits: u64) -> Self {
        match bits {
            _ if bits & PI_DEVICE_TYPE_CPU != 0 => DeviceType::Cpu,
            _ if bits & PI_DEVICE_TYPE_GPU != 0 => DeviceType::Gpu,
            _ if bits & PI_DEVICE_TYPE_ACC != 0 => DeviceType::Accelerator,
            _ => DeviceType::Custom,
        }
    }
}

impl fmt::Display for DeviceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
