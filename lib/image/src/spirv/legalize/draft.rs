//! A module that is being rewritten. Its instructions can be changed, and types and constants are created on demand.

use std::collections::HashMap;

use rspirv::spirv::{AddressingModel, BuiltIn, Capability, Decoration, Op, OpenclStd100Op as CLOp};

use super::line::Line;
use super::refusal::Fault;
use crate::room::{reserve, room};
use crate::spirv::Module;
use crate::spirv::SpirvError;
use crate::spirv::build::{Builder, Section};
use crate::spirv::grammar::{self, InstructionSet, Unclear};

/// A function's instructions, from its `OpFunction` to its `OpFunctionEnd`.
#[derive(Clone, Debug, Default)]
pub(super) struct Function {
    pub(super) lines: Vec<Line>,
}

impl Function {
    /// Returns the id of the function.
    pub(super) fn id(&self) -> u32 {
        self.lines.first().map_or(0, |line| line.operand(1))
    }

    pub(super) fn has_body(&self) -> bool {
        self.lines.iter().any(|line| line.opcode() == Op::Label)
    }
}

/// A module that is being rewritten. Ids keep their meaning.
#[derive(Debug)]
pub(super) struct Draft {
    /// The header's words for the version and the generator.
    pub(super) header: [u32; 2],
    last_id: u32,
    /// The instructions outside functions. Their order matters only within a section.
    pub(super) globals: Vec<Line>,
    pub(super) functions: Vec<Function>,
    /// The functions and variables that the driver cannot run. A draft with faults is not finished.
    pub(super) faults: Vec<Fault>,
    /// The index in `globals` at which each id is defined.
    places: HashMap<u32, usize>,
    /// The type of each result.
    kinds: HashMap<u32, u32>,
    /// Types and constants by their operands without the result, because SPIR-V allows no duplicate types.
    known: HashMap<(Op, Vec<u32>), u32>,
    /// The variables of each built-in.
    built_ins: HashMap<u32, Vec<u32>>,
    /// The sets of extended instructions.
    sets: HashMap<u32, InstructionSet>,
    /// The bits of sizes and of pointers.
    size_bits: u32,
}

impl Draft {
    /// Reads a module.
    pub(super) fn new(module: &Module) -> Result<Self, SpirvError> {
        let mut draft = Self {
            header: [module.header(1), module.header(2)],
            last_id: module.bound().saturating_sub(1),
            globals: room(module.len() as usize / 4)?,
            functions: Vec::new(),
            faults: Vec::new(),
            places: HashMap::new(),
            kinds: HashMap::new(),
            known: HashMap::new(),
            built_ins: HashMap::new(),
            sets: HashMap::new(),
            size_bits: 64,
        };
        let mut open: Option<Function> = None;
        for inst in module.instructions() {
            let line = Line::copy(&inst)?;
            draft.note(&line);
            if inst.opcode == Op::MemoryModel && inst.operand(0) == AddressingModel::Physical32 as u32 {
                draft.size_bits = 32;
            }
            if inst.opcode == Op::Function && open.is_none() {
                open = Some(Function::default());
            }
            let Some(function) = &mut open else {
                reserve(&mut draft.globals, 1)?;
                draft.globals.push(line);
                continue;
            };
            reserve(&mut function.lines, 1)?;
            function.lines.push(line);
            if inst.opcode == Op::FunctionEnd {
                reserve(&mut draft.functions, 1)?;
                draft.functions.extend(open.take());
            }
        }
        if open.is_some() {
            return Err(SpirvError::whole("the last function has no OpFunctionEnd"));
        }
        draft.find_places();
        Ok(draft)
    }

    /// Records a result's type, or which set of instructions a result is.
    pub(super) fn note(&mut self, line: &Line) {
        let inst = line.inst();
        if inst.opcode == Op::ExtInstImport {
            self.sets.insert(line.operand(0), InstructionSet::from_name(&line.text(1)));
        }
        if let Some((kind, id)) = grammar::result_type(&inst).zip(grammar::result(&inst)) {
            self.kinds.insert(id, kind);
        }
    }

