//! Bindless images, with the parameters passed to the driver, mipmaps, and imports from other interfaces.

use std::ffi::c_void;
use std::io::Write;
use std::os::fd::{FromRawFd, IntoRawFd};
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_ur_core::*;
use testing_support::image_desc;
use testing_ur_host::structures;

use super::{Case, unified_runtime};
use crate::fixture::status;
use crate::software::{function, live, set_attributes};
use crate::{Fixture, code, fails, ok};

pub(crate) const CASES: &[Case] = &[
    ("textures_have_the_modes_of_their_sampler", textures),
    ("images_end_at_the_limits_of_the_device", limits),
    ("levels_of_a_mipmap_are_images", mipmaps),
    ("images_over_memory_are_for_reading", over_memory),
    ("bindless_images_are_told_to_be_possible", support),
    ("imported_memory_has_its_bytes_until_it_is_released", imported_memory),
    ("a_queue_waits_for_an_imported_semaphore", semaphores),
];

type Format = (pi_image_channel_order, pi_image_channel_type);

const BYTES: Format = (PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_UNORM_INT8);

fn format_of((image_channel_order, image_channel_data_type): Format) -> pi_image_format {
    pi_image_format { image_channel_order, image_channel_data_type }
}

/// Returns the code and the image memory.
fn allocate(fixture: &Fixture, format: Format, mut shape: pi_image_desc) -> (pi_result, *mut c_void) {
    let (mut format, mut memory) = (format_of(format), null_mut());
    let (context, device) = (fixture.context, fixture.device);
    (code!(piextMemImageAllocate(context, device, &mut format, &mut shape, &mut memory)), memory)
}

fn sampled(
    fixture: &Fixture,
    memory: *mut c_void,
    format: Format,
    mut shape: pi_image_desc,
    sampler: pi_sampler,
) -> (pi_result, u64) {
    let (mut format, mut mem, mut handle) = (format_of(format), null_mut(), 0);
    let (context, device) = (fixture.context, fixture.device);
    let (format, shape) = (&raw mut format, &raw mut shape);
    let code = code!(piextMemSampledImageCreate(
        context,
        device,
        memory,
        format,
        shape,
        sampler,
        &mut mem,
        &mut handle
    ));
    (code, handle)
}

fn unsampled(fixture: &Fixture, memory: *mut c_void, mut shape: pi_image_desc) -> (pi_result, u64) {
    let (mut format, mut mem, mut handle) = (format_of(BYTES), null_mut(), 0);
    let (context, device) = (fixture.context, fixture.device);
    let code = code!(piextMemUnsampledImageCreate(
        context,
        device,
        memory,
        &mut format,
        &mut shape,
        &mut mem,
        &mut handle
    ));
    (code, handle)
}

fn sampler(
    fixture: &Fixture,
    properties: &[pi_sampler_properties],
    clamp: (f32, f32),
    anisotropy: f32,
) -> pi_sampler {
    let (list, mut sampler) = ([properties, &[0]].concat(), null_mut());
    ok!(piextBindlessImageSamplerCreate(
        fixture.context,
        list.as_ptr(),
        clamp.0,
        clamp.1,
        anisotropy,
        &mut sampler
    ));
    sampler
}

/// Returns the driver's own description of a texture: `CUDA_TEXTURE_DESC` in words.
fn texture_desc(handle: u64) -> [u32; 26] {
    let ask: unsafe extern "C" fn(*mut [u32; 26], u64) -> u32 = function("cuTexObjectGetTextureDesc");
    let mut words = [0; 26];
    // SAFETY: room for the structure.
    assert_eq!(unsafe { ask(&mut words, handle) }, 0);
    words
}

/// Returns the resource of a texture or a surface: `CUDA_RESOURCE_DESC` in words of 64 bits, the type first.
fn resource_desc(ask: &str, handle: u64) -> [u64; 18] {
    let ask: unsafe extern "C" fn(*mut [u64; 18], u64) -> u32 = function(ask);
    let mut words = [0; 18];
    // SAFETY: room for the structure.
    assert_eq!(unsafe { ask(&mut words, handle) }, 0);
    words[0] &= 0xffff_ffff;
    words
}

fn destroy_sampled(fixture: &Fixture, handle: u64) {
    ok!(piextMemSampledImageHandleDestroy(fixture.context, fixture.device, handle));
}

