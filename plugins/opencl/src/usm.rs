//! Unified shared memory: cl_intel_unified_shared_memory, or shared virtual memory if the driver has only that.

use core::ffi::c_void;
use std::ptr::{NonNull, null, null_mut};
use std::sync::atomic::AtomicU8;

use sycl_pi_backend::api::{UsmApi, UsmRequest};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Dependencies, Error, EventOut, Fill, Info, Properties, Result, room};

use crate::OpenCl;
use crate::check::check_in_allocation;
use crate::fill::{FillStart, fill};
use crate::sys::{self, Context, Device, Event, HasPlatform, Owned, Queue, cl, raw_dependencies};
use crate::{pocl, svm};

/// The property list for the driver, which is the caller's without flags that OpenCL does not have.
struct UsmProperties {
    words: [u64; 5],
    empty: bool,
}

impl UsmProperties {
    fn new(properties: Properties<'_, u64>) -> Self {
        let known = UsmAllocFlags::WRITE_COMBINED
            | UsmAllocFlags::INITIAL_PLACEMENT_DEVICE
            | UsmAllocFlags::INITIAL_PLACEMENT_HOST;
        let mut list = Self { words: [0; 5], empty: true };
        let mut end = 0;
        for (key, value) in properties.pairs() {
            // "Read-only on the device" is a promise of the program that OpenCL does not use.
            let value = if key == usm_property::ALLOC_FLAGS { value & known.bits() } else { value };
            if end < 4 && (key != usm_property::ALLOC_FLAGS || value != 0) {
                (list.words[end], list.words[end + 1]) = (key, value);
                end += 2;
                list.empty = false;
            }
        }
        list
    }

    fn as_ptr(&self) -> *const u64 {
        if self.empty { null() } else { self.words.as_ptr() }
    }
}

/// Allocates memory of a kind, on a device if the kind requires one.
fn alloc(
    context: &Context,
    (kind, device): (UsmType, Option<&Device>),
    request: UsmRequest<'_>,
) -> Result<NonNull<c_void>> {
    let driver = context.driver()?;
    sys::free_complete();
    if !driver.has_usm {
        return svm::alloc(context, device, kind, request);
    }
    let list = UsmProperties::new(request.properties);
    driver.usm_alloc(context, (kind, device), list.as_ptr(), request.size, request.alignment)
}

impl UsmApi for OpenCl {
    fn usm_host_alloc(context: &Context, request: UsmRequest<'_>) -> Result<NonNull<c_void>> {
        alloc(context, (UsmType::HOST, None), request)
    }

    fn usm_device_alloc(
        context: &Context,
        device: &Device,
        request: UsmRequest<'_>,
    ) -> Result<NonNull<c_void>> {
        alloc(context, (UsmType::DEVICE, Some(device)), request)
    }

    fn usm_shared_alloc(
        context: &Context,
        device: Option<&Device>,
        request: UsmRequest<'_>,
    ) -> Result<NonNull<c_void>> {
        alloc(context, (UsmType::SHARED, device), request)
    }

    fn usm_pitched_alloc(
        context: &Context,
        device: &Device,
        properties: Properties<'_, u64>,
        width: usize,
        height: usize,
        element_size: u32,
    ) -> Result<(NonNull<c_void>, usize)> {
        /// The size of a cache line. OpenCL does not define a better alignment for rows.
        const ROW_ALIGNMENT: usize = 64;
        let alignment = ROW_ALIGNMENT.max((element_size as usize).next_power_of_two());
        let pitch = width.checked_next_multiple_of(alignment);
        let size = pitch.and_then(|pitch| pitch.checked_mul(height)).filter(|size| *size > 0);
        let (Some(pitch), Some(size)) = (pitch, size) else {
            return Err(Error::impossible_rows(width, height));
        };
        let request = UsmRequest { properties, size, alignment: 0 };
        Ok((Self::usm_device_alloc(context, device, request)?, pitch))
    }

    fn usm_free(context: &Context, ptr: NonNull<c_void>) -> Result<()> {
        let driver = context.driver()?;
        if !driver.has_usm {
            return svm::free(context, ptr);
        }
        pocl::check_free(context, ptr)?;
        driver.usm_free(context, ptr)
    }

    fn enqueue_usm_memset(
        queue: &Queue,
        ptr: *mut c_void,
        value: u8,
        count: usize,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        if count == 0 {
            return nothing(queue, dependencies);
        }
        fill(queue, FillStart::Usm(ptr), &[value], count, dependencies)
    }

    fn enqueue_usm_memcpy(
        queue: &Queue,
        blocking: bool,
        dst: *mut c_void,
        src: *const c_void,
        size: usize,
        mut dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        if size == 0 {
            return nothing(queue, dependencies);
        }
        let driver = queue.driver()?;
        pocl::check_copy(queue, dependencies.waits, dst, src, size)?;
        if !driver.has_usm {
            driver.require_svm()?;
            return svm::copy(queue, blocking, (dst, src), size, dependencies);
        }
        let (n, waits, event) = raw_dependencies(&mut dependencies);
        let (cl_queue, functions) = (queue.cl(), &driver.extensions);
        sys::blocking(queue, blocking, event, |blocking, event| {
            functions.clEnqueueMemcpyINTEL(cl_queue, blocking, dst, src, size, n, waits, event)
        })
    }

    fn enqueue_usm_prefetch(
        queue: &Queue,
        ptr: *const c_void,
        size: usize,
        _: UsmMigrationFlags,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_in_allocation(queue, ptr, size)?;
        nothing(queue, dependencies)
    }

