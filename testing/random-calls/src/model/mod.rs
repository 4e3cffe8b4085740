//! Fills and copies whose bytes are checked. The same operations are applied to bytes on the host, and the final
//! bytes are compared.
//!
//! The memory belongs to the model, so no other call writes to it. Commands wait for those that used the same memory
//! before.

mod commands;
mod contexts;
mod rooms;

use std::fmt::Write;

use sycl_pi_core::*;
use sycl_pi_loader::{CallError, Table};

use crate::fixture::Fixture;
use crate::journal::{Count, Journal};
use crate::pools::Kind;
use crate::random::Random;
use contexts::OtherContext;
use rooms::{Room, Target};

/// The maximum number of commands of an episode.
const LONGEST: usize = 6;

/// The model.
pub(crate) struct Model {
    pi: &'static Table,
    /// An in-order queue, and an out-of-order queue if the device supports it.
    queues: Vec<pi_queue>,
    rooms: Vec<Room>,
    /// The targets of commands: rooms, and parts of them.
    targets: Vec<Target>,
    other: Option<OtherContext>,
    /// Whether the plugin must accept every command that it does not report as unsupported.
    takes_all: bool,
}

/// The state of an episode.
struct Episode<'a> {
    random: &'a mut Random,
    journal: &'a Journal,
    trace: bool,
    /// The commands so far, for people.
    text: String,
    events: Vec<pi_event>,
    /// The message of a command that was refused, other than as unsupported.
    refused: Option<String>,
    /// Host memory that commands read.
    sources: Vec<Vec<u8>>,
    /// Host memory that commands write, with its expected bytes.
    reads: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Model {
    /// Creates a model with memory of each kind that the device has. Returns `None` for a device without buffers.
    pub(crate) fn new(fixture: &Fixture, takes_all: bool) -> Option<Self> {
        let handle = |kind| fixture.pools.of(kind).first().map(|object| object.handle);
        let (device, context) = (handle(Kind::Device)? as pi_device, handle(Kind::Context)? as pi_context);
        let (queues, rooms, targets) = (Vec::new(), Vec::new(), Vec::new());
        let mut model = Self { pi: fixture.pi, queues, rooms, targets, other: None, takes_all };
        for flags in [0, PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE] {
            model.queues.extend(rooms::queue(model.pi, context, device, flags));
        }
        if model.queues.is_empty() {
            return None;
        }
        rooms::make(&mut model, context, device);
        model.other = OtherContext::new(model.pi, device);
        Some(model)
    }

    /// Makes some commands, waits for them and compares. The error describes the difference.
    pub(crate) fn check(
        &mut self,
        random: &mut Random,
        journal: &Journal,
        trace: bool,
    ) -> Result<(), String> {
        let mut episode = Episode {
            random,
            journal,
            trace,
            text: String::new(),
            events: Vec::new(),
            refused: None,
            sources: Vec::new(),
            reads: Vec::new(),
        };
        let count = 1 + episode.random.below(LONGEST);
        let made = (0..count).try_for_each(|_| self.command(&mut episode));
        let waited = self.wait(&mut episode);
        let taken = match episode.refused.take() {
            Some(refused) if self.takes_all => Err(refused),
            _ => Ok(()),
        };
        made.and(taken).and(waited).and_then(|()| self.compare(&mut episode)).map_err(|wrong| {
            // The next episode starts from the actual bytes.
            self.rooms.iter_mut().for_each(|room| room.is_known = false);
            format!("{wrong}, after\n{}", episode.text)
        })?;
        match &self.other {
            Some(other) if episode.random.one_in(4) => other.check(self.queues[0], &mut episode),
            _ => Ok(()),
        }
    }

    /// Waits on the host for all commands of the episode in one call.
    fn wait(&mut self, episode: &mut Episode<'_>) -> Result<(), String> {
        self.rooms.iter_mut().for_each(|room| room.last = None);
        let events = std::mem::take(&mut episode.events);
        if events.is_empty() {
            return Ok(());
        }
        // SAFETY: live events, each released once.
        unsafe {
            let waited = self.pi.piEventsWait(events.len() as u32, events.as_ptr());
            for event in events {
                let _ = self.pi.piEventRelease(event);
            }
            waited.map_err(|error| format!("a wait for all events: {error}"))
        }
    }

    /// Reads all memory that the episode wrote, and compares it with the model.
    fn compare(&mut self, episode: &mut Episode<'_>) -> Result<(), String> {
        for (got, wanted) in &episode.reads {
            same("what was read", got, wanted)?;
        }
        let queue = self.queues[0];
        for room in self.rooms.iter_mut().filter(|room| room.is_written) {
            room.is_written = false;
            let got = room.read(self.pi, queue).map_err(|error| format!("a read: {error}"))?;
            same(&room.name, &got, &room.bytes)?;
        }
        Ok(())
    }
}

/// Fails with an error that names the first differing byte.
fn same(what: &str, got: &[u8], wanted: &[u8]) -> Result<(), String> {
    let differs = |(got, wanted): &(&u8, &u8)| got != wanted;
    let count = got.iter().zip(wanted).filter(differs).count();
    match got.iter().zip(wanted).position(|pair| differs(&pair)) {
        None => Ok(()),
        Some(at) => Err(format!(
            "{count} wrong bytes in {what}, the first at {at}: {:#04x} for {:#04x}",
            got[at], wanted[at]
        )),
    }
}

impl Episode<'_> {
    /// Records a call that is made next.
    fn begin(&mut self, text: String) {
        if self.trace {
            eprintln!("    {text}");
        }
        self.journal.begin(&text);
        let _ = writeln!(self.text, "  {text}");
    }

    /// Counts a call, and returns whether it succeeded. A plugin may refuse what it does not support. A missing
    /// function does not count as a call.
    fn done(&mut self, name: &str, result: Result<(), CallError>) -> bool {
        let number = table::ENTRY_POINTS.iter().position(|entry| entry.name == name);
        let is_done = result.is_ok();
        if let (Some(number), false) = (number, matches!(result, Err(CallError::Missing { .. }))) {
            self.journal.count(number, if is_done { Count::Succeeded } else { Count::Refused });
        }
        if let Err(error) = result {
            let _ = writeln!(self.text, "    {error}");
            let unsupported = [None, Some(PI_ERROR_INVALID_OPERATION), Some(PI_ERROR_UNSUPPORTED_FEATURE)];
            if !unsupported.contains(&error.code()) {
                self.refused = Some(error.to_string());
            }
        }
        is_done
    }
}
