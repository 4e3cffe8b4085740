//! Where things lie in this repository and in the user's cache.

use std::env;
use std::path::{Path, PathBuf};

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

/// The workspace's ordinary build folder, whatever folder this program itself was built in.
pub(crate) fn target() -> PathBuf {
    root().join("target")
}

/// What is kept between check-outs.
fn cache() -> PathBuf {
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = cache.or_else(|| env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")));
    cache.unwrap_or_else(|| target().join("cache")).join("sycl-pi")
}

/// Where downloaded wheels are kept.
pub(crate) fn wheel_cache() -> PathBuf {
    cache().join("wheels")
}

/// Where environments and drivers lie that are never written to, so that check-outs share them.
pub(crate) fn environments() -> PathBuf {
    cache().join("environments")
}

/// Where the software Level Zero driver keeps what it built of clients' modules.
pub(crate) fn built_modules() -> PathBuf {
    cache().join("level-zero-modules")
}

/// Where programs are installed that make packages.
pub(crate) fn tools() -> PathBuf {
    cache().join("tools")
}

/// Our OpenCL plugin as `cargo build --release` leaves it.
pub(crate) fn our_plugin() -> PathBuf {
    target().join("release").join("libpi_opencl.so")
}
