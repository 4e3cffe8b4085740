//! Commands on memory with all their arguments, as queues run them and command buffers record them.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_ur_core::*;
use sycl_ur_front::stubs::*;

use crate::fake::{Fake, Handles, address, handles, noted};

const NEWEST: Layout = Layout::V2026_2;
const FROM: ur_rect_offset_t = ur_rect_offset_t { x: 1, y: 2, z: 3 };
const TO: ur_rect_offset_t = ur_rect_offset_t { x: 4, y: 5, z: 6 };
const REGION: ur_rect_region_t = ur_rect_region_t { width: 7, height: 8, depth: 9 };
const BOX: &str = "[7, 8, 9] from [1, 2, 3] to [4, 5, 6] pitches [11, 222, 33, 444]";
const PATTERN: [u8; 2] = [1, 2];

/// Creates a buffer, whose size is its number.
fn buffer(of: Handles, size: usize) -> ur_mem_handle_t {
    let mut buffer = null_mut();
    // SAFETY: a live handle and room for the buffer.
    let result = unsafe { urMemBufferCreate::<Fake>(of.context, 0, size, null(), &mut buffer) };
    assert_eq!(result, UR_RESULT_SUCCESS);
    buffer
}

/// Creates a command buffer.
fn command_buffer(of: Handles, in_order: u8) -> ur_exp_command_buffer_handle_t {
    let desc = ur_exp_command_buffer_desc_t {
        stype: UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_DESC,
        pNext: null(),
        isUpdatable: 1,
        isInOrder: in_order,
        enableProfiling: 0,
    };
    let mut buffer = null_mut();
    // SAFETY: live handles, a structure of its type, and room for the command buffer.
    let result = unsafe { urCommandBufferCreateExp::<Fake>(of.context, of.device, &desc, &mut buffer) };
    assert_eq!(result, UR_RESULT_SUCCESS);
    buffer
}

/// Records a command by its function of today and by that of 2025.0, which has no events. The rest are the arguments of
/// both.
macro_rules! record {
    ($of:expr, $newest:ident, $first:ident, $($argument:expr),+) => {{
        let (buffer, list) = (command_buffer($of, 0), [3, 4].as_ptr());
        let mut points = [0; 2];
        let [today, before] = &mut points;
        noted();
        // SAFETY: live handles, a list of two sync points, and room for the new ones.
        let results = unsafe {
            [
                $newest::<Fake>(
                    buffer, $($argument),+, 2, list, 0, null(), today, null_mut(), null_mut(),
                ),
                $first::<Fake>(buffer, $($argument),+, 2, list, before),
            ]
        };
        assert_eq!((results, points), ([UR_RESULT_SUCCESS; 2], [7, 8]));
        noted()
    }};
}

