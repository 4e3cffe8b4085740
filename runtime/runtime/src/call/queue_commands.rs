//! Waits for a queue's commands before memory that they may use is freed.

use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use sycl_pi_core::*;

use super::Plugin;
use super::handle::Handle;

/// The plugin's queue, and whether it has work.
///
/// The context's list contains it until its commands are complete. So memory waits for the commands of a queue that
/// another thread is dropping, and the plugin's queue exists as long as a thread waits.
pub(super) struct QueueCommands {
    plugin: Plugin,
    raw: Handle<_pi_queue>,
    /// Whether commands were submitted since the last wait for the whole queue.
    busy: AtomicBool,
    finishing: Mutex<()>,
}

impl QueueCommands {
    /// Takes over a queue that nothing else releases.
    pub(super) fn new(plugin: Plugin, raw: pi_queue) -> Self {
        let (busy, finishing) = (AtomicBool::new(false), Mutex::new(()));
        Self { plugin, raw: Handle::new(raw), busy, finishing }
    }

    pub(super) fn raw(&self) -> pi_queue {
        self.raw.get()
    }

    /// Records that a command was submitted.
    pub(super) fn mark_busy(&self) {
        self.busy.store(true, Ordering::Release);
    }

    /// Waits for the queue's commands, and returns whether they are complete. If another thread is already waiting,
    /// this one waits with it.
    pub(super) fn finish_if_busy(&self) -> bool {
        let _one_at_a_time = self.finishing.lock();
        if !self.busy.swap(false, Ordering::AcqRel) {
            return true;
        }
        // SAFETY: the queue is alive.
        let is_done = unsafe { self.plugin.table().piQueueFinish(self.raw.get()) }.is_ok();
        if !is_done {
            self.busy.store(true, Ordering::Release);
        }
        is_done
    }
}

impl Drop for QueueCommands {
    fn drop(&mut self) {
        // SAFETY: the handle is this object's own.
        let _ = unsafe { self.plugin.table().piQueueRelease(self.raw.get()) };
    }
}
