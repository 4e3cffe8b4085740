//! Unified shared memory.

use core::ffi::c_void;
use core::ptr::NonNull;

use crate::types::*;
use crate::{Dependencies, Error, Fill, Info, Properties, Result};

/// A request for a USM allocation.
#[derive(Clone, Copy, Debug)]
pub struct UsmRequest<'a> {
    /// Allocation flags and buffer location.
    pub properties: Properties<'a, u64>,
    /// Size in bytes.
    pub size: usize,
    /// Alignment: a power of two, or 0 for the default.
    pub alignment: u32,
}

api! {
    /// Unified shared memory: allocations, queries, and commands on addresses.
    trait UsmApi {
        /// Allocates host memory that devices of the context can access.
        #[doc(alias = "piextUSMHostAlloc")]
        #[doc(alias = "urEnqueueUSMHostAllocExp")]
        #[doc(alias = "urUSMHostAlloc")]
        fn usm_host_alloc(context: &Self::Context, request: UsmRequest<'_>) -> NonNull<c_void>;
        /// Allocates device memory.
        #[doc(alias = "piextUSMDeviceAlloc")]
        #[doc(alias = "urEnqueueUSMDeviceAllocExp")]
        #[doc(alias = "urUSMDeviceAlloc")]
        fn usm_device_alloc(context: &Self::Context, device: &Self::Device, request: UsmRequest<'_>)
            -> NonNull<c_void>;
        /// Allocates memory that the host and a device share, or all devices of the context if none is given.
        #[doc(alias = "piextUSMSharedAlloc")]
        #[doc(alias = "urEnqueueUSMSharedAllocExp")]
        #[doc(alias = "urUSMSharedAlloc")]
        fn usm_shared_alloc(context: &Self::Context, device: Option<&Self::Device>, request: UsmRequest<'_>)
            -> NonNull<c_void>;
        /// Allocates rows on the device, with a pitch suitable for images.
        #[doc(alias = "piextUSMPitchedAlloc")]
        #[doc(alias = "urUSMPitchedAllocExp")]
        fn usm_pitched_alloc(context: &Self::Context, device: &Self::Device,
            properties: Properties<'_, u64>, width: usize, height: usize, element_size: u32)
            -> (NonNull<c_void>, usize);
        /// Frees an allocation after waiting for commands that use it.
        #[doc(alias = "piextUSMFree")]
        #[doc(alias = "urEnqueueUSMFreeExp")]
        #[doc(alias = "urUSMFree")]
        fn usm_free(context: &Self::Context, ptr: NonNull<c_void>);
        /// Enqueues a command that sets `count` bytes to the low byte of `value`.
        #[doc(alias = "piextUSMEnqueueMemset")]
        #[doc(alias = "urEnqueueUSMFill")]
        fn enqueue_usm_memset(queue: &Self::Queue, ptr: *mut c_void, value: u8, count: usize,
            dependencies: Dependencies<'_, Self::Event>);
        /// Enqueues a copy of `size` bytes between any two of host, device and shared memory.
        #[doc(alias = "piextUSMEnqueueMemcpy")]
        #[doc(alias = "urEnqueueUSMMemcpy")]
        fn enqueue_usm_memcpy(queue: &Self::Queue, blocking: bool, dst: *mut c_void, src: *const c_void,
            size: usize, dependencies: Dependencies<'_, Self::Event>);
        /// Enqueues a hint that the device will soon use the range.
        #[doc(alias = "piextUSMEnqueuePrefetch")]
        #[doc(alias = "urEnqueueUSMPrefetch")]
        fn enqueue_usm_prefetch(queue: &Self::Queue, ptr: *const c_void, size: usize,
            flags: UsmMigrationFlags, dependencies: Dependencies<'_, Self::Event>);
        /// Enqueues a hint about the use of the range.
        #[doc(alias = "piextUSMEnqueueMemAdvise")]
        #[doc(alias = "urEnqueueUSMAdvise")]
        fn enqueue_usm_mem_advise(queue: &Self::Queue, ptr: *const c_void, length: usize, advice: MemAdvice,
            dependencies: Dependencies<'_, Self::Event>);
        /// Answers queries for type, start, size and device of the allocation that contains the address.
        #[doc(alias = "piextUSMGetMemAllocInfo")]
        #[doc(alias = "urUSMGetMemAllocInfo")]
        fn usm_mem_alloc_info(context: &Self::Context, ptr: *const c_void, name: UsmAllocInfo,
            info: Info<'_>);
        /// Enqueues a fill of rows of `width` bytes with a repeated pattern, which fits into a row a whole number of
        /// times: see [`Fill`]. A fill with a pattern of several bytes has one row.
        #[doc(alias = "piextUSMEnqueueFill2D")]
        #[doc(alias = "urEnqueueUSMFill")]
        #[doc(alias = "urEnqueueUSMFill2D")]
        fn enqueue_usm_fill_2d(queue: &Self::Queue, ptr: *mut c_void, pitch: usize, fill: Fill<'_>,
            dependencies: Dependencies<'_, Self::Event>);
        /// Enqueues a command that sets rows of `width` bytes to the low byte of `value`.
        #[doc(alias = "piextUSMEnqueueMemset2D")]
        fn enqueue_usm_memset_2d(queue: &Self::Queue, ptr: *mut c_void, pitch: usize, value: u8, width: usize,
            height: usize, dependencies: Dependencies<'_, Self::Event>);
        /// Enqueues a copy of rows of `width` bytes.
        #[doc(alias = "piextUSMEnqueueMemcpy2D")]
        #[doc(alias = "urEnqueueUSMMemcpy2D")]
        fn enqueue_usm_memcpy_2d(queue: &Self::Queue, blocking: bool, dst: (*mut c_void, usize),
            src: (*const c_void, usize), width: usize, height: usize, dependencies: Dependencies<'_, Self::Event>);
        /// Registers host memory with the driver. Does nothing if that has no benefit.
        #[doc(alias = "piextUSMImport")]
        #[doc(alias = "urUSMImportExp")]
        fn usm_import(ptr: *const c_void, size: usize, context: &Self::Context);
        /// Undoes an import.
        #[doc(alias = "piextUSMRelease")]
        #[doc(alias = "urUSMReleaseExp")]
        fn usm_release(ptr: *const c_void, context: &Self::Context);
        /// Makes the program's host memory USM memory of the context, which kernels can also access, until it is
        /// unregistered.
        #[doc(alias = "urUSMHostAllocRegisterExp")]
        fn usm_host_register(context: &Self::Context, ptr: *mut c_void, size: usize);
        /// Undoes such a registration.
        #[doc(alias = "urUSMHostAllocUnregisterExp")]
        fn usm_host_unregister(context: &Self::Context, ptr: *mut c_void);
    }
}

impl UsmRequest<'_> {
    /// Refuses an alignment that is not a power of two, unknown properties, and a size larger than any memory.
    ///
    /// # Errors
    ///
    /// `INVALID_VALUE`, or `INVALID_BUFFER_SIZE`.
    #[inline(always)]
    pub fn check(&self) -> Result<()> {
        let is_power_of_two = self.alignment & self.alignment.wrapping_sub(1) == 0;
        if is_power_of_two && self.properties.is_empty() && self.size <= isize::MAX as usize {
            return Ok(());
        }
        self.check_rare()
    }

    #[cold]
    fn check_rare(&self) -> Result<()> {
        let Self { properties, size, alignment } = *self;
        if size > isize::MAX as usize {
            let text = format!("size {size:#x} is more than an address space has");
            return Err(Error::new(ErrorCode::INVALID_BUFFER_SIZE, text));
        }
        if !alignment.is_power_of_two() && alignment != 0 {
            return Err(Error::invalid_value(format!("alignment {alignment} is not a power of two")));
        }
        for (key, value) in properties.pairs() {
            let text = match key {
                usm_property::ALLOC_FLAGS if UsmAllocFlags::all().bits() & value == value => continue,
                usm_property::BUFFER_LOCATION => continue,
                usm_property::ALLOC_FLAGS => format!("properties has unknown allocation flags: {value:#x}"),
                _ => format!("properties has the unknown allocation property {key:#x}"),
            };
            return Err(Error::invalid_value(text));
        }
        Ok(())
    }
}

/// Refuses rows that overlap or are empty, as SYCL's 2D copies, memsets and fills require.
///
/// # Errors
///
/// `INVALID_VALUE`, where the message uses `name` for the pitch.
pub fn check_2d(pitch: usize, width: usize, height: usize, name: &str) -> Result<()> {
    if width == 0 || height == 0 || pitch < width {
        return Err(Error::invalid_value(format!(
            "{name} is {pitch}, width {width}, height {height}: rows must not be empty nor longer than the pitch"
        )));
    }
    if pitch.checked_mul(height - 1).and_then(|start| start.checked_add(width)).is_none() {
        return Err(Error::invalid_value(format!("{name} times height is past the end of memory")));
    }
    Ok(())
}

/// Refuses unknown prefetch flags.
///
/// # Errors
///
/// `INVALID_VALUE`.
pub fn check_migration(flags: UsmMigrationFlags) -> Result<()> {
    if !UsmMigrationFlags::all().contains(flags) {
        return Err(Error::invalid_value(format!("flags has the unknown migration flags {flags:#x}")));
    }
    Ok(())
}

/// Refuses unknown advice.
///
/// # Errors
///
/// `INVALID_VALUE`.
pub fn check_advice(advice: MemAdvice) -> Result<()> {
    if advice != MemAdvice::UNKNOWN && !ALL_ADVICES.contains(advice) {
        return Err(Error::invalid_value(format!("advice {advice:#x} is unknown")));
    }
    Ok(())
}

/// All advice except `UNKNOWN`, which is not a bit.
const ALL_ADVICES: MemAdvice = MemAdvice::from_bits_retain(0xfff);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_as_long_as_the_pitch_at_most_and_end_in_memory() {
        let is_good = |pitch, width, height| check_2d(pitch, width, height, "pitch").is_ok();
        assert!(is_good(8, 8, 3) && is_good(8, 7, 1) && is_good(usize::MAX, 1, 1));
        for (pitch, width, height) in [
            (7, 8, 1),
            (8, 0, 1),
            (8, 8, 0),
            (usize::MAX, 1, 3),
            (usize::MAX / 2 + 1, 8, 3),
            (1 << 63, 1 << 63, 2),
        ] {
            assert!(!is_good(pitch, width, height), "{pitch}, {width}, {height}");
        }
    }

    #[test]
    fn a_request_has_known_properties_and_a_power_of_two_as_its_alignment() {
        let is_good = |words: &[u64], size, alignment| {
            let list = [words, &[0]].concat();
            #[expect(unsafe_code, reason = "a list that ends")]
            // SAFETY: the list has an end.
            let properties = unsafe { Properties::read(list.as_ptr()) };
            properties.and_then(|properties| UsmRequest { properties, size, alignment }.check()).is_ok()
        };
        let flags = [usm_property::ALLOC_FLAGS, UsmAllocFlags::all().bits()];
        let place = [usm_property::BUFFER_LOCATION, 3];
        assert!(is_good(&[], 1, 0) && is_good(&[], isize::MAX as usize, 64));
        assert!(is_good(&flags, 1, 1) && is_good(&[flags, place].concat(), 1, 0));
        assert!(!is_good(&[], isize::MAX as usize + 1, 0));
        assert!(!is_good(&[], 1, 48) && !is_good(&place, 1, 3));
        let unknown = UsmAllocFlags::all().bits() + 1;
        assert!(!is_good(&[usm_property::ALLOC_FLAGS, unknown | 1 << 40], 1, 0));
        assert!(!is_good(&[0x1234, 0], 1, 0) && !is_good(&[place, [0x1234, 0]].concat(), 1, 0));
    }

    #[test]
    fn advice_and_migrations_have_known_bits_only() {
        let advice = |bits| check_advice(MemAdvice::from_bits_retain(bits)).is_ok();
        assert!(advice(0xfff) && advice(0) && check_advice(MemAdvice::UNKNOWN).is_ok());
        assert!(!advice(0x1000) && !advice(0x1001));
        assert!(check_migration(UsmMigrationFlags::all()).is_ok());
        let unknown = UsmMigrationFlags::from_bits_retain(UsmMigrationFlags::all().bits() | 1 << 20);
        assert!(check_migration(unknown).is_err());
    }
}