    fn find_places(&mut self) {
        self.places.clear();
        self.known.clear();
        self.built_ins.clear();
        for (at, line) in self.globals.iter().enumerate() {
            if let Some((variable, built_in)) = built_in(line) {
                self.built_ins.entry(built_in).or_default().push(variable);
            }
            let Some(id) = grammar::result(&line.inst()) else { continue };
            self.places.insert(id, at);
            if let Some(key) = key(line) {
                self.known.entry(key).or_insert(id);
            }
        }
    }

    /// Returns the finished module.
    pub(super) fn finish(self) -> Result<Module, SpirvError> {
        let mut builder = Builder::after(self.last_id);
        for line in self.globals {
            builder.copy(Section::for_opcode(line.opcode()), &line.inst(), line.operands.iter().copied())?;
        }
        for function in self.functions {
            let section = if function.has_body() { Section::Definition } else { Section::Declaration };
            for line in function.lines {
                builder.copy(section, &line.inst(), line.operands.iter().copied())?;
            }
        }
        let [version, generator] = self.header;
        builder.finish(version, generator)
    }

    /// Allocates a new id.
    pub(super) fn id(&mut self) -> Result<u32, SpirvError> {
        let next = self.last_id.checked_add(1).filter(|&id| id < u32::MAX);
        self.last_id = next.ok_or_else(|| SpirvError::whole("there are no ids left"))?;
        Ok(self.last_id)
    }

    /// Returns the instruction outside functions that defines an id.
    pub(super) fn definition(&self, id: u32) -> Option<&Line> {
        self.globals.get(*self.places.get(&id)?)
    }

    /// Drops capabilities. `Kernel` stays declared, even if it was only implied by one of them.
    pub(super) fn drop_capabilities(&mut self, dropped: &[Capability]) -> Result<(), SpirvError> {
        const WITH_KERNEL: [Capability; 2] = [Capability::FPFastMathModeINTEL, Capability::SubgroupDispatch];
        let (mut implied, mut declared) = (false, false);
        self.retain_globals(|line| {
            let is = |capability: &Capability| {
                line.opcode() == Op::Capability && line.operand(0) == *capability as u32
            };
            let is_dropped = dropped.iter().any(is);
            implied |= is_dropped && WITH_KERNEL.iter().any(is);
            declared |= is(&Capability::Kernel);
            !is_dropped
        });
        if implied && !declared {
            self.add_global(Line::new(Op::Capability, &[Capability::Kernel as u32]))?;
        }
        Ok(())
    }

    /// Returns the type of a value.
    pub(super) fn kind(&self, value: u32) -> Option<u32> {
        self.kinds.get(&value).copied()
    }

    /// Returns the set of instructions that an id is.
    pub(super) fn set(&self, id: u32) -> InstructionSet {
        self.sets.get(&id).copied().unwrap_or(InstructionSet::Other)
    }

    /// Returns the function of OpenCL.std that an instruction calls.
    pub(super) fn function_of_opencl(&self, line: &Line) -> Option<CLOp> {
        let is_call = line.opcode() == Op::ExtInst && self.set(line.operand(2)) == InstructionSet::OpenCl;
        is_call.then(|| CLOp::from_u32(line.operand(3))).flatten()
    }

    /// Returns whether an instruction is debug information.
    pub(super) fn is_debug(&self, line: &Line) -> bool {
        let is_extended = matches!(line.opcode(), Op::ExtInst | Op::ExtInstWithForwardRefsKHR);
        is_extended && self.set(line.operand(2)) == InstructionSet::Debug
    }