fn textures() {
    const READ_AS_INTEGER: u32 = 1;
    const NORMALIZED: u32 = 2;
    const SEAMLESS: u32 = 0x40;
    let fixture = Fixture::new();
    let shape = image_desc(PI_MEM_TYPE_IMAGE2D, [8, 4, 0]);
    let before = live();
    let described = |format: Format, properties: &[pi_sampler_properties]| {
        let (_, memory) = allocate(&fixture, format, shape);
        let sampler = sampler(&fixture, properties, (0.5, 3.0), 8.0);
        let (code, handle) = sampled(&fixture, memory, format, shape, sampler);
        assert_eq!(code, PI_SUCCESS);
        let words = texture_desc(handle);
        let resource = resource_desc("cuTexObjectGetResourceDesc", handle);
        assert_eq!((resource[0], resource[1]), (0, memory.addr() as u64), "the array");
        destroy_sampled(&fixture, handle);
        ok!(piSamplerRelease(sampler));
        ok!(piextMemImageFree(fixture.context, fixture.device, memory));
        words
    };
    // In cuda.h: wrap 0, clamp 1, mirror 2, border 3.
    for (mode, expected) in [
        (PI_SAMPLER_ADDRESSING_MODE_REPEAT, 0),
        (PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT, 2),
        (PI_SAMPLER_ADDRESSING_MODE_CLAMP, 3),
        (PI_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE, 1),
        (PI_SAMPLER_ADDRESSING_MODE_NONE, 1),
    ] {
        let words = described(BYTES, &[PI_SAMPLER_PROPERTIES_ADDRESSING_MODE, mode.into()]);
        assert_eq!(words[..3], [expected; 3], "mode {mode:#x}");
    }
    for (filter, expected) in [(PI_SAMPLER_FILTER_MODE_NEAREST, 0), (PI_SAMPLER_FILTER_MODE_LINEAR, 1)] {
        let properties = [
            [PI_SAMPLER_PROPERTIES_FILTER_MODE, filter.into()],
            [PI_SAMPLER_PROPERTIES_MIP_FILTER_MODE, PI_SAMPLER_FILTER_MODE_LINEAR.into()],
        ];
        let words = described(BYTES, properties.as_flattened());
        assert_eq!((words[3], words[5], words[6]), (expected, 8, 1));
        assert_eq!([words[7], words[8], words[9]], [0.0, 0.5, 3.0_f32].map(f32::to_bits));
    }
    let order = PI_IMAGE_CHANNEL_ORDER_RGBA;
    for (channel_type, integer) in [
        (PI_IMAGE_CHANNEL_TYPE_UNORM_INT8, 0),
        (PI_IMAGE_CHANNEL_TYPE_HALF_FLOAT, 0),
        (PI_IMAGE_CHANNEL_TYPE_FLOAT, 0),
        (PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8, READ_AS_INTEGER),
    ] {
        for (normalized, flag) in [(0, 0), (1, NORMALIZED)] {
            let properties = [PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS, normalized];
            assert_eq!(described((order, channel_type), &properties)[4], integer | flag, "{channel_type:#x}");
        }
    }
    let seamless =
        [PI_SAMPLER_PROPERTIES_CUBEMAP_FILTER_MODE, PI_SAMPLER_CUBEMAP_FILTER_MODE_SEAMLESS.into()];
    let normalized = [PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS, 1];
    let words =
        described((order, PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8), [seamless, normalized].as_flattened());
    assert_eq!(words[4], READ_AS_INTEGER | NORMALIZED | SEAMLESS);
    assert_eq!(live(), before);
    sampler_answers(&fixture);
}

