//! Extracts a part of a module: some entry points and functions, with everything that they need.

use std::collections::{BTreeSet, HashMap, HashSet};

use rspirv::spirv::{Capability, Decoration, FunctionControl, LinkageType, Op, StorageClass};

use super::Inst;
use super::Module;
use super::SpirvError;
use super::build::{Builder, Section, text};
use super::{FunctionSpan, Index};
use crate::room::filled;

/// The part to extract.
#[derive(Clone, Debug, Default)]
pub(super) struct Extraction<'e> {
    /// The entry points' functions.
    pub(super) entries: Vec<u32>,
    /// Functions to export, with their names.
    pub(super) exports: HashMap<u32, String>,
    /// Functions that are imported under these names instead of being extracted, unless they are exported here.
    pub(super) imports: Option<&'e HashMap<u32, String>>,
    /// Variables to export, with their names.
    pub(super) variable_exports: HashMap<u32, String>,
    /// Variables that are imported under these names instead of being defined here.
    pub(super) variable_imports: HashMap<u32, String>,
}

impl Extraction<'_> {
    /// Returns the name under which a function is imported, if it is.
    fn import(&self, function: u32) -> Option<&String> {
        let imports = self.imports.filter(|_| !self.exports.contains_key(&function));
        imports.and_then(|imports| imports.get(&function))
    }
}

/// A module from which parts are extracted.
pub(super) struct Extractor<'i> {
    index: &'i Index<'i>,
    /// `OpEntryPoint`s and execution modes by function.
    entries: HashMap<u32, Vec<u32>>,
    /// Names of entry points, under which their kernels are exported.
    kernel_names: HashSet<String>,
    /// Instructions that every part contains.
    common: Vec<u32>,
    /// For each id, the part that used it last and its id in that part.
    met: Vec<(u32, u32)>,
    part: u32,
    /// The first part that contains each exported variable.
    exporters: HashMap<u32, u32>,
}

/// The features of a part that require capabilities.
#[derive(Default)]
struct Uses {
    capabilities: HashSet<Capability>,
}

/// Capabilities that a part can drop if it does not use them.
const DROPPABLE: [Capability; 9] = [
    Capability::Float16,
    Capability::Float64,
    Capability::Int64,
    Capability::Int16,
    Capability::Int8,
    Capability::Int64Atomics,
    Capability::GenericPointer,
    Capability::ExpectAssumeKHR,
    Capability::OptNoneEXT,
];

impl<'i> Extractor<'i> {
    pub(super) fn new(index: &'i Index<'i>) -> Result<Self, SpirvError> {
        let mut extractor = Self {
            index,
            entries: HashMap::new(),
            kernel_names: HashSet::new(),
            common: Vec::new(),
            met: filled((0, 0), index.module.bound() as usize)?,
            part: 0,
            exporters: HashMap::new(),
        };
        for inst in index.globals() {
            match inst.opcode {
                Op::EntryPoint => {
                    let (name, _) = inst.text(2).ok_or_else(|| inst.error("the name does not end"))?;
                    extractor.kernel_names.insert(name);
                    extractor.entries.entry(inst.operand(1)).or_default().push(inst.number);
                }
                Op::ExecutionMode | Op::ExecutionModeId => {
                    extractor.entries.entry(inst.operand(0)).or_default().push(inst.number);
                }
                Op::Capability
                | Op::Extension
                | Op::MemoryModel
                | Op::ModuleProcessed
                | Op::SourceContinued
                | Op::Source
                | Op::SourceExtension => {
                    extractor.common.push(inst.number);
                }
                _ => {}
            }
        }
        Ok(extractor)
    }

    /// Extracts a part, in time proportional to its size.
    pub(super) fn extract(&mut self, part: &Extraction<'_>) -> Result<Module, SpirvError> {
        self.part += 1;
        let index = self.index;
        let mut queue: Vec<u32> = Vec::new();
        for &id in part.entries.iter().chain(part.exports.keys()) {
            self.meet(id, &mut queue);
        }
        let mut kept = self.common.clone();
        for &number in &self.common.clone() {
            self.meet_all(number, &mut queue)?;
        }
        let functions: BTreeSet<u32> = part.entries.iter().copied().collect();
        for id in functions {
            for number in self.entries.get(&id).cloned().unwrap_or_default() {
                let inst = index.module.inst(number);
                if inst.is_some_and(|inst| inst.opcode != Op::EntryPoint) {
                    self.meet_all(number, &mut queue)?;
                }
                kept.push(number);
            }
        }
        let mut functions: Vec<FunctionSpan> = Vec::new();
        let mut uses = Uses::default();
        let mut at = 0;
        while let Some(&id) = queue.get(at) {
            at += 1;
            for note in index.annotations(id) {
                if note.opcode == Op::DecorateId {
                    self.meet_all(note.number, &mut queue)?;
                }
                if !self.is_dropped_linkage(&note, part) {
                    kept.push(note.number);
                }
            }
            let Some(definition) = index.definition(id) else {
                return Err(SpirvError::whole(format!("id {id} is used but not defined")));
            };
            if definition.opcode == Op::Function {
                let Some(&function) = index.function(id) else { continue };
                functions.push(function);
                for inst in taken(index, function, part) {
                    if !index.is_debug(&inst) {
                        uses.add(index, &inst);
                        self.meet_all(inst.number, &mut queue)?;
                    }
                }
            } else if part.variable_imports.contains_key(&id) {
                // The initial value, which may need other definitions, is left out.
                self.meet(definition.operand(0), &mut queue);
                kept.push(definition.number);
            } else if definition.number < index.first_function {
                uses.add(index, &definition);
                self.meet_all(definition.number, &mut queue)?;
                kept.push(definition.number);
            }
        }
        self.write(part, kept, functions, &uses)
    }

