//! A SPIR-V module as instructions.

use std::ops::Range;

use rspirv::spirv::{Decoration, LinkageType, MAGIC_NUMBER, Op};
use sycl_pi_host_process::{OutOfMemory, copy_of, reserve, room};

use crate::{Inst, SpirvError, continued, grammar, groups, read};

/// A SPIR-V module with a valid header and valid instruction lengths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    words: Vec<u32>,
    /// The start of each instruction. A continuation belongs to the instruction that it continues.
    starts: Vec<u32>,
    /// The operands of continued instructions, by their numbers.
    continued: Vec<(u32, Vec<u32>)>,
}

impl Module {
    /// Parses a module of either byte order.
    pub fn parse(bytes: &[u8]) -> Result<Self, SpirvError> {
        Self::from_words(read::words(bytes)?)
    }

    /// Creates a module from words. Groups of decorations are expanded.
    pub fn from_words(words: Vec<u32>) -> Result<Self, SpirvError> {
        let &[magic, version, _generator, bound, schema, ..] = words.as_slice() else {
            return Err(SpirvError::at(words.len(), "the header of 5 words is incomplete"));
        };
        if magic != MAGIC_NUMBER {
            return Err(SpirvError::at(0, "this is not SPIR-V: it does not start with 0x07230203"));
        }
        if version & 0xff00_00ff != 0 || version >> 16 != 1 {
            return Err(SpirvError::at(
                1,
                format!("version word {version:#010x} does not belong to SPIR-V 1"),
            ));
        }
        // Every id needs an instruction, which has at least two words. The specification's own limit is 4,194,303.
        if bound == 0 || bound as usize > words.len().max(4_194_304) {
            return Err(SpirvError::at(3, format!("a bound of {bound} is impossible")));
        }
        if schema != 0 {
            return Err(SpirvError::at(4, format!("instruction schema {schema} is not known")));
        }
        if u32::try_from(words.len()).is_err() {
            return Err(SpirvError::whole("the module has more than 4 billion words"));
        }
        // Instructions have four words on average. If all of them have one word, the list grows later.
        let mut starts: Vec<u32> = room(words.len() / 4)?;
        let mut continued: Vec<(u32, Vec<u32>)> = Vec::new();
        let mut has_groups = false;
        for place in read::places(&words) {
            let Range { start, end } = place?;
            let opcode = words.get(start).map_or(0, |first| *first as u16);
            match continued::continues(opcode) {
                Some(whole) => {
                    let part = words.get(start + 1..end).unwrap_or_default();
                    add_part(&words, &starts, &mut continued, whole, part)?.ok_or_else(|| {
                        let name = grammar::name(opcode).unwrap_or_default();
                        SpirvError::at(start, format!("Op{name} continues no instruction"))
                    })?;
                }
                None => {
                    reserve(&mut starts, 1)?;
                    starts.push(start as u32);
                }
            }
            has_groups |= groups::is_of_group(opcode);
        }
        let module = Self { words, starts, continued };
        if !has_groups {
            return Ok(module);
        }
        Self::from_words(groups::write_out(&module.words, || module.instructions())?)
    }

    /// Returns the words, including the header.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// Returns the module as a little-endian file.
    pub fn to_bytes(&self) -> Result<Vec<u8>, SpirvError> {
        let mut bytes = room(self.words.len().saturating_mul(4))?;
        self.words.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
        Ok(bytes)
    }

    /// Returns the major and minor version.
    pub fn version(&self) -> (u8, u8) {
        let [_, minor, major, _] = self.header(1).to_le_bytes();
        (major, minor)
    }

    /// Returns one more than the greatest id.
    pub fn bound(&self) -> u32 {
        self.header(3)
    }

    /// Returns a word of the header.
    pub fn header(&self, at: usize) -> u32 {
        self.words.get(at).copied().unwrap_or(0)
    }

    /// Returns the number of instructions.
    pub fn len(&self) -> u32 {
        self.starts.len() as u32
    }

    /// Returns whether there are no instructions.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Returns the instruction with this number.
    pub fn inst(&self, number: u32) -> Option<Inst<'_>> {
        let word = *self.starts.get(number as usize)? as usize;
        let first = *self.words.get(word)?;
        let operands = match self.continued.binary_search_by_key(&number, |(number, _)| *number) {
            Ok(at) => &self.continued.get(at)?.1,
            Err(_) => self.words.get(word + 1..word + (first >> 16) as usize)?,
        };
        Some(Inst::new(first as u16, operands, number, word))
    }

    /// Iterates over all instructions.
    pub fn instructions(&self) -> impl Iterator<Item = Inst<'_>> {
        self.range(0, self.len())
    }

    /// Returns whether any id has a `SpecId`, which decides whether constants can be set, without reading the rest.
    pub fn has_spec_ids(&self) -> bool {
        let gives =
            |inst: Inst<'_>| inst.opcode == Op::Decorate && inst.decoration() == Some(Decoration::SpecId);
        self.instructions().any(gives)
    }

    /// Returns the names of imported symbols, without reading the rest.
    pub fn imported_names(&self) -> impl Iterator<Item = String> + '_ {
        const IMPORT: u32 = LinkageType::Import as u32;
        let linkage = self.instructions().filter(|inst| {
            inst.opcode == Op::Decorate && inst.decoration() == Some(Decoration::LinkageAttributes)
        });
        let names = linkage.filter_map(|inst| inst.text(2).map(|(name, after)| (name, inst.operand(after))));
        names.filter(|(_, kind)| *kind == IMPORT).map(|(name, _)| name)
    }

    /// Iterates over the instructions from one number up to another.
    pub fn range(&self, from: u32, to: u32) -> impl Iterator<Item = Inst<'_>> {
        (from..to).map_while(|number| self.inst(number))
    }
}

/// Appends operands to the last instruction if they continue it.
fn add_part(
    words: &[u32],
    starts: &[u32],
    continued: &mut Vec<(u32, Vec<u32>)>,
    opcode: u16,
    part: &[u32],
) -> Result<Option<()>, OutOfMemory> {
    let Some((number, start)) = starts.len().checked_sub(1).zip(starts.last().copied()) else {
        return Ok(None);
    };
    let number = number as u32;
    let Some(first) = words.get(start as usize).filter(|&&first| first as u16 == opcode) else {
        return Ok(None);
    };
    match continued.last_mut().filter(|(last, _)| *last == number) {
        Some((_, operands)) => {
            reserve(operands, part.len())?;
            operands.extend(part);
        }
        None => {
            let start = start as usize;
            let own = words.get(start + 1..start + (first >> 16) as usize).unwrap_or_default();
            let mut operands = copy_of(own)?;
            reserve(&mut operands, part.len())?;
            operands.extend(part);
            continued.push((number, operands));
        }
    }
    Ok(Some(()))
}
