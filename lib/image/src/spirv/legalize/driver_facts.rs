//! A driver's answers about itself.

pub(super) const POCL: &str = "Portable Computing Language";
pub(super) const RUSTICL: &str = "rusticl";

/// A driver's answers about itself and one device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DriverFacts {
    /// `CL_PLATFORM_NAME`.
    pub platform: String,
    /// The first two numbers of `CL_DRIVER_VERSION`.
    pub version: (u32, u32),
    /// Whether `CL_DEVICE_TYPE` is a CPU.
    pub is_cpu: bool,
    /// Whether `CL_DEVICE_EXTENSIONS` lists `cl_khr_fp16`.
    pub has_halves: bool,
    /// Whether the device is this computer's processor, and has instructions that convert half-precision numbers.
    pub converts_halves: bool,
    /// `CL_DEVICE_MAX_NUM_SUB_GROUPS`, if the driver supports this query.
    pub most_sub_groups: Option<u32>,
    /// `CL_DEVICE_MAX_WORK_GROUP_SIZE`.
    pub most_items: u32,
}