    /// Returns whether the last part contains an id.
    pub(super) fn has(&self, id: u32) -> bool {
        self.met.get(id as usize).is_some_and(|met| met.0 == self.part)
    }

    fn meet(&mut self, id: u32, queue: &mut Vec<u32>) {
        let part = self.part;
        if let Some(met) = self.met.get_mut(id as usize).filter(|met| met.0 != part) {
            *met = (part, 0);
            queue.push(id);
        }
    }

    fn meet_all(&mut self, number: u32, queue: &mut Vec<u32>) -> Result<(), SpirvError> {
        let Some(inst) = self.index.module.inst(number) else { return Ok(()) };
        let mut found = Vec::new();
        self.index.ids(&inst, |_, id| found.push(id))?;
        for id in found {
            if id == 0 || id as usize >= self.met.len() {
                return Err(inst.error(format!("id {id} is out of bounds")));
            }
            self.meet(id, queue);
        }
        Ok(())
    }

    /// Returns whether a linkage decoration is dropped because the linkage changes: a symbol exported elsewhere becomes
    /// internal here, or is imported.
    fn is_dropped_linkage(&mut self, note: &Inst<'_>, part: &Extraction<'_>) -> bool {
        let is_linkage =
            note.opcode == Op::Decorate && note.decoration() == Some(Decoration::LinkageAttributes);
        let of = note.operand(0);
        if is_linkage && (part.variable_exports.contains_key(&of) || part.variable_imports.contains_key(&of))
        {
            return true;
        }
        if !is_linkage {
            return false;
        }
        let Some(function) = self.index.function(of) else { return self.is_exported_elsewhere(note) };
        if part.import(function.id).is_some() || part.exports.contains_key(&function.id) {
            return true;
        }
        let exported = note.text(2).filter(|(_, after)| note.operand(*after) == LinkageType::Export as u32);
        exported.is_some_and(|(name, _)| !self.kernel_names.contains(&name))
    }

    /// Returns whether an earlier part exports this variable. The host's own variables are exported by every part,
    /// because the host finds them by their exported names.
    fn is_exported_elsewhere(&mut self, note: &Inst<'_>) -> bool {
        let of = note.operand(0);
        let exported =
            note.text(2).is_some_and(|(_, after)| note.operand(after) == LinkageType::Export as u32);
        if !exported || self.index.decorations(of, Decoration::HostAccessINTEL).next().is_some() {
            return false;
        }
        *self.exporters.entry(of).or_insert(self.part) != self.part
    }

    /// Forgets the parts that were extracted so far.
    pub(super) fn start_again(&mut self) {
        self.exporters.clear();
    }

