//! Draws random programs. The same seed and number give the same program.

use std::collections::BTreeSet;

use crate::order::{Order, Set};
use crate::program::{Command, Id, Program, Recorded, Step, Way, What};
use crate::random::Random;
use crate::shape::{Memory, Shape};

/// The maximum number of events in a list.
const LIST: usize = 5;
/// The maximum number of nodes of a program, without those that one more step can add.
const MOST: usize = Set::MOST - 40;
/// The number of logs on the host.
pub(crate) const LOGS: usize = 256;

/// Draws a program.
pub(crate) fn draw(shape: &Shape, seed: u64, number: u64, slow: i32) -> Program {
    let random = Random::new(seed, number);
    let mut draw = Draw {
        shape,
        random,
        order: Order::new(shape),
        program: Program::default(),
        queues: Vec::new(),
        next_value: (number * 37 % 255) as u8,
        logs: 0,
        events: Vec::new(),
        last_slow: None,
        last_barrier: None,
        unset: None,
        held: vec![false; shape.queues.len()],
        held_events: BTreeSet::new(),
        buffers: Vec::new(),
        slow,
    };
    let all: Vec<usize> = (0..shape.queues.len()).collect();
    for _ in 0..2 + draw.random.below(4) {
        draw.queues.extend(draw.random.of(&all));
    }
    for _ in 0..20 + draw.random.below(70) {
        if draw.order.nodes.len() > MOST || draw.logs + 8 > LOGS {
            break;
        }
        draw.next();
    }
    draw.set();
    draw.program
}

/// A command buffer.
struct Buffer {
    id: Id,
    context: usize,
    device: usize,
    commands: Vec<Recorded>,
    last_run: Option<Id>,
}

struct Draw<'a> {
    shape: &'a Shape,
    random: Random,
    order: Order,
    program: Program,
    /// The queues that this program uses.
    queues: Vec<usize>,
    next_value: u8,
    logs: usize,
    /// Events with their contexts, the newest last.
    events: Vec<(Id, usize)>,
    last_slow: Option<(Id, usize)>,
    /// The queue of the last command, if that was a barrier.
    last_barrier: Option<usize>,
    /// An event that the host still has to set. Until then, it must not wait for anything that may depend on the event.
    unset: Option<Id>,
    held: Vec<bool>,
    held_events: BTreeSet<Id>,
    buffers: Vec<Buffer>,
    slow: i32,
}

