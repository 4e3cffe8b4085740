//! Event pools and events.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use level_zero_sys::*;
use parking_lot::Mutex;

use crate::caller::{desc, fill, list, update, write};
use crate::complaints::{complain, complain_here};
use crate::entry::{Answer, driver_calls};
use crate::object::context::{Context, context};
use crate::object::device::device;
use crate::object::flag::{Flag, Waited};
use crate::object::table;
use crate::{clock, complaints, faults};

/// A pool.
pub(crate) struct Pool {
    flags: ze_event_pool_flags_t,
    count: u32,
    taken: Mutex<BTreeSet<u32>>,
    _context: Arc<Context>,
}
table::object!(Pool, 7, "event pool");

/// An event.
pub(crate) struct Event {
    pool: Arc<Pool>,
    index: u32,
    flag: Flag,
    times: Mutex<Option<(u64, u64)>>,
    /// Submitted commands that wait for it or will signal it.
    in_flight: AtomicU32,
}
table::object!(Event, 8, "event");

pub(crate) fn event(handle: ze_event_handle_t) -> Answer<Arc<Event>> {
    table::get(handle.0)
}

/// Returns the events of a wait list.
pub(crate) fn events(count: u32, handles: *const ze_event_handle_t) -> Answer<Vec<Arc<Event>>> {
    list(count, handles)?.iter().map(|handle| event(*handle)).collect()
}

impl Event {
    /// Signals from the device, with the command's times.
    pub(crate) fn signal(&self, command: &'static str, times: Option<(u64, u64)>) {
        if let Some(times) = times {
            *self.times.lock() = Some(times);
        }
        if self.flag.set() {
            complain(command, "signals an event that was signalled already and not reset".to_owned());
        }
    }

    pub(crate) fn is_set(&self) -> bool {
        self.flag.is_set()
    }

    /// Waits on the device. Returns whether the event was signalled.
    pub(crate) fn wait(&self, give_up: impl Fn() -> bool) -> bool {
        self.flag.wait(None, give_up) == Waited::Set
    }

    pub(crate) fn reset(&self) {
        self.flag.reset();
    }

    /// Records that a command that needs the event was submitted.
    pub(crate) fn enter(&self) {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
    }

    /// Records that such a command is done.
    pub(crate) fn leave(&self) {
        self.in_flight.fetch_sub(1, Ordering::Release);
    }

    /// Returns the command's times, with as many bits as a kernel's timestamps.
    pub(crate) fn timestamps(&self) -> Option<ze_kernel_timestamp_result_t> {
        let mask = (1 << clock::KERNEL_BITS) - 1;
        let (start, end) = (*self.times.lock())?;
        let data = ze_kernel_timestamp_data_t { kernelStart: start & mask, kernelEnd: end & mask };
        Some(ze_kernel_timestamp_result_t { global: data, context: data })
    }

    fn host_visible(&self) {
        if self.pool.flags & ZE_EVENT_POOL_FLAG_HOST_VISIBLE == 0 {
            complain_here("the event's pool is not host-visible".to_owned());
        }
    }

    /// Returns the times that the host may read. Fails if the pool has no times or the event is not signalled.
    fn host_timestamps(&self) -> Answer<ze_kernel_timestamp_result_t> {
        let kept = ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP | ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP;
        if self.pool.flags & kept == 0 {
            complain_here("the event's pool keeps no timestamps".to_owned());
            return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
        }
        if !self.flag.is_set() {
            return Err(ZE_RESULT_NOT_READY);
        }
        Ok(self.timestamps().unwrap_or_default())
    }
}

driver_calls! {
    fn zeEventPoolCreate(
        hContext: ze_context_handle_t,
        from: *const ze_event_pool_desc_t,
        numDevices: u32,
        phDevices: *mut ze_device_handle_t,
        phEventPool: *mut ze_event_pool_handle_t,
    ) {
        let context = context(hContext)?;
        let from = desc(from)?;
        for one in list(numDevices, phDevices)? {
            device(*one)?;
        }
        if from.count == 0 {
            return Err(ZE_RESULT_ERROR_INVALID_SIZE);
        }
        let taken = Mutex::default();
        let pool = Pool { flags: from.flags, count: from.count, taken, _context: context };
        write(phEventPool, ze_event_pool_handle_t(table::insert(pool)))
    }

    fn zeEventPoolDestroy(hEventPool: ze_event_pool_handle_t) {
        let pool = table::remove::<Pool>(hEventPool.0)?;
        let events = pool.taken.lock().len();
        if events > 0 {
            complain_here(format!("{events} events of the pool are still there"));
        }
        Ok(())
    }

    fn zeEventCreate(
        hEventPool: ze_event_pool_handle_t,
        from: *const ze_event_desc_t,
        phEvent: *mut ze_event_handle_t,
    ) {
        let pool = table::get::<Pool>(hEventPool.0)?;
        let from = desc(from)?;
        if from.index >= pool.count {
            return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
        }
        if !pool.taken.lock().insert(from.index) {
            complain_here(format!("index {} of the pool is in use", from.index));
        }
        let event = Event {
            index: from.index,
            pool,
            flag: Flag::new(false),
            times: Mutex::new(None),
            in_flight: AtomicU32::new(0),
        };
        write(phEvent, ze_event_handle_t(table::insert(event)))
    }

    fn zeEventDestroy(hEvent: ze_event_handle_t) {
        let event = table::remove::<Event>(hEvent.0)?;
        event.pool.taken.lock().remove(&event.index);
        if event.in_flight.load(Ordering::Acquire) > 0 {
            complain_here("a submitted command still needs the event".to_owned());
        }
        Ok(())
    }

    fn zeEventHostSignal(hEvent: ze_event_handle_t) {
        let event = event(hEvent)?;
        faults::alive()?;
        let now = clock::ticks();
        event.signal(complaints::current(), Some((now, now)));
        Ok(())
    }

    fn zeEventHostReset(hEvent: ze_event_handle_t) {
        event(hEvent)?.reset();
        Ok(())
    }

    fn zeEventQueryStatus(hEvent: ze_event_handle_t) {
        let event = event(hEvent)?;
        event.host_visible();
        if event.flag.is_set() {
            return Ok(());
        }
        faults::alive()?;
        Err(ZE_RESULT_NOT_READY)
    }

    fn zeEventHostSynchronize(hEvent: ze_event_handle_t, timeout: u64) {
        let event = event(hEvent)?;
        event.host_visible();
        match event.flag.wait(clock::deadline(timeout), faults::lost) {
            Waited::Set => Ok(()),
            Waited::TimedOut => Err(ZE_RESULT_NOT_READY),
            Waited::GaveUp => Err(ZE_RESULT_ERROR_DEVICE_LOST),
        }
    }

    fn zeEventQueryKernelTimestamp(hEvent: ze_event_handle_t, dstptr: *mut ze_kernel_timestamp_result_t) {
        let times = event(hEvent)?.host_timestamps()?;
        write(dstptr, times)
    }

    fn zeEventQueryTimestampsExp(
        hEvent: ze_event_handle_t,
        hDevice: ze_device_handle_t,
        pCount: *mut u32,
        pTimestamps: *mut ze_kernel_timestamp_result_t,
    ) {
        device(hDevice)?;
        let times = event(hEvent)?.host_timestamps()?;
        fill(pCount, pTimestamps, &[times])
    }

    fn zeEventPoolGetIpcHandle(_hEventPool: ze_event_pool_handle_t, phIpc: *mut ze_ipc_event_pool_handle_t) {
        update(phIpc, |_| ())?;
        Err(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)
    }
}
