//! Putting several modules together into one, imports bound to exports.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::build::{Builder, Section, text};
use super::error::SpirvError;
use super::grammar;
use super::index::Index;
use super::module::{Inst, Module};
use super::op::{self, capability, decoration};
use super::reflect::{LinkageKind, Reflection};

/// How to link.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct LinkOptions {
    /// Keep imports without a definition.
    pub allow_missing: bool,
}

impl LinkOptions {
    /// Imports without a definition are kept.
    pub fn allowing_missing() -> Self {
        Self { allow_missing: true }
    }
}

/// A symbol of one of the modules.
#[derive(Clone, Copy)]
struct Symbol {
    module: usize,
    id: u32,
}

/// Links modules, given with their names for messages.
pub fn link(modules: &[(&str, &Index<'_>)], options: LinkOptions) -> Result<Module, SpirvError> {
    let mut linker = Linker {
        modules,
        builder: Builder::default(),
        ids: Vec::new(),
        dropped: Vec::new(),
        unique: HashMap::new(),
    };
    linker.ids = modules.iter().map(|(_, index)| vec![0; index.module.bound() as usize]).collect();
    linker.dropped = modules.iter().map(|_| HashSet::new()).collect();
    linker.resolve(options)?;
    let mut version = 0;
    for (_, index) in modules {
        version = version.max(index.module.header(1));
    }
    linker.preamble()?;
    for number in 0..modules.len() {
        linker.globals(number)?;
    }
    for number in 0..modules.len() {
        linker.functions(number)?;
    }
    linker.builder.finish(version, 0)
}

struct Linker<'l> {
    modules: &'l [(&'l str, &'l Index<'l>)],
    builder: Builder,
    /// For each module and id the id in the result.
    ids: Vec<Vec<u32>>,
    /// For each module the ids of declarations and doubles that give way to a definition elsewhere.
    dropped: Vec<HashSet<u32>>,
    /// Types and constants of the result, by their definitions.
    unique: HashMap<Vec<u32>, u32>,
}

