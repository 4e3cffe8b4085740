//! Determines which operands of an instruction are ids, from the specification's grammar in rspirv's tables.

use std::collections::HashSet;
use std::sync::LazyLock;

use rspirv::dr::Operand;
use rspirv::grammar::{
    INSTRUCTION_TABLE, LogicalOperand, OPENCL_STD_100_INSTRUCTION_TABLE, OperandKind, OperandQuantifier,
};
use rspirv::spirv::{self, Op};

use crate::Inst;

/// The properties of an instruction that are needed to read its operands.
struct Row {
    name: &'static str,
    has_type: bool,
    has_result: bool,
    operands: &'static [LogicalOperand],
}

static TABLE: LazyLock<Vec<Option<Row>>> = LazyLock::new(|| {
    let mut table: Vec<Option<Row>> = Vec::new();
    for inst in INSTRUCTION_TABLE.iter() {
        let opcode = inst.opcode as usize;
        if table.len() <= opcode {
            table.resize_with(opcode + 1, || None);
        }
        let has = |kind: OperandKind| inst.operands.iter().any(|operand| operand.kind == kind);
        let row = Row {
            name: inst.opname,
            has_type: has(OperandKind::IdResultType),
            has_result: has(OperandKind::IdResult),
            operands: inst.operands,
        };
        if let Some(place) = table.get_mut(opcode) {
            *place = Some(row);
        }
    }
    table
});

/// The extensions that introduced an instruction of the grammar.
static EXTENSIONS: LazyLock<HashSet<&[u8]>> = LazyLock::new(|| {
    INSTRUCTION_TABLE.iter().flat_map(|inst| inst.extensions.iter().map(|name| name.as_bytes())).collect()
});

/// The operands that follow the numbers of OpenCL's extended instructions.
static OPENCL: LazyLock<Vec<Option<&'static [LogicalOperand]>>> = LazyLock::new(|| {
    let mut table = Vec::new();
    for inst in OPENCL_STD_100_INSTRUCTION_TABLE.iter() {
        let number = u32::from(inst.opcode) as usize;
        if table.len() <= number {
            table.resize(number + 1, None);
        }
        if let Some(place) = table.get_mut(number) {
            *place = Some(inst.operands);
        }
    }
    table
});

/// The operands that each bit of a mask adds, lowest bit first, which is the order in which they appear.
type BitOperands = [Vec<LogicalOperand>; 32];

static MEMORY_ACCESS: LazyLock<BitOperands> =
    LazyLock::new(|| bit_operands(|bit| spirv::MemoryAccess::from_bits(bit).map(Operand::MemoryAccess)));

static IMAGE_OPERANDS: LazyLock<BitOperands> =
    LazyLock::new(|| bit_operands(|bit| spirv::ImageOperands::from_bits(bit).map(Operand::ImageOperands)));

fn bit_operands(mask: impl Fn(u32) -> Option<Operand>) -> BitOperands {
    let of_bit = |at: usize| mask(1_u32 << at).map(|mask| mask.additional_operands()).unwrap_or_default();
    std::array::from_fn(of_bit)
}

/// A set of extended instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionSet {
    /// `OpenCL.std`
    OpenCl,
    /// Debug information, which no rewritten module keeps.
    Debug,
    /// Another set that does not affect the computation. Its operands are ids (SPV_KHR_non_semantic_info).
    NonSemantic,
    /// An unknown set.
    Other,
}

impl InstructionSet {
    /// Returns the set of this name.
    pub fn from_name(name: &str) -> Self {
        match name {
            "OpenCL.std" => Self::OpenCl,
            "SPIRV.debug" => Self::Debug,
            _ if name.contains("DebugInfo") => Self::Debug,
            _ if name.starts_with("NonSemantic.") => Self::NonSemantic,
            _ => Self::Other,
        }
    }
}

/// Returns whether an instruction defines a specialization constant.
pub fn is_spec_constant(opcode: Op) -> bool {
    (Op::SpecConstantTrue..=Op::SpecConstantOp).contains(&opcode)
}

fn row(opcode: u16) -> Option<&'static Row> {
    TABLE.get(usize::from(opcode))?.as_ref()
}

/// Returns the name of an instruction without `Op`.
pub fn name(opcode: u16) -> Option<&'static str> {
    row(opcode).map(|row| row.name)
}

/// Returns whether an instruction has a result type, and whether it has a result.
pub fn results(opcode: Op) -> (bool, bool) {
    row(opcode as u16).map_or((false, false), |row| (row.has_type, row.has_result))
}

