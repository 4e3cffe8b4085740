//! Links several modules into one and resolves imports to exports.

mod recursive;
mod spec_ids;
mod symbols;

pub use spec_ids::{SpecIdMap, linked_spec_ids};
pub(crate) use spec_ids::{UsedSpecIds, spec_ids};

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::Index;
use super::Inst;
use super::Module;
use super::SpirvError;
use super::build::{Builder, Section, text};
use super::grammar;
use crate::room::filled;
use recursive::{RecursiveTypes, is_told_apart};
use rspirv::spirv::{Capability, Decoration, Op};

/// The options of a link.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LinkOptions {
    /// Whether to keep imports without a definition.
    pub allow_missing: bool,
    /// New ids of each module's specialization constants. If `None`, constants of different modules never share an id:
    /// if an earlier module has one of a module's ids, all ids of that module are replaced by new ones, which follow
    /// those of all modules.
    pub spec_ids: Option<Vec<SpecIdMap>>,
}

impl LinkOptions {
    /// Returns options that keep imports without a definition.
    pub fn allowing_missing() -> Self {
        Self { allow_missing: true, ..Self::default() }
    }
}

/// Links modules, which are given with their names for messages.
pub fn link(modules: &[(&str, &Index<'_>)], options: LinkOptions) -> Result<Module, SpirvError> {
    let spec_ids = match options.spec_ids {
        Some(ids) => ids,
        None => linked_spec_ids(modules)?,
    };
    let mut linker = Linker {
        modules,
        spec_ids,
        builder: Builder::default(),
        ids: modules
            .iter()
            .map(|(_, index)| filled(0, index.module.bound() as usize))
            .collect::<Result<_, _>>()?,
        dropped: modules.iter().map(|_| HashSet::new()).collect(),
        unique: HashMap::new(),
        recursive: RecursiveTypes::default(),
        built_ins: BTreeMap::new(),
    };
    linker.resolve(options.allow_missing)?;
    let mut version = 0;
    for (_, index) in modules {
        version = version.max(index.module.header(1));
    }
    linker.preamble()?;
    for number in 0..modules.len() {
        linker.globals(number).map_err(|error| linker.named(number, error))?;
    }
    for number in 0..modules.len() {
        linker.functions(number).map_err(|error| linker.named(number, error))?;
    }
    linker.builder.finish(version, 0)
}

struct Linker<'l> {
    modules: &'l [(&'l str, &'l Index<'l>)],
    /// New ids of each module's specialization constants.
    spec_ids: Vec<SpecIdMap>,
    builder: Builder,
    /// The ids in the result, per module and id.
    ids: Vec<Vec<u32>>,
    /// Per module, the ids of declarations and duplicates that are replaced by a definition elsewhere.
    dropped: Vec<HashSet<u32>>,
    /// Types and constants of the result, by their definitions.
    unique: HashMap<Vec<u32>, u32>,
    recursive: RecursiveTypes,
    /// The first module with each built-in variable, and the variable's type and storage class in the result.
    built_ins: BTreeMap<u32, (usize, [u32; 2])>,
}

