//! Work-group sizes, which are checked, or chosen if the caller does not specify one.

use std::sync::atomic::Ordering;

use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, NdRange, Result};

use crate::device::device_context::DeviceContext;
use crate::device::device_object::Device;
use crate::kernel::device_kernel::{DeviceKernel, WorkGroupChoice};
use crate::sys::cuda;

/// A grid of work-groups. It is not yet known whether the kernel has enough registers for a work-group.
#[derive(Clone, Copy)]
pub(crate) struct Grid {
    pub(crate) groups: [u32; 3],
    pub(crate) local: [u32; 3],
    /// Whether the work-groups of all dimensions are folded into the first one, which the kernel must know.
    pub(crate) folded: bool,
}

/// Extends a size of one to three dimensions to three.
#[inline]
fn three(list: &[usize]) -> [usize; 3] {
    let mut all = [1; 3];
    for (to, from) in all.iter_mut().zip(list) {
        *to = *from;
    }
    all
}

/// Returns the one-dimensional grid that most launches have, or `None` if the general case must decide.
#[inline]
fn line(kernel: &DeviceKernel, device: &Device, global: usize, local: usize) -> Option<Grid> {
    let (global, local) = (u32::try_from(global).ok()?, u32::try_from(local).ok()?);
    let most = kernel.max_work_items.min(device.limits.block[0]);
    if global == 0 || local == 0 || local as usize > most || !global.is_multiple_of(local) {
        return None;
    }
    let count = global / local;
    let fits = count as usize <= device.limits.grid[0];
    fits.then_some(Grid { groups: [count, 1, 1], local: [local, 1, 1], folded: false })
}

/// Returns the grid of a launch, or `None` for a range without work-items.
#[inline(always)]
pub(crate) fn grid(
    kernel: &DeviceKernel,
    device_context: &DeviceContext,
    range: &NdRange<'_>,
) -> Result<Option<Grid>> {
    let device = &device_context.device;
    if let (&[global], Some(&[local]), None) = (range.global, range.local, kernel.required)
        && let Some(grid) = line(kernel, device, global, local)
    {
        return Ok(Some(grid));
    }
    let global = three(range.global);
    if global.contains(&0) {
        return Ok(None);
    }
    let local = match (range.local, kernel.required) {
        (Some(local), None) => three(local),
        (Some(local), Some(required)) if three(local) == required => required,
        (Some(local), Some(required)) => return Err(not_required(three(local), required)),
        (None, Some(required)) => required,
        (None, None) => choose(kernel, device_context, global)?,
    };
    let limits = &device.limits;
    let mut counts = [0_usize; 3];
    for dim in 0..3 {
        if local[dim] == 0 || local[dim] > limits.block[dim] || !global[dim].is_multiple_of(local[dim]) {
            return Err(bad_local(local, global, device));
        }
        counts[dim] = global[dim] / local[dim];
    }
    let fits = |counts: [usize; 3]| counts.iter().zip(limits.grid).all(|(count, most)| *count <= most);
    let folded = !fits(counts);
    // CUDA allows most work-groups in the first dimension.
    let groups = if folded { [counts.into_iter().fold(1, usize::saturating_mul), 1, 1] } else { counts };
    if folded && !(kernel.is_translated && fits(groups)) {
        return Err(too_many(global, local, kernel, device));
    }
    let [groups, local] = [groups, local].map(|sizes| sizes.map(|size| size as u32));
    Ok(Some(Grid { groups, local, folded }))
}

impl Grid {
    /// Returns the number of work-groups of a range in each dimension, whether or not the grid is folded.
    #[cold]
    pub(crate) fn counts(&self, range: &NdRange<'_>) -> [u64; 3] {
        let global = three(range.global);
        std::array::from_fn(|dim| global[dim] as u64 / u64::from(self.local[dim]))
    }

    /// Returns the number of work-items in a work-group.
    #[inline]
    pub(crate) fn work_items(&self) -> usize {
        self.local.iter().map(|size| *size as usize).product()
    }
}

/// Returns the size that a launch without one uses.
pub(crate) fn suggested(
    kernel: &DeviceKernel,
    device_context: &DeviceContext,
    global: &[usize],
) -> Result<[usize; 3]> {
    match kernel.required {
        Some(required) => Ok(required),
        None if global.contains(&0) => Ok([1; 3]),
        None => choose(kernel, device_context, three(global)),
    }
}

#[cold]
fn not_required(local: [usize; 3], required: [usize; 3]) -> Error {
    let text = format!("a work-group size of {local:?}; the kernel was built for {required:?} alone");
    Error::new(ErrorCode::INVALID_WORK_GROUP_SIZE, text)
}

