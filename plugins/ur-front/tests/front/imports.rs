//! Memory and semaphores of other interfaces, and pitched memory, as they reach the backend.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_backend::types::{UsmAllocFlags, usm_property};
use sycl_ur_core::*;
use sycl_ur_front::stubs::*;

use crate::fake::{Fake, IMAGE_DESC, IMAGE_FORMAT, address, handles, noted};

const NEWEST: Layout = Layout::V2026_2;

/// The file is named by a structure in the chain, which may be behind others.
#[test]
fn memory_is_imported_from_the_file_in_the_chain_and_no_other_kind_of_handle() {
    let of = handles(NEWEST);
    let file =
        ur_exp_file_descriptor_t { stype: UR_STRUCTURE_TYPE_EXP_FILE_DESCRIPTOR, pNext: null(), fd: 12 };
    let before = ur_base_desc_t { stype: 0x7777, pNext: (&raw const file).cast() };
    let import = |kind, chain: *const c_void| {
        let mut desc =
            ur_exp_external_mem_desc_t { stype: UR_STRUCTURE_TYPE_EXP_EXTERNAL_MEM_DESC, pNext: chain };
        let mut memory = null_mut();
        noted();
        // SAFETY: live handles, a chain of structures, and room for the memory.
        let result = unsafe {
            let import = urBindlessImagesImportExternalMemoryExp::<Fake>;
            import(of.context, of.device, 4096, kind, &mut desc, &mut memory)
        };
        (result, memory.addr(), noted().concat())
    };
    let fd = UR_EXP_EXTERNAL_MEM_TYPE_OPAQUE_FD;
    let imported = || (UR_RESULT_SUCCESS, 11, "import 4096 of 12".to_owned());
    assert_eq!(import(fd, (&raw const file).cast()), imported());
    assert_eq!(import(fd, (&raw const before).cast()), imported());
    let refused = |code| (code, 0, String::new());
    assert_eq!(import(fd, null()), refused(UR_RESULT_ERROR_INVALID_VALUE));
    for kind in [UR_EXP_EXTERNAL_MEM_TYPE_WIN32_NT, UR_EXP_EXTERNAL_MEM_TYPE_DMA_BUF] {
        let other = import(kind, (&raw const file).cast());
        assert_eq!(other, refused(UR_RESULT_ERROR_UNSUPPORTED_FEATURE), "{kind}");
    }
}

#[test]
fn imported_memory_is_mapped_from_an_offset_on() {
    let of = handles(NEWEST);
    let map = |memory: usize| {
        let mut start = null_mut();
        noted();
        // SAFETY: live handles, a number in place of memory, which nothing reads, and room for the address.
        let result = unsafe {
            let map = urBindlessImagesMapExternalLinearMemoryExp::<Fake>;
            map(of.context, of.device, 512, 1024, address(memory).cast(), &mut start)
        };
        (result, start.addr(), noted().concat())
    };
    assert_eq!(map(11), (UR_RESULT_SUCCESS, 0x8000, "map 1024 at 512 of 11".into()));
    assert_eq!(map(0), (UR_RESULT_ERROR_INVALID_NULL_HANDLE, 0, String::new()));
}

/// Only timeline semaphores have values.
#[test]
fn a_semaphore_is_signalled_without_a_value() {
    let of = handles(NEWEST);
    let signal = |semaphore: usize, has_value| {
        noted();
        // SAFETY: a live handle, and a number in place of a semaphore, which nothing reads.
        let result = unsafe {
            let signal = urBindlessImagesSignalExternalSemaphoreExp::<Fake>;
            signal(of.queue, address(semaphore).cast(), has_value, 3, 0, null(), null_mut())
        };
        (result, noted().concat())
    };
    assert_eq!(signal(12, 0), (UR_RESULT_SUCCESS, "signal semaphore 12".into()));
    assert_eq!(signal(12, 1), (UR_RESULT_ERROR_UNSUPPORTED_FEATURE, String::new()));
    assert_eq!(signal(0, 0), (UR_RESULT_ERROR_INVALID_NULL_HANDLE, String::new()));
}