fn sampler_answers(fixture: &Fixture) {
    let properties = [
        [PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS, 1],
        [PI_SAMPLER_PROPERTIES_ADDRESSING_MODE, PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT.into()],
        [PI_SAMPLER_PROPERTIES_FILTER_MODE, PI_SAMPLER_FILTER_MODE_NEAREST.into()],
        [PI_SAMPLER_PROPERTIES_MIP_FILTER_MODE, PI_SAMPLER_FILTER_MODE_LINEAR.into()],
    ];
    let sampler = sampler(fixture, properties.as_flattened(), (0.5, 3.0), 0.0);
    for (name, expected) in [
        (PI_SAMPLER_INFO_REFERENCE_COUNT, 1),
        (PI_SAMPLER_INFO_NORMALIZED_COORDS, 1),
        (PI_SAMPLER_INFO_ADDRESSING_MODE, PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT),
        (PI_SAMPLER_INFO_FILTER_MODE, PI_SAMPLER_FILTER_MODE_NEAREST),
        (PI_SAMPLER_INFO_MIP_FILTER_MODE, PI_SAMPLER_FILTER_MODE_LINEAR),
        (PI_SAMPLER_INFO_LOD_MIN, 0.5_f32.to_bits()),
        (PI_SAMPLER_INFO_LOD_MAX, 3.0_f32.to_bits()),
    ] {
        let mut answer = 0_u32;
        ok!(piSamplerGetInfo(sampler, name, 4, (&raw mut answer).cast(), null_mut()));
        assert_eq!(answer, expected, "{name:#x}");
    }
    let mut context: pi_context = null_mut();
    ok!(piSamplerGetInfo(sampler, PI_SAMPLER_INFO_CONTEXT, 8, (&raw mut context).cast(), null_mut()));
    assert_eq!(context, fixture.context);
    // In kernels, bit 0 means normalized, bit 1 linear, and the addressing mode from none to mirrored repeat starts
    // at bit 2.
    let program = fixture.program("kernels");
    let kernel = program.kernel("scale");
    let memory = fixture.device_memory(8);
    fixture.write(&memory, &[1_u32, 0]);
    kernel.set(1, memory.start).set(2, memory.start.wrapping_byte_add(4));
    ok!(piextKernelSetArgSampler(kernel.raw, 0, &sampler));
    fixture.launch(kernel.raw, &[1], None);
    assert_eq!(fixture.read::<u32>(&memory, 2), [1, 1 | 4 << 2]);
    ok!(piSamplerRelease(sampler));
}

fn shape_of(kind: pi_mem_type, sizes: [usize; 3], image_array_size: usize) -> pi_image_desc {
    pi_image_desc { image_array_size, ..image_desc(kind, sizes) }
}

