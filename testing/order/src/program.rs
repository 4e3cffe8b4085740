//! A program: steps of the host, most of which enqueue a command.

use std::fmt;

/// The number of a step, which stays the same when other steps are removed.
pub(crate) type Id = usize;

/// How a command moves bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// The plugin's copy of a whole place.
    Whole,
    /// The plugin's copy of the place's rows.
    Rows,
    /// A kernel.
    Kernel,
}

/// A command. Values are bytes. A log is a separate place for the command on the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Write {
        to: usize,
        value: u8,
        way: Way,
        /// Whether to copy from USM of the host instead of the program's own memory.
        pinned: bool,
    },
    Read {
        from: usize,
        log: usize,
        way: Way,
        pinned: bool,
    },
    Copy {
        from: usize,
        to: usize,
        way: Way,
    },
    Fill {
        to: usize,
        value: u8,
    },
    /// A kernel that is busy for a while.
    Slow {
        rounds: i32,
    },
    Marker,
    Barrier,
    Prefetch {
        place: usize,
    },
    /// The commands of a command buffer.
    Run {
        of: Id,
    },
}

impl Command {
    /// Returns the places that it reads and writes itself.
    pub(crate) fn places(&self) -> impl Iterator<Item = usize> {
        let places = match *self {
            Self::Write { to, .. } | Self::Fill { to, .. } => [Some(to), None],
            Self::Read { from, .. } => [Some(from), None],
            Self::Copy { from, to, .. } => [Some(from), Some(to)],
            _ => [None, None],
        };
        places.into_iter().flatten()
    }
}

/// A command of a command buffer, after earlier ones in it.
#[derive(Clone, Debug)]
pub(crate) struct Recorded {
    pub(crate) command: Command,
    pub(crate) after: Vec<usize>,
}

/// An action of the host.
#[derive(Clone, Debug)]
pub(crate) enum What {
    Enqueue {
        queue: usize,
        command: Command,
        waits: Vec<Id>,
        /// Whether the caller wants the event.
        event: bool,
        blocking: bool,
    },
    /// Creates another event from the native handle of a step's event.
    Native { of: Id },
    /// An event that the host completes.
    User { context: usize },
    /// The host completes it.
    Set { of: Id },
    /// The host waits for events.
    Wait { of: Vec<Id> },
    /// The host waits for a queue.
    Finish { queue: usize },
    /// A command buffer of one device.
    Record { context: usize, device: usize, commands: Vec<Recorded> },
    /// Sets other places for a recorded kernel, from the next run on.
    Update { of: Id, number: usize, command: Command },
}

/// A step.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) id: Id,
    pub(crate) what: What,
}

/// All steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub(crate) steps: Vec<Step>,
}

impl Program {
    /// Returns the number of commands for devices.
    pub(crate) fn commands(&self) -> u64 {
        let recorded = |id: Id| {
            self.steps.iter().find(|step| step.id == id).map_or(0, |step| match &step.what {
                What::Record { commands, .. } => commands.len() as u64,
                _ => 0,
            })
        };
        let of_step = |step: &Step| match &step.what {
            What::Enqueue { command: Command::Run { of }, .. } => recorded(*of),
            What::Enqueue { .. } => 1,
            _ => 0,
        };
        self.steps.iter().map(of_step).sum()
    }

