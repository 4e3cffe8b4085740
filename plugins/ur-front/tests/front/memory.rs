//! Images, samplers, pools, virtual memory and exported memory, as they reach the backend.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_backend::types::DeviceInfo;
use sycl_ur_core::*;
use sycl_ur_front::stubs::*;

use crate::fake::{Fake, Handles, IMAGE_DESC, IMAGE_FORMAT, address, handles, lack, noted};

const NEWEST: Layout = Layout::V2026_2;

fn format(channel: ur_image_channel_type_t) -> ur_image_format_t {
    ur_image_format_t { channelType: channel, ..IMAGE_FORMAT }
}

fn desc(type_: ur_mem_type_t, width: usize) -> ur_image_desc_t {
    ur_image_desc_t { type_, width, height: 20, ..IMAGE_DESC }
}

/// The format is the image's, and shape and pitch those of the memory of the host.
#[test]
fn a_copy_of_an_image_has_the_format_of_the_image_and_the_shape_of_the_host_s_memory() {
    let of = handles(NEWEST);
    let copy = |flags| {
        let kind = UR_MEM_TYPE_IMAGE2D_ARRAY;
        let (mut src, mut dst) = (desc(kind, 30), desc(kind, 40));
        (src.arraySize, src.rowPitch, dst.depth, dst.rowPitch) = (5, 512, 3, 1024);
        let (of_src, of_dst) =
            (format(UR_IMAGE_CHANNEL_TYPE_FLOAT), format(UR_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8));
        let mut region = ur_exp_image_copy_region_t {
            stype: UR_STRUCTURE_TYPE_EXP_IMAGE_COPY_REGION,
            pNext: null(),
            srcOffset: ur_rect_offset_t { x: 1, y: 2, z: 3 },
            dstOffset: ur_rect_offset_t { x: 4, y: 5, z: 6 },
            copyExtent: ur_rect_region_t { width: 7, height: 8, depth: 1 },
        };
        noted();
        // SAFETY: live handles, and structures of their types.
        let result = unsafe {
            urBindlessImagesImageCopyExp::<Fake>(
                of.queue,
                address(0x1000),
                address(0x2000),
                &src,
                &dst,
                &of_src,
                &of_dst,
                &mut region,
                flags,
                0,
                0,
                null(),
                null_mut(),
            )
        };
        (result, noted().join("; "))
    };
    let between = "from [1, 2, 3] to [4, 5, 6]";
    let wanted = |direction: &str, channels: &str, host: &str| {
        (0, format!("{direction} {channels} (30, 40); host {host} {between}"))
    };
    let [to, back, inside] = [
        UR_EXP_IMAGE_COPY_FLAG_HOST_TO_DEVICE,
        UR_EXP_IMAGE_COPY_FLAG_DEVICE_TO_HOST,
        UR_EXP_IMAGE_COPY_FLAG_DEVICE_TO_DEVICE,
    ];
    assert_eq!(copy(to), wanted("HOST_TO_DEVICE", "UNSIGNED_INT8", "[30, 20, 5] pitch 512"));
    assert_eq!(copy(back), wanted("DEVICE_TO_HOST", "FLOAT", "[40, 20, 3] pitch 1024"));
    assert_eq!(copy(inside), wanted("DEVICE_TO_DEVICE", "FLOAT", "[30, 20, 5] pitch 512"));
    let refused = [UR_EXP_IMAGE_COPY_FLAG_HOST_TO_HOST, 0x100].map(copy);
    let codes = [UR_RESULT_ERROR_UNSUPPORTED_FEATURE, UR_RESULT_ERROR_INVALID_ENUMERATION];
    assert_eq!(refused, codes.map(|code| (code, String::new())));
}

