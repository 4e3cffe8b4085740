//! Objects of native handles, parts of buffers, and commands on images and variables, as they reach the backend.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_ur_core::*;
use sycl_ur_front::stubs::*;

use crate::fake::{Fake, Handles, IMAGE_DESC, IMAGE_FORMAT, address, handles, noted};

const NEWEST: Layout = Layout::V2026_2;
const NATIVE: ur_native_handle_t = 0x40;

/// Creates an object of a native handle. Returns the result, whether there is a handle, and the notes.
fn created<T>(create: impl FnOnce(*mut *mut T) -> ur_result_t) -> (ur_result_t, bool, String) {
    let mut handle = null_mut();
    noted();
    let result = create(&mut handle);
    (result, !handle.is_null(), noted().concat())
}

/// The properties of all objects, which have the same fields: whether the adapter owns the handle.
macro_rules! properties {
    ($structure:ident, $stype:ident, $owned:expr) => {{
        let owned: Option<u8> = $owned;
        owned.map(|isNativeHandleOwned| $structure { stype: $stype, pNext: null_mut(), isNativeHandleOwned })
    }};
}

fn at<T>(properties: &Option<T>) -> *const T {
    properties.as_ref().map_or(null(), std::ptr::from_ref)
}

/// Without properties the caller keeps its handle.
#[test]
#[expect(non_snake_case, reason = "a field of the interface")]
fn a_native_handle_is_the_caller_s_unless_it_is_handed_over() {
    let of = handles(NEWEST);
    let Handles { context, device, program, .. } = of;
    let adapter = crate::objects::of_adapter(of);
    for (owned, is) in [(None, "false"), (Some(0), "false"), (Some(1), "true")] {
        let mem = properties!(ur_mem_native_properties_t, UR_STRUCTURE_TYPE_MEM_NATIVE_PROPERTIES, owned);
        let of_sampler =
            properties!(ur_sampler_native_properties_t, UR_STRUCTURE_TYPE_SAMPLER_NATIVE_PROPERTIES, owned);
        let of_event =
            properties!(ur_event_native_properties_t, UR_STRUCTURE_TYPE_EVENT_NATIVE_PROPERTIES, owned);
        let of_program =
            properties!(ur_program_native_properties_t, UR_STRUCTURE_TYPE_PROGRAM_NATIVE_PROPERTIES, owned);
        let of_kernel =
            properties!(ur_kernel_native_properties_t, UR_STRUCTURE_TYPE_KERNEL_NATIVE_PROPERTIES, owned);
        let of_context =
            properties!(ur_context_native_properties_t, UR_STRUCTURE_TYPE_CONTEXT_NATIVE_PROPERTIES, owned);
        // SAFETY: live handles, structures of their types or none, and room for each object.
        let objects = unsafe {
            let image = urMemImageCreateWithNativeHandle::<Fake>;
            let kernel = urKernelCreateWithNativeHandle::<Fake>;
            [
                created(|out| urMemBufferCreateWithNativeHandle::<Fake>(NATIVE, context, at(&mem), out)),
                created(|out| image(NATIVE, context, &IMAGE_FORMAT, &IMAGE_DESC, at(&mem), out)),
                created(|out| image(NATIVE, context, null(), null(), at(&mem), out)),
                created(|out| urSamplerCreateWithNativeHandle::<Fake>(NATIVE, context, at(&of_sampler), out)),
                created(|out| urEventCreateWithNativeHandle::<Fake>(NATIVE, context, at(&of_event), out)),
                created(|out| urProgramCreateWithNativeHandle::<Fake>(NATIVE, context, at(&of_program), out)),
                created(|out| kernel(NATIVE, context, program, at(&of_kernel), out)),
                created(|out| kernel(NATIVE, context, null_mut(), at(&of_kernel), out)),
                created(|out| {
                    let create = urContextCreateWithNativeHandle::<Fake>;
                    create(NATIVE, adapter, 2, [device; 2].as_ptr(), at(&of_context), out)
                }),
            ]
        };
        let wanted = [
            format!("native buffer 64 owned {is}"),
            format!("native image 64 owned {is} Some(FLOAT) Some(8)"),
            format!("native image 64 owned {is} None None"),
            format!("native sampler 64 owned {is}"),
            format!("native event 64 of a context true owned {is}"),
            format!("native program 64 owned {is}"),
            format!("native kernel 64 of a program true owned {is}"),
            format!("native kernel 64 of a program false owned {is}"),
            format!("native context 64 of 2 owned {is}"),
        ];
        assert_eq!(objects, wanted.map(|text| (UR_RESULT_SUCCESS, true, text)));
    }
}

