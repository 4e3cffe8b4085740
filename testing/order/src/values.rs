//! The values that a command may see, from the writes that may be the last before it.

use std::fmt;

use crate::order::{Node, Value};

/// A set of allowed values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Allowed {
    /// One bit per value.
    values: [u64; 4],
    /// The places whose initial content is allowed.
    initial: Vec<usize>,
}

impl Allowed {
    fn add(&mut self, value: u8) {
        self.values[usize::from(value / 64)] |= 1 << (value % 64);
    }

    fn add_initial(&mut self, place: usize) {
        if !self.initial.contains(&place) {
            self.initial.push(place);
        }
    }

    fn join(&mut self, other: &Allowed) {
        for (word, more) in self.values.iter_mut().zip(other.values) {
            *word |= more;
        }
        other.initial.iter().for_each(|place| self.add_initial(*place));
    }

    /// Returns whether `value` is allowed in byte `at`.
    pub(crate) fn has(&self, value: u8, at: usize, initial: &[Vec<u8>]) -> bool {
        self.values[usize::from(value / 64)] >> (value % 64) & 1 != 0
            || self.initial.iter().any(|place| initial[*place][at] == value)
    }

    /// Returns the number of values.
    pub(crate) fn count(&self) -> u32 {
        self.values.iter().map(|word| word.count_ones()).sum::<u32>() + self.initial.len() as u32
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values =
            (0..=u8::MAX).filter(|value| self.values[usize::from(value / 64)] >> (value % 64) & 1 != 0);
        let mut texts: Vec<String> = values.map(|value| value.to_string()).collect();
        texts.extend(self.initial.iter().map(|place| format!("what place {place} had at first")));
        f.write_str(&texts.join(", or "))
    }
}

