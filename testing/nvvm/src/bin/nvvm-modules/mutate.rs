//! Writes mutated modules with columns of input numbers to a folder.

use std::fs;

use anyhow::Result;
use testing_nvvm::{Random, mutant};

use crate::MutateArgs;

/// The count of numbers in all columns.
const NUMBERS: usize = 3 * 64;

/// Writes `NUMBER.TYPE.spv`, `NUMBER.columns`, and `NUMBER.text` with the code.
pub(crate) fn run(args: &MutateArgs) -> Result<()> {
    fs::create_dir_all(&args.folder)?;
    for number in 0..args.count {
        let mut random = Random::new(args.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mutant = mutant(&mut random)?;
        let file = |end: &str| args.folder.join(format!("{number}.{end}"));
        fs::write(file(&format!("{}.spv", mutant.ty)), &mutant.module)?;
        fs::write(file("text"), &mutant.text)?;
        let columns = (0..NUMBERS).flat_map(|_| value(mutant.ty, &mut random));
        fs::write(file("columns"), columns.collect::<Vec<u8>>())?;
    }
    Ok(())
}

/// Returns the bytes of a number. One in four is at a limit of its type.
fn value(ty: &str, random: &mut Random) -> Vec<u8> {
    const FLOATS: [f64; 8] = [0.0, -0.0, 1.0, -1.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 16_777_217.0];
    const INTEGERS: [i64; 8] = [0, 1, -1, i64::MAX, i64::MIN, 0x7f, 0x8000, 0x8000_0000];
    let special = random.below(4) == 0;
    let (word, at) = (random.number(), random.below(8));
    let float = if special {
        FLOATS.get(at).copied().unwrap_or_default()
    } else {
        // Sixteen bits before and after the binary point.
        f64::from(word as i32) / 65536.0
    };
    let integer = if special { INTEGERS.get(at).copied().unwrap_or_default() } else { word as i64 };
    match ty {
        "float" => (float as f32).to_le_bytes().to_vec(),
        "double" => float.to_le_bytes().to_vec(),
        "uchar" => vec![integer as u8],
        "ushort" => (integer as u16).to_le_bytes().to_vec(),
        "uint" => (integer as u32).to_le_bytes().to_vec(),
        _ => integer.to_le_bytes().to_vec(),
    }
}