#[test]
fn a_recorded_command_has_the_arguments_and_sync_points_of_its_call() {
    let of = handles(NEWEST);
    let (one, two) = (buffer(of, 100), buffer(of, 200));
    let (host, other): (*mut c_void, *mut c_void) = (address(64), address(96));
    let pattern: *const c_void = PATTERN.as_ptr().cast();
    let [to_device, to_host] = [UR_USM_MIGRATION_FLAG_HOST_TO_DEVICE, UR_USM_MIGRATION_FLAG_DEVICE_TO_HOST];
    let mostly = UR_USM_ADVICE_FLAG_SET_READ_MOSTLY;
    use urCommandBufferAppendMemBufferCopyRectExp_until_2025_0 as copy_rect_2025_0;
    use urCommandBufferAppendMemBufferReadRectExp_until_2025_0 as read_rect_2025_0;
    use urCommandBufferAppendMemBufferWriteRectExp_until_2025_0 as write_rect_2025_0;
    for (notes, wanted) in [
        (
            record!(
                of,
                urCommandBufferAppendMemBufferCopyExp,
                urCommandBufferAppendMemBufferCopyExp_until_2025_0,
                one,
                two,
                8,
                16,
                24
            ),
            "copy 24 of 100 8 to 200 16".to_owned(),
        ),
        (
            record!(
                of,
                urCommandBufferAppendMemBufferReadExp,
                urCommandBufferAppendMemBufferReadExp_until_2025_0,
                two,
                8,
                24,
                host
            ),
            "read 24 of 200 8 to 64".into(),
        ),
        (
            record!(
                of,
                urCommandBufferAppendMemBufferWriteExp,
                urCommandBufferAppendMemBufferWriteExp_until_2025_0,
                two,
                8,
                24,
                host
            ),
            "write 24 of 200 8 from 64".into(),
        ),
        (
            record!(
                of,
                urCommandBufferAppendMemBufferCopyRectExp,
                copy_rect_2025_0,
                one,
                two,
                FROM,
                TO,
                REGION,
                11,
                222,
                33,
                444
            ),
            format!("copy 100 200 {BOX}"),
        ),
        (
            record!(
                of,
                urCommandBufferAppendMemBufferReadRectExp,
                read_rect_2025_0,
                two,
                FROM,
                TO,
                REGION,
                11,
                222,
                33,
                444,
                host
            ),
            format!("read 200 {BOX} 64"),
        ),
        (
            record!(
                of,
                urCommandBufferAppendMemBufferWriteRectExp,
                write_rect_2025_0,
                two,
                FROM,
                TO,
                REGION,
                11,
                222,
                33,
                444,
                host
            ),
            format!("write 200 {BOX} 64"),
        ),
        (
            record!(
                of,
                urCommandBufferAppendMemBufferFillExp,
                urCommandBufferAppendMemBufferFillExp_until_2025_0,
                two,
                pattern,
                2,
                8,
                24
            ),
            "fill 200 8 [1, 2] in 24x1".into(),
        ),
        (
            record!(
                of,
                urCommandBufferAppendUSMMemcpyExp,
                urCommandBufferAppendUSMMemcpyExp_until_2025_0,
                host,
                other,
                24
            ),
            "copy 24 96 64".into(),
        ),
        (
            record!(
                of,
                urCommandBufferAppendUSMFillExp,
                urCommandBufferAppendUSMFillExp_until_2025_0,
                host,
                pattern,
                2,
                24
            ),
            "fill 64 [1, 2] in 24x1".into(),
        ),
        // libsycl records empty fills.
        (
            record!(
                of,
                urCommandBufferAppendUSMFillExp,
                urCommandBufferAppendUSMFillExp_until_2025_0,
                host,
                pattern,
                2,
                0
            ),
            "fill 64 [1, 2] in 0x1".into(),
        ),
        (
            record!(
                of,
                urCommandBufferAppendUSMPrefetchExp,
                urCommandBufferAppendUSMPrefetchExp_until_2025_0,
                host,
                24,
                to_device
            ),
            "prefetch 24 64 0".into(),
        ),
        // A hint of another direction only keeps the order.
        (
            record!(
                of,
                urCommandBufferAppendUSMPrefetchExp,
                urCommandBufferAppendUSMPrefetchExp_until_2025_0,
                host,
                24,
                to_host
            ),
            "fill 64 [0] in 0x1".into(),
        ),
        (
            record!(
                of,
                urCommandBufferAppendUSMAdviseExp,
                urCommandBufferAppendUSMAdviseExp_until_2025_0,
                host,
                24,
                mostly
            ),
            "advise 24 64 1".into(),
        ),
    ] {
        let wanted = format!("record {wanted} after [3, 4]");
        assert_eq!(notes, [wanted.clone(), wanted]);
    }
}

