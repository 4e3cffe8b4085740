//! Calls that share memory with other processes and devices, as they reach the backend.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_backend::types::DeviceInfo;
use sycl_ur_core::*;
use sycl_ur_front::stubs::*;

use crate::fake::{Fake, address, handles, lack, noted};

const NEWEST: Layout = Layout::V2026_2;

/// Returns the last note; those before it are about the device's features.
fn last() -> String {
    noted().pop().unwrap_or_default()
}

/// Returns data that was given out.
fn bytes(data: *mut c_void, size: usize) -> Vec<u8> {
    // SAFETY: data of that size, which is put back later.
    unsafe { std::slice::from_raw_parts(data.cast::<u8>(), size).to_vec() }
}

#[test]
fn memory_is_named_opened_and_put_back_once() {
    let of = handles(NEWEST);
    let (context, device) = (of.context, of.device);
    let (mut data, mut size, mut opened) = (null_mut(), 0, null_mut());
    // SAFETY: live handles, room for the results, and data of its size.
    unsafe {
        assert_eq!(urIPCGetMemHandleExp::<Fake>(context, address(64), &mut data, &mut size), 0);
        assert_eq!((last(), bytes(data, size)), ("name 64".into(), vec![1, 2, 3]));
        assert_eq!(urIPCOpenMemHandleExp::<Fake>(context, device, data, size, &mut opened), 0);
        assert_eq!((last(), opened.addr()), ("open [1, 2, 3]".into(), 0xa000));
        assert_eq!(urIPCCloseMemHandleExp::<Fake>(context, opened), 0);
        assert_eq!(last(), "close 40960");
        assert_eq!(urIPCPutMemHandleExp::<Fake>(context, data), 0);
        assert_eq!(last(), "put [1, 2, 3]");
        assert_eq!(urIPCPutMemHandleExp::<Fake>(context, data), UR_RESULT_ERROR_INVALID_VALUE);
        lack(&[DeviceInfo::IPC_MEMORY_SUPPORT]);
        let refused = [
            urIPCGetMemHandleExp::<Fake>(context, address(64), &mut data, &mut size),
            urIPCOpenMemHandleExp::<Fake>(context, device, address(64), 3, &mut opened),
            urIPCCloseMemHandleExp::<Fake>(context, address(64)),
            urIPCPutMemHandleExp::<Fake>(context, address(64)),
        ];
        assert_eq!(refused, [UR_RESULT_ERROR_UNSUPPORTED_FEATURE; 4]);
    }
}

#[test]
fn an_event_is_named_opened_and_put_back_once() {
    let of = handles(NEWEST);
    let (context, device) = (of.context, of.device);
    let (mut data, mut size, mut opened) = (null_mut(), 0, null_mut());
    let create = |flags| {
        let desc = ur_exp_event_desc_t { stype: UR_STRUCTURE_TYPE_EXP_EVENT_DESC, pNext: null(), flags };
        let mut event = null_mut();
        // SAFETY: live handles, a structure of its type, and room for the event.
        unsafe { urEventCreateExp::<Fake>(context, device, &desc, &mut event) }
    };
    // SAFETY: live handles, room for the results, and data of its size.
    unsafe {
        assert_eq!(urIPCGetEventHandleExp::<Fake>(of.event, &mut data, &mut size), 0);
        assert_eq!((last(), bytes(data, size)), ("name of an event".into(), vec![6]));
        assert_eq!(urIPCOpenEventHandleExp::<Fake>(context, data, size, &mut opened), 0);
        assert_eq!(last(), "open event [6]");
        assert_eq!(urEventRelease::<Fake>(opened), 0);
        assert_eq!(urIPCPutEventHandleExp::<Fake>(context, data), 0);
        assert_eq!(urIPCPutEventHandleExp::<Fake>(context, data), UR_RESULT_ERROR_INVALID_VALUE);
        lack(&[DeviceInfo::IPC_EVENT_SUPPORT]);
        let refused = [
            urIPCOpenEventHandleExp::<Fake>(context, address(64), 1, &mut opened),
            urIPCPutEventHandleExp::<Fake>(context, address(64)),
            create(UR_EXP_EVENT_FLAG_IPC_EXP),
        ];
        assert_eq!(refused, [UR_RESULT_ERROR_UNSUPPORTED_FEATURE; 3]);
        // One that is not shared is another feature.
        assert_eq!(create(0), UR_RESULT_SUCCESS);
        lack(&[DeviceInfo::REUSABLE_EVENT_SUPPORT]);
        assert_eq!(create(0), UR_RESULT_ERROR_UNSUPPORTED_FEATURE);
    }
}