#[cold]
fn bad_local(local: [usize; 3], global: [usize; 3], device: &Device) -> Error {
    let text = format!(
        "the work-group size {local:?} must be positive, divide the global size {global:?} and be at most {:?}",
        device.limits.block
    );
    Error::new(ErrorCode::INVALID_WORK_GROUP_SIZE, text)
}

#[cold]
fn too_many(global: [usize; 3], local: [usize; 3], kernel: &DeviceKernel, device: &Device) -> Error {
    let most = device.limits.grid;
    let most = match kernel.is_translated {
        true => format!("{} work-groups in all", most[0]),
        false => format!("{most:?} work-groups"),
    };
    let text = format!("global_work_size {global:?} in work-groups of {local:?} is more than {most}");
    Error::new(ErrorCode::INVALID_GLOBAL_WORK_SIZE, text)
}

/// The registers that a work-group needs if it has too many work-items for the kernel's registers.
pub(crate) struct RegistersNeeded {
    work_items: usize,
    needed: usize,
    there: usize,
}

/// Refuses a work-group that is too large regardless of registers. Otherwise, returns the registers that it needs.
#[cold]
pub(crate) fn registers_needed(
    work_items: usize,
    kernel: &DeviceKernel,
    device: &Device,
) -> Result<RegistersNeeded> {
    let limits = &device.limits;
    // Devices allocate registers to groups of 4 warps, in multiples of eight.
    let warps = work_items.checked_next_multiple_of(128).unwrap_or(usize::MAX);
    let needed = warps.saturating_mul(kernel.registers.next_multiple_of(8));
    if work_items <= limits.threads.min(kernel.largest) && needed > limits.registers {
        return Ok(RegistersNeeded { work_items, needed, there: limits.registers });
    }
    let most = kernel.max_work_items;
    let text = format!("a work-group size of {work_items} work-items; the kernel takes {most} at most");
    Err(Error::new(ErrorCode::INVALID_WORK_GROUP_SIZE, text))
}

impl RegistersNeeded {
    /// Returns the error for a kernel that cannot be built with fewer registers.
    pub(crate) fn error(&self, why: &str) -> Error {
        let Self { work_items, needed, there } = self;
        let text = format!(
            "a work-group size of {work_items} work-items needs {needed} registers, the device has {there} for one, and the \
             kernel cannot be built with fewer: {why}"
        );
        Error::new(ErrorCode::OUT_OF_RESOURCES, text)
    }
}

/// Chooses a size that divides the global size. It is close to the driver's suggestion, and a multiple of a warp if
/// possible.
fn choose(kernel: &DeviceKernel, device_context: &DeviceContext, global: [usize; 3]) -> Result<[usize; 3]> {
    let mut choice = kernel.choice.lock();
    if choice.global == global {
        return Ok(choice.local);
    }
    let mut suggested = kernel.suggested.load(Ordering::Relaxed);
    if suggested == 0 {
        let mut grid = 0;
        let _current = device_context.enter()?;
        cuda()?.cuOccupancyMaxPotentialBlockSize(&mut grid, &mut suggested, kernel.raw.get(), None, 0, 0)?;
        kernel.suggested.store(suggested, Ordering::Relaxed);
    }
    let limits = &device_context.device.limits;
    let mut most = (suggested.max(1) as usize).min(kernel.max_work_items).max(1);
    let mut local = [1; 3];
    for dim in 0..3 {
        local[dim] =
            divisor(global[dim], most.min(limits.block[dim]), if dim == 0 { limits.warp } else { 1 });
        most /= local[dim];
    }
    *choice = WorkGroupChoice { global, local };
    Ok(local)
}

/// Returns the largest divisor of `size` up to `most`, or a multiple of `warp` if one is at least half as large.
fn divisor(size: usize, most: usize, warp: usize) -> usize {
    let largest = |step: usize| {
        (1..=most / step).rev().map(|count| count * step).find(|candidate| size.is_multiple_of(*candidate))
    };
    let any = largest(1).unwrap_or(1);
    match largest(warp.max(1)) {
        Some(whole) if whole * 2 >= any => whole,
        _ => any,
    }
}

#[cfg(test)]
mod tests {
    use super::divisor;

    #[test]
    fn a_size_is_the_largest_divisor_and_whole_warps_where_they_lose_little() {
        for (size, most, warp, expected) in [
            (1024, 256, 32, 256),
            (1000, 256, 32, 250),
            (96, 64, 32, 32),
            (96, 48, 32, 32),
            (192, 96, 64, 64),
            (130, 70, 1, 65),
            // The only multiple of a warp is 32 work-items, and 100 is more than twice as large.
            (800, 100, 32, 100),
            (64, 64, 64, 64),
            (320, 80, 40, 80),
            (160, 32, 16, 32),
            (7, 4, 32, 1),
            (7, 7, 0, 7),
            (5, 1, 32, 1),
        ] {
            assert_eq!(divisor(size, most, warp), expected, "{size} {most} {warp}");
        }
    }
}