    fn enqueue_usm_mem_advise(
        queue: &Queue,
        ptr: *const c_void,
        length: usize,
        _: MemAdvice,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_in_allocation(queue, ptr, length)?;
        nothing(queue, dependencies)
    }

    #[inline]
    fn usm_mem_alloc_info(
        context: &Context,
        ptr: *const c_void,
        name: UsmAllocInfo,
        info: Info<'_>,
    ) -> Result<()> {
        let driver = context.driver()?;
        if driver.has_usm {
            driver.usm_info(context, ptr, name.0, info)
        } else {
            svm::info(context, ptr, name, info)
        }
    }

    fn enqueue_usm_fill_2d(
        queue: &Queue,
        ptr: *mut c_void,
        pitch: usize,
        range: Fill<'_>,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        let (pattern, width, height) = (range.pattern(), range.width(), range.height());
        if pitch == width {
            // OpenCL's longest pattern has 128 bytes, and drivers check the allocation before they read it. Longer
            // patterns are read here.
            if pattern.len() > 128 {
                check_in_allocation(queue, ptr, width * height)?;
            }
            return fill(queue, FillStart::Usm(ptr), pattern, width * height, dependencies);
        }
        check_rows(queue, ptr, pitch, width, height)?;
        rows(queue, false, height, dependencies, |row, dependencies| {
            let start = FillStart::Usm(ptr.wrapping_byte_add(row * pitch));
            fill(queue, start, pattern, width, dependencies)
        })
    }

    fn enqueue_usm_memset_2d(
        queue: &Queue,
        ptr: *mut c_void,
        pitch: usize,
        value: u8,
        width: usize,
        height: usize,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        Self::enqueue_usm_fill_2d(queue, ptr, pitch, Fill::new(&[value], width, height)?, dependencies)
    }

    fn enqueue_usm_memcpy_2d(
        queue: &Queue,
        blocking: bool,
        (dst, dst_pitch): (*mut c_void, usize),
        (src, src_pitch): (*const c_void, usize),
        width: usize,
        height: usize,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        if dst_pitch == width && src_pitch == width {
            return Self::enqueue_usm_memcpy(queue, blocking, dst, src, width * height, dependencies);
        }
        check_rows(queue, dst, dst_pitch, width, height)?;
        check_rows(queue, src, src_pitch, width, height)?;
        rows(queue, blocking, height, dependencies, |row, dependencies| {
            let dst = dst.wrapping_byte_add(row * dst_pitch);
            Self::enqueue_usm_memcpy(
                queue,
                false,
                dst,
                src.wrapping_byte_add(row * src_pitch),
                width,
                dependencies,
            )
        })
    }

    fn usm_import(_: *const c_void, _: usize, _: &Context) -> Result<()> {
        // OpenCL drivers either access host memory directly, or not at all.
        Ok(())
    }

    fn usm_release(_: *const c_void, _: &Context) -> Result<()> {
        Ok(())
    }
}

/// Enqueues a command that only preserves the order, because it runs after its wait list and the queue's barriers.
fn nothing(queue: &Queue, mut dependencies: Dependencies<'_, Event>) -> Result<()> {
    let driver = queue.driver()?;
    if dependencies.waits.is_empty() || !driver.is_intel_cpu || !driver.has_usm || is_in_order(queue)? {
        return marker(queue, dependencies);
    }
    // Copies are behind barriers, and hold nothing up that comes after them.
    static FROM: AtomicU8 = AtomicU8::new(0);
    static TO: AtomicU8 = AtomicU8::new(0);
    let (n, waits, event) = raw_dependencies(&mut dependencies);
    let (from, to) = (FROM.as_ptr().cast_const().cast(), TO.as_ptr().cast());
    sys::blocking(queue, false, event, |blocking, event| {
        driver.extensions.clEnqueueMemcpyINTEL(queue.cl(), blocking, to, from, 1, n, waits, event)
    })
}

fn is_in_order(queue: &Queue) -> Result<bool> {
    Ok(!queue.flags()?.contains(QueueFlags::OUT_OF_ORDER_EXEC_MODE_ENABLE))
}

/// Enqueues a marker. With a wait list, it may complete before a barrier of its queue on Intel's CPU runtime.
fn marker(queue: &Queue, mut dependencies: Dependencies<'_, Event>) -> Result<()> {
    let (n, waits, event) = raw_dependencies(&mut dependencies);
    cl().clEnqueueMarkerWithWaitList(queue.cl(), n, waits, event)
}

/// Refuses rows that exceed the allocation of the first one. If a row begins past it, drivers do not know its
/// allocation and terminate the process.
fn check_rows(queue: &Queue, ptr: *const c_void, pitch: usize, width: usize, height: usize) -> Result<()> {
    let size = pitch.saturating_mul(height.saturating_sub(1)).saturating_add(width);
    check_in_allocation(queue, ptr, size)
}

/// Enqueues one command per row, each after the same wait list, and one event after all of them.
fn rows(
    queue: &Queue,
    blocking: bool,
    height: usize,
    dependencies: Dependencies<'_, Event>,
    mut row: impl FnMut(usize, Dependencies<'_, Event>) -> Result<()>,
) -> Result<()> {
    let mut events: Vec<Owned<Event>> = room(height)?;
    for index in 0..height {
        let mut event = null_mut();
        row(index, Dependencies { waits: dependencies.waits, event: EventOut::into(&mut event) })?;
        events.push(Owned::adopt(event.cast())?);
    }
    let waits: Vec<&Event> = events.iter().map(|event| &**event).collect();
    marker(queue, Dependencies { waits: &waits, event: dependencies.event })?;
    if blocking && !waits.is_empty() { sys::wait_for_events(&waits) } else { Ok(()) }
}
