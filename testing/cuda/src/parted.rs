//! Tests of work-items of a sub-group that diverge and reconverge, for all sizes of sub-groups. `pi-cuda-spirv`
//! runs these on a GPU, which lets some work-items run ahead of others.

use testing_nvvm::parted::{self, Parted};

use crate::Fixture;

/// The tests with their names.
pub const CASES: [(&str, fn()); 8] = [
    ("spirv_a_few_work_items_reduce_while_others_wait", || check(&parted::A_FEW_REDUCE)),
    ("spirv_work_items_leave_a_loop_one_after_the_other", || check(&parted::LEAVE_A_LOOP)),
    ("spirv_work_items_that_leave_an_inner_loop_wait_for_the_others", || check(&parted::LEAVE_AN_INNER_LOOP)),
    ("spirv_work_items_that_have_returned_from_a_function_are_not_waited_for", || {
        check(&parted::RETURN_EARLY)
    }),
    ("spirv_a_function_sums_over_those_that_it_is_called_for", || check(&parted::CALL_A_FUNCTION)),
    ("spirv_work_items_meet_behind_ways_that_nobody_takes", || check(&parted::NOBODY_TAKES_A_WAY)),
    ("spirv_work_items_that_come_on_several_ways_meet", || check(&parted::COME_ON_SEVERAL_WAYS)),
    ("spirv_work_items_that_go_round_on_several_ways_meet", || check(&parted::GO_ROUND_ON_SEVERAL_WAYS)),
];

fn check(parted: &Parted) {
    let fixture = Fixture::new();
    for width in [8, 16, 32] {
        let program = fixture.build(fixture.unbuilt(&parted.module(width).unwrap()));
        let kernel = program.kernel("k");
        for size in [1, 20, 32, 45, 256] {
            let numbers = parted::mixed(size as u64);
            let (out, memory) = (fixture.device_memory(size * 4), fixture.device_memory(size * 4));
            fixture.write(&memory, &numbers);
            kernel.pointer(0, out.start).pointer(1, memory.start);
            fixture.launch(kernel.raw, &[size], Some(&[size]));
            fixture.finish();
            assert_eq!(
                fixture.read::<u32>(&out, size),
                parted.expected(&numbers, width),
                "{size} in sub-groups of {width}"
            );
        }
    }
}
