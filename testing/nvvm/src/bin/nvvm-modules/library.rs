//! The modules in a library.

use std::collections::HashSet;
use std::fs;

use anyhow::{Context, Result};
use sycl_pi_image::spirv::{Module, Op};
use sycl_pi_image::unwrap::unwrap;

/// A library as named on the command line, or a file that is a module, e.g. a stored one.
#[derive(Clone, Debug)]
pub(crate) struct Library {
    pub(crate) package: String,
    pub(crate) name: String,
    file: String,
}

impl Library {
    /// Parses `package:name:file`.
    pub(crate) fn named(text: &str) -> Result<Self> {
        let mut parts = text.splitn(3, ':').map(str::to_owned);
        let mut next = || parts.next().with_context(|| format!("{text} is not package:name:file"));
        Ok(Self { package: next()?, name: next()?, file: next()? })
    }

    /// Returns the number of modules, and the different ones.
    pub(crate) fn modules(&self) -> Result<(usize, Vec<Vec<u8>>)> {
        let bytes = fs::read(&self.file).with_context(|| self.file.clone())?;
        let is_spirv = |bytes: &[u8]| bytes.starts_with(&0x0723_0203_u32.to_le_bytes());
        if is_spirv(&bytes) {
            return Ok((1, vec![bytes]));
        }
        // A library without images contains no modules.
        let Ok(found) = unwrap(&self.name, &bytes) else { return Ok((0, Vec::new())) };
        let all: Vec<&[u8]> =
            found.images.iter().map(|image| &*image.bytes).filter(|bytes| is_spirv(bytes)).collect();
        let mut seen = HashSet::new();
        let different = all.iter().filter(|bytes| seen.insert(**bytes)).map(|bytes| bytes.to_vec()).collect();
        Ok((all.len(), different))
    }
}

/// Returns the number of kernels of a module.
pub(crate) fn kernels(module: &[u8]) -> usize {
    let parsed = Module::parse(module);
    parsed.map_or(0, |module| module.instructions().filter(|inst| inst.opcode == Op::EntryPoint).count())
}

/// Returns all named libraries.
pub(crate) fn named(texts: &[String]) -> Result<Vec<Library>> {
    texts.iter().map(|text| Library::named(text)).collect()
}