#[test]
fn memory_has_a_native_handle_for_a_device_or_any() {
    let of = handles(NEWEST);
    for (device, wanted) in [(of.device, true), (null_mut(), false)] {
        let mut native = 0;
        noted();
        // SAFETY: live handles or null, and room for the handle.
        let result = unsafe { urMemGetNativeHandle::<Fake>(of.mem, device, &mut native) };
        assert_eq!((result, native), (UR_RESULT_SUCCESS, 0x60));
        assert_eq!(noted(), [format!("native of a device {wanted}")]);
    }
}

#[test]
fn a_part_of_a_buffer_begins_at_its_origin() {
    let of = handles(NEWEST);
    let region =
        ur_buffer_region_t { stype: UR_STRUCTURE_TYPE_BUFFER_REGION, pNext: null(), origin: 24, size: 40 };
    let part = created(|out| {
        let (create, flags) = (urMemBufferPartition::<Fake>, UR_MEM_FLAG_READ_ONLY);
        // SAFETY: a live handle, a structure of its type, and room for the buffer.
        unsafe { create(of.mem, flags, UR_BUFFER_CREATE_TYPE_REGION, &region, out) }
    });
    let wanted = "part MemFlags(ACCESS_READ_ONLY) 40 bytes from 24 on";
    assert_eq!(part, (UR_RESULT_SUCCESS, true, wanted.to_owned()));
}

#[test]
fn commands_on_images_have_corners_sizes_and_pitches() {
    let of = handles(NEWEST);
    let corner = |x| ur_rect_offset_t { x, y: x + 1, z: x + 2 };
    let region = ur_rect_region_t { width: 7, height: 8, depth: 9 };
    let (queue, image, host, none): (_, _, *mut c_void, _) = (of.queue, of.mem, address(64), null());
    let event = null_mut();
    for (blocking, is) in [(0, false), (1, true)] {
        noted();
        // SAFETY: live handles, and addresses that nothing reads.
        let results = unsafe {
            let (read, write) = (urEnqueueMemImageRead::<Fake>, urEnqueueMemImageWrite::<Fake>);
            [
                read(queue, image, blocking, corner(1), region, 100, 900, host, 0, none, event),
                write(queue, image, blocking, corner(4), region, 100, 900, host, 0, none, event),
            ]
        };
        let wanted = [
            format!("read [7, 8, 9] from [1, 2, 3] pitches (100, 900) to 64 blocking {is}"),
            format!("write [7, 8, 9] to [4, 5, 6] pitches (100, 900) from 64 blocking {is}"),
        ];
        assert_eq!((results, noted()), ([UR_RESULT_SUCCESS; 2], wanted.to_vec()));
    }
    let (_, _, _) = created(|out| {
        // SAFETY: a live handle and room for the buffer.
        let result = unsafe { urMemBufferCreate::<Fake>(of.context, 0, 2, null(), out) };
        noted();
        // SAFETY: live handles.
        let copied = unsafe {
            let copy = urEnqueueMemImageCopy::<Fake>;
            copy(queue, image, *out, corner(1), corner(4), region, 0, none, event)
        };
        assert_eq!((copied, noted().concat()), (0, "copy [7, 8, 9] of 1 [1, 2, 3] to 2 [4, 5, 6]".into()));
        result
    });
}

#[test]
fn commands_on_variables_have_a_size_and_an_offset() {
    let of = handles(NEWEST);
    let (queue, program, name, host) = (of.queue, of.program, c"v".as_ptr(), address(64));
    for (blocking, is) in [(0, false), (1, true)] {
        noted();
        let (none, event) = (null(), null_mut());
        // SAFETY: live handles, a name, and an address that nothing reads.
        let results = unsafe {
            let read = urEnqueueDeviceGlobalVariableRead::<Fake>;
            let write = urEnqueueDeviceGlobalVariableWrite::<Fake>;
            [
                read(queue, program, name, blocking, 24, 8, host, 0, none, event),
                write(queue, program, name, blocking, 24, 8, host, 0, none, event),
            ]
        };
        let wanted = [
            format!(r#"read 24 of "v" 8 to 64 blocking {is}"#),
            format!(r#"write 24 of "v" 8 from 64 blocking {is}"#),
        ];
        assert_eq!((results, noted()), ([UR_RESULT_SUCCESS; 2], wanted.to_vec()));
    }
}
