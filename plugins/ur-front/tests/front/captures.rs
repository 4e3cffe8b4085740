//! Captures of commands that the backend refuses, in whole or in part, and the text of a graph.

use std::ffi::{CString, c_void};
use std::ptr::{null, null_mut};

use sycl_pi_backend::types::{DeviceInfo, ErrorCode};
use sycl_ur_core::*;
use sycl_ur_front::stubs::*;

use crate::fake::{Fake, Handles, address, fail, fail_after, handles, lack, noted};

const NEWEST: Layout = Layout::V2026_2;

/// Creates a queue, in order or without.
fn queue(of: Handles, flags: ur_queue_flags_t) -> ur_queue_handle_t {
    let properties =
        ur_queue_properties_t { stype: UR_STRUCTURE_TYPE_QUEUE_PROPERTIES, pNext: null_mut(), flags };
    let mut queue = null_mut();
    // SAFETY: live handles, a structure of its type, and room for the queue.
    let result = unsafe { urQueueCreate::<Fake>(of.context, of.device, &properties, &mut queue) };
    assert_eq!(result, UR_RESULT_SUCCESS);
    queue
}

fn begin(queue: ur_queue_handle_t) {
    // SAFETY: a live handle.
    assert_eq!(unsafe { urQueueBeginGraphCaptureExp::<Fake>(queue) }, UR_RESULT_SUCCESS);
    noted();
}

fn end(queue: ur_queue_handle_t) -> (ur_result_t, ur_exp_graph_handle_t) {
    let mut graph = null_mut();
    // SAFETY: a live handle and room for the graph.
    (unsafe { urQueueEndGraphCaptureExp::<Fake>(queue, &mut graph) }, graph)
}

/// Captures a fill of three rows, each a command of its own.
fn fill(queue: ur_queue_handle_t) -> (ur_result_t, Vec<String>) {
    let (pattern, start): (u8, *mut c_void) = (5, address(64));
    let from = (&raw const pattern).cast();
    noted();
    let result =
        // SAFETY: a live handle, a pattern of one byte, and an address that nothing reads.
        unsafe { urEnqueueUSMFill2D::<Fake>(queue, start, 16, 1, from, 8, 3, 0, null(), null_mut()) };
    (result, noted())
}

/// Captures a copy of two rows.
fn copy(queue: ur_queue_handle_t) -> (ur_result_t, Vec<String>) {
    noted();
    // SAFETY: a live handle, and addresses that nothing reads.
    let result = unsafe {
        let copy = urEnqueueUSMMemcpy2D::<Fake>;
        copy(queue, 0, address(64), 24, address(512), 16, 8, 2, 0, null(), null_mut())
    };
    (result, noted())
}

/// Returns the notes of a fill of three rows that waits for sync points.
fn rows(waits: &str) -> [String; 3] {
    [64, 80, 96].map(|start| format!("record fill {start} [5] in 8x1 after {waits}"))
}

/// The rows of a command wait for the same, and the next command for all of them.
#[test]
fn rows_are_captured_as_commands_that_wait_together() {
    let of = handles(NEWEST);
    let queue = queue(of, 0);
    begin(queue);
    assert_eq!(fill(queue), (UR_RESULT_SUCCESS, rows("[]").to_vec()));
    let copies =
        [(512, 64), (528, 88)].map(|(src, dst)| format!("record copy 8 {src} {dst} after [7, 8, 9]"));
    assert_eq!(copy(queue), (UR_RESULT_SUCCESS, copies.to_vec()));
    assert_eq!(fill(queue), (UR_RESULT_SUCCESS, rows("[10, 11]").to_vec()));
    assert_eq!(end(queue).0, UR_RESULT_SUCCESS);
}

/// A command of which nothing was recorded leaves the capture as it was; one of which a part was recorded ends it.
#[test]
fn a_command_that_is_recorded_in_part_makes_its_capture_invalid() {
    for (layout, invalid) in [
        (NEWEST, UR_RESULT_ERROR_GRAPH_CAPTURE_INVALIDATED),
        (Layout::V2026_1_1, UR_RESULT_ERROR_INVALID_OPERATION),
    ] {
        let queue = queue(handles(layout), 0);
        begin(queue);
        fail(ErrorCode::OUT_OF_RESOURCES);
        assert_eq!(fill(queue), (UR_RESULT_ERROR_OUT_OF_RESOURCES, rows("[]")[..1].to_vec()));
        assert_eq!(fill(queue), (UR_RESULT_SUCCESS, rows("[]").to_vec()));
        fail_after(1, ErrorCode::OUT_OF_RESOURCES);
        assert_eq!(fill(queue), (UR_RESULT_ERROR_OUT_OF_RESOURCES, rows("[7, 8, 9]")[..2].to_vec()));
        assert_eq!(fill(queue), (invalid, vec![]), "{layout:?}");
        assert_eq!(end(queue), (invalid, null_mut()), "{layout:?}");
        // SAFETY: a live handle.
        assert_eq!(unsafe { urQueueFinish::<Fake>(queue) }, UR_RESULT_SUCCESS);
        assert_eq!(noted(), ["finish"]);
    }
}

