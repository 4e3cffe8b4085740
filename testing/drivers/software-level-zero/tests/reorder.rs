//! Commands that may run in any order do, if requested.
#![expect(unsafe_code, reason = "the tests call a driver")]
#![allow(clippy::unwrap_used)]

mod common;

use common::bench_with;
use level_zero_sys::*;

#[test]
fn only_what_is_held_in_place_keeps_its_order() {
    let b = bench_with(Some(("PI_SOFT_ZE_REORDER", "1")));
    const NULL: ze_event_handle_t = ze_event_handle_t::NULL;
    let list = b.immediate();
    let pool = b.pool(2);
    let (gate, done) = (b.event(pool, 0), b.event(pool, 1));
    let memory = b.alloc(1);
    for (barrier, last) in [(false, 1), (true, 2)] {
        let none = std::ptr::null_mut();
        // SAFETY: live handles and allocations.
        unsafe {
            b.ze.zeCommandListAppendWaitOnEvents(list, 1, &raw const gate as _).unwrap();
            b.ze.zeCommandListAppendMemoryFill(list, memory, [1_u8].as_ptr().cast(), 1, 1, NULL, 0, none)
                .unwrap();
            if barrier {
                b.ze.zeCommandListAppendBarrier(list, NULL, 0, none).unwrap();
            }
            b.ze.zeCommandListAppendMemoryFill(list, memory, [2_u8].as_ptr().cast(), 1, 1, NULL, 0, none)
                .unwrap();
            b.ze.zeCommandListAppendSignalEvent(list, done).unwrap();
            b.ze.zeEventHostSignal(gate).unwrap();
            b.ze.zeEventHostSynchronize(done, u64::MAX).unwrap();
            assert_eq!(memory.cast::<u8>().read(), last, "with a barrier: {barrier}");
            b.ze.zeEventHostReset(gate).unwrap();
            b.ze.zeEventHostReset(done).unwrap();
        }
    }
    // SAFETY: live handles.
    unsafe {
        b.ze.zeCommandListDestroy(list).unwrap();
        b.ze.zeEventDestroy(gate).unwrap();
        b.ze.zeEventDestroy(done).unwrap();
        b.ze.zeEventPoolDestroy(pool).unwrap();
    }
    b.free(memory);
    assert_eq!(b.complaints(), 0, "{}", b.report());
}