#[test]
fn a_command_of_a_queue_has_the_arguments_of_its_call() {
    let of = handles(NEWEST);
    let (queue, one, two) = (of.queue, buffer(of, 100), buffer(of, 200));
    let (host, pattern): (*mut c_void, *const c_void) = (address(64), PATTERN.as_ptr().cast());
    for blocking in [0, 1] {
        noted();
        let (none, event) = (null(), null_mut());
        // SAFETY: live handles, and addresses that nothing reads.
        let results = unsafe {
            let (read_rect, write_rect) =
                (urEnqueueMemBufferReadRect::<Fake>, urEnqueueMemBufferWriteRect::<Fake>);
            [
                urEnqueueMemBufferRead::<Fake>(queue, two, blocking, 8, 24, host, 0, none, event),
                urEnqueueMemBufferWrite::<Fake>(queue, two, blocking, 8, 24, host, 0, none, event),
                read_rect(queue, two, blocking, FROM, TO, REGION, 11, 222, 33, 444, host, 0, none, event),
                write_rect(queue, two, blocking, FROM, TO, REGION, 11, 222, 33, 444, host, 0, none, event),
            ]
        };
        let suffix = if blocking == 0 { "" } else { " blocking" };
        let wanted = [
            "read 24 of 200 8 to 64".to_owned(),
            "write 24 of 200 8 from 64".to_owned(),
            format!("read 200 {BOX} 64"),
            format!("write 200 {BOX} 64"),
        ];
        assert_eq!((results, noted()), ([0; 4], wanted.map(|text| text + suffix).to_vec()));
    }
    let (none, event) = (null(), null_mut());
    // SAFETY: live handles, and a pattern of two bytes.
    let results = unsafe {
        let copy_rect = urEnqueueMemBufferCopyRect::<Fake>;
        [
            urEnqueueMemBufferCopy::<Fake>(queue, one, two, 8, 16, 24, 0, none, event),
            copy_rect(queue, one, two, FROM, TO, REGION, 11, 222, 33, 444, 0, none, event),
            urEnqueueMemBufferFill::<Fake>(queue, two, pattern, 2, 8, 24, 0, none, event),
            urEnqueueUSMAdvise::<Fake>(queue, host, 24, UR_USM_ADVICE_FLAG_SET_READ_MOSTLY, event),
        ]
    };
    let wanted = [
        "copy 24 of 100 8 to 200 16".to_owned(),
        format!("copy 100 200 {BOX}"),
        "fill 200 8 [1, 2] in 24x1".to_owned(),
        "advise 24 64 1".to_owned(),
    ];
    assert_eq!((results, noted()), ([0; 4], wanted.to_vec()));
}

/// In order, a command is behind the last one, once, in addition to what it names.
#[test]
fn a_command_in_order_is_behind_the_last_one() {
    let of = handles(NEWEST);
    let record = |buffer, waits: Option<&[u32]>, count| {
        let list = waits.map_or(null(), <[u32]>::as_ptr);
        noted();
        // SAFETY: live handles, addresses that nothing reads, and a list of that length or none.
        let result = unsafe {
            let copy = urCommandBufferAppendUSMMemcpyExp_until_2025_0::<Fake>;
            copy(buffer, address(64), address(96), 24, count, list, null_mut())
        };
        (result, noted().concat())
    };
    let ordered = command_buffer(of, 1);
    for (waits, wanted) in
        [(&[][..], "[]"), (&[], "[7]"), (&[8], "[8]"), (&[7], "[7, 9]"), (&[10, 7], "[10, 7]")]
    {
        let wanted = format!("record copy 24 96 64 after {wanted}");
        assert_eq!(record(ordered, Some(waits), waits.len() as u32), (UR_RESULT_SUCCESS, wanted));
    }
    let refused = record(command_buffer(of, 0), None, 1);
    let code = UR_RESULT_ERROR_INVALID_COMMAND_BUFFER_SYNC_POINT_WAIT_LIST_EXP;
    assert_eq!(refused, (code, String::new()));
}

/// Another kernel may take the place of the recorded one, but not the same.
#[test]
fn the_alternatives_of_a_launch_are_other_kernels() {
    let of = handles(NEWEST);
    let other = handles(NEWEST).kernel;
    let launch = |list: Option<&mut [ur_kernel_handle_t]>, count| {
        let list = list.map_or(null_mut(), <[_]>::as_mut_ptr);
        let (buffer, global) = (command_buffer(of, 0), [8_usize]);
        noted();
        // SAFETY: live handles, one number of work-items, and a list of that length or none.
        let result = unsafe {
            urCommandBufferAppendKernelLaunchExp::<Fake>(
                buffer,
                of.kernel,
                1,
                null(),
                global.as_ptr(),
                global.as_ptr(),
                count,
                list,
                0,
                null(),
                0,
                null(),
                null_mut(),
                null_mut(),
                null_mut(),
            )
        };
        (result, noted().concat())
    };
    let recorded = "record launch None [8] Some([8]) after []";
    assert_eq!(launch(None, 0), (UR_RESULT_SUCCESS, recorded.into()));
    assert_eq!(launch(Some(&mut [other]), 1), (UR_RESULT_SUCCESS, recorded.into()));
    let refused = (UR_RESULT_ERROR_INVALID_VALUE, String::new());
    assert_eq!(launch(Some(&mut [other, of.kernel]), 2), refused);
    assert_eq!(launch(None, 1), refused);
}
