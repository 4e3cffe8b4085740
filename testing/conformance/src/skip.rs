//! Reasons for which a case may be skipped. A backend's expectations file lists those that apply to its drivers.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether this process calls an adapter through PI.
static THROUGH_UR: AtomicBool = AtomicBool::new(false);

/// From now on, a function that is not in the table counts as missing in UR.
pub(crate) fn through_ur() {
    THROUGH_UR.store(true, Ordering::Relaxed);
}

/// Returns whether this process calls an adapter through PI.
pub(crate) fn is_through_ur() -> bool {
    THROUGH_UR.load(Ordering::Relaxed)
}

/// The version's table does not have the function, or the version does not have the number, according to the list
/// of entry points.
pub(crate) const NOT_IN_VERSION: &str = "not in this PI version";
/// PI has the function, but UR has no counterpart.
pub(crate) const NO_COUNTERPART: &str = "UR has no such call";
pub(crate) const NOT_IN_LAYOUT: &str = "not in this layout of UR";
pub(crate) const ONE_LAYOUT: &str = "the file serves one layout";
pub(crate) const NO_FEATURE: &str = "the device has no such extension";
pub(crate) const NO_DEVICE_CODE: &str = "the driver takes no kind of device code that is here";
pub(crate) const NO_SPIRV: &str = "the device takes no SPIR-V";
pub(crate) const NO_PTX: &str = "the driver takes no PTX";
pub(crate) const NO_FP64: &str = "the device has no doubles";
pub(crate) const NO_IMAGES: &str = "the device has no images";
pub(crate) const NO_NATIVE_SAMPLER: &str = "CUDA has no sampler objects";
pub(crate) const NO_USM: &str = "the device has no such USM";
pub(crate) const NO_PARTS: &str = "the device cannot be partitioned so";
pub(crate) const NO_LINKER: &str = "the device has no linker";
pub(crate) const NO_OUT_OF_ORDER: &str = "the device has no out-of-order queues";
pub(crate) const NO_GLOBALS: &str = "the driver has no access to device globals";
pub(crate) const NO_TIMER: &str = "the driver has no timer";
pub(crate) const NO_COMMAND_BUFFERS: &str = "the driver has no command buffers";
pub(crate) const NO_PROFILING: &str = "the device has no profiling";
pub(crate) const NO_EMPTY_QUERY: &str = "the plugin cannot say whether a queue is empty";
pub(crate) const ONE_DEVICE: &str = "there is one device only";
pub(crate) const ALL_SUPPORTED: &str = "the device has what the case wants to be missing";
pub(crate) const ONE_RUNTIME: &str = "the file serves one PI version, for one runtime";
pub(crate) const OTHER_BACKEND: &str = "about another backend";
pub(crate) const TOO_FAST: &str = "the command was done before it could be looked at";

/// Reasons that the file itself shows, whatever the driver. Expectations do not list them.
pub(crate) const OF_FILES: [&str; 3] = [NOT_IN_VERSION, NOT_IN_LAYOUT, ONE_RUNTIME];