#[test]
fn a_kind_of_image_is_possible_or_unknown() {
    let of = handles(NEWEST);
    let supports = |kind, type_| {
        let mut answer = 7;
        let (format, desc) = (format(UR_IMAGE_CHANNEL_TYPE_FLOAT), desc(type_, 8));
        noted();
        // SAFETY: live handles, structures of their types, and room for the answer.
        let result = unsafe {
            urBindlessImagesGetImageSampledHandleSupportExp::<Fake>(
                of.context,
                of.device,
                &desc,
                &format,
                kind,
                &mut answer,
            )
        };
        (result, answer, noted().concat())
    };
    let [memory, pointer] = [UR_EXP_IMAGE_MEM_TYPE_OPAQUE_HANDLE, UR_EXP_IMAGE_MEM_TYPE_USM_POINTER];
    assert_eq!(supports(memory, UR_MEM_TYPE_IMAGE3D), (0, 1, "Sampled usm false IMAGE3D".into()));
    assert_eq!(supports(pointer, UR_MEM_TYPE_IMAGE2D), (0, 1, "Sampled usm true IMAGE2D".into()));
    assert_eq!(
        supports(memory, UR_MEM_TYPE_IMAGE_CUBEMAP_EXP),
        (0, 1, "Sampled usm false IMAGE_CUBEMAP".into())
    );
    let refused = |code| (code, 7, String::new());
    assert_eq!(supports(99, UR_MEM_TYPE_IMAGE2D), refused(UR_RESULT_ERROR_INVALID_ENUMERATION));
    let gather = supports(memory, UR_MEM_TYPE_IMAGE_GATHER_EXP);
    assert_eq!(gather, refused(UR_RESULT_ERROR_UNSUPPORTED_FEATURE));
    let unknown = supports(memory, 99);
    assert_eq!(unknown, refused(UR_RESULT_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR));
}

#[test]
fn an_image_is_freed_by_its_memory() {
    let of = handles(NEWEST);
    // SAFETY: live handles.
    let free = |memory| unsafe { urBindlessImagesImageFreeExp::<Fake>(of.context, of.device, memory) };
    assert_eq!([free(0x1000), free(0)], [UR_RESULT_SUCCESS, UR_RESULT_ERROR_INVALID_NULL_HANDLE]);
    assert_eq!(noted(), ["free image"]);
}

/// A pitch is that of the host's memory, without which there is nothing to lay out.
#[test]
fn an_image_without_the_host_s_memory_has_no_pitch() {
    let of = handles(NEWEST);
    let create = |row_pitch, slice_pitch, host: *mut c_void, flags| {
        let mut desc = desc(UR_MEM_TYPE_IMAGE2D, 8);
        (desc.rowPitch, desc.slicePitch) = (row_pitch, slice_pitch);
        let (format, mut image) = (format(UR_IMAGE_CHANNEL_TYPE_FLOAT), null_mut());
        // SAFETY: a live handle, structures of their types, and room for the image.
        unsafe { urMemImageCreate::<Fake>(of.context, flags, &format, &desc, host, &mut image) }
    };
    let refused = UR_RESULT_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    // The backend makes no images.
    let reached = UR_RESULT_ERROR_UNSUPPORTED_FEATURE;
    assert_eq!(create(0, 0, null_mut(), 0), reached);
    assert_eq!([create(128, 0, null_mut(), 0), create(0, 128, null_mut(), 0)], [refused; 2]);
    assert_eq!(create(128, 0, address(64), UR_MEM_FLAG_USE_HOST_POINTER), reached);
    // The host's memory and the flag for it belong together.
    let without = create(0, 0, address(64), 0);
    assert_eq!(
        [without, create(0, 0, null_mut(), UR_MEM_FLAG_USE_HOST_POINTER)],
        [UR_RESULT_ERROR_INVALID_HOST_PTR; 2]
    );
}

