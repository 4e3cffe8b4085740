//! Bindless sampled images: textures of one, two and three dimensions, read with interpolation and by index.

use sycl_pi_nvvm::{Options, translate};
use testing_nvvm::{bytes, kernel, numbers};

use crate::gpu::{Arg, HostGpu, Launch};
use crate::stand_ins::Texture;

/// Creates a texture from its sizes, two switches, and texels of four words.
fn texture(size: [u32; 3], normalized: bool, linear: bool, texel: fn(u32) -> [u32; 4]) -> Texture {
    let texels: Vec<u32> = (0..size.iter().product()).flat_map(texel).collect();
    Texture::new(size, normalized, linear, &bytes(&texels)).unwrap()
}

fn float_texel(at: u32) -> [u32; 4] {
    [1.0, 10.0, 100.0, -1.0].map(|factor: f32| (factor * at as f32).to_bits())
}

/// Assembles a kernel whose work-items read `%texel` and store a vector of four from it. `%place` holds
/// coordinates.
fn reading(dimensions: usize, coordinate: &str, texel: &str, code: &str) -> Vec<u8> {
    let pointer = |ty: &str| ty.replacen('%', "%p_", 1);
    let declarations = format!(
        "%image = OpTypeImage %void {} 0 0 0 0 0 0
         %sampled = OpTypeSampledImage %image
         %zero = OpConstant %float 0
         %v4{coordinate} = OpTypeVector %{coordinate} 4",
        dimensions - 1
    );
    let declarations = declarations
        .replace("%v4float = OpTypeVector %float 4", "")
        .replace("%v4uint = OpTypeVector %uint 4", "");
    let code = format!(
        "%place.at = OpPtrAccessChain %p_v4{coordinate} %places %l
         %place = OpLoad %v4{coordinate} %place.at
         %from = OpConvertHandleToSampledImageINTEL %sampled %handle
         {code}
         %to = OpPtrAccessChain {0} %out %l
         OpStore %to %texel",
        pointer(texel)
    );
    let parameters = format!("{} %out, %ulong %handle, %p_v4{coordinate} %places", pointer(texel));
    kernel(&declarations, &parameters, &code).unwrap()
}

fn read(module: &[u8], texture: &Texture, places: Vec<u8>, size: usize) -> Vec<u8> {
    let gpu = HostGpu::new(&[module], &Options::default()).unwrap();
    let items = places.len() / 16;
    let handle = Arg::Value(bytes(&[texture.handle]));
    let args = [Arg::Buffer(vec![0; items * size]), handle, Arg::Buffer(places)];
    gpu.run(Launch::group(items as u64), &args).unwrap().remove(0)
}

const SAMPLE: &str = "%texel = OpImageSampleExplicitLod %v4float %from %place 2 %zero";