/// The queue that has begun a capture takes it along, valid or not. Queues that have joined it run again.
#[test]
fn a_queue_that_goes_frees_those_that_have_joined_its_capture() {
    let of = handles(NEWEST);
    for is_invalid in [false, true] {
        let (first, second, mut event) = (queue(of, 0), queue(of, 0), null_mut());
        let captures = |queue| {
            let mut answer = 7_u8;
            // SAFETY: a live handle and room for the answer.
            let result = unsafe { urQueueIsGraphCaptureEnabledExp::<Fake>(queue, &mut answer) };
            (result, answer)
        };
        begin(first);
        // SAFETY: live handles, addresses that nothing reads, and room for the event.
        unsafe {
            let copy = urEnqueueUSMMemcpy::<Fake>;
            let (dst, src) = (address(64), address(96));
            assert_eq!(copy(first, 0, dst, src, 8, 0, null(), &mut event), UR_RESULT_SUCCESS);
            assert_eq!(copy(second, 0, dst, src, 8, 1, &event, null_mut()), UR_RESULT_SUCCESS);
            assert_eq!(urEventRelease::<Fake>(event), UR_RESULT_SUCCESS);
            if is_invalid {
                let blocking = copy(first, 1, dst, src, 8, 0, null(), null_mut());
                assert_eq!(blocking, UR_RESULT_ERROR_GRAPH_CAPTURE_UNSUPPORTED);
            }
            assert_eq!(captures(second), (UR_RESULT_SUCCESS, 1));
            assert_eq!(urQueueRelease::<Fake>(first), UR_RESULT_SUCCESS);
        }
        assert_eq!(captures(second), (UR_RESULT_SUCCESS, 0), "{is_invalid}");
        assert_eq!(copy(second).1, ["copy 8x2 pitches (16, 24) blocking false"]);
    }
}

/// A name stands in quotes, so quotes and backslashes are left out of it.
#[test]
fn the_text_of_a_graph_names_kernels_and_what_is_before_each() {
    let of = handles(NEWEST);
    let queue = queue(of, 0);
    begin(queue);
    let global = [8_usize];
    // SAFETY: live handles, and one number of work-items.
    let results = unsafe {
        let (queue, dims) = (queue, 1);
        let launch = urEnqueueKernelLaunch::<Fake>;
        [
            launch(queue, of.kernel, dims, null(), global.as_ptr(), null(), null(), 0, null(), null_mut()),
            urEnqueueEventsWaitWithBarrier::<Fake>(queue, 0, null(), null_mut()),
        ]
    };
    assert_eq!(results, [UR_RESULT_SUCCESS; 2]);
    let (result, graph) = end(queue);
    assert_eq!(result, UR_RESULT_SUCCESS);
    let path = std::env::temp_dir().join(format!("sycl-ur-front-graph-{}", std::process::id()));
    let name = CString::new(path.to_str().unwrap()).unwrap();
    let mut id = 0;
    // SAFETY: a live handle, a name, and room for the number; the graph is destroyed once.
    let results = unsafe {
        [
            urGraphGetIdExp::<Fake>(graph, &mut id),
            urGraphDumpContentsExp::<Fake>(graph, name.as_ptr()),
            urGraphDestroyExp::<Fake>(graph),
        ]
    };
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(results, [UR_RESULT_SUCCESS; 3]);
    let wanted = [
        format!("digraph graph_{id} {{"),
        r#"  node_0 [shape=box, label="0: KernelLaunch say _a_b_\nqueue 0"];"#.to_owned(),
        r#"  node_1 [shape=ellipse, label="1: Barrier\nqueue 0"];"#.to_owned(),
        "  node_0 -> node_1;".to_owned(),
        "}".to_owned(),
    ];
    assert_eq!(text, wanted.join("\n") + "\n");
}

/// Returns an executable graph.
fn instantiate(graph: ur_exp_graph_handle_t) -> (ur_result_t, ur_exp_executable_graph_handle_t) {
    let mut executable = null_mut();
    // SAFETY: a live handle and room for the graph.
    (unsafe { urGraphInstantiateGraphExp::<Fake>(graph, &mut executable) }, executable)
}