#[test]
fn samplers_have_known_modes() {
    let of = handles(NEWEST);
    let create = |addressing, filter, cubemap: Option<ur_exp_sampler_cubemap_filter_mode_t>| {
        let cubemap = cubemap.map(|mode| ur_exp_sampler_cubemap_properties_t {
            stype: UR_STRUCTURE_TYPE_EXP_SAMPLER_CUBEMAP_PROPERTIES,
            pNext: null_mut(),
            cubemapFilterMode: mode,
        });
        let chain = cubemap.as_ref().map_or(null(), |cubemap| std::ptr::from_ref(cubemap).cast());
        let desc = ur_sampler_desc_t {
            stype: UR_STRUCTURE_TYPE_SAMPLER_DESC,
            pNext: chain,
            normalizedCoords: 0,
            addressingMode: addressing,
            filterMode: filter,
        };
        let mut sampler = null_mut();
        noted();
        // SAFETY: a live handle, a chain of structures, and room for the sampler.
        let result = unsafe { urSamplerCreate::<Fake>(of.context, &desc, &mut sampler) };
        (result, noted().concat())
    };
    let (clamp, linear) = (UR_SAMPLER_ADDRESSING_MODE_CLAMP, UR_SAMPLER_FILTER_MODE_LINEAR);
    let text = "SamplerProperties { normalized: false, addressing: CLAMP, filter: LINEAR, mip_filter: None, cubemap_filter: ";
    assert_eq!(create(clamp, linear, None), (0, format!("{text}None }}")));
    for (mode, name) in [
        (UR_EXP_SAMPLER_CUBEMAP_FILTER_MODE_DISJOINTED, "DISJOINTED"),
        (UR_EXP_SAMPLER_CUBEMAP_FILTER_MODE_SEAMLESS, "SEAMLESS"),
    ] {
        // Only bindless images have those.
        let wanted = format!("{text}Some({name}) }} (0.0, 0.0) 0");
        assert_eq!(create(clamp, linear, Some(mode)), (0, wanted));
    }
    let refused = (UR_RESULT_ERROR_INVALID_ENUMERATION, String::new());
    for unknown in [create(99, linear, None), create(clamp, 99, None), create(clamp, linear, Some(99))] {
        assert_eq!(unknown, refused);
    }
}

/// Only timeline semaphores have values.
#[test]
fn a_semaphore_is_waited_for_without_a_value() {
    let of = handles(NEWEST);
    let wait = |semaphore, has_value| {
        noted();
        // SAFETY: a live handle, and a number in place of a semaphore, which nothing reads.
        let result = unsafe {
            let semaphore = address(semaphore).cast();
            urBindlessImagesWaitExternalSemaphoreExp::<Fake>(
                of.queue,
                semaphore,
                has_value,
                3,
                0,
                null(),
                null_mut(),
            )
        };
        (result, noted().concat())
    };
    assert_eq!(wait(12, 0), (0, "wait for semaphore 12".into()));
    assert_eq!(wait(12, 1), (UR_RESULT_ERROR_UNSUPPORTED_FEATURE, String::new()));
    assert_eq!(wait(0, 0), (UR_RESULT_ERROR_INVALID_NULL_HANDLE, String::new()));
}

#[test]
fn memory_can_be_imported_by_a_device_that_can_and_as_a_file_only() {
    let of = handles(NEWEST);
    let can = |kind| {
        let mut answer = 7;
        let result =
            // SAFETY: a live handle and room for the answer.
            unsafe { urBindlessImagesSupportsImportingHandleTypeExp::<Fake>(of.device, kind, &mut answer) };
        (result, answer)
    };
    let [fd, other] = [UR_EXP_EXTERNAL_MEM_TYPE_OPAQUE_FD, UR_EXP_EXTERNAL_MEM_TYPE_WIN32_NT];
    assert_eq!([can(fd), can(other)], [(0, 1), (0, 0)]);
    lack(&[DeviceInfo::INTEROP_MEMORY_IMPORT_SUPPORT]);
    assert_eq!(can(fd), (0, 0));
}

