//! The order of commands: by wait lists, in in-order queues, by barriers, and by waits on the host.

use std::collections::BTreeMap;

use crate::program::{Command, Id, Program, Recorded, Step, Way, What};
use crate::shape::Shape;

/// A set of nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Set([u64; Set::WORDS]);

impl Set {
    const WORDS: usize = 8;
    /// The maximum number of nodes.
    pub(crate) const MOST: usize = Self::WORDS * 64;
    /// All nodes.
    pub(crate) const ALL: Self = Self([u64::MAX; Self::WORDS]);

    pub(crate) fn has(&self, node: usize) -> bool {
        self.0[node / 64] >> (node % 64) & 1 != 0
    }

    fn add(&mut self, node: usize) {
        self.0[node / 64] |= 1 << (node % 64);
    }

    fn join(&mut self, other: &Set) {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word |= more;
        }
    }
}

/// The value that a command writes to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Known(u8),
    /// The value that the same command reads.
    Read,
}

/// A command, as one moment in the order.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// The step to which it belongs.
    pub(crate) step: Id,
    /// Everything that happens before it, directly or indirectly.
    pub(crate) before: Set,
    pub(crate) reads: Option<usize>,
    pub(crate) writes: Option<(usize, Value)>,
    /// The log to which it writes what it reads, so that the host can check it.
    pub(crate) log: Option<(usize, bool)>,
    pub(crate) by_rows: bool,
    /// The index of its device in the context.
    pub(crate) device: usize,
}

/// The order of a program's commands, built step by step.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) nodes: Vec<Node>,
    /// For each event, the node with which it completes.
    pub(crate) events: BTreeMap<Id, usize>,
    queues: Vec<QueueOrder>,
    /// The nodes that the host knows to be complete.
    host: Set,
    /// For each event that the host has set, the nodes known to be complete at that time.
    set: BTreeMap<Id, Set>,
    buffers: BTreeMap<Id, (usize, Vec<Recorded>)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct QueueOrder {
    all: Set,
    /// The nodes before the next command: the last command in an in-order queue, the barriers in others.
    next: Set,
}

impl Order {
    /// Returns the order before the first step.
    pub(crate) fn new(shape: &Shape) -> Self {
        Self {
            nodes: Vec::new(),
            events: BTreeMap::new(),
            queues: vec![QueueOrder::default(); shape.queues.len()],
            host: Set::default(),
            set: BTreeMap::new(),
            buffers: BTreeMap::new(),
        }
    }

    /// Returns the order of a whole program.
    pub(crate) fn of(shape: &Shape, program: &Program) -> Self {
        let mut set = BTreeMap::new();
        loop {
            // Commands that wait for a user event are enqueued before it is set. The next pass knows what is complete
            // by then.
            let mut order = Order { set, ..Order::new(shape) };
            let known = order.set.clone();
            for step in &program.steps {
                order.step(shape, step);
            }
            if order.set == known {
                return order;
            }
            set = order.set;
        }
    }

    /// Returns a node with everything before it.
    fn through(&self, node: usize) -> Set {
        let mut set = self.nodes[node].before;
        set.add(node);
        set
    }

    /// Returns what would come before a command.
    pub(crate) fn before(&self, shape: &Shape, queue: usize, command: Command, waits: &[Id]) -> Set {
        let mut before = self.host;
        // Without a list, a marker comes after everything.
        let is_marker = matches!(command, Command::Marker | Command::Prefetch { .. }) && !waits.is_empty();
        let passes_barriers = is_marker && !shape.can.markers_heed_barriers;
        if shape.queues[queue].in_order || !passes_barriers {
            before.join(&self.queues[queue].next);
        }
        if waits.is_empty() && matches!(command, Command::Marker | Command::Barrier) {
            before.join(&self.queues[queue].all);
        }
        for node in waits.iter().filter_map(|id| self.events.get(id)) {
            before.join(&self.through(*node));
        }
        before
    }

    /// Adds the next step.
    pub(crate) fn step(&mut self, shape: &Shape, step: &Step) {
        match &step.what {
            What::Enqueue { queue, command, waits, event, blocking } => {
                let before = self.before(shape, *queue, *command, waits);
                let device = shape.queues[*queue].device;
                let node = match command {
                    Command::Run { of } => self.run(step.id, *of, before),
                    command => self.node(step.id, *command, before, device),
                };
                let through = self.through(node);
                let of_queue = &mut self.queues[*queue];
                of_queue.all.join(&through);
                if shape.queues[*queue].in_order || *command == Command::Barrier {
                    of_queue.next.join(&through);
                }
                let completes = shape.can.blocking_writes_complete || matches!(command, Command::Read { .. });
                if *blocking && completes {
                    self.host.join(&through);
                }
                if *event {
                    self.events.insert(step.id, node);
                }
            }
            What::Native { of } => {
                if let Some(node) = self.events.get(of).copied() {
                    self.events.insert(step.id, node);
                }
            }
            What::User { .. } => {
                let before = self.set.get(&step.id).copied().unwrap_or_default();
                let node = self.node(step.id, Command::Marker, before, 0);
                self.events.insert(step.id, node);
            }
            What::Set { of } => {
                self.set.insert(*of, self.host);
            }
            What::Wait { of } => {
                for node in of.iter().filter_map(|id| self.events.get(id).copied()).collect::<Vec<_>>() {
                    self.host.join(&self.through(node));
                }
            }
            What::Finish { queue } => self.host.join(&self.queues[*queue].all),
            What::Record { device, commands, .. } => {
                self.buffers.insert(step.id, (*device, commands.clone()));
            }
            What::Update { of, number, command } => {
                if let Some((_, commands)) = self.buffers.get_mut(of) {
                    commands[*number].command = *command;
                }
            }
        }
    }

    fn node(&mut self, step: Id, command: Command, before: Set, device: usize) -> usize {
        let (reads, writes, log, way) = match command {
            Command::Write { to, value, way, .. } => (None, Some((to, Value::Known(value))), None, way),
            Command::Read { from, log, way, pinned } => (Some(from), None, Some((log, pinned)), way),
            Command::Copy { from, to, way } => (Some(from), Some((to, Value::Read)), None, way),
            Command::Fill { to, value } => (None, Some((to, Value::Known(value))), None, Way::Whole),
            _ => (None, None, None, Way::Whole),
        };
        self.nodes.push(Node { step, before, reads, writes, log, by_rows: way == Way::Rows, device });
        self.nodes.len() - 1
    }

    /// Adds the commands of a command buffer. Returns the end of the run.
    fn run(&mut self, step: Id, of: Id, before: Set) -> usize {
        let (device, commands) = self.buffers.get(&of).cloned().unwrap_or_default();
        let mut nodes: Vec<usize> = Vec::new();
        let mut end = before;
        for Recorded { command, after } in commands {
            let mut own = before;
            for earlier in after {
                own.join(&self.through(nodes[earlier]));
            }
            let node = self.node(step, command, own, device);
            // By now, the log no longer contains what an earlier run wrote.
            end.join(&self.through(node));
            nodes.push(node);
        }
        self.node(step, Command::Marker, end, device)
    }

    /// Adds a read after everything else.
    pub(crate) fn read_at_the_end(&mut self, place: usize) -> usize {
        let mut before = self.host;
        for node in 0..self.nodes.len() {
            before.add(node);
        }
        self.nodes.push(Node {
            step: usize::MAX,
            before,
            reads: Some(place),
            writes: None,
            log: None,
            by_rows: false,
            device: 0,
        });
        self.nodes.len() - 1
    }
}
