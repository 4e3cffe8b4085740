//! OpenCL.std on memory: vectors at any scalar's address, `half` in memory, prefetches.

use crate::code::body::{Body, emit};
use crate::code::convert::rounding_mode;
use crate::error::Step;
use crate::types::Kind;

impl Body<'_, '_> {
    /// Instructions on memory. Answers whether the instruction is one.
    pub(super) fn opencl_memory(&mut self, number: u32, operands: &[u32]) -> Step<bool> {
        let at = |place: usize| operands.get(place).copied().unwrap_or(0);
        match number {
            171 => self.load_scalars(at(1), at(0), false)?,
            173 | 174 | 179 => self.load_scalars(at(1), at(0), number == 179)?,
            172 => self.store_scalars(at(2), at(1), at(0), 0, false)?,
            175 | 177 => self.store_scalars(at(2), at(1), at(0), 0, false)?,
            176 | 178 => self.store_scalars(at(2), at(1), at(0), at(3), false)?,
            180 => self.store_scalars(at(2), at(1), at(0), 0, true)?,
            181 => self.store_scalars(at(2), at(1), at(0), at(3), true)?,
            182 | 183 => self.shuffle_by(operands)?,
            185 => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The address of the first scalar of a vector: the pointer moved by the offset in vectors of so many scalars. Answers the
    /// scalar's spelling, the pointer's type and value.
    fn scalars_at(&mut self, pointer: u32, offset: u32, stride: u32) -> Step<(String, String, String)> {
        let ty = self.type_of(pointer)?;
        let (_, pointee) = self.program.types.pointer(ty)?;
        let (scalar, pointer_type) = (self.text(pointee)?.to_owned(), self.text(ty)?.to_owned());
        let bits = self.int_bits(self.type_of(offset)?)?;
        let (value, offset) = (self.value(pointer)?, self.value(offset)?);
        let offset = self.resize(&offset, bits, 64);
        let first = self.new_value(format_args!("mul i64 {offset}, {stride}"));
        let address =
            self.new_value(format_args!("getelementptr {scalar}, {pointer_type} {value}, i64 {first}"));
        Ok((scalar, pointer_type, address))
    }

    fn stride(count: u32, aligned: bool) -> u32 {
        if aligned && count == 3 { 4 } else { count }
    }

    fn load_scalars(&mut self, pointer: u32, offset: u32, aligned: bool) -> Step {
        let ty = self.result_type();
        let (element, count) = self.program.types.scalar(ty)?;
        let width = count.unwrap_or(1);
        let (scalar, pointer, base) = self.scalars_at(pointer, offset, Self::stride(width, aligned))?;
        let (whole, element) = (self.text(ty)?.to_owned(), self.text(element)?.to_owned());
        let mut all = String::from("undef");
        for lane in 0..width {
            let address =
                self.new_value(format_args!("getelementptr {scalar}, {pointer} {base}, i32 {lane}"));
            let mut value = self.new_value(format_args!("load {scalar}, {pointer} {address}"));
            if scalar != element {
                if scalar != "half" {
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

    fn store_scalars(&mut self, pointer: u32, offset: u32, data: u32, mode: u32, aligned: bool) -> Step {
        let (element, count) = self.program.types.scalar(self.type_of(data)?)?;
        let width = count.unwrap_or(1);
        let (scalar, pointer, base) = self.scalars_at(pointer, offset, Self::stride(width, aligned))?;
        let bits = match *self.kind(element)? {
            Kind::Float(bits) => bits,
            _ => 0,
        };
        let element = self.text(element)?.to_owned();
        for lane in 0..width {
            let mut value = self.lane_of(data, lane)?;
            if scalar != element {
                if scalar != "half" || bits < 32 {
                    return Err("the memory holds other numbers than the operand".into());
                }
                value = match mode {
                    0 => self.new_value(format_args!("fptrunc {element} {value} to half")),
                    _ => {
                        let helper =
                            self.helpers.conversion(&format!("f{bits}"), "f16", rounding_mode(mode)?)?;
                        self.new_value(format_args!("call half @{helper}({element} {value})"))
                    }
                };
            }
            let address =
                self.new_value(format_args!("getelementptr {scalar}, {pointer} {base}, i32 {lane}"));
            emit!(self, "store {scalar} {value}, {pointer} {address}");
        }
        Ok(())
    }

    /// The scalars of one or two vectors in the order that another vector says.
    fn shuffle_by(&mut self, operands: &[u32]) -> Step {
        let Some((&mask, sources)) = operands.split_last() else {
            return Err("an operand is missing".into());
        };
        let ty = self.result_type();
        let (element, count) = self.program.types.scalar(ty)?;
        let count = count.ok_or("a vector is expected")?;
        let (whole, element) = (self.text(ty)?.to_owned(), self.text(element)?.to_owned());
        let first = sources.first().copied().unwrap_or(0);
        let source_type = self.type_of(first)?;
        let width = self.program.types.scalar(source_type)?.1.ok_or("a vector is expected")?;
        let source_text = self.text(source_type)?.to_owned();
        let mask_type = self.text(self.program.types.scalar(self.type_of(mask)?)?.0)?.to_owned();
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
                value = match place {
                    0 => part,
                    _ => {
                        let bit = self
                            .new_value(format_args!("and {mask_type} {from}, {}", width.next_power_of_two()));
                        let second = self.new_value(format_args!("icmp ne {mask_type} {bit}, 0"));
                        self.new_value(format_args!(
                            "select i1 {second}, {element} {part}, {element} {value}"
                        ))
                    }
                };
            }
            all = self.new_value(format_args!("insertelement {whole} {all}, {element} {value}, i32 {lane}"));
        }
        self.copy(ty, &all)
    }
}
