//! Tests of what the SPIR-V translator generates for matrices, images, `bfloat16` and dimensions, on a GPU, and of the
//! options of a linked program.
//! `pi-cuda-spirv` runs these.
//!
//! The modules are assembled here, and loops on the host compute the expected results.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use testing_nvvm::matrices::Product;
use testing_nvvm::{assemble, elementwise, kernel};
use testing_support::image_desc;

use crate::fixture::is_software;
use crate::{Fixture, code, ok};

/// The tests with their names.
pub const CASES: [(&str, fn()); 6] = [
    ("spirv_cooperative_matrices", matrices),
    ("spirv_dimensions_of_a_launch", dimensions),
    ("spirv_bfloat16_arithmetic", bfloat16),
    ("spirv_sampled_images", sampled_images),
    ("spirv_a_linked_program_has_the_options_of_all_its_programs", linked_options),
    ("spirv_a_program_that_is_built_has_a_log_and_takes_no_constants", built),
];

fn built() {
    let fixture = Fixture::new();
    let code = "%at = OpPtrAccessChain %p_uint %out %l\nOpStore %at %u_1";
    let program = fixture.unbuilt(&kernel("", "%p_uint %out", code).unwrap());
    let value = 5_u32;
    let set = || {
        let start = (&raw const value).cast();
        code!(piextProgramSetSpecializationConstant(program.raw, 7, 4, start))
    };
    // No constant of the module has that number, which is no error.
    assert_eq!(set(), PI_SUCCESS);
    ok!(piProgramBuild(program.raw, 1, &fixture.device, c"".as_ptr(), None, null_mut()));
    assert_eq!(set(), PI_ERROR_INVALID_OPERATION);
    let mut log = [0_u8; 1 << 10];
    let (name, room) = (PI_PROGRAM_BUILD_INFO_LOG, log.as_mut_ptr().cast());
    ok!(piProgramGetBuildInfo(program.raw, fixture.device, name, log.len(), room, null_mut()));
    let log = std::ffi::CStr::from_bytes_until_nul(&log).unwrap().to_string_lossy();
    assert!(!is_software() || log.contains("one module is compiled"), "{log}");
}

fn linked_options() {
    let fixture = Fixture::new();
    let library = "
        OpCapability Addresses
        OpCapability Linkage
        OpCapability Kernel
        OpMemoryModel Physical64 OpenCL";
    let code = "%at = OpPtrAccessChain %p_uint %out %l\nOpStore %at %u_1";
    let modules = [kernel("", "%p_uint %out", code), assemble(library)].map(Result::unwrap);
    let parts = modules.each_ref().map(|module| fixture.unbuilt(module));
    let (device, no_list, none) = (&raw const fixture.device, null(), null_mut());
    for (part, options) in parts.iter().zip([c"-cl-mad-enable", c"-cl-denorms-are-zero"]) {
        ok!(piProgramCompile(part.raw, 1, device, options.as_ptr(), 0, no_list, null_mut(), None, none));
    }
    let (list, mut linked) = (parts.each_ref().map(|part| part.raw), null_mut());
    let (context, options) = (fixture.context, c"-cl-opt-disable".as_ptr());
    ok!(piProgramLink(context, 1, device, options, 2, list.as_ptr(), None, none, &mut linked));
    let mut told = [0_u8; 128];
    let (name, room, mut size) = (PI_PROGRAM_BUILD_INFO_OPTIONS, told.as_mut_ptr().cast(), 0);
    ok!(piProgramGetBuildInfo(linked, fixture.device, name, told.len(), room, &mut size));
    assert_eq!(&told[..size], b"-cl-mad-enable -cl-denorms-are-zero -cl-opt-disable\0");
    ok!(piProgramRelease(linked));
}