    /// Returns the places of the operands that are ids. Returns none for debug information, because its literals
    /// cannot be told from ids, and no result depends on it.
    fn id_places(&self, line: &Line) -> Result<Vec<usize>, Unclear> {
        if self.is_debug(line) {
            return Ok(Vec::new());
        }
        let wide = |value: u32| {
            let kind = self.kind(value).and_then(|kind| self.definition(kind));
            kind.is_some_and(|kind| kind.opcode() == Op::TypeInt && kind.operand(1) == 64)
        };
        let mut places = Vec::new();
        grammar::ids(&line.inst(), wide, |id| self.set(id), |at| places.push(at))?;
        Ok(places)
    }

    /// Returns the operands of an instruction that are ids, except for debug information.
    pub(super) fn ids(&self, line: &Line) -> Result<Vec<u32>, Unclear> {
        Ok(self.id_places(line)?.into_iter().map(|at| line.operand(at)).collect())
    }

    /// Returns an instruction with other ids.
    pub(super) fn with_ids(&self, line: &Line, ids: &HashMap<u32, u32>) -> Result<Line, SpirvError> {
        let places = self
            .id_places(line)
            .map_err(|unclear| SpirvError::whole(unclear.describe(line.inst().raw_opcode)))?;
        let mut copy = line.clone();
        for at in places {
            if let Some(operand) = copy.operands.get_mut(at) {
                *operand = ids.get(operand).copied().unwrap_or(*operand);
            }
        }
        Ok(copy)
    }

    /// Returns the name of a function, or its id.
    pub(super) fn name(&self, id: u32) -> String {
        let is_of = |line: &&Line| {
            line.annotated() == Some(id) || (line.opcode() == Op::EntryPoint && line.operand(1) == id)
        };
        let mut names = self.globals.iter().filter(is_of).filter_map(|line| match line.opcode() {
            Op::Name => Some(line.text(1)),
            Op::EntryPoint => Some(line.text(2)),
            Op::Decorate if line.operand(1) == Decoration::LinkageAttributes as u32 => Some(line.text(2)),
            _ => None,
        });
        names.find(|name| !name.is_empty()).unwrap_or_else(|| format!("%{id}"))
    }

    /// Returns the value of an integer constant of 32 bits, as scopes and semantics are. The values of specialization
    /// constants are not known yet.
    pub(super) fn number(&self, id: u32) -> Option<u32> {
        let line = self.definition(id)?;
        match (line.opcode(), line.operands.get(2..)?) {
            (Op::ConstantNull, []) => Some(0),
            (Op::Constant, [word]) => Some(*word),
            _ => None,
        }
    }

    /// Adds an instruction outside functions.
    pub(super) fn add_global(&mut self, line: Line) -> Result<(), SpirvError> {
        self.note(&line);
        if let Some((variable, built_in)) = built_in(&line) {
            self.built_ins.entry(built_in).or_default().push(variable);
        }
        if let Some(id) = grammar::result(&line.inst()) {
            self.places.insert(id, self.globals.len());
        }
        reserve(&mut self.globals, 1)?;
        self.globals.push(line);
        Ok(())
    }

    /// Names an id.
    pub(super) fn add_name(&mut self, id: u32, name: &str) -> Result<(), SpirvError> {
        let operands: Vec<u32> = [id].into_iter().chain(crate::spirv::build::text(name)).collect();
        self.add_global(Line::new(Op::Name, &operands))
    }

    /// Drops the instructions outside functions that `keep` refuses.
    pub(super) fn retain_globals(&mut self, keep: impl FnMut(&Line) -> bool) {
        let before = self.globals.len();
        self.globals.retain(keep);
        if self.globals.len() != before {
            self.find_places();
        }
    }

    /// Records that the driver cannot run this function or have this variable.
    pub(super) fn refuse(&mut self, id: u32, reason: impl Into<String>) {
        self.faults.push(Fault { id, reason: reason.into() });
    }

