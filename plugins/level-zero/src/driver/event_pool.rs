//! Pools of driver events. Events are reused, so that in the steady state no pool or event is created.

use std::ptr::null;
use std::sync::Arc;

use parking_lot::Mutex;
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, Result};

use super::context::DriverContext;
use crate::sys::{log_failure, ze, *};

/// The use of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EventKind {
    /// The host waits for it and reads data that the command wrote.
    HostVisible,
    /// Like host-visible, with the command's timestamps.
    Timestamped,
    /// The backend queries whether the command is complete, but the host reads no data that the command wrote.
    DeviceOnly,
}

impl EventKind {
    /// Returns the kind for a command without timestamps.
    pub(crate) fn of_command(host_visible: bool) -> Self {
        if host_visible { Self::HostVisible } else { Self::DeviceOnly }
    }
}

/// Events per pool.
const EVENTS_PER_POOL: u32 = 128;

/// The pools of a context, by kind of event.
pub(crate) struct EventPools {
    by_kind: [Mutex<EventPool>; 3],
    devices: Vec<ze_device_handle_t>,
    /// Last field, because pools must be destroyed before their context.
    context: Arc<DriverContext>,
}

#[derive(Default)]
struct EventPool {
    /// Used events, which must be reset. They are reused in last-in, first-out order, because the last one is likely in
    /// a cache.
    used: Vec<ze_event_handle_t>,
    /// The driver's pools.
    pools: Vec<ze_event_pool_handle_t>,
    /// The number of events that the last pool has not yet provided.
    unused: u32,
}

impl EventPools {
    /// Creates pools for events that these devices signal.
    pub(crate) fn new(context: Arc<DriverContext>, devices: Vec<ze_device_handle_t>) -> Self {
        Self { by_kind: Default::default(), devices, context }
    }

    /// Takes an event that is not signaled.
    pub(crate) fn take(&self, kind: EventKind) -> Result<ze_event_handle_t> {
        let mut pool = self.by_kind[kind as usize].lock();
        if let Some(event) = pool.used.pop() {
            drop(pool);
            let reset = ze()?.zeEventHostReset(event);
            return reset.map(|()| event).inspect_err(|_| self.give_back(kind, event));
        }
        if pool.unused == 0 {
            let flags = match kind {
                EventKind::HostVisible | EventKind::DeviceOnly => ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
                EventKind::Timestamped => {
                    ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP
                }
            };
            let created = create_event_pool(&self.context, &self.devices, flags, EVENTS_PER_POOL)?;
            pool.pools.push(created);
            pool.unused = EVENTS_PER_POOL;
        }
        let Some(last) = pool.pools.last().copied() else {
            return Err(Error::new(ErrorCode::OUT_OF_RESOURCES, "there is no event pool"));
        };
        let scope = match kind {
            EventKind::HostVisible | EventKind::Timestamped => ZE_EVENT_SCOPE_FLAG_HOST,
            EventKind::DeviceOnly => ZE_EVENT_SCOPE_FLAG_DEVICE,
        };
        let desc = ze_event_desc_t {
            index: EVENTS_PER_POOL - pool.unused,
            signal: scope,
            wait: ZE_EVENT_SCOPE_FLAG_DEVICE,
            ..Default::default()
        };
        let mut event = ze_event_handle_t::NULL;
        ze()?.zeEventCreate(last, &desc, &mut event)?;
        pool.unused -= 1;
        Ok(event)
    }

    /// Takes back an event that no command uses any more.
    pub(crate) fn give_back(&self, kind: EventKind, event: ze_event_handle_t) {
        self.by_kind[kind as usize].lock().used.push(event);
    }
}

impl Drop for EventPools {
    fn drop(&mut self) {
        // Every event was returned, because each holds its pools.
        let Ok(ze) = ze() else { return };
        for pool in &mut self.by_kind {
            let pool = pool.get_mut();
            for event in pool.used.drain(..) {
                log_failure(ze.zeEventDestroy(event));
            }
            for pool in pool.pools.drain(..) {
                log_failure(ze.zeEventPoolDestroy(pool));
            }
        }
    }
}

/// Creates a driver pool for events that these devices signal.
pub(crate) fn create_event_pool(
    context: &DriverContext,
    devices: &[ze_device_handle_t],
    flags: ze_event_pool_flags_t,
    count: u32,
) -> Result<ze_event_pool_handle_t> {
    let desc = ze_event_pool_desc_t { flags, count, pNext: null(), ..Default::default() };
    let mut devices = devices.to_vec();
    let mut pool = ze_event_pool_handle_t::NULL;
    ze()?.zeEventPoolCreate(context.ze, &desc, devices.len() as u32, devices.as_mut_ptr(), &mut pool)?;
    Ok(pool)
}
