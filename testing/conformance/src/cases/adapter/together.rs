//! Several loaders of one file in a process, and the end of one.

use std::ptr::{null, null_mut};
use std::sync::Mutex;

use sycl_ur_core::*;
use testing_ur_host::{ConnectError, Connection, Layout};

use crate::case::{Case, alone, exit};
use crate::cases::plugin::together;
use crate::env::{Env, ramp};
use crate::outcome::{Failure, Verdict, check, same, same_code};
use crate::skip;
use crate::values::ur_name;

pub(super) const CASES: &[Case] = &[
    alone("UR-40", "urAdapterGet", each_other_layout),
    alone("UR-41", "urAdapterGet", all_layouts_at_once),
    alone("UR-42", "urAdapterRelease", one_ends),
    exit("UR-43", "urAdapterRelease", releases_afterwards),
    alone("UR-75", "urPlatformGetApiVersion", one_after_another),
];

/// The objects of a second loader.
struct Second {
    connection: Connection,
    adapter: ur_adapter_handle_t,
    context: ur_context_handle_t,
    queue: ur_queue_handle_t,
    handles: Vec<usize>,
}

// SAFETY: adapters may be called from any thread, and handles are only passed on.
unsafe impl Send for Second {}

type Tried<T> = Result<T, String>;

fn well(what: &str, code: ur_result_t) -> Tried<()> {
    if code == UR_RESULT_SUCCESS { Ok(()) } else { Err(format!("{what} gives {}", ur_name(code))) }
}

impl Second {
    /// Creates a device, a context and a queue in a layout, like its runtime.
    fn new(connection: Connection) -> Tried<Self> {
        let calls = &connection.calls;
        let (mut adapter, mut platform, mut device) = (null_mut(), null_mut(), null_mut());
        let (mut context, mut queue, mut count) = (null_mut(), null_mut(), 0);
        // SAFETY: live handles and room for the results.
        unsafe {
            well("urAdapterGet", calls.urAdapterGet(1, &mut adapter, null_mut()))?;
            let code = match calls.layout() {
                Layout::V2025_0 | Layout::V2025_1 | Layout::V2025_2 => {
                    calls.urPlatformGet_until_2025_2(&mut adapter, 1, 1, &mut platform, &mut count)
                }
                _ => calls.urPlatformGet(adapter, 1, &mut platform, &mut count),
            };
            well("urPlatformGet", code)?;
            well("urDeviceGet", calls.urDeviceGet(platform, UR_DEVICE_TYPE_ALL, 1, &mut device, null_mut()))?;
            well("urContextCreate", calls.urContextCreate(1, &device, null(), &mut context))?;
            well("urQueueCreate", calls.urQueueCreate(context, device, null(), &mut queue))?;
        }
        let handles =
            vec![adapter as usize, platform as usize, device as usize, context as usize, queue as usize];
        Ok(Self { connection, adapter, context, queue, handles })
    }

    /// Writes bytes to a buffer and reads them back.
    fn work(&self) -> Tried<()> {
        let (calls, from, mut to, mut buffer) =
            (&self.connection.calls, ramp(256), vec![0_u8; 256], null_mut());
        // SAFETY: live handles, 256 bytes each, blocking calls.
        unsafe {
            let code =
                calls.urMemBufferCreate(self.context, UR_MEM_FLAG_READ_WRITE, 256, null(), &mut buffer);
            well("urMemBufferCreate", code)?;
            let (queue, none, out) = (self.queue, null(), null_mut());
            let start = from.as_ptr().cast();
            well(
                "urEnqueueMemBufferWrite",
                calls.urEnqueueMemBufferWrite(queue, buffer, 1, 0, 256, start, 0, none, out),
            )?;
            let start = to.as_mut_ptr().cast();
            well(
                "urEnqueueMemBufferRead",
                calls.urEnqueueMemBufferRead(queue, buffer, 1, 0, 256, start, 0, none, out),
            )?;
            well("urMemRelease", calls.urMemRelease(buffer))?;
        }
        if to == from { Ok(()) } else { Err("other bytes came back".to_owned()) }
    }

    /// From 2025.3 on each handle begins with the address of its own loader's tables.
    fn own_tables(&self) -> Tried<()> {
        let block = self.connection.block.as_ptr() as usize;
        let others =
            // SAFETY: live handles, of which the loader reads one word, too.
            self.handles.iter().filter(|handle| unsafe { *(**handle as *const usize) } != block).count();
        match (others, self.connection.calls.layout() >= Layout::V2025_3) {
            (0, _) | (_, false) => Ok(()),
            (others, true) => Err(format!("{others} of the handles begin with another loader's tables")),
        }
    }

    /// The platform's version and each handle's queries match the layout.
    fn own_layout(&self) -> Tried<()> {
        let (calls, mut version) = (&self.connection.calls, 0);
        // SAFETY: a live platform and room for a number.
        let code = unsafe { calls.urPlatformGetApiVersion(self.handles[1] as _, &mut version) };
        well("urPlatformGetApiVersion", code)?;
        let expected = calls.layout().api_version();
        if version == expected { Ok(()) } else { Err(format!("version {version:#x} for {expected:#x}")) }
    }

    fn end(&self) -> Tried<()> {
        let calls = &self.connection.calls;
        // SAFETY: this loader owns the references.
        unsafe {
            well("urQueueRelease", calls.urQueueRelease(self.queue))?;
            well("urContextRelease", calls.urContextRelease(self.context))?;
            well("urAdapterRelease", calls.urAdapterRelease(self.adapter))
        }
    }
}

