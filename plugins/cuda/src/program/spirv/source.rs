//! The modules of a program, and the values of its specialization constants.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::{CStr, CString};
use std::sync::Arc;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use sycl_pi_backend::{Result, copy_of, spirv};

use super::framing::{self, VERSION, cut};

/// Modules that are translated together.
pub(crate) struct SpirvSource {
    pub(crate) modules: Vec<Arc<Vec<u8>>>,
    /// For each module, the values that were set, by id. Neither ids nor sizes are checked before the translation.
    pub(crate) constants: Mutex<Vec<BTreeMap<u32, Vec<u8>>>>,
    /// Options of an earlier build, if this was read from its binary.
    options: CString,
}

/// The prefix of a program binary that is compiled again.
const MAGIC: &[u8] = b"sycl-pi CUDA SPIR-V 1\n";

/// The header before the modules in such a binary.
#[derive(Serialize, Deserialize)]
struct SourceHeader<'a> {
    /// The translator's version.
    translator: Cow<'a, str>,
    options: Cow<'a, str>,
    /// The constants of each module.
    constants: Vec<BTreeMap<u32, Vec<u8>>>,
    /// The sizes of the modules in bytes.
    modules: Vec<usize>,
}

impl SpirvSource {
    /// Creates a source from one module. Refuses data that is not a module.
    pub(crate) fn new(il: &[u8]) -> Result<Self> {
        spirv::check(il)?;
        let constants = Mutex::new(vec![BTreeMap::new()]);
        Ok(Self { modules: vec![Arc::new(copy_of(il)?)], constants, options: CString::default() })
    }

    /// Joins the modules of several programs, each with its own constants.
    pub(crate) fn linked(sources: &[&Self]) -> Self {
        let constants = sources.iter().flat_map(|source| source.constants.lock().clone()).collect();
        let modules = sources.iter().flat_map(|source| source.modules.iter().cloned()).collect();
        Self { modules, constants: Mutex::new(constants), options: CString::default() }
    }

    /// Writes the program as a binary that is compiled again when it is built, because the current code should not be
    /// stored. `options` are those that it was built with.
    pub(crate) fn write(&self, options: &CStr) -> Vec<u8> {
        let header = SourceHeader {
            translator: VERSION.into(),
            options: options.to_string_lossy(),
            constants: self.constants.lock().clone(),
            modules: self.modules.iter().map(|module| module.len()).collect(),
        };
        let modules: Vec<&[u8]> = self.modules.iter().map(|module| module.as_slice()).collect();
        framing::join(MAGIC, &header, &modules)
    }

    /// Reads such a binary. Returns `None` for other binaries.
    pub(crate) fn read(bytes: &[u8]) -> Result<Option<Self>> {
        if !bytes.starts_with(MAGIC) {
            return Ok(None);
        }
        let (header, mut rest): (SourceHeader<'_>, _) = framing::split(MAGIC, bytes)?;
        framing::check_version(&header.translator)?;
        let mut modules = Vec::new();
        for length in header.modules {
            let (module, others) = rest.split_at_checked(length).ok_or_else(cut)?;
            spirv::check(module)?;
            modules.push(Arc::new(copy_of(module)?));
            rest = others;
        }
        if header.constants.len() != modules.len() {
            return Err(framing::bad("a binary with constants of other modules".to_owned()));
        }
        let options = CString::new(header.options.as_bytes()).unwrap_or_default();
        Ok(Some(Self { modules, constants: Mutex::new(header.constants), options }))
    }

    /// Returns the options of a build, which are those of an earlier one, followed by the given ones.
    pub(crate) fn options(&self, given: &CStr) -> CString {
        match (self.options.is_empty(), given.is_empty()) {
            (true, _) => return given.to_owned(),
            (_, true) => return self.options.clone(),
            _ => {}
        }
        let both = [self.options.to_bytes(), b" ", given.to_bytes()].concat();
        CString::new(both).unwrap_or_default()
    }

    /// Sets the value of a constant in every module. Modules without the constant ignore it.
    pub(crate) fn set_constant(&self, id: u32, value: &[u8]) {
        for values in self.constants.lock().iter_mut() {
            values.insert(id, value.to_vec());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::spirv::CompiledSpirv;

    /// Returns the smallest module, distinguishable by its bound.
    fn module(bound: u32) -> Vec<u8> {
        let words = [0x0723_0203, 0x0001_0000, 0, bound, 0, 3 << 16 | 14, 2, 2_u32];
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn source() -> SpirvSource {
        let [one, two] =
            [1, 2].map(|bound| SpirvSource::new(&module(bound)).unwrap_or_else(|why| panic!("{why}")));
        one.set_constant(7, &[1, 2, 3, 4]);
        SpirvSource::linked(&[&one, &two])
    }

    #[test]
    fn a_program_that_is_to_be_compiled_again_comes_back_with_constants_and_options() {
        let bytes = source().write(c"-cl-fast-relaxed-math");
        assert!(CompiledSpirv::is_container(&bytes) && CompiledSpirv::read(&bytes, 90).is_err());
        let read = SpirvSource::read(&bytes).unwrap_or_else(|why| panic!("{why}")).unwrap();
        assert_eq!(
            read.modules.iter().map(|module| module.to_vec()).collect::<Vec<_>>(),
            [module(1), module(2)]
        );
        assert_eq!(*read.constants.lock(), [BTreeMap::from([(7, vec![1, 2, 3, 4])]), BTreeMap::new()]);
        assert_eq!(read.options(c"-g").as_c_str(), c"-cl-fast-relaxed-math -g");
        assert_eq!(source().options(c"-g").as_c_str(), c"-g");
    }

    #[test]
    fn a_cut_program_is_refused_and_another_binary_is_none() {
        let bytes = source().write(c"");
        for length in MAGIC.len()..bytes.len() {
            assert!(SpirvSource::read(&bytes[..length]).is_err(), "{length} bytes");
        }
        assert!(SpirvSource::read(b".version 8.0").is_ok_and(|none| none.is_none()));
    }
}
