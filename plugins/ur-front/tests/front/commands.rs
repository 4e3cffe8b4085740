//! Queues, events and command buffers, as they reach the backend.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_backend::types::DeviceInfo;
use sycl_ur_core::*;
use sycl_ur_front::stubs::*;

use crate::fake::{Fake, Handles, add_native, address, handles, lack, noted};

const NEWEST: Layout = Layout::V2026_2;

fn create_queue(
    of: Handles, flags: ur_queue_flags_t, index: Option<u32>,
) -> (ur_result_t, String, ur_queue_handle_t) {
    let index = index.map(|index| ur_queue_index_properties_t {
        stype: UR_STRUCTURE_TYPE_QUEUE_INDEX_PROPERTIES,
        pNext: null_mut(),
        computeIndex: index,
    });
    let properties = ur_queue_properties_t {
        stype: UR_STRUCTURE_TYPE_QUEUE_PROPERTIES,
        pNext: index.as_ref().map_or(null_mut(), |index| std::ptr::from_ref(index).cast_mut().cast()),
        flags,
    };
    let mut queue = null_mut();
    noted();
    // SAFETY: live handles, a chain of structures, and room for the queue.
    let result = unsafe { urQueueCreate::<Fake>(of.context, of.device, &properties, &mut queue) };
    (result, noted().pop().unwrap_or_default(), queue)
}

/// Hints about default streams and low-power events mean nothing to a backend.
#[test]
fn a_queue_has_the_flags_and_the_index_that_backends_know() {
    let of = handles(NEWEST);
    let created = |flags, index| {
        let (result, note, _) = create_queue(of, flags, index);
        (result, note)
    };
    let (profiled, low) = (UR_QUEUE_FLAG_PROFILING_ENABLE, UR_QUEUE_FLAG_PRIORITY_LOW);
    assert_eq!(created(0, None), (0, "create QueueFlags(0x0) None".into()));
    assert_eq!(created(0, Some(3)), (0, "create QueueFlags(0x0) Some(3)".into()));
    let wanted = "create QueueFlags(PROFILING_ENABLE | PRIORITY_LOW) None";
    for ignored in [
        0,
        UR_QUEUE_FLAG_USE_DEFAULT_STREAM,
        UR_QUEUE_FLAG_SYNC_WITH_DEFAULT_STREAM,
        UR_QUEUE_FLAG_LOW_POWER_EVENTS_SUPPORT_EXP,
    ] {
        assert_eq!(created(profiled | low | ignored, None), (0, wanted.into()), "{ignored:#x}");
    }
    assert_eq!(created(0x8000_0000, None), (UR_RESULT_ERROR_INVALID_ENUMERATION, String::new()));
    let both = low | UR_QUEUE_FLAG_PRIORITY_HIGH;
    assert_eq!(created(both, None), (UR_RESULT_ERROR_INVALID_QUEUE_PROPERTIES, String::new()));
}

/// A queue on the device is out of order, and takes nothing of the host.
#[test]
fn a_queue_on_the_device_is_out_of_order_and_takes_no_commands() {
    let of = handles(NEWEST);
    let (on_device, default) = (UR_QUEUE_FLAG_ON_DEVICE, UR_QUEUE_FLAG_ON_DEVICE_DEFAULT);
    let loose = UR_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    for flags in [on_device, default, default | loose] {
        assert_eq!(create_queue(of, flags, None).0, UR_RESULT_ERROR_INVALID_QUEUE_PROPERTIES, "{flags:#x}");
    }
    let (result, _, queue) = create_queue(of, on_device | loose, None);
    assert_eq!(result, UR_RESULT_SUCCESS);
    let mut empty = 0_u8;
    let room = (&raw mut empty).cast();
    // SAFETY: a live handle, and room for the answer.
    let refused = unsafe {
        [
            urQueueFlush::<Fake>(queue),
            urQueueFinish::<Fake>(queue),
            urEnqueueEventsWait::<Fake>(queue, 0, null(), null_mut()),
            urQueueGetInfo::<Fake>(queue, UR_QUEUE_INFO_EMPTY, 1, room, null_mut()),
        ]
    };
    assert_eq!(refused, [UR_RESULT_ERROR_INVALID_QUEUE; 4]);
    lack(&[DeviceInfo::QUEUE_ON_DEVICE_PROPERTIES]);
    assert_eq!(create_queue(of, on_device | loose, None).0, UR_RESULT_ERROR_INVALID_QUEUE_PROPERTIES);
}