fn limits() {
    let fixture = Fixture::new();
    // The attributes of surfaces in cuda.h.
    set_attributes("55=5;56=6;57=7;58=8;59=9;60=10;61=11;62=14;63=12;64=15;65=16;66=13");
    for (kind, most, layers, expected) in [
        (PI_MEM_TYPE_IMAGE1D, [5, 0, 0], 0, [5, 0, 0, 0]),
        (PI_MEM_TYPE_IMAGE2D, [6, 7, 0], 0, [6, 7, 0, 0]),
        (PI_MEM_TYPE_IMAGE3D, [8, 9, 10], 0, [8, 9, 10, 0]),
        (PI_MEM_TYPE_IMAGE1D_ARRAY, [11, 0, 0], 14, [11, 0, 14, 1]),
        (PI_MEM_TYPE_IMAGE2D_ARRAY, [12, 15, 0], 16, [12, 15, 16, 1]),
        (PI_MEM_TYPE_IMAGE_CUBEMAP, [13, 13, 0], 0, [13, 13, 6, 4]),
    ] {
        let (code, memory) = allocate(&fixture, BYTES, shape_of(kind, most, layers));
        assert_eq!(code, PI_SUCCESS, "{kind:#x}");
        let describe: unsafe extern "C" fn(*mut [u64; 5], *mut c_void) -> u32 =
            function("cuArray3DGetDescriptor_v2");
        let mut words = [0_u64; 5];
        // SAFETY: room for the structure, and a live array.
        assert_eq!(unsafe { describe(&mut words, memory) }, 0);
        // The sizes are followed by format and channels, then the flags, one of which permits surfaces.
        let [width, height, depth, of_pixels, flags] = words;
        assert_eq!([width, height, depth, (flags & 0xffff_ffff) & !2], expected, "{kind:#x}");
        assert_eq!((of_pixels, flags & 2), (4 << 32 | 1, 2), "{kind:#x}");
        ok!(piextMemImageFree(fixture.context, fixture.device, memory));
        for axis in (0..3).filter(|axis| most[*axis] > 0) {
            let mut larger = most;
            larger[axis] += 1;
            let (code, _) = allocate(&fixture, BYTES, shape_of(kind, larger, layers));
            assert_eq!(code, PI_ERROR_INVALID_IMAGE_SIZE, "{kind:#x} {larger:?}");
        }
        if layers > 0 {
            let (code, _) = allocate(&fixture, BYTES, shape_of(kind, most, layers + 1));
            assert_eq!(code, PI_ERROR_INVALID_IMAGE_SIZE, "{kind:#x}, {layers} images and one more");
        }
    }
    set_attributes("");
    let two = image_desc(PI_MEM_TYPE_IMAGE2D, [4, 4, 0]);
    for bad in [
        image_desc(PI_MEM_TYPE_IMAGE2D, [0, 4, 0]),
        pi_image_desc { num_samples: 1, ..two },
        pi_image_desc { image_type: PI_MEM_TYPE_IMAGE1D_BUFFER, ..two },
    ] {
        assert_eq!(allocate(&fixture, BYTES, bad).0, PI_ERROR_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    }
}

fn info(memory: *mut c_void, name: pi_image_info) -> (usize, usize) {
    let (mut value, mut size) = (usize::MAX, 0);
    ok!(piextMemImageGetInfo(memory, name, (&raw mut value).cast(), &mut size));
    (value, size)
}

fn mipmaps() {
    let fixture = Fixture::new();
    let (context, device, before) = (fixture.context, fixture.device, live());
    let shape = pi_image_desc { num_mip_levels: 3, ..image_desc(PI_MEM_TYPE_IMAGE3D, [16, 8, 4]) };
    let (code, mipmap) = allocate(&fixture, BYTES, shape);
    assert_eq!(code, PI_SUCCESS);
    let level_of = |mipmap, level| {
        let mut array = null_mut();
        (code!(piextMemMipmapGetLevel(context, device, mipmap, level, &mut array)), array)
    };
    for (level, sizes) in [(0, [16, 8, 4]), (1, [8, 4, 2]), (2, [4, 2, 1])] {
        let (code, array) = level_of(mipmap, level);
        assert_eq!(code, PI_SUCCESS);
        let names = [PI_IMAGE_INFO_WIDTH, PI_IMAGE_INFO_HEIGHT, PI_IMAGE_INFO_DEPTH];
        assert_eq!(names.map(|name| info(array, name)), sizes.map(|size| (size, 8)), "level {level}");
        let (integers, number) =
            (PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8, u64::from(PI_IMAGE_CHANNEL_ORDER_RGBA));
        assert_eq!(info(array, PI_IMAGE_INFO_FORMAT), ((u64::from(integers) << 32 | number) as usize, 8));
        fails!(piextMemImageGetInfo(array, 0x7777, null_mut(), null_mut()), PI_ERROR_INVALID_VALUE);
    }
    assert_ne!(level_of(mipmap, 3).0, PI_SUCCESS);
    let nearest = sampler(&fixture, &[], (0.0, 0.0), 0.0);
    let (code, texture) = sampled(&fixture, mipmap, BYTES, shape, nearest);
    assert_eq!(code, PI_SUCCESS);
    let resource = resource_desc("cuTexObjectGetResourceDesc", texture);
    assert_eq!((resource[0], resource[1]), (1, mipmap.addr() as u64), "the mipmap");
    destroy_sampled(&fixture, texture);
    let (_, array) = level_of(mipmap, 0);
    assert_eq!(unsampled(&fixture, array, shape).0, PI_ERROR_INVALID_OPERATION);
    assert_ne!(code!(piextMemImageFree(context, device, mipmap)), PI_SUCCESS);
    ok!(piextMemMipmapFree(context, device, mipmap));
    assert_ne!(code!(piextMemMipmapFree(context, device, mipmap)), PI_SUCCESS);
    assert_ne!(level_of(mipmap, 0).0, PI_SUCCESS);
    // A single level is an image.
    let one = pi_image_desc { num_mip_levels: 1, ..shape };
    let (code, image) = allocate(&fixture, BYTES, one);
    assert_eq!((code, level_of(image, 0).0), (PI_SUCCESS, PI_ERROR_INVALID_VALUE));
    let (code, surface) = unsampled(&fixture, image, one);
    assert_eq!(code, PI_SUCCESS);
    let resource = resource_desc("cuSurfObjectGetResourceDesc", surface);
    assert_eq!((resource[0], resource[1]), (0, image.addr() as u64));
    fails!(piextMemSampledImageHandleDestroy(context, device, surface), PI_ERROR_INVALID_VALUE);
    ok!(piextMemUnsampledImageHandleDestroy(context, device, surface));
    let (code, texture) = sampled(&fixture, image, BYTES, one, nearest);
    assert_eq!((code, resource_desc("cuTexObjectGetResourceDesc", texture)[0]), (PI_SUCCESS, 0));
    destroy_sampled(&fixture, texture);
    ok!(piextMemImageFree(context, device, image));
    assert_eq!(sampled(&fixture, image, BYTES, one, nearest).0, PI_ERROR_INVALID_VALUE);
    ok!(piSamplerRelease(nearest));
    assert_eq!(live(), before);
}

fn over_memory() {
    let fixture = Fixture::new();
    let memory = fixture.device_memory(4096);
    let nearest = sampler(&fixture, &[], (0.0, 0.0), 0.0);
    for (height, kind) in [(4, 3), (1, 2)] {
        let shape =
            pi_image_desc { image_row_pitch: 512, ..image_desc(PI_MEM_TYPE_IMAGE2D, [16, height, 0]) };
        let (code, texture) = sampled(&fixture, memory.start, BYTES, shape, nearest);
        assert_eq!(code, PI_SUCCESS);
        let resource = resource_desc("cuTexObjectGetResourceDesc", texture);
        assert_eq!((resource[0], resource[1]), (kind, memory.start.addr() as u64));
        destroy_sampled(&fixture, texture);
        assert_eq!(unsampled(&fixture, memory.start, shape).0, PI_ERROR_INVALID_OPERATION);
    }
    ok!(piSamplerRelease(nearest));
    // Copies rows of memory to an image and back.
    let (width, height, pitch) = (16, 4, 128);
    let shape =
        pi_image_desc { image_row_pitch: pitch, ..image_desc(PI_MEM_TYPE_IMAGE2D, [width, height, 0]) };
    let bytes: Vec<u8> = (0..pitch * height).map(|at| at as u8).collect();
    fixture.write(&memory, &bytes);
    let (_, image) = allocate(&fixture, BYTES, shape);
    let back = fixture.device_memory(pitch * height);
    fixture.write(&back, &vec![0xee_u8; pitch * height]);
    let format = format_of(BYTES);
    let copy = |dst, src, corner: usize, flags| {
        let mut zero = pi_image_offset_struct { x: corner, y: 0, z: 0 };
        let mut also_zero = pi_image_offset_struct { x: 0, y: 0, z: 0 };
        let mut extent = pi_image_region_struct { width, height, depth: 1 };
        let mut host = pi_image_region_struct { width: 0, height: 0, depth: 0 };
        let (from, to, extent, host) = (&raw mut zero, &raw mut also_zero, &raw mut extent, &raw mut host);
        code!(piextMemImageCopy(
            fixture.queue,
            dst,
            src,
            &format,
            &shape,
            flags,
            from,
            to,
            extent,
            host,
            0,
            null(),
            null_mut()
        ))
    };
    assert_eq!(copy(image, memory.start, 0, PI_IMAGE_COPY_DEVICE_TO_DEVICE), PI_SUCCESS);
    assert_eq!(copy(back.start, image, 0, PI_IMAGE_COPY_DEVICE_TO_DEVICE), PI_SUCCESS);
    // One pixel past the end, and no direction.
    assert_eq!(copy(back.start, image, 1, PI_IMAGE_COPY_DEVICE_TO_DEVICE), PI_ERROR_INVALID_VALUE);
    assert_eq!(copy(back.start, image, 0, 7), PI_ERROR_INVALID_VALUE);
    fixture.finish();
    let copied = fixture.read::<u8>(&back, pitch * height);
    for (row, (copied, bytes)) in copied.chunks(pitch).zip(bytes.chunks(pitch)).enumerate() {
        assert_eq!(copied[..4 * width], bytes[..4 * width], "row {row}");
        assert!(copied[4 * width..].iter().all(|byte| *byte == 0xee), "row {row}");
    }
    ok!(piextMemImageFree(fixture.context, fixture.device, image));
}

fn support() {
    let host = unified_runtime::newest();
    let calls = host.calls;
    let format = ur_image_format_t {
        channelOrder: UR_IMAGE_CHANNEL_ORDER_RGBA,
        channelType: UR_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8,
    };
    let three = ur_image_format_t { channelOrder: UR_IMAGE_CHANNEL_ORDER_RGB, ..format };
    let shape = |type_, width, levels| ur_image_desc_t {
        type_,
        width,
        height: 8,
        numMipLevel: levels,
        ..structures::IMAGE
    };
    let (plane, line) = (UR_MEM_TYPE_IMAGE2D, UR_MEM_TYPE_IMAGE1D);
    let (array, pointer) = (UR_EXP_IMAGE_MEM_TYPE_OPAQUE_HANDLE, UR_EXP_IMAGE_MEM_TYPE_USM_POINTER);
    // Support of memory, unsampled images and sampled ones.
    for (kind, format, shape, expected) in [
        (array, format, shape(plane, 16, 0), [true, true, true]),
        (array, format, shape(plane, 16, 1), [true, true, true]),
        (array, format, shape(plane, 16, 2), [true, false, true]),
        (array, format, shape(plane, 1 << 30, 0), [false, false, false]),
        (array, three, shape(plane, 16, 0), [false, false, false]),
        (pointer, format, shape(plane, 16, 0), [true, false, true]),
        (pointer, format, shape(plane, 16, 1), [true, false, true]),
        (pointer, format, shape(plane, 16, 2), [false, false, false]),
        (pointer, format, shape(line, 16, 0), [false, false, false]),
        (pointer, three, shape(plane, 16, 0), [false, false, false]),
    ] {
        let (context, device, mut told) = (host.context, host.device, [7_u8; 3]);
        let [memory, without, with] = &mut told;
        // SAFETY: live handles, and room for the answers.
        let codes = unsafe {
            [
                calls.urBindlessImagesGetImageMemoryHandleTypeSupportExp(
                    context, device, &shape, &format, kind, memory,
                ),
                calls.urBindlessImagesGetImageUnsampledHandleSupportExp(
                    context, device, &shape, &format, kind, without,
                ),
                calls.urBindlessImagesGetImageSampledHandleSupportExp(
                    context, device, &shape, &format, kind, with,
                ),
            ]
        };
        let name = (kind, shape.type_, shape.width, shape.numMipLevel, format.channelOrder);
        assert_eq!((codes, told.map(|told| told == 1)), ([UR_RESULT_SUCCESS; 3], expected), "{name:?}");
    }
}

/// Creates a memory file with these bytes.
fn file(bytes: &[u8]) -> i32 {
    // SAFETY: a NUL-terminated name. Nothing else owns the descriptor.
    let mut file = unsafe { std::fs::File::from_raw_fd(libc::memfd_create(c"external".as_ptr(), 0)) };
    file.write_all(bytes).unwrap();
    file.into_raw_fd()
}

fn imported_memory() {
    let host = unified_runtime::newest();
    let (calls, bytes) = (host.calls, [7_u8; 4096]);
    let fixture = Fixture::new();
    let (context, device, before) = (fixture.context, fixture.device, live());
    let mut memory = 0;
    ok!(piextMemImportOpaqueFD(context, device, bytes.len(), file(&bytes), &mut memory));
    assert_ne!(memory, 0);
    for (levels, is_mipmap) in [(0, false), (1, false), (2, true)] {
        let mut shape =
            pi_image_desc { num_mip_levels: levels, ..image_desc(PI_MEM_TYPE_IMAGE2D, [16, 8, 0]) };
        let (mut format, mut image, mut level) = (format_of(BYTES), null_mut(), null_mut());
        ok!(piextMemMapExternalArray(context, device, &mut format, &mut shape, memory, &mut image));
        let code = code!(piextMemMipmapGetLevel(context, device, image, 1, &mut level));
        assert_eq!(code == PI_SUCCESS, is_mipmap, "{levels} levels");
        let width = info(if is_mipmap { level } else { image }, PI_IMAGE_INFO_WIDTH);
        assert_eq!(width, (if is_mipmap { 8 } else { 16 }, 8));
    }
    ok!(piextMemReleaseInterop(context, device, memory));
    fails!(piextMemReleaseInterop(context, device, memory), PI_ERROR_INVALID_VALUE);
    // The mipmaps remain: three of them, the last of which the caller has to free.
    assert_eq!(live(), before + 3);

    // As rows, which only UR supports.
    let (mut memory, mut start, mut desc) = (null_mut(), null_mut(), file_descriptor(&bytes));
    let mut file = ur_exp_external_mem_desc_t {
        stype: UR_STRUCTURE_TYPE_EXP_EXTERNAL_MEM_DESC,
        pNext: (&raw mut desc).cast(),
    };
    // SAFETY: a live queue, which has its stream from now on.
    assert_eq!(unsafe { calls.urEnqueueEventsWait(host.queue, 0, null(), null_mut()) }, UR_RESULT_SUCCESS);
    let (context, device, before) = (host.context, host.device, live());
    // SAFETY: live handles, room for the results, and memory that is freed once.
    unsafe {
        let (size, kind) = (bytes.len(), UR_EXP_EXTERNAL_MEM_TYPE_OPAQUE_FD);
        assert_eq!(
            calls.urBindlessImagesImportExternalMemoryExp(
                context,
                device,
                size,
                kind,
                &mut file,
                &mut memory
            ),
            UR_RESULT_SUCCESS
        );
        let map = |offset, size, start| {
            calls.urBindlessImagesMapExternalLinearMemoryExp(context, device, offset, size, memory, start)
        };
        assert_ne!(map(4000, 97, &mut start), UR_RESULT_SUCCESS);
        assert_eq!(map(4000, 96, &mut start), UR_RESULT_SUCCESS);
        assert_eq!(host.numbers(start, 24), [0x0707_0707; 24]);
        assert_eq!(
            calls.urBindlessImagesFreeMappedLinearMemoryExp(context, device, start),
            UR_RESULT_SUCCESS
        );
        assert_ne!(
            calls.urBindlessImagesFreeMappedLinearMemoryExp(context, device, start),
            UR_RESULT_SUCCESS
        );
        assert_eq!(
            calls.urBindlessImagesReleaseExternalMemoryExp(context, device, memory),
            UR_RESULT_SUCCESS
        );
        assert_ne!(map(0, 96, &mut start), UR_RESULT_SUCCESS);
    }
    assert_eq!(live(), before);
}

/// Creates a file to import as memory or a semaphore.
pub(super) fn file_descriptor(bytes: &[u8]) -> ur_exp_file_descriptor_t {
    ur_exp_file_descriptor_t { stype: UR_STRUCTURE_TYPE_EXP_FILE_DESCRIPTOR, pNext: null(), fd: file(bytes) }
}

fn semaphores() {
    let fixture = Fixture::new();
    let (context, device, before) = (fixture.context, fixture.device, live());
    let other = fixture.queue(0);
    let (mut semaphore, mut waited, mut signalled) = (0, null_mut(), null_mut());
    ok!(piEnqueueEventsWait(other, 0, null(), null_mut()));
    let before = before + 1;
    ok!(piextImportExternalSemaphoreOpaqueFD(context, device, file(&[]), &mut semaphore));
    ok!(piextWaitExternalSemaphore(fixture.queue, semaphore, 0, null(), &mut waited));
    std::thread::sleep(std::time::Duration::from_millis(20));
    assert!(status(waited) > PI_EVENT_COMPLETE);
    ok!(piextSignalExternalSemaphore(other, semaphore, 0, null(), &mut signalled));
    ok!(piEventsWait(1, &waited));
    ok!(piEventsWait(1, &signalled));
    ok!(piEventRelease(waited));
    ok!(piEventRelease(signalled));
    ok!(piextDestroyExternalSemaphore(context, device, semaphore));
    fails!(piextDestroyExternalSemaphore(context, device, semaphore), PI_ERROR_INVALID_VALUE);
    fails!(piextWaitExternalSemaphore(other, semaphore, 0, null(), null_mut()), PI_ERROR_INVALID_VALUE);
    fails!(piextSignalExternalSemaphore(other, semaphore, 0, null(), null_mut()), PI_ERROR_INVALID_VALUE);
    ok!(piQueueRelease(other));
    assert!(live() <= before + 2, "two streams have an event each at most");
}