/// A graph of waits alone runs as a wait. The event of each run has a type of its own.
#[test]
fn a_run_of_a_graph_has_its_commands_or_is_a_wait() {
    let of = handles(NEWEST);
    let queue = queue(of, 0);
    for (has_commands, wanted) in [(true, "run after 2"), (false, "wait for 2")] {
        begin(queue);
        if has_commands {
            assert_eq!(copy(queue).0, UR_RESULT_SUCCESS);
        } else {
            // SAFETY: a live handle.
            let waits = unsafe { urEnqueueEventsWait::<Fake>(queue, 0, null(), null_mut()) };
            assert_eq!(waits, UR_RESULT_SUCCESS);
        }
        let (_, graph) = end(queue);
        let (result, executable) = instantiate(graph);
        assert_eq!(result, UR_RESULT_SUCCESS);
        let (mut event, mut kind, list) = (null_mut(), 0_u32, [of.event; 2]);
        let room = (&raw mut kind).cast();
        noted();
        // SAFETY: live handles, a list of two events, and room for the results.
        let results = unsafe {
            [
                urEnqueueGraphExp::<Fake>(queue, executable, 2, list.as_ptr(), &mut event),
                urEventGetInfo::<Fake>(event, UR_EVENT_INFO_COMMAND_TYPE, 4, room, null_mut()),
            ]
        };
        assert_eq!((results, kind), ([UR_RESULT_SUCCESS; 2], UR_COMMAND_ENQUEUE_GRAPH_EXP));
        assert_eq!(noted(), [wanted]);
        let mut natives = [0; 2];
        let [of_graph, of_executable] = &mut natives;
        // SAFETY: live handles, and room for the results.
        let results = unsafe {
            [
                urGraphGetNativeHandleExp::<Fake>(graph, of_graph),
                urGraphExecutableGraphGetNativeHandleExp::<Fake>(executable, of_executable),
            ]
        };
        if has_commands {
            assert_eq!((results, natives), ([UR_RESULT_SUCCESS; 2], [0x70; 2]));
            assert_eq!(noted(), ["native, runs false", "native, runs true"]);
        } else {
            assert_eq!((results, natives), ([UR_RESULT_ERROR_UNSUPPORTED_FEATURE; 2], [0; 2]));
        }
        // SAFETY: live handles, each released once.
        unsafe {
            assert_eq!(urEventRelease::<Fake>(event), UR_RESULT_SUCCESS);
            assert_eq!(urGraphDestroyExp::<Fake>(graph), UR_RESULT_SUCCESS);
            assert_eq!(urGraphExecutableGraphDestroyExp::<Fake>(executable), UR_RESULT_SUCCESS);
        }
    }
}

/// A graph has one capture, and only on a device that has command buffers.
#[test]
fn a_graph_is_captured_once_on_a_device_that_can() {
    let of = handles(NEWEST);
    let queue = queue(of, 0);
    let create = |context| {
        let mut graph = null_mut();
        // SAFETY: a live handle and room for the graph.
        (unsafe { urGraphCreateExp::<Fake>(context, &mut graph) }, graph)
    };
    // SAFETY: live handles.
    let into = |graph| unsafe { urQueueBeginCaptureIntoGraphExp::<Fake>(queue, graph) };
    let (result, graph) = create(of.context);
    assert_eq!(result, UR_RESULT_SUCCESS);
    assert_eq!(instantiate(graph).0, UR_RESULT_ERROR_INVALID_ARGUMENT, "nothing was captured");
    let (_, other) = create(handles(NEWEST).context);
    assert_eq!(into(other), UR_RESULT_ERROR_INVALID_CONTEXT);
    lack(&[DeviceInfo::COMMAND_BUFFER_SUPPORT]);
    assert_eq!(create(of.context).0, UR_RESULT_ERROR_UNSUPPORTED_FEATURE);
    // SAFETY: a live handle.
    let begun = unsafe { urQueueBeginGraphCaptureExp::<Fake>(queue) };
    assert_eq!(begun, UR_RESULT_ERROR_UNSUPPORTED_FEATURE);
    lack(&[]);
    assert_eq!(into(graph), UR_RESULT_SUCCESS);
    assert_eq!(copy(queue).0, UR_RESULT_SUCCESS);
    assert_eq!(end(queue), (UR_RESULT_SUCCESS, graph));
    assert_eq!(into(graph), UR_RESULT_ERROR_INVALID_ARGUMENT, "it has its capture");
}
