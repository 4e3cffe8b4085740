//! `pi_mem_advice` as PI 9.11 to 14.37 number it: single values, bit flags since.

use crate::consts::*;
use crate::types::pi_mem_advice;

/// The number in PI 14.39 and later for an advice numbered as until 14.37; none for a number that was not given out.
///
/// The ten CUDA hints moved from 101..=110 to single bits; `PI_MEM_ADVICE_RESET` stayed 0, and "unknown" was 999 (0 in
/// 9.11, where it is indistinguishable from a reset and asks for as little).
pub const fn from_until_14_37(advice: pi_mem_advice) -> Option<pi_mem_advice> {
    match advice {
        0 => Some(PI_MEM_ADVICE_RESET),
        101..=110 => Some(1 << (advice - 101)),
        999 => Some(PI_MEM_ADVICE_UNKNOWN),
        _ => None,
    }
}
