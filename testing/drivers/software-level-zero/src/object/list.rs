//! Command lists, recorded and immediate.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use level_zero_sys::*;
use parking_lot::Mutex;

use crate::caller::{desc, list as items, write};
use crate::command::{AWAITED, Command, Work};
use crate::complaints::complain_here;
use crate::entry::{Answer, driver_calls};
use crate::object::context::{Context, context};
use crate::object::device::{Group, check_queue, device, groups};
use crate::object::event::{event, events};
use crate::object::table;
use crate::poll::GRACE;
use crate::worker::{Job, Submitted, Worker};
use crate::{complaints, faults};

/// A list.
pub(crate) struct List {
    kind: Kind,
    pub(crate) ordinal: u32,
    /// Whether its commands are executed in the order in which they were appended.
    in_order: bool,
    pub(crate) context: Arc<Context>,
    /// The number of submissions that are not done.
    in_flight: AtomicU32,
}
table::object!(List, 5, "command list");

enum Kind {
    Recorded(Mutex<Record>),
    Immediate { worker: Worker, synchronous: bool },
}

enum Record {
    Open(Vec<Command>),
    Closed(Arc<Vec<Command>>),
}

/// The events that a command waits for and signals, as passed to calls.
#[derive(Clone, Copy)]
pub(crate) struct Sync {
    pub(crate) signal: ze_event_handle_t,
    pub(crate) count: u32,
    pub(crate) waits: *const ze_event_handle_t,
}

impl Drop for List {
    fn drop(&mut self) {
        if let Kind::Immediate { worker, .. } = &self.kind {
            worker.stop();
        }
    }
}

pub(crate) fn list(handle: ze_command_list_handle_t) -> Answer<Arc<List>> {
    table::get(handle.0)
}

impl Submitted for List {
    fn enter(&self) {
        self.in_flight.fetch_add(1, Ordering::AcqRel);
    }

    fn leave(&self) {
        self.in_flight.fetch_sub(1, Ordering::AcqRel);
    }
}

impl List {
    /// Returns the queue group of the list.
    pub(crate) fn group(&self) -> Answer<Group> {
        groups().into_iter().nth(self.ordinal as usize).ok_or(ZE_RESULT_ERROR_INVALID_ARGUMENT)
    }

    /// Returns the job that executes a closed list.
    pub(crate) fn job(self: Arc<Self>) -> Answer<Job> {
        let (in_order, commands) = (self.in_order, self.closed()?);
        Ok(Job::List { list: self, in_order, commands })
    }

    /// Returns the commands of a closed list.
    fn closed(&self) -> Answer<Arc<Vec<Command>>> {
        match &self.kind {
            Kind::Immediate { .. } => complain_here("an immediate list cannot be executed".to_owned()),
            Kind::Recorded(record) => match &*record.lock() {
                Record::Closed(commands) => return Ok(commands.clone()),
                Record::Open(_) => complain_here("the list is open".to_owned()),
            },
        }
        Err(ZE_RESULT_ERROR_INVALID_ARGUMENT)
    }

    fn idle(&self) {
        // A client that saw the last event may call this before the thread has counted the list.
        let until = Instant::now() + GRACE;
        while self.in_flight.load(Ordering::Acquire) > 0 && Instant::now() < until {
            std::thread::yield_now();
        }
        if self.in_flight.load(Ordering::Acquire) > 0 && !faults::lost() {
            complain_here("the list is still being executed".to_owned());
        }
    }

    /// Records a command, or submits it for execution.
    pub(crate) fn append(&self, sync: Sync, work: Work) -> Answer {
        faults::alive()?;
        let waits = events(sync.count, sync.waits)?;
        let signal = if sync.signal.is_null() { None } else { Some(event(sync.signal)?) };
        if signal.as_ref().is_some_and(|signal| waits.iter().any(|wait| Arc::ptr_eq(wait, signal))) {
            complain_here("waits for the event that it signals".to_owned());
        }
        if sync.count > 0 {
            AWAITED.fetch_add(sync.count.into(), Ordering::Relaxed);
        }
        let command = Command { name: complaints::current(), waits, work, signal };
        match &self.kind {
            Kind::Recorded(record) => match &mut *record.lock() {
                Record::Open(commands) => commands.push(command),
                Record::Closed(_) => {
                    complain_here("the list is closed".to_owned());
                    return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
                }
            },
            Kind::Immediate { worker, synchronous } => {
                worker.submit([Job::One(command)]);
                if *synchronous {
                    return worker.synchronize(u64::MAX);
                }
            }
        }
        Ok(())
    }
}

