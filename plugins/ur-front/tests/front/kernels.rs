//! Arguments and settings of kernels, as they reach the backend.

use std::ptr::{null, null_mut};

use sycl_pi_backend::types::ErrorCode;
use sycl_ur_core::*;
use sycl_ur_front::stubs::*;

use crate::fake::{Fake, address, fail, handles, noted};

const NEWEST: Layout = Layout::V2026_2;

fn argument(
    type_: ur_exp_kernel_arg_type_t, size: usize, value: ur_exp_kernel_arg_value_t,
) -> ur_exp_kernel_arg_properties_t {
    ur_exp_kernel_arg_properties_t { stype: 0, pNext: null_mut(), type_, index: 4, size, value }
}

/// No access is the access of any kernel, so the backend is told none.
#[test]
fn arguments_of_a_launch_reach_the_kernel() {
    let of = handles(NEWEST);
    let number = 0x0403_0201_u32;
    let memory = |flags| {
        let tuple = ur_exp_kernel_arg_mem_obj_tuple_t { hMem: of.mem, flags };
        argument(UR_EXP_KERNEL_ARG_TYPE_MEM_OBJ, 0, ur_exp_kernel_arg_value_t { memObjTuple: tuple })
    };
    let value = ur_exp_kernel_arg_value_t { value: (&raw const number).cast() };
    let sampler = ur_exp_kernel_arg_value_t { sampler: of.sampler };
    let nothing = ur_exp_kernel_arg_value_t { value: null() };
    for (argument, wanted) in [
        (argument(UR_EXP_KERNEL_ARG_TYPE_VALUE, 4, value), Ok("4 Value([1, 2, 3, 4])")),
        (argument(UR_EXP_KERNEL_ARG_TYPE_LOCAL, 96, nothing), Ok("4 Local(96)")),
        (
            argument(UR_EXP_KERNEL_ARG_TYPE_POINTER, 8, ur_exp_kernel_arg_value_t { pointer: address(77) }),
            Ok("4 Pointer(77)"),
        ),
        (memory(0), Ok("4 Mem(None, true)")),
        (memory(UR_MEM_FLAG_READ_ONLY), Ok("4 Mem(Some(READ_ONLY), true)")),
        (argument(UR_EXP_KERNEL_ARG_TYPE_SAMPLER, 0, sampler), Ok("4 Sampler")),
        (argument(99, 0, nothing), Err(UR_RESULT_ERROR_INVALID_ENUMERATION)),
    ] {
        let global = [8_usize];
        noted();
        // SAFETY: live handles, one argument, and one number of work-items.
        let result = unsafe {
            urEnqueueKernelLaunchWithArgsExp::<Fake>(
                of.queue,
                of.kernel,
                1,
                null(),
                global.as_ptr(),
                null(),
                1,
                &argument,
                null(),
                0,
                null(),
                null_mut(),
            )
        };
        match wanted {
            Ok(wanted) => {
                assert_eq!((result, noted()), (0, vec![wanted.to_owned(), "launch None [8] None".to_owned()]))
            }
            Err(wanted) => assert_eq!((result, noted().len()), (wanted, 0)),
        }
    }
}

#[test]
fn an_argument_of_memory_has_the_access_that_is_named() {
    let of = handles(Layout::V2026_1_1);
    let set = |access: Option<u32>| {
        let properties = access.map(|access| ur_kernel_arg_mem_obj_properties_t {
            stype: UR_STRUCTURE_TYPE_KERNEL_ARG_MEM_OBJ_PROPERTIES,
            pNext: null_mut(),
            memoryAccess: access,
        });
        let properties = properties.as_ref().map_or(null(), std::ptr::from_ref);
        noted();
        // SAFETY: live handles, and properties or none.
        let result = unsafe { urKernelSetArgMemObj::<Fake>(of.kernel, 2, properties, of.mem) };
        (result, noted().concat())
    };
    assert_eq!(set(None), (0, "2 Mem(None, true)".into()));
    assert_eq!(set(Some(0)), (0, "2 Mem(None, true)".into()));
    assert_eq!(set(Some(UR_MEM_FLAG_WRITE_ONLY)), (0, "2 Mem(Some(WRITE_ONLY), true)".into()));
    assert_eq!(set(Some(0x8000_0000)), (UR_RESULT_ERROR_INVALID_ENUMERATION, String::new()));
}