fn matrices() {
    let fixture = Fixture::new();
    for product in Product::all() {
        let program = fixture.build(fixture.unbuilt(&product.module().unwrap()));
        let kernel = program.kernel("k");
        let memories = product.memories().map(|bytes| {
            let memory = fixture.device_memory(bytes.len());
            fixture.write(&memory, &bytes);
            memory
        });
        for (index, memory) in memories.iter().enumerate() {
            kernel.pointer(index as u32, memory.start);
        }
        let items = [product.work_items()];
        fixture.launch(kernel.raw, &items, Some(&items));
        fixture.finish();
        let expected = product.expected();
        assert_eq!(fixture.read::<u8>(&memories[0], expected.len()), expected, "{product:?}");
    }
}

fn dimensions() {
    let declarations = "
        %builtin = OpVariable %p_in_uint Input
        OpDecorate %builtin BuiltIn WorkDim";
    let code = "
        %dimensions = OpLoad %uint %builtin
        %at = OpPtrAccessChain %p_uint %out %l
        OpStore %at %dimensions";
    let fixture = Fixture::new();
    let program = fixture.build(fixture.unbuilt(&kernel(declarations, "%p_uint %out", code).unwrap()));
    let (kernel, out) = (program.kernel("k"), fixture.device_memory(16));
    kernel.pointer(0, out.start);
    for global in [&[4_usize][..], &[4, 2], &[4, 1, 3]] {
        fixture.launch(kernel.raw, global, None);
        fixture.finish();
        assert_eq!(fixture.read::<u32>(&out, 4), [global.len() as u32; 4]);
    }
}

/// Products and sums of numbers with few bits, which `float` represents exactly, and their rounding.
fn bfloat16() {
    let declarations = "
        %bf = OpTypeFloat 16 0
        %p_bf = OpTypePointer CrossWorkgroup %bf";
    let code = "
        %product = OpFMul %bf %v0 %v1
        %r = OpFAdd %bf %product %v0";
    let numbers: Vec<(u16, u16)> =
        (0..256_u16).map(|at| (0x3f00 + at, 0x4000 + at.wrapping_mul(37) % 256)).collect();
    // Rounds the exact result in `float` to the nearest number with 8 bits, and ties to even.
    let rounded = |value: f32| {
        let (bits, tie) = (value.to_bits(), 0x8000);
        let (above, rest) = ((bits >> 16) as u16, bits & 0xffff);
        above + u16::from(rest > tie || (rest == tie && above % 2 == 1))
    };
    let wide = |bits: u16| f32::from_bits(u32::from(bits) << 16);
    let expected: Vec<u16> =
        numbers.iter().map(|(a, b)| rounded(wide(rounded(wide(*a) * wide(*b))) + wide(*a))).collect();
    let fixture = Fixture::new();
    let program =
        fixture.build(fixture.unbuilt(&elementwise(declarations, &["%bf", "%bf"], "%bf", code).unwrap()));
    let kernel = program.kernel("k");
    let memories = [(); 3].map(|()| fixture.device_memory(512));
    let (first, second): (Vec<u16>, Vec<u16>) = numbers.into_iter().unzip();
    fixture.write(&memories[1], &first);
    fixture.write(&memories[2], &second);
    for (index, memory) in memories.iter().enumerate() {
        kernel.pointer(index as u32, memory.start);
    }
    fixture.launch(kernel.raw, &[256], Some(&[256]));
    fixture.finish();
    assert_eq!(fixture.read::<u16>(&memories[0], 256), expected);
}