driver_calls! {
    fn zeCommandListCreate(
        hContext: ze_context_handle_t,
        hDevice: ze_device_handle_t,
        from: *const ze_command_list_desc_t,
        phCommandList: *mut ze_command_list_handle_t,
    ) {
        let context = context(hContext)?;
        device(hDevice)?;
        faults::alive()?;
        let from = desc(from)?;
        let ordinal = from.commandQueueGroupOrdinal;
        if ordinal as usize >= groups().len() {
            return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
        }
        let kind = Kind::Recorded(Mutex::new(Record::Open(Vec::new())));
        let in_order = from.flags & ZE_COMMAND_LIST_FLAG_IN_ORDER != 0;
        let list = List { kind, ordinal, in_order, context, in_flight: AtomicU32::new(0) };
        write(phCommandList, ze_command_list_handle_t(table::insert(list)))
    }

    fn zeCommandListCreateImmediate(
        hContext: ze_context_handle_t,
        hDevice: ze_device_handle_t,
        from: *const ze_command_queue_desc_t,
        phCommandList: *mut ze_command_list_handle_t,
    ) {
        let context = context(hContext)?;
        device(hDevice)?;
        faults::alive()?;
        let from = desc(from)?;
        check_queue(&from)?;
        let synchronous = from.mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
        let in_order = from.flags & ZE_COMMAND_QUEUE_FLAG_IN_ORDER != 0;
        let kind = Kind::Immediate { worker: Worker::new(in_order)?, synchronous };
        let list = List { kind, ordinal: from.ordinal, in_order, context, in_flight: AtomicU32::new(0) };
        write(phCommandList, ze_command_list_handle_t(table::insert(list)))
    }

    fn zeCommandListDestroy(hCommandList: ze_command_list_handle_t) {
        let list = table::remove::<List>(hCommandList.0)?;
        list.idle();
        if let Kind::Immediate { worker, .. } = &list.kind {
            worker.stop();
        }
        Ok(())
    }

    fn zeCommandListClose(hCommandList: ze_command_list_handle_t) {
        let list = list(hCommandList)?;
        let Kind::Recorded(record) = &list.kind else {
            complain_here("an immediate list cannot be closed".to_owned());
            return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
        };
        let mut record = record.lock();
        match &mut *record {
            Record::Open(commands) => {
                let commands = std::mem::take(commands);
                *record = Record::Closed(Arc::new(commands));
            }
            Record::Closed(_) => complain_here("the list is closed already".to_owned()),
        }
        Ok(())
    }

    fn zeCommandListReset(hCommandList: ze_command_list_handle_t) {
        let list = list(hCommandList)?;
        list.idle();
        let Kind::Recorded(record) = &list.kind else {
            complain_here("an immediate list cannot be reset".to_owned());
            return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
        };
        *record.lock() = Record::Open(Vec::new());
        Ok(())
    }

    fn zeCommandListHostSynchronize(hCommandList: ze_command_list_handle_t, timeout: u64) {
        let list = list(hCommandList)?;
        let Kind::Immediate { worker, .. } = &list.kind else {
            complain_here("only an immediate list can be waited for".to_owned());
            return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
        };
        worker.synchronize(timeout)
    }

    fn zeCommandListImmediateAppendCommandListsExp(
        hCommandListImmediate: ze_command_list_handle_t,
        numCommandLists: u32,
        phCommandLists: *mut ze_command_list_handle_t,
        hSignalEvent: ze_event_handle_t,
        numWaitEvents: u32,
        phWaitEvents: *mut ze_event_handle_t,
    ) {
        let list_now = list(hCommandListImmediate)?;
        let Kind::Immediate { worker, .. } = &list_now.kind else {
            complain_here("the list is not immediate".to_owned());
            return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
        };
        let jobs = items(numCommandLists, phCommandLists)?
            .iter()
            .map(|handle| list(*handle)?.job())
            .collect::<Answer<Vec<_>>>()?;
        let before = Sync { signal: ze_event_handle_t::NULL, count: numWaitEvents, waits: phWaitEvents };
        list_now.append(before, Work::Nothing)?;
        worker.submit(jobs);
        list_now.append(Sync { signal: hSignalEvent, count: 0, waits: std::ptr::null() }, Work::Nothing)
    }
}
