//! OpenCL.std's functions on memory: vectors at scalar-aligned addresses, `half` in memory, prefetches.

use sycl_pi_image::spirv::FPRoundingMode;

use crate::code::body::Body;
use crate::code::convert::rounding_mode;
use crate::error::Result;
use crate::helpers::conversions::Number;
use crate::types::TypeKind;

/// The distance between vectors in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VectorStride {
    /// Vectors are contiguous.
    Packed,
    /// A vector of three occupies the space of four.
    Aligned,
}

impl VectorStride {
    /// Returns the distance, in scalars, of vectors with this many elements.
    fn scalars(self, count: u32) -> u32 {
        if self == Self::Aligned && count == 3 { 4 } else { count }
    }
}

/// A pointer to scalars in memory.
struct ScalarPointer {
    /// The spelling of the scalar's type.
    scalar: String,
    is_half: bool,
    /// The spelling of its own type.
    ty: String,
    value: String,
}

impl Body<'_, '_> {
    /// Returns the address of the first scalar of a vector: the pointer plus the offset, which counts vectors of
    /// `stride` scalars.
    fn scalars_at(&mut self, pointer: u32, offset: u32, stride: u32) -> Result<ScalarPointer> {
        let ty = self.type_of(pointer)?;
        let (_, pointee) = self.program.types.pointer(ty)?;
        let (scalar, pointer_type) = (self.type_text(pointee)?.to_owned(), self.type_text(ty)?.to_owned());
        let bits = self.int_bits(self.type_of(offset)?)?;
        let (value, offset) = (self.value(pointer)?, self.value(offset)?);
        let offset = self.resize(&offset, bits, 64);
        let first = self.new_value(format_args!("mul i64 {offset}, {stride}"));
        let address =
            self.new_value(format_args!("getelementptr {scalar}, {pointer_type} {value}, i64 {first}"));
        let is_half = *self.kind(pointee)? == TypeKind::Float(16);
        Ok(ScalarPointer { scalar, is_half, ty: pointer_type, value: address })
    }

    /// `vload`: offset, pointer.
    pub(super) fn load_scalars(&mut self, stride: VectorStride, operands: &[u32]) -> Result<()> {
        let [offset, from] = [0, 1].map(|place| operands.get(place).copied().unwrap_or(0));
        let ty = self.result_type();
        let (element, count) = self.program.types.scalar(ty)?;
        let width = count.unwrap_or(1);
        let ScalarPointer { scalar, is_half, ty: pointer, value: base } =
            self.scalars_at(from, offset, stride.scalars(width))?;
        let (whole, element) = (self.type_text(ty)?.to_owned(), self.type_text(element)?.to_owned());
        let mut all = String::from("undef");
        for lane in 0..width {
            let address =
                self.new_value(format_args!("getelementptr {scalar}, {pointer} {base}, i32 {lane}"));
            let mut value = self.load_scalar(from, &scalar, (&pointer, &address))?;
            if scalar != element {
                if !is_half {
                    return Err("the memory holds other numbers than the result".into());
                }
                value = self.new_value(format_args!("fpext half {value} to {element}"));
            }
            all = match count {
                None => value,
                Some(_) => {
                    self.new_value(format_args!("insertelement {whole} {all}, {element} {value}, i32 {lane}"))
                }
            };
        }
        self.copy(ty, &all)
    }

    /// `vstore`: data, offset, pointer.
    pub(super) fn store_scalars(&mut self, stride: VectorStride, operands: &[u32]) -> Result<()> {
        self.store_with(FPRoundingMode::RTE, stride, operands)
    }

    /// `vstore` with a rounding mode as its last operand.
    pub(super) fn store_scalars_rounded(&mut self, stride: VectorStride, operands: &[u32]) -> Result<()> {
        let mode = rounding_mode(operands.get(3).copied().unwrap_or(0))?;
        self.store_with(mode, stride, operands)
    }

    fn store_with(&mut self, mode: FPRoundingMode, stride: VectorStride, operands: &[u32]) -> Result<()> {
        let [data, offset, to] = [0, 1, 2].map(|place| operands.get(place).copied().unwrap_or(0));
        let (element, count) = self.program.types.scalar(self.type_of(data)?)?;
        let width = count.unwrap_or(1);
        let ScalarPointer { scalar, is_half, ty: pointer, value: base } =
            self.scalars_at(to, offset, stride.scalars(width))?;
        let bits = match *self.kind(element)? {
            TypeKind::Float(bits) => bits,
            _ => 0,
        };
        let element = self.type_text(element)?.to_owned();
        for lane in 0..width {
            let mut value = self.lane_of(data, lane)?;
            if scalar != element {
                if !is_half || bits < 32 {
                    return Err("the memory holds other numbers than the operand".into());
                }
                value = match mode {
                    FPRoundingMode::RTE => self.new_value(format_args!("fptrunc {element} {value} to half")),
                    _ => {
                        let helper = self.helpers.conversion(Number::Float(bits), Number::Float(16), mode)?;
                        self.new_value(format_args!("call half @{helper}({element} {value})"))
                    }
                };
            }
            let address =
                self.new_value(format_args!("getelementptr {scalar}, {pointer} {base}, i32 {lane}"));
            self.store_scalar(to, (&scalar, &value), (&pointer, &address))?;
        }
        Ok(())
    }

    /// Selects scalars of one or two vectors in the order that another vector gives.
    pub(super) fn shuffle_by_mask(&mut self, operands: &[u32]) -> Result<()> {
        let Some((&mask, sources)) = operands.split_last() else {
            return Err("an operand is missing".into());
        };
        let ty = self.result_type();
        let (element, count) = self.program.types.scalar(ty)?;
        let count = count.ok_or("a vector is expected")?;
        let (whole, element) = (self.type_text(ty)?.to_owned(), self.type_text(element)?.to_owned());
        let first = sources.first().copied().unwrap_or(0);
        let source_type = self.type_of(first)?;
        let width = self.program.types.scalar(source_type)?.1.ok_or("a vector is expected")?;
        let source_text = self.type_text(source_type)?.to_owned();
        let mask_type = self.type_text(self.program.types.scalar(self.type_of(mask)?)?.0)?.to_owned();
        let mut all = String::from("undef");
        for lane in 0..count {
            let from = self.lane_of(mask, lane)?;
            let inner =
                self.new_value(format_args!("and {mask_type} {from}, {}", width.next_power_of_two() - 1));
            let mut value = String::new();
            for (place, &source) in sources.iter().enumerate() {
                let vector = self.value(source)?;
                let part = self
                    .new_value(format_args!("extractelement {source_text} {vector}, {mask_type} {inner}"));
                value = if place == 0 {
                    part
                } else {
                    let bit =
                        self.new_value(format_args!("and {mask_type} {from}, {}", width.next_power_of_two()));
                    let second = self.new_value(format_args!("icmp ne {mask_type} {bit}, 0"));
                    self.new_value(format_args!("select i1 {second}, {element} {part}, {element} {value}"))
                };
            }
            all = self.new_value(format_args!("insertelement {whole} {all}, {element} {value}, i32 {lane}"));
        }
        self.copy(ty, &all)
    }
}
