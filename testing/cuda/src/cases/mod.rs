//! The tests, with one file for each family.

use std::process::ExitCode;

use libtest_mimic::Arguments;
pub(crate) use testing_support::Case;
use testing_support::{Expected, Registry};

use crate::fixture::{devices, is_software};

mod basics;
mod bindless;
mod buffers;
mod call_table;
mod calls;
pub(crate) mod child;
mod command_buffers;
mod commands;
mod current_context;
mod device_info;
mod devices;
mod driver_arguments;
mod driver_errors;
mod event_states;
mod event_times;
mod exported_memory;
mod exports;
mod image_copies;
mod images;
mod kernels;
mod launch_properties;
mod life;
mod maps;
mod missing;
mod native_commands;
mod native_objects;
mod pageable;
mod pairs;
mod physical_memory;
mod programs;
mod refusals;
mod registers;
mod runtime;
mod seconds;
mod shared_events;
mod spirv;
mod sweep;
mod timestamps;
mod unified_runtime;
mod usm;
mod wild_sizes;

/// Tests that inject faults, use counters, or rely on the driver to refuse what could crash the process.
const ON_THE_SOFTWARE_DRIVER: [&str; 97] = [
    "each_call_makes_the_context_current_that_it_needs",
    "a_map_of_few_bytes_has_no_large_block",
    "blocks_beyond_what_is_kept_are_freed_after_a_failure_too",
    "a_fill_whose_end_the_driver_will_not_tell_is_waited_for",
    "pinned_memory_of_a_copy_that_failed_is_not_used_again",
    "large_copies_that_the_driver_does_as_fast_or_refuses_are_its_own",
    "two_devices_free_their_memory_whatever_the_other_says",
    "two_devices_have_no_program_if_one_of_them_cannot_have_it",
    "a_linked_program_has_the_sizes_and_the_log_of_its_images",
    "ur_physical_memory_is_of_its_device_and_shared_if_it_is_asked_for",
    "ur_exportable_memory_is_for_the_devices_that_reach_it",
    "times_of_an_event_are_in_their_order_whatever_the_clocks_say",
    "the_size_of_a_status_is_told_without_the_driver",
    "a_program_that_is_built_stays_as_it_was_built",
    "a_kernel_gets_the_bits_of_a_sampler",
    "free_memory_falls_by_what_is_allocated",
    "objects_of_the_driver_are_freed_only_if_they_were_given_away",
    "memory_of_rows_and_for_export_is_asked_for_again",
    "two_devices_leave_nothing_of_a_program_or_a_buffer_behind",
    "two_devices_are_given_exportable_memory",
    "a_link_has_each_of_its_programs",
    "a_work_group_is_chosen_in_each_dimension",
    "two_devices_have_a_binary_of_a_program_each",
    "commands_of_no_bytes_do_not_reach_the_driver",
    "ur_virtual_memory_is_mapped_without_access",
    "ur_clusters_need_a_device_that_has_them",
    "a_context_of_the_driver_is_destroyed_only_if_it_was_given_away",
    "command_buffer_keeps_imported_host_memory_wherever_it_uses_it",
    "ur_launches_tell_the_driver_each_of_their_properties",
    "a_command_that_failed_once_stays_failed",
    "events_and_streams_beyond_what_is_kept_are_given_back",
    "a_map_that_may_still_be_written_has_a_block_of_its_own",
    "two_devices_give_out_the_address_of_a_buffer_with_its_bytes",
    "two_devices_try_again_to_move_a_buffer_after_a_failure",
    "two_devices_have_the_programs_that_are_built_for_them",
    "ur_virtual_memory_has_the_access_that_was_asked_for_on_every_device",
    "ur_virtual_memory_lies_where_it_was_asked_for",
    "peer_access_is_from_the_first_device_to_the_second",
    "a_kernel_prefers_the_memory_that_it_was_told_to",
    "managed_memory_moves_to_the_device_of_the_queue",
    "cooperative_launches_are_the_drivers_own",
    "ur_a_mapping_without_its_access_is_not_left_behind",
    "a_command_that_runs_succeeds_although_its_end_cannot_be_timed",
    "ur_a_timestamp_that_cannot_be_recorded_is_an_error",
    "ur_native_commands_that_run_succeed_although_the_driver_records_no_event",
    "two_devices_do_not_wait_for_frees_of_each_others_memory",
    "ur_exportable_memory_leaves_nothing_behind",
    "events_that_are_given_back_are_used_again",
    "ur_timestamps_are_behind_their_waits_or_behind_everything",
    "ur_clusters_larger_than_the_portable_size_are_allowed_first",
    "builds_and_links_fail_as_the_driver_says",
    "a_kernel_that_is_not_there_is_told_from_a_driver_in_trouble",
    "memory_that_the_driver_does_not_know_is_told_from_a_driver_in_trouble",
    "memory_is_asked_for_again_only_where_there_was_too_little",
    "what_cannot_be_filled_is_freed_and_the_first_error_told",
    "a_queue_whose_driver_answers_no_state_is_neither_empty_nor_full",
    "images_leave_nothing_behind_finished_or_not",
    "memory_of_the_callers_that_the_driver_refuses_is_copied",
    "local_memory_beyond_the_usual_is_asked_for_once",
    "a_launch_with_an_offset_may_have_as_much_local_memory_as_one_without",
    "an_out_of_order_queue_has_a_bounded_number_of_streams",
    "waiting_for_a_device_waits_in_the_driver",
    "commands_wait_in_the_driver_only_where_they_must",
    "a_queue_without_commands_calls_the_driver_for_nothing",
    "streams_of_dropped_queues_are_used_again",
    "a_stream_whose_handle_was_given_away_is_not_used_again",
    "a_copy_that_is_waited_for_twice_waits_in_the_driver_once",
    "an_allocation_waits_while_the_program_frees_memory",
    "an_allocation_does_not_wait_for_more_than_the_program_holds",
    "queues_ask_the_driver_only_while_it_may_have_work",
    "managed_memory_alone_gets_hints",
    "maps_copy_only_what_is_read_or_written",
    "rows_start_where_the_elements_need_them",
    "devices_of_one_context_reach_each_other_from_the_first_copy_on",
    "textures_have_the_modes_of_their_sampler",
    "images_end_at_the_limits_of_the_device",
    "levels_of_a_mipmap_are_images",
    "images_over_memory_are_for_reading",
    "bindless_images_are_told_to_be_possible",
    "imported_memory_has_its_bytes_until_it_is_released",
    "a_queue_waits_for_an_imported_semaphore",
    "what_a_device_can_follows_its_attributes",
    "what_a_device_can_follows_its_compute_capability",
    "commands_call_the_driver_as_often_as_they_must",
    "each_driver_call_may_run_out_of_memory",
    "each_driver_call_may_lose_the_device",
    "an_older_driver_lacks_a_feature_alone",
    "the_drivers_context_outlives_the_programs",
    "nothing_leaks",
    "freed_memory_makes_room_before_memory_runs_out",
    "ur_native_commands_wait_in_the_driver_once_for_each_command",
    "injected_faults_are_reported",
    "a_large_copy_that_fails_in_one_piece_is_an_error",
    "an_unmap_that_is_refused_leaves_the_buffer_mapped",
    "image_copies_of_wild_sizes_are_refused",
    "spirv_kernels_of_a_binary_check_their_arguments",
    "a_platform_that_calls_itself_opencl_takes_spirv",
];