    fn write(
        &mut self,
        part: &Extraction<'_>,
        mut kept: Vec<u32>,
        mut functions: Vec<FunctionSpan>,
        uses: &Uses,
    ) -> Result<Module, SpirvError> {
        let index = self.index;
        let mut builder = Builder::default();
        let section = |number: u32| {
            index.module.inst(number).map_or(Section::Global, |inst| Section::for_opcode(inst.opcode))
        };
        kept.sort_unstable_by_key(|&number| (section(number), number));
        kept.dedup();
        functions.sort_unstable_by_key(|function| function.first);
        for inst in kept.into_iter().filter_map(|number| index.module.inst(number)) {
            match inst.opcode {
                Op::Capability if !uses.needs(inst.operand(0)) => {}
                Op::EntryPoint => {
                    let (_, after) = inst.text(2).ok_or_else(|| inst.error("the name does not end"))?;
                    let mut operands = inst.operands.get(..after).unwrap_or_default().to_vec();
                    if let Some(id) = operands.get_mut(1) {
                        *id = self.renamed(*id, &mut builder)?;
                    }
                    for &id in inst.operands.get(after..).unwrap_or_default() {
                        if self.met.get(id as usize).is_some_and(|met| met.0 == self.part) {
                            operands.push(self.renamed(id, &mut builder)?);
                        }
                    }
                    builder.copy(Section::EntryPoint, &inst, operands)?;
                }
                Op::Variable if part.variable_imports.contains_key(&inst.operand(1)) => {
                    let operands = inst.operands.get(..3).unwrap_or_default();
                    self.copy(&Inst { operands, ..inst }, Section::Global, &mut builder)?;
                }
                _ => self.copy(&inst, Section::for_opcode(inst.opcode), &mut builder)?,
            }
        }
        let exports = sorted(&part.exports).chain(sorted(&part.variable_exports));
        let imported =
            functions.iter().filter_map(|function| Some((&function.id, part.import(function.id)?)));
        let imports = imported.chain(sorted(&part.variable_imports));
        let exports = exports.map(|(id, name)| (id, name, LinkageType::Export));
        for (&id, name, kind) in exports.chain(imports.map(|(id, name)| (id, name, LinkageType::Import))) {
            if self.met.get(id as usize).is_some_and(|met| met.0 == self.part) {
                let id = self.renamed(id, &mut builder)?;
                let attributes = [id, Decoration::LinkageAttributes as u32].into_iter();
                let linkage = attributes.chain(text(name)).chain([kind as u32]);
                builder.push(Section::Annotation, Op::Decorate, linkage)?;
            }
        }
        for &function in &functions {
            let section = match function.has_body && part.import(function.id).is_none() {
                true => Section::Definition,
                false => Section::Declaration,
            };
            for inst in taken(index, function, part).filter(|inst| !index.is_debug(inst)) {
                self.copy(&inst, section, &mut builder)?;
            }
        }
        builder.finish(index.module.header(1), index.module.header(2))
    }

    /// Returns the id in the part.
    fn renamed(&mut self, id: u32, builder: &mut Builder) -> Result<u32, SpirvError> {
        let met = self.met.get_mut(id as usize);
        let met = met.ok_or_else(|| SpirvError::whole(format!("id {id} is out of bounds")))?;
        if met.0 != self.part || met.1 == 0 {
            *met = (self.part, builder.id()?);
        }
        Ok(met.1)
    }

    fn copy(&mut self, inst: &Inst<'_>, section: Section, builder: &mut Builder) -> Result<(), SpirvError> {
        let mut operands = inst.operands.to_vec();
        let mut places = Vec::new();
        self.index.ids(inst, |at, _| places.push(at))?;
        for at in places {
            if let Some(operand) = operands.get_mut(at) {
                *operand = self.renamed(*operand, builder)?;
            }
        }
        builder.copy(section, inst, operands)
    }
}

/// Sorts symbols by their ids, so that the output is deterministic.
fn sorted(symbols: &HashMap<u32, String>) -> impl Iterator<Item = (&u32, &String)> {
    let mut all: Vec<(&u32, &String)> = symbols.iter().collect();
    all.sort_unstable();
    all.into_iter()
}

/// Returns the instructions of a function that go into a part: for an imported function, those of its declaration.
fn taken<'i>(
    index: &'i Index<'i>,
    function: FunctionSpan,
    part: &Extraction<'_>,
) -> impl Iterator<Item = Inst<'i>> + use<'i> {
    let imported = part.import(function.id).is_some();
    let declares = |opcode| matches!(opcode, Op::Function | Op::FunctionParameter | Op::FunctionEnd);
    index.module.range(function.first, function.end).filter(move |inst| !imported || declares(inst.opcode))
}

impl Uses {
    fn add(&mut self, index: &Index<'_>, inst: &Inst<'_>) {
        let capability = match (inst.opcode, inst.operand(1)) {
            (Op::TypeFloat, 16) => Capability::Float16,
            (Op::TypeFloat, 64) => Capability::Float64,
            (Op::TypeInt, 8) => Capability::Int8,
            (Op::TypeInt, 16) => Capability::Int16,
            (Op::TypeInt, 64) => Capability::Int64,
            (Op::TypePointer, _) if inst.storage_class() == Some(StorageClass::Generic) => {
                Capability::GenericPointer
            }
            (Op::AssumeTrueKHR | Op::ExpectKHR, _) => Capability::ExpectAssumeKHR,
            (Op::Function, _) if inst.operand(2) & FunctionControl::OPT_NONE_EXT.bits() != 0 => {
                Capability::OptNoneEXT
            }
            (opcode, _) if (Op::AtomicLoad..=Op::AtomicXor).contains(&opcode) => {
                let value = if inst.opcode == Op::AtomicStore { inst.operand(3) } else { 0 };
                let value = index.definition(value).map_or(inst.operand(0), |value| value.operand(0));
                let kind = index.definition(value);
                if kind.is_none_or(|kind| kind.operand(1) != 64) {
                    return;
                }
                Capability::Int64Atomics
            }
            _ => return,
        };
        self.capabilities.insert(capability);
    }

    fn needs(&self, capability: u32) -> bool {
        let droppable = Capability::from_u32(capability).filter(|capability| DROPPABLE.contains(capability));
        droppable.is_none_or(|capability| self.capabilities.contains(&capability))
    }
}
