//! Tests of what a run waits for.

use super::*;

/// A command without sync points begins the run, wherever it is in the recording.
pub(super) fn every_beginning_waits_for_the_wait_list() {
    let f = Fixture::new();
    on_both_queues(&f, |queue| {
        let mems = [(); 3].map(|()| f.buffer(&[0_i32; COUNT]));
        let r = Recording::new(&f);
        mems.iter().for_each(|mem| _ = r.fill(**mem, 9, &[]));
        r.finalize();
        let (old, gate) = (under_test(Version::V9_11), user_event(&f));
        let event = r.enqueue(queue, &[gate]);
        ok!(f.pi, piQueueFlush(queue));
        std::thread::sleep(std::time::Duration::from_millis(50));
        let early = mems.each_ref().map(|mem| f.content::<i32>(**mem, COUNT)[0]);
        ok!(old, piEventSetStatus(gate, PI_EVENT_COMPLETE));
        f.wait(event);
        ok!(old, piEventRelease(gate));
        assert_eq!(early, [0; 3]);
        assert_eq!(mems.each_ref().map(|mem| f.content::<i32>(**mem, COUNT)[0]), [9; 3]);
    });
}