#[test]
fn a_queue_of_a_native_handle_has_the_kind_and_the_flags_that_are_given() {
    let of = handles(NEWEST);
    let create = |kind: Option<i32>, flags: Option<ur_queue_flags_t>, owned, device| {
        let mut number = kind.unwrap_or_default();
        let mut properties = flags.map(|flags| ur_queue_properties_t {
            stype: UR_STRUCTURE_TYPE_QUEUE_PROPERTIES,
            pNext: null_mut(),
            flags,
        });
        let flags =
            properties.as_mut().map_or(null_mut(), |flags| std::ptr::from_mut(flags).cast::<c_void>());
        let desc = ur_queue_native_desc_t {
            stype: UR_STRUCTURE_TYPE_QUEUE_NATIVE_DESC,
            pNext: flags,
            pNativeData: (&raw mut number).cast(),
        };
        let chain = if kind.is_some() { (&raw const desc).cast_mut().cast() } else { flags };
        let native = ur_queue_native_properties_t {
            stype: UR_STRUCTURE_TYPE_QUEUE_NATIVE_PROPERTIES,
            pNext: chain,
            isNativeHandleOwned: owned,
        };
        let mut queue = null_mut();
        noted();
        let result =
            // SAFETY: live handles, a chain of structures, and room for the queue.
            unsafe { urQueueCreateWithNativeHandle::<Fake>(0x40, of.context, device, &native, &mut queue) };
        (result, noted().concat())
    };
    let wanted = |text: &str| (0, format!("native 64 {text}"));
    let plain = create(None, None, 0, null_mut());
    assert_eq!(plain, wanted("kind 0 device false owned false QueueFlags(0x0)"));
    let profiled = Some(UR_QUEUE_FLAG_PROFILING_ENABLE);
    let full = create(Some(1), profiled, 1, of.device);
    assert_eq!(full, wanted("kind 1 device true owned true QueueFlags(PROFILING_ENABLE)"));
    let other = create(None, profiled, 1, null_mut());
    assert_eq!(other, wanted("kind 0 device false owned true QueueFlags(PROFILING_ENABLE)"));
}

#[test]
fn a_wait_on_the_host_has_events() {
    let of = handles(NEWEST);
    // SAFETY: a live handle, and lists of no events.
    let results = unsafe { [urEventWait::<Fake>(0, null()), urEventWait::<Fake>(0, &of.event)] };
    assert_eq!(results, [UR_RESULT_ERROR_INVALID_NULL_POINTER, UR_RESULT_ERROR_INVALID_VALUE]);
}

/// Since 2026.2 a caller may name the event that a barrier signals; before, the place is for a new one.
#[test]
fn a_barrier_signals_an_event_of_the_caller_since_2026_2() {
    for (layout, wanted) in [(Layout::V2026_1_1, "barrier after 1"), (NEWEST, "signal after 1")] {
        let of = handles(layout);
        let mut event = of.event;
        let properties = ur_exp_enqueue_ext_properties_t {
            stype: UR_STRUCTURE_TYPE_EXP_ENQUEUE_EXT_PROPERTIES,
            pNext: null_mut(),
            flags: 0,
        };
        noted();
        // SAFETY: live handles, a structure of its type, and room for the event.
        let result = unsafe {
            urEnqueueEventsWaitWithBarrierExt::<Fake>(of.queue, &properties, 1, &of.event, &mut event)
        };
        assert_eq!((result, noted().pop().unwrap()), (0, wanted.to_owned()), "{layout:?}");
        assert_eq!(event == of.event, layout == NEWEST, "{layout:?}");
    }
}