#[test]
fn exported_memory_has_its_alignment_and_a_known_kind_of_handle() {
    let of = handles(NEWEST);
    let allocate = |alignment, kind| {
        let mut memory = null_mut();
        noted();
        // SAFETY: live handles and room for the address.
        let result = unsafe {
            urMemoryExportAllocExportableMemoryExp::<Fake>(
                of.context,
                of.device,
                alignment,
                64,
                kind,
                &mut memory,
            )
        };
        (result, noted().pop().unwrap())
    };
    let fd = UR_EXP_EXTERNAL_MEM_TYPE_OPAQUE_FD;
    let asked = || "DEVICE_MEMORY_EXPORT_SUPPORT".to_owned();
    assert_eq!(allocate(0, fd), (0, "export 64 at 0".into()));
    assert_eq!(allocate(256, fd), (0, "export 64 at 256".into()));
    assert_eq!(allocate(96, fd), (UR_RESULT_ERROR_INVALID_VALUE, asked()));
    for kind in [UR_EXP_EXTERNAL_MEM_TYPE_WIN32_NT, UR_EXP_EXTERNAL_MEM_TYPE_WIN32_NT_DX11_RESOURCE] {
        assert_eq!(allocate(0, kind), (UR_RESULT_ERROR_UNSUPPORTED_FEATURE, asked()), "{kind}");
    }
    assert_eq!(allocate(0, 99), (UR_RESULT_ERROR_INVALID_ENUMERATION, asked()));
}

/// Creates physical memory. Returns the result and the handle.
fn physical(
    of: Handles, size: usize, flags: ur_physical_mem_flags_t,
) -> (ur_result_t, ur_physical_mem_handle_t) {
    let properties = ur_physical_mem_properties_t {
        stype: UR_STRUCTURE_TYPE_PHYSICAL_MEM_PROPERTIES,
        pNext: null_mut(),
        flags,
    };
    let mut memory = null_mut();
    let result =
        // SAFETY: live handles, a structure of its type, and room for the memory.
        unsafe { urPhysicalMemCreate::<Fake>(of.context, of.device, size, &properties, &mut memory) };
    (result, memory)
}

/// The fake's pages have 4096 bytes.
#[test]
fn physical_memory_consists_of_pages_and_tells_what_it_is() {
    let of = handles(NEWEST);
    for size in [0, 4095, 6144] {
        assert_eq!(physical(of, size, 0).0, UR_RESULT_ERROR_INVALID_SIZE, "{size}");
    }
    let (result, memory) = physical(of, 8192, UR_PHYSICAL_MEM_FLAG_ENABLE_IPC);
    assert_eq!((result, noted().pop().unwrap()), (0, "shared physical 8192".into()));
    let ask = |name| {
        let (mut bytes, mut size) = ([0_u8; 32], 0);
        let room = bytes.as_mut_ptr().cast();
        // SAFETY: a live handle and room for the answer.
        assert_eq!(unsafe { urPhysicalMemGetInfo::<Fake>(memory, name, 32, room, &mut size) }, 0);
        bytes[..size].to_vec()
    };
    let handle = |handle: *mut c_void| handle.addr().to_ne_bytes();
    assert_eq!(ask(UR_PHYSICAL_MEM_INFO_CONTEXT), handle(of.context.cast()));
    assert_eq!(ask(UR_PHYSICAL_MEM_INFO_DEVICE), handle(of.device.cast()));
    assert_eq!(ask(UR_PHYSICAL_MEM_INFO_SIZE), 8192_usize.to_ne_bytes());
    let properties = ask(UR_PHYSICAL_MEM_INFO_PROPERTIES);
    assert_eq!(properties[..4], UR_STRUCTURE_TYPE_PHYSICAL_MEM_PROPERTIES.to_ne_bytes());
    assert_eq!(properties[16..20], UR_PHYSICAL_MEM_FLAG_ENABLE_IPC.to_ne_bytes());
    // Only memory that is made for it has a handle for other processes.
    let (_, private) = physical(of, 4096, 0);
    let (mut data, mut length) = (null_mut(), 0);
    // SAFETY: live handles, and room for the address and the length.
    let refused = unsafe { urIPCGetPhysMemHandleExp::<Fake>(of.context, private, &mut data, &mut length) };
    assert_eq!(refused, UR_RESULT_ERROR_INVALID_VALUE);
    // A device that cannot share it makes the other kind only.
    lack(&[DeviceInfo::IPC_PHYSICAL_MEMORY_SUPPORT]);
    assert_eq!(physical(of, 8192, UR_PHYSICAL_MEM_FLAG_ENABLE_IPC).0, UR_RESULT_ERROR_UNSUPPORTED_FEATURE);
    assert_eq!(physical(of, 8192, 0).0, UR_RESULT_SUCCESS);
}

