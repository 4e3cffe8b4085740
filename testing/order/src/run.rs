//! Runs a program on the objects of a plugin, and collects what its commands saw.

use std::collections::BTreeMap;
use std::ptr::null_mut;

use anyhow::Result;
use sycl_pi_core::*;
use sycl_pi_loader::{CallError, Version};

use crate::commands::Sync;
use crate::order::Order;
use crate::program::{Command, Id, Program, Step, What};
use crate::recorded::Buffer;
use crate::shape::{PITCH, PLACE, ROW};
use crate::values::{Allowed, allowed};
use crate::watchdog::at_step;
use crate::world::World;

/// The outcome of a program.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Values that the model does not allow, and calls that failed.
    pub(crate) wrong: Vec<String>,
    /// The number of checked places and logs.
    pub(crate) looks: u64,
    /// The number of those for which the model allows only one value.
    pub(crate) certain: u64,
}

/// The objects of one program.
#[derive(Default)]
struct Objects {
    events: BTreeMap<Id, pi_event>,
    buffers: BTreeMap<Id, (usize, Buffer)>,
    unset: Vec<Id>,
}

/// Runs a program. Afterwards all of its commands are complete.
pub(crate) fn run(world: &mut World, program: &Program) -> Result<Outcome> {
    world.clear_logs();
    let mut order = Order::of(&world.shape, program);
    let (mut objects, mut outcome) = (Objects::default(), Outcome::default());
    for step in &program.steps {
        at_step(step.id);
        if let Err(error) = take(world, &mut objects, step) {
            outcome.wrong.push(format!("step {}: {error}", step.id));
            break;
        }
    }
    at_step(usize::MAX);
    for id in std::mem::take(&mut objects.unset) {
        set(world, objects.events[&id])?;
    }
    for queue in &world.queues {
        // SAFETY: a live queue.
        unsafe { world.pi.piQueueFinish(*queue)? };
    }
    let contents =
        (0..world.places.len()).map(|place| world.content(place)).collect::<Result<Vec<_>, _>>()?;
    if outcome.wrong.is_empty() {
        judge(world, program, &mut order, &contents, &mut outcome);
    }
    world.initial = contents;
    // SAFETY: references that belong to this program, and all commands are complete.
    unsafe {
        for event in objects.events.into_values() {
            world.pi.piEventRelease(event)?;
        }
        for (_, buffer) in objects.buffers.into_values() {
            world.pi.piextCommandBufferRelease(buffer.handle)?;
        }
    }
    Ok(outcome)
}

fn set(world: &World, event: pi_event) -> Result<(), CallError> {
    // SAFETY: a live user event.
    unsafe { world.pi.piEventSetStatus(event, PI_EVENT_COMPLETE) }
}

