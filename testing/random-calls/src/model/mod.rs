//! Fills and copies whose bytes are checked: the same is done to bytes on the host, and what is there in the end is compared.
//!
//! The memory is the model's own, so that no other call writes to it. Commands wait for those that used the same memory before.

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

/// Commands of an episode, at most.
const LONGEST: usize = 6;

/// The model.
pub(crate) struct Model {
    pi: &'static Table,
    /// One in order, and one without order where the device has such.
    queues: Vec<pi_queue>,
    rooms: Vec<Room>,
    /// What commands name: rooms, and parts of them.
    targets: Vec<Target>,
    other: Option<OtherContext>,
    /// Whether the plugin has to take every command that it does not call unsupported.
    takes_all: bool,
}

/// What an episode has to keep until its end.
struct Episode<'a> {
    random: &'a mut Random,
    journal: &'a Journal,
    trace: bool,
    /// The commands so far, for a person.
    text: String,
    events: Vec<pi_event>,
    /// What was said to a command that was refused, and not as unsupported.
    refused: Option<String>,
    /// Memory of the host that commands read.
    sources: Vec<Vec<u8>>,
    /// Memory of the host that commands write, and what they are to write.
    reads: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Model {
    /// Memory of each kind that the device has; none of a device without buffers.
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

    /// Makes some commands, waits for them and compares. The text says what is wrong.
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
            // The next episode starts from what is there.
            self.rooms.iter_mut().for_each(|room| room.is_known = false);
            format!("{wrong}, after\n{}", episode.text)
        })?;
        match &self.other {
            Some(other) if episode.random.one_in(4) => other.check(self.queues[0], &mut episode),
            _ => Ok(()),
        }
    }

    /// Waits for every command of the episode, on the host and for all at once.
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

/// An error that names the first byte that differs.
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
    /// Notes a call that is made next.
    fn begin(&mut self, text: String) {
        if self.trace {
            eprintln!("    {text}");
        }
        self.journal.begin(&text);
        let _ = writeln!(self.text, "  {text}");
    }

    /// Counts a call. Whether it was done: a plugin may refuse what it has not. A lack of the function is no call.
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
