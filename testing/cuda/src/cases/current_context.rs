//! Calls from threads without a current CUDA context, as in a program that does not use CUDA itself.

use super::*;
use crate::fixture::without_contexts;

pub(crate) const CASES: &[Case] = &[("each_call_makes_the_context_current_that_it_needs", every_family)];

/// The families of tests that are run again. Those of other families make contexts current, or count such calls.
const FAMILIES: [&[Case]; 18] = [
    basics::CASES,
    commands::CASES,
    buffers::CASES,
    maps::CASES,
    usm::CASES,
    devices::CASES,
    pairs::CASES,
    kernels::CASES,
    programs::CASES,
    registers::CASES,
    command_buffers::CASES,
    images::CASES,
    image_copies::CASES,
    bindless::CASES,
    launch_properties::CASES,
    exported_memory::CASES,
    physical_memory::CASES,
    timestamps::CASES,
];

/// Tests that call the driver themselves or need a GPU, and then those that take a long time.
const LEFT_OUT: [&str; 7] = [
    "kernels_answer_what_the_driver_says",
    "images_end_at_the_limits_of_the_device",
    "program_logs_and_bad_images",
    "more_events_are_held_than_a_stream_has_marks",
    "marks_of_released_events_are_used_again_without_being_mistaken",
    "an_allocation_waits_while_commands_run_that_may_use_memory",
    "two_devices_use_a_buffer_while_a_read_of_it_waits",
];

/// The driver refuses whatever needs a context and has none. In other tests, a missing one is rarely noticed, because
/// the context of the call before stays current.
fn every_family() {
    for (_, case) in FAMILIES.concat().into_iter().filter(|(name, _)| !LEFT_OUT.contains(name)) {
        without_contexts(case);
    }
}
