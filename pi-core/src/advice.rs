//! `pi_mem_advice` as numbered by PI 9.11 to 14.37, which used single values. Later versions use bit flags.

use crate::consts::*;
use crate::types::pi_mem_advice;

/// Returns the number used since PI 14.39 for an advice numbered as in PI 14.37 and earlier, or `None` for an unknown
/// number.
///
/// The ten CUDA hints moved from 101..=110 to single bits, and `PI_MEM_ADVICE_RESET` stayed 0. "Unknown" was 999, or 0
/// in 9.11, where it cannot be told apart from a reset. Both ask for nothing.
pub const fn from_until_14_37(advice: pi_mem_advice) -> Option<pi_mem_advice> {
    match advice {
        0 => Some(PI_MEM_ADVICE_RESET),
        101..=110 => Some(1 << (advice - 101)),
        999 => Some(PI_MEM_ADVICE_UNKNOWN),
        _ => None,
    }
}