/// Creates a loader for each other layout that the file supports, but not more than a process may have.
fn others(f: &Env) -> Verdict<Vec<Second>> {
    let ur = f.ur()?;
    let mut all = Vec::new();
    for layout in Layout::ALL.into_iter().filter(|layout| *layout != ur.connection.calls.layout()) {
        match ur.file.connect(layout) {
            Ok(connection) => {
                let second = Second::new(connection);
                all.push(second.map_err(|got| Failure::fail(layout.name(), "a queue", got))?);
            }
            // The vendor's files support one layout each.
            Err(ConnectError::Refused { code: UR_RESULT_ERROR_UNSUPPORTED_VERSION, .. }) => {}
            Err(error) => return Err(Failure::fail(layout.name(), "tables", error)),
        }
    }
    if all.is_empty() { Err(Failure::skip(skip::ONE_LAYOUT)) } else { Ok(all) }
}

fn each_other_layout(f: &Env) -> Verdict {
    let mut wrong = Vec::new();
    f.queue()?;
    for other in others(f)? {
        let tried = other.own_tables().and_then(|()| other.work()).and_then(|()| other.own_tables());
        if let Err(what) = tried {
            wrong.push(format!("{}: {what}", other.connection.calls.layout().name()));
        }
    }
    crate::cases::all_well::all_well("each layout works beside this one, with tables of its own", &wrong)?;
    // This layout's handles still have its own tables.
    let buffer = f.buffer(&ramp(64))?;
    same("content through this layout", ramp(64), f.read(*buffer, 64)?)?;
    let ur = f.ur()?;
    // SAFETY: a live device, of which the loader reads one word, too.
    let first = unsafe { *f.device.cast::<usize>() };
    let own = first == ur.connection.block.as_ptr() as usize;
    check(
        "",
        own || ur.connection.calls.layout() < Layout::V2025_3,
        "this loader's tables",
        format!("{first:#x}"),
    )
}

fn all_layouts_at_once(f: &Env) -> Verdict {
    let seconds: Vec<Mutex<Second>> = others(f)?.into_iter().map(Mutex::new).collect();
    together(seconds.len(), |index| {
        let Some(second) = seconds.get(index) else { return Ok(()) };
        let second = second.lock().map_err(|error| error.to_string())?;
        (0..50).try_for_each(|_| second.work().and_then(|()| second.own_tables()))
    })?;
    Ok(())
}

/// Each loader has its tables at the same address as the previous one, as when a runtime is unloaded and another
/// takes its place.
fn one_after_another(f: &Env) -> Verdict {
    let (ur, served) = (f.ur()?, others(f)?);
    let layouts: Vec<Layout> = served.iter().map(|second| second.connection.calls.layout()).collect();
    for second in &served {
        second.end().map_err(|got| Failure::fail("the end of a loader", "success", got))?;
    }
    // Room for the tables of any layout, and for their surroundings.
    const WORDS: usize = 4096;
    let memory = Box::leak(vec![null_mut(); WORDS].into_boxed_slice());
    for layout in layouts.iter().chain(layouts.iter().rev()) {
        // SAFETY: the memory is never freed, and the loader whose tables were there has ended.
        let connection = unsafe { ur.file.connect_in(*layout, memory.as_mut_ptr(), WORDS) };
        let connection = connection.map_err(|error| Failure::fail(layout.name(), "tables", error))?;
        let second = Second::new(connection).map_err(|got| Failure::fail(layout.name(), "a queue", got))?;
        let tried = second.own_layout().and_then(|()| second.own_tables()).and_then(|()| second.work());
        tried
            .and_then(|()| second.end())
            .map_err(|got| Failure::fail(layout.name(), "a loader of its own", got))?;
    }
    Ok(())
}

fn one_ends(f: &Env) -> Verdict {
    for second in others(f)? {
        let ended = second.work().and_then(|()| second.end());
        let name = second.connection.calls.layout().name();
        check(name, ended.is_ok(), "a good end", ended.err().unwrap_or_default())?;
    }
    let buffer = f.buffer(&ramp(64))?;
    same("content in the loader that goes on", ramp(64), f.read(*buffer, 64)?)
}

/// A runtime's statics release their objects after the adapter. This succeeds or returns a code, without a crash.
fn releases_afterwards(f: &Env) -> Verdict {
    let calls = &f.ur()?.connection.calls;
    let buffer = f.buffer(&ramp(64))?.into_raw();
    let (context, queue) = (f.context()?, f.queue()?);
    let mut adapter = null_mut();
    // SAFETY: live handles, then released handles, which the adapter refuses or accepts.
    unsafe {
        well_or_failed("urAdapterGet", calls.urAdapterGet(1, &mut adapter, null_mut()))?;
        for _ in 0..2 {
            calls.urAdapterRelease(adapter);
        }
        calls.urMemRelease(buffer.cast());
        calls.urQueueRelease(queue.cast());
        calls.urContextRelease(context.cast());
        calls.urDeviceRelease(f.device.cast());
        calls.urAdapterRelease(adapter);
    }
    Ok(())
}

fn well_or_failed(what: &str, code: ur_result_t) -> Verdict {
    same_code(what, UR_RESULT_SUCCESS, code)
}