#[test]
fn flags_of_barriers_maps_and_events_are_known_ones() {
    let of = handles(NEWEST);
    let unknown = 0x8000_0000;
    let properties = ur_exp_enqueue_ext_properties_t {
        stype: UR_STRUCTURE_TYPE_EXP_ENQUEUE_EXT_PROPERTIES,
        pNext: null_mut(),
        flags: unknown,
    };
    let create = |flags| {
        let desc = ur_exp_event_desc_t { stype: UR_STRUCTURE_TYPE_EXP_EVENT_DESC, pNext: null(), flags };
        let mut event = null_mut();
        noted();
        // SAFETY: live handles, a structure of its type, and room for the event.
        let result = unsafe { urEventCreateExp::<Fake>(of.context, of.device, &desc, &mut event) };
        (result, noted().pop().unwrap())
    };
    let mut mapped = null_mut();
    // SAFETY: live handles, a structure of its type, and room for the address.
    let results = unsafe {
        [
            urEnqueueEventsWaitWithBarrierExt::<Fake>(of.queue, &properties, 0, null(), null_mut()),
            urEnqueueMemBufferMap::<Fake>(
                of.queue,
                of.mem,
                1,
                unknown,
                0,
                8,
                0,
                null(),
                null_mut(),
                &mut mapped,
            ),
            create(unknown).0,
        ]
    };
    assert_eq!(results, [UR_RESULT_ERROR_INVALID_ENUMERATION; 3]);
    let [shared, timed] = [UR_EXP_EVENT_FLAG_IPC_EXP, UR_EXP_EVENT_FLAG_ENABLE_PROFILING];
    assert_eq!(create(0), (0, "reusable event, shared false".into()));
    assert_eq!(create(shared), (0, "reusable event, shared true".into()));
    assert_eq!(create(timed).0, UR_RESULT_ERROR_UNSUPPORTED_FEATURE, "no time is known before the command");
    assert_eq!(create(shared | timed).0, UR_RESULT_ERROR_INVALID_VALUE);
}

/// Only a wait without a list is for everything before it, and so for what the caller has added.
#[test]
fn the_event_of_a_native_command_is_behind_what_the_caller_added() {
    extern "C" fn add(_: ur_queue_handle_t, _: *mut c_void) {
        add_native();
    }
    let of = handles(NEWEST);
    let (list, mut event) = ([of.event; 2], null_mut());
    for (waits, expected) in
        [(2, &["barrier after 2", "native", "wait for 0"][..]), (0, &["native", "wait for 0"])]
    {
        noted();
        let (properties, data, mems) = (null(), null_mut(), null());
        // SAFETY: live handles, a function that reads nothing, a list of two events, and room for the event.
        let result = unsafe {
            urEnqueueNativeCommandExp::<Fake>(
                of.queue,
                Some(add),
                data,
                0,
                mems,
                properties,
                waits,
                if waits == 0 { null() } else { list.as_ptr() },
                &mut event,
            )
        };
        assert_eq!((result, noted()), (0, expected.iter().map(ToString::to_string).collect()));
        assert!(!event.is_null());
    }
}

/// Creates a command buffer.
fn command_buffer(
    of: Handles, updatable: u8, in_order: u8, profiling: u8,
) -> (ur_result_t, ur_exp_command_buffer_handle_t) {
    let desc = ur_exp_command_buffer_desc_t {
        stype: UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_DESC,
        pNext: null(),
        isUpdatable: updatable,
        isInOrder: in_order,
        enableProfiling: profiling,
    };
    let mut buffer = null_mut();
    // SAFETY: live handles, a structure of its type, and room for the command buffer.
    let result = unsafe { urCommandBufferCreateExp::<Fake>(of.context, of.device, &desc, &mut buffer) };
    (result, buffer)
}

/// Records a launch. Returns the result and the command's handle.
fn record(
    of: Handles, buffer: ur_exp_command_buffer_handle_t, event: *mut ur_event_handle_t,
) -> (ur_result_t, ur_exp_command_buffer_command_handle_t) {
    let global = [8_usize];
    let mut command = null_mut();
    // SAFETY: live handles, one number of work-items, and room for the handle.
    let result = unsafe {
        urCommandBufferAppendKernelLaunchExp::<Fake>(
            buffer,
            of.kernel,
            1,
            null(),
            global.as_ptr(),
            null(),
            0,
            null_mut(),
            0,
            null(),
            0,
            null(),
            null_mut(),
            event,
            &mut command,
        )
    };
    (result, command)
}