/// Reads the centers of texels, and a place between two, from an image of 8 by 4 texels.
fn sampled_images() {
    const SIZE: [usize; 2] = [8, 4];
    let fixture = Fixture::new();
    let mut format = pi_image_format {
        image_channel_order: PI_IMAGE_CHANNEL_ORDER_RGBA,
        image_channel_data_type: PI_IMAGE_CHANNEL_TYPE_FLOAT,
    };
    let mut shape = image_desc(PI_MEM_TYPE_IMAGE2D, [SIZE[0], SIZE[1], 0]);
    let (context, device) = (fixture.context, fixture.device);
    let (mut memory, mut sampler, mut mem, mut handle) = (null_mut(), null_mut(), null_mut(), 0);
    ok!(piextMemImageAllocate(context, device, &mut format, &mut shape, &mut memory));
    let texels: Vec<f32> =
        (0..32).flat_map(|at| [1.0, 10.0, 100.0, -1.0].map(|factor| factor * at as f32)).collect();
    fill(&fixture, memory, &format, &shape, &texels);
    let properties = [
        PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS,
        0,
        PI_SAMPLER_PROPERTIES_FILTER_MODE,
        PI_SAMPLER_FILTER_MODE_LINEAR.into(),
        PI_SAMPLER_PROPERTIES_ADDRESSING_MODE,
        PI_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE.into(),
        0,
    ];
    ok!(piextBindlessImageSamplerCreate(context, properties.as_ptr(), 0.0, 0.0, 0.0, &mut sampler));
    ok!(piextMemSampledImageCreate(
        context,
        device,
        memory,
        &mut format,
        &mut shape,
        sampler,
        &mut mem,
        &mut handle
    ));
    let declarations = "
        %image = OpTypeImage %void 1 0 0 0 0 0 0
        %sampled = OpTypeSampledImage %image
        %zero = OpConstant %float 0";
    let code = "
        %place.at = OpPtrAccessChain %p_v4float %places %l
        %place = OpLoad %v4float %place.at
        %from = OpConvertHandleToSampledImageINTEL %sampled %handle
        %texel = OpImageSampleExplicitLod %v4float %from %place 2 %zero
        %to = OpPtrAccessChain %p_v4float %out %l
        OpStore %to %texel";
    let module = kernel(declarations, "%p_v4float %out, %p_v4float %places, %ulong %handle", code).unwrap();
    let program = fixture.build(fixture.unbuilt(&module));
    // The last place lies between texels 2 and 3 of the first row.
    let mut places: Vec<[f32; 4]> =
        (0..32).map(|at| [(at % SIZE[0]) as f32 + 0.5, (at / SIZE[0]) as f32 + 0.5, 0.0, 0.0]).collect();
    places.push([3.0, 0.5, 0.0, 0.0]);
    let mut expected = texels;
    expected.extend([2.5, 25.0, 250.0, -2.5]);
    let [out, input] = [(); 2].map(|()| fixture.device_memory(33 * 16));
    fixture.write(&input, &places);
    let kernel = program.kernel("k");
    kernel.pointer(0, out.start).pointer(1, input.start).set(2, handle);
    fixture.launch(kernel.raw, &[33], Some(&[33]));
    fixture.finish();
    assert_eq!(fixture.read::<f32>(&out, 33 * 4), expected);
    ok!(piextMemSampledImageHandleDestroy(context, device, handle));
    ok!(piSamplerRelease(sampler));
    ok!(piextMemImageFree(context, device, memory));
}

/// Copies texels to the memory of an image.
fn fill(
    fixture: &Fixture,
    memory: *mut c_void,
    format: &pi_image_format,
    shape: &pi_image_desc,
    texels: &[f32],
) {
    let mut start = [0; 2].map(|at| pi_image_offset_struct { x: at, y: 0, z: 0 });
    let region = || pi_image_region_struct { width: shape.image_width, height: shape.image_height, depth: 1 };
    let (mut extent, mut host) = (region(), region());
    let [from, to] = &mut start;
    let (from, to, extent, host) = (&raw mut *from, &raw mut *to, &raw mut extent, &raw mut host);
    let source = texels.as_ptr().cast_mut().cast();
    ok!(piextMemImageCopy(
        fixture.queue,
        memory,
        source,
        format,
        shape,
        PI_IMAGE_COPY_HOST_TO_DEVICE,
        from,
        to,
        extent,
        host,
        0,
        null(),
        null_mut()
    ));
    fixture.finish();
}