/// Unified Runtime's boolean has one byte, that of backends four.
#[test]
fn a_setting_is_on_if_its_byte_is_not_zero() {
    let of = handles(NEWEST);
    for (byte, wanted) in [(0_u8, "[0, 0, 0, 0]"), (1, "[1, 0, 0, 0]"), (0xff, "[1, 0, 0, 0]")] {
        noted();
        let (name, value) = (UR_KERNEL_EXEC_INFO_USM_INDIRECT_ACCESS, (&raw const byte).cast());
        // SAFETY: a live handle and a value of one byte.
        let result = unsafe { urKernelSetExecInfo::<Fake>(of.kernel, name, 1, null(), value) };
        assert_eq!((result, noted()), (0, vec![format!("USM_INDIRECT_ACCESS {wanted}")]));
    }
    let list = [7_u8; 16];
    for (name, wanted) in
        [(UR_KERNEL_EXEC_INFO_USM_PTRS, "USM_PTRS"), (UR_KERNEL_EXEC_INFO_CACHE_CONFIG, "CACHE_CONFIG")]
    {
        noted();
        let result =
            // SAFETY: a live handle and a value of 16 bytes.
            unsafe { urKernelSetExecInfo::<Fake>(of.kernel, name, 16, null(), list.as_ptr().cast()) };
        assert_eq!((result, noted()), (0, vec![format!("{wanted} {list:?}")]));
    }
    let byte = 1_u8;
    // SAFETY: a live handle and a value of one byte.
    let unknown = unsafe { urKernelSetExecInfo::<Fake>(of.kernel, 99, 1, null(), (&raw const byte).cast()) };
    assert_eq!(unknown, UR_RESULT_ERROR_INVALID_ENUMERATION);
}

#[test]
fn specialization_constants_are_set_one_by_one_until_one_is_refused() {
    let set = |layout: Layout, values: &[Option<&[u8]>], refused: Option<ErrorCode>| {
        let of = handles(layout);
        let constant = |(id, value): (u32, &Option<&[u8]>)| ur_specialization_constant_info_t {
            id,
            size: value.map_or(1, <[u8]>::len),
            pValue: value.map_or(null(), |value| value.as_ptr().cast()),
        };
        let list: Vec<_> = (5..).zip(values).map(constant).collect();
        if let Some(code) = refused {
            fail(code);
        }
        // SAFETY: a live handle and a list of that length.
        let result = unsafe {
            urProgramSetSpecializationConstants::<Fake>(of.program, list.len() as u32, list.as_ptr())
        };
        (result, noted())
    };
    let (one, two): (&[u8], &[u8]) = (&[1], &[2, 0]);
    let newest = NEWEST;
    let both = vec!["constant 5 [1]".to_owned(), "constant 6 [2, 0]".to_owned()];
    assert_eq!(set(newest, &[Some(one), Some(two)], None), (0, both));
    assert_eq!(set(newest, &[], None), (UR_RESULT_ERROR_INVALID_SIZE, vec![]));
    let null = set(newest, &[Some(one), None], None);
    assert_eq!(null, (UR_RESULT_ERROR_INVALID_VALUE, vec!["constant 5 [1]".to_owned()]));
    // The number came in 2025.1.
    let unknown = Some(ErrorCode::INVALID_SPEC_ID);
    let first = vec!["constant 5 [1]".to_owned()];
    let codes = [Layout::V2025_0, Layout::V2025_1, newest]
        .map(|layout| set(layout, &[Some(one), Some(two)], unknown));
    assert_eq!(codes[1..], [UR_RESULT_ERROR_INVALID_SPEC_ID; 2].map(|code| (code, first.clone())));
    assert_eq!(codes[0], (UR_RESULT_ERROR_ADAPTER_SPECIFIC, first));
}

/// A property that no backend knows is refused rather than ignored, because the program may rely on it.
#[test]
fn properties_of_launches_that_nobody_knows_are_refused() {
    let of = handles(Layout::V2025_3);
    let launch = |id| {
        let value = ur_kernel_launch_property_value_t { clusterDim: [1, 0, 0] };
        let property = ur_kernel_launch_property_t { id, value };
        let global = [8_usize];
        noted();
        // SAFETY: live handles, one property, and one number of work-items.
        unsafe {
            urEnqueueKernelLaunch_until_2025_3::<Fake>(
                of.queue,
                of.kernel,
                1,
                null(),
                global.as_ptr(),
                null(),
                1,
                &property,
                0,
                null(),
                null_mut(),
            )
        }
    };
    assert_eq!(launch(UR_KERNEL_LAUNCH_PROPERTY_ID_IGNORE), UR_RESULT_SUCCESS);
    assert_eq!(launch(99), UR_RESULT_ERROR_UNSUPPORTED_FEATURE);
}