impl Linker<'_> {
    fn name(&self, module: usize) -> &str {
        self.modules.get(module).map_or("", |(name, _)| name)
    }

    /// Finds the definition of each symbol, and gives its id to every import.
    fn resolve(&mut self, options: LinkOptions) -> Result<(), SpirvError> {
        let mut definitions: BTreeMap<String, (Symbol, LinkageKind)> = BTreeMap::new();
        let mut imports: BTreeMap<String, Vec<Symbol>> = BTreeMap::new();
        let mut problems: Vec<String> = Vec::new();
        for (module, (_, index)) in self.modules.iter().enumerate() {
            for symbol in Reflection::of(index)?.linkage {
                let here = Symbol { module, id: symbol.id };
                if symbol.kind == LinkageKind::Import {
                    if !symbol.is_built_in {
                        imports.entry(symbol.name).or_default().push(here);
                    }
                    continue;
                }
                match definitions.get(&symbol.name) {
                    Some((_, LinkageKind::LinkOnceOdr)) | Some(_)
                        if symbol.kind == LinkageKind::LinkOnceOdr =>
                    {
                        imports.entry(symbol.name).or_default().push(here);
                    }
                    Some((first, LinkageKind::LinkOnceOdr)) => {
                        let first = *first;
                        imports.entry(symbol.name.clone()).or_default().push(first);
                        definitions.insert(symbol.name, (here, symbol.kind));
                    }
                    Some((first, _)) => {
                        let (first, second) = (self.name(first.module), self.name(module));
                        problems
                            .push(format!("symbol {} is defined in {first} and in {second}", symbol.name));
                    }
                    None => {
                        definitions.insert(symbol.name, (here, symbol.kind));
                    }
                }
            }
        }
        for (name, importers) in &imports {
            let found = definitions.get(name).map(|(symbol, _)| *symbol);
            let defined = match found {
                Some(symbol) => symbol,
                None if options.allow_missing => match importers.first() {
                    Some(first) => *first,
                    None => continue,
                },
                None => {
                    let who: BTreeSet<&str> =
                        importers.iter().map(|symbol| self.name(symbol.module)).collect();
                    let who: Vec<&str> = who.into_iter().collect();
                    problems
                        .push(format!("symbol {name}, which {} needs, is defined nowhere", who.join(", ")));
                    continue;
                }
            };
            let id = self.renamed(defined.module, defined.id)?;
            for importer in importers {
                if (importer.module, importer.id) != (defined.module, defined.id) {
                    self.set(importer.module, importer.id, id);
                    if let Some(dropped) = self.dropped.get_mut(importer.module) {
                        dropped.insert(importer.id);
                    }
                }
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(SpirvError::whole(problems.join("; "))) }
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

    /// Capabilities and extensions of all modules, each once; the memory model must be the same.
    fn preamble(&mut self) -> Result<(), SpirvError> {
        let mut capabilities = BTreeSet::from([capability::Linkage]);
        let mut extensions: BTreeSet<String> = BTreeSet::new();
        let mut model: Option<(&str, Vec<u32>)> = None;
        for (name, index) in self.modules {
            for inst in index.globals() {
                match inst.opcode {
                    op::OpCapability => {
                        capabilities.insert(inst.operand(0));
                    }
                    op::OpExtension => extensions.extend(inst.text(0).map(|(name, _)| name)),
                    op::OpMemoryModel => match &model {
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
            self.builder.push(Section::Capability, op::OpCapability, [capability])?;
        }
        for extension in extensions {
            self.builder.push(Section::Extension, op::OpExtension, text(&extension))?;
        }
        let (_, model) = model.ok_or_else(|| SpirvError::whole("no module has a memory model"))?;
        self.builder.push(Section::MemoryModel, op::OpMemoryModel, model)
    }

    fn operands(
        &mut self,
        module: usize,
        index: &Index<'_>,
        inst: &Inst<'_>,
    ) -> Result<Vec<u32>, SpirvError> {
        let mut operands = inst.operands.to_vec();
        let mut places = Vec::new();
        index.ids(inst, |at, _| places.push(at)).map_err(|error| error.in_file(self.name(module)))?;
        for at in places {
            if let Some(operand) = operands.get_mut(at) {
                *operand = self.renamed(module, *operand)?;
            }
        }
        Ok(operands)
    }

    /// Everything before the functions.
    fn globals(&mut self, module: usize) -> Result<(), SpirvError> {
        let Some(&(_, index)) = self.modules.get(module) else { return Ok(()) };
        // Types and constants first: which of them are new decides which names and decorations are needed.
        let mut doubles: HashSet<u32> = HashSet::new();
        for inst in index.globals() {
            let section = Section::of(inst.opcode);
            let result = grammar::result(&inst);
            if result.is_some_and(|id| self.is_dropped(module, id)) {
                continue;
            }
            if !matches!(section, Section::Global | Section::ExtInstImport) || index.is_debug(&inst) {
                continue;
            }
            if matches!(inst.opcode, op::OpLine | op::OpNoLine) {
                continue;
            }
            if let Some(id) = result.filter(|_| inst.opcode != op::OpVariable) {
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
            self.builder.push(section, inst.opcode, operands)?;
        }
        for inst in index.globals() {
            let section = Section::of(inst.opcode);
            let target = inst.operand(0);
            match section {
                Section::Name | Section::Annotation => {
                    if inst.opcode == op::OpGroupDecorate || inst.opcode == op::OpGroupMemberDecorate {
                        return Err(inst
                            .error("groups of decorations are not handled")
                            .in_file(self.name(module)));
                    }
                    if doubles.contains(&target)
                        || self.is_dropped(module, target)
                        || self.is_inside_dropped(module, index, target)
                    {
                        continue;
                    }
                }
                Section::EntryPoint => {
                    let (_, after) = inst.text(2).ok_or_else(|| inst.error("the name does not end"))?;
                    let mut operands = inst.operands.to_vec();
                    for at in std::iter::once(1).chain(after..inst.operands.len()) {
                        if let Some(operand) = operands.get_mut(at) {
                            *operand = self.renamed(module, *operand)?;
                        }
                    }
                    self.builder.push(section, inst.opcode, operands)?;
                    continue;
                }
                Section::ExecutionMode | Section::Source | Section::Processed => {}
                _ => continue,
            }
            let operands = self.operands(module, index, &inst)?;
            self.builder.push(section, inst.opcode, operands)?;
        }
        Ok(())
    }

    /// Whether an id is of a parameter of a declaration that gives way.
    fn is_inside_dropped(&self, module: usize, index: &Index<'_>, id: u32) -> bool {
        let number = match index.definition(id) {
            Some(inst) if inst.number >= index.first_function => inst.number,
            _ => return false,
        };
        let at = index.functions.partition_point(|function| function.end <= number);
        index.functions.get(at).is_some_and(|function| self.is_dropped(module, function.id))
    }

    /// What a type or constant is: its operands in the result, and for what decorations and names tell apart, those.
    fn key(
        &mut self,
        module: usize,
        index: &Index<'_>,
        inst: &Inst<'_>,
        id: u32,
    ) -> Result<Vec<u32>, SpirvError> {
        let mut key = vec![inst.opcode.into()];
        let mut operands = inst.operands.to_vec();
        let mut places = Vec::new();
        index.ids(inst, |at, other| places.push((at, other)))?;
        for (at, other) in places {
            if let Some(operand) = operands.get_mut(at) {
                *operand = if other == id { 0 } else { self.renamed(module, other)? };
            }
        }
        key.extend(operands);
        let told_apart = matches!(inst.opcode, op::OpTypeStruct | op::OpTypeOpaque);
        for note in index.annotations(id) {
            let is_name = matches!(note.opcode, op::OpName | op::OpMemberName);
            let is_spec_id = note.opcode == op::OpDecorate && note.operand(1) == decoration::SpecId;
            if told_apart || is_spec_id || !is_name {
                key.push(note.opcode.into());
                key.extend(note.operands.iter().skip(1));
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
                    self.builder.push(section, inst.opcode, operands)?;
                }
            }
        }
        Ok(())
    }
}
