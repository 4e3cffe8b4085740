//! Coarse-grained shared virtual memory, which the host may use only while it is mapped, as USM.
//!
//! Programs use host and shared USM without mapping it. Such memory is therefore mapped when it is allocated. A command
//! that may use it borrows it: the plugin unmaps it before the command, maps it again afterwards, and returns only then.
//! Until then the host has no access to it. A kernel borrows all allocations of its context; a copy or fill borrows only
//! those that it reads or writes. If a command waits for an event that the caller itself completes, or for a command that
//! waits for one, the call returns at once.
//!
//! Commands of a context that borrow memory run one after the other. They wait for each other on the device, so no lock
//! is held during a wait.

use core::ffi::c_void;
use std::collections::BTreeMap;
use std::ptr::{NonNull, null, null_mut, with_exposed_provenance_mut};

use parking_lot::Mutex;
use sycl_pi_backend::api::EnqueueApi;
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Dependencies, Error, EventOut, Result};

use super::allocations::{self, Grain};
use crate::OpenCl;
use crate::sys::{
    self, Context, Event, Owned, Queried, Queue, cl, create, raw_dependencies, wait_for_events,
};

/// The memory that a command may use.
#[derive(Clone, Copy)]
pub(crate) enum MemoryUse {
    /// Any of the context.
    All,
    /// The allocations that begin at these addresses.
    From([usize; 2]),
}

/// The last command that borrowed memory of a context.
struct Last {
    end: Owned<Event>,
    /// Whether it waits for an event of the caller, if only behind other commands.
    is_held: bool,
}

/// The last command of each context, by the context's address.
static LAST: Mutex<BTreeMap<usize, Last>> = Mutex::new(BTreeMap::new());

/// A block of memory: start and size.
type Block = (usize, usize);

