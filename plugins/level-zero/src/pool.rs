//! Events of the driver, made once and used again: in the steady state no pool and no event is created.

use std::ptr::null;

use parking_lot::Mutex;
use sycl_pi_backend::Result;

use crate::sys::{ze, *};

/// What an event is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flavour {
    /// The host waits for it and reads what the command wrote.
    Plain,
    /// As plain, with the command's times.
    Timed,
    /// The plugin asks whether the command is done; nobody reads what it wrote because of it.
    Quiet,
}

/// Events per pool.
const POOL: u32 = 128;

/// The events of a context, by flavour.
#[derive(Default)]
pub(crate) struct Pools {
    shelves: [Mutex<Shelf>; 3],
}

#[derive(Default)]
struct Shelf {
    /// Used before: to be reset. The last one in is the first one out, as it is likely in a cache.
    used: Vec<ze_event_handle_t>,
    pools: Vec<ze_event_pool_handle_t>,
    /// Never used places in the last pool.
    left: u32,
}

impl Pools {
    /// An event that is not signalled.
    pub(crate) fn take(
        &self,
        context: ze_context_handle_t,
        devices: impl Fn() -> Vec<ze_device_handle_t>,
        flavour: Flavour,
    ) -> Result<ze_event_handle_t> {
        let mut shelf = self.shelves[flavour as usize].lock();
        if let Some(event) = shelf.used.pop() {
            drop(shelf);
            return match ze()?.zeEventHostReset(event) {
                Ok(()) => Ok(event),
                Err(error) => {
                    self.put(flavour, event);
                    Err(error)
                }
            };
        }
        let ze = ze()?;
        if shelf.left == 0 {
            let flags = match flavour {
                Flavour::Plain | Flavour::Quiet => ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
                Flavour::Timed => ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP,
            };
            let pool = create_pool(context, &mut devices(), flags, POOL)?;
            shelf.pools.push(pool);
            shelf.left = POOL;
        }
        let Some(pool) = shelf.pools.last().copied() else {
            return Err(sycl_pi_backend::Error::unsupported("no pool"));
        };
        let scope = match flavour {
            Flavour::Plain | Flavour::Timed => ZE_EVENT_SCOPE_FLAG_HOST,
            Flavour::Quiet => ZE_EVENT_SCOPE_FLAG_DEVICE,
        };
        let desc = ze_event_desc_t {
            index: POOL - shelf.left,
            signal: scope,
            wait: ZE_EVENT_SCOPE_FLAG_DEVICE,
            ..Default::default()
        };
        let mut event = ze_event_handle_t::NULL;
        ze.zeEventCreate(pool, &desc, &mut event)?;
        shelf.left -= 1;
        Ok(event)
    }

    /// Gives an event back that no command uses any more.
    pub(crate) fn put(&self, flavour: Flavour, event: ze_event_handle_t) {
        self.shelves[flavour as usize].lock().used.push(event);
    }

    /// Destroys everything. All events were given back: each holds its context.
    pub(crate) fn destroy(&self) {
        let Ok(ze) = ze() else { return };
        for shelf in &self.shelves {
            let mut shelf = shelf.lock();
            for event in shelf.used.drain(..) {
                log_failure(ze.zeEventDestroy(event));
            }
            for pool in shelf.pools.drain(..) {
                log_failure(ze.zeEventPoolDestroy(pool));
            }
            shelf.left = 0;
        }
    }
}

/// A pool on devices; all of the context's where the list is empty.
pub(crate) fn create_pool(
    context: ze_context_handle_t,
    devices: &mut [ze_device_handle_t],
    flags: ze_event_pool_flags_t,
    count: u32,
) -> Result<ze_event_pool_handle_t> {
    let desc = ze_event_pool_desc_t { flags, count, pNext: null(), ..Default::default() };
    let mut pool = ze_event_pool_handle_t::NULL;
    ze()?.zeEventPoolCreate(context, &desc, devices.len() as u32, devices.as_mut_ptr(), &mut pool)?;
    Ok(pool)
}

/// What fails while giving back is for the log: nobody can do anything about it.
pub(crate) fn log_failure(result: Result<()>) {
    if let Err(error) = result {
        log::warn!("giving back: {error}");
    }
}