/// Work-groups that wait for each other are launched together, whichever form of the function or property says so.
#[test]
fn launches_have_the_properties_of_their_function_and_its_list() {
    let of = handles(NEWEST);
    let (queue, kernel, sizes, event) = (of.queue, of.kernel, [8_usize], null_mut());
    let (global, none) = (sizes.as_ptr(), null());
    let list = |flags, chain: *mut std::ffi::c_void| ur_kernel_launch_ext_properties_t {
        stype: UR_STRUCTURE_TYPE_KERNEL_LAUNCH_EXT_PROPERTIES,
        pNext: chain,
        flags,
    };
    let mut memory = ur_kernel_launch_workgroup_property_t {
        stype: UR_STRUCTURE_TYPE_KERNEL_LAUNCH_WORKGROUP_PROPERTY,
        pNext: null_mut(),
        workgroup_mem_size: 96,
    };
    let chain = (&raw mut memory).cast();
    let together = UR_KERNEL_LAUNCH_FLAG_COOPERATIVE;
    let with = |cooperative| {
        format!("LaunchProperties {{ cooperative: {cooperative}, cluster: None, local_memory: 96 }}")
    };
    for (properties, wanted) in [
        (list(0, null_mut()), "launch None [8] None".to_owned()),
        (list(together, null_mut()), "launch together [8]".to_owned()),
        (list(0, chain), with(false)),
        (list(together, chain), with(true)),
    ] {
        noted();
        // SAFETY: live handles, one number of work-items, and a chain of structures.
        let result = unsafe {
            let launch = urEnqueueKernelLaunch::<Fake>;
            launch(queue, kernel, 1, null(), global, null(), &properties, 0, none, event)
        };
        assert_eq!((result, noted().concat()), (UR_RESULT_SUCCESS, wanted));
    }
    noted();
    // SAFETY: live handles, and one number of work-items.
    let result = unsafe {
        let launch = urEnqueueCooperativeKernelLaunchExp::<Fake>;
        launch(queue, kernel, 1, null(), global, null(), 0, none, event)
    };
    assert_eq!((result, noted().concat()), (UR_RESULT_SUCCESS, "launch together [8]".into()));
    // The message names the property that the device lacks.
    fail(ErrorCode::UNSUPPORTED_FEATURE);
    // SAFETY: live handles, one number of work-items, and a chain of structures.
    let result = unsafe {
        let launch = urEnqueueKernelLaunch::<Fake>;
        launch(queue, kernel, 1, null(), global, null(), &list(0, chain), 0, none, event)
    };
    assert_eq!(result, UR_RESULT_ERROR_UNSUPPORTED_FEATURE);
    let (_, text) = sycl_pi_backend::last_error::get();
    // SAFETY: a text of this thread, which ends with a NUL.
    let text = unsafe { std::ffi::CStr::from_ptr(text) }.to_string_lossy();
    assert!(text.contains("launchPropList: a cluster or work-group memory"), "{text}");
}

