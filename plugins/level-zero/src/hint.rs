//! Hints about memory: prefetches and advice.

use sycl_pi_backend::types::MemAdvice;
use sycl_pi_backend::{Result, last_error};

use crate::objects::Device;
use crate::submission::AppendTarget;
use crate::sys::{Address, ze, *};

/// Converts the caller's advice to the driver's.
fn advices(advice: MemAdvice) -> Vec<ze_memory_advice_t> {
    let pairs = [
        (MemAdvice::CUDA_SET_READ_MOSTLY, ZE_MEMORY_ADVICE_SET_READ_MOSTLY),
        (MemAdvice::CUDA_UNSET_READ_MOSTLY, ZE_MEMORY_ADVICE_CLEAR_READ_MOSTLY),
        (MemAdvice::CUDA_SET_PREFERRED_LOCATION, ZE_MEMORY_ADVICE_SET_PREFERRED_LOCATION),
        (MemAdvice::CUDA_UNSET_PREFERRED_LOCATION, ZE_MEMORY_ADVICE_CLEAR_PREFERRED_LOCATION),
    ];
    if advice == MemAdvice::RESET {
        return vec![ZE_MEMORY_ADVICE_CLEAR_READ_MOSTLY, ZE_MEMORY_ADVICE_CLEAR_PREFERRED_LOCATION];
    }
    if advice == MemAdvice::UNKNOWN {
        return Vec::new();
    }
    pairs.iter().filter(|(bit, _)| advice.contains(*bit)).map(|(_, ze)| *ze).collect()
}

/// Appends a hint, followed by the event.
pub(crate) fn append_hint(target: AppendTarget, hint: impl FnOnce() -> Result<()>) -> Result<()> {
    target.wait()?;
    // A hint that the driver rejects does no harm, so this is a warning, not an error.
    if let Err(error) = hint() {
        last_error::record_warning(error.to_string());
    }
    target.end()
}

/// Appends advice.
pub(crate) fn advise(
    list: ze_command_list_handle_t,
    device: &Device,
    ptr: Address,
    length: usize,
    advice: MemAdvice,
) -> Result<()> {
    let ze = ze()?;
    advices(advice)
        .into_iter()
        .try_for_each(|advice| ze.zeCommandListAppendMemAdvise(list, device.ze, ptr.get(), length, advice))
}