#[test]
fn a_command_buffer_tells_how_it_was_made() {
    let of = handles(NEWEST);
    for made in [[1, 0, 0], [0, 1, 0], [0, 0, 1]] {
        let (_, buffer) = command_buffer(of, made[0], made[1], made[2]);
        let mut desc = [0xee_u8; size_of::<ur_exp_command_buffer_desc_t>()];
        let (name, room) = (UR_EXP_COMMAND_BUFFER_INFO_DESCRIPTOR, desc.as_mut_ptr().cast());
        // SAFETY: a live handle and room for the answer.
        let result = unsafe { urCommandBufferGetInfoExp::<Fake>(buffer, name, desc.len(), room, null_mut()) };
        assert_eq!((result, &desc[16..19]), (0, &made[..]));
        assert_eq!(desc[..4], UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_DESC.to_ne_bytes());
    }
    lack(&[DeviceInfo::LAUNCH_UPDATE_SUPPORT]);
    assert_eq!(command_buffer(of, 1, 0, 0).0, UR_RESULT_ERROR_UNSUPPORTED_FEATURE);
    assert_eq!(command_buffer(of, 0, 0, 0).0, UR_RESULT_SUCCESS);
}

/// In order, each command is behind the one before, whatever it waits for.
#[test]
fn commands_wait_for_each_other_only_in_order_and_have_handles_only_for_updates() {
    let of = handles(NEWEST);
    for (in_order, wanted) in [(0, "[]"), (1, "[7]")] {
        let (_, buffer) = command_buffer(of, 0, in_order, 0);
        noted();
        let (result, command) = record(of, buffer, null_mut());
        assert_eq!((result, command), (0, null_mut()), "it cannot be updated");
        record(of, buffer, null_mut());
        assert_eq!(noted(), ["[]", wanted].map(|waits| format!("record launch None [8] None after {waits}")));
        let mut event = null_mut();
        assert_eq!(record(of, buffer, &mut event).0, UR_RESULT_ERROR_UNSUPPORTED_FEATURE);
    }
    let (_, buffer) = command_buffer(of, 1, 0, 0);
    assert_ne!(record(of, buffer, null_mut()).1, null_mut());
}

#[test]
fn an_update_has_new_arguments_and_a_new_range_if_one_is_given() {
    let of = handles(NEWEST);
    let (_, buffer) = command_buffer(of, 1, 0, 0);
    let (_, command) = record(of, buffer, null_mut());
    let (_, other) = command_buffer(of, 1, 0, 0);
    let (target, number): (*mut c_void, u32) = (address(77), 0x0403_0201);
    let access = |access| ur_kernel_arg_mem_obj_properties_t {
        stype: UR_STRUCTURE_TYPE_KERNEL_ARG_MEM_OBJ_PROPERTIES,
        pNext: null_mut(),
        memoryAccess: access,
    };
    let (none, read) = (access(0), access(UR_MEM_FLAG_READ_ONLY));
    let memory = |properties: *const ur_kernel_arg_mem_obj_properties_t| {
        ur_exp_command_buffer_update_memobj_arg_desc_t {
            stype: UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_UPDATE_MEMOBJ_ARG_DESC,
            pNext: null(),
            argIndex: 1,
            pProperties: properties,
            hNewMemObjArg: of.mem,
        }
    };
    let memories = [memory(null()), memory(&none), memory(&read)];
    let pointer = ur_exp_command_buffer_update_pointer_arg_desc_t {
        stype: UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_UPDATE_POINTER_ARG_DESC,
        pNext: null(),
        argIndex: 2,
        pProperties: null(),
        pNewPointerArg: (&raw const target).cast(),
    };
    let value = |index, size, bytes| ur_exp_command_buffer_update_value_arg_desc_t {
        stype: UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_UPDATE_VALUE_ARG_DESC,
        pNext: null(),
        argIndex: index,
        argSize: size,
        pProperties: null(),
        pNewValueArg: bytes,
    };
    // A value without its bytes is local memory.
    let values = [value(3, 4, (&raw const number).cast()), value(4, 96, null())];
    let global = [16_usize];
    let update = |of_buffer, dims| {
        let desc = ur_exp_command_buffer_update_kernel_launch_desc_t {
            stype: UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_UPDATE_KERNEL_LAUNCH_DESC,
            pNext: null(),
            hCommand: command,
            hNewKernel: null_mut(),
            numNewMemObjArgs: 3,
            numNewPointerArgs: 1,
            numNewValueArgs: 2,
            newWorkDim: dims,
            pNewMemObjArgList: memories.as_ptr(),
            pNewPointerArgList: &pointer,
            pNewValueArgList: values.as_ptr(),
            pNewGlobalWorkOffset: null_mut(),
            pNewGlobalWorkSize: (&raw const global).cast_mut().cast(),
            pNewLocalWorkSize: null_mut(),
        };
        noted();
        // SAFETY: live handles, and lists of the lengths that the description has.
        let result = unsafe { urCommandBufferUpdateKernelLaunchExp::<Fake>(of_buffer, 1, &desc) };
        (result, noted().concat())
    };
    let args = r#"["1 Mem(None, ..)", "1 Mem(None, ..)", "1 Mem(Some(READ_ONLY), ..)", "2 Pointer(0x4d)", "3 Plain(Value([1, 2, 3, 4]))", "4 Plain(Local(96))"]"#;
    assert_eq!(update(buffer, 0), (0, format!("7 false {args} None")));
    assert_eq!(update(buffer, 1), (0, format!("7 false {args} Some([16])")));
    assert_eq!(update(other, 0), (UR_RESULT_ERROR_INVALID_COMMAND_BUFFER_EXP, String::new()));
}

