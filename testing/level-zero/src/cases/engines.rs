//! Tests of the engines that the queues' commands run on.

use std::collections::BTreeSet;
use std::ptr::{null, null_mut};

use super::Case;
use crate::fixture::{KERNELS, keeps_order, newest, plugin};
use crate::{Fixture, Soft, ok};
use sycl_pi_core::*;
use testing_support::Gate;

pub(crate) const CASES: &[Case] = &[
    ("lists_are_on_the_engines_and_have_the_priority_that_their_queue_has", lists),
    ("the_initial_contents_of_a_buffer_are_there_when_the_call_returns", contents),
];

const LIST: &str = "zeCommandListCreateImmediate";
/// `ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS`.
const SYNCHRONOUS: u32 = 1;
/// `ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS`.
const ASYNCHRONOUS: u32 = 2;
/// `ZE_COMMAND_QUEUE_FLAG_IN_ORDER`.
const IN_ORDER: u32 = 2;
/// The last of the software driver's compute engines.
const INDEX: u32 = 3;

/// Returns what lists and queues were requested.
fn engines(soft: &Soft) -> BTreeSet<String> {
    soft.report().requests.into_iter().filter(|request| request.starts_with("zeCommand")).collect()
}

/// Runs a copy, a launch, and a copy that waits for the host.
fn work(fixture: &Fixture, queue: pi_queue) {
    let (program, memory, gate) = (fixture.program(KERNELS), fixture.device_memory(64), Gate::new(fixture));
    let (start, nothing, pi) = (memory.start, program.kernel("nothing"), fixture.pi);
    ok!(pi, piextUSMEnqueueMemcpy(queue, 0, start, memory.at(32), 32, 0, null(), null_mut()));
    fixture.wait(&[fixture.launch(queue, &nothing, 1, &[])]);
    ok!(pi, piextUSMEnqueueMemcpy(queue, 0, start, memory.at(32), 32, 1, &gate.0, null_mut()));
    gate.open();
    ok!(pi, piQueueFinish(queue));
}

fn lists() {
    let (soft, fixture) = (Soft::find().unwrap(), Fixture::new(newest()));
    // The priorities of `ze_command_queue_priority_t`.
    let priorities =
        [(0, 0), (PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_LOW, 1), (PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH, 2)];
    // Drivers keep lists in order since version 1.7. There, a queue has an unordered list for what the host delays.
    let orders: [&[u32]; 2] = if keeps_order() { [&[IN_ORDER], &[IN_ORDER, 0]] } else { [&[0], &[0]] };
    for (flag, priority) in priorities {
        for (order, of_kernels) in [0, PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE].into_iter().zip(orders) {
            let (pi, mut queue) = (fixture.pi, null_mut());
            let mut properties = [PI_QUEUE_FLAGS, order | flag, PI_QUEUE_COMPUTE_INDEX, INDEX.into(), 0];
            soft.reset();
            ok!(pi, piextQueueCreate(fixture.context, fixture.device, properties.as_mut_ptr(), &mut queue));
            work(&fixture, queue);
            let mut native = 0;
            ok!(plugin(), piextQueueGetNativeHandle_until_12_27(queue, &mut native));
            let on = |call: &str, engine: &str, flags: u32| {
                format!("{call} {engine} mode {ASYNCHRONOUS} priority {priority} flags {flags}")
            };
            let compute = format!("compute {INDEX}");
            let mut expected: BTreeSet<String> =
                of_kernels.iter().map(|flags| on(LIST, &compute, *flags)).collect();
            if order != 0 {
                expected.insert(on(LIST, "copy 0", of_kernels[0]));
            }
            expected.insert(on("zeCommandQueueCreate", &compute, 0));
            assert_eq!(engines(&soft), expected);
            ok!(pi, piQueueRelease(queue));
        }
    }
}

fn contents() {
    let (soft, fixture) = (Soft::find().unwrap(), Fixture::new(newest()));
    soft.reset();
    let buffer = fixture.buffer(&mut [7_u8; 64]);
    let engine = format!("{LIST} compute 0 mode {SYNCHRONOUS} priority 0 flags 0");
    assert_eq!(engines(&soft), BTreeSet::from([engine]));
    ok!(fixture.pi, piMemRelease(buffer));
}