/// Tests of two devices.
const ON_TWO_DEVICES: [&str; 40] = [
    "each_call_makes_the_context_current_that_it_needs",
    "two_devices_free_their_memory_whatever_the_other_says",
    "two_devices_have_no_program_if_one_of_them_cannot_have_it",
    "two_devices_are_not_linked_for_where_a_program_is_missing",
    "two_devices_are_told_of_their_memory",
    "two_devices_see_both_buffers_of_a_kernel",
    "two_devices_have_a_binary_of_a_program_each",
    "two_devices_leave_nothing_of_a_program_or_a_buffer_behind",
    "two_devices_compile_and_link_a_program_each",
    "two_devices_see_both_buffers_of_a_command",
    "two_devices_are_given_exportable_memory",
    "two_devices_are_those_of_their_context",
    "two_devices_tell_the_device_of_a_native_context",
    "two_devices_tell_the_context_of_a_native_stream",
    "two_devices_have_registers_for_a_program_of_the_second_alone",
    "two_devices_see_what_several_queues_of_one_write",
    "two_devices_give_out_the_address_of_a_buffer_with_its_bytes",
    "two_devices_try_again_to_move_a_buffer_after_a_failure",
    "two_devices_have_the_last_argument_that_was_set",
    "two_devices_see_what_a_run_of_a_command_buffer_writes",
    "two_devices_have_the_programs_that_are_built_for_them",
    "two_devices_that_are_the_same_are_one",
    "two_devices_see_what_copies_of_boxes_write",
    "two_devices_see_what_a_kernel_writes_that_has_the_buffer_twice",
    "two_devices_know_the_one_of_a_context_and_of_an_image",
    "two_devices_see_what_is_written_to_the_address_of_a_buffer",
    "two_devices_do_not_wait_for_frees_of_each_others_memory",
    "two_devices_see_the_fill_of_a_command_buffers_run",
    "two_devices_tell_the_atomics_of_their_link_apart_from_its_copies",
    "two_devices_know_the_one_of_a_stream",
    "two_devices_have_a_variable_of_a_program_each",
    "two_devices_read_a_buffer_while_a_kernel_that_reads_it_waits",
    "two_devices_use_a_buffer_while_a_read_of_it_waits",
    "two_devices_give_out_the_address_of_a_buffer_beside_a_stream_that_waits",
    "two_devices_move_a_buffer_without_a_wait_of_the_host",
    "two_devices_move_a_buffer_to_a_command_buffers_run",
    "two_devices_peer_copies_take_the_link",
    "two_devices_order_by_events",
    "two_devices_peer_access_is_switched",
    "context_of_the_caller_is_put_back",
];