/// Returns the id of an instruction's result type.
pub fn result_type(inst: &Inst<'_>) -> Option<u32> {
    row(inst.raw_opcode).filter(|row| row.has_type).map(|_| inst.operand(0))
}

/// Returns the id of an instruction's result.
pub fn result(inst: &Inst<'_>) -> Option<u32> {
    let row = row(inst.raw_opcode).filter(|row| row.has_result)?;
    inst.operands.get(usize::from(row.has_type)).copied()
}

/// Returns whether the grammar has instructions of this extension.
pub fn knows_extension(name: &[u8]) -> bool {
    EXTENSIONS.contains(name)
}

/// Calls `each` with the index of each operand that is the id of another instruction, as far as this is known without
/// the values of the operands before it. Suits instructions that need not be valid.
pub fn leading_ids(inst: &Inst<'_>, mut each: impl FnMut(usize)) {
    use OperandKind::*;
    let count = inst.operands.len();
    let operands = row(inst.raw_opcode).map_or(&[][..], |row| row.operands);
    for (at, operand) in operands.iter().enumerate().take(count) {
        match (operand.quantifier, operand.kind) {
            (OperandQuantifier::One, IdResultType | IdRef | IdScope | IdMemorySemantics) => each(at),
            // These are one word, whatever their value.
            (
                OperandQuantifier::One,
                IdResult | FunctionControl | StorageClass | SelectionControl | LiteralInteger,
            ) => {}
            (OperandQuantifier::ZeroOrMore, IdRef) => return (at..count).for_each(each),
            _ => return,
        }
    }
}

/// The reason why the operands of an instruction cannot be identified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unclear {
    /// The instruction is not in the grammar.
    Unknown,
    /// The extended instruction or its set is unknown.
    Extended,
    /// An operand has an unsupported kind.
    Kind,
    /// There are too few or too many operands.
    Count,
}

impl Unclear {
    /// Describes the problem.
    pub fn describe(self, opcode: u16) -> String {
        let name = name(opcode).map_or_else(|| format!("instruction {opcode}"), |name| format!("Op{name}"));
        match self {
            Unclear::Unknown => format!("{name} is not known"),
            Unclear::Extended => format!("{name} has an instruction or a set that is not known"),
            Unclear::Kind => format!("{name} has an operand of a kind that is not handled"),
            Unclear::Count => format!("{name} has too few or too many operands"),
        }
    }
}

/// A case of an `OpSwitch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchCase {
    /// The value of the selector that selects this case.
    pub literal: u64,
    /// The label to which the case branches.
    pub target: u32,
}

/// Returns the number of words of a switch literal; `wide` is whether the selector has more than 32 bits.
fn literal_words(wide: bool) -> usize {
    if wide { 2 } else { 1 }
}

/// Returns the cases of an `OpSwitch`, with `None` in place of an incomplete one.
pub fn switch_cases<'m>(inst: &Inst<'m>, wide: bool) -> impl Iterator<Item = Option<SwitchCase>> + use<'m> {
    let words = literal_words(wide);
    inst.operands.get(2..).unwrap_or_default().chunks(words + 1).map(move |case| {
        let (&target, literal) = case.split_last().filter(|(_, literal)| literal.len() == words)?;
        let literal = literal.iter().rev().fold(0, |number, &word| number << 32 | u64::from(word));
        Some(SwitchCase { literal, target })
    })
}

