//! Bindless sampled images, whose handles are CUDA's texture objects.

use sycl_pi_image::spirv::ImageOperands;

use crate::code::body::Body;
use crate::error::Result;
use crate::types::TypeKind;

/// The level of detail at which a texture is read.
enum Level {
    /// The base level.
    First,
    Of(String),
    /// The level that follows from the derivatives of the coordinates along x and y.
    Distances([Vec<String>; 2]),
}

impl Body<'_, '_> {
    /// `SPV_INTEL_bindless_images`, OpConvertHandleToSampledImageINTEL.
    pub(crate) fn sampled_image_of_handle(&mut self) -> Result<()> {
        let handle = self.operand(2);
        if self.int_bits(self.type_of(handle)?)? != 64 {
            return Err("a handle of an image has 64 bits on CUDA".into());
        }
        self.image_dimensions(self.result_type())?;
        let handle = self.value(handle)?;
        self.copy(self.result_type(), &handle)
    }

    /// SPIR-V specification, OpImageSampleExplicitLod: the texel at a coordinate, filtered as the sampler requires.
    pub(crate) fn sample_image(&mut self) -> Result<()> {
        let dimensions = self.image_dimensions(self.type_of(self.operand(2))?)?;
        let place = self.image_place(self.operand(3), dimensions)?;
        let is_float = matches!(
            self.kind(self.program.types.scalar(self.type_of(self.operand(3))?)?.0)?,
            TypeKind::Float(32)
        );
        if !is_float {
            return Err("an image is sampled at coordinates of type float".into());
        }
        let level = self.image_level(dimensions)?;
        self.read_texture(dimensions, "f32", &place, &level)
    }

    /// SPIR-V specification, OpImageFetch: the texel with these indices.
    pub(crate) fn fetch_image(&mut self) -> Result<()> {
        let dimensions = self.image_dimensions(self.type_of(self.operand(2))?)?;
        let place = self.image_place(self.operand(3), dimensions)?;
        if self.int_bits(self.type_of(self.operand(3))?)? != 32 {
            return Err("a texel is fetched by numbers of 32 bits".into());
        }
        if self.operand(4) != ImageOperands::NONE.bits() {
            return Err("a texel is fetched from the first level only".into());
        }
        self.read_texture(dimensions, "s32", &place, &Level::First)
    }

    fn image_dimensions(&self, ty: u32) -> Result<u32> {
        match *self.kind(ty)? {
            TypeKind::SampledImage { dimensions } => Ok(dimensions),
            _ => Err("a sampled image is expected".into()),
        }
    }

    /// Returns as many coordinates as the image has dimensions; vectors may have more.
    fn image_place(&mut self, id: u32, dimensions: u32) -> Result<Vec<String>> {
        if self.program.types.scalar(self.type_of(id)?)?.1.unwrap_or(1) < dimensions {
            return Err(format!("an image of {dimensions} dimensions has as many coordinates").into());
        }
        (0..dimensions).map(|axis| self.lane_of(id, axis)).collect()
    }

    fn image_level(&mut self, dimensions: u32) -> Result<Level> {
        let operands = ImageOperands::from_bits_retain(self.operand(4));
        if operands == ImageOperands::LOD {
            let level = self.operand(5);
            let is_zero = self.program.constants.get(level).is_some_and(|constant| constant.is_zero());
            return Ok(if is_zero { Level::First } else { Level::Of(self.value(level)?) });
        }
        if operands == ImageOperands::GRAD {
            let along = [
                self.image_place(self.operand(5), dimensions)?,
                self.image_place(self.operand(6), dimensions)?,
            ];
            return Ok(Level::Distances(along));
        }
        Err("an image is sampled with a level or with gradients, and nothing else".into())
    }

    /// Sets the result to a texel, or to its first component.
    fn read_texture(
        &mut self,
        dimensions: u32,
        coordinate: &str,
        place: &[String],
        level: &Level,
    ) -> Result<()> {
        let ty = self.result_type();
        let (element, count) = self.program.types.scalar(ty)?;
        let (component, suffix, narrow) = match *self.kind(element)? {
            TypeKind::Float(32) => ("float", "f32", None),
            TypeKind::Float(16) => ("float", "f32", Some("fptrunc")),
            TypeKind::Int(32) => ("i32", "u32", None),
            TypeKind::Int(8 | 16) => ("i32", "u32", Some("trunc")),
            _ => return Err("the components of a texel have 32 bits or fewer".into()),
        };
        let number = if coordinate == "f32" { "float" } else { "i32" };
        let (mut values, mut word) = (place.to_vec(), "");
        match level {
            Level::First => {}
            Level::Of(level) => {
                values.push(level.clone());
                word = ".level";
            }
            Level::Distances(along) => {
                values.extend(along.iter().flatten().cloned());
                word = ".grad";
            }
        }
        let function = format!("llvm.nvvm.tex.unified.{dimensions}d{word}.v4{suffix}.{coordinate}");
        let texel = format!("{{ {0}, {0}, {0}, {0} }}", component);
        let parameters = vec![number; values.len()].join(", ");
        self.helpers.declare(&texel, &function, &format!("i64, {parameters}"), "nounwind readnone");
        let image = self.value(self.operand(2))?;
        let values: String = values.iter().map(|value| format!(", {number} {value}")).collect();
        let all = self.new_value(format_args!("call {texel} @{function}(i64 {image}{values})"));
        let (whole, element) = (self.type_text(ty)?.to_owned(), self.type_text(element)?.to_owned());
        let mut result = String::from("undef");
        for at in 0..count.unwrap_or(1) {
            let mut value = self.new_value(format_args!("extractvalue {texel} {all}, {at}"));
            if let Some(narrow) = narrow {
                value = self.new_value(format_args!("{narrow} {component} {value} to {element}"));
            }
            result = match count {
                None => value,
                Some(2..=4) => self
                    .new_value(format_args!("insertelement {whole} {result}, {element} {value}, i32 {at}")),
                Some(_) => return Err("a texel has at most 4 components".into()),
            };
        }
        self.copy(ty, &result)
    }
}