/// Tests that need NVIDIA's compiler of PTX.
const ON_A_GPU: [&str; 1] = ["program_logs_and_bad_images"];

/// A test's name, whether the device supports it, and why it is skipped otherwise.
type OptionalCase = (&'static str, fn() -> bool, &'static str);

/// Tests of features that older devices lack, whether this one has them, and the reason for skipping otherwise. The
/// software driver has all of them.
const OPTIONAL: [OptionalCase; 10] = [
    ("ur_exportable_memory_is_device_memory", exported_memory::exports, NO_EXPORT),
    ("ur_exported_memory_has_the_same_bytes_elsewhere", exported_memory::exports, NO_EXPORT),
    ("ur_exportable_memory_is_refused_where_it_is_wrong", exported_memory::exports, NO_EXPORT),
    ("ur_exportable_memory_leaves_nothing_behind", exported_memory::exports, NO_EXPORT),
    ("ur_clusters_have_the_size_of_the_launch", launch_properties::device_has_clusters, NO_CLUSTERS),
    ("ur_physical_memory_is_shared_if_it_was_made_so", physical_memory::shares, NO_SHARED_MEMORY),
    ("ur_physical_memory_is_opened_by_its_name", physical_memory::shares, NO_SHARED_MEMORY),
    ("ur_physical_memory_is_shared_with_another_process", physical_memory::shares, NO_SHARED_MEMORY),
    (
        "ur_virtual_memory_is_backed_written_and_read",
        unified_runtime::has_virtual_memory,
        "no virtual memory",
    ),
    ("ur_event_is_shared_with_another_process", shared_events::shares, "the device shares no events"),
];
const NO_EXPORT: &str = "the device exports no memory";
const NO_CLUSTERS: &str = "no clusters: the device is older than compute capability 9.0";
const NO_SHARED_MEMORY: &str = "the device shares no physical memory";
/// Tests that need the system's permission to take a descriptor of another process, on any driver.
const WITH_DESCRIPTORS: [&str; 3] = [
    "ur_physical_memory_is_shared_if_it_was_made_so",
    "ur_physical_memory_is_opened_by_its_name",
    "ur_physical_memory_is_shared_with_another_process",
];

/// Returns what the device lacks for a test.
fn lacks(name: &str) -> Option<&'static str> {
    OPTIONAL.iter().find(|(test, has, _)| *test == name && !has()).map(|(_, _, reason)| *reason)
}

/// Runs the tests that the arguments select.
pub fn run(mut arguments: Arguments) -> ExitCode {
    if let Some(code) = missing::child() {
        return code;
    }
    let cases = [
        basics::CASES,
        commands::CASES,
        buffers::CASES,
        maps::CASES,
        usm::CASES,
        devices::CASES,
        pairs::CASES,
        device_info::CASES,
        kernels::CASES,
        programs::CASES,
        refusals::CASES,
        seconds::CASES,
        registers::CASES,
        spirv::CASES,
        command_buffers::CASES,
        images::CASES,
        image_copies::CASES,
        bindless::CASES,
        wild_sizes::CASES,
        runtime::CASES,
        call_table::CASES,
        calls::CASES,
        sweep::CASES,
        unified_runtime::CASES,
        native_commands::CASES,
        native_objects::CASES,
        launch_properties::CASES,
        exported_memory::CASES,
        exports::CASES,
        pageable::CASES,
        physical_memory::CASES,
        shared_events::CASES,
        missing::CASES,
        driver_arguments::CASES,
        driver_errors::CASES,
        event_states::CASES,
        event_times::CASES,
        timestamps::CASES,
        current_context::CASES,
        life::CASES,
    ]
    .concat();
    let (software, several) = (is_software(), devices().len() > 1);
    // One at a time: faults affect the whole driver, and some tests break a context on purpose.
    arguments.test_threads = Some(1);
    let registry: Registry = cases.into_iter().collect();
    registry.run(&arguments, |name| match name {
        _ if !software && ON_THE_SOFTWARE_DRIVER.contains(&name) => {
            Expected::Skip("it needs the software driver".to_owned())
        }
        _ if !several && ON_TWO_DEVICES.contains(&name) => Expected::Skip("it needs two devices".to_owned()),
        _ if software && ON_A_GPU.contains(&name) => {
            Expected::Skip("the software driver takes any text for PTX".to_owned())
        }
        _ if WITH_DESCRIPTORS.contains(&name) && !physical_memory::gives_descriptors() => {
            Expected::Skip("the system gives no descriptors of processes".to_owned())
        }
        _ => match lacks(name) {
            Some(reason) if !software => Expected::Skip(reason.to_owned()),
            _ => Expected::Pass,
        },
    })
}
