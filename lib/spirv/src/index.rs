//! An index of a module: definitions, functions, names, decorations.

use std::collections::HashMap;

use rspirv::spirv::{Decoration, Op};
use sycl_pi_host_process::{OutOfMemory, filled, list_of, reserve};

use crate::grammar::{self, InstructionSet};
use crate::{Inst, Module, SpirvError};

/// A function, as a range of instruction numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionSpan {
    /// Its id.
    pub id: u32,
    /// Its `OpFunction`.
    pub first: u32,
    /// The instruction after its `OpFunctionEnd`.
    pub end: u32,
    /// Whether it has blocks. A function without blocks is a declaration.
    pub has_body: bool,
}

/// A module with its index.
#[derive(Debug)]
pub struct Index<'m> {
    /// The module.
    pub module: &'m Module,
    /// For each id, the number of the instruction that defines it, plus one.
    definitions: Vec<u32>,
    /// All functions, in the module's order.
    pub functions: Vec<FunctionSpan>,
    /// The index in `functions` for each function's id.
    function_numbers: HashMap<u32, u32>,
    /// The first instruction of the first function.
    pub first_function: u32,
    /// For each id, the range of its names, decorations and forward declarations in `annotations`.
    ranges: Vec<u32>,
    /// Numbers of the instructions that name, decorate or forward-declare an id, ordered by target.
    annotations: Vec<u32>,
    /// Ids of sets of extended instructions, with their names.
    pub sets: HashMap<u32, String>,
}

impl<'m> Index<'m> {
    /// Indexes a module. Every id must be in bounds and defined only once, and every function must end.
    pub fn new(module: &'m Module) -> Result<Self, SpirvError> {
        let bound = module.bound() as usize;
        let mut index = Self {
            module,
            definitions: filled(0, bound)?,
            functions: Vec::new(),
            function_numbers: HashMap::new(),
            first_function: module.len(),
            ranges: Vec::new(),
            annotations: Vec::new(),
            sets: HashMap::new(),
        };
        let mut targets: Vec<(u32, u32)> = Vec::new();
        let mut open: Option<FunctionSpan> = None;
        for inst in module.instructions() {
            if let Some(id) = grammar::result(&inst) {
                let place = index.definitions.get_mut(id as usize).filter(|_| id != 0);
                let place = place.ok_or_else(|| inst.error(format!("id {id} is out of bounds")))?;
                if *place != 0 {
                    return Err(inst.error(format!("id {id} is defined twice")));
                }
                *place = inst.number + 1;
            }
            match inst.opcode {
                Op::Function => {
                    if open.is_some() {
                        return Err(inst.error("a function starts inside another"));
                    }
                    if inst.operands.len() != 4 {
                        return Err(inst.error("OpFunction has 4 operands"));
                    }
                    index.first_function = index.first_function.min(inst.number);
                    let id = inst.operand(1);
                    open = Some(FunctionSpan { id, first: inst.number, end: inst.number, has_body: false });
                }
                Op::FunctionEnd => {
                    let mut function =
                        open.take().ok_or_else(|| inst.error("OpFunctionEnd outside a function"))?;
                    function.end = inst.number + 1;
                    index.function_numbers.insert(function.id, index.functions.len() as u32);
                    reserve(&mut index.functions, 1)?;
                    index.functions.push(function);
                }
                Op::Label => {
                    if let Some(function) = &mut open {
                        function.has_body = true;
                    }
                }
                Op::ExtInstImport => {
                    let (name, _) = inst.text(1).ok_or_else(|| inst.error("the set's name does not end"))?;
                    index.sets.insert(inst.operand(0), name);
                }
                Op::Name
                | Op::MemberName
                | Op::Decorate
                | Op::MemberDecorate
                | Op::DecorateId
                | Op::DecorateString
                | Op::MemberDecorateString
                | Op::TypeForwardPointer => {
                    let target = inst.operand(0);
                    if target == 0 || target as usize >= bound {
                        return Err(inst.error(format!("id {target} is out of bounds")));
                    }
                    reserve(&mut targets, 1)?;
                    targets.push((target, inst.number));
                }
                _ => {}
            }
        }
        if let Some(function) = open {
            let word = module.inst(function.first).map_or(0, |inst| inst.word);
            return Err(SpirvError::at(word, "the function has no OpFunctionEnd"));
        }
        index.annotate(targets, bound)?;
        Ok(index)
    }