#[test]
fn virtual_memory_is_mapped_to_what_there_is_with_one_kind_of_access() {
    let of = handles(NEWEST);
    let (_, memory) = physical(of, 8192, 0);
    let map = |size, offset, flags| {
        noted();
        let result =
            // SAFETY: live handles, and an address that nothing reads.
            unsafe { urVirtualMemMap::<Fake>(of.context, address(0x10000), size, memory, offset, flags) };
        (result, noted().concat())
    };
    let [none, both, read] = [
        UR_VIRTUAL_MEM_ACCESS_FLAG_NONE,
        UR_VIRTUAL_MEM_ACCESS_FLAG_READ_WRITE,
        UR_VIRTUAL_MEM_ACCESS_FLAG_READ_ONLY,
    ];
    for (flags, name) in [(0, "NONE"), (none, "NONE"), (both, "READ_WRITE"), (read, "READ_ONLY")] {
        assert_eq!(map(4096, 4096, flags), (0, format!("map 4096 at 4096 {name}")));
    }
    assert_eq!(map(4096, 0, both | read), (UR_RESULT_ERROR_INVALID_ENUMERATION, String::new()));
    for (size, offset) in [(8192, 4096), (4096, 8192), (8, usize::MAX)] {
        assert_eq!(map(size, offset, both), (UR_RESULT_ERROR_INVALID_SIZE, String::new()), "{size} {offset}");
    }
}

#[test]
fn granularity_is_the_least_or_the_recommended_one() {
    let of = handles(NEWEST);
    let ask = |name| {
        let mut granularity = 0_usize;
        let room = (&raw mut granularity).cast();
        noted();
        // SAFETY: live handles and room for the answer.
        let result = unsafe {
            urVirtualMemGranularityGetInfo::<Fake>(of.context, of.device, 96, name, 8, room, null_mut())
        };
        (result, granularity, noted().concat())
    };
    assert_eq!(ask(UR_VIRTUAL_MEM_GRANULARITY_INFO_MINIMUM), (0, 4096, "granularity 96 false".into()));
    assert_eq!(ask(UR_VIRTUAL_MEM_GRANULARITY_INFO_RECOMMENDED), (0, 4096, "granularity 96 true".into()));
    assert_eq!(ask(77), (UR_RESULT_ERROR_INVALID_ENUMERATION, 0, String::new()));
    // Until 2025.2 it was that of any size.
    for (name, wanted) in [
        (UR_VIRTUAL_MEM_GRANULARITY_INFO_MINIMUM, "granularity 1 false"),
        (UR_VIRTUAL_MEM_GRANULARITY_INFO_RECOMMENDED, "granularity 1 true"),
    ] {
        let mut granularity = 0_usize;
        let room = (&raw mut granularity).cast();
        noted();
        // SAFETY: live handles and room for the answer.
        let result = unsafe {
            let ask = urVirtualMemGranularityGetInfo_until_2025_2::<Fake>;
            ask(of.context, of.device, name, 8, room, null_mut())
        };
        assert_eq!((result, granularity, noted().concat()), (0, 4096, wanted.to_owned()));
    }
}