impl Linker<'_> {
    fn name(&self, module: usize) -> &str {
        self.modules.get(module).map_or("", |(name, _)| name)
    }

    fn named(&self, module: usize, error: SpirvError) -> SpirvError {
        if error.file.is_some() { error } else { error.in_file(self.name(module)) }
    }

    fn renamed(&mut self, module: usize, id: u32) -> Result<u32, SpirvError> {
        let place = self.ids.get_mut(module).and_then(|ids| ids.get_mut(id as usize)).filter(|_| id != 0);
        let place = place.ok_or_else(|| SpirvError::whole(format!("id {id} is out of bounds")))?;
        if *place == 0 {
            *place = self.builder.id()?;
        }
        Ok(*place)
    }

    fn set(&mut self, module: usize, id: u32, to: u32) {
        if let Some(place) = self.ids.get_mut(module).and_then(|ids| ids.get_mut(id as usize)) {
            *place = to;
        }
    }

    fn is_dropped(&self, module: usize, id: u32) -> bool {
        self.dropped.get(module).is_some_and(|dropped| dropped.contains(&id))
    }

    /// Writes the capabilities and extensions of all modules without duplicates, and checks that they share a memory
    /// model.
    fn preamble(&mut self) -> Result<(), SpirvError> {
        let mut capabilities = BTreeSet::from([Capability::Linkage as u32]);
        let mut extensions: BTreeSet<String> = BTreeSet::new();
        let mut model: Option<(&str, Vec<u32>)> = None;
        for (name, index) in self.modules {
            for inst in index.globals() {
                match inst.opcode {
                    Op::Capability => {
                        capabilities.insert(inst.operand(0));
                    }
                    Op::Extension => extensions.extend(inst.text(0).map(|(name, _)| name)),
                    Op::MemoryModel => match &model {
                        Some((first, operands)) if operands != inst.operands => {
                            return Err(inst.error(format!("{name} has another memory model than {first}")));
                        }
                        Some(_) => {}
                        None => model = Some((name, inst.operands.to_vec())),
                    },
                    _ => {}
                }
            }
        }
        for capability in capabilities {
            self.builder.push(Section::Capability, Op::Capability, [capability])?;
        }
        for extension in extensions {
            self.builder.push(Section::Extension, Op::Extension, text(&extension))?;
        }
        let (_, model) = model.ok_or_else(|| SpirvError::whole("no module has a memory model"))?;
        self.builder.push(Section::MemoryModel, Op::MemoryModel, model)
    }

    fn operands(
        &mut self,
        module: usize,
        index: &Index<'_>,
        inst: &Inst<'_>,
    ) -> Result<Vec<u32>, SpirvError> {
        let mut operands = inst.operands.to_vec();
        let mut places = Vec::new();
        index.ids(inst, |at, _| places.push(at))?;
        for at in places {
            if let Some(operand) = operands.get_mut(at) {
                *operand = self.renamed(module, *operand)?;
            }
        }
        if let Some(id) = operands.get_mut(2).filter(|_| is_spec_id(inst)) {
            *id = self.spec_id(module, *id);
        }
        Ok(operands)
    }

    /// Writes everything before the functions.
    fn globals(&mut self, module: usize) -> Result<(), SpirvError> {
        let Some(&(_, index)) = self.modules.get(module) else { return Ok(()) };
        // Types and constants come first, because whether they are new decides which names and decorations are needed.
        let mut doubles: HashSet<u32> = HashSet::new();
        for inst in index.globals() {
            let section = Section::for_opcode(inst.opcode);
            let result = grammar::result(&inst);
            if result.is_some_and(|id| self.is_dropped(module, id) || doubles.contains(&id)) {
                continue;
            }
            if !matches!(section, Section::Global | Section::ExtInstImport) || index.is_debug(&inst) {
                continue;
            }
            if matches!(inst.opcode, Op::Line | Op::NoLine) {
                continue;
            }
            if inst.opcode == Op::TypeForwardPointer {
                let pointer = inst.operand(0);
                if !doubles.contains(&pointer) {
                    doubles.extend(self.same_recursive(module, index, pointer)?);
                }
                if doubles.contains(&pointer) {
                    continue;
                }
            }
            let built_in = self.check_built_in(module, index, &inst)?;
            if let Some(id) = result.filter(|_| inst.opcode != Op::Variable || built_in) {
                let key = self.key(module, index, &inst, id)?;
                if let Some(&same) = self.unique.get(&key) {
                    self.set(module, id, same);
                    doubles.insert(id);
                    continue;
                }
                let new = self.renamed(module, id)?;
                self.unique.insert(key, new);
            }
            let operands = self.operands(module, index, &inst)?;
            self.builder.copy(section, &inst, operands)?;
        }
        for inst in index.globals() {
            let section = Section::for_opcode(inst.opcode);
            let target = inst.operand(0);
            match section {
                Section::Name | Section::Annotation => {
                    if doubles.contains(&target)
                        || self.is_dropped(module, target)
                        || self.is_inside_dropped(module, index, target)
                    {
                        continue;
                    }
                }
                Section::EntryPoint => {
                    let (_, after) = inst.text(2).ok_or_else(|| inst.error("the name does not end"))?;
                    let mut operands = inst.operands.get(..after).unwrap_or_default().to_vec();
                    if let Some(function) = operands.get_mut(1) {
                        *function = self.renamed(module, *function)?;
                    }
                    // A variable is listed only once, even if two were merged.
                    let mut listed = HashSet::new();
                    for &variable in inst.operands.get(after..).unwrap_or_default() {
                        let variable = self.renamed(module, variable)?;
                        operands.extend(listed.insert(variable).then_some(variable));
                    }
                    self.builder.copy(section, &inst, operands)?;
                    continue;
                }
                Section::ExecutionMode | Section::Source | Section::Processed => {}
                _ => continue,
            }
            let operands = self.operands(module, index, &inst)?;
            self.builder.copy(section, &inst, operands)?;
        }
        Ok(())
    }

    /// Returns the ids of a recursive type and its parts if an earlier module has the same type, in which case that
    /// module's ids are used.
    fn same_recursive(
        &mut self,
        module: usize,
        index: &Index<'_>,
        pointer: u32,
    ) -> Result<Vec<u32>, SpirvError> {
        let Some((other, pairs)) = self.recursive.same(module, index, pointer)? else {
            return Ok(Vec::new());
        };
        let mut doubles = Vec::new();
        for (here, there) in pairs {
            let is_open = self.ids.get(module).and_then(|ids| ids.get(here as usize)) == Some(&0);
            if is_open {
                let id = self.renamed(other, there)?;
                self.set(module, here, id);
                doubles.push(here);
            }
        }
        Ok(doubles)
    }

    /// Returns whether an instruction is a variable that the device provides. All modules share such a variable, so its
    /// declarations must agree.
    fn check_built_in(
        &mut self,
        module: usize,
        index: &Index<'_>,
        inst: &Inst<'_>,
    ) -> Result<bool, SpirvError> {
        if inst.opcode != Op::Variable {
            return Ok(false);
        }
        let Some(which) = index.decorations(inst.operand(1), Decoration::BuiltIn).next() else {
            return Ok(false);
        };
        let kind = [self.renamed(module, inst.operand(0))?, inst.operand(2)];
        let (first, of_first) = *self.built_ins.entry(which.operand(2)).or_insert((module, kind));
        if first != module && of_first != kind {
            let name = index.name(inst.operand(1)).unwrap_or_else(|| format!("%{}", inst.operand(1)));
            let first = self.name(first);
            return Err(inst.error(format!("built-in variable {name} has another type than in {first}")));
        }
        Ok(true)
    }

    /// Returns the id of a specialization constant in the result.
    fn spec_id(&self, module: usize, id: u32) -> u32 {
        self.spec_ids.get(module).and_then(|ids| ids.get(&id)).copied().unwrap_or(id)
    }

    /// Returns whether an id is a parameter of a dropped declaration.
    fn is_inside_dropped(&self, module: usize, index: &Index<'_>, id: u32) -> bool {
        let number = match index.definition(id) {
            Some(inst) if inst.number >= index.first_function => inst.number,
            _ => return false,
        };
        let at = index.functions.partition_point(|function| function.end <= number);
        index.functions.get(at).is_some_and(|function| self.is_dropped(module, function.id))
    }

    /// Returns the key for deduplicating a type or constant: its operands in the result, plus its decorations and name
    /// if these distinguish it.
    fn key(
        &mut self,
        module: usize,
        index: &Index<'_>,
        inst: &Inst<'_>,
        id: u32,
    ) -> Result<Vec<u32>, SpirvError> {
        let mut key = vec![inst.raw_opcode.into()];
        let mut operands = inst.operands.to_vec();
        let mut places = Vec::new();
        index.ids(inst, |at, other| places.push((at, other)))?;
        for (at, other) in places {
            if let Some(operand) = operands.get_mut(at) {
                *operand = if other == id { 0 } else { self.renamed(module, other)? };
            }
        }
        key.extend(operands);
        if inst.opcode == Op::Variable {
            let which = index.decorations(id, Decoration::BuiltIn).map(|note| note.operand(2));
            key.extend(which);
            return Ok(key);
        }
        for note in index.annotations(id) {
            let is_name = matches!(note.opcode, Op::Name | Op::MemberName);
            if is_told_apart(inst.opcode) || !is_name {
                key.push(note.raw_opcode.into());
                let operands = note.operands.iter().skip(1);
                if is_spec_id(&note) {
                    key.extend([Decoration::SpecId as u32, self.spec_id(module, note.operand(2))]);
                } else {
                    key.extend(operands);
                }
            }
        }
        Ok(key)
    }

    fn functions(&mut self, module: usize) -> Result<(), SpirvError> {
        let Some(&(_, index)) = self.modules.get(module) else { return Ok(()) };
        for function in &index.functions {
            if self.is_dropped(module, function.id) {
                continue;
            }
            let section = if function.has_body { Section::Definition } else { Section::Declaration };
            for inst in index.module.range(function.first, function.end) {
                if !index.is_debug(&inst) {
                    let operands = self.operands(module, index, &inst)?;
                    self.builder.copy(section, &inst, operands)?;
                }
            }
        }
        Ok(())
    }
}

fn is_spec_id(inst: &Inst<'_>) -> bool {
    inst.opcode == Op::Decorate && inst.decoration() == Some(Decoration::SpecId)
}
