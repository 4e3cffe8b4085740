//! The modules of a program, and the values of its specialization constants.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;
use sycl_pi_backend::{Result, spirv};

/// Modules to be translated together.
pub(crate) struct SpirvSource {
    pub(crate) modules: Vec<Arc<[u8]>>,
    /// By id: as many bytes as the constant has.
    pub(crate) constants: Mutex<BTreeMap<u32, Vec<u8>>>,
}

impl SpirvSource {
    /// One module; refuses what is none.
    pub(crate) fn new(il: &[u8]) -> Result<Self> {
        spirv::check(il)?;
        Ok(Self { modules: vec![il.into()], constants: Mutex::default() })
    }

    /// The modules of several programs. Where two give a constant a value, the first program's counts.
    pub(crate) fn linked(sources: &[&Self]) -> Self {
        let mut constants = BTreeMap::new();
        for source in sources {
            for (id, value) in source.constants.lock().iter() {
                constants.entry(*id).or_insert_with(|| value.clone());
            }
        }
        let modules = sources.iter().flat_map(|source| source.modules.iter().cloned()).collect();
        Self { modules, constants: Mutex::new(constants) }
    }
}