/// Opened memory is not shared further. Each goes with its last handle.
#[test]
fn physical_memory_is_named_opened_and_put_back_once() {
    let of = handles(NEWEST);
    let (context, device) = (of.context, of.device);
    let properties = ur_physical_mem_properties_t {
        stype: UR_STRUCTURE_TYPE_PHYSICAL_MEM_PROPERTIES,
        pNext: null_mut(),
        flags: UR_PHYSICAL_MEM_FLAG_ENABLE_IPC,
    };
    let (mut memory, mut opened, mut data, mut size) = (null_mut(), null_mut(), null_mut(), 0);
    let mut held = 0_usize;
    // SAFETY: live handles, a structure of its type, room for the results, and data of its size.
    unsafe {
        assert_eq!(urPhysicalMemCreate::<Fake>(context, device, 8192, &properties, &mut memory), 0);
        assert_eq!(urIPCGetPhysMemHandleExp::<Fake>(context, memory, &mut data, &mut size), 0);
        assert_eq!((last(), bytes(data, size)), ("name of 6 8192".into(), vec![4, 5]));
        assert_eq!(urIPCOpenPhysMemHandleExp::<Fake>(context, device, data, size, &mut opened), 0);
        assert_eq!(last(), "open [4, 5]");
        let room = (&raw mut held).cast();
        let ask = urPhysicalMemGetInfo::<Fake>;
        assert_eq!(ask(opened, UR_PHYSICAL_MEM_INFO_SIZE, 8, room, null_mut()), 0);
        assert_eq!(held, 12288);
        let (mut more, mut length) = (null_mut(), 0);
        let further = urIPCGetPhysMemHandleExp::<Fake>(context, opened, &mut more, &mut length);
        assert_eq!(further, UR_RESULT_ERROR_INVALID_VALUE);
        assert_eq!(urIPCPutPhysMemHandleExp::<Fake>(context, data), 0);
        assert_eq!(urIPCPutPhysMemHandleExp::<Fake>(context, data), UR_RESULT_ERROR_INVALID_VALUE);
        assert_eq!(urIPCClosePhysMemHandleExp::<Fake>(context, opened), 0);
        assert_eq!(last(), "destroy 7");
        assert_eq!(urPhysicalMemRetain::<Fake>(memory), 0);
        noted();
        assert_eq!((urPhysicalMemRelease::<Fake>(memory), noted().len()), (0, 0));
        assert_eq!((urPhysicalMemRelease::<Fake>(memory), last()), (0, "destroy 6".into()));
        lack(&[DeviceInfo::IPC_PHYSICAL_MEMORY_SUPPORT]);
        let refused = [
            urIPCGetPhysMemHandleExp::<Fake>(context, memory, &mut data, &mut size),
            urIPCOpenPhysMemHandleExp::<Fake>(context, device, address(64), 2, &mut opened),
            urIPCPutPhysMemHandleExp::<Fake>(context, address(64)),
        ];
        assert_eq!(refused, [UR_RESULT_ERROR_UNSUPPORTED_FEATURE; 3]);
    }
}

#[test]
fn access_of_a_peer_and_imports_of_memory_begin_and_end() {
    let of = handles(NEWEST);
    let (context, device, memory) = (of.context, of.device, address(64));
    noted();
    // SAFETY: live handles, and addresses that nothing reads.
    let results = unsafe {
        [
            urUsmP2PEnablePeerAccessExp::<Fake>(device, device),
            urUsmP2PDisablePeerAccessExp::<Fake>(device, device),
            urUSMImportExp::<Fake>(context, memory, 24),
            urUSMReleaseExp::<Fake>(context, memory),
            urUSMContextMemcpyExp::<Fake>(context, memory, address(96), 24),
        ]
    };
    assert_eq!(results, [UR_RESULT_SUCCESS; 5]);
    let wanted = [
        "enable",
        "disable",
        "import 24 from 64 on",
        "release 64",
        "create QueueFlags(0x0) None",
        "copy 24 from 96 to 64 blocking true",
        "finish",
    ];
    assert_eq!(noted(), wanted);
}
