//! SPIR-V of modules that are given as source text.

use std::env;
use std::sync::OnceLock;

use sycl_pi_cache::Store;
use sycl_pi_cache::store::{Built, DeviceIdentity, KeyRefs, StoreKey};
use sycl_pi_compiler::{Candidate, CompileError, Compiler, Reads, Source, candidates, working};

use super::kept::{self, Kept};
use crate::caches::Caches;
use crate::error::{Error, Result};
use crate::host_memory;

/// Returns the SPIR-V of a source compiled with these options for clang.
pub(super) fn of_source(name: &str, source: &str, options: &[&str]) -> Result<Vec<u8>> {
    spirv(&Source::new(name, source).with_options(options), kept())
}

/// Returns the store of compiled sources. It uses the program cache's folder but is not included in the count of
/// programs. Results are written immediately, because it is unknown when the last user is dropped.
fn kept() -> &'static Store {
    static KEPT: OnceLock<Store> = OnceLock::new();
    KEPT.get_or_init(|| Store::open(&Caches::global().config().clone().with_background(false)))
}

/// Returns the SPIR-V of a source, either stored earlier by one of the compilers here or compiled now.
fn spirv(source: &Source<'_>, store: &Store) -> Result<Vec<u8>> {
    let compilers = candidates()?;
    // The current folder is only for a source that does not find all of its includes elsewhere.
    let folder = env::current_dir().unwrap_or_else(|_| "/".into());
    let sources = [source.clone(), source.clone().with_folder(&folder)];
    // Only a working compiler has ever stored anything, so no compiler needs to run to find out which one works.
    let pairs = sources.iter().flat_map(|source| compilers.iter().map(move |compiler| (source, compiler)));
    let mut keys = pairs.filter_map(|(source, compiler)| key(source, compiler));
    let is_kept = |key: &StoreKey| {
        store.load(key).is_some_and(|bytes| Kept::read(&bytes).is_some_and(|kept| kept.holds()))
    };
    if let Some(key) = keys.find(is_kept) {
        return loaded_or_built(store, &key, || Ok((compiled(&working(&compilers)?, &sources)?, None)));
    }
    let compiler = working(&compilers)?;
    let readable = sources.iter().find_map(|source| Some((source, compiler.reads(source).ok()?)));
    let kept =
        readable.and_then(|(source, reads)| Some((source, reads?, key(source, compiler.candidate())?)));
    match kept {
        Some((source, reads, key)) => {
            loaded_or_built(store, &key, || Ok((compiler.compile(source)?.code, Some(reads))))
        }
        None => Ok(compiled(&compiler, &sources)?),
    }
}

/// Compiles the first of these sources that the compiler accepts.
fn compiled(compiler: &Compiler, [first, second]: &[Source<'_>; 2]) -> Result<Vec<u8>, CompileError> {
    let compiled = match compiler.compile(first) {
        Err(CompileError::Refused { .. }) => compiler.compile(second),
        other => other,
    };
    compiled.map(|compiled| compiled.code)
}

/// Returns the SPIR-V with that key, or the result of `build`, which is stored with its dependencies if these are
/// known.
fn loaded_or_built(
    store: &Store,
    key: &StoreKey,
    build: impl FnOnce() -> Result<(Vec<u8>, Option<Reads>), CompileError>,
) -> Result<Vec<u8>> {
    let open = |bytes: &[u8]| match Kept::read(bytes) {
        Some(kept) if kept.holds() => {
            let mut code = Vec::new();
            host_memory::reserve(&mut code, kept.code.len())?;
            code.extend_from_slice(kept.code);
            Ok(code)
        }
        _ => Err(Error::NotFound("a file that it depends on has changed".into())),
    };
    let build = || {
        let (value, reads) = build()?;
        let binary = reads.and_then(|reads| kept::to_bytes(&reads, &value));
        Ok(Built { value, binary, kernels: Vec::new() })
    };
    store.load_or_build(key, open, build).map(|(code, _)| code)
}

/// Returns the key of a source in the cache on disk, or `None` if it does not contain everything on which the result
/// depends.
fn key(source: &Source<'_>, compiler: &Candidate) -> Option<StoreKey> {
    let device = DeviceIdentity {
        platform: "SPIR-V of a source".into(),
        name: source.name().into(),
        plugin: compiler.identity()?,
        runtime: concat!("sycl-pi-runtime ", env!("CARGO_PKG_VERSION"), ", with files").into(),
        ..DeviceIdentity::default()
    };
    let parts = KeyRefs {
        device: &device,
        images: vec![source.text().as_bytes()],
        spec_constants: &[],
        compile_options: &source.closed_options()?,
        link_options: "",
    };
    // If there is no memory for a key, nothing is kept.
    StoreKey::from_parts(parts).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use sycl_pi_cache::Config;

    #[test]
    fn a_source_is_compiled_once_unless_it_or_its_options_or_a_file_change() {
        let root = tempfile::tempdir().unwrap();
        let config = Config::default().with_root(Some(root.path().to_owned())).with_background(false);
        let store = Store::open(&config);
        let counts = |text: &str, options: &[&str]| {
            let code = spirv(&Source::new("a.cl", text).with_options(options), &store).unwrap();
            assert_eq!(code.get(..4), Some(&[3, 2, 0x23, 7][..]));
            let stats = store.stats();
            (stats.builds, stats.hits)
        };
        let text = "kernel void a(global int *v) { *v = N; }";
        assert_eq!(counts(text, &["-DN=1"]), (1, 0));
        assert_eq!(counts(text, &["-DN=1"]), (1, 1));
        assert_eq!(counts(text, &["-DN=2"]), (2, 1));
        assert_eq!(counts("kernel void a() {}", &[]), (3, 1));
        let header = root.path().join("n.h");
        let text = format!("#include \"{}\"\n{text}", header.display());
        std::fs::write(&header, "#define N 1\n").unwrap();
        // Longer than the inaccuracy of file times.
        std::thread::sleep(std::time::Duration::from_millis(300));
        assert_eq!((counts(&text, &[]), counts(&text, &[])), ((4, 1), (4, 2)));
        std::fs::write(&header, "#error changed\n").unwrap();
        assert!(spirv(&Source::new("a.cl", &text), &store).unwrap_err().to_string().contains("changed"));
    }

    #[test]
    fn an_error_is_of_the_kind_build_and_has_the_compilers_text() {
        let error = crate::Registry::new().add_source("mine.cl", "kernel void a() {\n  b();\n}").unwrap_err();
        assert_eq!(error.kind(), crate::ErrorKind::Build);
        let text = error.to_string();
        assert!(text.starts_with("mine.cl does not compile with "), "{text}");
        assert!(text.contains("mine.cl:2:3: error: "), "{text}");
    }
}
