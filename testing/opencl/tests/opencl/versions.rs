//! Tests of every PI version's table, alone and together in one process.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::table::names_by_slot;
use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    for version in Version::ALL {
        let name = version.text().replace('.', "_");
        registry
            .add(format!("versions::a_program_runs_at_pi_{name}"), false, move || a_program_runs(version));
        registry
            .add(format!("versions::the_table_is_full_at_pi_{name}"), false, move || table_is_full(version));
    }
    cases!(
        registry,
        "versions",
        [
            event_creation_means_what_each_version_says,
            tables_of_all_versions_work_side_by_side,
            an_unknown_version_is_refused,
        ]
    );
}

/// Runs a program like a runtime of that version, through its table only where the table has the function.
fn a_program_runs(version: Version) {
    let f = Fixture::at(version);
    let program = f.built_source();
    let kernel = f.kernel(*program, c"add_value");
    let buffer = f.buffer(&[1_i32, 2, 3, 4]);
    f.set_mem(*kernel, 0, *buffer);
    f.set_arg(*kernel, 1, 10_i32);
    f.launch(*kernel, 4);
    assert_eq!(f.content::<i32>(*buffer, 4), [11, 12, 13, 14]);
    let memory: *mut c_void =
        made!(f.pi, |out| piextUSMSharedAlloc(out, f.context, f.device, null_mut(), 16, 0));
    f.set_pointer(*kernel, 0, memory);
    ok!(f.pi, piextUSMEnqueueMemset(f.queue, memory, 0, 16, 0, null(), null_mut()));
    f.launch(*kernel, 4);
    // SAFETY: 16 shared bytes, and the launch is done.
    assert_eq!(unsafe { memory.cast::<[i32; 4]>().read() }, [10; 4]);
    ok!(f.pi, piextUSMFree(f.context, memory));
}

fn table_is_full(version: Version) {
    let table = under_test(version);
    assert_eq!(table.version(), version);
    assert_eq!(table.function_count(), names_by_slot(version).count());
}

fn event_creation_means_what_each_version_says() {
    let (oldest, next) = (Fixture::at(Version::V9_11), Fixture::at(Version::V11_15));
    let status =
        |f: &Fixture, event| get!(f.pi, piEventGetInfo(event, PI_EVENT_INFO_COMMAND_EXECUTION_STATUS) as i32);
    let open: pi_event = made!(oldest.pi, |out| piEventCreate_until_9_11(oldest.context, out));
    let done: pi_event = made!(next.pi, |out| piEventCreate(next.context, out));
    assert_eq!((status(&oldest, open), status(&next, done)), (PI_EVENT_SUBMITTED, PI_EVENT_COMPLETE));
    ok!(oldest.pi, piEventSetStatus(open, PI_EVENT_COMPLETE));
    ok!(oldest.pi, piEventRelease(open));
    ok!(next.pi, piEventRelease(done));
}

fn tables_of_all_versions_work_side_by_side() {
    let fixtures: Vec<Fixture> = Version::ALL.into_iter().map(Fixture::at).collect();
    std::thread::scope(|scope| {
        for version in Version::ALL {
            scope.spawn(move || a_program_runs(version));
        }
    });
    for f in &fixtures {
        let buffer = f.buffer(&[7_u8; 3]);
        assert_eq!(f.content::<u8>(*buffer, 3), [7; 3]);
    }
}

fn an_unknown_version_is_refused() {
    let init = plugin::symbol("piPluginInit").unwrap();
    // SAFETY: the plugin's own symbol of that name, with PI's signature.
    let init: unsafe extern "C" fn(*mut c_void) -> pi_result = unsafe { std::mem::transmute(init) };
    for text in ["15.48", "99.1", "9.12", "14.38", "", "abc", "15.47extra"] {
        let mut room = [0_u64; 512];
        // SAFETY: the buffer is larger than each of the texts.
        unsafe { room.as_mut_ptr().cast::<u8>().copy_from(text.as_ptr(), text.len()) };
        let before = room;
        // SAFETY: room for a whole `pi_plugin` of any version.
        let code = unsafe { init(room.as_mut_ptr().cast()) };
        assert_ne!(code, PI_SUCCESS, "{text:?}");
        let functions = Version::V9_11.offsets().table / 8;
        assert_eq!(room[functions + 2..], before[functions + 2..], "{text:?}: a table was written");
    }
    // SAFETY: null, which the entry point must refuse.
    assert_ne!(unsafe { init(null_mut()) }, PI_SUCCESS);
}