    /// Returns the program without some steps, and without those that depend on them.
    pub(crate) fn without(&self, out: &[Id]) -> Self {
        let mut gone: Vec<Id> = out.to_vec();
        loop {
            let before = gone.len();
            for step in &self.steps {
                let needs = match &step.what {
                    What::Native { of } | What::Set { of } | What::Update { of, .. } => Some(*of),
                    What::Enqueue { command: Command::Run { of }, .. } => Some(*of),
                    _ => None,
                };
                if needs.is_some_and(|id| gone.contains(&id)) && !gone.contains(&step.id) {
                    gone.push(step.id);
                }
                // Commands that wait for a user event must not wait forever.
                if let What::Set { of } = step.what
                    && gone.contains(&step.id)
                    && !gone.contains(&of)
                {
                    gone.push(of);
                }
            }
            if gone.len() == before {
                break;
            }
        }
        let kept = |list: &[Id]| list.iter().copied().filter(|id| !gone.contains(id)).collect::<Vec<_>>();
        let steps = self.steps.iter().filter(|step| !gone.contains(&step.id)).cloned();
        let steps = steps.filter_map(|mut step| {
            match &mut step.what {
                What::Enqueue { waits, .. } => *waits = kept(waits),
                What::Wait { of } => {
                    *of = kept(of);
                    if of.is_empty() {
                        return None;
                    }
                }
                _ => {}
            }
            Some(step)
        });
        Self { steps: steps.collect() }
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Way::Whole => "",
            Way::Rows => " by rows",
            Way::Kernel => " by a kernel",
        })
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = |pinned: &bool| if *pinned { "USM of the host" } else { "memory of the host" };
        match self {
            Command::Write { to, value, way, pinned } => {
                write!(f, "write {value} to place {to}{way}, from {}", host(pinned))
            }
            Command::Read { from, log, way, pinned } => {
                write!(f, "read place {from}{way} into log {log}, in {}", host(pinned))
            }
            Command::Copy { from, to, way } => write!(f, "copy place {from} to {to}{way}"),
            Command::Fill { to, value } => write!(f, "fill place {to} with {value}"),
            Command::Slow { rounds } => write!(f, "kernel of {rounds} rounds"),
            Command::Marker => f.write_str("marker"),
            Command::Barrier => f.write_str("barrier"),
            Command::Prefetch { place } => write!(f, "prefetch place {place}"),
            Command::Run { of } => write!(f, "run of command buffer {of}"),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>3}: ", self.id)?;
        match &self.what {
            What::Enqueue { queue, command, waits, event, blocking } => {
                write!(f, "queue {queue}: {command}")?;
                if !waits.is_empty() {
                    write!(f, ", behind {waits:?}")?;
                }
                f.write_str(if *blocking { ", blocking" } else { "" })?;
                f.write_str(if *event { "" } else { ", without an event" })
            }
            What::Native { of } => write!(f, "event of the native handle of {of}"),
            What::User { context } => write!(f, "user event in context {context}"),
            What::Set { of } => write!(f, "user event {of} is set"),
            What::Wait { of } => write!(f, "the host waits for {of:?}"),
            What::Finish { queue } => write!(f, "the host waits for queue {queue}"),
            What::Record { context, device, commands } => {
                write!(f, "command buffer for device {device} of context {context}:")?;
                for (number, Recorded { command, after }) in commands.iter().enumerate() {
                    write!(f, "\n       {number}: {command}")?;
                    if !after.is_empty() {
                        write!(f, ", behind {after:?}")?;
                    }
                }
                Ok(())
            }
            What::Update { of, number, command } => {
                write!(f, "command {number} of command buffer {of} becomes: {command}")
            }
        }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.steps.iter().try_for_each(|step| writeln!(f, "{step}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_a_step_goes_with_it() {
        let enqueue = |command, waits: &[Id]| What::Enqueue {
            queue: 0,
            command,
            waits: waits.to_vec(),
            event: true,
            blocking: false,
        };
        let what = [
            What::User { context: 0 },
            enqueue(Command::Marker, &[0]),
            What::Native { of: 1 },
            enqueue(Command::Barrier, &[1, 2]),
            What::Set { of: 0 },
            What::Wait { of: vec![2] },
        ];
        let steps = what.into_iter().enumerate().map(|(id, what)| Step { id, what }).collect();
        let program = Program { steps };
        let left = |out: &[Id]| program.without(out).steps.iter().map(|step| step.id).collect::<Vec<_>>();
        assert_eq!(left(&[1]), [0, 3, 4]);
        assert_eq!(left(&[4]), [1, 2, 3, 5], "an event that is never set would be waited for without an end");
        assert_eq!(left(&[0]), [1, 2, 3, 5]);
        assert_eq!(program.commands(), 2);
    }
}