thread_local! {
    static RUN: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

extern "C" fn task(data: *mut std::ffi::c_void) {
    RUN.set(data.addr());
}

extern "C" fn command(_: ur_queue_handle_t, data: *mut std::ffi::c_void) {
    RUN.set(data.addr());
}

/// Functions of the caller get its data. Timestamps come from the host, or wait for it.
#[test]
fn commands_of_the_host_have_its_data_and_known_flags() {
    let of = handles(NEWEST);
    let (queue, none) = (of.queue, null());
    let of_task = |flags| {
        let properties = ur_exp_host_task_properties_t {
            stype: UR_STRUCTURE_TYPE_EXP_HOST_TASK_PROPERTIES,
            pNext: null_mut(),
            flags,
        };
        RUN.set(0);
        // SAFETY: a live handle, a structure of its type, and a function that reads nothing.
        let result = unsafe {
            let enqueue = urEnqueueHostTaskExp::<Fake>;
            enqueue(queue, Some(task), address(77), &properties, 0, none, null_mut())
        };
        (result, RUN.get())
    };
    let of_command = |flags| {
        let properties = ur_exp_enqueue_native_command_properties_t {
            stype: UR_STRUCTURE_TYPE_EXP_ENQUEUE_NATIVE_COMMAND_PROPERTIES,
            pNext: null_mut(),
            flags,
        };
        RUN.set(0);
        // SAFETY: a live handle, a structure of its type, and a function that reads nothing.
        let result = unsafe {
            let enqueue = urEnqueueNativeCommandExp::<Fake>;
            enqueue(queue, Some(command), address(78), 0, null(), &properties, 0, none, null_mut())
        };
        (result, RUN.get())
    };
    let unknown = (UR_RESULT_ERROR_INVALID_ENUMERATION, 0);
    assert_eq!([of_task(0), of_task(0x8000_0000)], [(UR_RESULT_SUCCESS, 77), unknown]);
    assert_eq!([of_command(0), of_command(0x8000_0000)], [(UR_RESULT_SUCCESS, 78), unknown]);
    for (blocking, wanted) in [(0, "timestamp blocking false"), (1, "timestamp blocking true")] {
        let mut event = null_mut();
        noted();
        // SAFETY: a live handle and room for the event.
        let result = unsafe { urEnqueueTimestampRecordingExp::<Fake>(queue, blocking, 0, none, &mut event) };
        assert_eq!((result, noted().concat()), (UR_RESULT_SUCCESS, wanted.to_owned()));
        // SAFETY: a live handle, which is released once.
        assert_eq!(unsafe { urEventRelease::<Fake>(event) }, UR_RESULT_SUCCESS);
    }
    // SAFETY: a live handle, and no room.
    let without = unsafe { urEnqueueTimestampRecordingExp::<Fake>(queue, 0, 0, none, null_mut()) };
    assert_eq!(without, UR_RESULT_ERROR_INVALID_NULL_POINTER);
}

#[test]
fn a_map_waits_for_its_bytes_if_it_blocks() {
    let of = handles(NEWEST);
    for (blocking, is) in [(0, false), (1, true)] {
        let mut mapped = null_mut();
        noted();
        // SAFETY: live handles and room for the address.
        let result = unsafe {
            let map = urEnqueueMemBufferMap::<Fake>;
            map(of.queue, of.mem, blocking, UR_MAP_FLAG_READ, 8, 24, 0, null(), null_mut(), &mut mapped)
        };
        let wanted = format!("map MapFlags(READ) 8 24 blocking {is}");
        assert_eq!((result, mapped.addr(), noted().concat()), (UR_RESULT_SUCCESS, 8, wanted));
    }
}

/// In 2025.0 the function had no offset.
#[test]
fn a_launch_has_the_offset_and_the_sizes_of_its_call() {
    let of = handles(NEWEST);
    let (offset, global, local) = ([1_usize, 2], [8_usize, 4], [2_usize, 1]);
    let (queue, kernel, none, event) = (of.queue, of.kernel, null(), null_mut());
    let (offset, global, local) = (offset.as_ptr(), global.as_ptr(), local.as_ptr());
    noted();
    // SAFETY: live handles, two numbers of each kind, and lists without an entry.
    let results = unsafe {
        let until_2025_3 = urEnqueueKernelLaunch_until_2025_3::<Fake>;
        let custom = urEnqueueKernelLaunchCustomExp::<Fake>;
        let custom_2025_0 = urEnqueueKernelLaunchCustomExp_until_2025_0::<Fake>;
        let until_2025_2 = urEnqueueKernelLaunch_until_2025_2::<Fake>;
        [
            urEnqueueKernelLaunch::<Fake>(queue, kernel, 2, offset, global, local, null(), 0, none, event),
            until_2025_3(queue, kernel, 2, offset, global, local, 0, null(), 0, none, event),
            until_2025_2(queue, kernel, 2, offset, global, local, 0, none, event),
            custom(queue, kernel, 2, offset, global, local, 0, null(), 0, none, event),
            custom_2025_0(queue, kernel, 2, global, local, 0, null(), 0, none, event),
        ]
    };
    assert_eq!(results, [UR_RESULT_SUCCESS; 5]);
    let mut wanted = vec!["launch Some([1, 2]) [8, 4] Some([2, 1])"; 4];
    wanted.push("launch None [8, 4] Some([2, 1])");
    assert_eq!(noted(), wanted);
}