#[test]
fn addresses_are_reserved_where_the_caller_wants_them_and_tell_their_access() {
    let of = handles(NEWEST);
    for wanted in [0, 0x1_0000] {
        let mut start = null_mut();
        noted();
        // SAFETY: a live handle, an address that nothing reads, and room for the start.
        let result = unsafe { urVirtualMemReserve::<Fake>(of.context, address(wanted), 4096, &mut start) };
        let note = format!("reserve 4096 from {wanted} on");
        assert_eq!((result, start.addr(), noted().concat()), (0, 0x9000, note));
    }
    let ask = |name| {
        let mut flags = 0_u32;
        let (start, room) = (address(0x9000), (&raw mut flags).cast());
        let result =
            // SAFETY: a live handle, an address that nothing reads, and room for the flags.
            unsafe { urVirtualMemGetInfo::<Fake>(of.context, start, 4096, name, 4, room, null_mut()) };
        (result, flags)
    };
    assert_eq!(ask(UR_VIRTUAL_MEM_INFO_ACCESS_MODE), (0, UR_VIRTUAL_MEM_ACCESS_FLAG_READ_ONLY));
    assert_eq!(ask(77), (UR_RESULT_ERROR_INVALID_ENUMERATION, 0));
}

/// A pool's limits, flags and counts.
#[test]
fn a_pool_says_how_large_it_may_be_and_how_large_it_was() {
    let of = handles(NEWEST);
    let create = |flags, most| {
        let limits = ur_usm_pool_limits_desc_t {
            stype: UR_STRUCTURE_TYPE_USM_POOL_LIMITS_DESC,
            pNext: null(),
            maxPoolableSize: most,
            minDriverAllocSize: 256,
        };
        let mut desc = ur_usm_pool_desc_t {
            stype: UR_STRUCTURE_TYPE_USM_POOL_DESC,
            pNext: (&raw const limits).cast(),
            flags,
        };
        let mut pool = null_mut();
        // SAFETY: a live handle, a chain of structures, and room for the pool.
        let result = unsafe { urUSMPoolCreate::<Fake>(of.context, &mut desc, &mut pool) };
        (result, pool)
    };
    let ask = |pool, name| {
        let mut number = 0_usize;
        // SAFETY: a live handle and room for the answer.
        let result = unsafe { urUSMPoolGetInfoExp::<Fake>(pool, name, (&raw mut number).cast(), null_mut()) };
        assert_eq!(result, UR_RESULT_SUCCESS);
        number
    };
    let native = UR_USM_POOL_FLAG_USE_NATIVE_MEMORY_POOL_EXP;
    let [most, threshold] = [UR_USM_POOL_INFO_MAXIMUM_SIZE_EXP, UR_USM_POOL_INFO_RELEASE_THRESHOLD_EXP];
    for (flags, limit, wanted) in
        [(native, 4096, (4096, 256)), (native, 0, (usize::MAX, 256)), (0, 4096, (usize::MAX, 0))]
    {
        let (_, pool) = create(flags, limit);
        assert_eq!((ask(pool, most), ask(pool, threshold)), wanted, "{flags:#x} {limit}");
    }
    assert_eq!(create(0x8000_0000, 0).0, UR_RESULT_ERROR_INVALID_ENUMERATION);

    let (_, pool) = create(native, 0);
    let mut memory = null_mut();
    // SAFETY: live handles and room for the address; the memory is freed once.
    unsafe {
        assert_eq!(urUSMDeviceAlloc::<Fake>(of.context, of.device, null(), pool, 128, &mut memory), 0);
        assert_eq!(urUSMFree::<Fake>(of.context, memory), 0);
    }
    let [used, used_high] = [UR_USM_POOL_INFO_USED_CURRENT_EXP, UR_USM_POOL_INFO_USED_HIGH_EXP];
    let [reserved, reserved_high] =
        [UR_USM_POOL_INFO_RESERVED_CURRENT_EXP, UR_USM_POOL_INFO_RESERVED_HIGH_EXP];
    let counts = || [used, used_high, reserved, reserved_high].map(|name| ask(pool, name));
    assert_eq!(counts(), [0, 128, 128, 128], "256 bytes are kept");
    // SAFETY: live handles.
    let trimmed = unsafe { urUSMPoolTrimToExp::<Fake>(of.context, of.device, pool, 0) };
    assert_eq!((trimmed, counts()), (0, [0, 128, 0, 128]));
    let reset = |name, value: &[u8]| {
        // SAFETY: a live handle and a value of that size.
        unsafe { urUSMPoolSetInfoExp::<Fake>(pool, name, value.as_ptr().cast_mut().cast(), value.len()) }
    };
    assert_eq!((reset(used_high, &[0; 8]), counts()), (0, [0, 0, 0, 128]));
    assert_eq!((reset(reserved_high, &[0; 8]), counts()), (0, [0, 0, 0, 0]));
    assert_eq!(reset(threshold, &[0; 4]), UR_RESULT_ERROR_INVALID_SIZE);
    assert_eq!(reset(most, &[0; 8]), UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
}

#[test]
fn a_hint_of_another_direction_only_keeps_the_order() {
    let of = handles(NEWEST);
    let prefetch = |flags| {
        noted();
        let result =
            // SAFETY: a live handle, and an address that nothing reads.
            unsafe { urEnqueueUSMPrefetch::<Fake>(of.queue, address(64), 8, flags, 0, null(), null_mut()) };
        (result, noted().concat())
    };
    let [to_device, to_host] = [UR_USM_MIGRATION_FLAG_HOST_TO_DEVICE, UR_USM_MIGRATION_FLAG_DEVICE_TO_HOST];
    assert_eq!([0, to_device].map(prefetch), [(); 2].map(|()| (0, "prefetch 8 0".to_owned())));
    assert_eq!(prefetch(to_host), (0, "wait for 0".into()));
    // To the device as well.
    assert_eq!(prefetch(to_host | to_device), (0, "prefetch 8 0".into()));
    assert_eq!(prefetch(0x8000_0000), (UR_RESULT_ERROR_INVALID_ENUMERATION, String::new()));
}

/// A program may set a range of no bytes, but no pattern of several bytes goes into none.
#[test]
fn a_fill_of_nothing_has_a_pattern_of_one_byte() {
    let of = handles(NEWEST);
    let fill = |pattern: &[u8]| {
        let (size, start) = (pattern.len(), pattern.as_ptr().cast());
        noted();
        let result =
            // SAFETY: a live handle, a pattern of that size, and an address that nothing reads.
            unsafe { urEnqueueUSMFill::<Fake>(of.queue, address(64), size, start, 0, 0, null(), null_mut()) };
        (result, noted().concat())
    };
    assert_eq!(fill(&[1]), (UR_RESULT_SUCCESS, "set 0 to 1".into()));
    assert_eq!(fill(&[1, 2]), (UR_RESULT_ERROR_INVALID_SIZE, String::new()));
}

#[test]
fn memory_that_is_registered_has_a_size_and_known_flags() {
    let of = handles(NEWEST);
    let register = |size, flags| {
        let properties = ur_exp_usm_host_alloc_register_properties_t {
            stype: UR_STRUCTURE_TYPE_EXP_USM_HOST_ALLOC_REGISTER_PROPERTIES,
            pNext: null_mut(),
            flags,
        };
        noted();
        // SAFETY: a live handle, a structure of its type, and an address that nothing reads.
        let result = unsafe { urUSMHostAllocRegisterExp::<Fake>(of.context, address(64), size, &properties) };
        (result, noted().pop().unwrap())
    };
    let asked = || "HOST_MEMORY_REGISTER_SUPPORT".to_owned();
    assert_eq!(register(8, 0), (0, "register 8".into()));
    assert_eq!(register(0, 0), (UR_RESULT_ERROR_INVALID_SIZE, asked()));
    assert_eq!(register(8, 0x8000_0000), (UR_RESULT_ERROR_INVALID_ENUMERATION, asked()));
}
