//! Builds a module section by section.

use rspirv::spirv::{MAGIC_NUMBER, Op};

use super::Inst;
use super::Module;
use super::SpirvError;
use super::continued;
use crate::room::reserve;

/// The sections of a module ("2.4 Logical Layout of a Module").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Section {
    Capability,
    Extension,
    ExtInstImport,
    MemoryModel,
    EntryPoint,
    ExecutionMode,
    Source,
    Name,
    Processed,
    Annotation,
    /// Types, constants, variables.
    Global,
    Declaration,
    Definition,
}

const SECTIONS: usize = Section::Definition as usize + 1;

impl Section {
    /// Returns the section to which an instruction outside functions belongs.
    pub(super) fn for_opcode(opcode: Op) -> Self {
        match opcode {
            Op::Capability => Section::Capability,
            Op::Extension => Section::Extension,
            Op::ExtInstImport => Section::ExtInstImport,
            Op::MemoryModel => Section::MemoryModel,
            Op::EntryPoint => Section::EntryPoint,
            Op::ExecutionMode | Op::ExecutionModeId => Section::ExecutionMode,
            Op::SourceContinued | Op::Source | Op::SourceExtension | Op::String => Section::Source,
            Op::Name | Op::MemberName => Section::Name,
            Op::ModuleProcessed => Section::Processed,
            Op::Decorate
            | Op::MemberDecorate
            | Op::DecorationGroup
            | Op::GroupDecorate
            | Op::GroupMemberDecorate
            | Op::DecorateId
            | Op::DecorateString
            | Op::MemberDecorateString => Section::Annotation,
            _ => Section::Global,
        }
    }
}

/// A module that is being built.
#[derive(Debug, Default)]
pub(super) struct Builder {
    sections: [Vec<u32>; SECTIONS],
    /// The greatest id in use.
    last_id: u32,
}

impl Builder {
    /// Creates a builder for a module that keeps its ids. New ids start after this one.
    pub(super) fn after(last_id: u32) -> Self {
        Self { last_id, ..Self::default() }
    }

    /// Allocates a new id.
    pub(super) fn id(&mut self) -> Result<u32, SpirvError> {
        let next = self.last_id.checked_add(1).filter(|&id| id < u32::MAX);
        self.last_id = next.ok_or_else(|| SpirvError::whole("there are no ids left"))?;
        Ok(self.last_id)
    }

    /// Adds an instruction.
    pub(super) fn push(
        &mut self,
        section: Section,
        opcode: Op,
        operands: impl IntoIterator<Item = u32>,
    ) -> Result<(), SpirvError> {
        self.push_raw(section, opcode as u16, operands)
    }

    /// Adds a copy of an instruction, which may be unknown to the grammar, with other operands.
    pub(super) fn copy(
        &mut self,
        section: Section,
        inst: &Inst<'_>,
        operands: impl IntoIterator<Item = u32>,
    ) -> Result<(), SpirvError> {
        self.push_raw(section, inst.raw_opcode, operands)
    }

    fn push_raw(
        &mut self,
        section: Section,
        opcode: u16,
        operands: impl IntoIterator<Item = u32>,
    ) -> Result<(), SpirvError> {
        let Some(words) = self.sections.get_mut(section as usize) else { return Ok(()) };
        continued::write_raw(words, opcode, operands)
    }

    /// Returns the finished module.
    pub(super) fn finish(self, version: u32, generator: u32) -> Result<Module, SpirvError> {
        let mut words = vec![MAGIC_NUMBER, version, generator, self.last_id.saturating_add(1), 0];
        reserve(&mut words, self.sections.iter().map(Vec::len).sum())?;
        words.extend(self.sections.into_iter().flatten());
        Module::from_words(words)
    }
}

/// Encodes a text as operands.
pub(super) fn text(text: &str) -> impl Iterator<Item = u32> + '_ {
    let bytes = text.as_bytes();
    (0..=bytes.len() / 4).map(move |word| {
        let byte = |at: usize| bytes.get(word * 4 + at).copied().unwrap_or(0);
        u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)])
    })
}