    /// Replaces each instruction inside functions by those that `change` pushes. Functions that `change` adds stay as
    /// they are. An error of `change` is a fault of the function.
    pub(super) fn rewrite(
        &mut self,
        mut change: impl FnMut(&mut Self, Line, &mut Vec<Line>) -> Result<(), SpirvError>,
    ) -> Result<(), SpirvError> {
        self.each_function(|draft, function| {
            let id = function.id();
            let before = std::mem::take(&mut function.lines);
            let mut after = room(before.len())?;
            for line in before {
                match change(draft, line, &mut after) {
                    Err(error) if !error.is_out_of_memory => {
                        draft.refuse(id, error.problem);
                        break;
                    }
                    done => done?,
                }
            }
            function.lines = after;
            Ok(())
        })
    }

    /// Changes each function. The draft that `change` gets lacks the functions. Those that `change` adds to it become the
    /// last ones, unchanged.
    pub(super) fn each_function(
        &mut self,
        mut change: impl FnMut(&mut Self, &mut Function) -> Result<(), SpirvError>,
    ) -> Result<(), SpirvError> {
        let mut functions = std::mem::take(&mut self.functions);
        let done = functions.iter_mut().try_for_each(|function| change(self, function));
        functions.append(&mut self.functions);
        self.functions = functions;
        done
    }

    /// Appends an instruction with a new result to `code`, and returns the result.
    pub(super) fn emit(
        &mut self,
        code: &mut Vec<Line>,
        opcode: Op,
        kind: u32,
        operands: &[u32],
    ) -> Result<u32, SpirvError> {
        let id = self.id()?;
        self.emit_as(code, id, opcode, kind, operands)?;
        Ok(id)
    }

    /// Appends an instruction with this result to `code`.
    pub(super) fn emit_as(
        &mut self,
        code: &mut Vec<Line>,
        id: u32,
        opcode: Op,
        kind: u32,
        operands: &[u32],
    ) -> Result<(), SpirvError> {
        let line = Line::new(opcode, &[&[kind, id], operands].concat());
        self.note(&line);
        reserve(code, 1)?;
        code.push(line);
        Ok(())
    }

    /// Returns the type with these operands.
    pub(super) fn type_of(&mut self, opcode: Op, operands: &[u32]) -> Result<u32, SpirvError> {
        let key = (opcode, operands.to_vec());
        if let Some(&id) = self.known.get(&key) {
            return Ok(id);
        }
        let id = self.id()?;
        self.add_global(Line::new(opcode, &[&[id], operands].concat()))?;
        self.known.insert(key, id);
        Ok(id)
    }

    /// Returns the type of unsigned integers of this width.
    pub(super) fn int(&mut self, bits: u32) -> Result<u32, SpirvError> {
        if let Some(&id) = self.known.get(&(Op::TypeInt, vec![bits, 0])) {
            return Ok(id);
        }
        let needed = match bits {
            8 => Some(Capability::Int8),
            16 => Some(Capability::Int16),
            64 => Some(Capability::Int64),
            _ => None,
        };
        if let Some(needed) = needed {
            self.require(needed)?;
        }
        self.type_of(Op::TypeInt, &[bits, 0])
    }

    /// Declares a capability.
    pub(super) fn require(&mut self, capability: Capability) -> Result<(), SpirvError> {
        let line = Line::new(Op::Capability, &[capability as u32]);
        if self.globals.contains(&line) { Ok(()) } else { self.add_global(line) }
    }

    /// Returns the type `bool`.
    pub(super) fn boolean(&mut self) -> Result<u32, SpirvError> {
        self.type_of(Op::TypeBool, &[])
    }

    /// Returns the type of sizes and indices: as wide as pointers.
    pub(super) fn size_type(&mut self) -> Result<u32, SpirvError> {
        self.int(self.size_bits)
    }

