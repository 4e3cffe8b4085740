//! Unified shared memory: cl_intel_unified_shared_memory, or shared virtual memory where the driver has only that.

use core::ffi::c_void;
use std::ptr::{NonNull, null};

use sycl_pi_backend::api::{UsmApi, UsmRequest};
use sycl_pi_backend::Properties;
use sycl_pi_backend::{Error, Info, Dependencies, Result, cold_case, cold_error};
use sycl_pi_backend::types::*;

use crate::OpenCl;
use crate::enqueue::raw;
use crate::svm;
use crate::sys::{self, Context, Device, Driver, Event, Queue, Rooted, cl, usm_as_owner, usm_in_turn};

/// The driver's property list: what PI asks for, less what OpenCL has no word for.
struct List {
    words: [u64; 5],
    empty: bool,
}

impl List {
    fn new(properties: Properties<'_, u64>) -> Self {
        let known = UsmAllocFlags::WRITE_COMBINED
            | UsmAllocFlags::INITIAL_PLACEMENT_DEVICE
            | UsmAllocFlags::INITIAL_PLACEMENT_HOST;
        let mut list = Self { words: [0; 5], empty: true };
        let mut end = 0;
        for (key, value) in properties.pairs() {
            // "Read-only on the device" is a promise of the program that OpenCL does not ask for.
            let value = if key == PI_MEM_ALLOC_FLAGS { value & known } else { value };
            if end < 4 && (key != PI_MEM_ALLOC_FLAGS || value != 0) {
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

/// Allocates, where the driver is the one asked last and all is as it nearly always is; out of line else.
#[inline(always)]
fn alloc<const KIND: UsmType>(
    context: &Context,
    device: Option<&Device>,
    UsmRequest { properties, size, alignment }: UsmRequest<'_>,
) -> Result<NonNull<c_void>> {
    if properties.is_empty()
        && let Some(driver) = with_usm(context)
        && let Some(answer) =
            usm_as_owner(driver, || driver.usm_alloc::<KIND>(context, device, null(), size, alignment))
    {
        return some_memory(answer.check()?);
    }
    alloc_otherwise::<KIND>(context, device, properties, size, alignment)
}

/// As [`alloc`], for any driver and any request. Its arguments have registers.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "called from this file only")]
extern "C" fn alloc_otherwise<const KIND: UsmType>(
    context: &Context,
    device: Option<&Device>,
    properties: Properties<'_, u64>,
    size: usize,
    alignment: u32,
) -> Result<NonNull<c_void>> {
    cold_case(move || {
        let driver = context.driver()?;
        if !driver.has_usm() {
            return svm::alloc(context, device, KIND, UsmRequest { properties, size, alignment });
        }
        let list = List::new(properties);
        let alloc = || driver.usm_alloc::<KIND>(context, device, list.as_ptr(), size, alignment);
        some_memory(usm_in_turn(driver, alloc).check()?)
    })
}

#[inline(always)]
fn some_memory(ptr: *mut c_void) -> Result<NonNull<c_void>> {
    let none = || Error::new(ErrorCode::OUT_OF_RESOURCES, "the driver reported success but gave no memory");
    NonNull::new(ptr).ok_or_else(|| cold_error(none))
}

/// The driver, if it is the one asked last and has cl_intel_unified_shared_memory.
#[inline(always)]
fn with_usm(context: &Context) -> Option<&'static Driver> {
    context.known_driver().filter(|driver| driver.has_usm())
}

/// As `piextUSMFree`, for any driver.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "called from this file only")]
extern "C" fn free_otherwise(context: &Context, ptr: NonNull<c_void>) -> Result<()> {
    cold_case(move || {
        let driver = context.driver()?;
        if !driver.has_usm() {
            return svm::free(context, ptr);
        }
        usm_in_turn(driver, || driver.usm_free(context, ptr.as_ptr())).check()
    })
}

/// As `piextUSMGetMemAllocInfo`, for any driver.
fn info_otherwise(
    context: &Context,
    ptr: *const c_void,
    name: UsmAllocInfo,
    mut info: Info<'_>,
) -> Result<()> {
    cold_case(move || {
        let driver = context.driver()?;
        if !driver.has_usm() {
            return svm::info(context, ptr, name, info);
        }
        let room = info.raw_parts();
        usm_in_turn(driver, || driver.usm_info(context, ptr, name, room)).check()
    })
}

impl UsmApi for OpenCl {
    #[inline(always)]
    fn usm_host_alloc(context: &Context, request: UsmRequest<'_>) -> Result<NonNull<c_void>> {
        alloc::<UsmType::HOST>(context, None, request)
    }

    #[inline(always)]
    fn usm_device_alloc(
        context: &Context,
        device: &Device,
        request: UsmRequest<'_>,
    ) -> Result<NonNull<c_void>> {
        alloc::<UsmType::DEVICE>(context, Some(device), request)
    }

    #[inline(always)]
    fn usm_shared_alloc(
        context: &Context,
        device: Option<&Device>,
        request: UsmRequest<'_>,
    ) -> Result<NonNull<c_void>> {
        alloc::<UsmType::SHARED>(context, device, request)
    }

    fn usm_pitched_alloc(
        context: &Context,
        device: &Device,
        properties: Properties<'_, u64>,
        width: usize,
        height: usize,
        element_size: u32,
    ) -> Result<(NonNull<c_void>, usize)> {
        /// A cache line: rows that start on one are as good as OpenCL can know.
        const ROW_ALIGNMENT: usize = 64;
        let alignment = ROW_ALIGNMENT.max((element_size as usize).next_power_of_two());
        let pitch = width.checked_next_multiple_of(alignment);
        let size = pitch.and_then(|pitch| pitch.checked_mul(height)).filter(|size| *size > 0);
        let (Some(pitch), Some(size)) = (pitch, size) else {
            return Err(Error::invalid_value(format!(
                "width_in_bytes {width} by height {height} is no memory"
            )));
        };
        let request = UsmRequest { properties, size, alignment: 0 };
        Ok((Self::usm_device_alloc(context, device, request)?, pitch))
    }

    #[inline(always)]
    fn usm_free(context: &Context, ptr: NonNull<c_void>) -> Result<()> {
        let free = |driver| usm_as_owner(driver, || Driver::usm_free(driver, context, ptr.as_ptr()));
        match with_usm(context).and_then(free) {
            Some(answer) => answer.check(),
            None => free_otherwise(context, ptr),
        }
    }

    #[inline(always)]
    fn enqueue_usm_memset(
        queue: &Queue,
        ptr: *mut c_void,
        value: u8,
        count: usize,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        if count == 0 {
            return marker(queue, dependencies);
        }
        fill(queue, ptr, &[value], count, dependencies)
    }

    #[inline(always)]
    fn enqueue_usm_memcpy(
        queue: &Queue,
        blocking: bool,
        dst: *mut c_void,
        src: *const c_void,
        size: usize,
        mut dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        if size == 0 {
            return marker(queue, dependencies);
        }
        let driver = queue.driver()?;
        let (n, waits, event) = raw!(dependencies);
        let (queue, blocking) = (queue.cl(), blocking.into());
        if driver.has_usm() {
            driver.ext.clEnqueueMemcpyINTEL(queue, blocking, dst, src, size, n, waits, event)
        } else {
            cl().clEnqueueSVMMemcpy(queue, blocking, dst, src, size, n, waits, event)
        }
    }

    fn enqueue_usm_prefetch(
        queue: &Queue,
        ptr: *const c_void,
        size: usize,
        _: UsmMigrationFlags,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_hint(queue, ptr, size)?;
        marker(queue, dependencies)
    }

    fn enqueue_usm_mem_advise(
        queue: &Queue,
        ptr: *const c_void,
        length: usize,
        _: MemAdvice,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_hint(queue, ptr, length)?;
        marker(queue, dependencies)
    }

    #[inline(always)]
    fn usm_mem_alloc_info(
        context: &Context,
        ptr: *const c_void,
        name: UsmAllocInfo,
        mut info: Info<'_>,
    ) -> Result<()> {
        let room = info.raw_parts();
        let ask = |driver| usm_as_owner(driver, || Driver::usm_info(driver, context, ptr, name, room));
        match with_usm(context).and_then(ask) {
            Some(answer) => answer.check(),
            None => info_otherwise(context, ptr, name, info),
        }
    }

    fn enqueue_usm_fill_2d(
        queue: &Queue,
        ptr: *mut c_void,
        pitch: usize,
        pattern: &[u8],
        width: usize,
        height: usize,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        if pitch == width {
            return fill(queue, ptr, pattern, width * height, dependencies);
        }
        rows(queue, false, height, dependencies, |row, dependencies| {
            fill(queue, ptr.wrapping_byte_add(row * pitch), pattern, width, dependencies)
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
        Self::enqueue_usm_fill_2d(queue, ptr, pitch, &[value], width, height, dependencies)
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
        // OpenCL drivers reach host memory as it is, or not at all.
        Ok(())
    }

    fn usm_release(_: *const c_void, _: &Context) -> Result<()> {
        Ok(())
    }
}

/// A command that does nothing but keep the order.
#[inline(always)]
fn marker(queue: &Queue, mut dependencies: Dependencies<'_, Event>) -> Result<()> {
    let (n, waits, event) = raw!(dependencies);
    raw_marker(queue, n, waits, event)
}

/// Apart, with arguments that have registers, for the sake of the commands that are not empty.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "called from this file only")]
extern "C" fn raw_marker(
    queue: &Queue,
    n: u32,
    waits: *const sys::cl_event,
    event: *mut sys::cl_event,
) -> Result<()> {
    cl().clEnqueueMarkerWithWaitList(queue.cl(), n, waits, event)
}

/// In the frame of its caller: each more costs a return that the processor cannot predict (`sys/jump.rs`).
#[inline(always)]
pub(crate) fn fill(
    queue: &Queue,
    ptr: *mut c_void,
    pattern: &[u8],
    size: usize,
    mut dependencies: Dependencies<'_, Event>,
) -> Result<()> {
    let (n, waits, event) = raw!(dependencies);
    let (start, len) = (pattern.as_ptr().cast(), pattern.len());
    match queue.known_driver() {
        Some(driver) if driver.has_usm() => {
            driver.ext.clEnqueueMemFillINTEL(queue.cl(), ptr, start, len, size, n, waits, event)
        }
        _ => fill_otherwise(queue, ptr, start, len, size, n, waits, event),
    }
}

/// The same where it is not known, or not so, that the driver has USM.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, clippy::too_many_arguments, reason = "called from this file only")]
extern "C" fn fill_otherwise(
    queue: &Queue,
    ptr: *mut c_void,
    start: *const c_void,
    len: usize,
    size: usize,
    n: u32,
    waits: *const sys::cl_event,
    event: *mut sys::cl_event,
) -> Result<()> {
    let driver = queue.driver()?;
    if driver.has_usm() {
        driver.ext.clEnqueueMemFillINTEL(queue.cl(), ptr, start, len, size, n, waits, event)
    } else {
        cl().clEnqueueSVMMemFill(queue.cl(), ptr, start, len, size, n, waits, event)
    }
}

/// A hint is about one allocation: refuses a range that leaves it. Memory that is no allocation takes any hint.
fn check_hint(queue: &Queue, ptr: *const c_void, size: usize) -> Result<()> {
    let context = queue.context()?;
    let ask = |name, value: &mut usize| {
        let mut len = 0;
        OpenCl::usm_mem_alloc_info(context, ptr, name, Info::over(std::slice::from_mut(value), &mut len))
    };
    let (mut base, mut total) = (0, 0);
    if ask(UsmAllocInfo::BASE_PTR, &mut base).is_err()
        || ask(UsmAllocInfo::SIZE, &mut total).is_err()
        || base == 0
    {
        return Ok(());
    }
    let left = total.saturating_sub(ptr.addr() - base);
    if size > left {
        return Err(Error::invalid_value(format!(
            "{size} bytes from {ptr:p} on, but the allocation ends after {left}"
        )));
    }
    Ok(())
}

/// One command per row, each behind the same wait list, and one event behind them all.
fn rows(
    queue: &Queue,
    blocking: bool,
    height: usize,
    mut dependencies: Dependencies<'_, Event>,
    mut row: impl FnMut(usize, Dependencies<'_, Event>) -> Result<()>,
) -> Result<()> {
    let cl = cl();
    let mut events = sys::EventList::default();
    for index in 0..height {
        row(index, Dependencies { waits: dependencies.waits, event: events.next() })?;
    }
    let (_, _, event) = dependencies.raw_parts();
    let (count, list) = events.raw_parts();
    cl.clEnqueueMarkerWithWaitList(queue.cl(), count, list, event.cast())?;
    if blocking && count > 0 { cl.clWaitForEvents(count, list) } else { Ok(()) }
}
