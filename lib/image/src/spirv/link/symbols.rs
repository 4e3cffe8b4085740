//! Resolves imports to their definitions.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::Linker;
use crate::spirv::SpirvError;
use crate::spirv::reflect::{LinkageKind, Reflection};

/// A symbol of one of the modules.
#[derive(Clone, Copy)]
struct Symbol {
    module: usize,
    id: u32,
}

/// The symbols that the modules define and need.
#[derive(Default)]
struct Symbols {
    definitions: BTreeMap<String, (Symbol, LinkageKind)>,
    imports: BTreeMap<String, Vec<Symbol>>,
    problems: Vec<String>,
}

impl Linker<'_> {
    /// Finds the definition of each symbol, and replaces every import by its id.
    pub(super) fn resolve(&mut self, allow_missing: bool) -> Result<(), SpirvError> {
        let Symbols { definitions, imports, mut problems } = self.symbols()?;
        for (name, importers) in &imports {
            let found = definitions.get(name).map(|(symbol, _)| *symbol);
            let defined = match found {
                Some(symbol) => symbol,
                None if allow_missing => match importers.first() {
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

    fn symbols(&self) -> Result<Symbols, SpirvError> {
        let mut symbols = Symbols::default();
        let mut kernels: HashMap<String, usize> = HashMap::new();
        let mut doubled: HashSet<String> = HashSet::new();
        for (module, (_, index)) in self.modules.iter().enumerate() {
            let reflection = Reflection::of(index).map_err(|error| error.in_file(self.name(module)))?;
            for entry in reflection.entry_points {
                let first = *kernels.entry(entry.name.clone()).or_insert(module);
                if first != module {
                    let problem = self.doubled("kernel", &entry.name, first, module);
                    symbols.problems.push(problem);
                    doubled.insert(entry.name);
                }
            }
            for symbol in reflection.linkage {
                let here = Symbol { module, id: symbol.id };
                if symbol.kind == LinkageKind::Import {
                    if !symbol.is_built_in {
                        symbols.imports.entry(symbol.name).or_default().push(here);
                    }
                    continue;
                }
                match symbols.definitions.get(&symbol.name) {
                    Some((_, LinkageKind::LinkOnceOdr)) | Some(_)
                        if symbol.kind == LinkageKind::LinkOnceOdr =>
                    {
                        symbols.imports.entry(symbol.name).or_default().push(here);
                    }
                    Some((first, LinkageKind::LinkOnceOdr)) => {
                        let first = *first;
                        symbols.imports.entry(symbol.name.clone()).or_default().push(first);
                        symbols.definitions.insert(symbol.name, (here, symbol.kind));
                    }
                    // Kernels are exported under their names.
                    Some(_) if doubled.contains(&symbol.name) => {}
                    Some((first, _)) => {
                        let problem = self.doubled("symbol", &symbol.name, first.module, module);
                        symbols.problems.push(problem);
                    }
                    None => {
                        symbols.definitions.insert(symbol.name, (here, symbol.kind));
                    }
                }
            }
        }
        Ok(symbols)
    }

    fn doubled(&self, what: &str, name: &str, first: usize, second: usize) -> String {
        format!("{what} {name} is defined in {} and in {}", self.name(first), self.name(second))
    }
}