/// Performs one step.
fn take(world: &World, objects: &mut Objects, step: &Step) -> Result<(), CallError> {
    let (pi, mut event) = (world.pi, null_mut());
    // SAFETY: live handles, lists with their lengths, and room for the results.
    unsafe {
        match &step.what {
            What::Enqueue { queue, command, waits, event: wanted, blocking } => {
                let waits: Vec<pi_event> =
                    waits.iter().filter_map(|id| objects.events.get(id).copied()).collect();
                let out = if *wanted { &raw mut event } else { null_mut() };
                if let Command::Run { of } = command {
                    let (list, count) = (waits.as_ptr(), waits.len() as u32);
                    let list = if waits.is_empty() { std::ptr::null() } else { list };
                    let buffer = objects.buffers[of].1.handle;
                    pi.piextEnqueueCommandBuffer(buffer, world.queues[*queue], count, list, out)?;
                } else {
                    world.enqueue(*queue, *command, *blocking, Sync { waits: &waits, event: out })?;
                }
                if *wanted && event.is_null() {
                    return Err(CallError::Failed {
                        function: "an enqueue that wants an event",
                        code: PI_SUCCESS,
                        text: Some("no event was written".into()),
                    });
                }
            }
            What::Native { of } => {
                let mut native = 0;
                let of = objects.events[of];
                pi.piextEventGetNativeHandle(of, &mut native)?;
                // The context does not matter to a model in which each event belongs to only one.
                let mut context: pi_context = null_mut();
                let room = (&raw mut context).cast();
                pi.piEventGetInfo(of, PI_EVENT_INFO_CONTEXT, size_of_val(&context), room, null_mut())?;
                pi.piextEventCreateWithNativeHandle(native, context, 0, &mut event)?;
            }
            What::User { context } => {
                debug_assert_eq!(world.version, Version::V9_11);
                pi.piEventCreate_until_9_11(world.contexts[*context].handle, &mut event)?;
                objects.unset.push(step.id);
            }
            What::Set { of } => {
                set(world, objects.events[of])?;
                objects.unset.retain(|id| id != of);
            }
            What::Wait { of } => {
                let list: Vec<pi_event> =
                    of.iter().filter_map(|id| objects.events.get(id).copied()).collect();
                if !list.is_empty() {
                    pi.piEventsWait(list.len() as u32, list.as_ptr())?;
                }
            }
            What::Finish { queue } => pi.piQueueFinish(world.queues[*queue])?,
            What::Record { context, device, commands } => {
                let buffer = world.record(*context, *device, commands)?;
                objects.buffers.insert(step.id, (*context, buffer));
            }
            What::Update { of, number, command } => {
                let (context, buffer) = &objects.buffers[of];
                world.update(*context, buffer, *number, *command)?;
            }
        }
    }
    if !event.is_null() {
        objects.events.insert(step.id, event);
    }
    Ok(())
}

/// Compares the observed values with the allowed ones.
fn judge(world: &World, program: &Program, order: &mut Order, contents: &[Vec<u8>], outcome: &mut Outcome) {
    let commands = order.nodes.len();
    let ends: Vec<usize> = (0..world.places.len()).map(|place| order.read_at_the_end(place)).collect();
    let sets = [allowed(&order.nodes, false), allowed(&order.nodes, true)];
    let context_of = |step: Id| {
        program.steps.iter().find(|own| own.id == step).map_or(0, |own| match &own.what {
            What::Enqueue { queue, .. } => world.shape.queues[*queue].context,
            _ => 0,
        })
    };
    // For a recorded read, the log shows the last run.
    let mut logs: BTreeMap<(usize, bool), usize> = BTreeMap::new();
    for (number, node) in order.nodes[..commands].iter().enumerate() {
        if let Some(log) = node.log {
            logs.insert(log, number);
        }
    }
    let of_logs = logs.into_iter().map(|((log, pinned), number)| {
        let node = &order.nodes[number];
        (number, world.logged(context_of(node.step), log, pinned))
    });
    let of_places = ends.iter().zip(contents).map(|(number, content)| (*number, content.clone()));
    for (number, seen) in of_logs.chain(of_places).collect::<Vec<_>>() {
        let node = &order.nodes[number];
        outcome.looks += 1;
        outcome.certain += u64::from(sets.iter().all(|set| set[number].count() <= 1));
        let (at, allowed) =
            match first_wrong(&seen, node.by_rows, [&sets[0][number], &sets[1][number]], &world.initial) {
                Some(wrong) => wrong,
                None => continue,
            };
        let place = node.reads.unwrap_or_default();
        let who = if number < commands { format!("step {}", node.step) } else { "the end".to_owned() };
        outcome.wrong.push(format!(
            "{who}: byte {at} of place {place} ({:?}) was {}, but it can only be {allowed}",
            world.shape.places[place], seen[at]
        ));
    }
}

/// Returns the first byte that is not allowed, and the allowed values.
fn first_wrong<'a>(
    seen: &[u8],
    by_rows: bool,
    sets: [&'a Allowed; 2],
    initial: &[Vec<u8>],
) -> Option<(usize, &'a Allowed)> {
    (0..PLACE).find_map(|at| {
        let in_rows = at % PITCH < ROW;
        if by_rows && !in_rows {
            return None;
        }
        let set = sets[usize::from(in_rows)];
        (!set.has(seen[at], at, initial)).then_some((at, set))
    })
}