#[test]
#[ignore = "needs LLVM 14"]
fn an_image_is_sampled_at_its_coordinates() {
    for (dimensions, size) in [(1, [8, 1, 1]), (2, [4, 3, 1]), (3, [4, 3, 2])] {
        let module = reading(dimensions, "float", "%v4float", SAMPLE);
        let count = size.iter().product::<u32>();
        let place = |at: u32| {
            [at % size[0], at / size[0] % size[1], at / size[0] / size[1], 0].map(|axis| axis as f32 + 0.5)
        };
        // In the middle of each texel, with and without interpolation.
        for linear in [false, true] {
            let places: Vec<f32> = (0..count).flat_map(place).collect();
            let out = read(&module, &texture(size, false, linear, float_texel), bytes(&places), 16);
            let expected = (0..count).flat_map(float_texel).map(f32::from_bits);
            assert_eq!(numbers::<f32>(&out), expected.collect::<Vec<_>>(), "{dimensions}");
        }
    }
    // Between two texels, and with coordinates between 0 and 1.
    let module = reading(1, "float", "%v4float", SAMPLE);
    for (normalized, place) in [(false, 3.0_f32), (true, 0.375)] {
        let places = [place, 0.0, 0.0, 0.0];
        let out = read(&module, &texture([8, 1, 1], normalized, true, float_texel), bytes(&places), 16);
        assert_eq!(numbers::<f32>(&out), [2.5, 25.0, 250.0, -2.5]);
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn levels_and_gradients_are_taken_and_texels_have_other_types() {
    let size = [4, 2, 1];
    let places: Vec<f32> =
        (0..8).flat_map(|at| [(at % 4) as f32 + 0.5, (at / 4) as f32 + 0.5, 0.0, 0.0]).collect();
    let first: Vec<f32> = (0..8).map(|at| at as f32).collect();
    let level = "
        %level = OpCompositeExtract %float %place 0
        %texel = OpImageSampleExplicitLod %float %from %place 2 %level";
    let gradients = "%texel = OpImageSampleExplicitLod %float %from %place 4 %place %place";
    let half = "
        %small = OpImageSampleExplicitLod %half %from %place 2 %zero
        %texel = OpFConvert %float %small";
    for code in [level, gradients, half] {
        let module = reading(2, "float", "%float", code);
        let out = read(&module, &texture(size, false, false, float_texel), bytes(&places), 4);
        assert_eq!(numbers::<f32>(&out), first, "{code}");
    }
    let short =
        reading(2, "float", "%ushort", "%texel = OpImageSampleExplicitLod %ushort %from %place 2 %zero");
    let number = |at: u32| [at + 0x7_0000, 0, 0, 0];
    let out = read(&short, &texture(size, false, false, number), bytes(&places), 2);
    assert_eq!(numbers::<u16>(&out), (0..8).collect::<Vec<u16>>());
    let whole = |at: u32| [at, at + 100, 7, u32::MAX];
    let module =
        reading(2, "float", "%v4uint", "%texel = OpImageSampleExplicitLod %v4uint %from %place 2 %zero");
    let out = read(&module, &texture(size, false, false, whole), bytes(&places), 16);
    assert_eq!(numbers::<u32>(&out), (0..8).flat_map(whole).collect::<Vec<_>>());
}

/// The software driver reads the first level whatever the gradients are, so the text of the call has to do.
#[test]
fn a_texture_gets_the_gradient_along_x_before_that_along_y() {
    let declarations = "
        %image = OpTypeImage %void 0 0 0 0 0 0 0
        %sampled = OpTypeSampledImage %image
        %quarter = OpConstant %float 0.25
        %other = OpConstant %float 0.5
        %one = OpConstant %float 1.0";
    let code = "
        %from = OpConvertHandleToSampledImageINTEL %sampled %l
        %texel = OpImageSampleExplicitLod %float %from %one 4 %quarter %other
        OpStore %out %texel";
    let module = kernel(declarations, "%p_float %out", code).unwrap();
    let translation = translate(&[&module], &Options::default()).unwrap();
    // As LLVM spells 1, 0.25 and 0.5.
    let wanted = "float 0x3FF0000000000000, float 0x3FD0000000000000, float 0x3FE0000000000000)";
    let call = translation.ir.lines().find(|line| line.contains("call") && line.contains(".1d.grad."));
    assert!(call.is_some_and(|call| call.ends_with(wanted)), "{}", translation.ir);
    // So does the level, unless it is the first.
    let level = code.replace("4 %quarter %other", "2 %other");
    let ir = translate(&[&kernel(declarations, "%p_float %out", &level).unwrap()], &Options::default())
        .unwrap()
        .ir;
    let wanted = "float 0x3FF0000000000000, float 0x3FE0000000000000)";
    let call = ir.lines().find(|line| line.contains("call") && line.contains(".1d.level."));
    assert!(call.is_some_and(|call| call.ends_with(wanted)), "{ir}");
}

#[test]
#[ignore = "needs LLVM 14"]
fn a_texel_is_fetched_by_its_number() {
    let module = reading(2, "uint", "%v4float", "%texel = OpImageFetch %v4float %from %place");
    let places: Vec<u32> = (0..12).flat_map(|at| [at % 4, at / 4, 0, 0]).collect();
    let out = read(&module, &texture([4, 3, 1], true, true, float_texel), bytes(&places), 16);
    assert_eq!(numbers::<u32>(&out), (0..12).flat_map(float_texel).collect::<Vec<_>>());
}

#[test]
fn images_that_no_texture_object_is_are_refused() {
    let refused = |image: &str, parameter: &str, code: &str| {
        let declarations = format!(
            "%image = OpTypeImage %void {image} 0 0\n%sampled = OpTypeSampledImage %image\n%zero = OpConstant %float 0"
        );
        let module = kernel(&declarations, &format!("%p_float %out{parameter}"), code).unwrap();
        translate(&[&module], &Options::default()).unwrap().kernels.remove(0).refused.unwrap()
    };
    let convert = "%from = OpConvertHandleToSampledImageINTEL %sampled %l";
    // Dimensions, depth, array, samples, kind of sampling.
    for image in ["3 0 0 0 0", "1 0 1 0 0", "1 0 0 1 0"] {
        let reason = refused(image, "", convert);
        assert!(
            reason.ends_with("sampled images have 1, 2 or 3 dimensions on CUDA, and are not arrays or cubes"),
            "{reason}"
        );
    }
    let reason = refused("1 0 0 0 0", ", %sampled %given", "");
    assert!(
        reason.ends_with("images as arguments are not supported on CUDA, only their handles"),
        "{reason}"
    );
    let sample = format!(
        "{convert}\n%place = OpCompositeConstruct %v2float %zero %zero\n%t = OpImageSampleExplicitLod %v4float %from %place 8 %zero"
    );
    let reason = refused("1 0 0 0 0", "", &sample);
    assert!(
        reason.ends_with("an image is sampled with a level or with gradients, and nothing else"),
        "{reason}"
    );
}

#[test]
fn coordinates_and_operands_that_no_texture_takes_are_refused() {
    let reason = |dimensions, coordinate, code| {
        let module = reading(dimensions, coordinate, "%v4float", code);
        translate(&[&module], &Options::default()).unwrap().kernels.remove(0).refused.unwrap()
    };
    let level = "%texel = OpImageFetch %v4float %from %place 2 %u_1";
    assert!(reason(2, "uint", level).ends_with("a texel is fetched from the first level only"));
    let numbers = "%texel = OpImageSampleExplicitLod %v4float %from %place 2 %zero";
    assert!(reason(2, "uint", numbers).ends_with("an image is sampled at coordinates of type float"));
    let few = "%one = OpCompositeExtract %float %place 0
        %texel = OpImageSampleExplicitLod %v4float %from %one 2 %zero";
    let expected = "an image of 2 dimensions has as many coordinates";
    assert!(reason(2, "float", few).ends_with(expected));
}
