//! `pi image specialize`

use std::collections::HashMap;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use sycl_pi_image::Properties;
use sycl_pi_image::derive::derive;
use sycl_pi_image::property::PADDING;
use sycl_pi_image::spirv::{Index, Module, Reflection, SpecScalar, specialize};

use sycl_pi_image::text::write_prop;

use super::file;
use crate::output::{CommandStatus, Output};
use crate::written::{Written, has_neighbours};

#[derive(Args)]
pub struct SpecializeArguments {
    /// The SPIR-V file.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The constants' values.
    #[arg(value_name = "CONSTANT=VALUE")]
    pub values: Vec<String>,
    /// The file to write.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Fix all other constants at their defaults.
    #[arg(long)]
    pub all: bool,
}

pub fn run(arguments: &SpecializeArguments, output: &mut Output) -> Result<CommandStatus> {
    let name = arguments.file.display().to_string();
    file::check_spirv_output(&arguments.output)?;
    let original = file::original(&arguments.file)?;
    let module = Module::parse(&original.code).map_err(|error| error.in_file(&name))?;
    let index = Index::new(&module).map_err(|error| error.in_file(&name))?;
    let reflection = Reflection::of(&index).map_err(|error| error.in_file(&name))?;
    let properties = original.carried_to(derive(&original.code).map_err(|error| error.in_file(&name))?);
    let mut values = HashMap::new();
    for word in &arguments.values {
        let (constant, value) =
            word.split_once('=').with_context(|| format!("{word} is not written CONSTANT=VALUE"))?;
        let number = match constant.parse::<u32>() {
            Ok(number) => Some(number),
            Err(_) => id_by_property(&properties, constant)?,
        };
        let mut scalars = reflection.spec_scalars.iter();
        let named = |scalar: &SpecScalar| index.name(scalar.id).as_deref() == Some(constant);
        let scalar = scalars.find(|scalar| Some(scalar.spec_id) == number || named(scalar));
        let scalar =
            scalar.with_context(|| format!("{name}: there is no specialization constant {constant}"))?;
        let bytes = in_bytes(value, scalar)
            .with_context(|| format!("{word}: the constant is of type {}", scalar.type_name))?;
        if values.insert(scalar.spec_id, bytes).is_some() {
            bail!("constant {constant} has two values");
        }
    }
    let made = specialize(&index, &values, arguments.all).map_err(|error| error.in_file(&name))?;
    let mut written = Written::apart_from(original.files.iter().map(PathBuf::as_path));
    let bytes = made.to_bytes()?;
    written.add(&arguments.output, &bytes)?;
    if original.has_file() && has_neighbours(&arguments.output) {
        let properties = original.carried_to(derive(&bytes).map_err(|error| error.in_file(&name))?);
        let path = arguments.output.with_extension("prop");
        written.add(&path, write_prop(&path.display().to_string(), &properties.encode())?.as_bytes())?;
    }
    written.finish()?;
    let fixed = if arguments.all { reflection.spec_scalars.len() } else { values.len() };
    let left = reflection.spec_scalars.len() - fixed;
    if output.is_json() {
        output.value(&serde_json::json!({ "file": arguments.output, "fixed": fixed, "left": left }))?;
    } else {
        output.line(format!("{}: {fixed} constants fixed, {left} left", arguments.output.display()))?;
    }
    Ok(CommandStatus::Fine)
}

/// Returns the id of the constant that `pi image show` prints with this name, if there is one.
fn id_by_property(properties: &Properties, name: &str) -> Result<Option<u32>> {
    let Some(constant) = properties.spec_constants.iter().find(|constant| constant.name == name) else {
        return Ok(None);
    };
    let ids: Vec<u32> = constant.leaves.iter().map(|leaf| leaf.id).filter(|&id| id != PADDING).collect();
    match ids.as_slice() {
        [id] => Ok(Some(*id)),
        ids => bail!("constant {name} is a structure: set its scalars by their ids, {ids:?}"),
    }
}

/// Converts a value to the bytes of the constant's type.
fn in_bytes(value: &str, scalar: &SpecScalar) -> Result<Vec<u8>> {
    let size = scalar.default.len();
    match scalar.type_name.as_str() {
        "float" => return Ok(value.parse::<f32>()?.to_le_bytes().to_vec()),
        "double" => return Ok(value.parse::<f64>()?.to_le_bytes().to_vec()),
        "half" => return Ok(half(value.parse()?).to_le_bytes().to_vec()),
        _ => {}
    }
    // C++'s bool is an 8-bit integer in most code.
    let value = match value {
        "true" => "1",
        "false" => "0",
        other => other,
    };
    let hex = value.strip_prefix("0x").map(|digits| i128::from_str_radix(digits, 16));
    let number = hex.unwrap_or_else(|| value.parse::<i128>())?;
    let bits = size as u32 * 8;
    if number < -(1_i128 << (bits - 1)) || number >= 1_i128 << bits {
        bail!("{value} does not fit {bits} bits");
    }
    Ok(number.to_le_bytes().into_iter().take(size).collect())
}

/// Returns the bits of the nearest half-precision number, or of the even one if two are equally near.
fn half(value: f64) -> u16 {
    const INFINITY: u16 = 0x7c00;
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = value.abs();
    if value.is_nan() {
        return sign | 0x7e00;
    }
    // The distance between neighbouring numbers: 2^-24 below 2^-14, where they are subnormal.
    let exponent = (((magnitude.to_bits() >> 52) as i32) - 1023).clamp(-14, 16);
    let steps = (magnitude / 2.0_f64.powi(exponent - 10)).round_ties_even();
    if exponent > 15 || (exponent == 15 && steps >= 2048.0) {
        return sign | INFINITY;
    }
    // 1024 steps and more carry into the exponent.
    let below = if exponent == -14 { 0 } else { (exponent + 14) as u16 };
    sign | ((below << 10) + steps as u16)
}

#[cfg(test)]
mod tests {
    use super::half;

    #[test]
    fn halves_are_the_nearest() {
        let known = [
            (0.0, 0x0000),
            (-0.0, 0x8000),
            (1.0, 0x3c00),
            (-2.0, 0xc000),
            (0.1, 0x2e66),
            (65504.0, 0x7bff),
            (65519.0, 0x7bff),
            (65520.0, 0x7c00),
            (1e9, 0x7c00),
            (6.103515625e-5, 0x0400),
            (6.097555160522461e-5, 0x03ff),
            (5.960464477539063e-8, 0x0001),
            (2.980232238769531e-8, 0x0000),
            (1.0 + 1.0 / 2048.0, 0x3c00),
            (1.0 + 3.0 / 2048.0, 0x3c02),
            (2047.9, 0x6800),
            (f64::INFINITY, 0x7c00),
        ];
        for (value, bits) in known {
            assert_eq!(half(value), bits, "{value}");
        }
        assert_eq!(half(f64::NAN) & 0x7e00, 0x7e00);
    }
}