/// Enqueues a command that may use memory which the host has mapped. `enqueue` is called once, and told whether to block.
#[inline]
pub(crate) fn lend(
    queue: &Queue,
    uses: MemoryUse,
    blocking: bool,
    dependencies: Dependencies<'_, Event>,
    enqueue: impl FnOnce(bool, Dependencies<'_, Event>) -> Result<()>,
) -> Result<()> {
    if allocations::any_mapped() {
        lend_some(queue, uses, blocking, dependencies, enqueue)
    } else {
        enqueue(blocking, dependencies)
    }
}

#[cold]
fn lend_some(
    queue: &Queue,
    uses: MemoryUse,
    blocking: bool,
    dependencies: Dependencies<'_, Event>,
    enqueue: impl FnOnce(bool, Dependencies<'_, Event>) -> Result<()>,
) -> Result<()> {
    let context = queue.context()?;
    let blocks = allocations::blocks(context, |start, allocation| {
        let has = |address: &usize| (start..start + allocation.size).contains(address);
        allocation.is_mapped()
            && match uses {
                MemoryUse::All => true,
                MemoryUse::From(addresses) => addresses.iter().any(has),
            }
    });
    if blocks.is_empty() {
        return enqueue(blocking, dependencies);
    }
    let Dependencies { waits, event } = dependencies;
    let mut all = LAST.lock();
    all.retain(|_, last| !last.end.is_complete());
    let last = all.get(&context.cl().addr());
    let is_held = last.is_some_and(|last| last.is_held)
        || waits.iter().any(|event| is_of_caller(event) && !event.is_complete());
    let waits: Vec<&Event> = waits.iter().copied().chain(last.map(|last| &*last.end)).collect();
    let (own, end) = around(queue, &blocks, &waits, |dependencies| enqueue(false, dependencies));
    let end = end?;
    all.insert(context.cl().addr(), Last { end: Owned::retain(&*end)?, is_held });
    drop(all);
    if is_held && !blocking {
        own?;
        return pass_on(end, event);
    }
    let waited = wait_for_events(&[&end]);
    LAST.lock().retain(|_, last| !last.end.is_complete());
    let own = own?;
    if waited.is_err() {
        // The command failed, and with it the maps behind it. Its own event says so.
        let end = map_all(queue, &blocks, &[])?;
        wait_for_events(&[&end])?;
    }
    pass_on(own, event)
}

/// Enqueues a command between the end of the host's use of blocks and its start. Returns the events of the command and
/// of the start.
fn around(
    queue: &Queue,
    blocks: &[Block],
    waits: &[&Event],
    enqueue: impl FnOnce(Dependencies<'_, Event>) -> Result<()>,
) -> (Result<Owned<Event>>, Result<Owned<Event>>) {
    let mut lent: Vec<Owned<Event>> = Vec::new();
    let mut own = null_mut();
    let done = blocks.iter().try_for_each(|block| unmap(queue, *block, waits).map(|event| lent.push(event)));
    let lent_events: Vec<&Event> = lent.iter().map(|event| &**event).collect();
    let done = done
        .map_err(|error| error.context("shared virtual memory cannot be unmapped for a command"))
        .and_then(|()| enqueue(Dependencies { waits: &lent_events, event: EventOut::into(&mut own) }))
        .and_then(|()| Owned::adopt(own.cast()));
    let behind: Vec<&Event> = done.iter().map(|event| &**event).chain(lent_events).collect();
    let end = map_all(queue, &blocks[..lent.len()], &behind)
        .map_err(|error| error.context("shared virtual memory cannot be mapped behind a command"));
    (done, end)
}

/// Enqueues a command that uses memory at an address like a host would. Drivers take no device memory for that, unless
/// it is mapped.
#[inline]
pub(crate) fn borrow(
    queue: &Queue,
    address: *const c_void,
    blocking: bool,
    dependencies: Dependencies<'_, Event>,
    enqueue: impl FnOnce(bool, Dependencies<'_, Event>) -> Result<()>,
) -> Result<()> {
    if allocations::any_told() {
        borrow_some(queue, address.addr(), blocking, dependencies, enqueue)
    } else {
        enqueue(blocking, dependencies)
    }
}

#[cold]
fn borrow_some(
    queue: &Queue,
    address: usize,
    blocking: bool,
    dependencies: Dependencies<'_, Event>,
    enqueue: impl FnOnce(bool, Dependencies<'_, Event>) -> Result<()>,
) -> Result<()> {
    let block = match allocations::find(queue.context()?, address) {
        Some((start, one)) if one.grain == Grain::Coarse && !one.is_mapped() => (start, one.size),
        _ => return enqueue(blocking, dependencies),
    };
    let mapped = map(queue, block, dependencies.waits)?;
    let mut own = null_mut();
    let done = enqueue(false, Dependencies { waits: &[&mapped], event: EventOut::into(&mut own) });
    let own: Option<Owned<Event>> = Owned::adopt(own.cast()).ok();
    let end = unmap(queue, block, &[own.as_deref().unwrap_or(&mapped)])?;
    done?;
    if blocking {
        wait_for_events(&[&end])?;
    }
    pass_on(end, dependencies.event)
}

/// Returns whether an event is complete when its creator says so.
fn is_of_caller(event: &Event) -> bool {
    event.value(sys::CL_EVENT_COMMAND_TYPE, 0_u32).is_ok_and(|kind| kind == sys::CL_COMMAND_USER)
}

/// Gives the caller an event, if it wants one.
fn pass_on(own: Owned<Event>, event: EventOut<'_, Event>) -> Result<()> {
    if let Some(unwanted) = event.put(sys::new_reference(own.into_raw())?) {
        drop(Owned::from(unwanted));
    }
    Ok(())
}

/// Maps a new allocation for the host.
pub(crate) fn map_first(context: &Context, start: NonNull<c_void>, size: usize) -> Result<()> {
    let devices = context.devices()?;
    let device = devices.first().ok_or_else(|| Error::new(ErrorCode::INVALID_CONTEXT, "it has no device"))?;
    let (cl_context, device) = (context.cl(), device.cl());
    let queue =
        create::<Queue>(|code| cl().clCreateCommandQueueWithProperties(cl_context, device, null(), code))?;
    let queue = Owned::from(queue);
    let mapped = map(&queue, (start.as_ptr().expose_provenance(), size), &[])?;
    wait_for_events(&[&mapped])
}

/// Maps blocks, and returns the event behind all of them.
fn map_all(queue: &Queue, blocks: &[Block], waits: &[&Event]) -> Result<Owned<Event>> {
    let mapped: Result<Vec<Owned<Event>>> = blocks.iter().map(|block| map(queue, *block, waits)).collect();
    let mapped = mapped?;
    let waits: Vec<&Event> = mapped.iter().map(|event| &**event).collect();
    let mut end = null_mut();
    OpenCl::enqueue_events_wait(queue, Dependencies { waits: &waits, event: EventOut::into(&mut end) })?;
    Owned::adopt(end.cast())
}

fn map(queue: &Queue, (start, size): Block, waits: &[&Event]) -> Result<Owned<Event>> {
    let mut event = null_mut();
    let mut dependencies = Dependencies { waits, event: EventOut::into(&mut event) };
    let (n, waits, out) = raw_dependencies(&mut dependencies);
    let (flags, start) = (sys::CL_MAP_READ | sys::CL_MAP_WRITE, with_exposed_provenance_mut(start));
    cl().clEnqueueSVMMap(queue.cl(), sys::CL_FALSE, flags, start, size, n, waits, out)?;
    Owned::adopt(event.cast())
}

fn unmap(queue: &Queue, (start, _): Block, waits: &[&Event]) -> Result<Owned<Event>> {
    let mut event = null_mut();
    let mut dependencies = Dependencies { waits, event: EventOut::into(&mut event) };
    let (n, waits, out) = raw_dependencies(&mut dependencies);
    cl().clEnqueueSVMUnmap(queue.cl(), with_exposed_provenance_mut(start), n, waits, out)?;
    Owned::adopt(event.cast())
}