/// Returns what each reading node may see. `rows` selects the bytes that commands by rows access, or the others.
///
/// A read sees a write to its place unless the read is before that write, or another write to the place is between the
/// two. If no write is before it, it may see the initial content. A copy writes what it read, so the sets grow until
/// they stay the same.
pub(crate) fn allowed(nodes: &[Node], rows: bool) -> Vec<Allowed> {
    let touches = |node: &Node| rows || !node.by_rows;
    // The writes to each place, with what is before them.
    let writes: Vec<(usize, usize, Value)> = nodes
        .iter()
        .enumerate()
        .filter(|(_, node)| touches(node))
        .filter_map(|(number, node)| node.writes.map(|(place, value)| (number, place, value)))
        .collect();
    // For each reader, the nodes that it may see.
    let mut sees: Vec<Vec<(usize, Value)>> = vec![Vec::new(); nodes.len()];
    let mut all = vec![Allowed::default(); nodes.len()];
    for (number, node) in nodes.iter().enumerate() {
        let Some(place) = node.reads.filter(|_| touches(node)) else { continue };
        let to_place = || writes.iter().filter(|(_, to, _)| *to == place);
        if !to_place().any(|(writer, ..)| node.before.has(*writer)) {
            all[number].add_initial(place);
        }
        for (writer, _, value) in to_place() {
            let is_before = |other: usize| nodes[*writer].before.has(other);
            let is_over = |(other, ..): &(usize, usize, Value)| {
                node.before.has(*other) && nodes[*other].before.has(*writer)
            };
            if *writer != number && !is_before(number) && !to_place().any(is_over) {
                match value {
                    Value::Known(value) => all[number].add(*value),
                    Value::Read => sees[number].push((*writer, *value)),
                }
            }
        }
    }
    loop {
        let mut changed = false;
        for number in 0..nodes.len() {
            for (writer, _) in &sees[number] {
                let more = all[*writer].clone();
                let before = all[number].clone();
                all[number].join(&more);
                changed |= all[number] != before;
            }
        }
        if !changed {
            return all;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::Order;
    use crate::program::{Command, Program, Step, Way, What};
    use crate::shape::{Can, Memory, Place, QueueShape, Shape};

    fn shape() -> Shape {
        let queue = |in_order| QueueShape { context: 0, device: 0, in_order };
        let place = Place { context: 0, memory: Memory::Host };
        Shape {
            contexts: vec![1],
            queues: vec![queue(true), queue(false)],
            places: vec![place; 2],
            can: Can::default(),
        }
    }

    fn on(queue: usize, command: Command, waits: &[usize]) -> What {
        What::Enqueue { queue, command, waits: waits.to_vec(), event: true, blocking: false }
    }

    fn write(to: usize, value: u8) -> Command {
        Command::Write { to, value, way: Way::Whole, pinned: true }
    }

    fn read(from: usize) -> Command {
        Command::Read { from, log: 0, way: Way::Whole, pinned: true }
    }

    /// Describes what the command of the last step may see.
    fn last_sees(what: Vec<What>) -> String {
        let steps = what.into_iter().enumerate().map(|(id, what)| Step { id, what }).collect();
        let order = Order::of(&shape(), &Program { steps });
        allowed(&order.nodes, true).last().unwrap().to_string()
    }

    #[test]
    fn a_queue_in_order_leaves_the_last_write() {
        assert_eq!(
            last_sees(vec![on(0, write(0, 1), &[]), on(0, write(0, 2), &[]), on(0, read(0), &[])]),
            "2"
        );
    }

    #[test]
    fn without_an_order_each_write_and_the_first_content_may_be_seen() {
        let all = last_sees(vec![on(1, write(0, 1), &[]), on(1, write(0, 2), &[]), on(1, read(0), &[])]);
        assert_eq!(all, "1, or 2, or what place 0 had at first");
    }

    #[test]
    fn each_event_of_a_list_counts() {
        let two = vec![on(1, write(0, 1), &[]), on(1, write(1, 2), &[]), on(1, read(1), &[0, 1])];
        assert_eq!(last_sees(two), "2");
    }

    #[test]
    fn a_barrier_holds_what_comes_behind_an_older_barrier() {
        let barriers = vec![
            on(1, write(0, 1), &[]),
            on(1, Command::Barrier, &[0]),
            on(0, Command::Marker, &[]),
            on(1, Command::Barrier, &[2]),
            on(1, read(0), &[]),
        ];
        assert_eq!(last_sees(barriers), "1");
    }

    #[test]
    fn a_copy_hands_on_what_it_may_have_read() {
        let copy = Command::Copy { from: 0, to: 1, way: Way::Whole };
        let steps = vec![on(0, write(0, 7), &[]), on(1, copy, &[]), on(1, read(1), &[1])];
        assert_eq!(last_sees(steps), "7, or what place 0 had at first");
    }

    #[test]
    fn what_waits_for_the_host_is_behind_what_the_host_knew() {
        let steps = vec![
            What::User { context: 0 },
            on(1, write(0, 3), &[0]),
            on(0, read(0), &[]),
            What::Wait { of: vec![2] },
            What::Set { of: 0 },
        ];
        let steps = steps.into_iter().enumerate().map(|(id, what)| Step { id, what }).collect();
        let order = Order::of(&shape(), &Program { steps });
        let of_read = allowed(&order.nodes, true)[2].to_string();
        assert_eq!(of_read, "what place 0 had at first", "the write comes behind the wait");
    }

    #[test]
    fn rows_leave_the_bytes_between_them() {
        let by_rows = Command::Write { to: 0, value: 9, way: Way::Rows, pinned: true };
        let steps = vec![on(0, write(0, 4), &[]), on(0, by_rows, &[]), on(0, read(0), &[])];
        let steps = steps.into_iter().enumerate().map(|(id, what)| Step { id, what }).collect();
        let order = Order::of(&shape(), &Program { steps });
        let of_bytes = |rows| allowed(&order.nodes, rows)[2].to_string();
        assert_eq!((of_bytes(true), of_bytes(false)), ("9".to_owned(), "4".to_owned()));
    }
}
