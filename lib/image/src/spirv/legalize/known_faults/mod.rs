//! The known faults of drivers.

mod pocl;
mod rusticl;

use super::known_fault::KnownFault;

/// Returns the known faults.
pub fn known_faults() -> impl Iterator<Item = &'static KnownFault> {
    [pocl::FAULTS, rusticl::FAULTS].into_iter().flatten()
}