/// Calls `each` with the index of every operand that is an id, including the result's. `wide` returns whether the
/// selector with this id has 64 bits, which determines how an `OpSwitch` is read; `set` returns the set of extended
/// instructions that an id denotes.
pub fn ids(
    inst: &Inst<'_>,
    wide: impl Fn(u32) -> bool,
    set: impl Fn(u32) -> InstructionSet,
    mut each: impl FnMut(usize),
) -> Result<(), Unclear> {
    let count = inst.operands.len();
    // After a decoration or execution mode, the operands are either all literals or all ids.
    let rest_are_ids = match inst.opcode {
        Op::Decorate | Op::MemberDecorate | Op::DecorateString | Op::MemberDecorateString => Some(false),
        Op::ExecutionMode => Some(false),
        Op::DecorateId | Op::ExecutionModeId => Some(true),
        _ => None,
    };
    if let Some(ids) = rest_are_ids {
        if count < 2 {
            return Err(Unclear::Count);
        }
        each(0);
        if ids {
            (2..count).for_each(each);
        }
        return Ok(());
    }
    let row = row(inst.raw_opcode).ok_or(Unclear::Unknown)?;
    let mut walk = Walk { inst, at: 0, each: &mut each };
    match inst.opcode {
        Op::ExtInst | Op::ExtInstWithForwardRefsKHR => {
            walk.skip_ids(3)?;
            let number = walk.word()? as usize;
            match set(inst.operand(2)) {
                InstructionSet::OpenCl => {
                    let operands = OPENCL.get(number).copied().flatten().ok_or(Unclear::Extended)?;
                    walk.operands(operands)?;
                }
                InstructionSet::Debug | InstructionSet::NonSemantic => walk.skip_ids(count - walk.at)?,
                InstructionSet::Other => return Err(Unclear::Extended),
            }
        }
        Op::Switch => {
            walk.skip_ids(2)?;
            let literal = literal_words(wide(inst.operand(0)));
            while walk.at < count {
                walk.at += literal;
                walk.id()?;
            }
        }
        Op::SpecConstantOp => {
            walk.skip_ids(2)?;
            let inner = self::row(walk.word()? as u16).ok_or(Unclear::Unknown)?;
            walk.operands(inner.operands.get(usize::from(inner.has_type) + 1..).unwrap_or_default())?;
        }
        _ => walk.operands(row.operands)?,
    }
    if walk.at == count { Ok(()) } else { Err(Unclear::Count) }
}

/// Walks over an instruction's operands.
struct Walk<'w, 'm, F> {
    inst: &'w Inst<'m>,
    at: usize,
    each: &'w mut F,
}

impl<F: FnMut(usize)> Walk<'_, '_, F> {
    fn word(&mut self) -> Result<u32, Unclear> {
        let word = self.inst.operands.get(self.at).copied().ok_or(Unclear::Count)?;
        self.at += 1;
        Ok(word)
    }

    fn id(&mut self) -> Result<(), Unclear> {
        self.word()?;
        (self.each)(self.at - 1);
        Ok(())
    }

    fn skip_ids(&mut self, count: usize) -> Result<(), Unclear> {
        (0..count).try_for_each(|_| self.id())
    }

    fn rest(&mut self) {
        self.at = self.inst.operands.len();
    }

    fn operands(&mut self, operands: &[LogicalOperand]) -> Result<(), Unclear> {
        for operand in operands {
            match operand.quantifier {
                OperandQuantifier::One => self.operand(operand.kind)?,
                OperandQuantifier::ZeroOrOne if self.at < self.inst.operands.len() => {
                    self.operand(operand.kind)?
                }
                OperandQuantifier::ZeroOrOne => {}
                OperandQuantifier::ZeroOrMore => {
                    while self.at < self.inst.operands.len() {
                        self.operand(operand.kind)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn operand(&mut self, kind: OperandKind) -> Result<(), Unclear> {
        use OperandKind as K;
        match kind {
            K::IdResultType | K::IdResult | K::IdRef | K::IdScope | K::IdMemorySemantics => self.id(),
            K::LiteralString => {
                while !self.word()?.to_le_bytes().contains(&0) {}
                Ok(())
            }
            K::PairIdRefIdRef => self.skip_ids(2),
            K::PairIdRefLiteralInteger => {
                self.id()?;
                self.word().map(|_| ())
            }
            K::LiteralContextDependentNumber | K::LoopControl => {
                self.rest();
                Ok(())
            }
            K::MemoryAccess => self.masked(&MEMORY_ACCESS),
            K::ImageOperands => self.masked(&IMAGE_OPERANDS),
            K::PairLiteralIntegerIdRef
            | K::LiteralExtInstInteger
            | K::LiteralSpecConstantOpInteger
            | K::Decoration
            | K::ExecutionMode
            | K::RawAccessChainOperands
            | K::TensorOperands
            | K::TensorAddressingOperands
            | K::Debuginfo(_)
            | K::NonsemanticClspvreflection(_)
            | K::NonsemanticShaderDebuginfo100(_)
            | K::OpenclDebuginfo100(_) => Err(Unclear::Kind),
            _ => self.word().map(|_| ()),
        }
    }

    /// Walks over a mask, and over the operands that each of its set bits adds.
    fn masked(&mut self, bits: &BitOperands) -> Result<(), Unclear> {
        let mask = self.word()?;
        for (_, operands) in bits.iter().enumerate().filter(|(at, _)| mask >> at & 1 != 0) {
            self.operands(operands)?;
        }
        Ok(())
    }
}