impl Draw<'_> {
    fn add(&mut self, what: What) -> Id {
        let step = Step { id: self.program.steps.len(), what };
        self.order.step(self.shape, &step);
        let id = step.id;
        self.program.steps.push(step);
        id
    }

    fn next(&mut self) {
        let can = self.shape.can;
        match self.random.below(100) {
            0..6 if can.native_events => self.native(),
            6..9 if can.user_events && self.unset.is_none() => {
                let context = self.random.below(self.shape.contexts.len());
                let id = self.add(What::User { context });
                self.unset = Some(id);
                self.held_events.insert(id);
                self.events.push((id, context));
            }
            9..14 if self.unset.is_some() => self.set(),
            14..17 => {
                let free = |(id, _): &&(Id, usize)| !self.held_events.contains(id);
                let recent: Vec<Id> =
                    self.events.iter().rev().take(8).filter(free).map(|(id, _)| *id).collect();
                let list: Vec<Id> =
                    (0..=self.random.below(2)).filter_map(|_| self.random.of(&recent)).collect();
                if let Some(first) = list.first().copied() {
                    // One context, because not every driver accepts events of several.
                    let context = self.context_of(first);
                    let of = list.into_iter().filter(|id| self.context_of(*id) == context).collect();
                    self.add(What::Wait { of });
                }
            }
            17..18 => {
                if let Some(queue) = self.random.of(&self.queues).filter(|queue| !self.held[*queue]) {
                    self.add(What::Finish { queue });
                }
            }
            18..21 if can.command_buffers && self.buffers.len() < 3 => self.record(),
            21..28 if !self.buffers.is_empty() => self.run(),
            _ => self.enqueue(),
        }
    }

    fn context_of(&self, event: Id) -> Option<usize> {
        self.events.iter().find(|(id, _)| *id == event).map(|(_, context)| *context)
    }

    fn native(&mut self) {
        let of_user = self.unset;
        let commands: Vec<_> = self
            .events
            .iter()
            .rev()
            .take(6)
            .filter(|(id, _)| {
                Some(*id) != of_user && matches!(self.program.steps[*id].what, What::Enqueue { .. })
            })
            .copied()
            .collect();
        if let Some((of, context)) = self.random.of(&commands) {
            let id = self.add(What::Native { of });
            if self.held_events.contains(&of) {
                self.held_events.insert(id);
            }
            self.events.push((id, context));
        }
    }

    fn set(&mut self) {
        if let Some(of) = self.unset.take() {
            self.add(What::Set { of });
            self.held.fill(false);
            self.held_events.clear();
        }
    }

    /// Returns a wait list for a context.
    fn waits(&mut self, context: usize) -> Vec<Id> {
        let count = [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 4, LIST][self.random.below(12)];
        let of_context = self.events.iter().rev().filter(|(_, own)| *own == context);
        let recent: Vec<Id> = of_context.take(12).map(|(id, _)| *id).collect();
        let mut list: Vec<Id> = (0..count).filter_map(|_| self.random.of(&recent)).collect();
        if let Some((slow, _)) = self.last_slow.filter(|(_, own)| *own == context)
            && count > 0
            && self.random.one_in(3)
        {
            let at = self.random.below(list.len() + 1);
            list.insert(at, slow);
        }
        list
    }

    fn value(&mut self) -> u8 {
        self.next_value = self.next_value % 255 + 1;
        self.next_value
    }

    fn log(&mut self) -> usize {
        self.logs += 1;
        self.logs - 1
    }

    /// Returns the places that a command on a device may access if it comes after `before`. Only commands with an order
    /// may use a buffer that the plugin moves between devices.
    fn places(&self, context: usize, device: usize, before: &Set) -> Vec<usize> {
        let all = 0..self.shape.places.len();
        let reached = all.filter(|place| self.shape.reaches(context, device, *place));
        reached.filter(|place| self.is_free(*place, device, before)).collect()
    }

    /// Returns whether a command on a device may access a place if it comes after `before`.
    fn is_free(&self, place: usize, device: usize, before: &Set) -> bool {
        !self.shape.moves(place)
            || self.order.nodes.iter().enumerate().all(|(number, node)| {
                let touches = node.reads == Some(place) || node.writes.is_some_and(|(to, _)| to == place);
                !touches || node.device == device || before.has(number)
            })
    }

    /// Returns a place to read, often one whose newest write comes before.
    fn source(&mut self, places: &[usize], before: &Set) -> Option<usize> {
        for number in (0..self.order.nodes.len()).rev() {
            if before.has(number)
                && let Some((place, _)) = self.order.nodes[number].writes
                && places.contains(&place)
                && self.random.one_in(2)
            {
                return Some(place);
            }
        }
        self.random.of(places)
    }

    fn way(&mut self, places: &[usize]) -> Way {
        let is_buffer = |place: &usize| self.shape.places[*place].memory == Memory::Buffer;
        let buffers = places.iter().filter(|place| is_buffer(place)).count();
        if buffers != 0 && buffers != places.len() {
            return Way::Kernel;
        }
        match self.random.below(10) {
            0..3 => Way::Kernel,
            3..5 if buffers > 0 || self.shape.can.rows => Way::Rows,
            _ => Way::Whole,
        }
    }

    /// Returns a command that moves bytes, or `None` if no place is free.
    fn transfer(&mut self, context: usize, device: usize, before: &Set, pinned: bool) -> Option<Command> {
        let places = self.places(context, device, before);
        Some(match self.random.below(70) {
            0..22 => {
                let to = self.random.of(&places)?;
                let way = self.way(&[to]);
                let pinned = pinned || way == Way::Kernel || self.random.one_in(2);
                Command::Write { to, value: self.value(), way, pinned }
            }
            22..48 => {
                let from = self.source(&places, before)?;
                let way = self.way(&[from]);
                let pinned = pinned || way == Way::Kernel || self.random.one_in(2);
                Command::Read { from, log: self.log(), way, pinned }
            }
            48..62 => {
                let from = self.source(&places, before)?;
                let to = self.random.of(&places).filter(|to| *to != from)?;
                Command::Copy { from, to, way: self.way(&[from, to]) }
            }
            _ => Command::Fill { to: self.random.of(&places)?, value: self.value() },
        })
    }

    fn enqueue(&mut self) {
        let Some(mut queue) = self.random.of(&self.queues) else { return };
        // Sometimes adds a second barrier right after a barrier, with its own list.
        let second = self.last_barrier.take().filter(|_| self.random.one_in(3));
        queue = second.unwrap_or(queue);
        let of_queue = self.shape.queues[queue];
        let waits = self.waits(of_queue.context);
        let is_held = self.held[queue] || waits.iter().any(|id| self.held_events.contains(id));
        let command = match self.random.below(100) {
            _ if second.is_some() => Command::Barrier,
            0..12 => Command::Slow { rounds: self.slow >> self.random.below(8) },
            12..19 => Command::Marker,
            19..26 => Command::Barrier,
            26..29 => {
                let places = self.places(of_queue.context, of_queue.device, &Set::default());
                let is_usm = |place: &usize| self.shape.places[*place].memory != Memory::Buffer;
                let usm: Vec<usize> = places.into_iter().filter(is_usm).collect();
                let Some(place) = self.random.of(&usm) else { return };
                Command::Prefetch { place }
            }
            _ => {
                let before = self.order.before(self.shape, queue, Command::Slow { rounds: 0 }, &waits);
                let transfer = self.transfer(of_queue.context, of_queue.device, &before, is_held);
                let Some(command) = transfer else { return };
                command
            }
        };
        let moves = matches!(
            command,
            Command::Write { way: Way::Whole, .. }
                | Command::Read { way: Way::Whole, .. }
                | Command::Copy { way: Way::Whole, .. }
        );
        // A call cannot wait for a copy between buffers.
        let is_copy =
            matches!(command, Command::Copy { from, .. } if self.shape.places[from].memory == Memory::Buffer);
        let blocking = moves && !is_copy && !is_held && self.random.one_in(14);
        let event = !self.random.one_in(8);
        let id = self.add(What::Enqueue { queue, command, waits, event, blocking });
        self.enqueued(id, queue, event, is_held);
        if command == Command::Barrier {
            self.last_barrier = Some(queue);
        }
        if matches!(command, Command::Slow { .. }) && event {
            self.last_slow = Some((id, of_queue.context));
        }
    }

    fn enqueued(&mut self, id: Id, queue: usize, event: bool, is_held: bool) {
        self.held[queue] |= is_held;
        if event {
            self.events.push((id, self.shape.queues[queue].context));
            if is_held {
                self.held_events.insert(id);
            }
        }
    }

    /// Records a command buffer for the device of one of the queues.
    fn record(&mut self) {
        let Some(queue) = self.random.of(&self.queues) else { return };
        let (context, device) = (self.shape.queues[queue].context, self.shape.queues[queue].device);
        let mut commands: Vec<Recorded> = Vec::new();
        for _ in 0..2 + self.random.below(5) {
            // The run needs an order, but the recording does not.
            let command = self.transfer(context, device, &Set::ALL, true);
            let can = self.shape.can;
            let is_possible = |command: &Command| match command {
                Command::Write { to: place, way, .. } | Command::Read { from: place, way, .. } => {
                    *way == Way::Kernel
                        || *way == Way::Whole && self.shape.places[*place].memory != Memory::Buffer
                        || can.recorded_transfers && self.shape.places[*place].memory == Memory::Buffer
                }
                Command::Copy { from, way, .. } => {
                    *way != Way::Rows || self.shape.places[*from].memory == Memory::Buffer
                }
                Command::Fill { .. } => can.recorded_fills,
                _ => false,
            };
            if let Some(command) = command.filter(is_possible) {
                let earlier: Vec<usize> = (0..commands.len()).collect();
                let after = (0..self.random.below(3)).filter_map(|_| self.random.of(&earlier)).collect();
                commands.push(Recorded { command, after });
            }
        }
        if !commands.is_empty() {
            let id = self.add(What::Record { context, device, commands: commands.clone() });
            self.buffers.push(Buffer { id, context, device, commands, last_run: None });
        }
    }

    /// Runs a command buffer after its previous run.
    fn run(&mut self) {
        let at = self.random.below(self.buffers.len());
        let (of, context, device) = (self.buffers[at].id, self.buffers[at].context, self.buffers[at].device);
        let fits = |queue: &&usize| {
            let queue = self.shape.queues[**queue];
            queue.context == context && queue.device == device
        };
        let queues: Vec<usize> = self.queues.iter().filter(fits).copied().collect();
        let Some(queue) = self.random.of(&queues) else { return };
        let mut waits = self.waits(context);
        let is_held = self.held[queue] || waits.iter().any(|id| self.held_events.contains(id));
        // A plugin may wait on the host for the previous run.
        if is_held || self.buffers[at].last_run.is_some_and(|run| self.held_events.contains(&run)) {
            return;
        }
        if let Some(run) = self.buffers[at].last_run {
            waits.push(run);
            if self.shape.can.updates && self.random.one_in(2) {
                self.update(at, run);
            }
        }
        let command = Command::Run { of };
        let before = self.order.before(self.shape, queue, command, &waits);
        let uses_free =
            |recorded: &Recorded| recorded.command.places().all(|place| self.is_free(place, device, &before));
        if !self.buffers[at].commands.iter().all(uses_free) {
            return;
        }
        let id = self.add(What::Enqueue { queue, command, waits, event: true, blocking: false });
        self.buffers[at].last_run = Some(id);
        self.enqueued(id, queue, true, false);
    }

    /// Changes a recorded kernel to another place after the previous run is complete.
    fn update(&mut self, at: usize, run: Id) {
        let is_kernel = |recorded: &Recorded| match recorded.command {
            Command::Write { way: Way::Kernel, to: place, .. } => {
                self.shape.places[place].memory != Memory::Buffer
            }
            Command::Copy { way: Way::Kernel, from, to } => {
                [from, to].iter().all(|place| self.shape.places[*place].memory != Memory::Buffer)
            }
            _ => false,
        };
        let buffer = &self.buffers[at];
        let commands = buffer.commands.iter().enumerate();
        let kernels: Vec<usize> =
            commands.filter(|(_, own)| is_kernel(own)).map(|(number, _)| number).collect();
        let places = self.places(buffer.context, buffer.device, &Set::default());
        let usm: Vec<usize> =
            places.into_iter().filter(|place| self.shape.places[*place].memory != Memory::Buffer).collect();
        let (Some(number), Some(place)) = (self.random.of(&kernels), self.random.of(&usm)) else { return };
        let command = match self.buffers[at].commands[number].command {
            Command::Write { way, pinned, .. } => {
                Command::Write { to: place, value: self.value(), way, pinned }
            }
            Command::Copy { to, way, .. } if to != place => Command::Copy { from: place, to, way },
            _ => return,
        };
        self.add(What::Wait { of: vec![run] });
        let of = self.buffers[at].id;
        self.add(What::Update { of, number, command });
        self.buffers[at].commands[number].command = command;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Can, Place, QueueShape};

    fn shape() -> Shape {
        let queue = |context, device, in_order| QueueShape { context, device, in_order };
        let place = |context, memory| Place { context, memory };
        Shape {
            contexts: vec![1, 2],
            queues: vec![queue(0, 0, true), queue(0, 0, false), queue(1, 0, false), queue(1, 1, false)],
            places: vec![
                place(0, Memory::Buffer),
                place(0, Memory::Host),
                place(1, Memory::Buffer),
                place(1, Memory::Device(1)),
                place(1, Memory::Shared(0)),
            ],
            can: Can {
                blocking_writes_complete: true,
                markers_heed_barriers: true,
                rows: true,
                native_events: true,
                user_events: true,
                command_buffers: true,
                recorded_transfers: true,
                recorded_fills: true,
                updates: true,
            },
        }
    }

    #[test]
    fn a_number_gives_the_same_program_each_time_and_others_give_others() {
        let text = |number| draw(&shape(), 7, number, 1000).to_string();
        assert_eq!(text(3), text(3));
        assert_ne!(text(3), text(4));
    }

    #[test]
    fn the_host_waits_for_nothing_behind_an_event_that_it_has_not_set() {
        let shape = shape();
        let mut waits = 0;
        for number in 0..2000 {
            let program = draw(&shape, 1, number, 1000);
            let order = Order::of(&shape, &program);
            let mut unset: Option<usize> = None;
            for step in &program.steps {
                match &step.what {
                    What::User { .. } => unset = order.events.get(&step.id).copied(),
                    What::Set { .. } => unset = None,
                    What::Wait { of } => {
                        waits += 1;
                        let nodes = of.iter().filter_map(|id| order.events.get(id));
                        let is_behind = |node: &usize| {
                            unset.is_some_and(|unset| *node == unset || order.nodes[*node].before.has(unset))
                        };
                        assert!(!nodes.clone().any(is_behind), "{program}");
                    }
                    _ => {}
                }
            }
            assert!(unset.is_none(), "{program}");
        }
        assert!(waits > 1000, "{waits}");
    }

    #[test]
    fn a_buffer_that_moves_is_used_by_one_device_after_the_other() {
        let shape = shape();
        let mut pairs = 0;
        for number in 0..1000 {
            let order = Order::of(&shape, &draw(&shape, 2, number, 1000));
            let of_buffer: Vec<usize> = (0..order.nodes.len())
                .filter(|node| {
                    let node = &order.nodes[*node];
                    node.reads == Some(2) || node.writes.is_some_and(|(place, _)| place == 2)
                })
                .collect();
            for (at, first) in of_buffer.iter().enumerate() {
                for second in &of_buffer[at + 1..] {
                    if order.nodes[*first].device != order.nodes[*second].device {
                        pairs += 1;
                        assert!(order.nodes[*second].before.has(*first));
                    }
                }
            }
        }
        assert!(pairs > 100, "{pairs}");
    }
}