#[test]
fn what_an_image_is_for_is_what_its_function_says() {
    let of = handles(NEWEST);
    let (context, device, kind) = (of.context, of.device, UR_EXP_IMAGE_MEM_TYPE_USM_POINTER);
    let mut answers = [7_u8; 3];
    let [memory, unsampled, sampled] = &mut answers;
    noted();
    // SAFETY: live handles, structures of their types, and room for the answers.
    let results = unsafe {
        let of_memory = urBindlessImagesGetImageMemoryHandleTypeSupportExp::<Fake>;
        let of_unsampled = urBindlessImagesGetImageUnsampledHandleSupportExp::<Fake>;
        let of_sampled = urBindlessImagesGetImageSampledHandleSupportExp::<Fake>;
        [
            of_memory(context, device, &IMAGE_DESC, &IMAGE_FORMAT, kind, memory),
            of_unsampled(context, device, &IMAGE_DESC, &IMAGE_FORMAT, kind, unsampled),
            of_sampled(context, device, &IMAGE_DESC, &IMAGE_FORMAT, kind, sampled),
        ]
    };
    assert_eq!((results, answers), ([UR_RESULT_SUCCESS; 3], [1; 3]));
    let wanted = ["Memory", "Unsampled", "Sampled"].map(|name| format!("{name} usm true IMAGE2D"));
    assert_eq!(noted(), wanted);
}

#[test]
fn pitched_memory_has_the_properties_of_its_description_and_no_pool() {
    let of = handles(NEWEST);
    let device = ur_usm_device_desc_t {
        stype: UR_STRUCTURE_TYPE_USM_DEVICE_DESC,
        pNext: null(),
        flags: UR_USM_DEVICE_MEM_FLAG_DEVICE_READ_ONLY,
    };
    let desc = ur_usm_desc_t {
        stype: UR_STRUCTURE_TYPE_USM_DESC,
        pNext: (&raw const device).cast(),
        hints: 0,
        align: 0,
    };
    let allocate = |pool: ur_usm_pool_handle_t| {
        let (mut memory, mut pitch) = (null_mut(), 77);
        noted();
        // SAFETY: live handles, a chain of structures, and room for the results.
        let result = unsafe {
            let allocate = urUSMPitchedAllocExp::<Fake>;
            allocate(of.context, of.device, &desc, pool, 300, 5, 16, &mut memory, &mut pitch)
        };
        (result, memory.addr(), pitch, noted().concat())
    };
    let read_only = UsmAllocFlags::DEVICE_READ_ONLY.bits();
    let wanted = format!("allocate 300x5 of 16 [({}, {read_only})]", usm_property::ALLOC_FLAGS);
    assert_eq!(allocate(null_mut()), (UR_RESULT_SUCCESS, 0x7000, 512, wanted));
    let of_pool = allocate(address(64).cast());
    assert_eq!(of_pool, (UR_RESULT_ERROR_UNSUPPORTED_FEATURE, 0, 77, String::new()));
}

/// The pitch of each side is checked, and each goes to its own side.
#[test]
fn copies_of_rows_have_a_pitch_of_each_side() {
    let of = handles(NEWEST);
    let copy = |dst_pitch, src_pitch, blocking| {
        noted();
        // SAFETY: a live handle, and addresses that nothing reads.
        let result = unsafe {
            let copy = urEnqueueUSMMemcpy2D::<Fake>;
            let (dst, src) = (address(64), address(96));
            copy(of.queue, blocking, dst, dst_pitch, src, src_pitch, 8, 3, 0, null(), null_mut())
        };
        (result, noted().concat())
    };
    let copied = |blocking| format!("copy 8x3 pitches (16, 24) blocking {blocking}");
    assert_eq!(copy(24, 16, 0), (UR_RESULT_SUCCESS, copied(false)));
    assert_eq!(copy(24, 16, 1), (UR_RESULT_SUCCESS, copied(true)));
    for (dst, src) in [(7, 16), (24, 7)] {
        assert_eq!(copy(dst, src, 0), (UR_RESULT_ERROR_INVALID_SIZE, String::new()), "{dst} {src}");
    }
}

#[test]
fn a_level_of_a_mipmap_is_the_one_that_is_asked_for() {
    let of = handles(NEWEST);
    let mut level = 0;
    noted();
    let result =
        // SAFETY: live handles, a number in place of memory, which nothing reads, and room for the level.
        unsafe { urBindlessImagesMipmapGetLevelExp::<Fake>(of.context, of.device, 0x1000, 3, &mut level) };
    assert_eq!((result, level, noted().concat()), (UR_RESULT_SUCCESS, 0xb000, "level 3 of 4096".into()));
}
