//! Gives each variable that several images of a split need one home, from which the other images import it.

use std::collections::{HashMap, HashSet};

use rspirv::spirv::{Op, StorageClass};

use super::Index;
use super::SpirvError;
use super::extract::{Extraction, Extractor};
use super::reflect::{LinkageKind, Reflection};

/// Lets the first part that needs a variable export it, and the others import it. Constants are copied; variables that
/// the module imports stay imported.
pub(super) fn give_homes(
    index: &Index<'_>,
    reflection: &Reflection,
    extractor: &mut Extractor<'_>,
    parts: &mut [Extraction<'_>],
) -> Result<(), SpirvError> {
    let imported: HashSet<u32> = reflection.symbols(LinkageKind::Import).map(|symbol| symbol.id).collect();
    let variables: Vec<u32> = index
        .globals()
        .filter(|inst| {
            inst.opcode == Op::Variable && inst.storage_class() == Some(StorageClass::CrossWorkgroup)
        })
        .map(|inst| inst.operand(1))
        .filter(|id| !imported.contains(id))
        .collect();
    let mut users: HashMap<u32, Vec<usize>> = HashMap::new();
    for (number, part) in parts.iter().enumerate() {
        extractor.extract(part)?;
        for &id in variables.iter().filter(|&&id| extractor.has(id)) {
            users.entry(id).or_default().push(number);
        }
    }
    extractor.start_again();
    for (id, users) in users.into_iter().filter(|(_, users)| users.len() > 1) {
        let name = name(index, reflection, id);
        for (place, number) in users.into_iter().enumerate() {
            let Some(part) = parts.get_mut(number) else { continue };
            let symbols = if place == 0 { &mut part.variable_exports } else { &mut part.variable_imports };
            symbols.insert(id, name.clone());
        }
    }
    Ok(())
}

/// Returns the name under which other images import it. This is its own name if it is exported or reached by the host,
/// and a unique one otherwise.
fn name(index: &Index<'_>, reflection: &Reflection, id: u32) -> String {
    let exported = reflection.symbols(LinkageKind::Export).find(|symbol| symbol.id == id);
    let unique = || {
        let global = reflection.globals.iter().find(|global| global.id == id)?;
        global.host_access.as_ref().map(|(_, unique_id)| unique_id.clone())
    };
    // The FNV-1a hash of the module.
    let hash = |hash: u64, word: &u32| (hash ^ u64::from(*word)).wrapping_mul(0x0100_0000_01b3);
    let made = || {
        let module = index.module.words().iter().fold(0xcbf2_9ce4_8422_2325, hash);
        format!("sycl_pi_shared_{module:016x}_{id}")
    };
    exported.map(|symbol| symbol.name.clone()).or_else(unique).unwrap_or_else(made)
}
