//! One live object of each kind.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_ur_core::*;
use testing_ur_host::Calls;

use super::captured::{Captured, instantiate, need_capture};
use crate::env::{Env, Owned};
use crate::outcome::{Failure, Verdict};

/// Anything that is released at the end of its scope.
trait Held {}
impl<T> Held for T {}

/// Handles by the names of their types.
pub(super) struct Objects<'e> {
    list: Vec<(&'static str, usize)>,
    _held: Vec<Box<dyn Held + 'e>>,
}

/// A context, a queue, a buffer and so on, each with one reference owned by the caller.
pub(super) struct Fresh {
    /// The name of its type.
    pub(super) kind: &'static str,
    /// Its handle.
    pub(super) handle: usize,
}

/// A pool that is released at the end of its scope.
struct Pool(&'static Calls, ur_usm_pool_handle_t);

impl Drop for Pool {
    fn drop(&mut self) {
        // SAFETY: this object owns the reference. A failure cannot be reported from a drop.
        unsafe { self.0.urUSMPoolRelease(self.1) };
    }
}

/// Returns `None` for an object that the device does not support.
fn there<T>(made: Verdict<T>) -> Verdict<Option<T>> {
    match made {
        Ok(made) => Ok(Some(made)),
        Err(Failure::Skip(_)) => Ok(None),
        Err(wrong) => Err(wrong),
    }
}

impl<'e> Objects<'e> {
    pub(super) fn new(f: &'e Env) -> Verdict<Self> {
        let mut all = Self { list: Vec::new(), _held: Vec::new() };
        let context = f.context()?;
        let calls = &f.ur()?.connection.calls;
        let mut adapter: ur_adapter_handle_t = null_mut();
        // SAFETY: room for one handle.
        unsafe { calls.urAdapterGet(1, &mut adapter, null_mut()) };
        all.list.push(("ur_adapter_handle_t", adapter as usize));
        all.list.push(("ur_platform_handle_t", f.platform as usize));
        all.list.push(("ur_device_handle_t", f.device as usize));
        all.list.push(("ur_context_handle_t", context as usize));
        all.list.push(("ur_queue_handle_t", f.queue()? as usize));
        all.hold("ur_mem_handle_t", f.blank(4096)?);
        let event = made!(f, |out| piEnqueueEventsWait(f.queue()?, 0, null(), out));
        ok!(f, piEventsWait(1, &event));
        all.hold("ur_event_handle_t", f.own_event(event));
        all.list.push(("ur_program_handle_t", f.program()? as usize));
        all.hold("ur_kernel_handle_t", f.kernel(c"nothing")?);
        if let Some(sampler) = there(sampler(f))? {
            all.hold("ur_sampler_handle_t", sampler);
        }
        let mut out = null_mut();
        let description = pi_ext_command_buffer_desc { stype: 0, pNext: null(), properties: null_mut() };
        if call!(f, piextCommandBufferCreate(context, f.device, &description, &mut out)).is_ok() {
            all.hold("ur_exp_command_buffer_handle_t", f.own_command_buffer(out));
        }
        let mut pool: ur_usm_pool_handle_t = null_mut();
        let mut desc = ur_usm_pool_desc_t { stype: UR_STRUCTURE_TYPE_USM_POOL_DESC, pNext: null(), flags: 0 };
        // SAFETY: a live context and room for a handle.
        if unsafe { calls.urUSMPoolCreate(context.cast(), &mut desc, &mut pool) } == UR_RESULT_SUCCESS {
            all.list.push(("ur_usm_pool_handle_t", pool as usize));
            all._held.push(Box::new(Pool(calls, pool)));
        }
        all.graphs(f)?;
        Ok(all)
    }

    /// Creates a graph and an executable graph, if the device supports them.
    fn graphs(&mut self, f: &'e Env) -> Verdict {
        if there(need_capture(f))?.is_none() {
            return Ok(());
        }
        let queue = f.new_queue(0)?;
        let captured = Captured::new(f, *queue)?;
        captured.begin()?;
        captured.wait(true, &[])?;
        let graph = captured.end()?;
        let executable = instantiate(&graph)?;
        self.list.push(("ur_exp_graph_handle_t", graph.1 as usize));
        self.list.push(("ur_exp_executable_graph_handle_t", executable.1 as usize));
        self._held.push(Box::new((graph, executable)));
        Ok(())
    }

    fn hold<T: Copy + Handle + 'e>(&mut self, kind: &'static str, owned: Owned<'e, T>) {
        self.list.push((kind, owned.number()));
        self._held.push(Box::new(owned));
    }

    /// Returns the object of a handle's type, or 0 if there is none.
    pub(super) fn of(&self, kind: &str) -> usize {
        self.list.iter().find(|(own, _)| *own == kind).map_or(0, |(_, handle)| *handle)
    }

    /// Returns all handles.
    pub(super) fn all(&self) -> &[(&'static str, usize)] {
        &self.list
    }
}

/// A handle as a number.
pub(super) trait Handle {
    fn number(&self) -> usize;
}

impl<T> Handle for *mut T {
    fn number(&self) -> usize {
        *self as usize
    }
}

fn sampler(f: &Env) -> Verdict<Owned<'_, pi_sampler>> {
    f.need_images()?;
    let (context, list) = (f.context()?, [0_u64; 1]);
    Ok(f.own_sampler(made!(f, |out| piSamplerCreate(context, list.as_ptr(), out))))
}

/// Returns new objects, which the caller has to release.
pub(super) fn fresh(f: &Env) -> Verdict<Vec<Fresh>> {
    let event = made!(f, |out| piEnqueueEventsWait(f.queue()?, 0, null(), out));
    ok!(f, piEventsWait(1, &event));
    let mut all = vec![
        Fresh { kind: "ur_context_handle_t", handle: f.new_context()?.into_raw() as usize },
        Fresh { kind: "ur_queue_handle_t", handle: f.new_queue(0)?.into_raw() as usize },
        Fresh { kind: "ur_mem_handle_t", handle: f.blank(4096)?.into_raw() as usize },
        Fresh { kind: "ur_event_handle_t", handle: event as usize },
        Fresh { kind: "ur_program_handle_t", handle: f.built(&crate::env::BASIC)?.into_raw() as usize },
        Fresh { kind: "ur_kernel_handle_t", handle: f.kernel(c"nothing")?.into_raw() as usize },
    ];
    if let Some(sampler) = there(sampler(f))? {
        all.push(Fresh { kind: "ur_sampler_handle_t", handle: sampler.into_raw() as usize });
    }
    Ok(all)
}

/// Releases one reference of an object.
pub(super) fn release(f: &Env, object: &Fresh) -> Verdict<ur_result_t> {
    let calls = &f.ur()?.connection.calls;
    let handle = object.handle;
    // SAFETY: a live object of that kind, or a released one, which the adapter refuses.
    Ok(unsafe {
        match object.kind {
            "ur_context_handle_t" => calls.urContextRelease(handle as _),
            "ur_queue_handle_t" => calls.urQueueRelease(handle as _),
            "ur_mem_handle_t" => calls.urMemRelease(handle as _),
            "ur_event_handle_t" => calls.urEventRelease(handle as _),
            "ur_program_handle_t" => calls.urProgramRelease(handle as _),
            "ur_kernel_handle_t" => calls.urKernelRelease(handle as _),
            _ => calls.urSamplerRelease(handle as _),
        }
    })
}