    fn annotate(&mut self, mut targets: Vec<(u32, u32)>, bound: usize) -> Result<(), OutOfMemory> {
        targets.sort_unstable();
        self.ranges = filled(0, bound + 1)?;
        for &(target, _) in &targets {
            if let Some(count) = self.ranges.get_mut(target as usize + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for count in &mut self.ranges {
            sum += *count;
            *count = sum;
        }
        self.annotations = list_of(targets.iter().map(|&(_, number)| number))?;
        Ok(())
    }

    /// Returns the instruction that defines an id.
    pub fn definition(&self, id: u32) -> Option<Inst<'m>> {
        self.module.inst(self.definitions.get(id as usize)?.checked_sub(1)?)
    }

    /// Returns the function with this id.
    pub fn function(&self, id: u32) -> Option<&FunctionSpan> {
        self.functions.get(*self.function_numbers.get(&id)? as usize)
    }

    /// Returns the instructions that name, decorate or forward-declare an id.
    pub fn annotations(&self, id: u32) -> impl Iterator<Item = Inst<'m>> {
        let at = id as usize;
        let range = self.ranges.get(at).zip(self.ranges.get(at + 1));
        let numbers = range.and_then(|(&from, &to)| self.annotations.get(from as usize..to as usize));
        numbers.unwrap_or_default().iter().filter_map(|&number| self.module.inst(number))
    }

    /// Returns an id's decorations of one kind.
    pub fn decorations(&self, id: u32, decoration: Decoration) -> impl Iterator<Item = Inst<'m>> {
        self.annotations(id).filter(move |inst| {
            let decorates = matches!(inst.opcode, Op::Decorate | Op::DecorateId | Op::DecorateString);
            decorates && inst.decoration() == Some(decoration)
        })
    }

    /// Returns an id's `OpName`.
    pub fn name(&self, id: u32) -> Option<String> {
        let name = self.annotations(id).find(|inst| inst.opcode == Op::Name)?;
        name.text(1).map(|(name, _)| name)
    }

    /// Returns the instructions before the first function.
    pub fn globals(&self) -> impl Iterator<Item = Inst<'m>> {
        self.module.range(0, self.first_function)
    }

    /// Calls `each` with every id that an instruction names; see [`grammar::ids`].
    pub fn ids(&self, inst: &Inst<'_>, mut each: impl FnMut(usize, u32)) -> Result<(), SpirvError> {
        let each = |at: usize| each(at, inst.operand(at));
        grammar::ids(inst, |id| self.is_wide(id), |id| self.set(id), each)
            .map_err(|unclear| inst.error(unclear.describe(inst.raw_opcode)))
    }

    /// Returns whether a value is a 64-bit integer.
    fn is_wide(&self, id: u32) -> bool {
        let value = self.definition(id).and_then(|inst| grammar::result_type(&inst));
        let kind = value.and_then(|kind| self.definition(kind));
        kind.is_some_and(|kind| kind.opcode == Op::TypeInt && kind.operand(1) == 64)
    }

    /// Returns the set of extended instructions with this id.
    fn set(&self, id: u32) -> InstructionSet {
        self.sets.get(&id).map_or(InstructionSet::Other, |name| InstructionSet::from_name(name))
    }

    /// Returns whether an instruction belongs to a set of debug information, whose operands are not decoded here.
    pub fn is_debug(&self, inst: &Inst<'_>) -> bool {
        let is_extended = matches!(inst.opcode, Op::ExtInst | Op::ExtInstWithForwardRefsKHR);
        is_extended && self.set(inst.operand(2)) == InstructionSet::Debug
    }
}