/// Until 2025.1 a caller had a reference of its own. Since then the command buffer alone has the handles.
#[test]
fn a_command_has_a_reference_of_its_caller_until_2025_1() {
    for layout in Layout::ALL {
        let of = handles(layout);
        let (_, buffer) = command_buffer(of, 1, 0, 0);
        let (_, command) = record(of, buffer, null_mut());
        let count = || {
            let (mut count, name) = (77_u32, UR_EXP_COMMAND_BUFFER_COMMAND_INFO_REFERENCE_COUNT);
            let room = (&raw mut count).cast();
            let result =
                // SAFETY: a live handle and room for the answer.
                unsafe { urCommandBufferCommandGetInfoExp::<Fake>(command, name, 4, room, null_mut()) };
            (result, count)
        };
        let own = u32::from(layout <= Layout::V2025_1);
        assert_eq!(count(), (UR_RESULT_SUCCESS, own), "{layout:?}");
        // SAFETY: a live handle.
        unsafe { assert_eq!(urCommandBufferRetainCommandExp::<Fake>(command), UR_RESULT_SUCCESS) };
        assert_eq!(count(), (UR_RESULT_SUCCESS, own + 1), "{layout:?}");
        // SAFETY: a live handle, which the command buffer holds as well.
        unsafe { assert_eq!(urCommandBufferReleaseCommandExp::<Fake>(command), UR_RESULT_SUCCESS) };
        assert_eq!(count(), (UR_RESULT_SUCCESS, own), "{layout:?}");
    }
}

#[test]
fn a_native_queue_is_told_with_its_kind_if_there_is_room_for_it() {
    let of = handles(NEWEST);
    for has_room in [true, false] {
        let (mut kind, mut native) = (77_i32, 0);
        let mut desc = ur_queue_native_desc_t {
            stype: UR_STRUCTURE_TYPE_QUEUE_NATIVE_DESC,
            pNext: null_mut(),
            pNativeData: if has_room { (&raw mut kind).cast() } else { null_mut() },
        };
        // SAFETY: a live handle, a structure of its type, and room for the answers.
        let result = unsafe { urQueueGetNativeHandle::<Fake>(of.queue, &mut desc, &mut native) };
        let wanted = if has_room { 1 } else { 77 };
        assert_eq!((result, native, kind), (UR_RESULT_SUCCESS, 0x50, wanted));
    }
}

/// In every layout the version of its own loader.
#[test]
fn a_platform_has_the_version_of_its_loader() {
    for layout in Layout::ALL {
        let (of, mut version) = (handles(layout), 0);
        // SAFETY: a live handle and room for the version.
        let result = unsafe { urPlatformGetApiVersion::<Fake>(of.platform, &mut version) };
        assert_eq!((result, version), (UR_RESULT_SUCCESS, layout.api_version()), "{layout:?}");
    }
}
