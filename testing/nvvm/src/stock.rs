//! The modules of stock libraries, for programs that pass all of them through a part of this project.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail};
use regex::Regex;
use sycl_pi_image::spirv::{Module, Op};
use sycl_pi_image::unwrap::unwrap;

use crate::Random;

/// A library as named on the command line, or a file that is a module, e.g. a stored one.
#[derive(Clone, Debug)]
pub struct Library {
    /// The package with its version: `dpctl 0.22.1`.
    pub package: String,
    /// The library's own name.
    pub name: String,
    file: String,
}

impl Library {
    /// Parses `package:name:file`.
    ///
    /// # Errors
    /// Fails if the text is something else.
    pub fn named(text: &str) -> Result<Self> {
        let mut parts = text.splitn(3, ':').map(str::to_owned);
        let mut next = || parts.next().with_context(|| format!("{text} is not package:name:file"));
        Ok(Self { package: next()?, name: next()?, file: next()? })
    }

    /// Returns the number of modules, and the different ones.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn modules(&self) -> Result<(usize, Vec<Vec<u8>>)> {
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
pub fn kernels(module: &[u8]) -> usize {
    let parsed = Module::parse(module);
    parsed.map_or(0, |module| module.instructions().filter(|inst| inst.opcode == Op::EntryPoint).count())
}

/// Returns all named libraries.
///
/// # Errors
/// Fails if a text is not `package:name:file`.
pub fn named(texts: &[String]) -> Result<Vec<Library>> {
    texts.iter().map(|text| Library::named(text)).collect()
}

/// Writes a module to a file, and returns its name.
pub fn keep(folder: &Path, module: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    module.hash(&mut hasher);
    let file = folder.join(format!("{:016x}.spv", hasher.finish()));
    match fs::write(&file, module) {
        Ok(()) => file.display().to_string(),
        Err(error) => format!("{}: {error}", file.display()),
    }
}

/// Returns a message without numbers and names, so that messages that only differ in these count as one.
pub fn reason(message: &str) -> String {
    static NAMES: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"kernel [^ ,:]+|_Z[A-Za-z0-9_$]+|[%@][A-Za-z0-9_.$]+|\d+").ok());
    let first: Vec<&str> = message.lines().map(str::trim).filter(|line| !line.is_empty()).take(3).collect();
    let text = first.join(" ");
    let reason = NAMES.as_ref().map_or(text.clone(), |names| names.replace_all(&text, "_").into_owned());
    reason.replace('\t', " ").chars().take(300).collect()
}

/// Runs a function on all items in several threads. An error of `each` ends all of them.
///
/// # Errors
/// Fails if `each` does.
pub fn in_threads<T: Sync>(
    items: &[T],
    jobs: usize,
    each: impl Fn(&mut dyn Iterator<Item = &T>) -> Result<()> + Sync,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let work = || each(&mut std::iter::from_fn(|| items.get(next.fetch_add(1, Ordering::Relaxed))));
        let threads: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|_| bail!("a thread ended")))
    })
}

/// Returns some thousand random modules of all libraries, which can be damaged. Large modules are left out, because they
/// take longer without finding more.
///
/// # Errors
/// Fails if a library cannot be read, or if there is no module.
pub fn corpus(libraries: &[String], seed: u64) -> Result<Vec<Vec<u8>>> {
    const LARGEST: usize = 1 << 14;
    const CORPUS: usize = 4000;
    let mut random = Random::new(seed);
    let (mut corpus, mut seen) = (Vec::new(), 0);
    for library in named(libraries)? {
        for module in library.modules()?.1.into_iter().filter(|module| module.len() <= LARGEST) {
            seen += 1;
            if corpus.len() < CORPUS {
                corpus.push(module);
            } else if let Some(place) = corpus.get_mut(random.below(seen)) {
                *place = module;
            }
        }
    }
    if corpus.is_empty() {
        bail!("the libraries have no module of at most {LARGEST} bytes");
    }
    Ok(corpus)
}