    /// Returns a constant with these operands, which follow the result.
    pub(super) fn constant_of(&mut self, opcode: Op, kind: u32, operands: &[u32]) -> Result<u32, SpirvError> {
        let key = (opcode, [&[kind], operands].concat());
        if let Some(&id) = self.known.get(&key) {
            return Ok(id);
        }
        let id = self.id()?;
        self.add_global(Line::new(opcode, &[&[kind, id], operands].concat()))?;
        self.known.insert(key, id);
        Ok(id)
    }

    /// Returns a constant of an integer or floating-point type with these bits.
    pub(super) fn constant(&mut self, kind: u32, bits: u64) -> Result<u32, SpirvError> {
        let wide = self.definition(kind).is_some_and(|kind| kind.operand(1) == 64);
        let words = [bits as u32, (bits >> 32) as u32];
        self.constant_of(Op::Constant, kind, words.get(..if wide { 2 } else { 1 }).unwrap_or_default())
    }

    /// Returns a value for ways on which there is none. PoCL 7.1 crashes at some undefined ones.
    pub(super) fn no_value(&mut self, kind: u32) -> Result<u32, SpirvError> {
        let opcode = self.definition(kind).map(Line::opcode);
        let is_opaque = matches!(opcode, Some(Op::TypeImage | Op::TypeSampler | Op::TypeSampledImage));
        self.constant_of(if is_opaque { Op::Undef } else { Op::ConstantNull }, kind, &[])
    }

    /// Returns an unsigned 32-bit constant.
    pub(super) fn word(&mut self, value: u32) -> Result<u32, SpirvError> {
        let kind = self.int(32)?;
        self.constant(kind, value.into())
    }

    /// Returns the constant `true` or `false`.
    pub(super) fn truth(&mut self, value: bool) -> Result<u32, SpirvError> {
        let kind = self.boolean()?;
        self.constant_of(if value { Op::ConstantTrue } else { Op::ConstantFalse }, kind, &[])
    }

    /// Returns the set of OpenCL's extended instructions.
    pub(super) fn opencl(&mut self) -> Result<u32, SpirvError> {
        const NAME: &str = "OpenCL.std";
        let mut imports = self.globals.iter().filter(|line| line.opcode() == Op::ExtInstImport);
        if let Some(import) = imports.find(|line| line.text(1) == NAME) {
            return Ok(import.operand(0));
        }
        let id = self.id()?;
        let operands: Vec<u32> = [id].into_iter().chain(crate::spirv::build::text(NAME)).collect();
        self.add_global(Line::new(Op::ExtInstImport, &operands))?;
        Ok(id)
    }

    /// Returns the variables that are decorated as built-ins, with the built-ins' numbers.
    pub(super) fn built_ins(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.built_ins
            .iter()
            .flat_map(|(&built_in, variables)| variables.iter().map(move |&id| (id, built_in)))
    }

    /// Returns the variables with this built-in.
    pub(super) fn variables_of(&self, built_in: BuiltIn) -> &[u32] {
        self.built_ins.get(&(built_in as u32)).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Returns the variable that an instruction decorates as a built-in, with the built-in's number.
fn built_in(line: &Line) -> Option<(u32, u32)> {
    let is_built_in = line.opcode() == Op::Decorate && line.operand(1) == Decoration::BuiltIn as u32;
    is_built_in.then(|| (line.operand(0), line.operand(2)))
}

/// Returns the key of a type or constant that a module needs only once.
fn key(line: &Line) -> Option<(Op, Vec<u32>)> {
    let opcode = line.opcode();
    let result = match opcode {
        Op::TypeInt
        | Op::TypeFloat
        | Op::TypeBool
        | Op::TypeVoid
        | Op::TypeVector
        | Op::TypeArray
        | Op::TypePointer
        | Op::TypeFunction => 0,
        Op::Constant | Op::ConstantTrue | Op::ConstantFalse | Op::ConstantNull | Op::ConstantComposite => 1,
        _ => return None,
    };
    let mut operands = line.operands.clone();
    (operands.len() > result).then(|| operands.remove(result))?;
    Some((opcode, operands))
}
