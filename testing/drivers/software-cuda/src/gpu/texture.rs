//! Reads of textures. Coordinates beyond the edge are clamped to the edge. Levels and gradients have no effect.

use crate::array::{Texture, texture};
use crate::{INVALID_VALUE, faults};

/// Reads a texel of four words. The fake libnvvm calls it for NVVM's intrinsics.
///
/// # Safety
///
/// Called by a kernel, with as many coordinates as dimensions, and room for a texel.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpu_texture(
    handle: u64,
    dimensions: u32,
    is_float: u32,
    coordinates: *const f64,
    out: *mut [u32; 4],
) {
    let Some(texture) = texture(handle) else {
        return faults::lose(INVALID_VALUE);
    };
    // SAFETY: guaranteed by the caller.
    unsafe {
        let coordinates = std::slice::from_raw_parts(coordinates, dimensions as usize);
        out.write(read(&texture, coordinates, is_float != 0));
    }
}

fn read(texture: &Texture, coordinates: &[f64], is_float: bool) -> [u32; 4] {
    let (mut first, mut part) = ([0_i64; 3], [0.0; 3]);
    let linear = is_float && texture.linear;
    for (axis, coordinate) in coordinates.iter().enumerate() {
        let scale = if is_float && texture.normalized { texture.size[axis] as f64 } else { 1.0 };
        let at = coordinate * scale - if linear { 0.5 } else { 0.0 };
        first[axis] = at.floor() as i64;
        part[axis] = at - at.floor();
    }
    if !linear {
        return texel(texture, first);
    }
    let mut sum = [0.0; 4];
    for corner in 0..1_usize << coordinates.len() {
        let (mut at, mut share) = (first, 1.0);
        for axis in 0..coordinates.len() {
            let further = corner >> axis & 1 == 1;
            at[axis] += i64::from(further);
            share *= if further { part[axis] } else { 1.0 - part[axis] };
        }
        for (sum, word) in sum.iter_mut().zip(texel(texture, at)) {
            *sum += share * f64::from(f32::from_bits(word));
        }
    }
    sum.map(|value| (value as f32).to_bits())
}

fn texel(texture: &Texture, at: [i64; 3]) -> [u32; 4] {
    let place = |axis: usize| at[axis].clamp(0, texture.size[axis] as i64 - 1) as usize;
    let [width, height, _] = texture.size;
    // SAFETY: a position inside the array.
    unsafe { texture.texels.add((place(2) * height + place(1)) * width + place(0)).read_unaligned() }
}
