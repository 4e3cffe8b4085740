//! SPIR-V of modules that are given as source text.

use std::sync::OnceLock;

use sycl_pi_cache::Store;
use sycl_pi_cache::store::{Built, DeviceIdentity, KeyParts, StoreKey};
use sycl_pi_compiler::{Candidate, CompileError, Source, candidates, working};

use crate::caches::Caches;
use crate::error::Result;

/// The SPIR-V of a source with these options for clang.
pub(super) fn compiled(name: &str, source: &str, options: &[&str]) -> Result<Vec<u8>> {
    spirv(&Source::new(name, source).with_options(options), kept())
}

/// The store of what was compiled: the program cache's folder, but programs are counted without it. What is compiled is written at
/// once, as nothing tells when the last user is gone.
fn kept() -> &'static Store {
    static KEPT: OnceLock<Store> = OnceLock::new();
    KEPT.get_or_init(|| Store::open(&Caches::global().config().clone().with_background(false)))
}

/// The SPIR-V of a source: what one of the compilers here made of it before, or makes of it now.
fn spirv(source: &Source<'_>, store: &Store) -> Result<Vec<u8>> {
    let (compilers, options) = (candidates()?, source.closed_options());
    let key = |candidate: &Candidate| Some(key(source, options.as_deref()?, candidate.identity()?));
    // Only what works has ever made something: nothing has to run to know which one it is.
    let known =
        compilers.iter().find(|candidate| key(candidate).is_some_and(|key| store.load(&key).is_some()));
    let mut compiler = None;
    let candidate = match known {
        Some(candidate) => candidate,
        None => compiler.insert(working(&compilers)?).candidate(),
    };
    let key = key(candidate);
    let build = || {
        let compiler = match &compiler {
            Some(compiler) => compiler.clone(),
            None => working(&compilers)?,
        };
        let code = compiler.compile(source)?.code;
        Ok::<_, CompileError>(Built { binary: Some(code.clone()), value: code, kernels: Vec::new() })
    };
    Ok(match key {
        Some(key) => store.load_or_build(&key, |code| Ok(code.to_vec()), build)?.0,
        None => build()?.value,
    })
}

/// The key of a source in the cache on disk.
fn key(source: &Source<'_>, options: &str, compiler: String) -> StoreKey {
    StoreKey::new(&KeyParts {
        device: DeviceIdentity {
            platform: "SPIR-V of a source".into(),
            name: source.name().into(),
            plugin: compiler,
            runtime: concat!("sycl-pi-runtime ", env!("CARGO_PKG_VERSION")).into(),
            ..DeviceIdentity::default()
        },
        images: vec![source.text().into()],
        compile_options: options.into(),
        ..KeyParts::default()
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use sycl_pi_cache::Config;

    #[test]
    fn a_source_is_compiled_once_unless_it_or_its_options_change_or_it_includes_files() {
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
        std::fs::write(&header, "#define N 1\n").unwrap();
        let text = format!("#include \"{}\"\n{text}", header.display());
        counts(&text, &[]);
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
