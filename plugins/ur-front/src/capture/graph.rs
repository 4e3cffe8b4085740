//! Graphs, and the executable graphs created from them.
#![expect(unsafe_code, reason = "the caller's pointers and handles")]

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Backend, Blocks, CountedKind, Dependencies, Result, Shared};
use sycl_ur_core::*;

use super::recorded::Capture;
use crate::convert::{error, own_code};
use crate::handle::Reference;

/// A graph, which is empty or contains what one capture has recorded.
pub(crate) struct Graph<B: Backend> {
    /// A number that is unique among the graphs of this library.
    pub id: u64,
    /// The context that its queues must belong to; `None` for a graph created by a capture.
    context: Option<Shared<Reference<B::Context>>>,
    capture: Mutex<Arc<Capture<B>>>,
    callbacks: Mutex<Vec<DestructionCallback>>,
}

/// A caller's function that is called once when the graph is destroyed.
pub(crate) struct DestructionCallback {
    pub function: unsafe extern "C" fn(*mut c_void),
    pub user_data: *mut c_void,
}

// SAFETY: the address is passed to the caller's function and not used here.
unsafe impl Send for DestructionCallback {}

// SAFETY: each library has one backend, and therefore one such kind.
unsafe impl<B: Backend> CountedKind for Graph<B> {
    type Raw = ur_exp_graph_handle_t_;
    const INVALID: ErrorCode = own_code(UR_RESULT_ERROR_INVALID_GRAPH);
    const NAME: &'static str = "graph";

    fn blocks() -> &'static Blocks {
        static BLOCKS: Blocks = Blocks::new();
        &BLOCKS
    }
}

impl<B: Backend> Graph<B> {
    /// Creates an empty graph.
    pub(crate) fn new(context: Option<Shared<Reference<B::Context>>>) -> Self {
        static LAST_ID: AtomicU64 = AtomicU64::new(0);
        Self {
            id: LAST_ID.fetch_add(1, Ordering::Relaxed) + 1,
            context,
            capture: Mutex::new(Arc::new(Capture::new())),
            callbacks: Mutex::default(),
        }
    }

    /// Returns the capture, which may still be open.
    pub(crate) fn capture(&self) -> Arc<Capture<B>> {
        self.capture.lock().clone()
    }

    /// Begins a capture into this graph, which must be empty.
    pub(crate) fn begin(
        &self, context: &B::Context, begin: impl FnOnce() -> Result<Capture<B>>,
    ) -> Result<Arc<Capture<B>>> {
        if self.context.as_ref().is_some_and(|own| !std::ptr::eq(&raw const ****own, context)) {
            return Err(error(
                UR_RESULT_ERROR_INVALID_CONTEXT,
                "hGraph belongs to another context than hQueue",
            ));
        }
        let mut capture = self.capture.lock();
        capture.check_complete()?;
        if !capture.is_empty() {
            let text = "hGraph: something was captured into it already; a graph has one capture";
            return Err(error(UR_RESULT_ERROR_INVALID_ARGUMENT, text));
        }
        *capture = Arc::new(begin()?);
        Ok(capture.clone())
    }

    /// Registers a function that is called when the graph is destroyed.
    pub(crate) fn call_at_destruction(&self, callback: DestructionCallback) {
        self.callbacks.lock().push(callback);
    }
}

impl<B: Backend> Drop for Graph<B> {
    fn drop(&mut self) {
        for DestructionCallback { function, user_data } in self.callbacks.get_mut().drain(..) {
            // SAFETY: this is the caller's function with the caller's data.
            unsafe { function(user_data) };
        }
    }
}

/// An executable graph. All of them that come from one graph share a command buffer, because they cannot be updated and
/// thus do not differ.
pub(crate) struct ExecutableGraph<B: Backend> {
    /// The command buffer, or `None` if only waits and barriers were captured.
    pub buffer: Option<Arc<Reference<B::CommandBuffer>>>,
}

// SAFETY: each library has one backend, and therefore one such kind.
unsafe impl<B: Backend> CountedKind for ExecutableGraph<B> {
    type Raw = ur_exp_executable_graph_handle_t_;
    const INVALID: ErrorCode = own_code(UR_RESULT_ERROR_INVALID_GRAPH);
    const NAME: &'static str = "executable graph";

    fn blocks() -> &'static Blocks {
        static BLOCKS: Blocks = Blocks::new();
        &BLOCKS
    }
}

impl<B: Backend> ExecutableGraph<B> {
    /// Creates an executable graph from the current content of a graph.
    pub(crate) fn from_graph(graph: &Graph<B>) -> Result<Self> {
        let capture = graph.capture();
        capture.check_complete()?;
        if capture.is_empty() {
            return Err(error(
                UR_RESULT_ERROR_INVALID_ARGUMENT,
                "hGraph is empty: nothing was captured into it",
            ));
        }
        Ok(Self { buffer: capture.finalized()? })
    }

    /// Enqueues a run of the graph.
    pub(crate) fn enqueue(&self, queue: &B::Queue, dependencies: Dependencies<'_, B::Event>) -> Result<()> {
        match &self.buffer {
            Some(buffer) => B::enqueue_command_buffer(buffer, queue, dependencies),
            None => B::enqueue_events_wait(queue, dependencies),
        }
    }
}
